//! Small worlds: positions that the oracle knows completely, as the prover sees them.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::ops::ControlFlow;
use std::ops::RangeInclusive;

use sixproof_certificate::Claim;
use sixproof_game::{Color, Game, Position, Square};
use sixproof_oracle::literal;
use sixproof_oracle::random::Random;
use sixproof_oracle::rules::{self, Rules, squares};
use sixproof_prover::prove::{Options, Outcome, Report, prove};

/// The oracle's game, for the prover.
pub(crate) fn game(game: rules::Game) -> Game {
    let number = |n: usize| n as u32;
    let [cols, rows, k] = [game.cols, game.rows, game.k].map(number);
    Game::new(cols, rows, k, number(game.p), number(game.q), game.exact).expect("a possible game")
}

/// The oracle's side, for the prover.
pub(crate) fn color(color: rules::Color) -> Color {
    match color {
        rules::Color::Black => Color::Black,
        rules::Color::White => Color::White,
    }
}

/// The oracle's position, for the prover.
pub(crate) fn position(of: rules::Game, position: &rules::Position) -> Position {
    let list = |mask: u64| -> Vec<Square> {
        let square =
            |s: u32| Square::new((s as usize % of.cols) as i32, (s as usize / of.cols) as i32);
        squares(mask).into_iter().map(square).collect()
    };
    let (black, white) = (list(position.black), list(position.white));
    let to_move = color(position.to_move);
    Position::set_up(game(of), &black, &white, to_move, position.left as u32).expect("possible")
}

/// A position with this number of empty squares, in which no side has k or more in a row. Stones
/// come in turns, or (one time in three) without regard to turns.
pub(crate) fn random_position(
    random: &mut Random,
    rules: &Rules,
    empties: RangeInclusive<usize>,
) -> rules::Position {
    let game = rules.game;
    let granting = [rules::Color::Black, rules::Color::White]
        .map(|side| (side, Rules::granting_overlines(game, side)));
    loop {
        let area = game.cols * game.rows;
        let empties = empties.start() + random.below(empties.end() - empties.start() + 1);
        let mut order: Vec<u32> = (0..area as u32).collect();
        random.shuffle(&mut order);
        let mut position = rules.start();
        let wild = random.chance(33);
        for &square in &order[empties..] {
            if wild && random.chance(40) {
                position.to_move = position.to_move.other();
                position.left = 1 + random.below(game.p);
            }
            position = rules.place(&position, square);
        }
        if wild && position.black | position.white != 0 {
            position.left = 1 + random.below(game.p);
        }
        if position.white != 0 || position.to_move == rules::Color::White {
            position.left = position.left.min(game.p);
        }
        if granting.iter().all(|(side, rules)| !rules.has_line(*side, position.stones(*side))) {
            return position;
        }
    }
}

/// The claim that a side wins a position of the oracle.
pub(crate) fn claim(
    game: rules::Game,
    position: &rules::Position,
    attacker: rules::Color,
) -> Claim {
    Claim { position: self::position(game, position), attacker: color(attacker) }
}

/// Options for small worlds.
pub(crate) fn options(order_max: u32, nodes_max: u64) -> Options {
    Options { order_max, nodes_max, ..Options::default() }
}

/// Proves a position, and checks the proof.
pub(crate) fn checked(claim: &Claim, options: &Options) -> Report {
    let report = prove(claim, options, &mut |_| ControlFlow::Continue(()));
    if let Outcome::Proved { certificate, .. } = &report.outcome
        && let Err(refusal) = sixproof_check::check_bytes(certificate)
    {
        let text = String::from_utf8_lossy(certificate);
        panic!("refused: {refusal:?}\n{options:?}\n{text}");
    }
    report
}

/// As [`checked`], and the reference checker reads the certificate, too.
pub(crate) fn checked_twice(claim: &Claim, options: &Options) -> Report {
    let report = checked(claim, options);
    if let Outcome::Proved { certificate, .. } = &report.outcome
        && let Err(refusal) = literal::check_bytes(certificate)
    {
        let text = String::from_utf8_lossy(certificate);
        panic!("refused by the reference checker: {refusal:?}\n{options:?}\n{text}");
    }
    report
}

/// Whether a proof was found.
pub(crate) fn is_proved(report: &Report) -> bool {
    matches!(report.outcome, Outcome::Proved { .. })
}
