//! The colours of the themes. The signal colours are those of Okabe and Ito, which colour-blind
//! readers can tell apart; no meaning rests on them alone.

use crate::Color;

use super::Theme;

/// A stone: its filling, its edge, and the colour of texts on it.
pub(super) struct StoneColors {
    pub(super) fill: &'static str,
    pub(super) edge: &'static str,
    pub(super) ink: &'static str,
}

/// All colours of a theme.
pub(super) struct Palette {
    /// The end of the names of gradients and patterns, so that pictures of several themes fit in a
    /// page.
    pub(super) name: &'static str,
    pub(super) background: &'static str,
    pub(super) grid: &'static str,
    pub(super) text: &'static str,
    pub(super) muted: &'static str,
    pub(super) zone: &'static str,
    pub(super) zone_opacity: &'static str,
    pub(super) hatch: &'static str,
    /// Rings on the empty squares of threats, and arrows.
    pub(super) signal: &'static str,
    /// The winning line.
    pub(super) win: &'static str,
    /// The ring around a numbered stone of the last move.
    pub(super) last: &'static str,
    black: StoneColors,
    white: StoneColors,
    black_ghost: StoneColors,
    white_ghost: StoneColors,
    /// Bands of threats: a core and a casing.
    black_band: (&'static str, &'static str),
    white_band: (&'static str, &'static str),
}

impl Palette {
    pub(super) fn of(theme: Theme) -> &'static Palette {
        match theme {
            Theme::Wood => &WOOD,
            Theme::Light => &LIGHT,
            Theme::Dark => &DARK,
        }
    }

    pub(super) fn stone(&self, color: Color) -> &StoneColors {
        match color {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }

    pub(super) fn ghost(&self, color: Color) -> &StoneColors {
        match color {
            Color::Black => &self.black_ghost,
            Color::White => &self.white_ghost,
        }
    }

    pub(super) fn band(&self, color: Color) -> (&'static str, &'static str) {
        match color {
            Color::Black => self.black_band,
            Color::White => self.white_band,
        }
    }
}

const WOOD: Palette = Palette {
    name: "wood",
    background: "#eac88e",
    grid: "#6f5127",
    text: "#33230c",
    muted: "#74552a",
    zone: "#0072b2",
    zone_opacity: ".34",
    hatch: "#0b5c8c",
    signal: "#c43c00",
    win: "#d9480f",
    last: "#d9480f",
    black: StoneColors { fill: "url(#black-wood)", edge: "#0a0a0a", ink: "#fff" },
    white: StoneColors { fill: "url(#white-wood)", edge: "#8f8672", ink: "#111" },
    black_ghost: StoneColors { fill: "#7a674b", edge: "#2b2012", ink: "#fff" },
    white_ghost: StoneColors { fill: "#f4e4c6", edge: "#6f5127", ink: "#3d2c12" },
    black_band: ("#3a2a14", "#3a2a14"),
    white_band: ("#fffaf0", "#6f5127"),
};

const LIGHT: Palette = Palette {
    name: "light",
    background: "#fff",
    grid: "#555",
    text: "#111",
    muted: "#555",
    zone: "#56b4e9",
    zone_opacity: ".42",
    hatch: "#4787ad",
    signal: "#c43c00",
    win: "#e8590c",
    last: "#e8590c",
    black: StoneColors { fill: "#161616", edge: "#161616", ink: "#fff" },
    white: StoneColors { fill: "#fff", edge: "#161616", ink: "#111" },
    black_ghost: StoneColors { fill: "#7d7d7d", edge: "#222", ink: "#fff" },
    white_ghost: StoneColors { fill: "#fafafa", edge: "#666", ink: "#444" },
    black_band: ("#333", "#333"),
    white_band: ("#fff", "#555"),
};

const DARK: Palette = Palette {
    name: "dark",
    background: "#262b31",
    grid: "#6c7682",
    text: "#eceff2",
    muted: "#a3adb8",
    zone: "#2f8fd0",
    zone_opacity: ".45",
    hatch: "#5aa9dd",
    signal: "#ffa94d",
    win: "#ff8c2e",
    last: "#ff8c2e",
    black: StoneColors { fill: "#07090b", edge: "#98a2ad", ink: "#fff" },
    white: StoneColors { fill: "#f1f3f5", edge: "#f1f3f5", ink: "#111" },
    black_ghost: StoneColors { fill: "#171b20", edge: "#8a949f", ink: "#cdd4db" },
    white_ghost: StoneColors { fill: "#aab2ba", edge: "#e3e7ea", ink: "#111" },
    black_band: ("#07090b", "#98a2ad"),
    white_band: ("#b4bcc4", "#b4bcc4"),
};
