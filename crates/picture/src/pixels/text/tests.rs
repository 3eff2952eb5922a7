//! Tests of text as paths: every picture of ours can be drawn, and no picture makes a panic.

use std::path::{Path, PathBuf};

use resvg::tiny_skia::Pixmap;

use super::super::{RasterSize, png};
use super::*;
use crate::svg::{Anchor, Svg};

/// A picture of 100 x 40 with one text in black on nothing.
fn page(attributes: &str, text: &str) -> String {
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="40"><text {attributes}>{text}</text></svg>"#
    )
}

/// The first and the last column and row with ink, in pixels.
#[derive(Debug, PartialEq)]
struct Ink {
    left: u32,
    right: u32,
    top: u32,
    bottom: u32,
}

fn ink(svg: &str) -> Option<Ink> {
    let file = png(svg, RasterSize::Scale(1.0)).unwrap();
    let pixmap = Pixmap::decode_png(&file).unwrap();
    let width = pixmap.width();
    let dark = |i: u32| pixmap.pixels()[i as usize].alpha() > 100;
    let places: Vec<(u32, u32)> =
        (0..width * pixmap.height()).filter(|&i| dark(i)).map(|i| (i % width, i / width)).collect();
    let (xs, ys) = (|| places.iter().map(|p| p.0), || places.iter().map(|p| p.1));
    Some(Ink { left: xs().min()?, right: xs().max()?, top: ys().min()?, bottom: ys().max()? })
}

fn svg_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(svg_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "svg") {
            files.push(path);
        }
    }
    files
}

#[test]
fn every_text_of_a_committed_picture_or_plot_becomes_a_path() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = svg_files(&root.join("suite/pictures"));
    files.extend(svg_files(&root.join("docs")));
    assert!(files.len() > 25);
    let count = |text: &str, element: &str| text.matches(element).count();
    for file in files {
        let svg = std::fs::read_to_string(&file).unwrap();
        let paths = to_paths(&svg).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        assert_eq!(count(&paths, "<text"), 0, "{}", file.display());
        let expected = count(&svg, "<path") + count(&svg, "<text");
        assert_eq!(count(&paths, "<path"), expected, "{}", file.display());
    }
}

#[test]
fn every_text_of_a_drawing_becomes_a_path() {
    let mut svg = Svg::new(100, 40, "text", "<text>");
    for (class, anchor) in [("ink", Anchor::Start), ("soft", Anchor::Middle), ("over", Anchor::End)]
    {
        svg.text(class, 12, (50.0, 20.0), anchor, "a < b & \"c\"");
    }
    let paths = to_paths(&svg.finish()).unwrap();
    for class in ["ink", "soft", "over"] {
        assert!(paths.contains(&format!(r#"<path class="{class}" d="M"#)), "{paths}");
    }
}

#[test]
fn a_text_stands_on_its_line_at_its_anchor_in_its_size() {
    // In Inter an H is 1490 units high; its stems are 1196 apart, with 169 beside them.
    let attributes = |anchor| format!(r#"x="50" y="30" font-size="20.48" text-anchor="{anchor}""#);
    let at = |anchor| ink(&page(&attributes(anchor), "H")).unwrap();
    let start = at("start");
    assert_eq!((start.top, start.bottom), (15, 29));
    assert_eq!(ink(&page(r#"x="50" y="30" font-size="20.48""#, "H")).unwrap(), start);
    let width = FONT.width("H") / 100.0;
    for (anchor, shift) in [("middle", width / 2.0), ("end", width)] {
        let moved = at(anchor);
        assert_eq!((moved.top, moved.bottom), (start.top, start.bottom));
        let difference = f64::from(start.left) - f64::from(moved.left);
        assert!((difference - shift).abs() <= 1.0, "{anchor}: {difference} for {shift}");
    }
}

#[test]
fn size_and_anchor_are_inherited_and_colours_stay() {
    let text = |outer: &str, inner: &str| {
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="40" font-size="9"><g {outer}><g><text x="50" y="30" {inner}>H</text></g></g></svg>"#
        )
    };
    let wanted = ink(&text("", r#"font-size="20" text-anchor="end""#));
    assert_eq!(ink(&text(r#"font-size="20" text-anchor="end""#, "")), wanted);
    assert_eq!(ink(&text(r#"font-size="7" text-anchor="middle""#, "")).map(|i| i.bottom), Some(29));
    assert_eq!(ink(&text(r#"fill="none""#, "")), None);
    assert!(to_paths(&text("", r##"fill="#07c" opacity=".5""##)).unwrap().contains("opacity"));
}

#[test]
fn a_transform_moves_and_turns_the_text() {
    let turned = page(r#"transform="translate(50 38) rotate(-90)" font-size="20""#, "HHH");
    let ink = ink(&turned).unwrap();
    assert!(ink.bottom - ink.top > ink.right - ink.left, "{ink:?}");
    assert!(ink.bottom <= 38 && ink.right <= 50, "{ink:?}");
}

#[test]
fn a_character_outside_the_font_becomes_a_box() {
    let attributes = r#"x="10" y="30" font-size="24""#;
    let replacement = ink(&page(attributes, "\u{fffd}")).unwrap();
    for text in ["漢", "ж", "🙂", "&#x6f22;"] {
        assert_eq!(ink(&page(attributes, text)).unwrap(), replacement, "{text}");
    }
    let file = png(&page(attributes, "漢"), RasterSize::Scale(1.0)).unwrap();
    let middle = Pixmap::decode_png(&file).unwrap().pixel(16, 21).unwrap();
    assert_eq!(middle.alpha(), 0, "the box is hollow");
}

#[test]
fn spaces_are_set_as_in_svg_and_invisible_characters_are_not() {
    let path = |text: &str| to_paths(&page(r#"font-size="9""#, text)).unwrap();
    assert_eq!(path("  a \n\t b "), path("a b"));
    assert_ne!(path("a b"), path("ab"));
    assert_ne!(path("a\u{a0}\u{a0}b"), path("a b"));
    assert_eq!(path("a<!-- c -->b\u{200d}\u{fe0f}"), path("ab"));
    assert_eq!(ink(&page(r#"font-size="9""#, " ")), None);
}

#[test]
fn what_would_change_the_look_is_an_error() {
    let refused = |svg: String| {
        assert!(matches!(to_paths(&svg), Err(RasterError::Text(_))), "{svg}");
        assert!(matches!(png(&svg, RasterSize::Scale(1.0)), Err(RasterError::Text(_))), "{svg}");
    };
    for attribute in [
        r#"dx="1""#,
        r#"rotate="9""#,
        r#"textLength="50""#,
        r#"style="font-size:9px""#,
        r#"letter-spacing="1""#,
        r#"dominant-baseline="middle""#,
        r#"font-style="italic""#,
        r#"xml:space="preserve""#,
        r#"text-anchor="centre""#,
        r#"x="1em""#,
        r#"x="1 2 3""#,
        r#"clip-path="url(#a)""#,
    ] {
        refused(page(&format!(r#"font-size="9" {attribute}"#), "a"));
    }
    let group = |attribute: &str, content: &str| {
        let text = r#"<text font-size="9">a</text>"#;
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">{content}<g {attribute}>{text}</g></svg>"#
        )
    };
    assert!(to_paths(&group("", "<style>.ink{fill:red}</style>")).is_ok());
    refused(group(r#"font-style="italic""#, ""));
    refused(group(r#"style="letter-spacing:2px""#, ""));
    refused(group("", "<style>text{fill:red}</style>"));
    refused(group("", "<style>.ink{font-size:9px}</style>"));
    refused(page("", "a"));
    refused(page(r#"font-size="9""#, "<tspan>a</tspan>"));
    refused(page(r#"font-size="9""#, "a<text>b</text>"));
}

#[test]
fn hostile_pictures_are_refused_or_drawn() {
    for number in ["1e999", "-1e300", "1e7", "nan", "inf", "-", ""] {
        for name in ["x", "y", "font-size"] {
            let svg = page(&format!(r#"font-size="9" {name}="{number}""#), "a");
            assert!(to_paths(&svg).is_err(), "{svg}");
        }
    }
    assert!(to_paths(&page(r#"x="-1e6" y="1e6" font-size="1e6""#, "a")).is_ok());
    let long = page(r#"font-size="9""#, &"a".repeat(1_000_000));
    assert!(matches!(to_paths(&long), Err(RasterError::Text(_))));
    let blank = page(r#"font-size="9""#, &" ".repeat(1_000_000));
    assert!(to_paths(&blank).is_ok());
    let full = page(r#"font-size="9""#, &"-".repeat(CHARACTERS_MAX));
    assert!(to_paths(&full).is_ok());
    let many = page(r#"font-size="9""#, &"a</text><text font-size=\"9\">".repeat(1_000));
    assert!(png(&many, RasterSize::Scale(1.0)).is_ok());
    let deep = page(r#"font-size="9""#, &"<g>".repeat(300_000));
    assert!(to_paths(&deep).is_err());
    for end in
        ["<text", "<text>", "<text>a", "<text font-size='9", "<text>a</tex>", "<text/", "]]>"]
    {
        let svg = format!(r#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">{end}"#);
        assert!(matches!(to_paths(&svg), Err(RasterError::Svg(_))), "{svg}");
    }
    let entity = r#"<!DOCTYPE svg [<!ENTITY a "<text>b</text>">]><svg>&a;</svg>"#;
    assert!(matches!(to_paths(entity), Err(RasterError::Svg(_))));
}

/// Parts of pictures, in any order.
const PARTS: &[&str] = &[
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\">",
    "</svg>",
    "<g font-size=\"9\">",
    "</g>",
    "<text x=\"4\">",
    "<text font-size=\"5\" class='a'>",
    "</text>",
    "<text/>",
    "<style>",
    "</style>",
    "<!--",
    "-->",
    "&#x3b1;",
    "&amp;",
    "<![CDATA[",
    "]]>",
    "漢",
    " ",
];

#[test]
fn any_order_of_parts_is_an_error_or_a_picture_without_text() {
    arbtest::arbtest(|u| {
        let count = u.int_in_range(0..=12)?;
        let parts = (0..count).map(|_| u.choose(PARTS)).collect::<Result<Vec<_>, _>>()?;
        let parts: String = parts.into_iter().copied().collect();
        let svg = format!("{}<g font-size=\"3\">{parts}</g></svg>", PARTS[0]);
        if let Ok(paths) = to_paths(&svg) {
            let document = Document::parse(&paths).expect("still XML");
            assert!(document.descendants().all(|node| !node.has_tag_name("text")), "{paths}");
        }
        Ok(())
    });
}

#[test]
fn the_font_has_the_characters_of_our_pictures() {
    for character in (' '..='~').chain("×−–…•αω".chars()) {
        assert!(FONT.glyphs.contains_key(&character), "{character}");
    }
    for (character, glyph) in &FONT.glyphs {
        let coordinates = glyph
            .outline
            .split(|c: char| c == ' ' || c.is_ascii_alphabetic())
            .filter(|coordinate| !coordinate.is_empty())
            .inspect(|coordinate| assert!(coordinate.parse::<i32>().is_ok(), "{character:?}"))
            .count();
        assert_eq!(coordinates % 2, 0, "{character:?}");
    }
}
