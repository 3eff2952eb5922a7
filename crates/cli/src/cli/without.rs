//! What a search does without, to be measured.

use clap::{Args, ValueEnum};
use sixproof_prover::prove::Switches;

/// What a search does without.
#[derive(Args, Clone, Debug)]
pub(crate) struct WithoutArgs {
    /// Improvements of the search over quiet moves to do without: the effort changes, the verdict
    /// does not
    #[arg(long, value_name = "WHAT", value_delimiter = ',', help_heading = "Search")]
    without: Vec<SwitchName>,
}

/// What can be switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SwitchName {
    /// A move after which Defender has a forced win is refuted at once
    Dual,
    /// A proof answers the replies that are clear of its zone
    Posthoc,
    /// Of moves that mirror each other one is tried
    Mirrored,
    /// Positions won elsewhere in the tree are known
    Reuse,
    /// Moves that won elsewhere are tried first
    Winners,
    /// Moves are compared by a quick screening before one is verified
    Screening,
}

impl WithoutArgs {
    /// What is left of the improvements.
    pub(crate) fn switches(&self) -> Switches {
        let has = |name: SwitchName| !self.without.contains(&name);
        Switches {
            dual: has(SwitchName::Dual),
            posthoc: has(SwitchName::Posthoc),
            mirrored: has(SwitchName::Mirrored),
            reuse: has(SwitchName::Reuse),
            winners: has(SwitchName::Winners),
            screening: has(SwitchName::Screening),
        }
    }
}
