//! Verification of a move, hints, and wins that are played again.

use std::ops::ControlFlow;

use sixproof_certificate::Claim;
use sixproof_game::{Color, Game, Move, Position, Square};
use sixproof_prover::board::{Board, Connect6, Side, Sq};
use sixproof_prover::prove::{
    Event, NoJournal, Options, Outcome, Resources, Verification, prove, verify,
};
use sixproof_prover::stop::break_if;
use sixproof_prover::vcdt::{Path, Vcdt};

fn squares(names: &str) -> Vec<Square> {
    names.split_whitespace().map(|name| Game::CONNECT6.parse_square(name).unwrap()).collect()
}

fn connect6(black: &str, white: &str, to_move: Color) -> Position {
    Position::set_up(Game::CONNECT6, &squares(black), &squares(white), to_move, 2).unwrap()
}

/// A verification for Black, and the replies that it reported on the way.
fn verified(position: &Position, nodes_max: u64, reply_nodes: u64) -> (Verification, Vec<Move>) {
    let options = Options { nodes_max, ..Options::default() };
    let mut reported = Vec::new();
    let verification = verify(
        &Claim::new(position, Color::Black),
        &options,
        reply_nodes,
        Resources::local(&NoJournal),
        &mut |event| {
            if let Event::Unsolved(squares) = event {
                reported.push(squares);
            }
            ControlFlow::Continue(())
        },
    );
    (verification, reported)
}

#[test]
fn a_winning_move_is_verified_with_a_certificate() {
    let position = connect6("J10 J12 K11", "D4 P16", Color::White);
    let (verification, reported) = verified(&position, 50_000, 1_000);
    let Outcome::Proved { certificate, .. } = verification.report.outcome else { panic!("a win") };
    sixproof_check::check_bytes(&certificate).expect("accepted");
    assert!(reported.is_empty() && verification.unsolved.is_empty());
}

#[test]
fn defences_that_remain_are_reported_as_they_are_found() {
    // TX-H9 after K11 L10: a winning move, but not with so small a budget.
    let position = connect6("J10 K11 L10", "I8 H9", Color::White);
    let (verification, reported) = verified(&position, 300_000, 300);
    assert!(matches!(verification.report.outcome, Outcome::Unknown));
    assert!(!verification.unsolved.is_empty());
    assert!(verification.unsolved.iter().all(|reply| reported.contains(reply)));
    assert!(reported.contains(&squares("H10 H11").into()), "a known defence: {reported:?}");
    assert!(reported.iter().flatten().all(|&square| position.at(square).is_none()));
    assert!(!verification.zone.is_empty() && verification.zone.len() < 200);
}

#[test]
fn a_verification_stops_when_its_watcher_breaks() {
    let position = connect6("J10 K11 L10", "I8 H9", Color::White);
    let options = Options::default();
    let mut steps = 0;
    let verification = verify(
        &Claim::new(&position, Color::Black),
        &options,
        1_000,
        Resources::local(&NoJournal),
        &mut |_| {
            steps += 1;
            break_if(steps == 5)
        },
    );
    assert!(matches!(verification.report.outcome, Outcome::Unknown));
    assert!(steps <= 6, "{steps}");
}

#[test]
fn a_hint_is_tried_first() {
    let position = connect6("J10", "D4 P16", Color::Black);
    let nodes = |hints: Vec<(Position, Vec<Square>)>| {
        let options = Options { hints, nodes_max: 100_000, ..Options::default() };
        let report = prove(&Claim::new(&position, Color::Black), &options, &mut |_| {
            ControlFlow::Continue(())
        });
        assert!(matches!(report.outcome, Outcome::Proved { .. }));
        report.counts.nodes
    };
    let hint = (position.clone(), squares("J12 K11"));
    assert!(nodes(vec![hint]) < nodes(Vec::new()));
}

#[test]
fn hints_for_other_positions_change_nothing() {
    let position = connect6("J10", "D4 P16", Color::Black);
    let before = Position::new(Game::CONNECT6);
    let other = connect6("A1", "B2 C3", Color::Black);
    let hints = vec![(before, squares("J10")), (other, squares("J12 K11"))];
    let run = |hints| {
        let options = Options { hints, nodes_max: 30_000, ..Options::default() };
        prove(&Claim::new(&position, Color::Black), &options, &mut |_| ControlFlow::Continue(()))
            .counts
    };
    assert_eq!(run(hints), run(Vec::new()));
}

#[test]
fn a_forced_win_is_played_again_where_it_still_wins_and_only_there() {
    let mut board = Board::new(Connect6, 19, 19);
    let at = |x: u16, y: u16| -> Sq { y * 19 + x };
    for square in [at(9, 9), at(9, 11), at(10, 10)] {
        board.place(Side::Attacker, square);
    }
    let mut search = Vcdt::default();
    let Path::Found(path) = search.search(&mut board, 1_000) else { panic!("a forced win") };
    let attacks = || path.iter().map(|forced| &forced.attack[..]);
    assert_eq!(search.replay(&mut board, attacks()), Some(path.clone()));
    // A stone of Defender far away changes nothing, one on the first move everything.
    board.place(Side::Defender, at(0, 0));
    assert_eq!(search.replay(&mut board, attacks()), Some(path.clone()));
    board.place(Side::Defender, path[0].attack[0]);
    assert_eq!(search.replay(&mut board, attacks()), None);
}
