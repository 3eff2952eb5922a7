//! Records of the Chinese Computer Games Contest, which are of Connect6 on 19 x 19, in both forms.
//!
//! | form | sample |
//! | --- | --- |
//! | record | `{[C6][black][white][result][time place][event];B(J,10);W(I,11);W(I,12);B(K,11)…}` |
//! | moves as the protocol sends them | `JJ@@IIKI…` |
//!
//! Columns are A to S from the left, rows 1 to 19 or A to S from the bottom. In the second form
//! `@@` stands for a stone that a move does not have: it may follow the one stone of Black's first
//! move, and a stone that wins. Texts are UTF-8, or else GB18030. The usual words for the result
//! (先手胜, 后手胜, 和棋: first player, second player, draw) become SGF's `B+`, `W+` and `0`.

use encoding_rs::{GB18030, UTF_8};

use crate::moves::Unwritable;
use crate::moves::input::{Line, info, moves_to};
use crate::{Color, Game, InputError, NodeId, Position, Record, Square};

/// The facts of a record in the order of its fields, after `C6`.
const FIELDS: [&str; 5] = ["PB", "PW", "RE", "DT", "EV"];
/// Results as records have them and as SGF writes them; the first of several is the one written.
const RESULTS: [(&str, &str); 4] =
    [("先手胜", "B+"), ("后手胜", "W+"), ("和棋", "0"), ("平局", "0")];
/// The side of the board.
const SIZE: u8 = 19;
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Whether bytes are probably a record in one of the two forms.
pub fn looks_like_ccgc(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes).trim_ascii();
    let letters = |b: &u8| matches!(b, b'A'..=b'S' | b'@') || b.is_ascii_whitespace();
    let packed = bytes.len() >= 6 || bytes.get(2..4) == Some(b"@@");
    bytes.starts_with(b"{[C6]") || (packed && bytes.iter().all(letters))
}

/// Reads a record in either form.
pub fn read(bytes: &[u8]) -> Result<Record, InputError> {
    let start = if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let utf8 = std::str::from_utf8(bytes).is_ok();
    let mut reader = Reader { bytes, at: start, utf8, line: Line::new(Game::CONNECT6) };
    match reader.peek() {
        Some(b'{') => reader.record()?,
        _ => reader.packed_moves()?,
    }
    Ok(reader.line.finish())
}

/// A place in the input.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    utf8: bool,
    line: Line,
}

impl<'a> Reader<'a> {
    /// The next byte that is not white space, which is left out.
    fn peek(&mut self) -> Option<u8> {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        self.bytes.get(self.at).copied()
    }

    fn error(&self, message: impl Into<String>) -> InputError {
        InputError::new(self.at, 1, message)
    }

    fn expect(&mut self, wanted: u8, place: &str) -> Result<(), InputError> {
        if self.peek() != Some(wanted) {
            let help = "a record is as in `{[C6][black][white][B+][date][event];B(J,10);W(I,11)}`";
            let message = format!("there is no `{}` {place}", char::from(wanted));
            return Err(self.error(message).help(help));
        }
        self.at += 1;
        Ok(())
    }

    /// The first form.
    fn record(&mut self) -> Result<(), InputError> {
        self.expect(b'{', "at the start")?;
        let start = self.at;
        let kind = self.field()?;
        if !kind.eq_ignore_ascii_case("C6") {
            let message = format!("this is a record of `{kind}`, not of Connect6 (`C6`)");
            return Err(InputError::new(start, self.at - start, message));
        }
        for key in FIELDS {
            if self.peek() != Some(b'[') {
                break;
            }
            let value = self.field()?;
            let result = RESULTS.into_iter().find(|(word, _)| key == "RE" && *word == value);
            self.line.inform(key, result.map_or(&value, |(_, sgf)| sgf));
        }
        while self.peek() == Some(b';') {
            self.at += 1;
            if !matches!(self.peek(), Some(b'}' | b';')) {
                self.stone()?;
            }
        }
        self.expect(b'}', "after the last stone")?;
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.error("there is more after the record")),
        }
    }

    /// `[text]`. In GB18030 the second byte of a character may look like a bracket, so characters
    /// are stepped over whole; those of four bytes are two steps of two.
    fn field(&mut self) -> Result<String, InputError> {
        self.expect(b'[', "before a field")?;
        let start = self.at;
        loop {
            match self.bytes.get(self.at) {
                Some(b']') => break,
                Some(0x81..) if !self.utf8 => self.at += 2,
                Some(_) => self.at += 1,
                None => {
                    self.at = self.bytes.len();
                    return Err(self.error("the field has no `]`"));
                }
            }
        }
        let encoding = if self.utf8 { UTF_8 } else { GB18030 };
        let text = encoding.decode_without_bom_handling(&self.bytes[start..self.at]).0;
        self.at += 1;
        Ok(text.trim().to_string())
    }

    /// `B(J,10)`.
    fn stone(&mut self) -> Result<(), InputError> {
        let start = self.at;
        let color = match self.peek() {
            Some(b'B' | b'b') => Color::Black,
            Some(b'W' | b'w') => Color::White,
            _ => {
                let help = "a stone is as in `;B(J,10)`";
                return Err(self.error("a stone starts with `B` or `W`").help(help));
            }
        };
        self.at += 1;
        self.expect(b'(', "after the side")?;
        let column = self.letter("column")?;
        self.expect(b',', "after the column")?;
        let row = self.row_number()?;
        self.expect(b')', "after the row")?;
        let square = Square::new(i32::from(column), i32::from(row));
        self.line.place_as(color, square, start, self.at - start)
    }

    /// A letter from A to S, as a number from 0.
    fn letter(&mut self, what: &str) -> Result<u8, InputError> {
        let letter = self.peek().map(|b| b.to_ascii_uppercase());
        match letter {
            Some(letter @ b'A'..=b'S') => {
                self.at += 1;
                Ok(letter - b'A')
            }
            _ => Err(self.error(format!("the {what} is a letter from A to S"))),
        }
    }

    /// A number from 1 to 19, as a number from 0.
    fn row_number(&mut self) -> Result<u8, InputError> {
        self.peek();
        let rest = &self.bytes[self.at..];
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let text = std::str::from_utf8(&rest[..digits]).expect("digits are UTF-8");
        match text.parse::<u8>() {
            Ok(row @ 1..=SIZE) => {
                self.at += digits;
                Ok(row - 1)
            }
            _ => Err(InputError::new(self.at, digits, "the row is a number from 1 to 19")),
        }
    }

    /// The second form.
    fn packed_moves(&mut self) -> Result<(), InputError> {
        let mut may_be_missing = false;
        while let Some(first) = self.peek() {
            let start = self.at;
            if first == b'@' {
                self.at += 1;
                self.expect(b'@', "after the first one")?;
                if !may_be_missing {
                    let message = "`@@` where a stone is due, or where no more stones are";
                    let help = "`@@` follows a move of one stone: Black's first, or one that wins";
                    return Err(InputError::new(start, self.at - start, message).help(help));
                }
                may_be_missing = false;
                continue;
            }
            let column = self.letter("column")?;
            let row = self.letter("row")?;
            let square = Square::new(i32::from(column), i32::from(row));
            let starts_move = self.line.in_move() == 0;
            self.line.place(square, start, self.at - start)?;
            may_be_missing = starts_move && self.line.in_move() == 0;
        }
        Ok(())
    }
}

fn connect6_moves(record: &Record, node: NodeId) -> Result<Vec<Vec<Square>>, Unwritable> {
    if record.game != Game::CONNECT6 {
        let game = record.game.title();
        return Err(Unwritable(format!("a CCGC record is of Connect6 on 19 x 19, not of {game}")));
    }
    moves_to(record, node)
}

fn letter(coordinate: i32) -> char {
    char::from(b'A' + coordinate as u8)
}

/// The line from the root to a node as a record, with the facts that its fields can hold.
pub fn write(record: &Record, node: NodeId) -> Result<String, Unwritable> {
    let mut text = "{[C6]".to_string();
    for key in FIELDS {
        let value = info(record, key);
        let result = RESULTS.into_iter().find(|&(_, sgf)| key == "RE" && sgf == value);
        let value = result.map_or(value, |(word, _)| word);
        let clean = value.replace('[', "(").replace(']', ")").replace(['\r', '\n'], " ");
        text += &format!("[{}]", clean.trim());
    }
    let mut side = Color::Black;
    for stones in connect6_moves(record, node)? {
        let initial = &side.title()[..1];
        for square in stones {
            text += &format!(";{initial}({},{})", letter(square.x), square.y + 1);
        }
        side = !side;
    }
    Ok(text + "}")
}

/// The line from the root to a node as the protocol's moves, without a break: `JJ@@IIKI`.
pub fn write_packed(record: &Record, node: NodeId) -> Result<String, Unwritable> {
    let mut position = Position::new(record.game);
    let mut text = String::new();
    for stones in connect6_moves(record, node)? {
        let mover = position.to_move();
        for &square in &stones {
            text.push(letter(square.x));
            text.push(letter(square.y));
            position.place(square).expect("the moves are by the rules");
        }
        // The one stone of a move still under way is not followed by a missing one.
        if stones.len() == 1 && position.to_move() != mover {
            text += "@@";
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moves::{self, sample};

    const UTF8: &[u8] = include_bytes!("../../../suite/formats/ccgc-utf8.txt");
    const GB: &[u8] = include_bytes!("../../../suite/formats/ccgc-gb18030.txt");
    const PACKED: &[u8] = include_bytes!("../../../suite/formats/ccgc-packed.txt");

    #[test]
    fn the_sample_files_are_one_game_in_three_forms() {
        let record = read(UTF8).unwrap();
        let end = record.main_line_end(0);
        assert_eq!(moves::write(&record, end).unwrap(), "J10 / I11 I12 / K11 L12");
        let facts = ["PB", "PW", "RE", "DT", "EV"].map(|key| info(&record, key));
        let expected = ["石队", "白羽", "B+", "2017.07.29 14:00 合肥", "2017 CCGC"];
        assert_eq!(facts, expected);
        assert_eq!(read(GB), Ok(record.clone()));
        assert_eq!(write(&record, end).unwrap().as_bytes(), UTF8.trim_ascii_end());
        let packed = read(PACKED).unwrap();
        assert_eq!(moves::write(&packed, packed.main_line_end(0)), moves::write(&record, end));
        assert_eq!(write_packed(&record, end).unwrap().as_bytes(), PACKED.trim_ascii_end());
        assert!([UTF8, GB, PACKED].into_iter().all(looks_like_ccgc));
    }

    #[test]
    fn a_bracket_inside_a_character_of_gb18030_does_not_end_the_field() {
        // 81 5D is one character.
        let record = read(b"{[C6][\x81\x5d][w]}").unwrap();
        assert_eq!(info(&record, "PB").chars().count(), 1);
        assert_eq!(info(&record, "PW"), "w");
    }

    #[test]
    fn short_and_loose_records_are_read() {
        let record = read(b" {[c6] ; b( j , 10 ) ;\r\n w(i,11) }\r\n").unwrap();
        assert_eq!(moves::write(&record, 2).unwrap(), "J10 / I11");
        assert!(read(b"{[C6][a][b][c][d][e];}").unwrap().nodes().len() == 1);
        assert_eq!(moves::write(&read(b"JJIIKI").unwrap(), 3).unwrap(), "J10 / I9 K9");
        assert_eq!(read(b""), Ok(Record::new(Game::CONNECT6)));
    }

    #[test]
    fn a_missing_stone_is_where_a_move_may_end_early() {
        // Black makes six in a row with the first stone of a move.
        let won = b"JJ@@AAASKJLJSASSMJNJACCAOJ@@";
        let record = read(won).unwrap();
        assert_eq!(record.nodes().len(), 1 + 12);
        assert_eq!(write_packed(&record, 12).unwrap().as_bytes(), won);
        for (text, offset) in [("@@", 0), ("JJII@@", 4), ("JJ@@@@", 4), ("JJ@@IIKI@@", 8)] {
            let error = read(text.as_bytes()).unwrap_err();
            assert_eq!((error.offset, error.len), (offset, 2), "{text}");
        }
    }

    #[test]
    fn errors_have_line_and_column() {
        for (text, expected) in [
            ("{", "1:2: there is no `[` before a field"),
            ("{[C5]}", "1:2: this is a record of `C5`, not of Connect6 (`C6`)"),
            ("{[C6", "1:5: the field has no `]`"),
            ("{[C6]", "1:6: there is no `}` after the last stone"),
            ("{[C6];X(J,10)}", "1:7: a stone starts with `B` or `W`"),
            ("{[C6];B(T,10)}", "1:9: the column is a letter from A to S"),
            ("{[C6]\n;B(J,20)}", "2:6: the row is a number from 1 to 19"),
            ("{[C6];B(J,10);B(J,11)}", "1:15: a black stone where white has 2 to place"),
            ("{[C6]} more", "1:8: there is more after the record"),
            ("JJ@@I", "1:6: the row is a letter from A to S"),
            ("JJ@@T", "1:5: the column is a letter from A to S"),
            ("JJ@@JJ", "1:5: no stone can be placed on J10: the square is taken by a black stone"),
        ] {
            let error = read(text.as_bytes()).unwrap_err();
            let (line, column) = error.line_and_column(text.as_bytes());
            assert_eq!(format!("{line}:{column}: {}", error.message), expected);
        }
    }

    #[test]
    fn other_bytes_do_not_look_like_records() {
        for text in ["", "JJ", "game", "GAME", "connect6", "J10 / I8 H9", "{\"a\":1}", "(;B[JJ])"] {
            assert!(!looks_like_ccgc(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn other_games_are_not_written() {
        let record = Record::new("gomoku".parse().unwrap());
        assert!(write(&record, 0).is_err() && write_packed(&record, 0).is_err());
    }

    #[test]
    fn what_is_written_reads_back_as_the_same_record() {
        arbtest::arbtest(|u| {
            let (mut record, end) = sample::line(u, Game::CONNECT6)?;
            let packed = write_packed(&record, end).unwrap();
            assert_eq!(read(packed.as_bytes()), Ok(record.clone()));
            for (key, value) in [("PB", "甲"), ("RE", "W+"), ("DT", "2017"), ("EV", "x")] {
                if u.arbitrary()? {
                    record.info.push((key.to_string(), value.to_string()));
                }
            }
            assert_eq!(read(write(&record, end).unwrap().as_bytes()), Ok(record));
            Ok(())
        });
    }

    #[test]
    fn any_bytes_are_read_or_refused_without_a_panic() {
        for bytes in [UTF8, GB, PACKED] {
            sample::check_reader(bytes, |bytes| {
                looks_like_ccgc(bytes);
                read(bytes)
            });
        }
    }
}
