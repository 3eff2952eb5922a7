//! Squares as values name them.
//!
//! The notation of a value can be told from the value itself, so the reader does not guess it from
//! the file as a whole, and a file may mix them:
//!
//! - a digit in it: a name, `j10`, column letter and row *from the bottom*, no letter skipped.
//!   Little Golem writes these, two in one value: `i9l10`.
//! - letters only: pairs, `jj`, column and row *from the top*, one or more in one value: `jhmk`. On
//!   boards of up to 26 columns and rows the size of the letters does not matter: NCTU writes `JJ`.
//!   Its programs disagree on the direction of the rows, hence [`Points::flip`]. On larger boards
//!   capital letters follow the small ones, as the format says.
//! - where pairs do not suffice (unbounded, or above [`PAIR_MAX`]): `x,y`, see the module above.

use crate::{COORDINATE_MAX, Game, Square, SquareError};

/// The most columns or rows that pairs of letters can name: 26 small and 26 capital letters.
pub const PAIR_MAX: u32 = 52;

/// Boards up to this size need no capital letters, so these mean the same as small ones.
const SMALL_LETTERS: u32 = 26;

/// Reads squares for a game.
pub(super) struct Points {
    pub(super) game: Game,
    /// Whether rows run the other way.
    pub(super) flip: bool,
}

/// Whether squares of the game are written `x,y`.
fn needs_coordinates(game: Game) -> bool {
    game.is_unbounded() || game.cols().max(game.rows()) > PAIR_MAX
}

impl Points {
    /// All squares that a value names; the error is its complaint.
    pub(super) fn squares(&self, value: &str) -> Result<Vec<Square>, String> {
        let spaceless: String;
        let text = if value.contains(|c: char| c.is_ascii_whitespace()) {
            spaceless = value.chars().filter(|c| !c.is_ascii_whitespace()).collect();
            &spaceless
        } else {
            value
        };
        let mut squares = if needs_coordinates(self.game) && text.contains(',') {
            vec![self.coordinates(text)?]
        } else if text.contains(|c: char| c.is_ascii_digit()) {
            self.names(text)?
        } else {
            self.pairs(text)?
        };
        if self.flip {
            for square in &mut squares {
                // An unbounded board is turned over about the row 0.
                square.y = self.game.rows().max(1) as i32 - 1 - square.y;
            }
        }
        Ok(squares)
    }

    /// All squares that an element of a list names: `aa:cc` is the rectangle between two corners.
    /// Returns at most `max`.
    pub(super) fn list(&self, value: &str, max: usize) -> Result<Vec<Square>, String> {
        let Some((from, to)) = value.split_once(':') else { return self.squares(value) };
        let ([from], [to]) = (&self.squares(from)?[..], &self.squares(to)?[..]) else {
            return Err(format!("`{}` is not a rectangle", shown(value)));
        };
        if self.game.is_unbounded() {
            return Err(format!("`{}`: no rectangles on an unbounded board", shown(value)));
        }
        let (xs, ys) = (from.x.min(to.x)..=from.x.max(to.x), from.y.min(to.y)..=from.y.max(to.y));
        let square = |y: i32| xs.clone().map(move |x| Square::new(x, y));
        Ok(ys.rev().flat_map(square).take(max).collect())
    }

    fn coordinates(&self, text: &str) -> Result<Square, String> {
        let syntax = || format!("`{}` is not a square; write x,y as in `3,4`", shown(text));
        let (x, y) = text.split_once(',').ok_or_else(syntax)?;
        let number = |t: &str| t.parse::<i32>().map_err(|_| syntax());
        let square = Square::new(number(x)?, number(y)?);
        let far = square.x.unsigned_abs().max(square.y.unsigned_abs()) > COORDINATE_MAX as u32;
        if far || !self.game.contains(square) {
            let error = SquareError::OffBoard { text: text.to_string(), game: self.game };
            return Err(error.to_string());
        }
        Ok(square)
    }

    fn names(&self, mut text: &str) -> Result<Vec<Square>, String> {
        let mut squares = Vec::with_capacity(2);
        while !text.is_empty() {
            // The name ends where letters follow digits.
            let digits = text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len());
            let rest = &text[digits..];
            let len = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let (name, rest) = text.split_at(digits + len);
            squares.push(self.game.parse_square(name).map_err(|error| error.to_string())?);
            text = rest;
        }
        Ok(squares)
    }

    fn pairs(&self, text: &str) -> Result<Vec<Square>, String> {
        let syntax = || format!("`{}` is not a square; write a pair of letters", shown(text));
        let game = self.game;
        if needs_coordinates(game) && !text.is_empty() {
            return Err(format!("`{}` is not a square; write x,y as in `3,4`", shown(text)));
        }
        if !text.len().is_multiple_of(2) || !text.bytes().all(|b| b.is_ascii_alphabetic()) {
            return Err(syntax());
        }
        let fold = game.cols().max(game.rows()) <= SMALL_LETTERS;
        let number = |letter: u8| match letter {
            b'a'..=b'z' => i32::from(letter - b'a'),
            _ if fold => i32::from(letter - b'A'),
            _ => i32::from(letter - b'A') + SMALL_LETTERS as i32,
        };
        let mut squares = Vec::with_capacity(text.len() / 2);
        for (i, pair) in text.as_bytes().chunks_exact(2).enumerate() {
            let square = Square::new(number(pair[0]), game.rows() as i32 - 1 - number(pair[1]));
            if !game.contains(square) {
                let (name, cols, rows) = (&text[2 * i..2 * i + 2], game.cols(), game.rows());
                return Err(format!("`{name}` is off the board of {cols} x {rows}"));
            }
            squares.push(square);
        }
        Ok(squares)
    }
}

/// A value for a message: not too long.
fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}

/// The canonical name of a square. A square off the board is written `x,y`, which no reader takes
/// for a square of that board.
pub(super) fn point(game: Game, square: Square) -> String {
    if needs_coordinates(game) || !game.contains(square) {
        return format!("{},{}", square.x, square.y);
    }
    let letter = |i: i32| match i as u8 {
        i @ 0..26 => char::from(b'a' + i),
        i => char::from(b'A' + i - 26),
    };
    [letter(square.x), letter(game.rows() as i32 - 1 - square.y)].iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_of_every_kind_of_board_round_trips() {
        for size in [(19, 19), (26, 9), (27, 9), (9, 52), (53, 53), (59, 6)] {
            let game = Game::new(size.0, size.1, 6, 2, 1, false).unwrap();
            let points = Points { game, flip: false };
            for square in game.squares() {
                assert_eq!(points.squares(&point(game, square)), Ok(vec![square]), "{size:?}");
            }
        }
        let game: Game = "inf,6,2,1".parse().unwrap();
        let points = Points { game, flip: false };
        for square in [(0, 0), (-5, 7), (COORDINATE_MAX, -COORDINATE_MAX)] {
            let square = Square::new(square.0, square.1);
            assert_eq!(points.squares(&point(game, square)), Ok(vec![square]));
        }
    }

    #[test]
    fn the_notations_name_the_same_squares() {
        let game = Game::CONNECT6;
        for (value, names) in [
            ("aa", "A19"),
            ("AS", "A1"),
            ("jhmk", "J12 M9"),
            ("i9l10", "I9 L10"),
            ("J10", "J10"),
            (" j\nj ", "J10"),
            ("", ""),
        ] {
            let squares = Points { game, flip: false }.squares(value).unwrap();
            assert_eq!(game.square_names(&squares), names, "{value}");
        }
        let flipped = Points { game, flip: true }.squares("JHMK").unwrap();
        assert_eq!(game.square_names(&flipped), "J8 M11");
    }

    #[test]
    fn rectangles_are_filled_whichever_corners_are_named() {
        let game: Game = "9,7,4,1,1".parse().unwrap();
        let points = Points { game, flip: false };
        for value in ["ba:cc", "cc:ba", "ca:bc", "b5:c7"] {
            let squares = points.list(value, 100).unwrap();
            assert_eq!(game.square_names(&squares), "B7 C7 B6 C6 B5 C5", "{value}");
        }
        assert_eq!(points.list("aa:ig", 5).unwrap().len(), 5);
        assert!(points.list("aabb:cc", 5).is_err());
    }
}
