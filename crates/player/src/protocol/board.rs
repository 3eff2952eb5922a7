//! What all protocols share: the board with the way back, the clock, and the rules of entering.

use std::time::Duration;

use sixproof_game::{Color, Game, IllegalMove, IllegalStone, Position, SetupError, Square};

use super::Effect;
use super::clock::Clock;
use crate::{Control, Thought};

/// The board of a game under way, and its clock.
#[derive(Clone, Debug)]
pub(super) struct GameBoard {
    start: Position,
    /// The stones placed since then.
    stones: Vec<Square>,
    position: Position,
    pub(super) clock: Clock,
    name: fn(Game, Square) -> String,
}

impl GameBoard {
    /// An empty board; errors name squares by `name`.
    pub(super) fn new(game: Game, control: Control, name: fn(Game, Square) -> String) -> GameBoard {
        let start = Position::new(game);
        let position = start.clone();
        GameBoard { start, stones: Vec::new(), position, clock: Clock::new(control), name }
    }

    pub(super) fn game(&self) -> Game {
        self.position.game()
    }

    pub(super) fn position(&self) -> &Position {
        &self.position
    }

    /// The stones in the order they came, without those of a position that was set up.
    pub(super) fn stones(&self) -> &[Square] {
        &self.stones
    }

    /// A new game.
    pub(super) fn restart(&mut self, game: Game) {
        self.begin_at(Position::new(game));
        self.clock.restart();
    }

    fn begin_at(&mut self, position: Position) {
        self.stones.clear();
        self.start = position.clone();
        self.position = position;
    }

    /// Enters a whole move, or nothing; returns the stones that were placed.
    pub(super) fn play_move(&mut self, squares: &[Square]) -> Result<Vec<Square>, String> {
        let played = self.position.play(squares).map_err(|illegal| self.describe(illegal))?;
        // In the order of the controller; what follows a win is not placed.
        let placed = &squares[..played.stones().len()];
        self.stones.extend(placed);
        Ok(placed.to_vec())
    }

    /// Places some stones of the side to move, or none of them.
    pub(super) fn play_stones(&mut self, squares: &[Square]) -> Result<(), String> {
        let played = self.position.play_some(squares).map_err(|illegal| self.describe(illegal))?;
        self.stones.extend(&squares[..played.stones().len()]);
        Ok(())
    }

    /// Plays stones from the empty board, any number of moves; changes nothing if they cannot be
    /// played in this order.
    pub(super) fn replay(&mut self, game: Game, stones: &[Square]) -> Result<(), String> {
        let mut position = Position::new(game);
        for &square in stones {
            position.place(square).map_err(|why| self.illegal(square, why))?;
        }
        self.start = Position::new(game);
        self.stones = stones.to_vec();
        self.position = position;
        Ok(())
    }

    /// The same stones in a game with another rule, if they can be played under it.
    pub(super) fn change_rule(&mut self, game: Game) -> Result<(), String> {
        let of = |color| self.start.squares_of(color).collect::<Vec<Square>>();
        let (black, white) = (of(Color::Black), of(Color::White));
        let (to_move, left) = (self.start.to_move(), self.start.left());
        let start = Position::set_up(game, &black, &white, to_move, left)
            .map_err(|error| error.to_string())?;
        let mut position = start.clone();
        for &square in &self.stones {
            position.place(square).map_err(|why| self.illegal(square, why))?;
        }
        self.start = start;
        self.position = position;
        Ok(())
    }

    /// Sets up a position without moves that lead to it.
    pub(super) fn set_up(&mut self, position: Result<Position, SetupError>) -> Result<(), String> {
        self.begin_at(position.map_err(|error| match error {
            SetupError::OffBoard { square, game } | SetupError::Twice { square, game } => {
                format!("{} is taken twice or off the board", (self.name)(game, square))
            }
            SetupError::Left { .. } => error.to_string(),
        })?);
        Ok(())
    }

    /// Takes the last stone back.
    pub(super) fn take_back(&mut self) -> Option<Square> {
        let last = self.stones.pop()?;
        self.position = self.start.clone();
        for &square in &self.stones {
            self.position.place(square).expect("it was placed before");
        }
        Some(last)
    }

    fn describe(&self, illegal: IllegalMove) -> String {
        if let (IllegalMove::Over, Some(winner)) = (illegal, self.position.winner()) {
            return format!("the game is over: {} has won", winner.title());
        }
        illegal.describe(self.game(), self.name)
    }

    fn illegal(&self, square: Square, why: IllegalStone) -> String {
        self.describe(IllegalMove::Stone(square, why))
    }

    /// Asks for a move.
    pub(super) fn think(&self) -> Result<Effect, String> {
        if self.position.is_over() {
            return Err(self.describe(IllegalMove::Over));
        }
        let limits = self.clock.limits(self.position.to_move(), self.position.left());
        Ok(Effect::Think(Box::new(self.position.clone()), limits))
    }

    /// Enters the engine's own move, and takes its time off the clock.
    pub(super) fn answer(
        &mut self,
        thought: &Thought,
        spent: Duration,
    ) -> Result<Vec<Square>, String> {
        let (mover, left) = (self.position.to_move(), self.position.left() as usize);
        let first = &thought.squares[..thought.squares.len().min(left)];
        let placed = self.play_move(first).map_err(|why| format!("no move was found ({why})"))?;
        self.clock.spend(mover, spent);
        Ok(self.filled(placed, left))
    }

    /// A move with all its stones, even where fewer have won: some judges count them.
    fn filled(&self, mut squares: Vec<Square>, stones: usize) -> Vec<Square> {
        let empty = self.game().squares().filter(|&square| self.position.at(square).is_none());
        squares.extend(empty.take(stones.saturating_sub(squares.len())));
        squares
    }

    /// How the game ended, if it has.
    pub(super) fn result(&self) -> Option<String> {
        match self.position.winner() {
            Some(winner) => Some(format!("{} has won", winner.title())),
            None => self.position.is_full().then(|| "a draw: the board is full".to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(game: Game, text: &str) -> Vec<Square> {
        text.split(' ').map(|name| game.parse_square(name).unwrap()).collect()
    }

    /// Black has four in a row, and is to move.
    fn four() -> GameBoard {
        let game = Game::CONNECT6;
        let mut board =
            GameBoard::new(game, Control::Move(Duration::from_secs(1)), Game::square_name);
        for stones in ["J10", "A1 A3", "K10 L10", "A5 A7", "M10 C1", "A9 A11"] {
            board.play_move(&squares(game, stones)).unwrap();
        }
        board
    }

    #[test]
    fn a_move_that_is_refused_changes_nothing() {
        let mut board = four();
        let before = board.position().clone();
        for (stones, message) in [
            ("N10", "illegal move: 1 stone where 2 are to be placed"),
            ("N10 J10", "illegal move J10: the square is taken by a black stone"),
        ] {
            assert_eq!(board.play_move(&squares(board.game(), stones)).unwrap_err(), message);
            assert_eq!(board.position(), &before);
        }
    }

    #[test]
    fn a_win_with_the_first_stone_may_have_a_second_on_an_empty_square() {
        let mut board = four();
        board.play_move(&squares(board.game(), "N10 D1")).unwrap();
        board.play_move(&squares(board.game(), "B1 B3")).unwrap();
        let mut other = board.clone();
        let placed = board.play_move(&squares(board.game(), "O10 P10")).unwrap();
        assert_eq!(placed.len(), 1);
        assert_eq!(board.result().as_deref(), Some("Black has won"));
        assert_eq!(board.think().unwrap_err(), "the game is over: Black has won");
        assert_eq!(board.take_back(), placed.last().copied());
        assert!(board.position().winner().is_none());
        // The engine's own move names such a stone, too.
        let thought = Thought { squares: placed, ..Thought::default() };
        let placed = other.answer(&thought, Duration::ZERO).unwrap();
        assert_eq!(placed.len(), 2);
        assert_eq!(board.position.play(&placed).unwrap().stones().len(), 1);
    }

    #[test]
    fn all_stones_can_be_taken_back() {
        let mut board = four();
        let count = board.stones().len();
        assert_eq!(std::iter::from_fn(|| board.take_back()).count(), count);
        assert_eq!(board.position(), &Position::new(Game::CONNECT6));
    }

    #[test]
    fn an_engine_without_a_move_changes_nothing() {
        let mut board = four();
        let before = board.position().clone();
        assert!(board.answer(&Thought::default(), Duration::ZERO).is_err());
        assert_eq!(board.position(), &before);
    }
}
