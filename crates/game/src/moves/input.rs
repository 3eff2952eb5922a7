//! The common part of the readers and writers of move lists: pieces of the input that know where
//! they stand, text in an unknown encoding, and the line of stones that is being built.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8};

use super::Unwritable;
use crate::{Color, Game, InputError, NodeId, Position, Record, Square};

/// The most stones in a line. A bounded board never gets there.
pub(crate) const STONES_MAX: usize = 10_000;

/// The most characters of a wrong piece of input that an error message repeats.
const QUOTE_MAX: usize = 40;

/// A piece of the input and the byte offset where it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part<'a> {
    pub(crate) text: &'a str,
    pub(crate) offset: usize,
}

impl<'a> Part<'a> {
    /// The whole input.
    pub(crate) fn whole(text: &'a str) -> Part<'a> {
        Part { text, offset: 0 }
    }

    /// From byte `start` to before byte `end` of this part.
    pub(crate) fn slice(self, start: usize, end: usize) -> Part<'a> {
        Part { text: &self.text[start..end], offset: self.offset + start }
    }

    /// Without white space at both ends.
    pub(crate) fn trim(self) -> Part<'a> {
        let start = self.text.len() - self.text.trim_start().len();
        self.slice(start, start + self.text.trim().len())
    }

    /// The lines, trimmed, empty ones included.
    pub(crate) fn lines(self) -> impl Iterator<Item = Part<'a>> {
        self.pieces(|c| c == '\n').map(Part::trim)
    }

    /// The non-empty pieces between characters that separate.
    pub(crate) fn words(self, separates: impl Fn(char) -> bool) -> impl Iterator<Item = Part<'a>> {
        self.pieces(separates).filter(|piece| !piece.text.is_empty())
    }

    fn pieces(self, separates: impl Fn(char) -> bool) -> impl Iterator<Item = Part<'a>> {
        let mut start = Some(0);
        std::iter::from_fn(move || {
            let from = start?;
            let found =
                self.text[from..].char_indices().find(|&(_, c)| separates(c)).map(|(i, c)| {
                    let end = from + i;
                    (end, end + c.len_utf8())
                });
            start = found.map(|(_, next)| next);
            Some(self.slice(from, found.map_or(self.text.len(), |(end, _)| end)))
        })
    }

    /// The text in backquotes for a message, shortened when long.
    pub(crate) fn quoted(self) -> String {
        let mut text: String = self.text.chars().take(QUOTE_MAX).collect();
        if text.len() < self.text.len() {
            text.push('…');
        }
        format!("`{text}`")
    }

    /// An error about this part.
    pub(crate) fn error(self, message: impl Into<String>) -> InputError {
        InputError::new(self.offset, self.text.len(), message)
    }

    /// A whole number without a sign, however long the text.
    pub(crate) fn number(self) -> Option<u32> {
        let digits = !self.text.is_empty() && self.text.bytes().all(|b| b.is_ascii_digit());
        if digits { self.text.parse().ok() } else { None }
    }
}

/// The encoding of texts of one file, if nothing is known of it: UTF-8 if it can be, else the most
/// likely legacy one.
pub(crate) fn guess_encoding<'a>(texts: impl Iterator<Item = &'a [u8]>) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    let mut utf8 = true;
    for text in texts {
        utf8 &= std::str::from_utf8(text).is_ok();
        detector.feed(text, false);
    }
    detector.feed(b"", true);
    if utf8 { UTF_8 } else { detector.guess(None, Utf8Detection::Deny) }
}

/// A record that is being read as one line of stones, each of them checked against the rules.
pub(crate) struct Line {
    record: Record,
    position: Position,
    last: NodeId,
    moves: usize,
    in_move: u32,
}

impl Line {
    /// The empty board.
    pub(crate) fn new(game: Game) -> Line {
        let (record, position) = (Record::new(game), Position::new(game));
        Line { record, position, last: 0, moves: 0, in_move: 0 }
    }

    /// The position reached.
    pub(crate) fn position(&self) -> &Position {
        &self.position
    }

    /// The number of complete moves.
    pub(crate) fn moves(&self) -> usize {
        self.moves
    }

    /// The number of stones placed in the move under way; 0 between moves.
    pub(crate) fn in_move(&self) -> u32 {
        self.in_move
    }

    /// Places a stone of the side to move, read from `len` bytes at `offset`.
    pub(crate) fn place(
        &mut self,
        square: Square,
        offset: usize,
        len: usize,
    ) -> Result<(), InputError> {
        let game = self.record.game;
        if self.record.nodes().len() > STONES_MAX {
            let message = format!("there are more than {STONES_MAX} stones");
            return Err(InputError::new(offset, len, message));
        }
        let mover = self.position.to_move();
        self.position.place(square).map_err(|reason| {
            let name = game.square_name(square);
            InputError::new(offset, len, format!("no stone can be placed on {name}: {reason}"))
        })?;
        self.last = self.record.add_stone(self.last, mover, square);
        self.in_move += 1;
        if self.position.to_move() != mover {
            self.moves += 1;
            self.in_move = 0;
        }
        Ok(())
    }

    /// Places a stone of a side that the input names: it must be the side to move.
    pub(crate) fn place_as(
        &mut self,
        color: Color,
        square: Square,
        offset: usize,
        len: usize,
    ) -> Result<(), InputError> {
        let (due, left) = (self.position.to_move(), self.position.left());
        if color != due && self.position.winner().is_none() {
            let message = format!("a {color} stone where {due} has {left} to place");
            let help = format!(
                "in {} the moves are {}",
                self.record.game.title(),
                rhythm(self.record.game)
            );
            return Err(InputError::new(offset, len, message).help(help));
        }
        self.place(square, offset, len)
    }

    /// Adds a fact about the game, unless it is empty.
    pub(crate) fn inform(&mut self, key: &str, value: &str) {
        if !value.is_empty() {
            self.record.info.push((key.to_string(), value.to_string()));
        }
    }

    /// The record read.
    pub(crate) fn finish(self) -> Record {
        self.record
    }
}

/// A number of stones, in words.
pub(crate) fn stones(count: u32) -> String {
    if count == 1 { "1 stone".to_string() } else { format!("{count} stones") }
}

/// The number of stones in the moves of a game, in words for an error message.
pub(crate) fn rhythm(game: Game) -> String {
    if game.p() == game.q() {
        format!("of {} each", stones(game.p()))
    } else {
        format!("of {}, Black's first of {}", stones(game.p()), stones(game.q()))
    }
}

/// The first value of a fact about the game, or an empty text.
pub(crate) fn info<'a>(record: &'a Record, key: &str) -> &'a str {
    record.info.iter().find(|(k, _)| k == key).map_or("", |(_, value)| value)
}

/// The moves from the root to a node, when they are moves of the rules from the empty board: most
/// formats can hold nothing else.
pub(crate) fn moves_to(record: &Record, node: NodeId) -> Result<Vec<Vec<Square>>, Unwritable> {
    let mut line = Line::new(record.game);
    let mut moves: Vec<Vec<Square>> = Vec::new();
    for id in record.path_to(node) {
        let node = record.node(id);
        let passes = node.player.is_some_and(|player| player != line.position().to_move());
        if !node.setup.is_empty() {
            return Err(Unwritable("the line has set-up stones; write it as SGF".to_string()));
        }
        if node.left.is_some() || passes {
            return Err(Unwritable("the line has a set-up turn; write it as SGF".to_string()));
        }
        for &(color, square) in &node.stones {
            let starts_move = line.in_move() == 0;
            line.place_as(color, square, 0, 0).map_err(|error| Unwritable(error.message))?;
            match moves.last_mut() {
                Some(stones) if !starts_move => stones.push(square),
                _ => moves.push(vec![square]),
            }
        }
    }
    Ok(moves)
}
