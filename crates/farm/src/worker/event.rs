//! The settings, events and effects of a worker.

use crate::id::{JobId, ManagerId, QueueId, WorkerId};
use crate::wire::{Assignment, FromWorker, Outcome, Priority, ToWorker, WorkerResult};

/// The identity of a worker, and its times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The id, drawn at random when the process starts.
    pub id: WorkerId,
    /// The name, usually that of the machine.
    pub name: String,
    /// The version of the program, for display.
    pub version: String,
    /// The bench signature of this build.
    pub signature: String,
    /// The number of jobs that it does at once.
    pub cores: u16,
    /// Longest interval of its beats.
    pub beat_ms: u64,
    /// Interval at which it extends the acknowledgement time of its jobs.
    pub progress_ms: u64,
    /// Time without a message of a manager after which the worker takes no jobs from it.
    pub silence_ms: u64,
    /// Time after which a refused worker asks again.
    pub refused_ms: u64,
    /// How long the last pull of a round waits for a job.
    pub wait_ms: u64,
    /// Time after which an unconfirmed result is sent again.
    pub resend_ms: u64,
}

impl Settings {
    /// The usual times.
    pub fn new(id: WorkerId, name: &str, version: &str, signature: &str, cores: u16) -> Settings {
        Settings {
            id,
            name: name.to_string(),
            version: version.to_string(),
            signature: signature.to_string(),
            cores,
            beat_ms: 5_000,
            progress_ms: 10_000,
            silence_ms: 20_000,
            refused_ms: 60_000,
            wait_ms: 1_000,
            resend_ms: 2_000,
        }
    }
}

/// An event for a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A message of a manager, to all workers or to this one.
    Manager(ToWorker),
    /// A message of another version, which this program cannot read.
    OtherVersion {
        /// The version of the message.
        theirs: u16,
    },
    /// A job from a queue.
    Assigned {
        /// The program's number of this delivery, unique since the start.
        delivery: u64,
        /// The assignment.
        assignment: Assignment,
    },
    /// A pull has ended or failed. The program must send exactly one, after the jobs of the pull; a
    /// lost connection ends all pulls without it.
    PullOver {
        /// As in [`Effect::Pull`].
        number: u64,
    },
    /// The progress of a running job.
    Progress {
        /// The job.
        job: JobId,
        /// Nodes so far.
        nodes: u64,
        /// The findings since the last event, in the search's own bytes; may be empty.
        found: Vec<u8>,
    },
    /// A running job has ended. The program does not send it for stopped jobs.
    Finished {
        /// The job.
        job: JobId,
        /// Its nodes.
        nodes: u64,
        /// Its outcome.
        outcome: Outcome,
    },
    /// The server has stored the result of a job.
    Sent {
        /// The job.
        job: JobId,
    },
    /// The result of a job could not be sent.
    Unsent {
        /// The job.
        job: JobId,
    },
    /// The worker should leave; at the second time at once.
    Quit,
    /// The server is connected, for the first time or again.
    Connected,
    /// The connection is lost.
    Disconnected,
    /// Time has passed; about once a second.
    Tick,
}

/// An effect, for the program to execute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Send a message to a manager.
    SendTo {
        /// The manager.
        manager: ManagerId,
        /// The message.
        message: FromWorker,
    },
    /// Pull jobs from a queue; the end is [`Event::PullOver`]. One pull runs at a time.
    Pull {
        /// The number of this pull.
        number: u64,
        /// The manager of the queue.
        manager: ManagerId,
        /// The id of the queues, from the manager's welcome.
        queue: QueueId,
        /// The priority of the queue.
        priority: Priority,
        /// The largest number of jobs, with which the pull ends.
        count: usize,
        /// How long to wait for the first job; 0 for available jobs only.
        wait_ms: u64,
    },
    /// Begin a job.
    Start {
        /// The job.
        job: JobId,
        /// Its assignment.
        assignment: Assignment,
    },
    /// Stop a job; its further events are dropped.
    Stop {
        /// The job.
        job: JobId,
    },
    /// Publish a result to the stream of results; the answer is [`Event::Sent`] or
    /// [`Event::Unsent`].
    PublishResult {
        /// The result.
        result: WorkerResult,
    },
    /// Acknowledge a job to the server, until the server confirms it.
    Acknowledge {
        /// The delivery.
        delivery: u64,
    },
    /// Return a job to the server, for other workers.
    Nak {
        /// The delivery.
        delivery: u64,
    },
    /// Extend the acknowledgement time of a job at the server.
    AckProgress {
        /// The delivery.
        delivery: u64,
    },
    /// Report an event to the user.
    Notice(Notice),
    /// End the process, after all earlier messages are sent.
    Leave,
}

/// An event for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// A manager has welcomed the worker.
    Welcomed {
        /// The manager.
        manager: ManagerId,
    },
    /// A manager has refused the worker.
    Refused {
        /// The manager.
        manager: ManagerId,
        /// The reason, in English.
        why: String,
    },
    /// A manager has dropped the worker.
    Dismissed {
        /// The manager.
        manager: ManagerId,
        /// The reason, in English.
        why: String,
    },
    /// A manager has been silent for too long.
    Silent {
        /// The manager.
        manager: ManagerId,
    },
    /// A message of another version of the protocol has arrived.
    OtherVersion {
        /// The version of the message.
        theirs: u16,
        /// The version of this program.
        ours: u16,
    },
    /// A manager has cancelled a job.
    Cancelled {
        /// The job.
        job: JobId,
    },
}
