//! The laws of the farm's bytes: messages between machines, and the journal of a manager.

use sixproof_farm::Status;
use sixproof_farm::journal::{self, HEADER};
use sixproof_farm::wire::{Assignment, FromWorker, StatusQuestion, ToWorker, WorkerResult};

/// Heads of messages of each kind.
pub const MESSAGE_WORDS: &[&str] = &[
    "6P\x01\x00\x01",
    "6P\x01\x00\x02",
    "6P\x01\x00\x03",
    "6P\x01\x00\x04",
    "6P\x01\x00\x05",
    "6P\x01\x00\x06",
    "0123456789abcdef",
];

/// The beginning of a journal.
pub const JOURNAL_WORDS: &[&str] = &["sixproof-journal 1\n", "\x02\x00\x00\x00"];

/// A message is of one kind at most, and is written and read as before.
pub fn message_law(bytes: &[u8]) {
    let mut kinds = 0;
    macro_rules! read {
        ($($message:ty),*) => {
            $(if let Ok(message) = <$message>::from_bytes(bytes) {
                kinds += 1;
                assert!(message.is_within_limits());
                assert_eq!(<$message>::from_bytes(&message.to_bytes()), Ok(message));
            })*
        };
    }
    read!(Assignment, ToWorker, FromWorker, WorkerResult, StatusQuestion, Status);
    assert!(kinds <= 1, "a message of {kinds} kinds");
}

/// A journal is read up to its damage, the records that were read are written as before, and a new
/// record after them is read with the others.
pub fn journal_law(bytes: &[u8]) {
    let Ok(contents) = journal::read(bytes) else { return };
    assert!(contents.good_len <= bytes.len());
    let good = &bytes[..contents.good_len];
    if good.is_empty() {
        assert!(HEADER.starts_with(bytes) && contents.records.is_empty());
        return;
    }
    let again = journal::read(good).expect("what is good is read");
    assert_eq!(again, contents);
    for cut in contents.good_len.saturating_sub(40)..contents.good_len {
        let shorter = journal::read(&bytes[..cut]).expect("a cut end is no error");
        assert!(shorter.good_len <= cut && shorter.records.len() <= contents.records.len());
        assert_eq!(shorter.records, contents.records[..shorter.records.len()]);
    }
    for record in contents.records.iter().take(8) {
        let longer = [good, &record.to_frame()].concat();
        let read = journal::read(&longer).expect("a record of ours is read");
        assert_eq!((read.good_len, read.records.last()), (longer.len(), Some(record)));
    }
}
