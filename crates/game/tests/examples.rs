//! The examples print what stands beside them.
//!
//! `UPDATE_EXPECT=1` renews the text beside an example.

use std::error::Error;

use expect_test::{ExpectFile, expect_file};

#[allow(dead_code)]
#[path = "../examples/perft.rs"]
mod perft;
#[allow(dead_code)]
#[path = "../examples/random_game.rs"]
mod random_game;

/// Runs an example, and compares what it writes.
fn compare(
    expected: ExpectFile,
    run: impl FnOnce(&mut dyn std::io::Write) -> Result<(), Box<dyn Error>>,
) {
    let mut out = Vec::new();
    run(&mut out).unwrap();
    expected.assert_eq(&String::from_utf8(out).unwrap());
}

#[test]
fn perft_counts_games() {
    compare(expect_file!["../examples/perft.txt"], |out| perft::run("tic-tac-toe", 6, out));
}

#[test]
fn random_players_write_their_game() {
    compare(expect_file!["../examples/random_game.txt"], |out| {
        random_game::run("9,9,5,2,1".parse()?, 7, out)
    });
}
