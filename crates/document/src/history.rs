//! Undo and redo: every edit is a list of changes that can be made and unmade.

use sixproof_game::Node;

use crate::deed::{Deed, DeedKind};
use crate::document::Document;
use crate::edit::Applied;
use crate::tree::NodeId;

/// One change, in a form that can be made and unmade.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    /// A node is attached to its parent, at this place.
    Attach(NodeId, usize),
    /// A node is detached from its parent, at this place.
    Detach(NodeId, usize),
    /// A child goes from one place to another.
    Reorder { parent: NodeId, from: usize, to: usize },
    /// A node has another content: the other of the two.
    Content(NodeId, Box<Node>),
    /// The document has other facts: the other of the two.
    Info(Vec<(String, String)>),
}

/// An edit that was made.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) changes: Vec<Change>,
    /// The report of it.
    pub(crate) deed: Deed,
    /// The node to show after undo.
    pub(crate) before: NodeId,
    /// The node to show after redo.
    pub(crate) after: NodeId,
    pub(crate) touched: Vec<NodeId>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    done: Vec<Step>,
    undone: Vec<Step>,
    /// The last change, until it is revoked.
    last: Option<Last>,
}

/// The data for revoking the last change.
#[derive(Clone, Debug)]
struct Last {
    kind: LastKind,
    /// The revision before it.
    revision: u64,
}

#[derive(Clone, Debug)]
enum LastKind {
    /// An edit: the count of numbers given before it, and the steps that could be redone then.
    Edit {
        numbers: usize,
        undone: Vec<Step>,
    },
    Undo,
    Redo,
}

impl Document {
    /// Takes the last edit back: the tree is then as before, the numbers of its nodes included.
    /// `None` without such an edit.
    pub fn undo(&mut self) -> Option<Applied> {
        let mut step = self.history.done.pop()?;
        for change in step.changes.iter_mut().rev() {
            self.perform(change, false);
        }
        self.changes_by(LastKind::Undo);
        let applied = self.applied(step.before, &step);
        self.history.undone.push(step);
        Some(applied)
    }

    /// Makes the edit again that was taken back last. `None` without such an edit, or if another
    /// edit was made since.
    pub fn redo(&mut self) -> Option<Applied> {
        let mut step = self.history.undone.pop()?;
        for change in &mut step.changes {
            self.perform(change, true);
        }
        self.changes_by(LastKind::Redo);
        let applied = self.applied(step.after, &step);
        self.history.done.push(step);
        Some(applied)
    }

    /// Revokes the last edit, undo or redo: numbers, revision and the steps of undo and redo are as
    /// before it. This is for a change that could not be stored. Returns whether there was one; a
    /// change can be revoked once, and no change before it.
    pub fn revoke(&mut self) -> bool {
        let Some(Last { kind, revision }) = self.history.last.take() else { return false };
        match kind {
            LastKind::Edit { numbers, undone } => {
                self.undo();
                self.history.undone = undone;
                self.tree.truncate(numbers);
            }
            LastKind::Undo => {
                self.redo();
            }
            LastKind::Redo => {
                self.undo();
            }
        }
        self.history.last = None;
        self.revision = revision;
        true
    }

    /// Remembers an edit that cannot be made again, in place of making it: undo and redo count it,
    /// so that those of a log mean the same steps as when they were written.
    pub fn leave_out(&mut self) {
        let (deed, before) = (Deed::new(DeedKind::LeftOut), NodeId::ROOT);
        self.remember(Step { changes: Vec::new(), deed, before, after: before, touched: vec![] });
    }

    /// The edit that undo takes back: `move J10 K11`.
    pub fn undoes(&self) -> Option<&Deed> {
        self.history.done.last().map(|step| &step.deed)
    }

    /// The edit that redo makes again.
    pub fn redoes(&self) -> Option<&Deed> {
        self.history.undone.last().map(|step| &step.deed)
    }

    /// Remembers an edit whose changes were performed; `apply` adds the numbers before it.
    pub(crate) fn remember(&mut self, step: Step) -> Applied {
        let undone = std::mem::take(&mut self.history.undone);
        self.changes_by(LastKind::Edit { numbers: self.tree.numbers(), undone });
        let applied = self.applied(step.after, &step);
        self.history.done.push(step);
        applied
    }

    /// Sets the count of numbers given before the last edit.
    pub(crate) fn began_with(&mut self, before: usize) {
        if let Some(Last { kind: LastKind::Edit { numbers, .. }, .. }) = &mut self.history.last {
            *numbers = before;
        }
    }

    fn changes_by(&mut self, kind: LastKind) {
        self.history.last = Some(Last { kind, revision: self.revision });
    }

    fn applied(&mut self, node: NodeId, step: &Step) -> Applied {
        self.revision += 1;
        let touched = step.touched.iter().copied().filter(|&id| self.contains(id)).collect();
        Applied { node, changed: true, revision: self.revision, touched, notes: Vec::new() }
    }

    /// Makes a change, or unmakes it.
    pub(crate) fn perform(&mut self, change: &mut Change, forward: bool) {
        let comes = matches!(change, Change::Attach(..)) == forward;
        match change {
            Change::Attach(id, index) | Change::Detach(id, index) => {
                if comes {
                    self.tree.attach(*id, *index);
                } else {
                    let at = self.tree.detach(*id);
                    debug_assert_eq!(at, *index, "changes are unmade in their order");
                }
                self.shape_changed();
            }
            Change::Reorder { parent, from, to } => {
                let (from, to) = if forward { (*from, *to) } else { (*to, *from) };
                self.tree.reorder(*parent, from, to);
                self.shape_changed();
            }
            Change::Content(id, other) => {
                let node = self.tree.node_mut(*id);
                // The results of programs belong to the position, not to an edit.
                std::mem::swap(&mut node.results, &mut other.results);
                std::mem::swap(node, other);
                let moved = (&node.stones, &node.setup, node.player, node.left)
                    != (&other.stones, &other.setup, other.player, other.left);
                if moved {
                    self.shape_changed();
                }
            }
            Change::Info(other) => std::mem::swap(&mut self.info, other),
        }
    }
}
