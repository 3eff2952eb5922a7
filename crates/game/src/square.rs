//! Squares and their names.

use std::fmt;

use crate::Game;

/// The largest coordinate, in either sign, on an unbounded board.
pub const COORDINATE_MAX: i32 = 1_000_000_000;

/// One intersection: column `x` from the left and row `y` from the bottom, both from 0 on a bounded
/// board, of any sign on an unbounded one.
///
/// Squares are ordered row by row from the bottom, as a board is read aloud.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Square {
    /// Column from the left.
    pub x: i32,
    /// Row from the bottom.
    pub y: i32,
}

impl Square {
    /// The square in column `x` and row `y`.
    pub const fn new(x: i32, y: i32) -> Square {
        Square { x, y }
    }

    /// The square `steps` times `(dx, dy)` away.
    #[must_use]
    pub const fn step(self, (dx, dy): (i32, i32), steps: i32) -> Square {
        Square { x: self.x + dx * steps, y: self.y + dy * steps }
    }
}

impl PartialOrd for Square {
    fn partial_cmp(&self, other: &Square) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Square {
    fn cmp(&self, other: &Square) -> std::cmp::Ordering {
        (self.y, self.x).cmp(&(other.y, other.x))
    }
}

/// The letters of a column, from 0: `A` … `Z`, `AA` … No letter is skipped.
pub(crate) fn column_name(x: u32) -> String {
    let letter = |i: u32| char::from(b'A' + i as u8);
    match x {
        0..26 => letter(x).to_string(),
        _ => column_name(x / 26 - 1) + &column_name(x % 26),
    }
}

impl Game {
    /// The name of a square: `J10` (columns skip no letter, row 1 is the bottom row), or `x,y` on
    /// an unbounded board.
    pub fn square_name(self, square: Square) -> String {
        if self.is_unbounded() || square.x < 0 || square.y < 0 {
            return format!("{},{}", square.x, square.y);
        }
        format!("{}{}", column_name(square.x as u32), square.y + 1)
    }

    /// The names of several squares, separated by spaces.
    pub fn square_names(self, squares: &[Square]) -> String {
        squares.iter().map(|&s| self.square_name(s)).collect::<Vec<_>>().join(" ")
    }

    /// Reads a name as [`Game::square_name`] writes it; small letters will do, and letters will do
    /// on an unbounded board, too (`J10` is `9,9`).
    pub fn parse_square(self, text: &str) -> Result<Square, SquareError> {
        let syntax = || SquareError::Syntax { text: text.chars().take(40).collect(), game: self };
        let square = match text.split_once(',') {
            Some((x, y)) if self.is_unbounded() => {
                let coordinate = |text: &str| match text.strip_prefix('-') {
                    Some(digits) => number(digits).map(|n| -n),
                    None => number(text),
                };
                let (Some(x), Some(y)) = (coordinate(x), coordinate(y)) else {
                    return Err(syntax());
                };
                Square::new(x, y)
            }
            _ => {
                let digits = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
                let (letters, row) = text.split_at(digits);
                if !(1..=4).contains(&letters.len()) || !(1..=6).contains(&row.len()) {
                    return Err(syntax());
                }
                let column = letters
                    .bytes()
                    .fold(0, |n, b| n * 26 + i32::from(b.to_ascii_uppercase() - b'A') + 1);
                let row: i32 = number(row).ok_or_else(syntax)?;
                Square::new(column - 1, row - 1)
            }
        };
        let far = square.x.unsigned_abs().max(square.y.unsigned_abs()) > COORDINATE_MAX as u32;
        if far || !self.contains(square) {
            return Err(SquareError::OffBoard { text: text.to_string(), game: self });
        }
        Ok(square)
    }
}

/// Digits only: what `parse` reads, but without a sign.
fn number(digits: &str) -> Option<i32> {
    digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok())?
}

/// Why a text names no square of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SquareError {
    /// The text does not look like a square.
    Syntax {
        /// The text as given.
        text: String,
        /// The game it was read for.
        game: Game,
    },
    /// There is no such square on the board.
    OffBoard {
        /// The text as given.
        text: String,
        /// The game it was read for.
        game: Game,
    },
}

impl fmt::Display for SquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SquareError::Syntax { text, game } if game.is_unbounded() => {
                write!(f, "`{text}` is not a square; write x,y as in `-3,4`")
            }
            SquareError::Syntax { text, .. } => {
                write!(f, "`{text}` is not a square; write letters and a number as in `J10`")
            }
            SquareError::OffBoard { text, game } if game.is_unbounded() => {
                write!(f, "`{text}` is too far away; coordinates go up to {COORDINATE_MAX}")
            }
            SquareError::OffBoard { text, game } => write!(
                f,
                "`{text}` is off the board of {} x {} (A1 to {})",
                game.cols(),
                game.rows(),
                game.square_name(Square::new(game.cols() as i32 - 1, game.rows() as i32 - 1))
            ),
        }
    }
}

impl std::error::Error for SquareError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_of_the_largest_board_round_trips() {
        let game = Game::new(59, 59, 6, 2, 1, false).unwrap();
        for square in game.squares() {
            assert_eq!(game.parse_square(&game.square_name(square)), Ok(square));
        }
        assert_eq!(game.square_name(Square::new(25, 0)), "Z1");
        assert_eq!(game.square_name(Square::new(26, 0)), "AA1");
        assert_eq!(game.square_name(Square::new(58, 58)), "BG59");
    }

    #[test]
    fn unbounded_squares_round_trip() {
        let game = Game::new(0, 0, 6, 2, 1, false).unwrap();
        for square in [(0, 0), (-5, 7), (COORDINATE_MAX, -COORDINATE_MAX)] {
            let square = Square::new(square.0, square.1);
            assert_eq!(game.parse_square(&game.square_name(square)), Ok(square));
        }
        assert_eq!(game.parse_square("j10"), Ok(Square::new(9, 9)));
    }

    #[test]
    fn bad_names_are_refused() {
        let game = Game::CONNECT6;
        for text in ["", "J", "10", "J0", "T1", "A20", "J-1", "J+1", "J10x", "ä1", "AAAAA1", "9,9"]
        {
            assert!(game.parse_square(text).is_err(), "{text}");
        }
        let unbounded = Game::new(0, 0, 6, 2, 1, false).unwrap();
        for text in ["1,", ",1", "1,2,3", "1000000001,0", "0,-1000000001", "99999999999,0", "+1,0"]
        {
            assert!(unbounded.parse_square(text).is_err(), "{text}");
        }
    }
}
