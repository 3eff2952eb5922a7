//! Wins on the unbounded board: a win found in a window around the stones holds everywhere, says
//! the checker, which has no window.

use crate::world;
use sixproof_certificate::Claim;
use sixproof_game::Color::{self, Black, White};
use sixproof_game::{Game, Position, Square};
use sixproof_oracle::random::Random;
use sixproof_prover::prove::Outcome;

use world::{checked, is_proved, options};

/// Stones by their coordinates.
fn squares(list: &[(i32, i32)]) -> Vec<Square> {
    list.iter().map(|&(x, y)| Square::new(x, y)).collect()
}

/// A proof with Black as Attacker on an unbounded board, of this order and no lower one.
fn wins_with_order([k, p]: [u32; 2], stones: [&[(i32, i32)]; 2], to_move: Color, order: u32) {
    let game = Game::new(0, 0, k, p, 1, false).expect("a possible game");
    let [black, white] = stones.map(squares);
    let start = Position::set_up(game, &black, &white, to_move, p).expect("stones lie apart");
    let report = checked(&Claim::new(&start, Color::Black), &options(order, 50_000));
    println!("{k} {p} {stones:?} {to_move:?}: order {} {:?}", report.order, report.counts);
    assert!(is_proved(&report), "{k} {p} {stones:?} {to_move:?}");
    assert_eq!(report.order, order, "{k} {p} {stones:?} {to_move:?}");
}

#[test]
fn four_in_a_row_by_ones_is_won_without_end_of_board() {
    wins_with_order([4, 1], [&[(0, 0), (1, 0)], &[(5, 5)]], Black, 1);
    wins_with_order([4, 1], [&[(0, 0), (1, 1)], &[(1, 0), (0, 1)]], Black, 1);
    wins_with_order([4, 1], [&[(0, 0)], &[]], Black, 2);
    wins_with_order([4, 1], [&[(0, 0)], &[]], White, 3);
}

#[test]
fn five_in_a_row_by_ones_is_won_without_end_of_board() {
    wins_with_order([5, 1], [&[(0, 0), (1, 0), (2, 0)], &[(3, 1), (5, 2)]], Black, 1);
    wins_with_order([5, 1], [&[(0, 0), (1, 0), (0, 1)], &[(9, 9), (10, 9)]], Black, 2);
    let black = [(0, 0), (2, 0), (1, 1), (-1, 1)];
    wins_with_order([5, 1], [&black, &[(9, 9), (0, 1), (1, 0)]], Black, 2);
}

#[test]
fn games_of_two_stones_are_won_without_end_of_board() {
    wins_with_order([4, 2], [&[(0, 0), (1, 0)], &[]], White, 1);
    wins_with_order([5, 2], [&[(0, 0)], &[(0, 1), (1, 1)]], Black, 1);
    wins_with_order([6, 2], [&[(0, 0), (1, 1), (2, 0), (3, 3)], &[(7, 7), (8, 7)]], Black, 1);
    wins_with_order([6, 2], [&[(0, 0), (0, 2), (1, 1)], &[]], White, 3);
}

/// Stones far apart do not fit into the window of the search: then the prover may claim nothing
/// that they could change.
#[test]
fn stones_outside_the_window_are_not_forgotten() {
    let game = Game::new(0, 0, 4, 1, 1, false).expect("a possible game");
    // White completes his three first, whatever Black does with his two.
    let black = squares(&[(40, 0), (41, 0), (80, 9)]);
    let white = squares(&[(0, 9), (8, 0), (9, 0), (10, 0)]);
    let start = Position::set_up(game, &black, &white, Black, 1).expect("stones lie apart");
    assert!(!is_proved(&checked(&Claim::new(&start, Black), &options(2, 1_000))));
    // Black wins with his two, wherever the middle of all stones is.
    let (black, white) = (squares(&[(0, 0), (1, 0)]), squares(&[(5, 5), (-3_000, 7)]));
    let start = Position::set_up(game, &black, &white, Black, 1).expect("stones lie apart");
    let outcome = checked(&Claim::new(&start, Black), &options(1, 1_000)).outcome;
    assert!(!matches!(outcome, Outcome::NoWin), "{outcome:?}");
}

#[test]
fn every_certificate_of_random_positions_is_accepted() {
    let mut random = Random(5);
    let mut proved = [0; 4];
    for round in 0..1_500 {
        let p = 1 + random.below(2) as u32;
        let k = p + 2 + random.below(3) as u32;
        let game = Game::new(0, 0, k, p, 1, random.chance(30)).expect("a possible game");
        let mut stones = [Vec::new(), Vec::new()];
        for y in 0..5 {
            for x in 0..5 {
                if random.chance(30) {
                    stones[usize::from(random.chance(45))].push(Square::new(x, y));
                }
            }
        }
        let to_move = *random.pick(&[Black, White]);
        let [black, white] = &stones;
        let Ok(start) = Position::set_up(game, black, white, to_move, p) else { continue };
        if start.winner().is_some() {
            continue;
        }
        let attacker = *random.pick(&[Black, White]);
        let report = checked(&Claim::new(&start, attacker), &options(1 + round % 4, 150));
        if is_proved(&report) {
            proved[report.order as usize - 1] += 1;
        }
    }
    println!("proved by order: {proved:?}");
    assert!(proved[..3].iter().all(|&count| count > 0), "{proved:?}");
}

#[test]
fn a_window_has_no_edge_to_defend_behind() {
    let game = Game::new(0, 0, 5, 3, 1, false).expect("a possible game");
    let (black, white) = (squares(&[(4, 2), (0, 4)]), squares(&[(1, 1), (0, 3), (3, 4)]));
    let start = Position::set_up(game, &black, &white, White, 3).expect("stones lie apart");
    checked(&Claim::new(&start, White), &options(3, 150));
}
