//! Who wins where: facts with a certificate, and what follows from them.
//!
//! A file may say anything. What it says of wins counts only if the certificate that it names is
//! here, verified, and about the very position of its node.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use sixproof_document::{Document, NodeId};
use sixproof_game::{Color, Position, Square};
use sixproof_prover::strategy::{Answer as Step, Kind};

use super::{Library, Open};
use crate::jobs::wire::{JobKind, JobLimits, JobOutcome, JobResult};
use crate::proofs::{Proof, Proofs};
use crate::wire::{Because, ProofPlace, Verdict, names};

/// What is proved, by node.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// The winner, and the hash of the certificate.
    proved: BTreeMap<NodeId, (Color, String)>,
    /// Moves that threw a proved win away.
    thrown_away: BTreeSet<NodeId>,
}

impl Facts {
    /// What a file says of its nodes, as far as the certificates are here.
    pub(super) fn of_file(document: &Document, proofs: &Proofs) -> Facts {
        let mut facts = Facts::default();
        for node in document.below(NodeId::ROOT) {
            let results = document.node(node).map_or(&[][..], |node| &node.results[..]);
            for result in results.iter().filter_map(|text| parsed(text)) {
                let is_true = || {
                    let proof = proofs.get(result.certificate.as_deref()?).ok()?;
                    let position = document.reach(node)?.position;
                    Some(proof.proves(&position, result.attacker.into()))
                };
                if result.outcome != JobOutcome::Proved || is_true() == Some(true) {
                    facts.add(node, &result);
                }
            }
        }
        facts
    }

    /// A result that our own jobs found, certificate checked.
    pub(super) fn add(&mut self, node: NodeId, result: &JobResult) {
        match (result.outcome, &result.certificate) {
            (JobOutcome::Proved, Some(hash)) => {
                self.proved.insert(node, (result.attacker.into(), hash.clone()));
            }
            (JobOutcome::ThrownAway, _) => {
                self.thrown_away.insert(node);
            }
            _ => {}
        }
    }

    pub(super) fn threw_away(&self, node: NodeId) -> bool {
        self.thrown_away.contains(&node)
    }

    /// The certificate of a node.
    pub(super) fn proof_of(&self, node: NodeId) -> Option<&(Color, String)> {
        self.proved.get(&node)
    }

    /// The verdict of a node's own certificate, which is not looked at again.
    pub(super) fn verdict(&self, node: NodeId) -> Option<Verdict> {
        let (winner, hash) = self.proved.get(&node)?;
        Some(Verdict {
            winner: (*winner).into(),
            because: Because::Certificate,
            certificate: Some(hash.clone()),
            at: Some(ProofPlace { node: 0, extra: Vec::new() }),
        })
    }
}

/// Reads a result that a node holds; others may have written what we do not understand.
pub(super) fn parsed(text: &str) -> Option<JobResult> {
    serde_json::from_str(text).ok()
}

/// What a certificate that was opened as a file says about its position.
pub(super) fn result_of(proof: &Proof, at_ms: u64) -> JobResult {
    let game = proof.game();
    JobResult {
        kind: JobKind::Check,
        outcome: JobOutcome::Proved,
        attacker: proof.attacker().into(),
        text: format!("{} wins: the certificate is verified", proof.attacker().title()),
        line: crate::wire::line(game, &proof.strategy.best_line(0)),
        moves: Vec::new(),
        unsolved: Vec::new(),
        order: None,
        nodes: proof.strategy.counts().nodes,
        seconds: 0.0,
        limits: JobLimits::default(),
        version: sixproof_solve::store::version(),
        certificate: Some(proof.hash.clone()),
        job: 0,
        at_ms,
    }
}

/// A place in a proof, on the way through a document.
#[derive(Clone)]
pub(super) struct Walk {
    proof: Arc<Proof>,
    node: u32,
    extra: Vec<Square>,
}

/// Where a move leads in a proof.
pub(super) enum Walked {
    /// The proof goes on.
    On(Walk),
    /// Attacker completes a line whatever Defender does: the proof ends here.
    Won(Arc<Proof>),
    /// The proof says nothing about this.
    Lost,
}

impl Walk {
    fn begin(proof: Arc<Proof>) -> Walk {
        Walk { proof, node: 0, extra: Vec::new() }
    }

    /// Follows a whole move.
    pub(super) fn step(&self, color: Color, squares: &[Square]) -> Walked {
        let Walk { proof, node, extra } = self;
        let strategy = &proof.strategy;
        if color == proof.attacker() {
            let (mut played, mut meant) = (squares.to_vec(), strategy.attack(*node).to_vec());
            played.sort_unstable();
            meant.sort_unstable();
            return match strategy.kind(*node) {
                Kind::Attack if played == meant => match strategy.defence(*node) {
                    Some(node) => Walked::On(Walk { node, ..self.clone() }),
                    None => Walked::Lost,
                },
                _ => Walked::Lost,
            };
        }
        if strategy.kind(*node) != Kind::Defence {
            return Walked::Lost;
        }
        match proof.step(*node, extra, squares) {
            Ok(Step::Stands(onward) | Step::Answered(onward)) => Walked::On(Walk {
                proof: Arc::clone(proof),
                node: onward.node,
                extra: onward.extra,
            }),
            Ok(Step::TooLate { .. }) => Walked::Won(Arc::clone(proof)),
            _ => Walked::Lost,
        }
    }

    pub(super) fn verdict(&self, because: Because) -> Verdict {
        Verdict {
            winner: self.proof.attacker().into(),
            because,
            certificate: Some(self.proof.hash.clone()),
            at: Some(ProofPlace { node: self.node, extra: names(self.proof.game(), &self.extra) }),
        }
    }
}

impl Library {
    /// Who wins at a node, and the proof that goes on from there. `position` is the node's.
    pub(super) fn verdict(
        &self,
        open: &mut Open,
        node: NodeId,
        position: &Position,
    ) -> (Option<Verdict>, Option<Walk>) {
        if let Some(verdict) = by_rules(position) {
            return (Some(verdict), None);
        }
        if let Some(walk) = self.own_proof(open, node, position) {
            return (Some(walk.verdict(Because::Certificate)), Some(walk));
        }
        match self.walk_to(open, node) {
            Walked::On(walk) => return (Some(walk.verdict(Because::Inherited)), Some(walk)),
            Walked::Won(proof) => {
                return (Some(won(&proof)), None);
            }
            Walked::Lost => {}
        }
        // A stored move that is proved to win.
        let mover = position.to_move();
        let winning = open.document.children(node).iter().find_map(|&child| {
            let (winner, hash) = open.facts.proof_of(child)?;
            let moved = open.document.node(child)?.stones.first()?.0 == mover;
            (*winner == mover && moved).then(|| hash.clone())
        });
        let verdict = winning.map(|hash| Verdict {
            winner: mover.into(),
            because: Because::Inherited,
            certificate: Some(hash),
            at: None,
        });
        (verdict, None)
    }

    /// Who wins after a next move, as far as that is known at once.
    pub(super) fn child_verdict(
        &self,
        open: &Open,
        child: NodeId,
        position: &Position,
        walk: Option<&Walk>,
    ) -> Option<Verdict> {
        if let Some(verdict) = open.facts.verdict(child) {
            return Some(verdict);
        }
        let node = open.document.node(child)?;
        if node.sets_up() || node.stones.is_empty() {
            return None;
        }
        let mut after = position.clone();
        for &(_, square) in &node.stones {
            after.place(square).ok()?;
        }
        if let Some(verdict) = by_rules(&after) {
            return Some(verdict);
        }
        let squares: Vec<Square> = node.stones.iter().map(|stone| stone.1).collect();
        match walk?.step(node.stones[0].0, &squares) {
            Walked::On(walk) => Some(walk.verdict(Because::Inherited)),
            Walked::Won(proof) => Some(won(&proof)),
            Walked::Lost => None,
        }
    }

    /// The proof of a node's very position: its own, or one that the store has.
    fn own_proof(&self, open: &mut Open, node: NodeId, position: &Position) -> Option<Walk> {
        if let Some((winner, hash)) = open.facts.proof_of(node) {
            let proof = self.proofs.get(hash).ok()?;
            if proof.proves(position, *winner) {
                return Some(Walk::begin(proof));
            }
        }
        [position.to_move(), !position.to_move()].into_iter().find_map(|attacker| {
            let found = self.memory.proof(position, attacker)?;
            let proof = self.proofs.take(&found.certificate).ok()?;
            proof.proves(position, attacker).then(|| {
                open.facts.proved.insert(node, (attacker, proof.hash.clone()));
                Walk::begin(Arc::clone(&proof))
            })
        })
    }

    /// Follows the nearest proof above a node down to it.
    fn walk_to(&self, open: &mut Open, node: NodeId) -> Walked {
        let path = open.document.path(node);
        let Some(start) = path.iter().rposition(|&above| open.facts.proof_of(above).is_some())
        else {
            return Walked::Lost;
        };
        let Some(reached) = open.document.reach(path[start]) else { return Walked::Lost };
        let Some(mut walk) = self.own_proof(open, path[start], &reached.position) else {
            return Walked::Lost;
        };
        for &below in &path[start + 1..] {
            let Some(node) = open.document.node(below) else { return Walked::Lost };
            if node.sets_up() {
                return Walked::Lost;
            }
            // Words without a move.
            let Some(&(color, _)) = node.stones.first() else { continue };
            let squares: Vec<Square> = node.stones.iter().map(|stone| stone.1).collect();
            match walk.step(color, &squares) {
                Walked::On(next) => walk = next,
                // Only the move that was too late is known to lose: what comes after it is not.
                Walked::Won(proof) if path.last() == Some(&below) => return Walked::Won(proof),
                Walked::Won(_) | Walked::Lost => return Walked::Lost,
            }
        }
        Walked::On(walk)
    }
}

/// Who has k in a row.
fn by_rules(position: &Position) -> Option<Verdict> {
    let winner = position.winner()?.into();
    Some(Verdict { winner, because: Because::Rules, certificate: None, at: None })
}

fn won(proof: &Proof) -> Verdict {
    Verdict {
        winner: proof.attacker().into(),
        because: Because::Inherited,
        certificate: Some(proof.hash.clone()),
        at: None,
    }
}
