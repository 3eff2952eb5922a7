//! Jobs as the page sees them (the types of `web/src/api/types.ts`), and the form in which the
//! store keeps them, with a version. Squares are names.

use serde::{Deserialize, Serialize};
use sixproof_player::Reason;

use crate::problem::ProblemKind;
pub(crate) use crate::wire::{Color as ColorName, NodeId, Role, line as line_names, names};

/// The number of a job: never used again.
pub(crate) type JobId = u64;

/// The kinds of jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum JobKind {
    Solve,
    Verify,
    Prove,
    Analyse,
    Play,
    Check,
}

impl JobKind {
    /// Its name in sentences, with the article.
    pub(crate) fn title(self) -> &'static str {
        match self {
            JobKind::Solve => "a search for threats",
            JobKind::Verify => "a verification",
            JobKind::Prove => "a proof",
            JobKind::Analyse => "an analysis",
            JobKind::Play => "a move of the engine",
            JobKind::Check => "a check",
        }
    }
}

/// The state of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum JobState {
    Queued,
    Running,
    Paused,
    Done,
    Failed,
    Cancelled,
}

impl JobState {
    /// Whether the job has ended for good.
    pub(crate) fn is_ended(self) -> bool {
        matches!(self, JobState::Done | JobState::Failed | JobState::Cancelled)
    }
}

/// The nodes of a job: one node; the line from the root through it to its end; the node and all
/// below it; all nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum JobScope {
    #[default]
    Node,
    Line,
    Subtree,
    Document,
}

/// The limits of a job; where one is missing, the default holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(default)]
pub(crate) struct JobLimits {
    pub(crate) order: Option<u32>,
    pub(crate) nodes: Option<u64>,
    pub(crate) seconds: Option<f64>,
}

/// An order for a job. `POST /api/jobs`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct JobOrder {
    pub(crate) kind: JobKind,
    pub(crate) document: String,
    pub(crate) node: NodeId,
    #[serde(default)]
    pub(crate) scope: JobScope,
    /// The side whose win is in question; without it, the side to move.
    #[serde(default)]
    pub(crate) attacker: Option<ColorName>,
    /// The move to verify; without it, the node's own move.
    #[serde(default)]
    pub(crate) squares: Option<Vec<String>>,
    #[serde(default)]
    pub(crate) limits: JobLimits,
    /// -10 to 10, higher first.
    #[serde(default)]
    pub(crate) priority: i32,
    #[serde(default)]
    pub(crate) style: Option<String>,
    #[serde(default)]
    pub(crate) level: Option<u8>,
    /// The number of moves to compare, 1 to 10.
    #[serde(default)]
    pub(crate) lines: Option<u8>,
    /// The seconds left on the engine's clock, if it has one.
    #[serde(default)]
    pub(crate) clock_seconds: Option<f64>,
}

#[cfg(test)]
impl JobOrder {
    /// An order with defaults for everything else.
    pub(crate) fn new(kind: JobKind, document: &str, node: NodeId) -> JobOrder {
        JobOrder {
            kind,
            document: document.to_string(),
            node,
            scope: JobScope::Node,
            attacker: None,
            squares: None,
            limits: JobLimits::default(),
            priority: 0,
            style: None,
            level: None,
            lines: None,
            clock_seconds: None,
        }
    }
}

/// A job with its state, progress and result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct Job {
    pub(crate) id: JobId,
    pub(crate) kind: JobKind,
    pub(crate) state: JobState,
    pub(crate) document: String,
    pub(crate) document_title: String,
    pub(crate) node: NodeId,
    pub(crate) scope: JobScope,
    pub(crate) attacker: ColorName,
    pub(crate) squares: Option<Vec<String>>,
    pub(crate) limits: JobLimits,
    pub(crate) priority: i32,
    pub(crate) style: String,
    pub(crate) level: u8,
    pub(crate) lines: u8,
    pub(crate) created_ms: u64,
    pub(crate) started_ms: Option<u64>,
    pub(crate) ended_ms: Option<u64>,
    /// The worker that runs it: `local`.
    pub(crate) worker: Option<String>,
    /// The time of the worker's last report.
    pub(crate) heartbeat_ms: Option<u64>,
    /// Positions done and to do.
    pub(crate) done: u32,
    pub(crate) total: u32,
    pub(crate) progress: Option<Progress>,
    /// The outcome or the error, in a sentence.
    pub(crate) text: String,
    pub(crate) result: Option<JobResult>,
    /// The counts of a job about several positions.
    #[serde(default)]
    pub(crate) tally: Option<Tally>,
    /// The kind of error; some errors have none.
    #[serde(default)]
    pub(crate) problem: Option<ProblemKind>,
}

/// The counts of a job about several positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct Tally {
    /// Positions that were searched since the server was started.
    pub(crate) positions: u32,
    /// Those in which a side is proved to win.
    pub(crate) wins: u32,
    /// Moves that threw a proved win away.
    pub(crate) thrown_away: u32,
}

/// The progress of a search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct Progress {
    pub(crate) seconds: f64,
    pub(crate) order: u32,
    pub(crate) nodes: u64,
    pub(crate) nodes_per_second: u64,
    /// The proof number; null: infinite.
    pub(crate) proof: Option<u32>,
    pub(crate) disproof: Option<u32>,
    pub(crate) proved: u64,
    pub(crate) refuted: u64,
    pub(crate) depth: u32,
    pub(crate) line: Vec<Vec<String>>,
    pub(crate) best: Vec<Vec<String>>,
    pub(crate) memory_bytes: u64,
    /// Replies found unsolved so far (verify).
    pub(crate) unsolved: Vec<Vec<String>>,
    /// Moves compared so far (analyse).
    pub(crate) moves: Vec<Candidate>,
}

/// The outcome of a job about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum JobOutcome {
    Proved,
    NoWin,
    Unknown,
    Value,
    Stopped,
    ThrownAway,
}

/// The result of a job about the position of a node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, schema(as = Result))]
pub(crate) struct JobResult {
    pub(crate) kind: JobKind,
    pub(crate) outcome: JobOutcome,
    pub(crate) attacker: ColorName,
    /// The result in a sentence.
    pub(crate) text: String,
    /// The line found, moves of both sides from this position on.
    pub(crate) line: Vec<Vec<String>>,
    /// The moves that an analysis compared, the best first.
    pub(crate) moves: Vec<Candidate>,
    /// Replies that a verification could not answer.
    pub(crate) unsolved: Vec<Vec<String>>,
    pub(crate) order: Option<u32>,
    pub(crate) nodes: u64,
    pub(crate) seconds: f64,
    pub(crate) limits: JobLimits,
    pub(crate) version: String,
    /// BLAKE3 of the certificate's bytes, 64 hexadecimal digits.
    pub(crate) certificate: Option<String>,
    pub(crate) job: JobId,
    pub(crate) at_ms: u64,
}

/// The kind of a move's score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum ScoreName {
    Win,
    Loss,
    Value,
}

/// The value of a move that the engine believes to win, without a proof: the highest of all.
pub(crate) const VALUE_MAX: i32 = 9_999;

/// A move that an analysis compares.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct Candidate {
    pub(crate) squares: Vec<String>,
    pub(crate) score: ScoreName,
    /// In hundredths of log-odds.
    pub(crate) value: i32,
    pub(crate) line: Vec<Vec<String>>,
    /// The reason for the move, in a sentence.
    pub(crate) reason: String,
    /// The reason as data; null in results of earlier versions.
    #[serde(default)]
    pub(crate) why: Option<Why>,
}

/// The kind of reason for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum WhyKind {
    Completes,
    Forces,
    Book,
    Blocks,
    Defends,
    HoldsOut,
    Searched,
    Chosen,
}

impl From<Reason> for WhyKind {
    fn from(reason: Reason) -> WhyKind {
        match reason {
            Reason::Completes => WhyKind::Completes,
            Reason::Forces => WhyKind::Forces,
            Reason::Book => WhyKind::Book,
            Reason::Blocks => WhyKind::Blocks,
            Reason::Defends => WhyKind::Defends,
            Reason::HoldsOut => WhyKind::HoldsOut,
            Reason::Searched => WhyKind::Searched,
            Reason::Chosen => WhyKind::Chosen,
        }
    }
}

/// The reason for a move as data, which the page shows in the language of its reader.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct Why {
    pub(crate) kind: WhyKind,
    /// The side that moves.
    pub(crate) by: ColorName,
    /// The number of stones in a row that win.
    pub(crate) k: u32,
    pub(crate) style: String,
    /// The order of the proof that the checker has accepted; null if nothing is proved.
    pub(crate) order: Option<u32>,
    /// The squares on which the other side would begin a forced win.
    pub(crate) danger: Vec<String>,
}

/// The most important nodes of a search's proof-number tree.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct SearchTree {
    /// Grows with every change.
    pub(crate) version: u64,
    /// The number of nodes in the tree; at most 2,000 are listed.
    pub(crate) size: u64,
    pub(crate) nodes: Vec<SearchNode>,
}

/// A node of the tree of a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct SearchNode {
    /// Index of the parent in the list; -1 at the root.
    pub(crate) parent: i32,
    pub(crate) by: Role,
    pub(crate) squares: Vec<String>,
    pub(crate) proof: Option<u32>,
    pub(crate) disproof: Option<u32>,
    pub(crate) state: SearchState,
    /// Whether the most-proving line goes through it.
    pub(crate) critical: bool,
    /// The number of children that are not listed.
    pub(crate) hidden: u32,
}

/// The state of a node of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum SearchState {
    Open,
    Proved,
    Refuted,
    Running,
}

/// The version of [`StoredJob`]. It grows when older programs cannot read the new form.
pub(crate) const STORED_VERSION: u32 = 1;

/// A job as the store has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct StoredJob {
    pub(crate) version: u32,
    pub(crate) job: Job,
    /// The order, as a repetition needs it.
    pub(crate) order: JobOrder,
    /// The nodes whose results are written.
    pub(crate) seen: Vec<NodeId>,
    /// The last tree of its search.
    pub(crate) tree: Option<SearchTree>,
}

impl StoredJob {
    /// The bytes of the record.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Reads a record; `None` if it has another form or version.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<StoredJob> {
        serde_json::from_slice(bytes)
            .ok()
            .filter(|stored: &StoredJob| stored.version == STORED_VERSION)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_may_leave_out_everything_usual() {
        let order: JobOrder =
            serde_json::from_str(r#"{"kind":"solve","document":"d","node":3}"#).unwrap();
        assert_eq!(order, JobOrder::new(JobKind::Solve, "d", 3));
        let order: JobOrder = serde_json::from_str(
            r#"{"kind":"play","document":"d","node":3,"attacker":null,"limits":{"nodes":5},
                "clockSeconds":2.5,"scope":"line"}"#,
        )
        .unwrap();
        assert_eq!((order.limits.nodes, order.clock_seconds), (Some(5), Some(2.5)));
        let misspelt = r#"{"kind":"solve","document":"d","node":3,"limit":{}}"#;
        assert!(serde_json::from_str::<JobOrder>(misspelt).is_err());
    }

    #[test]
    fn names_on_the_wire_are_those_of_the_page() {
        let outcome = serde_json::to_value(JobOutcome::ThrownAway).unwrap();
        assert_eq!(outcome, "thrown-away");
        let progress = serde_json::to_value(Progress::default()).unwrap();
        assert!(progress["nodesPerSecond"].is_number() && progress["proof"].is_null());
    }
}
