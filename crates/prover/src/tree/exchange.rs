//! What a search takes, and what it returns.

use std::sync::Arc;

use crate::board::Sq;
use crate::proof::Proof;
use crate::zone::Zone;

use super::ZoneRule;

/// The limits and the rules of a search.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The order of the strategies that the search looks for.
    pub order: u32,
    /// The most nodes: positions at which Attacker's moves are generated.
    pub nodes_max: u64,
    /// Which moves need an answer of their own.
    pub zones: ZoneRule,
    /// Whether a move that is clear of *any* reply's proof needs no answer (mutual coverage).
    pub mutual: bool,
    /// Whether replies are tried together first (grouped macros).
    pub grouped: bool,
    /// Whether the proof against a complete move may answer other moves that are clear of it.
    pub posthoc: bool,
    /// The number of nodes spent in vain below a position that count as one in its proof number.
    pub effort: u64,
    /// The number of further forced wins that are compared, to depend on as few squares as
    /// possible.
    pub alternatives: usize,
    /// Budget of the search for forced wins: in a new position, and in one that is expanded.
    pub forced: [u64; 2],
    /// The highest order of an answer to a complete reply.
    pub answer_order: u32,
    /// The number of levels that zones keep: the order of the strategies that the proof is a part
    /// of.
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

    /// The number of levels of the zones of a search.
    pub(crate) fn zone_levels(&self, k: u32) -> usize {
        let levels = match self.levels {
            1 => 0,
            order => order - 1 + u32::from(self.posthoc),
        };
        levels.min(k) as usize
    }
}
/// The proof of a position that is won.
#[derive(Clone, Debug)]
pub struct Won {
    /// The proof itself.
    pub proof: Arc<Proof>,
    /// Its zone.
    pub zone: Arc<Zone>,
}

impl Won {
    /// The bytes that it takes in memory.
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

/// The counts of a search.
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
    /// Positions that are refuted: no move that was tried wins.
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
    /// No move that was tried wins; there are others.
    Exhausted,
    /// The budget is used up, or the search was stopped.
    Unknown,
}
