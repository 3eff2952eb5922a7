//! A forced win with its certificate, as the prover finds it.

use sixproof_game::Position;
use sixproof_prover::prove::{Options, Outcome, prove};

use crate::WinProof;

/// A win of the side to move by threats of an order up to `order_max`, and the nodes it took to
/// search it. `stop` ends the search.
pub(crate) fn certified(
    position: &Position,
    order_max: u32,
    nodes_max: u64,
    stop: &mut dyn FnMut() -> bool,
) -> (Option<WinProof>, u64) {
    let attacker = position.to_move();
    let options = Options { order_max, nodes_max, first_look: nodes_max, ..Options::new(attacker) };
    let report = prove(position, &options, &mut |_| stop());
    let proof = match report.outcome {
        Outcome::Proved { certificate, line, .. } => {
            Some(WinProof { certificate, line, order: report.order })
        }
        Outcome::NoWin | Outcome::Unknown => None,
    };
    (proof, report.counts.nodes)
}
