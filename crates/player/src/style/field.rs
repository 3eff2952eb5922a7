//! A position as the styles see it: a search board with the side to move as Attacker.
//!
//! An unbounded board is seen through a window around its stones, or, where these are too far
//! apart, around the place that has most of them. The edges of that window look like borders, which
//! is good enough for choosing a move; a claimed win comes from the prover, which keeps clear of
//! them.

use sixproof_game::{BOARD_MAX, COORDINATE_MAX, Color, Position, Square};
use sixproof_prover::arena::Arena;
use sixproof_prover::board::{Board, General, Side, Sq};

/// The number of empty columns and rows around the stones of an unbounded board, in units of k, if
/// there is room.
const MARGIN: i32 = 2;

/// A position on a search board.
#[derive(Clone)]
pub(crate) struct Field {
    /// The stones; Attacker is the side to move.
    pub(crate) board: Board<General>,
    arena: Arena,
    /// The side to move.
    pub(crate) mover: Color,
    /// Whether the window has all stones.
    pub(crate) whole: bool,
}

impl Field {
    /// The field of a position.
    pub(crate) fn new(position: &Position) -> Field {
        let game = position.game();
        let (corner, cols, rows) = match game.is_unbounded() {
            false => (Square::new(0, 0), game.cols(), game.rows()),
            true => window(position),
        };
        let arena = Arena { corner, cols, rows, ring: 0 };
        let board = arena.board(General::new(game));
        let mut field = Field { board, arena, mover: position.to_move(), whole: true };
        for (square, color) in position.stones() {
            match field.index(square) {
                Some(index) => field.board.place(field.side(color), index),
                None => field.whole = false,
            }
        }
        field
    }

    /// The role of a colour.
    pub(crate) fn side(&self, color: Color) -> Side {
        if color == self.mover { Side::Attacker } else { Side::Defender }
    }

    /// The square of the search board, or `None` outside of it.
    pub(crate) fn index(&self, square: Square) -> Option<Sq> {
        self.arena.index(square)
    }

    /// The square of the game.
    pub(crate) fn square(&self, square: Sq) -> Square {
        self.arena.square(square)
    }

    /// The squares of the game.
    pub(crate) fn squares(&self, squares: &[Sq]) -> Vec<Square> {
        squares.iter().map(|&square| self.square(square)).collect()
    }

    /// How far a square is from the centre, squared and in half squares.
    pub(crate) fn eccentricity(&self, square: Sq) -> i32 {
        let (cols, rows) = (self.arena.cols as i32, self.arena.rows as i32);
        let (x, y) = (i32::from(square) % cols, i32::from(square) / cols);
        (2 * x + 1 - cols).pow(2) + (2 * y + 1 - rows).pow(2)
    }
}

/// The window of an unbounded board: its corner, columns and rows.
fn window(position: &Position) -> (Square, u32, u32) {
    let k = position.game().k() as i32;
    let size_max = BOARD_MAX as i32;
    let stones: Vec<Square> = position.stones().map(|(square, _)| square).collect();
    let origin = Square::new(0, 0);
    let first = stones.first().copied().unwrap_or(origin);
    let (mut low, mut high) = stones.iter().fold((first, first), |(low, high), square| {
        let low = Square::new(low.x.min(square.x), low.y.min(square.y));
        (low, Square::new(high.x.max(square.x), high.y.max(square.y)))
    });
    let fits = |low: i32, high: i32| high - low < size_max - 2 * k;
    if !fits(low.x, high.x) || !fits(low.y, high.y) {
        let near = |a: Square, b: Square| {
            let reach = size_max / 2 - k / 2;
            (a.x - b.x).abs() <= reach && (a.y - b.y).abs() <= reach
        };
        // The last of the best, so that the answer does not depend on the order of equals.
        let company = |&square: &Square| stones.iter().filter(|&&s| near(s, square)).count();
        let centre = stones.iter().copied().max_by_key(company).unwrap_or(origin);
        (low, high) = (centre, centre);
        for &square in stones.iter().filter(|&&square| near(square, centre)) {
            low = Square::new(low.x.min(square.x), low.y.min(square.y));
            high = Square::new(high.x.max(square.x), high.y.max(square.y));
        }
    }
    let span = |low: i32, high: i32| {
        let stones = high - low + 1;
        let size = (stones + 2 * MARGIN * k).min(size_max);
        let start = low - (size - stones) / 2;
        (start.clamp(-COORDINATE_MAX, COORDINATE_MAX + 1 - size), size as u32)
    };
    let ((x, cols), (y, rows)) = (span(low.x, high.x), span(low.y, high.y));
    (Square::new(x, y), cols, rows)
}
