//! Proofs: certificates that the checker has verified, and walks through them.

use serde::{Deserialize, Serialize};

use super::{Color, Game, Position, SquareName};

/// A certificate that the checker has verified.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct Proof {
    /// The BLAKE3 hash of the certificate, which is its name.
    pub(crate) hash: String,
    pub(crate) game: Game,
    pub(crate) attacker: Color,
    /// The position that Attacker wins.
    pub(crate) position: Position,
    pub(crate) bytes: usize,
    pub(crate) nodes: u64,
    /// Defender's moves in the longest line.
    pub(crate) depth: u64,
    pub(crate) counts: ProofCounts,
}

/// The checker's counts.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProofCounts {
    pub(crate) wins: u64,
    pub(crate) attacks: u64,
    pub(crate) defences: u64,
    pub(crate) null_replies: u64,
    pub(crate) semi_null_replies: u64,
    pub(crate) full_replies: u64,
    pub(crate) macro_replies: u64,
}

/// A place in a certificate: a node of it, and Defender stones that stand outside of its zone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct ProofPlace {
    pub(crate) node: u32,
    #[serde(default)]
    pub(crate) extra: Vec<SquareName>,
}

/// The kinds of nodes of a proof.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ProofNodeKind {
    Attack,
    Win,
    Defence,
}

/// The kinds of replies, by the number of their stones.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ReplyKind {
    /// The root, which is not a reply.
    Root,
    Null,
    SemiNull,
    Full,
    /// All blocks at once.
    Macro,
}

/// The board at a place of the proof.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct ProofNode {
    pub(crate) node: u32,
    pub(crate) kind: ProofNodeKind,
    pub(crate) parent: Option<u32>,
    /// From the root to this node, both included.
    pub(crate) path: Vec<u32>,
    /// The moves on the way.
    pub(crate) line: Vec<ProofMove>,
    pub(crate) position: Position,
    pub(crate) extra: Vec<SquareName>,
    pub(crate) zone: Zone,
    /// Attacker's move, at a node with Attacker to move.
    pub(crate) attack: Option<Vec<SquareName>>,
    /// The defence after an attack.
    pub(crate) next: Option<u32>,
    /// The longest line from here on.
    pub(crate) best: Vec<Vec<SquareName>>,
    /// Attacker's threats that have to be blocked: their empty squares.
    pub(crate) threats: Vec<Vec<SquareName>>,
    pub(crate) replies: Vec<ProofReply>,
    /// The node in a sentence.
    pub(crate) text: String,
}

/// A move of a proof.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct ProofMove {
    pub(crate) by: Role,
    pub(crate) squares: Vec<SquareName>,
}

/// A side of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Role {
    Attacker,
    Defender,
}

/// A reply of Defender that is answered.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct ProofReply {
    /// The node after it, with Attacker to move.
    pub(crate) node: u32,
    pub(crate) squares: Vec<SquareName>,
    pub(crate) kind: ReplyKind,
    /// The number of further stones that may stand anywhere outside of the zone.
    pub(crate) slack: u32,
    /// Attacker's move against it.
    pub(crate) answer: Vec<SquareName>,
    /// The number of nodes of the proof from there on.
    pub(crate) size: u32,
}

/// What a proof depends on.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct Zone {
    /// A: squares that Defender must not have.
    pub(crate) squares: Vec<SquareName>,
    /// S1, S2, …: segments, and how many Defender stones in one matter.
    pub(crate) segments: Vec<ZoneSegment>,
    /// The first layer: squares of A and of segments of level 1.
    pub(crate) solid: Vec<SquareName>,
    /// The second layer: squares of segments of higher levels alone.
    pub(crate) hatched: Vec<SquareName>,
}

/// A segment of a zone.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct ZoneSegment {
    pub(crate) ends: [SquareName; 2],
    pub(crate) level: u32,
    pub(crate) squares: Vec<SquareName>,
}

/// A question: how does the proof answer these stones of Defender?
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct AnswerQuery {
    pub(crate) node: u32,
    #[serde(default)]
    #[cfg_attr(test, schema(max_items = 400))]
    pub(crate) extra: Vec<SquareName>,
    /// A move, or its first stones.
    #[cfg_attr(test, schema(max_items = 19))]
    pub(crate) squares: Vec<SquareName>,
}

/// The kinds of answers of a proof to stones of Defender.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum AnswerVerdict {
    /// The stones are outside of the zone: the proof stands as it is.
    Stands,
    /// A reply covers the stones.
    Answered,
    /// The stones do not block Attacker's threats.
    TooLate,
    /// The move has more stones.
    Incomplete,
    /// The stones are inside the zone at a node with Attacker to move, where only stones outside
    /// can be answered.
    Inside,
    /// The zone cannot be computed: the proof is too large.
    Unknown,
}

/// The answer of a proof to stones of Defender.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct ProofAnswer {
    pub(crate) verdict: AnswerVerdict,
    /// The reply that covers the stones.
    pub(crate) reply: Option<ProofReply>,
    /// Attacker's move.
    pub(crate) answer: Vec<SquareName>,
    /// Where the proof goes on, with Attacker to move.
    pub(crate) place: Option<ProofPlace>,
    /// The answer in a sentence.
    pub(crate) text: String,
}

/// A request for rows of a proof.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ProofRowsQuery {
    pub(crate) from: u64,
    #[cfg_attr(test, schema(maximum = 1000))]
    pub(crate) count: usize,
    /// Rows that are open; all others are folded.
    #[serde(default)]
    pub(crate) opened: Vec<u32>,
    /// A node that must be visible.
    pub(crate) at: Option<u32>,
}

/// A window of the rows of a proof.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct ProofRows {
    pub(crate) total: u64,
    /// The row of the requested node, or -1.
    pub(crate) at: i64,
    pub(crate) rows: Vec<ProofRow>,
}

/// A reply of Defender, and Attacker's answer to it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct ProofRow {
    pub(crate) node: u32,
    pub(crate) indent: u32,
    /// Null at the root.
    pub(crate) reply: Option<Vec<SquareName>>,
    pub(crate) answer: Vec<SquareName>,
    pub(crate) kind: ReplyKind,
    /// The number of replies to the answer; 0 if there is no defence left.
    pub(crate) replies: u32,
    pub(crate) folded: bool,
    pub(crate) size: u32,
    pub(crate) depth: u32,
}

/// The answer to an accepted certificate.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct ProofTaken {
    pub(crate) proof: Proof,
}

/// The verdict of the independent checker, which has read a certificate again.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct ProofChecked {
    pub(crate) verified: bool,
    pub(crate) nodes: u64,
    pub(crate) seconds: f64,
}
