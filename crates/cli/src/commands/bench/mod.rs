//! `sixproof bench`: the signature of the prover, and what it is made of.
//!
//! The signature is a number for the behaviour of the search: the positions of the benchmark set
//! are searched one after the other, with a budget of nodes and no clock, and all that was decided
//! goes into a hash. A change of the prover keeps it or explains the new one.

#[cfg(feature = "farm")]
mod farm;
mod play;
mod scale;
mod suite;
mod zones;

use std::ops::ControlFlow;
#[cfg(feature = "farm")]
use std::sync::OnceLock;
use std::time::Instant;

use serde_json::json;
use sixproof_certificate::{Claim, certify};
use sixproof_game::repeatable::{FNV_START, fnv};
use sixproof_prover::prove::{Counts, Options, Outcome, Report, prove};
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::output::{BAD, HINT, Output, grouped};

use crate::Exit;
use crate::options;
use suite::BenchPosition;

/// Nodes for each position of the signature.
const SIGNATURE_NODES: u64 = 20_000;
/// Fewer of them, by which workers of a farm prove that they are of the same build.
#[cfg(feature = "farm")]
const WORKER_NODES: u64 = 1_000;

pub(crate) fn run(options: &options::Bench, output: Output) -> Result<Exit> {
    match &options.command {
        Some(options::BenchCommand::Zones(options)) => zones::run(options, output),
        Some(options::BenchCommand::Play(options)) => play::run(options, output),
        #[cfg(feature = "farm")]
        Some(options::BenchCommand::Farm(options)) => farm::run(options, output),
        #[cfg(not(feature = "farm"))]
        Some(options::BenchCommand::Farm(_)) => Err(crate::commands::absent("farm")),
        Some(options::BenchCommand::Scale(options)) => scale::run(options, output),
        None => say_signature(options, output),
    }
}

/// The result of a search, after the checker has read its certificate.
pub(crate) struct Searched {
    pub(crate) verdict: BenchVerdict,
    /// The order of the proof, or the highest order begun.
    pub(crate) order: u32,
    pub(crate) counts: Counts,
    pub(crate) seconds: f64,
}

/// The verdict of a search.
pub(crate) enum BenchVerdict {
    /// A certificate that the checker accepted for this very claim, with its nodes.
    Proved { certificate: Vec<u8>, nodes: u64 },
    /// No strategy of the orders tried wins.
    NoWin,
    /// Nothing was found within the budget.
    Unknown,
    /// A certificate that the checker did not accept, and why: a bug of the prover.
    Rejected(String),
}

impl BenchVerdict {
    /// The verdict in a word.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            BenchVerdict::Proved { .. } => "win",
            BenchVerdict::NoWin => "no win",
            BenchVerdict::Unknown => "unknown",
            BenchVerdict::Rejected(_) => "rejected",
        }
    }

    /// The nodes of the certificate, if there is one.
    pub(crate) fn certificate_nodes(&self) -> u64 {
        if let BenchVerdict::Proved { nodes, .. } = self { *nodes } else { 0 }
    }
}

/// Searches, and has the certificate checked.
pub(crate) fn search(
    claim: &Claim,
    options: &Options,
    watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Searched {
    let start = Instant::now();
    let Report { outcome, order, counts, .. } =
        prove(claim, options, &mut |progress| watch(progress.nodes));
    let seconds = start.elapsed().as_secs_f64();
    let verdict = match outcome {
        Outcome::NoWin => BenchVerdict::NoWin,
        Outcome::Unknown => BenchVerdict::Unknown,
        Outcome::Proved { certificate, nodes, .. } => match certify(claim, &certificate) {
            Ok(_) => BenchVerdict::Proved { certificate, nodes },
            Err(why) => BenchVerdict::Rejected(why.to_string()),
        },
    };
    Searched { verdict, order, counts, seconds }
}

/// The number that stands for the behaviour of the prover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Signature {
    positions: usize,
    proved: usize,
    nodes: u64,
    hash: u64,
}

fn say_signature(options: &options::Bench, output: Output) -> Result<Exit> {
    let cases: Vec<BenchPosition> = suite::cases().into_iter().filter(|case| !case.slow).collect();
    let start = Instant::now();
    let (first, rejected) = sign(&cases, SIGNATURE_NODES, options.list, output);
    let seconds = start.elapsed().as_secs_f64();
    if !rejected.is_empty() {
        let names = rejected.join(", ");
        return Err(Failure::new(format!(
            "the checker rejected certificates of the prover: {names}"
        ))
        .help("this is a bug of the prover: please report it"));
    }
    let same = !options.twice || sign(&cases, SIGNATURE_NODES, false, output).0 == first;
    let Signature { positions, proved, nodes, hash } = first;
    let speed = nodes as f64 / seconds;
    if output.json {
        output.say_json(&json!({
            "positions": positions,
            "proved": proved,
            "nodes": nodes,
            "hash": format!("{hash:016x}"),
            "same_twice": options.twice.then_some(same),
            "seconds": seconds,
        }));
    } else {
        output.say(format!("positions   {positions} ({proved} proved and checked)"));
        output.say(format!("nodes       {nodes}"));
        output.say(format!("hash        {hash:016x}"));
        output.note(format!("{HINT}{} nodes/s{HINT:#}", grouped(speed as u64)));
        if options.twice && same {
            output.say("the same twice");
        } else if options.twice {
            output.say(format!("{BAD}the second run differs from the first{BAD:#}"));
        }
    }
    Ok(if same { Exit::Yes } else { Exit::No })
}

/// The signature of this build, computed here and now: workers of a farm prove by it that they
/// search as its manager does. With fewer nodes it takes a second or so.
#[cfg(feature = "farm")]
pub(crate) fn signature() -> String {
    static SIGNATURE: OnceLock<String> = OnceLock::new();
    SIGNATURE.get_or_init(worker_signature).clone()
}

#[cfg(feature = "farm")]
fn worker_signature() -> String {
    let cases: Vec<BenchPosition> = suite::cases().into_iter().filter(|case| !case.slow).collect();
    let quiet = Output { json: true };
    let (Signature { nodes, hash, .. }, _) = sign(&cases, WORKER_NODES, false, quiet);
    format!("{nodes}-{hash:016x}")
}

/// Works through the positions; also returns the names of those whose certificate was rejected.
fn sign(
    cases: &[BenchPosition],
    nodes_max: u64,
    list: bool,
    output: Output,
) -> (Signature, Vec<&str>) {
    let mut signature = Signature { positions: cases.len(), proved: 0, nodes: 0, hash: FNV_START };
    let mut rejected = Vec::new();
    for case in cases {
        let options = Options { nodes_max, order_max: case.expected.order(), ..Options::default() };
        let found = search(&Claim::new(&case.position, case.attacker), &options, &mut |_| {
            ControlFlow::Continue(())
        });
        let certificate = match &found.verdict {
            BenchVerdict::Proved { certificate, .. } => {
                signature.proved += 1;
                fnv(FNV_START, certificate)
            }
            BenchVerdict::Rejected(_) => {
                rejected.push(case.name);
                0
            }
            BenchVerdict::NoWin | BenchVerdict::Unknown => 0,
        };
        let nodes = found.counts.nodes;
        let (verdict, order) = (found.verdict.word(), found.order);
        let line = format!("{} {verdict} {order} {nodes} {certificate:016x}", case.name);
        signature.nodes += nodes;
        signature.hash = fnv(signature.hash, format!("{line}\n").as_bytes());
        if list && !output.json {
            output.say(line);
        }
    }
    (signature, rejected)
}
