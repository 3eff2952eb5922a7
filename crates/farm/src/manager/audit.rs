//! Audits: second answers to jobs, compared with answers without a certificate.
//!
//! A job is a pure function of its body, so that an honest worker finds the same answer on every
//! machine. The manager has a share of the answers audited, by another worker or by the search's
//! own machine. If two workers differ, the search's own machine does the job itself, and the
//! manager drops each worker that was wrong. An audit has its own id and is published like any job:
//! a worker cannot know that it audits another.
//!
//! An audit compares answers to the same body: a result names the hash of the body that it answers,
//! and one without a certificate counts only for the body of the open job. Audits take a tenth of
//! the time at most ([`Audits::may_use_own`], [`Audits::may_publish`]), cheap ones first; only a
//! difference is always decided.

use std::collections::{BTreeMap, BTreeSet};

use super::Manager;
use super::event::{Effect, Job, Judgement, OwnAnswer};
use super::outcome::Pending;
use super::settings::AUDIT_ALL;
use crate::id::{JobId, WorkerId};
use crate::journal::{Author, JournalRecord};
use crate::wire::{Body, Outcome, Priority, WorkerResult};

/// Number of audited answers of a worker up to which all of its answers are audited.
const FIRST_ANSWERS: u64 = 4;
/// Number of answers of a worker up to which a multiple of the usual share is audited.
const EARLY_ANSWERS: u64 = 50;
const EARLY_TIMES: u32 = 5;
/// Largest number of audits that wait or are under way.
const AUDITS_MAX: usize = 256;
/// Audits may take one part in this many of the time.
const TIME_PARTS: u64 = 10;
/// Time that audits may take beyond that share.
const GRANT_MS: u64 = 2_000;

/// A second answer to a job.
#[derive(Debug)]
pub(super) struct Audit {
    /// The job, and the worker that answered it.
    pub(super) job: JobId,
    pub(super) worker: WorkerId,
    pub(super) key: Vec<u8>,
    pub(super) nodes: u64,
    /// The answer.
    pub(super) record: Vec<u8>,
    body: Body,
    priority: Priority,
    limit_ms: u64,
    /// Whether another worker may do it.
    is_remote: bool,
    /// Whether it audits one of a worker's first answers.
    is_first: bool,
    stage: Stage,
    /// Attempts whose tokens have been used.
    used: BTreeSet<u32>,
}

/// The state of an audit.
#[derive(Debug, PartialEq, Eq)]
enum Stage {
    /// Not begun.
    Waiting,
    /// In the queue, or at a worker.
    Published { since_ms: u64, began: Option<(WorkerId, u64)> },
    /// The result of another worker is being judged.
    Judging { delivery: u64 },
    /// The search's own machine must do it; `against` is another worker's answer that differs.
    Own { against: Option<(WorkerId, Vec<u8>)> },
}

/// All audits.
#[derive(Debug, Default)]
pub(super) struct Audits {
    all: BTreeMap<JobId, Audit>,
    /// The audit that the search's own machine does, and its start.
    own: Option<(JobId, u64)>,
    /// Time that audits took, of the search's own machine and of workers.
    own_ms: u64,
    remote_ms: u64,
    /// Time that workers took for answered jobs.
    pub(super) jobs_ms: u64,
    /// Time of the first submission.
    pub(super) began_ms: Option<u64>,
    /// Whether the search waits for the end of all audits.
    pub(super) settling: bool,
    count: u64,
}

impl Audits {
    /// Whether the search's own machine has time for an audit.
    fn may_use_own(&self, audit: &Audit, now_ms: u64) -> bool {
        let is_decision = matches!(audit.stage, Stage::Own { against: Some(_) });
        let passed_ms = now_ms.saturating_sub(self.began_ms.unwrap_or(now_ms));
        is_decision
            || self.settling && audit.is_first
            || self.own_ms <= GRANT_MS + passed_ms / TIME_PARTS
    }

    /// Whether workers have time for another audit.
    fn may_publish(&self) -> bool {
        self.remote_ms <= GRANT_MS + self.jobs_ms / TIME_PARTS
    }
}

impl Manager {
    /// The key of the job of an audit.
    pub(super) fn audited_key(&self, audit: JobId) -> Option<&[u8]> {
        self.audits.all.get(&audit).map(|audit| audit.key.as_slice())
    }

    /// The audit of the answer to a job, if there is one.
    pub fn audit_of(&self, job: JobId) -> Option<JobId> {
        self.audits.all.iter().find(|(_, audit)| audit.job == job).map(|(&id, _)| id)
    }

    pub(super) fn is_audit(&self, id: JobId) -> bool {
        self.audits.all.contains_key(&id)
    }

    pub(super) fn used_tokens_of_audit(&mut self, audit: JobId) -> Option<&mut BTreeSet<u32>> {
        self.audits.all.get_mut(&audit).map(|audit| &mut audit.used)
    }

    /// Whether enough answers of a worker were audited, or audits are switched off.
    pub(super) fn is_audited(&self, worker: WorkerId) -> bool {
        let (answers, again) = self.accounts.counts(worker);
        self.settings.audit == 0 || again >= answers.min(FIRST_ANSWERS)
    }

    /// A pseudo-random number that no worker can predict.
    fn draw(&self, what: &[u8], job: JobId, number: u64) -> [u8; 32] {
        let bytes = [what, &job.0, &number.to_le_bytes()].concat();
        *blake3::keyed_hash(&self.settings.secret, &bytes).as_bytes()
    }

    /// Draws whether an answer without a certificate is audited.
    pub(super) fn draw_audit(&mut self, asked: Job, worker: WorkerId, nodes: u64, record: &[u8]) {
        let share = self.settings.audit.min(AUDIT_ALL);
        if share == 0 || self.audits.all.len() >= AUDITS_MAX {
            return;
        }
        let waiting = self.audits.all.values().filter(|audit| audit.worker == worker).count();
        let (answers, again) = self.accounts.counts(worker);
        let is_first = again + (waiting as u64) < FIRST_ANSWERS;
        let share = match answers {
            _ if is_first => AUDIT_ALL,
            0..EARLY_ANSWERS => (share * EARLY_TIMES).min(AUDIT_ALL),
            _ => share,
        };
        self.audits.count += 1;
        let Job { id: job, key, priority, body, limit_ms } = asked;
        let drawn = self.draw(b"share", job, self.audits.count);
        let chance = (u32::from(u16::from_le_bytes([drawn[0], drawn[1]])) * AUDIT_ALL) >> 16;
        if chance >= share {
            return;
        }
        let mut id = [0; 16];
        id.copy_from_slice(&self.draw(b"audit", job, self.audits.count)[..16]);
        let audit = Audit {
            job,
            worker,
            key,
            nodes,
            record: record.to_vec(),
            body,
            priority,
            limit_ms,
            is_remote: drawn[2] & 1 == 1,
            is_first,
            stage: Stage::Waiting,
            used: BTreeSet::new(),
        };
        self.audits.all.insert(JobId(id), audit);
    }

    /// Begins audits, and reports when all have ended.
    pub(super) fn advance_audits(&mut self, out: &mut Vec<Effect>) {
        let now_ms = self.clock.now_ms();
        // Differences first, then workers without an audited answer, then cheap jobs.
        let turn = |(&id, audit): (&JobId, &Audit)| {
            let is_decision = matches!(audit.stage, Stage::Own { against: Some(_) });
            let is_known = self.accounts.counts(audit.worker).1 > 0;
            (!is_decision, is_known, audit.nodes, id)
        };
        let mut turns: Vec<_> = self.audits.all.iter().map(turn).collect();
        turns.sort_unstable();
        for (.., id) in turns {
            let Some(audit) = self.audits.all.get(&id) else { continue };
            let may_own = self.audits.own.is_none() && self.audits.may_use_own(audit, now_ms);
            let is_remote = audit.is_remote && self.roster.has_other(audit.worker);
            match audit.stage {
                Stage::Waiting if is_remote && self.connected && self.audits.may_publish() => {
                    self.publish_audit(id, out);
                }
                // Workers will have time for it later.
                Stage::Waiting if is_remote && !self.audits.settling => {}
                Stage::Waiting | Stage::Own { .. } if may_own => {
                    out.push(Effect::Perform { audit: id, body: audit.body.clone() });
                    self.audits.own = Some((id, now_ms));
                    let audit = self.audits.all.get_mut(&id);
                    if let Some(audit) = audit.filter(|audit| audit.stage == Stage::Waiting) {
                        audit.stage = Stage::Own { against: None };
                    }
                }
                _ => {}
            }
        }
        if self.audits.settling {
            self.settle(out);
        }
    }

    fn publish_audit(&mut self, id: JobId, out: &mut Vec<Effect>) {
        let since_ms = self.clock.now_ms();
        let Some(audit) = self.audits.all.get_mut(&id) else { return };
        audit.stage = Stage::Published { since_ms, began: None };
        let (priority, body) = (audit.priority, audit.body.clone());
        out.push(self.publication(id, 1, priority, body));
    }

    /// Reports that all audits have ended, if none is under way and none may begin.
    fn settle(&mut self, out: &mut Vec<Effect>) {
        let now_ms = self.clock.now_ms();
        let goes_on = |audit: &Audit| match audit.stage {
            Stage::Published { .. } | Stage::Judging { .. } => true,
            Stage::Waiting | Stage::Own { .. } => self.audits.may_use_own(audit, now_ms),
        };
        if self.audits.own.is_some() || self.audits.all.values().any(goes_on) {
            return;
        }
        self.audits.settling = false;
        for audit in self.audits.all.keys().copied().collect::<Vec<JobId>>() {
            self.close_audit(audit, out);
        }
        out.push(Effect::Settled);
    }

    /// A worker does an audit; whether it should go on.
    pub(super) fn renew_audit(&mut self, id: JobId, by: WorkerId) -> bool {
        let now_ms = self.clock.now_ms();
        let Some(audit) = self.audits.all.get_mut(&id) else { return false };
        match &mut audit.stage {
            // An audit of its own answer proves nothing.
            Stage::Published { .. } if audit.worker == by => {
                audit.stage = Stage::Own { against: None };
                false
            }
            Stage::Published { began, .. } => began.get_or_insert((by, now_ms)).0 == by,
            Stage::Judging { .. } => true,
            Stage::Waiting | Stage::Own { .. } => false,
        }
    }

    /// After a lost connection, queued audits may be lost: they wait again.
    pub(super) fn requeue_audits(&mut self) {
        for audit in self.audits.all.values_mut() {
            if matches!(audit.stage, Stage::Published { began: None, .. }) {
                audit.stage = Stage::Waiting;
            }
        }
    }

    /// Leaves audits that no worker does in time to the search's own machine.
    pub(super) fn take_over_late_audits(&mut self) {
        let now_ms = self.clock.now_ms();
        for audit in self.audits.all.values_mut() {
            let is_late = match audit.stage {
                Stage::Published { began: Some((_, began_ms)), .. } => {
                    now_ms.saturating_sub(began_ms) >= audit.limit_ms
                }
                Stage::Published { since_ms, began: None } => {
                    now_ms.saturating_sub(since_ms) >= self.settings.lease_ms
                }
                _ => false,
            };
            if is_late {
                audit.stage = Stage::Own { against: None };
            }
        }
    }

    /// Handles a worker's result of an audit.
    pub(super) fn audit_result(
        &mut self,
        delivery: u64,
        result: WorkerResult,
        out: &mut Vec<Effect>,
    ) {
        let WorkerResult { job: id, worker, .. } = result;
        let now_ms = self.clock.now_ms();
        let Some(audit) = self.audits.all.get_mut(&id) else { return };
        let is_lent = matches!(audit.stage, Stage::Published { .. });
        let is_usable = audit.worker != worker
            && audit.body.hash() == result.body
            && !matches!(result.outcome, Outcome::Failed(_));
        match audit.stage {
            Stage::Judging { .. } => {} // The server delivers it again.
            Stage::Published { since_ms, began } if is_usable => {
                let began_ms = began.map_or(since_ms, |(_, began_ms)| began_ms);
                self.audits.remote_ms += now_ms.saturating_sub(began_ms);
                audit.stage = Stage::Judging { delivery };
                out.push(Effect::Judge { delivery, job: id, worker, outcome: result.outcome });
            }
            _ => {
                out.push(Effect::Acknowledge { delivery });
                if is_lent {
                    audit.stage = Stage::Own { against: None };
                }
            }
        }
    }

    /// Handles the verdict on a worker's result of an audit.
    pub(super) fn audit_judged(
        &mut self,
        delivery: u64,
        id: JobId,
        worker: WorkerId,
        verdict: Judgement,
        out: &mut Vec<Effect>,
    ) {
        let Some(audit) = self.audits.all.get_mut(&id) else { return };
        if audit.stage != (Stage::Judging { delivery }) {
            return;
        }
        audit.stage = Stage::Own { against: None };
        let is_dropped = self.roster.is_dropped(worker);
        match verdict {
            Judgement::Bad { why } => {
                self.drop_worker(worker, Some(delivery), &super::outcome::for_display(&why), out);
            }
            Judgement::Good { record } if !is_dropped => {
                out.push(Effect::Acknowledge { delivery });
                if record == audit.record {
                    self.audit_same(id, Author::Worker(worker), out);
                } else {
                    audit.stage = Stage::Own { against: Some((worker, record)) };
                }
            }
            Judgement::Good { .. } | Judgement::Missing { .. } => {
                out.push(Effect::Acknowledge { delivery });
            }
        }
    }

    /// Handles the answer of the search's own machine, which decides the audit.
    pub(super) fn performed(
        &mut self,
        id: JobId,
        answer: Option<OwnAnswer>,
        out: &mut Vec<Effect>,
    ) {
        let now_ms = self.clock.now_ms();
        if let Some((_, since_ms)) = self.audits.own.take_if(|(own, _)| *own == id) {
            self.audits.own_ms += now_ms.saturating_sub(since_ms);
        }
        let Some(audit) = self.audits.all.get_mut(&id) else { return };
        let Some(OwnAnswer { nodes, record, certified }) = answer else {
            // A failure says nothing about the worker.
            self.close_audit(id, out);
            return;
        };
        let before = std::mem::replace(&mut audit.stage, Stage::Waiting);
        let other = match before {
            Stage::Own { against: Some((other, found)) } if found != record => Some(other),
            _ => None,
        };
        let why = "its answer to a job is not what the search's own machine found";
        if audit.record == record {
            self.audit_same(id, Author::Own, out);
        } else {
            let (job, worker) = (audit.job, audit.worker);
            let (key, body) = (audit.key.clone(), audit.body.hash());
            self.drop_worker(worker, None, why, out);
            out.push(Effect::Confirm { key: key.clone(), nodes, record: record.clone() });
            self.answer_own(job, (key, body), OwnAnswer { nodes, record, certified }, out);
        }
        if let Some(other) = other {
            self.drop_worker(other, None, why, out);
        }
    }

    /// Ends an audit that gave the same answer.
    fn audit_same(&mut self, id: JobId, by: Author, out: &mut Vec<Effect>) {
        let Some(audit) = self.audits.all.remove(&id) else { return };
        self.closed.insert(id, 1);
        out.push(Effect::Close { audit: id });
        if by == Author::Own {
            self.accounts.confirm(audit.worker, audit.job);
        }
        let written = JournalRecord::Audited { job: audit.job, by };
        self.record(written, Pending::Audited { audit: Box::new(audit), by }, out);
    }

    /// Counts an audit whose record is on disk.
    pub(super) fn audited(&mut self, audit: Audit, by: Author, out: &mut Vec<Effect>) {
        let Audit { job, worker, key, nodes, record, .. } = audit;
        match by {
            Author::Own => out.push(Effect::Confirm { key, nodes, record }),
            Author::Worker(by) if self.roster.is_dropped(by) => {}
            Author::Worker(by) => self.accounts.again(worker, job, by),
        }
    }

    fn close_audit(&mut self, id: JobId, out: &mut Vec<Effect>) {
        if let Some(audit) = self.audits.all.remove(&id) {
            if let Stage::Judging { delivery } = audit.stage {
                out.push(Effect::Acknowledge { delivery });
            }
            self.closed.insert(id, 1);
            out.push(Effect::Close { audit: id });
        }
    }

    /// Ends the audits of a dropped worker's answers, and leaves the audits that it does to the
    /// search's own machine.
    pub(super) fn drop_audits(&mut self, worker: WorkerId, out: &mut Vec<Effect>) {
        let of_worker = |(&id, audit): (&JobId, &Audit)| (audit.worker == worker).then_some(id);
        for id in self.audits.all.iter().filter_map(of_worker).collect::<Vec<JobId>>() {
            self.close_audit(id, out);
        }
        for audit in self.audits.all.values_mut() {
            let by = match &audit.stage {
                Stage::Published { began, .. } => began.map(|(by, _)| by),
                Stage::Own { against } => against.as_ref().map(|(by, _)| *by),
                Stage::Waiting | Stage::Judging { .. } => None,
            };
            if by == Some(worker) {
                audit.stage = Stage::Own { against: None };
            }
        }
    }
}
