//! Edits, as clients send them and as the log of a document keeps them.

use serde::{Deserialize, Serialize};
use sixproof_document as document;
use sixproof_game::Game;
use sixproof_game::picture::Mark;
use sixproof_game::sgf::{line_feeds, one_line};

use super::{Color, Note, SquareName, square, squares};
use crate::problem::{ApiResult, Problem, ProblemKind};

/// The number of a node: never used again, 0 at the root.
pub(crate) type NodeId = u32;

/// The sign on a marked square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum MarkKind {
    Triangle,
    Square,
    Circle,
    Cross,
}

impl From<Mark> for MarkKind {
    fn from(mark: Mark) -> MarkKind {
        match mark {
            Mark::Triangle => MarkKind::Triangle,
            Mark::Square => MarkKind::Square,
            Mark::Circle => MarkKind::Circle,
            Mark::Cross => MarkKind::Cross,
        }
    }
}

impl From<MarkKind> for Mark {
    fn from(kind: MarkKind) -> Mark {
        match kind {
            MarkKind::Triangle => Mark::Triangle,
            MarkKind::Square => Mark::Square,
            MarkKind::Circle => Mark::Circle,
            MarkKind::Cross => Mark::Cross,
        }
    }
}

/// How a node changes its place among its siblings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Promotion {
    Up,
    Down,
    First,
    /// It and every node on the way to it become the first.
    Main,
}

/// A change of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(tag = "edit", rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum Edit {
    /// A move: all its stones, or fewer. Leads to the child that has them already.
    Move {
        node: NodeId,
        #[cfg_attr(test, schema(max_items = 19))]
        squares: Vec<SquareName>,
    },
    /// The side to move places nothing.
    Pass {
        node: NodeId,
    },
    /// A node and all below it.
    Delete {
        node: NodeId,
    },
    Promote {
        node: NodeId,
        how: Promotion,
    },
    #[cfg_attr(test, schema(title = "EditName"))]
    Name {
        node: NodeId,
        text: String,
        /// The name that the client saw: if it has changed since, the edit is refused.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        was: Option<String>,
    },
    Comment {
        node: NodeId,
        text: String,
        /// The comment that the client saw: if it has changed since, the edit is refused.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        was: Option<String>,
    },
    /// An empty text removes the label.
    Label {
        node: NodeId,
        square: SquareName,
        text: String,
    },
    /// Without a kind, the mark is removed.
    Mark {
        node: NodeId,
        square: SquareName,
        kind: Option<MarkKind>,
    },
    /// Draws an arrow, or removes it if it exists.
    Arrow {
        node: NodeId,
        from: SquareName,
        to: SquareName,
    },
    /// The page shows these squares pale, and no others.
    Dim {
        node: NodeId,
        squares: Vec<SquareName>,
    },
    /// The whole position of a node; of a new child if the node has a move or children.
    #[serde(rename_all = "camelCase")]
    Setup {
        node: NodeId,
        black: Vec<SquareName>,
        white: Vec<SquareName>,
        to_move: Color,
        left: u32,
    },
    /// A fact about the game, by SGF's key.
    Info {
        key: String,
        value: String,
    },
    Title {
        text: String,
    },
    /// A tree as text, in any format that can be read, below a node.
    Paste {
        node: NodeId,
        text: String,
    },
}

impl Edit {
    /// The node that the edit is about, if there is one.
    pub(crate) fn node(&self) -> Option<NodeId> {
        match self {
            Edit::Move { node, .. }
            | Edit::Pass { node }
            | Edit::Delete { node }
            | Edit::Promote { node, .. }
            | Edit::Name { node, .. }
            | Edit::Comment { node, .. }
            | Edit::Label { node, .. }
            | Edit::Mark { node, .. }
            | Edit::Arrow { node, .. }
            | Edit::Dim { node, .. }
            | Edit::Setup { node, .. }
            | Edit::Paste { node, .. } => Some(*node),
            Edit::Info { .. } | Edit::Title { .. } => None,
        }
    }

    /// Refuses to replace a text that was changed since the client saw it.
    pub(crate) fn check_text(&self, document: &document::Document) -> ApiResult<()> {
        let (node, text, was) = match self {
            Edit::Name { node, text, was: Some(was) } => (node, one_line(text), one_line(was)),
            Edit::Comment { node, text, was: Some(was) } => {
                (node, line_feeds(text), line_feeds(was))
            }
            _ => return Ok(()),
        };
        let Some(now) = document.node(document::NodeId(*node)) else { return Ok(()) };
        let present = if matches!(self, Edit::Name { .. }) { &now.name } else { &now.comment };
        if *present == was || *present == text {
            return Ok(());
        }
        let mut problem = Problem::conflict("the text was changed meanwhile")
            .kind(ProblemKind::TextChanged)
            .help("join both texts, and send the result with `was` as the present text");
        problem.present = Some(present.clone());
        Err(problem)
    }

    /// The edit as the log keeps it, without the text that the client saw.
    pub(crate) fn kept(&self) -> Edit {
        let mut kept = self.clone();
        if let Edit::Name { was, .. } | Edit::Comment { was, .. } = &mut kept {
            *was = None;
        }
        kept
    }

    /// The edit in the types of documents.
    pub(crate) fn meant(&self, game: Game) -> ApiResult<document::Edit> {
        use document::Edit as E;
        let id = |node: &NodeId| document::NodeId(*node);
        Ok(match self {
            Edit::Move { node, squares: names } => {
                E::Move { node: id(node), squares: squares(game, names)? }
            }
            Edit::Pass { node } => E::Pass { node: id(node) },
            Edit::Delete { node } => E::Delete { node: id(node) },
            Edit::Promote { node, how } => E::Promote {
                node: id(node),
                how: match how {
                    Promotion::Up => document::Promotion::Up,
                    Promotion::Down => document::Promotion::Down,
                    Promotion::First => document::Promotion::First,
                    Promotion::Main => document::Promotion::Main,
                },
            },
            Edit::Name { node, text, .. } => E::Name { node: id(node), text: text.clone() },
            Edit::Comment { node, text, .. } => E::Comment { node: id(node), text: text.clone() },
            Edit::Label { node, square: name, text } => {
                E::Label { node: id(node), square: square(game, name)?, text: text.clone() }
            }
            Edit::Mark { node, square: name, kind } => {
                E::Mark { node: id(node), square: square(game, name)?, kind: kind.map(Mark::from) }
            }
            Edit::Arrow { node, from, to } => {
                E::Arrow { node: id(node), from: square(game, from)?, to: square(game, to)? }
            }
            Edit::Dim { node, squares: names } => {
                E::Dim { node: id(node), squares: squares(game, names)? }
            }
            Edit::Setup { node, black, white, to_move, left } => E::Setup {
                node: id(node),
                black: squares(game, black)?,
                white: squares(game, white)?,
                to_move: (*to_move).into(),
                left: *left,
            },
            Edit::Info { key, value } => E::Info { key: key.clone(), value: value.clone() },
            Edit::Title { text } => E::Title { text: text.clone() },
            Edit::Paste { node, text } => {
                let record = crate::reading::tree(text.as_bytes(), Some(game))?;
                E::Paste { node: id(node), record: Box::new(record) }
            }
        })
    }
}

/// The outcome of an edit.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct Edited {
    pub(crate) revision: u64,
    /// The node to show now.
    pub(crate) node: NodeId,
    /// False if the document was so already.
    pub(crate) changed: bool,
    /// The differences from a pasted text, in sentences.
    pub(crate) notes: Vec<String>,
    /// The same as data.
    pub(crate) noted: Vec<Note>,
}

impl From<document::Applied> for Edited {
    fn from(applied: document::Applied) -> Edited {
        Edited {
            revision: applied.revision,
            node: applied.node.0,
            changed: applied.changed,
            notes: applied.notes.iter().map(ToString::to_string).collect(),
            noted: applied.notes.iter().map(Note::from).collect(),
        }
    }
}

impl From<document::EditError> for Problem {
    fn from(error: document::EditError) -> Problem {
        use document::EditError as Error;
        let kind = match error {
            Error::NoNode(_) => {
                return Problem::missing(error.to_string())
                    .kind(ProblemKind::NodeGone)
                    .help("it may have been deleted in another window");
            }
            Error::Stone { .. } => ProblemKind::SquareTaken,
            Error::TooManyStones { .. } => ProblemKind::TooManyStones,
            Error::GameOver(_) => ProblemKind::GameOver,
            Error::Setup(_) => ProblemKind::NoPosition,
            Error::Incomplete => ProblemKind::MoveIncomplete,
            Error::Root => ProblemKind::Root,
            Error::OtherGame { .. } => ProblemKind::OtherGame,
            Error::TooLarge => ProblemKind::DocumentFull,
            // The page never sends these.
            Error::NoStones | Error::OffBoard(_) | Error::Fact(_) => {
                return Problem::bad(error.to_string());
            }
        };
        Problem::bad(error.to_string()).kind(kind)
    }
}
