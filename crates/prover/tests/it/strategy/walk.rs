//! The heart: a strategy that the checker has accepted is played to the end against Defenders who
//! play anything. It always has an answer, its squares are always empty, and it always wins.

use sixproof_oracle::effort;
use sixproof_oracle::random::Random;

use super::player::{Seen, play};
use super::samples::{Sample, of_the_oracle, of_the_prover, suite};

fn play_all(samples: &[Sample], games: usize, random: &mut Random) -> Seen {
    let mut seen = Seen::default();
    for sample in samples {
        for _ in 0..games {
            play(sample, random, &mut seen);
        }
    }
    seen
}

#[test]
fn a_walk_through_the_suite_wins_against_every_defence() {
    let seen = play_all(&suite(), 120, &mut Random(1));
    assert!(seen.answered > 500 && seen.too_late > 500 && seen.stands > 15, "{seen:?}");
    assert!(seen.incomplete > 500 && seen.extra > 500, "{seen:?}");
    assert!(seen.references > 3 && seen.assumed > 5, "{seen:?}");
}

#[test]
fn a_walk_through_certificates_of_all_styles_wins_against_every_defence() {
    let mut random = Random(2);
    let samples = of_the_oracle(400, &mut random);
    let seen = play_all(&samples, 20, &mut random);
    assert!(seen.answered > 3_000 && seen.too_late > 1_000 && seen.stands > 200, "{seen:?}");
    assert!(seen.incomplete > 1_000 && seen.extra > 1_000, "{seen:?}");
    assert!(seen.references > 5 && seen.assumed > 5, "{seen:?}");
}

#[test]
fn a_walk_through_what_the_prover_finds_wins_against_every_defence() {
    let mut random = Random(3);
    let part = effort(4, 1);
    let samples = of_the_prover(80 / part, &mut random);
    let seen = play_all(&samples, 30, &mut random);
    let Seen { answered, too_late, stands, incomplete, extra, assumed, .. } = seen;
    assert!(answered.min(too_late).min(incomplete) > 1_000 / part, "{seen:?}");
    assert!(stands > 20 / part && extra > 500 / part && assumed > 50 / part, "{seen:?}");
}
