//! What the numbers of a node are while it is being worked on.
//!
//! With one worker the most-proving node is clear. With many, the next one must be chosen before
//! the answers of the others are there, and the choice depends on what these are taken to be: a
//! win, a loss, or nothing new (Wu et al., job-level proof-number search; Lin, section 5.1.4).

use super::numbers::LARGE;

/// What the answer to a job under way is taken to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// Likely in vain: the proof number is doubled, so that others are worked on where they are
    /// nearly as good. Our own.
    #[default]
    Doubled,
    /// A win (virtual win): others work on what is missing besides.
    Win,
    /// A loss (virtual loss): others work on the alternatives.
    Loss,
    /// Nothing new (virtual equivalence): only flags keep others away.
    Equivalence,
}

impl Policy {
    /// All policies.
    pub const ALL: [Policy; 4] = [Policy::Doubled, Policy::Win, Policy::Loss, Policy::Equivalence];

    /// The proof number of a node that is being worked on.
    pub(super) fn proof(self, proof: u32) -> u32 {
        match self {
            Policy::Doubled => proof.saturating_mul(2).min(LARGE),
            // Not 0, which is a proof.
            Policy::Win => 1,
            Policy::Loss => LARGE,
            Policy::Equivalence => proof,
        }
    }
}
