//! How a position is given on the command line: one way for all commands.

use std::io::BufRead as _;
use std::path::{Path, PathBuf};

use sixproof_game::load::{self, Content, Loaded};
use sixproof_game::{Game, InputError, Position, Record, named};
use sixproof_prover::certificate::Reader;

use crate::cli::{PositionArgs, ReadingArgs};
use crate::failure::{Failure, Result};
use crate::files;
use crate::output::Output;

/// A position, and where it came from.
pub(crate) struct Source {
    pub(crate) loaded: Loaded,
    /// The certificate whose claim it is.
    pub(crate) certificate: Option<PathBuf>,
}

/// Finds out what the text means and reads it; tells what is odd about the position.
pub(crate) fn position(arguments: &PositionArgs, output: Output) -> Result<Source> {
    let source = read(&arguments.position, &options(&arguments.reading)?)?;
    if let Some(odd) = source.loaded.position.irregularity() {
        output.warn(odd);
    }
    Ok(source)
}

fn options(reading: &ReadingArgs) -> Result<load::Options> {
    let game = reading.game.as_deref().map(game).transpose()?;
    Ok(load::Options { game, flip: reading.flip })
}

/// Reads the name or parameters of a game.
fn game(text: &str) -> Result<Game> {
    text.parse().map_err(|error: sixproof_game::GameError| Failure::new(error.to_string()))
}

fn read(text: &str, options: &load::Options) -> Result<Source> {
    let plain = |loaded| Source { loaded, certificate: None };
    if text.is_empty() {
        return Err(unknown(text));
    }
    if text == "-" {
        let bytes = files::read(Path::new("-"))?;
        return content("standard input", &bytes, None, options).map(plain);
    }
    if let Some((path, node)) = file_and_node(text) {
        return file(path, node, options);
    }
    if let Some(record) = named::find(text) {
        return at_node(text, b"", record, None).map(plain);
    }
    // A list of numbers is meant as a game, even where it is not a possible one.
    let numbers = text.contains(',') && !text.contains(['/', ' ', '\n']);
    let number_list = numbers && !text.starts_with(|c: char| c == '-' || c.is_ascii_alphabetic());
    match text.parse::<Game>() {
        Ok(game) => return Ok(plain(Loaded::position(Position::new(game)))),
        Err(error) if number_list && options.game.is_none_or(|g| !g.is_unbounded()) => {
            return Err(Failure::new(error.to_string()));
        }
        Err(_) => {}
    }
    if load::detect(text.as_bytes()).is_some() {
        return content("position", text.as_bytes(), None, options).map(plain);
    }
    Err(unknown(text))
}

/// `FILE` or `FILE@path`, when there is such a file. Names, games and moves are never files unless
/// they are there.
fn file_and_node(text: &str) -> Option<(&Path, Option<&str>)> {
    let whole = Path::new(text);
    if text.len() < 4096 && whole.exists() {
        return Some((whole, None));
    }
    let (path, node) = text.rsplit_once('@')?;
    let path = Path::new(path);
    path.exists().then_some((path, Some(node)))
}

fn file(path: &Path, node: Option<&str>, options: &load::Options) -> Result<Source> {
    let name = path.display().to_string();
    if is_certificate(path)? {
        if node.is_some() {
            return Err(Failure::new(format!("{name}: a certificate has no nodes to show"))
                .help("write its strategy with `sixproof check FILE --sgf OUT.sgf` first"));
        }
        let input = files::open(path).map_err(|e| Failure::io(&name, &e))?;
        let reader = Reader::new(input).map_err(|e| Failure::new(format!("{name}: {e}")))?;
        let loaded = Loaded::position(reader.claim().position.clone());
        return Ok(Source { loaded, certificate: Some(path.to_path_buf()) });
    }
    let bytes = files::read(path)?;
    Ok(Source { loaded: content(&name, &bytes, node, options)?, certificate: None })
}

/// Whether a file, plain or compressed, starts like a certificate.
fn is_certificate(path: &Path) -> Result<bool> {
    let failed = |e| Failure::io(path.display(), &e);
    let mut input = files::open(path).map_err(failed)?;
    Ok(starts_like_certificate(input.fill_buf().map_err(failed)?))
}

/// Whether the first word is the magic one; comments may stand in front of it.
fn starts_like_certificate(mut start: &[u8]) -> bool {
    loop {
        start = start.trim_ascii_start();
        if start.first() != Some(&b'#') {
            return start.starts_with(b"sixproof-certificate");
        }
        let end = start.iter().position(|&b| b == b'\n').unwrap_or(start.len());
        start = &start[end..];
    }
}

fn content(
    name: &str,
    bytes: &[u8],
    node: Option<&str>,
    options: &load::Options,
) -> Result<Loaded> {
    let Some(format) = load::detect(bytes) else {
        let error = InputError::new(0, 1, "not a game, position or certificate that can be read")
            .help("SGF, CCGC, psq, RenLib, connectk, diagrams and move lists are read");
        return Err(Failure::input(name, bytes, error));
    };
    match load::read(bytes, format, *options).map_err(|e| Failure::input(name, bytes, e))? {
        Content::Record(record) => at_node(name, bytes, record, node),
        Content::Position(position) if node.is_none() => Ok(Loaded::position(position)),
        Content::Position(_) => {
            Err(Failure::new(format!("{name}: a {format} has no moves"))
                .help("leave the @path out"))
        }
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
    let failure = Failure::new(format!("`{shown}` is neither a file nor a name, a game or moves"));
    match named::suggest(text) {
        Some(name) => failure.help(format!("did you mean `{name}`? `sixproof list` shows all")),
        None => failure.help("moves look like \"J10 / I8 H9\"; `sixproof list` shows the names"),
    }
}
