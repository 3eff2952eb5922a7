//! The options of `sixproof survey`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use sixproof_solve::quantity;

use super::ResourceArgs;

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

    /// Only these shapes, by name
    #[arg(long = "shape", value_name = "NAME")]
    pub(crate) shapes: Vec<String>,

    /// Where the certificates and the state of the survey are kept
    #[arg(long, value_name = "DIR", default_value = "connect623")]
    pub(crate) dir: PathBuf,

    /// Search the shapes again that an earlier run did not prove
    #[arg(long)]
    pub(crate) again: bool,

    #[command(flatten)]
    pub(crate) resources: ResourceArgs,
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
