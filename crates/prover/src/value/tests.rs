//! The searches against exhaustive minimax, on positions of tiny boards.

use std::ops::ControlFlow;

use sixproof_oracle::random::Random;
use sixproof_oracle::rules::{self, Rules};
use sixproof_oracle::solve::Solver;

use super::lines::Lines;
use super::search::Search;
use super::state::{BitPosition, Eye};
use super::{Improvements, Rows};

/// All improvements, all but one, and none.
fn variants() -> Vec<Improvements> {
    let all = Improvements::ALL;
    vec![
        all,
        Improvements { pairing: false, ..all },
        Improvements { potential: false, ..all },
        Improvements { symmetry: false, ..all },
        Improvements { reduction: false, ..all },
        Improvements { pairing: false, potential: false, ..all },
        Improvements::NONE,
    ]
}

/// A position of random stones without a row, and its questions.
fn random_state(rules: &Rules, p: usize, random: &mut Random) -> Option<BitPosition> {
    // Minimax needs some stones on larger boards.
    let least = if rules.board().count_ones() > 12 { 30 } else { 10 };
    let percent = least + random.below(40);
    let stones = random.subset(rules.board(), percent);
    let attacker = random.subset(stones, 50);
    let defender = stones & !attacker;
    let attacks = random.chance(50);
    let left = 1 + random.below(p) as u8;
    let rows = [(rules::Color::Black, attacker), (rules::Color::White, defender)];
    let is_over = rows.into_iter().any(|(color, stones)| rules.has_line(color, stones));
    (!is_over).then_some(BitPosition { attacker, defender, attacks, left })
}

/// Compares the searches of a game with the oracle: Attacker is Black there.
fn check([cols, rows, k, p]: [usize; 4], positions: usize) {
    let oracle_game = rules::Game::free(cols, rows, k, p, 1);
    let rules = Rules::new(oracle_game);
    let mut real = Solver::new(rules.clone());
    let mut maker_breaker = Solver::new(Rules::powerless(oracle_game, rules::Color::White));
    let text = format!("{cols},{rows},{k},{p},1");
    let lines = Lines::new(text.parse().unwrap()).unwrap();
    let variants = variants();
    let mut searches: Vec<[Search; 2]> = Vec::new();
    for &improvements in &variants {
        searches.push([Rows::Both, Rows::Attacker].map(|rows| {
            let stones = [p as u32, p as u32];
            let eye = Eye::new(lines.clone(), k as u32, stones, rows, improvements);
            // A small table forgets, and the answer stays the same.
            Search::new(eye, if improvements.symmetry { 14 } else { 6 })
        }));
    }
    let mut random = Random((cols * 1000 + rows * 100 + k * 10 + p) as u64);
    let mut seen = [0; 2];
    for _ in 0..positions {
        let Some(state) = random_state(&rules, p, &mut random) else { continue };
        let to_move = if state.attacks { rules::Color::Black } else { rules::Color::White };
        let position = rules::Position {
            black: state.attacker,
            white: state.defender,
            to_move,
            left: state.left.into(),
        };
        let truth = [&mut real, &mut maker_breaker].map(|s| s.wins(rules::Color::Black, &position));
        seen[usize::from(truth[0])] += 1;
        for (improvements, pair) in variants.iter().zip(&mut searches) {
            for (search, truth) in pair.iter_mut().zip(truth) {
                let found = search.run(&state, u64::MAX, &mut |_| ControlFlow::Continue(()));
                assert_eq!(found, Some(truth), "{text} {state:?} {improvements:?}");
            }
        }
    }
    assert!(seen.iter().all(|&count| count > positions / 100), "{text} {seen:?}");
}

#[test]
fn one_stone_a_move() {
    for game in [[3, 3, 3, 1], [4, 3, 3, 1], [5, 2, 2, 1], [6, 2, 4, 1], [4, 4, 3, 1], [4, 4, 4, 1]]
    {
        check(game, 300);
    }
}

#[test]
fn two_stones_a_move() {
    for game in [[3, 3, 3, 2], [4, 3, 3, 2], [4, 4, 4, 2], [5, 3, 4, 2], [7, 2, 4, 2], [8, 1, 4, 2]]
    {
        check(game, 300);
    }
}

#[test]
fn three_stones_a_move() {
    for game in [[3, 3, 3, 3], [4, 3, 4, 3], [4, 4, 4, 3], [5, 3, 5, 3], [7, 2, 5, 3], [9, 1, 4, 3]]
    {
        check(game, 300);
    }
}

#[test]
fn long_rows_need_more_than_one_pair() {
    for game in [[9, 1, 3, 1], [10, 1, 4, 1], [8, 2, 4, 1], [5, 3, 4, 1], [5, 3, 5, 1]] {
        check(game, 300);
    }
}
