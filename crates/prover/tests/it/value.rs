//! Values of small games against exhaustive minimax and the literature; every claimed win is
//! checked, every pairing verified.

use std::ops::ControlFlow;

use sixproof_game::{Color, Game, Position, Square};
use sixproof_oracle::rules::{self, Rules};
use sixproof_oracle::solve::{self, Solver};
use sixproof_prover::stop::break_if;
use sixproof_prover::value::{Finding, Flaw, Improvements, Options, Pairing, Report, Value, value};

/// The value of a game; the test looks at its evidence.
fn decide(game: &str, improvements: Improvements, nodes_max: u64) -> Report {
    let game: Game = game.parse().expect("a possible game");
    let options = Options { nodes_max, table_bits: 18, improvements };
    let report = value(game, &options, &mut |_| ControlFlow::Continue(())).expect("a small board");
    for (finding, color) in report.findings.iter().zip([Color::Black, Color::White]) {
        match finding {
            Finding::Wins(win) => {
                let verified = sixproof_check::check_bytes(&win.certificate);
                let verified = verified.unwrap_or_else(|why| panic!("{game:?} {color}: {why:?}"));
                let black = verified.claim.attacker == sixproof_check::Color::Black;
                assert_eq!(black, color == Color::Black, "{game:?}");
                assert_eq!(verified.counts.nodes, win.nodes);
                let position = Position::new(game);
                let claim = &verified.claim;
                assert_eq!(claim.black.len() + claim.white.len(), 0, "{position:?}");
            }
            Finding::Pairing(pairing) => assert_eq!(pairing.verify(game), Ok(()), "{game:?}"),
            Finding::Stealing => assert!(color == Color::White && game.q() >= game.p()),
            _ => {}
        }
    }
    report
}

fn value_of(game: &str) -> Value {
    let report = decide(game, Improvements::ALL, 2_000_000);
    report.value.unwrap_or_else(|| panic!("{game}: not decided, {:?}", report.findings))
}

/// All games on boards that are small enough for minimax, with all improvements and without each.
#[test]
fn tiny_games_have_the_value_of_minimax() {
    let all = Improvements::ALL;
    let variants = [
        all,
        Improvements { stealing: false, ..all },
        Improvements { maker_breaker: false, ..all },
        Improvements { prover: false, ..all },
        Improvements { prover: false, stealing: false, pairing: false, ..all },
        Improvements { prover: false, symmetry: false, potential: false, ..all },
        Improvements { prover: false, reduction: false, potential: false, ..all },
        Improvements::NONE,
    ];
    let mut games = 0;
    for (cols, rows) in [(2, 2), (3, 2), (3, 3), (4, 1), (4, 2), (4, 3), (5, 2), (4, 4)] {
        for k in 1..=4.min(cols) {
            for (p, q) in [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (3, 3)] {
                // Minimax needs long for these.
                let large = cols * rows == 16;
                if large && (k < 3 || p == 1 || p == 2 && k == 4) {
                    continue;
                }
                let rules = Rules::new(rules::Game::free(cols, rows, k, p, q));
                let truth = match Solver::new(rules.clone()).value(&rules.start()) {
                    solve::Value::Black => Value::Black,
                    solve::Value::White => Value::White,
                    solve::Value::Draw => Value::Draw,
                };
                let game = format!("{cols},{rows},{k},{p},{q}");
                for improvements in variants.into_iter().skip(if large { 3 } else { 0 }) {
                    let report = decide(&game, improvements, 10_000_000);
                    assert_eq!(report.value, Some(truth), "{game} {improvements:?}");
                }
                games += 1;
            }
        }
    }
    assert!(games > 140, "{games}");
}

#[test]
fn values_of_the_literature_with_one_stone_a_move() {
    for game in ["3,3,3,1,1", "4,4,4,1,1", "5,4,4,1,1", "6,4,4,1,1", "5,5,4,1,1", "5,5,5,1,1"] {
        assert_eq!(value_of(game), Value::Draw, "{game}");
    }
    for game in ["6,5,5,1,1", "6,6,5,1,1"] {
        assert_eq!(value_of(game), Value::Draw, "{game}");
    }
    for game in ["4,3,3,1,1", "4,4,3,1,1", "6,5,4,1,1"] {
        assert_eq!(value_of(game), Value::Black, "{game}");
    }
}

#[test]
fn values_with_more_stones_a_move() {
    for game in ["4,4,4,2,1", "5,4,4,2,1", "5,5,4,2,1", "4,4,4,2,2", "5,5,5,2,1", "6,5,5,2,1"] {
        assert_eq!(value_of(game), Value::Draw, "{game}");
    }
    for game in ["5,5,5,2,2", "5,5,5,3,1", "5,5,5,3,2", "5,5,5,3,3"] {
        assert_eq!(value_of(game), Value::Draw, "{game}");
    }
    for game in ["6,4,4,2,1", "7,4,4,2,1", "6,5,4,2,1", "6,6,4,2,1"] {
        assert_eq!(value_of(game), Value::White, "{game}");
    }
    for game in ["5,4,4,2,2", "5,5,4,2,2", "6,4,4,2,2", "6,6,4,2,2", "5,4,4,3,1"] {
        assert_eq!(value_of(game), Value::Black, "{game}");
    }
}

/// The strategy of an exhaustive search is a certificate, too, for both sides and all p.
#[test]
fn exhaustive_wins_have_certificates() {
    let improvements = Improvements { prover: false, ..Improvements::ALL };
    for (game, expected) in [
        ("6,5,4,1,1", Value::Black),
        ("5,4,3,1,1", Value::Black),
        ("6,4,4,2,1", Value::White),
        ("5,4,4,2,2", Value::Black),
        ("5,4,4,3,1", Value::Black),
    ] {
        let report = decide(game, improvements, 2_000_000);
        assert_eq!(report.value, Some(expected), "{game}");
        let win = report.findings.iter().find_map(|finding| match finding {
            Finding::Wins(win) => Some(win),
            _ => None,
        });
        let win = win.expect("somebody wins");
        assert_eq!(win.order, None);
        assert!(!win.line.is_empty());
    }
}

#[test]
fn the_same_question_has_the_same_answer() {
    for game in ["5,5,4,1,1", "5,4,4,2,1", "6,5,4,1,1"] {
        let [one, other] = [(); 2].map(|()| decide(game, Improvements::ALL, 200_000));
        assert_eq!(one.nodes, other.nodes);
        assert_eq!(format!("{:?}", one.findings), format!("{:?}", other.findings));
    }
}

#[test]
fn a_budget_and_a_watcher_end_the_work() {
    let report = decide("7,7,5,1,1", Improvements::ALL, 5_000);
    assert_eq!(report.value, None);
    assert!((5_000..6_000).contains(&report.nodes), "{}", report.nodes);
    let game: Game = "7,7,5,1,1".parse().unwrap();
    let mut calls = 0;
    let stop = &mut |_: &_| {
        calls += 1;
        break_if(calls == 3)
    };
    let report = value(game, &Options::new(), stop).unwrap();
    assert_eq!((report.value, calls), (None, 3));
}

#[test]
fn games_that_do_not_fit_are_refused() {
    for game in ["9,8,5,1,1", "inf,6,2,1", "5,5,4,1,1,exact"] {
        let game: Game = game.parse().unwrap();
        assert!(
            value(game, &Options::new(), &mut |_| ControlFlow::Continue(())).is_err(),
            "{game:?}"
        );
    }
    assert!(
        value("8,8,8,1,1".parse().unwrap(), &Options::new(), &mut |_| ControlFlow::Continue(()))
            .is_ok()
    );
}

/// Pairings are found where they are known to exist, and the verifier finds every mistake in one.
#[test]
fn pairings_are_verified() {
    let five: Game = "5,5,5,1,1".parse().unwrap();
    let pairing = Pairing::find(five).expect("known since 1963");
    assert_eq!(pairing.verify(five), Ok(()));
    for game in ["3,3,3,1,1", "4,4,4,1,1", "6,5,4,1,1", "5,5,5,2,1"] {
        assert_eq!(Pairing::find(game.parse().unwrap()), None, "{game}");
    }
    let mut less = pairing.clone();
    less.pairs.pop();
    assert!(matches!(less.verify(five), Err(Flaw::Unpaired(_))));
    let mut twice = pairing.clone();
    twice.pairs.push(pairing.pairs[0]);
    assert!(matches!(twice.verify(five), Err(Flaw::Twice(_))));
    let mut outside = pairing.clone();
    outside.pairs.push([Square::new(5, 0), Square::new(6, 0)]);
    assert!(matches!(outside.verify(five), Err(Flaw::Outside(_))));
    assert!(matches!(pairing.verify("5,5,4,1,1".parse().unwrap()), Err(Flaw::Unpaired(_))));
    assert!(matches!(pairing.verify("5,5,5,2,1".parse().unwrap()), Err(Flaw::TwoStones)));
    assert_eq!(pairing.drawn(five).lines().count(), 5);
}
