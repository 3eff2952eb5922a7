//! The result of thinking: a move, its worth, and the reason.

use sixproof_game::{Move, Square};

/// What an engine thinks of a position in which it is to move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Thought {
    /// The stones to place: all that are left in the move, or fewer where fewer complete a line or
    /// fill the board.
    pub squares: Vec<Square>,
    /// The worth of the position to the side to move.
    pub score: Score,
    /// The reason for the move.
    pub reason: Reason,
    /// The moves expected from here on, this one first.
    pub line: Vec<Move>,
    /// The proof, if the move wins by force.
    pub proof: Option<WinProof>,
    /// The squares where the other side would begin his forced win after a null move.
    pub danger: Move,
    /// What it took.
    pub counts: Counts,
}

impl Thought {
    /// A proved win, and the number of nodes of its search.
    pub(crate) fn forces(proof: WinProof, threat_nodes: u64) -> Thought {
        Thought {
            squares: proof.line.first().map(|stones| stones.to_vec()).unwrap_or_default(),
            score: Score::Win,
            reason: Reason::Forces,
            line: proof.line.clone(),
            proof: Some(proof),
            counts: Counts { threat_nodes, ..Counts::default() },
            ..Thought::default()
        }
    }
}

/// A forced win of the side to move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WinProof {
    /// The certificate, to be checked before the win is claimed.
    pub certificate: Vec<u8>,
    /// A line of play, from this move to the end.
    pub line: Vec<Move>,
    /// The order of the proof (Lin, section 2.3).
    pub order: u32,
}

/// The worth of a position to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// It wins, and there is a certificate.
    Win,
    /// It loses, whatever was tried: the other side has a forced win against every defence.
    Loss,
    /// Hundredths of the logarithm of the odds of winning: 0 is even, 110 is three to one.
    Value(i32),
}

impl Default for Score {
    fn default() -> Score {
        Score::Value(0)
    }
}

impl Score {
    /// The score that the side to move may expect, between 0 and 1.
    pub fn expected(self) -> f64 {
        match self {
            Score::Win => 1.0,
            Score::Loss => 0.0,
            Score::Value(value) => 1.0 / (1.0 + (-f64::from(value) / 100.0).exp()),
        }
    }
}

/// Why a move was chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reason {
    /// It completes k in a row.
    Completes,
    /// A proof: forced from here on.
    Forces,
    /// The opening book.
    Book,
    /// The other side threatens to complete k in a row, and this blocks it.
    Blocks,
    /// The other side would win by force after a null move: chosen within the zone of that win.
    Defends,
    /// Nothing that was tried prevents the other side's forced win; this holds out longest.
    HoldsOut,
    /// The search finds it best.
    #[default]
    Searched,
    /// The style chooses without a search.
    Chosen,
}

/// What thinking took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The number of positions of the game tree.
    pub nodes: u64,
    /// The number of positions of threat searches.
    pub threat_nodes: u64,
    /// The number of half-moves generated.
    pub half_moves: u64,
    /// The number of moves of either side looked ahead.
    pub depth: u32,
    /// Positions looked up in the table, and found there.
    pub probes: u64,
    /// See `probes`.
    pub hits: u64,
}
