//! Edits: all changes of a document, as data.
//!
//! An edit is made as a whole or refused with a sentence. The same edits (with undo and redo among
//! them) on the same document give the same document, the numbers of new nodes included: a log of
//! them leads back to every state.

use std::fmt;

use sixproof_game::picture::Mark;
use sixproof_game::{Color, Game, IllegalStone, Record, SetupError, Square};

use crate::document::NODES_MAX;
use crate::note::Note;
use crate::tree::NodeId;

/// A change of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// A move of the side to move: all its stones, or fewer.
    ///
    /// If a child has these stones already, in any order, it leads there and changes nothing. At a
    /// node with an incomplete move the stones complete that move: the node itself gets them if
    /// nothing follows it, else there is a new sibling with all the stones.
    Move {
        /// Where.
        node: NodeId,
        /// The stones.
        squares: Vec<Square>,
    },
    /// The side to move places no (further) stone.
    Pass {
        /// Where.
        node: NodeId,
    },
    /// Deletes a node and all below it.
    Delete {
        /// Which.
        node: NodeId,
    },
    /// Changes the order of siblings.
    Promote {
        /// Which.
        node: NodeId,
        /// Where to.
        how: Promotion,
    },
    /// Gives a node a name; empty: none.
    Name {
        /// Which.
        node: NodeId,
        /// The name, one line.
        text: String,
    },
    /// Gives a node a comment; empty: none.
    Comment {
        /// Which.
        node: NodeId,
        /// The comment.
        text: String,
    },
    /// Labels a square; empty: removes the label.
    Label {
        /// Where.
        node: NodeId,
        /// The square.
        square: Square,
        /// The label, one line.
        text: String,
    },
    /// Marks a square, in place of an earlier mark; `None` removes it.
    Mark {
        /// Where.
        node: NodeId,
        /// The square.
        square: Square,
        /// The sign.
        kind: Option<Mark>,
    },
    /// Draws an arrow, or removes it if it is there.
    Arrow {
        /// Where.
        node: NodeId,
        /// Its beginning.
        from: Square,
        /// Its point.
        to: Square,
    },
    /// Shows these squares pale, and no others.
    Dim {
        /// Where.
        node: NodeId,
        /// The squares.
        squares: Vec<Square>,
    },
    /// Sets up a whole position: in the node if it has neither a move nor children, else in a new
    /// child.
    Setup {
        /// Where.
        node: NodeId,
        /// The black stones.
        black: Vec<Square>,
        /// The white stones.
        white: Vec<Square>,
        /// The side to move.
        to_move: Color,
        /// The stones that it has left in its move.
        left: u32,
    },
    /// Sets a fact about the game; an empty text removes it.
    Info {
        /// One of SGF's keys ([`INFO_KEYS`](sixproof_game::sgf::INFO_KEYS)).
        key: String,
        /// The text.
        value: String,
    },
    /// Gives the document a title; empty: none.
    Title {
        /// The title, one line.
        text: String,
    },
    /// Adds the tree of a record to a node, behind its children. A set-up at the root of the record
    /// is added unless the node has its position. Refused at a move that is not complete.
    Paste {
        /// Where.
        node: NodeId,
        /// The tree.
        record: Box<Record>,
    },
}

/// How a node changes its place among its siblings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promotion {
    /// One place earlier.
    Up,
    /// One place later.
    Down,
    /// To the first place.
    First,
    /// To the first place, and every node on the way to it, too.
    Main,
}

/// What an edit did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The node to show now: the new or changed one.
    pub node: NodeId,
    /// False if the document was so already.
    pub changed: bool,
    /// The revision of the document now.
    pub revision: u64,
    /// The nodes of the tree whose content or children have changed (of an added or removed tree:
    /// its top node only).
    pub touched: Vec<NodeId>,
    /// The differences from a pasted record.
    pub notes: Vec<Note>,
}

/// Why an edit cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditError {
    /// The tree has no such node, or no longer.
    NoNode(NodeId),
    /// A move without stones.
    NoStones,
    /// More stones than the move has left.
    TooManyStones {
        /// The number of stones that it has left.
        left: u32,
    },
    /// A stone that the rules do not allow.
    Stone {
        /// The name of its square.
        square: String,
        /// Why not.
        reason: IllegalStone,
    },
    /// The game is over.
    GameOver(Color),
    /// A square off the board.
    OffBoard(String),
    /// A set-up that is not a valid position.
    Setup(SetupError),
    /// The move at the node is not complete, so that it is not clear what would follow.
    Incomplete,
    /// The root cannot be deleted or moved.
    Root,
    /// A key that is not a fact.
    Fact(String),
    /// A tree of another game.
    OtherGame {
        /// The game of the tree.
        theirs: Game,
        /// The game of the document.
        ours: Game,
    },
    /// The document would have too many nodes.
    TooLarge,
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EditError::NoNode(id) => write!(f, "there is no node {id}"),
            EditError::NoStones => f.write_str("a move needs a stone; to place none, pass"),
            EditError::TooManyStones { left: 1 } => {
                f.write_str("only 1 stone is left in this move")
            }
            EditError::TooManyStones { left } => {
                write!(f, "only {left} stones are left in this move")
            }
            EditError::Stone { square, reason } => write!(f, "no stone on {square}: {reason}"),
            EditError::GameOver(winner) => write!(f, "the game is over: {winner} has won"),
            EditError::OffBoard(square) => write!(f, "{square} is off the board"),
            EditError::Setup(error) => error.fmt(f),
            EditError::Incomplete => {
                f.write_str("the move here is not complete: complete it, or pass, before you paste")
            }
            EditError::Root => f.write_str("the root cannot be deleted or moved"),
            EditError::Fact(key) => write!(f, "`{key}` is not a fact that a file can hold"),
            EditError::OtherGame { theirs, ours } => {
                write!(f, "the tree is of {}, the document of {}", theirs.title(), ours.title())
            }
            EditError::TooLarge => write!(f, "a document has at most {NODES_MAX} nodes"),
        }
    }
}

impl std::error::Error for EditError {}
