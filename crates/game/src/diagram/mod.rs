//! Boards drawn as text, as people paste them and as we write them.
//!
//! ```text
//! Connect(7,5,4,2,1)
//! White to move, 1 stone
//!   A B C D E F G
//! 5 . . . . . . .
//! 4 . . . O . . .
//! 3 . . . X . . .
//! 2 . . . . . . .
//! 1 . . . . . . .
//! ```
//!
//! The rows come from the top, one character a square, with or without blanks between them:
//!
//! | square | characters |
//! | --- | --- |
//! | black | `X` `x` `#` `B` `b` `@` `●` `⚫` `×` |
//! | white | `O` `o` `W` `w` `0` `○` `⚪` |
//! | empty | `.` `,` `+` `-` `_` `·` and the crossings of box drawing (`┼` `├` `╋` …) |
//!
//! In our own pictures `!`, `:`, `'`, `▒` and `░` are empty squares of threats and zones.
//! `*` is refused: it is a black stone to some and an empty star point to others. Row numbers on
//! either side, column letters or numbers above or below, frames (`|`, `+---+`, box drawing), empty
//! lines, code fences, brackets around stones and numbers on them (`(●)`, `X12`) are understood and
//! left out. These lines may stand before or after:
//!
//! | line | meaning |
//! | --- | --- |
//! | `Connect(19,19,6,2,1)`, `connect6`, `game 19 19 6 2 1 exact` | the game |
//! | `White to move, 2 stones`, `to-move white 2` | whose turn, and the stones left in the move |
//! | `origin -3,4`, `origin F5` | only a part is drawn: the square at its bottom left |
//! | `black 0,0 5,5`, `white J10` | stones by name, in addition to those drawn |
//!
//! Pictures for a terminal end with a line about the game, the turn, and the signs of the stones:
//! `Connect(…) — Black to move, 2 stones left (● Black, ○ White)`. Then there are no other stones.
//!
//! Other lines of words, before and after the rows, are remarks. Thus the output of
//! [`Picture::terminal`](crate::picture::Picture::terminal) without colour is a diagram; a picture
//! with marks or labels, or without some of the stones, is refused.
//!
//! Without a game it is Connect6 on a board of the diagram's size. Without a side to move it is the
//! one that [`Game::turn_after`] says.

mod heading;
mod scan;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use crate::moves::looks_like_moves;
use crate::square::column_name;
use crate::{BOARD_MAX, COORDINATE_MAX, Color, Game, InputError, Position, SetupError, Square};
use scan::{Scan, mostly_rows, scan};

/// Reads a diagram. A game given wins over a game that the text names.
pub fn read(text: &str, game: Option<Game>) -> Result<Position, InputError> {
    let scan = scan(text)?;
    let game = which_game(text, &scan, game)?;
    let origin = match scan.origin {
        Some(part) => game.parse_square(part.text).map_err(|e| part.error(e.to_string()))?,
        None => Square::new(0, 0),
    };
    let mut sides = [Vec::new(), Vec::new()];
    let height = scan.rows.len();
    for (index, row) in scan.rows.iter().enumerate() {
        for (x, color) in row.cells.iter().enumerate() {
            let square = origin.step((x as i32, (height - 1 - index) as i32), 1);
            let far = square.x.max(square.y) > COORDINATE_MAX;
            match color {
                Some(_) if far => {
                    let message = format!("the row goes beyond coordinate {COORDINATE_MAX}");
                    return Err(row.line.error(message));
                }
                _ if !game.contains(square) => {
                    let name = game.square_name(square);
                    return Err(row
                        .line
                        .error(format!("the row goes beyond the board, to {name}")));
                }
                Some(color) => sides[*color as usize].push(square),
                None => (),
            }
        }
    }
    let mut seen: BTreeSet<Square> = sides.iter().flatten().copied().collect();
    for &(color, part) in &scan.listed {
        let square = game.parse_square(part.text).map_err(|e| part.error(e.to_string()))?;
        if !seen.insert(square) {
            return Err(part.error(format!("there are two stones on {}", part.quoted())));
        }
        sides[color as usize].push(square);
    }
    let [black, white] = sides;
    let derived = |player| game.turn_after(black.len(), white.len(), player);
    let (part, (to_move, left)) = match (scan.turn, scan.winner) {
        (Some((part, color, left)), _) => {
            (Some(part), (color, left.unwrap_or(derived(Some(color)).1)))
        }
        // The move that wins is over.
        (None, Some((part, winner))) => (Some(part), (!winner, game.p())),
        (None, None) => (None, derived(None)),
    };
    let position =
        Position::set_up(game, &black, &white, to_move, left).map_err(|error| {
            match (error, part) {
                (SetupError::Left { .. }, Some(part)) => part.error(error.to_string()),
                _ => InputError::new(0, text.len(), error.to_string()),
            }
        })?;
    match scan.winner {
        Some((part, winner)) if position.winner() != Some(winner) => {
            Err(part.error(format!("{} has not won here", winner.title())))
        }
        _ => Ok(position),
    }
}

/// Whether a text is probably meant as a diagram: it can be read line by line, and it has at least
/// two rows or names its game; or, since a wrong diagram is one nevertheless, most of its lines
/// look like rows of a board.
pub fn looks_like_diagram(text: &str) -> bool {
    if looks_like_moves(text) {
        return false;
    }
    match scan(text) {
        Ok(scan) => {
            let drawn = scan.rows.len() >= 2 && scan.width() >= 2;
            let named = scan.game.is_some() && !(scan.rows.is_empty() && scan.listed.is_empty());
            drawn || named
        }
        Err(_) => mostly_rows(text),
    }
}

/// The game of a diagram: given, else named in the text, else Connect6 on a board of its size.
fn which_game(text: &str, scan: &Scan<'_>, given: Option<Game>) -> Result<Game, InputError> {
    let (cols, rows) = (scan.width() as u32, scan.rows.len() as u32);
    if rows == 0 && scan.listed.is_empty() {
        let help = "draw the rows from the top, with X, O and . for black, white and empty";
        return Err(InputError::new(text.len(), 1, "there is no board here").help(help));
    }
    let Some(game) = given.or(scan.game) else {
        let sized = Game::CONNECT6.resized(cols, rows);
        return sized.map_err(|error| {
            let help = "say --game, or name it in a line of its own, as in `game 3 3 3 1 1`";
            let message = format!("which game is this? {error}");
            InputError::new(scan.rows.first().map_or(0, |r| r.line.offset), 1, message).help(help)
        });
    };
    let part = game.is_unbounded() || scan.origin.is_some();
    if rows > 0 && !part && (cols, rows) != (game.cols(), game.rows()) {
        let message = format!(
            "the diagram is of {cols} x {rows} squares, the board of {} of {} x {}",
            game.title(),
            game.cols(),
            game.rows()
        );
        let first = scan.rows[0].line;
        let help = "draw the whole board, or write `origin F5`: where its bottom left corner is";
        return Err(first.error(message).help(help));
    }
    Ok(game)
}

/// Draws a position. The drawing reads back as the same position.
///
/// Of an unbounded board a window around the stones is drawn; where that would be too large, the
/// stones are listed.
pub fn write(position: &Position) -> String {
    let game = position.game();
    let (left, side) = (position.left(), position.to_move().title());
    let stones = if left == 1 { "stone" } else { "stones" };
    let mut text = format!("{}\n{side} to move, {left} {stones}\n", game.title());
    if !game.is_unbounded() {
        let top_right = Square::new(game.cols() as i32 - 1, game.rows() as i32 - 1);
        draw(&mut text, position, Square::new(0, 0), top_right);
        return text;
    }
    let all = || position.stones().map(|(square, _)| square);
    let (low, high) = (
        Square::new(all().map(|s| s.x).min().unwrap_or(0), all().map(|s| s.y).min().unwrap_or(0)),
        Square::new(all().map(|s| s.x).max().unwrap_or(0), all().map(|s| s.y).max().unwrap_or(0)),
    );
    if (high.x - low.x).max(high.y - low.y) < BOARD_MAX as i32 {
        text += &format!("origin {},{}\n", low.x, low.y);
        draw(&mut text, position, low, high);
        return text;
    }
    for color in [Color::Black, Color::White] {
        let squares: Vec<Square> = position.squares_of(color).collect();
        if !squares.is_empty() {
            text += &format!("{color} {}\n", game.square_names(&squares));
        }
    }
    text
}

/// Draws the squares from `low` (bottom left) to `high` (top right), with coordinates on a bounded
/// board.
fn draw(text: &mut String, position: &Position, low: Square, high: Square) {
    let named = !position.game().is_unbounded();
    let (width, number) = match named {
        true => (column_name(high.x as u32).len(), (high.y + 1).to_string().len()),
        false => (1, 0),
    };
    if named {
        *text += &" ".repeat(number);
        for x in low.x..=high.x {
            *text += &format!(" {:>width$}", column_name(x as u32));
        }
        text.push('\n');
    }
    for y in (low.y..=high.y).rev() {
        if named {
            *text += &format!("{:>number$} ", y + 1);
        }
        let row = (low.x..=high.x).map(|x| {
            let mark = match position.at(Square::new(x, y)) {
                Some(Color::Black) => 'X',
                Some(Color::White) => 'O',
                None => '.',
            };
            format!("{mark:>width$}")
        });
        *text += &row.collect::<Vec<_>>().join(" ");
        text.push('\n');
    }
}
