//! The words of `sixproof bench` and `sixproof survey`.

use std::num::NonZero;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use sixproof_solve::quantity;

use super::{ConnectionArgs, PolicyName, ResourceArgs, SERVERS_HELP, Servers, share};

const BENCH_EXAMPLES: &str = "\
Examples:
  sixproof bench
  sixproof bench --twice
  sixproof bench zones
  sixproof bench zones --group gomoku --json
  sixproof bench play
  sixproof bench farm nats://127.0.0.1:4222
  sixproof bench scale

The positions are in suite/bench of the sources, and in the program.";

/// Measure prover and player on fixed positions
///
/// Without a command: the signature of the prover. Every position is searched with a budget of
/// nodes, one thread and no clock; the total and the hash are the same on every machine, and
/// change only when the prover decides differently.
#[derive(Args, Debug)]
#[command(after_help = BENCH_EXAMPLES, args_conflicts_with_subcommands = true)]
pub(crate) struct Bench {
    #[command(subcommand)]
    pub(crate) command: Option<BenchCommand>,

    /// Run twice, and demand the same answers
    #[arg(long)]
    pub(crate) twice: bool,

    /// Print the line of each position too
    #[arg(long)]
    pub(crate) list: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BenchCommand {
    Zones(Zones),
    Play(BenchPlay),
    Farm(Box<BenchFarm>),
    Scale(Scale),
}

const ZONES_EXAMPLES: &str = "\
Examples:
  sixproof bench zones
  sixproof bench zones --group gomoku
  sixproof bench zones --all --json

Sums are over the positions that a verifier solves; `over vc6` compares the nodes of the positions
that both solve. Every certificate is checked before it counts. Exit code 1 when a verdict differs
from the expected one.";

/// Compare the verifiers: wu, vc6, o1, o2 and segment zones
#[derive(Args, Debug)]
#[command(after_help = ZONES_EXAMPLES)]
pub(crate) struct Zones {
    /// The slow positions too
    #[arg(long)]
    pub(crate) all: bool,

    /// Only this group of positions
    #[arg(long, value_name = "NAME")]
    pub(crate) group: Option<String>,

    /// Print a line for each search too
    #[arg(long)]
    pub(crate) list: bool,

    /// Nodes searched at most, for each position: 100k, 5M; slow ones get five times as many
    #[arg(long, value_name = "N", default_value = "200k", value_parser = quantity::count)]
    pub(crate) nodes: u64,
}

const BENCH_PLAY_EXAMPLES: &str = "\
Examples:
  sixproof bench play
  sixproof bench play --nodes 200k
  sixproof bench play --json

Nodes are positions of the game tree; those of threat searches count towards the limit, too.
Branching is the effective branching factor: the d-th root of the nodes at the time when the
greatest depth d was completed; in the last line, the geometric mean. Hits are the positions found
in the table, of those looked up. Speed is told beside the answer: only moves and counts are in the hash, and with
the usual number of nodes they are the same on every machine.";

/// Measure the moves of the player: nodes, depth, branching, hits in the table, and speed
#[derive(Args, Debug)]
#[command(after_help = BENCH_PLAY_EXAMPLES)]
pub(crate) struct BenchPlay {
    /// Nodes searched for a move at most: 100k, 5M
    #[arg(long, value_name = "N", default_value = "10k", value_parser = quantity::count)]
    pub(crate) nodes: u64,
}

const BENCH_FARM_EXAMPLES: &str = "\
Examples:
  nats-server -js &
  sixproof bench farm
  sixproof bench farm nats://10.0.0.1:4222 --jobs 50k --workers 4 --json

The jobs do nothing; queues, journal and checks are those of a real search. Cores are jobs that a
worker does at the same time: as the jobs need no time, they stand for as many machines.";

/// Measure what a farm costs: empty jobs through a NATS server
#[derive(Args, Debug)]
#[command(after_help = format!("{BENCH_FARM_EXAMPLES}\n\n{SERVERS_HELP}"))]
pub(crate) struct BenchFarm {
    /// The NATS server; else $NATS_URL, else nats://127.0.0.1:4222
    pub(crate) url: Option<Servers>,

    /// Jobs to be done: 20k, 1M
    #[arg(long, value_name = "N", default_value = "20k", value_parser = quantity::count)]
    pub(crate) jobs: u64,

    /// Workers, each with a connection of its own
    #[arg(long, value_name = "N", default_value = "2")]
    #[arg(value_parser = quantity::at_least_one::<1_024>)]
    pub(crate) workers: NonZero<u16>,

    /// Jobs at the same time, of each worker
    #[arg(long, value_name = "N", default_value = "64")]
    #[arg(value_parser = quantity::at_least_one::<1_024>)]
    pub(crate) cores: NonZero<u16>,

    /// The share of answers that is done again, as `prove --farm` has it
    #[arg(long, value_name = "SHARE", default_value = "2%", value_parser = share)]
    pub(crate) audit: u32,

    #[command(flatten)]
    pub(crate) connection: ConnectionArgs,
}

const SCALE_EXAMPLES: &str = "\
Examples:
  sixproof bench scale
  sixproof bench scale --workers 1,16,256 --policy doubled --seeds 1
  sixproof bench scale --svg scale.svg
  sixproof bench scale --measure job-times.txt
  sixproof bench scale --memory

No job is really done: the tree of jobs is the real one, the game and the clock are made up, and
jobs take what real ones took (crates/experiments/data/job-times.txt). The same words give the
same figures on every machine, but for the jobs a second that the tree itself can take,
which are measured.";

/// Simulate the search over jobs with many workers: speed-up, idle share and overhead by policy
#[derive(Args, Debug)]
#[command(after_help = SCALE_EXAMPLES)]
pub(crate) struct Scale {
    /// Numbers of workers
    #[arg(long, value_name = "N,N,...", value_delimiter = ',')]
    #[arg(default_value = "1,2,4,8,16,32,64,128,256,512,1024,2048,4096")]
    #[arg(value_parser = quantity::up_to::<65536>)]
    pub(crate) workers: Vec<u32>,

    /// What the answers of jobs under way are taken to be; else each in turn
    #[arg(long, value_name = "POLICY")]
    pub(crate) policy: Option<PolicyName>,

    /// So many made-up games
    #[arg(long, value_name = "N", default_value_t = 3)]
    #[arg(value_parser = quantity::up_to::<3>)]
    pub(crate) seeds: u32,

    /// Milliseconds that a job and its answer are on their way
    #[arg(long, value_name = "MS", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=60000))]
    pub(crate) latency: u32,

    /// Draw speed-up and idle share
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,

    /// Do real jobs instead, and write down what they take
    #[arg(long, value_name = "FILE", conflicts_with_all = ["svg", "memory"])]
    pub(crate) measure: Option<PathBuf>,

    /// Tell instead what the tree of jobs takes in memory
    #[arg(long, conflicts_with = "svg")]
    pub(crate) memory: bool,
}

/// Search a whole class of positions, and keep the proofs
#[derive(Args, Debug)]
#[command(after_help = SURVEY_EXAMPLES)]
pub(crate) struct Survey {
    #[command(subcommand)]
    pub(crate) command: SurveyCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SurveyCommand {
    Connect623(Connect623),
}

const SURVEY_EXAMPLES: &str = "\
Examples:
  sixproof survey connect623
  sixproof survey connect623 --nodes 10M --dir proofs
  sixproof survey connect623 --board unbounded

Each shape is saved when it is decided: Ctrl-C loses only the one at hand, and the next run goes on
where this one ended.

Exit codes: 0 all are decided, 1 a certificate was rejected, 2 some are unknown.";

/// Connect(6,2,3): which first moves of three stones win for Black?
#[derive(Args, Debug)]
#[command(after_help = SURVEY_EXAMPLES)]
pub(crate) struct Connect623 {
    /// The board
    #[arg(long, default_value = "19")]
    pub(crate) board: SurveyBoard,

    /// Nodes searched at most, for each shape: 100k, 5M
    #[arg(long, value_name = "N", default_value = "1M", value_parser = quantity::count)]
    pub(crate) nodes: u64,

    /// The highest order tried; lower ones are tried first
    #[arg(long, value_name = "N", default_value_t = 3)]
    #[arg(value_parser = quantity::up_to::<9>)]
    pub(crate) order: u32,

    #[command(flatten)]
    pub(crate) resources: ResourceArgs,

    /// Only these shapes, by name
    #[arg(long = "shape", value_name = "NAME")]
    pub(crate) shapes: Vec<String>,

    /// Where the certificates and the state of the survey are kept
    #[arg(long, value_name = "DIR", default_value = "connect623")]
    pub(crate) dir: PathBuf,

    /// Search the shapes again that an earlier run did not prove
    #[arg(long)]
    pub(crate) again: bool,
}

/// The board of a survey.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SurveyBoard {
    /// 19 x 19, the shape in the middle
    #[value(name = "19")]
    Nineteen,
    /// Without edges
    Unbounded,
}
