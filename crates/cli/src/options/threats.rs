//! The options of `sixproof threats`.

use std::path::PathBuf;

use clap::Args;
use sixproof_solve::quantity;

use super::position::required;
use super::{POSITIONS, PositionArgs, Sides, ThemeName};

const THREATS_EXAMPLES: &str = "\
Examples:
  sixproof threats game.sgf@12
  sixproof threats \"J10 / A1 S19 / K11 L12\" --side black
  sixproof threats game.sgf --out threats.svg

Live-l and dead-l are listed when one move makes them into threats.";

/// List threats, live and dead patterns, and the moves that defend
#[derive(Args, Debug)]
#[command(after_help = THREATS_EXAMPLES, after_long_help = format!("{POSITIONS}\n\n{THREATS_EXAMPLES}"))]
#[command(mut_arg("position", required))]
pub(crate) struct Threats {
    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// Whose threats
    #[arg(short, long, default_value = "both")]
    pub(crate) side: Sides,

    /// Draw the board into a file instead of on the terminal: .svg or .png
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Show only a part of the board, from corner to corner
    #[arg(long, value_name = "F5:O14", allow_hyphen_values = true, help_heading = "What to draw")]
    pub(crate) window: Option<String>,

    /// Colours of SVG and PNG
    #[arg(long, default_value = "wood", help_heading = "How to draw")]
    pub(crate) theme: ThemeName,

    /// Width of PNG in pixels
    #[arg(long, value_name = "PIXELS", help_heading = "How to draw")]
    #[arg(value_parser = quantity::up_to::<{ u32::MAX }>)]
    pub(crate) width: Option<u32>,

    /// Plain ASCII on the terminal
    #[arg(long, help_heading = "How to draw")]
    pub(crate) ascii: bool,
}
