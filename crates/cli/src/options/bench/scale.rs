//! The options of `sixproof bench scale`.

use std::path::PathBuf;

use clap::Args;
use sixproof_solve::quantity;

use crate::options::PolicyName;

const SCALE_EXAMPLES: &str = "\
Examples:
  sixproof bench scale
  sixproof bench scale --workers 1,16,256 --policy doubled --seeds 1
  sixproof bench scale --svg scale.svg
  sixproof bench scale --measure job-times.txt
  sixproof bench scale --memory

No job is really done: the tree of jobs is the real one, the game and the clock are made up, and
jobs take the times of real ones (crates/experiments/data/job-times.txt). The same options give the
same figures on every machine, but for the jobs a second that the tree itself can take, which are
measured.";

/// Simulate the search over jobs with many workers: speed-up, idle share and overhead by policy
#[derive(Args, Debug)]
#[command(after_help = SCALE_EXAMPLES)]
pub(crate) struct BenchScale {
    /// Numbers of workers
    #[arg(long, value_name = "N,N,...", value_delimiter = ',')]
    #[arg(default_value = "1,2,4,8,16,32,64,128,256,512,1024,2048,4096")]
    #[arg(value_parser = quantity::up_to::<65536>)]
    pub(crate) workers: Vec<u32>,

    /// What the answers of jobs under way are taken to be; else each in turn
    #[arg(long, value_name = "POLICY")]
    pub(crate) policy: Option<PolicyName>,

    /// Number of made-up games
    #[arg(long, value_name = "N", default_value_t = 3)]
    #[arg(value_parser = quantity::up_to::<3>)]
    pub(crate) seeds: u32,

    /// Milliseconds that a job and its answer are on their way
    #[arg(long, value_name = "MS", default_value_t = 1)]
    #[arg(value_parser = quantity::at_most::<60_000>)]
    pub(crate) latency: u32,

    /// Draw speed-up and idle share
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,

    /// Do real jobs instead, and write down what they take
    #[arg(long, value_name = "FILE", conflicts_with_all = ["svg", "memory"])]
    pub(crate) measure: Option<PathBuf>,

    /// Measure instead the memory of the tree of jobs
    #[arg(long, conflicts_with = "svg")]
    pub(crate) memory: bool,
}
