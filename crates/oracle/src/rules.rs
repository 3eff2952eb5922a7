//! The game Connect(m, n, k, p, q), one stone at a time.
//!
//! Two sides put stones on a board of m columns and n rows. Black's first move has q stones, every
//! other move p. The side that first has k of its stones in a row (across, up, or on a diagonal)
//! wins, and the game ends with the very stone that completes the line. A full board is a draw; a
//! move that meets a full board is simply cut short. Under the *exact* rule a longer row does not
//! count.
//!
//! Sets of squares are bit masks, so boards have at most 64 squares: square `y * cols + x` is the
//! one in column x and row y, both counted from 0.

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Color {
    /// Moves first.
    Black,
    /// Moves second.
    White,
}

impl Color {
    /// The opponent.
    pub fn other(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }

    /// The side as certificates write it.
    pub fn name(self) -> &'static str {
        match self {
            Color::Black => "black",
            Color::White => "white",
        }
    }
}

/// The parameters of Connect(m, n, k, p, q). No columns and no rows: the board is unbounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Game {
    /// m, the number of columns.
    pub cols: usize,
    /// n, the number of rows.
    pub rows: usize,
    /// The number of stones in a row that win.
    pub k: usize,
    /// The number of stones in a move.
    pub p: usize,
    /// The number of stones in Black's first move.
    pub q: usize,
    /// Whether a row of more than k does not win.
    pub exact: bool,
}

impl Game {
    /// The free game, in which overlines win.
    pub const fn free(cols: usize, rows: usize, k: usize, p: usize, q: usize) -> Game {
        Game { cols, rows, k, p, q, exact: false }
    }

    /// The exact game, in which overlines do not win.
    pub fn exact(cols: usize, rows: usize, k: usize, p: usize, q: usize) -> Game {
        Game { exact: true, ..Game::free(cols, rows, k, p, q) }
    }
}

/// k squares in a row.
#[derive(Clone, Copy, Debug)]
struct Segment {
    squares: u64,
    /// The squares just beyond its two ends, as far as they are on the board.
    beyond: u64,
}

/// Stones, the side that places the next one, and the number left in the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Black's stones.
    pub black: u64,
    /// White's stones.
    pub white: u64,
    /// The side whose turn it is.
    pub to_move: Color,
    /// The number of stones still to place in this move, at least 1.
    pub left: usize,
}

impl Position {
    /// The stones of one side.
    pub fn stones(&self, side: Color) -> u64 {
        match side {
            Color::Black => self.black,
            Color::White => self.white,
        }
    }

    /// The same position with more stones of one side.
    pub fn with(mut self, side: Color, stones: u64) -> Position {
        match side {
            Color::Black => self.black |= stones,
            Color::White => self.white |= stones,
        }
        self
    }
}

/// A game with its segments, ready to be played.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The parameters.
    pub game: Game,
    /// The side whose overlines win even under the exact rule, if any.
    granted: Option<Color>,
    /// The side that never wins, if any.
    powerless: Option<Color>,
    segments: Vec<Segment>,
}

impl Rules {
    /// The rules of a game on a board of at most 64 squares.
    pub fn new(game: Game) -> Rules {
        assert!((1..=64).contains(&(game.cols * game.rows)), "boards have 1 to 64 squares");
        assert!(game.k >= 1 && game.p >= 1 && game.q >= 1);
        let mut segments = Vec::new();
        for y in 0..game.rows as i32 {
            for x in 0..game.cols as i32 {
                for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                    let bit = |i: i32| bit_at(game, x + i * dx, y + i * dy);
                    let inner: Vec<u64> = (0..game.k as i32).map(bit).collect();
                    if inner.iter().all(|&b| b != 0) {
                        let squares = inner.iter().fold(0, |a, b| a | b);
                        segments.push(Segment { squares, beyond: bit(-1) | bit(game.k as i32) });
                    }
                }
            }
        }
        Rules { game, granted: None, powerless: None, segments }
    }

    /// The harder game that proofs are about: under the exact rule `side` wins with overlines too.
    pub fn granting_overlines(game: Game, side: Color) -> Rules {
        Rules { granted: Some(side), ..Rules::new(game) }
    }

    /// The false rules of a liar: no row of `side` counts.
    pub fn powerless(game: Game, side: Color) -> Rules {
        Rules { powerless: Some(side), ..Rules::new(game) }
    }

    /// All squares.
    pub fn board(&self) -> u64 {
        u64::MAX >> (64 - self.game.cols * self.game.rows)
    }

    /// The squares without a stone.
    pub fn empties(&self, position: &Position) -> u64 {
        self.board() & !position.black & !position.white
    }

    /// The empty board.
    pub fn start(&self) -> Position {
        Position { black: 0, white: 0, to_move: Color::Black, left: self.game.q }
    }

    /// Whether `stones` of `side` hold a winning row.
    pub fn has_line(&self, side: Color, stones: u64) -> bool {
        self.winning_segments(side, stones).any(|s| s.squares & !stones == 0)
    }

    /// Whether `side` could still win if the opponent never moved again.
    pub fn has_hope(&self, side: Color, position: &Position) -> bool {
        let (own, other) = (position.stones(side), position.stones(side.other()));
        self.winning_segments(side, own).any(|s| s.squares & other == 0)
    }

    /// The sets of empty squares, of at most `most` squares, that complete a line of `side`.
    pub fn completions(&self, side: Color, position: &Position, most: usize) -> Vec<u64> {
        let (own, other) = (position.stones(side), position.stones(side.other()));
        self.winning_segments(side, own)
            .filter(|s| s.squares & other == 0)
            .map(|s| s.squares & !own)
            .filter(|missing| missing.count_ones() as usize <= most)
            .collect()
    }

    /// The position after a stone on the empty square `square`; the turn passes with the last
    /// stone of a move. Whether the stone ended the game is the caller's question.
    pub fn place(&self, position: &Position, square: u32) -> Position {
        assert!(self.empties(position) >> square & 1 == 1, "square {square} is taken");
        let mut next = position.with(position.to_move, 1 << square);
        next.left -= 1;
        if next.left == 0 {
            next.to_move = position.to_move.other();
            next.left = self.game.p;
        }
        next
    }

    /// The segments in which `side`, having these stones, may win: under the exact rule none of
    /// them is just beyond an end.
    fn winning_segments(&self, side: Color, own: u64) -> impl Iterator<Item = &Segment> {
        let exact = self.game.exact && self.granted != Some(side);
        let segments = if self.powerless == Some(side) { &[] } else { self.segments.as_slice() };
        segments.iter().filter(move |s| !(exact && s.beyond & own != 0))
    }
}

/// The bit of the square in column x and row y, or 0 off the board.
fn bit_at(game: Game, x: i32, y: i32) -> u64 {
    if x < 0 || y < 0 || x >= game.cols as i32 || y >= game.rows as i32 {
        return 0;
    }
    1 << (y as usize * game.cols + x as usize)
}

/// The squares of a mask, in ascending order.
pub fn squares(mut mask: u64) -> Vec<u32> {
    let mut list = Vec::new();
    while mask != 0 {
        list.push(mask.trailing_zeros());
        mask &= mask - 1;
    }
    list
}

/// All subsets of `mask` with exactly `size` squares.
pub fn subsets(mask: u64, size: usize) -> Vec<u64> {
    if size == 0 {
        return vec![0];
    }
    let mut list = Vec::new();
    let mut rest = mask;
    while rest != 0 {
        let first = rest & rest.wrapping_neg();
        rest &= !first;
        list.extend(subsets(rest, size - 1).into_iter().map(|s| s | first));
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlines_win_only_in_the_free_game() {
        let five = 0b11111;
        assert!(Rules::new(Game::free(5, 1, 4, 1, 1)).has_line(Color::Black, five));
        let exact = Game::exact(5, 1, 4, 1, 1);
        assert!(!Rules::new(exact).has_line(Color::Black, five));
        assert!(Rules::new(exact).has_line(Color::Black, 0b1111));
        let granting = Rules::granting_overlines(exact, Color::White);
        assert!(granting.has_line(Color::White, five) && !granting.has_line(Color::Black, five));
    }

    #[test]
    fn lines_run_in_four_directions_and_do_not_wrap() {
        let rules = Rules::new(Game::free(4, 4, 3, 1, 1));
        // 2 rows of segments in each of 4 rows, the same in columns, 4 on each diagonal direction.
        assert_eq!(rules.segments.len(), 8 + 8 + 4 + 4);
        assert!(rules.has_line(Color::White, 1 | 1 << 5 | 1 << 10));
        assert!(rules.has_line(Color::White, 1 << 2 | 1 << 5 | 1 << 8));
        assert!(!rules.has_line(Color::White, 1 << 2 | 1 << 3 | 1 << 4));
    }

    #[test]
    fn the_turn_passes_with_the_last_stone_of_a_move() {
        let rules = Rules::new(Game::free(3, 3, 3, 2, 1));
        let one = rules.place(&rules.start(), 4);
        assert_eq!((one.to_move, one.left), (Color::White, 2));
        let two = rules.place(&one, 0);
        assert_eq!((two.to_move, two.left), (Color::White, 1));
    }

    #[test]
    fn subsets_are_counted_by_binomials() {
        let sizes: Vec<usize> = (0..=5).map(|n| subsets(0b10111, n).len()).collect();
        assert_eq!(sizes, [1, 4, 6, 4, 1, 0]);
    }
}
