//! How a position is given; the same for every command.

use clap::builder::Resettable;
use clap::{Arg, Args};

/// How a position is given; the same for every command.
pub(super) const POSITIONS: &str = "\
A POSITION is one of
  a name              connect6, tx-h9, connect623 … (`sixproof list` shows all)
  a game              15,15,5,1,1 or inf,6,2,1,exact: its empty board
  moves               \"J10 / I8 H9 / K11 L10\", or a Little Golem list \"1.j10 2.i9l10\"
  a file              SGF, certificate, CCGC, .psq, RenLib .lib, connectk, diagram, moves;
                      FILE@12 is after move 12, FILE@4.b.3 follows a variation,
                      FILE#3 is the third game of a collection, FILE#3@12 a position of it
  a diagram           pasted as text, rows from the top, X and O for the stones
  -                   any of these from standard input";

/// A position and how to read it.
#[derive(Args, Clone, Debug)]
pub(crate) struct PositionArgs {
    /// The position: a name, a game, moves, a file, a diagram, or `-`
    #[arg(default_value = "connect6", allow_hyphen_values = true)]
    pub(crate) position: String,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
}

/// What a file does not say about itself.
#[derive(Args, Clone, Debug)]
pub(crate) struct ReadingArgs {
    /// The game, where the input does not say it: a name, or m,n,k,p,q and perhaps ,exact
    #[arg(long, value_name = "GAME", help_heading = "Reading")]
    pub(crate) game: Option<String>,

    /// Read the rows of an SGF file from the bottom (some writers count them so)
    #[arg(long, help_heading = "Reading")]
    pub(crate) flip: bool,
}

/// For commands that have nothing to do without a position.
pub(super) fn required(position: Arg) -> Arg {
    position.default_value(Resettable::Reset).required(true)
}
