//! The messages between managers and workers.
//!
//! Each has a version, a kind and limits on everything that has a length (`codec`). The types serve
//! the protocol only, so that a change inside a program does not change the bytes.

mod codec;
mod limits;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

pub use codec::{WireError, from_frame};
pub use limits::{
    FOUND_BYTES_MAX, INLINE_BYTES_MAX, MESSAGE_BYTES_MAX, REMOTE_BYTES_MAX, RUNNING_MAX,
    STATUS_ROWS_MAX, TEXT_BYTES_MAX, WARNINGS_MAX,
};

use crate::id::{JobId, ManagerId, QueueId, WorkerId};

/// The version of all messages; messages of another version are refused.
pub const VERSION: u16 = 2;

/// Bytes of a job or of a certificate, which may be too large for a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Body {
    /// At most [`INLINE_BYTES_MAX`] bytes, in the message itself.
    Inline(Vec<u8>),
    /// Bytes that travel over HTTP to or from the manager.
    Remote {
        /// Their blake3 hash.
        hash: [u8; 32],
        /// Their number.
        len: u64,
    },
}

impl Body {
    /// The blake3 hash of the bytes.
    pub fn hash(&self) -> [u8; 32] {
        match self {
            Body::Inline(bytes) => *blake3::hash(bytes).as_bytes(),
            Body::Remote { hash, .. } => *hash,
        }
    }
}

/// The queue of a job: workers take user jobs first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Priority {
    /// A user waits for the job.
    User,
    /// The search runs on its own.
    Auto,
}

/// A job in the queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assignment {
    /// The manager that published it.
    pub manager: ManagerId,
    /// The job.
    pub job: JobId,
    /// The number of the attempt, from 1.
    pub attempt: u32,
    /// All that a worker needs to do it, in the search's own bytes.
    pub body: Body,
    /// The URL of the manager's HTTP server, without a slash at the end; empty if it has none.
    pub url: String,
    /// The token for the manager's HTTP server.
    pub token: [u8; 32],
}

/// A message of a manager to workers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToWorker {
    /// To all workers, every few seconds: the manager runs.
    Here {
        /// The manager.
        manager: ManagerId,
        /// The bench signature that its workers must have.
        signature: String,
        /// The version of its program, for display.
        version: String,
        /// Its lease: workers send at least nine beats in this time.
        lease_ms: u64,
        /// The number of its queues. A worker with another number sends `Hello` again.
        epoch: u64,
    },
    /// The worker may take jobs.
    Welcome {
        /// The manager.
        manager: ManagerId,
        /// The worker.
        worker: WorkerId,
        /// The number of the queues.
        epoch: u64,
        /// The id of the queues.
        queue: QueueId,
    },
    /// The worker may not take jobs.
    Refused {
        /// The manager.
        manager: ManagerId,
        /// The worker.
        worker: WorkerId,
        /// The reason, and what to do, in English.
        why: String,
    },
    /// The worker was wrong, or does not answer: the manager has dropped it.
    Dismissed {
        /// The manager.
        manager: ManagerId,
        /// The worker.
        worker: WorkerId,
        /// The reason, in English.
        why: String,
    },
    /// The job is not needed any more: stop it and send nothing.
    Cancel {
        /// The manager.
        manager: ManagerId,
        /// The job.
        job: JobId,
    },
    /// The manager does not know the worker, perhaps after a restart: send `Hello` again.
    Introduce {
        /// The manager.
        manager: ManagerId,
        /// The worker.
        worker: WorkerId,
    },
}

/// A message of a worker to a manager.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FromWorker {
    /// The worker asks whether it may take jobs.
    Hello {
        /// The worker.
        worker: WorkerId,
        /// Its name, usually that of its machine.
        name: String,
        /// The version of its program, for display.
        version: String,
        /// The bench signature of its build, which it computes itself.
        signature: String,
        /// The number of jobs that it does at once.
        cores: u16,
    },
    /// Every few seconds: the worker is alive.
    Beat {
        /// The worker.
        worker: WorkerId,
        /// The jobs of this manager that it has, with the nodes of each so far.
        running: Vec<(JobId, u64)>,
        /// The number of its jobs of other managers.
        elsewhere: u16,
        /// The number of jobs done since its start.
        done: u64,
        /// Nodes since its start.
        nodes: u64,
    },
    /// The worker has begun a job.
    Started {
        /// The worker.
        worker: WorkerId,
        /// The job.
        job: JobId,
        /// The attempt of its assignment.
        attempt: u32,
    },
    /// The progress of a running job.
    Partial {
        /// The worker.
        worker: WorkerId,
        /// The job.
        job: JobId,
        /// Nodes so far.
        nodes: u64,
        /// The findings since the last message, in the search's own bytes.
        found: Vec<u8>,
    },
    /// The worker returns a job undone.
    Returned {
        /// The worker.
        worker: WorkerId,
        /// The job.
        job: JobId,
        /// The attempt of its assignment.
        attempt: u32,
    },
    /// The worker leaves.
    Bye {
        /// The worker.
        worker: WorkerId,
    },
}

/// The result of a worker for a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerResult {
    /// The manager that published the job.
    pub manager: ManagerId,
    /// The worker that did it.
    pub worker: WorkerId,
    /// The bench signature of its build: after a restart the manager may not know the worker.
    pub signature: String,
    /// The job.
    pub job: JobId,
    /// The attempt of its assignment.
    pub attempt: u32,
    /// The hash of the answered body: other attempts of the job may have other hints.
    pub body: [u8; 32],
    /// Its nodes.
    pub nodes: u64,
    /// Its outcome.
    pub outcome: Outcome,
}

/// The outcome of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// A certificate of the job's claim.
    Won(Body),
    /// Any other answer, in the search's own bytes.
    Uncertified(Vec<u8>),
    /// The worker could not do the job.
    Failed(String),
}

/// The question of `farm status`, which every manager answers with a [`crate::Status`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatusQuestion;
