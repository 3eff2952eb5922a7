//! Turns the text of our pictures into paths, before they are drawn.
//!
//! The library that draws SVG could set text itself, with a reader of fonts and a shaping engine
//! that cost a tenth of the time to build the program. Our pictures need little of that: digits and
//! short labels in one font, from left to right. So each `<text>` element becomes one `<path>` of
//! the outlines that `cargo xtask glyphs` took from the font. There is no kerning.
//!
//! Only what our own pictures use is supported. Anything else that would change how a text looks is
//! an error, so a new picture that needs more fails its test instead of looking wrong.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

use resvg::usvg::roxmltree::{Attribute, Document, Node};

use crate::raster::RasterError;

/// The most characters in all texts of a picture; a full board of 59 x 59 has about 14,000.
const CHARACTERS_MAX: usize = 50_000;
/// The largest coordinate and font size.
const NUMBER_MAX: f64 = 1e6;

/// Attributes of `<text>` that mean the same on a `<path>`.
const KEPT: &[&str] = &["class", "fill", "opacity", "transform"];
/// Attributes that elements inherit; [`Style::inside`] reads them.
const INHERITED: &[&str] = &["font-size", "text-anchor"];
/// Attributes without effect, because there is one font.
const WITHOUT_EFFECT: &[&str] = &["font-family", "font-weight"];
/// Attributes of any element that would change the text in it, and that we do not support.
const UNSUPPORTED: &[&str] = &[
    "alignment-baseline",
    "baseline-shift",
    "direction",
    "dominant-baseline",
    "font",
    "font-kerning",
    "font-size-adjust",
    "font-stretch",
    "font-style",
    "font-variant",
    "letter-spacing",
    "space",
    "text-decoration",
    "text-overflow",
    "unicode-bidi",
    "white-space",
    "word-spacing",
    "writing-mode",
];

/// Made by `cargo xtask glyphs` from Inter Medium (SIL Open Font License, see the file beside it),
/// cut down to Latin, Greek and a few signs.
const GLYPHS: &str = include_str!("../../assets/glyphs.txt");

static FONT: LazyLock<Font> =
    LazyLock::new(|| Font::parse(GLYPHS).expect("a test reads the committed glyphs"));

/// The picture with a `<path>` for every `<text>`.
pub(super) fn to_paths(svg: &str) -> Result<String, RasterError> {
    let document = Document::parse(svg).map_err(|error| RasterError::Svg(error.to_string()))?;
    let mut paths = String::with_capacity(svg.len());
    let mut copied_to = 0;
    let mut characters_left = CHARACTERS_MAX;
    // Nodes come in the order of their numbers, each after its parent.
    let mut styles: Vec<Style> = Vec::new();
    for node in document.descendants() {
        let outer = node.parent().map_or(Style::default(), |p| styles[p.id().get_usize()]);
        let style = outer.inside(node)?;
        styles.push(style);
        match node.tag_name().name() {
            "style" => check_css(node.text().unwrap_or(""))?,
            "text" => {
                let text = content(node)?;
                characters_left =
                    characters_left.checked_sub(text.chars().count()).ok_or_else(|| {
                        refused(format!("there are more than {CHARACTERS_MAX} characters"))
                    })?;
                paths.push_str(&svg[copied_to..node.range().start]);
                copied_to = node.range().end;
                push_path(&mut paths, svg, node, style, &text)?;
            }
            _ => {}
        }
    }
    paths.push_str(&svg[copied_to..]);
    Ok(paths)
}

fn refused(reason: impl Into<String>) -> RasterError {
    RasterError::Text(reason.into())
}

fn unsupported(attribute: Attribute) -> RasterError {
    let (name, value) = (attribute.name(), attribute.value());
    refused(format!("`{name}=\"{value}\"` is not supported"))
}

/// What a text inherits from the elements around it.
#[derive(Clone, Copy, Default)]
struct Style {
    font_size: Option<f64>,
    /// The part of its width by which a text stands to the left of its point.
    anchor: f64,
}

impl Style {
    /// The style inside a node, given the style around it.
    fn inside(mut self, node: Node) -> Result<Style, RasterError> {
        for attribute in node.attributes() {
            match (attribute.name(), attribute.value()) {
                ("font-size", _) => self.font_size = Some(number(attribute)?),
                ("text-anchor", "start") => self.anchor = 0.0,
                ("text-anchor", "middle") => self.anchor = 0.5,
                ("text-anchor", "end") => self.anchor = 1.0,
                ("text-anchor", _) => return Err(unsupported(attribute)),
                ("style", css) => check_css(css)?,
                (name, _) if UNSUPPORTED.contains(&name) => return Err(unsupported(attribute)),
                _ => {}
            }
        }
        Ok(self)
    }
}

/// Refuses style sheets that set properties of text, or that select elements by the name `text`,
/// which would no longer find any.
fn check_css(css: &str) -> Result<(), RasterError> {
    let words = UNSUPPORTED.iter().chain(&["font", "text"]);
    match words.copied().find(|word| css.contains(word)) {
        Some(word) => Err(refused(format!("`{word}` in a style sheet is not supported"))),
        None => Ok(()),
    }
}

fn number(attribute: Attribute) -> Result<f64, RasterError> {
    let number = attribute.value().parse().ok();
    number.filter(|n| (-NUMBER_MAX..=NUMBER_MAX).contains(n)).ok_or_else(|| unsupported(attribute))
}

/// The characters of a text that are drawn. As SVG has it, spaces at the ends do not count, and
/// several spaces are one.
fn content(element: Node) -> Result<String, RasterError> {
    if element.children().any(|child| child.is_element()) {
        return Err(refused("elements inside a text are not supported"));
    }
    let text: String =
        element.children().filter(Node::is_text).filter_map(|child| child.text()).collect();
    let words = text.split([' ', '\t', '\r', '\n']).filter(|word| !word.is_empty());
    let text = words.collect::<Vec<&str>>().join(" ");
    Ok(text.chars().filter(|&c| !is_invisible(c)).collect())
}

/// Whether a character only controls how others are joined, broken or directed.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

/// Writes a text as a path, in the same place and the same colours.
fn push_path(
    out: &mut String,
    svg: &str,
    element: Node,
    style: Style,
    text: &str,
) -> Result<(), RasterError> {
    let (mut x, mut y) = (0.0, 0.0);
    out.push_str("<path");
    for attribute in element.attributes() {
        match attribute.name() {
            "x" => x = number(attribute)?,
            "y" => y = number(attribute)?,
            name if KEPT.contains(&name) => {
                out.push(' ');
                out.push_str(&svg[attribute.range()]);
            }
            name if INHERITED.contains(&name) || WITHOUT_EFFECT.contains(&name) => {}
            _ => return Err(unsupported(attribute)),
        }
    }
    let size = style.font_size.ok_or_else(|| refused("a text has no `font-size`"))?;
    let scale = size / FONT.units_per_em;
    let mut pen = x - style.anchor * FONT.width(text) * scale;
    out.push_str(" d=\"");
    for glyph in text.chars().map(|c| FONT.glyph(c)) {
        push_outline(out, glyph.outline, (pen, y), scale);
        pen += glyph.advance * scale;
    }
    out.push_str("\"/>");
    Ok(())
}

/// Writes the path of a glyph at another place and in another size. All coordinates are absolute
/// and come in pairs, so their commands do not matter here.
fn push_outline(out: &mut String, outline: &str, (x, y): (f64, f64), scale: f64) {
    let mut is_x = true;
    let is_separator = |c: char| c == ' ' || c.is_ascii_alphabetic();
    for part in outline.split_inclusive(is_separator) {
        let coordinate = part.trim_end_matches(is_separator);
        if let Ok(coordinate) = coordinate.parse::<f64>() {
            let origin = if is_x { x } else { y };
            is_x = !is_x;
            write!(out, "{:.3}", origin + coordinate * scale).expect("memory takes all");
        }
        out.push_str(&part[coordinate.len()..]);
    }
}

/// A character of the font.
#[derive(Clone, Copy, Debug)]
struct Glyph {
    advance: f64,
    outline: &'static str,
}

/// The outlines of a font, in units of which an em has `units_per_em`.
struct Font {
    units_per_em: f64,
    glyphs: BTreeMap<char, Glyph>,
    /// What is drawn for a character that the font does not have.
    replacement: Glyph,
}

impl Font {
    /// Reads the format of [`GLYPHS`].
    fn parse(text: &'static str) -> Option<Font> {
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        let units_per_em = lines.next()?.parse().ok()?;
        let mut glyphs = BTreeMap::new();
        for line in lines {
            let (code, rest) = line.split_once(' ')?;
            let (advance, outline) = rest.split_once(' ').unwrap_or((rest, ""));
            let character = char::from_u32(u32::from_str_radix(code, 16).ok()?)?;
            glyphs.insert(character, Glyph { advance: advance.parse().ok()?, outline });
        }
        let replacement = *glyphs.get(&char::REPLACEMENT_CHARACTER)?;
        Some(Font { units_per_em, glyphs, replacement })
    }

    fn glyph(&self, character: char) -> Glyph {
        *self.glyphs.get(&character).unwrap_or(&self.replacement)
    }

    fn width(&self, text: &str) -> f64 {
        text.chars().map(|c| self.glyph(c).advance).sum()
    }
}

#[cfg(test)]
mod tests;
