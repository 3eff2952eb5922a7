//! The pictures that are kept in `suite/pictures`, and laws that hold for every picture.

use std::collections::BTreeSet;

use arbtest::arbitrary::{self, Unstructured};
use arbtest::arbtest;
use expect_test::expect_file;

use super::*;
use crate::Game;

fn squares(game: Game, names: &str) -> Vec<Square> {
    names.split_whitespace().map(|name| game.parse_square(name).unwrap()).collect()
}

fn played(game: Game, names: &str) -> (Position, Vec<Square>) {
    let mut position = Position::new(game);
    let squares = squares(game, names);
    for &square in &squares {
        position.place(square).unwrap();
    }
    (position, squares)
}

/// A game of 41 stones, as numbers and letters people would see in an article.
const GAME: &str = "J10 K11 I9 K9 L10 I11 H10 J12 L12 K13 M9 K8 K10 M11 N8 O7 G9 L7 J7 \
    H8 M8 N12 M13 J13 I13 L14 H12 G11 F10 E9 K14 L15 M12 N10 O10 H14 G13 F8 P11 Q12 J6";

fn numbered() -> Picture {
    let (position, squares) = played(Game::CONNECT6, GAME);
    let last = squares[squares.len() - 2..].to_vec();
    Picture::new(&position).numbers(squares.into_iter().zip(1..)).last_move(last)
}

/// White has four in a row, Black is to move: the zone of White's double threat
/// (docs/certificate.md, Rules: a Defender node that relies on all threats).
fn zone() -> Picture {
    let game = Game::CONNECT6;
    let (position, _) = played(game, "J10 I11 K11 I9 K9 D4 Q5 H8 M12 J11 L11");
    let threats = position.threats(Color::White);
    let empties = |segment: Segment| -> BTreeSet<Square> {
        segment.squares(game).filter(|&s| position.at(s).is_none()).collect()
    };
    let mut zone = ZoneLayers::default();
    zone.solid.extend(threats.iter().flat_map(|&h| empties(h)));
    for segment in position.squares_of(Color::Black).flat_map(|s| Segment::through(game, s)) {
        let active = segment.squares(game).all(|s| position.at(s) != Some(Color::White));
        let misses = |h: &Segment| segment.squares(game).all(|s| !empties(*h).contains(&s));
        if !active || !threats.iter().any(misses) {
            continue;
        }
        match empties(segment).len() {
            0..=3 => zone.solid.extend(segment.squares(game)),
            4 => zone.hatched.extend(segment.squares(game)),
            _ => {}
        }
    }
    Picture::new(&position)
        .zone(zone)
        .threats_of(Color::White)
        .label(game.parse_square("H11").unwrap(), "a")
        .label(game.parse_square("M11").unwrap(), "b")
        .label(game.parse_square("N5").unwrap(), "10")
        .caption(
            "White threatens at a and b. One black stone on a tinted square, or two on hatched \
             ones, could matter; elsewhere Black may place what he likes.",
        )
}

fn won() -> Picture {
    let game: Game = "gomoku".parse().unwrap();
    let text = "H8 I9 G9 F10 I7 J6 G7 G8 H6 F8 F6 I8 E5 J4 D4";
    let (position, squares) = played(game, text);
    Picture::new(&position).numbers(squares.into_iter().zip(1..))
}

fn unbounded() -> Picture {
    let game = Game::new(0, 0, 6, 2, 1, false).unwrap();
    let (position, squares) = played(game, "0,0 1,1 -1,1 2,0 -2,-3 4,2 -12,3");
    Picture::new(&position)
        .last_move(squares[5..].to_vec())
        .ghost(Square::new(0, 2), Color::Black, Some(8))
        .ghost(Square::new(1, 3), Color::Black, Some(9))
        .ghost(Square::new(3, -1), Color::White, Some(10))
        .ghost(Square::new(3, -2), Color::White, None)
        .arrow(Square::new(-2, -3), Square::new(-6, -1))
        .title("Connect(6,2,1) without borders")
}

/// Marks on squares that are written on.
fn badges() -> Picture {
    let game = Game::new(6, 4, 4, 2, 1, false).unwrap();
    let (position, squares) = played(game, "B3 C3 D3 B2 C2 D2");
    let marks = [Mark::Triangle, Mark::Square, Mark::Circle, Mark::Cross];
    let mut picture = Picture::new(&position)
        .numbers(squares.iter().copied().zip([1, 12, 123, 4, 25, 106]))
        .last_move(squares[5..].to_vec())
        .label(Square::new(4, 1), "a");
    for (&square, mark) in squares.iter().chain([&Square::new(4, 1)]).zip(marks.iter().cycle()) {
        picture = picture.mark(square, *mark);
    }
    picture
}

fn signs() -> Picture {
    let game = Game::new(9, 7, 4, 1, 1, false).unwrap();
    let (position, _) = played(game, "E4 D4 E5 E6 D5 F5");
    let at = |name: &str| game.parse_square(name).unwrap();
    Picture::new(&position)
        .mark(at("E4"), Mark::Triangle)
        .mark(at("D4"), Mark::Square)
        .mark(at("E5"), Mark::Circle)
        .mark(at("E6"), Mark::Cross)
        .mark(at("B2"), Mark::Triangle)
        .mark(at("C2"), Mark::Square)
        .mark(at("D2"), Mark::Circle)
        .mark(at("E2"), Mark::Cross)
        .label(at("D5"), "A")
        .label(at("F5"), "Bb")
        .label(at("A1"), "α")
        .label(at("I7"), "<script>")
        .label(at("G3"), "123")
        .label(at("H3"), "&")
        .arrow(at("H6"), at("F5"))
}

fn empty(cols: u32, rows: u32) -> Picture {
    Picture::new(&Position::new(Game::new(cols, rows, 1, 1, 1, false).unwrap()))
}

fn catalogue() -> Vec<(&'static str, Picture)> {
    let part = |picture: Picture| picture.window(Square::new(5, 4), Square::new(18, 14));
    let large = {
        let game = Game::new(59, 59, 6, 2, 1, false).unwrap();
        let mut position = Position::new(game);
        for i in 0..150 {
            let _ = position.place(Square::new((i * 17 + i / 7) % 59, (i * i + 3 * i) % 59));
        }
        let numbers: Vec<(Square, u32)> = position.stones().map(|(s, _)| s).zip(1..).collect();
        Picture::new(&position).numbers(numbers)
    };
    let thin = |cols, rows, text: &str| {
        let (position, last) = played(Game::new(cols, rows, 3, 2, 1, false).unwrap(), text);
        Picture::new(&position).last_move(last[1..].to_vec()).caption("A long thin board")
    };
    vec![
        ("numbered-wood", numbered().title("Forty-one stones")),
        ("numbered-light", numbered().theme(Theme::Light)),
        ("numbered-dark", numbered().theme(Theme::Dark)),
        ("zone-wood", zone()),
        ("zone-light", zone().theme(Theme::Light)),
        ("zone-dark", zone().theme(Theme::Dark)),
        ("part-light", part(zone()).theme(Theme::Light)),
        ("won-wood", won()),
        ("won-light", won().theme(Theme::Light)),
        ("unbounded-wood", unbounded()),
        ("unbounded-light", unbounded().theme(Theme::Light)),
        ("unbounded-dark", unbounded().theme(Theme::Dark)),
        ("signs-wood", signs()),
        ("signs-light", signs().theme(Theme::Light)),
        ("signs-dark", signs().theme(Theme::Dark)),
        ("badges-wood", badges()),
        ("badges-light", badges().theme(Theme::Light)),
        ("badges-dark", badges().theme(Theme::Dark)),
        ("empty-3x3", empty(3, 3).caption("Tic-tac-toe")),
        ("empty-1x1", empty(1, 1)),
        ("bare-15x15", empty(15, 15).coordinates(false).theme(Theme::Light)),
        ("large-59x59", large),
        ("thin-59x3", thin(59, 3, "AD2 AE2 AC1")),
        ("thin-3x59", thin(3, 59, "B30 A31 C29")),
    ]
}

const SUITE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suite/pictures");

#[test]
fn pictures_are_the_kept_ones() {
    for (name, picture) in catalogue() {
        let path = format!("{SUITE}/{name}.svg");
        expect_file![path].assert_eq(&picture.svg());
    }
}

#[test]
fn terminal_pictures_are_the_kept_ones() {
    let styles = [
        ("unicode", TerminalStyle::default()),
        ("ascii", TerminalStyle { unicode: false, ..TerminalStyle::default() }),
        ("color", TerminalStyle { color: true, ..TerminalStyle::default() }),
        ("narrow", TerminalStyle { width: Some(40), ..TerminalStyle::default() }),
    ];
    for (style_name, style) in styles {
        let mut text = String::new();
        for (name, picture) in catalogue() {
            // Pictures that differ only in the theme look the same here.
            if !name.ends_with("-light") && !name.ends_with("-dark") && name != "large-59x59" {
                text += &format!("{name}\n{}\n", picture.terminal(style));
            }
        }
        let path = format!("{SUITE}/terminal-{style_name}.txt");
        expect_file![path].assert_eq(&text);
    }
}

/// A square near the board, rarely far away.
fn any_square(u: &mut Unstructured<'_>) -> arbitrary::Result<Square> {
    if u.ratio(1, 50)? {
        return Ok(Square::new(u.arbitrary()?, u.arbitrary()?));
    }
    Ok(Square::new(u.int_in_range(-3..=62)?, u.int_in_range(-3..=62)?))
}

fn any_text(u: &mut Unstructured<'_>) -> arbitrary::Result<String> {
    let hostile = [
        "<script>alert(1)</script>",
        "]]>",
        "\u{1b}[2J",
        "\u{202e}abc",
        "&amp;\"'",
        "漢字",
        "e\u{301}",
    ];
    if u.ratio(1, 2)? { Ok(u.choose(&hostile)?.to_string()) } else { u.arbitrary() }
}

fn any_picture(u: &mut Unstructured<'_>) -> arbitrary::Result<Picture> {
    let unbounded = u.ratio(1, 4)?;
    let (cols, rows) = if unbounded {
        (0, 0)
    } else {
        (u.int_in_range(1..=crate::BOARD_MAX)?, u.int_in_range(1..=crate::BOARD_MAX)?)
    };
    let k = u.int_in_range(1..=if unbounded { 9 } else { cols.max(rows).min(9) })?;
    let game = Game::new(cols, rows, k, u.int_in_range(1..=3)?, 1, u.arbitrary()?).unwrap();
    let mut position = Position::new(game);
    for _ in 0..u.int_in_range(0..=60)? {
        let near = Square::new(u.int_in_range(0..=58)?, u.int_in_range(0..=58)?);
        let _ = position.place(near);
    }
    let mut picture = Picture::new(&position)
        .theme(*u.choose(&[Theme::Wood, Theme::Light, Theme::Dark])?)
        .coordinates(u.arbitrary()?);
    for _ in 0..u.int_in_range(0..=20)? {
        let square = any_square(u)?;
        let color = if u.arbitrary()? { Color::Black } else { Color::White };
        picture = match u.int_in_range(0..=10)? {
            0 => picture.number(square, u.arbitrary()?),
            1 => picture.label(square, any_text(u)?),
            2 => picture.mark(
                square,
                *u.choose(&[Mark::Triangle, Mark::Square, Mark::Circle, Mark::Cross])?,
            ),
            3 => picture.last_move([square]),
            4 => picture.ghost(square, color, u.arbitrary()?),
            5 => picture.arrow(square, any_square(u)?),
            6 => picture.caption(any_text(u)?),
            7 => picture.title(any_text(u)?),
            8 => picture.threats_of(color),
            9 => picture.window(square, any_square(u)?),
            _ => {
                let mut layer = || -> arbitrary::Result<BTreeSet<Square>> {
                    (0..u.int_in_range(0..=9)?).map(|_| any_square(u)).collect()
                };
                let (solid, hatched) = (layer()?, layer()?);
                picture.zone(ZoneLayers { solid, hatched })
            }
        };
    }
    Ok(picture)
}

/// Panics unless the text is well-formed XML of the simple kind that we write.
fn assert_well_formed(xml: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = xml.trim_end();
    assert!(rest.starts_with("<svg "), "no root");
    while let Some((text, after)) = rest.split_once('<') {
        assert_text(text);
        let (tag, after) = after.split_once('>').expect("a tag ends");
        assert!(!tag.contains('<'));
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
            assert!(!open.is_empty() || rest.is_empty(), "text behind the root");
            continue;
        }
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        let (attributes, empty) =
            attributes.strip_suffix('/').map_or((attributes, false), |a| (a, true));
        let known = ["svg", "title", "desc", "defs", "radialGradient", "stop", "pattern", "path"];
        assert!(known.contains(&name) || ["rect", "g", "circle", "text"].contains(&name), "{name}");
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
    assert!(!text.contains('>') && !text.contains(char::is_control), "{text:?}");
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

#[test]
fn any_picture_is_well_formed_svg() {
    for (_, picture) in catalogue() {
        assert_well_formed(&picture.svg());
    }
    arbtest(|u| {
        let picture = any_picture(u)?;
        let svg = picture.svg();
        assert_well_formed(&svg);
        assert_eq!(svg, picture.clone().svg());
        Ok(())
    })
    .budget_ms(sixproof_oracle::effort(500, 2_000));
}

#[test]
fn rows_of_terminal_pictures_are_equally_wide() {
    arbtest(|u| {
        let picture = any_picture(u)?;
        let (color, unicode) = (u.arbitrary()?, u.arbitrary()?);
        let width = if u.arbitrary()? { Some(u.int_in_range(0..=200)?) } else { None };
        let style = TerminalStyle { color, unicode, width };
        let text = picture.terminal(style);
        assert_eq!(text.contains('\x1b'), color);
        assert!(unicode || text.is_ascii(), "{text}");
        // Nothing but our own colours and line ends controls the terminal.
        let plain = without_colors(&text);
        assert!(!plain.contains(|c: char| c.is_control() && c != '\n'), "{plain:?}");
        let known = |c: char| c == '\n' || text::cells(&c.to_string()) > 0;
        assert!(plain.chars().all(known), "{plain:?}");
        let rows = terminal::board_rows(&picture, style);
        let widths: BTreeSet<usize> =
            rows.iter().map(|row| text::cells(&without_colors(row))).collect();
        assert_eq!(widths.len(), 1, "{text}");
        // One column with its long name and number is always shown.
        let room = width.map_or(usize::MAX, |width| width.max(40));
        let narrow = widths.iter().all(|&w| w <= room);
        assert!(narrow, "{width:?} {widths:?} {text}");
        Ok(())
    })
    .budget_ms(sixproof_oracle::effort(500, 2_000));
}

fn without_colors(text: &str) -> String {
    let mut parts = text.split("\x1b[");
    let mut plain = parts.next().unwrap_or_default().to_string();
    for part in parts {
        plain += part.split_once('m').expect("a sequence ends").1;
    }
    plain
}

#[test]
fn what_is_outside_of_the_window_is_not_drawn() {
    let game = Game::CONNECT6;
    let (position, squares) = played(game, "A1 S19 S18");
    let picture = Picture::new(&position)
        .numbers(squares.into_iter().zip(70..))
        .window(Square::new(0, 0), Square::new(5, 5));
    let svg = picture.svg();
    assert!(svg.contains(">70</text>") && !svg.contains(">71</text>"));
    let text = picture.terminal(TerminalStyle::default());
    assert!(text.contains("2 stones are outside"), "{text}");
}

#[test]
fn labels_and_numbers_stand_beside_their_stones() {
    let (position, squares) = played(Game::CONNECT6, "J10 K10");
    let picture = Picture::new(&position).number(squares[0], 7).label(squares[1], "x");
    let text = picture.terminal(TerminalStyle::default());
    assert!(text.contains("●7 ○x"), "{text}");
}

#[test]
fn the_cursor_stands_in_square_brackets() {
    let game: Game = "5,3,3,1,1".parse().unwrap();
    let mut position = Position::new(game);
    position.place(Square::new(1, 1)).unwrap();
    let ascii = TerminalStyle { unicode: false, ..TerminalStyle::default() };
    let row = |cursor: Square| {
        let picture = Picture::new(&position).last_move([Square::new(1, 1)]).cursor(cursor);
        picture.terminal(ascii).lines().nth(1).unwrap().to_string()
    };
    assert_eq!(row(Square::new(1, 1)), "2  .[X]. . .");
    assert_eq!(row(Square::new(2, 1)), "2  .(X[.]. .");
    assert_eq!(row(Square::new(0, 1)), "2 [.]X). . .");
    assert_eq!(row(Square::new(4, 1)), "2  .(X). .[.]");
    assert_eq!(row(Square::new(9, 9)), "2  .(X). . .");
}
