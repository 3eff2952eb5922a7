//! Perft: the number of games with a number of stones. The counts in `suite/perft.txt` are computed
//! by the oracle, which has rules of its own; `crates/oracle/tests/it/perft.rs` computes them
//! again.

use sixproof_game::{Game, Position, Square};
use sixproof_oracle::effort;

const COUNTS: &str = include_str!("../../../suite/perft.txt");
/// The most games that the usual run counts.
const USUAL_MAX: u64 = 300_000;

fn perft(position: &Position, squares: &[Square], depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    squares
        .iter()
        .map(|&square| {
            let mut next = position.clone();
            if next.place(square).is_ok() { perft(&next, squares, depth - 1) } else { 0 }
        })
        .sum()
}

#[test]
fn games_are_as_many_as_the_oracle_counts() {
    let mut cases = 0;
    for line in COUNTS.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [game, depth, count] = words[..] else { panic!("three words: {line}") };
        let (game, count): (Game, u64) = (game.parse().unwrap(), count.parse().unwrap());
        if count > effort(USUAL_MAX, u64::MAX) {
            continue;
        }
        let squares: Vec<Square> = game.squares().collect();
        let found = perft(&Position::new(game), &squares, depth.parse().unwrap());
        assert_eq!(found, count, "{line}");
        cases += 1;
    }
    assert!(cases >= 10);
}
