//! Positions that several of these tests start from.

use sixproof_game::{Color, Game, Position, Square};

/// Squares by their names.
pub(crate) fn squares(game: Game, names: &str) -> Vec<Square> {
    names.split_whitespace().map(|name| game.parse_square(name).unwrap()).collect()
}

/// A position with these stones.
pub(crate) fn set_up(game: &str, black: &str, white: &str, to_move: Color, left: u32) -> Position {
    let game: Game = game.parse().unwrap();
    let (black, white) = (squares(game, black), squares(game, white));
    Position::set_up(game, &black, &white, to_move, left).unwrap()
}
