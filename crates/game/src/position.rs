//! Positions: stones, the side to move, and the number of stones left in its move.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::{Color, Game, Segment, Square};

/// Stones on the board, the side to move, and the stones it has left to place in this move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    game: Game,
    stones: BTreeMap<Square, Color>,
    to_move: Color,
    left: u32,
    winner: Option<Color>,
}

impl Position {
    /// The empty board, Black to place q stones.
    pub fn new(game: Game) -> Position {
        Position {
            game,
            stones: BTreeMap::new(),
            to_move: Color::Black,
            left: game.q(),
            winner: None,
        }
    }

    /// A position that a user or a file claims: any stones, any side to move. Stone counts that no
    /// game would lead to are allowed ([`Position::irregularity`] finds them).
    pub fn set_up(
        game: Game,
        black: &[Square],
        white: &[Square],
        to_move: Color,
        left: u32,
    ) -> Result<Position, SetupError> {
        let mut stones = BTreeMap::new();
        let sides = [(Color::Black, black), (Color::White, white)];
        for (color, &square) in sides.iter().flat_map(|(c, list)| list.iter().map(move |s| (c, s)))
        {
            if !game.contains(square) {
                return Err(SetupError::OffBoard { square, game });
            }
            if stones.insert(square, *color).is_some() {
                return Err(SetupError::Twice { square, game });
            }
        }
        let mut position = Position { game, stones, to_move, left, winner: None };
        let max = position.left_max();
        if left < 1 || max < left {
            return Err(SetupError::Left { left, max });
        }
        position.winner = [Color::Black, Color::White]
            .into_iter()
            .find(|&color| position.squares_of(color).any(|s| position.wins_through(color, s)));
        Ok(position)
    }

    /// The most stones the side to move can have left: q in Black's first move, else p. A set-up
    /// position with black stones only may be either.
    fn left_max(&self) -> u32 {
        let (p, q) = (self.game.p(), self.game.q());
        match (self.to_move, self.count(Color::Black), self.count(Color::White)) {
            (Color::Black, 0, 0) => q,
            (Color::Black, _, 0) => p.max(q),
            _ => p,
        }
    }

    /// The game.
    pub fn game(&self) -> Game {
        self.game
    }

    /// The side to move.
    pub fn to_move(&self) -> Color {
        self.to_move
    }

    /// The number of stones that the side to move has left to place in this move.
    pub fn left(&self) -> u32 {
        self.left
    }

    /// The side that has k in a row, if there is one.
    pub fn winner(&self) -> Option<Color> {
        self.winner
    }

    /// Whether no empty square is left.
    pub fn is_full(&self) -> bool {
        self.game.area() == Some(self.stones.len())
    }

    /// The stone on a square.
    pub fn at(&self, square: Square) -> Option<Color> {
        self.stones.get(&square).copied()
    }

    /// All stones, row by row from the bottom.
    pub fn stones(&self) -> impl Iterator<Item = (Square, Color)> {
        self.stones.iter().map(|(&s, &c)| (s, c))
    }

    /// The squares of one side's stones, row by row from the bottom.
    pub fn squares_of(&self, color: Color) -> impl Iterator<Item = Square> {
        self.stones().filter(move |&(_, c)| c == color).map(|(s, _)| s)
    }

    /// The number of a side's stones.
    pub fn count(&self, color: Color) -> usize {
        self.squares_of(color).count()
    }

    /// Places one stone of the side to move. The move ends with its last stone, with the stone that
    /// completes a line, or with the last empty square.
    pub fn place(&mut self, square: Square) -> Result<(), IllegalStone> {
        if let Some(winner) = self.winner {
            return Err(IllegalStone::GameOver(winner));
        }
        self.is_free(square)?;
        let color = self.to_move;
        self.stones.insert(square, color);
        if self.wins_through(color, square) {
            self.winner = Some(color);
        }
        self.left -= 1;
        if self.left == 0 || self.winner.is_some() {
            self.pass();
        }
        Ok(())
    }

    /// Whether a stone has room on a square.
    pub(crate) fn is_free(&self, square: Square) -> Result<(), IllegalStone> {
        if !self.game.contains(square) {
            return Err(IllegalStone::OffBoard(square));
        }
        match self.at(square) {
            Some(color) => Err(IllegalStone::Occupied(square, color)),
            None => Ok(()),
        }
    }

    /// Takes the last stones away; `to_move` and `left` are as they were before them.
    pub(crate) fn remove(&mut self, stones: &[Square], to_move: Color, left: u32) {
        for square in stones {
            self.stones.remove(square);
        }
        (self.to_move, self.left, self.winner) = (to_move, left, None);
    }

    /// Ends the move of the side to move, with any number of stones left: a null or semi-null move,
    /// which the rules do not know but records and proofs do.
    pub fn pass(&mut self) {
        self.to_move = !self.to_move;
        // A set-up may have White begin: Black's first move has its own number of stones.
        let is_first = self.to_move == Color::Black && self.stones().next().is_none();
        self.left = if is_first { self.game.q() } else { self.game.p() };
    }

    /// A line of `color` through `square` that wins under the rule of the game.
    fn wins_through(&self, color: Color, square: Square) -> bool {
        self.winning_segments_through(color, square).next().is_some()
    }

    fn winning_segments_through(
        &self,
        color: Color,
        square: Square,
    ) -> impl Iterator<Item = Segment> {
        let own = move |s: Square| self.at(s) == Some(color);
        Segment::through(self.game, square)
            .filter(move |segment| segment.squares(self.game).all(own))
            .filter(move |g| !self.game.exact() || !g.beyond(self.game).into_iter().any(own))
    }

    /// The squares of all lines that win, empty while neither side has won.
    pub fn winning_squares(&self) -> BTreeSet<Square> {
        let Some(winner) = self.winner else { return BTreeSet::new() };
        self.squares_of(winner)
            .flat_map(|s| self.winning_segments_through(winner, s))
            .flat_map(|segment| segment.squares(self.game))
            .collect()
    }

    /// The threats of a side (docs/certificate.md, Rules): segments without a stone of the other
    /// side and with at most p empty squares. Under the exact rule no own stone may lie just beyond
    /// an end.
    pub fn threats(&self, color: Color) -> BTreeSet<Segment> {
        let missing = |segment: &Segment| {
            segment.squares(self.game).filter(|&s| self.at(s).is_none()).count() as u32
        };
        self.squares_of(color)
            .flat_map(|s| Segment::through(self.game, s))
            .filter(|g| g.squares(self.game).all(|s| self.at(s) != Some(!color)))
            .filter(|g| missing(g) <= self.game.p())
            .filter(|g| {
                let beyond = g.beyond(self.game);
                !self.game.exact() || beyond.into_iter().all(|s| self.at(s) != Some(color))
            })
            .collect()
    }

    /// The irregularity of the stone counts, in one sentence, when no game leads to them.
    pub fn irregularity(&self) -> Option<String> {
        let (black, white) = (self.count(Color::Black), self.count(Color::White));
        let (to_move, left) = self.game.turn(black + white);
        let regular = self.game.blacks_among(black + white) == black;
        let moved_on = self.winner.is_some() || self.is_full();
        if !regular && !self.winner.is_some_and(|_| self.ended_early(black, white)) {
            return Some(format!(
                "{black} black and {white} white stones never arise in {}; \
                 taken as a set-up position",
                self.game.title()
            ));
        }
        if !moved_on && (to_move, left) != (self.to_move, self.left) {
            return Some(format!(
                "after {black} black and {white} white stones {to_move} has {left} to place, \
                 not {} {}; taken as a set-up position",
                self.to_move, self.left
            ));
        }
        None
    }

    /// Whether the counts are those of a game whose last move was cut short by a completed line.
    fn ended_early(&self, black: usize, white: usize) -> bool {
        (0..=black + white).any(|n| {
            let (mover, left) = self.game.turn(n);
            let before = self.game.blacks_among(n);
            let placed = (black + white - n) as u32;
            let ends = placed <= left && Some(mover) == self.winner;
            let blacks = if mover == Color::Black { before + placed as usize } else { before };
            ends && blacks == black
        })
    }
}

/// Why a stone cannot be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IllegalStone {
    /// The square is not on the board.
    OffBoard(Square),
    /// There is a stone already.
    Occupied(Square, Color),
    /// This side has won: there are no more moves.
    GameOver(Color),
}

impl fmt::Display for IllegalStone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IllegalStone::OffBoard(_) => f.write_str("the square is off the board"),
            IllegalStone::Occupied(_, color) => {
                write!(f, "the square is taken by a {color} stone")
            }
            IllegalStone::GameOver(winner) => {
                write!(f, "the game is over: {winner} has won")
            }
        }
    }
}

impl std::error::Error for IllegalStone {}

/// Why a set-up position is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupError {
    /// A stone off the board.
    OffBoard {
        /// Where it is.
        square: Square,
        /// Whose board.
        game: Game,
    },
    /// Two stones on one square.
    Twice {
        /// The square.
        square: Square,
        /// The game that names it.
        game: Game,
    },
    /// No such number of stones can be left to place.
    Left {
        /// The number asked for.
        left: u32,
        /// The most there can be.
        max: u32,
    },
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::OffBoard { square, game } => {
                write!(f, "`{}` is off the board", game.square_name(*square))
            }
            SetupError::Twice { square, game } => {
                write!(f, "`{}` has two stones", game.square_name(*square))
            }
            SetupError::Left { left, max } => {
                write!(f, "{left} stones to place are not possible here; write 1 to {max}")
            }
        }
    }
}

impl std::error::Error for SetupError {}

#[cfg(test)]
mod tests {
    use super::*;
    use arbtest::arbtest;

    fn squares(game: Game, names: &str) -> Vec<Square> {
        names.split_whitespace().map(|name| game.parse_square(name).unwrap()).collect()
    }

    fn played(game: &str, names: &str) -> Position {
        let mut position = Position::new(game.parse().unwrap());
        for square in squares(position.game(), names) {
            position.place(square).unwrap();
        }
        position
    }

    #[test]
    fn a_move_ends_with_its_last_stone() {
        let position = played("connect6", "J10 I8");
        assert_eq!((position.to_move(), position.left()), (Color::White, 1));
        let position = played("connect6", "J10 I8 H9");
        assert_eq!((position.to_move(), position.left()), (Color::Black, 2));
    }

    #[test]
    fn a_move_ends_with_the_stone_that_completes_a_line() {
        let mut position = played("5,5,3,2,1", "A1 A5 B5 B1 E4 A4 B4 C1");
        assert_eq!(position.winner(), Some(Color::Black));
        assert_eq!((position.to_move(), position.left()), (Color::White, 2));
        let game = position.game();
        assert_eq!(position.winning_squares(), squares(game, "A1 B1 C1").into_iter().collect());
        let refused = position.place(squares(game, "E1")[0]);
        assert_eq!(refused, Err(IllegalStone::GameOver(Color::Black)));
        assert_eq!(position.irregularity(), None);
    }

    #[test]
    fn an_overline_wins_only_under_the_free_rule() {
        for (rule, winner) in [("7,3,3,1,1", Some(Color::Black)), ("7,3,3,1,1,exact", None)] {
            assert_eq!(played(rule, "A1 A3 B1 C3 D1 E3 C1").winner(), winner, "{rule}");
        }
    }

    #[test]
    fn illegal_stones_are_refused_and_change_nothing() {
        let mut position = played("tic-tac-toe", "B2");
        let before = position.clone();
        assert!(position.place(Square::new(1, 1)).is_err());
        assert!(position.place(Square::new(3, 0)).is_err());
        assert_eq!(position, before);
    }

    #[test]
    fn set_up_positions_may_be_odd_but_not_impossible() {
        let game = Game::CONNECT6;
        let black = squares(game, "J10 K10");
        let odd = Position::set_up(game, &black, &[], Color::White, 2).unwrap();
        assert!(odd.irregularity().unwrap().contains("2 black and 0 white"));
        let wrong_turn = Position::set_up(game, &black[..1], &[], Color::White, 1).unwrap();
        assert!(wrong_turn.irregularity().unwrap().contains("white has 2 to place"));
        let refused = |black: &[Square], white: &[Square], to_move, left| {
            Position::set_up(game, black, white, to_move, left).unwrap_err().to_string()
        };
        assert_eq!(refused(&black, &black, Color::White, 2), "`J10` has two stones");
        assert_eq!(refused(&[Square::new(19, 0)], &[], Color::White, 2), "`T1` is off the board");
        let left = |n| format!("{n} stones to place are not possible here");
        assert!(refused(&[], &[], Color::Black, 2).starts_with(&left(2)));
        assert!(refused(&black, &[], Color::White, 0).starts_with(&left(0)));
    }

    #[test]
    fn threats_have_at_most_p_empty_squares() {
        let game = Game::CONNECT6;
        let four = squares(game, "F10 G10 H10 I10");
        let position = Position::set_up(game, &four, &[], Color::White, 2).unwrap();
        assert_eq!(position.threats(Color::Black).len(), 3);
        let blocked = squares(game, "E10");
        let position = Position::set_up(game, &four, &blocked, Color::White, 2).unwrap();
        assert_eq!(position.threats(Color::Black).len(), 1);
        assert!(position.threats(Color::White).is_empty());
    }

    #[test]
    fn random_games_stay_regular_to_the_end() {
        arbtest(|u| {
            let (cols, rows) = (u.int_in_range(1..=6)?, u.int_in_range(1..=6)?);
            let k = u.int_in_range(1..=cols.max(rows))?;
            let (p, q) = (u.int_in_range(1..=3)?, u.int_in_range(1..=4)?);
            let game = Game::new(cols, rows, k, p, q, u.arbitrary()?).unwrap();
            let mut position = Position::new(game);
            let mut empties: Vec<Square> = game.squares().collect();
            while position.winner().is_none() && !position.is_full() {
                let square = empties.swap_remove(u.choose_index(empties.len())?);
                position.place(square).unwrap();
                assert_eq!(position.irregularity(), None, "{position:?}");
                let set_up = Position::set_up(
                    game,
                    &position.squares_of(Color::Black).collect::<Vec<_>>(),
                    &position.squares_of(Color::White).collect::<Vec<_>>(),
                    position.to_move(),
                    position.left(),
                );
                assert_eq!(set_up.unwrap(), position);
            }
            Ok(())
        });
    }
}
