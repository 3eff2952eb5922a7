//! Records: a tree of moves with comments and marks, as the file formats hold them. Every reader of
//! a format ends here, and every picture, search and export starts here.
//!
//! Positions are reached by replaying a record from its root ([`Record::reach`]); nodes are pointed
//! to by paths such as `4.b.3` ([`Record::find`]).

mod path;
mod reach;
mod summary;

pub use reach::{IllegalRecord, Reached, Replay};
pub use summary::Summary;

use crate::{Color, Game, Square, rules};

/// An unknown property of an SGF file: its identifier, and its values in UTF-8 as the file has
/// them, escapes and all.
pub type Unknown = (String, Vec<Vec<u8>>);

/// The index of a node in its [`Record`]; the root is 0.
pub type NodeId = usize;

/// A sign on a square, with or without a stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// A triangle.
    Triangle,
    /// A square.
    Square,
    /// A circle.
    Circle,
    /// A diagonal cross.
    Cross,
}

/// A game tree. Nodes are kept in one list, so that chains of any length need no recursion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The game.
    pub game: Game,
    /// Facts about the game such as player names, as (key, value) in the order of the file. Keys
    /// are SGF's where SGF has one: `PB`, `PW`, `EV`, `DT`, `PC`, `RE`. Rules that are not those of
    /// `game`, or unknown, are `RU` ([`Record::other_rules`]).
    pub info: Vec<(String, String)>,
    nodes: Vec<Node>,
}

/// One node: what it adds to the position of its parent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// Stones set up, or squares emptied (`None`), before the moves of this node.
    pub setup: Vec<(Square, Option<Color>)>,
    /// The side to move after the set-up, where the file names it.
    pub player: Option<Color>,
    /// The stones left in the move after the set-up, where they are known and another number than
    /// the stone counts imply.
    pub left: Option<u32>,
    /// Stones placed, in order.
    pub stones: Vec<(Color, Square)>,
    /// The name of the node, one line.
    pub name: String,
    /// The comment.
    pub comment: String,
    /// Labels on squares.
    pub labels: Vec<(Square, String)>,
    /// Marked squares.
    pub marks: Vec<(Square, Mark)>,
    /// Arrows, from one square to another.
    pub arrows: Vec<(Square, Square)>,
    /// Squares that are to be shown pale.
    pub dimmed: Vec<Square>,
    /// The findings of programs about the position, one text each, in words of their own.
    pub results: Vec<String>,
    /// Properties kept for the file that is written from the record. Only a reader of SGF makes
    /// these, so that an identifier is one and a value has its brackets escaped.
    pub(crate) other: Vec<Unknown>,
    parent: Option<NodeId>,
    children: Vec<NodeId>,
}

impl Node {
    /// Whether the node changes the position otherwise than by a move.
    pub fn sets_up(&self) -> bool {
        !self.setup.is_empty() || self.player.is_some() || self.left.is_some()
    }

    /// The unknown properties of an SGF file, in the order of the file.
    pub fn unknown(&self) -> &[Unknown] {
        &self.other
    }

    /// Adds the unknown properties of another node.
    pub fn add_unknown(&mut self, from: &Node) {
        self.other.extend_from_slice(&from.other);
    }

    /// The parent, `None` for the root.
    pub fn parent(&self) -> Option<NodeId> {
        self.parent
    }

    /// The children, the main line first.
    pub fn children(&self) -> &[NodeId] {
        &self.children
    }
}

impl Record {
    /// A record with an empty root.
    pub fn new(game: Game) -> Record {
        Record { game, info: Vec::new(), nodes: vec![Node::default()] }
    }

    /// The rules that the file names, where they are not those of [`Record::game`]: `renju` of a
    /// file that is read as free-style Go-Moku. A proof about such a record need not hold under the
    /// rules of its file.
    pub fn other_rules(&self) -> Option<&str> {
        let (_, text) = self.info.iter().find(|(key, _)| key == rules::RULES)?;
        rules::differ(self.game, text).then_some(text.trim())
    }

    /// The nodes, the root first; parents come before their children.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// One node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id]
    }

    /// One node, to be changed.
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id]
    }

    /// Replaces the contents of a node. Its place in the tree stays.
    pub fn set(&mut self, id: NodeId, node: Node) {
        let old = &mut self.nodes[id];
        *old = Node { parent: old.parent, children: std::mem::take(&mut old.children), ..node };
    }

    /// Adds a node as the last child of `parent`.
    pub fn add(&mut self, parent: NodeId, node: Node) -> NodeId {
        let id = self.nodes.len();
        self.nodes.push(Node { parent: Some(parent), children: Vec::new(), ..node });
        self.nodes[parent].children.push(id);
        id
    }

    /// Adds a node with one stone.
    pub fn add_stone(&mut self, parent: NodeId, color: Color, square: Square) -> NodeId {
        self.add(parent, Node { stones: vec![(color, square)], ..Node::default() })
    }

    /// The last node of the main line below `from`.
    pub fn main_line_end(&self, mut from: NodeId) -> NodeId {
        while let Some(&child) = self.nodes[from].children.first() {
            from = child;
        }
        from
    }

    /// The nodes from the root to `id`, both included.
    pub fn path_to(&self, id: NodeId) -> Vec<NodeId> {
        let mut path = vec![id];
        while let Some(parent) = self.nodes[path[path.len() - 1]].parent {
            path.push(parent);
        }
        path.reverse();
        path
    }
}
