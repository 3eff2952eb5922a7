//! The options of `sixproof check`.

use std::path::PathBuf;

use clap::Args;

use sixproof_solve::quantity;

const CHECK_EXAMPLES: &str = "\
Examples:
  sixproof check --demo
  sixproof check opening.cert
  sixproof check proofs/*.cert.zst
  sixproof check proofs/*.cert.zst --verbose
  sixproof check opening.cert --tree --depth 6
  sixproof check opening.cert --sgf strategy.sgf --svg zone.svg

One certificate is shown with its board, several with a line of play each. The last line counts how
many are verified. With --json there is one object for each certificate, and no other. The same
checker, with nothing around it, is the program sixproof-check.";

/// Check certificates: is the claimed win proved?
#[derive(Args, Debug)]
#[command(after_help = CHECK_EXAMPLES)]
pub(crate) struct Check {
    /// Certificates, plain or compressed with zstd; `-` reads standard input
    #[arg(required_unless_present = "demo", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Check a certificate that comes with the program, and walk through it move by move: a win in
    /// Go-Moku
    #[arg(long, conflicts_with = "files")]
    pub(crate) demo: bool,

    /// Print the proof as a tree
    #[arg(short, long)]
    pub(crate) tree: bool,

    /// How many moves deep the tree is printed
    #[arg(short, long, value_name = "MOVES", requires = "tree")]
    #[arg(value_parser = quantity::up_to::<{ u32::MAX }>)]
    pub(crate) depth: Option<u32>,

    /// Write the strategy as an SGF file with comments, for any SGF viewer
    #[arg(long, value_name = "FILE")]
    pub(crate) sgf: Option<PathBuf>,

    /// Draw the position with the zone of the proof
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,

    /// Print only the verdict of each file
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Show the board and all counts of every file, also of several
    #[arg(short, long, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
}
