//! A forced win with its certificate, as the prover finds it.

use sixproof_certificate::{Claim, ReadError, Reader, Step, Writer};
use sixproof_game::{Position, Square};
use sixproof_prover::prove::{Options, Outcome, prove};
use sixproof_prover::stop::break_if;

use crate::WinProof;

/// A win of the side to move by threats of an order up to `order_max`, and the number of nodes of
/// its search. The search ends when `is_stopped` says so.
pub(crate) fn certified(
    position: &Position,
    order_max: u32,
    nodes_max: u64,
    is_stopped: &mut dyn FnMut() -> bool,
) -> (Option<WinProof>, u64) {
    let claim = Claim::new(position, position.to_move());
    let options = Options { order_max, nodes_max, first_look: nodes_max, ..Options::default() };
    let report = prove(&claim, &options, &mut |_| break_if(is_stopped()));
    let proof = match report.outcome {
        Outcome::Proved { certificate, line, .. } => {
            Some(WinProof { certificate, line, order: report.order })
        }
        Outcome::NoWin | Outcome::Unknown => None,
    };
    (proof, report.counts.nodes)
}

/// A win of the side to move that begins with the given move: the other side is to move then, and
/// loses against threats of order 1 or 2. The search ends when `is_stopped` says so.
pub(crate) fn certified_move(
    position: &Position,
    squares: &[Square],
    nodes_max: u64,
    is_stopped: &mut dyn FnMut() -> bool,
) -> Option<WinProof> {
    let attacker = position.to_move();
    let mut after = position.clone();
    after.play(squares).ok()?;
    if after.winner().is_some() || after.to_move() == attacker {
        return None;
    }
    let options = Options { order_max: 2, nodes_max, first_look: nodes_max, ..Options::default() };
    let report =
        prove(&Claim { position: after, attacker }, &options, &mut |_| break_if(is_stopped()));
    let Outcome::Proved { certificate, line, .. } = report.outcome else { return None };
    let claim = Claim { position: position.clone(), attacker };
    let certificate = with_first_move(&claim, squares, &certificate).ok()?;
    let line = [vec![squares.into()], line].concat();
    Some(WinProof { certificate, line, order: report.order })
}

/// The certificate of a position after a move of Attacker, as one of the position before it.
fn with_first_move(
    claim: &Claim,
    squares: &[Square],
    certificate: &[u8],
) -> Result<Vec<u8>, ReadError> {
    let mut reader = Reader::new(certificate)?;
    let mut writer = Writer::new(Vec::new(), claim).map_err(ReadError::Io)?;
    writer.step(&Step::Attack { squares: squares.to_vec() }).map_err(ReadError::Io)?;
    while let Some((_, step)) = reader.next_step()? {
        writer.step(&step).map_err(ReadError::Io)?;
    }
    writer.finish().map_err(ReadError::Io)
}
