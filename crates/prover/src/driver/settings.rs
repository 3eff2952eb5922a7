//! What can be tuned in the search over quiet moves, and what can be switched off.

use super::numbers::ONE;
use super::{Budget, Policy};

/// What can be tuned, and switched off to be measured.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The order of the strategies that are looked for.
    pub order: u32,
    /// Nodes of the first search of a position; each further one has four times as many.
    pub solve_nodes: u64,
    /// What a search in vain multiplies the proof number of the next by.
    pub ladder: u32,
    /// Budget of a screening; `None` for none.
    pub screening: Option<Budget>,
    /// Budget of a verification.
    pub verification: Budget,
    /// Proof number of the first quiet move before it is looked at, and what each further one adds,
    /// in quarters: moves of any rank have their turn as the proof numbers of the others grow.
    pub quiet: [u32; 2],
    /// How many times more a reply counts that answers a threat, as there are few of these.
    pub forcing: u32,
    /// What a count is multiplied by that was cut short.
    pub cut: u32,
    /// So many nodes spent in vain below a position count as one in its proof number: a position
    /// that always seems to be about to be won does not hold the search for ever.
    pub effort: u64,
    /// What the numbers of a node are while it is being worked on.
    pub policy: Policy,
    /// What Attacker's improvements are used.
    pub switches: Switches,
}

/// Improvements that change the effort but never the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switches {
    /// A move after which Defender has a forced win is refuted at once (dual lambda search).
    pub dual: bool,
    /// A reply that is won answers its siblings that are clear of its zone (post-hoc zones).
    pub posthoc: bool,
    /// Of moves that are mirror images of each other one is tried.
    pub mirrored: bool,
    /// A position that was won elsewhere in the tree is known.
    pub reuse: bool,
    /// Moves that won elsewhere are tried first.
    pub winners: bool,
    /// Moves are compared by a screening before one is verified.
    pub screening: bool,
}

impl Switches {
    /// All of them.
    pub const ALL: Switches = Switches {
        dual: true,
        posthoc: true,
        mirrored: true,
        reuse: true,
        winners: true,
        screening: true,
    };
}

impl Settings {
    /// The usual settings for an order, at least 2.
    pub fn new(order: u32, switches: Switches) -> Settings {
        let screening = Budget { reply_nodes: 100, forced: [100, 100], answer_order: 1 };
        Settings {
            order,
            solve_nodes: 2_000,
            ladder: 3,
            screening: switches.screening.then_some(screening),
            verification: Budget { reply_nodes: 400, forced: [100, 400], answer_order: order - 1 },
            quiet: [3 * ONE, 2],
            forcing: 3,
            cut: 2,
            effort: 150_000,
            policy: Policy::default(),
            switches,
        }
    }
}
