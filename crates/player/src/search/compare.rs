//! Several moves compared, best first, for analysis.

use std::cmp::Reverse;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use sixproof_prover::board::Rules;

use crate::certified::certified_move;
use crate::{Score, ThinkWatch, Thought};

use super::root::{RootMove, count};
use super::state::index;
use super::{Searcher, Thinker, WINNING};

impl Thinker<'_> {
    /// The move to be played, and if more than one line is wanted the best of the others.
    pub(crate) fn answer<R: Rules>(&self, rules: R, lines: usize) -> Vec<Thought> {
        if lines <= 1 {
            return vec![self.think(rules)];
        }
        let stop = AtomicBool::new(false);
        let mut searcher = self.searcher(rules, &stop);
        let mut thoughts = match self.win(&mut searcher) {
            None => self.compare(&mut searcher, rules, &stop, lines),
            Some(win) => {
                // The win is known: the others are compared behind it.
                let watch = &Ahead { watch: self.watch, first: Some(&win), lines };
                let thinker = Thinker { weights: self.weights.clone(), watch, ..*self };
                let others = thinker.compare(&mut searcher, rules, &stop, lines);
                let others = others.into_iter().filter(|other| !same_move(other, &win));
                let mut thoughts: Vec<Thought> = others.take(lines - 1).collect();
                thoughts.sort_by_key(rank);
                thoughts.insert(0, win);
                thoughts
            }
        };
        if let Some(first) = thoughts.first_mut() {
            count(first, &searcher);
        }
        thoughts
    }

    fn compare<R: Rules>(
        &self,
        searcher: &mut Searcher<R>,
        rules: R,
        stop: &AtomicBool,
        lines: usize,
    ) -> Vec<Thought> {
        let weighed = self.weigh(searcher, rules, stop, lines);
        let mut moves: Vec<RootMove> = vec![weighed.best().clone()];
        // The last comparison counts; beyond that, the order of the list.
        for other in weighed.settled.iter().chain(&weighed.list) {
            if moves.len() <= lines && moves.iter().all(|known| known.stones != other.stones) {
                let verdict = weighed.list.iter().find(|known| known.stones == other.stones);
                moves.push(other.judged_as(verdict.unwrap_or(other)));
            }
        }
        let color = index(self.position.to_move());
        let mut thoughts: Vec<Thought> = Vec::new();
        for mut candidate in moves {
            self.stands(searcher, color, &mut candidate);
            let mut thought = self.thought(searcher, &weighed, &candidate);
            if candidate.score >= WINNING && thought.score != Score::Loss && !self.is_late() {
                self.certify(&mut thought);
            }
            thoughts.push(thought);
        }
        thoughts[1..].sort_by_key(rank);
        thoughts.truncate(lines);
        thoughts
    }

    /// The search takes a move for a win: if the prover does, too, it is one.
    fn certify(&self, thought: &mut Thought) {
        let stop = &mut || self.is_late();
        let squares = &thought.squares;
        if let Some(proof) = certified_move(self.position, squares, self.strength.prove, stop) {
            let counts = thought.counts;
            *thought = Thought { counts, ..Thought::forces(proof, 0) };
        }
    }
}

/// Wins first, then by value, losses last.
fn rank(thought: &Thought) -> Reverse<(u8, i32)> {
    Reverse(match thought.score {
        Score::Win => (2, 0),
        Score::Value(value) => (1, value),
        Score::Loss => (0, 0),
    })
}

/// Whether two thoughts are of the same move.
pub(crate) fn same_move(a: &Thought, b: &Thought) -> bool {
    a.squares.len() == b.squares.len() && a.squares.iter().all(|s| b.squares.contains(s))
}

/// Reports further moves behind one that is known already.
pub(crate) struct Ahead<'a> {
    pub(crate) watch: &'a dyn ThinkWatch,
    pub(crate) first: Option<&'a Thought>,
    /// The most moves of a report.
    pub(crate) lines: usize,
}

impl ThinkWatch for Ahead<'_> {
    fn elapsed(&self) -> Duration {
        self.watch.elapsed()
    }

    fn is_stopped(&self) -> bool {
        self.watch.is_stopped()
    }

    fn report(&self, thought: &Thought) {
        self.watch.report(self.first.unwrap_or(thought));
    }

    fn compare(&self, thoughts: &[Thought]) {
        let Some(first) = self.first else { return self.watch.compare(thoughts) };
        let counts = thoughts.first().map_or(first.counts, |best| best.counts);
        let mut all = vec![Thought { counts, ..first.clone() }];
        let others = thoughts.iter().filter(|other| !same_move(other, first));
        all.extend(others.take(self.lines.saturating_sub(1)).cloned());
        self.watch.compare(&all);
    }
}
