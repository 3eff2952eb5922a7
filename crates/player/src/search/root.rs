//! The first position of a search: the style looks for a win, notices a danger, weighs the moves,
//! and checks the best before it plays it.

use std::sync::atomic::{AtomicBool, Ordering};

use sixproof_certificate::Claim;
use sixproof_game::repeatable::mix;
use sixproof_game::{Move, Position, Square};
use sixproof_prover::arena::Arena;
use sixproof_prover::board::{Rules, Sq};
use sixproof_prover::proof::Proof;
use sixproof_prover::vcdt::{Forced, Vcdt};

use crate::certified::certified;
use crate::eval::Weights;
use crate::{Counts, Limits, Reason, Score, ThinkWatch, Thought, WinProof};

use super::moves::{BoardMove, Demands, Generator, Width};
use super::refute::Refutation;
use super::state::{SearchState, index};
use super::table::Table;
use super::{ASPIRATION, Effort, LIKELY_LOSS, Searcher, VALUE_MAX, WIN, WINNING, can_block};

/// The nodes of a search for a forced win that is short enough not to be interrupted.
const SHORT_LOOK_NODES: u64 = 300;
/// The nodes from which the style looks for wins with quiet moves.
const ORDER_3_NODES: u64 = 50_000;
/// The most moves of a principal variation.
const LINE_MAX: usize = 12;

/// How well the style plays.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strength {
    /// The effort below the root.
    pub(crate) effort: Effort,
    /// The moves considered at the root.
    pub(crate) width: Width,
    /// The most moves looked ahead.
    pub(crate) depth_max: u32,
    /// The nodes for an own forced win at the root, and for one of the other side.
    pub(crate) solve: u64,
    /// The nodes of the prover for a win of order 2 or 3, and for refuting a move; 0 leaves both
    /// out.
    pub(crate) prove: u64,
    /// The nodes for refuting the chosen move by a forced win, before it is played.
    pub(crate) check: u64,
    /// The noise that is added to scores, in thousandths.
    pub(crate) noise: i32,
}

/// One question: a position, and all that is needed to answer it.
pub(crate) struct Thinker<'a> {
    pub(crate) position: &'a Position,
    pub(crate) arena: Arena,
    pub(crate) strength: Strength,
    pub(crate) limits: Limits,
    pub(crate) watch: &'a dyn ThinkWatch,
    pub(crate) table: &'a Table,
    pub(crate) weights: Weights,
    pub(crate) threads: usize,
    pub(crate) seed: u64,
}

/// A move at the root.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) stones: BoardMove,
    pub(super) score: i32,
    pub(super) verdict: Refutation,
}

impl RootMove {
    /// The same move with the verdict of another look at it.
    pub(super) fn judged_as(&self, other: &RootMove) -> RootMove {
        RootMove { verdict: other.verdict, ..self.clone() }
    }
}

/// The moves at the root, weighed.
pub(super) struct Weighed {
    pub(super) list: Vec<RootMove>,
    /// The move to be played.
    best: usize,
    /// The best moves as they were compared last, if the caller wants several.
    pub(super) settled: Vec<RootMove>,
    /// Whether all threats of the other side can be blocked.
    blockable: bool,
    /// Where the moves come from.
    reason: Reason,
    /// The first move of the other side's forced win, if there is one.
    danger: Move,
}

impl Weighed {
    pub(super) fn best(&self) -> &RootMove {
        &self.list[self.best]
    }
}

impl Thinker<'_> {
    /// Answers with a move.
    pub(crate) fn think<R: Rules>(&self, rules: R) -> Thought {
        let stop = AtomicBool::new(false);
        let mut searcher = self.searcher(rules, &stop);
        let mut thought = self.decide(&mut searcher, rules, &stop);
        count(&mut thought, &searcher);
        thought
    }

    pub(super) fn searcher<'a, R: Rules>(
        &'a self,
        rules: R,
        stop: &'a AtomicBool,
    ) -> Searcher<'a, R> {
        let weights = self.weights.clone();
        Searcher {
            state: SearchState::new(self.position, &self.arena, rules, weights),
            vcdt: [Vcdt::default(), Vcdt::default()],
            generator: Generator::default(),
            table: self.table,
            effort: self.strength.effort,
            // What is left after the soft limit is for checking the move.
            limits: Limits { hard: self.limits.soft.or(self.limits.hard), ..self.limits },
            watch: self.watch,
            stop,
            depth: 0,
            counts: Counts::default(),
            threats: Vec::new(),
        }
    }

    fn decide<R: Rules>(&self, searcher: &mut Searcher<R>, rules: R, stop: &AtomicBool) -> Thought {
        if let Some(win) = self.win(searcher) {
            return win;
        }
        let weighed = self.weigh(searcher, rules, stop, 1);
        self.thought(searcher, &weighed, weighed.best())
    }

    /// A move that wins, with its proof.
    pub(super) fn win<R: Rules>(&self, searcher: &mut Searcher<R>) -> Option<Thought> {
        let color = index(self.position.to_move());
        let stones = self.position.left();
        let mut threats = Vec::new();
        searcher.state.threats(color, &mut threats);
        if let Some(win) = threats.iter().find(|t| t.empties().len() <= stones as usize) {
            return Some(self.completes(win.empties()));
        }
        self.forces(searcher, color)
    }

    /// Weighs the moves where no move wins at once; this number of them exactly.
    pub(super) fn weigh<R: Rules>(
        &self,
        searcher: &mut Searcher<R>,
        rules: R,
        stop: &AtomicBool,
        lines: usize,
    ) -> Weighed {
        let color = index(self.position.to_move());
        let stones = self.position.left();
        let mut threats = Vec::new();
        searcher.state.threats(1 - color, &mut threats);
        let blockable = threats.is_empty() || can_block(&threats, stones);
        let danger = match threats.is_empty() && !self.is_late() {
            true => self.solve(searcher, 1 - color),
            false => None,
        };
        let zone = danger.as_ref().map(|path| searcher.zone_of(1 - color, path));
        let block = if blockable { &threats[..] } else { &[] };
        let demands = Demands { block, touch: zone.as_ref() };
        let width = self.strength.width;
        let mut list = self.list(searcher, color, width, demands);
        if list.is_empty() {
            list = self.list(searcher, color, width, Demands::default());
        }
        let mut settled = self.iterate(searcher, rules, &mut list, stop, lines);
        if list[0].score <= LIKELY_LOSS && !self.is_late() {
            // All of them lose by force, as far as the search sees: one of the others may not.
            let more = self.list(searcher, color, self.strength.effort.wide, demands);
            let known: Vec<BoardMove> = list.iter().map(|known| known.stones).collect();
            let mut more: Vec<RootMove> =
                more.into_iter().filter(|more| !known.contains(&more.stones)).collect();
            if !more.is_empty() {
                settled.extend(self.iterate(searcher, rules, &mut more, stop, lines));
                more.append(&mut list);
                list = more;
            }
        }
        let mut best = self.choose(searcher, color, &mut list);
        if matches!(list[best].verdict, Refutation::Refuted(_))
            && let Some(saved) = self.rescue(searcher, color, demands)
        {
            best = list.len();
            list.push(saved);
        }
        let first = danger.as_deref().and_then(|path| path.first());
        let reason = match () {
            () if !threats.is_empty() => Reason::Blocks,
            () if danger.is_some() => Reason::Defends,
            () => Reason::Searched,
        };
        let danger = first.map(|forced| self.squares(&forced.attack).into()).unwrap_or_default();
        Weighed { list, best, settled, blockable, reason, danger }
    }

    /// The thought about one of the moves that were weighed.
    pub(super) fn thought<R: Rules>(
        &self,
        searcher: &mut Searcher<R>,
        weighed: &Weighed,
        of: &RootMove,
    ) -> Thought {
        let lost = matches!(of.verdict, Refutation::Refuted(_)) || !weighed.blockable;
        Thought {
            squares: self.squares(of.stones.squares()),
            score: if lost { Score::Loss } else { as_score(of.score) },
            reason: if lost { Reason::HoldsOut } else { weighed.reason },
            line: self.line(searcher, index(self.position.to_move()), &of.stones),
            danger: weighed.danger.clone(),
            ..Thought::default()
        }
    }

    fn completes(&self, empties: &[Sq]) -> Thought {
        let squares = self.squares(empties);
        let mut proof = Proof::default();
        proof.push(sixproof_prover::proof::Part::Win(empties));
        Thought {
            line: vec![squares[..].into()],
            squares,
            score: Score::Win,
            reason: Reason::Completes,
            proof: Some(self.win_proof(&proof, 1)),
            ..Thought::default()
        }
    }

    /// A move that wins by force: first by the search for forced wins itself, then by the prover.
    fn forces<R: Rules>(&self, searcher: &mut Searcher<R>, color: usize) -> Option<Thought> {
        let whole_move = self.position.left() == self.position.game().p();
        if whole_move && let Some(path) = self.solve(searcher, color) {
            let mut proof = Proof::default();
            proof.push_path(&path);
            return Some(Thought::forces(self.win_proof(&proof, 1), 0));
        }
        if self.strength.prove == 0 {
            return None;
        }
        let order_max = if self.strength.prove >= ORDER_3_NODES { 3 } else { 2 };
        // The search needs its time, too.
        let until = self.limits.soft.map(|soft| soft / 3);
        let mut stop =
            || self.is_late() || until.is_some_and(|until| self.watch.elapsed() >= until);
        let (proof, nodes) = certified(self.position, order_max, self.strength.prove, &mut stop);
        proof.map(|proof| Thought::forces(proof, nodes))
    }

    /// A forced win of a colour, if it were to move: first a short look, because a long one does
    /// not notice that the move is wanted now.
    fn solve<R: Rules>(&self, searcher: &mut Searcher<R>, color: usize) -> Option<Vec<Forced>> {
        let short = searcher.forced_win(color, self.strength.solve.min(SHORT_LOOK_NODES));
        match short {
            None if !self.is_late() => searcher.forced_win(color, self.strength.solve),
            short => short,
        }
    }

    fn win_proof(&self, proof: &Proof, order: u32) -> WinProof {
        let claim = Claim { position: self.position.clone(), attacker: self.position.to_move() };
        let (certificate, _) = proof.certificate(&claim, &self.arena);
        let line = proof.line().iter().map(|squares| self.squares(squares).into()).collect();
        WinProof { certificate, line, order }
    }

    pub(super) fn squares(&self, squares: &[Sq]) -> Vec<Square> {
        squares.iter().map(|&square| self.arena.square(square)).collect()
    }

    /// The moves to be weighed.
    fn list<R: Rules>(
        &self,
        searcher: &mut Searcher<R>,
        color: usize,
        width: Width,
        demands: Demands,
    ) -> Vec<RootMove> {
        let stones = self.position.left();
        let Searcher { generator, state, .. } = searcher;
        let list = generator.generate(state, color, stones, width, demands);
        let value = state.evaluation.value(color);
        list.iter()
            .map(|candidate| RootMove {
                stones: candidate.stones,
                score: value + candidate.gain,
                verdict: Refutation::Open,
            })
            .collect()
    }

    /// Searches deeper and deeper, with helping threads, and leaves the list in order. Returns the
    /// best moves as they were compared last: one, or as many as `lines`.
    fn iterate<R: Rules>(
        &self,
        searcher: &mut Searcher<R>,
        rules: R,
        list: &mut [RootMove],
        stop: &AtomicBool,
        lines: usize,
    ) -> Vec<RootMove> {
        let color = index(self.position.to_move());
        let settled = std::thread::scope(|scope| {
            for number in 1..self.threads {
                let mut list = list.to_vec();
                scope.spawn(move || {
                    let mut helper = self.searcher(rules, stop);
                    // The threads part ways by beginning at different depths.
                    self.deepen(&mut helper, color, &mut list, 1 + number as i32 % 2, 0);
                });
            }
            let settled = self.deepen(searcher, color, list, 1, lines);
            stop.store(true, Ordering::Relaxed);
            settled
        });
        stop.store(false, Ordering::Relaxed);
        settled
    }

    /// A helping thread reports no line.
    fn deepen<R: Rules>(
        &self,
        searcher: &mut Searcher<R>,
        color: usize,
        list: &mut [RootMove],
        first: i32,
        lines: usize,
    ) -> Vec<RootMove> {
        let mut settled = Vec::new();
        let depth_max = self.limits.depth.unwrap_or(u32::MAX).min(self.strength.depth_max) as i32;
        let mut live = list.len();
        for depth in first..=depth_max {
            searcher.depth = depth;
            loop {
                if !self.weigh_all(searcher, color, &mut list[..live], depth) {
                    return settled;
                }
                // A best move that is refuted by force is put aside before it takes more time. One
                // move of depth is too little for that.
                if lines == 0 || depth == 1 || self.stands(searcher, color, &mut list[0]) {
                    break;
                }
                list[..live].rotate_left(1);
                live -= 1;
                if live == 0 || searcher.is_over() {
                    return settled;
                }
            }
            searcher.counts.depth = depth as u32;
            // The best of the others is found in the same way, and so on.
            let lines = lines.min(live);
            for line in 1..lines {
                if !self.weigh_all(searcher, color, &mut list[line..live], depth) {
                    return settled;
                }
            }
            if lines > 0 {
                self.report(searcher, color, &list[..lines]);
            }
            if lines > 1 {
                settled = list[..lines].to_vec();
            }
            let best = &list[0];
            let decided = best.score.abs() >= WINNING || live == 1;
            let late = self.limits.soft.is_some_and(|soft| self.watch.elapsed() * 10 >= soft * 7);
            if decided || late {
                break;
            }
        }
        settled
    }

    /// Reports the best moves so far.
    fn report<R: Rules>(&self, searcher: &mut Searcher<R>, color: usize, best: &[RootMove]) {
        let counts = Counts { threat_nodes: searcher.nodes(), ..searcher.counts };
        let thoughts: Vec<Thought> = best
            .iter()
            .map(|candidate| Thought {
                squares: self.squares(candidate.stones.squares()),
                score: as_score(candidate.score),
                line: self.line(searcher, color, &candidate.stones),
                counts,
                ..Thought::default()
            })
            .collect();
        self.watch.report(&thoughts[0]);
        self.watch.compare(&thoughts);
    }

    /// One iteration. False if it was interrupted; the moves searched so far keep their scores.
    fn weigh_all<R: Rules>(
        &self,
        searcher: &mut Searcher<R>,
        color: usize,
        list: &mut [RootMove],
        depth: i32,
    ) -> bool {
        let guess = list[0].score;
        let (mut low, high) = match depth {
            1 | 2 => (-WIN, WIN),
            _ => (guess - ASPIRATION, guess + ASPIRATION),
        };
        let mut alpha = low;
        let mut best: Option<usize> = None;
        let mut at = 0;
        while at < list.len() {
            let stones = list[at].stones;
            searcher.state.play(color, stones.squares());
            let mut score = -WIN;
            if at > 0 && best.is_some() {
                score = -searcher.search(1 - color, depth - 1, 1, -alpha - 1, -alpha);
            }
            if best.is_none() || score > alpha {
                score = -searcher.search(1 - color, depth - 1, 1, -high.max(alpha + 1), -alpha);
                if score >= high {
                    score = -searcher.search(1 - color, depth - 1, 1, -WIN, -alpha);
                }
            }
            searcher.state.take_back(color, stones.squares());
            if searcher.is_over() {
                if let Some(best) = best {
                    list[..=best].rotate_right(1);
                }
                return false;
            }
            if at == 0 && score <= low && low > -WIN {
                // The window was too high: the move is searched again with an open one.
                low = -WIN;
                alpha = low;
                continue;
            }
            list[at].score = score;
            if best.is_none() || score > alpha {
                alpha = alpha.max(score);
                best = Some(at);
            }
            at += 1;
        }
        // Best first. The others have only bounds: they keep their order, but those that lose go
        // last.
        if let Some(best) = best {
            list[..=best].rotate_right(1);
        }
        list[1..].sort_by_key(|candidate| candidate.score <= LIKELY_LOSS);
        true
    }

    pub(super) fn is_late(&self) -> bool {
        self.limits.is_due(self.watch)
    }

    /// Adds noise to the scores, and puts the list in order again.
    pub(super) fn blur(&self, list: &mut [RootMove]) {
        let mut seed = self.seed;
        for (square, color) in self.position.stones() {
            let place = (square.x as u64) << 33 ^ (square.y as u64) << 1 ^ index(color) as u64;
            seed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ place;
        }
        for candidate in list.iter_mut() {
            // The sum of three is almost normally distributed.
            let noise: i64 = (0..3).map(|_| (mix(&mut seed) % 2001) as i64 - 1000).sum();
            candidate.score += (noise * i64::from(self.strength.noise) / 1000) as i32;
        }
        list.sort_by_key(|candidate| -candidate.score);
    }

    /// The moves expected after a move: the best ones of the table.
    fn line<R: Rules>(
        &self,
        searcher: &mut Searcher<R>,
        color: usize,
        first: &BoardMove,
    ) -> Vec<Move> {
        let p = self.position.game().p() as usize;
        let mut played = vec![(color, *first)];
        searcher.state.play(color, first.squares());
        let mut side = 1 - color;
        while played.len() < LINE_MAX {
            let Some(known) = self.table.get(searcher.state.key(side)) else { break };
            let squares: Vec<Sq> =
                known.best.into_iter().filter(|&square| square != super::NONE).collect();
            let board = &searcher.state.boards[0];
            let fits = squares.iter().all(|&square| {
                usize::from(square) < board.geometry.area() && board.is_empty(square)
            });
            if squares.len() != p || !fits {
                break;
            }
            let stones = BoardMove::new(&squares);
            searcher.state.play(side, stones.squares());
            played.push((side, stones));
            side = 1 - side;
        }
        for (side, stones) in played.iter().rev() {
            searcher.state.take_back(*side, stones.squares());
        }
        played.iter().map(|(_, stones)| self.squares(stones.squares()).into()).collect()
    }
}

/// Adds the counts of a search to those of a thought.
pub(super) fn count<R: Rules>(thought: &mut Thought, searcher: &Searcher<R>) {
    let (nodes, prover) = (searcher.counts, thought.counts.threat_nodes);
    let threat_nodes = searcher.vcdt.iter().map(|vcdt| vcdt.node_count).sum::<u64>() + prover;
    let half_moves = searcher.generator.half_moves;
    thought.counts = Counts { threat_nodes, half_moves, ..nodes };
}

/// A score of the search in the units of a thought.
fn as_score(score: i32) -> Score {
    Score::Value(score.clamp(-VALUE_MAX, VALUE_MAX) / 10)
}
