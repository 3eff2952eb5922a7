//! What a line is worth, and what a stone on each of its squares would change.

use super::window::{Shape, Turn, Weights};

/// Entries of the memory of lines.
const SLOTS: usize = 1 << 14;

/// The stones of a line, the colours in the order of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LineStones {
    /// Its squares: a run of ones.
    pub(crate) squares: u64,
    /// By colour.
    pub(crate) of: [u64; 2],
}

/// What a line is worth.
#[derive(Clone, Debug, Default)]
pub(crate) struct LineWorth {
    stones: LineStones,
    /// By colour, and by turn: the colour's, or the other's.
    pub(crate) worth: [[i32; 2]; 2],
    /// For each square: how much better the line gets for either colour by its stone there, once
    /// the other is to move.
    pub(crate) gains: Vec<[i32; 2]>,
}

/// The worth of lines that came up, found again by their stones.
pub(crate) struct Lines {
    weights: Weights,
    k: u32,
    slots: Vec<LineWorth>,
}

impl Lines {
    pub(crate) fn new(weights: Weights, k: u32) -> Lines {
        Lines { weights, k, slots: vec![LineWorth::default(); SLOTS] }
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

    /// Adds up the windows of either colour.
    fn evaluate(&self, stones: LineStones) -> [[i32; 2]; 2] {
        let mut worth = [[0; 2]; 2];
        self.each_window(stones, |color, shape| {
            for turn in [Turn::Own, Turn::Other] {
                worth[color][turn as usize] += self.weights.worth(turn, shape);
            }
        });
        worth
    }

    /// Calls `visit` with the shape of each window that has stones of one colour only.
    pub(crate) fn each_window(&self, stones: LineStones, visit: impl FnMut(usize, Shape)) {
        each_window(self.k, stones, visit);
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

/// Calls `visit` with the shape of each window that has stones of one colour only.
pub(crate) fn each_window(k: u32, stones: LineStones, mut visit: impl FnMut(usize, Shape)) {
    let start = stones.squares.trailing_zeros();
    let end = 64 - stones.squares.leading_zeros();
    if end < start + k {
        return;
    }
    let width = (1u64 << k) - 1;
    for first in start..=end - k {
        let in_window = stones.of.map(|of| of >> first & width);
        let color = match in_window {
            [0, 0] => continue,
            [_, 0] => 0,
            [0, _] => 1,
            _ => continue,
        };
        let may_play = stones.squares & !stones.of[1 - color];
        let open = [
            first > 0 && may_play >> (first - 1) & 1 == 1,
            first + k < 64 && may_play >> (first + k) & 1 == 1,
        ];
        visit(color, Shape { stones: in_window[color] as u32, open });
    }
}
