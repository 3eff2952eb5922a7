//! The events and effects of a manager.

use crate::id::{JobId, QueueId, WorkerId};
use crate::journal::JournalRecord;
use crate::status::{Warning, WarningKind};
use crate::wire::{Assignment, Body, FromWorker, Outcome, Priority, ToWorker, WorkerResult};

/// A job of the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// [`JobId::of`] the manager and the key.
    pub id: JobId,
    /// All that the answer depends on; the journal finds answers by it.
    pub key: Vec<u8>,
    /// Its queue.
    pub priority: Priority,
    /// All that a worker needs to do it, in the search's own bytes.
    pub body: Body,
    /// The total time that a worker may take, even if it sends beats.
    pub limit_ms: u64,
}

/// An event for a manager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The search submits a job. It should not submit an answered job again: it keeps answers
    /// itself, and workers would do the job again.
    Submit(Job),
    /// The search does not need the answer any more.
    Withdraw(JobId),
    /// A message of a worker.
    Worker(FromWorker),
    /// A result from the stream.
    Result {
        /// The program's number of this delivery, unique since the start.
        delivery: u64,
        /// The result.
        result: WorkerResult,
    },
    /// The answer to [`Effect::Judge`]; the program must send exactly one.
    Judged {
        /// As in the effect.
        delivery: u64,
        /// As in the effect.
        job: JobId,
        /// As in the effect.
        worker: WorkerId,
        /// The verdict on the result.
        verdict: Judgement,
    },
    /// The answer to [`Effect::Perform`]; the program must send exactly one.
    Performed {
        /// As in the effect.
        audit: JobId,
        /// The answer of the search's own machine; `None` if it could not do the job.
        answer: Option<OwnAnswer>,
    },
    /// The search has no job left to submit, and waits for the end of all audits.
    /// [`Effect::Settled`] is the answer, unless the search submits a job before.
    Settle,
    /// The program reports a condition that the operator should know.
    Warned(WarningKind),
    /// All records up to this number, inclusive, are on disk.
    Synced {
        /// The number of the last record.
        upto: u64,
    },
    /// The server did not confirm an assignment.
    Unpublished {
        /// The job.
        job: JobId,
        /// The attempt of the assignment.
        attempt: u32,
    },
    /// The server is connected, for the first time or again.
    Connected,
    /// The connection is lost.
    Disconnected,
    /// Time has passed; about once a second.
    Tick,
}

/// The answer of the search's own machine to an audited job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnAnswer {
    /// Its nodes.
    pub nodes: u64,
    /// Its record, as the judge makes it of a worker's result.
    pub record: Vec<u8>,
    /// Whether the checker has accepted a certificate.
    pub certified: bool,
}

/// The judge's verdict on a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// It counts.
    Good {
        /// The record for the journal and the search, in the search's own bytes.
        record: Vec<u8>,
    },
    /// The certificate is bad or proves another claim, or the answer is malformed: the manager
    /// drops the worker.
    Bad {
        /// A sentence in English.
        why: String,
    },
    /// The bytes of a remote body are missing, which may not be the worker's fault.
    Missing {
        /// A sentence in English.
        why: String,
    },
}

/// An effect, for the program to execute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Put an assignment into the stream of jobs.
    Publish {
        /// The queue.
        priority: Priority,
        /// The assignment.
        assignment: Assignment,
    },
    /// Send a message to all workers.
    Broadcast(ToWorker),
    /// Send a message to one worker.
    SendTo {
        /// The worker.
        worker: WorkerId,
        /// The message.
        message: ToWorker,
    },
    /// Check a result against the job's claim; the answer is [`Event::Judged`].
    Judge {
        /// Its delivery.
        delivery: u64,
        /// The job.
        job: JobId,
        /// The worker that sent it.
        worker: WorkerId,
        /// The outcome, which is not a failure.
        outcome: Outcome,
    },
    /// Do an audited job on the search's own machine; the answer is [`Event::Performed`]. The
    /// manager requests one at a time.
    Perform {
        /// The id of the audit, for [`super::Manager::key_of`].
        audit: JobId,
        /// The body of the job.
        body: Body,
    },
    /// Forget the body of an audit, which is over.
    Close {
        /// The id of the audit.
        audit: JobId,
    },
    /// Report to the search that answers do not count any more. It may submit their jobs again.
    Revoke {
        /// The jobs.
        jobs: Vec<JobId>,
        /// The nodes that these answers claimed.
        nodes: u64,
    },
    /// Report to the search that its own machine found the same answer without a certificate, which
    /// searches without a farm may use, too.
    Confirm {
        /// The key of the job.
        key: Vec<u8>,
        /// Its nodes.
        nodes: u64,
        /// Its record, in the search's own bytes.
        record: Vec<u8>,
    },
    /// Report to the search that all audits have ended.
    Settled,
    /// Replace the queues of jobs by queues with this id, and remove the jobs in the old ones. The
    /// answer is [`Event::Connected`], and the manager publishes the jobs again.
    Queue {
        /// The id.
        queue: QueueId,
    },
    /// Append a record to the journal, then sync; the answer is [`Event::Synced`], which may cover
    /// several records.
    Record {
        /// Its number; numbers are consecutive, from the number of records read at the start.
        number: u64,
        /// The record.
        record: JournalRecord,
    },
    /// Acknowledge a result to the server.
    Acknowledge {
        /// Its delivery.
        delivery: u64,
    },
    /// Report the end of a job to the search.
    Answer {
        /// The job.
        job: JobId,
        /// Its nodes.
        nodes: u64,
        /// Its answer.
        answer: Answered,
    },
    /// Report the unchecked progress of a running job to the search.
    Partial {
        /// The job.
        job: JobId,
        /// Nodes so far.
        nodes: u64,
        /// The findings since the last report, in the search's own bytes.
        found: Vec<u8>,
    },
    /// Report an event to the user.
    Notice(Notice),
}

/// The end of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answered {
    /// An answer, which is in the journal.
    Good {
        /// Its record, in the search's own bytes.
        record: Vec<u8>,
    },
    /// Too many attempts failed.
    GivenUp {
        /// A sentence in English.
        why: String,
    },
}

/// An event for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// A worker joined.
    Joined {
        /// The worker.
        worker: WorkerId,
        /// Its name.
        name: String,
        /// The number of jobs that it does at once.
        cores: u16,
    },
    /// A worker left.
    Left {
        /// The worker.
        worker: WorkerId,
        /// Its name.
        name: String,
    },
    /// A worker has been silent for too long.
    Lost {
        /// The worker.
        worker: WorkerId,
        /// Its name.
        name: String,
    },
    /// A worker was refused.
    Refused {
        /// Its name.
        name: String,
        /// A sentence in English.
        why: String,
    },
    /// A worker was dropped.
    Dropped {
        /// The worker.
        worker: WorkerId,
        /// Its name.
        name: String,
        /// A sentence in English.
        why: String,
    },
    /// A job was published again.
    Republished {
        /// The job.
        job: JobId,
        /// The number of the attempt.
        attempt: u32,
        /// A sentence in English.
        why: String,
    },
    /// A job was given up.
    GivenUp {
        /// The job.
        job: JobId,
        /// A sentence in English.
        why: String,
    },
    /// A warning for the operator.
    Warning(Warning),
}
