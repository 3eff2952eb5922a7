//! Where a position meets the search board: the part of the board that is searched, and the names
//! of its squares on either side.

use sixproof_certificate::Claim;
use sixproof_game::{Position, Square};

use crate::board::{Board, Rules, Side, Sq};

/// Columns and rows that the arena of an unbounded board has around its stones, in units of k.
const MARGIN: i32 = 4;
/// How many of these Attacker keeps clear of, in units of k: blocks lie within his windows, and
/// what Defender makes of them lies within k of the blocks.
const RING: u32 = 2;
/// The most columns and the most rows of a search board.
const SIZE_MAX: i32 = 59;

/// The part of a position's board that is searched: all of it, or a window around the stones if it
/// is unbounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arena {
    /// Its lower left square.
    pub corner: Square,
    /// The number of columns.
    pub cols: u32,
    /// The number of rows.
    pub rows: u32,
    /// The width of the margin that Attacker keeps clear of.
    pub ring: u32,
}

impl Arena {
    /// The part of the board that is searched; `None` if the stones of an unbounded board are too
    /// far apart for a search board.
    pub fn new(position: &Position) -> Option<Arena> {
        let game = position.game();
        if !game.is_unbounded() {
            let corner = Square::new(0, 0);
            return Some(Arena { corner, cols: game.cols(), rows: game.rows(), ring: 0 });
        }
        let margin = MARGIN * game.k() as i32;
        let first = position.stones().next().map_or(Square::new(0, 0), |(square, _)| square);
        let (mut low, mut high) = (first, first);
        for (square, _) in position.stones() {
            low = Square::new(low.x.min(square.x), low.y.min(square.y));
            high = Square::new(high.x.max(square.x), high.y.max(square.y));
        }
        let span = |low: i32, high: i32| {
            let stones = high - low + 1;
            let size = (stones + 2 * margin).min(SIZE_MAX);
            (stones + 2 * (RING as i32 + 1) * game.k() as i32 <= size)
                .then(|| (low - (size - stones) / 2, size as u32))
        };
        let ((x, cols), (y, rows)) = (span(low.x, high.x)?, span(low.y, high.y)?);
        Some(Arena { corner: Square::new(x, y), cols, rows, ring: RING * game.k() })
    }

    /// An empty search board of this size.
    pub fn board<R: Rules>(&self, rules: R) -> Board<R> {
        Board::with_ring(rules, self.cols, self.rows, self.ring)
    }

    /// The search board with the position of a claim, seen by its attacker; `None` if the
    /// stones are too far apart.
    pub fn set_up<R: Rules>(claim: &Claim, rules: R) -> Option<(Arena, Board<R>)> {
        let arena = Arena::new(&claim.position)?;
        let mut board = arena.board(rules);
        for (square, color) in claim.position.stones() {
            let side = if color == claim.attacker { Side::Attacker } else { Side::Defender };
            board.place(side, arena.index(square).expect("the window holds all stones"));
        }
        Some((arena, board))
    }

    /// The number of a square, or `None` if it is not on the search board.
    pub fn index(&self, square: Square) -> Option<Sq> {
        let (cols, rows) = (self.cols as i32, self.rows as i32);
        let (x, y) = (square.x - self.corner.x, square.y - self.corner.y);
        ((0..cols).contains(&x) && (0..rows).contains(&y)).then(|| (y * cols + x) as Sq)
    }

    /// The square with this number.
    pub fn square(&self, square: Sq) -> Square {
        let cols = self.cols as i32;
        let (x, y) = (i32::from(square) % cols, i32::from(square) / cols);
        Square::new(self.corner.x + x, self.corner.y + y)
    }
}
