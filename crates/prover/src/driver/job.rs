//! Jobs and their answers.

use crate::board::Sq;
use crate::tree::{Given, Won};

/// A task in the position after `path`, moves of both sides from the root.
#[derive(Clone, Debug)]
pub struct Job {
    /// The moves from the root, Attacker's first; that one is empty if Defender moves at the root.
    pub path: Vec<Vec<Sq>>,
    /// The task.
    pub work: Task,
}

/// The kinds of work.
#[derive(Clone, Debug)]
pub enum Task {
    /// Search a win of a low order.
    Solve {
        /// The order.
        order: u32,
        /// The node limit.
        nodes: u64,
    },
    /// List Attacker's moves, the best first.
    List {
        /// Moves that won in other positions, to be listed before the rest.
        first: Vec<Vec<Sq>>,
    },
    /// Find the replies to Attacker's last move that remain unsolved.
    Verify {
        /// The order.
        order: u32,
        /// The budget of each reply.
        budget: Budget,
        /// Replies that are won already, with their proofs.
        given: Vec<Given>,
        /// Replies to skip.
        hopeless: Vec<Vec<Sq>>,
        /// The verification stops when more replies than these remain unsolved.
        unsolved_max: usize,
    },
}

/// The budget of one reply.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Nodes for each reply.
    pub reply_nodes: u64,
    /// Nodes of a search for forced wins, in a new position and in one that is expanded.
    pub forced: [u64; 2],
    /// The highest order of answers.
    pub answer_order: u32,
}

/// The result of a job.
#[derive(Clone, Debug)]
pub enum JobAnswer {
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
    /// No win of the searched kind exists.
    Refuted,
    /// The budget ran out.
    Unknown,
}

/// Progress of a running job.
#[derive(Clone, Copy, Debug)]
pub enum JobProgress<'a> {
    /// Nodes of this job so far.
    Nodes(u64),
    /// A reply that the verification could not solve.
    Unsolved(&'a [Sq]),
}
