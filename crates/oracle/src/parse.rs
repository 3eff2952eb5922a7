//! The text of a certificate, read strictly.
//!
//! One stream of tokens. `#` starts a comment that ends with its line; white space (space, tab,
//! line feed, carriage return) only separates. Numbers are written without sign and without leading
//! zeros, squares by capital letters and a number, or as `x,y` on an unbounded board. Nothing may
//! follow the last node. A text that is read here is well-formed, not necessarily right:
//! [`crate::literal`] judges it.

use std::rc::Rc;

use crate::certificate::{Certificate, Node, Reply, Square};
use crate::rules::{Color, Game};

/// The largest number that makes sense in a certificate.
const NUMBER_MAX: usize = 1_000_000_000;

/// The greatest depth of a text that is read: the reader is recursive.
const DEPTH_MAX: usize = 1_000;

/// Why a text is not a certificate.
pub type Unreadable = String;

/// Reads a certificate.
pub fn parse(bytes: &[u8]) -> Result<Certificate, Unreadable> {
    let text = std::str::from_utf8(bytes).map_err(|e| format!("not UTF-8: {e}"))?;
    let mut reader = Reader { tokens: tokens(text), next: 0, cols: 0, rows: 0 };
    let certificate = reader.certificate()?;
    match reader.peek() {
        None => Ok(certificate),
        Some(token) => Err(format!("{token:?} after the last node")),
    }
}

/// The tokens of a text, comments left out.
fn tokens(text: &str) -> Vec<&str> {
    let mut list = Vec::new();
    for line in text.split('\n') {
        let line = line.split('#').next().expect("split yields at least one part");
        list.extend(line.split([' ', '\t', '\r']).filter(|token| !token.is_empty()));
    }
    list
}

struct Reader<'a> {
    tokens: Vec<&'a str>,
    next: usize,
    cols: usize,
    rows: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.tokens.get(self.next).copied()
    }

    fn token(&mut self) -> Result<&'a str, Unreadable> {
        let token = self.peek().ok_or("the text ends too early")?;
        self.next += 1;
        Ok(token)
    }

    fn expect(&mut self, word: &str) -> Result<(), Unreadable> {
        match self.token()? {
            token if token == word => Ok(()),
            token => Err(format!("{token:?} instead of {word:?}")),
        }
    }

    fn certificate(&mut self) -> Result<Certificate, Unreadable> {
        self.expect("sixproof-certificate")?;
        self.expect("1")?;
        let game = self.game()?;
        self.expect("attacker")?;
        let attacker = self.color()?;
        self.expect("black")?;
        let black = self.squares()?;
        self.expect("white")?;
        let white = self.squares()?;
        let mut all = [black.as_slice(), white.as_slice()].concat();
        all.sort();
        if all.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err("two stones on one square".into());
        }
        self.expect("to-move")?;
        let to_move = self.color()?;
        let count = number(self.token()?)?;
        let count_max = match to_move {
            Color::Black if all.is_empty() => game.q,
            Color::Black if white.is_empty() => game.p.max(game.q),
            _ => game.p,
        };
        if count == 0 || count > count_max {
            return Err(format!("{count} stones to move, where 1 to {count_max} are possible"));
        }
        let root = Rc::new(self.node(0)?);
        Ok(Certificate { game, attacker, black, white, to_move, count, root })
    }

    fn game(&mut self) -> Result<Game, Unreadable> {
        self.expect("game")?;
        let mut numbers = [0; 5];
        for place in &mut numbers {
            *place = number(self.token()?)?;
        }
        let [cols, rows, k, p, q] = numbers;
        let bounded = cols > 0 || rows > 0;
        let fits = !bounded || cols > 0 && rows > 0 && cols.max(rows) <= 59 && k <= cols.max(rows);
        let in_range = |n: usize, max: usize| (1..=max).contains(&n);
        if !fits || !in_range(k, 19) || !in_range(p, 9) || !in_range(q, 19) {
            return Err("no such game".into());
        }
        let exact = self.peek() == Some("exact");
        if exact {
            self.next += 1;
        }
        (self.cols, self.rows) = (cols, rows);
        Ok(Game { cols, rows, k, p, q, exact })
    }

    fn color(&mut self) -> Result<Color, Unreadable> {
        match self.token()? {
            "black" => Ok(Color::Black),
            "white" => Ok(Color::White),
            token => Err(format!("{token:?} is no side")),
        }
    }

    /// All squares that follow; they are distinct.
    fn squares(&mut self) -> Result<Vec<Square>, Unreadable> {
        let mut list: Vec<Square> = Vec::new();
        while let Some(token) = self.peek() {
            if !token.ends_with(|c: char| c.is_ascii_digit()) || token.starts_with('~') {
                break;
            }
            let square = self.square(token)?;
            if list.contains(&square) {
                return Err(format!("{token} twice"));
            }
            list.push(square);
            self.next += 1;
        }
        Ok(list)
    }

    /// The square with this name, which must be on the board.
    fn square(&self, name: &str) -> Result<Square, Unreadable> {
        let wrong = || format!("{name:?} is no square");
        if self.cols == 0 {
            let (x, y) = name.split_once(',').ok_or_else(wrong)?;
            return Ok(Square { x: integer(x)?, y: integer(y)? });
        }
        let letters = name.bytes().take_while(u8::is_ascii_uppercase).count();
        let (column, row) = name.split_at(letters);
        if letters == 0 || letters > 6 {
            return Err(wrong());
        }
        let x = column.bytes().fold(0, |x, c| x * 26 + usize::from(c - b'A') + 1);
        let y = number(row)?;
        if x > self.cols || y == 0 || y > self.rows {
            return Err(format!("{name} is off the board"));
        }
        Ok(Square { x: x as i64 - 1, y: y as i64 - 1 })
    }

    fn node(&mut self, depth: usize) -> Result<Node, Unreadable> {
        if depth > DEPTH_MAX {
            return Err("too deep".into());
        }
        match self.token()? {
            "W" => Ok(Node::Win(self.squares()?)),
            "A" => Ok(Node::Attack(self.squares()?, Rc::new(self.node(depth + 1)?))),
            "D" => Ok(Node::Defend(None, self.replies(depth)?)),
            "D!" => {
                let threats = self.threats()?;
                Ok(Node::Defend(Some(threats), self.replies(depth)?))
            }
            "@" => Ok(Node::Keep(Rc::new(self.node(depth + 1)?))),
            "=" => Ok(Node::Again(number(self.token()?)?)),
            token => Err(format!("{token:?} instead of a node")),
        }
    }

    fn threats(&mut self) -> Result<Vec<(Square, Square)>, Unreadable> {
        let count = number(self.token()?)?;
        let mut list = Vec::new();
        for _ in 0..count {
            let token = self.token()?;
            // The dash between the squares is the first one after a digit: others are signs.
            let dash = (1..token.len())
                .find(|&i| token.as_bytes()[i] == b'-' && token.as_bytes()[i - 1].is_ascii_digit())
                .ok_or_else(|| format!("{token:?} is no segment"))?;
            list.push((self.square(&token[..dash])?, self.square(&token[dash + 1..])?));
        }
        Ok(list)
    }

    fn replies(&mut self, depth: usize) -> Result<Vec<Reply>, Unreadable> {
        let count = number(self.token()?)?;
        let mut list = Vec::new();
        for _ in 0..count {
            self.expect("R")?;
            let squares = self.squares()?;
            let mut slack = None;
            if let Some(stated) = self.peek().and_then(|token| token.strip_prefix('~')) {
                slack = Some(number(stated)?);
                self.next += 1;
            }
            list.push(Reply { squares, slack, child: Rc::new(self.node(depth + 1)?) });
        }
        Ok(list)
    }
}

/// A number without sign and leading zeros.
fn number(text: &str) -> Result<usize, Unreadable> {
    let digits = !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
    if !digits || (text.len() > 1 && text.starts_with('0')) || text.len() > 10 {
        return Err(format!("{text:?} is no number"));
    }
    let value: usize = text.parse().map_err(|_| format!("{text:?} is no number"))?;
    if value > NUMBER_MAX { Err(format!("{text} is too large")) } else { Ok(value) }
}

/// A number that may have a minus sign; zero has none.
fn integer(text: &str) -> Result<i64, Unreadable> {
    match text.strip_prefix('-') {
        Some("0") => Err("minus zero".into()),
        Some(rest) => Ok(-(number(rest)? as i64)),
        None => Ok(number(text)? as i64),
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    const GOOD: &str = "sixproof-certificate 1\ngame 4 3 3 1 1\nattacker black\nblack A1 B1\n\
                        white A2\nto-move black 1\nW C1\n";

    #[test]
    fn a_text_is_written_as_it_was_read() {
        assert_eq!(parse(GOOD.as_bytes()).expect("well-formed").to_string(), GOOD);
        let rich = "sixproof-certificate 1\ngame 0 0 3 2 1 exact\nattacker white\nblack\n\
                    white -1,2 10,-11\nto-move white 2\nA 0,0 1,1 D! 2 -3,-4--1,-2 5,5-3,5 2\n \
                    R ~3 @ W\n R 4,4 = 0\n";
        assert_eq!(parse(rich.as_bytes()).expect("well-formed").to_string(), rich);
    }

    #[test]
    fn white_space_and_comments_are_free() {
        let words = GOOD.replace(['\n', ' '], "\r\n\t #no W C1\n ");
        assert_eq!(parse(words.as_bytes()).expect("well-formed").to_string(), GOOD);
    }

    #[test]
    fn what_is_not_in_the_grammar_is_refused() {
        for (old, new) in [
            ("certificate 1", "certificate 2"),
            ("W C1", "W C1 C1"),
            ("W C1", "W c1"),
            ("W C1", "W C01"),
            ("W C1", "W E1"),
            ("W C1", "W C4"),
            ("W C1", "W C0"),
            ("W C1", "W C1 W"),
            ("W C1", "D 1"),
            ("W C1", "D 0 R W C1"),
            ("W C1", "X"),
            ("W C1", ""),
            ("black A1 B1", "black A1 A2"),
            ("black 1\n", "black 2\n"),
            ("black 1\n", "black 0\n"),
            ("black 1\n", "black\n"),
            ("4 3 3", "4 0 3"),
            ("4 3 3", "4 03 3"),
            ("1 1\n", "1 1 exactly\n"),
            ("attacker", "Attacker"),
        ] {
            let text = GOOD.replacen(old, new, 1);
            assert!(parse(text.as_bytes()).is_err(), "{text}");
        }
        assert!(parse(b"\xff").is_err());
    }
}
