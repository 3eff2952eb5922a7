//! Who wins where: facts with a certificate, and what follows from them.
//!
//! A file may say anything. What it says of wins counts only if the certificate that it names is
//! here, verified, and about the very position of its node.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use sixproof_certificate::Claim;
use sixproof_certificate::strategy::{Continuation, NodeKind};
use sixproof_document::{Document, NodeId};
use sixproof_game::{Color, Node, Position, Square};

use super::{Library, Open};
use crate::jobs::wire::{JobKind, JobLimits, JobOutcome, JobResult};
use crate::proofs::{Proof, Proofs};
use crate::wire::{Because, ProofPlace, Verdict, names};

/// What is proved, by node.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// The winner, and the hash of the certificate.
    proved: BTreeMap<NodeId, Fact<(Color, String)>>,
    /// Moves that threw a proved win away.
    thrown_away: BTreeMap<NodeId, Fact<()>>,
}

/// What is known of a position.
#[derive(Debug)]
struct Fact<T> {
    what: T,
    position: Position,
    /// Whether its node has that position now. Stones are added to the last move of a line, and
    /// set-ups are changed: then the node stays, and has another position.
    stands: bool,
}

impl<T> Fact<T> {
    /// Compares the position with the one that the node has now.
    fn look(&mut self, document: &Document, node: NodeId) {
        self.stands = document.reach(node).is_some_and(|now| now.position == self.position);
    }

    /// Looks at the nodes that have changed and at those below them.
    fn revise(
        facts: &mut BTreeMap<NodeId, Fact<T>>,
        document: &Document,
        changed: &BTreeSet<NodeId>,
    ) {
        for (&node, fact) in facts {
            if document.path(node).iter().any(|id| changed.contains(id)) {
                fact.look(document, node);
            }
        }
    }
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
                    facts.add(document, node, &result, proofs);
                }
            }
        }
        facts
    }

    /// A result that our own jobs found, certificate checked.
    pub(super) fn add(
        &mut self,
        document: &Document,
        node: NodeId,
        result: &JobResult,
        proofs: &Proofs,
    ) {
        match (result.outcome, &result.certificate) {
            (JobOutcome::Proved, Some(hash)) => {
                let Ok(proved) = proofs.proved(hash) else { return };
                let Claim { position, attacker } = proved.claim().clone();
                let what = (attacker, hash.clone());
                let mut fact = Fact { what, position, stands: false };
                fact.look(document, node);
                self.proved.insert(node, fact);
            }
            (JobOutcome::ThrownAway, _) => {
                let Some(reached) = document.reach(node) else { return };
                let fact = Fact { what: (), position: reached.position, stands: true };
                self.thrown_away.insert(node, fact);
            }
            _ => {}
        }
    }

    /// A proof of the position that a node has now.
    pub(super) fn learn(&mut self, node: NodeId, proof: (Color, String), position: Position) {
        self.proved.insert(node, Fact { what: proof, position, stands: true });
    }

    /// Some nodes have changed: they and those below them may have other positions now, or those
    /// again about which something is known.
    pub(super) fn revise(&mut self, document: &Document, changed: &[NodeId]) {
        let changed = changed.iter().copied().collect();
        Fact::revise(&mut self.proved, document, &changed);
        Fact::revise(&mut self.thrown_away, document, &changed);
    }

    pub(super) fn threw_away(&self, node: NodeId) -> bool {
        self.thrown_away.get(&node).is_some_and(|fact| fact.stands)
    }

    /// The certificate of a node.
    pub(super) fn proof_of(&self, node: NodeId) -> Option<&(Color, String)> {
        self.proved.get(&node).filter(|fact| fact.stands).map(|fact| &fact.what)
    }

    /// The verdict of a node's own certificate, which is not looked at again.
    pub(super) fn verdict(&self, node: NodeId) -> Option<Verdict> {
        let (winner, hash) = self.proof_of(node)?;
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
                NodeKind::Attack if played == meant => match strategy.defence(*node) {
                    Some(node) => Walked::On(Walk { node, ..self.clone() }),
                    None => Walked::Lost,
                },
                _ => Walked::Lost,
            };
        }
        if strategy.kind(*node) != NodeKind::Defence {
            return Walked::Lost;
        }
        match proof.step(*node, extra, squares) {
            Ok(Continuation::Stands(onward) | Continuation::Answered(onward)) => Walked::On(Walk {
                proof: Arc::clone(proof),
                node: onward.node,
                extra: onward.extra,
            }),
            Ok(Continuation::TooLate { .. }) => Walked::Won(Arc::clone(proof)),
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

/// A side and the stones of its move.
type Played = (Color, Vec<Square>);

/// A next move of a node: what is proved of it, and its stones unless it is none.
struct Next {
    verdict: Option<Verdict>,
    stones: Option<Played>,
}

/// The nearest node above another one that has a certificate.
struct Above {
    position: Position,
    proof: (Color, String),
    /// The moves from there to the node; none where there are words only. `None` if a position is
    /// set up on the way.
    moves: Option<Vec<Option<Played>>>,
}

/// All that has to be known of a document to say who wins at a node and after its next moves. That
/// may take a checker's time, during which others use the document.
pub(super) struct Question {
    pub(super) position: Position,
    own: Option<(Color, String)>,
    above: Option<Above>,
    children: Vec<Next>,
    /// The certificate of a stored move that wins.
    winning: Option<String>,
}

/// Who wins at a node, and after its next moves.
pub(super) struct Verdicts {
    pub(super) here: Option<Verdict>,
    pub(super) children: Vec<Option<Verdict>>,
    /// The proof of the position, if the document did not know it.
    pub(super) news: Option<(Color, String)>,
}

/// The stones of a node that makes a move.
fn played(node: &Node) -> Option<Played> {
    let &(color, _) = node.stones.first()?;
    Some((color, node.stones.iter().map(|stone| stone.1).collect()))
}

impl Question {
    /// The question about a node, with its position.
    pub(super) fn of(open: &Open, node: NodeId, position: &Position) -> Question {
        let (document, facts) = (&open.document, &open.facts);
        let mover = position.to_move();
        let next = |&child: &NodeId| Next {
            verdict: facts.verdict(child),
            stones: document.node(child).filter(|node| !node.sets_up()).and_then(played),
        };
        let wins = |&child: &NodeId| {
            let (winner, hash) = facts.proof_of(child)?;
            let moved = document.node(child)?.stones.first()?.0 == mover;
            (*winner == mover && moved).then(|| hash.clone())
        };
        Question {
            position: position.clone(),
            own: facts.proof_of(node).cloned(),
            above: Above::of(open, node),
            children: document.children(node).iter().map(next).collect(),
            winning: document.children(node).iter().find_map(wins),
        }
    }
}

impl Above {
    fn of(open: &Open, node: NodeId) -> Option<Above> {
        let (document, path) = (&open.document, open.document.path(node));
        let (_, above) = path.split_last()?;
        let start = above.iter().rposition(|&id| open.facts.proof_of(id).is_some())?;
        let steps = path[start + 1..].iter().map(|&id| match document.node(id)? {
            node if node.sets_up() => None,
            node => Some(played(node)),
        });
        Some(Above {
            position: document.reach(path[start])?.position,
            proof: open.facts.proof_of(path[start])?.clone(),
            moves: steps.collect(),
        })
    }
}

impl Library {
    /// Answers a question about a node. No document is held meanwhile.
    pub(super) fn answer(&self, question: &Question) -> Verdicts {
        let Question { position, own, .. } = question;
        let mut news = None;
        let (here, walk) = match by_rules(position) {
            Some(verdict) => (Some(verdict), None),
            None => match self.own_proof(own.as_ref(), position) {
                Some(proof) => {
                    let known = (proof.attacker(), proof.hash.clone());
                    news = Some(known).filter(|known| Some(known) != own.as_ref());
                    let walk = Walk::begin(proof);
                    (Some(walk.verdict(Because::Certificate)), Some(walk))
                }
                None => self.inherited(question),
            },
        };
        let verdict = |next: &Next| child_verdict(next, position, walk.as_ref());
        Verdicts { here, children: question.children.iter().map(verdict).collect(), news }
    }

    /// Who wins by a proof above a node or below it, and the proof that goes on from there.
    fn inherited(&self, question: &Question) -> (Option<Verdict>, Option<Walk>) {
        match question.above.as_ref().map_or(Walked::Lost, |above| self.walk_from(above)) {
            Walked::On(walk) => return (Some(walk.verdict(Because::Inherited)), Some(walk)),
            Walked::Won(proof) => return (Some(won(&proof)), None),
            Walked::Lost => {}
        }
        let verdict = question.winning.clone().map(|hash| Verdict {
            winner: question.position.to_move().into(),
            because: Because::Inherited,
            certificate: Some(hash),
            at: None,
        });
        (verdict, None)
    }

    /// The proof of a very position: the one that is known, or one that the store has.
    fn own_proof(
        &self,
        known: Option<&(Color, String)>,
        position: &Position,
    ) -> Option<Arc<Proof>> {
        let known = known.and_then(|(winner, hash)| {
            self.proofs.get(hash).ok().filter(|proof| proof.proves(position, *winner))
        });
        known.or_else(|| {
            [position.to_move(), !position.to_move()].into_iter().find_map(|attacker| {
                let found = self.memory.proof(&Claim::new(position, attacker))?;
                let proof = self.proofs.take(&found.certificate).ok()?;
                proof.proves(position, attacker).then_some(proof)
            })
        })
    }

    /// Follows the nearest proof above a node down to it.
    fn walk_from(&self, above: &Above) -> Walked {
        let Some(moves) = &above.moves else { return Walked::Lost };
        let Some(proof) = self.own_proof(Some(&above.proof), &above.position) else {
            return Walked::Lost;
        };
        let mut walk = Walk::begin(proof);
        for (index, step) in moves.iter().enumerate() {
            // Words without a move.
            let Some((color, squares)) = step else { continue };
            match walk.step(*color, squares) {
                Walked::On(next) => walk = next,
                // Only the move that was too late is known to lose: what comes after it is not.
                Walked::Won(proof) if index + 1 == moves.len() => return Walked::Won(proof),
                Walked::Won(_) | Walked::Lost => return Walked::Lost,
            }
        }
        Walked::On(walk)
    }
}

/// Who wins after a next move, as far as that is known at once.
fn child_verdict(next: &Next, position: &Position, walk: Option<&Walk>) -> Option<Verdict> {
    if next.verdict.is_some() {
        return next.verdict.clone();
    }
    let (color, squares) = next.stones.as_ref()?;
    let mut after = position.clone();
    for &square in squares {
        after.place(square).ok()?;
    }
    if let Some(verdict) = by_rules(&after) {
        return Some(verdict);
    }
    match walk?.step(*color, squares) {
        Walked::On(walk) => Some(walk.verdict(Because::Inherited)),
        Walked::Won(proof) => Some(won(&proof)),
        Walked::Lost => None,
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
