//! The invariants after each event: no certified answer is false, the answers of a dropped worker
//! are revoked, and no true answer is lost.

use std::collections::{BTreeMap, BTreeSet};

use sixproof_farm::journal::{Author, JournalRecord};
use sixproof_farm::manager::{Answered, Effect, Event, Judgement};
use sixproof_farm::wire::Outcome;
use sixproof_farm::{JobId, WorkerId};

use super::claims::Claims;
use super::manager::{ManagerNode, Wish};
use super::worker::Kind;
use super::world::SIGNATURE;

/// An answer that the search has.
struct Held {
    record: Vec<u8>,
    by: Author,
    certified: bool,
}

#[derive(Default)]
pub(crate) struct Checks {
    /// Answers ever given to the search that no dropped worker can revoke.
    proved: BTreeMap<JobId, Vec<u8>>,
    /// Answers given to the search since the manager's start.
    held: BTreeMap<JobId, Held>,
    /// Answers that the search's own machine has confirmed since the manager's start.
    confirmed: BTreeSet<JobId>,
    /// The author of each record, and whether it has a certificate.
    authors: BTreeMap<(JobId, Vec<u8>), (Author, bool)>,
    /// All workers ever.
    kinds: BTreeMap<WorkerId, Kind>,
    /// Workers dropped since the manager's start, or before, by the journal.
    dropped: BTreeSet<WorkerId>,
    /// True records, so that each is checked once.
    known: BTreeSet<(JobId, Vec<u8>)>,
    pub(crate) answers: u64,
    pub(crate) drops: u64,
    pub(crate) revoked: u64,
    pub(crate) audits: u64,
}

impl Checks {
    pub(crate) fn dropped(&self) -> &BTreeSet<WorkerId> {
        &self.dropped
    }

    /// A worker has started.
    pub(crate) fn joined(&mut self, worker: WorkerId, kind: Kind) {
        self.kinds.insert(worker, kind);
    }

    /// The manager has read its journal.
    pub(crate) fn reopened(
        &mut self,
        records: &[JournalRecord],
        node: &ManagerNode,
        claims: &Claims,
    ) {
        self.dropped.clear();
        self.held.clear();
        self.confirmed.clear();
        for record in records {
            match record {
                JournalRecord::Answered { key, record, by, certified, .. } => {
                    let job = JobId::of(node.id, key);
                    self.authors.insert((job, record.clone()), (*by, *certified));
                    self.assert_true_if_sure(job, record, (*by, *certified), claims);
                }
                JournalRecord::Dropped { worker, .. } => {
                    self.dropped.insert(*worker);
                }
                JournalRecord::Audited { job, by: Author::Own } => {
                    self.confirmed.insert(*job);
                }
                JournalRecord::Audited { .. } | JournalRecord::Answer { .. } => {}
            }
        }
        for (job, record) in &self.proved {
            let task = claims.find(*job).expect("the key is that of a job");
            let kept = node.disk.answers.get(&task.key);
            assert_eq!(
                kept.map(|kept| &kept.record),
                Some(record),
                "what was proved is lost in a crash"
            );
        }
    }

    /// Asserts that an answer is true if it has a certificate or is from the search's own machine.
    /// An answer of a lying worker may be false until the worker is dropped.
    fn assert_true_if_sure(
        &mut self,
        job: JobId,
        record: &[u8],
        (by, certified): (Author, bool),
        claims: &Claims,
    ) {
        if self.known.contains(&(job, record.to_vec())) {
            return;
        }
        let kind = match by {
            Author::Own => None,
            Author::Worker(worker) => self.kinds.get(&worker),
        };
        if claims.is_true(job, record) {
            self.known.insert((job, record.to_vec()));
        } else {
            let is_lie = kind == Some(&Kind::Subtle) && !certified;
            assert!(is_lie, "a false answer: {}", record.escape_ascii());
        }
    }

    /// Asserts that no lie is left after all audits, which cover the first answers of each worker.
    pub(crate) fn assert_all_true(&self, audit: u32, claims: &Claims) {
        for (job, held) in self.held.iter().filter(|_| audit > 0) {
            let record = held.record.escape_ascii();
            assert!(claims.is_true(*job, &held.record), "a lie is left: {record} by {:?}", held.by);
        }
    }

    /// The manager has handled an event; its effects are not executed yet.
    pub(crate) fn handled(
        &mut self,
        event: &Event,
        effects: &[Effect],
        node: &ManagerNode,
        claims: &Claims,
    ) {
        let is_answer = |effect: &Effect| {
            matches!(effect, Effect::Record { record: JournalRecord::Answered { .. }, .. })
        };
        match event {
            Event::Judged { worker, verdict, .. } => {
                let counts = effects.iter().any(is_answer);
                assert!(
                    !counts
                        || matches!(verdict, Judgement::Good { .. })
                            && !self.dropped.contains(worker),
                    "the result of a dropped worker counts"
                );
            }
            Event::Submit(job) => {
                let task = claims.find(job.id).expect("only jobs of the search are submitted");
                // An unconfirmed answer to other hints does not count.
                let kept = node.disk.answers.get(&task.key);
                if kept.is_some_and(|kept| kept.sure || kept.body == job.body.hash()) {
                    let is_answer = |effect: &Effect| {
                        matches!(effect, Effect::Answer { answer: Answered::Good { .. }, .. })
                    };
                    // Or the answer follows when the disk has it.
                    let is_work = |effect: &Effect| {
                        matches!(effect, Effect::Publish { assignment, .. }
                            if assignment.job == job.id)
                    };
                    assert!(
                        effects.iter().any(is_answer) || !effects.iter().any(is_work),
                        "a job with an answer in the journal is published again"
                    );
                }
            }
            Event::Performed { .. } => {}
            _ => assert!(!effects.iter().any(is_answer), "recorded without being judged"),
        }
        for effect in effects {
            match effect {
                Effect::Record { record: JournalRecord::Dropped { worker, .. }, .. } => {
                    self.assert_drop(*worker, effects);
                    self.dropped.insert(*worker);
                    self.drops += 1;
                }
                Effect::Record { record: JournalRecord::Audited { job, by }, .. } => {
                    self.audits += 1;
                    if *by == Author::Own {
                        self.confirmed.insert(*job);
                    }
                }
                _ => {}
            }
        }
    }

    /// Asserts that only bad workers are dropped, and that their unconfirmed answers are revoked.
    fn assert_drop(&self, worker: WorkerId, effects: &[Effect]) {
        let kind = self.kinds.get(&worker);
        assert!(kind.is_some_and(|kind| kind.is_bad()), "an honest worker is dropped: {kind:?}");
        for (job, held) in &self.held {
            let is_its = held.by == Author::Worker(worker) && !held.certified;
            let goes = effects
                .iter()
                .any(|effect| matches!(effect, Effect::Revoke { jobs, .. } if jobs.contains(job)));
            assert!(
                !is_its || goes || self.confirmed.contains(job),
                "the answer of a dropped worker is kept"
            );
        }
    }

    /// The program executes an effect of the manager.
    pub(crate) fn executed(&mut self, effect: &Effect, node: &ManagerNode, claims: &Claims) {
        let wish = |job: &JobId| node.wishes.get(job).copied().unwrap_or_default();
        match effect {
            Effect::Record {
                record: JournalRecord::Answered { key, record, by, certified, .. },
                ..
            } => {
                let job = JobId::of(node.id, key);
                self.authors.insert((job, record.clone()), (*by, *certified));
            }
            Effect::Publish { assignment, .. } if claims.find(assignment.job).is_some() => {
                assert_eq!(wish(&assignment.job), Wish::Submitted, "published but not needed");
            }
            Effect::Acknowledge { delivery } => {
                let Some((_, result)) = node.deliveries.get(delivery) else {
                    panic!("{delivery} was never delivered");
                };
                let Some(task) = claims.find(result.job) else { return };
                let counts =
                    result.signature == SIGNATURE && !self.dropped.contains(&result.worker);
                let verdict = claims.verdict(&task.key, &result.outcome);
                let is_good = matches!(verdict, Judgement::Good { .. });
                // Without a certificate only an answer to the same body counts.
                let is_asked = matches!(result.outcome, Outcome::Won(_));
                if is_good && is_asked && counts && wish(&result.job) == Wish::Submitted {
                    let is_kept = node.disk.answers.contains_key(&task.key);
                    assert!(
                        is_kept || self.has_own(task.id),
                        "a good result is acknowledged, but not on disk"
                    );
                }
            }
            Effect::Revoke { jobs, .. } => {
                for job in jobs {
                    self.held.remove(job);
                    self.revoked += 1;
                }
            }
            Effect::Answer { job, answer: Answered::Good { record }, .. } => {
                assert_eq!(wish(job), Wish::Submitted, "answered twice, or not submitted");
                let (by, certified) = self.authors[&(*job, record.clone())];
                self.assert_true_if_sure(*job, record, (by, certified), claims);
                let is_dropped =
                    matches!(by, Author::Worker(worker) if self.dropped.contains(&worker));
                let task = claims.find(*job).expect("only jobs of the search are answered");
                let kept = node.disk.answers.get(&task.key);
                assert!(
                    certified || !is_dropped || kept.is_some_and(|kept| kept.sure),
                    "the answer of a dropped worker is given"
                );
                assert_eq!(
                    kept.map(|kept| &kept.record),
                    Some(record),
                    "the search receives an answer that is not on disk"
                );
                if certified || by == Author::Own {
                    self.proved.insert(*job, record.clone());
                }
                self.held.insert(*job, Held { record: record.clone(), by, certified });
                self.answers += 1;
            }
            _ => {}
        }
    }

    /// Whether the search's own machine has answered the job.
    fn has_own(&self, job: JobId) -> bool {
        self.authors.iter().any(|((it, _), (by, _))| *it == job && *by == Author::Own)
    }
}
