//! What must not change a verdict: the symmetries of the board, translation on an unbounded one,
//! the order of stones, colours, white space. Checked on every good file and every rejected one.

use std::collections::BTreeSet;

use sixproof_check::{Verified, check_bytes};

use crate::text::{Random, Text, Word};
use crate::{bad, good, outcome};

/// The good files and those bad ones that can be read, each with its outcome.
fn readable() -> Vec<(String, Text, String)> {
    let files = good().into_iter().chain(bad());
    files
        .filter_map(|(name, bytes)| {
            let found = outcome(&check_bytes(&bytes));
            let text = Text::read(&bytes).filter(|_| !found.starts_with("unreadable"))?;
            Some((name, text, found))
        })
        .collect()
}

fn assert_same(name: &str, what: &str, text: &Text, expected: &str) {
    let bytes = text.bytes();
    let found = outcome(&check_bytes(&bytes));
    let shown = String::from_utf8_lossy(&bytes);
    assert_eq!(found, expected, "{name}, {what}: {shown}");
}

/// The segments of a zone with their levels.
type Levels = BTreeSet<([(i32, i32); 2], u32)>;

/// The squares and segments of the root zone as sets.
fn zone(verified: &Verified) -> (BTreeSet<(i32, i32)>, Levels) {
    let segments = verified.zone.segments.iter().map(|segment| {
        let mut ends = segment.ends.map(|s| (s.x, s.y));
        ends.sort_unstable();
        (ends, segment.level)
    });
    (verified.zone.squares.iter().map(|s| (s.x, s.y)).collect(), segments.collect())
}

/// One of the eight symmetries of a board of m columns and n rows.
fn symmetry(number: usize, [m, n]: [i32; 2]) -> impl Fn((i32, i32)) -> (i32, i32) {
    move |(x, y)| {
        let x = if number & 1 == 0 { x } else { m - 1 - x };
        let y = if number & 2 == 0 { y } else { n - 1 - y };
        if number & 4 == 0 { (x, y) } else { (y, x) }
    }
}

#[test]
fn tokens_written_by_the_tests_are_those_of_the_file() {
    for (name, text, expected) in readable() {
        assert_same(&name, "read and written", &text, &expected);
    }
}

#[test]
fn verdict_is_the_same_under_the_symmetries_of_the_board() {
    for (name, text, expected) in readable() {
        for number in 1..8 {
            let [m, n, ..] = text.game;
            let mut image = text.with_squares(symmetry(number, [m, n]));
            if number & 4 != 0 {
                image.game.swap(0, 1);
            }
            assert_same(&name, &format!("symmetry {number}"), &image, &expected);
        }
    }
}

#[test]
fn root_zone_moves_with_the_symmetries_of_the_board() {
    for (name, text, expected) in readable() {
        if expected != "verified" || text.is_unbounded() {
            continue;
        }
        let original = check_bytes(&text.bytes()).unwrap();
        for number in 1..8 {
            let [m, n, ..] = text.game;
            let map = symmetry(number, [m, n]);
            let mut image = text.with_squares(&map);
            if number & 4 != 0 {
                image.game.swap(0, 1);
            }
            let (squares, segments) = zone(&original);
            let squares = squares.into_iter().map(&map).collect();
            let segments = segments.into_iter().map(|(ends, level)| {
                let mut ends = ends.map(&map);
                ends.sort_unstable();
                (ends, level)
            });
            let found = zone(&check_bytes(&image.bytes()).unwrap());
            assert_eq!(found, (squares, segments.collect()), "{name}, symmetry {number}");
        }
    }
}

#[test]
fn verdict_is_the_same_under_translation_of_an_unbounded_board() {
    for (name, text, expected) in readable() {
        if !text.is_unbounded() {
            continue;
        }
        for (dx, dy) in [(1, 0), (-7, 3), (40, -40), (999_000, 0), (-999_900, 999_900)] {
            let moved = text.with_squares(|(x, y)| (x + dx, y + dy));
            assert_same(&name, &format!("moved by {dx},{dy}"), &moved, &expected);
        }
    }
}

#[test]
fn verdict_of_an_unbounded_board_is_that_of_a_large_one() {
    let mut count = 0;
    for (name, text, expected) in readable() {
        if !text.is_unbounded() {
            continue;
        }
        let mut bounded = text.with_squares(|(x, y)| (x + 29, y + 29));
        [bounded.game[0], bounded.game[1]] = [59, 59];
        assert_same(&name, "in the middle of 59 x 59", &bounded, &expected);
        count += 1;
    }
    assert!(count >= 5);
}

#[test]
fn verdict_does_not_depend_on_the_order_of_stones() {
    let random = &mut Random(1);
    for (name, text, expected) in readable() {
        for _ in 0..4 {
            let mut shuffled = text.clone();
            random.shuffle(&mut shuffled.black);
            random.shuffle(&mut shuffled.white);
            // The squares of a move stand behind each other: shuffle within each such run.
            let is_square = |word: &Word| matches!(word, Word::Square(_));
            let runs = shuffled.proof.chunk_by_mut(|a, b| is_square(a) == is_square(b));
            runs.filter(|run| is_square(&run[0])).for_each(|run| random.shuffle(run));
            for word in &mut shuffled.proof {
                match word {
                    Word::Segment(ends) => random.shuffle(ends),
                    Word::Square(_) | Word::Other(_) => {}
                }
            }
            assert_same(&name, "other order", &shuffled, &expected);
        }
    }
}

#[test]
fn verdict_does_not_depend_on_white_space_and_comments() {
    let random = &mut Random(2);
    let gaps: [&[u8]; 7] =
        [b" ", b"\n", b"\t\t", b"\r\n", b"#\n", b" # W A1 \xff\0 D 0\r\n", b"\n\n   \n"];
    for (name, text, expected) in readable() {
        for _ in 0..4 {
            let mut bytes = Vec::new();
            for token in text.tokens() {
                bytes.extend_from_slice(token.as_bytes());
                bytes.extend_from_slice(gaps[random.below(gaps.len())]);
            }
            let shown = String::from_utf8_lossy(&bytes);
            assert_eq!(outcome(&check_bytes(&bytes)), expected, "{name}: {shown}");
        }
    }
}

#[test]
fn verdict_is_the_same_with_the_colours_swapped() {
    let other = |color: &str| if color == "black" { "white" } else { "black" }.to_string();
    let mut count = 0;
    for (name, text, expected) in readable() {
        // Black's first move is the one thing in which the colours differ.
        let [.., p, q] = text.game;
        let empty = text.black.is_empty() && text.white.is_empty();
        if text.stones > p || empty && text.stones > q {
            continue;
        }
        let mut swapped = text.clone();
        std::mem::swap(&mut swapped.black, &mut swapped.white);
        swapped.attacker = other(&text.attacker);
        swapped.to_move = other(&text.to_move);
        assert_same(&name, "colours swapped", &swapped, &expected);
        count += 1;
    }
    assert!(count > 100);
}

#[test]
fn one_stone_fewer_of_defender_never_spoils_a_proof_that_names_its_threats() {
    // Monotonicity as far as a file shows it: W and D! stay what they are without a Defender stone,
    // unless the file itself plays there; then it must be refused for another reason than a rule.
    for (name, text, expected) in readable() {
        let default_threats = text.proof.iter().any(|w| matches!(w, Word::Other(o) if o == "D"));
        let defenders = if text.attacker == "black" { &text.white } else { &text.black };
        if expected != "verified" || default_threats || defenders.len() != 1 || text.exact {
            continue;
        }
        let mut fewer = text.clone();
        if text.attacker == "black" { &mut fewer.white } else { &mut fewer.black }.clear();
        let found = outcome(&check_bytes(&fewer.bytes()));
        assert!(found == "verified" || found == "rejected uncovered", "{name}: {found}");
    }
}
