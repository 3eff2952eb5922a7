//! A random move: the weakest opponent.

use sixproof_game::repeatable::mix;
use sixproof_game::{Position, Square};

/// The distance from the stones within which squares are considered where the board has no edges.
const REACH: i32 = 4;

/// Chooses squares by a fixed sequence of numbers.
pub(crate) struct Random {
    seed: u64,
}

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random { seed }
    }

    /// The stones of a move.
    pub(crate) fn choose(&mut self, position: &Position) -> Vec<Square> {
        let mut empty = squares(position);
        let mut chosen = Vec::new();
        let mut after = position.clone();
        // A stone may complete a line by accident, and then there are no more.
        while chosen.len() < position.left() as usize
            && !empty.is_empty()
            && after.winner().is_none()
        {
            let index = mix(&mut self.seed) % empty.len() as u64;
            let square = empty.swap_remove(index as usize);
            after.place(square).expect("an empty square of a game that is not over");
            chosen.push(square);
        }
        chosen
    }
}

/// The squares that can be played: all empty ones, or those near the stones of an unbounded board.
fn squares(position: &Position) -> Vec<Square> {
    let game = position.game();
    if !game.is_unbounded() {
        return game.squares().filter(|&square| position.at(square).is_none()).collect();
    }
    let around = |square: Square| {
        (-REACH..=REACH).flat_map(move |dy| {
            (-REACH..=REACH).map(move |dx| Square::new(square.x + dx, square.y + dy))
        })
    };
    let mut squares: Vec<Square> =
        position.stones().flat_map(|(square, _)| around(square)).collect();
    if squares.is_empty() {
        squares.extend(around(Square::new(0, 0)));
    }
    squares.retain(|&square| game.contains(square) && position.at(square).is_none());
    squares.sort_unstable();
    squares.dedup();
    squares
}
