//! The options of `sixproof completions`.

use clap::Args;
use clap_complete::Shell;

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  sixproof completions bash > ~/.local/share/bash-completion/completions/sixproof
  sixproof completions fish > ~/.config/fish/completions/sixproof.fish";

/// Print a completion script for a shell
#[derive(Args, Debug)]
#[command(after_help = COMPLETIONS_EXAMPLES)]
pub(crate) struct Completions {
    /// The shell
    pub(crate) shell: Shell,
}
