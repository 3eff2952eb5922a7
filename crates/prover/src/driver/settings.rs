//! Parameters and switches of the search over quiet moves.

use super::numbers::ONE;
use super::{Budget, Policy};

/// The parameters of the search.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The order of the strategies that the search looks for.
    pub order: u32,
    /// Nodes of the first search of a position; each further one has four times as many.
    pub solve_nodes: u64,
    /// Factor of the proof number of the next search after one without a result.
    pub ladder: u32,
    /// Budget of a screening; `None` skips screenings.
    pub screening: Option<Budget>,
    /// Budget of a verification.
    pub verification: Budget,
    /// Proof number of the first quiet move before its screening, and the increment of each further
    /// one, in quarters: moves of any rank are chosen as the proof numbers of the others grow.
    pub quiet: [u32; 2],
    /// Weight of a reply that answers a threat: a threat leaves few replies.
    pub forcing: u32,
    /// Factor of the count of an incomplete list of replies.
    pub cut: u32,
    /// Nodes below a position that add one to its proof number: a position that always seems to be
    /// about to be won does not hold the search for ever.
    pub effort: u64,
    /// The proof number of a node while a job at it is under way.
    pub policy: Policy,
    /// The improvements in use.
    pub switches: Switches,
}

/// Improvements, which change the effort but never the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switches {
    /// A move after which Defender has a forced win is refuted at once (dual lambda search).
    pub dual: bool,
    /// A won reply answers its siblings that are clear of its zone (post-hoc zones).
    pub posthoc: bool,
    /// The search tries one of several moves that are mirror images of each other.
    pub mirrored: bool,
    /// The search reuses the proof of a position that was won elsewhere in the tree.
    pub reuse: bool,
    /// The search tries moves first that won elsewhere.
    pub winners: bool,
    /// A screening compares moves before one is verified.
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
