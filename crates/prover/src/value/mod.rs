//! The value of a small game: does Black win from the empty board, does White, or is it a draw?
//!
//! Each side is asked about in turn: can it force a win? Yes is a certificate, from [`prove`] or
//! from an exhaustive search. No is an argument that anyone can repeat, the simplest that holds:
//!
//! - *strategy stealing*: with q >= p White cannot win any game of the family;
//! - a [`Pairing`] of the empty board, which can be checked by hand (one stone a move);
//! - the *potential* of the empty board (Erdős and Selfridge, Beck);
//! - an exhaustive search of the *maker-breaker* game, in which the other side's rows do not count;
//! - an exhaustive search of the game itself.
//!
//! Searches are exact: they keep whole positions in memory, and forget rather than guess. Their
//! improvements ([`Improvements`]) can be switched off one by one, which changes the nodes, never
//! the answer.
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use sixproof_prover::value::{Options, Value, value};
//!
//! let report = value("3,3,3,1,1".parse()?, &Options::new(), &mut |_| ControlFlow::Continue(()))?;
//! assert_eq!(report.value, Some(Value::Draw));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`prove`]: mod@crate::prove

mod decide;
mod lines;
mod matching;
mod pairing;
mod potential;
mod search;
mod state;
mod strategy;
mod table;
#[cfg(test)]
mod tests;

use std::fmt;

use sixproof_game::{Color, Game, Move};

pub use decide::value;
pub use pairing::{Flaw, Pairing};

/// The result of a game with best play of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// Black wins.
    Black,
    /// White wins.
    White,
    /// Neither side can force a win.
    Draw,
}

impl Value {
    /// The side that wins.
    pub fn winner(self) -> Option<Color> {
        match self {
            Value::Black => Some(Color::Black),
            Value::White => Some(Color::White),
            Value::Draw => None,
        }
    }
}

/// Whose rows count in a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rows {
    /// The game itself.
    Both,
    /// The maker-breaker game.
    Attacker,
}

/// What makes the search faster; each improvement can be switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Improvements {
    /// Strategy stealing, in the games for which it is a theorem.
    pub stealing: bool,
    /// Pairings, of the empty board and within searches.
    pub pairing: bool,
    /// Potentials, of the empty board and within searches.
    pub potential: bool,
    /// Symmetric positions are the same.
    pub symmetry: bool,
    /// The maker-breaker game is searched, too.
    pub maker_breaker: bool,
    /// Segments and squares that do not matter in it are left out.
    pub reduction: bool,
    /// Wins are looked for with [`mod@crate::prove`] first.
    pub prover: bool,
}

impl Improvements {
    /// All of them.
    pub const ALL: Improvements = Improvements {
        stealing: true,
        pairing: true,
        potential: true,
        symmetry: true,
        maker_breaker: true,
        reduction: true,
        prover: true,
    };

    /// None of them: searches of the game itself, and nothing else.
    pub const NONE: Improvements = Improvements {
        stealing: false,
        pairing: false,
        potential: false,
        symmetry: false,
        maker_breaker: false,
        reduction: false,
        prover: false,
    };
}

/// The limits of the work, and the ways to do it.
#[derive(Clone, Debug)]
pub struct Options {
    /// The most nodes of all searches together.
    pub nodes_max: u64,
    /// The power of 2 that is the number of positions each search remembers, of 32 bytes.
    pub table_bits: u32,
    /// What makes it faster.
    pub improvements: Improvements,
}

impl Options {
    /// The usual options.
    pub fn new() -> Options {
        Options { nodes_max: 100_000_000, table_bits: 22, improvements: Improvements::ALL }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options::new()
    }
}

/// The state of the work, for its watcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The side whose win is searched.
    pub side: Color,
    /// The step at hand.
    pub method: Method,
    /// The number of nodes so far, of all searches.
    pub nodes: u64,
}

/// The steps of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Strategies of rising orders.
    Prover,
    /// Exhaustive search of the maker-breaker game.
    MakerBreaker,
    /// Exhaustive search of the game.
    Game,
    /// Writing the strategy of an exhaustive search down.
    Certificate,
}

/// The result.
#[derive(Clone, Debug)]
pub struct Report {
    /// The value, if it was found.
    pub value: Option<Value>,
    /// What is known of Black, and of White.
    pub findings: [Finding; 2],
    /// The number of nodes of all searches, also of those without a result.
    pub nodes: u64,
}

/// Whether a side can force a win, and why.
#[derive(Clone, Debug)]
pub enum Finding {
    /// It can, says this certificate, which is to be checked.
    Wins(Win),
    /// It cannot: the other side can.
    Loses,
    /// It cannot: q >= p, so Black could use the strategy himself.
    Stealing,
    /// It cannot: the other side has a pairing strategy.
    Pairing(Pairing),
    /// It cannot: the potential of its segments is too small.
    Potential,
    /// It cannot, even if the rows of the other side did not count: the search took this number of
    /// nodes.
    MakerBreaker(u64),
    /// It cannot: the search took this number of nodes.
    Game(u64),
    /// It can, but no certificate was made, so nothing is claimed.
    Unproved,
    /// It is not known.
    Unknown,
}

/// A win with its evidence.
#[derive(Clone, Debug)]
pub struct Win {
    /// The certificate.
    pub certificate: Vec<u8>,
    /// Its nodes.
    pub nodes: u64,
    /// The order, if [`mod@crate::prove`] found it; else it is from an exhaustive search.
    pub order: Option<u32>,
    /// A line of play.
    pub line: Vec<Move>,
    /// Nodes of the search that found it.
    pub search_nodes: u64,
}

impl Finding {
    /// Whether the side is known not to win.
    pub fn is_refuted(&self) -> bool {
        !matches!(self, Finding::Wins(_) | Finding::Unproved | Finding::Unknown)
    }
}

/// A game that is not for this search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// The board has more squares than a search holds, or no edges.
    TooLarge(Game),
    /// The exact rule.
    Exact(Game),
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfit::TooLarge(game) => {
                let max = lines::AREA_MAX;
                write!(f, "{}: the board has more than {max} squares", game.title())
            }
            Unfit::Exact(game) => {
                write!(f, "{}: this search is for games without the exact rule", game.title())
            }
        }
    }
}

impl std::error::Error for Unfit {}
