//! The answers of each worker without a certificate, which are revoked when the worker is dropped.

use std::collections::BTreeMap;

use crate::id::{JobId, WorkerId};
use crate::status::Basis;

/// An answer without a certificate.
#[derive(Debug)]
struct Given {
    nodes: u64,
    /// The worker whose audit gave the same answer.
    again: Option<WorkerId>,
}

/// The answers of one worker.
#[derive(Debug, Default)]
struct Account {
    /// Answers that only workers have given.
    unsure: BTreeMap<JobId, Given>,
    /// How many of `unsure` another worker has confirmed.
    again: u64,
    /// How many answers the search's own machine has confirmed.
    sure: u64,
}

/// The answers of all workers.
#[derive(Debug, Default)]
pub(super) struct Accounts {
    of: BTreeMap<WorkerId, Account>,
}

impl Accounts {
    /// Adds an answer of a worker.
    pub(super) fn give(&mut self, worker: WorkerId, job: JobId, nodes: u64) {
        let account = self.of.entry(worker).or_default();
        account.unsure.insert(job, Given { nodes, again: None });
    }

    /// Removes an answer of a worker.
    pub(super) fn forget(&mut self, worker: WorkerId, job: JobId) {
        let Some(account) = self.of.get_mut(&worker) else { return };
        if let Some(given) = account.unsure.remove(&job) {
            account.again -= u64::from(given.again.is_some());
        }
    }

    /// Another worker has confirmed an answer.
    pub(super) fn again(&mut self, worker: WorkerId, job: JobId, by: WorkerId) {
        let Some(account) = self.of.get_mut(&worker) else { return };
        if let Some(given) = account.unsure.get_mut(&job)
            && given.again.replace(by).is_none()
        {
            account.again += 1;
        }
    }

    /// The search's own machine has confirmed an answer.
    pub(super) fn confirm(&mut self, worker: WorkerId, job: JobId) {
        let Some(account) = self.of.get_mut(&worker) else { return };
        if let Some(given) = account.unsure.remove(&job) {
            account.again -= u64::from(given.again.is_some());
            account.sure += 1;
        }
    }

    /// The number of answers of a worker, and how many of them were audited.
    pub(super) fn counts(&self, worker: WorkerId) -> (u64, u64) {
        self.of.get(&worker).map_or((0, 0), |account| {
            (account.unsure.len() as u64 + account.sure, account.again + account.sure)
        })
    }

    /// Removes the unconfirmed answers of a dropped worker, and returns them with their nodes. Its
    /// confirmations of other answers do not count any more.
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

    /// The evidence of all answers.
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
