//! The options of `sixproof man`.

use std::path::PathBuf;

use clap::Args;

const MAN_EXAMPLES: &str = "\
Examples:
  sixproof man | man -l -
  sixproof man --dir ~/.local/share/man/man1";

/// Print the manual page, or write one for each command
#[derive(Args, Debug)]
#[command(after_help = MAN_EXAMPLES)]
pub(crate) struct Man {
    /// Write sixproof.1 and a page for each command into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
}
