//! The differences between a document and its record, as data: the page shows them in the language
//! of its reader, and other programs their English form.

use std::fmt;

use sixproof_game::{Color, Game, IllegalStone, SetupError};

/// The most notes that are listed one by one.
const NOTES_MAX: usize = 20;

/// A difference between a document and its record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// Stones off the board were left out.
    OffBoard {
        /// The node of the record, as a path.
        at: String,
        /// The squares.
        squares: Vec<String>,
    },
    /// A side moves twice: a pass was put between.
    OutOfTurn {
        /// The node of the record, as a path.
        at: String,
        /// The side.
        color: Color,
        /// The stone after the pass.
        square: String,
    },
    /// A stone that the rules do not allow is kept as a stone set up.
    SetUp {
        /// The node of the record, as a path.
        at: String,
        /// The stone.
        square: String,
        /// Why it cannot be played.
        reason: IllegalStone,
    },
    /// The set-up of a pasted tree was left out.
    SetupLeftOut(SetupError),
    /// The facts about a pasted game were left out: SGF's keys.
    FactsLeftOut(Vec<String>),
    /// The file has other rules than those of the game that it is read as.
    RulesDiffer {
        /// The rules, in the words of the file.
        rules: String,
        /// The game.
        game: Game,
    },
    /// The number of further notes, which are not listed.
    More(usize),
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::OffBoard { at, squares } => {
                let squares = squares.join(" ");
                write!(f, "at {at}: left out, since it is off the board: {squares}")
            }
            Note::OutOfTurn { at, color, square } => {
                write!(f, "at {at}: {color} moves out of turn: a pass was put before {square}")
            }
            Note::SetUp { at, square, reason } => {
                write!(f, "at {at}: {square} cannot be played ({reason}): kept as a stone set up")
            }
            Note::SetupLeftOut(error) => write!(f, "the set-up was left out: {error}"),
            Note::FactsLeftOut(keys) => {
                write!(f, "facts about the pasted game were left out: {}", keys.join(", "))
            }
            Note::RulesDiffer { rules, game } => write!(
                f,
                "the rules of the file are `{rules}`, which are not known here: it is read as {}, \
                 and what is proved holds for that game only",
                game.title()
            ),
            Note::More(count) => write!(f, "and {count} more of this kind"),
        }
    }
}

/// The notes so far.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    listed: Vec<Note>,
    more: usize,
}

impl Notes {
    pub(crate) fn add(&mut self, note: impl FnOnce() -> Note) {
        if self.listed.len() < NOTES_MAX {
            self.listed.push(note());
        } else {
            self.more += 1;
        }
    }

    pub(crate) fn finish(mut self) -> Vec<Note> {
        if self.more > 0 {
            self.listed.push(Note::More(self.more));
        }
        self.listed
    }
}
