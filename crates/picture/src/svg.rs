//! The frame of the program's own drawings, plots and maps: an SVG document that stands alone and
//! follows the reader's choice of a light or dark page. Boards are drawn by `sixproof_game`.
//!
//! The colours are those of Okabe and Ito, which colour-blind readers can distinguish; no meaning
//! rests on them alone. Viewers that do not know the choice of the page, our own PNG among them,
//! show the light colours.

use std::fmt::Write as _;

/// Classes with their colours on light pages, then what differs on dark ones.
const STYLE: &str = "\
.ground{fill:#fff}.ink{fill:#111}.soft{fill:#555}\
.over{fill:#555;stroke:#fff;stroke-width:4;stroke-linejoin:round;paint-order:stroke}\
.axis{stroke:#555;fill:none}.grid{stroke:#ddd;fill:none}\
.one{stroke:#0072b2;fill:none}.other{stroke:#d55e00;fill:none}\
.yes{fill:#0072b2}.maybe{fill:#f5d089;stroke:#9a6400}.none{fill:#f3f3f3;stroke:#bbb}\
.black{fill:#111;stroke:#111}.white{fill:#fff;stroke:#111}\
@media (prefers-color-scheme:dark){\
.ground{fill:#1b1f24}.ink{fill:#eceff2}.soft{fill:#a3adb8}\
.over{fill:#a3adb8;stroke:#1b1f24}.axis{stroke:#a3adb8}.grid{stroke:#353c44}\
.one{stroke:#56b4e9}.other{stroke:#ff9a4d}\
.yes{fill:#3d9bd9}.maybe{fill:#5c4413;stroke:#e6a93b}.none{fill:#262b31;stroke:#4c555f}\
.black{fill:#000;stroke:#98a2ad}.white{fill:#f1f3f5;stroke:#f1f3f5}}";

/// Where a text stands, seen from its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// It begins there.
    Start,
    /// It is centred there.
    Middle,
    /// It ends there.
    End,
}

/// A drawing that is being made.
pub struct Svg {
    out: String,
}

impl Svg {
    /// An empty page; the title and the description are read aloud to those who cannot see it.
    pub fn new(width: i32, height: i32, title: &str, description: &str) -> Svg {
        let mut svg = Svg { out: String::new() };
        svg.put(format_args!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="sixproof,Inter,Helvetica,Arial,sans-serif" font-weight="500"><title>{}</title><desc>{}</desc><style>{STYLE}</style><rect class="ground" width="{width}" height="{height}"/>"#,
            escape(title),
            escape(description),
        ));
        svg.out.push('\n');
        svg
    }

    /// Adds elements as they are.
    pub fn put(&mut self, elements: std::fmt::Arguments<'_>) {
        self.out.write_fmt(elements).expect("memory takes all");
    }

    /// Adds a text in letters of a size.
    pub fn text(&mut self, class: &str, size: i32, (x, y): (f64, f64), anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => r#" text-anchor="middle""#,
            Anchor::End => r#" text-anchor="end""#,
        };
        let (x, y) = (tenths(x), tenths(y));
        self.put(format_args!(
            r#"<text class="{class}" font-size="{size}" x="{x}" y="{y}"{anchor}>{}</text>"#,
            escape(text)
        ));
    }

    /// The document.
    pub fn finish(mut self) -> String {
        self.out.push_str("</svg>\n");
        self.out
    }
}

/// A coordinate with at most one decimal.
pub fn tenths(number: f64) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_string)
}

/// A text with the characters escaped that mean something in XML, without those that it forbids.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars().filter(|c| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}')) {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(all(test, feature = "raster"))]
mod tests {
    use super::*;
    use crate::raster::{self, RasterSize};

    #[test]
    fn any_text_makes_a_picture() {
        let mut svg = Svg::new(80, 40, "a < b & \"c\"", "\u{0}\u{ffff}]]>");
        svg.text("ink", 12, (4.0, 20.04), Anchor::Start, "<script>&\u{1b}");
        let svg = svg.finish();
        assert!(svg.contains(r#"x="4" y="20">&lt;script&gt;&amp;</text>"#), "{svg}");
        assert!(raster::png(&svg, RasterSize::Scale(1.0)).is_ok());
    }
}
