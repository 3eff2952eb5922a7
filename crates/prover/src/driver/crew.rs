//! Who does the jobs of a search, as the search sees them: threads of this process, or workers
//! elsewhere.

use std::time::Duration;

use crate::board::Sq;
use crate::tree::Counts;

use super::{Answer, Job};

/// Somebody who does jobs, several at once.
pub trait Crew {
    /// How many jobs should be under way.
    fn capacity(&self) -> usize;
    /// The answer to a job that was done before, and what it cost.
    fn recall(&mut self, job: &Job) -> Option<(Answer, u64)>;
    /// Begins a job. The number is new, and names it from now on.
    fn begin(&mut self, number: u64, job: &Job);
    /// A job has become pointless. Nothing more needs to be reported of it.
    fn cancel(&mut self, number: u64);
    /// Waits for the next report, at most so long.
    fn wait(&mut self, at_most: Duration) -> Option<Report>;
    /// Whether no answer that was given is still being looked into. Where some are, this asks for
    /// the end of it, which [`Crew::wait`] waits for.
    fn is_settled(&mut self) -> bool {
        true
    }
    /// The search begins anew, from what is remembered; the jobs under way may be begun again.
    fn restart(&mut self) {}
    /// Nodes so far, those of jobs under way too.
    fn nodes(&self) -> u64;
    /// Counts nodes that were spent once before.
    fn count_again(&mut self, nodes: u64);
}

/// What is told of a job.
#[derive(Clone, Debug)]
pub enum Report {
    /// A verification could not solve a reply.
    Unsolved {
        /// The job.
        number: u64,
        /// The reply.
        reply: Vec<Sq>,
    },
    /// The job is over.
    Done {
        /// The job.
        number: u64,
        /// Its answer; `None` if it was given up.
        answer: Option<Answer>,
        /// Its nodes.
        cost: u64,
        /// All that was counted.
        counts: Counts,
    },
    /// Some answers that were given do not count any more: the search has to begin anew from what
    /// is remembered.
    Revoked,
    /// Nobody is left who could do anything.
    Over,
}
