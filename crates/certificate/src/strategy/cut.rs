//! The proof of one node as a certificate of its own, so that the checker can report its zone.

use std::collections::{BTreeMap, BTreeSet};

use sixproof_check::RootZone;
use sixproof_game::Square;

use crate::{Certified, Claim, Step, Writer, Zone, certify};

use super::{NodeId, NodeKind, ROOT, Strategy};

/// The most nodes that are cut out: the checker takes seconds for them.
pub const CUT_NODES_MAX: u64 = 2_000_000;

/// The certificate of the position at a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubCertificate {
    /// The certificate.
    pub bytes: Vec<u8>,
    /// The number of its nodes.
    pub nodes: u64,
    claim: Claim,
    /// The columns and rows that it names, on an unbounded board.
    named: Option<[BTreeSet<i32>; 2]>,
}

/// Why the proof of a node cannot be cut out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uncut {
    /// There is no such node, or no position that could be claimed.
    NoPosition,
    /// A side has k in a row there: nothing is left to be proved.
    Over,
    /// It has more than [`CUT_NODES_MAX`] nodes.
    TooLarge,
}

impl SubCertificate {
    /// The zone that the checker reports of this certificate, or of another one of the same proof.
    pub fn zone(&self, root: &RootZone) -> Zone {
        let game = self.claim.position.game();
        let zone = Zone::new(game, root);
        match &self.named {
            None => zone,
            Some(named) => {
                // As the checker shortens the stretches of an unbounded board.
                let stones = game.p().max(self.claim.position.left());
                let stretch = (stones + 2) * game.k();
                let list = |axis: &BTreeSet<i32>| axis.iter().copied().collect();
                zone.unbounded([list(&named[0]), list(&named[1])], stretch as i32)
            }
        }
    }

    fn name(&mut self, squares: &[Square]) {
        if let Some([columns, rows]) = &mut self.named {
            columns.extend(squares.iter().map(|square| square.x));
            rows.extend(squares.iter().map(|square| square.y));
        }
    }
}

/// A part that is still to be written.
enum Todo {
    Node(NodeId),
    /// From this reply of a defence on.
    Replies(NodeId, usize),
}

impl Strategy {
    /// The zone of a node's proof, as the checker reports it of the certificate that is cut out
    /// there. `None` where no certificate can be cut out.
    pub fn zone(&self, node: NodeId) -> Option<Zone> {
        let cut = self.sub_certificate(node).ok()?;
        let certified = certify(&cut.claim, &cut.bytes).ok()?;
        Some(cut.zone(certified.zone()))
    }

    /// The certificate of the position at a node. Nodes that come up more than once are written
    /// once, and referred to.
    pub fn sub_certificate(&self, node: NodeId) -> Result<SubCertificate, Uncut> {
        let position = self.place(node).ok_or(Uncut::NoPosition)?.position;
        if position.winner().is_some() {
            return Err(Uncut::Over);
        }
        let claim = Claim { position, attacker: self.claim.attacker };
        let named = claim.position.game().is_unbounded().then(Default::default);
        let mut cut = SubCertificate { bytes: Vec::new(), nodes: 0, claim, named };
        let stones: Vec<Square> = cut.claim.position.stones().map(|(square, _)| square).collect();
        cut.name(&stones);
        // Memory can always be written to.
        let memory = "memory can be written";
        let mut writer = Writer::new(Vec::new(), &cut.claim).expect(memory);
        let mut marks: BTreeMap<NodeId, u64> = BTreeMap::new();
        let mut todo = vec![Todo::Node(node)];
        while let Some(next) = todo.pop() {
            if writer.nodes() > CUT_NODES_MAX {
                return Err(Uncut::TooLarge);
            }
            let node = match next {
                Todo::Node(node) => node,
                Todo::Replies(defence, index) => {
                    let Some(reply) = self.reply(defence, index) else { continue };
                    todo.push(Todo::Replies(defence, index + 1));
                    let missing = self.stones(defence).saturating_sub(reply.squares.len() as u32);
                    let slack = Some(reply.slack).filter(|&slack| slack != missing);
                    let step = Step::Reply { squares: reply.squares.to_vec(), slack };
                    writer.step(&step).expect(memory);
                    cut.name(reply.squares);
                    reply.node
                }
            };
            // The graph has no cycles: a node that was begun before, and comes again, is finished.
            if let Some(&mark) = marks.get(&node) {
                writer.step(&Step::Reference { mark }).expect(memory);
                continue;
            }
            if self.node(node).shared
                && let Some(mark) = writer.step(&Step::Mark).expect(memory)
            {
                marks.insert(node, mark);
            }
            let squares = self.attack(node).to_vec();
            cut.name(&squares);
            let step = match self.kind(node) {
                NodeKind::Win => Step::Win { squares },
                NodeKind::Attack => {
                    todo.push(Todo::Node(self.node(node).first));
                    Step::Attack { squares }
                }
                NodeKind::Defence => {
                    let relies_on = self.relies_on(node).map(<[_]>::to_vec);
                    cut.name(&relies_on.iter().flatten().flatten().copied().collect::<Vec<_>>());
                    todo.push(Todo::Replies(node, 0));
                    Step::Defence { relies_on, replies: u64::from(self.node(node).count) }
                }
            };
            writer.step(&step).expect(memory);
        }
        cut.nodes = writer.nodes();
        cut.bytes = writer.finish().expect(memory);
        Ok(cut)
    }
}

impl Zone {
    /// The zone of a proof, from a certificate and the checker's report on it. `None` if the
    /// certificate is another one.
    pub fn of(certified: &Certified, certificate: &[u8]) -> Option<Zone> {
        let game = certified.claim().position.game();
        if !game.is_unbounded() {
            return Some(Zone::new(game, certified.zone()));
        }
        // The shape of the whole certificate decides about segments far from all stones.
        let whole = Strategy::read(certificate).ok()?.sub_certificate(ROOT).ok()?;
        Some(whole.zone(certified.zone()))
    }
}
