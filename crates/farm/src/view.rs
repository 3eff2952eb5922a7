//! A farm as `sixproof farm status` and the editor show it: the answers of all its managers, put
//! together.

use serde::Serialize;

/// A farm as it is shown.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct FarmView {
    /// The server, without secrets.
    pub url: String,
    /// Whether the server answers.
    pub connected: bool,
    /// The command that joins another machine.
    pub join: String,
    /// What is wrong, if anything is.
    pub problem: Option<String>,
    /// What an operator should know, of the server and of all searches.
    pub warnings: Vec<WarningView>,
    /// The searches that have work for it.
    pub managers: Vec<ManagerView>,
}

/// Something that an operator should know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WarningView {
    /// `tooManyWorkers`, `noAnswers`, `workerDropped`, `streamMissing`, `jobsLost` or `openServer`.
    pub kind: &'static str,
    /// A sentence in English.
    pub text: String,
    /// How often it happened, or how many there are, where there is something to count.
    pub count: Option<u64>,
}

/// A search that has work for the farm.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ManagerView {
    /// The search's own number.
    pub id: String,
    /// What is searched.
    pub title: String,
    /// How long the search has been running.
    pub for_seconds: f64,
    /// Jobs that nobody has begun.
    pub queued: u64,
    /// Jobs that are being done.
    pub running: u64,
    /// Jobs whose results are being checked.
    pub judging: u64,
    /// Jobs that were answered.
    pub done: u64,
    /// Jobs that were given up.
    pub given_up: u64,
    /// The age of the oldest open job.
    pub oldest_seconds: f64,
    /// Jobs answered a second, over the last minute.
    pub jobs_per_second: f64,
    /// Nodes searched a second, over the last minute.
    pub nodes_per_second: f64,
    /// All workers that are there; the list may be shorter.
    pub worker_count: u64,
    /// The cores of all workers that are there.
    pub core_count: u64,
    /// Answers without a certificate that are in use.
    pub uncertified: u64,
    /// How many of these were done again, with the same result.
    pub done_again: u64,
    /// Its workers, those that it lost or dropped too.
    pub workers: Vec<WorkerView>,
}

/// A worker of a search.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WorkerView {
    /// Empty for one that was dropped long ago.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// Jobs that it does at the same time.
    pub cores: u16,
    /// How it is.
    pub state: WorkerState,
    /// Why it is dropped.
    pub why: Option<String>,
    /// Jobs that it is doing.
    pub running: u16,
    /// Jobs since its start.
    pub done: u64,
    /// Nodes since its start.
    pub nodes: u64,
    /// Nodes searched a second.
    pub nodes_per_second: f64,
    /// How long ago it was heard.
    pub seen_seconds: f64,
}

/// How a worker is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum WorkerState {
    /// It does jobs.
    Working,
    /// It waits for jobs.
    Idle,
    /// It has not been heard of lately.
    Lost,
    /// The search takes nothing from it any more.
    Dropped,
}

impl WorkerState {
    /// The state in a word.
    pub fn word(self) -> &'static str {
        match self {
            WorkerState::Working => "working",
            WorkerState::Idle => "idle",
            WorkerState::Lost => "lost",
            WorkerState::Dropped => "dropped",
        }
    }
}
