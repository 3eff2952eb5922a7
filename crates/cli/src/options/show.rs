//! The options of `sixproof show`.

use std::path::PathBuf;

use clap::Args;
use sixproof_solve::quantity;

use super::position::required;
use super::{POSITIONS, PictureArgs, PositionArgs};

const SHOW_EXAMPLES: &str = "\
Examples:
  sixproof show tx-h9
  sixproof show \"J10 / I8 H9 / K11 L10\" --numbers
  sixproof show game.sgf@12 --threats both --out board.png
  sixproof show game.sgf --out game.gif
  sixproof show opening.cert --zone --theme light --out zone.svg";

/// Show a position on the terminal, or draw it as SVG, PNG or animated GIF
#[derive(Args, Debug)]
#[command(after_help = SHOW_EXAMPLES, after_long_help = format!("{POSITIONS}\n\n{SHOW_EXAMPLES}"))]
#[command(mut_arg("position", required))]
pub(crate) struct Show {
    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// Write a picture instead: .svg, .png, .gif (the moves, one after the other) or .txt (a
    /// diagram that can be read back)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) picture: PictureArgs,

    /// Draw the zone that a certificate's proof depends on (checks the certificate first); without
    /// a file, of the certificate that is the position
    #[arg(short, long, value_name = "CERT", num_args = 0..=1, require_equals = true)]
    #[arg(help_heading = "What to draw")]
    pub(crate) zone: Option<Option<PathBuf>>,

    /// Milliseconds between two moves of a GIF
    #[arg(long, value_name = "MS", default_value_t = 800, help_heading = "How to draw")]
    #[arg(value_parser = quantity::up_to::<655_350>)]
    pub(crate) frame_ms: u32,
}
