//! A whole certificate in memory, to be walked: Attacker's moves, and the answers to Defender's.
//!
//! [`Strategy::read`] takes a certificate into an arena of small nodes; references lead to the
//! nodes that they name, so that the proof is a graph in which every node has one place of its
//! own (`place.rs`). [`Strategy::answer`] finds the reply that answers any stones of Defender
//! (`answer.rs`), [`Strategy::rows`] shows a window of the proof as a list (`rows.rs`), and
//! [`Strategy::sub_certificate`] cuts out the proof of one node (`cut.rs`), so that the checker can
//! report its zone ([`Zone`](crate::Zone)).
//!
//! Nothing here is trusted. A strategy is worth something if the checker has accepted the bytes it
//! was read from; a strategy from other bytes proves nothing, but never panics.

mod answer;
mod cut;
mod place;
mod read;
mod rows;

pub use answer::{Continuation, Impossible, Onward};
pub use cut::{CUT_NODES_MAX, SubCertificate, Uncut};
pub use place::{NodePlace, Turn};
pub use read::NODES_MAX;
pub use rows::{ROWS_MAX, ReplyRow, RowKind, Rows, RowsQuery};

use std::ops::Range;

use sixproof_game::{Move, Square};

use crate::Claim;

/// A node of a strategy: its number in the order of the file, from 0, references not counted. The
/// root is 0.
pub type NodeId = u32;

/// The node of the claim.
pub const ROOT: NodeId = 0;

/// No node.
const NONE: NodeId = NodeId::MAX;

/// The kinds of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// Attacker plays on.
    Attack,
    /// Attacker completes a line.
    Win,
    /// Defender is to move.
    Defence,
}

/// How a reply's stones compare with those of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyKind {
    /// It has no stone.
    Null,
    /// Fewer stones than the move has.
    SemiNull,
    /// As many as the move has.
    Full,
    /// More than the move has: several moves at once.
    Macro,
}

/// A reply of Defender that is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply<'a> {
    /// Its stones.
    pub squares: &'a [Square],
    /// The number of stones beside these that it answers.
    pub slack: u32,
    /// Its kind.
    pub kind: ReplyKind,
    /// The node after it, with Attacker to move.
    pub node: NodeId,
}

/// The counts of a strategy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StrategyCounts {
    /// Attacks, wins and defences; references are not counted.
    pub nodes: u64,
    /// Nodes at which Attacker plays on.
    pub attacks: u64,
    /// Nodes at which Attacker completes a line.
    pub wins: u64,
    /// Nodes with Defender to move.
    pub defences: u64,
    /// Replies of Defender.
    pub replies: u64,
    /// References to nodes that stand elsewhere.
    pub references: u64,
}

/// A certificate as a graph.
#[derive(Clone, Debug)]
pub struct Strategy {
    claim: Claim,
    nodes: Vec<Node>,
    replies: Vec<StoredReply>,
    /// Squares of moves and replies.
    squares: Vec<Square>,
    /// Ends of the threats that nodes `D!` rely on.
    threats: Vec<[Square; 2]>,
    counts: StrategyCounts,
}

/// A node, as small as it can be: certificates have millions.
#[derive(Clone, Copy, Debug)]
struct Node {
    kind: NodeKind,
    /// Whether a reference leads to it.
    shared: bool,
    /// Of a defence: whether it relies only on the threats that it names.
    relies: bool,
    /// Where its squares are, or the threats of a defence, and their number.
    start: u32,
    len: u32,
    /// The child of an attack, or the place of a defence's first reply.
    first: u32,
    /// The number of a defence's replies.
    count: u32,
    /// The node above it where it stands in the file.
    parent: NodeId,
    /// The number of moves of both sides in the longest line from here on.
    height: u32,
    /// The number of nodes below it and itself, those behind references counted each time; stops at
    /// the largest number.
    size: u32,
}

#[derive(Clone, Copy, Debug)]
struct StoredReply {
    start: u32,
    len: u32,
    slack: u32,
    child: NodeId,
}

impl Strategy {
    /// The claim.
    pub fn claim(&self) -> &Claim {
        &self.claim
    }

    /// The counts.
    pub fn counts(&self) -> StrategyCounts {
        self.counts
    }

    /// Whether there is such a node.
    pub fn has(&self, node: NodeId) -> bool {
        (node as usize) < self.nodes.len()
    }

    /// The kind of a node.
    ///
    /// # Panics
    ///
    /// This and the other questions about a node panic where there is no such node.
    pub fn kind(&self, node: NodeId) -> NodeKind {
        self.node(node).kind
    }

    /// The node above it where it stands in the file; `None` at the root. Other nodes may refer to
    /// it, too.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        Some(self.node(node).parent).filter(|&parent| parent != NONE)
    }

    /// The number of nodes below it and itself, those behind references counted each time.
    pub fn size(&self, node: NodeId) -> u32 {
        self.node(node).size
    }

    /// The number of moves of both sides in the longest line from here on.
    pub fn height(&self, node: NodeId) -> u32 {
        self.node(node).height
    }

    /// Attacker's stones at an attack or a win; empty at a defence.
    pub fn attack(&self, node: NodeId) -> &[Square] {
        match self.node(node) {
            Node { kind: NodeKind::Defence, .. } => &[],
            Node { start, len, .. } => &self.squares[range(*start, *len)],
        }
    }

    /// The defence after an attack.
    pub fn defence(&self, node: NodeId) -> Option<NodeId> {
        let node = self.node(node);
        (node.kind == NodeKind::Attack).then_some(node.first)
    }

    /// The number of stones to place in the move at a node.
    pub fn stones(&self, node: NodeId) -> u32 {
        if node == 0 { self.claim.position.left() } else { self.claim.position.game().p() }
    }

    /// The replies of a defence, in the order of the file; empty elsewhere.
    pub fn replies(&self, node: NodeId) -> impl ExactSizeIterator<Item = Reply<'_>> {
        let stones = self.stones(node) as usize;
        self.stored_replies(node).iter().map(move |reply| self.unpacked(reply, stones))
    }

    /// One of the replies of a defence, from 0.
    pub fn reply(&self, node: NodeId, index: usize) -> Option<Reply<'_>> {
        let reply = self.stored_replies(node).get(index)?;
        Some(self.unpacked(reply, self.stones(node) as usize))
    }

    fn unpacked(&self, reply: &StoredReply, stones: usize) -> Reply<'_> {
        let squares = &self.squares[range(reply.start, reply.len)];
        let kind = match squares.len() {
            0 => ReplyKind::Null,
            len if len < stones => ReplyKind::SemiNull,
            len if len == stones => ReplyKind::Full,
            _ => ReplyKind::Macro,
        };
        Reply { squares, slack: reply.slack, kind, node: reply.child }
    }

    /// The ends of the threats that a defence names, if it relies only on some.
    fn relies_on(&self, node: NodeId) -> Option<&[[Square; 2]]> {
        let stored = self.node(node);
        stored.relies.then(|| &self.threats[range(stored.start, stored.len)])
    }

    fn stored_replies(&self, node: NodeId) -> &[StoredReply] {
        match self.node(node) {
            Node { kind: NodeKind::Defence, first, count, .. } => {
                &self.replies[range(*first, *count)]
            }
            _ => &[],
        }
    }

    fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node as usize]
    }

    /// The longest line from a node on, moves of both sides by turns: first Attacker's move, or at
    /// a defence Defender's reply.
    pub fn best_line(&self, node: NodeId) -> Vec<Move> {
        let mut line = Vec::new();
        let mut node = node;
        loop {
            match self.kind(node) {
                NodeKind::Win => {
                    line.push(self.attack(node).into());
                    return line;
                }
                NodeKind::Attack => {
                    line.push(self.attack(node).into());
                    node = self.node(node).first;
                }
                NodeKind::Defence => {
                    let highest = |a: &Reply, b: &Reply| self.height(a.node) < self.height(b.node);
                    // The first of the highest, so that the answer does not depend on later ones.
                    let best =
                        self.replies(node).reduce(|a, b| if highest(&a, &b) { b } else { a });
                    let Some(reply) = best else { return line };
                    line.push(reply.squares.into());
                    node = reply.node;
                }
            }
        }
    }
}

fn range(start: u32, len: u32) -> Range<usize> {
    start as usize..start as usize + len as usize
}
