//! `sixproof threats`: what each side threatens, what it has in the making, and how to defend.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Value, json};
use sixproof_game::load::Loaded;
use sixproof_game::picture::{Mark, Picture};
use sixproof_game::{Color, Game, Position, Square};
use sixproof_prover::threats::{
    Defence, DefenceKind, GivenUp, Number, Pattern, PatternKind, Threat, critical_defences, number,
    patterns, reply_set, threats,
};
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files;
use sixproof_solve::notation;
use sixproof_solve::output::{Output, STRONG};

use crate::Exit;
use crate::drawing;
use crate::input;
use crate::options;

/// The most entries of a list that people are shown; programs get all.
const ENTRIES_MAX: usize = 40;
/// Columns of the names of lists, and of a line of text.
const NAME_COLUMNS: usize = 12;
const LINE_COLUMNS: usize = 80;

pub(crate) fn run(options: &options::Threats, output: Output) -> Result<Exit> {
    if let Some(path) = &options.out {
        files::keep(&[input::file_of(&options.position.position)], path)?;
    }
    let source = input::position(&options.position, output)?;
    let Loaded { position, played, .. } = &source.loaded;
    let sides: Vec<SideReport> = match position.winner() {
        // When the game is over, there are no threats.
        Some(_) => Vec::new(),
        None => {
            options.side.colors().iter().map(|&color| SideReport::new(position, color)).collect()
        }
    };
    let picture = picture(options, position, &sides)?.last_move(notation::last_move(played));
    let file = options.out.as_deref().map(|path| file(path, &picture, options)).transpose()?;
    if output.json {
        output.say_json(&to_json(position, &sides));
    } else {
        if file.is_none() {
            drawing::say(&picture, options.ascii, output);
            if let Some(legend) = legend(&sides, options.ascii) {
                output.say(legend);
            }
            if !sides.is_empty() {
                output.say("");
            }
        }
        let texts: Vec<String> = sides.iter().map(|side| side.text(position)).collect();
        match position.winner() {
            Some(winner) if file.is_some() => output.say(format!("{} has won", winner.title())),
            Some(_) => {}
            None => output.say(texts.join("\n\n")),
        }
    }
    if let (Some(path), Some(bytes)) = (&options.out, file) {
        files::write(path, &bytes)?;
        output.written(path, bytes.len());
    }
    Ok(Exit::Yes)
}

/// What both sides threaten, in words.
pub(super) fn texts(position: &Position) -> String {
    let sides = [Color::Black, Color::White].map(|color| SideReport::new(position, color));
    sides.map(|side| side.text(position)).join("\n\n")
}

/// What the command reports about one side.
struct SideReport {
    color: Color,
    number: Number,
    threats: Vec<Threat>,
    /// What one move makes into threats.
    patterns: Vec<Pattern>,
    /// How many stones the other side has to defend with.
    stones: u32,
    /// The critical defences, when there are not too many to find.
    defences: std::result::Result<Vec<Defence>, GivenUp>,
    reply_set: Option<BTreeSet<Square>>,
    /// What the side to move fills to win at once.
    wins_with: Option<BTreeSet<Square>>,
}

impl SideReport {
    fn new(position: &Position, color: Color) -> SideReport {
        let game = position.game();
        let is_to_move = position.to_move() == color;
        let stones = if is_to_move { game.p() } else { position.left() };
        let threats = threats(position, color);
        let wins_with = threats
            .iter()
            .map(|threat| &threat.empties)
            .filter(|empties| is_to_move && empties.len() as u32 <= position.left())
            .min_by_key(|empties| empties.len())
            .cloned();
        let mut patterns = patterns(position, color);
        patterns.retain(|pattern| pattern.missing <= game.p());
        SideReport {
            color,
            number: number(position, color),
            threats,
            patterns,
            stones,
            defences: critical_defences(position, color, stones),
            reply_set: reply_set(position, color, stones).ok().flatten(),
            wins_with,
        }
    }

    /// The critical defences that block something.
    fn blocks(&self) -> impl Iterator<Item = &Defence> {
        self.defences.iter().flatten().filter(|defence| !defence.squares.is_empty())
    }

    /// Squares of normal critical defences.
    fn defended_squares(&self) -> BTreeSet<Square> {
        let normal = self.blocks().filter(|defence| defence.kind == DefenceKind::Normal);
        normal.flat_map(|defence| defence.squares.iter().copied()).collect()
    }

    fn text(&self, position: &Position) -> String {
        let game = position.game();
        let mut text = format!("{STRONG}{}{STRONG:#}", self.headline(game));
        let mut list = |name: &str, entries: Vec<String>, note: &str| {
            if !entries.is_empty() {
                text += &listed(name, &entries, note);
            }
        };
        list("threats", self.threats.iter().map(|t| threat_text(game, t)).collect(), "");
        list("patterns", self.patterns.iter().map(|p| pattern_text(game, p)).collect(), "");
        let mut groups: BTreeMap<(DefenceKind, usize), Vec<String>> = BTreeMap::new();
        for defence in self.blocks() {
            let group = groups.entry((defence.kind, defence.squares.len())).or_default();
            group.push(names(game, &defence.squares));
        }
        for ((kind, size), entries) in groups {
            let name = match kind {
                DefenceKind::Normal => "defences",
                DefenceKind::Relaxed => "relaxed",
            };
            let note = match self.stones - size as u32 {
                0 => String::new(),
                free => format!(" ({} free)", stones_text(free)),
            };
            list(name, entries, &note);
        }
        if self.defences.is_err() {
            list("defences", vec!["too many to list".to_string()], "");
        }
        list("reply set", self.reply_set.iter().map(|s| names(game, s)).collect(), "");
        text
    }

    /// How many threats, and what that means.
    fn headline(&self, game: Game) -> String {
        let (side, other) = (self.color.title(), (!self.color).title());
        let threats = match self.number {
            Number::Exactly(0) => return format!("{side}: no threats"),
            Number::Exactly(1) => "1 threat".to_string(),
            number => format!("{number} threats"),
        };
        let stones = stones_text(self.stones);
        if let Some(squares) = &self.wins_with {
            let squares = names(game, squares);
            return format!("{side}: {threats}, and {side} is to move: {squares} wins");
        }
        if self.number.exceeds(self.stones) {
            return format!("{side}: {threats}, more than {other} can block with {stones}");
        }
        format!("{side}: {threats}, for {other} to block with {stones}")
    }

    fn to_json(&self, game: Game) -> Value {
        let list = |squares: &mut dyn Iterator<Item = &Square>| -> Vec<String> {
            squares.map(|&s| game.square_name(s)).collect()
        };
        let threats = self.threats.iter().map(|threat| {
            let segment = threat.segment.ends(game).map(|s| game.square_name(s)).join("-");
            json!({ "segment": segment, "empty": list(&mut threat.empties.iter()) })
        });
        let patterns = self.patterns.iter().map(|pattern| {
            json!({
                "pattern": pattern.to_string(),
                "live": pattern.kind == PatternKind::Live,
                "l": pattern.l,
                "missing": pattern.missing,
                "stones": list(&mut pattern.stones.iter()),
                "squares": list(&mut pattern.squares.iter()),
            })
        });
        let defences = self.defences.as_ref().ok().map(|defences| -> Vec<Value> {
            let defence = |defence: &Defence| {
                json!({
                    "squares": list(&mut defence.squares.iter()),
                    "normal": defence.kind == DefenceKind::Normal,
                    "free": defence.free,
                })
            };
            defences.iter().map(defence).collect()
        });
        let (exact, at_least) = match self.number {
            Number::Exactly(number) => (Some(number), Some(number)),
            Number::AtLeast(number) => (None, Some(number)),
            Number::Infinite => (None, None),
        };
        json!({
            "side": self.color.to_string(),
            "number": exact,
            "number_at_least": at_least,
            "threats": threats.collect::<Vec<_>>(),
            "patterns": patterns.collect::<Vec<_>>(),
            "stones": self.stones,
            "defences": defences,
            "reply_set": self.reply_set.as_ref().map(|squares| list(&mut squares.iter())),
            "wins_with": self.wins_with.as_ref().map(|squares| list(&mut squares.iter())),
        })
    }
}

fn to_json(position: &Position, sides: &[SideReport]) -> Value {
    let game = position.game();
    json!({
        "game": game.to_string(),
        "to_move": position.to_move().to_string(),
        "stones": position.left(),
        "winner": position.winner().map(|c| c.to_string()),
        "sides": sides.iter().map(|side| side.to_json(game)).collect::<Vec<_>>(),
    })
}

/// The board with the threats and the squares to defend on.
fn picture(
    options: &options::Threats,
    position: &Position,
    sides: &[SideReport],
) -> Result<Picture> {
    let mut picture = Picture::new(position).theme(options.theme.theme());
    for side in sides {
        for threat in &side.threats {
            picture = picture.threat(threat.segment, side.color);
        }
        for square in side.defended_squares() {
            picture = picture.mark(square, Mark::Cross);
        }
    }
    if let Some(window) = &options.window {
        let (a, b) = notation::window(position.game(), window)?;
        picture = picture.window(a, b);
    }
    Ok(picture)
}

/// What the signs on the terminal mean, when there are any.
fn legend(sides: &[SideReport], ascii: bool) -> Option<String> {
    let has_empties = sides.iter().any(|side| !side.threats.is_empty());
    let has_defences = sides.iter().any(|side| !side.defended_squares().is_empty());
    let cross = if ascii { "*" } else { "×" };
    match (has_defences, has_empties) {
        (true, _) => Some(format!("Threats: {cross} a defence, ! another empty square")),
        (false, true) => Some("Threats: ! an empty square".to_string()),
        (false, false) => None,
    }
}

fn file(path: &Path, picture: &Picture, options: &options::Threats) -> Result<Vec<u8>> {
    match drawing::extension(path).as_str() {
        "svg" => Ok(picture.svg().into_bytes()),
        "png" => drawing::png(picture, options.width),
        _ => Err(Failure::new(format!("{}: which kind of picture is this?", path.display()))
            .help("name the file .svg or .png")),
    }
}

fn names(game: Game, squares: &BTreeSet<Square>) -> String {
    squares.iter().map(|&s| game.square_name(s)).collect::<Vec<_>>().join(" ")
}

/// `D10-I10 (D10 E10)`: the ends, and what is empty.
fn threat_text(game: Game, threat: &Threat) -> String {
    let ends = threat.segment.ends(game).map(|s| game.square_name(s)).join("-");
    format!("{ends} ({})", names(game, &threat.empties))
}

/// `live-3 H10 I10 J10 (E10-M10)`: what it is, the stones, and where it can grow.
fn pattern_text(game: Game, pattern: &Pattern) -> String {
    let ends = [pattern.squares.first(), pattern.squares.last()];
    let ends: Vec<String> = ends.into_iter().flatten().map(|&s| game.square_name(s)).collect();
    format!("{pattern} {} ({})", game.square_names(&pattern.stones), ends.join("-"))
}

fn stones_text(count: u32) -> String {
    format!("{count} {}", if count == 1 { "stone" } else { "stones" })
}

/// A list with its name in front, on lines of its own; entries are not broken.
fn listed(name: &str, entries: &[String], note: &str) -> String {
    let mut words: Vec<String> = entries.iter().take(ENTRIES_MAX).cloned().collect();
    if entries.len() > ENTRIES_MAX {
        words.push(format!("and {} more", entries.len() - ENTRIES_MAX));
    }
    let last = words.len() - 1;
    let mut text = String::new();
    let mut line = format!("\n{name:NAME_COLUMNS$}");
    for (i, word) in words.into_iter().enumerate() {
        // Names of squares have commas on an unbounded board.
        let end = if i == last { note } else { ";" };
        let is_first = line.len() == NAME_COLUMNS + 1;
        if !is_first && line.len() + 1 + word.len() + end.len() > LINE_COLUMNS {
            text += &line;
            line = format!("\n{:NAME_COLUMNS$}", "");
        } else if !is_first {
            line.push(' ');
        }
        line += &word;
        line += end;
    }
    text + &line
}
