//! The life of a job: asked for, published, being done, judged, recorded, over.
//!
//! A job that is being done is lent, not given away: without a sign of life the lease ends, and the
//! job is published again. The same job may be done twice by two workers; both results are right,
//! and the first one counts.

use std::collections::BTreeSet;

use super::event::{Answered, Effect, Job, Notice};
use super::outcome::Recorded;
use super::{Manager, OPEN_MAX};
use crate::id::{JobId, WorkerId};
use crate::wire::{Assignment, Body, INLINE_BYTES_MAX, REMOTE_BYTES_MAX, ToWorker};

/// A job that the search waits for.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) job: Job,
    /// How often it was published.
    pub(super) attempt: u32,
    /// How often a worker failed at it.
    pub(super) failures: u32,
    pub(super) asked_ms: u64,
    pub(super) state: State,
    /// Attempts whose tokens have been used.
    pub(super) used: BTreeSet<u32>,
}

/// Where a job is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Not published, for want of a connection.
    Waiting,
    /// Published; nobody has begun it.
    Queued { since_ms: u64 },
    /// Somebody does it.
    Running { worker: WorkerId, seen_ms: u64 },
    /// A result is being judged.
    Judging { delivery: u64, worker: WorkerId, nodes: u64 },
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
        if let Some(Recorded { nodes, record }) = self.recorded.remove(&id) {
            self.close(id);
            self.answered += 1;
            out.push(Effect::Answer { job: id, nodes, answer: Answered::Good { record } });
            return;
        }
        if let Some(open) = self.open.get_mut(&id) {
            // A person may begin to wait for what the search waits for.
            let is_sooner = job.priority < open.job.priority;
            open.job.priority = open.job.priority.min(job.priority);
            if is_sooner && matches!(open.state, State::Queued { .. }) {
                self.publish(id, "a person waits for it", out);
            }
            return;
        }
        if self.open.len() >= OPEN_MAX {
            let why = format!("more than {OPEN_MAX} jobs are open");
            out.push(Effect::Answer { job: id, nodes: 0, answer: Answered::GivenUp { why } });
            return;
        }
        // Its answer may be on its way to the journal, from before it was withdrawn.
        let state = match self.pending_answer(id) {
            Some(number) => State::Recording { number },
            None => State::Waiting,
        };
        let is_waiting = state == State::Waiting;
        let attempt = self.closed.reopen(id).unwrap_or(0);
        let asked_ms = self.clock.now_ms();
        let used = BTreeSet::new();
        self.open.insert(id, Open { job, attempt, failures: 0, asked_ms, state, used });
        if let Some(held) = self.held.remove(&id).filter(|_| is_waiting) {
            self.result(held.delivery, held.result, out);
        }
        if self.open.get(&id).is_some_and(|open| open.state == State::Waiting) {
            self.publish(id, "", out);
        }
    }

    pub(super) fn withdraw(&mut self, id: JobId, out: &mut Vec<Effect>) {
        let Some(open) = self.open.get(&id) else { return };
        match open.state {
            State::Waiting => {}
            State::Queued { .. } | State::Running { .. } => self.cancel_everywhere(id, out),
            State::Judging { delivery, .. } => out.push(Effect::Acknowledge { delivery }),
            State::Recording { .. } => {} // Acknowledged when it is synced, and kept.
        }
        self.close(id);
    }

    fn cancel_everywhere(&self, job: JobId, out: &mut Vec<Effect>) {
        let manager = self.settings.id;
        out.push(Effect::Broadcast(ToWorker::Cancel { manager, job }));
    }

    /// The search waits for the job no more.
    pub(super) fn close(&mut self, id: JobId) {
        let attempt = self.open.remove(&id).map_or(0, |open| open.attempt);
        self.closed.insert(id, attempt);
    }

    /// Puts a job into the queue, or leaves it waiting for a connection.
    pub(super) fn publish(&mut self, id: JobId, why: &str, out: &mut Vec<Effect>) {
        let Some(open) = self.open.get_mut(&id) else { return };
        open.state = State::Waiting;
        if !self.connected {
            return;
        }
        open.attempt = open.attempt.saturating_add(1);
        open.state = State::Queued { since_ms: self.clock.now_ms() };
        let (attempt, priority, body) = (open.attempt, open.job.priority, open.job.body.clone());
        let assignment = Assignment {
            manager: self.settings.id,
            job: id,
            attempt,
            body,
            url: self.settings.url.clone(),
            token: *self.token(id, attempt).as_bytes(),
        };
        out.push(Effect::Publish { priority, assignment });
        if attempt > 1 && !why.is_empty() {
            let why = why.to_string();
            out.push(Effect::Notice(Notice::Republished { job: id, attempt, why }));
        }
    }

    /// A worker failed at a job: somebody else tries, or nobody if too many have.
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
            let is_queued = matches!(open.state, State::Queued { .. });
            if is_queued && open.attempt == attempt {
                open.state = State::Waiting;
            }
        }
    }

    /// A worker that was welcomed says that it does a job; whether it should go on.
    pub(super) fn touch(&mut self, id: JobId, by: WorkerId) -> bool {
        let now_ms = self.clock.now_ms();
        let Some(open) = self.open.get_mut(&id) else {
            // After a restart the search asks again for what it wants; until then nobody knows.
            let is_over = self.closed.contains(id) || self.recorded.contains_key(&id);
            return !is_over && !self.is_past_orphans();
        };
        let fresh_ms = self.settings.fresh_ms;
        match open.state {
            State::Judging { .. } | State::Recording { .. } => true,
            State::Running { worker, seen_ms }
                if worker != by && now_ms.saturating_sub(seen_ms) < fresh_ms =>
            {
                false
            }
            State::Waiting | State::Queued { .. } | State::Running { .. } => {
                open.state = State::Running { worker: by, seen_ms: now_ms };
                true
            }
        }
    }

    /// The jobs that a worker was doing, as far as is known.
    pub(super) fn running_at(&self, by: WorkerId) -> Vec<JobId> {
        let is_there =
            |open: &Open| matches!(open.state, State::Running { worker, .. } if worker == by);
        self.open.iter().filter(|(_, open)| is_there(open)).map(|(id, _)| *id).collect()
    }

    /// The worker gave a job back: the server has it again.
    pub(super) fn returned(&mut self, id: JobId, by: WorkerId) {
        let now_ms = self.clock.now_ms();
        if let Some(open) = self.open.get_mut(&id)
            && matches!(open.state, State::Running { worker, .. } if worker == by)
        {
            open.state = State::Queued { since_ms: now_ms };
        }
    }

    /// Publishes again what seems to be lost.
    pub(super) fn lend_again(&mut self, out: &mut Vec<Effect>) {
        let now_ms = self.clock.now_ms();
        let is_idle = self.roster.has_idle(now_ms, &self.settings);
        for id in self.open.keys().copied().collect::<Vec<JobId>>() {
            let Some(open) = self.open.get(&id) else { continue };
            match open.state {
                State::Waiting => self.publish(id, "the server did not take it", out),
                State::Queued { since_ms }
                    if is_idle && now_ms.saturating_sub(since_ms) >= self.settings.queue_ms =>
                {
                    // An idle worker would have taken it: the server has lost it.
                    self.publish(id, "nobody began it", out);
                }
                State::Running { seen_ms, .. }
                    if now_ms.saturating_sub(seen_ms) >= self.settings.lease_ms =>
                {
                    self.fail(id, "its worker went silent", out);
                }
                _ => {}
            }
        }
    }
}
