//! Which jobs are over: their results are acknowledged, and who does them is told to stop.

use std::collections::{BTreeMap, VecDeque};

use crate::id::JobId;

/// How many are remembered. Whoever does a job that is over for so long wastes his time until his
/// result is ignored; nothing else depends on it.
const CLOSED_MAX: usize = 1 << 16;

/// The jobs that were closed last, with how often each was published.
#[derive(Debug, Default)]
pub(super) struct Closed {
    attempts: BTreeMap<JobId, u32>,
    /// In order of closing. A job that was opened again may be here more than once.
    order: VecDeque<JobId>,
}

impl Closed {
    pub(super) fn insert(&mut self, job: JobId, attempt: u32) {
        self.attempts.insert(job, attempt);
        self.order.push_back(job);
        while self.order.len() > CLOSED_MAX {
            if let Some(oldest) = self.order.pop_front() {
                self.attempts.remove(&oldest);
            }
        }
    }

    pub(super) fn contains(&self, job: JobId) -> bool {
        self.attempts.contains_key(&job)
    }

    /// The job is asked for again: its attempts are counted on.
    pub(super) fn reopen(&mut self, job: JobId) -> Option<u32> {
        self.attempts.remove(&job)
    }
}
