//! The disk of the manager: a crash may lose or tear the records that were appended and not synced.

use std::collections::BTreeMap;

use sixproof_farm::journal::{self, Author, HEADER, JournalRecord};
use sixproof_farm::{JobId, ManagerId};
use sixproof_oracle::random::Random;

pub(crate) struct Disk {
    manager: ManagerId,
    synced: Vec<u8>,
    unsynced: Vec<u8>,
    /// The answers in the synced part that count, by key.
    pub(crate) answers: BTreeMap<Vec<u8>, Kept>,
}

/// An answer in the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) record: Vec<u8>,
    pub(crate) by: Author,
    /// Whether a certificate or the search's own machine confirms it.
    pub(crate) sure: bool,
    /// The hash of the answered body.
    pub(crate) body: [u8; 32],
}

impl Disk {
    pub(crate) fn new(manager: ManagerId) -> Disk {
        let (synced, unsynced, answers) = (Vec::new(), Vec::new(), BTreeMap::new());
        Disk { manager, synced, unsynced, answers }
    }

    /// Opens the journal as the program does: cuts off damage at the end.
    pub(crate) fn open(&mut self) -> Vec<JournalRecord> {
        assert!(self.unsynced.is_empty(), "a crash comes before an opening");
        let contents = journal::read(&self.synced).expect("only the end can be damaged");
        self.synced.truncate(contents.good_len);
        if contents.good_len == 0 {
            self.synced = HEADER.to_vec();
        }
        let before = std::mem::take(&mut self.answers);
        self.answers = self.answers_of(&contents.records);
        for (key, kept) in before.into_iter().filter(|(_, kept)| kept.sure) {
            let now = self.answers.get(&key);
            assert_eq!(now.map(|now| &now.record), Some(&kept.record), "a synced answer is lost");
        }
        contents.records
    }

    pub(crate) fn append(&mut self, record: &JournalRecord) {
        self.unsynced.extend(record.to_frame());
    }

    /// The number of appended bytes.
    pub(crate) fn len(&self) -> usize {
        self.synced.len() + self.unsynced.len()
    }

    /// All bytes up to this length are safe.
    pub(crate) fn sync(&mut self, len: usize) {
        let safe = len.saturating_sub(self.synced.len()).min(self.unsynced.len());
        self.synced.extend(self.unsynced.drain(..safe));
        let contents = journal::read(&self.synced).expect("nothing synced is damaged");
        assert_eq!(contents.good_len, self.synced.len());
        self.answers = self.answers_of(&contents.records);
    }

    /// Keeps a part of the unsynced bytes, perhaps damaged, perhaps with zeros behind it.
    pub(crate) fn crash(&mut self, random: &mut Random) {
        let mut rest = std::mem::take(&mut self.unsynced);
        match random.below(4) {
            0 => rest.clear(),
            1 => {}
            _ => rest.truncate(random.below(rest.len() + 1)),
        }
        if !rest.is_empty() && random.chance(30) {
            let at = random.below(rest.len());
            rest[at] ^= 1 << random.below(8);
        }
        if random.chance(30) {
            rest.extend(vec![0; random.below(64)]);
        }
        self.synced.extend(rest);
    }

    /// The valid answers of a journal: each key has one, and unconfirmed answers of a dropped
    /// worker are revoked.
    fn answers_of(&self, records: &[JournalRecord]) -> BTreeMap<Vec<u8>, Kept> {
        let mut answers: BTreeMap<Vec<u8>, Kept> = BTreeMap::new();
        for record in records {
            match record {
                JournalRecord::Answered { key, record, by, certified, body, .. } => {
                    let (record, sure) = (record.clone(), *certified || *by == Author::Own);
                    let kept = Kept { record, by: *by, sure, body: *body };
                    let before = answers.insert(key.clone(), kept);
                    let is_other = |before: Kept| !before.sure && before.body != *body;
                    assert!(before.is_none_or(is_other), "an answer was recorded twice");
                }
                JournalRecord::Audited { job, by: Author::Own } => {
                    let is_it = |key: &[u8]| JobId::of(self.manager, key) == *job;
                    let answer = answers.iter_mut().find(|(key, _)| is_it(key));
                    answer.expect("an audited job was answered").1.sure = true;
                }
                JournalRecord::Audited { .. } => {}
                JournalRecord::Dropped { worker, .. } => {
                    let by = Author::Worker(*worker);
                    answers.retain(|_, kept| kept.by != by || kept.sure);
                }
                JournalRecord::Answer { .. } => panic!("new answers have an author"),
            }
        }
        answers
    }
}
