//! The best move by evaluation, without looking ahead: the baseline for all styles that search.
//!
//! It completes its own line, blocks the other side's threats with as few stones as possible, and
//! places the stones that are left one by one where they are worth most by live and dead threats.

use sixproof_game::repeatable::mix;
use sixproof_game::{Position, Square};
use sixproof_prover::board::{Side, Sq};

use super::field::Field;
use super::urgent::{Blocks, blocks, completion};
use super::values::Values;
use crate::certified::certified;
use crate::{Counts, Reason, Score, Thought};

/// The difference of values that is a hundredth of the logarithm of the odds.
const SCALE: i32 = 8;
/// The nodes to certify k in a row that is completed now.
const COMPLETION_NODES: u64 = 16;

/// Chooses a move. The position is not over.
pub(crate) fn think(position: &Position, seed: u64) -> Thought {
    let field = Field::new(position);
    if let Some(thought) = complete(position, &field) {
        return thought;
    }
    let mut values = Values::new(field.board.clone());
    let score = score(values.balance(Side::Attacker));
    let mut greedy = Greedy { field: &field, seed, half_moves: 0 };
    let (squares, reason) = match blocks(position) {
        Blocks::Nothing => (Vec::new(), Reason::Chosen),
        Blocks::Some(sets) => (greedy.best_set(&mut values, sets), Reason::Blocks),
        Blocks::Lost(squares) => (squares, Reason::HoldsOut),
    };
    let squares = greedy.fill(&mut values, squares, position);
    let counts = Counts { nodes: 1, half_moves: greedy.half_moves, ..Counts::default() };
    Thought { line: vec![squares[..].into()], squares, score, reason, counts, ..Thought::default() }
}

/// The move that completes k in a row, if there is one.
pub(crate) fn complete(position: &Position, field: &Field) -> Option<Thought> {
    let squares = completion(position, field)?;
    let (proof, nodes) = certified(position, 1, COMPLETION_NODES, &mut || false);
    let score = if proof.is_some() { Score::Win } else { Score::Value(i32::from(i16::MAX)) };
    Some(Thought {
        line: vec![squares[..].into()],
        squares,
        score,
        reason: Reason::Completes,
        proof,
        counts: Counts { threat_nodes: nodes, ..Counts::default() },
        ..Thought::default()
    })
}

/// A difference of values as a score.
pub(crate) fn score(balance: i32) -> Score {
    Score::Value((balance / SCALE).clamp(-1_000, 1_000))
}

/// The order of squares of the same value: the centre first, then as the seed says.
pub(crate) fn tie(field: &Field, seed: u64, square: Sq) -> (i32, u64) {
    let mut word = seed ^ u64::from(square) << 32;
    (-field.eccentricity(square), mix(&mut word))
}

struct Greedy<'a> {
    field: &'a Field,
    seed: u64,
    half_moves: u64,
}

impl Greedy<'_> {
    /// The best of some sets of squares, one stone after the other.
    fn best_set(&mut self, values: &mut Values, sets: Vec<Vec<Square>>) -> Vec<Square> {
        let worth = |set: &Vec<Square>| -> i32 {
            let mut placed = Vec::new();
            let mut sum = 0;
            for square in set.iter().filter_map(|&square| self.field.index(square)) {
                sum += values.of(Side::Attacker, square);
                values.place(Side::Attacker, square);
                placed.push(square);
            }
            for square in placed {
                values.remove(Side::Attacker, square);
            }
            sum
        };
        self.half_moves += sets.iter().map(|set| set.len() as u64).sum::<u64>();
        sets.into_iter().max_by_key(worth).unwrap_or_default()
    }

    /// Adds the best squares to the given ones, until the move is complete.
    fn fill(
        &mut self,
        values: &mut Values,
        mut squares: Vec<Square>,
        position: &Position,
    ) -> Vec<Square> {
        for square in squares.iter().filter_map(|&square| self.field.index(square)) {
            values.place(Side::Attacker, square);
        }
        while squares.len() < position.left() as usize {
            self.half_moves += u64::from(values.board.empty_count());
            let best = values.board.empty_squares().max_by_key(|&square| {
                (values.of(Side::Attacker, square), tie(self.field, self.seed, square))
            });
            let Some(best) = best else { break };
            values.place(Side::Attacker, best);
            squares.push(self.field.square(best));
        }
        squares
    }
}
