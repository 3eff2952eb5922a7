//! What happens to a worker, and what it wants done.

use crate::id::{JobId, ManagerId, QueueId, WorkerId};
use crate::wire::{Assignment, FromWorker, Outcome, Priority, ToWorker, WorkerResult};

/// Who the worker is, and how patient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Drawn by chance when the process starts.
    pub id: WorkerId,
    /// What it calls itself, usually its machine.
    pub name: String,
    /// The version of the program, for people.
    pub version: String,
    /// The bench signature of this build.
    pub signature: String,
    /// Jobs that it does at once.
    pub cores: u16,
    /// How often it says that it is alive.
    pub beat_ms: u64,
    /// How often the server is told that a job is being done.
    pub progress_ms: u64,
    /// A manager that is silent for so long is gone: no jobs are taken from it.
    pub silence_ms: u64,
    /// A refused worker asks again after so long.
    pub refused_ms: u64,
    /// How long the last pull of a round waits for a job.
    pub wait_ms: u64,
    /// A result that the server did not take is sent again after so long.
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

/// What happens to a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A manager said something, to all or to this worker.
    Manager(ToWorker),
    /// A message that this program cannot read because it is of another version.
    OtherVersion {
        /// That version.
        theirs: u16,
    },
    /// A job came from a queue.
    Assigned {
        /// The program's name for this delivery, never used before.
        delivery: u64,
        /// The assignment.
        assignment: Assignment,
    },
    /// A pull is over: it has brought all that it could, or failed. It must come, once, after the
    /// jobs that the pull brought; a lost connection ends all pulls without it.
    PullOver {
        /// As in [`Effect::Pull`].
        number: u64,
    },
    /// A running job tells how far it is.
    Progress {
        /// Which job.
        job: JobId,
        /// Nodes so far.
        nodes: u64,
        /// What was found since the last time, in the search's own bytes; may be empty.
        found: Vec<u8>,
    },
    /// A running job is done. It is not said of jobs that were stopped.
    Finished {
        /// Which job.
        job: JobId,
        /// Nodes that it took.
        nodes: u64,
        /// What came of it.
        outcome: Outcome,
    },
    /// The server has the result of a job.
    Sent {
        /// Which job.
        job: JobId,
    },
    /// The result of a job could not be sent.
    Unsent {
        /// Which job.
        job: JobId,
    },
    /// Somebody wants the worker to end; the second time at once.
    Quit,
    /// There is a connection to the server, for the first time or again.
    Connected,
    /// The connection is lost.
    Disconnected,
    /// Time passes: once a second or so.
    Tick,
}

/// What a worker wants done, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Say something to a manager.
    Say {
        /// To whom.
        manager: ManagerId,
        /// What.
        message: FromWorker,
    },
    /// Ask a queue for jobs. There is one pull at a time; its end is [`Event::PullOver`].
    Pull {
        /// The name of this pull.
        number: u64,
        /// Whose queue.
        manager: ManagerId,
        /// The name that the manager gave with its welcome.
        queue: QueueId,
        /// Which queue.
        priority: Priority,
        /// At most so many jobs; with these the pull is over.
        count: usize,
        /// How long to wait for the first job; 0 takes what is there.
        wait_ms: u64,
    },
    /// Begin a job.
    Start {
        /// Which job.
        job: JobId,
        /// Its assignment.
        assignment: Assignment,
    },
    /// Stop a job; nothing more is said about it.
    Stop {
        /// Which job.
        job: JobId,
    },
    /// Put a result into the stream of results; the answer is [`Event::Sent`] or
    /// [`Event::Unsent`].
    Send {
        /// The result.
        result: WorkerResult,
    },
    /// Tell the server that a job is dealt with, and make sure that it knows.
    Done {
        /// Which delivery.
        delivery: u64,
    },
    /// Give a job back to the server, for others.
    Return {
        /// Which delivery.
        delivery: u64,
    },
    /// Tell the server that a job is being done.
    Progress {
        /// Which delivery.
        delivery: u64,
    },
    /// Tell people.
    Notice(Notice),
    /// End the process, when all that was said before has gone out.
    Leave,
}

/// What people are told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// A manager lets the worker take jobs.
    Welcomed {
        /// Which one.
        manager: ManagerId,
    },
    /// A manager does not let the worker take jobs.
    Refused {
        /// Which one.
        manager: ManagerId,
        /// A sentence for people.
        why: String,
    },
    /// A manager does not believe the worker any more.
    Dismissed {
        /// Which one.
        manager: ManagerId,
        /// A sentence for people.
        why: String,
    },
    /// A manager has been silent for too long.
    Silent {
        /// Which one.
        manager: ManagerId,
    },
    /// Somebody speaks another version of the protocol.
    OtherVersion {
        /// That version.
        theirs: u16,
        /// That of this program.
        ours: u16,
    },
    /// A job was cancelled by its manager.
    Cancelled {
        /// Which one.
        job: JobId,
    },
}
