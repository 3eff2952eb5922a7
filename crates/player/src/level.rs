//! Levels: how much the style `sixproof` may see.

use std::fmt;
use std::str::FromStr;

use crate::Limits;
use crate::search::{Effort, Strength, Width};

/// How strong the style `sixproof` plays, for people: 1 is for beginners, 10 is the strongest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

/// What a level sees.
struct Sight {
    /// The depth: moves looked ahead.
    depth: u32,
    /// The nodes of searches for forced wins at the root, and within the tree.
    solve: u64,
    forced: [u64; 3],
    /// The nodes for refuting the chosen move before it is played.
    check: u64,
    /// The noise that is added to scores, in thousandths.
    noise: i32,
}

impl Sight {
    const fn new(depth: u32, solve: u64, forced: u64, check: u64, noise: i32) -> Sight {
        Sight { depth, solve, forced: [forced, 3 * forced, 10 * forced], check, noise }
    }
}

/// All levels, the weakest first.
const SIGHTS: [Sight; 10] = [
    Sight::new(1, 0, 0, 0, 1_200),
    Sight::new(1, 0, 0, 0, 500),
    Sight::new(1, 0, 0, 0, 150),
    Sight::new(1, 20, 0, 0, 80),
    Sight::new(1, 100, 0, 50, 20),
    Sight::new(1, 300, 5, 200, 0),
    Sight::new(2, 1_000, 10, 500, 0),
    Sight::new(3, 2_000, 20, 1_000, 0),
    Sight::new(4, 4_000, 40, 2_000, 0),
    Sight::new(24, 4_000, 60, 2_000, 0),
];

/// The nodes of the prover for each millisecond of thinking: a third of the time at most.
const PROVER_NODES: u64 = 40;
/// The most stones a move of games with threat searches: with more, a single position takes longer
/// than a move may take.
const THREAT_STONES_MAX: u32 = 2;

/// A text that names no level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownLevel;

impl fmt::Display for UnknownLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("levels go from 1, for beginners, to 10")
    }
}

impl std::error::Error for UnknownLevel {}

impl FromStr for Level {
    type Err = UnknownLevel;

    fn from_str(text: &str) -> Result<Level, UnknownLevel> {
        text.parse().ok().and_then(Level::new).ok_or(UnknownLevel)
    }
}

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

    /// What it sees in a game with `p` stones a move, within limits.
    pub(crate) fn strength(self, limits: &Limits, p: u32) -> Strength {
        let sight = &SIGHTS[usize::from(self.0) - 1];
        let millis = limits.soft.map_or(1_000, |soft| soft.as_millis() as u64);
        // No part of the work takes more than a quarter of the nodes.
        let most = match p > THREAT_STONES_MAX {
            true => 0,
            false => limits.nodes.map_or(u64::MAX, |nodes| nodes / 4),
        };
        let prove = if self == Level::MAX { millis.saturating_mul(PROVER_NODES) } else { 0 };
        Strength {
            effort: Effort {
                forced: sight.forced.map(|nodes| nodes.min(most)),
                width: Width { first: 8, partners: 6, partners_min: 3, kept: 8 },
                wide: Width { first: 16, partners: 16, partners_min: 6, kept: 60 },
            },
            width: Width { first: 14, partners: 12, partners_min: 5, kept: 16 },
            depth_max: sight.depth,
            solve: sight.solve.min(most),
            prove: prove.min(most),
            check: sight.check.min(most),
            noise: sight.noise,
        }
    }
}
