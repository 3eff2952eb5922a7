//! The minimax reproduces the published and computed values of small games.

use sixproof_oracle::rules::{Game, Rules};
use sixproof_oracle::solve::{Solver, Value};

/// Asserts the value of the empty board.
fn assert_value(m: usize, n: usize, k: usize, p: usize, q: usize, value: Value) {
    let mut solver = Solver::new(Rules::new(Game::free(m, n, k, p, q)));
    let start = solver.rules.start();
    let found = solver.value(&start);
    println!("Connect({m},{n},{k},{p},{q}): {found:?}, {} positions", solver.known_count());
    assert_eq!(found, value, "Connect({m},{n},{k},{p},{q})");
}

#[test]
fn tic_tac_toe_is_a_draw() {
    assert_value(3, 3, 3, 1, 1, Value::Draw);
}

#[test]
fn three_in_a_row_is_won_on_larger_boards() {
    assert_value(4, 3, 3, 1, 1, Value::Black);
    assert_value(4, 4, 3, 1, 1, Value::Black);
}

#[test]
fn four_in_a_row_by_ones_is_a_draw_on_4x4() {
    assert_value(4, 4, 4, 1, 1, Value::Draw);
}

#[test]
fn four_in_a_row_by_twos() {
    assert_value(4, 4, 4, 2, 1, Value::Draw);
    assert_value(5, 4, 4, 2, 1, Value::Draw);
    assert_value(4, 4, 4, 2, 2, Value::Draw);
    assert_value(5, 4, 4, 2, 2, Value::Black);
}

#[test]
fn four_in_a_row_by_threes() {
    assert_value(5, 4, 4, 3, 1, Value::Black);
}

#[test]
#[ignore = "20 s and 1.2 GB: 13.5 million positions"]
fn four_in_a_row_by_ones_is_a_draw_on_5x4() {
    assert_value(5, 4, 4, 1, 1, Value::Draw);
}

#[test]
#[ignore = "7 s and 0.7 GB: 4.8 million positions"]
fn two_stones_first_win_on_larger_boards() {
    assert_value(6, 4, 4, 2, 2, Value::Black);
    assert_value(5, 5, 4, 2, 2, Value::Black);
}

#[test]
#[ignore = "170 s and 10 GB: 71 million positions"]
fn one_stone_first_loses_on_6x4() {
    assert_value(6, 4, 4, 2, 1, Value::White);
}
