//! Positions as people type and paste them: names, games, moves, diagrams, the text of a file.

use std::path::Path;

use sixproof_game::load::{self, Content, Games, Loaded};
use sixproof_game::{Game, InputError, Position, Record, named};

use crate::failure::{Failure, Result};
use crate::files::Part;

/// Reads the name or parameters of a game.
pub fn game(text: &str) -> Result<Game> {
    text.parse().map_err(|error: sixproof_game::GameError| Failure::new(error.to_string()))
}

/// Reads a text that is not the name of a file: a name, a game, moves or a diagram.
pub fn typed(text: &str, options: &load::Options) -> Result<Loaded> {
    let (name, node) = match text.rsplit_once('@') {
        Some((name, node)) => (name, Some(node)),
        None => (text, None),
    };
    if let Some(record) = named::find(name) {
        return at_node(name, b"", record, node);
    }
    // A list of numbers is meant as a game, even where it is not a possible one.
    let numbers = text.contains(',') && !text.contains(['/', ' ', '\n']);
    let is_number = !text.starts_with(|c: char| c == '-' || c.is_ascii_alphabetic());
    let number_list = numbers && (is_number || text.starts_with("inf,"));
    match text.parse::<Game>() {
        Ok(game) => return Ok(Loaded::position(Position::new(game))),
        Err(error) if number_list && options.game.is_none_or(|g| !g.is_unbounded()) => {
            return Err(Failure::new(error.to_string()));
        }
        Err(_) => {}
    }
    if load::detect(text.as_bytes()).is_some() {
        return content("position", text.as_bytes(), Part::default(), options);
    }
    Err(unknown(text))
}

/// Whether the first word is that of certificates; comments may stand in front of it.
pub fn starts_certificate(mut start: &[u8]) -> bool {
    loop {
        start = start.trim_ascii_start();
        if start.first() != Some(&b'#') {
            return start.starts_with(b"sixproof-certificate");
        }
        let end = start.iter().position(|&b| b == b'\n').unwrap_or(start.len());
        start = &start[end..];
    }
}

/// The games in a file or in a text.
pub fn games(name: &str, bytes: &[u8], options: &load::Options) -> Result<Games> {
    if bytes.trim_ascii().is_empty() {
        return Err(Failure::new(format!("{name}: there is nothing in it")));
    }
    let Some(format) = load::detect(bytes) else {
        let error = InputError::new(0, 1, "not a game, position or certificate that can be read")
            .help("SGF, CCGC, psq, RenLib, connectk, diagrams and move lists are read");
        return Err(Failure::input(name, bytes, error));
    };
    Games::read(bytes, format, *options).map_err(|e| Failure::input(name, bytes, e))
}

/// The position at a node of a game of a file or of a text.
pub fn content(
    name: &str,
    bytes: &[u8],
    part: Part<'_>,
    options: &load::Options,
) -> Result<Loaded> {
    let all = games(name, bytes, options)?;
    let count = all.count();
    let number = part.number.map_or(Ok(1), |typed| number(name, typed, count))?;
    let content = all.take(number - 1).map_err(|e| Failure::input(name, bytes, e))?;
    let loaded = at(name, bytes, content, part.node, options)?;
    Ok(Loaded { number, games: count, ..loaded })
}

/// The last position of the main line of every game of a file or of a text.
pub fn contents(name: &str, bytes: &[u8], options: &load::Options) -> Result<Vec<Loaded>> {
    let all = games(name, bytes, options)?;
    let count = all.count();
    let of = |number| {
        let name = if count > 1 { format!("{name}#{number}") } else { name.to_string() };
        let content = all.get(number - 1).map_err(|e| Failure::input(&name, bytes, e))?;
        let loaded = at(&name, bytes, content, None, options)?;
        Ok(Loaded { number, games: count, ..loaded })
    };
    (1..=count).map(of).collect()
}

/// The position at a node of a game. Other rules are refused, unless the caller names the game.
fn at(
    name: &str,
    bytes: &[u8],
    content: Content,
    node: Option<&str>,
    options: &load::Options,
) -> Result<Loaded> {
    match content {
        Content::Record(record) => {
            if options.game.is_none() {
                refuse_other_rules(name, &record)?;
            }
            at_node(name, bytes, record, node)
        }
        Content::Position(position) if node.is_none() => Ok(Loaded::position(position)),
        Content::Position(_) => {
            Err(Failure::new(format!("{name}: a diagram has no moves")).help("leave the @path out"))
        }
    }
}

/// The number of a game as it was typed, from 1 to `count`.
pub fn number(name: &str, typed: &str, count: usize) -> Result<usize> {
    typed.parse().ok().filter(|number| (1..=count).contains(number)).ok_or_else(|| {
        let failure = Failure::new(format!("{name}#{typed}: there is no game `{typed}` in it"));
        match count {
            1 => failure.help(format!("the file has one game: {name}")),
            _ => failure.help(format!("the file has {count} games: {name}#1 to {name}#{count}")),
        }
    })
}

/// Refuses a game whose file names unknown rules. A user who names a game accepts them.
pub fn refuse_other_rules(name: &str, record: &Record) -> Result<()> {
    let Some(rules) = record.other_rules() else { return Ok(()) };
    let shown: String = rules.chars().take(60).collect();
    let game = record.game;
    Err(Failure::new(format!("{name}: its rules are `{shown}`, which sixproof does not know"))
        .help(format!(
            "--game {game} reads it as {}, whose wins need not be wins there",
            rules_of(game)
        )))
}

/// A warning that a record is read under other rules than those of its file.
pub fn other_rules(record: &Record) -> Option<String> {
    let shown: String = record.other_rules()?.chars().take(60).collect();
    let game = rules_of(record.game);
    Some(format!("the rules of the file are `{shown}`; all that is said here is about {game}"))
}

/// The game with the name of its rules.
fn rules_of(game: Game) -> String {
    let title = game.title();
    match (game.k(), game.p(), game.q(), game.exact()) {
        (5, 1, 1, false) => format!("free-style Go-Moku, {title}"),
        (5, 1, 1, true) => format!("Go-Moku where exactly five win, {title}"),
        _ => title,
    }
}

fn at_node(name: &str, bytes: &[u8], record: Record, node: Option<&str>) -> Result<Loaded> {
    Loaded::at(record, node).map_err(|error| match node {
        // The error is about the path, which the user typed.
        Some(path) => Failure::input(&format!("{name}@"), path.as_bytes(), error),
        None => Failure::input(name, bytes, error),
    })
}

fn unknown(text: &str) -> Failure {
    let shown: String = text.chars().take(60).collect();
    if text.trim().is_empty() {
        return Failure::new("the position is an empty text")
            .help("moves look like \"J10 / I8 H9\"; `sixproof list` shows the names");
    }
    if text.starts_with('-') {
        return Failure::new(format!("`{shown}` is no option, and no position"))
            .help("--help shows the options");
    }
    let file = text.rsplit_once(['@', '#']).map_or(text, |(file, _)| file);
    // What looks like the name of a file is meant as one.
    if !text.contains(['\n', ' ']) && (file.contains('/') || Path::new(file).extension().is_some())
    {
        return Failure::new(format!("there is no file `{shown}`")).help("check the path");
    }
    let failure = Failure::new(format!("`{shown}` is neither a file nor a name, a game or moves"));
    match named::suggest(text) {
        Some(name) => failure.help(format!("did you mean `{name}`? `sixproof list` shows all")),
        None => failure.help("moves look like \"J10 / I8 H9\"; `sixproof list` shows the names"),
    }
}
