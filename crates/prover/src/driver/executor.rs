//! The executor, to which a search gives its jobs: threads of this process, or a pool of remote
//! workers.

use std::time::Duration;

use crate::board::Sq;
use crate::tree::Counts;

use super::{Job, JobAnswer};

/// Does jobs, several at once.
pub trait Executor {
    /// The number of jobs that the search should keep under way.
    fn capacity(&self) -> usize;
    /// The answer to a job that was done before, and its cost.
    fn recall(&mut self, job: &Job) -> Option<(JobAnswer, u64)>;
    /// Starts a job. The number is new, and identifies the job from now on.
    fn begin(&mut self, number: u64, job: &Job);
    /// Stops a job that has become pointless. The executor need not report it any more.
    fn cancel(&mut self, number: u64);
    /// Waits for the next report, at most this long.
    fn wait(&mut self, at_most: Duration) -> Option<JobReport>;
    /// Whether all audits of the given answers have ended. If not, this requests their end, and
    /// [`Executor::wait`] waits for it.
    fn is_settled(&mut self) -> bool {
        true
    }
    /// The search starts again from the recorded answers; it may begin the jobs under way again.
    fn restart(&mut self) {}
    /// Nodes so far, including those of jobs under way.
    fn nodes(&self) -> u64;
    /// Counts nodes of a recalled answer once more.
    fn count_recalled(&mut self, nodes: u64);
}

/// What an executor reports of a job.
#[derive(Clone, Debug)]
pub enum JobReport {
    /// A verification could not solve a reply.
    Unsolved {
        /// The job.
        number: u64,
        /// The reply.
        reply: Vec<Sq>,
    },
    /// The job has ended.
    Done {
        /// The job.
        number: u64,
        /// Its answer; `None` if it was given up.
        answer: Option<JobAnswer>,
        /// Its nodes.
        cost: u64,
        /// All its counters.
        counts: Counts,
    },
    /// Some answers given before do not count any more: the search must start again from the
    /// recorded ones.
    Revoked,
    /// The executor has ended; no more jobs are done.
    Closed,
}
