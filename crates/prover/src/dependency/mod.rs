//! Dependency-based search: the space of threats instead of the tree of moves.
//!
//! Source: Allis, van den Herik and Huntjens, "Go-Moku solved by new search techniques", section
//! 4 (one stone a move), and the report on threat proof search for Connect6 by Wu, section 3.3 (p
//! stones).
//!
//! Defender answers every threat with all its cost squares at once, so that only Attacker has
//! choices. A threat is searched below another one only if it depends on it: a rest square of it
//! is the gain square of the other (principle 1). Thus loose threats elsewhere on the board are
//! met once and not in every order. Two stages alternate:
//!
//! - *dependency*: new nodes get all the threats that depend on them;
//! - *combination*: two independent nodes whose gain squares lie on one segment, and whose trees do
//!   not conflict (no gain or cost square of one is a cost square of the other), are linked; the
//!   threats that need the gain squares of both follow in the next dependency stage.
//!
//! A sequence that ends in a five, a straight four, or more threats than Defender has stones is
//! only a *potential* win (principle 2). It is played against every counter-attack by building
//! its certificate; where that fails, it is a hint and no more. Conflicts and dependency are
//! heuristics, never part of a proof: only the certificate is.
//!
//! Invariants: parents have smaller numbers than their children; [`Found::nodes`] is at most
//! `nodes_max`; the same position gives the same tree.
//!
//! ```
//! use sixproof_certificate::Claim;
//! use sixproof_game::{Color, Game, Move, Position};
//! use sixproof_prover::dependency::{Limits, search};
//!
//! let game: Game = "gomoku".parse()?;
//! let at = |name: &str| game.parse_square(name).unwrap();
//! let (black, white) = (["G8", "H8", "I8"].map(at), ["A1", "C1", "E2"].map(at));
//! let position = Position::set_up(game, &black, &white, Color::Black, 1)?;
//! let claim = Claim::new(&position, Color::Black);
//! let found = search(&claim, Limits { nodes_max: 1000, threes: true });
//! let sequence = found.proved().expect("a straight four");
//! assert!(["F8", "J8"].iter().any(|name| sequence.moves == [Move::from([at(name)])]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod board;
mod cover;
mod element;
mod listing;
mod prove;
mod schedule;
mod threat;
mod tree;

pub use listing::{ThreatKind, ThreatNode, ThreatTree};

use sixproof_certificate::Claim;
use sixproof_game::Move;

use board::Board;

/// The most stones a move for which threats are counted: the count grows as the p-th power of p.
const STONES_MAX: u32 = 4;
/// The most potential winning sequences that are kept.
const SEQUENCES_MAX: usize = 64;

/// The limits of a search, and the threats that it knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most nodes of the tree: threats and combinations.
    pub nodes_max: u64,
    /// With one stone a move: whether threes are threats, or fours only.
    pub threes: bool,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The nodes of the tree, counted as in the tables of the paper: one for each threat and each
    /// combination.
    pub nodes: u64,
    /// Whether the search visited the whole tree, within its limit of nodes.
    pub complete: bool,
    /// The tree.
    pub tree: ThreatTree,
    /// The potential winning sequences, in the order in which they were found.
    pub sequences: Vec<Sequence>,
}

impl Found {
    /// The first sequence that is proved.
    pub fn proved(&self) -> Option<&Sequence> {
        self.sequences.iter().find(|s| s.certificate.is_some())
    }
}

/// A potential winning sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// Attacker's moves in order: the line that the search found. A certificate may leave it where
    /// there is a shorter win or a counter-attack must be met. Where independent threats are
    /// lacking a move has fewer stones.
    pub moves: Vec<Move>,
    /// The nodes of the tree that the moves are made of, in the order of play.
    pub nodes: Vec<usize>,
    /// The i of a WTi sequence: how many independent single threats it needs to fill up its moves.
    /// Always 0 with one stone a move.
    pub fillers: u32,
    /// The certificate of the win. Without one the sequence is not proved: it is a hint where to
    /// search.
    pub certificate: Option<Vec<u8>>,
}

/// Searches the threats of the claim's attacker, as if it were its turn. Certificates are built
/// only if it is. The result is empty where a side has won already, or where stones on an unbounded
/// board are so far apart that the space between them is too large.
pub fn search(claim: &Claim, limits: Limits) -> Found {
    let position = &claim.position;
    let nothing =
        Found { nodes: 0, complete: true, tree: ThreatTree::default(), sequences: Vec::new() };
    if position.winner().is_some() || position.game().p() > STONES_MAX {
        return nothing;
    }
    let Some(board) = Board::new(claim) else { return nothing };
    tree::Search::new(claim, limits, board).run()
}
