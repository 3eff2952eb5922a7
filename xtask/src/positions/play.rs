//! Games that make positions: both sides play greedily by their lines, with a little chance, so
//! that stones come together and neither side loses at once.

use sixproof_game::{Color, Game, Position, Segment, Square};

use crate::bench::split_mix;

/// The number of best squares that are considered.
const CHOICE: u64 = 5;
/// The number of stones of which one falls somewhere near the others instead.
const WILD: u64 = 6;
/// The distance from the middle within which games are played.
const REACH: i32 = 5;

/// A game that plays itself.
pub(super) struct Play {
    pub(super) position: Position,
    /// All stones in the order in which they were placed, by moves.
    pub(super) moves: Vec<Vec<Square>>,
    state: u64,
}

impl Play {
    /// The game of a seed, before its first move.
    pub(super) fn new(game: Game, seed: u64) -> Play {
        let state = split_mix(seed ^ 0x5158);
        Play { position: Position::new(game), moves: Vec::new(), state }
    }

    /// Plays one move. False when the game is over.
    pub(super) fn step(&mut self) -> bool {
        let color = self.position.to_move();
        let mut stones = Vec::new();
        while self.position.to_move() == color && self.position.winner().is_none() {
            let Some(square) = self.stone(color) else { return false };
            self.position.place(square).expect("an empty square");
            stones.push(square);
        }
        self.moves.push(stones);
        self.position.winner().is_none()
    }

    fn random(&mut self, below: u64) -> u64 {
        self.state = split_mix(self.state);
        self.state % below
    }

    /// The next stone of a side.
    fn stone(&mut self, color: Color) -> Option<Square> {
        let game = self.position.game();
        let middle = |size: u32| if size == 0 { 0 } else { (size as i32 - 1) / 2 };
        let (x, y) = (middle(game.cols()), middle(game.rows()));
        let near = |s: &Square| (s.x - x).abs() <= REACH && (s.y - y).abs() <= REACH;
        let window = (y - REACH..=y + REACH)
            .flat_map(|y| (x - REACH..=x + REACH).map(move |x| Square::new(x, y)));
        let mut squares: Vec<(u64, Square)> = window
            .filter(|&s| near(&s) && game.contains(s) && self.position.at(s).is_none())
            .map(|s| (self.worth(s, color), s))
            .collect();
        squares.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        let wild = self.random(WILD) == 0 && !self.is_urgent(color);
        let choice = match (self.position.stones().next().is_some(), wild) {
            (false, _) => return squares.iter().map(|s| s.1).find(|s| (s.x, s.y) == (x, y)),
            (true, true) => CHOICE * 4,
            (true, false) if self.is_urgent(color) => 1,
            (true, false) => CHOICE,
        };
        let count = choice.min(squares.len() as u64);
        if count == 0 {
            return None;
        }
        let index = self.random(count);
        Some(squares[index as usize].1)
    }

    /// Whether the other side threatens to win.
    fn is_urgent(&self, color: Color) -> bool {
        !self.position.threats(!color).is_empty() || !self.position.threats(color).is_empty()
    }

    /// The value of a stone on a square, from the lines through it.
    fn worth(&self, square: Square, color: Color) -> u64 {
        let (game, position) = (self.position.game(), &self.position);
        let (k, p) = (game.k(), game.p());
        let mut worth = 0;
        for segment in Segment::through(game, square) {
            let [mut own, mut other] = [0, 0];
            for square in segment.squares(game) {
                match position.at(square) {
                    Some(stone) if stone == color => own += 1,
                    Some(_) => other += 1,
                    None => (),
                }
            }
            worth += match (own, other) {
                (own, 0) if own + position.left() >= k => 1 << 40,
                (0, other) if other + p >= k => 1 << 30,
                (own, 0) => 3 * 5u64.pow(own),
                (0, other) => 2 * 5u64.pow(other),
                _ => 0,
            };
        }
        worth
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_a_game() {
        for game in ["connect6", "gomoku", "9,9,4,1,1", "inf,7,3,2"] {
            let game: Game = game.parse().unwrap();
            let play = |seed| {
                let mut play = Play::new(game, seed);
                while play.moves.len() < 9 && play.step() {}
                play
            };
            assert_eq!(play(1).position, play(1).position);
            assert_ne!(play(1).position, play(2).position);
            assert_eq!(play(3).position.irregularity(), None);
        }
    }
}
