//! What must hold after each event: nothing false is answered, and nothing true is lost.

use std::collections::{BTreeMap, BTreeSet};

use sixproof_farm::journal::Record;
use sixproof_farm::manager::{Answered, Effect, Event, Verdict};
use sixproof_farm::{JobId, WorkerId};

use super::claims::Claims;
use super::manager::{ManagerNode, Wish};
use super::world::SIGNATURE;

#[derive(Default)]
pub(crate) struct Checks {
    /// Answers that the search was ever given.
    proved: BTreeMap<JobId, Vec<u8>>,
    /// Workers that were dropped in this life, or whose dropping is in the journal.
    dropped: BTreeSet<WorkerId>,
    /// Records that are known to be true, so that each is checked once.
    known: BTreeSet<(JobId, Vec<u8>)>,
    pub(crate) answers: u64,
    pub(crate) drops: u64,
}

impl Checks {
    /// The manager has read its journal.
    pub(crate) fn reopened(&mut self, records: &[Record], claims: &Claims) {
        self.dropped.clear();
        let mut found = BTreeMap::new();
        for record in records {
            match record {
                Record::Answer { key, record, .. } => {
                    let task = claims.tasks.iter().find(|task| task.key == *key);
                    let task = task.expect("the key is that of a job");
                    found.insert(task.id, record.clone());
                    self.assert_true(task.id, record, claims);
                }
                Record::Dropped { worker, .. } => {
                    self.dropped.insert(*worker);
                }
            }
        }
        for (job, record) in &self.proved {
            assert_eq!(found.get(job), Some(record), "what was proved is lost in a crash");
        }
    }

    fn assert_true(&mut self, job: JobId, record: &[u8], claims: &Claims) {
        if self.known.insert((job, record.to_vec())) {
            assert!(claims.is_true(job, record), "a false answer: {}", record.escape_ascii());
        }
    }

    /// The manager has handled an event, and nothing has been done yet.
    pub(crate) fn handled(
        &mut self,
        event: &Event,
        effects: &[Effect],
        node: &ManagerNode,
        claims: &Claims,
    ) {
        let records = |effect: &Effect| {
            matches!(effect, Effect::Record { record: Record::Answer { .. }, .. })
        };
        match event {
            Event::Judged { worker, verdict, .. } => {
                let counts = effects.iter().any(records);
                assert!(
                    !counts
                        || matches!(verdict, Verdict::Good { .. })
                            && !self.dropped.contains(worker),
                    "the result of a worker that is not believed counts"
                );
            }
            Event::Submit(job) => {
                let task = claims.find(job.id).expect("only jobs of the search are asked for");
                if node.disk.answers.contains_key(&task.key) {
                    let is_answer = |effect: &Effect| {
                        matches!(effect, Effect::Answer { answer: Answered::Good { .. }, .. })
                    };
                    // Or it is told when the manager hears that the disk has it.
                    let is_work = |effect: &Effect| matches!(effect, Effect::Publish { .. });
                    assert!(
                        effects.iter().any(is_answer) || !effects.iter().any(is_work),
                        "what is in the journal is searched again"
                    );
                }
            }
            _ => assert!(!effects.iter().any(records), "recorded without being judged"),
        }
        for effect in effects {
            if let Effect::Record { record: Record::Dropped { worker, .. }, .. } = effect {
                self.dropped.insert(*worker);
                self.drops += 1;
            }
        }
    }

    /// The manager does something.
    pub(crate) fn executed(&mut self, effect: &Effect, node: &ManagerNode, claims: &Claims) {
        let wish = |job: &JobId| node.wishes.get(job).copied().unwrap_or_default();
        match effect {
            Effect::Publish { assignment, .. } => {
                assert_eq!(wish(&assignment.job), Wish::Asked, "published for nobody");
            }
            Effect::Acknowledge { delivery } => {
                let Some((_, result)) = node.deliveries.get(delivery) else {
                    panic!("{delivery} was never delivered");
                };
                let Some(task) = claims.find(result.job) else { return };
                let counts =
                    result.signature == SIGNATURE && !self.dropped.contains(&result.worker);
                let verdict = claims.verdict(&task.key, &result.outcome);
                let is_good = matches!(verdict, Verdict::Good { .. });
                if is_good && counts && wish(&result.job) == Wish::Asked {
                    assert!(
                        node.disk.answers.contains_key(&task.key),
                        "a good result is acknowledged, but not on disk"
                    );
                }
            }
            Effect::Answer { job, answer: Answered::Good { record }, .. } => {
                assert_eq!(wish(job), Wish::Asked, "answered twice, or to nobody");
                self.assert_true(*job, record, claims);
                let task = claims.find(*job).expect("only jobs of the search are answered");
                assert_eq!(
                    node.disk.answers.get(&task.key),
                    Some(record),
                    "the search is told what is not on disk"
                );
                self.proved.insert(*job, record.clone());
                self.answers += 1;
            }
            _ => {}
        }
    }
}
