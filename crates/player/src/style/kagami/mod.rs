//! Kagami: Liu's defensive strategy with conservative threat-space search (thesis, chapters 3, 4).
//!
//! Every stone goes where a stone of the other side would have most influence ([`half_move`]),
//! among the squares of the 5 x 5 boxes around the other side's last stones: it follows wherever he
//! goes, and cuts. The move is verified by a threat-space search of the other side
//! ([`threat_space`]); if he still wins by force, up to 50 other moves are tried in order of their
//! scores. A win that its own threat-space search finds is played instead; it never attacks
//! otherwise.
//!
//! The last stones are not part of a position. They are those that were not there when the style
//! was asked before; if that is unknown (the first question, or another game), all stones of the
//! other side take their place.

mod half_move;
mod threat_space;

use std::cmp::Reverse;

use sixproof_game::{Position, Square};
use sixproof_prover::board::{Board, General, Side, Sq};

use super::allowance::Allowance;
use super::field::Field;
use super::greedy::{complete, tie};
use super::urgent::{Blocks, blocks};
use crate::certified::certified;
use crate::{Counts, Limits, Reason, Score, ThinkWatch, Thought};
use half_move::half_move;
use threat_space::ThreatSpace;

/// Half the side of the box around a stone: 5 x 5.
const REACH: i32 = 2;
/// The most moves that are verified.
const ALTERNATIVES_MAX: usize = 50;
/// The nodes of a move, if nothing is limited.
const NODES_USUAL: u64 = 20_000;
/// The nodes of its own threat-space search, of one that verifies a move, and of the prover that
/// certifies a win.
const ATTACK_NODES: u64 = 4_000;
const VERIFY_NODES: u64 = 1_000;
const PROOF_NODES: u64 = 2_000;
/// The most stones a move of games in which it searches: with more, the ways to make threats are
/// too many for a move's time.
const STONES_MAX: u32 = 2;
/// The score of a win or a loss that the threat-space search reports, without a proof.
const SURE: i32 = 1_000;

/// The style, with what it remembers.
pub(crate) struct Kagami {
    seed: u64,
    seen: Option<Position>,
    /// The other side's last stones.
    last: Vec<Square>,
}

impl Kagami {
    pub(crate) fn new(seed: u64) -> Kagami {
        Kagami { seed, seen: None, last: Vec::new() }
    }

    /// Chooses a move. The position is not over.
    pub(crate) fn think(
        &mut self,
        position: &Position,
        limits: &Limits,
        watch: &dyn ThinkWatch,
    ) -> Thought {
        self.look(position);
        let field = Field::new(position);
        if let Some(thought) = complete(position, &field) {
            return thought;
        }
        let mut defence = Defence {
            position,
            other: field.board.swapped(),
            field: &field,
            last: &self.last,
            seed: self.seed,
            threat_space: ThreatSpace::default(),
            allowance: Allowance::new(limits, watch, NODES_USUAL),
            half_moves: 0,
        };
        // The thesis looks for a defence first and for a win last; a win is played in any case.
        defence.attack().unwrap_or_else(|| defence.defend())
    }

    /// Finds the other side's last stones.
    fn look(&mut self, position: &Position) {
        let other = !position.to_move();
        let went_on = self.seen.as_ref().is_some_and(|seen| {
            seen.game() == position.game()
                && seen.stones().all(|(square, color)| position.at(square) == Some(color))
        });
        let is_new = |square: &Square| {
            !went_on || self.seen.as_ref().is_none_or(|seen| seen.at(*square).is_none())
        };
        let new: Vec<Square> = position.squares_of(other).filter(is_new).collect();
        let same_turn = self.seen.as_ref().is_some_and(|seen| seen.to_move() == position.to_move());
        // The same turn again, after one of its own stones or none: no stone is newer than before.
        if !(new.is_empty() && went_on && same_turn) {
            self.last = new;
        }
        self.seen = Some(position.clone());
    }
}

/// The choice of one move.
struct Defence<'a, 'w> {
    position: &'a Position,
    field: &'a Field,
    /// The board with the roles exchanged: the other side attacks, and its half-moves are valued.
    other: Board<General>,
    last: &'a [Square],
    seed: u64,
    threat_space: ThreatSpace,
    allowance: Allowance<'w>,
    half_moves: u64,
}

/// The stones of a move, and the sum of their worth to the other side.
#[derive(Clone, Default)]
struct Alternative {
    squares: Vec<Sq>,
    score: u128,
}

impl Defence<'_, '_> {
    /// Whether the threat-space search is feasible here.
    fn is_searchable(&self) -> bool {
        self.field.whole && self.position.game().p() <= STONES_MAX
    }

    /// A win by threats, if the search finds one.
    fn attack(&mut self) -> Option<Thought> {
        if !self.is_searchable() || self.position.left() != self.position.game().p() {
            return None;
        }
        let nodes = self.allowance.share(ATTACK_NODES, 3);
        let mut board = self.field.board.clone();
        let first = self.threat_space.search(&mut board, nodes, &mut self.allowance)?;
        let nodes = self.allowance.share(PROOF_NODES, 2);
        let allowance = &self.allowance;
        let (proof, nodes) = certified(self.position, 1, nodes, &mut || allowance.is_over());
        let mut thought = Thought {
            squares: self.field.squares(&first),
            score: Score::Value(SURE),
            reason: Reason::Searched,
            counts: self.counts(),
            ..Thought::default()
        };
        thought.counts.threat_nodes += nodes;
        thought.line = vec![thought.squares[..].into()];
        // The prover's win may begin otherwise; the claimed move is the proved one.
        if let Some(proof) = proof
            && let Some(squares) = proof.line.first()
        {
            thought.squares = squares.to_vec();
            thought.line = proof.line.clone();
            thought.score = Score::Win;
            thought.reason = Reason::Forces;
            thought.proof = Some(proof);
        }
        Some(thought)
    }

    /// The defensive move, verified.
    fn defend(&mut self) -> Thought {
        let (starts, reason) = match blocks(self.position) {
            Blocks::Nothing => (vec![Vec::new()], Reason::Chosen),
            Blocks::Some(sets) => (sets, Reason::Blocks),
            Blocks::Lost(squares) => (vec![squares], Reason::HoldsOut),
        };
        let mut best = Vec::new();
        let mut greedy = Alternative::default();
        for start in &starts {
            let (squares, score) = self.greedy(start);
            if best.is_empty() || score > greedy.score {
                best = squares;
                greedy = Alternative { squares: self.indices(&best), score };
            }
        }
        let mut thought = Thought { squares: best, reason, ..Thought::default() };
        let forced = greedy.squares.len() < thought.squares.len() || reason == Reason::HoldsOut;
        if self.is_searchable() && !forced && self.is_refuted(&greedy.squares) {
            let first = greedy.squares.clone();
            thought.score = Score::Value(-SURE);
            for alternative in self.alternatives(&starts) {
                if self.allowance.is_late() {
                    break;
                }
                if alternative.squares == first {
                    continue;
                }
                // If no move helps the last one tried is played.
                thought.squares = self.field.squares(&alternative.squares);
                if !self.is_refuted(&alternative.squares) {
                    thought.score = Score::default();
                    break;
                }
            }
            thought.reason = match (reason, thought.score) {
                (Reason::Blocks, _) => Reason::Blocks,
                (_, Score::Value(0)) => Reason::Defends,
                _ => Reason::HoldsOut,
            };
        }
        thought.line = vec![thought.squares[..].into()];
        thought.counts = self.counts();
        thought
    }

    fn counts(&self) -> Counts {
        Counts {
            nodes: 1,
            threat_nodes: self.threat_space.nodes,
            half_moves: self.half_moves,
            ..Counts::default()
        }
    }

    /// Whether the other side wins by threats after a move.
    fn is_refuted(&mut self, squares: &[Sq]) -> bool {
        self.other.place_all(Side::Defender, squares);
        let Defence { threat_space, other, allowance, .. } = self;
        let attack = threat_space.search(other, VERIFY_NODES, allowance);
        self.other.remove_all(Side::Defender, squares);
        attack.is_some()
    }

    /// The squares in the boxes around the last stones; all squares around the other side's stones,
    /// or all there are, if these are taken.
    fn candidates(&self) -> Vec<Sq> {
        let stones: Vec<Square> = self.position.squares_of(!self.position.to_move()).collect();
        for around in [self.last, &stones] {
            let mut squares: Vec<Sq> = Vec::new();
            for &stone in around {
                for dy in -REACH..=REACH {
                    let row = (-REACH..=REACH).map(|dx| Square::new(stone.x + dx, stone.y + dy));
                    let on_board = row.filter_map(|square| self.field.index(square));
                    squares.extend(on_board.filter(|&square| self.other.is_empty(square)));
                }
            }
            squares.sort_unstable();
            squares.dedup();
            if !squares.is_empty() {
                return squares;
            }
        }
        self.other.empty_squares().collect()
    }

    /// A move that begins with given squares and goes on with the best half-moves, one by one.
    fn greedy(&mut self, start: &[Square]) -> (Vec<Square>, u128) {
        let mut squares = start.to_vec();
        let mut placed = self.indices(start);
        let mut score = self.place_valued(&placed);
        while squares.len() < self.position.left() as usize {
            let candidates = self.candidates();
            self.half_moves += candidates.len() as u64;
            let value = |&square: &Sq| half_move(&self.other, Side::Attacker, square);
            let best = candidates
                .into_iter()
                .map(|square| (value(&square), tie(self.field, self.seed, square), square))
                .max();
            let Some((value, _, best)) = best else { break };
            score = score.saturating_add(value);
            self.other.place(Side::Defender, best);
            placed.push(best);
            squares.push(self.field.square(best));
        }
        self.other.remove_all(Side::Defender, &placed);
        (squares, score)
    }

    /// Puts own stones on the board, and returns their worth to the other side.
    fn place_valued(&mut self, squares: &[Sq]) -> u128 {
        let mut score = 0u128;
        for &square in squares {
            score = score.saturating_add(half_move(&self.other, Side::Attacker, square));
            self.other.place(Side::Defender, square);
        }
        score
    }

    fn indices(&self, squares: &[Square]) -> Vec<Sq> {
        squares.iter().filter_map(|&square| self.field.index(square)).collect()
    }

    /// Moves in decreasing order of their scores: the second stone is valued with the first on the
    /// board.
    fn alternatives(&mut self, starts: &[Vec<Square>]) -> Vec<Alternative> {
        let left = self.position.left().min(self.other.empty_count()) as usize;
        let mut done: Vec<Alternative> = Vec::new();
        let mut beam: Vec<Alternative> = Vec::new();
        for start in starts {
            let squares = self.indices(start);
            let score = self.place_valued(&squares);
            self.other.remove_all(Side::Defender, &squares);
            beam.push(Alternative { squares, score });
        }
        while !beam.is_empty() {
            let mut next = Vec::new();
            for alternative in std::mem::take(&mut beam) {
                if alternative.squares.len() >= left {
                    done.push(alternative);
                    continue;
                }
                self.other.place_all(Side::Defender, &alternative.squares);
                let candidates = self.candidates();
                self.half_moves += candidates.len() as u64;
                for square in candidates {
                    let value = half_move(&self.other, Side::Attacker, square);
                    let mut squares = alternative.squares.clone();
                    squares.push(square);
                    let score = alternative.score.saturating_add(value);
                    next.push(Alternative { squares, score });
                }
                self.other.remove_all(Side::Defender, &alternative.squares);
            }
            settle(&mut next);
            beam = next;
        }
        settle(&mut done);
        done
    }
}

/// Best first, each set of squares once, and no more than are verified.
fn settle(list: &mut Vec<Alternative>) {
    let sorted = |alternative: &Alternative| {
        let mut squares = alternative.squares.clone();
        squares.sort_unstable();
        squares
    };
    list.sort_by_cached_key(|alternative| (sorted(alternative), Reverse(alternative.score)));
    list.dedup_by_key(|alternative| sorted(alternative));
    list.sort_by_key(|alternative| Reverse(alternative.score));
    list.truncate(ALTERNATIVES_MAX);
}
