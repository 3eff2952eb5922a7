//! The players of a match: a style of ours in this process, or another program in one of the
//! protocols.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use sixproof_game::{Color, Game, Position, Square};
use sixproof_player::protocol::ProtocolName;
use sixproof_player::{Control, Counts, Engine, Level, Limits, Settings, Style, UnknownLevel};
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::stopwatch::Stopwatch;

use super::program::Program;

/// A player as it is named on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Player {
    Style { style: Style, level: Level },
    Program { protocol: ProtocolName, words: Vec<String>, typed: String },
}

impl Player {
    /// Reads the name of a player.
    pub(super) fn read(text: &str) -> Result<Player> {
        let text = text.trim();
        let Some((head, rest)) = text.split_once(':') else {
            let style = text.parse().map_err(|unknown: sixproof_player::UnknownStyle| {
                Failure::new(unknown.to_string())
                    .help("another program is a protocol and its command: \"c6:./engine\"")
            })?;
            return Ok(Player::Style { style, level: Level::MAX });
        };
        if let Ok(protocol) = head.parse::<ProtocolName>() {
            let words = words(rest).map_err(|why| Failure::new(format!("`{text}`: {why}")))?;
            if words.is_empty() {
                return Err(Failure::new(format!("`{text}` names no program"))
                    .help(format!("write its command behind the colon: \"{head}:./engine\"")));
            }
            return Ok(Player::Program { protocol, words, typed: text.to_string() });
        }
        if head == Style::Sixproof.name() {
            let level = rest.parse().map_err(|why: UnknownLevel| {
                Failure::new(format!("`{rest}` is not a level")).help(why.to_string())
            })?;
            return Ok(Player::Style { style: Style::Sixproof, level });
        }
        let names = ProtocolName::ALL.map(ProtocolName::name).join(", ");
        Err(Failure::new(format!("`{text}` is not a player"))
            .help(format!("before the colon is `sixproof` or a protocol: {names}")))
    }

    /// Checks that the player knows the game, and that its program is there.
    pub(super) fn ensure_plays(&self, game: Game) -> Result<()> {
        let Player::Program { protocol, words, typed } = self else { return Ok(()) };
        protocol
            .ensure_speaks_of(game)
            .map_err(|unfit| Failure::new(format!("`{typed}`: {unfit}")))?;
        Program::try_out(words).map_err(|error| {
            Failure::io(format!("`{typed}`: {} cannot be started", words[0]), &error)
        })
    }

    /// Whether a game can begin elsewhere than on the empty board.
    pub(super) fn takes_openings(&self) -> bool {
        !matches!(self, Player::Program { protocol: ProtocolName::Ccgc, .. })
    }

    /// A player of this kind at the board.
    pub(super) fn for_game(&self, color: Color, seed: u64, has_book: bool) -> ActivePlayer {
        match self {
            Player::Style { style, level } => {
                let settings = Settings {
                    style: *style,
                    level: *level,
                    seed,
                    book: has_book,
                    ..Settings::default()
                };
                ActivePlayer::Engine(Box::new(Engine::new(settings)))
            }
            Player::Program { protocol, words, .. } => {
                ActivePlayer::Program(Program::new(*protocol, words.clone(), color))
            }
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Player::Style { style, level } if *level == Level::MAX => style.fmt(f),
            Player::Style { style, level } => write!(f, "{style}:{}", level.number()),
            Player::Program { typed, .. } => f.write_str(typed),
        }
    }
}

/// The words of a command line; quotes hold blanks together.
fn words(text: &str) -> std::result::Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for c in text.chars() {
        match quote {
            Some(end) if c == end => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    match quote {
        Some(quote) => Err(format!("the quote {quote} is not closed")),
        None => {
            words.extend(word);
            Ok(words)
        }
    }
}

/// The position, and what the player may use.
pub(super) struct PlayerTurn<'a> {
    pub(super) position: &'a Position,
    /// All moves so far, those of the opening included.
    pub(super) moves: &'a [Vec<Square>],
    /// How the time is given, and what is left on the clock.
    pub(super) control: Option<Control>,
    pub(super) left: Duration,
    pub(super) nodes: Option<u64>,
    pub(super) depth: Option<u32>,
    /// The time after which an answer is late.
    pub(super) deadline: Instant,
    /// Whether the game is to be given up.
    pub(super) stop: &'a Arc<AtomicBool>,
}

/// What a player answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PlayerReply {
    /// The stones; none when the player resigns.
    pub(super) squares: Vec<Square>,
    /// A certificate, if the player claims a forced win.
    pub(super) certificate: Option<Vec<u8>>,
    /// The effort, where the player reports it.
    pub(super) nodes: u64,
    pub(super) depth: u32,
}

/// Why there is no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The player has ended.
    Crash(String),
    /// The answer has stones that cannot be placed.
    Illegal(String),
    /// The answer cannot be read.
    Garbage(String),
    /// There is no answer yet.
    Late,
    /// The match was stopped, without a fault of a player.
    Stopped,
}

/// A player at the board, for one game.
pub(super) enum ActivePlayer {
    Engine(Box<Engine>),
    Program(Program),
}

impl ActivePlayer {
    /// Lets the player get ready. Its clock is not running.
    pub(super) fn prepare(
        &mut self,
        game: Game,
        turn: &PlayerTurn<'_>,
    ) -> std::result::Result<(), Fault> {
        match self {
            ActivePlayer::Engine(_) => Ok(()),
            ActivePlayer::Program(program) => program.prepare(game, turn),
        }
    }

    /// Lets the player choose a move.
    pub(super) fn think(
        &mut self,
        turn: &PlayerTurn<'_>,
    ) -> std::result::Result<PlayerReply, Fault> {
        match self {
            ActivePlayer::Engine(engine) => think(engine, turn),
            ActivePlayer::Program(program) => program.think(turn),
        }
    }

    /// Ends the program of the player, if it has one.
    pub(super) fn end(&mut self) {
        if let ActivePlayer::Program(program) = self {
            program.end();
        }
    }
}

fn think(engine: &mut Engine, turn: &PlayerTurn<'_>) -> std::result::Result<PlayerReply, Fault> {
    let limits = turn.control.map_or(Limits::default(), |control| control.limits(turn.left));
    let limits = Limits { nodes: turn.nodes, depth: turn.depth, ..limits };
    let watch = Stopwatch::sharing(Arc::clone(turn.stop));
    // The engine belongs to this game: it is not used again after a panic.
    let thought = catch_unwind(AssertUnwindSafe(|| engine.think(turn.position, &limits, &watch)))
        .map_err(|_| Fault::Crash("panicked".to_string()))?;
    let Counts { nodes, threat_nodes, depth, .. } = thought.counts;
    Ok(PlayerReply {
        squares: thought.squares,
        certificate: thought.proof.map(|proof| proof.certificate),
        nodes: nodes + threat_nodes,
        depth,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_named_as_they_were_typed() {
        for text in ["sixproof", "random", "sixproof:3", "c6:./engine --depth 4", "gtp:a 'b c'"] {
            assert_eq!(Player::read(text).unwrap().to_string(), text);
        }
        assert_eq!(Player::read("sixproof:10").unwrap().to_string(), "sixproof");
        for text in ["", "best", "sixproof:0", "sixproof:11", "kagami:3", "c6:", "uci:x", "gtp:'a"]
        {
            assert!(Player::read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn command_lines_are_split_at_blanks_outside_of_quotes() {
        assert_eq!(words(" a  b'c d'\"e\" '' ").unwrap(), ["a", "bc de", ""]);
        assert!(words("a \"b").is_err());
    }
}
