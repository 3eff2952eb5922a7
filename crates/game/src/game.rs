//! The game that is played: the parameters of Connect(m,n,k,p,q) and their limits.

use std::fmt;
use std::str::FromStr;

use crate::{Color, Square, named};

/// The most columns or rows of a bounded board.
pub const BOARD_MAX: u32 = 59;
/// The longest winning line.
pub const K_MAX: u32 = 19;
/// The most stones in a move.
pub const P_MAX: u32 = 9;
/// The most stones in Black's first move.
pub const Q_MAX: u32 = 19;

/// A game of the family Connect(m,n,k,p,q) (Wu & Huang, section 1): on a board of m columns and n
/// rows each side places p stones a move, except that Black's first move has q; k in a row wins.
///
/// Under the *exact* rule a line of more than k stones does not win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Game {
    cols: u32,
    rows: u32,
    k: u32,
    p: u32,
    q: u32,
    exact: bool,
}

/// The games that have a name of their own, with what people call them.
const NAMED: [(&str, Game, &str); 4] = [
    ("connect6", Game::CONNECT6, "Connect6, 19 x 19"),
    ("gomoku", Game { cols: 15, rows: 15, k: 5, p: 1, q: 1, exact: false }, "free-style Go-Moku"),
    (
        "gomoku-exact",
        Game { cols: 15, rows: 15, k: 5, p: 1, q: 1, exact: true },
        "Go-Moku where exactly five wins",
    ),
    ("tic-tac-toe", Game { cols: 3, rows: 3, k: 3, p: 1, q: 1, exact: false }, "tic-tac-toe"),
];

impl Game {
    /// Connect6: Connect(19,19,6,2,1).
    pub const CONNECT6: Game = Game { cols: 19, rows: 19, k: 6, p: 2, q: 1, exact: false };

    /// A game; `cols` and `rows` both 0 make the board unbounded.
    pub fn new(
        cols: u32,
        rows: u32,
        k: u32,
        p: u32,
        q: u32,
        exact: bool,
    ) -> Result<Game, GameError> {
        let unbounded = cols == 0 && rows == 0;
        if !unbounded && (cols == 0 || rows == 0 || cols > BOARD_MAX || rows > BOARD_MAX) {
            return Err(GameError::Board { cols, rows });
        }
        let bounds = [("k", k, K_MAX), ("p", p, P_MAX), ("q", q, Q_MAX)];
        for (name, value, max) in bounds {
            if value < 1 || max < value {
                return Err(GameError::Parameter { name, value, max });
            }
        }
        if !unbounded && cols.max(rows) < k {
            return Err(GameError::NoLineFits { cols, rows, k });
        }
        Ok(Game { cols, rows, k, p, q, exact })
    }

    /// The games with a name of their own: name, game, description.
    pub fn named() -> impl Iterator<Item = (&'static str, Game, &'static str)> {
        NAMED.into_iter()
    }

    /// The same game on a board of another size, which is bounded: no size that a file or a program
    /// gives makes the board unbounded.
    pub fn resized(self, cols: u32, rows: u32) -> Result<Game, GameError> {
        if cols == 0 || rows == 0 {
            return Err(GameError::Board { cols, rows });
        }
        Game::new(cols, rows, self.k, self.p, self.q, self.exact)
    }

    /// The number of columns of the board; 0 when it is unbounded.
    pub fn cols(self) -> u32 {
        self.cols
    }

    /// The number of rows of the board; 0 when it is unbounded.
    pub fn rows(self) -> u32 {
        self.rows
    }

    /// The number of stones in a row that win.
    pub fn k(self) -> u32 {
        self.k
    }

    /// The number of stones in a move.
    pub fn p(self) -> u32 {
        self.p
    }

    /// The number of stones in Black's first move.
    pub fn q(self) -> u32 {
        self.q
    }

    /// Whether a line of more than k stones does not win.
    pub fn exact(self) -> bool {
        self.exact
    }

    /// Whether the board has no border.
    pub fn is_unbounded(self) -> bool {
        self.cols == 0
    }

    /// The number of squares; `None` when the board is unbounded.
    pub fn area(self) -> Option<usize> {
        (!self.is_unbounded()).then_some(self.cols as usize * self.rows as usize)
    }

    /// Whether the square is on the board.
    pub fn contains(self, square: Square) -> bool {
        self.is_unbounded()
            || (0..self.cols as i32).contains(&square.x)
                && (0..self.rows as i32).contains(&square.y)
    }

    /// All squares of a bounded board, row by row from the bottom left; an unbounded one yields
    /// none.
    pub fn squares(self) -> impl Iterator<Item = Square> {
        (0..self.rows as i32)
            .flat_map(move |y| (0..self.cols as i32).map(move |x| Square::new(x, y)))
    }

    /// The side that places the stone number `index` (from 0) of a game without set-up stones, and
    /// the number of stones that are then left in that move, this one included.
    pub fn turn(self, index: usize) -> (Color, u32) {
        let (p, q) = (self.p as usize, self.q as usize);
        if index < q {
            return (Color::Black, (q - index) as u32);
        }
        let (round, within) = ((index - q) / p, (index - q) % p);
        let color = if round % 2 == 0 { Color::White } else { Color::Black };
        (color, (p - within) as u32)
    }

    /// The number of black stones among the first `count` of a game without set-up stones.
    pub(crate) fn blacks_among(self, count: usize) -> usize {
        let (p, q) = (self.p as usize, self.q as usize);
        let Some(after_first) = count.checked_sub(q) else { return count };
        // Rounds follow Black's first move; Black has the second, the fourth, and so on. The last
        // round may be under way.
        let (rounds, under_way) = (after_first / p, after_first % p);
        q + rounds / 2 * p + if rounds % 2 == 1 { under_way } else { 0 }
    }

    /// The side to move and its stones after these numbers of stones of each side, when `player` is
    /// all that is known about it.
    ///
    /// Without a player it is the side whose turn it is in a game that leads to these counts; if
    /// there is no such game, Black if Black has no more stones than White, and White otherwise.
    /// The stones left are those of that turn if it is the player's, else a whole move.
    pub fn turn_after(self, black: usize, white: usize, player: Option<Color>) -> (Color, u32) {
        let regular = (self.blacks_among(black + white) == black).then(|| self.turn(black + white));
        let few = if black <= white { Color::Black } else { Color::White };
        let to_move = player.unwrap_or(regular.map_or(few, |(color, _)| color));
        match regular {
            Some((color, left)) if color == to_move => (color, left),
            _ if black + white == 0 && to_move == Color::Black => (to_move, self.q),
            _ => (to_move, self.p),
        }
    }
}

/// The name that people use, else the parameters: `connect6`, `9,7,4,1,1`, `inf,inf,6,2,1,exact`.
/// The text can be read again.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((name, ..)) = NAMED.into_iter().find(|(_, game, _)| game == self) {
            return f.pad(name);
        }
        let (k, p, q) = (self.k, self.p, self.q);
        if self.is_unbounded() {
            write!(f, "inf,{k},{p},{q}")?;
        } else {
            write!(f, "{},{},{k},{p},{q}", self.cols, self.rows)?;
        }
        f.write_str(if self.exact { ",exact" } else { "" })
    }
}

impl Game {
    /// The name as the papers write it: `Connect(19,19,6,2,1)`, `Connect(6,2,1)` on the unbounded
    /// board.
    pub fn title(self) -> String {
        let (k, p, q) = (self.k, self.p, self.q);
        let exact = if self.exact { ", exact" } else { "" };
        if self.is_unbounded() {
            format!("Connect({k},{p},{q}){exact}")
        } else {
            format!("Connect({},{},{k},{p},{q}){exact}", self.cols, self.rows)
        }
    }
}

/// Reads a name, `m,n,k,p,q[,exact]`, `inf,k,p,q[,exact]` or `inf,inf,k,p,q[,exact]`, also in the
/// papers' dress (`Connect(19,19,6,2,1)`, and `Connect(6,2,1)` for the unbounded board).
impl FromStr for Game {
    type Err = GameError;

    fn from_str(text: &str) -> Result<Game, GameError> {
        let lower = text.trim().to_ascii_lowercase();
        if let Some((_, game, _)) = NAMED.into_iter().find(|(name, ..)| *name == lower) {
            return Ok(game);
        }
        let dressed = lower.strip_prefix("connect(");
        // `Connect(6,2,1), exact` is how `title` dresses an exact game: the bracket closes early.
        let inner = dressed.map_or(lower.clone(), |rest| rest.replacen(')', "", 1));
        let syntax = || GameError::Syntax { text: text.trim().to_string() };
        let mut words: Vec<&str> = inner.split(',').map(str::trim).collect();
        let exact = words.last() == Some(&"exact");
        if exact {
            words.pop();
        }
        let unbounded = words.first() == Some(&"inf");
        while words.first() == Some(&"inf") {
            words.remove(0);
        }
        let numbers: Vec<u32> =
            words.iter().map(|w| w.parse().map_err(|_| syntax())).collect::<Result<_, _>>()?;
        match numbers[..] {
            [k, p, q] if unbounded || dressed.is_some() => Game::new(0, 0, k, p, q, exact),
            // Two zeros are the certificate's way to write "unbounded"; in typed text they are an
            // error.
            [cols, rows, k, p, q] if !unbounded => Game::new(cols, rows, k, p, q, exact),
            [_, _, ..] if dressed.is_none() => {
                let text = text.trim().to_string();
                Err(GameError::Count { text, numbers: numbers.len(), unbounded })
            }
            _ => Err(syntax()),
        }
    }
}

/// Why there is no such game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameError {
    /// The text is neither a name nor a list of parameters.
    Syntax {
        /// The text as given.
        text: String,
    },
    /// A list of numbers that has not as many as a game.
    Count {
        /// The text as given.
        text: String,
        /// The number of its numbers.
        numbers: usize,
        /// Whether it is about the unbounded board.
        unbounded: bool,
    },
    /// The board has no squares, or more than [`BOARD_MAX`] columns or rows.
    Board {
        /// Columns asked for.
        cols: u32,
        /// Rows asked for.
        rows: u32,
    },
    /// k, p or q is zero or above its limit.
    Parameter {
        /// `k`, `p` or `q`.
        name: &'static str,
        /// The value asked for.
        value: u32,
        /// Its limit.
        max: u32,
    },
    /// No line of k squares fits on the board, so neither side can win.
    NoLineFits {
        /// Columns asked for.
        cols: u32,
        /// Rows asked for.
        rows: u32,
        /// The line that does not fit.
        k: u32,
    },
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameError::Syntax { text } => {
                let names = NAMED.map(|(name, ..)| name);
                write!(f, "`{text}` is not a game; ")?;
                match named::nearest(text, names.into_iter()) {
                    Some(name) => write!(f, "did you mean `{name}`?"),
                    None => {
                        let names = names.join(", ");
                        write!(f, "write {names}, m,n,k,p,q[,exact] or inf,k,p,q[,exact]")
                    }
                }
            }
            GameError::Count { text, numbers, unbounded: false } => {
                write!(f, "`{text}` has {numbers} numbers; five are needed: m,n,k,p,q")
            }
            GameError::Count { text, numbers, unbounded: true } => {
                let more = "three are needed after `inf`: inf,k,p,q";
                write!(f, "`{text}` has {numbers} numbers; {more}")
            }
            GameError::Board { cols, rows } => write!(
                f,
                "a board of {cols} x {rows} is not possible; \
                 both sides are 1 to {BOARD_MAX}, or inf for the unbounded board"
            ),
            GameError::Parameter { name, value, max } => {
                write!(f, "{name} = {value} is not possible; {name} is 1 to {max}")
            }
            GameError::NoLineFits { cols, rows, k } => {
                write!(f, "no line of {k} fits on a board of {cols} x {rows}")
            }
        }
    }
}

impl std::error::Error for GameError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_size_never_makes_the_board_unbounded() {
        assert_eq!(
            Game::CONNECT6.resized(15, 20).map(|game| (game.cols(), game.rows())),
            Ok((15, 20))
        );
        for (cols, rows) in [(0, 0), (0, 19), (19, 0)] {
            let error = Game::CONNECT6.resized(cols, rows);
            assert_eq!(error, Err(GameError::Board { cols, rows }));
        }
    }

    #[test]
    fn names_and_parameters_round_trip() {
        let texts =
            ["connect6", "gomoku", "gomoku-exact", "tic-tac-toe", "9,7,4,1,1", "5,5,4,2,2,exact"];
        for text in texts.into_iter().chain(["inf,6,2,1", "inf,5,1,1,exact", "1,59,19,9,19"]) {
            let game: Game = text.parse().unwrap();
            assert_eq!(game.to_string(), text);
            assert_eq!(game.title().parse::<Game>(), Ok(game), "{}", game.title());
        }
    }

    #[test]
    fn other_spellings_are_read() {
        for (text, canonical) in [
            ("19,19,6,2,1", "connect6"),
            (" Connect6 ", "connect6"),
            ("Connect(19,19,6,2,1)", "connect6"),
            ("connect(6,2,3)", "inf,6,2,3"),
            ("inf,inf,6,2,1", "inf,6,2,1"),
            ("15, 15, 5, 1, 1, exact", "gomoku-exact"),
        ] {
            assert_eq!(text.parse::<Game>().unwrap().to_string(), canonical);
        }
    }

    #[test]
    fn impossible_games_are_refused_with_the_reason() {
        for (text, reason) in [
            ("19,19,6,0,1", "p = 0"),
            ("19,19,6,2,0", "q = 0"),
            ("19,19,0,2,1", "k = 0"),
            ("19,19,20,2,1", "k = 20"),
            ("5,5,6,2,1", "no line of 6 fits"),
            ("60,19,6,2,1", "60 x 19"),
            ("0,19,6,2,1", "0 x 19"),
            ("19,19,6,10,1", "p = 10"),
            ("chess", "not a game; write connect6, gomoku"),
            ("Conect6", "not a game; did you mean `connect6`?"),
            ("gomoku exact", "not a game; did you mean `gomoku-exact`?"),
            ("tx-h9", "not a game; write connect6, gomoku"),
            ("19,19,6,2", "has 4 numbers; five are needed: m,n,k,p,q"),
            ("9,9,5,2,1,1", "has 6 numbers; five are needed"),
            ("inf,6,2", "has 2 numbers; three are needed after `inf`: inf,k,p,q"),
            ("19", "not a game"),
            ("-1,19,6,2,1", "not a game"),
            ("99999999999,1,1,1,1", "not a game"),
        ] {
            let error = text.parse::<Game>().unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn the_counts_of_a_game_determine_the_turn() {
        for game in ["connect6", "gomoku", "9,9,4,3,2", "9,9,4,2,5"] {
            let game: Game = game.parse().unwrap();
            let mut black = 0;
            for count in 0..60 {
                assert_eq!(game.blacks_among(count), black);
                assert_eq!(game.turn_after(black, count - black, None), game.turn(count));
                black += usize::from(game.turn(count).0 == Color::Black);
            }
        }
    }

    #[test]
    fn turns_follow_p_and_q() {
        let game: Game = "inf,6,2,3".parse().unwrap();
        let turns: Vec<_> = (0..8).map(|i| game.turn(i)).collect();
        use Color::{Black, White};
        assert_eq!(
            turns,
            [
                (Black, 3),
                (Black, 2),
                (Black, 1),
                (White, 2),
                (White, 1),
                (Black, 2),
                (Black, 1),
                (White, 2)
            ]
        );
    }
}
