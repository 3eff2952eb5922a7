//! Forced wins: the generator misses no move that leaves only forced replies, and every path that
//! the search finds is a win.

use crate::world;
use std::collections::BTreeSet;

use sixproof_certificate::Claim;
use sixproof_game::{Color, Position};
use sixproof_oracle::random::Random;
use sixproof_oracle::rules::{self, Rules};
use sixproof_oracle::solve::Solver;
use sixproof_prover::board::{Board, Connect6, General, Rules as _, Side, Sq};
use sixproof_prover::candidates::{Candidate, Worth, candidates};
use sixproof_prover::cover::{Defences, defences};
use sixproof_prover::moves::Generator;
use sixproof_prover::vcdt::{Forced, Path, Vcdt};

use world::{color, is_proved, options, position, random_position};

fn board(position: &Position, attacker: Color) -> Board<General> {
    let game = position.game();
    let mut board = Board::new(General::new(game), game.cols(), game.rows());
    for (square, of) in position.stones() {
        let side = if of == attacker { Side::Attacker } else { Side::Defender };
        board.place(side, (square.y * game.cols() as i32 + square.x) as Sq);
    }
    board
}

/// Whether a move leaves Defender no line to complete and only forced replies, or no reply at all.
fn forces(board: &mut Board<General>, squares: &[Sq]) -> bool {
    let p = board.rules.p();
    let mut threats = Vec::new();
    board.place_all(Side::Attacker, squares);
    board.threats(Side::Defender, &mut threats);
    let safe = threats.is_empty();
    board.threats(Side::Attacker, &mut threats);
    let found = defences(&threats, p, &mut Vec::new());
    board.remove_all(Side::Attacker, squares);
    safe && !matches!(found, Defences::Free(_))
}

fn is_threatening(board: &Board<General>) -> bool {
    let mut threats = Vec::new();
    board.threats(Side::Attacker, &mut threats);
    !threats.is_empty()
}

/// The candidates, which must be moves.
fn generated(generator: &mut Generator, board: &Board<General>) -> BTreeSet<Vec<Sq>> {
    let mut found = BTreeSet::new();
    generator.forcing(board, |squares, _| {
        assert!(squares.iter().all(|&square| board.is_empty(square)), "{squares:?}");
        let distinct: BTreeSet<&Sq> = squares.iter().collect();
        assert_eq!(distinct.len(), squares.len(), "{squares:?}");
        let mut squares = squares.to_vec();
        squares.sort_unstable();
        found.insert(squares);
    });
    found
}

/// Random boards without a threat of Attacker, who has enough squares for a move.
fn each_quiet_board(
    seed: u64,
    games: &[rules::Game],
    count: usize,
    visit: &mut dyn FnMut(&rules::Position, &mut Board<General>),
) {
    let mut random = Random(seed);
    for &game in games {
        let rules = Rules::new(game);
        let area = game.cols * game.rows;
        for _ in 0..count {
            let place = random_position(&mut random, &rules, area / 4..=area * 4 / 5);
            let mut board = board(&position(game, &place), color(place.to_move));
            if !is_threatening(&board) && board.empty_count() as usize >= game.p {
                visit(&place, &mut board);
            }
        }
    }
}

#[test]
fn every_single_stone_that_forces_is_generated() {
    let games = [
        rules::Game::free(5, 5, 4, 1, 1),
        rules::Game::exact(6, 5, 4, 1, 1),
        rules::Game::free(7, 7, 5, 1, 1),
        rules::Game::exact(8, 6, 5, 1, 1),
        rules::Game::free(4, 4, 3, 1, 1),
        rules::Game::free(14, 1, 4, 1, 1),
    ];
    let mut forcing = 0;
    for game in games {
        let mut generator = Generator::default();
        each_quiet_board(1, &[game], 1500, &mut |place, board| {
            let found = generated(&mut generator, board);
            let empties: Vec<Sq> = board.empty_squares().collect();
            for square in empties {
                if forces(board, &[square]) {
                    forcing += 1;
                    assert!(found.contains(&vec![square]), "{square}: {game:?} {place:?}");
                }
            }
        });
    }
    assert!(forcing > 1000, "{forcing}");
}

#[test]
fn every_pair_that_forces_is_generated_up_to_a_free_stone() {
    let games = [
        rules::Game::free(5, 5, 4, 2, 1),
        rules::Game::exact(6, 5, 4, 2, 1),
        rules::Game::free(6, 6, 5, 2, 1),
        rules::Game::exact(7, 5, 5, 2, 1),
        rules::Game::free(7, 7, 6, 2, 1),
        rules::Game::free(14, 1, 5, 2, 1),
        rules::Game::free(4, 4, 3, 2, 1),
    ];
    let (mut forcing, mut with_free_stone) = (0, 0);
    for game in games {
        let mut generator = Generator::default();
        each_quiet_board(2, &[game], 600, &mut |place, board| {
            let found = generated(&mut generator, board);
            let empties: Vec<Sq> = board.empty_squares().collect();
            for (index, &a) in empties.iter().enumerate() {
                for &b in &empties[index + 1..] {
                    if !forces(board, &[a, b]) {
                        continue;
                    }
                    forcing += 1;
                    if found.contains(&vec![a, b]) {
                        continue;
                    }
                    // One of the stones does it alone, and is in a candidate that forces, too.
                    let alone = [a, b].into_iter().any(|stone| {
                        does_it_alone(board, stone)
                            && found.iter().any(|m| m.contains(&stone) && forces(board, m))
                    });
                    with_free_stone += 1;
                    assert!(alone, "{a} {b}: {game:?} {place:?}");
                }
            }
        });
    }
    println!("{forcing} forcing moves, {with_free_stone} of them with a free stone");
    assert!(forcing > 10_000, "{forcing}");
}

/// Whether one stone makes as many threats as Defender can block, or more.
fn does_it_alone(board: &mut Board<General>, stone: Sq) -> bool {
    let p = board.rules.p();
    let mut threats = Vec::new();
    board.place(Side::Attacker, stone);
    board.threats(Side::Attacker, &mut threats);
    board.remove(Side::Attacker, stone);
    !matches!(defences(&threats, p, &mut Vec::new()), Defences::Free(_))
}

#[test]
fn candidates_of_three_and_more_stones_are_moves() {
    let games = [rules::Game::free(5, 5, 5, 3, 1), rules::Game::exact(5, 4, 4, 3, 1)];
    let mut candidates = 0;
    for game in games {
        let mut generator = Generator::default();
        each_quiet_board(3, &[game], 200, &mut |_, board| {
            let found = generated(&mut generator, board);
            assert!(found.iter().all(|squares| squares.len() == game.p));
            candidates += found.len();
        });
    }
    assert!(candidates > 1000, "{candidates}");
}

/// Wu & Huang, section 4.3: the best first stones, and for each the best partners once it is on the
/// board.
#[test]
fn partners_are_chosen_with_the_first_stone_on_the_board() {
    let mut board = Board::new(Connect6, 19, 19);
    for (side, [x, y]) in [
        (Side::Attacker, [9, 9]),
        (Side::Attacker, [10, 10]),
        (Side::Defender, [3, 3]),
        (Side::Defender, [9, 8]),
    ] {
        board.place(side, y * 19 + x);
    }
    let alone = Worth::new(&board);
    let found = candidates(&mut board, 2, &[], &[]);
    assert!(!found.complete && (100..=14 * 14).contains(&found.list.len()));
    let first = alone.best(&board, 14);
    let mut new_partners = 0;
    for Candidate { squares, score } in &found.list {
        let values = [[squares[0], squares[1]], [squares[1], squares[0]]].map(|[one, two]| {
            board.place(Side::Attacker, one);
            let given = Worth::new(&board).of(&[two]);
            board.remove(Side::Attacker, one);
            alone.of(&[one]) + given
        });
        assert!(values.contains(score), "{squares:?}: {score}, not {values:?}");
        let is_new = |square: &&Sq| first.iter().all(|(_, known)| known != *square);
        new_partners += squares.iter().filter(is_new).count();
    }
    assert!(new_partners > 10, "{new_partners}");
}

#[test]
fn a_search_leaves_the_board_as_it_was_and_finds_only_wins() {
    let games = [
        (rules::Game::free(5, 5, 4, 1, 1), 14),
        (rules::Game::exact(5, 5, 4, 1, 1), 14),
        (rules::Game::free(5, 4, 4, 2, 1), 13),
        (rules::Game::exact(5, 5, 4, 2, 1), 13),
        (rules::Game::free(6, 5, 5, 2, 1), 13),
        (rules::Game::free(7, 4, 5, 2, 1), 13),
        (rules::Game::free(5, 5, 5, 3, 1), 11),
    ];
    let (mut random, mut outcomes) = (Random(4), [0; 3]);
    for (game, empties_max) in games {
        let mut solver = Solver::new(Rules::new(game));
        let mut vcdt = Vcdt::default();
        for _ in 0..1_000 {
            let mut place = random_position(&mut random, &solver.rules, game.p..=empties_max);
            place.left = game.p;
            let attacker = place.to_move;
            let start = position(game, &place);
            let mut board = board(&start, color(attacker));
            if is_threatening(&board) {
                continue;
            }
            let before = format!("{board:?}");
            let nodes_max = [2, 10, 1000][random.below(3)];
            let path = vcdt.search(&mut board, nodes_max);
            assert_eq!(format!("{board:?}"), before);
            match path {
                Path::Found(path) => {
                    outcomes[0] += 1;
                    assert!(solver.wins(attacker, &place), "{game:?} {place:?}");
                    assert!(is_forced_win(&mut board, &path), "{path:?} {game:?} {place:?}");
                    let report =
                        world::checked(&Claim::new(&start, color(attacker)), &options(1, 2_000));
                    assert!(is_proved(&report), "{game:?} {place:?}");
                }
                Path::None => outcomes[1] += 1,
                Path::Unknown => outcomes[2] += 1,
            }
        }
    }
    println!("found, none, unknown: {outcomes:?}");
    assert!(outcomes.into_iter().all(|count| count >= 5), "{outcomes:?}");
}

/// Whether each move of a path forces, with all blocks as its answer, and the last leaves no
/// answer.
fn is_forced_win(board: &mut Board<General>, path: &[Forced]) -> bool {
    let p = board.rules.p();
    let Some((Forced { attack, reply }, rest)) = path.split_first() else { return false };
    let (mut threats, mut blocks) = (Vec::new(), Vec::new());
    board.place_all(Side::Attacker, attack);
    board.threats(Side::Defender, &mut threats);
    let safe = threats.is_empty();
    board.threats(Side::Attacker, &mut threats);
    let found = defences(&threats, p, &mut blocks);
    let wins = match found {
        Defences::None => safe && reply.is_empty() && rest.is_empty(),
        Defences::Forced => {
            let all = blocks.iter().collect::<BTreeSet<_>>() == reply.iter().collect();
            board.place_all(Side::Defender, reply);
            let lost = reply.iter().any(|&square| board.wins_through(Side::Defender, square));
            let wins = safe && all && !lost && is_forced_win(board, rest);
            board.remove_all(Side::Defender, reply);
            wins
        }
        Defences::Free(_) => false,
    };
    board.remove_all(Side::Attacker, attack);
    wins
}
