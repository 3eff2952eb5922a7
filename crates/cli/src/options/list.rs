//! The options of `sixproof list`.

use std::path::PathBuf;

use clap::Args;

const LIST_EXAMPLES: &str = "\
Examples:
  sixproof list
  sixproof list --json
  sixproof list games.sgf";

/// List the games and positions that have a name, or the games of a file
#[derive(Args, Debug)]
#[command(after_help = LIST_EXAMPLES)]
pub(crate) struct List {
    /// The file whose games are listed
    pub(crate) file: Option<PathBuf>,
}
