//! The law of pictures: with any text on them, they are well-formed SVG without scripts, and rows
//! of equal width in a terminal that only our own codes control.

use std::collections::BTreeSet;

use sixproof_game::picture::{Mark, Picture, TerminalStyle, Theme, ZoneLayers};
use sixproof_game::{BOARD_MAX, Color, Game, Position, Square};

use crate::draw::Draw;

/// Texts that try to smuggle in a script or a control code.
pub const WORDS: &[&str] = &[
    "<script>", "</svg>", "]]>", "<!--", "&amp;", "&#60;", "\"", "'", "\x1b[2J", "\u{202e}", "漢",
    "e\u{301}", "\u{9b}", "\u{0}",
];

/// The elements and attributes of our pictures.
const ELEMENTS: &[&str] = &[
    "svg",
    "title",
    "desc",
    "defs",
    "radialGradient",
    "stop",
    "pattern",
    "path",
    "rect",
    "g",
    "circle",
    "text",
];

/// The law.
pub fn law(bytes: &[u8]) {
    let mut draw = Draw::new(bytes);
    let drawn = draw_picture(&mut draw);
    let svg = drawn.picture.svg();
    assert!(!svg.to_ascii_lowercase().contains("<script"), "{svg}");
    assert_well_formed(&svg);
    let (color, unicode) = (draw.flag(), draw.flag());
    let width = draw.flag().then(|| usize::from(draw.byte()));
    let style = TerminalStyle { color, unicode, width };
    assert_terminal(&drawn, style);
}

/// A picture, and the number of rows of its board in a terminal, where that is plain to see.
struct Drawn {
    picture: Picture,
    rows: Option<usize>,
    titled: bool,
}

fn draw_square(draw: &mut Draw<'_>) -> Square {
    if draw.once_in(40) {
        return Square::new(draw.number() as i32, draw.number() as i32);
    }
    Square::new(draw.between(-3, 62), draw.between(-3, 62))
}

fn draw_text(draw: &mut Draw<'_>) -> String {
    if draw.flag() { draw.pick(WORDS).to_string() + &draw.text(12) } else { draw.text(80) }
}

fn draw_position(draw: &mut Draw<'_>) -> Position {
    let side = |draw: &mut Draw<'_>| 1 + draw.below(BOARD_MAX as usize) as u32;
    let (cols, rows) = if draw.once_in(4) { (0, 0) } else { (side(draw), side(draw)) };
    let longest = if cols == 0 { 9 } else { cols.max(rows).min(9) };
    let (k, p) = (1 + draw.below(longest as usize) as u32, 1 + draw.below(3) as u32);
    let game = Game::new(cols, rows, k, p, 1, draw.flag()).expect("all is within the limits");
    let mut position = Position::new(game);
    for _ in 0..draw.below(61) {
        let (x, y) = (draw.between(0, 58), draw.between(0, 58));
        let (x, y) = if cols == 0 { (x, y) } else { (x % cols as i32, y % rows as i32) };
        // A taken square, or a game that is over: then there is one stone less.
        let _ = position.place(Square::new(x, y));
    }
    position
}

fn draw_picture(draw: &mut Draw<'_>) -> Drawn {
    let position = draw_position(draw);
    let game = position.game();
    let mut rows = (!game.is_unbounded()).then_some(game.rows() as usize);
    let mut titled = false;
    let mut picture = Picture::new(&position)
        .theme(draw.pick(&[Theme::Wood, Theme::Light, Theme::Dark]))
        .coordinates(draw.flag());
    for _ in 0..draw.below(21) {
        let square = draw_square(draw);
        let color = draw.pick(&[Color::Black, Color::White]);
        picture = match draw.below(12) {
            0 => picture.number(square, draw.number()),
            1 | 2 => picture.label(square, draw_text(draw)),
            3 => picture.mark(
                square,
                draw.pick(&[Mark::Triangle, Mark::Square, Mark::Circle, Mark::Cross]),
            ),
            4 => picture.last_move([square]),
            5 => {
                let number = draw.flag().then(|| draw.number());
                picture.ghost(square, color, number)
            }
            6 => picture.arrow(square, draw_square(draw)),
            7 => picture.caption(draw_text(draw)),
            8 => {
                titled = true;
                picture.title(draw_text(draw))
            }
            9 => picture.threats_of(color),
            10 => {
                rows = None;
                picture.window(square, draw_square(draw))
            }
            _ => {
                let mut layer = || -> BTreeSet<Square> {
                    (0..draw.below(9)).map(|_| draw_square(draw)).collect()
                };
                let (solid, hatched) = (layer(), layer());
                picture.zone(ZoneLayers { solid, hatched })
            }
        };
    }
    Drawn { picture, rows, titled }
}

/// Panics unless the text is well-formed XML of the simple kind that we write.
fn assert_well_formed(xml: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = xml.trim_end();
    assert!(rest.starts_with("<svg "), "no root");
    while let Some((text, after)) = rest.split_once('<') {
        assert_text(text);
        let (tag, after) = after.split_once('>').expect("a tag ends");
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "tags are balanced");
            assert!(!open.is_empty() || rest.is_empty(), "text behind the root");
            continue;
        }
        let (tag, empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        assert!(ELEMENTS.contains(&name), "{name}");
        assert_attributes(attributes);
        if !empty {
            open.push(name);
        }
    }
    assert!(open.is_empty() && rest.is_empty());
}

fn assert_text(text: &str) {
    for (i, _) in text.match_indices('&') {
        let entities = ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"];
        assert!(entities.iter().any(|e| text[i..].starts_with(e)), "{text}");
    }
    assert!(!text.contains(['<', '>']) && !text.contains(char::is_control), "{text:?}");
}

fn assert_attributes(mut rest: &str) {
    let mut names = BTreeSet::new();
    while !rest.trim().is_empty() {
        let (name, after) = rest.trim_start().split_once("=\"").expect("name and quote");
        let (value, after) = after.split_once('"').expect("closing quote");
        assert!(name.chars().all(|c| c.is_ascii_alphabetic() || c == '-'), "{name}");
        assert!(names.insert(name), "{name} twice");
        assert!(!name.starts_with("on") && name != "href", "{name}");
        assert!(!value.contains("NaN") && !value.contains("inf"), "{value}");
        assert!(!value.contains("url(") || value.starts_with("url(#"), "{value}");
        assert_text(value);
        rest = after;
    }
}

/// Only our own colours control the terminal, and the rows of the board are equally wide: with
/// colours exactly, without them up to the blanks at their ends, which are not written.
fn assert_terminal(drawn: &Drawn, style: TerminalStyle) {
    let text = drawn.picture.terminal(style);
    let plain = without_colors(&text);
    assert!(style.color || !text.contains('\x1b'), "{text:?}");
    assert!(style.unicode || plain.is_ascii(), "{plain}");
    assert!(!plain.contains(|c: char| c.is_control() && c != '\n'), "{plain:?}");
    assert!(plain.ends_with('\n'));
    assert!(style.color || plain.lines().all(|line| !line.ends_with(' ')), "{plain}");
    if let (true, Some(rows), false, None) = (style.color, drawn.rows, drawn.titled, style.width) {
        let widths: BTreeSet<usize> = plain.lines().take(rows).map(cells).collect();
        assert_eq!(widths.len(), 1, "{plain}");
    }
}

fn without_colors(text: &str) -> String {
    let mut parts = text.split("\x1b[");
    let mut plain = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let (code, after) = part.split_once('m').expect("a sequence of colour ends with m");
        assert!(code.bytes().all(|b| b.is_ascii_digit() || b == b';'), "{code:?}");
        plain += after;
    }
    plain
}

/// The columns of a text: letters of the Far East take two.
fn cells(text: &str) -> usize {
    let wide =
        |c: char| matches!(c, '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{d7ff}' | '！'..='｠');
    text.chars().map(|c| if wide(c) { 2 } else { 1 }).sum()
}
