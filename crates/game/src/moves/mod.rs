//! Moves in a line of text: the inline form of our own and Little Golem's move list.
//!
//! | text | meaning |
//! | --- | --- |
//! | `J10 / I8 H9 / K11 L10` | moves separated by `/` or `;`, stones by blanks |
//! | `J10 I8 H9 K11` | no separator: the stones are grouped as the game says |
//! | `1.j10 2.i9l10 3.j8l8` | Little Golem: numbered moves, the stones glued together |
//! | `0,0 / 1,1 2,0` | the unbounded board |
//! | `… 7.resign` | the side to move resigned: becomes the result (`RE`) of the record |
//!
//! Capital and small letters mean the same; a line break is a blank; on a bounded board so is a
//! comma. Where moves are separated or numbered, each must have the stones its turn has; only the
//! last may lack some. A move that completes a line may end there.

pub(crate) mod input;
#[cfg(test)]
pub(crate) mod sample;
#[cfg(test)]
mod tests;

use std::fmt;

use crate::{Color, Game, InputError, NodeId, Position, Record, Square};
use input::{Line, Part, moves_to, rhythm, stones};

/// Why a line cannot be written in a format, in one sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwritable(pub String);

impl fmt::Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unwritable {}

/// A word of a move list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Item<'a> {
    /// `/` or `;`.
    Separator(Part<'a>),
    /// `12.`, without the dot.
    Number(Part<'a>),
    /// Text that should be one square.
    Square(Part<'a>),
    /// A word that is not a square: `resign`, `swap`.
    Word(Part<'a>),
}

/// Reads moves, inline or as Little Golem lists them, from the empty board. No text, no moves.
pub fn read(game: Game, text: &str) -> Result<Record, InputError> {
    let items = items(game.is_unbounded(), text);
    let explicit = items.iter().any(|item| matches!(item, Item::Separator(_) | Item::Number(_)));
    let mut reader = Reader { game, line: Line::new(game), explicit, current: None, ended: None };
    for item in items {
        reader.item(item)?;
    }
    Ok(reader.line.finish())
}

/// Reads one complete move of the side to move, such as `K11 L10` or `k11l10`, and plays it: the
/// squares, and the position after them. A move that completes a line may end there.
pub fn read_move(position: &Position, text: &str) -> Result<(Vec<Square>, Position), InputError> {
    let (mover, due) = (position.to_move(), position.left());
    let (squares, mut after) = read_stones(position, text)?;
    if after.winner().is_none() && after.to_move() == mover && !after.is_full() {
        let placed = squares.len();
        let message = format!("{}'s move has {placed} of its {due} stones", mover.title());
        let help = format!("{} has {} to place", mover.title(), stones(due));
        return Err(InputError::new(0, text.len(), message).help(help));
    }
    if after.to_move() == mover {
        after.pass();
    }
    Ok((squares, after))
}

/// Reads stones of one move, at least one and perhaps not all, and places them: the squares, and
/// the position after them.
pub fn read_stones(position: &Position, text: &str) -> Result<(Vec<Square>, Position), InputError> {
    let (game, mover, due) = (position.game(), position.to_move(), position.left());
    let mut after = position.clone();
    let mut squares = Vec::new();
    for item in items(game.is_unbounded(), text) {
        let (Item::Separator(part) | Item::Number(part) | Item::Square(part) | Item::Word(part)) =
            item;
        if !matches!(item, Item::Square(_) | Item::Word(_)) {
            let message = format!("{} does not belong to a single move", part.quoted());
            return Err(part.error(message).help("write its squares alone, as in `K11 L10`"));
        }
        let square = game.parse_square(part.text).map_err(|e| part.error(e.to_string()))?;
        if after.winner().is_none() && after.to_move() != mover {
            let message = format!("{} is one stone too many in this move", part.quoted());
            let help = format!("{} has {} to place", mover.title(), stones(due));
            return Err(part.error(message).help(help));
        }
        after.place(square).map_err(|reason| {
            let name = game.square_name(square);
            part.error(format!("no stone can be placed on {name}: {reason}"))
        })?;
        squares.push(square);
    }
    if squares.is_empty() {
        let help = format!("{} has {} to place", mover.title(), stones(due));
        return Err(InputError::new(0, text.len(), "there is no square in this move").help(help));
    }
    Ok((squares, after))
}

/// Whether a text is probably meant as moves: nothing but squares, numbers, separators, and at
/// least one square.
pub fn looks_like_moves(text: &str) -> bool {
    [false, true].into_iter().any(|unbounded| {
        let items = items(unbounded, text);
        items.iter().any(|item| matches!(item, Item::Square(_)))
            && items.iter().all(|item| match item {
                Item::Square(part) => square_like(part.text),
                Item::Word(part) => is_resign(part.text),
                Item::Separator(_) | Item::Number(_) => true,
            })
    })
}

/// The line from the root to a node: `J10 / I8 H9 / K11 L10`.
pub fn write(record: &Record, node: NodeId) -> Result<String, Unwritable> {
    let moves = moves_to(record, node)?;
    Ok(moves.iter().map(|m| record.game.square_names(m)).collect::<Vec<_>>().join(" / "))
}

/// The line from the root to a node as Little Golem lists it: `1.j10 2.i9l10 3.j8l8`.
pub fn write_little_golem(record: &Record, node: NodeId) -> Result<String, Unwritable> {
    if record.game.is_unbounded() {
        return Err(Unwritable("Little Golem's list has no unbounded board".to_string()));
    }
    let moves = moves_to(record, node)?;
    let written = moves.iter().enumerate().map(|(index, stones)| {
        let names = record.game.square_names(stones).replace(' ', "").to_ascii_lowercase();
        format!("{}.{names}", index + 1)
    });
    Ok(written.collect::<Vec<_>>().join(" "))
}

fn is_resign(word: &str) -> bool {
    ["resign", "resigns", "resigned"].iter().any(|w| w.eq_ignore_ascii_case(word))
}

/// `J10` with one or two letters and digits, or `x,y`.
fn square_like(text: &str) -> bool {
    let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    if let Some((x, y)) = text.split_once(',') {
        return [x, y].into_iter().all(|t| digits(t.strip_prefix('-').unwrap_or(t)));
    }
    let (letters, row) = text.split_at(text.bytes().take_while(u8::is_ascii_alphabetic).count());
    (1..=2).contains(&letters.len()) && row.len() <= 2 && digits(row)
}

/// Cuts a text into items, without regard to their meaning.
fn items(unbounded: bool, text: &str) -> Vec<Item<'_>> {
    let blank = |c: char| c.is_whitespace() || (c == ',' && !unbounded);
    let separator = |c: char| c == '/' || c == ';';
    let mut items = Vec::new();
    for word in Part::whole(text).words(blank) {
        let mut start = 0;
        for (i, c) in word.text.char_indices().filter(|&(_, c)| separator(c)) {
            glued_items(word.slice(start, i), &mut items);
            start = i + c.len_utf8();
            items.push(Item::Separator(word.slice(i, start)));
        }
        glued_items(word.slice(start, word.text.len()), &mut items);
    }
    items
}

/// The items of a word without blanks and separators: an optional number with its dot, then squares
/// glued together, each ending where a letter follows a digit.
fn glued_items<'a>(word: Part<'a>, items: &mut Vec<Item<'a>>) {
    let digits = word.text.bytes().take_while(u8::is_ascii_digit).count();
    let mut rest = word;
    if digits > 0 && word.text[digits..].starts_with('.') {
        items.push(Item::Number(word.slice(0, digits)));
        rest = word.slice(digits + 1, word.text.len());
    }
    if rest.text.is_empty() {
        return;
    }
    if rest.text.bytes().all(|b| b.is_ascii_alphabetic()) {
        items.push(Item::Word(rest));
        return;
    }
    let bytes = rest.text.as_bytes();
    let mut start = 0;
    for i in 1..bytes.len() {
        if bytes[i].is_ascii_alphabetic() && bytes[i - 1].is_ascii_digit() {
            items.push(Item::Square(rest.slice(start, i)));
            start = i;
        }
    }
    items.push(Item::Square(rest.slice(start, bytes.len())));
}

/// A place in the text.
struct Reader<'a> {
    game: Game,
    line: Line,
    /// Whether moves are separated or numbered, so that their lengths can be checked.
    explicit: bool,
    /// The first and the last stone read since the last separator.
    current: Option<(Part<'a>, Part<'a>)>,
    /// The word that ended the game.
    ended: Option<Part<'a>>,
}

impl<'a> Reader<'a> {
    fn item(&mut self, item: Item<'a>) -> Result<(), InputError> {
        if let (Some(word), Item::Square(part) | Item::Number(part) | Item::Word(part)) =
            (self.ended, item)
        {
            return Err(part.error(format!("there is more after {}", word.quoted())));
        }
        match item {
            Item::Separator(part) => {
                if self.current.is_none() && self.ended.is_none() {
                    let help = "write moves as in `J10 / I8 H9`";
                    return Err(part.error("there is no move before the separator").help(help));
                }
                self.end_move()
            }
            Item::Number(part) => {
                self.end_move()?;
                let due = self.line.moves() + 1;
                if part.number().map(|n| n as usize) != Some(due) {
                    let message = format!("move number {} where {due} is due", part.text);
                    return Err(part.error(message));
                }
                Ok(())
            }
            Item::Square(part) => self.square(part),
            Item::Word(part) => self.word(part),
        }
    }

    fn square(&mut self, part: Part<'a>) -> Result<(), InputError> {
        let square = self.game.parse_square(part.text).map_err(|e| part.error(e.to_string()))?;
        let over = self.line.position().winner().is_some();
        if self.explicit && self.current.is_some() && self.line.in_move() == 0 && !over {
            let message = format!("{} is one stone too many in this move", part.quoted());
            let help = format!("in {} the moves are {}", self.game.title(), rhythm(self.game));
            return Err(part.error(message).help(help));
        }
        self.line.place(square, part.offset, part.text.len())?;
        self.current = Some((self.current.map_or(part, |(first, _)| first), part));
        Ok(())
    }

    fn word(&mut self, part: Part<'a>) -> Result<(), InputError> {
        if is_resign(part.text) {
            let winner = match self.line.position().to_move() {
                Color::Black => "W+R",
                Color::White => "B+R",
            };
            self.line.inform("RE", winner);
            self.ended = Some(part);
            return Ok(());
        }
        if part.text.eq_ignore_ascii_case("swap") {
            let help = "write the moves as they stand after it, without `swap`";
            return Err(part.error("the swap rule is not part of these games").help(help));
        }
        let error = self.game.parse_square(part.text).err();
        Err(part.error(error.map_or_else(|| part.quoted(), |e| e.to_string())))
    }

    /// A move ends here: it must be complete, if any of it was read.
    fn end_move(&mut self) -> Result<(), InputError> {
        let Some((first, last)) = self.current.take() else { return Ok(()) };
        let (placed, position) = (self.line.in_move(), self.line.position());
        if placed == 0 || position.is_full() {
            return Ok(());
        }
        let due = placed + position.left();
        let message =
            format!("{}'s move has {placed} of its {due} stones", position.to_move().title());
        let help = format!("in {} the moves are {}", self.game.title(), rhythm(self.game));
        let len = last.offset + last.text.len() - first.offset;
        Err(InputError::new(first.offset, len, message).help(help))
    }
}
