//! Perft: the counts that the rules of the game crate must give, computed by the oracle's rules.
//! `UPDATE_EXPECT=1` writes them anew.

use sixproof_oracle::rules::{Color, Game, Position, Rules, squares};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suite/perft.txt");
const HEADER: &str = "\
# Perft: how many games of so many stones there are, from the empty board; a game that is over has
# no more stones. Written by crates/oracle/tests/it/perft.rs: m,n,k,p,q[,exact], stones, games.
";

fn perft(rules: &Rules, position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let over = [Color::Black, Color::White].iter().any(|&c| rules.has_line(c, position.stones(c)));
    if over {
        return 0;
    }
    squares(rules.empties(position))
        .into_iter()
        .map(|square| perft(rules, &rules.place(position, square), depth - 1))
        .sum()
}

#[test]
fn counts_of_games_are_those_in_the_suite() {
    let games = [
        ("3,3,3,1,1", Game::free(3, 3, 3, 1, 1), 9),
        ("4,3,3,1,1", Game::free(4, 3, 3, 1, 1), 6),
        ("4,3,3,1,1,exact", Game::exact(4, 3, 3, 1, 1), 6),
        ("5,1,3,1,1,exact", Game::exact(5, 1, 3, 1, 1), 5),
        ("4,4,3,2,1", Game::free(4, 4, 3, 2, 1), 5),
        ("3,3,3,2,1", Game::free(3, 3, 3, 2, 1), 8),
        ("3,3,3,2,3", Game::free(3, 3, 3, 2, 3), 8),
        ("5,2,4,3,1", Game::free(5, 2, 4, 3, 1), 6),
        ("2,2,2,3,2", Game::free(2, 2, 2, 3, 2), 4),
        ("1,6,2,1,1", Game::free(1, 6, 2, 1, 1), 6),
        ("6,6,4,2,2", Game::free(6, 6, 4, 2, 2), 4),
        ("3,3,1,1,1,exact", Game::exact(3, 3, 1, 1, 1), 2),
    ];
    let mut text = HEADER.to_string();
    for (name, game, depth_max) in games {
        let rules = Rules::new(game);
        for depth in 1..=depth_max {
            text += &format!("{name} {depth} {}\n", perft(&rules, &rules.start(), depth));
        }
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(FILE, &text).unwrap();
    }
    assert_eq!(std::fs::read_to_string(FILE).unwrap(), text);
}
