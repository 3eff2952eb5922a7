//! The token stream: bytes in, words out, with line and column. White space separates tokens; `#`
//! starts a comment up to the end of the line (its bytes are not looked at).

use std::io::{self, BufRead};

use crate::limits::TOKEN_BYTES_MAX;
use crate::report::{FilePlace, Unread, Unreadable};

/// Reads one token ahead, so that a list of squares ends where the next token is not a square.
pub(crate) struct Tokens<R> {
    input: R,
    token: [u8; TOKEN_BYTES_MAX],
    len: usize,
    place: FilePlace,
    /// Bytes read so far, lines begun, and the bytes in front of the current line.
    offset: u64,
    line: u64,
    line_start: u64,
}

/// What [`Tokens::advance`] is in the middle of when a buffer ends.
#[derive(Clone, Copy, PartialEq)]
enum Within {
    Space,
    Comment,
    Token,
}

/// White space, as the format knows it.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

impl<R: BufRead> Tokens<R> {
    pub(crate) fn new(input: R) -> Result<Tokens<R>, Unreadable> {
        let mut tokens = Tokens {
            input,
            token: [0; TOKEN_BYTES_MAX],
            len: 0,
            place: FilePlace { line: 1, column: 1 },
            offset: 0,
            line: 1,
            line_start: 0,
        };
        tokens.advance()?;
        Ok(tokens)
    }

    /// The current token; empty at the end of the file.
    pub(crate) fn peek(&self) -> &[u8] {
        &self.token[..self.len]
    }

    pub(crate) fn at_end(&self) -> bool {
        self.len == 0
    }

    /// The place where the current token starts.
    pub(crate) fn place(&self) -> FilePlace {
        self.place
    }

    /// The current token as text, for messages.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(self.peek()).into_owned()
    }

    /// An error about the current token; about the missing rest when the file has ended.
    pub(crate) fn error(&self, what: Unread) -> Unreadable {
        let what = if self.at_end() { Unread::Truncated } else { what };
        Unreadable { place: Some(self.place), what }
    }

    /// Goes on to the next token.
    pub(crate) fn advance(&mut self) -> Result<(), Unreadable> {
        self.len = 0;
        let mut within = Within::Space;
        loop {
            let buffer = match self.input.fill_buf() {
                Ok(buffer) => buffer,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(e) => {
                    return Err(Unreadable { place: None, what: Unread::Io(e.to_string()) });
                }
            };
            if buffer.is_empty() {
                if within != Within::Token {
                    self.place = self.next_place();
                }
                return Ok(());
            }
            let (mut rest, mut ended) = (buffer, false);
            while let Some(&byte) = rest.first() {
                let used = match within {
                    Within::Space if is_space(byte) => {
                        if byte == b'\n' {
                            self.line += 1;
                            self.line_start = self.offset + 1;
                        }
                        1
                    }
                    Within::Space if byte == b'#' => {
                        within = Within::Comment;
                        1
                    }
                    Within::Space => {
                        within = Within::Token;
                        let column = self.offset - self.line_start + 1;
                        self.place = FilePlace { line: self.line, column };
                        0
                    }
                    Within::Comment if byte == b'\n' => {
                        within = Within::Space;
                        0
                    }
                    Within::Comment => rest.iter().take_while(|&&b| b != b'\n').count(),
                    Within::Token if is_space(byte) || byte == b'#' => {
                        ended = true;
                        break;
                    }
                    Within::Token => {
                        let more = rest.iter().take_while(|&&b| !is_space(b) && b != b'#').count();
                        let Some(room) = self.token.get_mut(self.len..self.len + more) else {
                            let what = Unread::TokenTooLong;
                            return Err(Unreadable { place: Some(self.place), what });
                        };
                        room.copy_from_slice(&rest[..more]);
                        self.len += more;
                        more
                    }
                };
                rest = &rest[used..];
                self.offset += used as u64;
            }
            let used = buffer.len() - rest.len();
            self.input.consume(used);
            if ended {
                return Ok(());
            }
        }
    }

    fn next_place(&self) -> FilePlace {
        FilePlace { line: self.line, column: self.offset - self.line_start + 1 }
    }

    /// Reads a keyword of the header.
    pub(crate) fn keyword(&mut self, word: &'static str) -> Result<(), Unreadable> {
        if self.peek() != word.as_bytes() {
            return Err(self.error(Unread::Expected { wanted: word, found: self.text() }));
        }
        self.advance()
    }

    /// Reads a number of at most `max`, written without sign or leading zeros.
    pub(crate) fn number(&mut self, max: u64) -> Result<u64, Unreadable> {
        match number(self.peek()).filter(|&n| n <= max) {
            Some(n) => self.advance().map(|()| n),
            None => Err(self.error(Unread::BadNumber { found: self.text(), max })),
        }
    }
}

/// A number without sign or leading zeros.
pub(crate) fn number(text: &[u8]) -> Option<u64> {
    let canonical = !text.is_empty() && text.len() < 19 && (text[0] != b'0' || text.len() == 1);
    if !canonical || !text.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(text.iter().fold(0, |n, b| n * 10 + u64::from(b - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hands out one byte at a time, as a slow pipe may.
    struct OneByOne<'a>(&'a [u8]);

    impl io::Read for OneByOne<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            (&mut &self.0[..self.0.len().min(1)]).read(out).inspect(|&n| self.0 = &self.0[n..])
        }
    }

    fn words(text: &[u8]) -> Vec<String> {
        let mut tokens =
            Tokens::new(io::BufReader::with_capacity(1, OneByOne(text))).map_err(|_| ()).unwrap();
        let mut words = Vec::new();
        while !tokens.at_end() {
            let FilePlace { line, column } = tokens.place();
            words.push(format!("{}@{line}:{column}", tokens.text()));
            tokens.advance().map_err(|_| ()).unwrap();
        }
        words
    }

    #[test]
    fn tokens_carry_their_place_and_comments_vanish() {
        let text = b"game 19 # a comment\n\t# another\r\n  W J10#x\nD";
        assert_eq!(words(text), ["game@1:1", "19@1:6", "W@3:3", "J10@3:5", "D@4:1"]);
        assert_eq!(words(b""), [""; 0]);
        assert_eq!(words(b"# only \xff\xfe"), [""; 0]);
    }

    #[test]
    fn numbers_are_canonical() {
        assert_eq!(number(b"0"), Some(0));
        assert_eq!(number(b"120"), Some(120));
        for bad in ["", "01", "+1", "-1", "1 ", "1x", "99999999999999999999"] {
            assert_eq!(number(bad.as_bytes()), None, "{bad}");
        }
    }
}
