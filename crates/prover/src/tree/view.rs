//! What a search reports to its watcher.
//!
//! Numbers are reported after every step. Lines of play and the memory in use cost more than a
//! number, so they are found only at intervals: between two such steps the lines are empty.

use crate::board::{Rules, Sq};
use crate::search_tree::SearchTree;

use super::{And, Or, Stage, Tree, Win};

/// The number of steps between two looks at the lines.
const LINES_EVERY: u64 = 64;
/// The parts of the tree's size, one of which it grows by before it is weighed again.
const GROWTH: usize = 8;

/// The state of a search, for its watcher.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// The number of nodes so far.
    pub nodes: u64,
    /// Proof and disproof number of the root.
    pub numbers: [u32; 2],
    /// The number of moves of both sides to the position looked at last.
    pub depth: usize,
    /// The first move of the line looked at last.
    pub candidate: Vec<Sq>,
    /// The number of positions of the tree that are proved, and refuted.
    pub settled: [u64; 2],
    /// The line to the position looked at last; empty when it is not reported.
    pub line: Vec<Vec<Sq>>,
    /// The line that is best for both sides so far; empty when it is not reported.
    pub best: Vec<Vec<Sq>>,
    /// The bytes that the tree takes, about.
    pub memory: u64,
    /// The most important nodes of the tree, at intervals, if the caller asked for them.
    pub tree: Option<SearchTree<Sq>>,
}

/// What the tree weighed when it was weighed last.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Weight {
    bytes: u64,
    positions: usize,
}

impl<R: Rules> Tree<R> {
    /// The progress after a step along `line`, which holds Defender nodes and their replies. The
    /// numbers of the line are those of before the step.
    pub(super) fn progress(&mut self, line: &[(u32, usize)]) -> Progress {
        let candidate = match line.first().map(|&(and, reply)| (&self.ands[and as usize], reply)) {
            Some((and, _)) if self.attacker_moves => and.attack.clone(),
            Some((and, reply)) if reply != usize::MAX => and.replies[reply].squares.clone(),
            _ => Vec::new(),
        };
        let mut progress = Progress { depth: line.len(), candidate, ..Progress::default() };
        self.steps += 1;
        if self.steps.is_multiple_of(LINES_EVERY) {
            progress.line = self.moves_of(line);
            self.weigh();
        }
        progress
    }

    /// Adds what is known once the numbers of the line are carried back.
    pub(super) fn complete(&self, progress: &mut Progress) {
        progress.nodes = self.nodes();
        progress.numbers = self.root_numbers();
        progress.settled = [self.counts.proved, self.counts.refuted];
        progress.memory = self.weight.bytes;
        if self.steps.is_multiple_of(LINES_EVERY) {
            progress.best = self.best_line();
        }
    }

    /// The moves of both sides along a line.
    fn moves_of(&self, line: &[(u32, usize)]) -> Vec<Vec<Sq>> {
        let mut moves = Vec::new();
        for &(and, reply) in line {
            let node = &self.ands[and as usize];
            if !node.attack.is_empty() {
                moves.push(node.attack.clone());
            }
            if reply != usize::MAX {
                moves.push(node.replies[reply].squares.clone());
            }
        }
        moves
    }

    /// The cheapest move of Attacker and the most stubborn reply of Defender, again and again.
    fn best_line(&self) -> Vec<Vec<Sq>> {
        let mut moves = Vec::new();
        let mut or = 0u32;
        let mut and = if self.attacker_moves { None } else { Some(0u32) };
        loop {
            if let Some(node) = and {
                let Some(reply) = self.stubborn(node) else { return moves };
                let reply = &self.ands[node as usize].replies[reply];
                moves.push(reply.squares.clone());
                or = reply.child;
            }
            let node = &self.ors[or as usize];
            let next = match &node.win {
                Some(Win::Move(next)) => *next,
                Some(_) => return moves,
                None if node.state == Stage::Expanded && !node.children.is_empty() => {
                    self.cheapest(or)
                }
                None => return moves,
            };
            moves.push(self.ands[next as usize].attack.clone());
            and = Some(next);
        }
    }

    /// Weighs the tree. Counting takes time proportional to its size, so it waits until the tree
    /// has grown.
    fn weigh(&mut self) {
        let positions = self.ors.len() + self.ands.len();
        let before = self.weight.positions;
        if before == 0 || positions - before > before / GROWTH {
            let ors: usize = self.ors.iter().map(or_bytes).sum();
            let ands: usize = self.ands.iter().map(and_bytes).sum();
            self.weight = Weight { bytes: (ors + ands) as u64, positions };
        }
    }
}

fn or_bytes(or: &Or) -> usize {
    let win = match &or.win {
        Some(Win::Path(path)) => path
            .iter()
            .map(|forced| size_of_val(forced) + list(&forced.attack) + list(&forced.reply))
            .sum(),
        Some(Win::Now(squares)) => list(squares),
        Some(Win::Move(_) | Win::Given(_)) | None => 0,
    };
    let zone = or.zone.as_ref().map_or(0, |zone| zone.bytes());
    size_of_val(or) + list(&or.children) + win + zone
}

fn and_bytes(and: &And) -> usize {
    let replies: usize = and
        .replies
        .iter()
        .map(|reply| {
            let group: usize = reply.group.iter().map(list).sum();
            list(&reply.squares)
                + list(&reply.group)
                + group
                + list(&reply.shadow)
                + list(&reply.rows)
        })
        .sum();
    let lists: usize = and.winners.iter().chain(&and.pending).map(list).sum();
    let zone = and.zone.as_ref().map_or(0, |zone| zone.bytes());
    size_of_val(and)
        + list(&and.attack)
        + list(&and.threats)
        + list(&and.replies)
        + list(&and.winners)
        + list(&and.pending)
        + replies
        + lists
        + zone
}

/// The bytes of a list itself.
fn list<T>(list: &Vec<T>) -> usize {
    list.capacity() * size_of::<T>()
}
