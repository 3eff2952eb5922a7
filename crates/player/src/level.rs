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
        Strength {
            effort: Effort {
                forced: [40, 150, 400],
                width: Width { first: 8, partners: 6, partners_min: 3, kept: 16 },
            },
            width: Width { first: 14, partners: 12, partners_min: 5, kept: 48 },
            depth_max: 24,
            solve: 4_000.min(nodes / 4),
            prove: (millis * 15).clamp(200, 2_000_000).min(nodes / 4),
            check: 2_000.min(nodes / 4),
            noise: 0,
        }
    }
}
