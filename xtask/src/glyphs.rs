//! `cargo xtask glyphs`: writes the outlines of the pictures' font as SVG paths.
//!
//! The program draws text from these paths, so it needs neither a reader of fonts nor a library
//! that sets text. The font file stays in the repository as their source.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ttf_parser::{Face, OutlineBuilder};

const HELP: &str = "\
Writes the outlines of the pictures' font as SVG paths: crates/picture/assets/glyphs.txt.

Usage: cargo xtask glyphs

The source is crates/picture/assets/inter-medium-subset.ttf.
";

/// The font and the file of outlines, from the root of the repository.
const FONT: &str = "crates/picture/assets/inter-medium-subset.ttf";
const GLYPHS: &str = "crates/picture/assets/glyphs.txt";

const HEAD: &str = "\
# The glyphs of inter-medium-subset.ttf as SVG paths, made by `cargo xtask glyphs`.
# Inter is licensed under the SIL Open Font License 1.1: see inter-LICENSE.txt.
# The first line has the units per em. Each further line has a code point in hexadecimal digits,
# the advance width, and the path with y downwards; FFFD stands for characters without a glyph.
";

/// Runs `cargo xtask glyphs`.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    match arguments {
        [] => {}
        [only] if crate::is_help(only) => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        [first, ..] => {
            return crate::usage_error(&format!("glyphs does not know `{first}`"), HELP);
        }
    }
    let written = made().and_then(|text| {
        fs::write(path(GLYPHS), text).map_err(|error| format!("{GLYPHS}: {error}"))
    });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(complaint) => {
            eprintln!("xtask glyphs: {complaint}");
            ExitCode::from(crate::UNDECIDED)
        }
    }
}

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)
}

/// The text of [`GLYPHS`], made from [`FONT`].
fn made() -> Result<String, String> {
    let bytes = fs::read(path(FONT)).map_err(|error| format!("{FONT}: {error}"))?;
    let face = Face::parse(&bytes, 0).map_err(|error| format!("{FONT}: {error}"))?;
    let mut text = format!("{HEAD}{}\n", face.units_per_em());
    for character in characters(&face) {
        let Some(glyph) = face.glyph_index(character) else { continue };
        let mut outline = Outline::default();
        // A space has no outline, so the list may be empty.
        face.outline_glyph(glyph, &mut outline);
        let advance = face.glyph_hor_advance(glyph).unwrap_or(0);
        push_line(&mut text, character, advance, &outline.path);
    }
    let em = i32::from(face.units_per_em());
    push_line(&mut text, char::REPLACEMENT_CHARACTER, face.units_per_em() / 2, &hollow_box(em));
    Ok(text)
}

/// The characters of the font that are not the replacement character, in order.
fn characters(face: &Face) -> Vec<char> {
    let mut characters = Vec::new();
    for table in face.tables().cmap.into_iter().flat_map(|cmap| cmap.subtables) {
        if table.is_unicode() {
            table.codepoints(|code| characters.extend(char::from_u32(code)));
        }
    }
    characters.retain(|&character| character != char::REPLACEMENT_CHARACTER);
    characters.sort_unstable();
    characters.dedup();
    characters
}

fn push_line(text: &mut String, character: char, advance: u16, path: &str) {
    let line = format!("{:04X} {advance} {path}", u32::from(character));
    text.push_str(line.trim_end());
    text.push('\n');
}

/// A box half an em wide and three quarters of an em high. The inner contour runs the other way
/// round, so that it is a hole.
fn hollow_box(em: i32) -> String {
    let (left, right, top, thickness) = (em / 16, em * 7 / 16, em * 3 / 4, em / 24);
    let (hole_left, hole_right) = (left + thickness, right - thickness);
    let (hole_bottom, hole_top) = (thickness, top - thickness);
    format!(
        "M{left} 0L{right} 0L{right} -{top}L{left} -{top}Z\
         M{hole_left} -{hole_bottom}L{hole_left} -{hole_top}\
         L{hole_right} -{hole_top}L{hole_right} -{hole_bottom}Z"
    )
}

/// Writes an outline as path data. Fonts count y upwards, SVG downwards.
#[derive(Default)]
struct Outline {
    path: String,
}

impl Outline {
    fn push(&mut self, command: char, points: &[(f32, f32)]) {
        self.path.push(command);
        let numbers: Vec<String> = points
            .iter()
            .map(|&(x, y)| format!("{} {}", x.round() as i32, -y.round() as i32))
            .collect();
        self.path.push_str(&numbers.join(" "));
    }
}

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.push('M', &[(x, y)]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.push('L', &[(x, y)]);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.push('Q', &[(x1, y1), (x, y)]);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.push('C', &[(x1, y1), (x2, y2), (x, y)]);
    }

    fn close(&mut self) {
        self.push('Z', &[]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_glyphs_are_those_of_the_font() {
        let committed = fs::read_to_string(path(GLYPHS)).unwrap();
        assert!(
            committed == made().unwrap(),
            "{GLYPHS} is not what {FONT} makes: run `cargo xtask glyphs`, and commit the file"
        );
    }
}
