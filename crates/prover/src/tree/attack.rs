//! Attacker nodes: won at once, won by force, or expanded into candidates.

use crate::board::{Rules, Side, Sq};
use crate::candidates::{Candidate, candidates, settle};
use crate::cover::{Defences, defences};
use crate::vcdt::Forced;
use crate::zone::Zone;

use super::{Stage, Tree, Win, empty_zone};

/// The number of candidates kept at a node.
const CANDIDATES_MAX: usize = 48;
/// The nodes spent on another forced win.
const ALTERNATIVE_NODES: u64 = 8;

impl<R: Rules> Tree<R> {
    /// The next piece of work at an Attacker node that has no children; the board stands at it.
    pub(super) fn work(&mut self, or: u32) {
        match self.ors[or as usize].state {
            Stage::Fresh => self.evaluate(or, &[]),
            Stage::Evaluated => self.expand(or),
            Stage::Expanded => {}
        }
    }

    /// Looks for a win now and for a forced win, after Defender's stones on `reply`.
    pub(super) fn evaluate(&mut self, or: u32, reply: &[Sq]) {
        self.ors[or as usize].state = Stage::Evaluated;
        let stones = u32::from(self.ors[or as usize].stones);
        self.board.threats(Side::Attacker, &mut self.threats);
        let now = self.threats.iter().find(|threat| threat.empties().len() <= stones as usize);
        if let Some(&now) = now {
            let mut zone = empty_zone(&self.board, &self.limits);
            zone.add_win(&self.board, &now);
            self.ors[or as usize].win = Some(Win::Now(now.empties().to_vec()));
            return self.prove_or(or, zone);
        }
        self.board.threats(Side::Defender, &mut self.threats);
        if defences(&self.threats, stones, &mut Vec::new()) == Defences::None {
            return self.refute_or(or, true);
        }
        if self.remembered_win(or, reply) {
            return;
        }
        if self.forced_win(or, self.limits.forced[0]) {
            if let Some(Win::Path(path)) = &self.ors[or as usize].win {
                let attacks = path.iter().map(|forced| forced.attack.clone()).collect();
                self.memory.insert(reply.to_vec(), attacks);
            }
            return;
        }
        // Sound because only a segment without a stone of Defender can be completed.
        if !self.board.has_hope(Side::Attacker) {
            return self.refute_or(or, true);
        }
        let node = &mut self.ors[or as usize];
        if node.macro_only {
            return self.refute_or(or, false);
        }
        node.proof_number = 2;
    }

    /// Tries the attacks that won against the same reply elsewhere.
    fn remembered_win(&mut self, or: u32, reply: &[Sq]) -> bool {
        let Tree { vcdt, board, limits, threats, memory, .. } = self;
        if limits.order == 1 || u32::from(self.ors[or as usize].stones) != board.rules.p() {
            return false;
        }
        let Some(attacks) = memory.get(reply) else { return false };
        let Some(path) = vcdt.replay(board, attacks.iter().map(|attack| &attack[..])) else {
            return false;
        };
        let zone = empty_zone(board, limits).of_path(board, &path, threats);
        self.ors[or as usize].win = Some(Win::Path(path));
        self.prove_or(or, zone);
        true
    }

    /// Searches a forced win within this number of nodes.
    fn forced_win(&mut self, or: u32, nodes_max: u64) -> bool {
        if u32::from(self.ors[or as usize].stones) != self.board.rules.p()
            || self.board.empty_count() < self.board.rules.p()
        {
            return false;
        }
        let left = self.limits.nodes_max.saturating_sub(self.nodes()).max(1);
        let mut alternatives = if self.limits.order > 1 { self.limits.alternatives } else { 0 };
        let mut best: Option<(u32, Vec<Forced>, Box<Zone>)> = None;
        let Tree { vcdt, board, limits, threats, .. } = self;
        vcdt.search_all(board, nodes_max.min(left), &mut |board, path| {
            let zone = empty_zone(board, limits).of_path(board, &path, threats);
            let size = zone.size(board);
            if best.as_ref().is_none_or(|best| size < best.0) {
                best = Some((size, path, zone));
            }
            alternatives = alternatives.checked_sub(1)?;
            Some(ALTERNATIVE_NODES)
        });
        let Some((_, path, zone)) = best else { return false };
        self.ors[or as usize].win = Some(Win::Path(path));
        self.prove_or(or, zone);
        true
    }

    /// Makes the candidates of the node's order its children.
    fn expand(&mut self, or: u32) {
        self.ors[or as usize].state = Stage::Expanded;
        if self.forced_win(or, self.limits.forced[1]) {
            return;
        }
        self.counts.nodes += 1;
        let (order, stones) = {
            let node = &self.ors[or as usize];
            (u32::from(node.order), u32::from(node.stones))
        };
        let p = self.board.rules.p();
        let mut forcing: Vec<Candidate> = Vec::new();
        if stones == p && self.board.empty_count() >= p {
            self.generator.forcing(&self.board, |squares, score| {
                forcing.push(Candidate { squares: squares.to_vec(), score });
            });
            settle(&mut forcing, usize::MAX);
        } else {
            self.board.threats(Side::Defender, &mut self.generator.counter);
        }
        let mut complete = order == 1 && p == 1 && stones == 1;
        let mut list = forcing;
        if !complete {
            let counter = std::mem::take(&mut self.generator.counter);
            let mut gains: Vec<Sq> = list.iter().flat_map(|c| c.squares.clone()).collect();
            gains.sort_unstable();
            gains.dedup();
            let more = candidates(&mut self.board, stones, &counter, &gains);
            complete = more.complete;
            list.extend(more.list);
            self.generator.counter = counter;
            settle(&mut list, usize::MAX);
        }
        let parent = self.ors[or as usize].parent;
        let winners = parent.map(|parent| self.ands[parent as usize].winners.clone());
        for winner in winners.unwrap_or_default().into_iter().rev() {
            let blocks = self.generator.counter.iter().all(|threat| threat.is_hit_by(&winner));
            if winner.len() == stones as usize
                && blocks
                && winner.iter().all(|&square| self.board.is_empty(square))
            {
                list.retain(|candidate| candidate.squares != winner);
                list.insert(0, Candidate { squares: winner, score: i32::MAX });
            }
        }
        let hint =
            self.hints.iter().find(|hint| hint.0 == self.board.key()).map(|hint| hint.1.clone());
        if let Some(squares) = hint.filter(|squares| squares.len() == stones as usize) {
            list.retain(|candidate| candidate.squares != squares);
            list.insert(0, Candidate { squares, score: i32::MAX });
        }
        let mut kept = 0;
        let mut rank = [0u32; 16];
        for candidate in list {
            let Some(own) = self.order_of(&candidate.squares) else { continue };
            if own > order {
                continue;
            }
            if kept >= CANDIDATES_MAX && !complete {
                break;
            }
            let number = match own {
                1 => 8 + rank[1] / 2,
                2 => 2 + rank[2] / 8,
                _ => 6 + rank[3] / 8,
            };
            rank[own.min(3) as usize] += 1;
            let child = self.new_and(order as u8, candidate.squares, number);
            self.ors[or as usize].children.push(child);
            kept += 1;
        }
        self.ors[or as usize].exact = complete;
        if kept == 0 {
            self.refute_or(or, complete);
        }
    }

    /// The order of a move: 1 plus the stones that the blocks leave to Defender. `None` for a move
    /// that leaves one of Defender's threats, which the generator has found, open. With p stones to
    /// place Attacker has no threat before the move: he would have won.
    fn order_of(&mut self, squares: &[Sq]) -> Option<u32> {
        if !self.generator.counter.iter().all(|threat| threat.is_hit_by(squares)) {
            return None;
        }
        self.board.place_all(Side::Attacker, squares);
        if squares.len() == self.board.rules.p() as usize {
            self.board.threats_through(Side::Attacker, squares, &mut self.threats);
        } else {
            self.board.threats(Side::Attacker, &mut self.threats);
        }
        let stones = self.board.rules.p().min(self.board.empty_count());
        let order = match defences(&self.threats, stones, &mut self.blocks) {
            Defences::Free(least) => 1 + stones - least,
            _ => 1,
        };
        self.board.remove_all(Side::Attacker, squares);
        Some(order)
    }
}
