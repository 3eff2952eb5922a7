//! Jobs and their answers.

use crate::board::Sq;
use crate::tree::{Given, Won};

/// What is to be done in the position after `path`, moves of both sides from the root.
#[derive(Clone, Debug)]
pub struct Job {
    /// The moves that lead there, Attacker's first; without stones if Defender moves at the root.
    pub path: Vec<Vec<Sq>>,
    /// What to do.
    pub work: Work,
}

/// The kinds of work.
#[derive(Clone, Debug)]
pub enum Work {
    /// Search a win of a low order.
    Solve {
        /// The order.
        order: u32,
        /// Nodes at most.
        nodes: u64,
    },
    /// List Attacker's moves, the best first.
    List {
        /// Moves that won elsewhere: they come before the others.
        first: Vec<Vec<Sq>>,
    },
    /// Find the replies that Attacker's last move leaves.
    Verify {
        /// The order.
        order: u32,
        /// What each reply may cost.
        budget: Budget,
        /// Replies that are won.
        given: Vec<Given>,
        /// Replies to leave alone.
        hopeless: Vec<Vec<Sq>>,
        /// Stop when there are more.
        unsolved_max: usize,
    },
}

/// What may be spent on each reply.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Nodes for each reply.
    pub reply_nodes: u64,
    /// Nodes of a search for forced wins, in a new position and in one that is expanded.
    pub forced: [u64; 2],
    /// The highest order of answers.
    pub answer_order: u32,
}

/// What came of a job.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The position is won; after a verification, the position before Attacker's move.
    Won(Won),
    /// Attacker's moves, the best first.
    Listed(Vec<Vec<Sq>>),
    /// Replies that were not solved.
    Unsolved {
        /// The replies; one with fewer stones than a move stands for all that contain it.
        replies: Vec<Vec<Sq>>,
        /// Whether these are all.
        complete: bool,
        /// Whether Attacker's move makes a threat.
        forcing: bool,
    },
    /// There is no win of this kind.
    Refuted,
    /// The budget was too small.
    Unknown,
}

/// What somebody who does a job tells meanwhile.
#[derive(Clone, Copy, Debug)]
pub enum Word<'a> {
    /// Nodes of this job so far.
    Nodes(u64),
    /// A reply that a verification could not solve.
    Unsolved(&'a [Sq]),
}
