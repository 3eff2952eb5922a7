//! The memory of a manager, as bytes of a file that only grows.
//!
//! A header with the version, then frames: the length (4 bytes, little-endian), a checksum (the
//! first 16 bytes of the blake3 hash of length and payload), the payload (postcard). A crash can
//! leave a torn frame at the end, or one whose bytes never reached the disk; the reader stops in
//! front of it, and the writer cuts the file there. All synced records are in front of it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::id::{JobId, WorkerId};

/// The first bytes of a journal of this version.
pub const HEADER: &[u8] = b"sixproof-journal 1\n";

/// The header without its version.
const NAME: &[u8] = b"sixproof-journal ";
/// The version of [`HEADER`].
const VERSION: &str = "1";
/// Largest number of digits of a version.
const VERSION_BYTES_MAX: usize = 9;
/// Bytes of the length, and of the checksum behind it.
const LEN_BYTES: usize = 4;
const SUM_BYTES: usize = 16;

/// Largest number of bytes of a payload; a larger length is damage.
pub const PAYLOAD_BYTES_MAX: usize = 1 << 30;

/// A record of a manager.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum JournalRecord {
    /// An answer to a job, from an earlier version that did not record its author.
    Answer {
        /// The key of the job, which is all that its answer depends on.
        key: Vec<u8>,
        /// Its nodes.
        nodes: u64,
        /// The answer, in the search's own bytes.
        record: Vec<u8>,
    },
    /// A worker was dropped.
    Dropped {
        /// The worker.
        worker: WorkerId,
        /// Its name.
        name: String,
        /// The reason.
        why: String,
    },
    /// An answer to a job.
    Answered {
        /// The key of the job, which is all that its answer depends on.
        key: Vec<u8>,
        /// Its nodes.
        nodes: u64,
        /// The answer, in the search's own bytes.
        record: Vec<u8>,
        /// Its author.
        by: Author,
        /// Whether the checker has accepted a certificate. If not, dropping the worker revokes the
        /// answer, unless the search's own machine has confirmed it.
        certified: bool,
        /// The hash of the answered body, including hints: an audit compares answers to the same
        /// body.
        body: [u8; 32],
    },
    /// An audit gave the same answer.
    Audited {
        /// The audited job.
        job: JobId,
        /// The author of the second answer.
        by: Author,
    },
}

/// The author of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Author {
    /// The search's own machine.
    Own,
    /// A worker.
    Worker(WorkerId),
}

impl Author {
    /// The worker on which an answer alone rests, if it does.
    pub(crate) fn unsure(self, certified: bool) -> Option<WorkerId> {
        match self {
            Author::Worker(worker) if !certified => Some(worker),
            _ => None,
        }
    }
}

/// The contents of a journal, up to its end or its first damage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// The records.
    pub records: Vec<JournalRecord>,
    /// The length of the undamaged part, to cut the file to; 0 if even the header is torn.
    pub good_len: usize,
}

/// Why a file is not a journal of this version. It must not be cut or written to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JournalError {
    /// It is another kind of file.
    NotAJournal,
    /// It is of another version.
    Version {
        /// The version of the file.
        theirs: String,
        /// The version of this program.
        ours: &'static str,
    },
    /// A record is undamaged, but of an unknown kind.
    UnknownRecord {
        /// Its offset in the file.
        offset: usize,
    },
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JournalError::NotAJournal => f.write_str("not a journal of sixproof"),
            JournalError::Version { theirs, ours } => write!(
                f,
                "a journal of version {theirs}, but this program reads version {ours}: use the \
                 program that wrote it"
            ),
            JournalError::UnknownRecord { offset } => write!(
                f,
                "a newer program wrote the record at byte {offset} of the journal: use that program"
            ),
        }
    }
}

impl std::error::Error for JournalError {}

impl JournalRecord {
    /// The frame of the record, to append to the file.
    ///
    /// # Panics
    /// If the record is larger than [`PAYLOAD_BYTES_MAX`].
    pub fn to_frame(&self) -> Vec<u8> {
        let frame = vec![0; LEN_BYTES + SUM_BYTES];
        let mut frame = postcard::to_extend(self, frame).expect("a vector takes all bytes");
        let payload_len = frame.len() - LEN_BYTES - SUM_BYTES;
        assert!(payload_len <= PAYLOAD_BYTES_MAX, "a record keeps to the limit");
        let len = u32::try_from(payload_len).expect("the limit fits").to_le_bytes();
        let sum = sum(len, &frame[LEN_BYTES + SUM_BYTES..]);
        frame[..LEN_BYTES].copy_from_slice(&len);
        frame[LEN_BYTES..][..SUM_BYTES].copy_from_slice(&sum);
        frame
    }
}

/// The checksum of a frame. It covers the length, so that zeros are not a valid frame.
fn sum(len: [u8; LEN_BYTES], payload: &[u8]) -> [u8; SUM_BYTES] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&len).update(payload);
    let mut sum = [0; SUM_BYTES];
    hasher.finalize_xof().fill(&mut sum);
    sum
}

/// Reads a journal, up to its end or its first damage.
pub fn read(bytes: &[u8]) -> Result<Contents, JournalError> {
    if HEADER.starts_with(bytes) && bytes.len() < HEADER.len() {
        return Ok(Contents::default()); // Not even the header was written.
    }
    if !bytes.starts_with(HEADER) {
        return Err(not_ours(bytes));
    }
    let mut contents = Contents { records: Vec::new(), good_len: HEADER.len() };
    while let Some((payload, len)) = frame(&bytes[contents.good_len..]) {
        // The checksum is right, so the record is whole: cutting it off would lose synced data.
        let unknown = JournalError::UnknownRecord { offset: contents.good_len };
        match postcard::take_from_bytes(payload) {
            Ok((record, [])) => contents.records.push(record),
            _ => return Err(unknown),
        }
        contents.good_len += len;
    }
    Ok(contents)
}

/// The payload of the first frame and the length of the frame, if the frame is undamaged.
fn frame(bytes: &[u8]) -> Option<(&[u8], usize)> {
    let (len, rest) = bytes.split_first_chunk::<LEN_BYTES>()?;
    let (stated, rest) = rest.split_first_chunk::<SUM_BYTES>()?;
    let payload_len = usize::try_from(u32::from_le_bytes(*len)).ok()?;
    let payload = rest.get(..payload_len).filter(|_| payload_len <= PAYLOAD_BYTES_MAX)?;
    (sum(*len, payload) == *stated).then_some((payload, LEN_BYTES + SUM_BYTES + payload_len))
}

/// The error for a file that does not start with our header.
fn not_ours(bytes: &[u8]) -> JournalError {
    let version = bytes.strip_prefix(NAME).and_then(|rest| {
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let ends = rest.get(digits) == Some(&b'\n');
        ((1..=VERSION_BYTES_MAX).contains(&digits) && ends).then_some(&rest[..digits])
    });
    match version {
        Some(digits) => JournalError::Version {
            theirs: String::from_utf8_lossy(digits).into_owned(),
            ours: VERSION,
        },
        None => JournalError::NotAJournal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbtest::arbitrary::{Result, Unstructured};
    use arbtest::arbtest;

    fn author(u: &mut Unstructured<'_>) -> Result<Author> {
        Ok(if u.arbitrary()? { Author::Own } else { Author::Worker(WorkerId(u.arbitrary()?)) })
    }

    fn record(u: &mut Unstructured<'_>) -> Result<JournalRecord> {
        let (key, nodes, record) = (u.arbitrary()?, u.arbitrary()?, u.arbitrary()?);
        Ok(match u.int_in_range(0..=3)? {
            0 => JournalRecord::Answer { key, nodes, record },
            1 => {
                let worker = WorkerId(u.arbitrary()?);
                JournalRecord::Dropped { worker, name: u.arbitrary()?, why: u.arbitrary()? }
            }
            2 => {
                let (by, certified, body) = (author(u)?, u.arbitrary()?, u.arbitrary()?);
                JournalRecord::Answered { key, nodes, record, by, certified, body }
            }
            _ => JournalRecord::Audited { job: JobId(u.arbitrary()?), by: author(u)? },
        })
    }

    /// A journal, its records, and where each frame ends.
    fn journal(u: &mut Unstructured<'_>) -> Result<(Vec<u8>, Vec<JournalRecord>, Vec<usize>)> {
        let mut bytes = HEADER.to_vec();
        let (mut records, mut ends) = (Vec::new(), Vec::new());
        for _ in 0..u.int_in_range(0..=6)? {
            let record = record(u)?;
            bytes.extend(record.to_frame());
            records.push(record);
            ends.push(bytes.len());
        }
        Ok((bytes, records, ends))
    }

    #[test]
    fn a_journal_is_read_as_it_is_written() {
        arbtest(|u| {
            let (bytes, records, _) = journal(u)?;
            assert_eq!(read(&bytes), Ok(Contents { records, good_len: bytes.len() }));
            Ok(())
        });
    }

    #[test]
    fn a_torn_or_damaged_journal_has_exactly_the_records_before_the_damage() {
        arbtest(|u| {
            let (mut bytes, mut records, ends) = journal(u)?;
            let before = bytes.clone();
            let at = u.int_in_range(HEADER.len()..=bytes.len())?;
            if u.arbitrary()? || at == bytes.len() {
                bytes.truncate(at);
                // Blocks that were never written are zeros, or have their old contents.
                let rest: Vec<u8> = u.arbitrary()?;
                bytes.extend(if u.arbitrary()? { vec![0; rest.len()] } else { rest });
            } else {
                bytes[at] ^= u.int_in_range(1..=255)?;
            }
            // The rest may happen to be as before.
            let same = bytes.iter().zip(&before).take_while(|(a, b)| a == b).count();
            let whole = ends.iter().filter(|&&end| end <= same).count();
            records.truncate(whole);
            let good_len = if whole == 0 { HEADER.len() } else { ends[whole - 1] };
            assert_eq!(read(&bytes), Ok(Contents { records, good_len }));
            Ok(())
        });
    }

    #[test]
    fn a_torn_header_is_an_empty_journal() {
        for len in 0..HEADER.len() {
            assert_eq!(read(&HEADER[..len]), Ok(Contents::default()));
        }
        assert_eq!(read(HEADER), Ok(Contents { records: Vec::new(), good_len: HEADER.len() }));
    }

    #[test]
    fn another_version_is_refused_with_both_versions() {
        let error = read(b"sixproof-journal 12\nwhatever").unwrap_err();
        let text = error.to_string();
        assert!(text.contains("version 12") && text.contains("version 1:"), "{text}");
        for other in [&b"sixproof-journal x\n"[..], b"sixproof-journal \n", b"{}", b"sixproof-z"] {
            assert_eq!(read(other), Err(JournalError::NotAJournal));
        }
    }

    #[test]
    fn an_undamaged_record_of_an_unknown_kind_is_never_cut_off() {
        for payload in [&[9, 0][..], &[0, 0, 0, 0, 7], &[]] {
            let len = u32::try_from(payload.len()).unwrap().to_le_bytes();
            let bytes = [HEADER, &len, &sum(len, payload), payload].concat();
            let offset = HEADER.len();
            assert_eq!(read(&bytes), Err(JournalError::UnknownRecord { offset }));
        }
    }

    #[test]
    fn noise_never_panics() {
        arbtest(|u| {
            let noise: Vec<u8> = u.arbitrary()?;
            let _ = read(&noise);
            let contents = read(&[HEADER, &noise].concat()).unwrap();
            assert_eq!(contents, Contents { records: Vec::new(), good_len: HEADER.len() });
            Ok(())
        });
    }
}
