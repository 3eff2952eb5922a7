//! The messages between managers and workers.
//!
//! Each has a version, a kind and limits on everything that has a length (`codec`). They are types
//! of their own: what travels does not change because something inside a program does.

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

/// The version of all messages; those of another version are refused.
pub const VERSION: u16 = 2;

/// Bytes that may be too many for a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Body {
    /// At most [`INLINE_BYTES_MAX`] bytes, in the message itself.
    Inline(Vec<u8>),
    /// Bytes that travel over HTTP to or from the manager.
    Remote {
        /// Their blake3 hash.
        hash: [u8; 32],
        /// How many they are.
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

/// Who waits for a job: workers take user jobs first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Priority {
    /// A person.
    User,
    /// The search.
    Auto,
}

/// A job as it lies in the queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assignment {
    /// Who wants the answer.
    pub manager: ManagerId,
    /// Which job it is.
    pub job: JobId,
    /// How often it was published, from 1.
    pub attempt: u32,
    /// The job, in the search's own bytes.
    pub body: Body,
    /// Where large bodies are fetched and left, without a slash at the end; empty if nowhere.
    pub url: String,
    /// What the manager's HTTP server asks for.
    pub token: [u8; 32],
}

/// What a manager says to workers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToWorker {
    /// To all, every few seconds: there is a manager.
    Here {
        /// Who.
        manager: ManagerId,
        /// The bench signature that its workers must have.
        signature: String,
        /// The version of its program, for people.
        version: String,
        /// How long it waits for signs of life: workers give some nine of them in this time.
        lease_ms: u64,
        /// The number of its queues. A worker that was welcomed to others asks again.
        epoch: u64,
    },
    /// The worker may take jobs.
    Welcome {
        /// Who says so.
        manager: ManagerId,
        /// To whom.
        worker: WorkerId,
        /// The number of the queues.
        epoch: u64,
        /// Their name.
        queue: QueueId,
    },
    /// The worker may not take jobs.
    Refused {
        /// Who says so.
        manager: ManagerId,
        /// To whom.
        worker: WorkerId,
        /// A sentence for people: what is wrong, and what to do.
        why: String,
    },
    /// The worker was wrong, or does not answer: nothing of it is taken any more.
    Dismissed {
        /// Who says so.
        manager: ManagerId,
        /// To whom.
        worker: WorkerId,
        /// A sentence for people.
        why: String,
    },
    /// The job is wanted no more: stop it and send nothing.
    Cancel {
        /// Who says so.
        manager: ManagerId,
        /// Which job.
        job: JobId,
    },
    /// The manager does not know the worker, perhaps because it was restarted: say Hello again.
    Introduce {
        /// Who asks.
        manager: ManagerId,
        /// Whom.
        worker: WorkerId,
    },
}

/// What a worker says to a manager.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FromWorker {
    /// May I take jobs?
    Hello {
        /// Who asks.
        worker: WorkerId,
        /// What it calls itself, usually its machine.
        name: String,
        /// The version of its program, for people.
        version: String,
        /// The bench signature of its build, computed by itself.
        signature: String,
        /// Jobs that it does at once.
        cores: u16,
    },
    /// Every few seconds: the worker is alive.
    Beat {
        /// Who.
        worker: WorkerId,
        /// The jobs of this manager that it holds, with the nodes of each so far.
        running: Vec<(JobId, u64)>,
        /// Jobs that it does for others.
        elsewhere: u16,
        /// Jobs that it has done since its start.
        done: u64,
        /// Nodes that it has searched since its start.
        nodes: u64,
    },
    /// The worker has begun a job.
    Started {
        /// Who.
        worker: WorkerId,
        /// Which job.
        job: JobId,
        /// The attempt of the assignment.
        attempt: u32,
    },
    /// What is known of a running job so far.
    Partial {
        /// Who.
        worker: WorkerId,
        /// Which job.
        job: JobId,
        /// Nodes so far.
        nodes: u64,
        /// In the search's own bytes.
        found: Vec<u8>,
    },
    /// The worker gives a job back undone.
    Returned {
        /// Who.
        worker: WorkerId,
        /// Which job.
        job: JobId,
        /// The attempt of the assignment.
        attempt: u32,
    },
    /// The worker leaves.
    Bye {
        /// Who.
        worker: WorkerId,
    },
}

/// The answer of a worker to a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerResult {
    /// Whose job it was.
    pub manager: ManagerId,
    /// Who did it.
    pub worker: WorkerId,
    /// The bench signature of its build: a manager that was restarted may not know the worker.
    pub signature: String,
    /// Which job.
    pub job: JobId,
    /// The attempt of the assignment.
    pub attempt: u32,
    /// The hash of the body that was answered: the same job may have come with other hints.
    pub body: [u8; 32],
    /// Nodes that it took.
    pub nodes: u64,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// A certificate of the job's claim.
    Won(Body),
    /// Any other answer, in the search's own bytes.
    Told(Vec<u8>),
    /// The job could not be done.
    Failed(String),
}

/// The question of `farm status`, which every manager answers with a [`crate::Status`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatusQuestion;
