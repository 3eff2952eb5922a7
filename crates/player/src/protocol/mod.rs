//! The protocols in which programs play each other, as machines without input and output.
//!
//! A [`Protocol`] sits between a controller, which speaks in lines, and an [`Engine`], which
//! thinks. A line goes in, [`Effect`]s come out: lines to write, a position to think about. The
//! program carries them out and hands the thought back. The protocol owns the board, and never
//! enters a move that the rules do not allow; a line that it does not understand gets the
//! protocol's error answer and changes nothing.
//!
//! | name | file | who speaks it |
//! | --- | --- | --- |
//! | `c6` | [`C6`] | Cloudict and most public engines for Connect6 |
//! | `ccgc` | [`Ccgc`] | the platform of the Chinese Computer Games Contest |
//! | `gomocup` | [`Gomocup`] | Piskvork and other managers of Gomocup's brains |
//! | `botzone` | [`Botzone`] | the judge of Botzone's ConnectSix |
//! | `gtp` | [`Gtp`] | GoGui and the programs around it |
//!
//! [`squares`] has the names of squares, for both ends.
//!
//! [`Engine`]: crate::Engine

mod board;
mod botzone;
mod c6;
mod ccgc;
mod clock;
mod gomocup;
mod gtp;
pub mod squares;

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use sixproof_game::{Game, Position};

use crate::{Control, Limits, Thought};

pub use botzone::{Botzone, KEEP_RUNNING};
pub use c6::C6;
pub use ccgc::Ccgc;
pub use gomocup::Gomocup;
pub use gtp::Gtp;

/// What follows from a line or from a thought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// A text for the controller, of one line or several, without the end of the last.
    Say(String),
    /// Think about this position, with these limits of time and depth, and hand back the thought.
    /// It is the last effect in a list.
    Think(Box<Position>, Limits),
    /// A new game begins: the engine forgets the last one.
    NewGame,
    /// All of the program may take this many bytes.
    Memory(u64),
    /// The conversation ends.
    Quit,
}

/// What a line that comes while the engine thinks means for that thought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interruption {
    /// Nothing: the program handles the line meanwhile.
    Nothing,
    /// The move is wanted now: think no longer, write it, and then handle the line.
    Hurry,
    /// The move is not wanted any more: handle the line at once, and forget the thought.
    Drop,
}

/// One end of a conversation: the engine's.
pub trait Protocol: Send {
    /// Handles a line. While a thought is awaited, only lines that mean [`Interruption::Nothing`]
    /// may come; after a line that means [`Interruption::Drop`] no thought is awaited any more.
    fn line(&mut self, line: &str) -> Vec<Effect>;

    /// Takes the thought that [`Effect::Think`] asked for, and the time it took.
    fn thought(&mut self, thought: &Thought, spent: Duration) -> Vec<Effect>;

    /// What a line means for the thinking that is under way.
    fn interruption(&self, line: &str) -> Interruption;

    /// What the end of the input means for it: then no line follows, and the program ends.
    fn end(&self) -> Interruption {
        Interruption::Hurry
    }

    /// The position on the board.
    fn position(&self) -> &Position;

    /// Whether a text that was written refuses the line it answers.
    fn is_error(&self, said: &str) -> bool;
}

/// The protocols by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProtocolName {
    /// See [`C6`].
    C6,
    /// See [`Ccgc`].
    Ccgc,
    /// See [`Gomocup`].
    Gomocup,
    /// See [`Botzone`].
    Botzone,
    /// See [`Gtp`].
    Gtp,
}

/// How a conversation starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The name of the engine.
    pub name: String,
    /// The game, if it is not the usual one of the protocol.
    pub game: Option<Game>,
    /// The time, until the controller sends another.
    pub control: Control,
    /// Botzone: ask the judge to keep the program running after its answer.
    pub keep_running: bool,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup {
            name: "sixproof".to_string(),
            game: None,
            control: Control::Move(Duration::from_secs(5)),
            keep_running: false,
        }
    }
}

impl ProtocolName {
    /// All of them.
    pub const ALL: [ProtocolName; 5] = [
        ProtocolName::Gomocup,
        ProtocolName::C6,
        ProtocolName::Ccgc,
        ProtocolName::Botzone,
        ProtocolName::Gtp,
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            ProtocolName::C6 => "c6",
            ProtocolName::Ccgc => "ccgc",
            ProtocolName::Gomocup => "gomocup",
            ProtocolName::Botzone => "botzone",
            ProtocolName::Gtp => "gtp",
        }
    }

    /// The protocol's usual game.
    pub fn usual_game(self) -> Game {
        let game = match self {
            ProtocolName::Gomocup => Game::new(20, 20, 5, 1, 1, false),
            ProtocolName::Botzone => Game::CONNECT6.resized(15, 15),
            _ => Ok(Game::CONNECT6),
        };
        game.expect("within the limits")
    }

    /// Some protocols have no words for some games.
    pub fn ensure_speaks_of(self, game: Game) -> Result<(), UnfitGame> {
        let unfit = |why: String| Err(UnfitGame { protocol: self, game, why });
        if game.is_unbounded() {
            return unfit("its boards have edges".to_string());
        }
        let side_max = match self {
            ProtocolName::C6 | ProtocolName::Ccgc => squares::LETTERS_MAX,
            ProtocolName::Gtp => squares::GTP_MAX,
            ProtocolName::Gomocup | ProtocolName::Botzone => u32::MAX,
        };
        if game.cols().max(game.rows()) > side_max {
            return unfit(format!("its boards have at most {side_max} columns and rows"));
        }
        let pairs = matches!(self, ProtocolName::Ccgc | ProtocolName::Botzone);
        if pairs && game.p().max(game.q()) > 2 {
            return unfit("its moves have two stones at most".to_string());
        }
        Ok(())
    }

    /// Begins a conversation about a game that the protocol can speak of.
    pub fn begin(self, setup: &Setup) -> Result<Box<dyn Protocol>, UnfitGame> {
        let game = setup.game.unwrap_or(self.usual_game());
        self.ensure_speaks_of(game)?;
        Ok(match self {
            ProtocolName::C6 => Box::new(C6::new(game, setup)),
            ProtocolName::Ccgc => Box::new(Ccgc::new(game, setup)),
            ProtocolName::Gomocup => Box::new(Gomocup::new(game, setup)),
            ProtocolName::Botzone => Box::new(Botzone::new(game, setup)),
            ProtocolName::Gtp => Box::new(Gtp::new(game, setup)),
        })
    }
}

impl fmt::Display for ProtocolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for ProtocolName {
    type Err = String;

    fn from_str(text: &str) -> Result<ProtocolName, String> {
        ProtocolName::ALL.into_iter().find(|protocol| protocol.name() == text).ok_or_else(|| {
            let names = ProtocolName::ALL.map(ProtocolName::name).join(", ");
            format!("there is no protocol `{}`: try one of {names}", shown(text))
        })
    }
}

/// A game that a protocol has no words for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnfitGame {
    protocol: ProtocolName,
    game: Game,
    why: String,
}

impl fmt::Display for UnfitGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (game, protocol) = (self.game, self.protocol);
        write!(f, "{game} cannot be played in the protocol {protocol}: {}", self.why)
    }
}

impl std::error::Error for UnfitGame {}

/// A part of a controller's line, short and without control characters, for an error.
fn shown(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(40).collect()
}

/// The board as text, rows from the top, with the columns named as in the protocol.
fn drawing(position: &Position, column: impl Fn(u32) -> char) -> String {
    use sixproof_game::{Color, Square};
    let game = position.game();
    let mut text = "  ".to_string();
    for x in 0..game.cols() {
        text.extend([' ', column(x)]);
    }
    for y in (0..game.rows()).rev() {
        text += &format!("\n{:>2}", y + 1);
        for x in 0..game.cols() {
            let stone = match position.at(Square::new(x as i32, y as i32)) {
                None => '.',
                Some(Color::Black) => 'X',
                Some(Color::White) => 'O',
            };
            text.extend([' ', stone]);
        }
    }
    text
}
