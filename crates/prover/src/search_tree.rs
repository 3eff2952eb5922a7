//! A look at the tree of a running search: its most important nodes, for those who watch it.
//!
//! Trees have millions of nodes, and a reader looks at few. The choice starts at the root: the line
//! that the search works on comes first, then nodes near the root and first among their siblings. A
//! node costs one more than its parent, and one more for each sibling that is better; the cheapest
//! are taken.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use sixproof_game::Square;

use crate::board::Side;

/// The most nodes of a list.
pub const SEARCH_NODES_MAX: usize = 2_000;

/// The most important nodes of a search's tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchTree<S = Square> {
    /// Counts the looks at the tree.
    pub version: u64,
    /// The number of all nodes of the tree.
    pub size: u64,
    /// The listed nodes. Parents come before their children, and better siblings before others.
    pub nodes: Vec<SearchNode<S>>,
}

/// A node: the position after a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchNode<S = Square> {
    /// Its parent in the list; the root has no parent.
    pub parent: Option<usize>,
    /// The side that made the move; at the root, the side that is not to move.
    pub by: Side,
    /// The move: empty at the root and for a null move, the stones of several moves for a macro.
    pub squares: Vec<S>,
    /// Its proof number; `None` is infinite.
    pub proof: Option<u32>,
    /// Its disproof number; `None` is infinite.
    pub disproof: Option<u32>,
    /// What is known of it.
    pub state: NodeState,
    /// Whether the search works below it or at it. The last such node of the list is where it
    /// works.
    pub critical: bool,
    /// The number of children that are not listed.
    pub hidden: usize,
}

/// What is known of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeState {
    /// The search has not decided it.
    Open,
    /// Attacker wins.
    Proved,
    /// Refuted: no move that was tried wins.
    Refuted,
    /// The search works at it now.
    Running,
}

/// What a search reports about one node of its tree.
pub(crate) struct Glance<N, S> {
    pub(crate) by: Side,
    pub(crate) squares: Vec<S>,
    /// Its proof and disproof number.
    pub(crate) numbers: [u32; 2],
    pub(crate) running: bool,
    /// Its children, best first.
    pub(crate) children: Vec<N>,
    /// The number of children that are never listed.
    pub(crate) unlisted: usize,
    /// Whether the search goes on at the first of its children.
    pub(crate) goes_on: bool,
}

/// Looks at a tree from its root on.
pub(crate) fn look<N, S>(
    root: N,
    size: u64,
    infinite: u32,
    mut glance: impl FnMut(&N) -> Glance<N, S>,
) -> SearchTree<S> {
    let mut nodes: Vec<SearchNode<S>> = Vec::new();
    // The nodes that can be listed next: cost, order of discovery, and place in `met`.
    let mut next: BinaryHeap<Reverse<(u32, usize)>> = BinaryHeap::new();
    let mut met: Vec<(Option<usize>, bool, N)> = vec![(None, true, root)];
    next.push(Reverse((0, 0)));
    while let Some(Reverse((cost, at))) = next.pop() {
        if nodes.len() >= SEARCH_NODES_MAX {
            break;
        }
        let (parent, critical) = (met[at].0, met[at].1);
        let Glance { by, squares, numbers, running, children, unlisted, goes_on } =
            glance(&met[at].2);
        let [proof, disproof] = numbers.map(|n| Some(n).filter(|&n| n != infinite));
        let state = match (proof, running) {
            (Some(0), _) => NodeState::Proved,
            (None, _) => NodeState::Refuted,
            (Some(_), true) => NodeState::Running,
            (Some(_), false) => NodeState::Open,
        };
        if let Some(parent) = parent {
            let parent: &mut SearchNode<S> = &mut nodes[parent];
            parent.hidden -= 1;
        }
        let hidden = children.len() + unlisted;
        let listed = nodes.len();
        nodes.push(SearchNode { parent, by, squares, proof, disproof, state, critical, hidden });
        // Below a decided node less is listed.
        let fold = if matches!(state, NodeState::Open | NodeState::Running) { 1 } else { 4 };
        for (rank, child) in children.into_iter().take(SEARCH_NODES_MAX).enumerate() {
            let critical = critical && goes_on && rank == 0;
            let cost = if critical { 0 } else { cost + fold + rank as u32 };
            next.push(Reverse((cost, met.len())));
            met.push((Some(listed), critical, child));
        }
    }
    SearchTree { version: 0, size, nodes }
}

impl<S> SearchTree<S> {
    /// The same tree with other names of squares.
    pub(crate) fn named<T>(self, version: u64, mut name: impl FnMut(S) -> T) -> SearchTree<T> {
        let nodes = self.nodes.into_iter().map(|node| SearchNode {
            parent: node.parent,
            by: node.by,
            squares: node.squares.into_iter().map(&mut name).collect(),
            proof: node.proof,
            disproof: node.disproof,
            state: node.state,
            critical: node.critical,
            hidden: node.hidden,
        });
        SearchTree { version, size: self.size, nodes: nodes.collect() }
    }
}
