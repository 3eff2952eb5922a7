//! The options of `sixproof verify`.

use clap::Args;

use super::position::required;
use super::{POSITIONS, PictureArgs, PositionArgs, SearchArgs};

const VERIFY_EXAMPLES: &str = "\
Examples:
  sixproof verify \"J10 / A1 S19 / K11 L12 / A3 S17\" --move \"I9 K9\"
  sixproof verify game.sgf@12 --move k11l10 --nodes 20M
  sixproof verify tx-h9 --move \"K11 L10\" --hints ideas.sgf

The certificate is that of the position after the move.";

/// Verify a winning move: does the side to move win by force with it?
#[derive(Args, Debug)]
#[command(after_help = VERIFY_EXAMPLES, after_long_help = format!("{POSITIONS}\n\n{VERIFY_EXAMPLES}"))]
#[command(mut_arg("position", required))]
pub(crate) struct Verify {
    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// The move: all its stones, as in "K11 L10"
    #[arg(long = "move", value_name = "SQUARES", allow_hyphen_values = true)]
    pub(crate) squares: String,

    #[command(flatten)]
    pub(crate) search: SearchArgs,

    #[command(flatten)]
    pub(crate) picture: PictureArgs,
}
