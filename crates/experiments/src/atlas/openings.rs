//! The second moves of Connect6: White's two stones after Black's J10, up to the eight symmetries
//! of the board, which all keep J10.
//!
//! Squares are steps from J10, and distances are Chebyshev distances from it: the steps of a king.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use sixproof_game::repeatable::mix;
use sixproof_game::{Color, Game, IllegalStone, Position, Square, Symmetry};

/// The game.
pub const GAME: Game = Game::CONNECT6;
/// Black's stone, the middle of the board.
pub const CENTRE: Square = Square::new(9, 9);
/// From the middle of the board to its edge.
pub const RADIUS_MAX: i32 = 9;

/// A square as columns and rows from J10.
pub type Offset = (i32, i32);

/// A second move, as the least of its images: White's nearer stone is to the left of J10, not below
/// it and not above the diagonal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Opening {
    near: Offset,
    far: Offset,
}

/// Steps of a king from J10.
pub fn distance((x, y): Offset) -> i32 {
    x.abs().max(y.abs())
}

/// The squares of the box of this radius, without J10, from the lower left corner.
pub fn squares(radius: i32) -> impl Iterator<Item = Offset> {
    let rows = -radius..=radius;
    rows.flat_map(move |y| (-radius..=radius).map(move |x| (x, y))).filter(|&step| step != (0, 0))
}

/// All second moves within a box whose nearer stone is at one of the distances, every pair once.
fn pairs(radius: i32, near: &RangeInclusive<i32>) -> Vec<[Offset; 2]> {
    let all: Vec<Offset> = squares(radius).collect();
    let mut pairs = Vec::new();
    for (index, &a) in all.iter().enumerate() {
        let others = all[index + 1..].iter().map(|&b| [a, b]);
        pairs.extend(others.filter(|&[a, b]| near.contains(&distance(a).min(distance(b)))));
    }
    pairs
}

/// The second moves within a box that are different, farthest first.
pub fn all(radius: i32, near: &RangeInclusive<i32>) -> Vec<Opening> {
    let openings: BTreeSet<Opening> =
        pairs(radius, near).into_iter().map(|[a, b]| Opening::new(a, b)).collect();
    farthest_first(openings)
}

/// `count` of them at random: every pair of squares is equally likely, and no two drawn are images
/// of each other. All, if there are no more.
pub fn sample(radius: i32, near: &RangeInclusive<i32>, count: usize, seed: u64) -> Vec<Opening> {
    let mut pairs = pairs(radius, near);
    let mut seed = seed;
    let mut openings = BTreeSet::new();
    while openings.len() < count && !pairs.is_empty() {
        let [a, b] = pairs.swap_remove((mix(&mut seed) % pairs.len() as u64) as usize);
        openings.insert(Opening::new(a, b));
    }
    farthest_first(openings)
}

/// By the distance of the nearer stone, then of the other.
fn farthest_first(openings: BTreeSet<Opening>) -> Vec<Opening> {
    let mut openings: Vec<Opening> = openings.into_iter().collect();
    openings.sort_by_key(|o| (Reverse(distance(o.near)), Reverse(distance(o.far)), *o));
    openings
}

impl Opening {
    /// The second move on two squares, which are different and not J10.
    pub fn new(a: Offset, b: Offset) -> Opening {
        let images = Symmetry::around_origin().into_iter().flat_map(|symmetry| {
            let [a, b] = [a, b].map(|step| turned(step, &symmetry));
            [Opening { near: a, far: b }, Opening { near: b, far: a }]
        });
        let is_normal = |opening: &Opening| {
            let (x, y) = opening.near;
            distance(opening.near) <= distance(opening.far) && x < 0 && (0..=-x).contains(&y)
        };
        images.filter(is_normal).min().expect("an image of every square but J10 is there")
    }

    /// Reads `F10 N10`, in any order and image.
    pub fn parse(text: &str) -> Option<Opening> {
        let (a, b) = text.trim().split_once(' ')?;
        let step = |name: &str| {
            let square = GAME.parse_square(name.trim()).ok()?;
            Some((square.x - CENTRE.x, square.y - CENTRE.y)).filter(|&step| step != (0, 0))
        };
        let (a, b) = (step(a)?, step(b)?);
        (a != b).then(|| Opening::new(a, b))
    }

    /// The second move that led to a position, if one did: after it Black is to move.
    pub fn of(position: &Position) -> Option<Opening> {
        let squares = |color| position.squares_of(color).collect::<Vec<Square>>();
        let (black, white) = (squares(Color::Black), squares(Color::White));
        let &[a, b] = &white[..] else { return None };
        let is_due = (position.to_move(), position.left()) == (Color::Black, GAME.p());
        if position.game() != GAME || black != [CENTRE] || !is_due {
            return None;
        }
        let [a, b] = [a, b].map(|square| (square.x - CENTRE.x, square.y - CENTRE.y));
        Some(Opening::new(a, b))
    }

    /// White's stones, the nearer one first.
    pub fn squares(self) -> [Square; 2] {
        [self.near, self.far].map(|(x, y)| Square::new(CENTRE.x + x, CENTRE.y + y))
    }

    /// The distance of the nearer stone.
    pub fn distance(self) -> i32 {
        distance(self.near)
    }

    /// The name: `F10 N10`.
    pub fn name(self) -> String {
        GAME.square_names(&self.squares())
    }

    /// The position after it, Black to move.
    pub fn position(self) -> Result<Position, IllegalStone> {
        let mut position = Position::new(GAME);
        position.place(CENTRE)?;
        for square in self.squares() {
            position.place(square)?;
        }
        Ok(position)
    }
}

/// The image of a square.
fn turned((x, y): Offset, symmetry: &Symmetry) -> Offset {
    let image = symmetry.apply(Square::new(x, y));
    (image.x, image.y)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVERY: RangeInclusive<i32> = 1..=RADIUS_MAX;

    /// Burnside: the average number of pairs that a symmetry leaves as they are.
    fn burnside(radius: i32) -> usize {
        let squares = ((2 * radius + 1) * (2 * radius + 1) - 1) as usize;
        let pairs = |squares: usize| squares * (squares - 1) / 2;
        let axis = 2 * radius as usize;
        let mirrored = pairs(axis) + (squares - axis) / 2;
        // Itself, half a turn, four mirrors; a quarter turn moves every pair.
        (pairs(squares) + squares / 2 + 4 * mirrored) / 8
    }

    #[test]
    fn every_pair_of_the_box_is_represented_exactly_once() {
        assert_eq!(all(3, &EVERY).len(), 162);
        for radius in 1..=5 {
            let openings = all(radius, &EVERY);
            assert_eq!(openings.len(), burnside(radius), "radius {radius}");
            let mut images: BTreeSet<[Offset; 2]> = BTreeSet::new();
            for opening in &openings {
                let own: BTreeSet<[Offset; 2]> = Symmetry::around_origin()
                    .iter()
                    .map(|symmetry| {
                        let mut pair = [opening.near, opening.far].map(|s| turned(s, symmetry));
                        pair.sort_unstable();
                        pair
                    })
                    .collect();
                assert!(own.iter().all(|[a, b]| Opening::new(*b, *a) == *opening));
                let before = images.len();
                images.extend(&own);
                assert_eq!(images.len(), before + own.len(), "{} comes twice", opening.name());
            }
            assert_eq!(images.len(), pairs(radius, &EVERY).len());
        }
    }

    #[test]
    fn the_farthest_come_first() {
        let openings = all(4, &EVERY);
        let keys: Vec<(i32, i32)> =
            openings.iter().map(|o| (distance(o.near), distance(o.far))).collect();
        assert!(keys.is_sorted_by(|a, b| a >= b), "{keys:?}");
        assert_eq!(keys.first(), Some(&(4, 4)));
        assert_eq!(keys.last(), Some(&(1, 1)));
        assert!(keys.iter().all(|(near, far)| near <= far));
        let part = all(4, &(2..=3));
        let expected: Vec<Opening> =
            openings.into_iter().filter(|o| (2..=3).contains(&o.distance())).collect();
        assert_eq!(part, expected);
    }

    #[test]
    fn names_are_read_in_every_image() {
        let opening = Opening::new((4, 0), (-4, 0));
        assert_eq!(opening.name(), "F10 N10");
        for name in ["F10 N10", "N10 F10", "J14 J6"] {
            assert_eq!(Opening::parse(name), Some(opening), "{name}");
        }
        for name in ["", "F10", "F10 F10", "J10 F10", "F10 N10 A1", "F10 Z99"] {
            assert_eq!(Opening::parse(name), None, "{name}");
        }
        let position = opening.position().unwrap();
        assert_eq!((position.to_move(), position.left()), (sixproof_game::Color::Black, 2));
    }

    #[test]
    fn a_sample_is_repeatable_and_from_what_was_asked_for() {
        let near = 3..=4;
        let sixty = sample(6, &near, 60, 1);
        assert_eq!(sixty.len(), 60);
        assert_eq!(sixty, sample(6, &near, 60, 1));
        assert_ne!(sixty, sample(6, &near, 60, 2));
        let all = all(6, &near);
        assert!(sixty.iter().all(|opening| all.contains(opening)));
        assert_eq!(sample(6, &near, usize::MAX, 1), all);
    }
}
