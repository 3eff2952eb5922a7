//! Conducting a search: jobs go out to a crew, answers come back into the tree.
//!
//! The tree belongs to one thread, which does nothing but choose jobs and take answers in. With a
//! crew of one a run is the same every time; with more the order of answers differs, and with it
//! the effort, but never what a proof is worth.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::board::{Rules, Sq};
use crate::search_tree::SearchTree;
use crate::tree::{Counts, Limits, Won};

use super::crew::{Crew, Report};
use super::remote::{Far, Remote};
use super::threads::Threads;
use super::{Driver, Ticket, Worker};

/// How often those who watch are told.
const WATCH_INTERVAL: Duration = Duration::from_millis(50);

/// What a search may use.
#[derive(Clone, Copy, Debug)]
pub struct Resources {
    /// Threads that do jobs.
    pub threads: usize,
    /// Nodes in all.
    pub nodes_max: u64,
    /// Bytes that the tree and its proofs may take.
    pub memory_max: u64,
    /// Nodes between two looks at the tree; 0 for none.
    pub look_every: u64,
}

/// Remembers the answers to jobs beyond the end of the program.
pub trait Journal: Sync {
    /// The answer to a job that was done before.
    fn recall(&self, job: &[u8]) -> Option<Vec<u8>>;
    /// Keeps an answer.
    fn record(&self, job: &[u8], answer: &[u8]);
}

/// Remembers nothing.
#[derive(Clone, Copy, Debug)]
pub struct NoJournal;

impl Journal for NoJournal {
    fn recall(&self, _: &[u8]) -> Option<Vec<u8>> {
        None
    }
    fn record(&self, _: &[u8], _: &[u8]) {}
}

/// The state of a search, for those who watch it.
#[derive(Clone, Debug, Default)]
pub struct Status {
    /// Nodes so far.
    pub nodes: u64,
    /// Proof and disproof number of the root.
    pub numbers: [u32; 2],
    /// Positions proved, and moves refuted.
    pub counts: [u64; 2],
    /// The most promising line.
    pub best: Vec<Vec<Sq>>,
    /// The line to the job that was begun last.
    pub leaf: Vec<Vec<Sq>>,
    /// Bytes that the tree takes.
    pub memory: u64,
    /// The most important nodes of the tree, now and then, if asked for.
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
    /// What was counted.
    pub counts: Counts,
}

/// Searches until the position is decided or the resources are used up: with threads of this
/// process, or with the hands of others. `watch` is called now and then, and ends the search by
/// returning true.
pub fn run<R: Rules>(
    driver: Driver<R>,
    limits: &Limits,
    hints: &[(u64, Vec<Sq>)],
    resources: Resources,
    journal: &dyn Journal,
    far: Option<Far<'_>>,
    watch: &mut dyn FnMut(&Status) -> bool,
) -> Finished {
    let mut worker: Worker<R> = driver.worker(limits.clone());
    worker.set_hints(hints.to_vec());
    let mut conductor = Conductor {
        driver,
        open: BTreeMap::new(),
        next: 0,
        leaf: Vec::new(),
        counts: Counts::default(),
        out_of_memory: false,
        forgetful: false,
        resources,
        look_next: 0,
    };
    match far {
        Some(far) => conductor.conduct(&mut Remote::new(worker, far, journal), watch),
        None => std::thread::scope(|scope| {
            let (count, nodes_max) = (resources.threads, resources.nodes_max);
            let mut crew = Threads::new(scope, &worker, count, nodes_max, journal);
            conductor.conduct(&mut crew, watch);
            crew.stop();
            conductor.settle(&mut crew);
        }),
    }
    let Conductor { driver, counts, out_of_memory, .. } = conductor;
    Finished { won: driver.won().cloned(), out_of_memory, unsolved: driver.unsolved(), counts }
}

/// The tree, and what is under way.
struct Conductor<R> {
    driver: Driver<R>,
    /// Jobs under way.
    open: BTreeMap<u64, Ticket>,
    /// The number of the next job.
    next: u64,
    leaf: Vec<Vec<Sq>>,
    counts: Counts,
    out_of_memory: bool,
    /// Whether parts of the tree have been dropped, and may be searched again.
    forgetful: bool,
    resources: Resources,
    look_next: u64,
}

impl<R: Rules> Conductor<R> {
    fn conduct(&mut self, crew: &mut dyn Crew, watch: &mut dyn FnMut(&Status) -> bool) {
        loop {
            self.begin_jobs(crew);
            if self.open.is_empty() && (self.driver.won().is_some() || crew.is_settled()) {
                // Nothing is left to do; whoever watches sees how it ended.
                watch(&self.status(crew.nodes(), true));
                return;
            }
            let goes_on = match crew.wait(WATCH_INTERVAL) {
                Some(report) => self.take(report, crew),
                None => true,
            };
            let is_spent = crew.nodes() >= self.resources.nodes_max;
            let is_won = self.driver.won().is_some();
            let is_decided = is_won || self.driver.is_exhausted();
            let is_over = is_spent || is_decided;
            if watch(&self.status(crew.nodes(), is_decided))
                || is_over && (is_won || crew.is_settled())
                || !goes_on
            {
                self.open.keys().for_each(|&number| crew.cancel(number));
                return;
            }
            if is_over {
                // What it rests on is looked into; nothing else can change the verdict.
                for (number, ticket) in std::mem::take(&mut self.open) {
                    crew.cancel(number);
                    self.driver.finish(&ticket, None, 0);
                }
            }
        }
    }

    /// Begins anew, with the answers that are still remembered.
    fn restart(&mut self, crew: &mut dyn Crew) {
        self.driver = self.driver.anew();
        self.open.clear();
        self.forgetful = false;
        self.out_of_memory = false;
        crew.restart();
    }

    /// Takes in what comes of the jobs that are still under way.
    fn settle(&mut self, crew: &mut dyn Crew) {
        while !self.open.is_empty() {
            if let Some(report) = crew.wait(WATCH_INTERVAL)
                && !self.take(report, crew)
            {
                return;
            }
        }
    }

    /// Keeps the crew busy.
    fn begin_jobs(&mut self, crew: &mut dyn Crew) {
        while self.open.len() < crew.capacity() && crew.nodes() < self.resources.nodes_max {
            let is_full = self.driver.bytes() > self.resources.memory_max;
            if is_full {
                if !self.open.is_empty() {
                    return;
                }
                self.driver.collect(self.resources.memory_max / 2);
                self.forgetful = true;
                if self.driver.bytes() > self.resources.memory_max {
                    self.out_of_memory = true;
                    return;
                }
            }
            let Some(ticket) = self.driver.next_job() else { return };
            self.leaf = ticket.job.path.clone();
            if let Some((answer, cost)) = crew.recall(&ticket.job) {
                if self.forgetful {
                    // It recalls what it did itself: for nothing it could go in circles for ever.
                    crew.count_again(cost);
                }
                self.finish(&ticket, Some(answer), cost, crew);
                continue;
            }
            crew.begin(self.next, &ticket.job);
            self.open.insert(self.next, ticket);
            self.next += 1;
        }
    }

    /// Takes a report in; false if nobody is left to do anything.
    fn take(&mut self, report: Report, crew: &mut dyn Crew) -> bool {
        match report {
            Report::Unsolved { number, reply } => {
                if let Some(ticket) = self.open.get(&number) {
                    self.driver.found(ticket, reply);
                }
            }
            Report::Done { number, answer, cost, counts } => {
                self.counts += counts;
                if let Some(ticket) = self.open.remove(&number) {
                    self.finish(&ticket, answer, cost, crew);
                }
            }
            Report::Revoked => self.restart(crew),
            Report::Over => {
                self.open.clear();
                return false;
            }
        }
        true
    }

    /// Takes an answer in, and has the jobs stopped that have become pointless by it.
    fn finish(
        &mut self,
        ticket: &Ticket,
        answer: Option<super::Answer>,
        cost: u64,
        crew: &mut dyn Crew,
    ) {
        self.driver.finish(ticket, answer, cost);
        if !self.driver.has_pointless() {
            return;
        }
        let is_pointless =
            |(number, ticket): (&u64, &Ticket)| self.driver.is_pointless(ticket).then_some(*number);
        let pointless: Vec<u64> = self.open.iter().filter_map(is_pointless).collect();
        for number in pointless {
            crew.cancel(number);
            let ticket = self.open.remove(&number).expect("it is open");
            self.driver.finish(&ticket, None, 0);
        }
    }

    fn status(&mut self, nodes: u64, is_last: bool) -> Status {
        let every = self.resources.look_every;
        let is_due = every > 0 && (is_last || nodes >= self.look_next);
        if is_due {
            self.look_next = nodes + every;
        }
        Status {
            nodes,
            numbers: self.driver.numbers(),
            counts: self.driver.counts(),
            best: self.driver.best_line(),
            leaf: self.leaf.clone(),
            memory: self.driver.bytes(),
            tree: is_due.then(|| self.driver.look()),
        }
    }
}
