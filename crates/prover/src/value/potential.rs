//! The potential of Erdős and Selfridge, for any number of stones a move (Beck 1982).
//!
//! Give every open segment of Attacker with u empty squares the weight (1 + p)^(-u/p). With p
//! stones a move on both sides, Defender keeps the sum below 1 by taking the heaviest squares
//! whenever it is below 1 at his turn, and a complete line would weigh 1. Attacker's t stones
//! before that turn raise the sum by a factor (1 + p)^(t/p) at most. So small sums refute Attacker
//! without a search.
//!
//! Weights are rounded up and limits down, in whole numbers: what is refuted is refuted exactly.

/// Bits for the p-th power of the scale, and for the scale: sums of weights fit into a word.
const POWER_BITS: u32 = 120;
const SCALE_BITS: u32 = 52;

/// Weights and limits of a game.
#[derive(Clone, Debug)]
pub(super) struct Potential {
    p: u32,
    scale: u64,
    /// By the empty squares of a segment.
    weights: Vec<u64>,
    /// By Attacker's stones before Defender's next full move.
    limits: Vec<u64>,
}

impl Potential {
    /// For segments of k squares, p stones a move, and at most `stones` in a row of one side.
    pub(super) fn new(k: u32, p: u32, stones: u32) -> Potential {
        let bits = (POWER_BITS / p).min(SCALE_BITS);
        let whole = 1u128 << (bits * p);
        let power = |n: u32| u128::from(1 + p).checked_pow(n).unwrap_or(u128::MAX);
        let floor = |n: u32| root(whole / power(n), p);
        let weights = (0..=k).map(|u| (floor(u) + 1).min(1 << bits)).collect();
        let limits = (0..=stones.max(p)).map(floor).collect();
        Potential { p, scale: 1 << bits, weights, limits }
    }

    /// The weight of an open segment with this many empty squares.
    pub(super) fn weight(&self, empties: u32) -> u64 {
        self.weights[empties as usize]
    }

    /// The sum that is too small for Attacker.
    pub(super) fn limit(&self, attacks: bool, left: u32) -> u64 {
        match attacks {
            true => self.limits[left as usize],
            false if left < self.p => self.limits[self.p as usize],
            false => self.scale,
        }
    }
}

/// The largest number whose p-th power is at most n.
fn root(n: u128, p: u32) -> u64 {
    let fits = |r: u64| u128::from(r).checked_pow(p).is_some_and(|power| power <= n);
    let (mut low, mut high) = (0u64, u64::MAX);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if fits(middle) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_exact() {
        for (n, p, r) in [(0, 1, 0), (8, 3, 2), (7, 3, 1), (1 << 120, 2, 1 << 60), (99, 2, 9)] {
            assert_eq!(root(n, p), r, "{n} {p}");
        }
    }

    #[test]
    fn with_one_stone_a_move_every_empty_square_halves_the_weight() {
        let potential = Potential::new(5, 1, 1);
        let one = potential.limit(false, 1);
        for u in 1..=5 {
            assert_eq!(potential.weight(u), (one >> u) + 1);
        }
        assert_eq!(potential.limit(true, 1), one / 2);
    }

    #[test]
    fn p_stones_of_attacker_weigh_as_much_as_his_move() {
        for p in 1..=9 {
            let potential = Potential::new(6, p, p);
            let one = u128::from(potential.limit(false, p));
            let limit = u128::from(potential.limit(true, p));
            assert!(limit * u128::from(1 + p) <= one);
            assert!((limit + 1) * u128::from(1 + p) > one);
            // A complete line weighs 1.
            assert_eq!(u128::from(potential.weight(0)), one);
        }
    }
}
