//! The jobs of a worker: running, or done with a result that the server has not stored yet.

use super::{Effect, Notice, Worker};
use crate::id::{JobId, ManagerId};
use crate::wire::{Assignment, FromWorker, Outcome, WorkerResult};

/// Largest number of deliveries to keep of one job, which the server may deliver more than once.
const DELIVERIES_MAX: usize = 8;

/// A job of a worker.
#[derive(Debug)]
pub(super) struct HeldJob {
    pub(super) manager: ManagerId,
    pub(super) nodes: u64,
    attempt: u32,
    /// The hash of its body.
    body: [u8; 32],
    /// Its deliveries, which are acknowledged when the job is done.
    deliveries: Vec<u64>,
    progress_sent_ms: u64,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    Running,
    /// The result is published, but not confirmed.
    Sending(WorkerResult),
    /// The server did not confirm the result.
    Unsent {
        result: WorkerResult,
        since_ms: u64,
    },
}

impl HeldJob {
    pub(super) fn is_running(&self) -> bool {
        matches!(self.stage, Stage::Running)
    }
}

impl Worker {
    pub(super) fn assigned(
        &mut self,
        delivery: u64,
        assignment: Assignment,
        out: &mut Vec<Effect>,
    ) {
        let Assignment { manager, job, attempt, .. } = assignment;
        self.pulls.brought();
        if let Some(held) = self.held.get_mut(&job).filter(|held| held.manager == manager) {
            if held.deliveries.len() < DELIVERIES_MAX {
                held.deliveries.push(delivery);
            } else {
                out.push(Effect::Acknowledge { delivery });
            }
            held.attempt = held.attempt.max(attempt);
            return;
        }
        // A pull that seemed to have ended may still bring jobs.
        let is_full = self.room() == 0;
        let is_taken = self.held.contains_key(&job);
        if self.quitting || is_full || is_taken || !self.managers.is_welcome(manager) {
            out.push(Effect::Nak { delivery });
            return;
        }
        let held = HeldJob {
            manager,
            nodes: 0,
            attempt,
            body: assignment.body.hash(),
            deliveries: vec![delivery],
            progress_sent_ms: self.clock.now_ms(),
            stage: Stage::Running,
        };
        self.held.insert(job, held);
        let message = FromWorker::Started { worker: self.settings.id, job, attempt };
        out.push(Effect::SendTo { manager, message });
        out.push(Effect::Start { job, assignment });
    }

    pub(super) fn progress(
        &mut self,
        job: JobId,
        nodes: u64,
        found: Vec<u8>,
        out: &mut Vec<Effect>,
    ) {
        let Some(held) = self.held.get_mut(&job).filter(|held| held.is_running()) else { return };
        held.nodes = nodes;
        let manager = held.manager;
        let message = FromWorker::Partial { worker: self.settings.id, job, nodes, found };
        // Findings that are too large for a message are in the result.
        let is_news = matches!(&message, FromWorker::Partial { found, .. } if !found.is_empty());
        if self.connected && is_news && message.is_within_limits() {
            out.push(Effect::SendTo { manager, message });
        }
    }

    pub(super) fn finished(
        &mut self,
        job: JobId,
        nodes: u64,
        outcome: Outcome,
        out: &mut Vec<Effect>,
    ) {
        let now_ms = self.clock.now_ms();
        let Some(held) = self.held.get_mut(&job).filter(|held| held.is_running()) else { return };
        held.nodes = nodes;
        let mut result = WorkerResult {
            manager: held.manager,
            worker: self.settings.id,
            signature: self.settings.signature.clone(),
            job,
            attempt: held.attempt,
            body: held.body,
            nodes,
            outcome,
        };
        if !result.is_within_limits() {
            result.outcome = Outcome::Failed("the answer is too large for a message".to_string());
        }
        if self.connected {
            held.stage = Stage::Sending(result.clone());
            out.push(Effect::PublishResult { result });
        } else {
            held.stage = Stage::Unsent { result, since_ms: now_ms };
        }
    }

    pub(super) fn sent(&mut self, job: JobId, out: &mut Vec<Effect>) {
        if self.held.get(&job).is_none_or(HeldJob::is_running) {
            return; // The job was cancelled, and may have arrived again.
        }
        if let Some(held) = self.held.remove(&job) {
            self.done += 1;
            self.nodes = self.nodes.saturating_add(held.nodes);
            done(&held, out);
        }
    }

    pub(super) fn unsent(&mut self, job: JobId) {
        let since_ms = self.clock.now_ms();
        if let Some(held) = self.held.get_mut(&job) {
            held.keep_unsent(since_ms);
        }
    }

    /// After a lost connection, no result on its way counts as stored.
    pub(super) fn all_unsent(&mut self) {
        let since_ms = self.clock.now_ms();
        self.held.values_mut().for_each(|held| held.keep_unsent(since_ms));
    }

    /// Sends results that have waited for `wait_ms`; a second copy of a result does no harm.
    pub(super) fn send_unsent(&mut self, wait_ms: u64, out: &mut Vec<Effect>) {
        let now_ms = self.clock.now_ms();
        for held in self.held.values_mut() {
            if let Stage::Unsent { result, since_ms } = &held.stage
                && now_ms.saturating_sub(*since_ms) >= wait_ms
            {
                let result = result.clone();
                held.stage = Stage::Sending(result.clone());
                out.push(Effect::PublishResult { result });
            }
        }
    }

    /// Extends the acknowledgement time of all jobs.
    pub(super) fn send_progress(&mut self, out: &mut Vec<Effect>) {
        let now_ms = self.clock.now_ms();
        for held in self.held.values_mut() {
            if now_ms.saturating_sub(held.progress_sent_ms) >= self.settings.progress_ms {
                held.progress_sent_ms = now_ms;
                let deliveries = held.deliveries.iter();
                out.extend(deliveries.map(|&delivery| Effect::AckProgress { delivery }));
            }
        }
    }

    /// Stops a job, and acknowledges it without a result; whether the worker had it.
    pub(super) fn cancel(&mut self, manager: ManagerId, job: JobId, out: &mut Vec<Effect>) -> bool {
        if self.held.get(&job).is_none_or(|held| held.manager != manager) {
            return false;
        }
        if let Some(held) = self.held.remove(&job) {
            if held.is_running() {
                out.push(Effect::Stop { job });
            }
            done(&held, out);
        }
        true
    }

    /// Cancels all jobs of a manager.
    pub(super) fn cancel_all(&mut self, manager: ManagerId, out: &mut Vec<Effect>) {
        for job in self.held.keys().copied().collect::<Vec<JobId>>() {
            self.cancel(manager, job, out);
        }
    }

    pub(super) fn cancelled(&mut self, manager: ManagerId, job: JobId, out: &mut Vec<Effect>) {
        if self.cancel(manager, job, out) {
            out.push(Effect::Notice(Notice::Cancelled { job }));
        }
    }

    /// Stops all running jobs and returns them.
    pub(super) fn return_running(&mut self, out: &mut Vec<Effect>) {
        let worker = self.settings.id;
        self.held.retain(|&job, held| {
            if !held.is_running() {
                return true;
            }
            let attempt = held.attempt;
            out.push(Effect::Stop { job });
            out.extend(held.deliveries.iter().map(|&delivery| Effect::Nak { delivery }));
            let message = FromWorker::Returned { worker, job, attempt };
            out.push(Effect::SendTo { manager: held.manager, message });
            false
        });
    }
}

impl HeldJob {
    fn keep_unsent(&mut self, since_ms: u64) {
        if let Stage::Sending(result) = &self.stage {
            self.stage = Stage::Unsent { result: result.clone(), since_ms };
        }
    }
}

fn done(held: &HeldJob, out: &mut Vec<Effect>) {
    out.extend(held.deliveries.iter().map(|&delivery| Effect::Acknowledge { delivery }));
}
