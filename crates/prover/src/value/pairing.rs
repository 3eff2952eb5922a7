//! Pairing strategies: a draw that can be checked by hand.
//!
//! A pairing is a set of disjoint pairs of squares such that every segment contains a pair. With
//! one stone a move Defender answers each stone in a pair with the other square of it; so he has a
//! stone in every segment, and Attacker completes none.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

use sixproof_game::{Game, Segment, Square};

use super::lines::Lines;
use super::matching::{Matching, OpenWindow};

/// Names of pairs on a drawn board.
const LETTERS: &[u8; 52] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A pairing strategy for the empty board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The pairs.
    pub pairs: Vec<[Square; 2]>,
}

/// What is wrong with a pairing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// With more than one stone a move, Attacker may take both squares of a pair at once.
    TwoStones,
    /// A square that is not on the board.
    Outside(Square),
    /// A square that is in a pair twice.
    Twice(Square),
    /// A segment without a pair.
    Unpaired(Segment),
}

impl Pairing {
    /// Finds a pairing for the empty board, if matching finds one; boards of up to 64 squares.
    pub fn find(game: Game) -> Option<Pairing> {
        let lines = Lines::new(game).filter(|_| game.p() == 1 && !game.exact())?;
        let open: Vec<OpenWindow> = lines.windows.iter().map(|w| (w.line, w.squares)).collect();
        let mut matching = Matching::new();
        if matching.search(&open) > 0 {
            return None;
        }
        let pairs = matching.pairs().into_iter().map(|pair| pair.map(|bit| lines.square(bit)));
        Some(Pairing { pairs: pairs.collect() })
    }

    /// Checks the pairing against the rules of the game, with nothing from the search that found
    /// it: disjoint pairs of squares of the board, and a pair within every segment.
    pub fn verify(&self, game: Game) -> Result<(), Flaw> {
        if game.p() != 1 {
            return Err(Flaw::TwoStones);
        }
        let mut used = BTreeSet::new();
        for &square in self.pairs.iter().flatten() {
            if !game.contains(square) {
                return Err(Flaw::Outside(square));
            }
            if !used.insert(square) {
                return Err(Flaw::Twice(square));
            }
        }
        for segment in game.squares().flat_map(|square| Segment::through(game, square)) {
            let squares: BTreeSet<Square> = segment.squares(game).collect();
            let holds = |pair: &[Square; 2]| pair.iter().all(|square| squares.contains(square));
            if !self.pairs.iter().any(holds) {
                return Err(Flaw::Unpaired(segment));
            }
        }
        Ok(())
    }

    /// The board from its top row down, with the same letter on the two squares of a pair.
    pub fn drawn(&self, game: Game) -> String {
        let letter = |square: Square| {
            let pair = self.pairs.iter().position(|pair| pair.contains(&square));
            pair.map_or('.', |pair| LETTERS[pair % LETTERS.len()].into())
        };
        let mut text = String::new();
        for y in (0..game.rows() as i32).rev() {
            let cells: Vec<String> =
                (0..game.cols() as i32).map(|x| letter(Square::new(x, y)).to_string()).collect();
            let _infallible = writeln!(text, "{:>2}  {}", y + 1, cells.join(" "));
        }
        text
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::TwoStones => f.write_str("a move has more than one stone"),
            Flaw::Outside(_) => f.write_str("a square of a pair is not on the board"),
            Flaw::Twice(_) => f.write_str("a square is in two pairs"),
            Flaw::Unpaired(_) => f.write_str("a segment contains no pair"),
        }
    }
}

impl std::error::Error for Flaw {}
