//! The view of a farm for `sixproof farm status` and the editor: the answers of all its managers.

use serde::Serialize;

/// The view of a farm.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct FarmView {
    /// The address of the server, without secrets.
    pub url: String,
    /// Whether the server answers.
    pub connected: bool,
    /// The command that joins another machine.
    pub join: String,
    /// The problem, if there is one.
    pub problem: Option<String>,
    /// Warnings about the server and all searches.
    pub warnings: Vec<WarningView>,
    /// The searches that use the farm.
    pub managers: Vec<ManagerView>,
}

/// A warning for the operator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WarningView {
    /// `tooManyWorkers`, `noAnswers`, `workerDropped`, `streamMissing`, `jobsLost` or `openServer`.
    pub kind: &'static str,
    /// A sentence in English.
    pub text: String,
    /// The number of events or workers, if there is something to count.
    pub count: Option<u64>,
}

/// A search that uses the farm.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ManagerView {
    /// The id of its manager.
    pub id: String,
    /// What it searches.
    pub title: String,
    /// Time since its start.
    pub for_seconds: f64,
    /// Queued jobs.
    pub queued: u64,
    /// Running jobs.
    pub running: u64,
    /// Jobs whose results are being judged.
    pub judging: u64,
    /// Answered jobs.
    pub done: u64,
    /// Jobs given up.
    pub given_up: u64,
    /// The age of the oldest open job.
    pub oldest_seconds: f64,
    /// Answered jobs per second, over the last minute.
    pub jobs_per_second: f64,
    /// Nodes per second, over the last minute.
    pub nodes_per_second: f64,
    /// The number of present workers; the list may be shorter.
    pub worker_count: u64,
    /// The cores of all present workers.
    pub core_count: u64,
    /// Answers without a certificate in use.
    pub uncertified: u64,
    /// How many of these an audit has confirmed.
    pub done_again: u64,
    /// Its workers, including lost and dropped ones.
    pub workers: Vec<WorkerView>,
}

/// A worker of a search.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WorkerView {
    /// Its id; empty for a dropped worker.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The number of jobs that it does at once.
    pub cores: u16,
    /// Its state.
    pub state: WorkerState,
    /// Why it was dropped.
    pub why: Option<String>,
    /// The number of its running jobs.
    pub running: u16,
    /// Jobs since its start.
    pub done: u64,
    /// Nodes since its start.
    pub nodes: u64,
    /// Nodes per second.
    pub nodes_per_second: f64,
    /// Time since its last message.
    pub seen_seconds: f64,
}

/// The state of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum WorkerState {
    /// It does jobs.
    Working,
    /// It waits for jobs.
    Idle,
    /// It has been silent for too long.
    Lost,
    /// The search has dropped it.
    Dropped,
}

impl WorkerState {
    /// The state as a word.
    pub fn word(self) -> &'static str {
        match self {
            WorkerState::Working => "working",
            WorkerState::Idle => "idle",
            WorkerState::Lost => "lost",
            WorkerState::Dropped => "dropped",
        }
    }
}
