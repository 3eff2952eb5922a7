//! The proof as a list of rows: a reply of Defender with Attacker's answer, and below it, indented
//! and folded at first, the replies to that answer.
//!
//! The number of rows visible below a row that is open is counted once for each such node, so that
//! a window anywhere in the list is found by skipping whole subtrees. Nodes that references lead to
//! are rows in every place, and open in all of them.

use std::collections::{BTreeMap, BTreeSet};

use sixproof_game::Square;

use super::{NodeId, NodeKind, ReplyKind, Strategy};

/// The most rows of a window.
pub const ROWS_MAX: usize = 1_000;

/// The window that the caller wants.
#[derive(Clone, Copy, Debug, Default)]
pub struct RowsQuery<'a> {
    /// The first row of the window.
    pub from: u64,
    /// The number of rows, at most [`ROWS_MAX`].
    pub count: usize,
    /// The rows that are open, by their nodes; all others are folded.
    pub opened: &'a [NodeId],
    /// A node that must be visible: all rows above it are opened.
    pub at: Option<NodeId>,
}

/// A window of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    /// The number of all rows that are visible.
    pub total: u64,
    /// The row of the wanted node; of a defence, that of the attack above it.
    pub at: Option<u64>,
    /// The window.
    pub rows: Vec<ReplyRow>,
}

/// A reply of Defender, and Attacker's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyRow {
    /// The node after the reply, with Attacker to move; or the root.
    pub node: NodeId,
    /// The number of rows above it.
    pub indent: u32,
    /// Its kind.
    pub kind: RowKind,
    /// The reply; empty at the root.
    pub reply: Vec<Square>,
    /// Attacker's answer; empty at a root with Defender to move.
    pub answer: Vec<Square>,
    /// The number of replies to the answer.
    pub replies: u32,
    /// Whether these are hidden.
    pub folded: bool,
    /// The number of nodes below it and itself, those behind references counted each time.
    pub size: u32,
    /// The number of moves of both sides in the longest line from its answer on.
    pub depth: u32,
}

/// The kinds of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// The root.
    Root,
    /// A reply of that kind.
    Reply(ReplyKind),
}

/// The rows that are open, with the number of rows that each makes visible, itself included.
struct Open(BTreeMap<NodeId, u64>);

impl Open {
    fn visible(&self, node: NodeId) -> u64 {
        self.0.get(&node).copied().unwrap_or(1)
    }
}

impl Strategy {
    /// A window of the proof as a list.
    pub fn rows(&self, query: RowsQuery) -> Rows {
        let at = query.at.filter(|&node| self.has(node)).map(|node| self.path_of_rows(node));
        let above = at.iter().flat_map(|path| &path[..path.len() - 1]);
        let opened: BTreeSet<NodeId> = query.opened.iter().chain(above).copied().collect();
        let open = self.open(&opened);
        let at = at.and_then(|path| self.row_of(&path, &open));
        let rows = self.window(query.from, query.count.min(ROWS_MAX), &open);
        Rows { total: open.visible(0), at, rows }
    }

    /// The defence whose replies are the rows below a row.
    fn below(&self, row: NodeId) -> Option<NodeId> {
        match self.kind(row) {
            NodeKind::Defence => Some(row),
            _ => self.defence(row),
        }
    }

    fn replies_below(&self, row: NodeId) -> usize {
        self.below(row).map_or(0, |defence| self.stored_replies(defence).len())
    }

    /// The rows from the root to that of a node.
    fn path_of_rows(&self, node: NodeId) -> Vec<NodeId> {
        let mut path = self.path(node);
        path.retain(|&node| node == 0 || self.kind(node) != NodeKind::Defence);
        path
    }

    /// Counts the rows below those rows that are open and can be reached by opening.
    fn open(&self, opened: &BTreeSet<NodeId>) -> Open {
        let mut open = Open(BTreeMap::new());
        let is_open = |row: NodeId| opened.contains(&row) && self.replies_below(row) > 0;
        // A row comes twice: before and after those below it.
        let mut todo = vec![(0, false)];
        while let Some((row, counted)) = todo.pop() {
            if !is_open(row) || open.0.contains_key(&row) {
                continue;
            }
            let Some(defence) = self.below(row) else { continue };
            let children = self.stored_replies(defence).iter().map(|reply| reply.child);
            if counted {
                let below = children.map(|child| open.visible(child));
                let visible = below.fold(1u64, u64::saturating_add);
                open.0.insert(row, visible);
            } else {
                todo.push((row, true));
                todo.extend(children.filter(|&child| is_open(child)).map(|child| (child, false)));
            }
        }
        open
    }

    /// The number of a row, given the rows on the way to it.
    fn row_of(&self, path: &[NodeId], open: &Open) -> Option<u64> {
        let mut row = 0u64;
        for pair in path.windows(2) {
            let replies = self.stored_replies(self.below(pair[0])?);
            let index = replies.iter().position(|reply| reply.child == pair[1])?;
            let before = replies[..index].iter().map(|reply| open.visible(reply.child));
            row = before.fold(row.saturating_add(1), u64::saturating_add);
        }
        Some(row)
    }

    fn window(&self, from: u64, count: usize, open: &Open) -> Vec<ReplyRow> {
        let mut rows = Vec::new();
        let mut skip = from;
        // The defences that are open on the way, and the next reply of each.
        let mut stack: Vec<(NodeId, usize)> = Vec::new();
        let mut next = Some((0, None));
        while let Some((row, reply)) = next {
            let visible = open.visible(row);
            if rows.len() >= count {
                break;
            }
            if skip >= visible {
                skip -= visible;
            } else {
                match skip {
                    0 => rows.push(self.row(row, reply, stack.len(), open)),
                    _ => skip -= 1,
                }
                if visible > 1
                    && let Some(defence) = self.below(row)
                {
                    stack.push((defence, 0));
                }
            }
            next = None;
            while let (None, Some((defence, index))) = (next, stack.last_mut()) {
                match self.stored_replies(*defence).get(*index) {
                    Some(reply) => {
                        next = Some((reply.child, Some((*defence, *index))));
                        *index += 1;
                    }
                    None => drop(stack.pop()),
                }
            }
        }
        rows
    }

    fn row(
        &self,
        node: NodeId,
        reply: Option<(NodeId, usize)>,
        indent: usize,
        open: &Open,
    ) -> ReplyRow {
        let reply = reply.and_then(|(defence, index)| self.reply(defence, index));
        ReplyRow {
            node,
            indent: u32::try_from(indent).unwrap_or(u32::MAX),
            kind: reply.map_or(RowKind::Root, |reply| RowKind::Reply(reply.kind)),
            reply: reply.map(|reply| reply.squares.to_vec()).unwrap_or_default(),
            answer: self.attack(node).to_vec(),
            replies: self.replies_below(node) as u32,
            folded: open.visible(node) == 1 && self.replies_below(node) > 0,
            size: self.size(node),
            depth: self.height(node),
        }
    }
}
