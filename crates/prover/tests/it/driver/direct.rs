//! The driver by itself, without the plain search that comes first on small boards.

use std::ops::ControlFlow;

use sixproof_certificate::{Claim, Writer};
use sixproof_game::{Color, Position, Square};
use sixproof_prover::board::{Board, General, Side};
use sixproof_prover::driver::{
    self, Budget, Driver, Finished, Journal, NoJournal, RunOptions, Settings, Switches,
};
use sixproof_prover::tree::Limits;

use super::claims::HALF_MADE;
use super::journal::Notes;

/// Searches a win on a bounded board. Also returns the certificate, which the checker accepts.
pub(crate) fn search(
    position: &Position,
    attacker: Color,
    settings: Settings,
    resources: RunOptions,
    journal: &dyn Journal,
) -> (Finished, Option<Vec<u8>>) {
    let game = position.game();
    let mut board = Board::new(General::new(game), game.cols(), game.rows());
    for (square, color) in position.stones() {
        let side = if color == attacker { Side::Attacker } else { Side::Defender };
        board.place(side, (square.y * game.cols() as i32 + square.x) as u16);
    }
    let limits = Limits::new(settings.order, resources.nodes_max);
    let driver = Driver::new(board, settings, position.to_move() == attacker, position.left());
    let finished = driver::run(driver, &limits, &[], resources, journal, None, &mut |_| {
        ControlFlow::Continue(())
    });
    let certificate = finished.won.as_ref().map(|won| {
        let claim = Claim { position: position.clone(), attacker };
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes, &claim).unwrap();
        let cols = game.cols() as i32;
        let name = |square: u16| Square::new(i32::from(square) % cols, i32::from(square) / cols);
        won.proof.write(&mut writer, &name).unwrap();
        writer.finish().unwrap();
        let checked = sixproof_check::check_bytes(&bytes);
        assert!(checked.is_ok(), "{checked:?}: {}", String::from_utf8_lossy(&bytes));
        bytes
    });
    (finished, certificate)
}

/// The least possible budget for each reply.
pub(crate) const LEAST: Budget = Budget { reply_nodes: 3, forced: [3, 3], answer_order: 1 };

/// Settings that leave almost everything to the driver: its tree becomes large.
fn modest() -> Settings {
    Settings {
        solve_nodes: 100,
        screening: Some(LEAST),
        verification: LEAST,
        ..Settings::new(3, Switches::ALL)
    }
}

/// Settings that leave every reply to the driver.
fn stingy() -> Settings {
    Settings { verification: LEAST, ..Settings::new(3, Switches::ALL) }
}

/// With the usual settings, and where even the null move is left to the driver.
#[test]
fn a_move_that_is_half_made_is_completed() {
    let usual = Settings::new(3, Switches::ALL);
    let resources =
        RunOptions { threads: 1, nodes_max: 300_000, memory_max: 1 << 26, snapshot_every: 0 };
    for (claim, settings) in
        HALF_MADE.map(|claim| (claim, usual.clone())).into_iter().chain([(HALF_MADE[2], stingy())])
    {
        let place = claim.position();
        let (_, found) = search(&place, Color::Black, settings.clone(), resources, &NoJournal);
        assert!(found.is_some(), "{claim:?}, {settings:?}");
    }
}

/// What is forgotten is done again, or recalled from the journal. Neither takes for ever.
#[test]
fn a_search_with_too_little_memory_ends() {
    let start = Position::new("6,6,4,1,1".parse().unwrap());
    let mut proved = Vec::new();
    for memory_max in [1 << 26, 100_000, 10_000] {
        let notes = Notes::with_room(usize::MAX);
        let journals: [&dyn Journal; 3] = [&NoJournal, &notes, &notes];
        for journal in journals {
            let resources =
                RunOptions { threads: 1, nodes_max: 30_000, memory_max, snapshot_every: 0 };
            let (finished, found) = search(&start, Color::Black, modest(), resources, journal);
            assert!(found.is_none() || !finished.out_of_memory);
            proved.push(found.is_some());
            println!("{memory_max} {} {:?}", finished.out_of_memory, finished.counts);
        }
    }
    assert_eq!(proved, [true, true, true, false, false, false, false, false, false]);
}
