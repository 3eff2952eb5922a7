//! The status of a manager: its workers, its queue, its speed.

use serde::{Deserialize, Serialize};

use crate::id::{ManagerId, WorkerId};

/// The answer of a manager to a status question, which `farm status` and the editor display.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// The manager.
    pub manager: ManagerId,
    /// The version of its program.
    pub version: String,
    /// The bench signature that it requires of workers.
    pub signature: String,
    /// Time since its start.
    pub up_ms: u64,
    /// Whether it is connected to the server.
    pub connected: bool,
    /// The number of present workers; `workers` may be shorter.
    pub worker_count: u64,
    /// The cores of all present workers.
    pub core_count: u64,
    /// Its workers, including those that went silent.
    pub workers: Vec<WorkerRow>,
    /// The workers that it dropped, the latest last.
    pub dropped: Vec<DroppedRow>,
    /// Queued jobs that a user waits for.
    pub queued_user: u64,
    /// Other queued jobs.
    pub queued_auto: u64,
    /// Running jobs.
    pub running: u64,
    /// Jobs whose result is being judged or recorded.
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
    /// The age of the oldest open job; 0 without one.
    pub oldest_ms: u64,
    /// The evidence of the answers without a certificate.
    pub basis: Basis,
    /// Warnings for the operator.
    pub warnings: Vec<Warning>,
}

/// The evidence of a verdict: answers of workers without a certificate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Basis {
    /// Answers without a certificate in use.
    pub answers: u64,
    /// The workers that gave them.
    pub workers: u64,
    /// How many of these answers an audit has confirmed.
    pub done_again: u64,
    /// Dropped workers, whose answers are not in use.
    pub dropped: u64,
    /// The share of answers to audit, in hundredths of a percent.
    pub audit: u32,
}

/// A warning for the operator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// Its subject.
    pub kind: WarningKind,
    /// A sentence in English.
    pub text: String,
    /// The number of events or workers; 0 if there is nothing to count.
    pub count: u64,
}

/// The subject of a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum WarningKind {
    /// More workers asked for jobs than a manager admits.
    TooManyWorkers,
    /// Many workers take jobs and have never answered one.
    NoAnswers,
    /// A worker was dropped.
    WorkerDropped,
    /// A stream of the server was missing; the manager created it again.
    StreamMissing,
    /// Jobs vanished from the queue of the server.
    JobsLost,
    /// The server accepts clients without credentials.
    OpenServer,
}

impl Warning {
    /// The warning about a server that accepts clients without credentials.
    pub fn open_server() -> Warning {
        let text = "the NATS server has no access control, so that any client may do everything: \
                    give workers their own account (docs/protocol.md, \"Permissions\")";
        Warning { kind: WarningKind::OpenServer, text: text.to_string(), count: 0 }
    }
}

impl WarningKind {
    /// The name of the kind in JSON.
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

/// A worker in a status.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerRow {
    /// Its id.
    pub worker: WorkerId,
    /// Its name, usually that of its machine.
    pub name: String,
    /// The version of its program.
    pub version: String,
    /// The number of jobs that it does at once.
    pub cores: u16,
    /// The number of its running jobs.
    pub running: u16,
    /// Jobs since its start, by its own report.
    pub done: u64,
    /// Nodes since its start, by its own report.
    pub nodes: u64,
    /// Time since its last message.
    pub silent_ms: u64,
    /// Whether its silence has exceeded the limit.
    pub lost: bool,
}

/// A dropped worker in a status.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DroppedRow {
    /// Its name.
    pub name: String,
    /// Why it was dropped.
    pub why: String,
}
