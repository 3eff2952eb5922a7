//! What becomes of results: whose count, judged, recorded, and only then told and acknowledged.
//!
//! A result that is not acknowledged comes again. So nothing needs to be kept of a result that
//! cannot be dealt with now; and one that comes twice meets a job that is over, and is
//! acknowledged.

use super::Manager;
use super::event::{Answered, Effect, Notice, Verdict};
use super::job::State;
use crate::id::{JobId, WorkerId};
use crate::journal::Record;
use crate::wire::{Outcome, ToWorker, WorkerResult};

/// Results that wait for their job to be asked for, after a restart.
const HELD_MAX: usize = 64;

/// Bytes of a reason that somebody else gives.
const REASON_BYTES_MAX: usize = 400;

/// An answer that is in the journal.
#[derive(Debug)]
pub(super) struct Recorded {
    pub(super) nodes: u64,
    pub(super) record: Vec<u8>,
}

/// A result of a job that nobody has asked for yet.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) delivery: u64,
    pub(super) result: WorkerResult,
}

/// What is to be done when a record is on disk.
#[derive(Debug)]
pub(super) enum Pending {
    /// The search is told, unless it has withdrawn the job.
    Answer { job: JobId, delivery: u64, nodes: u64, record: Vec<u8> },
    /// The bad result may go: the worker stays dropped.
    Dropped { delivery: u64 },
}

impl Manager {
    pub(super) fn result(&mut self, delivery: u64, result: WorkerResult, out: &mut Vec<Effect>) {
        let WorkerResult { manager, worker, job, attempt, .. } = result;
        if manager != self.settings.id {
            out.push(Effect::Acknowledge { delivery });
            return;
        }
        if self.roster.is_dropped(worker) || result.signature != self.settings.signature {
            out.push(Effect::Acknowledge { delivery });
            if self.running_at(worker).contains(&job) {
                self.publish(job, "its worker is not believed", out);
            }
            return;
        }
        let Some(open) = self.open.get_mut(&job) else {
            let is_over = self.closed.contains(job) || self.recorded.contains_key(&job);
            if is_over || self.is_past_orphans() {
                out.push(Effect::Acknowledge { delivery });
            } else if self.held.len() < HELD_MAX {
                // The same result may come again with another delivery: the last one counts.
                self.held.insert(job, Held { delivery, result });
            }
            return;
        };
        if matches!(open.state, State::Judging { .. } | State::Recording { .. }) {
            return; // It comes again, and by then it is known whether it is still needed.
        }
        match result.outcome {
            Outcome::Failed(why) => {
                out.push(Effect::Acknowledge { delivery });
                // A failure that comes twice counts once: it is of an attempt.
                if attempt == open.attempt {
                    self.fail(job, &shown(&why), out);
                }
            }
            outcome => {
                let nodes = result.nodes;
                open.state = State::Judging { delivery, worker, nodes };
                out.push(Effect::Judge { delivery, job, worker, nodes, outcome });
            }
        }
    }

    pub(super) fn judged(
        &mut self,
        delivery: u64,
        job: JobId,
        worker: WorkerId,
        verdict: Verdict,
        out: &mut Vec<Effect>,
    ) {
        let nodes = self.open.get(&job).and_then(|open| match open.state {
            State::Judging { delivery: judged, nodes, .. } if judged == delivery => Some(nodes),
            _ => None,
        });
        match verdict {
            Verdict::Bad { why } => {
                self.drop_worker(worker, delivery, &shown(&why), out);
                if nodes.is_some() {
                    self.publish(job, "the answer was bad", out);
                }
            }
            // If the job was withdrawn meanwhile, its result is acknowledged already.
            _ if nodes.is_none() => {}
            Verdict::Missing { why } => {
                out.push(Effect::Acknowledge { delivery });
                self.publish(job, &shown(&why), out);
            }
            Verdict::Good { .. } if self.roster.is_dropped(worker) => {
                out.push(Effect::Acknowledge { delivery });
                self.publish(job, "its worker is not believed", out);
            }
            Verdict::Good { record } => {
                let Some(open) = self.open.get_mut(&job) else { return };
                let number = self.record_next;
                let nodes = nodes.unwrap_or(0);
                open.state = State::Recording { number };
                let key = open.job.key.clone();
                let written = Record::Answer { key, nodes, record: record.clone() };
                self.record(written, Pending::Answer { job, delivery, nodes, record }, out);
            }
        }
    }

    fn record(&mut self, record: Record, pending: Pending, out: &mut Vec<Effect>) {
        let number = self.record_next;
        self.record_next += 1;
        self.pending.insert(number, pending);
        out.push(Effect::Record { number, record });
    }

    /// A worker that sent a bad certificate is not believed again.
    fn drop_worker(&mut self, worker: WorkerId, delivery: u64, why: &str, out: &mut Vec<Effect>) {
        if self.roster.is_dropped(worker) {
            out.push(Effect::Acknowledge { delivery });
            return;
        }
        let name = self.roster.drop_worker(worker, why);
        let why = why.to_string();
        let manager = self.settings.id;
        let message = ToWorker::Dismissed { manager, worker, why: why.clone() };
        out.push(Effect::Tell { worker, message });
        out.push(Effect::Notice(Notice::Dropped { worker, name: name.clone(), why: why.clone() }));
        // The bad result stays in the stream until this is on disk: after a crash it would be
        // judged again.
        self.record(Record::Dropped { worker, name, why }, Pending::Dropped { delivery }, out);
        for job in self.running_at(worker) {
            self.publish(job, "its worker is not believed", out);
        }
    }

    /// The record that will answer this job, if one is on its way to the disk.
    pub(super) fn pending_answer(&self, wanted: JobId) -> Option<u64> {
        let mut pending = self.pending.iter();
        pending.find_map(|(&number, pending)| match pending {
            Pending::Answer { job, .. } if *job == wanted => Some(number),
            _ => None,
        })
    }

    pub(super) fn synced(&mut self, upto: u64, out: &mut Vec<Effect>) {
        assert!(upto < self.record_next, "only what was written is synced");
        while let Some(first) = self.pending.first_entry().filter(|entry| *entry.key() <= upto) {
            let number = *first.key();
            match first.remove() {
                Pending::Dropped { delivery } => out.push(Effect::Acknowledge { delivery }),
                Pending::Answer { job, delivery, nodes, record } => {
                    out.push(Effect::Acknowledge { delivery });
                    let open = self.open.get(&job);
                    if open.is_some_and(|open| open.state == State::Recording { number }) {
                        self.close(job);
                        self.answered += 1;
                        self.rate.add(self.clock.now_ms(), nodes);
                        let answer = Answered::Good { record };
                        out.push(Effect::Answer { job, nodes, answer });
                    } else {
                        self.recorded.insert(job, Recorded { nodes, record });
                    }
                }
            }
        }
    }
}

/// A text of somebody else, short and without control characters, for people to read.
pub(super) fn shown(text: &str) -> String {
    cut(text, REASON_BYTES_MAX)
}

/// The same, not longer than this.
pub(super) fn cut(text: &str, bytes_max: usize) -> String {
    let clean = text.chars().map(|c| if c.is_control() { '?' } else { c });
    let mut bytes = 0;
    let fits = |c: &char| {
        bytes += c.len_utf8();
        bytes <= bytes_max
    };
    clean.take_while(fits).collect()
}
