//! The worth of a line, and what a stone on each of its squares would change.

use super::pattern::{Pattern, Ruler};
use super::weights::{Turn, Weights};

/// The number of entries of the memory of lines.
const SLOTS: usize = 1 << 14;

/// The stones of a line, the colours in the order of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LineStones {
    /// Its squares: a run of ones.
    pub(crate) squares: u64,
    /// The first squares of its windows.
    pub(crate) windows: u64,
    /// By colour.
    pub(crate) of: [u64; 2],
}

/// The worth of a line.
#[derive(Clone, Debug, Default)]
pub(crate) struct LineWorth {
    stones: LineStones,
    /// By colour, and by turn: the colour's, or the other's.
    pub(crate) worth: [[i32; 2]; 2],
    /// For each square: how much better the line gets for either colour by its stone there, with
    /// the other side to move next.
    pub(crate) gains: Vec<[i32; 2]>,
}

/// The worth of lines that came up, found again by their stones.
pub(crate) struct Lines {
    weights: Weights,
    ruler: Ruler,
    slots: Vec<LineWorth>,
}

impl Lines {
    pub(crate) fn new(weights: Weights, ruler: Ruler) -> Lines {
        Lines { weights, ruler, slots: vec![LineWorth::default(); SLOTS] }
    }

    /// The worth of a line.
    pub(crate) fn worth(&mut self, stones: LineStones) -> &LineWorth {
        let mixed = (stones.of[0].wrapping_mul(0x9e37_79b9_7f4a_7c15))
            ^ (stones.of[1].wrapping_mul(0xc2b2_ae3d_27d4_eb4f)).rotate_left(29)
            ^ stones.squares.wrapping_mul(0x1656_67b1_9e37_79f9);
        let slot = (mixed ^ mixed >> 31) as usize & (SLOTS - 1);
        if self.slots[slot].stones != stones {
            let mut gains = std::mem::take(&mut self.slots[slot].gains);
            let worth = self.evaluate(stones);
            self.gains(stones, worth, &mut gains);
            self.slots[slot] = LineWorth { stones, worth, gains };
        }
        &self.slots[slot]
    }

    /// Adds up the patterns of either colour.
    fn evaluate(&self, stones: LineStones) -> [[i32; 2]; 2] {
        let mut worth = [[0; 2]; 2];
        stones.patterns(self.ruler, |color, pattern| {
            for turn in [Turn::Own, Turn::Other] {
                worth[color][turn as usize] += self.weights.worth(turn, pattern);
            }
        });
        worth
    }

    fn gains(&self, stones: LineStones, before: [[i32; 2]; 2], gains: &mut Vec<[i32; 2]>) {
        gains.clear();
        let taken = stones.of[0] | stones.of[1];
        let end = 64 - stones.squares.leading_zeros();
        for position in 0..end {
            let bit = 1u64 << position;
            let mut gain = [0; 2];
            if bit & stones.squares != 0 && bit & taken == 0 {
                for color in [0, 1] {
                    let mut with = stones;
                    with.of[color] |= bit;
                    let after = self.evaluate(with);
                    let for_color = |worth: [[i32; 2]; 2]| {
                        worth[color][Turn::Other as usize] - worth[1 - color][Turn::Own as usize]
                    };
                    gain[color] = for_color(after) - for_color(before);
                }
            }
            gains.push(gain);
        }
    }
}

impl LineStones {
    /// Calls `visit` with the patterns of either colour.
    pub(crate) fn patterns(self, ruler: Ruler, mut visit: impl FnMut(usize, Pattern)) {
        for color in [0, 1] {
            ruler.patterns(self.windows, self.of[color], self.of[1 - color], |pattern| {
                visit(color, pattern);
            });
        }
    }
}
