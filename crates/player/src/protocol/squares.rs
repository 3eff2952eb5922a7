//! Squares and moves as the protocols write them, for both ends of a conversation.
//!
//! | form | protocols | from | example: J10 on 19 x 19 |
//! | --- | --- | --- | --- |
//! | letters | c6, ccgc | bottom left | `JJ`; a move `IIKI`; a missing stone `@@` in ccgc |
//! | numbers | Gomocup, Botzone | top left, from 0 | `9,9` |
//! | column and row | GTP | bottom left, columns without I | `K10` |

use std::fmt;

use sixproof_game::{Game, Square};

/// The longest side of a board whose columns and rows are named by one letter each.
pub const LETTERS_MAX: u32 = 26;
/// The longest side of a board in GTP, whose columns skip the letter I.
pub const GTP_MAX: u32 = 25;
/// The mark for a missing stone in a move of ccgc.
const MISSING: &str = "@@";

/// A text that names no square of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadSquare {
    text: String,
    form: &'static str,
}

impl BadSquare {
    fn new(text: impl fmt::Display, form: &'static str) -> BadSquare {
        // The text of a controller goes out again on one short line.
        let text = text.to_string();
        let clean = text.chars().map(|c| if c.is_control() { ' ' } else { c });
        BadSquare { text: clean.take(40).collect(), form }
    }
}

impl fmt::Display for BadSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not on the board; a square is {}", self.text, self.form)
    }
}

impl std::error::Error for BadSquare {}

/// The form of squares, for the error about a wrong one.
const LETTERS_FORM: &str = "two letters, column and row from the bottom left, as in JJ";
const NUMBERS_FORM: &str = "x,y from the top left, from 0, as in 9,9";
const GTP_FORM: &str = "a letter but I and a number, from the bottom left, as in K10";

/// A square as two letters; of a board of up to [`LETTERS_MAX`] columns and rows.
pub fn to_letters(square: Square) -> String {
    let letter = |n: i32| char::from(b'A' + n.clamp(0, LETTERS_MAX as i32 - 1) as u8);
    [letter(square.x), letter(square.y)].into_iter().collect()
}

/// Reads two letters, large or small.
pub fn from_letters(game: Game, text: &str) -> Result<Square, BadSquare> {
    let bad = || BadSquare::new(text, LETTERS_FORM);
    let &[column, row] = text.as_bytes() else { return Err(bad()) };
    if !column.is_ascii_alphabetic() || !row.is_ascii_alphabetic() {
        return Err(bad());
    }
    let number = |letter: u8| i32::from(letter.to_ascii_uppercase() - b'A');
    on_board(game, Square::new(number(column), number(row))).ok_or_else(bad)
}

/// The stones of a move, one after the other: `JJ`, `IIKI`.
pub fn move_to_letters(squares: &[Square]) -> String {
    squares.iter().map(|&square| to_letters(square)).collect()
}

/// The same as ccgc writes it: a move of fewer than `stones` stones ends with `@@` for each missing
/// one.
pub fn move_to_ccgc(squares: &[Square], stones: usize) -> String {
    move_to_letters(squares) + &MISSING.repeat(stones.saturating_sub(squares.len()))
}

/// Reads the stones of a move, one or more; missing ones at its end are left out.
pub fn move_from_letters(game: Game, text: &str) -> Result<Vec<Square>, BadSquare> {
    let mut letters = text;
    while let Some(rest) = letters.strip_suffix(MISSING) {
        letters = rest;
    }
    if letters.is_empty() || !letters.is_ascii() {
        return Err(BadSquare::new(text, LETTERS_FORM));
    }
    let pairs = (0..letters.len()).step_by(2);
    pairs.map(|at| from_letters(game, &letters[at..letters.len().min(at + 2)])).collect()
}

/// Column and row of a square from the top left, both from 0; of a bounded board.
pub fn to_numbers(game: Game, square: Square) -> (i32, i32) {
    (square.x, game.rows() as i32 - 1 - square.y)
}

/// The square in a column and a row from the top left, both from 0.
pub fn from_numbers(game: Game, x: i64, y: i64) -> Result<Square, BadSquare> {
    let bad = || BadSquare::new(format_args!("{x},{y}"), NUMBERS_FORM);
    let (Ok(column), Ok(row)) = (i32::try_from(x), i32::try_from(y)) else { return Err(bad()) };
    let from_bottom = (game.rows() as i32 - 1).checked_sub(row).ok_or_else(bad)?;
    on_board(game, Square::new(column, from_bottom)).ok_or_else(bad)
}

/// A square as `x,y`.
pub fn to_comma(game: Game, square: Square) -> String {
    let (x, y) = to_numbers(game, square);
    format!("{x},{y}")
}

/// Reads `x,y`; blanks around the numbers do no harm.
pub fn from_comma(game: Game, text: &str) -> Result<Square, BadSquare> {
    let digits = |text: &str| -> Option<i64> {
        let text = text.trim();
        text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok())?
    };
    let pair = text.split_once(',').and_then(|(x, y)| Some((digits(x)?, digits(y)?)));
    let (x, y) = pair.ok_or_else(|| BadSquare::new(text, NUMBERS_FORM))?;
    from_numbers(game, x, y)
}

/// A square as in GTP; of a board of up to [`GTP_MAX`] columns and rows.
pub fn to_gtp(square: Square) -> String {
    let column = b'A' + square.x.clamp(0, GTP_MAX as i32 - 1) as u8;
    let column = if column >= b'I' { column + 1 } else { column };
    format!("{}{}", char::from(column), square.y + 1)
}

/// Reads a square of GTP, in large or small letters.
pub fn from_gtp(game: Game, text: &str) -> Result<Square, BadSquare> {
    let bad = || BadSquare::new(text, GTP_FORM);
    let (&column, row) = text.as_bytes().split_first().ok_or_else(bad)?;
    let column = column.to_ascii_uppercase();
    let short = (1..=2).contains(&row.len()) && row.iter().all(u8::is_ascii_digit);
    if !column.is_ascii_uppercase() || column == b'I' || !short {
        return Err(bad());
    }
    let x = i32::from(column - b'A') - i32::from(column > b'I');
    let y = row.iter().fold(0, |n, digit| n * 10 + i32::from(digit - b'0')) - 1;
    on_board(game, Square::new(x, y)).ok_or_else(bad)
}

/// The square, if it is one of a bounded board.
fn on_board(game: Game, square: Square) -> Option<Square> {
    (!game.is_unbounded() && game.contains(square)).then_some(square)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(cols: u32, rows: u32) -> Game {
        Game::new(cols, rows, 6, 2, 1, false).unwrap()
    }

    #[test]
    fn every_square_round_trips_in_every_form() {
        for (cols, rows) in [(19, 19), (15, 15), (20, 7), (6, 25), (25, 25)] {
            let game = board(cols, rows);
            for square in game.squares() {
                assert_eq!(from_letters(game, &to_letters(square)), Ok(square));
                assert_eq!(from_comma(game, &to_comma(game, square)), Ok(square));
                assert_eq!(from_gtp(game, &to_gtp(square)), Ok(square));
            }
        }
        let game = board(26, 26);
        assert!(game.squares().all(|s| from_letters(game, &to_letters(s)) == Ok(s)));
    }

    #[test]
    fn known_squares_have_their_names() {
        let game = Game::CONNECT6;
        let square = game.parse_square("J10").unwrap();
        assert_eq!(to_letters(square), "JJ");
        assert_eq!(to_comma(game, square), "9,9");
        assert_eq!(to_gtp(square), "K10");
        let corner = game.parse_square("A19").unwrap();
        assert_eq!(to_letters(corner), "AS");
        assert_eq!(to_comma(game, corner), "0,0");
        assert_eq!(to_gtp(game.parse_square("I9").unwrap()), "J9");
        assert_eq!(to_gtp(game.parse_square("H9").unwrap()), "H9");
        assert_eq!(to_gtp(game.parse_square("S19").unwrap()), "T19");
    }

    #[test]
    fn moves_of_letters_have_their_stones_and_may_miss_some() {
        let game = Game::CONNECT6;
        let squares = ["I9", "K9"].map(|name| game.parse_square(name).unwrap());
        assert_eq!(move_to_letters(&squares), "IIKI");
        assert_eq!(move_from_letters(game, "iiKI"), Ok(squares.to_vec()));
        assert_eq!(move_to_ccgc(&squares[..1], 2), "II@@");
        assert_eq!(move_to_ccgc(&squares, 2), "IIKI");
        assert_eq!(move_from_letters(game, "II@@"), Ok(squares[..1].to_vec()));
        for text in ["", "@@", "@@II", "I", "III", "TA", "IIK@", "II KI", "ää", "\n\n"] {
            assert!(move_from_letters(game, text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_no_square_is_refused() {
        let game = Game::CONNECT6;
        for text in ["", "9", "9,", ",9", "9,9,9", "19,0", "0,19", "-1,0", "+1,0", "1;2", "a,b"] {
            assert!(from_comma(game, text).is_err(), "{text}");
        }
        assert!(from_comma(game, "99999999999999999999,0").is_err());
        for text in ["", "K", "10", "I10", "U1", "K0", "K20", "K-1", "K+1", "KK1", "K100", "ä1"] {
            assert!(from_gtp(game, text).is_err(), "{text}");
        }
        assert!(from_numbers(game, i64::MIN, i64::MAX).is_err());
        assert!(from_numbers(game, 0, i64::from(i32::MIN)).is_err());
        let unbounded: Game = "inf,6,2,1".parse().unwrap();
        assert!(from_letters(unbounded, "JJ").is_err() && from_gtp(unbounded, "K10").is_err());
        let message = from_comma(game, "19,\u{7}0").unwrap_err().to_string();
        assert!(message.starts_with("`19, 0` is not on the board"), "{message}");
    }
}
