//! What pictures of a position show, and how.

use clap::{Args, ValueEnum};
use sixproof_game::Color;
use sixproof_game::picture::Theme;
use sixproof_solve::quantity;

/// What a picture of a position shows, and how; the same on the terminal and in files.
#[derive(Args, Clone, Debug)]
pub(crate) struct PictureArgs {
    /// Number the stones by their moves
    #[arg(short, long, help_heading = "What to draw")]
    pub(crate) numbers: bool,

    /// Draw the threats of a side
    #[arg(short, long, value_name = "SIDE", help_heading = "What to draw")]
    pub(crate) threats: Option<Sides>,

    /// Put a label on a square
    #[arg(short, long = "label", value_name = "SQUARE=TEXT", help_heading = "What to draw")]
    pub(crate) labels: Vec<String>,

    /// Mark a square: with a triangle, or as SQUARE=square, circle, cross
    #[arg(short, long = "mark", value_name = "SQUARE[=SHAPE]", help_heading = "What to draw")]
    pub(crate) marks: Vec<String>,

    /// Show only a part of the board, from corner to corner
    #[arg(long, value_name = "F5:O14", allow_hyphen_values = true, help_heading = "What to draw")]
    pub(crate) window: Option<String>,

    /// A line of text under the picture
    #[arg(long, value_name = "TEXT", help_heading = "What to draw")]
    pub(crate) caption: Option<String>,

    /// Leave the coordinates out
    #[arg(long, help_heading = "How to draw")]
    pub(crate) no_coordinates: bool,

    /// Colours of a picture in a file
    #[arg(long, default_value = "wood", help_heading = "How to draw")]
    pub(crate) theme: ThemeName,

    /// Width of a picture of pixels (PNG, GIF)
    #[arg(long, value_name = "PIXELS", help_heading = "How to draw")]
    #[arg(value_parser = quantity::up_to::<{ u32::MAX }>)]
    pub(crate) width: Option<u32>,

    /// Plain ASCII on the terminal
    #[arg(long, help_heading = "How to draw")]
    pub(crate) ascii: bool,
}

/// One side or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sides {
    Black,
    White,
    Both,
}

impl Sides {
    /// The sides that are meant, Black first.
    pub(crate) fn colors(self) -> &'static [Color] {
        match self {
            Sides::Black => &[Color::Black],
            Sides::White => &[Color::White],
            Sides::Both => &[Color::Black, Color::White],
        }
    }
}

/// Colours of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ThemeName {
    /// A wooden board
    Wood,
    /// Black on white, for print
    Light,
    /// For dark pages
    Dark,
}

impl ThemeName {
    pub(crate) fn theme(self) -> Theme {
        match self {
            ThemeName::Wood => Theme::Wood,
            ThemeName::Light => Theme::Light,
            ThemeName::Dark => Theme::Dark,
        }
    }
}
