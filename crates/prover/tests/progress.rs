//! What a search tells those who watch it is true as far as they can see.

use sixproof_game::{Color, Game, Position, Square};
use sixproof_prover::prove::{Options, Progress, prove};

/// Connect6 after J10 and two far stones of White.
fn opening() -> Position {
    let mut position = Position::new(Game::CONNECT6);
    for (x, y) in [(9, 9), (5, 9), (13, 9)] {
        position.place(Square::new(x, y)).expect("empty");
    }
    position
}

fn watched() -> Vec<Progress> {
    let mut seen = Vec::new();
    let options = Options { nodes_max: 150_000, ..Options::new(Color::Black) };
    prove(&opening(), &options, &mut |progress| {
        seen.push(progress.clone());
        false
    });
    seen
}

#[test]
fn counts_only_grow_and_the_tree_has_a_weight() {
    let seen = watched();
    let count = |p: &Progress| [p.nodes, p.proved, p.refuted];
    for pair in seen.windows(2) {
        let (before, after) = (count(&pair[0]), count(&pair[1]));
        assert!(before.iter().zip(&after).all(|(a, b)| a <= b), "{before:?} {after:?}");
    }
    let last = seen.last().expect("a search has steps");
    assert!(last.proved > 0 && last.refuted > 0, "{last:?}");
    assert!(seen.iter().any(|progress| progress.memory > 100_000));
}

#[test]
fn lines_are_told_now_and_then_and_can_be_played() {
    let (start, seen) = (opening(), watched());
    let told: Vec<&Progress> = seen.iter().filter(|progress| !progress.line.is_empty()).collect();
    assert!(told.len() > 5, "{} of {}", told.len(), seen.len());
    assert!(told.len() * 10 < seen.len(), "{} of {}", told.len(), seen.len());
    for line in told.iter().flat_map(|progress| [&progress.line, &progress.best]) {
        let mut taken: Vec<Square> = start.stones().map(|(square, _)| square).collect();
        for (number, squares) in line.iter().enumerate() {
            // Black begins, with two stones; a reply may stand for none or for several moves.
            assert!(number % 2 == 1 || squares.len() == 2, "{line:?}");
            for square in squares {
                assert!(start.game().contains(*square) && !taken.contains(square), "{line:?}");
                taken.push(*square);
            }
        }
    }
    for progress in told {
        assert_eq!(progress.line.first(), Some(&progress.candidate), "{progress:?}");
    }
}
