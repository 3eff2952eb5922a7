//! Rounds over Attacker's quiet moves: which of them leaves the fewest defences?
//!
//! A proof-number search stops at the first stubborn reply of a move and knows nothing of the
//! others; a verification ([`crate::tree`], Lin section 5.1.2) counts them. So each candidate is
//! verified with a small budget for each reply, and given up as soon as it leaves clearly more
//! defences than the best so far; the better half goes into the next round with four times the
//! budget (successive halving), until one leaves none.

use std::cell::Cell;

use crate::board::{Rules, Side, Sq};
use crate::prove::{Outcome, Progress, Prover};
use crate::tree::{Counts, Ended};

/// Nodes for a reply in the first round, and the factor from round to round.
const REPLY_NODES: u64 = 200;
const REPLY_FACTOR: u64 = 4;
/// A verification may cost so many times the budget of a reply.
const VERIFICATION_REPLIES: u64 = 40;
/// Candidates that stay in at least.
const FIELD_MIN: usize = 4;
/// Defences that a candidate may leave at most.
const UNSOLVED_MAX: usize = 12;

impl<R: Rules> Prover<'_, R> {
    /// Holds rounds over `field` until `nodes_max` nodes are spent in all.
    pub(crate) fn rounds(
        &self,
        order: u32,
        mut field: Vec<Vec<Sq>>,
        nodes_max: u64,
        counts: &mut Counts,
        stopped: &mut bool,
        watch: &mut dyn FnMut(&Progress) -> bool,
    ) -> Option<Outcome> {
        let mut reply_nodes = REPLY_NODES;
        // A round in which a reply may cost the whole budget is the last one that can differ.
        while !field.is_empty() && counts.nodes < nodes_max && reply_nodes < nodes_max && !*stopped
        {
            let before = counts.nodes;
            let mut best = UNSOLVED_MAX / 2;
            let mut results: Vec<(usize, Vec<Sq>)> = Vec::new();
            for attack in field {
                if counts.nodes >= nodes_max || *stopped {
                    break;
                }
                let mut board = self.board.clone();
                board.place_all(Side::Attacker, &attack);
                let whole = reply_nodes.saturating_mul(VERIFICATION_REPLIES);
                let budget = (nodes_max - counts.nodes).min(whole);
                let stones = board.rules.p();
                let mut tree = self.tree(board, false, stones, (order, budget));
                let unsolved = Cell::new(0usize);
                let ended = tree.verify(
                    reply_nodes,
                    &mut |progress| {
                        let mut progress = self.progress(order, *counts, progress);
                        progress.candidate = self.squares(&attack);
                        if !progress.line.is_empty() {
                            progress.line.insert(0, progress.candidate.clone());
                        }
                        if !progress.best.is_empty() {
                            // Of the moves that were verified, or else the one at hand.
                            let leader = results.iter().min_by_key(|result| result.0);
                            progress.best = match leader {
                                Some((_, leader)) => vec![self.squares(leader)],
                                None => progress.line.clone(),
                            };
                        }
                        *stopped = watch(&progress);
                        *stopped || unsolved.get() > 2 * best
                    },
                    &mut |_| unsolved.set(unsolved.get() + 1),
                );
                *counts += tree.counts();
                match ended {
                    Ended::Proved => return Some(self.proved(Some(&attack), &tree)),
                    Ended::Refuted => {}
                    Ended::Exhausted | Ended::Unknown => {
                        // What ran out of its budget is not finished: it may leave more.
                        let unfinished = usize::from(ended == Ended::Unknown);
                        best = best.min((unsolved.get() + unfinished).max(1));
                        results.push((unsolved.get() + unfinished * UNSOLVED_MAX, attack));
                    }
                }
            }
            results.sort_by_key(|&(unsolved, _)| unsolved);
            results.truncate((results.len() / 2).max(FIELD_MIN));
            field = results.into_iter().map(|(_, attack)| attack).collect();
            reply_nodes *= REPLY_FACTOR;
            if counts.nodes == before {
                break;
            }
        }
        None
    }
}
