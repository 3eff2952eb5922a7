//! Full and nearly full boards, and first moves with their own number of stones.

use sixproof_oracle::provers::{Style, prove};
use sixproof_oracle::random::Random;
use sixproof_oracle::rules::{Color, Game};

use crate::world::{Judge, both_rules, verifies};

/// A certificate about a full 3x3 board without a row, or one with the given squares emptied.
fn nearly_full(empty: &[&str], to_move: &str, node: &str) -> String {
    let stones = |list: &str| {
        let kept: Vec<&str> = list.split(' ').filter(|s| !empty.contains(s)).collect();
        kept.join(" ")
    };
    format!(
        "sixproof-certificate 1 game 3 3 3 2 1 attacker black black {} white {} \
         to-move {to_move} {node}",
        stones("A1 B2 C1 B3 C3"),
        stones("B1 A2 A3 C2")
    )
}

#[test]
fn moves_on_nearly_full_boards_take_what_is_left() {
    let mut judge = Judge::default();
    for (empty, to_move, node, verdict) in [
        // One empty square, two stones to place.
        (&["C3"][..], "black 2", "W C3", true),
        (&["C3"], "black 1", "W C3", true),
        (&["C3"], "black 2", "A C3 D 0", true),
        (&["C3"], "black 2", "A C3 D! 0 1 R W", true),
        (&["C3"], "black 2", "A C3 D! 0 0", false),
        (&["C3"], "black 2", "A D 0", false),
        (&["C3"], "black 2", "A C3 D 1 R C3 W", false),
        (&["C3"], "white 2", "D 0", false),
        (&["C3"], "white 2", "D 1 R C3 A D 0", false),
        (&["C3"], "white 2", "D 1 R W C3", false),
        (&["C3"], "white 2", "D! 0 1 R W C3", false),
        (&["C3"], "white 2", "D 1 R C3 A D 1 R W", false),
        // A full board without a row.
        (&["B3"], "black 1", "A B3 D 0", false),
        (&["B3"], "black 1", "A B3 D 1 R A D 0", false),
        (&["B3"], "black 1", "A B3 D 1 R W", false),
        (&["B3"], "black 2", "A B3 D 1 R @ A D 1 R = 0", false),
    ] {
        let text = nearly_full(empty, to_move, node);
        // Without C3 the other squares hold no row; with it A1, B2 and C3 are one.
        let text = match empty.contains(&"C3") {
            true => text,
            false => text.replace(" C3 white", " white C3"),
        };
        let found = judge.file(text.as_bytes(), &|| node.to_string());
        assert_eq!(found, verdict, "{text}");
    }
    // The full board itself: A1, B2, C3 is a row already, so every root is refused.
    for node in ["W", "A D 0", "D 0", "D 1 R W", "D! 0 1 R W"] {
        assert!(!verifies(nearly_full(&[], "black 1", node).as_bytes()), "{node}");
        assert!(!verifies(nearly_full(&[], "white 1", node).as_bytes()), "{node}");
    }
}

#[test]
fn first_moves_have_q_stones_or_fewer() {
    let mut judge = Judge::default();
    let mut proofs = 0;
    let games = [
        Game::free(4, 3, 3, 1, 1),
        Game::free(4, 3, 3, 1, 2),
        Game::free(3, 3, 3, 1, 2),
        Game::free(3, 3, 3, 2, 1),
        Game::free(3, 3, 3, 1, 3),
        Game::free(4, 2, 4, 2, 3),
        Game::free(3, 3, 3, 3, 1),
        Game::free(3, 3, 2, 1, 1),
        Game::free(4, 3, 4, 3, 2),
    ];
    for game in both_rules(&games) {
        // The first move from its beginning, and from its middle with one stone placed.
        for (black, most) in [(0, game.q), (1, game.p.max(game.q))] {
            for left in 1..=game.p.max(game.q) + 1 {
                for attacker in [Color::Black, Color::White] {
                    let mut position = judge.solvers.real(game).rules.start();
                    position.black = black;
                    position.left = left;
                    if !judge.is_won(game, attacker, &position) {
                        continue;
                    }
                    for seed in 0..8 {
                        let random = &mut Random(seed);
                        let style = Style::random(random);
                        let solver = judge.solvers.granting(game, attacker.other());
                        let proof = prove(solver, attacker, &position, style, random);
                        let origin = || format!("seed {seed}, {style:?}");
                        let accepted = judge.file(&proof.to_bytes(), &origin);
                        assert_eq!(accepted, left <= most, "{proof}");
                        proofs += usize::from(accepted);
                    }
                }
            }
        }
    }
    println!("{proofs} proofs of first moves");
    assert!(proofs >= 300);
}

#[test]
fn white_and_black_have_p_stones_later() {
    for (game, black, white, to_move, verdict) in [
        ("5 1 3 1 3", "A1", "E1", "black 2", false),
        ("5 1 3 1 3", "A1", "", "black 2", true),
        ("5 1 3 1 3", "A1", "", "black 3", true),
        ("5 1 3 1 3", "A1", "", "black 4", false),
        ("5 1 3 2 1", "A1", "", "black 2", true),
        ("5 1 3 2 1", "A1", "", "black 3", false),
        ("5 1 3 3 1", "A1", "", "black 0", false),
        ("5 1 3 2 3", "A1", "E1", "black 2", true),
        ("5 1 3 2 3", "A1", "E1", "black 3", false),
    ] {
        let text = format!(
            "sixproof-certificate 1 game {game} attacker black black {black} white {white} \
             to-move {to_move} W B1 C1"
        );
        assert_eq!(verifies(text.as_bytes()), verdict, "{text}");
    }
    let white = "sixproof-certificate 1 game 5 1 3 1 3 attacker white black white A1 \
                 to-move white 2 W B1 C1";
    assert!(!verifies(white.as_bytes()));
}
