//! What a line is worth by its live and dead threats (Wu & Huang, definitions 2 and 4).
//!
//! With δ = k - p, a line has a *dead-l* for a side that needs δ - l more stones to have one threat
//! on it, and a *live-l* for a side that needs δ - l more to have two. The weights are those of
//! NCTU6. Patterns are counted once for each run of active windows with a stone in each, as in
//! `sixproof_prover::threats`, which has the same notions by the textbook; here they are read from
//! words, because they are asked for at every square of every position of a search.

/// Weight of a live pattern, by the stones it needs for two threats: the papers name live-3, live-2
/// and live-1 of Connect6. Two threats that are there are as much as two dead-4.
const LIVE: [i32; 5] = [500, 600, 125, 25, 5];
/// Weight of a dead pattern, by the stones it needs for a threat: dead-4 (or 5), dead-3, dead-2.
const DEAD: [i32; 5] = [250, 125, 25, 5, 1];
/// Two threats of a side whose opponent has one stone to block them.
const UNSTOPPABLE: i32 = 5_000;

/// What it takes to read a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ruler {
    /// Stones in a row that win.
    pub(crate) k: u32,
    /// Stones a move.
    pub(crate) p: u32,
    /// Whether a line of more than k wins for nobody.
    pub(crate) exact: bool,
}

impl Ruler {
    /// The worth of a line to the side with stones on `own`; `windows` are the first squares of its
    /// windows.
    pub(crate) fn worth(self, windows: u64, own: u64, other: u64) -> i32 {
        let (mut blocked, mut touched) = (0, 0);
        for i in 0..self.k {
            blocked |= other >> i;
            touched |= own >> i;
        }
        let mut open = windows & !blocked & touched;
        if self.exact {
            open &= !(own << 1) & !(own >> self.k);
        }
        let mut sum = 0;
        while open != 0 {
            let start = open.trailing_zeros();
            let length = (open >> start).trailing_ones();
            sum += self.run(start, length, own);
            open &= open.checked_add(1 << start).unwrap_or(0);
        }
        sum
    }

    /// The worth of `length` windows in a row, from `start` on.
    fn run(self, start: u32, length: u32, own: u64) -> i32 {
        let width = (1u64 << self.k) - 1;
        let empties = |window: u32| width << window & !own;
        let rest = |empties: u64| empties.count_ones().saturating_sub(self.p);
        let (mut live, mut dead) = (u32::MAX, u32::MAX);
        for window in start..start + length {
            let one = empties(window);
            if one == 0 {
                continue;
            }
            dead = dead.min(rest(one));
            // A pair further apart costs no less than one with a window between them.
            for next in window + 1..(start + length).min(window + self.k + 1) {
                let two = empties(next);
                let common = one & two;
                let (one, two) = (one & !common, two & !common);
                if one != 0 && two != 0 {
                    live = live.min(common.count_ones() + rest(one) + rest(two));
                }
            }
        }
        let weight =
            |weights: [i32; 5], missing: u32| weights.get(missing as usize).copied().unwrap_or(0);
        let live_weight = if live == 0 && self.p == 1 { UNSTOPPABLE } else { weight(LIVE, live) };
        live_weight + if dead < live { weight(DEAD, dead) } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The worth of a line of Connect6 to `X`, written from position 0 on.
    fn worth(line: &str) -> i32 {
        let squares = |c: char| {
            line.chars().enumerate().filter(|&(_, d)| d == c).fold(0u64, |s, (i, _)| s | 1 << i)
        };
        let windows = (1u64 << (line.len() + 1 - 6)) - 1;
        Ruler { k: 6, p: 2, exact: false }.worth(windows, squares('X'), squares('O'))
    }

    #[test]
    fn lines_of_connect6_have_the_weights_of_nctu6() {
        for (line, expected) in [
            (".....XXX.....", 600),
            (".....X.XX....", 600),
            (".....XX......", 125),
            (".....X.......", 25),
            (".....XXXX....", 500),
            ("....OXXX.....", 125),
            ("....OXX......", 25),
            // A dead-3, and the live-2 that the same stones have, too.
            ("..O.XXX......", 125 + 125),
            ("....OXXXX....", 250),
            ("....OXXXXX...", 250),
            ("...OXXXXO....", 0),
            (".............", 0),
            (".....XXX.....O.....XXX....", 600 + 600),
        ] {
            assert_eq!(worth(line), expected, "{line}");
        }
    }

    #[test]
    fn the_worth_of_a_line_is_that_of_its_mirror_image() {
        for line in [".O..X.XX..X....", "X..XX.O....XXX.", "..XXXXX..O.X..X"] {
            let mirrored: String = line.chars().rev().collect();
            assert_eq!(worth(line), worth(&mirrored), "{line}");
        }
    }
}
