//! Evaluation: the worth of a position, from the patterns of its lines, kept up to date as stones
//! are placed.
//!
//! The worth of a position is the sum over its lines, and a line's worth depends only on its
//! stones; so it is looked up ([`line`]), and so is what a stone on each of its squares would
//! change. A stone changes four lines.

mod line;
mod pattern;
mod samples;
mod weights;

use sixproof_prover::board::{Bits, Geometry, Line, Sq};

pub(crate) use line::{LineStones, Lines};
pub use pattern::Pattern;
pub(crate) use pattern::Ruler;
pub use samples::{Sample, samples};
pub use weights::{BadWeights, Turn, Weights};

/// The worth of a position, and of every stone that could be added to it.
pub(crate) struct Evaluation {
    lines: Lines,
    /// By colour and turn, over all lines.
    worth: [[i32; 2]; 2],
    /// For each square, how much better the position gets for either colour by its stone there.
    gains: Vec<[i32; 2]>,
}

impl Evaluation {
    /// The evaluation of an empty board.
    pub(crate) fn new(weights: Weights, geometry: &Geometry, ruler: Ruler) -> Evaluation {
        let mut evaluation = Evaluation {
            lines: Lines::new(weights, ruler),
            worth: [[0; 2]; 2],
            gains: vec![[0; 2]; geometry.area()],
        };
        for line in &geometry.lines {
            evaluation.count(line, [0; 2], 1);
        }
        evaluation
    }

    /// Removes or adds the worth of a line whose stones change.
    pub(crate) fn change(&mut self, line: &Line, before: [u64; 2], after: [u64; 2]) {
        self.count(line, before, -1);
        self.count(line, after, 1);
    }

    /// Adds a line, `sign` times.
    fn count(&mut self, line: &Line, of: [u64; 2], sign: i32) {
        if line.windows == 0 {
            return;
        }
        let stones = LineStones { squares: line.squares, windows: line.windows, of };
        let known = self.lines.worth(stones);
        for (sum, worth) in self.worth.iter_mut().flatten().zip(known.worth.iter().flatten()) {
            *sum += sign * worth;
        }
        for position in Bits(line.squares & !(of[0] | of[1])) {
            let gain = known.gains[position as usize];
            let sum = &mut self.gains[usize::from(line.square(position))];
            sum[0] += sign * gain[0];
            sum[1] += sign * gain[1];
        }
    }

    /// The worth of the position to a colour that is to move.
    pub(crate) fn value(&self, color: usize) -> i32 {
        self.worth[color][Turn::Own as usize] - self.worth[1 - color][Turn::Other as usize]
    }

    /// How much better the position gets for a colour by its stone on an empty square.
    pub(crate) fn gain(&self, color: usize, square: Sq) -> i32 {
        self.gains[usize::from(square)][color]
    }
}
