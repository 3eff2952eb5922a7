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

/// White has four in a row, Black is to move: what White's double threat depends on
/// (certificates.md, section 3, a Defender node that relies on all threats).
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
        .arrow(at("G2"), at("F5"))
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
        ("empty-3x3", empty(3, 3).caption("Tic-tac-toe")),
        ("empty-1x1", empty(1, 1)),
        ("bare-15x15", empty(15, 15).coordinates(false).theme(Theme::Light)),
        ("large-59x59", large),
        ("thin-59x3", thin(59, 3, "AD2 AE2 AC1")),
        ("thin-3x59", thin(3, 59, "B30 A31 C29")),
    ]
}

#[test]
fn pictures_are_the_kept_ones() {
    for (name, picture) in catalogue() {
        let path = format!("{}/../../suite/pictures/{name}.svg", env!("CARGO_MANIFEST_DIR"));
        expect_file![path].assert_eq(&picture.svg());
    }
}

#[test]
fn show() {
    for (name, picture) in catalogue() {
        for (color, unicode) in [(false, true), (false, false), (true, true)] {
            println!("{name}");
            println!("{}", picture.terminal(TerminalStyle { color, unicode, width: Some(100) }));
        }
    }
}
