//! What several of these tests share: positions to start from, and a move that is played.

use sixproof_check::check_bytes;
use sixproof_game::{Color, Game, Position, Square};
use sixproof_player::{Score, Thought};

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

/// Plays a move, which must be one, and whose proof must be true if it has one.
pub(crate) fn play(position: &mut Position, thought: &Thought) {
    let (mover, left) = (position.to_move(), position.left() as usize);
    let before = position.clone();
    assert!(!thought.squares.is_empty() && thought.squares.len() <= left, "{thought:?}");
    let played = position.play(&thought.squares);
    let played = played.unwrap_or_else(|why| panic!("{why}: {thought:?} in {before:?}"));
    assert_eq!(played.stones().len(), thought.squares.len(), "{thought:?} goes on after the win");
    let over = position.is_over();
    assert!(over || position.to_move() != mover, "{thought:?} is not a whole move of {before:?}");
    assert_eq!(thought.score == Score::Win, thought.proof.is_some(), "{thought:?}");
    if let Some(proof) = &thought.proof {
        check_bytes(&proof.certificate).unwrap_or_else(|why| panic!("{why:?} in {before:?}"));
    }
}
