//! The style `sixproof` in every kind of game: moves by the rules, the same moves again, and an end
//! soon after the caller asks for it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sixproof_game::{Color, Game, Position, Square, moves};
use sixproof_oracle::effort;
use sixproof_player::{Engine, Level, Limits, Settings, ThinkWatch, Thought, Unwatched};

use crate::world::{play, set_up};

/// Few nodes: a whole game in a moment.
const FEW: Limits = Limits { soft: None, hard: None, nodes: Some(150), depth: None };

fn settings(seed: u64) -> Settings {
    Settings { seed, book: false, memory: 1 << 16, ..Settings::default() }
}

fn is_over(position: &Position) -> bool {
    position.is_over()
}

/// Plays on to the end, or for this number of moves; returns all moves.
fn play_on(
    position: &mut Position,
    settings: &Settings,
    limits: &Limits,
    moves_max: usize,
) -> Vec<Vec<Square>> {
    let mut engines = [(); 2].map(|()| Engine::new(settings.clone()));
    let mut moves = Vec::new();
    while moves.len() < moves_max && !is_over(position) {
        let engine = &mut engines[usize::from(position.to_move() == Color::White)];
        let thought = engine.think(position, limits, &Unwatched);
        play(position, &thought);
        moves.push(thought.squares);
    }
    moves
}

/// Games with boards and numbers of all kinds, and the moves to play.
const GAMES: &[(&str, usize)] = &[
    ("1,1,1,1,1", 2),
    ("2,1,2,1,1", 3),
    ("1,9,3,1,1", 9),
    ("3,3,3,1,1", 9),
    ("4,4,4,2,1", 9),
    ("4,4,4,9,19", 4),
    ("5,5,5,2,1,exact", 13),
    ("5,4,4,4,1", 6),
    ("6,6,4,2,2", 18),
    ("6,6,3,4,5", 10),
    ("7,5,4,3,1", 13),
    ("9,5,5,3,2", 16),
    ("9,9,5,1,1,exact", 81),
    ("8,8,5,2,2", 33),
    ("10,10,7,4,3", 26),
    ("15,15,5,1,1", 60),
    ("gomoku-exact", 40),
    ("19,19,6,2,1", 40),
    ("19,19,6,2,1,exact", 30),
    ("19,19,6,2,3", 20),
    ("30,7,6,2,1", 20),
    ("59,59,6,2,1", 4),
    ("59,1,6,2,1", 31),
    ("inf,6,2,1", 12),
    ("inf,5,1,1", 20),
    ("inf,12,3,4", 4),
    ("inf,3,1,1", 10),
];

#[test]
fn whole_games_are_legal_in_every_game() {
    for &(name, moves_max) in GAMES {
        for seed in 0..effort(1, 2) {
            let mut position = Position::new(name.parse().unwrap());
            play_on(&mut position, &settings(seed), &FEW, moves_max);
        }
    }
}

#[test]
fn small_boards_are_played_until_the_game_is_over() {
    for name in ["1,1,1,1,1", "3,3,3,1,1", "4,4,4,2,1", "5,5,5,2,1,exact", "6,6,4,2,2"] {
        let mut position = Position::new(name.parse().unwrap());
        play_on(&mut position, &settings(1), &FEW, usize::MAX);
        assert!(is_over(&position), "{name}");
        let thought = Engine::new(settings(1)).think(&position, &FEW, &Unwatched);
        assert_eq!(thought, Thought::default(), "{name}");
    }
}

#[test]
fn every_level_plays_legal_moves() {
    for number in 1..=10 {
        let settings = Settings { level: Level::new(number).unwrap(), ..settings(1) };
        for name in ["connect6", "gomoku", "7,5,4,3,1", "inf,6,2,1"] {
            let mut position = Position::new(name.parse().unwrap());
            play_on(&mut position, &settings, &FEW, 6);
        }
    }
}

#[test]
fn a_game_begins_in_the_middle() {
    for (name, middle) in [
        ("gomoku", "H8"),
        ("gomoku-exact", "H8"),
        ("15,15,6,2,1", "H8"),
        ("connect6", "J10"),
        ("inf,6,2,1", "0,0"),
        ("3,3,3,1,1", "B2"),
    ] {
        let game: Game = name.parse().unwrap();
        for number in [1, 5, 10] {
            let settings = Settings { level: Level::new(number).unwrap(), ..settings(1) };
            let thought = Engine::new(settings).think(&Position::new(game), &FEW, &Unwatched);
            assert_eq!(game.square_names(&thought.squares), middle, "{name}, level {number}");
        }
    }
}

#[test]
fn limits_of_every_kind_give_moves() {
    let none = Limits::default();
    let limits = [
        Limits { nodes: Some(0), ..none },
        Limits { nodes: Some(1), ..none },
        Limits { depth: Some(0), ..none },
        Limits { depth: Some(1), nodes: Some(1_000), ..none },
        Limits { soft: Some(Duration::ZERO), hard: Some(Duration::ZERO), ..none },
        Limits { hard: Some(Duration::ZERO), ..none },
    ];
    for limits in limits {
        for name in ["connect6", "gomoku", "4,4,4,2,1", "inf,6,2,1"] {
            let mut position = Position::new(name.parse().unwrap());
            play_on(&mut position, &settings(1), &limits, 6);
        }
    }
}

/// The loser looks for a way out for as long as the limit allows, however large it is.
#[test]
fn the_largest_limit_is_a_limit() {
    let limits = Limits { nodes: Some(u64::MAX), ..Limits::default() };
    let lost = "F10 G10 H10 I10 F3 G3 H3 I3";
    let mut position = set_up("connect6", lost, "A1 A8 K12 S19", Color::White, 2);
    play_on(&mut position, &settings(1), &limits, 1);
}

#[test]
fn with_one_thread_the_same_seed_gives_the_same_game() {
    for (name, moves_max) in
        [("connect6", 16), ("gomoku", 20), ("7,5,4,3,1", 13), ("inf,6,2,1", 10), ("8,8,5,2,2", 20)]
    {
        for level in [3, 10] {
            let settings = Settings { level: Level::new(level).unwrap(), ..settings(7) };
            let [one, two] = [(); 2].map(|()| {
                let mut position = Position::new(name.parse().unwrap());
                play_on(&mut position, &settings, &FEW, moves_max)
            });
            assert_eq!(one, two, "{name}");
        }
    }
}

#[test]
fn an_engine_that_was_reset_plays_as_a_new_one() {
    let position = set_up("connect6", "J10 K11 H9", "I9 K9", Color::White, 2);
    let other = set_up("gomoku", "H8 H9", "I9", Color::White, 1);
    let fresh = Engine::new(settings(1)).think(&position, &FEW, &Unwatched);
    let mut used = Engine::new(settings(1));
    used.think(&other, &FEW, &Unwatched);
    used.think(&position, &FEW, &Unwatched);
    used.reset();
    assert_eq!(used.think(&position, &FEW, &Unwatched), fresh);
}

/// The rest of a move is one move, too.
#[test]
fn moves_that_have_begun_are_finished() {
    for (name, black, white, to_move, left) in [
        ("connect6", "J10 K11", "I9 K9", Color::Black, 1),
        ("connect6", "J10 K11 L12 M13 A1", "I9 K9 A3 A5", Color::Black, 1),
        ("connect6", "J10 K11 L12 M13 A1", "I9 K9 A3 A5 A9", Color::White, 1),
        ("19,19,6,2,3", "J10", "", Color::Black, 2),
        ("7,5,4,3,1", "A1 B2", "C3 C4", Color::White, 1),
        ("7,5,4,3,1", "A1 B2", "C3 C4", Color::Black, 2),
        ("10,10,7,4,3", "A1 B2 C3 D4 E5", "F1 F2 F3 F4", Color::Black, 2),
        ("10,10,7,4,3", "A1 B2 C3 D4 E5", "F1 F2 F3 F4", Color::White, 3),
        ("inf,6,2,1", "0,0 1,1 2,2 3,3", "5,0 5,1", Color::White, 1),
    ] {
        for seed in 0..3 {
            let mut position = set_up(name, black, white, to_move, left);
            play_on(&mut position, &settings(seed), &FEW, 4);
        }
    }
}

#[test]
fn positions_that_no_game_leads_to_are_played() {
    for (name, black, white, to_move, left) in [
        ("connect6", "A1 C1 E1 G1 J1 L1 N1", "", Color::White, 2),
        ("connect6", "", "A1 C1 E1 G1 J1 L1 N1", Color::White, 2),
        ("connect6", "F10 G10 H10 I10", "F12 G12 H12 I12", Color::Black, 2),
        ("connect6", "F10 G10 H10 I10 F3 G3 H3 I3", "A1", Color::White, 2),
        ("connect6", "", "", Color::White, 2),
        ("gomoku", "", "A1 B2 C3", Color::White, 1),
        ("gomoku", "F8 G8 H8 I8", "", Color::White, 1),
        ("gomoku-exact", "F8 G8 H8 I8 K8", "J9", Color::Black, 1),
        ("3,3,3,1,1", "A1 B3 C2", "B1 B2 A3 C3", Color::White, 1),
        ("inf,6,2,1", "0,0 1000000000,1000000000", "-1000000000,5 3,3", Color::White, 2),
        ("inf,6,2,1", "0,0 30,0", "3,3 0,30", Color::White, 2),
        ("inf,6,2,1", "", "", Color::White, 1),
    ] {
        for seed in 0..2 {
            let mut position = set_up(name, black, white, to_move, left);
            play_on(&mut position, &settings(seed), &FEW, 4);
        }
    }
}

#[test]
fn a_board_with_one_square_left_is_filled() {
    let game: Game = "4,4,4,2,1".parse().unwrap();
    let squares: Vec<Square> = game.squares().collect();
    let black: Vec<Square> = squares.iter().copied().filter(|s| (s.x / 2 + s.y) % 2 == 0).collect();
    let mut white: Vec<Square> = squares.into_iter().filter(|s| !black.contains(s)).collect();
    let last = white.pop().unwrap();
    for to_move in [Color::Black, Color::White] {
        let mut position = Position::set_up(game, &black, &white, to_move, 2).unwrap();
        let moves = play_on(&mut position, &settings(1), &FEW, 1);
        assert_eq!(moves, [[last]]);
    }
}

#[test]
fn two_threads_play_legal_moves() {
    for (name, moves_max) in
        [("connect6", 10), ("gomoku", 10), ("3,3,3,1,1", 9), ("inf,6,2,1", 6), ("7,5,4,3,1", 13)]
    {
        for threads in [2, 4] {
            let settings = Settings { threads, ..settings(1) };
            let mut position = Position::new(name.parse().unwrap());
            let limits = Limits { nodes: Some(1_000), ..FEW };
            play_on(&mut position, &settings, &limits, moves_max);
        }
    }
}

/// Wants the move after a number of questions, and counts those that follow. Time is questions,
/// too: the tests read no real clock.
struct Impatient {
    questions: AtomicU64,
    patience: u64,
    reports: AtomicU64,
}

impl Impatient {
    fn new(patience: u64) -> Impatient {
        Impatient { questions: AtomicU64::new(0), patience, reports: AtomicU64::new(0) }
    }
}

impl ThinkWatch for Impatient {
    fn elapsed(&self) -> Duration {
        Duration::from_micros(self.questions.fetch_add(1, Ordering::Relaxed))
    }
    fn is_stopped(&self) -> bool {
        self.questions.fetch_add(1, Ordering::Relaxed) >= self.patience
    }
    fn report(&self, _: &Thought) {
        self.reports.fetch_add(1, Ordering::Relaxed);
    }
}

/// Positions with much to think about.
fn busy() -> Vec<Position> {
    vec![
        Position::new("connect6".parse().unwrap()),
        set_up("connect6", "J10 K11 H9", "I9 K9", Color::White, 2),
        set_up("connect6", "J10 K11 H9 G12 M8", "I9 K9 L8 I12", Color::White, 2),
        set_up("connect6", "J10 K11 H9 G12 M8", "I9 K9 L8 I12 A1", Color::White, 1),
        set_up("gomoku", "H8 H9 J7", "I9 G8", Color::White, 1),
        set_up("gomoku-exact", "H8 H9 J7", "I9 G8", Color::White, 1),
        set_up("inf,6,2,1", "0,0 1,1 -2,1", "0,1 2,2", Color::White, 2),
        set_up("inf,5,1,1", "0,0 1,1 -2,1", "0,1 2,2", Color::White, 1),
        set_up("10,10,7,4,3", "A1 B2 C3 D4 E5", "F1 F2 F3 F4", Color::Black, 4),
        set_up("59,59,6,2,1", "J10 K11 H9", "I9 K9", Color::White, 2),
    ]
}

/// The test asserts no time: an engine that goes on asks more questions, and one that asks none
/// would never end, because nothing else limits it.
#[test]
fn a_stop_ends_the_thinking_soon() {
    let endless = Limits { nodes: Some(1 << 60), ..Limits::default() };
    for position in busy() {
        for patience in [0, 1, 10, 100, 1_000] {
            for threads in [1, 2] {
                let watch = Impatient::new(patience);
                let mut engine = Engine::new(Settings { threads, ..settings(1) });
                let thought = engine.think(&position, &endless, &watch);
                play(&mut position.clone(), &thought);
                let asked = watch.questions.into_inner();
                assert!(asked <= patience + 200, "{asked} after {patience}: {position:?}");
            }
        }
    }
}

#[test]
fn a_clock_that_has_run_out_ends_the_thinking_soon() {
    for position in busy() {
        for micros in [0, 10, 100, 1_000] {
            let time = Duration::from_micros(micros);
            let limits = Limits { soft: Some(time), hard: Some(time), ..Limits::default() };
            let watch = Impatient::new(u64::MAX);
            let thought = Engine::new(settings(1)).think(&position, &limits, &watch);
            play(&mut position.clone(), &thought);
            let asked = watch.questions.into_inner();
            assert!(asked <= micros + 200, "{asked} after {micros}: {position:?}");
        }
    }
}

/// Between two questions there is little work: the countable part of it is.
#[test]
fn a_stop_at_once_leaves_little_to_do() {
    let endless = Limits { nodes: Some(1 << 60), ..Limits::default() };
    let lines = include_str!("../../../../suite/play/positions.txt").lines();
    for line in lines.filter(|line| !line.starts_with('#')) {
        let record = moves::read(Game::CONNECT6, line).unwrap();
        let position = record.reach(record.main_line_end(0)).unwrap().position;
        let mut engine = Engine::new(settings(1));
        let thought = engine.think(&position, &endless, &Impatient::new(0));
        play(&mut position.clone(), &thought);
        let counts = thought.counts;
        assert!(counts.nodes + counts.threat_nodes <= 1_000, "{line}: {counts:?}");
        assert!(counts.half_moves <= 20_000, "{line}: {counts:?}");
    }
}
