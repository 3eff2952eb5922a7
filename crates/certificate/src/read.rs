//! The reader: certificate bytes in, steps out, for every program that shows or uses a certificate.
//! It reports whether the file is well formed, never whether the claim is true.

use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, BufRead};

use sixproof_game::{Color, Game, Position, Square};

use crate::Claim;
use crate::step::{Open, Shape, Step};

/// The most tokens of a header or list.
const LIST_MAX: usize = 100_000;
/// The largest slack of the format.
const SLACK_MAX: u32 = 1_000_000_000;
/// The longest token.
const TOKEN_BYTES_MAX: usize = 64;

/// Reads a certificate step by step; memory is proportional to its depth.
pub struct Reader<R> {
    tokens: Tokens<R>,
    claim: Claim,
    shape: Shape,
}

impl<R: BufRead> Reader<R> {
    /// Reads the header.
    pub fn new(input: R) -> Result<Reader<R>, ReadError> {
        let mut tokens = Tokens { input, line: 1, next: None, next_line: 1 };
        tokens.expect("sixproof-certificate")?;
        tokens.expect("1")?;
        tokens.expect("game")?;
        let mut numbers = Vec::new();
        while tokens.peek()?.is_some_and(|t| t.bytes().all(|b| b.is_ascii_digit())) {
            numbers.push(tokens.number()?);
        }
        let exact = tokens.peek()? == Some("exact");
        if exact {
            tokens.next()?;
        }
        let Ok([cols, rows, k, p, q]) = <[u32; 5]>::try_from(numbers) else {
            return Err(tokens.error("expected m n k p q"));
        };
        let game = Game::new(cols, rows, k, p, q, exact);
        let game = game.map_err(|e| tokens.error(e.to_string()))?;
        tokens.expect("attacker")?;
        let attacker = tokens.color()?;
        tokens.expect("black")?;
        let mut taken = BTreeSet::new();
        let black = tokens.stones(game, &mut taken)?;
        tokens.expect("white")?;
        let white = tokens.stones(game, &mut taken)?;
        tokens.expect("to-move")?;
        let (to_move, left) = (tokens.color()?, tokens.number()?);
        let position = Position::set_up(game, &black, &white, to_move, left)
            .map_err(|e| tokens.error(e.to_string()))?;
        let claim = Claim { position, attacker };
        Ok(Reader { tokens, claim, shape: Shape::new() })
    }

    /// The claim.
    pub fn claim(&self) -> &Claim {
        &self.claim
    }

    /// An error at the step that was read last, for readers with further demands.
    pub(crate) fn error(&self, message: impl Into<String>) -> ReadError {
        self.tokens.error(message)
    }

    /// The next step and the number of moves above it; `None` after the last one.
    pub fn next_step(&mut self) -> Result<Option<(usize, Step)>, ReadError> {
        let game = self.claim.position.game();
        let Some(wanted) = self.shape.wants() else {
            return match self.tokens.peek()? {
                None => Ok(None),
                Some(token) => {
                    let message = format!("`{token}` follows the last node");
                    Err(self.tokens.error(message))
                }
            };
        };
        let depth = self.shape.depth();
        let Some(token) = self.tokens.next()? else {
            return Err(self.tokens.error("the file ends too soon"));
        };
        let step = match (wanted, token.as_str()) {
            (Open::Node, "W") => Step::Win { squares: self.tokens.squares(game)? },
            (Open::Node, "A") => Step::Attack { squares: self.tokens.squares(game)? },
            (Open::Node, "D") => {
                Step::Defence { relies_on: None, replies: u64::from(self.tokens.number()?) }
            }
            (Open::Node, "D!") => {
                let count = self.tokens.number()? as usize;
                let mut threats = Vec::new();
                for _ in 0..count.min(LIST_MAX) {
                    threats.push(self.tokens.ends(game)?);
                }
                Step::Defence {
                    relies_on: Some(threats),
                    replies: u64::from(self.tokens.number()?),
                }
            }
            (Open::Node, "@") => Step::Mark,
            (Open::Node, "=") => Step::Reference { mark: u64::from(self.tokens.number()?) },
            (Open::Replies(_), "R") => {
                let squares = self.tokens.squares(game)?;
                let slack = match self.tokens.peek()?.and_then(|t| t.strip_prefix('~')) {
                    None => None,
                    Some(digits) => {
                        let canonical = |u: &u32| *u <= SLACK_MAX && u.to_string() == digits;
                        let slack = digits.parse().ok().filter(canonical);
                        let slack = slack.ok_or_else(|| self.tokens.error("bad slack"))?;
                        self.tokens.next()?;
                        Some(slack)
                    }
                };
                Step::Reply { squares, slack }
            }
            (Open::Node, _) => {
                return Err(self.tokens.error(format!("`{token}` is no node")));
            }
            (Open::Replies(_), _) => {
                return Err(self.tokens.error(format!("expected `R`, not `{token}`")));
            }
        };
        if !self.shape.take(&step) {
            return Err(self.tokens.error(format!("`{token}` cannot stand here")));
        }
        Ok(Some((depth, step)))
    }
}

/// Why a file cannot be read as a certificate.
#[derive(Debug)]
pub enum ReadError {
    /// The system could not read it.
    Io(io::Error),
    /// It is not well formed.
    Syntax {
        /// The line, from 1.
        line: u64,
        /// The error.
        message: String,
    },
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Io(error) => error.fmt(f),
            ReadError::Syntax { line, message } => write!(f, "line {line}: {message}"),
        }
    }
}

impl std::error::Error for ReadError {}

/// Words with one word of look-ahead; comments are dropped.
struct Tokens<R> {
    input: R,
    /// Line of the token that was taken last.
    line: u64,
    /// Line of the next byte.
    next_line: u64,
    next: Option<String>,
}

impl<R: BufRead> Tokens<R> {
    fn error(&self, message: impl Into<String>) -> ReadError {
        ReadError::Syntax { line: self.line, message: message.into() }
    }

    fn peek(&mut self) -> Result<Option<&str>, ReadError> {
        if self.next.is_none() {
            self.next = self.read()?;
        }
        Ok(self.next.as_deref())
    }

    fn next(&mut self) -> Result<Option<String>, ReadError> {
        self.peek()?;
        self.line = self.next_line;
        Ok(self.next.take())
    }

    fn read(&mut self) -> Result<Option<String>, ReadError> {
        let mut token = Vec::new();
        let mut comment = false;
        loop {
            let buffer = self.input.fill_buf().map_err(ReadError::Io)?;
            let Some(&byte) = buffer.first() else { break };
            let space = matches!(byte, b' ' | b'\t' | b'\r' | b'\n') || byte == b'#' || comment;
            if space && !token.is_empty() {
                break;
            }
            self.input.consume(1);
            self.next_line += u64::from(byte == b'\n');
            comment = (comment || byte == b'#') && byte != b'\n';
            if !space {
                token.push(byte);
            }
            if token.len() > TOKEN_BYTES_MAX {
                return Err(self.error("a word too long to be of this format"));
            }
        }
        if token.is_empty() {
            return Ok(None);
        }
        match String::from_utf8(token) {
            Ok(token) => Ok(Some(token)),
            Err(_) => Err(self.error("not a text file")),
        }
    }

    fn expect(&mut self, word: &str) -> Result<(), ReadError> {
        match self.next()? {
            Some(token) if token == word => Ok(()),
            Some(token) => Err(self.error(format!("expected `{word}`, not `{token}`"))),
            None => Err(self.error("the file ends too soon")),
        }
    }

    fn number(&mut self) -> Result<u32, ReadError> {
        let token = self.next()?.unwrap_or_default();
        match token.parse::<u32>() {
            Ok(number) if number.to_string() == token => Ok(number),
            _ => Err(self.error(format!("`{token}` is not a number"))),
        }
    }

    fn color(&mut self) -> Result<Color, ReadError> {
        let token = self.next()?.unwrap_or_default();
        match token.as_str() {
            "black" => Ok(Color::Black),
            "white" => Ok(Color::White),
            _ => Err(self.error(format!("expected `black` or `white`, not `{token}`"))),
        }
    }

    /// Squares up to the first token that is not one.
    fn squares(&mut self, game: Game) -> Result<Vec<Square>, ReadError> {
        self.list(game, |_| true)
    }

    /// The squares of stones, all of them empty so far.
    fn stones(
        &mut self,
        game: Game,
        taken: &mut BTreeSet<Square>,
    ) -> Result<Vec<Square>, ReadError> {
        self.list(game, |square| taken.insert(square))
    }

    fn list(
        &mut self,
        game: Game,
        mut is_free: impl FnMut(Square) -> bool,
    ) -> Result<Vec<Square>, ReadError> {
        let mut squares = Vec::new();
        while let Some(square) = self.square(game)? {
            if !is_free(square) {
                let name = game.square_name(square);
                return Err(self.error(format!("`{name}` has two stones")));
            }
            squares.push(square);
            if squares.len() > LIST_MAX {
                return Err(self.error("too many squares in a list"));
            }
        }
        Ok(squares)
    }

    /// A square, if the next token looks like one.
    fn square(&mut self, game: Game) -> Result<Option<Square>, ReadError> {
        let Some(token) = self.peek()? else { return Ok(None) };
        let looks_like_square = if game.is_unbounded() {
            token.contains(',')
        } else {
            token.len() > 1
                && token.starts_with(|c: char| c.is_ascii_uppercase())
                && token.ends_with(|c: char| c.is_ascii_digit())
        };
        if !looks_like_square {
            return Ok(None);
        }
        let token = self.next()?.unwrap_or_default();
        match game.parse_square(&token) {
            Ok(square) if is_canonical(game, &token, &[square]) => Ok(Some(square)),
            Ok(square) => {
                let name = game.square_name(square);
                Err(self.error(format!("`{token}` is written `{name}`")))
            }
            Err(error) => Err(self.error(error.to_string())),
        }
    }

    /// Two squares joined by a dash; on an unbounded board the dash behind the second number.
    fn ends(&mut self, game: Game) -> Result<[Square; 2], ReadError> {
        let token = self.next()?.unwrap_or_default();
        let from = token.find(',').map_or(0, |comma| comma + 2);
        let dash = token.get(from..).and_then(|rest| rest.find('-')).map(|i| i + from);
        let squares =
            dash.map(|i| (game.parse_square(&token[..i]), game.parse_square(&token[i + 1..])));
        match squares {
            Some((Ok(a), Ok(b)))
                if is_segment(game, a, b) && is_canonical(game, &token, &[a, b]) =>
            {
                Ok([a, b])
            }
            _ => Err(self.error(format!("`{token}` is not a segment"))),
        }
    }
}

/// Whether the squares are written as certificates write them, joined by a dash.
fn is_canonical(game: Game, token: &str, squares: &[Square]) -> bool {
    let names: Vec<String> = squares.iter().map(|&s| game.square_name(s)).collect();
    names.join("-") == token
}

/// Whether two squares are the ends of a line of k.
fn is_segment(game: Game, a: Square, b: Square) -> bool {
    let reach = game.k() as i32 - 1;
    let (dx, dy) = ((a.x - b.x).abs(), (a.y - b.y).abs());
    dx.max(dy) == reach && (dx == 0 || dx == reach) && (dy == 0 || dy == reach)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stone_on_a_stone_is_reported_at_its_own_line() {
        let header = "sixproof-certificate 1\ngame 19 19 6 2 1\nattacker black\n";
        for (stones, line) in [
            ("black J10\nK10 J10\nwhite\n", 5),
            ("black J10\nwhite\nK10\n# another line\nJ10\n", 8),
        ] {
            let text = format!("{header}{stones}to-move black 2\n");
            let error = Reader::new(text.as_bytes()).map(|_| ()).unwrap_err();
            assert_eq!(error.to_string(), format!("line {line}: `J10` has two stones"));
        }
    }
}
