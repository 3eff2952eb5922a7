//! The zone of a node, as the checker reports it: what a proof depends on.

use std::collections::BTreeMap;

use sixproof_check::{RootZone, ZoneSegment};
use sixproof_game::picture::ZoneLayers;
use sixproof_game::{DIRECTIONS, Game, Segment, Square};

use crate::checked::square;

/// Σ = (A, S1 ⊆ S2 ⊆ …) of `docs/certificate.md`: Attacker's proof holds with extra stones of
/// Defender on any set of squares that is clear of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone {
    game: Game,
    /// A, in order.
    squares: Vec<Square>,
    /// The least level of each segment of some Si.
    levels: BTreeMap<Segment, u32>,
    /// The zone far from everything, on an unbounded board.
    far: Option<Far>,
}

/// The checker writes down only the surroundings of the squares that a certificate names. All
/// segments farther away are alike.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Far {
    /// The columns and the rows that are named, in order.
    named: [Vec<i32>; 2],
    /// The distance from a named column or row within which the checker writes down segments.
    reach: i32,
    /// The level of all other segments.
    level: Option<u32>,
}

impl Zone {
    /// The zone of a bounded board, as the checker reports it.
    pub(crate) fn new(game: Game, root: &RootZone) -> Zone {
        let mut squares: Vec<Square> = root.squares.iter().copied().map(square).collect();
        squares.sort_unstable();
        // On an unbounded board, what is written down of a long empty stretch is shortened: what
        // lies across the cut is no segment.
        let level = |reported: &ZoneSegment| {
            let [a, b] = reported.ends.map(square);
            Some((segment(game.k(), a, b)?, reported.level))
        };
        let levels = root.segments.iter().filter_map(level).collect();
        Zone { game, squares, levels, far: None }
    }

    /// The same on an unbounded board, where these columns and rows are named in the certificate,
    /// and stretches without a name are shortened to `stretch`.
    pub(crate) fn unbounded(mut self, named: [Vec<i32>; 2], stretch: i32) -> Zone {
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

    /// The segments of S1, S2, … with their least levels: the number of Defender's stones in one of
    /// them that matters. On an unbounded board those near the squares that the certificate names.
    pub fn segments(&self) -> impl Iterator<Item = (Segment, u32)> {
        self.levels.iter().map(|(&segment, &level)| (segment, level))
    }

    /// The zone as it is drawn.
    pub fn layers(&self) -> ZoneLayers {
        let segments = self.segments().map(|(segment, level)| (segment.squares(self.game), level));
        ZoneLayers::new(self.game, self.squares.iter().copied(), segments)
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
    pub fn level_between(&self, a: Square, b: Square) -> Option<u32> {
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
    /// Whether a segment leaves the surroundings that the checker wrote down. Then it has no named
    /// column, or no named row, within reach of one of its ends, and so neither a stone nor a
    /// square of A.
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

/// The segment between two ends, in either order.
pub(crate) fn segment(k: u32, a: Square, b: Square) -> Option<Segment> {
    let reach = i32::try_from(k).ok()? - 1;
    DIRECTIONS.into_iter().find_map(|direction| {
        [(a, b), (b, a)]
            .into_iter()
            .find(|(start, end)| start.step(direction, reach) == *end)
            .map(|(start, _)| Segment { start, direction })
    })
}
