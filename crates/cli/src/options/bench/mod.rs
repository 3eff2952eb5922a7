//! The options of `sixproof bench`.

use clap::{Args, Subcommand};

mod farm;
mod play;
mod scale;
mod zones;

pub(crate) use farm::BenchFarm;
pub(crate) use play::BenchPlay;
pub(crate) use scale::BenchScale;
pub(crate) use zones::BenchZones;

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
    Zones(BenchZones),
    Play(BenchPlay),
    Farm(Box<BenchFarm>),
    Scale(BenchScale),
}
