//! Documents, their nodes, and the rows of the tree.

use serde::{Deserialize, Serialize};

use super::{Color, Deed, Game, MarkKind, NodeId, Note, Position, ProofPlace, SquareName};
use crate::jobs::wire::JobResult;

/// A document, in short.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct DocumentSummary {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) game: Game,
    pub(crate) nodes: usize,
    /// Grows with every change.
    pub(crate) revision: u64,
    /// Milliseconds since 1970.
    pub(crate) created_ms: u64,
    pub(crate) changed_ms: u64,
}

/// A document: a game tree.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct Document {
    #[serde(flatten)]
    pub(crate) summary: DocumentSummary,
    /// Facts about the game, by SGF's keys.
    pub(crate) info: Vec<Fact>,
    pub(crate) can_undo: bool,
    pub(crate) can_redo: bool,
    /// What undo takes back, in words.
    pub(crate) undoes: Option<String>,
    pub(crate) redoes: Option<String>,
    /// The same as data.
    pub(crate) undo_deed: Option<Deed>,
    pub(crate) redo_deed: Option<Deed>,
    /// The node where the reader was last.
    pub(crate) at: NodeId,
    /// The differences from the document that was stored, in sentences; usually none.
    pub(crate) notes: Vec<String>,
    /// The same as data.
    pub(crate) noted: Vec<Note>,
}

/// A fact about a game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct Fact {
    pub(crate) key: String,
    pub(crate) value: String,
}

/// A request for a new document.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct NewDocument {
    /// A game, by name or m,n,k,p,q; without it, Connect6.
    pub(crate) game: Option<String>,
    /// A named position, moves, a diagram.
    pub(crate) position: Option<String>,
    pub(crate) title: Option<String>,
}

/// A file that was opened.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct Opened {
    pub(crate) document: Document,
    /// The format of the file: SGF, psq, certificate …
    pub(crate) format: String,
    /// The differences from the file, in sentences.
    pub(crate) notes: Vec<String>,
    /// The same as data.
    pub(crate) noted: Vec<Note>,
    /// The number of games in the file.
    pub(crate) games: usize,
}

/// A game of a file, in a list to choose from.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct GameSummary {
    /// From 1, as in `number` of `documents/open`.
    pub(crate) number: usize,
    /// The name of the game, else the event and the round; often empty.
    pub(crate) title: String,
    /// The game; null where the parameters of the file are invalid.
    pub(crate) game: Option<Game>,
    pub(crate) black: String,
    pub(crate) white: String,
    /// The result in the words of the file: `B+`.
    pub(crate) result: String,
    /// The number of moves in the main line.
    pub(crate) moves: usize,
}

/// How to open a file.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(crate) struct OpenQuery {
    /// The name of the file, which becomes the title.
    pub(crate) name: Option<String>,
    /// The game, for files that do not name it.
    pub(crate) game: Option<String>,
    /// The number of the game in the file, from 1; without it, the first.
    #[cfg_attr(test, param(minimum = 1))]
    pub(crate) number: Option<usize>,
    /// Whether to open a game with unknown rules as the game that is most like it, with a note.
    pub(crate) anyway: Option<bool>,
}

/// A stone that a node plays.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct Stone {
    pub(crate) square: SquareName,
    pub(crate) color: Color,
}

/// A stone that a node sets up, or a square that it empties.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct SetUp {
    pub(crate) square: SquareName,
    pub(crate) color: Option<Color>,
}

/// A label on a square.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct Label {
    pub(crate) square: SquareName,
    pub(crate) text: String,
}

/// A marked square.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct Marked {
    pub(crate) square: SquareName,
    pub(crate) kind: MarkKind,
}

/// An arrow.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct Arrow {
    pub(crate) from: SquareName,
    pub(crate) to: SquareName,
}

/// One node of a game tree, with all that the board shows of it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct Node {
    pub(crate) id: NodeId,
    pub(crate) parent: Option<NodeId>,
    /// From the root to this node, both included.
    pub(crate) path: Vec<NodeId>,
    /// The number of its move, 0 at the root.
    pub(crate) turn: u32,
    pub(crate) stones: Vec<Stone>,
    pub(crate) setup: Vec<SetUp>,
    pub(crate) name: String,
    pub(crate) comment: String,
    pub(crate) labels: Vec<Label>,
    pub(crate) marks: Vec<Marked>,
    pub(crate) arrows: Vec<Arrow>,
    pub(crate) dimmed: Vec<SquareName>,
    pub(crate) position: Position,
    /// The next moves, the main line first.
    pub(crate) children: Vec<Child>,
    pub(crate) sibling: Sibling,
    /// The results of jobs about its position. A win is among them only beside its certificate.
    pub(crate) results: Vec<JobResult>,
    pub(crate) verdict: Option<Verdict>,
    /// Other nodes with the same position.
    pub(crate) links: Vec<Link>,
    /// The moves from the root to it, in move notation.
    pub(crate) moves: String,
}

/// A next move.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct Child {
    pub(crate) id: NodeId,
    pub(crate) stones: Vec<SquareName>,
    pub(crate) color: Option<Color>,
    /// The number of nodes below it, itself included.
    pub(crate) size: usize,
    pub(crate) verdict: Option<Verdict>,
    /// The label on its square.
    pub(crate) label: String,
}

/// A place among siblings.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct Sibling {
    pub(crate) index: usize,
    pub(crate) count: usize,
}

/// How two positions are the same.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum LinkKind {
    Same,
    /// Turned or mirrored.
    Symmetric,
}

/// Another node with the same position.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct Link {
    pub(crate) node: NodeId,
    pub(crate) kind: LinkKind,
    pub(crate) moves: String,
}

/// The reason for a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Because {
    /// A side has k in a row.
    Rules,
    /// A certificate of this very position.
    Certificate,
    /// A proof above that goes through this position, or a stored move that is proved to win.
    Inherited,
}

/// The winner of a position: a fact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct Verdict {
    pub(crate) winner: Color,
    pub(crate) because: Because,
    /// The hash of the certificate.
    pub(crate) certificate: Option<String>,
    /// The place of this position in it.
    pub(crate) at: Option<ProofPlace>,
}

/// The node where the reader is.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct At {
    pub(crate) node: NodeId,
}

/// A request for rows of the tree.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct RowsQuery {
    pub(crate) from: usize,
    #[cfg_attr(test, schema(maximum = 1000))]
    pub(crate) count: usize,
    /// Nodes that are folded otherwise than by default.
    #[serde(default)]
    pub(crate) toggled: Vec<NodeId>,
    /// A node that must be visible.
    pub(crate) at: Option<NodeId>,
}

/// A window of the rows of the tree.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct Rows {
    pub(crate) revision: u64,
    pub(crate) total: usize,
    /// The row of the requested node, or -1.
    pub(crate) at: i64,
    pub(crate) rows: Vec<Row>,
}

/// A row of the tree: a node.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct Row {
    pub(crate) node: NodeId,
    pub(crate) indent: usize,
    pub(crate) turn: u32,
    pub(crate) color: Option<Color>,
    pub(crate) stones: Vec<SquareName>,
    pub(crate) text: String,
    /// The number of its side variations.
    pub(crate) branches: usize,
    pub(crate) folded: bool,
    pub(crate) verdict: Option<Verdict>,
    /// Whether other nodes have the same position.
    pub(crate) linked: bool,
    /// Whether this move threw a proved win away.
    pub(crate) thrown_away: bool,
}

/// The conditions for nodes to find; a node fits all that are given.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(utoipa::IntoParams))]
#[cfg_attr(test, into_params(parameter_in = Query))]
pub(crate) struct FindQuery {
    /// A part of a name, a comment or a label.
    pub(crate) text: Option<String>,
    /// The number of a move.
    pub(crate) turn: Option<u32>,
    /// A square that is played on.
    pub(crate) square: Option<SquareName>,
    /// A node with the same position.
    pub(crate) position: Option<NodeId>,
    /// The winner: `black`, `white`, or `proved` for either.
    pub(crate) verdict: Option<String>,
}

/// The nodes that fit a query.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct Found {
    pub(crate) nodes: Vec<FoundNode>,
    /// Whether there are more than are listed.
    pub(crate) more: bool,
}

/// A node that was found.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct FoundNode {
    pub(crate) node: NodeId,
    pub(crate) turn: u32,
    pub(crate) moves: String,
    pub(crate) text: String,
}
