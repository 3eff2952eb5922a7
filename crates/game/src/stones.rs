//! The stones of a move, as a set.

use std::fmt;
use std::ops::Deref;

use crate::Square;

/// The squares of a move: each once, row by row from the bottom.
///
/// A whole move has as many squares as its side has stones to place. Proofs also have moves with
/// fewer (semi-null), with none (null), and replies that stand for all blocks at once, with more
/// (macros).
///
/// ```
/// use sixproof_game::{Move, Square};
///
/// let stones = Move::from([Square::new(10, 10), Square::new(9, 8)]);
/// assert_eq!(stones[0], Square::new(9, 8));
/// assert!(stones.contains(&Square::new(10, 10)));
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(Vec<Square>);

impl Deref for Move {
    type Target = [Square];

    fn deref(&self) -> &[Square] {
        &self.0
    }
}

impl From<Vec<Square>> for Move {
    fn from(mut squares: Vec<Square>) -> Move {
        squares.sort_unstable();
        squares.dedup();
        Move(squares)
    }
}

impl From<&[Square]> for Move {
    fn from(squares: &[Square]) -> Move {
        squares.to_vec().into()
    }
}

impl<const N: usize> From<[Square; N]> for Move {
    fn from(squares: [Square; N]) -> Move {
        squares.to_vec().into()
    }
}

impl FromIterator<Square> for Move {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Move {
        squares.into_iter().collect::<Vec<_>>().into()
    }
}

impl<'a> IntoIterator for &'a Move {
    type Item = &'a Square;
    type IntoIter = std::slice::Iter<'a, Square>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl IntoIterator for Move {
    type Item = Square;
    type IntoIter = std::vec::IntoIter<Square>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// As a list of coordinates; [`Game::square_names`](crate::Game::square_names) has the names.
impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|square| (square.x, square.y))).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_the_stones_makes_no_difference() {
        let [a, b, c] = [(3, 1), (2, 2), (1, 2)].map(|(x, y)| Square::new(x, y));
        let sorted = Move::from([a, c, b]);
        assert_eq!(sorted.to_vec(), [a, c, b]);
        for squares in [[a, b, c], [c, b, a], [b, a, c]] {
            assert_eq!(Move::from(squares), sorted);
        }
        assert_eq!([c, a, c, b].into_iter().collect::<Move>(), sorted);
        assert_eq!(format!("{sorted:?}"), "[(3, 1), (1, 2), (2, 2)]");
    }
}
