//! What happens to a manager, and what it wants done.

use crate::id::{JobId, WorkerId};
use crate::journal::Record;
use crate::wire::{Assignment, Body, FromWorker, Outcome, Priority, ToWorker, WorkerResult};

/// A job that the search asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// [`JobId::of`] the manager and the key.
    pub id: JobId,
    /// All that the answer depends on; the journal finds answers by it.
    pub key: Vec<u8>,
    /// Who waits for it.
    pub priority: Priority,
    /// What a worker is told, in the search's own bytes.
    pub body: Body,
}

/// What happens to a manager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The search asks for a job. Once it was answered it should not be asked for again: the
    /// search remembers answers, and the work would be done anew.
    Submit(Job),
    /// The search does not want the answer any more.
    Withdraw(JobId),
    /// A worker said something.
    Worker(FromWorker),
    /// A result came from the stream.
    Result {
        /// The program's name for this delivery, never used before in this life.
        delivery: u64,
        /// The result.
        result: WorkerResult,
    },
    /// The answer to [`Effect::Judge`]: it must come, once.
    Judged {
        /// As in the effect.
        delivery: u64,
        /// As in the effect.
        job: JobId,
        /// As in the effect.
        worker: WorkerId,
        /// What is to be thought of the result.
        verdict: Verdict,
    },
    /// All records up to this number, and this one, are on disk.
    Synced {
        /// The number of the last one.
        upto: u64,
    },
    /// The server did not take an assignment.
    Unpublished {
        /// The job.
        job: JobId,
        /// The attempt of the assignment.
        attempt: u32,
    },
    /// There is a connection to the server, for the first time or again.
    Connected,
    /// The connection is lost.
    Disconnected,
    /// Time passes: once a second or so.
    Tick,
}

/// What is to be thought of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It counts.
    Good {
        /// What to keep in the journal and to tell the search, in the search's own bytes.
        record: Vec<u8>,
    },
    /// The certificate is bad or of another claim, or the answer is malformed: the worker is
    /// dropped.
    Bad {
        /// A sentence for people.
        why: String,
    },
    /// The bytes behind a remote body are not there, which need not be the worker's fault.
    Missing {
        /// A sentence for people.
        why: String,
    },
}

/// What a manager wants done, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Put an assignment into the stream of jobs.
    Publish {
        /// Into which queue.
        priority: Priority,
        /// The assignment.
        assignment: Assignment,
    },
    /// Say something to all workers.
    Broadcast(ToWorker),
    /// Say something to one worker.
    Tell {
        /// To whom.
        worker: WorkerId,
        /// What.
        message: ToWorker,
    },
    /// Check a result against the job's claim; the answer is [`Event::Judged`].
    Judge {
        /// Which delivery it came with.
        delivery: u64,
        /// Which job it is about.
        job: JobId,
        /// Who sent it.
        worker: WorkerId,
        /// Nodes that it took.
        nodes: u64,
        /// What came of the job; never a failure.
        outcome: Outcome,
    },
    /// Append a record to the journal, then sync; the answer is [`Event::Synced`]. Several may be
    /// synced at once.
    Record {
        /// Numbers are consecutive in a life, from the number of records read at its start.
        number: u64,
        /// The record.
        record: Record,
    },
    /// Tell the server that a result is dealt with.
    Acknowledge {
        /// Which delivery it came with.
        delivery: u64,
    },
    /// Tell the search what came of a job.
    Answer {
        /// Which job.
        job: JobId,
        /// Nodes that it took.
        nodes: u64,
        /// What came of it.
        answer: Answered,
    },
    /// Tell the search what is known of a running job so far. Nobody has checked it.
    Partial {
        /// Which job.
        job: JobId,
        /// Who works on it.
        worker: WorkerId,
        /// Nodes so far.
        nodes: u64,
        /// In the search's own bytes.
        found: Vec<u8>,
    },
    /// Tell people.
    Notice(Notice),
}

/// What came of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answered {
    /// What the judge made of the result; it is in the journal.
    Good {
        /// In the search's own bytes.
        record: Vec<u8>,
    },
    /// Too many workers failed at it.
    GivenUp {
        /// A sentence for people.
        why: String,
    },
}

/// What people are told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// A worker was welcomed.
    Joined {
        /// Which one.
        worker: WorkerId,
        /// What it calls itself.
        name: String,
        /// Jobs that it does at once.
        cores: u16,
    },
    /// A worker said goodbye.
    Left {
        /// Which one.
        worker: WorkerId,
        /// What it calls itself.
        name: String,
    },
    /// A worker has been silent for too long.
    Lost {
        /// Which one.
        worker: WorkerId,
        /// What it calls itself.
        name: String,
    },
    /// A worker was refused.
    Refused {
        /// What it calls itself.
        name: String,
        /// A sentence for people.
        why: String,
    },
    /// A worker was dropped.
    Dropped {
        /// Which one.
        worker: WorkerId,
        /// What it calls itself.
        name: String,
        /// A sentence for people.
        why: String,
    },
    /// A job was put into the queue again.
    Republished {
        /// Which one.
        job: JobId,
        /// How often it is published now.
        attempt: u32,
        /// A sentence for people.
        why: String,
    },
    /// A job was given up.
    GivenUp {
        /// Which one.
        job: JobId,
        /// A sentence for people.
        why: String,
    },
}
