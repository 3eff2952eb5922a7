//! The driver by itself against the truth of small boards. The searches below it have so small a
//! budget that it has to find quiet moves.

use std::ops::RangeInclusive;

use expect_test::expect;
use sixproof_oracle::effort;
use sixproof_oracle::random::Random;
use sixproof_oracle::rules::{Color, Game, Position, Rules};
use sixproof_oracle::solve::Solver;
use sixproof_prover::driver::{NoJournal, RunOptions, Settings, Switches};

use super::direct;
use crate::world::{self, is_proved};

/// The positions of each game whose wins are counted; the long run goes on beyond them.
const COUNTED: usize = 50;

/// Games, the empty squares of their positions, and the order searched for.
fn games() -> Vec<(Game, RangeInclusive<usize>, u32)> {
    let (free, exact) = (Game::free, Game::exact);
    vec![
        (free(4, 4, 3, 1, 1), 9..=14, 2),
        (free(5, 3, 3, 1, 1), 9..=14, 3),
        (exact(5, 4, 3, 1, 1), 11..=14, 2),
        (free(5, 5, 4, 1, 1), 12..=15, 2),
        (free(6, 4, 4, 1, 1), 12..=15, 3),
        (free(5, 4, 4, 2, 1), 13..=15, 3),
        (exact(5, 5, 4, 2, 2), 12..=14, 3),
        (free(5, 5, 5, 2, 1), 12..=14, 3),
        (free(6, 5, 5, 2, 3), 12..=14, 3),
    ]
}

/// Whether the driver proves it.
fn is_found(game: Game, place: &Position, attacker: Color, order: u32) -> bool {
    let settings = Settings {
        solve_nodes: 4,
        screening: Some(direct::LEAST),
        verification: direct::LEAST,
        ..Settings::new(order, Switches::ALL)
    };
    let resources =
        RunOptions { threads: 1, nodes_max: 3_000, memory_max: 1 << 26, snapshot_every: 0 };
    let (place, attacker) = (world::position(game, place), world::color(attacker));
    direct::search(&place, attacker, settings, resources, &NoJournal).1.is_some()
}

/// Quiet wins are rare where a move has two stones, so the test finds these with the plain search.
#[test]
fn the_driver_finds_quiet_wins_of_two_stones() {
    let game = Game::free(4, 4, 4, 2, 1);
    let mut solver = Solver::new(Rules::new(game));
    let (mut random, mut wins, mut found) = (Random(3), 0, 0);
    while wins < 8 {
        let place = world::random_position(&mut random, &solver.rules, 10..=14);
        let attacker = *random.pick(&[Color::Black, Color::White]);
        let options = world::options(3, 200);
        let is_proved = is_proved(&world::checked(&world::claim(game, &place, attacker), &options));
        if is_proved && is_quiet(game, &place, attacker) {
            assert!(solver.wins(attacker, &place), "{attacker:?} attacks, {place:?}");
            wins += 1;
            found += u32::from(is_found(game, &place, attacker, 3));
        }
    }
    assert_eq!(found, 8);
}

/// A win is quiet if Attacker does not win by moves that force every reply.
fn is_quiet(game: Game, place: &Position, attacker: Color) -> bool {
    let options = world::options(1, 3_000);
    !is_proved(&world::checked(&world::claim(game, place, attacker), &options))
}

#[test]
fn the_driver_tells_the_truth_about_small_boards() {
    let mut table = String::from("game, order: wins found, of them quiet ones\n");
    for (seed, (game, empties, order)) in (9..).zip(games()) {
        let mut random = Random(seed);
        let mut solver = Solver::new(Rules::new(game));
        let (mut wins, mut quiet) = ([0; 2], [0; 2]);
        for index in 0..effort(COUNTED, 5 * COUNTED) {
            let place = world::random_position(&mut random, &solver.rules, empties.clone());
            let attacker = *random.pick(&[Color::Black, Color::White]);
            let is_found = is_found(game, &place, attacker, order);
            let is_won = solver.wins(attacker, &place);
            assert!(is_won || !is_found, "false claim: {game:?}, {attacker:?} attacks, {place:?}");
            if index >= COUNTED {
                continue;
            }
            if is_won {
                wins = [wins[0] + u32::from(is_found), wins[1] + 1];
            }
            if is_won && is_quiet(game, &place, attacker) {
                quiet = [quiet[0] + u32::from(is_found), quiet[1] + 1];
            }
        }
        let Game { cols, rows, k, p, q, exact } = game;
        let rule = if exact { " exact" } else { "" };
        table += &format!(
            "Connect({cols},{rows},{k},{p},{q}){rule}, {order}: {} of {}, {} of {}\n",
            wins[0], wins[1], quiet[0], quiet[1]
        );
    }
    expect![[r#"
        game, order: wins found, of them quiet ones
        Connect(4,4,3,1,1), 2: 28 of 28, 1 of 1
        Connect(5,3,3,1,1), 3: 27 of 27, 4 of 4
        Connect(5,4,3,1,1) exact, 2: 18 of 18, 0 of 0
        Connect(5,5,4,1,1), 2: 21 of 21, 2 of 2
        Connect(6,4,4,1,1), 3: 12 of 13, 0 of 0
        Connect(5,4,4,2,1), 3: 19 of 19, 0 of 0
        Connect(5,5,4,2,2) exact, 3: 26 of 26, 0 of 0
        Connect(5,5,5,2,1), 3: 6 of 6, 0 of 0
        Connect(6,5,5,2,3), 3: 14 of 14, 0 of 0
    "#]]
    .assert_eq(&table);
}
