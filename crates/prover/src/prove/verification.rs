//! Verification of one move: first as a whole, then reply by reply.

use std::ops::ControlFlow;

use sixproof_game::{Move, Square};

use crate::board::Rules;
use crate::stop::break_if;
use crate::tree::Ended;

use super::{Counts, Progress, Prover, Report, Resources};

/// What a running verification reports.
#[derive(Clone, Debug)]
pub enum Event {
    /// Its progress.
    Progress(Progress),
    /// A Defender move that it could not solve; with fewer stones than a move has, all moves that
    /// contain these.
    Unsolved(Move),
}

/// The result of a verification.
#[derive(Clone, Debug)]
pub struct Verification {
    /// The verdict and the counts.
    pub report: Report,
    /// Defender's moves that remain unsolved.
    pub unsolved: Vec<Move>,
    /// Where Defender must play: the first proof answers any other move. Empty without a proof.
    pub zone: Vec<Square>,
}

impl<R: Rules> Prover<'_, R> {
    /// Verifies the move that led here: with strategies of low orders as a whole, then reply by
    /// reply.
    pub(super) fn verify(
        self,
        reply_nodes_max: u64,
        resources: &mut Resources,
        watch: &mut dyn FnMut(Event) -> ControlFlow<()>,
    ) -> Verification {
        // A quiet move is of order p + 1.
        let order = self.options.order_max.min(self.claim.position.game().p() + 1);
        let stopped = std::cell::Cell::new(false);
        let watch = std::cell::RefCell::new(watch);
        let report_event = |event: Event| {
            stopped.set(stopped.get() | (watch.borrow_mut())(event).is_break());
            break_if(stopped.get())
        };
        let mut counts = Counts::default();
        for order in 1..order {
            let mut tree = self.root(order, self.options.nodes_max / 8);
            let ended = tree.run(&mut |progress| {
                report_event(Event::Progress(self.progress(order, counts, progress)))
            });
            counts += tree.counts();
            if ended == Ended::Proved {
                let outcome = self.proved(&tree.proof());
                let report = Report { outcome, order, counts, ..Report::nothing() };
                return Verification { report, unsolved: Vec::new(), zone: Vec::new() };
            }
        }
        let best_first = self.is_best_first(order);
        let left = self.options.nodes_max.saturating_sub(counts.nodes);
        let mut tree = self.root(order, if best_first { left / 4 } else { left });
        let mut unsolved: Vec<Move> = Vec::new();
        let ended = tree.verify(
            reply_nodes_max,
            &mut |progress| report_event(Event::Progress(self.progress(order, counts, progress))),
            &mut |squares| {
                let squares = self.squares(squares);
                unsolved.push(squares.clone());
                let _stopped = report_event(Event::Unsolved(squares));
            },
        );
        let zone = tree.verified_zone().into_iter().map(|s| self.arena.square(s)).collect();
        counts += tree.counts();
        let mut report = Report { order, counts, ..Report::nothing() };
        if ended == Ended::Proved {
            report.outcome = self.proved(&tree.proof());
        } else if best_first && !stopped.get() {
            drop(tree);
            let left = self.options.nodes_max.saturating_sub(counts.nodes);
            let finished = self.best_first(order, left, resources, &mut |status| {
                report_event(Event::Progress(self.status(order, counts, status)))
            });
            report.counts += finished.counts;
            if !finished.unsolved.is_empty() {
                let left = self.names(&finished.unsolved);
                let new = left.iter().filter(|reply| !unsolved.contains(reply));
                for reply in new {
                    let _stopped = report_event(Event::Unsolved(reply.clone()));
                }
                unsolved = left;
            }
            if let Some(won) = finished.won {
                report.outcome = self.proved(&won.proof);
                unsolved = Vec::new();
            }
        }
        Verification { report, unsolved, zone }
    }
}
