//! The options of `sixproof bench farm`.

use std::num::NonZero;

use clap::Args;
use sixproof_solve::quantity;

use crate::options::{ConnectionArgs, SERVERS_HELP, Servers, share};

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
    /// The NATS server [default: $NATS_URL, or nats://127.0.0.1:4222]
    pub(crate) url: Option<Servers>,

    /// Number of jobs: 20k, 1M
    #[arg(long, value_name = "N", default_value = "20k", value_parser = quantity::count)]
    pub(crate) jobs: u64,

    /// Number of workers, each with its own connection
    #[arg(long, value_name = "N", default_value = "2")]
    #[arg(value_parser = quantity::at_least_one::<1_024>)]
    pub(crate) workers: NonZero<u16>,

    /// Number of parallel jobs of each worker
    #[arg(long, value_name = "N", default_value = "64")]
    #[arg(value_parser = quantity::at_least_one::<1_024>)]
    pub(crate) cores: NonZero<u16>,

    /// The share of answers that is done again, as `prove --farm` has it
    #[arg(long, value_name = "SHARE", default_value = "2%", value_parser = share)]
    pub(crate) audit: u32,

    #[command(flatten)]
    pub(crate) connection: ConnectionArgs,
}
