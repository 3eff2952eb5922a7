//! Snapshots of the tree of jobs: its most important nodes. Taking one changes nothing.

use crate::board::{Rules, Side, Sq};
use crate::search_tree::{Glance, SearchTree, look};

use super::numbers::{INFINITE, whole};
use super::{Driver, Node, Stage};

impl<R: Rules> Driver<R> {
    /// The most important nodes of the tree.
    pub fn snapshot(&self) -> SearchTree<Sq> {
        // If Defender moves first, the root is a move without stones.
        let root = match self.ors[0].children.first() {
            Some(&and) if !self.attacker_moves => Node::And(and),
            _ => Node::Or(0),
        };
        let size = (self.ors.len() + self.ands.len()) as u64;
        look(root, size, INFINITE, |&node| match node {
            Node::Or(or) => self.glance_or(or),
            Node::And(and) => self.glance_and(and),
        })
    }

    fn glance_or(&self, index: u32) -> Glance<Node, Sq> {
        let or = &self.ors[index as usize];
        let proof = |and: u32| self.ands[and as usize].numbers.proof;
        let mut children = or.children.clone();
        children.sort_by_key(|&and| (proof(and), and));
        // In the order in which jobs are chosen: a larger search or a new move, if cheaper.
        let own = self.solve_number(or).min(self.quiet_number(or));
        let best = children.first().map_or(INFINITE, |&and| proof(and));
        let by = match self.attacker_moves || index != 0 {
            true => Side::Defender,
            false => Side::Attacker,
        };
        Glance {
            by,
            squares: or.reply.clone(),
            numbers: [whole(or.numbers.proof), whole(or.numbers.disproof)],
            running: or.running,
            goes_on: !or.running && best < own,
            children: children.into_iter().map(Node::And).collect(),
            // Listed moves without a node yet.
            unlisted: or.quiet.as_ref().map_or(0, Vec::len),
        }
    }

    fn glance_and(&self, index: u32) -> Glance<Node, Sq> {
        let and = &self.ands[index as usize];
        let mut children = and.children.clone();
        // In the order in which jobs are chosen: open replies by their cost, won ones last.
        children.sort_by_key(|&or| {
            let or = &self.ors[or as usize];
            (or.won.is_some(), or.numbers.proof)
        });
        let verified = and.stage == Stage::Verified && and.complete;
        Glance {
            by: Side::Attacker,
            squares: and.attack.clone(),
            numbers: [whole(and.numbers.proof), whole(and.numbers.disproof)],
            running: and.running,
            goes_on: !and.running && verified && self.open_replies(and).next().is_some(),
            children: children.into_iter().map(Node::Or).collect(),
            unlisted: 0,
        }
    }
}
