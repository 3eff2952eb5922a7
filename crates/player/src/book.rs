//! The opening book: answers that are known before the search begins, from proofs and from long
//! searches. Data, one file, made by `cargo xtask book`; for Connect6 on 19 x 19 only.
//!
//! A line of the file is a position as moves, the answer, and where it comes from:
//!
//! ```text
//! J10 / G7 G10 | J8 K9 | proof docs/atlas/G10-G7.cert.zst
//! J10 | I10 K9 | play 12
//! ```
//!
//! Positions that are images of each other are one: the answer is turned and mirrored with them. A
//! book is not a proof: the player scores such a move with a value, not as a win.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use sixproof_game::{Color, Game, Move, Position, Square, Symmetry, moves};

use crate::{Reason, Score, Thought};

/// The game that the book is for.
pub const GAME: Game = Game::CONNECT6;
/// The value of an answer from a proof: nearly a win, because the certificate is not at hand.
const PROVED: i32 = 1_000;

static EMBEDDED: LazyLock<Book> = LazyLock::new(|| {
    Book::read(include_str!("../data/book.txt")).expect("the embedded book is well formed")
});

/// Where an answer comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The first move of a certificate that the checker accepted: the file's name.
    Proof(String),
    /// A long search, with its value, as in [`Score::Value`].
    Play(i32),
}

/// A position and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The position, at the beginning of a move.
    pub position: Position,
    /// The stones of the answer.
    pub answer: Move,
    /// Where it comes from.
    pub source: Source,
}

/// Stones in the order of their squares.
type Stones = Vec<(Square, Color)>;

/// Answers by position.
#[derive(Clone, Debug, Default)]
pub struct Book {
    entries: BTreeMap<Stones, Entry>,
}

impl Book {
    /// The book that the player has embedded.
    pub fn embedded() -> &'static Book {
        &EMBEDDED
    }

    /// Reads the text of a book.
    pub fn read(text: &str) -> Result<Book, BadEntry> {
        let mut book = Book::default();
        for (index, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let bad = |message: String| BadEntry { line: index + 1, message };
            let entry = Entry::read(line).map_err(bad)?;
            if book.find(&entry.position).is_some() {
                return Err(bad(String::from("an image of this position has an answer already")));
            }
            book.add(entry);
        }
        Ok(book)
    }

    /// Adds an entry.
    pub fn add(&mut self, entry: Entry) {
        self.entries.insert(entry.position.stones().collect(), entry);
    }

    /// All entries.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.values()
    }

    /// The entry of a position or of an image of it, seen from the position itself.
    pub fn find(&self, position: &Position) -> Option<Entry> {
        let game = position.game();
        let count = position.stones().count();
        let begins = count == 0 || position.left() == game.p();
        let regular = game.turn(count) == (position.to_move(), position.left());
        if game != GAME || !begins || !regular {
            return None;
        }
        Symmetry::all(GAME).iter().find_map(|symmetry| {
            let image = |(square, color)| (symmetry.apply(square), color);
            let mut stones: Stones = position.stones().map(image).collect();
            stones.sort_unstable();
            let entry = self.entries.get(&stones)?;
            let back = |&square: &Square| symmetry.inverse().apply(square);
            Some(Entry {
                position: position.clone(),
                answer: entry.answer.iter().map(back).collect(),
                source: entry.source.clone(),
            })
        })
    }

    /// The thought of a player that looks the position up.
    pub(crate) fn thought(&self, position: &Position) -> Option<Thought> {
        let Entry { answer, source, .. } = self.find(position)?;
        let value = match source {
            Source::Proof(_) => PROVED,
            Source::Play(value) => value,
        };
        let mut line = vec![answer.clone()];
        let mut after = position.clone();
        while let Some(squares) = line.last() {
            after.play(squares).ok()?;
            match self.find(&after) {
                Some(reply) => line.push(reply.answer),
                None => break,
            }
        }
        let (score, reason) = (Score::Value(value), Reason::Book);
        let squares = answer.to_vec();
        Some(Thought { squares, score, reason, line, ..Thought::default() })
    }
}

impl Entry {
    /// Reads a line.
    fn read(line: &str) -> Result<Entry, String> {
        let mut parts = line.split('|').map(str::trim);
        let [Some(before), Some(answer), Some(source), None] =
            [parts.next(), parts.next(), parts.next(), parts.next()]
        else {
            return Err(String::from("expected `moves | answer | where it comes from`"));
        };
        let record = moves::read(GAME, before).map_err(|error| error.message)?;
        let end = record.reach(record.main_line_end(0)).map_err(|error| error.to_string())?;
        let position = end.position;
        if position.left() < GAME.p() && position.stones().next().is_some() {
            return Err(String::from("the last move lacks a stone"));
        }
        let (answer, _) = moves::read_move(&position, answer).map_err(|error| error.message)?;
        let source = match source.split_once(' ') {
            Some(("proof", file)) => Source::Proof(file.trim().to_owned()),
            Some(("play", value)) => Source::Play(
                value
                    .trim()
                    .parse()
                    .map_err(|_| format!("`{value}` is not the value of a move"))?,
            ),
            _ => return Err(format!("`{source}` is neither `proof FILE` nor `play VALUE`")),
        };
        Ok(Entry { position, answer: answer.into(), source })
    }
}

/// The line of the file.
impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let [mut black, mut white] =
            [Color::Black, Color::White].map(|color| self.position.squares_of(color));
        let mut moves: Vec<Vec<Square>> = Vec::new();
        for index in 0..self.position.stones().count() {
            let (color, left) = GAME.turn(index);
            let next = if color == Color::Black { black.next() } else { white.next() };
            if left == GAME.p() || index == 0 {
                moves.push(Vec::new());
            }
            moves.last_mut().expect("a move has begun").extend(next);
        }
        let moves: Vec<String> = moves.iter().map(|stones| GAME.square_names(stones)).collect();
        let (moves, answer) = (moves.join(" / "), GAME.square_names(&self.answer));
        match &self.source {
            Source::Proof(file) => write!(f, "{moves} | {answer} | proof {file}"),
            Source::Play(value) => write!(f, "{moves} | {answer} | play {value}"),
        }
    }
}

/// A line of a book that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadEntry {
    line: usize,
    message: String,
}

impl fmt::Display for BadEntry {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for BadEntry {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Engine, Level, Limits, Settings, Style, Unwatched};
    use sixproof_oracle::effort;

    const FEW: Limits = Limits { soft: None, hard: None, nodes: Some(200), depth: Some(1) };

    fn after(entry: &Entry) -> Position {
        let mut position = entry.position.clone();
        for &square in &entry.answer {
            position.place(square).unwrap();
        }
        position
    }

    #[test]
    fn every_image_of_a_position_has_the_image_of_its_answer() {
        for entry in Book::embedded().entries() {
            for symmetry in Symmetry::all(GAME) {
                let position = symmetry.position(&entry.position).unwrap();
                let found = Book::embedded().find(&position).unwrap();
                // Where the position is its own image there is more than one image of the answer:
                // all are equally good.
                let mut images = Symmetry::all(GAME).into_iter();
                let is_image = |symmetry: Symmetry| {
                    symmetry.position(&after(entry)).is_some_and(|image| image == after(&found))
                };
                assert!(images.any(is_image), "{entry}: {found}");
                assert_eq!(found.source, entry.source);
            }
        }
    }

    #[test]
    fn every_answer_is_a_whole_move() {
        assert!(Book::embedded().entries().count() > 60);
        for entry in Book::embedded().entries() {
            assert_eq!(entry.position.irregularity(), None, "{entry}");
            let due = if entry.position.stones().count() == 0 { GAME.q() } else { GAME.p() };
            assert_eq!(entry.answer.len() as u32, due, "{entry}");
            assert_ne!(after(entry).to_move(), entry.position.to_move(), "{entry}");
        }
    }

    #[test]
    fn no_answer_leads_to_a_position_that_the_book_knows_as_lost() {
        for entry in Book::embedded().entries() {
            let reply = Book::embedded().find(&after(entry));
            let lost = reply.is_some_and(|reply| matches!(reply.source, Source::Proof(_)));
            assert!(!lost, "{entry}");
        }
    }

    #[test]
    fn no_answer_lets_the_other_side_win_at_once() {
        let settings = Settings { style: Style::Nctu6, ..Settings::default() };
        for entry in Book::embedded().entries().step_by(effort(3, 1)) {
            let limits = Limits { nodes: Some(2_000), ..Limits::default() };
            let reply = Engine::new(settings.clone()).think(&after(entry), &limits, &Unwatched);
            assert!(reply.proof.is_none(), "{entry}: {reply:?}");
        }
    }

    #[test]
    fn entries_are_read_as_they_are_written() {
        for entry in Book::embedded().entries() {
            assert_eq!(Entry::read(&entry.to_string()).as_ref(), Ok(entry));
        }
        let entry = Entry::read("J10 / I8 H9 / L10 K11 / A1 B1 | C1 D1 | play -7").unwrap();
        assert_eq!(entry.position.stones().count(), 7);
        assert_eq!(Entry::read(&entry.to_string()), Ok(entry));
    }

    #[test]
    fn a_bad_line_is_named() {
        for (line, message) in [
            ("J10", "expected `moves | answer | where it comes from`"),
            ("J10 | I9 K9 | play 1 | more", "expected `moves | answer | where it comes from`"),
            ("J10 / I9 | K9 K8 | play 1", "the last move lacks a stone"),
            ("J10 | I9 J10 | play 1", "no stone can be placed on J10: the square is taken"),
            ("J10 | I9 | play 1", "White's move has 1 of its 2 stones"),
            ("J10 | I9 K9 | hearsay", "`hearsay` is neither `proof FILE` nor `play VALUE`"),
            ("J10 | I9 K9 | play well", "`well` is not the value of a move"),
            ("J20 | I9 K9 | play 1", "`J20` is off the board"),
        ] {
            let error = Book::read(&format!("# a book\n\n{line}\n")).unwrap_err();
            assert_eq!(error.line, 3, "{line}");
            assert!(error.message.starts_with(message), "{line}: {error}");
        }
        let twice = "J10 / I9 K9 | I8 K8 | play 1\nJ10 / K11 I11 | I8 K8 | play 1\n";
        assert_eq!(Book::read(twice).unwrap_err().line, 2);
    }

    #[test]
    fn only_connect6_at_the_beginning_of_a_move_is_looked_up() {
        let book = Book::embedded();
        assert!(book.find(&Position::new(GAME)).is_some());
        for game in ["gomoku", "15,15,6,2,1", "19,19,6,2,1,exact", "inf,6,2,1", "19,19,6,2,2"] {
            assert_eq!(book.find(&Position::new(game.parse().unwrap())), None, "{game}");
        }
        let centre = [Square::new(9, 9)];
        for (to_move, left, found) in
            [(Color::White, 2, true), (Color::White, 1, false), (Color::Black, 2, false)]
        {
            let position = Position::set_up(GAME, &centre, &[], to_move, left).unwrap();
            assert_eq!(book.find(&position).is_some(), found, "{to_move:?} {left}");
        }
    }

    #[test]
    fn the_book_is_used_by_the_strong_levels_and_can_be_switched_off() {
        let mut position = Position::new(GAME);
        for entry in [None, Book::embedded().find(&position)] {
            for square in entry.into_iter().flat_map(|entry| entry.answer) {
                position.place(square).unwrap();
            }
            for (style, number, book, used) in [
                (Style::Sixproof, 10, true, true),
                (Style::Sixproof, 5, true, true),
                (Style::Sixproof, 4, true, false),
                (Style::Sixproof, 10, false, false),
                (Style::Nctu6, 10, true, false),
                (Style::Greedy, 10, true, false),
            ] {
                let level = Level::new(number).unwrap();
                let settings = Settings { style, level, book, ..Settings::default() };
                let thought = Engine::new(settings).think(&position, &FEW, &Unwatched);
                assert_eq!(thought.reason == Reason::Book, used, "{style} {number} {book}");
                assert!(!used || thought.line[0] == thought.squares[..].into(), "{thought:?}");
                assert_ne!(thought.score, Score::Win);
            }
        }
    }
}
