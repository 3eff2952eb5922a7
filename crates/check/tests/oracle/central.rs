//! The central claim: Attacker wins P + E for every node's position P and every E clear of its
//! zone.
//!
//! The zones are those of the reference checker, which gives the same verdicts as the checker under
//! test; the truth is the minimax's, with Defender's overlines granted.

use sixproof_oracle::literal::{self, Checked, Role, Visited};
use sixproof_oracle::mutants::mutant;
use sixproof_oracle::provers::{Style, prove};
use sixproof_oracle::random::Random;
use sixproof_oracle::rules::{Game, Position, squares};

use crate::world::{Judge, both_rules, small_subsets};

/// The counts of one run.
#[derive(Default)]
struct Tally {
    certificates: usize,
    nodes: usize,
    cases: usize,
    proper: usize,
}

fn confirm(judge: &mut Judge, tally: &mut Tally, checked: &Checked, node: &Visited, seed: u64) {
    let attacker = checked.certificate.attacker;
    let game = checked.certificate.game;
    let of = |role: Role| {
        let owned = node.state.stones.iter().enumerate().filter(|(_, s)| **s == Some(role));
        owned.fold(0u64, |m, (i, _)| m | 1 << i)
    };
    let to_move = match node.state.to_move {
        Role::Attacker => attacker,
        Role::Defender => attacker.other(),
    };
    let position = Position { black: 0, white: 0, to_move, left: node.state.count }
        .with(attacker, of(Role::Attacker))
        .with(attacker.other(), of(Role::Defender));
    let solver = judge.solvers.granting(game, attacker.other());
    let empties = solver.rules.empties(&position);
    tally.nodes += 1;
    for extra in small_subsets(empties, 3) {
        let list: Vec<usize> = squares(extra).into_iter().map(|s| s as usize).collect();
        if node.zone.is_clear(&checked.board, &list) {
            tally.cases += 1;
            tally.proper += usize::from(extra != 0);
            let more = position.with(attacker.other(), extra);
            assert!(
                solver.wins(attacker, &more),
                "seed {seed:#x}: {list:?} is clear of the zone, but Attacker does not win \
                 {node:?} with them"
            );
        }
    }
}

fn run(games: &[Game], claims: usize, cases_min: usize) {
    let (mut judge, mut tally) = (Judge::default(), Tally::default());
    for (g, game) in both_rules(games).into_iter().enumerate() {
        for number in 0..claims {
            let seed = (2 << 60 | g << 40 | number << 8) as u64;
            let random = &mut Random(seed);
            let (attacker, position) = judge.random_claim(game, random);
            if !judge.is_won(game, attacker, &position) {
                continue;
            }
            let style = Style::random(random);
            let solver = judge.solvers.granting(game, attacker.other());
            let proof = prove(solver, attacker, &position, style, random);
            for file in [mutant(&proof, random), mutant(&proof, random), proof] {
                let Ok(checked) = literal::check(&file) else { continue };
                tally.certificates += 1;
                for node in &checked.visited {
                    confirm(&mut judge, &mut tally, &checked, node, seed);
                }
            }
        }
    }
    let Tally { certificates, nodes, cases, proper } = tally;
    println!("{certificates} certificates, {nodes} nodes, {cases} cases P + E, {proper} with E");
    assert!(proper >= cases_min, "the test has become vacuous");
}

#[test]
fn zones_hold_with_one_stone_a_move() {
    let games = [
        Game::free(3, 3, 3, 1, 1),
        Game::free(4, 3, 3, 1, 1),
        Game::free(8, 1, 3, 1, 1),
        Game::free(5, 2, 3, 1, 1),
        Game::free(5, 4, 4, 1, 1),
    ];
    run(&games, 300, 200_000);
}

#[test]
fn zones_hold_with_two_stones_a_move() {
    let games = [
        Game::free(3, 3, 3, 2, 1),
        Game::free(4, 3, 4, 2, 1),
        Game::free(9, 1, 4, 2, 1),
        Game::free(4, 4, 4, 2, 1),
        Game::free(5, 4, 4, 2, 1),
    ];
    run(&games, 300, 200_000);
}

#[test]
fn zones_hold_with_three_stones_a_move() {
    let games = [
        Game::free(3, 3, 3, 3, 1),
        Game::free(4, 4, 4, 3, 1),
        Game::free(9, 1, 5, 3, 1),
        Game::free(5, 4, 4, 3, 1),
        Game::free(5, 5, 5, 3, 1),
    ];
    run(&games, 300, 200_000);
}
