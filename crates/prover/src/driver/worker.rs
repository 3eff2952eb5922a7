//! The worker of the driver: does jobs on its own board, by searches of the lower orders.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::board::{Board, Connect6, Rules, Side, Sq};
use crate::candidates::candidates;
use crate::cover::Threat;
use crate::mirror;
use crate::proof::{Part, Proof};
use crate::stop::break_if;
use crate::tree::{Counts, Ended, Limits, Tree, Won};
use crate::vcdt::{Path, Vcdt};

use super::{Driver, Job, JobAnswer, JobProgress, Switches, Task, codec};

/// Largest number of moves in the list of a position.
const LISTED_MAX: usize = 96;
/// Node limit of the search for a forced win of Defender.
const DUAL_NODES: u64 = 200;

/// Does jobs on its own board.
pub struct Worker<R> {
    pub(super) board: Board<R>,
    pub(super) limits: Limits,
    pub(super) switches: Switches,
    /// Stones of the first move.
    stones: u32,
    pub(super) hints: Vec<(u64, Vec<Sq>)>,
    vcdt: Vcdt,
    /// The counters of all jobs.
    pub counts: Counts,
}

/// A [`Worker`] of any game, so that other crates need not compile the search again.
pub trait Perform {
    /// Does a job to its end: its answer and its nodes.
    fn perform(&mut self, job: &Job) -> (Option<JobAnswer>, u64);
}

impl<R: Rules> Perform for Worker<R> {
    fn perform(&mut self, job: &Job) -> (Option<JobAnswer>, u64) {
        let before = self.counts.nodes;
        let answer = Worker::perform(self, job, &mut |_| ControlFlow::Continue(()));
        (answer, self.counts.nodes - before)
    }
}

impl Driver<Connect6> {
    /// A worker as a trait object.
    pub fn boxed_worker(&self, limits: Limits) -> Box<dyn Perform> {
        Box::new(self.worker(limits))
    }
}

impl<R: Rules> Worker<R> {
    /// A worker for jobs below the position on `board`, with `stones` to place in the next move.
    pub fn new(board: Board<R>, limits: Limits, switches: Switches, stones: u32) -> Worker<R> {
        let (vcdt, counts) = (Vcdt::default(), Counts::default());
        Worker { board, limits, switches, stones, hints: Vec::new(), vcdt, counts }
    }

    /// A new worker for the same jobs.
    pub(super) fn another(&self) -> Worker<R> {
        let Worker { board, limits, switches, stones, hints, .. } = self;
        let mut other = Worker::new(board.clone(), limits.clone(), *switches, *stones);
        other.set_hints(hints.clone());
        other
    }

    /// Sets the moves to try first: pairs of a position's key and Attacker's move in it.
    pub fn set_hints(&mut self, hints: Vec<(u64, Vec<Sq>)>) {
        self.hints = hints;
    }

    /// The key under which the journal records the answer; `None` for a job that it does not
    /// record.
    pub(super) fn key(&self, job: &Job) -> Option<Vec<u8>> {
        is_recorded(job).then(|| self.whole_key(job))
    }

    /// The key of any job.
    pub(super) fn whole_key(&self, job: &Job) -> Vec<u8> {
        let ways = [self.switches.dual, self.limits.mutual, self.limits.grouped];
        codec::key(job, ways.into_iter().fold(0, |word, way| word << 1 | u16::from(way)))
    }

    /// The number of levels of the zones of proofs.
    pub(super) fn levels(&self) -> usize {
        self.limits.zone_levels(self.board.rules.k())
    }

    /// Reads the recorded answer to a job, and its cost; `None` if it is not one to this job.
    pub(super) fn recall(&self, job: &Job, key: &[u8], bytes: &[u8]) -> Option<(JobAnswer, u64)> {
        let (answer, cost) = codec::decode(key, bytes, &self.board, self.levels())?;
        self.fits(job, &answer).then_some((answer, cost))
    }

    /// Whether an answer can belong to a job.
    pub(super) fn fits(&self, job: &Job, answer: &JobAnswer) -> bool {
        let are_playable =
            |list: &[Vec<Sq>]| list.iter().all(|squares| self.is_playable(job, squares));
        match (&job.work, answer) {
            (Task::Solve { .. }, JobAnswer::Unknown) => true,
            (Task::Verify { .. }, JobAnswer::Unsolved { replies, .. }) => {
                !replies.is_empty() && are_playable(replies)
            }
            (Task::Solve { .. } | Task::Verify { .. }, JobAnswer::Won(_) | JobAnswer::Refuted) => {
                true
            }
            (Task::List { .. }, JobAnswer::Listed(list)) => are_playable(list),
            _ => false,
        }
    }

    /// Whether stones can be placed on these squares in the position of a job.
    pub(super) fn is_playable(&self, job: &Job, squares: &[Sq]) -> bool {
        let mut taken: BTreeSet<Sq> = job.path.iter().flatten().copied().collect();
        squares.iter().all(|&square| self.board.is_empty(square) && taken.insert(square))
    }

    /// The answer to a short job: a list of moves, or the immediate refutation of a new move.
    /// `None` if the job takes longer.
    pub(super) fn quick_answer(&mut self, job: &Job) -> Option<JobAnswer> {
        let is_new = match &job.work {
            Task::Solve { .. } => return None,
            Task::List { .. } => return self.perform(job, &mut |_| ControlFlow::Continue(())),
            Task::Verify { given, hopeless, .. } => given.is_empty() && hopeless.is_empty(),
        };
        let stones = self.place(job);
        let is_refuted = is_new && self.switches.dual && self.defender_wins(stones);
        self.take_back(job);
        is_refuted.then_some(JobAnswer::Refuted)
    }

    /// Plays the moves that lead to the position of a job; returns the stones of its next move.
    fn place(&mut self, job: &Job) -> u32 {
        for (index, squares) in job.path.iter().enumerate() {
            self.board.place_all(mover(index), squares);
        }
        // The first move may have another number of stones than the others. It is Defender's after
        // a move of Attacker without stones; any other move without stones is a null move.
        let first = job.path.len() <= 1 && job.path.iter().all(Vec::is_empty);
        if first { self.stones } else { self.board.rules.p() }
    }

    fn take_back(&mut self, job: &Job) {
        for (index, squares) in job.path.iter().enumerate().rev() {
            self.board.remove_all(mover(index), squares);
        }
    }

    /// Does a job. `watch` receives its progress, and may stop it; then there is no answer.
    pub fn perform(
        &mut self,
        job: &Job,
        watch: &mut dyn FnMut(JobProgress) -> ControlFlow<()>,
    ) -> Option<JobAnswer> {
        let stones = self.place(job);
        let answer = match &job.work {
            Task::Solve { order, nodes } => self.solve(stones, *order, *nodes, watch),
            Task::List { first } => Some(JobAnswer::Listed(self.list(stones, first))),
            Task::Verify { .. } => self.verify(stones, job, watch),
        };
        self.take_back(job);
        answer
    }

    fn solve(
        &mut self,
        stones: u32,
        order: u32,
        nodes: u64,
        watch: &mut dyn FnMut(JobProgress) -> ControlFlow<()>,
    ) -> Option<JobAnswer> {
        let limits = Limits { order, answer_order: order, nodes_max: nodes, ..self.limits.clone() };
        let mut tree = Tree::new(self.board.clone(), true, stones, limits);
        tree.set_hints(self.hints.clone());
        let mut flow = ControlFlow::Continue(());
        let ended = tree.run(&mut |progress| {
            flow = watch(JobProgress::Nodes(progress.nodes));
            flow
        });
        self.counts += tree.counts();
        if flow.is_break() {
            return None;
        }
        Some(match ended {
            Ended::Proved => JobAnswer::Won(tree.won()),
            Ended::Refuted | Ended::Exhausted => JobAnswer::Refuted,
            Ended::Unknown => JobAnswer::Unknown,
        })
    }

    /// Attacker's moves that block all of Defender's threats, the best first.
    fn list(&mut self, stones: u32, first: &[Vec<Sq>]) -> Vec<Vec<Sq>> {
        let mut counter: Vec<Threat> = Vec::new();
        self.board.threats(Side::Defender, &mut counter);
        let key = self.board.key();
        let hints = self.hints.iter().filter(|hint| hint.0 == key).map(|hint| &hint.1);
        let known = hints.chain(first).filter(|squares| {
            squares.len() == stones as usize
                && squares.iter().all(|&square| self.board.is_empty(square))
                && counter.iter().all(|threat| threat.is_hit_by(squares))
        });
        let mut list: Vec<Vec<Sq>> = known.cloned().collect();
        let found = candidates(&mut self.board, stones, &counter, &[]).list;
        list.extend(found.into_iter().take(LISTED_MAX).map(|candidate| candidate.squares));
        let mut seen = BTreeSet::new();
        list.retain(|squares| seen.insert(squares.clone()));
        if self.switches.mirrored {
            mirror::drop_images(&self.board, &mut list);
        }
        list
    }

    /// Whether Defender, to move, has a forced win.
    fn defender_wins(&mut self, stones: u32) -> bool {
        let mut board = self.board.swapped();
        if stones != board.rules.p() || board.empty_count() < stones {
            return false;
        }
        let mut threats: Vec<Threat> = Vec::new();
        board.threats(Side::Attacker, &mut threats);
        if threats.iter().any(|threat| threat.empties().len() <= stones as usize) {
            return true;
        }
        let before = self.vcdt.node_count;
        let found = matches!(self.vcdt.search(&mut board, DUAL_NODES), Path::Found(_));
        self.counts.nodes += self.vcdt.node_count - before;
        found
    }

    fn verify(
        &mut self,
        stones: u32,
        job: &Job,
        watch: &mut dyn FnMut(JobProgress) -> ControlFlow<()>,
    ) -> Option<JobAnswer> {
        let Task::Verify { order, budget, given, hopeless, unsolved_max } = &job.work else {
            return None;
        };
        if self.switches.dual && self.defender_wins(stones) {
            return Some(JobAnswer::Refuted);
        }
        let limits = Limits {
            order: *order,
            answer_order: budget.answer_order,
            forced: budget.forced,
            nodes_max: u64::MAX,
            ..self.limits.clone()
        };
        let mut tree = Tree::new(self.board.clone(), false, stones, limits);
        tree.set_hints(self.hints.clone());
        tree.prepare(given.clone(), hopeless.clone());
        let (stopped, unsolved) = (Cell::new(false), Cell::new(0usize));
        let watch = RefCell::new(watch);
        let report = |progress: JobProgress| {
            stopped.set(stopped.get() | (watch.borrow_mut())(progress).is_break());
        };
        let ended = tree.verify(
            budget.reply_nodes,
            &mut |progress| {
                report(JobProgress::Nodes(progress.nodes));
                break_if(stopped.get() || unsolved.get() > *unsolved_max)
            },
            &mut |reply| {
                unsolved.set(unsolved.get() + 1);
                // The search knows those to skip.
                if !hopeless.iter().any(|known| known == reply) {
                    report(JobProgress::Unsolved(reply));
                }
            },
        );
        self.counts += tree.counts();
        if stopped.get() {
            return None;
        }
        let attack = job.path.last().map_or(&[][..], |attack| attack);
        Some(match ended {
            Ended::Proved => JobAnswer::Won(self.after(attack, &tree.won())),
            Ended::Refuted => JobAnswer::Refuted,
            Ended::Exhausted | Ended::Unknown => {
                let mut threats: Vec<Threat> = Vec::new();
                self.board.threats(Side::Attacker, &mut threats);
                JobAnswer::Unsolved {
                    replies: tree.unsolved(),
                    complete: ended == Ended::Exhausted,
                    forcing: !threats.is_empty(),
                }
            }
        })
    }

    /// The proof of the position before Attacker's move `attack`.
    fn after(&self, attack: &[Sq], won: &Won) -> Won {
        if attack.is_empty() {
            return won.clone();
        }
        let mut proof = Proof::default();
        proof.push(Part::Attack(attack));
        proof.append(&won.proof);
        let mut zone = (*won.zone).clone();
        zone.add_squares(&self.board, attack);
        Won { proof: Arc::new(proof), zone: Arc::new(zone) }
    }
}

/// Whether a journal records the answer to a job.
pub(super) fn is_recorded(job: &Job) -> bool {
    !matches!(job.work, Task::List { .. })
}

/// The side that makes a move of a path.
fn mover(index: usize) -> Side {
    if index.is_multiple_of(2) { Side::Attacker } else { Side::Defender }
}
