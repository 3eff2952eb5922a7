//! Jobs as the page sees them: the types of `web/src/api/types.ts`, and the form in which jobs are
//! kept (with a version, so that a later form can be told from this one). Squares are names.

use serde::{Deserialize, Serialize};
use sixproof_player::Reason;

use crate::problem::ProblemKind;
pub(crate) use crate::wire::{Color as ColorName, Role, line as line_names, names};

/// The number of a job: never used again.
pub(crate) type JobId = u64;
/// The number of a node in its document.
pub(crate) type NodeId = u32;

/// What is to be done.
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
    /// What it is called in sentences, with its article.
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

/// Where a job is.
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
    /// Whether nothing more will come of it.
    pub(crate) fn is_ended(self) -> bool {
        matches!(self, JobState::Done | JobState::Failed | JobState::Cancelled)
    }
}

/// What a job is about: one node, the line from the root through it to its end, all below, all.
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

/// What a job may take; what is not limited is the usual.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(default)]
pub(crate) struct JobLimits {
    pub(crate) order: Option<u32>,
    pub(crate) nodes: Option<u64>,
    pub(crate) seconds: Option<f64>,
}

/// What somebody wants to be done. `POST /api/jobs`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct JobOrder {
    pub(crate) kind: JobKind,
    pub(crate) document: String,
    pub(crate) node: NodeId,
    #[serde(default)]
    pub(crate) scope: JobScope,
    /// Who is to win; the side to move if not said.
    #[serde(default)]
    pub(crate) attacker: Option<ColorName>,
    /// The move to verify; else the node's own last move.
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
    /// How many moves to compare, 1 to 10.
    #[serde(default)]
    pub(crate) lines: Option<u8>,
    /// Seconds left on the engine's clock, if there is one.
    #[serde(default)]
    pub(crate) clock_seconds: Option<f64>,
}

#[cfg(test)]
impl JobOrder {
    /// An order with everything else as usual.
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

/// A job, with all that is known of it.
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
    /// Who works on it: `local`.
    pub(crate) worker: Option<String>,
    /// When it was last heard of.
    pub(crate) heartbeat_ms: Option<u64>,
    /// Positions done and to do.
    pub(crate) done: u32,
    pub(crate) total: u32,
    pub(crate) progress: Option<Progress>,
    /// What came of it, or what went wrong, in a sentence.
    pub(crate) text: String,
    pub(crate) result: Option<JobResult>,
    /// What was counted, if it was about several positions.
    #[serde(default)]
    pub(crate) tally: Option<Tally>,
    /// What went wrong, as a name; not all have one.
    #[serde(default)]
    pub(crate) problem: Option<ProblemKind>,
}

/// What a job about several positions has counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct Tally {
    /// Positions that were looked at, since the server was started.
    pub(crate) positions: u32,
    /// Those in which a side is proved to win.
    pub(crate) wins: u32,
    /// Moves that threw a proved win away.
    pub(crate) thrown_away: u32,
}

/// How far a search is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct Progress {
    pub(crate) seconds: f64,
    pub(crate) order: u32,
    pub(crate) nodes: u64,
    pub(crate) nodes_per_second: u64,
    /// None: infinite.
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

/// What a job found, in a word.
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

/// What a job found about the position of a node, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, schema(as = Result))]
pub(crate) struct JobResult {
    pub(crate) kind: JobKind,
    pub(crate) outcome: JobOutcome,
    pub(crate) attacker: ColorName,
    /// One sentence for people.
    pub(crate) text: String,
    /// The line found, moves of both sides from this position on.
    pub(crate) line: Vec<Vec<String>>,
    /// Several moves with their values, best first (analysis).
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

/// What a move is worth.
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
    /// Why, in a sentence.
    pub(crate) reason: String,
    /// The same as data; not in results of earlier versions.
    #[serde(default)]
    pub(crate) why: Option<Why>,
}

/// Where a move comes from.
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

/// Why a move is played, as data: the page says it in the language of its reader.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct Why {
    pub(crate) kind: WhyKind,
    /// Who moves.
    pub(crate) by: ColorName,
    /// How many in a row win.
    pub(crate) k: u32,
    pub(crate) style: String,
    /// The order of the proof that the checker has accepted; none if nothing is proved.
    pub(crate) order: Option<u32>,
    /// Where the other side would begin a forced win.
    pub(crate) danger: Vec<String>,
}

/// The proof-number tree of a search, its most important nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct SearchTree {
    /// Counts up when it has changed.
    pub(crate) version: u64,
    /// All nodes of the search's tree; listed are at most 2,000.
    pub(crate) size: u64,
    pub(crate) nodes: Vec<SearchNode>,
}

/// One node of it.
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
    /// Children that are not listed.
    pub(crate) hidden: u32,
}

/// What is known of a node of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum SearchState {
    Open,
    Proved,
    Refuted,
    Running,
}

/// The form of [`StoredJob`]: grows when an older program could not read it any more.
pub(crate) const STORED_VERSION: u32 = 1;

/// A job as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct StoredJob {
    pub(crate) version: u32,
    pub(crate) job: Job,
    /// As it was ordered: what is repeated.
    pub(crate) order: JobOrder,
    /// Nodes whose results are written.
    pub(crate) seen: Vec<NodeId>,
    /// The last tree of its search.
    pub(crate) tree: Option<SearchTree>,
}

impl StoredJob {
    /// The bytes that are kept.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Reads them; none if this program does not understand them.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<StoredJob> {
        serde_json::from_slice(bytes).ok().filter(|kept: &StoredJob| kept.version == STORED_VERSION)
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
