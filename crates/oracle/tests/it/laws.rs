//! Laws of the game and of the oracle itself.

use sixproof_oracle::provers::{Style, prove};
use sixproof_oracle::random::Random;
use sixproof_oracle::rules::{Color, Game, Position, Rules, squares};
use sixproof_oracle::solve::{Solver, Solvers};
use sixproof_oracle::{literal, meaning, parse};

const GAMES: [Game; 6] = [
    Game { cols: 4, rows: 3, k: 3, p: 1, q: 1, exact: false },
    Game { cols: 4, rows: 3, k: 3, p: 1, q: 1, exact: true },
    Game { cols: 3, rows: 3, k: 3, p: 2, q: 1, exact: false },
    Game { cols: 8, rows: 1, k: 3, p: 1, q: 1, exact: true },
    Game { cols: 9, rows: 1, k: 4, p: 2, q: 1, exact: true },
    Game { cols: 4, rows: 3, k: 4, p: 3, q: 1, exact: true },
];

/// A random position without a row, in which `White`'s overlines count.
fn random_position(rules: &Rules, random: &mut Random) -> Position {
    loop {
        let black = random.subset(rules.board(), 25);
        let white = random.subset(rules.board() & !black, 25);
        let to_move = *random.pick(&[Color::Black, Color::White]);
        let left = 1 + random.below(rules.game.p);
        if !rules.has_line(Color::Black, black) && !rules.has_line(Color::White, white) {
            return Position { black, white, to_move, left };
        }
    }
}

#[test]
fn extra_defender_stones_never_help_attacker() {
    let mut cases = 0;
    for game in GAMES {
        let mut solver = Solver::new(Rules::granting_overlines(game, Color::White));
        for seed in 0..500 {
            let random = &mut Random(seed);
            let position = random_position(&solver.rules, random);
            let extra = random.subset(solver.rules.empties(&position), 15);
            if solver.wins(Color::Black, &position.with(Color::White, extra)) {
                cases += usize::from(extra != 0);
                assert!(solver.wins(Color::Black, &position), "{game:?}, seed {seed}");
            }
        }
    }
    assert!(cases >= 200, "{cases}");
}

#[test]
fn values_are_the_same_in_the_mirror() {
    for game in GAMES {
        let mut solver = Solver::new(Rules::new(game));
        let mirror = |mask: u64| {
            let place = |s: u32| {
                s as usize / game.cols * game.cols + game.cols - 1 - s as usize % game.cols
            };
            squares(mask).into_iter().fold(0u64, |m, s| m | 1 << place(s))
        };
        for seed in 0..300 {
            let position = random_position(&solver.rules, &mut Random(seed));
            let (black, white) = (mirror(position.black), mirror(position.white));
            let mirrored = Position { black, white, ..position };
            assert_eq!(solver.value(&position), solver.value(&mirrored), "{game:?}, seed {seed}");
        }
    }
}

#[test]
fn honest_certificates_round_trip_are_accepted_and_win() {
    let mut solvers = Solvers::default();
    let mut proofs = 0;
    for game in GAMES {
        for seed in 0..300 {
            let random = &mut Random(seed);
            let solver = solvers.granting(game, Color::White);
            let position = random_position(&solver.rules, random);
            if !solver.wins(Color::Black, &position) {
                continue;
            }
            let proof = prove(solver, Color::Black, &position, Style::random(random), random);
            proofs += 1;
            assert_eq!(parse::parse(&proof.to_bytes()).as_ref(), Ok(&proof));
            assert!(literal::check(&proof).is_ok(), "{game:?}, seed {seed}\n{proof}");
            assert!(meaning::wins(&proof), "{game:?}, seed {seed}\n{proof}");
        }
    }
    assert!(proofs >= 500, "{proofs}");
}
