//! The options of `sixproof value`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use sixproof_prover::value::Improvements;

use sixproof_solve::quantity;

use super::ResourceArgs;

const VALUE_EXAMPLES: &str = "\
Examples:
  sixproof value 5,5,5,1,1
  sixproof value 6,5,4,1,1 --cert win.cert
  sixproof value 7,7,5,1,1 --time 5m
  sixproof value 5,5,4,2,1 --without maker-breaker,potential
  sixproof value --table

Boards have up to 64 squares. A win counts only once the checker has verified its certificate. That
a side cannot win is shown by strategy stealing (White, where q >= p), by a pairing strategy, which
is printed, by the potential of Erdos and Selfridge, or by an exhaustive search, whose nodes are
printed; --without repeats it in another way. A win that the store has is checked and reported, and
a win that is found is kept there; not so with --without and --table. With --hints or --farm, a win
of Black is first looked for as `prove` does. Exit code 2 when the value was not found; with --table
1 when one differs from what was published.";

/// Find the value of a small game: does Black win, does White, or is it a draw?
#[derive(Args, Debug)]
#[command(after_help = VALUE_EXAMPLES)]
pub(crate) struct Value {
    /// The game: m,n,k,p,q, or a name
    #[arg(required_unless_present = "table")]
    pub(crate) game: Option<String>,

    /// The values of many games that are quick to find, beside those that were published
    #[arg(long, conflicts_with_all = ["game", "cert", "hints", "farm"])]
    pub(crate) table: bool,

    /// The file of the certificate of a win, compressed if it ends in .zst [default: a new file
    /// named after the game]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) cert: Option<PathBuf>,

    /// Print only the value
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Nodes searched at most, for each game: 100k, 5M
    #[arg(long, value_name = "N", default_value = "100M", value_parser = quantity::count)]
    #[arg(help_heading = "Search")]
    pub(crate) nodes: u64,

    /// Time spent at most, for each game: 30s, 5m, 2h
    #[arg(long, value_name = "TIME", value_parser = quantity::time, help_heading = "Search")]
    pub(crate) time: Option<Duration>,

    /// Improvements of the search to leave out: the same value in another way
    #[arg(long, value_name = "WHAT", value_delimiter = ',', help_heading = "Search")]
    pub(crate) without: Vec<ImprovementName>,

    #[command(flatten)]
    pub(crate) resources: ResourceArgs,
}

/// What can be switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ImprovementName {
    /// Strategy stealing
    Stealing,
    /// Pairing strategies
    Pairing,
    /// The potential of Erdos and Selfridge
    Potential,
    /// Symmetric positions are the same
    Symmetry,
    /// Searches in which Defender's rows do not count
    MakerBreaker,
    /// What does not matter in these searches is left out
    Reduction,
    /// Strategies of rising orders, as in `sixproof prove`
    Prover,
    /// All of these
    All,
}

impl Value {
    /// What is left of the improvements.
    pub(crate) fn improvements(&self) -> Improvements {
        let mut improvements = Improvements::ALL;
        for name in &self.without {
            match name {
                ImprovementName::Stealing => improvements.stealing = false,
                ImprovementName::Pairing => improvements.pairing = false,
                ImprovementName::Potential => improvements.potential = false,
                ImprovementName::Symmetry => improvements.symmetry = false,
                ImprovementName::MakerBreaker => improvements.maker_breaker = false,
                ImprovementName::Reduction => improvements.reduction = false,
                ImprovementName::Prover => improvements.prover = false,
                ImprovementName::All => improvements = Improvements::NONE,
            }
        }
        improvements
    }
}
