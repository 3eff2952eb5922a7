//! A look at the tree: its most important nodes, at intervals, for the watcher that asks for it. It
//! changes nothing.

use crate::board::{Rules, Side, Sq};
use crate::search_tree::{Glance, SearchTree, look};

use super::{INFINITE, Reply, Stage, Tree, Win};

/// A node of the tree, and the move that led to it.
#[derive(Clone, Copy)]
enum Node<'a> {
    Or(u32, &'a [Sq]),
    And(u32),
}

impl<R: Rules> Tree<R> {
    /// Asks for a look at the tree after each `nodes` nodes, and one at the end; 0 for none.
    pub fn set_looks(&mut self, every: u64) {
        self.look_every = every;
    }

    /// A look at the tree, if it is due.
    pub(super) fn look_now(&mut self) -> Option<SearchTree<Sq>> {
        let decided = matches!(self.root_numbers(), [0 | INFINITE, _]);
        if self.look_every == 0 || !(decided || self.nodes() >= self.look_next) {
            return None;
        }
        self.look_next = self.nodes() + self.look_every;
        Some(self.look())
    }

    fn look(&self) -> SearchTree<Sq> {
        let root = if self.attacker_moves { Node::Or(0, &[]) } else { Node::And(0) };
        let size = (self.ors.len() + self.ands.len()) as u64;
        look(root, size, INFINITE, |&node| match node {
            Node::Or(or, reply) => self.glance_or(or, reply),
            Node::And(and) => self.glance_and(and),
        })
    }

    fn glance_or(&self, or: u32, reply: &[Sq]) -> Glance<Node<'_>, Sq> {
        let node = &self.ors[or as usize];
        let mut children = match &node.win {
            Some(Win::Move(and)) => vec![*and],
            Some(_) => Vec::new(),
            None => node.children.clone(),
        };
        children.sort_by_key(|&and| self.ands[and as usize].proof_number);
        Glance {
            by: Side::Defender,
            squares: reply.to_vec(),
            numbers: [node.proof_number, node.disproof_number],
            running: false,
            goes_on: node.proof_number != INFINITE,
            children: children.into_iter().map(Node::And).collect(),
            unlisted: 0,
        }
    }

    fn glance_and(&self, and: u32) -> Glance<Node<'_>, Sq> {
        let node = &self.ands[and as usize];
        // Replies that have not been looked at have no numbers yet.
        let is_known = |reply: &&Reply| self.ors[reply.child as usize].state != Stage::Fresh;
        let mut replies: Vec<&Reply> = node.replies.iter().filter(is_known).collect();
        let unlisted = node.replies.len() - replies.len();
        // As the search chooses: the most stubborn first, what is won or set aside last.
        replies.sort_by_key(|reply| {
            let child = &self.ors[reply.child as usize];
            (child.proof_number == 0, reply.set_aside, child.disproof_number)
        });
        Glance {
            by: Side::Attacker,
            squares: node.attack.clone(),
            numbers: [node.proof_number, node.disproof_number],
            running: false,
            goes_on: self.stubborn(and).is_some(),
            children: replies.iter().map(|reply| Node::Or(reply.child, &reply.squares)).collect(),
            unlisted,
        }
    }
}
