//! The styles an engine can play in, by name.

mod allowance;
mod field;
pub(crate) mod greedy;
mod kagami;
mod line;
pub(crate) mod nctu6;
mod random;
mod urgent;
mod values;

use std::fmt;
use std::str::FromStr;

pub(crate) use kagami::Kagami;
pub(crate) use random::Random;

/// A way of playing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Style {
    /// Our own: alpha-beta over a fitted evaluation, threat searches of both sides, zones.
    #[default]
    Sixproof,
    /// Liu's defensive strategy with conservative threat-space search (thesis, chapters 3 and 4).
    Kagami,
    /// Top-w moves and a threat solver first (Wu and Huang, section 4.3; Lin, section 5.1.1).
    Nctu6,
    /// The best move by evaluation, without looking ahead.
    Greedy,
    /// A random move.
    Random,
}

impl Style {
    /// All styles, strongest first.
    pub const ALL: [Style; 5] =
        [Style::Sixproof, Style::Nctu6, Style::Kagami, Style::Greedy, Style::Random];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Style::Sixproof => "sixproof",
            Style::Kagami => "kagami",
            Style::Nctu6 => "nctu6",
            Style::Greedy => "greedy",
            Style::Random => "random",
        }
    }

    /// A few words on it.
    pub fn about(self) -> &'static str {
        match self {
            Style::Sixproof => "our own: search, threat searches of both sides, zones; ten levels",
            Style::Nctu6 => "a threat solver and the best few moves, as NCTU6 did",
            Style::Kagami => "the defensive strategy of Kagami",
            Style::Greedy => "the best move by its looks",
            Style::Random => "any move",
        }
    }
}

impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Style {
    type Err = UnknownStyle;

    fn from_str(text: &str) -> Result<Style, UnknownStyle> {
        Style::ALL
            .into_iter()
            .find(|style| style.name() == text)
            .ok_or_else(|| UnknownStyle { text: text.chars().take(40).collect() })
    }
}

/// A name that no style has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownStyle {
    text: String,
}

impl fmt::Display for UnknownStyle {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let names: Vec<_> = Style::ALL.iter().map(|style| style.name()).collect();
        write!(f, "there is no style `{}`: try one of {}", self.text, names.join(", "))
    }
}

impl std::error::Error for UnknownStyle {}
