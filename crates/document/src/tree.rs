//! The nodes of a document in one list: they keep their numbers whatever happens to the tree. The
//! nodes of a detached subtree stay in the list, so that undo brings back the same ones.

use std::fmt;

use sixproof_game::Node;

/// The number of a node. The root is 0, and no number is used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The root.
    pub const ROOT: NodeId = NodeId(0);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A node and its place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slot {
    pub(crate) node: Node,
    pub(crate) parent: Option<NodeId>,
    pub(crate) children: Vec<NodeId>,
    /// Whether the root is above it.
    attached: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Tree {
    slots: Vec<Slot>,
    /// The number of attached nodes.
    count: usize,
}

impl Tree {
    pub(crate) fn new() -> Tree {
        Tree { slots: vec![Slot { attached: true, ..Slot::default() }], count: 1 }
    }

    /// The number of nodes of the tree.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The count of numbers given so far.
    pub(crate) fn numbers(&self) -> usize {
        self.slots.len()
    }

    /// Gives the numbers below `numbers` that were not given yet to nodes that never appear.
    pub(crate) fn skip_to(&mut self, numbers: usize) {
        if numbers > self.slots.len() {
            self.slots.resize_with(numbers, Slot::default);
        }
    }

    /// Takes numbers back. Their nodes must be detached.
    pub(crate) fn truncate(&mut self, numbers: usize) {
        debug_assert!(self.slots[numbers..].iter().all(|slot| !slot.attached), "cut off");
        self.slots.truncate(numbers);
    }

    pub(crate) fn contains(&self, id: NodeId) -> bool {
        self.slots.get(id.index()).is_some_and(|slot| slot.attached)
    }

    pub(crate) fn slot(&self, id: NodeId) -> &Slot {
        &self.slots[id.index()]
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.slots[id.index()].node
    }

    pub(crate) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.slots[id.index()].node
    }

    /// A new node as the last child of `parent`.
    pub(crate) fn add(&mut self, parent: NodeId, node: Node) -> NodeId {
        let id = NodeId(u32::try_from(self.slots.len()).expect("there are at most NODES_MAX"));
        let attached = self.slots[parent.index()].attached;
        self.slots.push(Slot { node, parent: Some(parent), children: Vec::new(), attached });
        self.slots[parent.index()].children.push(id);
        self.count += usize::from(attached);
        id
    }

    /// Detaches a child; returns its place among its siblings.
    pub(crate) fn detach(&mut self, id: NodeId) -> usize {
        let Some(parent) = self.slots[id.index()].parent else { return 0 };
        let siblings = &mut self.slots[parent.index()].children;
        let index = siblings.iter().position(|&child| child == id).expect("a child of its parent");
        siblings.remove(index);
        self.mark(id, false);
        index
    }

    /// Attaches a detached node to its parent again.
    pub(crate) fn attach(&mut self, id: NodeId, index: usize) {
        let Some(parent) = self.slots[id.index()].parent else { return };
        self.slots[parent.index()].children.insert(index, id);
        self.mark(id, true);
    }

    fn mark(&mut self, id: NodeId, attached: bool) {
        let mut todo = vec![id];
        while let Some(id) = todo.pop() {
            let slot = &mut self.slots[id.index()];
            slot.attached = attached;
            todo.extend_from_slice(&slot.children);
            if attached {
                self.count += 1;
            } else {
                self.count -= 1;
            }
        }
    }

    /// Moves a child to another place among its siblings.
    pub(crate) fn reorder(&mut self, parent: NodeId, from: usize, to: usize) {
        let siblings = &mut self.slots[parent.index()].children;
        let child = siblings.remove(from);
        siblings.insert(to, child);
    }

    /// From the root to a node, both included.
    pub(crate) fn path(&self, id: NodeId) -> Vec<NodeId> {
        let mut path = vec![id];
        let mut at = id;
        while let Some(parent) = self.slots[at.index()].parent {
            path.push(parent);
            at = parent;
        }
        path.reverse();
        path
    }

    /// A node and all below it, parents first, the main line before the others.
    pub(crate) fn below(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let mut todo = vec![id];
        std::iter::from_fn(move || {
            let id = todo.pop()?;
            todo.extend(self.slots[id.index()].children.iter().rev());
            Some(id)
        })
    }
}
