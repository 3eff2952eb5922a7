//! What people are shown of a manager: its workers, its queue, its speed.

use serde::{Deserialize, Serialize};

use crate::id::{ManagerId, WorkerId};

/// A manager as `farm status` and the editor show it; its answer on the subject of the status.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// Who answers.
    pub manager: ManagerId,
    /// The version of its program.
    pub version: String,
    /// The bench signature that it asks of workers.
    pub signature: String,
    /// How long it has been running.
    pub up_ms: u64,
    /// Whether it is connected to the server.
    pub connected: bool,
    /// All workers that are there, and their cores: there may be more than rows.
    pub worker_count: u64,
    /// The cores of all workers that are there.
    pub core_count: u64,
    /// Its workers, those that went silent too.
    pub workers: Vec<WorkerRow>,
    /// Workers that it dropped, the latest last.
    pub dropped: Vec<DroppedRow>,
    /// Jobs that a person waits for and nobody has begun.
    pub queued_user: u64,
    /// Other jobs that nobody has begun.
    pub queued_auto: u64,
    /// Jobs that a worker is doing.
    pub running: u64,
    /// Jobs whose result is being checked or written.
    pub judging: u64,
    /// Jobs answered since the start.
    pub answered: u64,
    /// Jobs given up since the start.
    pub given_up: u64,
    /// Jobs answered in the last minute.
    pub answered_last_minute: u64,
    /// Nodes in these answers.
    pub nodes_last_minute: u64,
    /// Nodes in all answers since the start.
    pub nodes: u64,
    /// The age of the open job that was asked for first; 0 if there is none.
    pub oldest_ms: u64,
    /// What the answers without a certificate rest on.
    pub basis: Basis,
    /// What an operator should know.
    pub warnings: Vec<Warning>,
}

/// What a verdict rests on: answers of workers that no certificate proves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Basis {
    /// Answers without a certificate that are in use.
    pub answers: u64,
    /// The workers that gave them.
    pub workers: u64,
    /// How many of these answers were done again, with the same result.
    pub done_again: u64,
    /// Workers that were dropped; none of their answers is in use.
    pub dropped: u64,
    /// The share of answers that is done again, in hundredths of a percent.
    pub audit: u32,
}

/// Something that an operator should know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// What it is about.
    pub kind: WarningKind,
    /// A sentence for people.
    pub text: String,
    /// How often it happened, or how many there are; 0 where there is nothing to count.
    pub count: u64,
}

/// What a warning is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum WarningKind {
    /// More workers asked than there may be.
    TooManyWorkers,
    /// Workers that take jobs, or ask for them, and have never answered one.
    NoAnswers,
    /// A worker was dropped.
    WorkerDropped,
    /// A stream of the server was missing, and was made again.
    StreamMissing,
    /// Jobs vanished from the queue of the server.
    JobsLost,
    /// The server lets anybody do everything.
    OpenServer,
}

impl WarningKind {
    /// The name of the kind for programs.
    pub fn name(self) -> &'static str {
        match self {
            WarningKind::TooManyWorkers => "tooManyWorkers",
            WarningKind::NoAnswers => "noAnswers",
            WarningKind::WorkerDropped => "workerDropped",
            WarningKind::StreamMissing => "streamMissing",
            WarningKind::JobsLost => "jobsLost",
            WarningKind::OpenServer => "openServer",
        }
    }
}

/// A worker in the status.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerRow {
    /// Its id.
    pub worker: WorkerId,
    /// What it calls itself, usually its machine.
    pub name: String,
    /// The version of its program.
    pub version: String,
    /// Jobs that it does at once.
    pub cores: u16,
    /// Jobs that it is doing.
    pub running: u16,
    /// Jobs that it says it has done since its start.
    pub done: u64,
    /// Nodes that it says it has searched since its start.
    pub nodes: u64,
    /// How long it has said nothing.
    pub silent_ms: u64,
    /// Whether it has been silent for so long that it counts as gone.
    pub lost: bool,
}

/// A dropped worker in the status.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DroppedRow {
    /// What it called itself.
    pub name: String,
    /// What it did.
    pub why: String,
}
