//! The options of `sixproof bench play`.

use clap::Args;
use sixproof_solve::quantity;

const BENCH_PLAY_EXAMPLES: &str = "\
Examples:
  sixproof bench play
  sixproof bench play --nodes 200k
  sixproof bench play --json

Nodes are positions of the game tree; those of threat searches count towards the limit, too.
Branching is the effective branching factor: the d-th root of the nodes at the time when the
greatest depth d was completed; in the last line, the geometric mean. Hits are the positions found
in the table, of those looked up. Speed is not part of the hash: only moves and counts are, and with the
usual number of nodes they are the same on every machine.";

/// Measure the moves of the player: nodes, depth, branching, hits in the table, and speed
#[derive(Args, Debug)]
#[command(after_help = BENCH_PLAY_EXAMPLES)]
pub(crate) struct BenchPlay {
    /// Nodes searched for a move at most: 100k, 5M
    #[arg(long, value_name = "N", default_value = "10k", value_parser = quantity::count)]
    pub(crate) nodes: u64,
}
