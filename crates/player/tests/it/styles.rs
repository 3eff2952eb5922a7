//! The styles: whole games by the rules, and what each of them never misses.

use std::time::Duration;

use sixproof_game::{Color, Game, Position, Square};
use sixproof_player::{
    Engine, Limits, Reason, Score, Settings, Style, ThinkWatch, Thought, Unwatched,
};

use crate::world::{play, set_up, squares};

/// The styles of the papers.
const STYLES: [Style; 3] = [Style::Kagami, Style::Nctu6, Style::Greedy];
/// Few nodes: a whole game in a moment.
const FEW: Limits = Limits { soft: None, hard: None, nodes: Some(300), depth: Some(2) };

fn engine(style: Style, seed: u64) -> Engine {
    Engine::new(Settings { style, seed, ..Settings::default() })
}

/// Plays a game to its end, or for this number of moves.
fn game(name: &str, black: Style, white: Style, seed: u64, moves_max: usize) -> Position {
    let mut position = Position::new(name.parse().unwrap());
    let mut engines = [engine(black, seed), engine(white, seed + 1)];
    for turn in 0..moves_max {
        if position.is_over() {
            break;
        }
        let thought = engines[turn % 2].think(&position, &FEW, &Unwatched);
        play(&mut position, &thought);
    }
    position
}

/// The thought of a style, with a certificate that is true if it has one.
fn think(style: Style, position: &Position, limits: &Limits) -> Thought {
    let thought = engine(style, 1).think(position, limits, &Unwatched);
    if let Some(proof) = &thought.proof {
        sixproof_check::check_bytes(&proof.certificate).unwrap_or_else(|why| panic!("{why:?}"));
    }
    assert_eq!(thought.score == Score::Win, thought.proof.is_some(), "{thought:?}");
    play(&mut position.clone(), &thought);
    thought
}

#[test]
fn whole_games_are_legal_in_every_game() {
    let games = [
        ("connect6", 40),
        ("15,15,5,1,1", 40),
        ("gomoku-exact", 30),
        ("7,7,4,2,1", 60),
        ("9,5,5,3,2", 60),
        ("3,3,3,1,1", 10),
        ("inf,6,2,1", 20),
        ("inf,12,3,4", 6),
        ("5,4,4,4,1", 20),
        ("6,6,3,4,5", 20),
        ("4,1,2,1,1", 20),
        ("1,1,1,1,1", 2),
        ("5,5,5,2,1,exact", 30),
        ("4,4,4,9,19", 4),
    ];
    for (name, moves_max) in games {
        for (seed, style) in STYLES.into_iter().enumerate() {
            game(name, style, Style::Random, seed as u64, moves_max);
            game(name, Style::Random, style, seed as u64, moves_max);
            game(name, style, style, seed as u64, moves_max);
        }
    }
}

#[test]
fn small_boards_are_played_until_they_are_full() {
    for style in STYLES {
        let end = game("3,3,3,1,1", style, style, 1, 9);
        assert!(end.is_full() || end.winner().is_some());
        let end = game("5,5,5,2,1", style, style, 1, 25);
        assert!(end.is_full() || end.winner().is_some());
    }
}

#[test]
fn stones_far_apart_are_no_trouble() {
    let far = "0,0 1000000000,1000000000 -1000000000,5";
    let position = set_up("inf,6,2,1", far, "3,3 100,0 100,1", Color::White, 2);
    let four = "1000000000,0 999999999,0 999999998,0 999999997,0";
    let black_threatens = set_up("inf,6,2,1", four, "0,0 1,1 2,5", Color::White, 2);
    let black_wins = set_up("inf,6,2,1", four, "0,0 1,1 2,5 999999996,0", Color::Black, 2);
    for style in STYLES {
        think(style, &position, &FEW);
        assert_eq!(think(style, &black_threatens, &FEW).reason, Reason::Blocks, "{style}");
        // Files cannot name the squares beyond the largest coordinate.
        let thought = think(style, &black_wins, &FEW);
        assert_eq!(thought.squares.len(), 2, "{style}");
    }
}

#[test]
fn a_line_is_completed_when_it_can_be() {
    for (name, black, white, stones) in [
        ("connect6", "F10 G10 H10 I10", "F11 G11 H11 I11 A1", 2),
        ("connect6", "F10 G10 H10 I10 K10", "A1 A3 A5 C7", 1),
        ("gomoku", "F10 G10 H10 I10", "F11 G11 H11 I11", 1),
        ("inf,6,2,1", "0,0 1,0 2,0 3,0", "0,1 1,1 2,1 3,1", 2),
        ("19,19,7,3,1", "F10 G10 H10 I10", "F11 G11 H11 I11", 3),
    ] {
        let position = set_up(name, black, white, Color::Black, stones);
        for style in STYLES {
            let thought = think(style, &position, &FEW);
            assert_eq!(thought.reason, Reason::Completes, "{style} {name}");
            assert!(thought.proof.is_some(), "{style} {name}");
            let mut after = position.clone();
            play(&mut after, &thought);
            assert_eq!(after.winner(), Some(Color::Black), "{style} {name}");
        }
    }
}

#[test]
fn threats_are_blocked_when_they_can_be() {
    for (name, black, white, stones) in [
        ("connect6", "F10 G10 H10 I10", "A1 A3 K12", 2),
        ("connect6", "F10 G10 H10 I10", "E10 A3 K12", 2),
        ("connect6", "F10 G10 H10 I10 J10 F12 G13 H14 I15", "E10 A3 E11 J16 K17", 2),
        ("gomoku", "F10 G10 H10 I10", "E10 A3 C4", 1),
        ("inf,6,2,1", "0,0 1,0 2,0 3,0", "0,9 9,1", 2),
    ] {
        let position = set_up(name, black, white, Color::White, stones);
        for style in STYLES {
            let thought = think(style, &position, &FEW);
            assert_eq!(thought.reason, Reason::Blocks, "{style} {name} {black}");
            let mut after = position.clone();
            play(&mut after, &thought);
            assert!(after.threats(Color::Black).is_empty(), "{style} {name} {thought:?}");
        }
    }
}

#[test]
fn what_cannot_be_blocked_is_reported_as_lost() {
    let position =
        set_up("connect6", "F10 G10 H10 I10 F3 G3 H3 I3", "A1 A8 K12 S19", Color::White, 2);
    for style in STYLES {
        assert_eq!(think(style, &position, &FEW).reason, Reason::HoldsOut, "{style}");
    }
}

#[test]
fn the_same_seed_and_limits_give_the_same_game() {
    for style in STYLES {
        let [one, two] = [(); 2].map(|()| game("connect6", style, style, 5, 12));
        assert_eq!(one, two, "{style}");
    }
}

#[test]
fn nctu6_plays_proved_wins() {
    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
    for (name, black, white, stones, order) in [
        ("connect6", "J10 K11 L12", "A1 S19", 2, 1),
        ("connect6", "C3 D3 C5 E5", "A1 B7 F2 R18", 2, 1),
        ("connect6", "I9 I11 J10", "A1 S19", 2, 1),
        ("connect6", "J10 K10 L10 J12", "A1 S19 C3 Q17", 1, 1),
        ("gomoku", "G8 H8 I9 I10", "A1 O15 A15", 1, 2),
        ("gomoku", "F8 G8 H8 I9 I10", "E8 A1 O15 A15", 1, 1),
        ("inf,4,1,1", "0,0 2,1", "9,9", 1, 2),
    ] {
        let position = set_up(name, black, white, Color::Black, stones);
        let thought = think(Style::Nctu6, &position, &limits);
        assert_eq!((thought.reason, thought.score), (Reason::Forces, Score::Win), "{name} {black}");
        assert_eq!(thought.proof.unwrap().order, order, "{name} {black}");
    }
}

#[test]
fn nctu6_defends_against_a_forced_win() {
    let position = set_up("connect6", "I9 I11 J10", "A1 S19 C3 Q3", Color::White, 2);
    let thought = think(Style::Nctu6, &position, &Limits::default());
    assert_eq!(thought.reason, Reason::Defends);
    assert_eq!(thought.danger.len(), 2);
    let near = |&square: &Square| (square.x - 9).abs() <= 5 && (square.y - 9).abs() <= 5;
    assert!(thought.squares.iter().any(near), "{thought:?}");
}

#[test]
fn kagami_finds_a_win_by_double_threats() {
    for (name, black, white) in [
        ("connect6", "J8 J12 H10 L10", "A1 A19 S1 S19"),
        ("connect6", "G10 H10 I10 J11 J12 J13", "F10 J14 A1 S1 S19"),
        ("gomoku", "F8 G8 H8 I9 I10", "E8 A1 O15 A15"),
    ] {
        let stones = name.parse::<Game>().unwrap().p();
        let position = set_up(name, black, white, Color::Black, stones);
        let thought = think(Style::Kagami, &position, &Limits::default());
        assert_eq!((thought.reason, thought.score), (Reason::Forces, Score::Win), "{name} {black}");
    }
}

/// Kagami knows more than one move: where the first is refuted it finds one that is not, or reports
/// that it found none.
#[test]
fn kagami_prevents_wins_by_double_threats() {
    let mut defended = 0;
    for (black, white) in [
        ("C3 D3 C5 E5", "A1 B7 F2 R18"),
        ("J10 K10 J13", "I10 J11 K13"),
        ("J10 K10 L12", "I10 M9 K13"),
        ("G10 H10 I10 J12 J13", "F10 J14 K11 I9"),
        ("J10 K11 K9", "I9 L12 M7"),
        ("J8 J12 H10", "J9 K10 A1"),
        ("C3 D3 C5", "A1 B7 F2"),
        ("I9 I11 J10", "H8 K11 S19 C3"),
        ("F8 G8 H8 I10 I11", "E8 I12 J9 A1"),
    ] {
        let mut after = set_up("connect6", black, white, Color::White, 2);
        let defence = think(Style::Kagami, &after, &Limits::default());
        play(&mut after, &defence);
        let reply = think(Style::Kagami, &after, &Limits::default());
        assert_eq!(reply.score == Score::Win, defence.reason == Reason::HoldsOut, "{black}");
        defended += usize::from(defence.reason == Reason::Defends);
    }
    assert!(defended > 0);
}

#[test]
fn kagami_follows_the_last_stones() {
    let mut engine = engine(Style::Kagami, 1);
    let mut position = set_up("connect6", "J10", "I9 K11", Color::Black, 2);
    let thought = engine.think(&position, &FEW, &Unwatched);
    play(&mut position, &thought);
    for square in squares(position.game(), "C3 C4") {
        position.place(square).unwrap();
    }
    let thought = engine.think(&position, &FEW, &Unwatched);
    let near = |&s: &Square| (s.x - 2).abs() <= 2 && (1..=5).contains(&s.y);
    assert!(thought.squares.iter().all(near), "{thought:?}");
}

/// A clock that is always late, and a caller that wants the move now.
struct Late(Duration, bool);

impl ThinkWatch for Late {
    fn elapsed(&self) -> Duration {
        self.0
    }
    fn is_stopped(&self) -> bool {
        self.1
    }
}

#[test]
fn a_move_is_played_even_when_there_is_no_time() {
    let limits = Limits {
        soft: Some(Duration::from_millis(10)),
        hard: Some(Duration::from_millis(20)),
        ..Limits::default()
    };
    let position = set_up("connect6", "I9 I11 J10 K8", "A1 S19 C3 Q3 M9", Color::White, 2);
    for style in STYLES {
        for watch in [Late(Duration::from_secs(1), false), Late(Duration::ZERO, true)] {
            let thought = engine(style, 1).think(&position, &limits, &watch);
            play(&mut position.clone(), &thought);
            assert!(thought.counts.nodes + thought.counts.threat_nodes < 20, "{style} {thought:?}");
        }
    }
}
