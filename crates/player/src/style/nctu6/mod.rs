//! NCTU6, as its papers describe it: a threat solver first, then the best few moves.
//!
//! First VCDT and then VCST are searched (Lin, section 5.1.1), and a win found is played with its
//! certificate. Otherwise the moves of Wu & Huang (section 4.3) are generated, those after which
//! the other side has a VCDT are put aside, and the rest is searched by a shallow alpha-beta.
//! Widths, depths and budgets are not in the papers and are ours.

mod alphabeta;
mod generate;

use sixproof_game::Position;
use sixproof_prover::board::{Board, General, Rules, Side, Sq};
use sixproof_prover::cover::Threat;
use sixproof_prover::vcdt::{Path, Vcdt};

use super::allowance::Allowance;
use super::field::Field;
use super::greedy::{self, complete};
use super::urgent::{Blocks, blocks};
use super::values::Values;
use crate::certified::certified;
use crate::{Limits, Reason, Score, ThinkWatch, Thought};
use alphabeta::{AlphaBeta, WON};
use generate::{Candidate, MoveGenerator, place_all, remove_all};

/// The nodes of a move, if nothing is limited.
const NODES_USUAL: u64 = 12_000;
/// The nodes of the threat solver: VCDT, then VCST; at most these parts of what is left.
const VCDT_NODES: u64 = 4_000;
const VCST_NODES: u64 = 8_000;
const SOLVER_PARTS: u64 = 4;
/// The nodes of a search of the other side's VCDT.
const CHECK_NODES: u64 = 200;
/// The number of first stones at the root (w), of moves searched (w'), and of moves checked for
/// that.
const WIDTH: usize = 12;
const KEPT: usize = 16;
const CHECKED_MAX: usize = 160;
/// The most stones a move of games in which it searches: with more, the ways to block threats are
/// too many to be listed.
const STONES_MAX: u32 = 4;
/// The most stones a move of games with searches of threats: with more, a single position takes
/// longer than a move may take.
const THREAT_STONES_MAX: u32 = 2;
/// The number of moves of either side to look ahead.
const DEPTH_USUAL: u32 = 4;

/// Chooses a move. The position is not over.
pub(crate) fn think(
    position: &Position,
    seed: u64,
    limits: &Limits,
    watch: &dyn ThinkWatch,
) -> Thought {
    let field = Field::new(position);
    if let Some(thought) = complete(position, &field) {
        return thought;
    }
    // Where the stones of an unbounded board are too far apart for one search board, or the game is
    // lost at once, there is nothing to search.
    let urgent = blocks(position);
    let hopeless = !field.whole || matches!(urgent, Blocks::Lost(_));
    if hopeless || position.game().p() > STONES_MAX {
        return greedy::think(position, seed);
    }
    let mut allowance = Allowance::new(limits, watch, NODES_USUAL);
    let mut solver_nodes = 0;
    let solver = [(1, VCDT_NODES), (2, VCST_NODES)];
    let is_solved = position.game().p() <= THREAT_STONES_MAX;
    for (order, nodes) in solver.into_iter().filter(|_| is_solved) {
        let share = allowance.share(nodes, SOLVER_PARTS);
        let (proof, nodes) = certified(position, order, share, &mut || allowance.has_spent(3));
        solver_nodes += nodes;
        allowance.nodes += nodes;
        if let Some(proof) = proof {
            return Thought::forces(proof, solver_nodes);
        }
    }
    let generator = MoveGenerator { field: &field, seed, half_moves: 0 };
    let values = Values::new(field.board.clone());
    let search = AlphaBeta { values, generator, allowance, nodes: 0, aborted: false };
    let mut root = Root {
        position,
        field: &field,
        other: field.board.swapped(),
        vcdt: Vcdt::default(),
        search,
        solver_nodes,
        thought: Thought::default(),
    };
    match root.choose(watch, !matches!(urgent, Blocks::Nothing)) {
        true => root.thought,
        false => greedy::think(position, seed),
    }
}

/// The root of the search.
struct Root<'a, 'w> {
    position: &'a Position,
    field: &'a Field,
    /// The board with the roles exchanged: the other side attacks.
    other: Board<General>,
    vcdt: Vcdt,
    search: AlphaBeta<'a, 'w>,
    solver_nodes: u64,
    /// The best move so far.
    thought: Thought,
}

impl Root<'_, '_> {
    /// Finds the best move; false if no move blocks everything. (The search board takes overlines
    /// of the other side for wins, under the exact rule, too.)
    fn choose(&mut self, watch: &dyn ThinkWatch, blocking: bool) -> bool {
        let mut counter: Vec<Threat> = Vec::new();
        self.search.values.board.threats(Side::Defender, &mut counter);
        let danger = if blocking { Vec::new() } else { self.attack_of_other().unwrap_or_default() };
        let AlphaBeta { values, generator, .. } = &mut self.search;
        let stones = self.position.left();
        let moves = generator.moves(values, Side::Attacker, stones, WIDTH, &counter, &danger);
        self.thought.danger = self.field.squares(&danger).into();
        self.thought.reason = match (blocking, danger.is_empty()) {
            (true, _) => Reason::Blocks,
            (false, false) => Reason::Defends,
            (false, true) => Reason::Searched,
        };
        let Some(best) = moves.first() else { return false };
        self.settle(
            std::slice::from_ref(&best.squares),
            self.search.values.balance(Side::Attacker),
        );
        let mut safe = self.safe(moves);
        if safe.is_empty() {
            self.thought.score = Score::Loss;
            if !blocking {
                self.thought.reason = Reason::HoldsOut;
            }
            return true;
        }
        self.settle(&[safe[0].squares.clone()], self.search.values.balance(Side::Attacker));
        for depth in 1..=self.search.allowance.depth(DEPTH_USUAL) {
            if self.search.allowance.is_late() || safe.len() == 1 {
                break;
            }
            self.deepen(&mut safe, depth);
            watch.report(&self.thought);
        }
        self.count();
        true
    }

    /// The moves after which no VCDT of the other side is found, in the same order.
    fn safe(&mut self, moves: Vec<Candidate>) -> Vec<Candidate> {
        let mut safe = Vec::new();
        for candidate in moves.into_iter().take(CHECKED_MAX) {
            if safe.len() == KEPT || self.search.allowance.is_late() {
                if safe.is_empty() {
                    safe.push(candidate);
                }
                break;
            }
            self.other.place_all(Side::Defender, &candidate.squares);
            let attack = self.attack_of_other();
            self.other.remove_all(Side::Defender, &candidate.squares);
            if attack.is_none() {
                safe.push(candidate);
            }
        }
        safe
    }

    /// The first move of a VCDT of the other side, if it were to move.
    fn attack_of_other(&mut self) -> Option<Vec<Sq>> {
        let p = self.other.rules.p();
        if p > THREAT_STONES_MAX || self.other.empty_count() < p {
            return None;
        }
        let before = self.vcdt.node_count;
        let path = self.vcdt.search(&mut self.other, CHECK_NODES);
        self.search.allowance.nodes += self.vcdt.node_count - before;
        match path {
            Path::Found(path) => path.into_iter().next().map(|forced| forced.attack),
            Path::None | Path::Unknown => None,
        }
    }

    /// Searches the moves, in their order so far, to a depth.
    fn deepen(&mut self, moves: &mut [Candidate], depth: u32) {
        let mut values: Vec<i32> = Vec::new();
        let mut alpha = -WON;
        for candidate in moves.iter() {
            let squares = &candidate.squares;
            place_all(&mut self.search.values, Side::Attacker, squares);
            let window = (-WON, -alpha);
            let (value, line) = self.search.search(Side::Defender, depth - 1, 1, window);
            remove_all(&mut self.search.values, Side::Attacker, squares);
            if self.search.aborted {
                return;
            }
            values.push(-value);
            if -value > alpha || values.len() == 1 {
                alpha = -value;
                self.settle(&[vec![squares.clone()], line].concat(), alpha);
                self.thought.counts.depth = depth;
            }
        }
        // Best first; those that were only shown not to be better keep their order.
        let mut order: Vec<usize> = (0..moves.len()).collect();
        order.sort_by_key(|&index| -values[index]);
        let sorted: Vec<Candidate> = order.into_iter().map(|index| moves[index].clone()).collect();
        moves.clone_from_slice(&sorted);
    }

    /// Takes a line as the best so far.
    fn settle(&mut self, line: &[Vec<Sq>], value: i32) {
        self.thought.line = line.iter().map(|squares| self.field.squares(squares).into()).collect();
        self.thought.squares = self.field.squares(&line[0]);
        self.thought.score = greedy::score(value);
        self.count();
    }

    fn count(&mut self) {
        let counts = &mut self.thought.counts;
        counts.nodes = self.search.nodes;
        counts.threat_nodes = self.solver_nodes + self.vcdt.node_count;
        counts.half_moves = self.search.generator.half_moves;
    }
}
