//! Whole moves on a position: played as a whole or not at all, and taken back.

use std::fmt;

use crate::{Color, Game, IllegalStone, Move, Position, Square};

/// A move that was played, with the way back: see [`Position::undo`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    stones: Move,
    to_move: Color,
    left: u32,
}

impl Played {
    /// The stones that were placed.
    pub fn stones(&self) -> &Move {
        &self.stones
    }

    /// The side that placed them.
    pub fn color(&self) -> Color {
        self.to_move
    }
}

/// Why a move cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IllegalMove {
    /// A stone cannot be placed there.
    Stone(Square, IllegalStone),
    /// The move has another number of stones than the side to move has to place.
    Count {
        /// The stones of the move.
        given: usize,
        /// The stones to place.
        left: u32,
    },
    /// The game is over.
    Over,
}

impl IllegalMove {
    /// The reason in words, with the names that `name` gives to squares.
    pub fn describe(self, game: Game, name: fn(Game, Square) -> String) -> String {
        match self {
            IllegalMove::Stone(square, why) => {
                format!("illegal move {}: {why}", name(game, square))
            }
            IllegalMove::Count { given, left } => {
                let stones = if given == 1 { "stone" } else { "stones" };
                let are = if left == 1 { "is" } else { "are" };
                format!("illegal move: {given} {stones} where {left} {are} to be placed")
            }
            IllegalMove::Over => "the game is over".to_string(),
        }
    }
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe(Game::CONNECT6, Game::square_name))
    }
}

impl std::error::Error for IllegalMove {}

impl Position {
    /// Whether the game is over: a side has won, or the board is full.
    pub fn is_over(&self) -> bool {
        self.winner().is_some() || self.is_full()
    }

    /// Plays the rest of the move of the side to move, or nothing: all stones that are left, fewer
    /// only where they win or fill the board.
    ///
    /// A move is a set of stones, so that one that wins with its first stone may have others, on
    /// empty squares: many programs always name all of them. Those are not placed: the game is
    /// over.
    ///
    /// ```
    /// use sixproof_game::{Color, Game, Position};
    ///
    /// let game = Game::CONNECT6;
    /// let mut position = Position::new(game);
    /// position.play(&[game.parse_square("J10")?])?;
    /// let played = position.play(&[game.parse_square("I8")?, game.parse_square("H9")?])?;
    /// assert_eq!(position.to_move(), Color::Black);
    /// position.undo(played);
    /// assert_eq!((position.to_move(), position.left()), (Color::White, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play(&mut self, stones: &[Square]) -> Result<Played, IllegalMove> {
        let played = self.play_some(stones)?;
        if self.to_move() == played.to_move && !self.is_over() {
            let (given, left) = (stones.len(), played.left);
            self.undo(played);
            return Err(IllegalMove::Count { given, left });
        }
        Ok(played)
    }

    /// Plays stones of the side to move as [`Position::play`] does, perhaps not all of its move.
    pub fn play_some(&mut self, stones: &[Square]) -> Result<Played, IllegalMove> {
        if self.is_over() {
            return Err(IllegalMove::Over);
        }
        let (to_move, left) = (self.to_move(), self.left());
        if stones.is_empty() || stones.len() > left as usize {
            return Err(IllegalMove::Count { given: stones.len(), left });
        }
        let mut placed = Vec::with_capacity(stones.len());
        for (index, &square) in stones.iter().enumerate() {
            let result = match self.winner() {
                None => self.place(square),
                Some(_) if stones[..index].contains(&square) => {
                    Err(IllegalStone::Occupied(square, to_move))
                }
                Some(_) => self.is_free(square),
            };
            if let Err(why) = result {
                self.undo(Played { stones: placed.into(), to_move, left });
                return Err(IllegalMove::Stone(square, why));
            }
            if self.at(square).is_some() {
                placed.push(square);
            }
        }
        Ok(Played { stones: placed.into(), to_move, left })
    }

    /// Takes back the last move, or the last of its stones.
    ///
    /// Moves are taken back in the reverse order of playing. Anything else leads to a position that
    /// no move has led to.
    pub fn undo(&mut self, played: Played) {
        self.remove(&played.stones, played.to_move, played.left);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbtest::arbtest;

    fn squares(game: Game, text: &str) -> Vec<Square> {
        text.split(' ').map(|name| game.parse_square(name).unwrap()).collect()
    }

    /// Black has four in a row, and is to move.
    fn four() -> Position {
        let mut position = Position::new(Game::CONNECT6);
        for stones in ["J10", "A1 A3", "K10 L10", "A5 A7", "M10 C1", "A9 A11"] {
            position.play(&squares(Game::CONNECT6, stones)).unwrap();
        }
        position
    }

    #[test]
    fn a_move_is_played_as_a_whole_or_not_at_all() {
        let mut position = four();
        let before = position.clone();
        for (stones, reason) in [
            ("N10", "illegal move: 1 stone where 2 are to be placed"),
            ("N10 O10 P10", "illegal move: 3 stones where 2 are to be placed"),
            ("N10 J10", "illegal move J10: the square is taken by a black stone"),
            ("B2 B2", "illegal move B2: the square is taken by a black stone"),
        ] {
            let refused = position.play(&squares(Game::CONNECT6, stones)).unwrap_err();
            assert_eq!(refused.to_string(), reason);
            assert_eq!(position, before);
        }
        assert!(position.play(&[Square::new(0, 19), Square::new(3, 3)]).is_err());
        assert_eq!(position.play(&[]), Err(IllegalMove::Count { given: 0, left: 2 }));
        assert_eq!(position, before);
    }

    #[test]
    fn a_win_with_the_first_stone_may_have_a_second_on_an_empty_square() {
        let game = Game::CONNECT6;
        let mut position = four();
        position.play(&squares(game, "N10 D1")).unwrap();
        position.play(&squares(game, "B1 B3")).unwrap();
        let before = position.clone();
        let off = [game.parse_square("O10").unwrap(), Square::new(-1, 0)];
        for stones in [squares(game, "O10 J10"), squares(game, "O10 O10"), off.to_vec()] {
            assert!(position.play(&stones).is_err(), "{stones:?}");
            assert_eq!(position, before);
        }
        let played = position.play(&squares(game, "O10 P10")).unwrap();
        assert_eq!(played.stones(), &Move::from(squares(game, "O10")));
        assert_eq!(position.winner(), Some(played.color()));
        assert_eq!(position.play(&squares(game, "P10 Q10")), Err(IllegalMove::Over));
        position.undo(played);
        assert_eq!(position, before);
    }

    #[test]
    fn moves_are_their_stones_and_undo_leads_back() {
        let games = ["3,3,3,1,1", "4,4,3,2,1", "5,4,4,3,2", "4,4,3,2,3,exact"];
        let games = games.map(|game| game.parse::<Game>().unwrap());
        arbtest(|u| {
            let mut position = Position::new(*u.choose(&games)?);
            let mut way = Vec::new();
            while !position.is_over() && !u.is_empty() {
                let mut empty: Vec<Square> = position.game().squares().collect();
                empty.retain(|&square| position.at(square).is_none());
                let mut stones = Vec::new();
                while stones.len() < position.left() as usize && !empty.is_empty() {
                    stones.push(empty.swap_remove(u.choose_index(empty.len())?));
                }
                let before = position.clone();
                let played = position.play(&stones).unwrap();
                let mut by_stones = before.clone();
                for &square in stones.iter().filter(|square| played.stones().contains(square)) {
                    by_stones.place(square).unwrap();
                }
                assert_eq!(position, by_stones);
                way.push((before, played));
            }
            for (before, played) in way.into_iter().rev() {
                position.undo(played);
                assert_eq!(position, before);
            }
            Ok(())
        });
    }
}
