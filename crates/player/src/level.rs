//! Levels: how much the style `sixproof` is allowed to see.

use crate::Limits;
use crate::search::{Effort, Strength, Width};

/// How strong the style `sixproof` plays, for people: 1 is for beginners, 10 is all it can.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

impl Level {
    /// The strongest.
    pub const MAX: Level = Level(10);

    /// The level of a number from 1 to 10.
    pub fn new(number: u8) -> Option<Level> {
        (1..=10).contains(&number).then_some(Level(number))
    }

    /// Its number.
    pub fn number(self) -> u8 {
        self.0
    }

    /// What it may see, with so much time.
    pub(crate) fn strength(self, limits: &Limits) -> Strength {
        // Proofs take a part of the time: about 100 nodes a millisecond.
        let millis = limits.soft.map_or(1_000, |soft| soft.as_millis() as u64);
        let nodes = limits.nodes.unwrap_or(u64::MAX);
        let e = |n: &str, d: usize| std::env::var(n).ok().and_then(|v| v.parse().ok()).unwrap_or(d);
        Strength {
            effort: Effort {
                forced: [e("F0", 40) as u64, e("F1", 150) as u64, e("F2", 400) as u64],
                width: Width {
                    first: e("W1", 8),
                    partners: e("W2", 6),
                    partners_min: 3,
                    kept: e("WK", 8),
                },
                wide: Width {
                    first: e("X1", 16),
                    partners: e("X2", 16),
                    partners_min: 6,
                    kept: e("XK", 60),
                },
            },
            width: Width { first: 14, partners: 12, partners_min: 5, kept: e("RK", 16) },
            depth_max: 24,
            solve: 4_000.min(nodes / 4),
            prove: (millis * e("PM", 15) as u64).clamp(200, 2_000_000).min(nodes / 4),
            check: 2_000.min(nodes / 4),
            noise: 0,
        }
    }
}
