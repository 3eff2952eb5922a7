//! Squares, moves and parts of the board as people and programs write them.

use std::borrow::Borrow;

use sixproof_game::{Game, Move, Square};

use crate::failure::{Failure, Result};

/// The names of squares.
pub fn names(game: Game, squares: impl IntoIterator<Item = impl Borrow<Square>>) -> Vec<String> {
    squares.into_iter().map(|square| game.square_name(*square.borrow())).collect()
}

/// The names of the squares of a line of moves.
pub fn moves(game: Game, line: &[Move]) -> Vec<Vec<String>> {
    line.iter().map(|squares| names(game, squares)).collect()
}

/// A part of the board, from corner to corner: `F5:O14`.
pub fn window(game: Game, text: &str) -> Result<(Square, Square)> {
    let corners = text.split_once(':').ok_or_else(|| {
        Failure::new(format!("`{text}` is not a part of the board")).help("write it as F5:O14")
    })?;
    let square = |name: &str| game.parse_square(name).map_err(|e| Failure::new(e.to_string()));
    Ok((square(corners.0)?, square(corners.1)?))
}

/// The stones of the last move.
pub fn last_move(played: &[(Square, u32)]) -> impl Iterator<Item = Square> {
    let last = played.iter().map(|&(_, number)| number).max();
    played.iter().filter(move |&&(_, number)| Some(number) == last).map(|&(s, _)| s)
}
