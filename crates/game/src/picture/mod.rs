//! Pictures of positions: their contents, independent of the medium.
//!
//! A [`Picture`] is a description: the position, and the texts, drawings and tints on it. Two media
//! draw it: [`Picture::svg`] for pages, articles and (rasterised) PNG and GIF files, and
//! [`Picture::terminal`] for a terminal. Both show the same things, and neither relies on colour
//! alone: a zone is tinted and hatched, a threat is a band with rings, the last move has a mark.
//!
//! Texts are hostile input (they come from files and links): every medium cleans and escapes them.
//!
//! ```
//! use sixproof_game::picture::{Mark, Picture, TerminalStyle, Theme};
//! use sixproof_game::{Game, Position};
//!
//! let game = Game::CONNECT6;
//! let mut position = Position::new(game);
//! let centre = game.parse_square("J10")?;
//! position.place(centre)?;
//! let picture = Picture::new(&position)
//!     .number(centre, 1)
//!     .label(game.parse_square("K11")?, "a")
//!     .mark(game.parse_square("H8")?, Mark::Triangle)
//!     .caption("The first stone")
//!     .theme(Theme::Light);
//! assert!(picture.svg().starts_with("<svg "));
//! assert!(picture.terminal(TerminalStyle::default()).contains("White to move"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::{BTreeMap, BTreeSet};

use crate::{COORDINATE_MAX, Color, Game, Position, Segment, Square};

pub use crate::record::Mark;

mod layout;
mod palette;
mod svg;
mod terminal;
#[cfg(test)]
mod tests;
mod text;

pub use terminal::TerminalStyle;

/// The most columns or rows of an unbounded board that one picture shows.
pub const WINDOW_MAX: u32 = 59;
/// The most characters of a label; the rest is cut.
pub const LABEL_MAX: usize = 6;
/// The most characters of a title or caption; the rest is cut.
pub const CAPTION_MAX: usize = 600;

/// The colours of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// A wooden board with shaded stones, for screens.
    #[default]
    Wood,
    /// Flat and mostly black on white, for articles and print.
    Light,
    /// A dark board, for dark pages.
    Dark,
}

/// The squares of a zone in two layers (docs/certificate.md, Zones), drawn under the stones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ZoneLayers {
    /// The squares where one extra stone may matter: A and the squares of S1. Tinted.
    pub solid: BTreeSet<Square>,
    /// The squares where extra stones may matter that Defender places in one move: those of S2 to
    /// Sp. Hatched, where not solid.
    pub hatched: BTreeSet<Square>,
}

impl ZoneLayers {
    /// The layers of a zone: of its squares A, and of its segments with their least levels. The
    /// two do not overlap.
    pub fn new<S: IntoIterator<Item = Square>>(
        game: Game,
        squares: impl IntoIterator<Item = Square>,
        segments: impl IntoIterator<Item = (S, u32)>,
    ) -> ZoneLayers {
        let mut layers = ZoneLayers { solid: squares.into_iter().collect(), ..Default::default() };
        for (squares, level) in segments {
            match level {
                1 => layers.solid.extend(squares),
                level if level <= game.p() => layers.hatched.extend(squares),
                // More stones than a move has do not come at once.
                _ => {}
            }
        }
        layers.hatched.retain(|square| !layers.solid.contains(square));
        layers
    }
}

/// A stone of a shown continuation: it is not on the board yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ghost {
    color: Color,
    number: Option<u32>,
}

/// A position and the things shown on it. See the [module](self) for an example.
#[derive(Clone, Debug)]
pub struct Picture {
    position: Position,
    numbers: BTreeMap<Square, u32>,
    last_move: BTreeSet<Square>,
    labels: BTreeMap<Square, String>,
    marks: BTreeMap<Square, Mark>,
    zone: Option<ZoneLayers>,
    threats: BTreeSet<(Segment, Color)>,
    ghosts: BTreeMap<Square, Ghost>,
    arrows: Vec<(Square, Square)>,
    winning_line: bool,
    cursor: Option<Square>,
    title: Option<String>,
    caption: Option<String>,
    coordinates: bool,
    theme: Theme,
    window: Option<(Square, Square)>,
}

impl Picture {
    /// The position alone, with coordinates, and with the winning line if there is one.
    pub fn new(position: &Position) -> Picture {
        Picture {
            position: position.clone(),
            numbers: BTreeMap::new(),
            last_move: BTreeSet::new(),
            labels: BTreeMap::new(),
            marks: BTreeMap::new(),
            zone: None,
            threats: BTreeSet::new(),
            ghosts: BTreeMap::new(),
            arrows: Vec::new(),
            winning_line: true,
            cursor: None,
            title: None,
            caption: None,
            coordinates: true,
            theme: Theme::default(),
            window: None,
        }
    }

    /// Writes a number on a stone.
    #[must_use]
    pub fn number(mut self, square: Square, number: u32) -> Picture {
        self.numbers.insert(square, number);
        self
    }

    /// Writes numbers on stones.
    #[must_use]
    pub fn numbers(mut self, numbers: impl IntoIterator<Item = (Square, u32)>) -> Picture {
        self.numbers.extend(numbers);
        self
    }

    /// Marks the stones of the last move.
    #[must_use]
    pub fn last_move(mut self, squares: impl IntoIterator<Item = Square>) -> Picture {
        self.last_move.extend(squares);
        self
    }

    /// Writes a label on a square; on a stone it takes the place of the number. At most
    /// [`LABEL_MAX`] characters are shown.
    #[must_use]
    pub fn label(mut self, square: Square, text: impl Into<String>) -> Picture {
        self.labels.insert(square, text.into());
        self
    }

    /// Draws a sign on a square.
    #[must_use]
    pub fn mark(mut self, square: Square, mark: Mark) -> Picture {
        self.marks.insert(square, mark);
        self
    }

    /// Lays a zone under the stones.
    #[must_use]
    pub fn zone(mut self, zone: ZoneLayers) -> Picture {
        self.zone = Some(zone);
        self
    }

    /// Draws a threat: a band along the segment, with rings on its empty squares.
    #[must_use]
    pub fn threat(mut self, segment: Segment, color: Color) -> Picture {
        self.threats.insert((segment, color));
        self
    }

    /// Draws all threats of a side.
    #[must_use]
    pub fn threats_of(mut self, color: Color) -> Picture {
        self.threats.extend(self.position.threats(color).into_iter().map(|s| (s, color)));
        self
    }

    /// Adds a faint stone of a shown continuation, with its number if it has one.
    #[must_use]
    pub fn ghost(mut self, square: Square, color: Color, number: Option<u32>) -> Picture {
        self.ghosts.insert(square, Ghost { color, number });
        self
    }

    /// Draws an arrow from one square to another.
    #[must_use]
    pub fn arrow(mut self, from: Square, to: Square) -> Picture {
        self.arrows.push((from, to));
        self
    }

    /// Whether the line that won is shown, as it is by default.
    #[must_use]
    pub fn winning_line(mut self, shown: bool) -> Picture {
        self.winning_line = shown;
        self
    }

    /// Puts the cursor of the player on a square: square brackets around it. Only a terminal has
    /// one.
    #[must_use]
    pub fn cursor(mut self, square: Square) -> Picture {
        self.cursor = Some(square);
        self
    }

    /// Writes a title above the board.
    #[must_use]
    pub fn title(mut self, text: impl Into<String>) -> Picture {
        self.title = Some(text.into());
        self
    }

    /// Writes a caption below the board.
    #[must_use]
    pub fn caption(mut self, text: impl Into<String>) -> Picture {
        self.caption = Some(text.into());
        self
    }

    /// Whether the names of columns and rows are shown, as they are by default.
    #[must_use]
    pub fn coordinates(mut self, shown: bool) -> Picture {
        self.coordinates = shown;
        self
    }

    /// Chooses the colours.
    #[must_use]
    pub fn theme(mut self, theme: Theme) -> Picture {
        self.theme = theme;
        self
    }

    /// Shows only the part of the board between two opposite corners, both included.
    ///
    /// Without a window a bounded board is shown whole, and of an unbounded one the part with all
    /// of its contents, as far as [`WINDOW_MAX`] allows.
    #[must_use]
    pub fn window(mut self, corner: Square, opposite: Square) -> Picture {
        self.window = Some((corner, opposite));
        self
    }

    /// The squares of the lines that won, if they are shown.
    fn winning_squares(&self) -> BTreeSet<Square> {
        if self.winning_line { self.position.winning_squares() } else { BTreeSet::new() }
    }

    /// The squares of a segment; empty when it is so far away that counting them would overflow.
    fn segment_squares(&self, segment: Segment) -> Vec<Square> {
        let far = segment.start.x.unsigned_abs().max(segment.start.y.unsigned_abs());
        let steep = segment.direction.0.unsigned_abs().max(segment.direction.1.unsigned_abs());
        if far > 2 * COORDINATE_MAX as u32 || steep > 1 {
            return Vec::new();
        }
        segment.squares(self.position.game()).collect()
    }

    /// The empty squares of the threats, each with the side that threatens there.
    fn threat_squares(&self) -> BTreeSet<Square> {
        let segments = self.threats.iter().flat_map(|&(s, _)| self.segment_squares(s));
        segments.filter(|&s| self.position.at(s).is_none()).collect()
    }

    /// The side to move with its stones, or the end of the game.
    fn status(&self) -> String {
        let position = &self.position;
        if let Some(winner) = position.winner() {
            return format!("{} has won", winner.title());
        }
        if position.is_full() {
            return "The board is full".to_string();
        }
        let stones = if position.left() == 1 { "stone" } else { "stones" };
        format!("{} to move, {} {stones} left", position.to_move().title(), position.left())
    }
}
