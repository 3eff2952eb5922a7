//! What happens to a manager, and what it wants done.

use crate::id::{JobId, QueueId, WorkerId};
use crate::journal::Record;
use crate::status::{Warning, WarningKind};
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
    /// How long a worker may take for it in all, however often it says that it is alive.
    pub limit_ms: u64,
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
    /// The answer to [`Effect::Perform`]: it must come, once.
    Performed {
        /// As in the effect.
        audit: JobId,
        /// What the search's own machine found; `None` if it could not do the job.
        answer: Option<Redone>,
    },
    /// The search has nothing left to ask for, and wants to know when what it was given has been
    /// audited as far as it will be. [`Effect::Settled`] is the answer, unless it asks for a job.
    Settle,
    /// The program has seen something that an operator should know.
    Noted(WarningKind),
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

/// What the search's own machine found when it did a job again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redone {
    /// Nodes that it took.
    pub nodes: u64,
    /// In the search's own bytes, as the judge makes them of a worker's result.
    pub record: Vec<u8>,
    /// Whether it is a certificate that the checker has accepted.
    pub certified: bool,
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
    /// Do a job again on the search's own machine; the answer is [`Event::Performed`]. There is one
    /// at a time.
    Perform {
        /// The name of the audit, as [`super::Manager::key_of`] knows it.
        audit: JobId,
        /// What is to be done.
        body: Body,
    },
    /// An audit is over: its tokens and its body are not needed any more.
    Close {
        /// The name of the audit.
        audit: JobId,
    },
    /// Answers that the search may have been given do not count any more. Their jobs can be asked
    /// for again.
    Revoke {
        /// The jobs.
        jobs: Vec<JobId>,
        /// Nodes that these answers claimed to have taken.
        nodes: u64,
    },
    /// An answer without a certificate has been found by the search's own machine, too, and may be
    /// kept for searches without a farm.
    Confirm {
        /// The key of the job.
        key: Vec<u8>,
        /// Nodes that it took.
        nodes: u64,
        /// In the search's own bytes.
        record: Vec<u8>,
    },
    /// All audits that were wanted are over.
    Settled,
    /// From now on jobs are pulled from queues of this name only. What is in the old ones is to be
    /// taken out; then the program says [`Event::Connected`], and it is published again.
    Queue {
        /// The name.
        queue: QueueId,
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
    /// Something that an operator should know.
    Warning(Warning),
}
