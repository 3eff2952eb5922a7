//! Squares as small numbers. A bounded board is its own grid. An unbounded board becomes a bounded
//! one that is large enough: only the surroundings of the squares that the file names can matter,
//! so every stretch of more than (t + 2) k columns or rows without a named square, outside as well
//! as between, is shortened to that width (docs/certificate.md, Unbounded boards). The argument
//! is in `docs/soundness.md`; the test `a_wider_grid_gives_the_same_verdict` guards it.

use std::collections::BTreeSet;
use std::io::BufRead;

use crate::claim::{Claim, Game, Square};
use crate::limits::SQUARES_MAX;
use crate::report::{Unread, Unreadable};
use crate::token::Tokens;

/// A square as a number: row times columns plus column.
pub(crate) type Sq = u32;

/// The columns and rows that are kept, by their coordinates in the file.
pub(crate) struct Grid {
    xs: Vec<i32>,
    ys: Vec<i32>,
    /// The columns and rows of an unbounded board that were named when the grid was made. The proof
    /// may name no others, or the grid would be too small for it.
    named: Option<[BTreeSet<i32>; 2]>,
}

impl Grid {
    pub(crate) fn bounded(game: Game) -> Grid {
        let all = |size: u32| (0..size as i32).collect();
        Grid { xs: all(game.cols), ys: all(game.rows), named: None }
    }

    /// The grid of an unbounded board: reads the rest of the file for the squares it names.
    pub(crate) fn unbounded<R: BufRead>(
        claim: &Claim,
        tokens: &mut Tokens<R>,
        widen: i32,
    ) -> Result<Grid, Unreadable> {
        let (mut xs, mut ys) = (BTreeSet::new(), BTreeSet::new());
        let mut name = |square: Square| {
            xs.insert(square.x);
            ys.insert(square.y);
            xs.len().max(ys.len()) as u64 <= SQUARES_MAX
        };
        claim.black.iter().chain(&claim.white).for_each(|&s| {
            name(s);
        });
        while !tokens.at_end() {
            // Whatever does not parse here is refused when the proof is read.
            let token = tokens.peek();
            let fits = match (claim.game.parse_square(token), claim.game.parse_ends(token)) {
                (Some(square), _) => name(square),
                (_, Some(ends)) => ends.into_iter().all(&mut name),
                _ => true,
            };
            if !fits {
                return Err(tokens.error(Unread::Limit("columns and rows with named squares")));
            }
            tokens.advance()?;
        }
        let t = claim.game.p.max(claim.stones) as i32;
        let stretch = (t + 2) * claim.game.k as i32 * widen;
        let (kept_xs, kept_ys) = (shortened(&xs, stretch), shortened(&ys, stretch));
        let grid = Grid { xs: kept_xs, ys: kept_ys, named: Some([xs, ys]) };
        if grid.xs.len().saturating_mul(grid.ys.len()) as u64 > SQUARES_MAX {
            let what = Unread::Limit("squares near the named squares of an unbounded board");
            return Err(Unreadable { place: None, what });
        }
        Ok(grid)
    }

    pub(crate) fn cols(&self) -> usize {
        self.xs.len()
    }

    pub(crate) fn rows(&self) -> usize {
        self.ys.len()
    }

    /// The number of a square; `None` when its column or row was not named.
    pub(crate) fn number(&self, square: Square) -> Option<Sq> {
        if let Some([xs, ys]) = &self.named
            && !(xs.contains(&square.x) && ys.contains(&square.y))
        {
            return None;
        }
        let column = index(&self.xs, square.x)?;
        let row = index(&self.ys, square.y)?;
        Some((row * self.cols() + column) as Sq)
    }

    pub(crate) fn square(&self, number: Sq) -> Square {
        let (row, column) = (number as usize / self.cols(), number as usize % self.cols());
        Square { x: self.xs[column], y: self.ys[row] }
    }
}

/// The place of a coordinate in a sorted list; at once when the list counts from 0.
fn index(list: &[i32], coordinate: i32) -> Option<usize> {
    match list.get(coordinate as usize) {
        Some(&c) if c == coordinate => Some(coordinate as usize),
        _ => list.binary_search(&coordinate).ok(),
    }
}

/// All named coordinates, with at most `stretch` others between two of them and beyond the last.
/// The two ends of a longer stretch are kept, so that squares near a named one keep their names.
fn shortened(named: &BTreeSet<i32>, stretch: i32) -> Vec<i32> {
    let mut kept = Vec::new();
    // A file without a square will be refused, and needs some board until then.
    let (Some(&first), Some(&last)) = (named.first(), named.last()) else { return vec![0] };
    kept.extend(first - stretch..first);
    for (&a, &b) in named.iter().zip(named.iter().skip(1)) {
        kept.push(a);
        if b - a - 1 <= stretch {
            kept.extend(a + 1..b);
        } else {
            kept.extend(a + 1..=a + stretch / 2);
            kept.extend(b - (stretch - stretch / 2)..b);
        }
        if kept.len() as u64 > SQUARES_MAX {
            return kept;
        }
    }
    kept.extend(last..=last + stretch);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_empty_stretches_are_shortened_and_short_ones_kept() {
        let kept = shortened(&BTreeSet::from([0, 3, 100]), 4);
        assert_eq!(kept, [-4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 98, 99, 100, 101, 102, 103, 104]);
    }
}
