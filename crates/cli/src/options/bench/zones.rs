//! The options of `sixproof bench zones`.

use clap::Args;
use sixproof_solve::quantity;

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
pub(crate) struct BenchZones {
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
