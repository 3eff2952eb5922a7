//! The search of the style `sixproof`: alpha-beta over moves of p stones, with threat searches.
//!
//! The search first asks of every position whether its side to move wins by force ([`Vcdt`]); only
//! where it does not is there anything to evaluate. Before a position is searched deeper, the other
//! side is given the move: if it would win by force, only moves that touch the zone of that win are
//! considered, which is the relevance zone used for defence.

mod compare;
mod moves;
mod refute;
mod root;
mod state;
mod table;

use std::sync::atomic::{AtomicBool, Ordering};

use sixproof_prover::board::{Rules, Sq};
use sixproof_prover::cover::{Threat, each_block};
use sixproof_prover::vcdt::{Forced, Path, Vcdt};
use sixproof_prover::zone::Zone;

use crate::{Counts, Limits, ThinkWatch};

pub(crate) use compare::{Ahead, same_move};
pub(crate) use moves::Width;
use moves::{BoardMove, Candidate, Demands, Generator};
pub(crate) use root::{Strength, Thinker};
use state::SearchState;
pub(crate) use table::Table;
use table::{Bound, Known, NONE, first_two};

/// The score of a win at once; each move until a win costs one.
const WIN: i32 = 30_000;
/// The largest evaluation.
const VALUE_MAX: i32 = 20_000;
/// The bound beyond which a score is a win.
const WINNING: i32 = VALUE_MAX + 1_000;
/// The score of a position in which every move that was tried loses by force. It is hardly ever
/// better.
const LIKELY_LOSS: i32 = -12_000;
/// The number of moves beyond the depth up to which forced replies do not count as depth.
const EXTENSION_MAX: u32 = 4;
/// The half width of the window around a score, in the first attempt.
const ASPIRATION: i32 = 250;
/// The number of moves that are searched to the full depth before others are searched less deep.
const FULL_DEPTH: usize = 4;

/// How much the search looks into a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// The nodes of a search for a forced win: at the last positions, at those before, at the
    /// first.
    pub(crate) forced: [u64; 3],
    /// The number of moves considered below the root.
    pub(crate) width: Width,
    /// The number of moves considered where all of these lose by force.
    pub(crate) wide: Width,
}

/// One thread of a search.
struct Searcher<'a, R> {
    state: SearchState<R>,
    vcdt: [Vcdt; 2],
    generator: Generator,
    table: &'a Table,
    effort: Effort,
    limits: Limits,
    watch: &'a dyn ThinkWatch,
    /// Whether all threads are to stop.
    stop: &'a AtomicBool,
    /// The depth of the iteration.
    depth: i32,
    counts: Counts,
    threats: Vec<Threat>,
}

impl<R: Rules> Searcher<'_, R> {
    /// Whether the search must end here and now. Its result is then meaningless.
    fn is_over(&mut self) -> bool {
        if self.stop.load(Ordering::Relaxed) {
            return true;
        }
        let over = self.limits.is_due(self.watch)
            || self.limits.nodes.is_some_and(|nodes| self.nodes() >= nodes);
        if over {
            self.stop.store(true, Ordering::Relaxed);
        }
        over
    }

    /// The number of nodes of all kinds.
    fn nodes(&self) -> u64 {
        self.counts.nodes + self.vcdt[0].node_count + self.vcdt[1].node_count
    }

    /// A forced win of a colour that is to move.
    fn forced_win(&mut self, color: usize, nodes_max: u64) -> Option<Vec<Forced>> {
        if nodes_max == 0 || self.state.boards[color].empty_count() < self.stones_of_a_move() {
            return None;
        }
        match self.vcdt[color].search(&mut self.state.boards[color], nodes_max) {
            Path::Found(path) => Some(path),
            Path::None | Path::Unknown => None,
        }
    }

    /// The zone of a forced win of a colour: what a move of the other must touch.
    fn zone_of(&mut self, color: usize, path: &[Forced]) -> Zone {
        let board = &mut self.state.boards[color];
        let zone = Box::new(Zone::new(board, board.rules.p() as usize));
        *zone.of_path(board, path, &mut self.threats)
    }

    /// The worth of the position to `color`, which is to move.
    fn search(&mut self, color: usize, depth: i32, ply: u32, mut alpha: i32, beta: i32) -> i32 {
        self.counts.nodes += 1;
        if self.is_over() {
            return 0;
        }
        let mut counter = Vec::new();
        self.state.threats(color, &mut counter);
        if !counter.is_empty() {
            return WIN - ply as i32;
        }
        self.state.threats(1 - color, &mut counter);
        let stones = self.stones();
        if stones == 0 {
            return 0;
        }
        if !counter.is_empty() && !can_block(&counter, stones) {
            return -(WIN - ply as i32 - 1);
        }
        let key = self.state.key(color);
        self.counts.probes += 1;
        let known = self.table.get(key);
        if let Some(known) = known {
            self.counts.hits += 1;
            let score = from_table(known.score, ply);
            if known.depth >= depth || score.abs() >= WINNING {
                match known.bound {
                    Some(Bound::Exact) => return score,
                    Some(Bound::Lower) if score >= beta => return score,
                    Some(Bound::Upper) if score <= alpha => return score,
                    _ => {}
                }
            }
        }
        let class = depth.clamp(0, 2) as u8 + 1;
        let mut unforced = known.map_or(0, |known| known.unforced);
        if unforced < class {
            if let Some(path) = self.forced_win(color, self.effort.forced[usize::from(class) - 1]) {
                let score = WIN - ply as i32 - 2 * path.len() as i32;
                let best = first_two(&BoardMove::new(&path[0].attack));
                let bound = Some(Bound::Exact);
                self.table
                    .put(key, &Known { score: to_table(score, ply), depth, bound, unforced, best });
                return score;
            }
            unforced = class;
        }
        let extended = !counter.is_empty() && ply < self.depth as u32 + EXTENSION_MAX;
        if depth <= 0 && !extended {
            if known.is_none() {
                let known = Known { score: 0, depth: -1, bound: None, unforced, best: [NONE; 2] };
                self.table.put(key, &known);
            }
            return self.value(color);
        }
        let zone = if counter.is_empty() && depth >= 2 { self.danger(1 - color) } else { None };
        let below = if extended { depth.max(1) - 1 } else { depth - 1 };
        let (mut best, mut best_move) = (i32::MIN, [NONE; 2]);
        let before = alpha;
        let mut tried: Vec<BoardMove> = Vec::new();
        // First the most promising moves. If all of them lose by force, one of the others may not:
        // the search never overlooks a defence by being narrow.
        for wide in [false, true] {
            let zone = match &zone {
                None if wide && counter.is_empty() => &self.danger(1 - color),
                zone => zone,
            };
            let width = if wide { self.effort.wide } else { self.effort.width };
            let demands = Demands { block: &counter, touch: zone.as_ref() };
            let mut list = self.generator.generate(&mut self.state, color, stones, width, demands);
            list.retain(|candidate| !tried.contains(&candidate.stones));
            if let Some(at) =
                known.and_then(|known| list.iter().position(|c| known.is_best(&c.stones)))
            {
                list[..=at].rotate_right(1);
            }
            for candidate in &list {
                let index = tried.len();
                let score = self.try_move(color, candidate, index, below, ply, alpha, beta);
                if self.stop.load(Ordering::Relaxed) {
                    return 0;
                }
                tried.push(candidate.stones);
                if score > best {
                    (best, best_move) = (score, first_two(&candidate.stones));
                }
                alpha = alpha.max(score);
                if alpha >= beta || (wide && best > -WINNING) {
                    break;
                }
            }
            if best > -WINNING {
                break;
            }
        }
        best = best.max(LIKELY_LOSS + ply as i32);
        let bound = match best {
            _ if best >= beta => Bound::Lower,
            _ if best <= before => Bound::Upper,
            _ => Bound::Exact,
        };
        let score = to_table(best, ply);
        self.table.put(key, &Known { score, depth, bound: Some(bound), unforced, best: best_move });
        best
    }

    /// The zone of a forced win of a colour, if it were to move.
    fn danger(&mut self, color: usize) -> Option<Zone> {
        let path = self.forced_win(color, self.effort.forced[1])?;
        Some(self.zone_of(color, &path))
    }

    /// Plays a move and searches the position after it: the first with the whole window, later ones
    /// with an empty one, and late ones less deep, unless they turn out better.
    #[allow(clippy::too_many_arguments)]
    fn try_move(
        &mut self,
        color: usize,
        candidate: &Candidate,
        index: usize,
        depth: i32,
        ply: u32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        self.state.play(color, candidate.stones.squares());
        let mut score = i32::MAX;
        if index > 0 {
            let reduced = depth - i32::from(index >= FULL_DEPTH && depth >= 2);
            score = -self.search(1 - color, reduced, ply + 1, -alpha - 1, -alpha);
            if score > alpha && reduced < depth {
                score = -self.search(1 - color, depth, ply + 1, -alpha - 1, -alpha);
            }
        }
        if index == 0 || (score > alpha && score < beta) {
            score = -self.search(1 - color, depth, ply + 1, -beta, -alpha);
        }
        self.state.take_back(color, candidate.stones.squares());
        score
    }

    /// The stones of a move: p, or what the board has room for.
    fn stones(&self) -> u32 {
        let board = &self.state.boards[0];
        board.rules.p().min(board.empty_count())
    }

    fn stones_of_a_move(&self) -> u32 {
        self.state.boards[0].rules.p()
    }

    /// The evaluation for a colour that is to move.
    fn value(&self, color: usize) -> i32 {
        self.state.evaluation.value(color).clamp(-VALUE_MAX, VALUE_MAX)
    }
}

/// Whether this number of stones can block all threats.
fn can_block(threats: &[Threat], stones: u32) -> bool {
    let mut can = false;
    each_block(threats, stones, &mut Vec::new(), &mut |_: &[Sq]| can = true);
    can
}

/// Scores of wins count moves from the root; in the table, from the position.
fn to_table(score: i32, ply: u32) -> i32 {
    match score {
        WINNING.. => score + ply as i32,
        _ if score <= -WINNING => score - ply as i32,
        _ => score,
    }
}

/// The reverse of [`to_table`].
fn from_table(score: i32, ply: u32) -> i32 {
    match score {
        WINNING.. => score - ply as i32,
        _ if score <= -WINNING => score + ply as i32,
        _ => score,
    }
}
