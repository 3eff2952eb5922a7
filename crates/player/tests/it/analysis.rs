//! Several moves compared: the best is the one that is played, and a win has a certificate.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::Duration;

use sixproof_game::{Color, Game, Move, Position, Square};
use sixproof_player::{Engine, Limits, Score, Settings, Style, ThinkWatch, Thought, Unwatched};

fn set_up(black: &str, white: &str, to_move: Color) -> Position {
    let game = Game::CONNECT6;
    let list = |names: &str| -> Vec<Square> {
        names.split_whitespace().map(|name| game.parse_square(name).expect("a square")).collect()
    };
    Position::set_up(game, &list(black), &list(white), to_move, 2).expect("possible")
}

/// A quiet position, one that has to be defended, one that is won in many ways, one that is lost,
/// and half a move.
fn positions() -> Vec<Position> {
    let mut half = set_up("J10 K11", "J11 K10", Color::White);
    half.place(Square::new(8, 8)).expect("empty");
    vec![
        set_up("J10 L12 H9", "I11 K9 M10", Color::Black),
        set_up("J10 K10 L10 M10", "J11 K12 C3", Color::White),
        set_up("J10 K10 L10 J12 K13 M8", "C3 D4 P16 Q3 E15 R9", Color::Black),
        set_up("J10 K10 L10 M10 J4 K4 L4 M4 C9 C10 C11 C12", "A1 S19 A19 S1", Color::White),
        half,
        Position::new("15,15,5,1,1".parse().expect("a game")),
    ]
}

fn engine() -> Engine {
    Engine::new(Settings { book: false, memory: 1 << 20, ..Settings::default() })
}

fn limits() -> Limits {
    Limits { nodes: Some(3_000), ..Limits::default() }
}

/// Keeps what the engine reports.
#[derive(Default)]
struct Listener(Mutex<Vec<Vec<Thought>>>);

impl ThinkWatch for Listener {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
    fn is_stopped(&self) -> bool {
        false
    }
    fn compare(&self, thoughts: &[Thought]) {
        self.0.lock().expect("nobody panics").push(thoughts.to_vec());
    }
}

fn assert_moves(position: &Position, thoughts: &[Thought]) {
    let mut moves: BTreeSet<Move> = BTreeSet::new();
    for thought in thoughts {
        let first = Move::from(&thought.squares[..]);
        assert!(moves.insert(first.clone()), "twice: {thought:?}");
        let mut after = position.clone();
        after.play(&thought.squares).expect("a legal move");
        assert!(after.to_move() != position.to_move() || after.winner().is_some());
        assert_eq!(thought.line.first(), Some(&first));
        // A win is a fact: the checker says so, and says so of this move.
        assert_eq!(thought.score == Score::Win, thought.proof.is_some(), "{thought:?}");
        if let Some(proof) = &thought.proof {
            sixproof_check::check_bytes(&proof.certificate).expect("verified");
            let strategy = sixproof_certificate::strategy::Strategy::read(&proof.certificate);
            let strategy = strategy.expect("well formed");
            assert_eq!(strategy.claim().position, *position);
            assert_eq!(strategy.claim().attacker, position.to_move());
            assert_eq!(strategy.attack(0), thought.squares, "another move is proved");
        }
    }
}

fn value(score: Score) -> i32 {
    match score {
        Score::Win => i32::MAX,
        Score::Value(value) => value,
        Score::Loss => i32::MIN,
    }
}

#[test]
fn one_line_is_what_the_engine_thinks() {
    for position in positions() {
        let thought = engine().think(&position, &limits(), &Unwatched);
        let analysed = engine().analyse(&position, &limits(), 1, &Unwatched);
        assert_eq!(analysed, [thought]);
    }
}

#[test]
fn several_moves_are_compared_best_first() {
    let (mut wins, mut losses, mut values) = (0, 0, 0);
    for position in positions() {
        let listener = Listener::default();
        let thoughts = engine().analyse(&position, &limits(), 4, &listener);
        assert!((1..=4).contains(&thoughts.len()));
        // There may be few ways to block.
        assert!(position.stones().next().is_none() || thoughts.len() > 1, "{position:?}");
        assert_moves(&position, &thoughts);
        let scores: Vec<i32> = thoughts.iter().map(|thought| value(thought.score)).collect();
        assert!(scores[1..].is_sorted_by(|a, b| a >= b), "{scores:?}");
        assert!(scores[0] == i32::MAX || !scores.contains(&i32::MAX), "{scores:?}");
        assert!(scores[0] > i32::MIN || scores.iter().all(|&score| score == i32::MIN));
        for score in scores {
            match score {
                i32::MAX => wins += 1,
                i32::MIN => losses += 1,
                _ => values += 1,
            }
        }
        // The reports on the way have the same form, and the win first.
        for seen in listener.0.into_inner().expect("nobody panics") {
            assert!((1..=4).contains(&seen.len()));
            assert_moves(&position, &seen);
            assert!(thoughts[0].score != Score::Win || seen[0].score == Score::Win);
        }
    }
    assert!(wins > 0 && losses > 0 && values > 3, "{wins} {losses} {values}");
}

/// With time enough, the move to be played is the one that `think` finds with the same depth.
#[test]
fn the_first_of_several_is_the_move_to_be_played() {
    let deep = Limits { depth: Some(2), nodes: Some(1_000_000), ..Limits::default() };
    for position in &positions()[..4] {
        let thought = engine().think(position, &deep, &Unwatched);
        let first = engine().analyse(position, &deep, 3, &Unwatched).swap_remove(0);
        assert_eq!((thought.score, thought.reason), (first.score, first.reason));
    }
}

#[test]
fn depth_is_reported_as_it_grows() {
    let listener = Listener::default();
    let limits = Limits { depth: Some(3), nodes: Some(1_000_000), ..Limits::default() };
    engine().analyse(&positions()[0], &limits, 3, &listener);
    let seen = listener.0.into_inner().expect("nobody panics");
    let depths: Vec<u32> = seen.iter().map(|thoughts| thoughts[0].counts.depth).collect();
    assert_eq!(depths, [1, 2, 3]);
    assert!(seen.iter().all(|thoughts| thoughts.len() == 3));
}

#[test]
fn other_styles_give_their_move_and_finished_games_none() {
    for style in Style::ALL {
        let mut engine = Engine::new(Settings { style, ..Settings::default() });
        let thoughts = engine.analyse(&positions()[0], &limits(), 3, &Unwatched);
        assert_eq!(thoughts.len(), if style == Style::Sixproof { 3 } else { 1 }, "{style}");
        assert!(engine.analyse(&positions()[0], &limits(), 0, &Unwatched).is_empty());
    }
    let won = set_up("J10 K10 L10 M10 N10 O10", "A1", Color::White);
    assert!(engine().analyse(&won, &limits(), 3, &Unwatched).is_empty());
}
