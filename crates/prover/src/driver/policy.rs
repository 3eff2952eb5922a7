//! The proof number of a node while a job at it is under way.
//!
//! With one worker the most-proving node is known. With many, the search must choose the next one
//! before the other answers arrive, and so must assume what they will be: a win, a loss, or no
//! change (Wu et al., job-level proof-number search; Lin, section 5.1.4).

use super::numbers::LARGE;

/// The assumed answer of a job under way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// Probably no win: doubles the proof number, so that the search prefers other nodes that are
    /// nearly as good. This policy is our own.
    #[default]
    Doubled,
    /// A win (virtual win): the search works on what else the proof needs.
    Win,
    /// A loss (virtual loss): the search works on the alternatives.
    Loss,
    /// No change (virtual equivalence): flags alone keep other jobs away from the node.
    Equivalence,
}

impl Policy {
    /// All policies.
    pub const ALL: [Policy; 4] = [Policy::Doubled, Policy::Win, Policy::Loss, Policy::Equivalence];

    /// The proof number of a node with a job under way.
    pub(super) fn proof(self, proof: u32) -> u32 {
        match self {
            Policy::Doubled => proof.saturating_mul(2).min(LARGE),
            // 0 would be a proof.
            Policy::Win => 1,
            Policy::Loss => LARGE,
            Policy::Equivalence => proof,
        }
    }
}
