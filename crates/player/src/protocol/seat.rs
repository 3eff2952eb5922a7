//! What all protocols share: the board with the way back, the clock, and the rules of entering.

use std::fmt;
use std::time::Duration;

use sixproof_game::{Color, Game, IllegalStone, Position, SetupError, Square};

use super::Effect;
use super::clock::Clock;
use crate::{Control, Thought};

/// Why a move is not entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A stone cannot be placed there.
    Stone(Square, IllegalStone),
    /// The number of stones, and the number of those to be placed.
    Count(usize, u32),
    /// The game is over.
    Over,
}

impl Refusal {
    /// The reason in words, with squares named as the protocol does.
    pub fn told(self, game: Game, name: fn(Game, Square) -> String) -> String {
        let stones = |n: usize| format!("{n} {}", if n == 1 { "stone" } else { "stones" });
        match self {
            Refusal::Stone(square, why) => format!("illegal move {}: {why}", name(game, square)),
            Refusal::Count(given, left) => {
                let are = if left == 1 { "is" } else { "are" };
                format!("illegal move: {} where {left} {are} to be placed", stones(given))
            }
            Refusal::Over => "the game is over".to_string(),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.told(Game::CONNECT6, Game::square_name))
    }
}

impl std::error::Error for Refusal {}

/// Whether the game is over.
pub(super) fn is_over(position: &Position) -> bool {
    position.winner().is_some() || position.is_full()
}

/// Enters a whole move: all of its stones, or none. Returns how many were placed.
///
/// A move is a set of stones, so that one which wins with its first stone may have others, on empty
/// squares: many programs always send two. Those are not placed: the game is over.
pub fn enter(position: &mut Position, squares: &[Square]) -> Result<usize, Refusal> {
    let left = position.left();
    let mut after = position.clone();
    let placed = place(&mut after, squares)?;
    let mover_is_done = after.to_move() != position.to_move();
    if !mover_is_done && !is_over(&after) {
        return Err(Refusal::Count(squares.len(), left));
    }
    *position = after;
    Ok(placed)
}

/// Places stones of one side, perhaps not all of a move.
fn place(position: &mut Position, squares: &[Square]) -> Result<usize, Refusal> {
    if is_over(position) {
        return Err(Refusal::Over);
    }
    let (mover, left) = (position.to_move(), position.left());
    if squares.is_empty() || squares.len() > left as usize {
        return Err(Refusal::Count(squares.len(), left));
    }
    let mut placed = 0;
    for (index, &square) in squares.iter().enumerate() {
        if position.winner().is_some() {
            let refuse = |why| Err(Refusal::Stone(square, why));
            match position.at(square) {
                Some(color) => return refuse(IllegalStone::Occupied(square, color)),
                None if squares[..index].contains(&square) => {
                    return refuse(IllegalStone::Occupied(square, mover));
                }
                None if !position.game().contains(square) => {
                    return refuse(IllegalStone::OffBoard(square));
                }
                None => continue,
            }
        }
        position.place(square).map_err(|why| Refusal::Stone(square, why))?;
        placed += 1;
    }
    Ok(placed)
}

/// The board of a game under way, and its clock.
#[derive(Clone, Debug)]
pub(super) struct Seat {
    start: Position,
    /// The stones placed since then.
    stones: Vec<Square>,
    position: Position,
    pub(super) clock: Clock,
    name: fn(Game, Square) -> String,
}

impl Seat {
    /// An empty board; errors name squares by `name`.
    pub(super) fn new(game: Game, control: Control, name: fn(Game, Square) -> String) -> Seat {
        let start = Position::new(game);
        let position = start.clone();
        Seat { start, stones: Vec::new(), position, clock: Clock::new(control), name }
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
        let placed = enter(&mut self.position, squares).map_err(|refusal| self.told(refusal))?;
        self.stones.extend(&squares[..placed]);
        Ok(squares[..placed].to_vec())
    }

    /// Places some stones of the side to move, or none of them.
    pub(super) fn play_stones(&mut self, squares: &[Square]) -> Result<(), String> {
        let mut after = self.position.clone();
        let placed = place(&mut after, squares).map_err(|refusal| self.told(refusal))?;
        self.position = after;
        self.stones.extend(&squares[..placed]);
        Ok(())
    }

    /// Plays stones from the empty board, any number of moves; changes nothing if they cannot be
    /// played in this order.
    pub(super) fn replay(&mut self, game: Game, stones: &[Square]) -> Result<(), String> {
        let mut position = Position::new(game);
        for &square in stones {
            position.place(square).map_err(|why| self.told(Refusal::Stone(square, why)))?;
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
            position.place(square).map_err(|why| self.told(Refusal::Stone(square, why)))?;
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

    fn told(&self, refusal: Refusal) -> String {
        if let (Refusal::Over, Some(winner)) = (refusal, self.position.winner()) {
            return format!("the game is over: {} has won", winner.title());
        }
        refusal.told(self.game(), self.name)
    }

    /// Asks for a move.
    pub(super) fn think(&self) -> Result<Effect, String> {
        if is_over(&self.position) {
            return Err(self.told(Refusal::Over));
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
    fn four() -> Seat {
        let game = Game::CONNECT6;
        let mut seat = Seat::new(game, Control::Move(Duration::from_secs(1)), Game::square_name);
        for stones in ["J10", "A1 A3", "K10 L10", "A5 A7", "M10 C1", "A9 A11"] {
            seat.play_move(&squares(game, stones)).unwrap();
        }
        seat
    }

    #[test]
    fn a_move_is_entered_as_a_whole_or_not_at_all() {
        let mut seat = four();
        let before = seat.position().clone();
        for (stones, told) in [
            ("N10", "illegal move: 1 stone where 2 are to be placed"),
            ("N10 O10 P10", "illegal move: 3 stones where 2 are to be placed"),
            ("N10 J10", "illegal move J10: the square is taken by a black stone"),
            ("B2 B2", "illegal move B2: the square is taken by a black stone"),
        ] {
            assert_eq!(seat.play_move(&squares(seat.game(), stones)).unwrap_err(), told);
            assert_eq!(seat.position(), &before);
        }
        let off = [Square::new(0, 19), Square::new(3, 3)];
        assert!(seat.play_move(&off).is_err() && seat.position() == &before);
    }

    #[test]
    fn a_win_with_the_first_stone_may_have_a_second_on_an_empty_square() {
        let mut seat = four();
        seat.play_move(&squares(seat.game(), "N10 D1")).unwrap();
        seat.play_move(&squares(seat.game(), "B1 B3")).unwrap();
        for stones in ["O10 J10", "O10 O10"] {
            assert!(seat.play_move(&squares(seat.game(), stones)).is_err(), "{stones}");
        }
        let off = [seat.game().parse_square("O10").unwrap(), Square::new(-1, 0)];
        assert!(seat.play_move(&off).is_err());
        assert!(seat.position().winner().is_none());
        let mut other = seat.clone();
        let placed = seat.play_move(&squares(seat.game(), "O10 P10")).unwrap();
        assert_eq!(placed.len(), 1);
        assert_eq!(seat.result().as_deref(), Some("Black has won"));
        assert_eq!(seat.think().unwrap_err(), "the game is over: Black has won");
        assert_eq!(seat.take_back(), placed.last().copied());
        assert!(seat.position().winner().is_none());
        // The engine's own move names such a stone, too.
        let thought = Thought { squares: placed, ..Thought::default() };
        let told = other.answer(&thought, Duration::ZERO).unwrap();
        assert_eq!(told.len(), 2);
        assert_eq!(enter(&mut seat.position, &told), Ok(1));
    }

    #[test]
    fn all_stones_can_be_taken_back() {
        let mut seat = four();
        let count = seat.stones().len();
        assert_eq!(std::iter::from_fn(|| seat.take_back()).count(), count);
        assert_eq!(seat.position(), &Position::new(Game::CONNECT6));
    }

    #[test]
    fn an_engine_without_a_move_changes_nothing() {
        let mut seat = four();
        let before = seat.position().clone();
        assert!(seat.answer(&Thought::default(), Duration::ZERO).is_err());
        assert_eq!(seat.position(), &before);
    }
}
