//! The handling of results: accepted or ignored, judged, recorded, and only then answered to the
//! search and acknowledged.
//!
//! The server delivers a result again until it is acknowledged. So the manager may forget a result
//! that it cannot handle now; and the second copy of a result finds its job closed, and is
//! acknowledged.

use super::Manager;
use super::audit::Audit;
use super::event::{Answered, Effect, Judgement, Notice, OwnAnswer};
use super::job::JobStage;
use crate::id::{JobId, WorkerId};
use crate::journal::{Author, JournalRecord};
use crate::wire::{Outcome, ToWorker, WorkerResult};

/// Largest number of results that wait for their jobs to be submitted, after a restart.
const EARLY_RESULTS_MAX: usize = 64;

/// Largest size of a reason from outside.
const REASON_BYTES_MAX: usize = 400;

/// An answer in the journal.
#[derive(Debug)]
pub(super) struct Recorded {
    pub(super) nodes: u64,
    pub(super) record: Vec<u8>,
    /// The worker that gave it, if nothing else confirms it.
    pub(super) unsure: Option<WorkerId>,
    /// The hash of the answered body.
    pub(super) body: [u8; 32],
}

/// A result of a job that the search has not submitted yet.
#[derive(Debug)]
pub(super) struct EarlyResult {
    pub(super) delivery: u64,
    pub(super) result: WorkerResult,
}

/// What follows when a record is on disk.
#[derive(Debug)]
pub(super) enum Pending {
    /// The search receives the answer, unless it has withdrawn the job.
    Answer {
        job: JobId,
        delivery: Option<u64>,
        nodes: u64,
        record: Vec<u8>,
        by: Author,
        certified: bool,
        body: [u8; 32],
    },
    /// The bad result is acknowledged: the worker stays dropped.
    Dropped { delivery: Option<u64> },
    /// The audit counts.
    Audited { audit: Box<Audit>, by: Author },
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
            self.take_from(job, worker, "its worker was dropped, or is of another build", out);
            return;
        }
        if self.is_audit(job) {
            self.audit_result(delivery, result, out);
            return;
        }
        let Some(open) = self.open.get_mut(&job) else {
            let is_over = self.closed.contains(job) || self.recorded.contains_key(&job);
            if is_over || self.is_past_orphans() {
                out.push(Effect::Acknowledge { delivery });
            } else if self.early.len() < EARLY_RESULTS_MAX {
                // The server may deliver the same result again: the last delivery counts.
                self.early.insert(job, EarlyResult { delivery, result });
            }
            return;
        };
        if matches!(open.state, JobStage::Judging { .. } | JobStage::Recording { .. }) {
            return; // The server delivers it again, when its job is decided.
        }
        match result.outcome {
            Outcome::Failed(why) => {
                out.push(Effect::Acknowledge { delivery });
                // A failure counts once for each attempt, even if it is delivered twice.
                if attempt == open.attempt {
                    self.fail(job, &for_display(&why), out);
                }
            }
            // Without a certificate it must answer the same body, including hints.
            Outcome::Uncertified(_) if result.body != open.body_hash => {
                out.push(Effect::Acknowledge { delivery });
                self.take_from(job, worker, "its worker answered another body", out);
            }
            outcome => {
                let nodes = result.nodes;
                let certified = matches!(outcome, Outcome::Won(_));
                self.audits.jobs_ms += open.time_ms(worker, self.clock.now_ms());
                open.state = JobStage::Judging { delivery, worker, nodes, certified };
                out.push(Effect::Judge { delivery, job, worker, outcome });
            }
        }
    }

    pub(super) fn judged(
        &mut self,
        delivery: u64,
        job: JobId,
        worker: WorkerId,
        verdict: Judgement,
        out: &mut Vec<Effect>,
    ) {
        if self.is_audit(job) {
            self.audit_judged(delivery, job, worker, verdict, out);
            return;
        }
        let judged = self.open.get(&job).and_then(|open| match open.state {
            JobStage::Judging { delivery: judged, nodes, certified, .. } if judged == delivery => {
                Some((nodes, certified))
            }
            _ => None,
        });
        match verdict {
            Judgement::Bad { why } => {
                self.drop_worker(worker, Some(delivery), &for_display(&why), out);
                if judged.is_some() {
                    self.publish(job, "the answer was bad", out);
                }
            }
            // If the job was withdrawn, its result is acknowledged already.
            _ if judged.is_none() => {}
            Judgement::Missing { why } => {
                out.push(Effect::Acknowledge { delivery });
                self.publish(job, &for_display(&why), out);
            }
            Judgement::Good { .. } if self.roster.is_dropped(worker) => {
                out.push(Effect::Acknowledge { delivery });
                self.publish(job, "its worker was dropped", out);
            }
            Judgement::Good { record } => {
                let Some((nodes, certified)) = judged else { return };
                self.roster.answered(worker, self.clock.now_ms());
                let Some(open) = self.open.get_mut(&job) else { return };
                if !certified {
                    let asked = open.job.clone();
                    self.draw_audit(asked, worker, nodes, &record);
                }
                let Some(open) = self.open.get_mut(&job) else { return };
                let number = self.record_next;
                open.state = JobStage::Recording { number };
                let (key, body) = (open.job.key.clone(), open.body_hash);
                let answer = Pending::Answer {
                    job,
                    delivery: Some(delivery),
                    nodes,
                    record,
                    by: Author::Worker(worker),
                    certified,
                    body,
                };
                self.record_answer(key, answer, out);
            }
        }
    }

    /// Records an answer of the search's own machine, to a job that may be open or not.
    pub(super) fn answer_own(
        &mut self,
        job: JobId,
        (key, body): (Vec<u8>, [u8; 32]),
        own_answer: OwnAnswer,
        out: &mut Vec<Effect>,
    ) {
        let OwnAnswer { nodes, record, certified } = own_answer;
        let (number, by, delivery) = (self.record_next, Author::Own, None);
        let before = self
            .open
            .get_mut(&job)
            .map(|open| std::mem::replace(&mut open.state, JobStage::Recording { number }));
        match before {
            Some(JobStage::Judging { delivery, .. }) => out.push(Effect::Acknowledge { delivery }),
            Some(JobStage::Queued { .. } | JobStage::Running { .. }) => {
                self.cancel_everywhere(job, out)
            }
            Some(JobStage::Waiting | JobStage::Recording { .. }) | None => {}
        }
        let own = Pending::Answer { job, delivery, nodes, record, by, certified, body };
        self.record_answer(key, own, out);
    }

    /// Writes an answer to the journal.
    fn record_answer(&mut self, key: Vec<u8>, answer: Pending, out: &mut Vec<Effect>) {
        if let Pending::Answer { nodes, ref record, by, certified, body, .. } = answer {
            let record = record.clone();
            let written = JournalRecord::Answered { key, nodes, record, by, certified, body };
            self.record(written, answer, out);
        }
    }

    pub(super) fn record(
        &mut self,
        record: JournalRecord,
        pending: Pending,
        out: &mut Vec<Effect>,
    ) {
        let number = self.record_next;
        self.record_next += 1;
        self.pending.insert(number, pending);
        out.push(Effect::Record { number, record });
    }

    /// Drops a worker, and revokes its answers without a certificate.
    pub(super) fn drop_worker(
        &mut self,
        worker: WorkerId,
        delivery: Option<u64>,
        why: &str,
        out: &mut Vec<Effect>,
    ) {
        if self.roster.is_dropped(worker) {
            out.extend(delivery.map(|delivery| Effect::Acknowledge { delivery }));
            return;
        }
        let name = self.roster.drop_worker(worker, why);
        let why = why.to_string();
        let manager = self.settings.id;
        let message = ToWorker::Dismissed { manager, worker, why: why.clone() };
        out.push(Effect::SendTo { worker, message });
        out.push(Effect::Notice(Notice::Dropped { worker, name: name.clone(), why: why.clone() }));
        // The bad result stays in the stream until this is on disk: after a crash the manager
        // judges it again.
        self.record(
            JournalRecord::Dropped { worker, name, why },
            Pending::Dropped { delivery },
            out,
        );
        self.revoke(worker, out);
        self.drop_audits(worker, out);
        for job in self.running_at(worker) {
            self.take_from(job, worker, "its worker was dropped", out);
        }
    }

    /// Revokes the answers of a worker without a certificate.
    fn revoke(&mut self, worker: WorkerId, out: &mut Vec<Effect>) {
        let revoked = self.accounts.take_back(worker);
        for (job, _) in &revoked {
            self.recorded.remove(job);
        }
        if !revoked.is_empty() {
            let nodes = revoked.iter().fold(0, |sum: u64, (_, n)| sum.saturating_add(*n));
            let jobs = revoked.into_iter().map(|(job, _)| job).collect();
            out.push(Effect::Revoke { jobs, nodes });
            // The search must submit these jobs again.
            self.audits.settling = false;
        }
    }

    /// Whether the record that confirms a worker's answer is on its way to the disk.
    fn is_being_confirmed(&self, wanted: JobId, worker: WorkerId) -> bool {
        self.pending.values().any(|pending| match pending {
            Pending::Audited { audit, by: Author::Own } => {
                audit.job == wanted && audit.worker == worker
            }
            _ => false,
        })
    }

    /// The number of the record that answers a job, if one is on its way to the disk.
    pub(super) fn pending_answer(&self, wanted: JobId) -> Option<u64> {
        let mut pending = self.pending.iter();
        pending.find_map(|(&number, pending)| match pending {
            Pending::Answer { job, .. } if *job == wanted => Some(number),
            _ => None,
        })
    }

    pub(super) fn synced(&mut self, upto: u64, out: &mut Vec<Effect>) {
        assert!(upto < self.record_next, "only written records are synced");
        while let Some(first) = self.pending.first_entry().filter(|entry| *entry.key() <= upto) {
            let number = *first.key();
            match first.remove() {
                Pending::Dropped { delivery } => {
                    out.extend(delivery.map(|delivery| Effect::Acknowledge { delivery }));
                }
                Pending::Audited { audit, by } => self.audited(*audit, by, out),
                Pending::Answer { job, delivery, nodes, record, by, certified, body } => {
                    out.extend(delivery.map(|delivery| Effect::Acknowledge { delivery }));
                    let open = self.open.get(&job);
                    let is_open = open.is_some_and(|o| o.state == JobStage::Recording { number });
                    let unsure = by.unsure(certified);
                    let is_sure = unsure.is_some_and(|it| self.is_being_confirmed(job, it));
                    if let Some(worker) = unsure {
                        // The manager dropped it while the disk was busy.
                        if self.roster.is_dropped(worker) && !is_sure {
                            if is_open {
                                self.publish(job, "its worker was dropped", out);
                            }
                            continue;
                        }
                        self.accounts.give(worker, job, nodes);
                    }
                    if let Some(worker) = unsure.filter(|_| is_sure) {
                        self.accounts.confirm(worker, job);
                    }
                    let unsure = unsure.filter(|_| !is_sure);
                    if is_open {
                        self.close(job);
                        self.answered += 1;
                        self.rate.add(self.clock.now_ms(), nodes);
                        let answer = Answered::Good { record };
                        out.push(Effect::Answer { job, nodes, answer });
                    } else if !self.open.contains_key(&job) {
                        self.recorded.insert(job, Recorded { nodes, record, unsure, body });
                    }
                }
            }
        }
    }
}

/// A text from outside for display: short, and without control characters.
pub(super) fn for_display(text: &str) -> String {
    truncated(text, REASON_BYTES_MAX)
}

/// A text without control characters, cut to a size.
pub(super) fn truncated(text: &str, bytes_max: usize) -> String {
    let clean = text.chars().map(|c| if c.is_control() { '?' } else { c });
    let mut bytes = 0;
    let fits = |c: &char| {
        bytes += c.len_utf8();
        bytes <= bytes_max
    };
    clean.take_while(fits).collect()
}
