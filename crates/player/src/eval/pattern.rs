//! Live and dead threats of a line (Wu & Huang, definitions 2 and 4).
//!
//! With δ = k - p, a line has a *dead-l* for a side that needs δ - l more stones to have one threat
//! With δ = k - p, a line has a *dead-l* for a side that needs δ - l more stones to have one threat
//! on it, and a *live-l* for a side that needs δ - l more to have two. Patterns are counted once
//! for each run of active windows with a stone in each, as in `sixproof_prover::threats`, which has
//! the same notions by the textbook; here they are read from words, because the search needs them
//! at every square of every position.

/// The number of missing stones from which more make no difference.
pub(crate) const MISSING_MAX: usize = 5;

/// What a run of windows is to its side, by the stones that the side lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pattern {
    /// For two threats.
    pub live: u8,
    /// For one.
    pub dead: u8,
}

/// The rules that a line is read by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ruler {
    /// Stones in a row that win.
    pub(crate) k: u32,
    /// Stones a move.
    pub(crate) p: u32,
    /// Whether a line of more than k stones does not win.
    pub(crate) exact: bool,
}

impl Ruler {
    /// Calls `visit` with the patterns of the side with stones on `own`; `windows` are the first
    /// squares of the line's windows.
    pub(crate) fn patterns(
        self,
        windows: u64,
        own: u64,
        other: u64,
        mut visit: impl FnMut(Pattern),
    ) {
        let (mut blocked, mut touched) = (0, 0);
        for i in 0..self.k {
            blocked |= other >> i;
            touched |= own >> i;
        }
        let mut open = windows & !blocked & touched;
        if self.exact {
            open &= !(own << 1) & !(own >> self.k);
        }
        while open != 0 {
            let start = open.trailing_zeros();
            let length = (open >> start).trailing_ones();
            visit(self.run(start, length, own));
            open &= open.checked_add(1 << start).unwrap_or(0);
        }
    }

    /// The pattern of `length` windows in a row, from `start` on.
    fn run(self, start: u32, length: u32, own: u64) -> Pattern {
        let width = (1u64 << self.k) - 1;
        let empties = |window: u32| width << window & !own;
        let rest = |empties: u64| empties.count_ones().saturating_sub(self.p);
        let (mut live, mut dead) = (MISSING_MAX as u32, MISSING_MAX as u32);
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
        Pattern { live: live as u8, dead: dead as u8 }
    }
}
