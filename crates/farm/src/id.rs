//! Ids of managers, jobs, workers and queues: 16 bytes each, 32 hex digits as text.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Bytes of every id.
const ID_BYTES: usize = 16;

/// The error for a text that is not 32 hex digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadId;

impl fmt::Display for BadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an id is 32 lower-case hex digits")
    }
}

impl std::error::Error for BadId {}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub [u8; ID_BYTES]);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&hex(&self.0))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({self})", stringify!($name))
            }
        }

        impl FromStr for $name {
            type Err = BadId;

            fn from_str(text: &str) -> Result<$name, BadId> {
                unhex(text).map($name).ok_or(BadId)
            }
        }
    };
}

id! {
    /// A manager: derived from the search and its options, so that a restart keeps it.
    ManagerId
}
id! {
    /// A job of a manager: derived from its key, so that a late result still counts.
    JobId
}
id! {
    /// A worker: random, drawn when its process starts.
    WorkerId
}

id! {
    /// The queues of a manager's jobs: only welcome workers learn this id.
    QueueId
}

impl ManagerId {
    /// The manager of a search: `search` is unique to its claim and options.
    pub fn of(search: &[u8]) -> ManagerId {
        ManagerId(hash("sixproof farm manager 1", &[search]))
    }
}

impl JobId {
    /// The job with this key, which is all that its answer depends on.
    pub fn of(manager: ManagerId, key: &[u8]) -> JobId {
        JobId(hash("sixproof farm job 1", &[&manager.0, key]))
    }
}

/// The first bytes of a hash in a context.
fn hash(context: &str, parts: &[&[u8]]) -> [u8; ID_BYTES] {
    let mut hasher = blake3::Hasher::new_derive_key(context);
    for part in parts {
        hasher.update(part);
    }
    let mut bytes = [0; ID_BYTES];
    hasher.finalize_xof().fill(&mut bytes);
    bytes
}

/// Bytes as lower-case hex digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads bytes from lower-case hex digits; `None` if the text is anything else.
pub fn unhex<const BYTES: usize>(text: &str) -> Option<[u8; BYTES]> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let text = text.as_bytes();
    if text.len() != 2 * BYTES {
        return None;
    }
    let mut bytes = [0; BYTES];
    for (byte, pair) in bytes.iter_mut().zip(text.chunks_exact(2)) {
        *byte = digit(pair[0])? << 4 | digit(pair[1])?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbtest::arbtest;

    #[test]
    fn an_id_is_read_as_it_is_written() {
        arbtest(|u| {
            let id = JobId(u.arbitrary()?);
            assert_eq!(id.to_string().parse(), Ok(id));
            let text: String = u.arbitrary()?;
            if let Ok(id) = text.parse::<WorkerId>() {
                assert_eq!(id.to_string(), text);
            }
            Ok(())
        });
        for bad in ["", "00", &"g".repeat(32), &"A".repeat(32), &"0".repeat(33)] {
            assert_eq!(bad.parse::<ManagerId>(), Err(BadId), "{bad}");
        }
    }

    #[test]
    fn hex_digits_are_read_as_they_are_written() {
        let bytes = *blake3::hash(b"six").as_bytes();
        assert_eq!(unhex(&hex(&bytes)), Some(bytes));
        for bad in ["", "00", &"g".repeat(64), &"A".repeat(64), &"é".repeat(32), &"0".repeat(66)] {
            assert_eq!(unhex::<32>(bad), None, "{bad}");
        }
    }

    #[test]
    fn jobs_of_different_managers_or_keys_are_different() {
        let [a, b] = [b"a", b"b"].map(|search| ManagerId::of(search));
        let ids = [JobId::of(a, b"x"), JobId::of(a, b"y"), JobId::of(b, b"x"), JobId::of(b, b"y")];
        for (index, id) in ids.iter().enumerate() {
            assert_eq!(ids.iter().position(|other| other == id), Some(index));
        }
        assert_eq!(JobId::of(a, b"x"), JobId::of(a, b"x"));
    }
}
