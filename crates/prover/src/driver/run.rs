//! Running the jobs of a driver on several threads.
//!
//! The tree is behind one lock, which is held for microseconds between jobs of milliseconds. With
//! one thread a run is the same every time; with more the order of answers differs, and with it the
//! effort, but never what a proof is worth.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::board::{Rules, Sq};
use crate::search_tree::SearchTree;
use crate::tree::{Counts, Limits, Won};

use super::{Answer, Driver, Job, Ticket, Worker, codec};

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

/// What the threads share.
struct Shared<R> {
    driver: Driver<R>,
    running: usize,
    leaf: Vec<Vec<Sq>>,
    counts: Counts,
    finished: bool,
    out_of_memory: bool,
    /// Whether parts of the tree have been dropped, and may be searched again.
    forgetful: bool,
}

/// Searches until the position is decided or the resources are used up. `watch` is called now and
/// then, and ends the search by returning true.
pub fn run<R: Rules>(
    driver: Driver<R>,
    limits: &Limits,
    hints: &[(u64, Vec<Sq>)],
    resources: Resources,
    journal: &dyn Journal,
    watch: &mut dyn FnMut(&Status) -> bool,
) -> Finished {
    let shared = Mutex::new(Shared {
        driver,
        running: 0,
        leaf: Vec::new(),
        counts: Counts::default(),
        finished: false,
        out_of_memory: false,
        forgetful: false,
    });
    let changed = Condvar::new();
    let crew = Crew {
        shared: &shared,
        changed: &changed,
        stop: &AtomicBool::new(false),
        nodes: &AtomicU64::new(0),
        limits,
        hints,
        resources,
        journal,
    };
    std::thread::scope(|scope| {
        for _ in 0..resources.threads.max(1) {
            scope.spawn(|| crew.work());
        }
        let mut state = lock(&shared);
        let mut look_next = 0;
        while !state.finished {
            let waited = changed.wait_timeout(state, WATCH_INTERVAL);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            let nodes = crew.nodes.load(Ordering::Relaxed);
            let due = resources.look_every > 0 && (state.finished || nodes >= look_next);
            if due {
                look_next = nodes + resources.look_every;
            }
            let status = Status {
                nodes,
                numbers: state.driver.numbers(),
                counts: state.driver.counts(),
                best: state.driver.best_line(),
                leaf: state.leaf.clone(),
                memory: state.driver.bytes(),
                tree: due.then(|| state.driver.look()),
            };
            drop(state);
            if watch(&status) {
                crew.stop.store(true, Ordering::Relaxed);
            }
            state = lock(&shared);
        }
    });
    let Shared { driver, counts, out_of_memory, .. } =
        shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    Finished { won: driver.won().cloned(), out_of_memory, unsolved: driver.unsolved(), counts }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a thread needs to know.
struct Crew<'a, R> {
    shared: &'a Mutex<Shared<R>>,
    changed: &'a Condvar,
    stop: &'a AtomicBool,
    nodes: &'a AtomicU64,
    limits: &'a Limits,
    hints: &'a [(u64, Vec<Sq>)],
    resources: Resources,
    journal: &'a dyn Journal,
}

impl<R: Rules> Crew<'_, R> {
    /// One thread: takes jobs until there are none.
    fn work(&self) {
        let _leaving = Leaving(self);
        let mut worker = lock(self.shared).driver.worker(self.limits.clone());
        worker.set_hints(self.hints.to_vec());
        while let Some(ticket) = self.next_ticket() {
            let (answer, cost) = self.answer(&mut worker, &ticket.job);
            let counts = std::mem::take(&mut worker.counts);
            let mut state = lock(self.shared);
            if state.forgetful {
                // It recalls what it did itself: for nothing it could go in circles for ever.
                self.nodes.fetch_add(cost - counts.nodes, Ordering::Relaxed);
            }
            state.running -= 1;
            state.driver.finish(&ticket, answer, cost);
            state.counts += counts;
            self.changed.notify_all();
        }
    }

    /// Waits for a job; `None` when the search is over.
    fn next_ticket(&self) -> Option<Ticket> {
        let mut state = lock(self.shared);
        loop {
            let spent = self.nodes.load(Ordering::Relaxed) >= self.resources.nodes_max;
            let decided = state.driver.won().is_some() || state.driver.is_exhausted();
            if spent || decided || self.stop.load(Ordering::Relaxed) {
                return None;
            }
            let full = state.driver.bytes() > self.resources.memory_max;
            if full && state.running == 0 {
                state.driver.collect(self.resources.memory_max / 2);
                state.forgetful = true;
                if state.driver.bytes() > self.resources.memory_max {
                    state.out_of_memory = true;
                    return None;
                }
            }
            if !full || state.running == 0 {
                if let Some(ticket) = state.driver.next_job() {
                    state.running += 1;
                    state.leaf = ticket.job.path.clone();
                    return Some(ticket);
                }
                if state.running == 0 {
                    return None;
                }
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Recalls the answer to a job, or does it; also what it cost, then or now, so that a search
    /// that goes on takes the same course as one that was never interrupted. No answer if the
    /// search ends meanwhile.
    fn answer(&self, worker: &mut Worker<R>, job: &Job) -> (Option<Answer>, u64) {
        let key = worker.key(job);
        let known = key.as_ref().and_then(|key| Some((key, self.journal.recall(key)?)));
        if let Some((answer, cost)) = known.and_then(|(key, bytes)| worker.recall(job, key, &bytes))
        {
            return (Some(answer), cost);
        }
        let mut told = 0;
        let answer = worker.perform(job, &mut |nodes| {
            let before = self.nodes.fetch_add(nodes - told, Ordering::Relaxed);
            let all = before + (nodes - told);
            told = nodes;
            all >= self.resources.nodes_max || self.stop.load(Ordering::Relaxed)
        });
        let cost = worker.counts.nodes;
        self.nodes.fetch_add(cost.saturating_sub(told), Ordering::Relaxed);
        if let (Some(key), Some(answer)) = (key, &answer)
            && let Some(bytes) = codec::encode(&key, answer, cost)
        {
            self.journal.record(&key, &bytes);
        }
        (answer, cost)
    }
}

/// A thread that leaves ends the search for the others, too: there is nothing left to do, or it
/// panicked, and nobody must wait for it.
struct Leaving<'a, R>(&'a Crew<'a, R>);

impl<R> Drop for Leaving<'_, R> {
    fn drop(&mut self) {
        self.0.stop.store(true, Ordering::Relaxed);
        lock(self.0.shared).finished = true;
        self.0.changed.notify_all();
    }
}
