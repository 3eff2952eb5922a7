//! The life of a job: submitted, published, running, judged, recorded, closed.
//!
//! A worker has a job on a lease: it ends after some time without a message of the worker, and
//! after the total time of the job in any case; then the manager publishes the job again. If
//! workers are idle, it publishes a second copy of the oldest jobs. Several workers may do the same
//! job; the first good result counts.

use std::collections::{BTreeMap, BTreeSet};

use super::event::{Answered, Effect, Job, Notice};
use super::outcome::Recorded;
use super::settings::Settings;
use super::tokens::token;
use super::{Manager, OPEN_MAX};
use crate::id::{JobId, WorkerId};
use crate::status::WarningKind;
use crate::wire::{Assignment, Body, INLINE_BYTES_MAX, Priority, REMOTE_BYTES_MAX, ToWorker};

/// Largest number of workers that do the same job: the first, and an idle one with a copy.
const HOLDERS_MAX: usize = 2;
/// Ratio of the time without any answer, after which a worker may have stopped working, to
/// [`Settings::idle_ms`].
const UNANSWERED_TIMES: u64 = 3;

/// A job that the search waits for.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) job: Job,
    /// The number of attempts published so far.
    pub(super) attempt: u32,
    /// The number of failures.
    pub(super) failures: u32,
    pub(super) asked_ms: u64,
    pub(super) state: JobStage,
    /// Attempts whose tokens have been used.
    pub(super) used: BTreeSet<u32>,
    /// The hash of the job's body.
    pub(super) body_hash: [u8; 32],
    /// When its second copy was published.
    copied_ms: Option<u64>,
    /// Workers that did not answer it in its total time.
    late: BTreeSet<WorkerId>,
}

/// A worker that does a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Holder {
    pub(super) worker: WorkerId,
    /// When it began, and when its last message about the job arrived.
    since_ms: u64,
    pub(super) seen_ms: u64,
}

impl Open {
    /// How long a worker has been doing the job.
    pub(super) fn time_ms(&self, by: WorkerId, now_ms: u64) -> u64 {
        let JobStage::Running { holders } = &self.state else { return 0 };
        let holder = holders.iter().find(|holder| holder.worker == by);
        holder.map_or(0, |holder| now_ms.saturating_sub(holder.since_ms))
    }

    /// Largest number of workers that may do it now.
    fn holders_max(&self) -> usize {
        if self.copied_ms.is_some() { HOLDERS_MAX } else { 1 }
    }
}

/// The state of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum JobStage {
    /// Not published, for lack of a connection.
    Waiting,
    /// Published; no worker has begun it.
    Queued { since_ms: u64 },
    /// Workers do it; `holders` is never empty.
    Running { holders: Vec<Holder> },
    /// A result is being judged.
    Judging { delivery: u64, worker: WorkerId, nodes: u64, certified: bool },
    /// The answer is being written to the journal.
    Recording { number: u64 },
}

impl Manager {
    pub(super) fn submit(&mut self, job: Job, out: &mut Vec<Effect>) {
        assert_eq!(job.id, JobId::of(self.settings.id, &job.key), "a job is named by its key");
        let is_small = |body: &Body| match body {
            Body::Inline(bytes) => bytes.len() <= INLINE_BYTES_MAX,
            Body::Remote { len, .. } => *len <= REMOTE_BYTES_MAX,
        };
        assert!(is_small(&job.body), "a job keeps to the limits of its message");
        let id = job.id;
        self.audits.settling = false;
        self.audits.began_ms.get_or_insert(self.clock.now_ms());
        if let Some(Recorded { nodes, record, .. }) = self.take_recorded(&job) {
            self.close(id);
            self.answered += 1;
            out.push(Effect::Answer { job: id, nodes, answer: Answered::Good { record } });
            return;
        }
        if let Some(open) = self.open.get_mut(&id) {
            // A user may begin to wait for a job of the search.
            let is_sooner = job.priority < open.job.priority;
            open.job.priority = open.job.priority.min(job.priority);
            if is_sooner && matches!(open.state, JobStage::Queued { .. }) {
                self.publish(id, "a user waits for it", out);
            }
            return;
        }
        if self.open.len() >= OPEN_MAX {
            let why = format!("more than {OPEN_MAX} jobs are open");
            out.push(Effect::Answer { job: id, nodes: 0, answer: Answered::GivenUp { why } });
            return;
        }
        // Its answer may be on its way to the journal, from before a withdrawal.
        let state = match self.pending_answer(id) {
            Some(number) => JobStage::Recording { number },
            None => JobStage::Waiting,
        };
        let is_waiting = state == JobStage::Waiting;
        let attempt = self.closed.reopen(id).unwrap_or(0);
        let asked_ms = self.clock.now_ms();
        let open = Open {
            body_hash: job.body.hash(),
            job,
            attempt,
            failures: 0,
            asked_ms,
            state,
            used: BTreeSet::new(),
            copied_ms: None,
            late: BTreeSet::new(),
        };
        self.open.insert(id, open);
        if let Some(early) = self.early.remove(&id).filter(|_| is_waiting) {
            self.result(early.delivery, early.result, out);
        }
        if self.open.get(&id).is_some_and(|open| open.state == JobStage::Waiting) {
            self.publish(id, "", out);
        }
    }

    /// The journal's answer to a job. An answer of a hardly audited worker may be audited now; with
    /// other hints it cannot be, and then it does not count.
    fn take_recorded(&mut self, job: &Job) -> Option<Recorded> {
        let recorded = self.recorded.remove(&job.id)?;
        let Some(worker) = recorded.unsure else { return Some(recorded) };
        if recorded.body == job.body.hash() {
            self.draw_audit(job.clone(), worker, recorded.nodes, &recorded.record);
        } else if !self.is_audited(worker) {
            self.accounts.forget(worker, job.id);
            return None;
        }
        Some(recorded)
    }

    pub(super) fn withdraw(&mut self, id: JobId, out: &mut Vec<Effect>) {
        let Some(open) = self.open.get(&id) else { return };
        match open.state {
            JobStage::Waiting => {}
            JobStage::Queued { .. } | JobStage::Running { .. } => self.cancel_everywhere(id, out),
            JobStage::Judging { delivery, .. } => out.push(Effect::Acknowledge { delivery }),
            JobStage::Recording { .. } => {} // It is acknowledged when it is synced.
        }
        self.close(id);
    }

    pub(super) fn cancel_everywhere(&self, job: JobId, out: &mut Vec<Effect>) {
        let manager = self.settings.id;
        out.push(Effect::Broadcast(ToWorker::Cancel { manager, job }));
    }

    pub(super) fn cancel_at(&self, job: JobId, worker: WorkerId, out: &mut Vec<Effect>) {
        let message = ToWorker::Cancel { manager: self.settings.id, job };
        out.push(Effect::SendTo { worker, message });
    }

    /// Closes a job: the search does not wait for it any more.
    pub(super) fn close(&mut self, id: JobId) {
        let attempt = self.open.remove(&id).map_or(0, |open| open.attempt);
        self.closed.insert(id, attempt);
    }

    /// Publishes a job, or leaves it waiting for a connection.
    pub(super) fn publish(&mut self, id: JobId, why: &str, out: &mut Vec<Effect>) {
        let Some(open) = self.open.get_mut(&id) else { return };
        open.state = JobStage::Waiting;
        if !self.connected {
            return;
        }
        open.state = JobStage::Queued { since_ms: self.clock.now_ms() };
        open.copied_ms = None;
        self.put_into_queue(id, why, out);
    }

    fn put_into_queue(&mut self, id: JobId, why: &str, out: &mut Vec<Effect>) {
        let Some(open) = self.open.get_mut(&id) else { return };
        open.attempt = open.attempt.saturating_add(1);
        let (attempt, priority, body) = (open.attempt, open.job.priority, open.job.body.clone());
        out.push(self.publication(id, attempt, priority, body));
        if attempt > 1 && !why.is_empty() {
            let why = why.to_string();
            out.push(Effect::Notice(Notice::Republished { job: id, attempt, why }));
        }
    }

    /// The effect that publishes an attempt at a job or an audit.
    pub(super) fn publication(
        &self,
        job: JobId,
        attempt: u32,
        priority: Priority,
        body: Body,
    ) -> Effect {
        let Settings { id: manager, ref url, ref secret, .. } = self.settings;
        let (url, token) = (url.clone(), token(secret, job, attempt));
        let assignment = Assignment { manager, job, attempt, body, url, token };
        Effect::Publish { priority, assignment }
    }

    /// Counts a failure at a job: publishes it again, or gives it up after too many failures.
    pub(super) fn fail(&mut self, id: JobId, why: &str, out: &mut Vec<Effect>) {
        let Some(open) = self.open.get_mut(&id) else { return };
        open.failures += 1;
        if open.failures < self.settings.failures_max {
            self.publish(id, why, out);
            return;
        }
        let why = format!("given up after {} failures, the last: {why}", open.failures);
        self.close(id);
        self.given_up += 1;
        out.push(Effect::Notice(Notice::GivenUp { job: id, why: why.clone() }));
        self.cancel_everywhere(id, out);
        out.push(Effect::Answer { job: id, nodes: 0, answer: Answered::GivenUp { why } });
    }

    pub(super) fn unpublished(&mut self, id: JobId, attempt: u32) {
        // The next tick publishes it.
        if let Some(open) = self.open.get_mut(&id) {
            let is_queued = matches!(open.state, JobStage::Queued { .. });
            if is_queued && open.attempt == attempt {
                open.state = JobStage::Waiting;
            }
        }
    }

    /// Renews the lease of a worker that does a job; whether the worker should go on.
    pub(super) fn renew_lease(&mut self, id: JobId, by: WorkerId) -> bool {
        let now_ms = self.clock.now_ms();
        if self.is_audit(id) {
            return self.renew_audit(id, by);
        }
        let Some(open) = self.open.get_mut(&id) else {
            // After a restart the search may still submit the job again.
            let is_over = self.closed.contains(id) || self.recorded.contains_key(&id);
            return !is_over && !self.is_past_orphans();
        };
        if open.late.contains(&by) {
            return false;
        }
        let (fresh_ms, holders_max) = (self.settings.fresh_ms, open.holders_max());
        let new = Holder { worker: by, since_ms: now_ms, seen_ms: now_ms };
        match &mut open.state {
            JobStage::Judging { .. } | JobStage::Recording { .. } => {}
            JobStage::Waiting | JobStage::Queued { .. } => {
                open.state = JobStage::Running { holders: vec![new] };
            }
            JobStage::Running { holders } => {
                if let Some(holder) = holders.iter_mut().find(|holder| holder.worker == by) {
                    holder.seen_ms = now_ms;
                    return true;
                }
                let is_stale = |holder: &Holder| now_ms.saturating_sub(holder.seen_ms) >= fresh_ms;
                if holders.len() >= holders_max {
                    let Some(stale) = holders.iter().position(is_stale) else { return false };
                    holders.remove(stale);
                }
                holders.push(new);
            }
        }
        true
    }

    /// The jobs that a worker is doing.
    pub(super) fn running_at(&self, by: WorkerId) -> Vec<JobId> {
        let is_there = |open: &Open| match &open.state {
            JobStage::Running { holders } => holders.iter().any(|holder| holder.worker == by),
            _ => false,
        };
        self.open.iter().filter(|(_, open)| is_there(open)).map(|(id, _)| *id).collect()
    }

    /// Ends the lease of a worker; true if no other worker does the job.
    fn release(&mut self, id: JobId, by: WorkerId) -> bool {
        let open = self.open.get_mut(&id);
        let Some(Open { state: JobStage::Running { holders }, .. }) = open else { return false };
        let before = holders.len();
        holders.retain(|holder| holder.worker != by);
        if !holders.is_empty() || before == 0 {
            return false;
        }
        if let Some(open) = self.open.get_mut(&id) {
            open.state = JobStage::Queued { since_ms: self.clock.now_ms() };
        }
        true
    }

    /// A worker has returned a job: the server will deliver it again.
    pub(super) fn returned(&mut self, id: JobId, by: WorkerId) {
        self.release(id, by);
    }

    /// Takes a job from a worker, and publishes it again unless another worker does it.
    pub(super) fn take_from(&mut self, id: JobId, by: WorkerId, why: &str, out: &mut Vec<Effect>) {
        if self.release(id, by) {
            self.publish(id, why, out);
        }
    }

    /// Publishes jobs again that seem to be lost.
    pub(super) fn republish_lost(&mut self, out: &mut Vec<Effect>) {
        let now_ms = self.clock.now_ms();
        let is_idle = self.roster.has_idle(now_ms, &self.settings);
        for id in self.open.keys().copied().collect::<Vec<JobId>>() {
            let Some(open) = self.open.get_mut(&id) else { continue };
            match open.state {
                JobStage::Waiting => self.publish(id, "the server did not confirm it", out),
                JobStage::Queued { since_ms }
                    if is_idle && now_ms.saturating_sub(since_ms) >= self.settings.queue_ms =>
                {
                    // An idle worker would have taken it: the server has lost it, or all present
                    // workers were late with it, and may try again.
                    open.late.clear();
                    self.warn(WarningKind::JobsLost, out);
                    self.publish(id, "no worker began it", out);
                }
                JobStage::Running { .. } => self.end_leases(id, out),
                _ => {}
            }
        }
        self.publish_copies(out);
    }

    /// Ends the leases of silent workers, and of those that exceed the total time of the job.
    fn end_leases(&mut self, id: JobId, out: &mut Vec<Effect>) {
        let (now_ms, lease_ms) = (self.clock.now_ms(), self.settings.lease_ms);
        let Some(open) = self.open.get_mut(&id) else { return };
        let JobStage::Running { holders } = &mut open.state else { return };
        let limit_ms = open.job.limit_ms;
        let is_silent = |holder: &Holder| now_ms.saturating_sub(holder.seen_ms) >= lease_ms;
        let is_late = |holder: &Holder| now_ms.saturating_sub(holder.since_ms) >= limit_ms;
        let late: Vec<WorkerId> = holders
            .iter()
            .filter(|holder| !is_silent(holder) && is_late(holder))
            .map(|holder| holder.worker)
            .collect();
        holders.retain(|holder| !is_silent(holder) && !is_late(holder));
        let is_empty = holders.is_empty();
        open.late.extend(&late);
        for &worker in &late {
            self.cancel_at(id, worker, out);
        }
        if is_empty {
            let why = if late.is_empty() { "its worker went silent" } else { "it took too long" };
            self.fail(id, why, out);
        }
        for worker in late {
            if self.roster.count_late(worker) {
                let why = "it sends beats, but did not answer its last jobs in their time";
                self.drop_worker(worker, None, why, out);
            }
        }
    }

    /// Publishes a second copy of the oldest jobs: for idle workers if no job waits, and for any
    /// job whose worker has answered nothing at all since it began.
    fn publish_copies(&mut self, out: &mut Vec<Effect>) {
        let now_ms = self.clock.now_ms();
        let Settings { idle_ms, queue_ms, .. } = self.settings;
        let is_waiting =
            |open: &Open| matches!(open.state, JobStage::Waiting | JobStage::Queued { .. });
        let mut idle = match self.open.values().any(is_waiting) {
            true => BTreeMap::new(),
            false => self.roster.idle_cores(now_ms, &self.settings),
        };
        let mut oldest: Vec<(u64, JobId)> = Vec::new();
        for (&id, open) in &self.open {
            let JobStage::Running { holders } = &open.state else { continue };
            let is_new = holders.iter().any(|h| now_ms.saturating_sub(h.since_ms) < idle_ms);
            let is_copied =
                open.copied_ms.is_some_and(|at_ms| now_ms.saturating_sub(at_ms) < queue_ms);
            if holders.len() < HOLDERS_MAX && !is_new && !is_copied {
                oldest.push((open.asked_ms, id));
            }
        }
        oldest.sort_unstable();
        for (_, id) in oldest {
            let Some(open) = self.open.get_mut(&id) else { continue };
            let JobStage::Running { holders } = &open.state else { continue };
            let is_stuck = holders.iter().all(|holder| {
                now_ms.saturating_sub(holder.since_ms) >= UNANSWERED_TIMES * idle_ms
                    && self.roster.has_no_answer_since(holder.worker, holder.since_ms)
                    && self.roster.has_other(holder.worker)
            });
            // An idle worker that does not do it already.
            let is_other = |worker: &WorkerId| holders.iter().all(|h| h.worker != *worker);
            match idle.keys().copied().find(is_other) {
                Some(worker) => {
                    if let Some(cores) = idle.get_mut(&worker) {
                        *cores -= 1;
                    }
                    idle.retain(|_, cores| *cores > 0);
                }
                None if is_stuck => {}
                None => continue,
            }
            open.copied_ms = Some(now_ms);
            self.put_into_queue(id, "its worker may have stopped working", out);
        }
    }
}
