//! NodeFacts about all nodes from one walk through the tree: sizes, turns, and a key of each
//! position that all its symmetric positions share.
//!
//! A survey belongs to one shape of the tree and is made anew when that has changed. Keys are
//! hashes: where two are equal, `links` compares the positions.

use sixproof_game::{Color, Game, Keys, Square};

use crate::tree::{NodeId, Tree};
use crate::walk::Walk;

/// The facts about one node.
#[derive(Clone, Copy, Debug)]
struct NodeFacts {
    size: u32,
    turn: u32,
    to_move: Color,
    left: u32,
    key: u128,
}

/// Updates the keys for a square whose stone changes.
fn change(keys: &mut Keys, square: Square, before: Option<Color>, after: Option<Color>) {
    if let Some(color) = before {
        keys.remove(square, color);
    }
    if let Some(color) = after {
        keys.add(square, color);
    }
}

/// All nodes of one shape of the tree.
#[derive(Clone, Debug)]
pub(crate) struct Survey {
    /// By the number of the node.
    facts: Vec<Option<NodeFacts>>,
    /// Parents first, the main line before the others.
    order: Vec<NodeId>,
    /// All nodes by their keys.
    by_key: Vec<(u128, NodeId)>,
    /// Whether a node has a link, where this was computed.
    pub(crate) linked: Vec<Option<bool>>,
}

impl Survey {
    pub(crate) fn of(game: Game, tree: &Tree) -> Survey {
        let mut walk = Walk::new(game);
        let mut keys = Keys::new(game);
        let mut facts: Vec<Option<NodeFacts>> = vec![None; tree.numbers()];
        let mut order = Vec::with_capacity(tree.count());
        let mut todo = vec![(NodeId::ROOT, 0)];
        while let Some((id, depth)) = todo.pop() {
            while walk.depth() > depth {
                for &(square, before, after) in walk.changed().iter().rev() {
                    change(&mut keys, square, after, before);
                }
                walk.back_to(walk.depth() - 1);
            }
            walk.node(tree.node(id));
            for &(square, before, after) in walk.changed() {
                change(&mut keys, square, before, after);
            }
            let state = walk.state();
            let (turn, to_move, left) = (state.turn, state.to_move, state.left);
            let key = keys.key(to_move, left);
            facts[id.index()] = Some(NodeFacts { size: 1, turn, to_move, left, key });
            order.push(id);
            let children = tree.slot(id).children.iter().rev();
            todo.extend(children.map(|&child| (child, depth + 1)));
        }
        for &id in order.iter().rev() {
            let size = facts[id.index()].map_or(0, |facts| facts.size);
            if let Some(parent) = tree.slot(id).parent
                && let Some(above) = &mut facts[parent.index()]
            {
                above.size += size;
            }
        }
        let key = |&id: &NodeId| Some((facts[id.index()]?.key, id));
        let mut by_key: Vec<(u128, NodeId)> = order.iter().filter_map(key).collect();
        by_key.sort_unstable();
        let linked = vec![None; tree.numbers()];
        Survey { facts, order, by_key, linked }
    }

    fn facts(&self, id: NodeId) -> &NodeFacts {
        self.facts[id.index()].as_ref().expect("asked for nodes of the tree only")
    }

    pub(crate) fn size(&self, id: NodeId) -> usize {
        self.facts(id).size as usize
    }

    pub(crate) fn turn(&self, id: NodeId) -> u32 {
        self.facts(id).turn
    }

    /// The side to move and its stones left.
    pub(crate) fn to_place(&self, id: NodeId) -> (Color, u32) {
        (self.facts(id).to_move, self.facts(id).left)
    }

    /// All nodes, parents first, the main line before the others.
    pub(crate) fn order(&self) -> &[NodeId] {
        &self.order
    }

    /// The nodes whose positions may be that of a node up to symmetry, itself included, in the
    /// order of their numbers.
    pub(crate) fn candidates(&self, id: NodeId) -> &[(u128, NodeId)] {
        let key = self.facts(id).key;
        let from = self.by_key.partition_point(|row| row.0 < key);
        let len = self.by_key[from..].partition_point(|row| row.0 == key);
        &self.by_key[from..from + len]
    }
}
