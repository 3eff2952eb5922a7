//! The options of `sixproof convert`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use sixproof_solve::export::Format;

use super::position::required;
use super::{POSITIONS, PositionArgs};

const CONVERT_EXAMPLES: &str = "\
Examples:
  sixproof convert game.lib --game gomoku --out game.sgf
  sixproof convert \"1.j10 2.i9l10 3.j8l8\" --to inline
  sixproof convert game.sgf@12 --to diagram
  sixproof convert game.psq --game gomoku-exact --to sgf
  sixproof convert games.sgf#3 --out third.sgf
  sixproof convert games.sgf --each --out game.psq";

/// Convert games between file formats
#[derive(Args, Debug)]
#[command(after_help = CONVERT_EXAMPLES, after_long_help = format!("{POSITIONS}\n\n{CONVERT_EXAMPLES}"))]
#[command(mut_arg("position", required))]
pub(crate) struct Convert {
    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// The format to write; else by the name of --out, else sgf
    #[arg(short, long, value_name = "FORMAT")]
    pub(crate) to: Option<FormatName>,

    /// Where to write; standard output when not given
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Write each game of a collection into a file of its own: game-1.psq, game-2.psq … for --out
    /// game.psq
    #[arg(long, requires = "out")]
    pub(crate) each: bool,

    /// Replace the file that is read, and with --each files that are there
    #[arg(long, requires = "out")]
    pub(crate) force: bool,
}

/// The formats that can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatName {
    /// SGF with the whole tree
    Sgf,
    /// The line to the node, as in "J10 / I8 H9"
    Inline,
    /// The line to the node, as in "1.j10 2.i9h9"
    LittleGolem,
    /// The line to the node, as a CCGC record
    Ccgc,
    /// The line to the node, as a Gomocup .psq file
    Psq,
    /// The line to the node, as a connectk move list
    Connectk,
    /// The position as a board diagram
    Diagram,
}

impl FormatName {
    pub(crate) fn format(self) -> Format {
        match self {
            FormatName::Sgf => Format::Sgf,
            FormatName::Inline => Format::Inline,
            FormatName::LittleGolem => Format::LittleGolem,
            FormatName::Ccgc => Format::Ccgc,
            FormatName::Psq => Format::Psq,
            FormatName::Connectk => Format::Connectk,
            FormatName::Diagram => Format::Diagram,
        }
    }
}
