//! The closed jobs: the manager acknowledges their results, and cancels them at their workers.

use std::collections::{BTreeMap, VecDeque};

use crate::id::JobId;

/// Largest number of closed jobs to remember. A worker that still does an older one wastes its time
/// until the manager ignores the result; nothing else depends on it.
const CLOSED_MAX: usize = 1 << 16;

/// The last closed jobs, with the number of their attempts.
#[derive(Debug, Default)]
pub(super) struct Closed {
    attempts: BTreeMap<JobId, u32>,
    /// In order of closing. A job that was reopened may be here more than once.
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

    /// Removes a job that is submitted again; returns its attempts, to count on from.
    pub(super) fn reopen(&mut self, job: JobId) -> Option<u32> {
        self.attempts.remove(&job)
    }
}
