//! The reports of a search to its watcher are true, as far as the watcher can see.

use std::ops::ControlFlow;

use sixproof_certificate::Claim;
use sixproof_game::{Color, Game, Move, Position, Square};
use sixproof_prover::prove::{Options, Progress, ZoneRule, prove};

/// Connect6 after J10 and two far stones of White.
fn opening() -> Position {
    let mut position = Position::new(Game::CONNECT6);
    for (x, y) in [(9, 9), (5, 9), (13, 9)] {
        position.place(Square::new(x, y)).expect("empty");
    }
    position
}

/// White moves against three stones of Black.
fn shape() -> Position {
    let black = [(9, 9), (9, 11), (10, 10)].map(|(x, y)| Square::new(x, y));
    Position::set_up(Game::CONNECT6, &black, &[], Color::White, 2).expect("possible")
}

/// All reports: of the plain search, which the older verifiers use, or of the search over quiet
/// moves.
fn watched(start: &Position, zones: ZoneRule) -> Vec<Progress> {
    let mut seen = Vec::new();
    let options = Options { nodes_max: 100_000, zones, first_look: 0, ..Options::default() };
    prove(&Claim::new(start, Color::Black), &options, &mut |progress| {
        seen.push(progress.clone());
        ControlFlow::Continue(())
    });
    seen
}

#[test]
fn counts_only_grow_and_the_tree_has_a_weight() {
    for (zones, memory) in [(ZoneRule::O2, 1_000_000), (ZoneRule::Segment, 1_000)] {
        let seen = watched(&opening(), zones);
        let count = |p: &Progress| [p.nodes, p.proved, p.refuted];
        for pair in seen.windows(2) {
            let (before, after) = (count(&pair[0]), count(&pair[1]));
            assert!(before.iter().zip(&after).all(|(a, b)| a <= b), "{before:?} {after:?}");
        }
        let last = seen.last().expect("a search has steps");
        assert!(last.proved > 0, "{last:?}");
        let heaviest = seen.iter().map(|progress| progress.memory).max().expect("steps");
        assert!((memory..1000 * memory).contains(&heaviest), "{heaviest}");
    }
}

#[test]
fn lines_can_be_played() {
    for (start, zones) in [
        (opening(), ZoneRule::O2),
        (opening(), ZoneRule::Segment),
        (shape(), ZoneRule::O2),
        (shape(), ZoneRule::Segment),
    ] {
        let seen = watched(&start, zones);
        let with_lines = seen.iter().filter(|progress| !progress.line.is_empty());
        for progress in with_lines {
            for line in [&progress.line, &progress.best] {
                assert_playable(&start, line);
            }
            assert_eq!(progress.line.first(), Some(&progress.candidate), "{progress:?}");
        }
    }
}

fn assert_playable(start: &Position, line: &[Move]) {
    let mut taken: Vec<Square> = start.stones().map(|(square, _)| square).collect();
    let mut attacks = start.to_move() == Color::Black;
    for squares in line {
        // Black's moves are whole; a reply may stand for a null move or for several moves.
        assert!(!attacks || squares.len() == 2, "{line:?}");
        for square in squares {
            assert!(start.game().contains(*square) && !taken.contains(square), "{line:?}");
            taken.push(*square);
        }
        attacks = !attacks;
    }
}

/// The plain search takes steps of microseconds, so it reports lines only at intervals.
#[test]
fn lines_are_reported_now_and_then() {
    let seen = watched(&opening(), ZoneRule::O2);
    let with_lines = seen.iter().filter(|progress| !progress.line.is_empty()).count();
    assert!(with_lines > 5 && with_lines * 10 < seen.len(), "{with_lines} of {}", seen.len());
}
