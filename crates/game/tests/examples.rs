//! The examples print what stands beside them.
//!
//! `UPDATE_EXPECT=1` renews the text beside an example.

use expect_test::expect_file;
use sixproof_oracle::output;

#[allow(dead_code)]
#[path = "../examples/perft.rs"]
mod perft;
#[allow(dead_code)]
#[path = "../examples/random_game.rs"]
mod random_game;

#[test]
fn perft_counts_games() {
    expect_file!["../examples/perft.txt"]
        .assert_eq(&output(|out| perft::run("tic-tac-toe", 6, out)));
}

#[test]
fn random_players_write_their_game() {
    expect_file!["../examples/random_game.txt"]
        .assert_eq(&output(|out| random_game::run("9,9,5,2,1".parse()?, 7, out)));
}
