//! The papers' positions: Connect(6,2,3), openings, and k - p = 3 on the unbounded board.

use std::ops::ControlFlow;

use sixproof_certificate::Claim;
use sixproof_game::{Color, Game, Position, Square};
use sixproof_game::{K_MAX, P_MAX, Q_MAX};
use sixproof_prover::prove::{Options, Outcome, Report, prove};
use sixproof_prover::threats::{Number, number};

/// A position with Black's and White's stones, and p stones to place.
fn position(game: Game, black: &str, white: &str, to_move: Color) -> Position {
    let squares = |names: &str| -> Vec<Square> {
        names.split_whitespace().map(|name| game.parse_square(name).expect("a square")).collect()
    };
    Position::set_up(game, &squares(black), &squares(white), to_move, game.p()).expect("a position")
}

/// The nodes of the search and of the certificate, which the checker accepts.
fn proved(position: &Position, attacker: Color, nodes_max: u64) -> Option<[u64; 2]> {
    let options = Options { nodes_max, ..Options::default() };
    let Report { outcome, counts, .. } =
        prove(&Claim::new(position, attacker), &options, &mut |_| ControlFlow::Continue(()));
    let Outcome::Proved { certificate, nodes, .. } = outcome else { return None };
    sixproof_check::check_bytes(&certificate).expect("a certificate that is accepted");
    Some([counts.nodes, nodes])
}

#[test]
fn the_shape_of_the_papers_takes_few_nodes() {
    for (game, stones) in [("connect6", "J10 J12 K11"), ("0,0,6,2,1", "0,0 0,2 1,1")] {
        let position = position(game.parse().unwrap(), stones, "", Color::White);
        let [nodes, certificate] = proved(&position, Color::Black, 11_000).expect(game);
        assert!(nodes <= 11_000 && certificate <= 3_300, "{game}: {nodes}, {certificate}");
    }
}

#[test]
fn second_moves_far_away_lose() {
    for white in ["G7 M13", "L7 M13", "D4 P16", "F16 M14", "Q8 D13", "K14 C6"] {
        let position = position(Game::CONNECT6, "J10", white, Color::Black);
        assert!(proved(&position, Color::Black, 100_000).is_some(), "White {white}");
    }
}

/// Pairs of White's at a distance of 4 and more from J10.
fn far_pairs(count: usize) -> Vec<String> {
    let mut seed = 623u64;
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((seed >> 33) % 19) as i32
    };
    let mut pairs = Vec::new();
    while pairs.len() < count {
        let (a, b) = (Square::new(next(), next()), Square::new(next(), next()));
        let is_far = |s: Square| (s.x - 9).abs().max((s.y - 9).abs()) >= 4;
        if a != b && is_far(a) && is_far(b) {
            pairs.push(Game::CONNECT6.square_names(&[a, b]));
        }
    }
    pairs
}

#[test]
#[ignore = "a minute or two"]
fn forty_second_moves_far_away_lose() {
    let mut open = Vec::new();
    for white in far_pairs(40) {
        let position = position(Game::CONNECT6, "J10", &white, Color::Black);
        match proved(&position, Color::Black, 20_000_000) {
            Some([nodes, certificate]) => println!("{white}: {nodes} nodes, {certificate}"),
            None => open.push(white),
        }
    }
    assert!(open.is_empty(), "not proved: {open:?}");
}

/// Wu & Huang's table, the column k - p = 3, on unbounded boards.
#[test]
fn wins_on_the_unbounded_board_where_k_is_three_more_than_p() {
    let wins = [
        ("0,0,4,1,1", Color::Black),
        ("0,0,5,2,1", Color::Black),
        ("0,0,5,2,2", Color::Black),
        ("0,0,6,3,3", Color::Black),
    ];
    for (game, winner) in wins {
        let position = Position::new(game.parse().unwrap());
        assert!(proved(&position, winner, 1_000_000).is_some(), "{game}");
    }
}

#[test]
#[ignore = "a minute"]
fn white_wins_six_in_a_row_with_three_stones_a_move() {
    let position = Position::new("0,0,6,3,1".parse().unwrap());
    assert!(proved(&position, Color::White, 2_000_000).is_some());
}

/// Wu & Huang, corollary 2, for all games within our limits in which Black's first move does not
/// win at once: with d = k - p, groups of d x d stones far apart need 4d + 4 stones each to be
/// blocked. (There are never enough stones to spare for the larger groups of the corollary.)
#[test]
fn first_moves_of_corollary_2_make_more_threats_than_a_move_blocks() {
    let mut games = 0;
    for (p, k) in (1..=P_MAX).flat_map(|p| (p + 1..=K_MAX).map(move |k| (p, k))) {
        let d = k - p;
        let needed = |groups| groups * (4 * d + 4);
        let groups = (1..).find(|&groups| needed(groups) > p).expect("groups need stones");
        let q = groups * d * d;
        if q > Q_MAX || q >= k {
            continue;
        }
        games += 1;
        let game = Game::new(0, 0, k, p, q, false).expect("within the limits");
        let group = |g: u32| (0..d * d).map(move |i| [i % d + 100 * g, i / d]);
        let stones: Vec<Square> =
            (0..groups).flat_map(group).map(|[x, y]| Square::new(x as i32, y as i32)).collect();
        let start = Position::set_up(game, &stones, &[], Color::White, p).expect("stones apart");
        assert_eq!(number(&start, Color::Black), Number::Exactly(needed(groups)), "{game:?}");
        // On one search board, and with few enough blocks to be tried.
        if groups == 1 && p <= 4 {
            assert!(proved(&start, Color::Black, 1_000).is_some(), "{game:?}");
        }
    }
    assert_eq!(games, 19);
}
