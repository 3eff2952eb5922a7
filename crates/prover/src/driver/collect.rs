//! Bounded memory: drops the least useful subtrees and keeps all proofs.

use crate::board::Rules;

use super::{And, Driver, Or, Stage};

/// Estimated bytes of a node with its lists, and of a listed move. Most bytes of an expanded
/// Attacker node are its list of moves.
const NODE_BYTES: u64 = 256;
const MOVE_BYTES: u64 = 40;

impl<R: Rules> Driver<R> {
    /// Estimated bytes in use.
    pub fn bytes(&self) -> u64 {
        self.tree_bytes() + self.proof_bytes
    }

    /// Nodes of the tree: positions and moves.
    pub fn size(&self) -> u64 {
        (self.ors.len() + self.ands.len()) as u64
    }

    fn tree_bytes(&self) -> u64 {
        self.size() * NODE_BYTES + self.listed * MOVE_BYTES
    }

    /// Frees memory: drops unreachable nodes and, if that is not enough, the subtrees below the
    /// moves with the largest proof numbers. These moves keep their numbers and are searched again
    /// when they are chosen. No job may be running.
    pub fn collect(&mut self, bytes_max: u64) {
        self.compact();
        while self.bytes() > bytes_max {
            let mut order: Vec<u32> = (0..self.ands.len() as u32)
                .filter(|&and| !self.ands[and as usize].children.is_empty())
                .collect();
            if order.is_empty() {
                break;
            }
            order.sort_by_key(|&and| self.ands[and as usize].numbers.proof);
            // The half with the larger proof numbers.
            for and in order.split_off(order.len() / 2) {
                let and = &mut self.ands[and as usize];
                and.weak = and.numbers.proof.div_ceil(2);
                and.stage = Stage::Screened;
                and.complete = true;
                and.children = Vec::new();
            }
            self.compact();
        }
    }

    /// Keeps the nodes that can be reached from the root.
    fn compact(&mut self) {
        let mut ors: Vec<Option<Or>> =
            std::mem::take(&mut self.ors).into_iter().map(Some).collect();
        let mut ands: Vec<Option<And>> =
            std::mem::take(&mut self.ands).into_iter().map(Some).collect();
        self.listed = 0;
        let mut stack = vec![(0u32, None)];
        while let Some((old, parent)) = stack.pop() {
            let mut or = ors[old as usize].take().expect("every node has one parent");
            let index = self.ors.len() as u32;
            or.parent = parent;
            if let Some(parent) = parent {
                let and: &mut And = &mut self.ands[parent as usize];
                and.children.push(index);
            }
            self.listed += or.quiet.as_ref().map_or(0, |list| list.len() as u64);
            for child in std::mem::take(&mut or.children) {
                let mut and = ands[child as usize].take().expect("every node has one parent");
                let number = self.ands.len() as u32;
                and.parent = index;
                // Pushed in reverse, so that they are popped in order.
                let replies = std::mem::take(&mut and.children);
                stack.extend(replies.into_iter().rev().map(|reply| (reply, Some(number))));
                or.children.push(number);
                self.ands.push(and);
            }
            self.ors.push(or);
        }
    }
}
