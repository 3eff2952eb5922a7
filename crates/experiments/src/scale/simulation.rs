//! Many workers, simulated: jobs end when a clock that is only a number says so.
//!
//! The driver is the real one. What happens next is the earliest of all that is under way: a reply
//! that a verification could not solve is reported, or a job is over. A worker that gets a job
//! has the latency of the network to wait before it begins and after it is done.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::time::{Duration, Instant};

use sixproof_prover::board::{Connect6, Sq};
use sixproof_prover::driver::{Driver, JobAnswer, Policy, Settings, Task, Ticket};

use super::game::{Game, Outcome, board, settings};
use super::shape::{Recorder, kind};

/// The most jobs of a search, which is then given up.
pub(super) const JOBS_MAX: u64 = 20_000_000;

/// The figures of a search with a number of workers.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// Whether the game was proved.
    pub is_proved: bool,
    /// The time to the proof.
    pub makespan_us: u64,
    /// Jobs begun.
    pub jobs: u64,
    /// Jobs that became pointless.
    pub cancelled: u64,
    /// Time that workers worked, in all.
    pub busy_us: u64,
    /// Nodes of the tree of jobs.
    pub tree_nodes: u64,
    /// Bytes of that tree, as it says itself.
    pub tree_bytes: u64,
    /// The time of the driver itself, by a real clock: no part of the simulated time.
    pub driver: Duration,
}

impl Run {
    /// The share of the workers' time in which they had nothing to do.
    pub(super) fn idle(&self, workers: usize) -> f64 {
        let all = self.makespan_us as f64 * workers as f64;
        if all == 0.0 { 0.0 } else { 1.0 - self.busy_us as f64 / all }
    }
}

/// Something that is going to happen to a job: the reply is reported, or the job is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Event {
    at_us: u64,
    number: u64,
    what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Found(usize),
    Done,
}

struct Open {
    ticket: Ticket,
    begun_us: u64,
    outcome: Outcome,
}

/// Searches of one game.
pub(super) struct Simulation<'a> {
    game: &'a Game<'a>,
    driver: Driver<Connect6>,
    workers: usize,
    latency_us: u64,
    now_us: u64,
    open: BTreeMap<u64, Open>,
    events: BinaryHeap<Reverse<Event>>,
    run: Run,
}

impl<'a> Simulation<'a> {
    pub(super) fn new(
        game: &'a Game<'a>,
        policy: Policy,
        workers: usize,
        latency_us: u64,
    ) -> Simulation<'a> {
        let settings = Settings { policy, ..settings() };
        Simulation {
            game,
            driver: Driver::new(board(), settings, true, 2),
            workers: workers.max(1),
            latency_us,
            now_us: 0,
            open: BTreeMap::new(),
            events: BinaryHeap::new(),
            run: Run::default(),
        }
    }

    /// Runs until the game is proved, nothing is left to do, or the tree has `nodes_max` nodes.
    pub(super) fn run(&mut self, nodes_max: u64, recorder: Option<&mut Recorder>) -> Run {
        self.go_on(nodes_max, recorder);
        let left = self.open.values().map(|open| self.worked_us(open)).sum::<u64>();
        self.run.busy_us += left;
        self.run.is_proved = self.driver.won().is_some();
        self.run.makespan_us = self.now_us;
        self.run.tree_nodes = self.driver.size();
        self.run.tree_bytes = self.driver.bytes();
        self.run.clone()
    }

    fn go_on(&mut self, nodes_max: u64, mut recorder: Option<&mut Recorder>) {
        loop {
            self.begin_jobs();
            let is_over = self.driver.won().is_some() || self.driver.is_exhausted();
            if is_over || self.run.jobs > JOBS_MAX || self.driver.size() > nodes_max {
                return;
            }
            let Some(Reverse(event)) = self.events.pop() else { return };
            // Nothing more happens to a job that was cancelled.
            if !self.open.contains_key(&event.number) {
                continue;
            }
            self.now_us = event.at_us;
            match event.what {
                What::Found(index) => self.found(event.number, index),
                What::Done => self.done(event.number, recorder.as_deref_mut()),
            }
        }
    }

    fn begin_jobs(&mut self) {
        while self.open.len() < self.workers {
            let start = Instant::now();
            let ticket = self.driver.next_job();
            self.run.driver += start.elapsed();
            let Some(ticket) = ticket else { return };
            let (number, outcome) = (self.run.jobs, self.game.answer(&ticket.job));
            self.run.jobs += 1;
            let begun_us = self.now_us + self.latency_us / 2;
            let mut plan = |at_us, what| self.events.push(Reverse(Event { at_us, number, what }));
            plan(self.now_us + self.latency_us + outcome.time_us, What::Done);
            // One worker alone reports nothing on the way: no other could use it.
            if self.workers > 1 {
                let replies = new_replies(&ticket, &outcome.answer).len();
                for index in 0..replies {
                    let share = outcome.time_us * (index as u64 + 1) / (replies as u64 + 1);
                    plan(self.now_us + self.latency_us + share, What::Found(index));
                }
            }
            self.open.insert(number, Open { ticket, begun_us, outcome });
        }
    }

    fn found(&mut self, number: u64, index: usize) {
        let Some(open) = self.open.get(&number) else { return };
        let Some(reply) = new_replies(&open.ticket, &open.outcome.answer).get(index) else {
            return;
        };
        let start = Instant::now();
        self.driver.found(&open.ticket, reply.clone());
        self.run.driver += start.elapsed();
    }

    fn done(&mut self, number: u64, recorder: Option<&mut Recorder>) {
        let Some(open) = self.open.remove(&number) else { return };
        let Open { ticket, outcome: Outcome { answer, time_us, nodes }, .. } = open;
        self.run.busy_us += time_us;
        if let Some(recorder) = recorder {
            let kind = kind(&ticket.job, settings().solve_nodes);
            recorder.note(&ticket.job, &kind, &answer, [time_us, nodes]);
        }
        let start = Instant::now();
        self.driver.finish(&ticket, Some(answer), nodes);
        if self.driver.has_pointless() {
            self.cancel_pointless();
        }
        self.run.driver += start.elapsed();
    }

    /// As `sixproof_prover::driver::run` does it.
    fn cancel_pointless(&mut self) {
        let pointless = self.open.iter().filter(|(_, open)| self.driver.is_pointless(&open.ticket));
        let pointless: Vec<u64> = pointless.map(|(&number, _)| number).collect();
        for number in pointless {
            let Some(open) = self.open.remove(&number) else { continue };
            self.run.busy_us += self.worked_us(&open);
            self.run.cancelled += 1;
            self.driver.finish(&open.ticket, None, 0);
        }
    }

    /// How long a worker has worked on a job that is under way.
    fn worked_us(&self, open: &Open) -> u64 {
        self.now_us.saturating_sub(open.begun_us).min(open.outcome.time_us)
    }
}

/// The replies in an answer that the driver did not name itself.
fn new_replies<'a>(ticket: &Ticket, answer: &'a JobAnswer) -> &'a [Vec<Sq>] {
    match (&ticket.job.work, answer) {
        (Task::Verify { hopeless, .. }, JobAnswer::Unsolved { replies, .. }) => {
            replies.get(hopeless.len()..).unwrap_or_default()
        }
        _ => &[],
    }
}
