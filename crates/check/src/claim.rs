//! The header of a certificate: what is claimed.

use std::io::BufRead;
use std::ops::Not;

use crate::limits::{BOARD_MAX, COORDINATE_MAX, K_MAX, P_MAX, Q_MAX};
use crate::report::{Unread, Unreadable};
use crate::token::{Tokens, number};

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Color {
    /// The side that moves first.
    Black,
    /// The other side.
    White,
}

impl Color {
    /// `Black` or `White`.
    pub fn title(self) -> &'static str {
        match self {
            Color::Black => "Black",
            Color::White => "White",
        }
    }
}

impl Not for Color {
    type Output = Color;

    fn not(self) -> Color {
        if self == Color::Black { Color::White } else { Color::Black }
    }
}

/// A square by column and row, from 0 at the lower left; of any sign on an unbounded board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Square {
    /// The column.
    pub x: i32,
    /// The row.
    pub y: i32,
}

/// The game: Connect(cols,rows,k,p,q), unbounded when `cols` and `rows` are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Game {
    /// The number of columns; 0 for an unbounded board.
    pub cols: u32,
    /// The number of rows; 0 for an unbounded board.
    pub rows: u32,
    /// The number of stones in a row that win.
    pub k: u32,
    /// The number of stones in a move.
    pub p: u32,
    /// The number of stones in Black's first move.
    pub q: u32,
    /// Whether a line of more than k does not win.
    pub exact: bool,
}

impl Game {
    /// Whether the board has no border.
    pub fn is_unbounded(self) -> bool {
        self.cols == 0
    }

    /// The name of a square as certificates write it.
    pub fn square_name(self, Square { x, y }: Square) -> String {
        if self.is_unbounded() {
            return format!("{x},{y}");
        }
        let mut letters = Vec::new();
        let mut rest = x + 1;
        while rest > 0 {
            letters.push(b'A' + ((rest - 1) % 26) as u8);
            rest = (rest - 1) / 26;
        }
        let letters: String = letters.iter().rev().map(|&b| char::from(b)).collect();
        format!("{letters}{}", y + 1)
    }

    /// Whether a token stands for a square (and not for a node): letters with something after them,
    /// or anything with a comma on an unbounded board.
    pub(crate) fn looks_like_square(self, token: &[u8]) -> bool {
        if self.is_unbounded() {
            return token.contains(&b',');
        }
        token.len() > 1 && token[0].is_ascii_uppercase() && token[1] != b'!'
    }

    /// Reads the name of a square of the board.
    pub(crate) fn parse_square(self, token: &[u8]) -> Option<Square> {
        if self.is_unbounded() {
            let comma = token.iter().position(|&b| b == b',')?;
            return Some(Square {
                x: coordinate(&token[..comma])?,
                y: coordinate(&token[comma + 1..])?,
            });
        }
        let letters = token.iter().take_while(|b| b.is_ascii_uppercase()).count();
        if !(1..=2).contains(&letters) {
            return None;
        }
        let column = token[..letters].iter().fold(0, |n, b| n * 26 + u64::from(b - b'A') + 1);
        let row = number(&token[letters..])?;
        let on_board = row >= 1 && row <= u64::from(self.rows) && column <= u64::from(self.cols);
        on_board.then_some(Square { x: column as i32 - 1, y: row as i32 - 1 })
    }

    /// Reads two squares joined by a dash.
    pub(crate) fn parse_ends(self, token: &[u8]) -> Option<[Square; 2]> {
        // On an unbounded board the joining dash is the first one after the first comma that
        // follows a digit: `-3,-4--1,2` joins `-3,-4` and `-1,2`.
        let from = token.iter().position(|&b| b == b',').map_or(0, |comma| comma + 2);
        let dash = from + token.get(from..)?.iter().position(|&b| b == b'-')?;
        Some([self.parse_square(&token[..dash])?, self.parse_square(&token[dash + 1..])?])
    }
}

/// A coordinate of an unbounded board: a number with an optional minus; `-0` is not a number.
fn coordinate(text: &[u8]) -> Option<i32> {
    let (digits, sign) = match text {
        [b'-', b'0', ..] => return None,
        [b'-', digits @ ..] => (digits, -1),
        digits => (digits, 1),
    };
    let size = number(digits).filter(|&n| n <= COORDINATE_MAX as u64)?;
    Some(size as i32 * sign)
}

/// What a certificate claims: Attacker wins from this position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The game.
    pub game: Game,
    /// The side that is claimed to win.
    pub attacker: Color,
    /// Black's stones.
    pub black: Vec<Square>,
    /// White's stones.
    pub white: Vec<Square>,
    /// The side to move.
    pub to_move: Color,
    /// The number of stones it has to place in this move.
    pub stones: u32,
}

impl Claim {
    /// The stones of a side.
    pub fn stones_of(&self, color: Color) -> &[Square] {
        match color {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }

    /// Reads the header, up to the first token of the first node.
    pub(crate) fn read<R: BufRead>(tokens: &mut Tokens<R>) -> Result<Claim, Unreadable> {
        if tokens.peek() != b"sixproof-certificate" {
            return Err(Unreadable { place: Some(tokens.place()), what: Unread::NotACertificate });
        }
        tokens.advance()?;
        if tokens.peek() != b"1" {
            return Err(tokens.error(Unread::Version(tokens.text())));
        }
        tokens.advance()?;
        let game = read_game(tokens)?;
        tokens.keyword("attacker")?;
        let attacker = read_color(tokens)?;
        tokens.keyword("black")?;
        let black = read_stones(tokens, game, &[])?;
        tokens.keyword("white")?;
        let white = read_stones(tokens, game, &black)?;
        tokens.keyword("to-move")?;
        let to_move = read_color(tokens)?;
        let stones_max = match (to_move, black.len(), white.len()) {
            (Color::Black, 0, 0) => game.q,
            (Color::Black, _, 0) => game.p.max(game.q),
            _ => game.p,
        };
        if tokens.peek() == b"0" {
            return Err(
                tokens.error(Unread::BadGame("a move has at least one stone to place".to_string()))
            );
        }
        let stones = tokens.number(u64::from(stones_max))? as u32;
        Ok(Claim { game, attacker, black, white, to_move, stones })
    }
}

fn read_game<R: BufRead>(tokens: &mut Tokens<R>) -> Result<Game, Unreadable> {
    tokens.keyword("game")?;
    let place = tokens.place();
    let mut numbers = [0; 5];
    for n in &mut numbers {
        *n = tokens.number(9_999)? as u32;
    }
    let exact = tokens.peek() == b"exact";
    if exact {
        tokens.advance()?;
    }
    let [cols, rows, k, p, q] = numbers;
    let unbounded = cols == 0 && rows == 0;
    let why = if !unbounded && (cols == 0 || rows == 0 || cols.max(rows) > BOARD_MAX) {
        format!("a board of {cols} x {rows} is not possible: 1 to {BOARD_MAX}, or 0 0 (unbounded)")
    } else if k == 0 || k > K_MAX {
        format!("k = {k} is not possible: 1 to {K_MAX}")
    } else if p == 0 || p > P_MAX {
        format!("p = {p} is not possible: 1 to {P_MAX}")
    } else if q == 0 || q > Q_MAX {
        format!("q = {q} is not possible: 1 to {Q_MAX}")
    } else if !unbounded && k > cols.max(rows) {
        format!("no line of {k} fits on a board of {cols} x {rows}")
    } else {
        return Ok(Game { cols, rows, k, p, q, exact });
    };
    Err(Unreadable { place: Some(place), what: Unread::BadGame(why) })
}

fn read_color<R: BufRead>(tokens: &mut Tokens<R>) -> Result<Color, Unreadable> {
    let color = match tokens.peek() {
        b"black" => Color::Black,
        b"white" => Color::White,
        _ => {
            let found = tokens.text();
            return Err(tokens.error(Unread::Expected { wanted: "black` or `white", found }));
        }
    };
    tokens.advance()?;
    Ok(color)
}

fn read_stones<R: BufRead>(
    tokens: &mut Tokens<R>,
    game: Game,
    taken: &[Square],
) -> Result<Vec<Square>, Unreadable> {
    let mut stones: Vec<Square> = Vec::new();
    while game.looks_like_square(tokens.peek()) {
        let Some(square) = game.parse_square(tokens.peek()) else {
            return Err(tokens.error(Unread::BadSquare(tokens.text())));
        };
        if stones.len() > (BOARD_MAX * BOARD_MAX) as usize {
            return Err(tokens.error(Unread::Limit("stones in the header")));
        }
        if stones.contains(&square) || taken.contains(&square) {
            return Err(tokens.error(Unread::StoneTwice(tokens.text())));
        }
        stones.push(square);
        tokens.advance()?;
    }
    Ok(stones)
}
