//! Proofs of earlier positions of a game: where the game has followed such a proof, the rest of it
//! proves the position that is reached.

use sixproof_certificate::Claim;
use sixproof_certificate::strategy::{NodeId, NodeKind, ROOT, Strategy};
use sixproof_game::{Position, Square};

use crate::question::Proof;
use crate::store::Memory;

/// The proof of a claim as a part of a stored proof of one of the `earlier` positions.
pub(crate) fn proof(claim: &Claim, earlier: &[Position], memory: &Memory) -> Option<Proof> {
    earlier.iter().find_map(|position| {
        let found = memory.proof(&Claim::new(position, claim.attacker))?;
        let strategy = Strategy::read(&found.certificate).ok()?;
        let cut = strategy.sub_certificate(node_of(&strategy, claim)?).ok()?;
        Proof::checked(claim, cut.bytes).ok()
    })
}

/// The node of a strategy at the position of a claim. Only moves whose stones are on its board lead
/// there.
fn node_of(strategy: &Strategy, claim: &Claim) -> Option<NodeId> {
    let Claim { position, attacker } = claim;
    let has = |squares: &[Square], side| squares.iter().all(|&s| position.at(s) == Some(side));
    let mut todo = vec![ROOT];
    while let Some(node) = todo.pop() {
        if strategy.place(node).is_some_and(|place| place.position == *position) {
            return Some(node);
        }
        match strategy.kind(node) {
            NodeKind::Attack if has(strategy.attack(node), *attacker) => {
                todo.extend(strategy.defence(node));
            }
            NodeKind::Defence => {
                let replies = strategy.replies(node);
                let played = replies
                    .filter(|reply| !reply.squares.is_empty() && has(reply.squares, !*attacker));
                todo.extend(played.map(|reply| reply.node));
            }
            NodeKind::Win | NodeKind::Attack => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Output;
    use crate::store::Choice;
    use sixproof_certificate::certify;
    use sixproof_game::Color;
    use sixproof_prover::prove::{self, Outcome};
    use std::ops::ControlFlow;

    #[test]
    fn a_stored_proof_proves_the_positions_that_its_moves_lead_to() {
        let folder = tempfile::tempdir().unwrap();
        let choice = Choice::File(folder.path().join("store.redb"));
        let memory = Memory::open(&choice, Output { json: false }).unwrap();
        let start = Position::new("5,5,3,1,1".parse().unwrap());
        let claim = Claim::new(&start, Color::Black);
        let report =
            prove::prove(&claim, &prove::Options::default(), &mut |_| ControlFlow::Continue(()));
        let Outcome::Proved { certificate, .. } = report.outcome else { panic!("Black wins") };
        memory.keep(&certify(&claim, &certificate).unwrap(), &certificate, Some(2), 1);
        let strategy = Strategy::read(&certificate).unwrap();
        let first = strategy.attack(ROOT);
        let after = |squares: &[Square]| {
            let mut position = start.clone();
            position.play(squares).unwrap();
            Claim::new(&position, Color::Black)
        };
        let known = |claim: &Claim| proof(claim, std::slice::from_ref(&start), &memory);
        let claim = after(first);
        assert_eq!(known(&claim).unwrap().certified.claim(), &claim);
        // Another first move is not the proof's, and another attacker has no proof.
        assert!(known(&after(&[Square::new(0, 0)])).is_none());
        assert!(known(&Claim { attacker: Color::White, ..claim }).is_none());
    }
}
