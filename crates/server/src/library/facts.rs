//! The winner at each node: facts with a certificate, and what follows from them.
//!
//! A file may claim anything. A win that it claims counts only if the certificate that it names is
//! in the store, verified, and proves the very position of its node.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use sixproof_certificate::Claim;
use sixproof_certificate::strategy::{Continuation, NodeKind};
use sixproof_document::{Document, NodeId};
use sixproof_game::{Color, Move, Node, Position, Square};

use super::{Library, OpenDocument};
use crate::jobs::completes;
use crate::jobs::wire::{JobKind, JobLimits, JobOutcome, JobResult, ScoreName, VALUE_MAX};
use crate::proofs::{CheckedProof, Proofs};
use crate::wire::{self, Because, ProofPlace, Verdict, names};

/// The proofs and the lost wins of a document, by node.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// Verified certificates; those of earlier positions of the node included.
    proved: BTreeMap<NodeId, Vec<NodeFact<NodeProof>>>,
    /// Moves that threw a proved win of this side away.
    thrown_away: BTreeMap<NodeId, NodeFact<Color>>,
}

/// A verified certificate of a node's position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NodeProof {
    pub(super) winner: Color,
    pub(super) hash: String,
}

/// A fact about a position that a node has or had.
#[derive(Debug)]
struct NodeFact<T> {
    what: T,
    position: Position,
    /// Whether the node has that position now. Stones are added to the last move of a line, and
    /// set-ups are changed: then the node stays, and has another position.
    stands: bool,
}

impl<T> NodeFact<T> {
    fn new(what: T, position: Position, document: &Document, node: NodeId) -> NodeFact<T> {
        let mut fact = NodeFact { what, position, stands: false };
        fact.compare(document, node);
        fact
    }

    /// Compares the position with the one that the node has now.
    fn compare(&mut self, document: &Document, node: NodeId) {
        self.stands = document.reach(node).is_some_and(|now| now.position == self.position);
    }
}

impl Facts {
    /// The facts in the results of a file. A win counts only if its certificate is here and proves
    /// it for the position of the node.
    pub(super) fn of_file(document: &Document, proofs: &Proofs) -> Facts {
        let mut facts = Facts::default();
        facts.add_below(document, NodeId::ROOT, proofs);
        facts
    }

    /// Adds the facts in the results of a node and of all below it.
    pub(super) fn add_below(&mut self, document: &Document, top: NodeId, proofs: &Proofs) {
        for node in document.below(top) {
            let results = document.node(node).map_or(&[][..], |node| &node.results[..]);
            for result in results.iter().filter_map(|text| parsed(text)) {
                self.add(document, node, &result, proofs);
            }
        }
    }

    /// Adds what a result says. If it reports a win, the fact is the claim of its certificate as
    /// the checker has read it.
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
                let proof = NodeProof { winner: attacker, hash: hash.clone() };
                self.insert(node, NodeFact::new(proof, position, document, node));
            }
            (JobOutcome::ThrownAway, _) => {
                let Some(reached) = document.reach(node) else { return };
                let side = result.attacker.into();
                let fact = NodeFact { what: side, position: reached.position, stands: true };
                self.thrown_away.insert(node, fact);
            }
            _ => {}
        }
    }

    /// Adds a proof of the position that a node has now.
    pub(super) fn learn(&mut self, node: NodeId, proof: NodeProof, position: Position) {
        self.insert(node, NodeFact { what: proof, position, stands: true });
    }

    fn insert(&mut self, node: NodeId, fact: NodeFact<NodeProof>) {
        let facts = self.proved.entry(node).or_default();
        facts.retain(|known| known.position != fact.position);
        facts.push(fact);
    }

    /// Compares the facts about changed nodes, and about those below them, with the positions that
    /// these have now.
    pub(super) fn revise(&mut self, document: &Document, changed: &[NodeId]) {
        let changed: BTreeSet<NodeId> = changed.iter().copied().collect();
        let is_changed =
            |node: NodeId| document.path(node).iter().any(|above| changed.contains(above));
        for (&node, facts) in self.proved.iter_mut().filter(|(node, _)| is_changed(**node)) {
            facts.iter_mut().for_each(|fact| fact.compare(document, node));
        }
        for (&node, fact) in self.thrown_away.iter_mut().filter(|(node, _)| is_changed(**node)) {
            fact.compare(document, node);
        }
    }

    /// Whether the move of a node threw a win away that is proved for the position before it.
    pub(super) fn threw_away(&self, document: &Document, node: NodeId) -> bool {
        let fact = self.thrown_away.get(&node).filter(|fact| fact.stands);
        let before = document.parent(node).and_then(|parent| self.proof_of(parent));
        fact.is_some_and(|fact| before.is_some_and(|proof| proof.winner == fact.what))
    }

    /// The certificate of a node.
    pub(super) fn proof_of(&self, node: NodeId) -> Option<&NodeProof> {
        let facts = self.proved.get(&node)?;
        facts.iter().rfind(|fact| fact.stands).map(|fact| &fact.what)
    }

    /// The verdict of a node's own certificate, which is not checked again.
    pub(super) fn verdict(&self, node: NodeId) -> Option<Verdict> {
        let NodeProof { winner, hash } = self.proof_of(node)?;
        Some(Verdict {
            winner: (*winner).into(),
            because: Because::Certificate,
            certificate: Some(hash.clone()),
            at: Some(ProofPlace { node: 0, extra: Vec::new() }),
        })
    }

    /// The results of a node that the page may show. A file can hold results of any program: one
    /// that reports a win, or a lost win, without a certificate here is left out.
    pub(super) fn shown_results(&self, document: &Document, node: NodeId) -> Vec<JobResult> {
        let winner = self.proof_of(node).map(|proof| proof.winner);
        let is_supported = |result: &JobResult| match result.outcome {
            JobOutcome::Proved => winner == Some(result.attacker.into()),
            JobOutcome::ThrownAway => self.threw_away(document, node),
            _ => true,
        };
        let texts = document.node(node).map_or(&[][..], |node| &node.results[..]);
        texts.iter().filter_map(|text| parsed(text)).filter(is_supported).collect()
    }
}

/// Leaves no candidate a win that neither completes a line nor is the move of the proof: a result
/// may come from a file.
pub(super) fn keep_proved_wins(
    results: &mut [JobResult],
    position: &Position,
    attack: Option<&Move>,
) {
    let candidates = results.iter_mut().flat_map(|result| &mut result.moves);
    for candidate in candidates.filter(|candidate| candidate.score == ScoreName::Win) {
        let wins = wire::squares(position.game(), &candidate.squares).is_ok_and(|squares| {
            completes(position, &squares) || attack == Some(&Move::from(squares))
        });
        if !wins {
            (candidate.score, candidate.value) = (ScoreName::Value, VALUE_MAX);
        }
    }
}

/// Reads a result of a node; `None` for one that another program wrote in another form.
pub(super) fn parsed(text: &str) -> Option<JobResult> {
    serde_json::from_str(text).ok()
}

/// The result in the document of a certificate that was opened as a file.
pub(super) fn result_of(proof: &CheckedProof, at_ms: u64) -> JobResult {
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

/// A place in a proof, while a line of the document is followed.
#[derive(Clone)]
pub(super) struct ProofWalk {
    proof: Arc<CheckedProof>,
    node: u32,
    extra: Vec<Square>,
}

/// The place to which a move leads in a proof.
pub(super) enum WalkStep {
    /// The proof goes on.
    On(ProofWalk),
    /// Attacker completes a line whatever Defender does: the proof ends here.
    Won(Arc<CheckedProof>),
    /// The proof does not cover the move.
    Outside,
}

impl ProofWalk {
    fn begin(proof: Arc<CheckedProof>) -> ProofWalk {
        ProofWalk { proof, node: 0, extra: Vec::new() }
    }

    /// Follows a whole move.
    pub(super) fn step(&self, color: Color, squares: &[Square]) -> WalkStep {
        let ProofWalk { proof, node, extra } = self;
        let strategy = &proof.strategy;
        if color == proof.attacker() {
            let played = self.attack() == Some(Move::from(squares));
            return match strategy.kind(*node) {
                NodeKind::Attack if played => match strategy.defence(*node) {
                    Some(node) => WalkStep::On(ProofWalk { node, ..self.clone() }),
                    None => WalkStep::Outside,
                },
                _ => WalkStep::Outside,
            };
        }
        if strategy.kind(*node) != NodeKind::Defence {
            return WalkStep::Outside;
        }
        match proof.step(*node, extra, squares) {
            Ok(Continuation::Stands(onward) | Continuation::Answered(onward)) => {
                WalkStep::On(ProofWalk {
                    proof: Arc::clone(proof),
                    node: onward.node,
                    extra: onward.extra,
                })
            }
            Ok(Continuation::TooLate { .. }) => WalkStep::Won(Arc::clone(proof)),
            _ => WalkStep::Outside,
        }
    }

    /// The move of Attacker here, if it is his turn.
    fn attack(&self) -> Option<Move> {
        let squares = self.proof.strategy.attack(self.node);
        (!squares.is_empty()).then(|| squares.into())
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
type PlayedMove = (Color, Vec<Square>);

/// A child of a node: its verdict, and its stones if it makes a move.
struct NextMove {
    verdict: Option<Verdict>,
    stones: Option<PlayedMove>,
}

/// The nearest node above another one that has a certificate.
struct ProofAbove {
    position: Position,
    proof: NodeProof,
    /// The moves from there to the node; `None` for a node with words only. No list if a position
    /// is set up on the way.
    moves: Option<Vec<Option<PlayedMove>>>,
}

/// What the document contributes to the verdicts on a node and its children. The checker may take
/// long to answer, and meanwhile other requests use the document.
pub(super) struct VerdictQuestion {
    pub(super) position: Position,
    own: Option<NodeProof>,
    above: Option<ProofAbove>,
    children: Vec<NextMove>,
    /// The certificate of a stored move that wins.
    winning: Option<String>,
}

/// The verdicts on a node and on its children.
pub(super) struct Verdicts {
    pub(super) here: Option<Verdict>,
    pub(super) children: Vec<Option<Verdict>>,
    /// The move with which the proof goes on, if its side is to move.
    pub(super) attack: Option<Move>,
    /// The proof of the position, if the document did not know it.
    pub(super) learned: Option<NodeProof>,
}

/// The stones of a node that makes a move.
fn played(node: &Node) -> Option<PlayedMove> {
    let &(color, _) = node.stones.first()?;
    Some((color, node.stones.iter().map(|stone| stone.1).collect()))
}

impl VerdictQuestion {
    /// The question about a node, with its position.
    pub(super) fn of(open: &OpenDocument, node: NodeId, position: &Position) -> VerdictQuestion {
        let (document, facts) = (&open.document, &open.facts);
        let mover = position.to_move();
        let next = |&child: &NodeId| NextMove {
            verdict: facts.verdict(child),
            stones: document.node(child).filter(|node| !node.sets_up()).and_then(played),
        };
        let wins = |&child: &NodeId| {
            let proof = facts.proof_of(child).filter(|proof| proof.winner == mover)?;
            let node = document.node(child).filter(|node| !node.sets_up())?;
            (node.stones.first()?.0 == mover).then(|| proof.hash.clone())
        };
        VerdictQuestion {
            position: position.clone(),
            own: facts.proof_of(node).cloned(),
            above: ProofAbove::of(open, node),
            children: document.children(node).iter().map(next).collect(),
            winning: document.children(node).iter().find_map(wins),
        }
    }
}

impl ProofAbove {
    fn of(open: &OpenDocument, node: NodeId) -> Option<ProofAbove> {
        let (document, path) = (&open.document, open.document.path(node));
        let (_, above) = path.split_last()?;
        let start = above.iter().rposition(|&id| open.facts.proof_of(id).is_some())?;
        let steps = path[start + 1..].iter().map(|&id| match document.node(id)? {
            node if node.sets_up() => None,
            node => Some(played(node)),
        });
        Some(ProofAbove {
            position: document.reach(path[start])?.position,
            proof: open.facts.proof_of(path[start])?.clone(),
            moves: steps.collect(),
        })
    }
}

impl Library {
    /// Answers a question about a node. No document is locked meanwhile.
    pub(super) fn answer(&self, question: &VerdictQuestion) -> Verdicts {
        let VerdictQuestion { position, own, .. } = question;
        let mut learned = None;
        let (here, walk) = match by_rules(position) {
            Some(verdict) => (Some(verdict), None),
            None => match self.own_proof(own.as_ref(), position) {
                Some(proof) => {
                    let known = NodeProof { winner: proof.attacker(), hash: proof.hash.clone() };
                    learned = Some(known).filter(|known| Some(known) != own.as_ref());
                    let walk = ProofWalk::begin(proof);
                    (Some(walk.verdict(Because::Certificate)), Some(walk))
                }
                None => self.inherited(question),
            },
        };
        let verdict = |next: &NextMove| child_verdict(next, position, walk.as_ref());
        let children = question.children.iter().map(verdict).collect();
        let attack = walk.as_ref().and_then(ProofWalk::attack);
        Verdicts { here, children, attack, learned }
    }

    /// The verdict by a proof above a node or below it, and the proof that goes on from there.
    fn inherited(&self, question: &VerdictQuestion) -> (Option<Verdict>, Option<ProofWalk>) {
        match question.above.as_ref().map_or(WalkStep::Outside, |above| self.walk_from(above)) {
            WalkStep::On(walk) => return (Some(walk.verdict(Because::Inherited)), Some(walk)),
            WalkStep::Won(proof) => return (Some(won(&proof)), None),
            WalkStep::Outside => {}
        }
        let verdict = question.winning.clone().map(|hash| Verdict {
            winner: question.position.to_move().into(),
            because: Because::Inherited,
            certificate: Some(hash),
            at: None,
        });
        (verdict, None)
    }

    /// The proof of a very position: the known one, or one of the store.
    fn own_proof(
        &self,
        known: Option<&NodeProof>,
        position: &Position,
    ) -> Option<Arc<CheckedProof>> {
        let known = known.and_then(|NodeProof { winner, hash }| {
            let claim = Claim::new(position, *winner);
            self.proofs.get(hash).ok().filter(|proof| proof.proves(&claim))
        });
        known.or_else(|| {
            [position.to_move(), !position.to_move()].into_iter().find_map(|attacker| {
                let claim = Claim::new(position, attacker);
                let found = self.memory.proof(&claim)?;
                let proof = self.proofs.take(&found.certificate).ok()?;
                proof.proves(&claim).then_some(proof)
            })
        })
    }

    /// Follows the nearest proof above a node down to it.
    fn walk_from(&self, above: &ProofAbove) -> WalkStep {
        let Some(moves) = &above.moves else { return WalkStep::Outside };
        let Some(proof) = self.own_proof(Some(&above.proof), &above.position) else {
            return WalkStep::Outside;
        };
        let mut walk = ProofWalk::begin(proof);
        for (index, step) in moves.iter().enumerate() {
            // Words without a move.
            let Some((color, squares)) = step else { continue };
            match walk.step(*color, squares) {
                WalkStep::On(next) => walk = next,
                // The proof ends with the move that comes too late, and covers no later one.
                WalkStep::Won(proof) if index + 1 == moves.len() => return WalkStep::Won(proof),
                WalkStep::Won(_) | WalkStep::Outside => return WalkStep::Outside,
            }
        }
        WalkStep::On(walk)
    }
}

/// The verdict on a child, as far as no certificate has to be read for it.
fn child_verdict(
    next: &NextMove,
    position: &Position,
    walk: Option<&ProofWalk>,
) -> Option<Verdict> {
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
        WalkStep::On(walk) => Some(walk.verdict(Because::Inherited)),
        WalkStep::Won(proof) => Some(won(&proof)),
        WalkStep::Outside => None,
    }
}

/// The verdict of the rules: a side has k in a row.
fn by_rules(position: &Position) -> Option<Verdict> {
    let winner = position.winner()?.into();
    Some(Verdict { winner, because: Because::Rules, certificate: None, at: None })
}

fn won(proof: &CheckedProof) -> Verdict {
    Verdict {
        winner: proof.attacker().into(),
        because: Because::Inherited,
        certificate: Some(proof.hash.clone()),
        at: None,
    }
}
