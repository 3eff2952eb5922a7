//! Pictures as SVG.
//!
//! The unit is a pixel, a square is [`CELL`] of them, and the top left square of the frame is the
//! origin, so that stones stand at multiples of [`CELL`]. The view box begins half a pixel off:
//! lines of width 1 are crisp at every whole scale. The layers, from the bottom: background, zone,
//! grid, bands of threats and of the winning line, stones, signs, writing, arrows.
//!
//! The text of a picture is a function of the picture: whole numbers and tenths, ordered
//! sets, no hash order. It refers to nothing outside of itself and holds no script; names of
//! gradients and patterns end in the theme's name, so that several pictures can stand in one page.

use crate::{Color, Square};

use super::layout::Frame;
use super::palette::Palette;
use super::text::{clean, escape, width_hundredths, wrap};
use super::{CAPTION_MAX, Picture, Theme, WINDOW_MAX};

mod board;
mod stones;

/// The side of a square.
const CELL: i32 = 30;
/// The margin from the outermost lines to the edge of the picture, without texts.
const MARGIN: i32 = 25;
/// The distance from the outermost lines to the coordinates.
const COORDINATE_GAP: i32 = 21;
/// Size of the letters of coordinates, of the title and of the caption.
const COORDINATE_SIZE: i32 = 11;
const TITLE_SIZE: i32 = 16;
const CAPTION_SIZE: i32 = 13;
/// The distance from one line of a title or caption to the next, in percent of their size.
const LINE_PERCENT: i32 = 140;
/// The least width of a picture with a title or caption.
const WRITING_WIDTH_MIN: i32 = 220;
/// The most stones that the description lists; of more it gives only the number.
const DESCRIBED_MAX: usize = 400;

impl Picture {
    /// The picture as a complete SVG document, on one line. Equal pictures give equal texts.
    pub fn svg(&self) -> String {
        let mut drawing = Drawing {
            picture: self,
            frame: Frame::of(self, WINDOW_MAX),
            palette: Palette::of(self.theme),
            out: String::new(),
        };
        drawing.document();
        drawing.out
    }
}

/// A picture on its way to SVG.
struct Drawing<'a> {
    picture: &'a Picture,
    frame: Frame,
    palette: &'static Palette,
    out: String,
}

/// Appends formatted text to the document.
macro_rules! put {
    ($drawing:expr, $($format:tt)*) => {
        $drawing.out.push_str(&format!($($format)*))
    };
}
use put;

impl Drawing<'_> {
    fn document(&mut self) {
        let title = self.picture.title.as_deref().map(|t| clean(t, CAPTION_MAX));
        let caption = self.picture.caption.as_deref().map(|t| clean(t, CAPTION_MAX));
        let (title, caption) = (title.unwrap_or_default(), caption.unwrap_or_default());
        let (board_width, board_height) = self.board_size();

        let (mut left, mut right, mut top, mut bottom) = (MARGIN, MARGIN, MARGIN, MARGIN);
        if self.picture.coordinates {
            left = COORDINATE_GAP + self.row_names_width() + 8;
            bottom = COORDINATE_GAP + COORDINATE_SIZE + 7;
        }
        if !(title.is_empty() && caption.is_empty()) {
            let missing = (WRITING_WIDTH_MIN - left - board_width - right).max(0);
            left += missing / 2;
            right += missing - missing / 2;
        }
        let width = left + board_width + right;
        let title_lines = wrap_lines(&title, TITLE_SIZE, width - 16);
        let caption_lines = wrap_lines(&caption, CAPTION_SIZE, width - 16);
        if !title_lines.is_empty() {
            top += title_lines.len() as i32 * TITLE_SIZE * LINE_PERCENT / 100 + 4;
        }
        let caption_top = board_height + bottom;
        if !caption_lines.is_empty() {
            bottom += caption_lines.len() as i32 * CAPTION_SIZE * LINE_PERCENT / 100 + 8;
        }
        let height = top + board_height + bottom;

        put!(
            self,
            r#"<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" height="{height}" viewBox="{} {} {width} {height}" font-family="sixproof,Inter,Helvetica,Arial,sans-serif" font-weight="500">"#,
            Tenths(-10 * left - 5),
            Tenths(-10 * top - 5),
        );
        self.description(&title);
        self.definitions();
        put!(
            self,
            r#"<rect x="{}" y="{}" width="{}" height="{}" fill="{}"/>"#,
            -left - 1,
            -top - 1,
            width + 2,
            height + 2,
            self.palette.background
        );
        self.zone();
        self.grid();
        self.coordinates();
        self.bands();
        self.stones();
        self.ghosts();
        self.rings();
        self.marks();
        self.writing();
        self.arrows();
        let middle = width / 2 - left;
        self.lines(&title_lines, TITLE_SIZE, middle, 8 - top);
        self.lines(&caption_lines, CAPTION_SIZE, middle, caption_top);
        self.out.push_str("</svg>\n");
    }

    /// Width and height from the first to the last line.
    fn board_size(&self) -> (i32, i32) {
        ((self.frame.cols() - 1) * CELL, (self.frame.rows() - 1) * CELL)
    }

    /// Where a shown square is.
    fn place(&self, square: Square) -> (i32, i32) {
        ((square.x - self.frame.low.x) * CELL, (self.frame.high.y - square.y) * CELL)
    }

    /// The text for screen readers.
    fn description(&mut self, title: &str) {
        let position = &self.picture.position;
        let game = position.game();
        let name = game.title();
        if title.is_empty() {
            put!(self, "<title>{}</title>", escape(&name));
        } else {
            put!(self, "<title>{}</title>", escape(title));
        }
        put!(self, "<desc>{}. {}.", escape(&name), self.picture.status());
        for color in [Color::Black, Color::White] {
            let squares: Vec<Square> = position.squares_of(color).collect();
            match squares.len() {
                0 => put!(self, " {}: no stones.", color.title()),
                1..=DESCRIBED_MAX => {
                    put!(self, " {}: {}.", color.title(), game.square_names(&squares));
                }
                count => put!(self, " {}: {count} stones.", color.title()),
            }
        }
        self.out.push_str("</desc>");
    }

    /// Gradients of shaded stones and the hatch of the zone, where they are used.
    fn definitions(&mut self) {
        let palette = self.palette;
        let mut defs = String::new();
        let stones = || self.picture.position.stones().any(|(s, _)| self.frame.contains(s));
        if self.picture.theme == Theme::Wood && stones() {
            for (name, light, dark) in
                [("black", "#5d5d5d", "#0d0d0d"), ("white", "#fff", "#dcd6c8")]
            {
                defs += &format!(
                    r#"<radialGradient id="{name}-{}" cx=".36" cy=".3" r=".72"><stop stop-color="{light}"/><stop offset="1" stop-color="{dark}"/></radialGradient>"#,
                    palette.name
                );
            }
        }
        if self.picture.zone.as_ref().is_some_and(|zone| !zone.hatched.is_empty()) {
            defs += &format!(
                r#"<pattern id="hatch-{}" width="10" height="10" patternUnits="userSpaceOnUse"><path d="M-2 2 2-2M0 10 10 0M8 12 12 8" stroke="{}" stroke-width="1.4"/></pattern>"#,
                palette.name, palette.hatch
            );
        }
        if !defs.is_empty() {
            put!(self, "<defs>{defs}</defs>");
        }
    }

    /// Lines of a title or caption, centred.
    fn lines(&mut self, lines: &[String], size: i32, middle: i32, top: i32) {
        if lines.is_empty() {
            return;
        }
        let weight = if size == TITLE_SIZE { r#" font-weight="600""# } else { "" };
        let ink = self.palette.text;
        put!(self, r#"<g font-size="{size}" text-anchor="middle" fill="{ink}"{weight}>"#);
        for (i, line) in lines.iter().enumerate() {
            let y = top + size + i as i32 * size * LINE_PERCENT / 100;
            put!(self, r#"<text x="{middle}" y="{y}">{}</text>"#, escape(line));
        }
        self.out.push_str("</g>");
    }

    /// The width of the names of the rows.
    fn row_names_width(&self) -> i32 {
        let widths = self.frame.ys().map(|y| width_hundredths(&self.frame.row(y)));
        (widths.max().unwrap_or(0) * COORDINATE_SIZE + 99) / 100
    }
}

/// The lines of a text; an empty one has no lines.
fn wrap_lines(text: &str, size: i32, width: i32) -> Vec<String> {
    if text.is_empty() { Vec::new() } else { wrap(text, size, width) }
}

/// A number of tenths, in its shortest form: `4`, `4.5`, `-.5`.
struct Tenths(i32);

impl std::fmt::Display for Tenths {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (sign, whole, tenth) =
            (if self.0 < 0 { "-" } else { "" }, self.0.abs() / 10, self.0.abs() % 10);
        match (whole, tenth) {
            (_, 0) => write!(f, "{sign}{whole}"),
            (0, _) => write!(f, "{sign}.{tenth}"),
            _ => write!(f, "{sign}{whole}.{tenth}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Tenths;

    #[test]
    fn tenths_are_written_short() {
        let texts: Vec<String> =
            [0, 5, -5, 10, -15, 123].into_iter().map(|t| Tenths(t).to_string()).collect();
        assert_eq!(texts, ["0", ".5", "-.5", "1", "-1.5", "12.3"]);
    }
}
