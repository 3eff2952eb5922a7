//! Segments: the k squares in a row that win.

use crate::{Game, Square};

/// The four directions of a line: to the right, up, and the two diagonals.
pub const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// k consecutive squares in one direction, from `start` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Segment {
    /// The first square.
    pub start: Square,
    /// One of [`DIRECTIONS`].
    pub direction: (i32, i32),
}

impl Segment {
    /// The k squares.
    pub fn squares(self, game: Game) -> impl Iterator<Item = Square> {
        (0..game.k() as i32).map(move |i| self.start.step(self.direction, i))
    }

    /// The first and the last square.
    pub fn ends(self, game: Game) -> [Square; 2] {
        [self.start, self.start.step(self.direction, game.k() as i32 - 1)]
    }

    /// The two squares just beyond the ends, on the board or not: under the exact rule a stone
    /// there makes the line too long.
    pub fn beyond(self, game: Game) -> [Square; 2] {
        [self.start.step(self.direction, -1), self.start.step(self.direction, game.k() as i32)]
    }

    /// The segments of the board through a square, 4 k of them away from the border. A line of one
    /// square counts in each direction: under the exact rule they differ.
    pub fn through(game: Game, square: Square) -> impl Iterator<Item = Segment> {
        let k = game.k() as i32;
        DIRECTIONS.into_iter().flat_map(move |direction| {
            (0..k)
                .map(move |back| Segment { start: square.step(direction, -back), direction })
                .filter(move |s| s.ends(game).into_iter().all(|end| game.contains(end)))
        })
    }
}
