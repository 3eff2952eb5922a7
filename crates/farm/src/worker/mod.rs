//! The worker: takes jobs, does them, sends answers.
//!
//! It serves all managers that welcome it, one job for each core, user jobs first, and has a few
//! more at hand ([`ahead`]), so that no core waits for the network. There is one pull at a time,
//! for as many jobs as there is room for. What it was lent it gives back when it leaves. A job
//! whose connection is gone is finished all the same, and its result sent.
//!
//! `managers` is who is there and who lets it work, `held` the jobs that it has, `pull` whose
//! queue is asked next.

mod event;
mod held;
mod managers;
mod pull;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

pub use event::{Effect, Event, Notice, Settings};

use crate::clock::Clock;
use crate::id::JobId;
use crate::wire::{FromWorker, RUNNING_MAX, VERSION};
use held::Held;
use managers::Managers;
use pull::Pulls;

/// Signs of life in the time that a manager waits for one.
const BEATS_A_LEASE: u64 = 9;

/// Jobs that a worker with so many cores has at hand besides those that it does.
pub fn ahead(cores: u16) -> u16 {
    cores.div_ceil(4)
}

/// A worker process.
#[derive(Debug)]
pub struct Worker {
    settings: Settings,
    clock: Clock,
    connected: bool,
    managers: Managers,
    held: BTreeMap<JobId, Held>,
    pulls: Pulls,
    beat_said_ms: u64,
    /// The other version that people were told of.
    other_version: Option<u16>,
    quitting: bool,
    left: bool,
    done: u64,
    nodes: u64,
}

/// What the status line of a worker shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Whether there is a connection to the server.
    pub connected: bool,
    /// Managers that are there and let it work.
    pub managers: usize,
    /// Jobs that it holds, with the nodes of each so far.
    pub running: Vec<(JobId, u64)>,
    /// Results among them that the server does not have yet.
    pub unsent: usize,
    /// Jobs done since the start.
    pub done: u64,
    /// Nodes of these jobs.
    pub nodes: u64,
}

impl Worker {
    /// A worker that has just started.
    ///
    /// # Panics
    /// If it has no cores or too many, or if a text is too long for a message.
    pub fn new(settings: Settings) -> Worker {
        let cores = usize::from(settings.cores);
        assert!((1..=RUNNING_MAX).contains(&cores), "a worker has a core");
        let worker = Worker {
            settings,
            clock: Clock::default(),
            connected: false,
            managers: Managers::default(),
            held: BTreeMap::new(),
            pulls: Pulls::default(),
            beat_said_ms: 0,
            other_version: None,
            quitting: false,
            left: false,
            done: 0,
            nodes: 0,
        };
        assert!(worker.hello().is_within_limits(), "texts are short");
        worker
    }

    /// Takes note of an event, and says what is to be done, in this order.
    pub fn handle(&mut self, now_ms: u64, event: Event) -> Vec<Effect> {
        self.clock.advance(now_ms);
        let mut effects = Vec::new();
        let out = &mut effects;
        if self.left {
            return effects;
        }
        match event {
            Event::Manager(message) => self.hear(message, out),
            Event::OtherVersion { theirs } => {
                if self.other_version.replace(theirs) != Some(theirs) {
                    let notice = Notice::OtherVersion { theirs, ours: VERSION };
                    out.push(Effect::Notice(notice));
                }
            }
            Event::Assigned { delivery, assignment } => self.assigned(delivery, assignment, out),
            Event::PullOver { number } => self.pulls.over(number),
            Event::Progress { job, nodes, found } => self.progress(job, nodes, found, out),
            Event::Finished { job, nodes, outcome } => self.finished(job, nodes, outcome, out),
            Event::Sent { job } => self.sent(job, out),
            Event::Unsent { job } => self.unsent(job),
            Event::Quit => self.quit(out),
            Event::Connected => {
                self.connected = true;
                self.pulls.reset();
                self.send_unsent(0, out);
                self.beat(out);
            }
            Event::Disconnected => {
                self.connected = false;
                self.pulls.reset();
                self.all_unsent();
            }
            Event::Tick => self.tick(out),
        }
        if self.quitting {
            self.leave_if_empty(out);
        } else {
            self.pull(out);
        }
        assert!(self.held.len() <= self.held_max(), "no more jobs than there is room for");
        effects
    }

    /// Jobs that it does or has at hand, at most.
    fn running_max(&self) -> usize {
        let cores = self.settings.cores;
        (usize::from(cores) + usize::from(ahead(cores))).min(RUNNING_MAX)
    }

    /// All that it has, with the results that the server does not have yet.
    fn held_max(&self) -> usize {
        (2 * self.running_max()).min(RUNNING_MAX)
    }

    /// How many more jobs it can take.
    fn room(&self) -> usize {
        let running = self.held.values().filter(|held| held.is_running()).count();
        let free = self.running_max().saturating_sub(running);
        free.min(self.held_max().saturating_sub(self.held.len()))
    }

    /// What the status line shows.
    pub fn summary(&self) -> Summary {
        Summary {
            connected: self.connected,
            managers: self.managers.serving().count(),
            running: self.held.iter().map(|(&job, held)| (job, held.nodes)).collect(),
            unsent: self.held.values().filter(|held| !held.is_running()).count(),
            done: self.done,
            nodes: self.nodes,
        }
    }

    fn tick(&mut self, out: &mut Vec<Effect>) {
        let now_ms = self.clock.now_ms();
        self.managers.tick(now_ms, self.settings.silence_ms, out);
        if !self.connected {
            return;
        }
        // Often enough for the least patient manager.
        let lease_ms = self.managers.lease_ms().unwrap_or(u64::MAX);
        let beat_ms = self.settings.beat_ms.min(lease_ms / BEATS_A_LEASE);
        if now_ms.saturating_sub(self.beat_said_ms) >= beat_ms {
            self.beat(out);
        }
        self.say_progress(out);
        self.send_unsent(self.settings.resend_ms, out);
    }

    /// Tells every manager that the worker is alive, and what it does.
    fn beat(&mut self, out: &mut Vec<Effect>) {
        self.beat_said_ms = self.clock.now_ms();
        for manager in self.managers.welcoming() {
            let own = self.held.iter().filter(|(_, held)| held.manager == manager);
            let running: Vec<(JobId, u64)> = own.map(|(&job, held)| (job, held.nodes)).collect();
            let elsewhere = self.held.len() - running.len();
            let message = FromWorker::Beat {
                worker: self.settings.id,
                running,
                elsewhere: u16::try_from(elsewhere).unwrap_or(u16::MAX),
                done: self.done,
                nodes: self.nodes,
            };
            out.push(Effect::Say { manager, message });
        }
    }

    fn hello(&self) -> FromWorker {
        FromWorker::Hello {
            worker: self.settings.id,
            name: self.settings.name.clone(),
            version: self.settings.version.clone(),
            signature: self.settings.signature.clone(),
            cores: self.settings.cores,
        }
    }

    /// First hands back what is running, and leaves when the server has all results; the second
    /// time leaves at once.
    fn quit(&mut self, out: &mut Vec<Effect>) {
        if self.quitting {
            self.leave(out);
            return;
        }
        self.quitting = true;
        self.return_running(out);
    }

    fn leave_if_empty(&mut self, out: &mut Vec<Effect>) {
        // Without a connection no result can be sent: its job will be lent again.
        if !self.left && (self.held.is_empty() || !self.connected) {
            self.leave(out);
        }
    }

    fn leave(&mut self, out: &mut Vec<Effect>) {
        self.left = true;
        for manager in self.managers.welcoming() {
            let message = FromWorker::Bye { worker: self.settings.id };
            out.push(Effect::Say { manager, message });
        }
        out.push(Effect::Leave);
    }
}
