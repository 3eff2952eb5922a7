//! The disk of the manager: what was appended and not synced may be lost or torn at a crash.

use std::collections::BTreeMap;

use sixproof_farm::journal::{self, HEADER, Record};
use sixproof_oracle::random::Random;

#[derive(Default)]
pub(crate) struct Disk {
    synced: Vec<u8>,
    unsynced: Vec<u8>,
    /// The answers in the synced part, by key.
    pub(crate) answers: BTreeMap<Vec<u8>, Vec<u8>>,
}

impl Disk {
    /// Opens the journal as a program does: damage at the end is cut off.
    pub(crate) fn open(&mut self) -> Vec<Record> {
        assert!(self.unsynced.is_empty(), "a crash comes before an opening");
        let contents = journal::read(&self.synced).expect("only the end can be damaged");
        self.synced.truncate(contents.good_len);
        if contents.good_len == 0 {
            self.synced = HEADER.to_vec();
        }
        let before = std::mem::take(&mut self.answers);
        self.answers = answers_of(&contents.records);
        for (key, record) in before {
            assert_eq!(self.answers.get(&key), Some(&record), "what was synced is lost");
        }
        contents.records
    }

    pub(crate) fn append(&mut self, record: &Record) {
        self.unsynced.extend(record.to_frame());
    }

    /// How much has been appended.
    pub(crate) fn len(&self) -> usize {
        self.synced.len() + self.unsynced.len()
    }

    /// All bytes up to this length are safe.
    pub(crate) fn sync(&mut self, len: usize) {
        let safe = len.saturating_sub(self.synced.len()).min(self.unsynced.len());
        self.synced.extend(self.unsynced.drain(..safe));
        let contents = journal::read(&self.synced).expect("nothing synced is damaged");
        assert_eq!(contents.good_len, self.synced.len());
        self.answers = answers_of(&contents.records);
    }

    /// A part of what was not synced survives, perhaps damaged, perhaps with zeros behind it.
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
}

/// The answers of a journal: each key stands there once.
fn answers_of(records: &[Record]) -> BTreeMap<Vec<u8>, Vec<u8>> {
    let mut answers = BTreeMap::new();
    for record in records {
        if let Record::Answer { key, record, .. } = record {
            let before = answers.insert(key.clone(), record.clone());
            assert!(before.is_none(), "an answer was recorded twice");
        }
    }
    answers
}
