//! Who gave which answers without a certificate: they go when their worker goes.

use std::collections::BTreeMap;

use crate::id::{JobId, WorkerId};
use crate::status::Basis;

/// An answer without a certificate.
#[derive(Debug)]
struct Given {
    nodes: u64,
    /// The worker that did the job again, with the same answer.
    again: Option<WorkerId>,
}

/// The answers of one worker.
#[derive(Debug, Default)]
struct Account {
    /// Those that only workers vouch for.
    unsure: BTreeMap<JobId, Given>,
    /// How many of `unsure` another worker has done again.
    again: u64,
    /// How many the search's own machine has confirmed.
    sure: u64,
}

/// The answers of all workers.
#[derive(Debug, Default)]
pub(super) struct Accounts {
    of: BTreeMap<WorkerId, Account>,
}

impl Accounts {
    /// A worker has given an answer.
    pub(super) fn give(&mut self, worker: WorkerId, job: JobId, nodes: u64) {
        let account = self.of.entry(worker).or_default();
        account.unsure.insert(job, Given { nodes, again: None });
    }

    /// An answer of a worker is not used any more.
    pub(super) fn forget(&mut self, worker: WorkerId, job: JobId) {
        let Some(account) = self.of.get_mut(&worker) else { return };
        if let Some(given) = account.unsure.remove(&job) {
            account.again -= u64::from(given.again.is_some());
        }
    }

    /// The answer of a worker was found again by another one.
    pub(super) fn again(&mut self, worker: WorkerId, job: JobId, by: WorkerId) {
        let Some(account) = self.of.get_mut(&worker) else { return };
        if let Some(given) = account.unsure.get_mut(&job)
            && given.again.replace(by).is_none()
        {
            account.again += 1;
        }
    }

    /// The answer of a worker was found again by the search's own machine.
    pub(super) fn confirm(&mut self, worker: WorkerId, job: JobId) {
        let Some(account) = self.of.get_mut(&worker) else { return };
        if let Some(given) = account.unsure.remove(&job) {
            account.again -= u64::from(given.again.is_some());
            account.sure += 1;
        }
    }

    /// How many answers a worker has given, and how many of them were done again.
    pub(super) fn counts(&self, worker: WorkerId) -> (u64, u64) {
        self.of.get(&worker).map_or((0, 0), |account| {
            (account.unsure.len() as u64 + account.sure, account.again + account.sure)
        })
    }

    /// A worker is dropped: the answers that go with it, and their nodes. What it has found again
    /// for others says nothing any more.
    pub(super) fn take_back(&mut self, worker: WorkerId) -> Vec<(JobId, u64)> {
        for account in self.of.values_mut() {
            for given in account.unsure.values_mut().filter(|given| given.again == Some(worker)) {
                given.again = None;
                account.again -= 1;
            }
        }
        let Some(account) = self.of.get_mut(&worker) else { return Vec::new() };
        account.again = 0;
        let unsure = std::mem::take(&mut account.unsure);
        unsure.into_iter().map(|(job, given)| (job, given.nodes)).collect()
    }

    /// What all answers rest on.
    pub(super) fn basis(&self) -> Basis {
        let mut basis = Basis::default();
        for account in self.of.values() {
            let answers = account.unsure.len() as u64 + account.sure;
            basis.answers += answers;
            basis.workers += u64::from(answers > 0);
            basis.done_again += account.again + account.sure;
        }
        basis
    }
}
