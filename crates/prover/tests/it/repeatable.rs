//! The same question has the same answer: nothing hidden decides, and all directions are equal.

use std::ops::ControlFlow;

use crate::world;
use sixproof_certificate::Claim;
use sixproof_game::{Color, Game, Position, Square, Symmetry};
use sixproof_oracle::random::Random;
use sixproof_oracle::rules::{self, Rules};
use sixproof_prover::prove::{Outcome, Report, prove};
use sixproof_prover::stop::break_if;

use world::{checked, options, position, random_position};

/// All fields of a report.
fn said(report: &Report) -> String {
    format!("{report:?}")
}

#[test]
fn the_same_search_has_the_same_nodes_and_the_same_certificate() {
    let square = |&(x, y): &(i32, i32)| Square::new(x, y);
    let black: Vec<Square> = [(9, 9), (9, 11), (10, 10)].iter().map(square).collect();
    let shape = Position::set_up(Game::CONNECT6, &black, &[], Color::White, 2).expect("possible");
    let mut starts = vec![(shape, Color::Black)];
    let mut random = Random(6);
    for game in [rules::Game::free(6, 5, 4, 1, 1), rules::Game::exact(6, 4, 4, 2, 1)] {
        for _ in 0..20 {
            let place = random_position(&mut random, &Rules::new(game), 12..=24);
            starts.push((position(game, &place), world::color(place.to_move)));
        }
    }
    let mut proved = 0;
    for (start, attacker) in starts {
        let (claim, options) = (Claim::new(&start, attacker), options(3, 5_000));
        let first = checked(&claim, &options);
        // Another search in between leaves no trace, and being watched changes nothing.
        prove(&Claim::new(&Position::new(Game::CONNECT6), attacker), &options, &mut |progress| {
            break_if(progress.nodes > 20)
        });
        let mut steps = 0;
        let again = prove(&claim, &options, &mut |_| {
            steps += 1;
            ControlFlow::Continue(())
        });
        assert_eq!(said(&first), said(&again));
        assert!(steps > 0 || first.counts.nodes == 0);
        proved += u32::from(world::is_proved(&first));
    }
    assert!(proved > 5, "{proved}");
}

#[test]
fn symmetric_positions_are_decided_alike() {
    let games = [
        rules::Game::free(4, 4, 3, 1, 1),
        rules::Game::free(5, 5, 4, 1, 1),
        rules::Game::exact(5, 5, 4, 2, 1),
        rules::Game::free(6, 6, 5, 2, 1),
        rules::Game::free(6, 6, 6, 2, 1),
        rules::Game::free(5, 5, 5, 3, 1),
    ];
    let (mut random, mut decided) = (Random(7), [0; 3]);
    for game in games {
        for _ in 0..60 {
            let place = random_position(&mut random, &Rules::new(game), 6..=14);
            let attacker = *random.pick(&[Color::Black, Color::White]);
            let start = position(game, &place);
            let mut outcomes = [0; 3];
            for symmetry in Symmetry::all(start.game()) {
                let start = symmetry.position(&start).expect("possible");
                let report = checked(&Claim::new(&start, attacker), &options(2, 300));
                outcomes[match report.outcome {
                    Outcome::Proved { .. } => 0,
                    Outcome::NoWin => 1,
                    Outcome::Unknown => 2,
                }] += 1;
            }
            assert!(outcomes[0] == 0 || outcomes[1] == 0, "{game:?} {place:?}: {outcomes:?}");
            for (sum, count) in decided.iter_mut().zip(outcomes) {
                *sum += count;
            }
        }
    }
    println!("proved, no win, unknown: {decided:?}");
    assert!(decided[0] > 200 && decided[1] > 200, "{decided:?}");
}
