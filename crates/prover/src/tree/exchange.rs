//! What a search is given, and what it gives back.

use std::sync::Arc;

use crate::board::Sq;
use crate::proof::Proof;
use crate::zone::Zone;

use super::ZoneRule;

/// What a search may use.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The order of the strategies that are looked for.
    pub order: u32,
    /// Nodes: positions at which Attacker's moves are generated.
    pub nodes_max: u64,
    /// How replies are found that need no search of their own.
    pub zones: ZoneRule,
    /// Whether a move is skipped that is clear of *any* reply's proof (mutual coverage).
    pub mutual: bool,
    /// Whether replies are tried together first (grouped macros).
    pub grouped: bool,
    /// Whether the proof against a complete move may answer others that are clear of it.
    pub posthoc: bool,
    /// So many nodes spent in vain below a position count as one in its proof number.
    pub effort: u64,
    /// Further forced wins that are compared, to depend on as few squares as possible.
    pub alternatives: usize,
    /// Budget of the search for forced wins in a new position, and in one that is expanded.
    pub forced: [u64; 2],
    /// The highest order of an answer to a complete reply.
    pub answer_order: u32,
    /// Levels that zones keep: the order of the strategies that the proof will be a part of.
    pub levels: u32,
}

impl Limits {
    /// The usual limits for an order.
    pub fn new(order: u32, nodes_max: u64) -> Limits {
        Limits {
            order,
            nodes_max,
            zones: ZoneRule::Segment,
            mutual: true,
            grouped: true,
            posthoc: true,
            effort: 300,
            alternatives: 1,
            forced: [200, 600],
            answer_order: order,
            levels: order,
        }
    }

    /// Levels of the zones of a search.
    pub(crate) fn zone_levels(&self, k: u32) -> usize {
        let levels = match self.levels {
            1 => 0,
            order => order - 1 + u32::from(self.posthoc),
        };
        levels.min(k) as usize
    }
}
/// A position that is won: how, and what the proof depends on.
#[derive(Clone, Debug)]
pub struct Won {
    /// The proof.
    pub proof: Arc<Proof>,
    /// Its zone.
    pub zone: Arc<Zone>,
}

impl Won {
    /// Bytes that it takes.
    pub fn size(&self) -> u64 {
        (self.proof.size() + self.zone.bytes()) as u64
    }
}

/// A reply of Defender to which the answer is known.
#[derive(Clone, Debug)]
pub struct Given {
    /// Defender's stones, in ascending order.
    pub reply: Vec<Sq>,
    /// The position after them.
    pub won: Won,
}

/// What is counted during a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Positions at which Attacker's moves were generated.
    pub nodes: u64,
    /// Null and semi-null replies searched.
    pub semi_nulls: u64,
    /// Complete replies searched.
    pub pairs: u64,
    /// Groups of replies searched.
    pub macros: u64,
    /// Positions proved to be won for Attacker.
    pub proved: u64,
    /// Positions in which nothing wins that was tried.
    pub refuted: u64,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, more: Counts) {
        self.nodes += more.nodes;
        self.semi_nulls += more.semi_nulls;
        self.pairs += more.pairs;
        self.macros += more.macros;
        self.proved += more.proved;
        self.refuted += more.refuted;
    }
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// A win was found.
    Proved,
    /// There is no win of this order.
    Refuted,
    /// What was tried does not win; more could be tried.
    Exhausted,
    /// The budget is used up, or the search was stopped.
    Unknown,
}
