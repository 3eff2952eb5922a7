//! What is left of a move's limits.

use crate::{Limits, ThinkWatch};

/// The limits of a move, and what is spent of them.
pub(crate) struct Allowance<'a> {
    limits: Limits,
    watch: &'a dyn ThinkWatch,
    nodes_max: u64,
    /// The number of nodes so far, of all searches.
    pub(crate) nodes: u64,
}

impl<'a> Allowance<'a> {
    /// The allowance of a move; where nothing is limited, `nodes_usual` are.
    pub(crate) fn new(
        limits: &Limits,
        watch: &'a dyn ThinkWatch,
        nodes_usual: u64,
    ) -> Allowance<'a> {
        let nodes_max = match limits {
            Limits { nodes: Some(nodes), .. } => *nodes,
            Limits { soft: None, hard: None, .. } => nodes_usual,
            _ => u64::MAX,
        };
        Allowance { limits: *limits, watch, nodes_max, nodes: 0 }
    }

    /// Whether the answer is due.
    pub(crate) fn is_over(&self) -> bool {
        self.nodes >= self.nodes_max || self.limits.is_due(self.watch)
    }

    /// Whether no new search may begin.
    pub(crate) fn is_late(&self) -> bool {
        self.is_over() || self.limits.soft.is_some_and(|soft| self.watch.elapsed() >= soft)
    }

    /// Whether one part in `parts` of the time for new searches is over.
    pub(crate) fn has_spent(&self, parts: u32) -> bool {
        let share = |time: std::time::Duration| self.watch.elapsed() >= time / parts;
        self.is_over() || self.limits.soft.or(self.limits.hard).is_some_and(share)
    }

    /// At most `nodes`, and at most one part in `parts` of what is left.
    pub(crate) fn share(&self, nodes: u64, parts: u64) -> u64 {
        nodes.min(self.nodes_max.saturating_sub(self.nodes) / parts)
    }

    /// The number of moves to look ahead.
    pub(crate) fn depth(&self, usual: u32) -> u32 {
        self.limits.depth.unwrap_or(usual)
    }
}
