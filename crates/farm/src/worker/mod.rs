//! The worker: takes jobs, does them, sends results.
//!
//! It serves all managers that welcome it, one job for each core, user jobs first, and prefetches a
//! few more ([`prefetch`]), so that no core waits for the network. It runs one pull at a time, for
//! as many jobs as it has room for. When it leaves, it returns its running jobs. When it loses the
//! connection, it finishes its jobs, and sends the results later.
//!
//! `managers` tracks the managers and their admissions, `held` the jobs of the worker, `pull` the
//! queue of the next pull.

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
use held::HeldJob;
use managers::Managers;
use pull::Pulls;

/// Least number of beats in the lease of a manager.
const BEATS_A_LEASE: u64 = 9;

/// The number of jobs that a worker prefetches beside those that it does.
pub fn prefetch(cores: u16) -> u16 {
    cores.div_ceil(4)
}

/// The state machine of a worker.
#[derive(Debug)]
pub struct Worker {
    settings: Settings,
    clock: Clock,
    connected: bool,
    managers: Managers,
    held: BTreeMap<JobId, HeldJob>,
    pulls: Pulls,
    beat_sent_ms: u64,
    /// The other version that was reported last.
    other_version: Option<u16>,
    quitting: bool,
    left: bool,
    done: u64,
    nodes: u64,
}

/// The summary of a worker, for its status line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Whether the server is connected.
    pub connected: bool,
    /// The number of present managers that welcome it.
    pub managers: usize,
    /// Its jobs, with the nodes of each so far.
    pub running: Vec<(JobId, u64)>,
    /// How many of them have results that the server has not stored yet.
    pub unsent: usize,
    /// The number of jobs done since the start.
    pub done: u64,
    /// Nodes of these jobs.
    pub nodes: u64,
}

impl Worker {
    /// A new worker.
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
            beat_sent_ms: 0,
            other_version: None,
            quitting: false,
            left: false,
            done: 0,
            nodes: 0,
        };
        assert!(worker.hello().is_within_limits(), "texts are short");
        worker
    }

    /// Handles an event; returns the effects to execute, in this order.
    pub fn handle(&mut self, now_ms: u64, event: Event) -> Vec<Effect> {
        self.clock.advance(now_ms);
        let mut effects = Vec::new();
        let out = &mut effects;
        if self.left {
            return effects;
        }
        match event {
            Event::Manager(message) => self.handle_message(message, out),
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

    /// The largest number of jobs that it does or prefetches.
    fn running_max(&self) -> usize {
        let cores = self.settings.cores;
        (usize::from(cores) + usize::from(prefetch(cores))).min(RUNNING_MAX)
    }

    /// The largest number of its jobs, including those with unsent results.
    fn held_max(&self) -> usize {
        (2 * self.running_max()).min(RUNNING_MAX)
    }

    /// The number of further jobs that it can take.
    fn room(&self) -> usize {
        let running = self.held.values().filter(|held| held.is_running()).count();
        let free = self.running_max().saturating_sub(running);
        free.min(self.held_max().saturating_sub(self.held.len()))
    }

    /// The summary for the status line.
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
        // Often enough for the manager with the shortest lease.
        let lease_ms = self.managers.lease_ms().unwrap_or(u64::MAX);
        let beat_ms = self.settings.beat_ms.min(lease_ms / BEATS_A_LEASE);
        if now_ms.saturating_sub(self.beat_sent_ms) >= beat_ms {
            self.beat(out);
        }
        self.send_progress(out);
        self.send_unsent(self.settings.resend_ms, out);
    }

    /// Sends every manager a beat with its jobs.
    fn beat(&mut self, out: &mut Vec<Effect>) {
        self.beat_sent_ms = self.clock.now_ms();
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
            out.push(Effect::SendTo { manager, message });
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

    /// The first time returns the running jobs, and leaves when the server has stored all results;
    /// the second time leaves at once.
    fn quit(&mut self, out: &mut Vec<Effect>) {
        if self.quitting {
            self.leave(out);
            return;
        }
        self.quitting = true;
        self.return_running(out);
    }

    fn leave_if_empty(&mut self, out: &mut Vec<Effect>) {
        // Without a connection no result can be sent: the manager will publish its job again.
        if !self.left && (self.held.is_empty() || !self.connected) {
            self.leave(out);
        }
    }

    fn leave(&mut self, out: &mut Vec<Effect>) {
        self.left = true;
        for manager in self.managers.welcoming() {
            let message = FromWorker::Bye { worker: self.settings.id };
            out.push(Effect::SendTo { manager, message });
        }
        out.push(Effect::Leave);
    }
}
