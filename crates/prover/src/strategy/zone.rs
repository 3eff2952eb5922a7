//! The zone of a node, as the checker tells it: what a proof depends on.

use std::collections::BTreeMap;

use sixproof_game::{DIRECTIONS, Game, Segment, Square};

use super::place::segment;

/// Σ = (A, S1 ⊆ S2 ⊆ …) of `docs/certificate.md`: Attacker's proof holds with extra stones of
/// Defender on any set of squares that is clear of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone {
    game: Game,
    /// A, in order.
    squares: Vec<Square>,
    /// The least level of each segment of some Si.
    levels: BTreeMap<Segment, u32>,
    /// What is said of segments far from everything, on an unbounded board.
    far: Option<Far>,
}

/// The checker writes down only the surroundings of the squares that a certificate names. All
/// segments farther away are alike.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Far {
    /// The columns and the rows that are named, in order.
    named: [Vec<i32>; 2],
    /// Columns and rows so near to a named one are written down.
    reach: i32,
    /// The level of all other segments.
    level: Option<u32>,
}

impl Zone {
    /// The zone of a bounded board: its squares, and its segments by their ends with their least
    /// levels.
    pub(crate) fn new(
        game: Game,
        squares: impl IntoIterator<Item = Square>,
        segments: impl IntoIterator<Item = ([Square; 2], u32)>,
    ) -> Zone {
        let mut squares: Vec<Square> = squares.into_iter().collect();
        squares.sort_unstable();
        // On an unbounded board, what is written down of a long empty stretch is shortened: what
        // lies across the cut is no segment.
        let levels = segments
            .into_iter()
            .filter_map(|([a, b], level)| Some((segment(game.k(), a, b)?, level)))
            .collect();
        Zone { game, squares, levels, far: None }
    }

    /// The same on an unbounded board, where these columns and rows are named in the certificate,
    /// and stretches without a name are shortened to `stretch`.
    pub(super) fn unbounded(mut self, named: [Vec<i32>; 2], stretch: i32) -> Zone {
        // The corner of what is written down is as far away as anything.
        let corner = |list: &[i32]| list.first().map(|first| first - stretch);
        let corner = corner(&named[0]).zip(corner(&named[1]));
        let level = corner.and_then(|(x, y)| {
            let start = Square::new(x, y);
            self.levels.get(&Segment { start, direction: DIRECTIONS[0] }).copied()
        });
        self.far = Some(Far { named, reach: stretch / 2, level });
        self
    }

    /// A: squares that Defender must not have.
    pub fn squares(&self) -> &[Square] {
        &self.squares
    }

    /// The segments of S1, S2, … with their least levels: so many stones of Defender in one of them
    /// matter. On an unbounded board those near the squares that the certificate names.
    pub fn segments(&self) -> impl Iterator<Item = (Segment, u32)> {
        self.levels.iter().map(|(&segment, &level)| (segment, level))
    }

    /// Whether stones on these squares do not matter: they avoid A, and each segment of Si has
    /// fewer than i of them.
    pub fn is_clear(&self, stones: &[Square]) -> bool {
        stones.iter().all(|&stone| !self.matters(stone, stones))
    }

    /// The stones that matter: those on A, and those in a segment that has too many.
    pub fn inside(&self, stones: &[Square]) -> Vec<Square> {
        stones.iter().copied().filter(|&stone| self.matters(stone, stones)).collect()
    }

    fn matters(&self, stone: Square, stones: &[Square]) -> bool {
        if self.squares.binary_search(&stone).is_ok() {
            return true;
        }
        Segment::through(self.game, stone).any(|segment| {
            self.level(segment).is_some_and(|level| {
                let inside = segment.squares(self.game).filter(|s| stones.contains(s)).count();
                inside >= level as usize
            })
        })
    }

    /// The level of the segment between two ends.
    pub(crate) fn level_between(&self, a: Square, b: Square) -> Option<u32> {
        self.level(segment(self.game.k(), a, b)?)
    }

    /// The least i with the segment in Si.
    fn level(&self, segment: Segment) -> Option<u32> {
        match &self.far {
            Some(far) if far.is_far(segment.ends(self.game)) => far.level,
            _ => self.levels.get(&segment).copied(),
        }
    }
}

impl Far {
    /// Whether a segment leaves what is written down. Then it has no named column, or no named row,
    /// within reach of one of its ends, and so neither a stone nor a square of A.
    fn is_far(&self, ends: [Square; 2]) -> bool {
        ends.iter().any(|end| !self.is_near(0, end.x) || !self.is_near(1, end.y))
    }

    fn is_near(&self, axis: usize, coordinate: i32) -> bool {
        let named = &self.named[axis];
        let after = named.partition_point(|&name| name < coordinate);
        let near = |name: &i32| (name - coordinate).abs() <= self.reach;
        named[after.saturating_sub(1)..].iter().take(2).any(near)
    }
}
