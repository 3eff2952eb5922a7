//! What a search may use, and where its answer goes.

use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use sixproof_game::Color;
use sixproof_prover::prove::{Policy, Switches, ZoneRule};
use sixproof_solve::defaults::{ORDER_MAX, ORDER_USUAL, memory_usual, threads};
use sixproof_solve::quantity;
use sixproof_solve::store::Choice;

use super::RemoteArgs;

/// `defaults::NODES_USUAL` as it is typed.
const NODES_USUAL_TEXT: &str = "100M";

/// What a search may use, and where its answer goes.
#[derive(Args, Clone, Debug)]
pub(crate) struct SearchArgs {
    /// The file of the certificate, compressed if it ends in .zst [default: a new file named after
    /// the position]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) cert: Option<PathBuf>,

    /// Draw the board with the zone of the proof into a file instead of on the terminal: .svg or
    /// .png
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Plot the course of the search into a file, .svg or .png: proof and disproof number of the
    /// root over nodes; also when nothing was found, or after Ctrl-C
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,

    /// Print only the verdict
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// The highest order tried; lower ones are tried first
    #[arg(long, value_name = "N", default_value_t = ORDER_USUAL, help_heading = "Search")]
    #[arg(value_parser = quantity::up_to::<ORDER_MAX>)]
    pub(crate) order: u32,

    /// Nodes searched at most: 100k, 5M
    #[arg(long, value_name = "N", default_value = NODES_USUAL_TEXT, value_parser = quantity::count)]
    #[arg(help_heading = "Search")]
    pub(crate) nodes: u64,

    /// Time spent at most: 30s, 5m, 2h
    #[arg(long, value_name = "TIME", value_parser = quantity::time, help_heading = "Search")]
    pub(crate) time: Option<Duration>,

    /// How the replies are found that need an answer of their own
    #[arg(long, value_name = "RULE", default_value = "segment", help_heading = "Search")]
    pub(crate) zones: ZonesName,

    #[command(flatten)]
    pub(crate) local: LocalArgs,

    /// How the next job is chosen while others are under way, with several threads or workers
    #[arg(long, value_name = "POLICY", default_value = "doubled", help_heading = "Search")]
    pub(crate) policy: PolicyName,

    #[command(flatten)]
    pub(crate) without: SwitchArgs,

    #[command(flatten)]
    pub(crate) resources: ResourceArgs,
}

/// What a search uses besides this machine: hints, the store, workers elsewhere.
#[derive(Args, Clone, Debug)]
pub(crate) struct ResourceArgs {
    /// Winning moves to try first: every move of Attacker in the tree of this file
    #[arg(long, value_name = "FILE", help_heading = "Search")]
    pub(crate) hints: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    #[command(flatten)]
    pub(crate) remote: RemoteArgs,
}

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SideName {
    Black,
    White,
}

impl SideName {
    pub(crate) fn color(self) -> Color {
        match self {
            SideName::Black => Color::Black,
            SideName::White => Color::White,
        }
    }
}

/// The verifiers of the papers, and ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ZonesName {
    /// The method of 2005, with forced replies only
    Wu,
    /// Relevance zones (RZOP)
    Vc6,
    /// Small relevance zones (SRZOP): sequences in any order
    O1,
    /// Small relevance zones (SRZOP): counter-threats too
    O2,
    /// Segment zones, with mutual coverage and grouped macros
    Segment,
}

impl ZonesName {
    pub(crate) fn rule(self) -> ZoneRule {
        match self {
            ZonesName::Wu => ZoneRule::Wu,
            ZonesName::Vc6 => ZoneRule::Vc6,
            ZonesName::O1 => ZoneRule::O1,
            ZonesName::O2 => ZoneRule::O2,
            ZonesName::Segment => ZoneRule::Segment,
        }
    }
}

/// How a search chooses the next job while others are under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PolicyName {
    /// A job under way counts double: others are worked on where they are nearly as good
    Doubled,
    /// A job under way counts as won (virtual win)
    Win,
    /// A job under way counts as lost (virtual loss)
    Loss,
    /// A job under way changes nothing (virtual equivalence)
    Equivalence,
}

impl PolicyName {
    pub(crate) fn policy(self) -> Policy {
        match self {
            PolicyName::Doubled => Policy::Doubled,
            PolicyName::Win => Policy::Win,
            PolicyName::Loss => Policy::Loss,
            PolicyName::Equivalence => Policy::Equivalence,
        }
    }
}

/// How much of the machine a search may take.
#[derive(Args, Clone, Debug)]
pub(crate) struct LocalArgs {
    /// Threads of the search [default: $SIXPROOF_THREADS, or one per core]. With 1 a search can be
    /// repeated node for node
    #[arg(long, value_name = "N", help_heading = "Search")]
    #[arg(value_parser = quantity::at_least_one::<{ u16::MAX }>)]
    threads: Option<NonZero<u16>>,

    /// The most memory of the search's tree: 500M, 4G [default: a quarter of the machine's]. The
    /// least useful nodes are dropped first, proofs never
    #[arg(long, value_name = "BYTES", value_parser = quantity::bytes, help_heading = "Search")]
    memory: Option<u64>,
}

impl LocalArgs {
    /// Threads to be used.
    pub(crate) fn threads(&self) -> usize {
        threads(self.threads)
    }

    /// Bytes to be used.
    pub(crate) fn memory(&self) -> u64 {
        self.memory.unwrap_or_else(memory_usual)
    }
}

/// The improvements that a search leaves out.
#[derive(Args, Clone, Debug)]
pub(crate) struct SwitchArgs {
    /// Improvements of the search over quiet moves to leave out: the effort changes, the verdict
    /// does not
    #[arg(long, value_name = "WHAT", value_delimiter = ',', help_heading = "Search")]
    without: Vec<SwitchName>,
}

/// What can be switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SwitchName {
    /// A move after which Defender has a forced win is refuted at once
    Dual,
    /// A proof answers the replies that are clear of its zone
    Posthoc,
    /// Of moves that mirror each other one is tried
    Mirrored,
    /// Positions won elsewhere in the tree are known
    Reuse,
    /// Moves that won elsewhere are tried first
    Winners,
    /// Moves are compared by a quick screening before one is verified
    Screening,
}

impl SwitchArgs {
    /// What is left of the improvements.
    pub(crate) fn switches(&self) -> Switches {
        let has = |name: SwitchName| !self.without.contains(&name);
        Switches {
            dual: has(SwitchName::Dual),
            posthoc: has(SwitchName::Posthoc),
            mirrored: has(SwitchName::Mirrored),
            reuse: has(SwitchName::Reuse),
            winners: has(SwitchName::Winners),
            screening: has(SwitchName::Screening),
        }
    }
}

/// Which store a search uses.
#[derive(Args, Clone, Debug)]
pub(crate) struct StoreArgs {
    /// The store of proofs [default: $SIXPROOF_STORE, or the user's data folder]
    #[arg(long, value_name = "FILE", help_heading = "Search", conflicts_with = "no_store")]
    pub(crate) store: Option<PathBuf>,

    /// Search without the store: find nothing there, and keep nothing
    #[arg(long, help_heading = "Search")]
    pub(crate) no_store: bool,
}

impl StoreArgs {
    pub(crate) fn choice(&self) -> Choice {
        match &self.store {
            _ if self.no_store => Choice::None,
            Some(path) => Choice::File(path.clone()),
            None => Choice::Usual,
        }
    }
}
