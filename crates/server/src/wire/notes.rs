//! Past edits, and differences from a file, as data: the page shows them in the language of its
//! reader.

use serde::Serialize;
use sixproof_document as document;

use super::{Color, SquareName};

/// The kinds of edits that were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum DeedKind {
    Move,
    Pass,
    Delete,
    Order,
    MainLine,
    Name,
    Comment,
    Label,
    Mark,
    Arrow,
    Dim,
    Setup,
    Title,
    Fact,
    Paste,
    /// An edit that could not be made again when the document was opened.
    LeftOut,
}

/// An edit that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct Deed {
    pub(crate) kind: DeedKind,
    /// The squares that it is about.
    pub(crate) squares: Vec<SquareName>,
    /// The number of the move at which something was written or drawn; 0 at the start.
    pub(crate) turn: Option<u32>,
    /// The number of nodes that were added or removed.
    pub(crate) nodes: Option<usize>,
    /// SGF's key of the fact that was changed.
    pub(crate) key: Option<String>,
}

impl From<&document::Deed> for Deed {
    fn from(deed: &document::Deed) -> Deed {
        use document::DeedKind as Kind;
        let kind = match deed.kind {
            Kind::Move => DeedKind::Move,
            Kind::Pass => DeedKind::Pass,
            Kind::Delete => DeedKind::Delete,
            Kind::Order => DeedKind::Order,
            Kind::MainLine => DeedKind::MainLine,
            Kind::Name => DeedKind::Name,
            Kind::Comment => DeedKind::Comment,
            Kind::Label => DeedKind::Label,
            Kind::Mark => DeedKind::Mark,
            Kind::Arrow => DeedKind::Arrow,
            Kind::Dim => DeedKind::Dim,
            Kind::Setup => DeedKind::Setup,
            Kind::Title => DeedKind::Title,
            Kind::Fact => DeedKind::Fact,
            Kind::Paste => DeedKind::Paste,
            Kind::LeftOut => DeedKind::LeftOut,
        };
        let document::Deed { squares, turn, nodes, key, .. } = deed.clone();
        Deed { kind, squares, turn, nodes, key }
    }
}

/// The kinds of differences from a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum NoteKind {
    OffBoard,
    OutOfTurn,
    SetUp,
    SetupLeftOut,
    FactsLeftOut,
    RulesDiffer,
    /// A stored edit could not be made again: `at` is its number, from 1.
    EditLeftOut,
    /// An earlier version did not store all edits: `more` numbers of nodes were inferred.
    NumbersInferred,
    More,
}

/// A difference between a document and its file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct Note {
    pub(crate) kind: NoteKind,
    /// The node of the file, as a path; or the number of an edit.
    pub(crate) at: Option<String>,
    pub(crate) squares: Vec<SquareName>,
    /// The side that moves out of turn.
    pub(crate) color: Option<Color>,
    /// SGF's keys of facts.
    pub(crate) keys: Vec<String>,
    /// The rules of the file, in its own words.
    pub(crate) rules: Option<String>,
    /// The number of notes that are not listed, or of inferred numbers.
    pub(crate) more: usize,
}

impl Note {
    /// A note without any detail.
    pub(crate) fn new(kind: NoteKind) -> Note {
        Note {
            kind,
            at: None,
            squares: Vec::new(),
            color: None,
            keys: Vec::new(),
            rules: None,
            more: 0,
        }
    }
}

impl From<&document::Note> for Note {
    fn from(note: &document::Note) -> Note {
        let plain = Note::new;
        match note.clone() {
            document::Note::OffBoard { at, squares } => {
                Note { at: Some(at), squares, ..plain(NoteKind::OffBoard) }
            }
            document::Note::OutOfTurn { at, color, square } => Note {
                at: Some(at),
                color: Some(color.into()),
                squares: vec![square],
                ..plain(NoteKind::OutOfTurn)
            },
            document::Note::SetUp { at, square, .. } => {
                Note { at: Some(at), squares: vec![square], ..plain(NoteKind::SetUp) }
            }
            document::Note::SetupLeftOut(_) => plain(NoteKind::SetupLeftOut),
            document::Note::FactsLeftOut(keys) => Note { keys, ..plain(NoteKind::FactsLeftOut) },
            document::Note::RulesDiffer { rules, .. } => {
                Note { rules: Some(rules), ..plain(NoteKind::RulesDiffer) }
            }
            document::Note::More(more) => Note { more, ..plain(NoteKind::More) },
        }
    }
}
