//! Messages as bytes: `6P`, the version, the kind, then postcard.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::limits::{
    FOUND_BYTES_MAX, INLINE_BYTES_MAX, MESSAGE_BYTES_MAX, REMOTE_BYTES_MAX, RUNNING_MAX,
    STATUS_ROWS_MAX, TEXT_BYTES_MAX, WARNINGS_MAX,
};
use super::{
    Assignment, Body, FromWorker, Outcome, StatusQuestion, ToWorker, VERSION, WorkerResult,
};
use crate::status::Status;

/// The first bytes of every message.
const MAGIC: [u8; 2] = *b"6P";
/// Magic, version, kind.
const HEAD_BYTES: usize = 5;

/// Why bytes are not a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WireError {
    /// They do not start with the magic bytes.
    NotAMessage,
    /// The message is of another version.
    Version {
        /// The version of the message.
        theirs: u16,
        /// The version of this program.
        ours: u16,
    },
    /// A message of a kind that does not belong on this subject.
    Kind(u8),
    /// It is too short, too long, or has an unknown variant.
    Malformed,
    /// It exceeds a limit; the name of the limit.
    TooLarge(&'static str),
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WireError::NotAMessage => f.write_str("not a message of sixproof"),
            WireError::Version { theirs, ours } => write!(
                f,
                "a message of protocol version {theirs}, but this program speaks version {ours}: \
                 use the same version of sixproof on all machines"
            ),
            WireError::Kind(kind) => write!(f, "a message of the wrong kind {kind}"),
            WireError::Malformed => f.write_str("a malformed message"),
            WireError::TooLarge(what) => write!(f, "a message that exceeds the limit of {what}"),
        }
    }
}

impl std::error::Error for WireError {}

/// A message with its kind and its limits.
trait Limited {
    const KIND: u8;

    fn check(&self) -> Result<(), WireError>;
}

fn at_most(len: usize, max: usize, what: &'static str) -> Result<(), WireError> {
    if len > max { Err(WireError::TooLarge(what)) } else { Ok(()) }
}

fn text(text: &str) -> Result<(), WireError> {
    at_most(text.len(), TEXT_BYTES_MAX, "the bytes of a text")
}

fn texts(all: &[&str]) -> Result<(), WireError> {
    all.iter().try_for_each(|one| text(one))
}

fn found(bytes: &[u8]) -> Result<(), WireError> {
    at_most(bytes.len(), FOUND_BYTES_MAX, "the bytes of an answer")
}

fn body(body: &Body) -> Result<(), WireError> {
    match body {
        Body::Inline(bytes) => at_most(bytes.len(), INLINE_BYTES_MAX, "the bytes of a body"),
        Body::Remote { len, .. } if *len > REMOTE_BYTES_MAX => {
            Err(WireError::TooLarge("the bytes of a remote body"))
        }
        Body::Remote { .. } => Ok(()),
    }
}

impl Limited for Assignment {
    const KIND: u8 = 1;

    fn check(&self) -> Result<(), WireError> {
        text(&self.url)?;
        body(&self.body)
    }
}

impl Limited for ToWorker {
    const KIND: u8 = 2;

    fn check(&self) -> Result<(), WireError> {
        match self {
            ToWorker::Here { signature, version, .. } => texts(&[signature, version]),
            ToWorker::Refused { why, .. } | ToWorker::Dismissed { why, .. } => text(why),
            ToWorker::Welcome { .. } | ToWorker::Cancel { .. } | ToWorker::Introduce { .. } => {
                Ok(())
            }
        }
    }
}

impl Limited for FromWorker {
    const KIND: u8 = 3;

    fn check(&self) -> Result<(), WireError> {
        match self {
            FromWorker::Hello { name, version, signature, cores, .. } => {
                texts(&[name, version, signature])?;
                at_most(usize::from(*cores), RUNNING_MAX, "cores")
            }
            FromWorker::Beat { running, .. } => {
                at_most(running.len(), RUNNING_MAX, "jobs of a worker")
            }
            FromWorker::Partial { found: bytes, .. } => found(bytes),
            FromWorker::Started { .. } | FromWorker::Returned { .. } | FromWorker::Bye { .. } => {
                Ok(())
            }
        }
    }
}

impl Limited for WorkerResult {
    const KIND: u8 = 4;

    fn check(&self) -> Result<(), WireError> {
        text(&self.signature)?;
        match &self.outcome {
            Outcome::Won(certificate) => body(certificate),
            Outcome::Uncertified(bytes) => found(bytes),
            Outcome::Failed(why) => text(why),
        }
    }
}

impl Limited for StatusQuestion {
    const KIND: u8 = 5;

    fn check(&self) -> Result<(), WireError> {
        Ok(())
    }
}

impl Limited for Status {
    const KIND: u8 = 6;

    fn check(&self) -> Result<(), WireError> {
        texts(&[&self.version, &self.signature])?;
        at_most(self.workers.len(), STATUS_ROWS_MAX, "workers in a status")?;
        at_most(self.dropped.len(), STATUS_ROWS_MAX, "dropped workers in a status")?;
        self.workers.iter().try_for_each(|row| texts(&[&row.name, &row.version]))?;
        self.dropped.iter().try_for_each(|row| texts(&[&row.name, &row.why]))?;
        at_most(self.warnings.len(), WARNINGS_MAX, "warnings in a status")?;
        self.warnings.iter().try_for_each(|warning| text(&warning.text))
    }
}

fn encode<T: Limited + Serialize>(message: &T) -> Vec<u8> {
    assert_eq!(message.check(), Ok(()), "a message of ours keeps to the limits");
    let mut bytes = Vec::with_capacity(64);
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.push(T::KIND);
    let bytes = postcard::to_extend(message, bytes).expect("a vector takes all bytes");
    assert!(bytes.len() <= MESSAGE_BYTES_MAX, "a message of ours keeps to the limits");
    bytes
}

/// The kind and the contents of a message of this version.
pub fn from_frame(bytes: &[u8]) -> Result<(u8, &[u8]), WireError> {
    let (head, rest) = bytes.split_at_checked(HEAD_BYTES).ok_or(WireError::NotAMessage)?;
    if head[..2] != MAGIC {
        return Err(WireError::NotAMessage);
    }
    let theirs = u16::from_le_bytes([head[2], head[3]]);
    if theirs != VERSION {
        return Err(WireError::Version { theirs, ours: VERSION });
    }
    at_most(bytes.len(), MESSAGE_BYTES_MAX, "the bytes of a message")?;
    Ok((head[4], rest))
}

fn decode<T: Limited + DeserializeOwned>(bytes: &[u8]) -> Result<T, WireError> {
    let (kind, rest) = from_frame(bytes)?;
    if kind != T::KIND {
        return Err(WireError::Kind(kind));
    }
    let (message, rest): (T, &[u8]) =
        postcard::take_from_bytes(rest).map_err(|_| WireError::Malformed)?;
    if !rest.is_empty() {
        return Err(WireError::Malformed);
    }
    message.check()?;
    Ok(message)
}

macro_rules! bytes {
    ($($message:ty),*) => {
        $(impl $message {
            /// The message as bytes.
            ///
            /// # Panics
            /// If it exceeds a limit: the sender must keep to them.
            pub fn to_bytes(&self) -> Vec<u8> {
                encode(self)
            }

            /// Reads a message.
            pub fn from_bytes(bytes: &[u8]) -> Result<Self, WireError> {
                decode(bytes)
            }

            /// Whether it keeps to the limits, so that it can be sent.
            pub fn is_within_limits(&self) -> bool {
                self.check().is_ok()
            }
        })*
    };
}

bytes!(Assignment, ToWorker, FromWorker, WorkerResult, StatusQuestion, Status);
