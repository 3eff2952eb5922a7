//! Proof and disproof numbers of the tree of jobs.
//!
//! The proof number of a move is the sum over the replies that it leaves, that of a position the
//! minimum over its continuations. The number of a leaf is an estimate: for a screened move half of
//! the replies that the screening left, since a verification solves about as many; for a position
//! it grows with the number of searches without a result.

use crate::board::{Rules, Sq};

use super::{Driver, Node, Or, Stage};

/// The number of a decided node: proved or refuted.
pub(super) const INFINITE: u32 = u32::MAX;
/// The largest number of an open node; sums saturate here.
pub(super) const LARGE: u32 = u32::MAX / 4;
/// One node. Proof numbers count quarters of a node, so that fractions can be expressed.
pub(super) const ONE: u32 = 4;

/// Proof and disproof number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub proof: u32,
    pub disproof: u32,
}

impl Numbers {
    /// The numbers of a new node.
    pub(super) const NEW: Numbers = Numbers { proof: ONE, disproof: ONE };
}

impl<R: Rules> Driver<R> {
    /// Proof and disproof number of the root, in whole nodes.
    pub fn numbers(&self) -> [u32; 2] {
        let Numbers { proof, disproof } = self.ors[0].numbers;
        [whole(proof), whole(disproof)]
    }

    /// The proof number of another search of the lower orders.
    pub(super) fn solve_number(&self, or: &Or) -> u32 {
        match or.solvable {
            true => ONE.saturating_mul(self.settings.ladder.saturating_pow(or.solved)).min(LARGE),
            false => INFINITE,
        }
    }

    /// The proof number of a new quiet move. If Defender left stones out, the order is too low for
    /// quiet moves.
    pub(super) fn quiet_number(&self, or: &Or) -> u32 {
        let [first, more] = self.settings.quiet;
        match &or.quiet {
            _ if or.order < self.settings.order => INFINITE,
            Some(list) if list.is_empty() => INFINITE,
            _ => first + more * or.children.len() as u32,
        }
    }

    /// Recomputes the numbers from a node up to the root.
    pub(super) fn update_from(&mut self, node: Node) {
        let mut next = match node {
            Node::Or(or) => or,
            Node::And(and) => {
                self.update_and(and);
                self.ands[and as usize].parent
            }
        };
        loop {
            self.update_or(next);
            let Some(and) = self.ors[next as usize].parent else { break };
            self.update_and(and);
            next = self.ands[and as usize].parent;
        }
    }

    /// Adds the cost of a job to the positions above it.
    pub(super) fn spend(&mut self, node: Node, nodes: u64) {
        let mut next = match node {
            Node::Or(or) => Some(or),
            Node::And(and) => Some(self.ands[and as usize].parent),
        };
        while let Some(or) = next {
            self.ors[or as usize].spent += nodes;
            next = self.ors[or as usize].parent.map(|and| self.ands[and as usize].parent);
        }
    }

    /// Counts a job that begins or ends, at all nodes above it.
    pub(super) fn count_under_way(&mut self, node: Node, begins: bool) {
        let change = |count: &mut u32| match begins {
            true => *count += 1,
            false => *count = count.saturating_sub(1),
        };
        let mut next = match node {
            Node::Or(or) => or,
            Node::And(and) => {
                change(&mut self.ands[and as usize].under_way);
                self.ands[and as usize].parent
            }
        };
        loop {
            let or = &mut self.ors[next as usize];
            change(&mut or.under_way);
            let Some(and) = or.parent else { return };
            let and = &mut self.ands[and as usize];
            change(&mut and.under_way);
            next = and.parent;
        }
    }

    pub(super) fn update_or(&mut self, index: u32) {
        let or = &self.ors[index as usize];
        let numbers = if or.won.is_some() {
            Numbers { proof: 0, disproof: INFINITE }
        } else {
            let own = self.solve_number(or).min(self.quiet_number(or));
            let children = or.children.iter().map(|&child| self.ands[child as usize].numbers);
            let proof = children.clone().map(|n| n.proof).fold(own, u32::min);
            let disproof = children.map(|n| n.disproof).fold(ONE, u32::saturating_add).min(LARGE);
            match proof {
                INFINITE => Numbers { proof, disproof: 0 },
                _ => {
                    let effort = or.spent * u64::from(ONE) / self.settings.effort;
                    let proof = (u64::from(proof) + effort).min(u64::from(LARGE)) as u32;
                    Numbers { proof: self.virtually(proof, or.running), disproof }
                }
            }
        };
        self.ors[index as usize].numbers = numbers;
        self.ors[index as usize].busy = self.is_or_busy(index);
    }

    pub(super) fn update_and(&mut self, index: u32) {
        let and = &self.ands[index as usize];
        if and.numbers.proof == INFINITE {
            return;
        }
        let children = and.children.iter().map(|&child| self.ors[child as usize].numbers);
        // With all replies won, only the proof remains to be assembled.
        let open = children.clone().map(|child| child.disproof).filter(|&n| n != INFINITE);
        let disproof = open.min().unwrap_or(ONE);
        let counted = |count: u32| match and.complete {
            true => count,
            false => count.saturating_mul(self.settings.cut),
        };
        let proof = match and.stage {
            // The replies that the screening has left so far: their number only grows.
            Stage::New => and.estimate.max(and.weak * ONE / 2),
            // A verification solves about half of what a screening leaves.
            Stage::Screened if and.complete => and.weak * ONE / 2,
            Stage::Screened => counted(and.weak * ONE),
            Stage::Verified if children.clone().any(|child| child.proof == INFINITE) => {
                return self.refute(index);
            }
            Stage::Verified => {
                counted(children.map(|child| child.proof).fold(0, u32::saturating_add))
            }
        };
        let proof = self.virtually(proof.clamp(1, LARGE), and.running);
        self.ands[index as usize].numbers = Numbers { proof, disproof };
        self.ands[index as usize].busy = self.is_and_busy(index);
    }

    /// The proof number of a node, by the policy if a job is under way.
    fn virtually(&self, proof: u32, running: bool) -> u32 {
        if running { self.settings.policy.proof(proof) } else { proof }
    }

    /// The most promising line: the cheapest moves against the most expensive replies.
    pub fn best_line(&self) -> Vec<Vec<Sq>> {
        let mut line = Vec::new();
        let mut or = 0u32;
        loop {
            let moves = self.ors[or as usize].children.iter();
            let best = moves.min_by_key(|&&and| self.ands[and as usize].numbers.proof);
            let Some(and) = best.map(|&and| &self.ands[and as usize]) else { return line };
            line.push(and.attack.clone());
            let open = self.open_replies(and);
            let dearest = open.max_by_key(|&or| self.ors[or as usize].numbers.proof);
            let Some(reply) = dearest else { return line };
            line.push(self.ors[reply as usize].reply.clone());
            or = reply;
        }
    }

    /// Positions proved, and moves refuted.
    pub fn counts(&self) -> [u64; 2] {
        self.counts
    }

    /// The unanswered replies to the best move of the root.
    pub fn unsolved(&self) -> Vec<Vec<Sq>> {
        let moves = self.ors[0].children.iter().map(|&and| &self.ands[and as usize]);
        let best = moves.min_by_key(|and| and.numbers.proof);
        let open = best.into_iter().flat_map(|and| self.open_replies(and));
        open.map(|or| self.ors[or as usize].reply.clone()).collect()
    }
}

/// A number in whole nodes, rounded up.
pub(super) fn whole(number: u32) -> u32 {
    match number {
        0 | INFINITE => number,
        _ => number.div_ceil(ONE),
    }
}
