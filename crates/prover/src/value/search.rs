//! Can Attacker force a win? Depth-first proof-number search, stone by stone, to the end.
//!
//! Numbers are those of *weak* proof-number search: the largest of the children plus one for each
//! of the others. Transpositions are everywhere here, and sums would count them many times.

use std::ops::ControlFlow;

use super::state::{BitPosition, Eye, Seen};
use super::table::{INFINITE, Numbers, Table};
use crate::board::Bits;

/// The number of nodes between two calls of `watch`.
const WATCH_EVERY: u64 = 1 << 10;
/// The largest number that is not infinite.
const NUMBER_MAX: u32 = INFINITE - 1;

/// A search with its memory; it can be continued.
pub(super) struct Search {
    pub(super) eye: Eye,
    table: Table,
    /// Positions whose moves were generated.
    pub(super) nodes: u64,
    nodes_max: u64,
    stopped: bool,
    /// Whether `watch` stopped it.
    broken_off: bool,
}

/// A position after a stone.
#[derive(Clone, Copy, Debug)]
struct Child {
    /// Its state; meaningless when the position is decided.
    state: BitPosition,
    numbers: Numbers,
}

/// Receives the nodes, and may stop the search.
pub(super) type Watch<'a> = &'a mut dyn FnMut(u64) -> ControlFlow<()>;

impl Search {
    /// A search that remembers 2^`table_bits` positions.
    pub(super) fn new(eye: Eye, table_bits: u32) -> Search {
        let table = Table::new(table_bits);
        Search { eye, table, nodes: 0, nodes_max: 0, stopped: false, broken_off: false }
    }

    /// Searches until the position is decided, `nodes_max` nodes were spent in all, or `watch`
    /// breaks.
    pub(super) fn run(
        &mut self,
        state: &BitPosition,
        nodes_max: u64,
        watch: Watch<'_>,
    ) -> Option<bool> {
        self.nodes_max = nodes_max;
        self.stopped = self.broken_off;
        let state = match self.eye.look(state) {
            Seen::Decided(wins) => return Some(wins),
            Seen::Open(state, _) => state,
        };
        let mut numbers = self.table.get(&state).unwrap_or(Numbers { proof: 1, disproof: 1 });
        while !numbers.is_decided() && !self.stopped {
            let limits = Numbers { proof: NUMBER_MAX, disproof: NUMBER_MAX };
            numbers = self.expand(&state, limits, watch);
        }
        numbers.is_decided().then_some(numbers.proof == 0)
    }

    /// Whether `watch` stopped the search.
    pub(super) fn was_stopped(&self) -> bool {
        self.broken_off
    }

    /// What is known of a position without a search.
    pub(super) fn known(&mut self, state: &BitPosition) -> Option<bool> {
        match self.eye.look(state) {
            Seen::Decided(wins) => Some(wins),
            Seen::Open(state, _) => {
                let numbers = self.table.get(&state).filter(|numbers| numbers.is_decided())?;
                Some(numbers.proof == 0)
            }
        }
    }

    /// Searches below a position until one of its numbers reaches its limit.
    fn expand(&mut self, state: &BitPosition, limits: Numbers, watch: Watch<'_>) -> Numbers {
        let start = self.nodes;
        self.nodes += 1;
        self.broken_off |= self.nodes.is_multiple_of(WATCH_EVERY) && watch(self.nodes).is_break();
        self.stopped |= self.broken_off || self.nodes >= self.nodes_max;
        let mut children = self.children(state);
        loop {
            let numbers = summed(&children, state.attacks);
            let over = numbers.proof >= limits.proof || numbers.disproof >= limits.disproof;
            if over || numbers.is_decided() || self.stopped {
                self.table.set(state, numbers, self.nodes - start);
                return numbers;
            }
            let (index, limits) = chosen(&children, state.attacks, numbers, limits);
            let child = children[index].state;
            children[index].numbers = self.expand(&child, limits, watch);
        }
    }

    /// The positions after a stone, symmetric ones once. One that decides is alone.
    fn children(&mut self, state: &BitPosition) -> Vec<Child> {
        let squares = self.eye.candidates(state);
        let mut children: Vec<Child> = Vec::with_capacity(squares.count_ones() as usize);
        for square in Bits(squares) {
            let child = match self.eye.look(&state.after(square, self.eye.p)) {
                Seen::Decided(wins) => {
                    Child { state: BitPosition::NOTHING, numbers: Numbers::decided(wins) }
                }
                Seen::Open(state, excess) => {
                    if children.iter().any(|child| child.state == state) {
                        continue;
                    }
                    let numbers = match self.table.get(&state) {
                        Some(numbers) => numbers,
                        None => guess(self.eye.missing(&state), excess),
                    };
                    Child { state, numbers }
                }
            };
            if child.numbers == Numbers::decided(state.attacks) {
                return vec![child];
            }
            if !child.numbers.is_decided() {
                children.push(child);
            }
        }
        if children.is_empty() {
            // Every stone was refuted, or none is left.
            let wins = !state.attacks && squares != 0;
            children.push(Child { state: BitPosition::NOTHING, numbers: Numbers::decided(wins) });
        }
        children
    }
}

/// First numbers: the larger the potential, the easier is it for Attacker.
fn guess(missing: Option<u32>, excess: f32) -> Numbers {
    if missing == Some(0) {
        return Numbers::REFUTED;
    }
    let level = excess.max(1.0).log2();
    let disproof = match missing {
        Some(missing) => 1 + 8 * missing + (4.0 * level) as u32,
        None => 1 + (4.0 * level) as u32,
    };
    let proof = 1 + (2.0 / (1.0 + level)) as u32;
    Numbers { proof, disproof }
}

/// The numbers of a position from those of its children.
fn summed(children: &[Child], attacks: bool) -> Numbers {
    let pick = |child: &Child| match attacks {
        true => [child.numbers.proof, child.numbers.disproof],
        false => [child.numbers.disproof, child.numbers.proof],
    };
    let (mut least, mut most, mut unsolved) = (INFINITE, 0, 0u32);
    for [one, other] in children.iter().map(pick) {
        least = least.min(one);
        most = most.max(other);
        unsolved += u32::from(other != 0);
    }
    let sum = match most {
        0 | INFINITE => most,
        _ => most.saturating_add(unsolved - 1).min(NUMBER_MAX),
    };
    match attacks {
        true => Numbers { proof: least, disproof: sum },
        false => Numbers { proof: sum, disproof: least },
    }
}

/// The child to search next, and how far.
fn chosen(
    children: &[Child],
    attacks: bool,
    numbers: Numbers,
    limits: Numbers,
) -> (usize, Numbers) {
    let key = |child: &Child| if attacks { child.numbers.proof } else { child.numbers.disproof };
    let (mut best, mut second) = (0, INFINITE);
    for (index, child) in children.iter().enumerate().skip(1) {
        if key(child) < key(&children[best]) {
            second = key(&children[best]);
            best = index;
        } else {
            second = second.min(key(child));
        }
    }
    // A quarter more than the second best: less going back and forth.
    let next = second.saturating_add(second / 4).saturating_add(1).min(NUMBER_MAX);
    let [own, other] = match attacks {
        true => [limits.proof, limits.disproof],
        false => [limits.disproof, limits.proof],
    };
    let child = &children[best].numbers;
    let [sum, part] = match attacks {
        true => [numbers.disproof, child.disproof],
        false => [numbers.proof, child.proof],
    };
    // What the others add to the sum stays.
    let rest = sum.saturating_sub(part.max(1)).min(children.len() as u32 - 1);
    let own = own.min(next);
    let other = other.saturating_sub(rest).max(part.saturating_add(1)).min(NUMBER_MAX);
    let limits = match attacks {
        true => Numbers { proof: own, disproof: other },
        false => Numbers { proof: other, disproof: own },
    };
    (best, limits)
}
