//! The main loop of a search: it gives jobs to an executor and applies the answers to the tree.
//!
//! One thread owns the tree; it only chooses jobs and applies answers. With one job at a time every
//! run is the same; with several the order of answers differs, and with it the effort, but never
//! the meaning of a proof.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::Duration;

use crate::board::{Rules, Sq};
use crate::search_tree::SearchTree;
use crate::tree::{Counts, Limits, Won};

use super::executor::{Executor, JobReport};
use super::remote::{RemoteExecutor, RemoteSearch};
use super::threads::Threads;
use super::{Driver, Ticket, Worker};

/// The longest time between two calls of `watch`.
const STATUS_INTERVAL: Duration = Duration::from_millis(50);

/// The limits of a run.
#[derive(Clone, Copy, Debug)]
pub struct RunOptions {
    /// Number of threads that do jobs.
    pub threads: usize,
    /// The node limit of the whole run.
    pub nodes_max: u64,
    /// The memory limit of the tree and its proofs, in bytes.
    pub memory_max: u64,
    /// Nodes between two snapshots of the tree; 0 for none.
    pub snapshot_every: u64,
}

/// Keeps the answers to jobs beyond the end of the program.
pub trait Journal: Sync {
    /// The recorded answer to a job.
    fn recall(&self, job: &[u8]) -> Option<Vec<u8>>;
    /// Records an answer.
    fn record(&self, job: &[u8], answer: &[u8]);
}

/// Records nothing.
#[derive(Clone, Copy, Debug)]
pub struct NoJournal;

impl Journal for NoJournal {
    fn recall(&self, _: &[u8]) -> Option<Vec<u8>> {
        None
    }
    fn record(&self, _: &[u8], _: &[u8]) {}
}

/// The state of a search, as `watch` receives it.
#[derive(Clone, Debug, Default)]
pub struct SearchStatus {
    /// Nodes so remote.
    pub nodes: u64,
    /// Proof and disproof number of the root.
    pub numbers: [u32; 2],
    /// Positions proved, and moves refuted.
    pub counts: [u64; 2],
    /// The most promising line.
    pub best: Vec<Vec<Sq>>,
    /// The line to the last begun job.
    pub leaf: Vec<Vec<Sq>>,
    /// Bytes that the tree takes.
    pub memory: u64,
    /// A snapshot of the tree, every [`RunOptions::snapshot_every`] nodes.
    pub tree: Option<SearchTree<Sq>>,
}

/// How a search ended.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The proof, if there is one.
    pub won: Option<Won>,
    /// Whether the proofs alone take more memory than allowed.
    pub out_of_memory: bool,
    /// The replies to the best move that have no answer.
    pub unsolved: Vec<Vec<Sq>>,
    /// The counters of all jobs.
    pub counts: Counts,
}

/// Searches until the position is decided or a limit is reached: with threads of this process, or
/// with a pool of remote workers. The search calls `watch` every few milliseconds, and ends when it
/// breaks.
pub fn run<R: Rules>(
    driver: Driver<R>,
    limits: &Limits,
    hints: &[(u64, Vec<Sq>)],
    options: RunOptions,
    journal: &dyn Journal,
    remote: Option<RemoteSearch<'_>>,
    watch: &mut dyn FnMut(&SearchStatus) -> ControlFlow<()>,
) -> Finished {
    let mut worker: Worker<R> = driver.worker(limits.clone());
    worker.set_hints(hints.to_vec());
    let mut search = SearchLoop {
        driver,
        open: BTreeMap::new(),
        next: 0,
        leaf: Vec::new(),
        counts: Counts::default(),
        out_of_memory: false,
        has_dropped: false,
        options,
        snapshot_next: 0,
    };
    match remote {
        Some(remote) => search.run(&mut RemoteExecutor::new(worker, remote, journal), watch),
        None => std::thread::scope(|scope| {
            let (count, nodes_max) = (options.threads, options.nodes_max);
            let mut executor = Threads::new(scope, &worker, count, nodes_max, journal);
            search.run(&mut executor, watch);
            executor.stop();
            search.settle(&mut executor);
        }),
    }
    let SearchLoop { driver, counts, out_of_memory, .. } = search;
    Finished { won: driver.won().cloned(), out_of_memory, unsolved: driver.unsolved(), counts }
}

/// The tree, and what is under way.
struct SearchLoop<R> {
    driver: Driver<R>,
    /// Jobs under way.
    open: BTreeMap<u64, Ticket>,
    /// The number of the next job.
    next: u64,
    leaf: Vec<Vec<Sq>>,
    counts: Counts,
    out_of_memory: bool,
    /// Whether the driver has dropped parts of the tree, which it may search again.
    has_dropped: bool,
    options: RunOptions,
    snapshot_next: u64,
}

impl<R: Rules> SearchLoop<R> {
    fn run(
        &mut self,
        executor: &mut dyn Executor,
        watch: &mut dyn FnMut(&SearchStatus) -> ControlFlow<()>,
    ) {
        loop {
            self.begin_jobs(executor);
            if self.open.is_empty() && (self.driver.won().is_some() || executor.is_settled()) {
                // Nothing is left to do, or to stop; `watch` receives the last status.
                let _last = watch(&self.status(executor.nodes(), true));
                return;
            }
            let goes_on = match executor.wait(STATUS_INTERVAL) {
                Some(report) => self.apply(report, executor),
                None => true,
            };
            let is_exhausted = executor.nodes() >= self.options.nodes_max;
            let is_won = self.driver.won().is_some();
            let is_decided = is_won || self.driver.is_exhausted();
            let is_over = is_exhausted || is_decided;
            if watch(&self.status(executor.nodes(), is_decided)).is_break()
                || is_over && (is_won || executor.is_settled())
                || !goes_on
            {
                self.open.keys().for_each(|&number| executor.cancel(number));
                return;
            }
            if is_over {
                // Only the audits of the given answers can still change the verdict.
                for (number, ticket) in std::mem::take(&mut self.open) {
                    executor.cancel(number);
                    self.driver.finish(&ticket, None, 0);
                }
            }
        }
    }

    /// Starts again, with the answers that are still recorded.
    fn restart(&mut self, executor: &mut dyn Executor) {
        self.driver = self.driver.restarted();
        self.open.clear();
        self.has_dropped = false;
        self.out_of_memory = false;
        executor.restart();
    }

    /// Applies the reports of the jobs that are still under way.
    fn settle(&mut self, executor: &mut dyn Executor) {
        while !self.open.is_empty() {
            if let Some(report) = executor.wait(STATUS_INTERVAL)
                && !self.apply(report, executor)
            {
                return;
            }
        }
    }

    /// Begins jobs up to the capacity of the executor.
    fn begin_jobs(&mut self, executor: &mut dyn Executor) {
        while self.open.len() < executor.capacity() && executor.nodes() < self.options.nodes_max {
            let is_full = self.driver.bytes() > self.options.memory_max;
            if is_full {
                if !self.open.is_empty() {
                    return;
                }
                self.driver.collect(self.options.memory_max / 2);
                self.has_dropped = true;
                if self.driver.bytes() > self.options.memory_max {
                    self.out_of_memory = true;
                    return;
                }
            }
            let Some(ticket) = self.driver.next_job() else { return };
            self.leaf = ticket.job.path.clone();
            if let Some((answer, cost)) = executor.recall(&ticket.job) {
                if self.has_dropped {
                    // The search may recall its own answers. Were they free, it could drop and
                    // recall the same nodes for ever.
                    executor.count_recalled(cost);
                }
                self.finish(&ticket, Some(answer), cost, executor);
                continue;
            }
            executor.begin(self.next, &ticket.job);
            self.open.insert(self.next, ticket);
            self.next += 1;
        }
    }

    /// Applies a report; false if the executor has ended.
    fn apply(&mut self, report: JobReport, executor: &mut dyn Executor) -> bool {
        match report {
            JobReport::Unsolved { number, reply } => {
                if let Some(ticket) = self.open.get(&number) {
                    self.driver.found(ticket, reply);
                }
            }
            JobReport::Done { number, answer, cost, counts } => {
                self.counts += counts;
                if let Some(ticket) = self.open.remove(&number) {
                    self.finish(&ticket, answer, cost, executor);
                }
            }
            JobReport::Revoked => self.restart(executor),
            JobReport::Closed => {
                self.open.clear();
                return false;
            }
        }
        true
    }

    /// Applies an answer, and cancels the jobs that it makes pointless.
    fn finish(
        &mut self,
        ticket: &Ticket,
        answer: Option<super::JobAnswer>,
        cost: u64,
        executor: &mut dyn Executor,
    ) {
        self.driver.finish(ticket, answer, cost);
        if !self.driver.has_pointless() {
            return;
        }
        let is_pointless =
            |(number, ticket): (&u64, &Ticket)| self.driver.is_pointless(ticket).then_some(*number);
        let pointless: Vec<u64> = self.open.iter().filter_map(is_pointless).collect();
        for number in pointless {
            executor.cancel(number);
            let ticket = self.open.remove(&number).expect("it is open");
            self.driver.finish(&ticket, None, 0);
        }
    }

    fn status(&mut self, nodes: u64, is_last: bool) -> SearchStatus {
        let every = self.options.snapshot_every;
        let is_due = every > 0 && (is_last || nodes >= self.snapshot_next);
        if is_due {
            self.snapshot_next = nodes + every;
        }
        SearchStatus {
            nodes,
            numbers: self.driver.numbers(),
            counts: self.driver.counts(),
            best: self.driver.best_line(),
            leaf: self.leaf.clone(),
            memory: self.driver.bytes(),
            tree: is_due.then(|| self.driver.snapshot()),
        }
    }
}
