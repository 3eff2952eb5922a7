//! Every won position of the tiny games has an accepted certificate; every accepted claim is true.

use sixproof_oracle::effort;
use sixproof_oracle::liars::{Lie, lie};
use sixproof_oracle::mutants::{byte_mutant, mutant};
use sixproof_oracle::provers::{Style, prove};
use sixproof_oracle::random::Random;
use sixproof_oracle::rules::{Color, Game, Position};
use sixproof_oracle::solve::Solvers;

use crate::world::{Judge, both_rules, claims, placement};

/// The number of files to make of each claim, in percent: 150 is one, and every other time a
/// second.
#[derive(Clone, Copy)]
struct Dose {
    honest: usize,
    lies: usize,
    mutants: usize,
    byte_mutants: usize,
}

/// All files of one claim.
fn examine(
    judge: &mut Judge,
    game: Game,
    attacker: Color,
    position: &Position,
    dose: Dose,
    seed: u64,
) {
    let random = &mut Random(seed);
    let origin = |what: String| move || format!("seed {seed:#x}, {what}");
    let times = |percent: usize, random: &mut Random| {
        percent / 100 + usize::from(random.chance(percent % 100))
    };
    if judge.is_over(game, attacker, position) {
        return;
    }
    let mut certificates = Vec::new();
    if judge.is_won(game, attacker, position) {
        for _ in 0..times(dose.honest, random) {
            let style = if random.chance(25) { Style::PLAIN } else { Style::random(random) };
            let solver = judge.solvers.granting(game, attacker.other());
            let proof = prove(solver, attacker, position, style, random);
            let origin = origin(format!("honest, {style:?}"));
            let accepted = judge.file(&proof.to_bytes(), &origin);
            assert!(accepted, "refused: {}\n{proof}", origin());
            judge.honest += 1;
            certificates.push(proof);
        }
    }
    for _ in 0..times(dose.lies, random) {
        let kind = *random.pick(&Lie::ALL);
        let proof = lie(kind, &mut judge.solvers, game, attacker, position, random);
        judge.file(&proof.to_bytes(), &origin(format!("{kind:?}")));
        certificates.push(proof);
    }
    for proof in certificates {
        for _ in 0..times(dose.mutants, random) {
            let mut changed = mutant(&proof, random);
            if random.chance(20) {
                changed = mutant(&changed, random);
            }
            judge.file(&changed.to_bytes(), &origin("mutant".into()));
        }
        for _ in 0..times(dose.byte_mutants, random) {
            let bytes = byte_mutant(&proof.to_bytes(), random);
            judge.file(&bytes, &origin("byte mutant".into()));
        }
    }
}

/// Examines every claim about every placement of stones on the boards of these games.
fn examine_all(games: &[Game], dose: Dose, files_min: usize, accepted_min: usize) {
    let mut judge = Judge::default();
    for (g, game) in both_rules(games).into_iter().enumerate() {
        for number in 0..3usize.pow((game.cols * game.rows) as u32) {
            let (black, white) = placement(game, number);
            for (c, (attacker, position)) in claims(game, black, white).into_iter().enumerate() {
                let seed = (g << 40 | number << 8 | c) as u64;
                examine(&mut judge, game, attacker, &position, dose, seed);
            }
        }
    }
    report(&judge, files_min, accepted_min);
}

/// Examines random claims: an eighth of them in the usual run.
fn examine_some(games: &[Game], claims: usize, dose: Dose, minima: (usize, usize)) {
    let part = effort(8, 1);
    let (claims, minima) = (claims / part, (minima.0 / part, minima.1 / part));
    let mut judge = Judge::default();
    for (g, game) in both_rules(games).into_iter().enumerate() {
        for number in 0..claims {
            let seed = (1 << 60 | g << 40 | number << 8) as u64;
            let (attacker, position) = judge.random_claim(game, &mut Random(seed));
            examine(&mut judge, game, attacker, &position, dose, seed + 1);
        }
    }
    report(&judge, minima.0, minima.1);
    for feature in ["attack", "citation", "macro", "null", "relies on some", "slack", "ten nodes"] {
        let count = judge.features.get(feature).copied().unwrap_or(0);
        assert!(count >= minima.1 / 25, "too few proofs with {feature}");
    }
}

fn report(judge: &Judge, files_min: usize, accepted_min: usize) {
    let Judge { files, accepted, truths, too_large, .. } = *judge;
    println!("{files} files, {accepted} accepted, {truths} true, {too_large} too large");
    println!("accepted, by feature: {:?}", judge.features);
    assert!(files >= files_min && accepted >= accepted_min, "the test has become vacuous");
    assert!(truths * 100 >= accepted * 99 && too_large * 100 <= files);
}

const ONE_OF_EACH: Dose = Dose { honest: 100, lies: 60, mutants: 60, byte_mutants: 20 };
const HONEST: Dose = Dose { honest: 100, lies: 5, mutants: 5, byte_mutants: 2 };
const MANY: Dose = Dose { honest: 200, lies: 300, mutants: 300, byte_mutants: 100 };

/// Mostly lies and mutants.
const FALSE: Dose = Dose { honest: 100, lies: 400, mutants: 300, byte_mutants: 100 };

#[test]
fn all_claims_on_single_rows() {
    let games = [
        Game::free(6, 1, 3, 1, 1),
        Game::free(7, 1, 3, 1, 1),
        Game::free(6, 1, 3, 2, 1),
        Game::free(7, 1, 3, 2, 2),
        Game::free(7, 1, 4, 2, 1),
        Game::free(6, 1, 4, 3, 2),
        Game::free(7, 1, 5, 3, 1),
        Game::free(6, 1, 5, 4, 1),
        Game::free(5, 1, 2, 1, 1),
        Game::free(5, 1, 2, 3, 1),
    ];
    examine_all(&games, ONE_OF_EACH, 100_000, 20_000);
}

#[test]
fn all_claims_on_two_rows() {
    let games = [
        Game::free(3, 2, 2, 1, 1),
        Game::free(3, 2, 3, 2, 1),
        Game::free(3, 2, 3, 3, 2),
        Game::free(4, 2, 3, 1, 1),
        Game::free(4, 2, 3, 2, 1),
    ];
    examine_all(&games, ONE_OF_EACH, 100_000, 20_000);
}

#[test]
fn all_claims_on_three_by_three() {
    let games = [Game::free(3, 3, 3, 1, 1), Game::free(3, 3, 3, 2, 1), Game::free(3, 3, 2, 1, 1)];
    examine_all(&games, HONEST, 60_000, 40_000);
}

const ONE_STONE: [Game; 5] = [
    Game::free(4, 3, 3, 1, 1),
    Game::free(5, 2, 3, 1, 2),
    Game::free(8, 1, 3, 1, 1),
    Game::free(4, 4, 3, 1, 1),
    Game::free(5, 4, 4, 1, 1),
];
const TWO_STONES: [Game; 5] = [
    Game::free(4, 3, 4, 2, 1),
    Game::free(3, 3, 3, 2, 2),
    Game::free(4, 4, 4, 2, 1),
    Game::free(5, 4, 4, 2, 1),
    Game::free(5, 5, 5, 2, 1),
];
const MORE_STONES: [Game; 5] = [
    Game::free(4, 4, 4, 3, 1),
    Game::free(5, 4, 4, 3, 1),
    Game::free(5, 5, 5, 3, 1),
    Game::free(9, 1, 6, 4, 2),
    Game::free(5, 5, 5, 4, 1),
];

#[test]
fn many_files_of_one_stone_a_move() {
    examine_some(&ONE_STONE, 400, MANY, (10_000, 1_000));
}

#[test]
fn many_files_of_two_stones_a_move() {
    examine_some(&TWO_STONES, 400, MANY, (10_000, 1_000));
}

#[test]
fn many_files_of_three_and_four_stones_a_move() {
    examine_some(&MORE_STONES, 200, MANY, (6_000, 600));
}

/// Mutated and lying files of the long run. `MUTANTS=N` makes another number of them, and
/// `MUTANTS_FROM=N` begins with another claim: after a stop, the run can go on from the last number
/// that it printed.
const MUTANTS: usize = 1_000_000;
/// The number of claims after which the solvers forget what they know, and the counts are printed.
const CLAIMS_BETWEEN_REPORTS: usize = 500;

#[test]
#[ignore = "a million files take minutes; MUTANTS=N for another number"]
fn a_million_mutants_and_lies_get_the_verdict_of_the_reference_checker() {
    let of = |name: &str, usual: usize| {
        std::env::var(name).map_or(usual, |text| text.parse().expect("a number"))
    };
    let (wanted, from) = (of("MUTANTS", MUTANTS), of("MUTANTS_FROM", 0));
    let games = both_rules(&[ONE_STONE, TWO_STONES, MORE_STONES].concat());
    let mut judge = Judge::default();
    let mut number = from;
    // A claim that the reference checker finds too large is not compared, and does not count.
    let compared = |judge: &Judge| judge.files - judge.honest - judge.too_large;
    while compared(&judge) < wanted {
        let (seed, game) = ((3 << 60 | number << 8) as u64, games[number % games.len()]);
        let (attacker, position) = judge.random_claim(game, &mut Random(seed));
        examine(&mut judge, game, attacker, &position, FALSE, seed + 1);
        number += 1;
        if (number - from).is_multiple_of(CLAIMS_BETWEEN_REPORTS) {
            judge.solvers = Solvers::default();
            println!("{} files, next claim {number}", compared(&judge));
        }
    }
    let files = compared(&judge);
    println!("claims {from} to {number}: {files} mutants and lies, 0 disagreements");
    report(&judge, wanted, wanted / 100);
}
