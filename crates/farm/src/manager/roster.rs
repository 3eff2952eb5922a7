//! The workers of a manager: welcome, silent and dropped ones.

use std::collections::{BTreeMap, BTreeSet};

use super::Manager;
use super::event::{Effect, Notice};
use super::outcome::truncated;
use super::settings::Settings;
use crate::id::{JobId, WorkerId};
use crate::status::WorkerRow;
use crate::wire::{FromWorker, ToWorker};
use crate::worker::prefetch;

/// Largest number of workers.
pub const WORKERS_MAX: usize = 1 << 12;
/// Largest number of cores, of all workers together, that count for the capacity.
pub const CORES_MAX: usize = 1 << 16;
/// Least number of jobs for all workers together that have never answered one: they may not exist.
const NEWCOMERS_ROOM: usize = 256;
/// Least number of workers without an answer for a warning.
const NO_ANSWERS_MIN: u64 = 64;
/// Number of workers up to which each new one is reported.
const JOIN_NOTICES_MAX: usize = 256;
/// Number of late jobs, without an answer in between, at which a worker is dropped.
const LATE_MAX: u32 = 3;
/// Largest number of dropped workers to remember; ids are random, so that old ones do not matter.
const DROPPED_MAX: usize = 1 << 12;
/// Largest number of refused workers to remember, each of which is reported once.
const REFUSED_MAX: usize = 1 << 10;
/// Ratio of the silence that removes a lost worker to [`Settings::silence_ms`].
const FORGOTTEN: u64 = 10;
/// Largest size of a name, of a version, and of a displayed signature.
const NAME_BYTES_MAX: usize = 100;

/// A welcome worker.
#[derive(Debug)]
struct Member {
    name: String,
    version: String,
    cores: u16,
    running: u16,
    done: u64,
    nodes: u64,
    seen_ms: u64,
    /// Time of the first of its latest beats with a free core.
    idle_ms: Option<u64>,
    lost: bool,
    joined_ms: u64,
    /// Whether it has sent a good result, and the time of the last one.
    has_answered: bool,
    answered_ms: u64,
    /// The number of its late jobs since its last answer.
    late: u32,
}

impl Member {
    fn is_idle(&self, now_ms: u64, settings: &Settings) -> bool {
        let idle_ms = self.idle_ms.map(|since_ms| now_ms.saturating_sub(since_ms));
        !self.lost && idle_ms.is_some_and(|idle_ms| idle_ms >= settings.idle_ms)
    }
}

/// A worker that was dropped.
#[derive(Debug)]
struct Dropped {
    number: u64,
    name: String,
    why: String,
}

/// All workers of a manager.
#[derive(Debug, Default)]
pub(super) struct Roster {
    members: BTreeMap<WorkerId, Member>,
    dropped: BTreeMap<WorkerId, Dropped>,
    dropped_next: u64,
    /// A hash of all dropped workers, in their order.
    epoch: u64,
    refused: BTreeSet<WorkerId>,
    /// The number of workers that were refused or removed because there were too many.
    turned_away: u64,
}

impl Roster {
    /// The number of jobs that the present workers do or prefetch.
    pub(super) fn room(&self) -> usize {
        let (mut known, mut new) = (0, 0);
        for member in self.members.values().filter(|member| !member.lost) {
            let room = usize::from(member.cores) + usize::from(prefetch(member.cores));
            *(if member.has_answered { &mut known } else { &mut new }) += room;
        }
        (known + new.min(known.max(NEWCOMERS_ROOM))).min(CORES_MAX)
    }

    /// The number of present workers, and of their cores.
    pub(super) fn size(&self) -> (u64, u64) {
        let there = self.members.values().filter(|member| !member.lost);
        there.fold((0, 0), |sum, member| (sum.0 + 1, sum.1 + u64::from(member.cores)))
    }

    /// The number of the queues that no dropped worker may know. It depends on which workers were
    /// dropped, not on how many: a manager that crashes before it has recorded a dropped worker may
    /// drop another one later, which knows the queues that were created for the first.
    pub(super) fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The number of workers ever dropped.
    pub(super) fn dropped_count(&self) -> u64 {
        self.dropped_next
    }

    pub(super) fn turned_away(&self) -> u64 {
        self.turned_away
    }

    /// The number of workers that joined long ago and never answered, if it deserves a warning.
    pub(super) fn without_answers(&self, now_ms: u64, settings: &Settings) -> u64 {
        let is_old = |member: &&Member| {
            now_ms.saturating_sub(member.joined_ms) >= settings.silence_ms && !member.has_answered
        };
        let count = self.members.values().filter(is_old).count() as u64;
        if count >= NO_ANSWERS_MIN { count } else { 0 }
    }

    /// Notes a good result of a worker.
    pub(super) fn answered(&mut self, worker: WorkerId, now_ms: u64) {
        if let Some(member) = self.members.get_mut(&worker) {
            (member.has_answered, member.answered_ms, member.late) = (true, now_ms, 0);
        }
    }

    /// Whether a worker has answered nothing since a time.
    pub(super) fn has_no_answer_since(&self, worker: WorkerId, since_ms: u64) -> bool {
        let member = self.members.get(&worker);
        member.is_none_or(|member| !member.has_answered || member.answered_ms < since_ms)
    }

    /// Counts a late job of a worker; whether that is one too many.
    pub(super) fn count_late(&mut self, worker: WorkerId) -> bool {
        let Some(member) = self.members.get_mut(&worker) else { return false };
        member.late += 1;
        member.late >= LATE_MAX
    }

    /// Whether another worker is present.
    pub(super) fn has_other(&self, worker: WorkerId) -> bool {
        self.members.iter().any(|(&other, member)| other != worker && !member.lost)
    }

    /// The idle workers, with their free cores.
    pub(super) fn idle_cores(&self, now_ms: u64, settings: &Settings) -> BTreeMap<WorkerId, u16> {
        let idle = self.members.iter().filter(|(_, member)| member.is_idle(now_ms, settings));
        idle.map(|(&worker, m)| (worker, m.cores.saturating_sub(m.running))).collect()
    }

    /// Makes room for another worker: removes the longest silent one that has never answered.
    /// Whether there is room now.
    fn make_room(&mut self) -> bool {
        if self.members.len() < WORKERS_MAX {
            return true;
        }
        self.turned_away += 1;
        let silent = self.members.iter().filter(|(_, member)| !member.has_answered);
        let silent = silent.min_by_key(|(_, member)| member.seen_ms).map(|(&worker, _)| worker);
        silent.is_some_and(|worker| self.members.remove(&worker).is_some())
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = WorkerId> {
        self.members.keys().copied()
    }

    pub(super) fn is_dropped(&self, worker: WorkerId) -> bool {
        self.dropped.contains_key(&worker)
    }

    pub(super) fn remember_dropped(&mut self, worker: WorkerId, name: &str, why: &str) {
        let number = self.dropped_next;
        self.dropped_next += 1;
        let hash = blake3::hash(&[&self.epoch.to_le_bytes()[..], &worker.0].concat());
        self.epoch =
            hash.as_bytes().iter().take(8).fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        let (name, why) = (name.to_string(), why.to_string());
        self.dropped.insert(worker, Dropped { number, name, why });
        while self.dropped.len() > DROPPED_MAX {
            let oldest = self.dropped.iter().min_by_key(|(_, dropped)| dropped.number);
            let Some(oldest) = oldest.map(|(&worker, _)| worker) else { break };
            self.dropped.remove(&oldest);
        }
    }

    /// Drops a worker; returns its name.
    pub(super) fn drop_worker(&mut self, worker: WorkerId, why: &str) -> String {
        let name = self.members.remove(&worker).map_or_else(|| worker.to_string(), |m| m.name);
        self.remember_dropped(worker, &name, why);
        name
    }

    /// Names and reasons of dropped workers, the latest last.
    pub(super) fn dropped(&self) -> impl Iterator<Item = (&str, &str)> {
        let mut dropped: Vec<&Dropped> = self.dropped.values().collect();
        dropped.sort_by_key(|dropped| dropped.number);
        dropped.into_iter().map(|dropped| (dropped.name.as_str(), dropped.why.as_str()))
    }

    /// After a lost connection, all times of silence start again.
    pub(super) fn forgive(&mut self, now_ms: u64) {
        for member in self.members.values_mut().filter(|member| !member.lost) {
            (member.seen_ms, member.idle_ms) = (now_ms, None);
        }
    }

    pub(super) fn tick(&mut self, now_ms: u64, settings: &Settings, out: &mut Vec<Effect>) {
        let silence_ms = settings.silence_ms;
        for (&worker, member) in &mut self.members {
            if !member.lost && now_ms.saturating_sub(member.seen_ms) >= silence_ms {
                (member.lost, member.idle_ms) = (true, None);
                let name = member.name.clone();
                out.push(Effect::Notice(Notice::Lost { worker, name }));
            }
        }
        let gone_ms = silence_ms.saturating_mul(FORGOTTEN);
        self.members.retain(|_, member| now_ms.saturating_sub(member.seen_ms) < gone_ms);
    }

    /// Whether a worker is idle.
    pub(super) fn has_idle(&self, now_ms: u64, settings: &Settings) -> bool {
        self.members.values().any(|member| member.is_idle(now_ms, settings))
    }

    pub(super) fn rows(&self, now_ms: u64) -> impl Iterator<Item = WorkerRow> {
        self.members.iter().map(move |(&worker, member)| WorkerRow {
            worker,
            name: member.name.clone(),
            version: member.version.clone(),
            cores: member.cores,
            running: member.running,
            done: member.done,
            nodes: member.nodes,
            silent_ms: now_ms.saturating_sub(member.seen_ms),
            lost: member.lost,
        })
    }
}

impl Manager {
    pub(super) fn handle_message(&mut self, message: FromWorker, out: &mut Vec<Effect>) {
        let worker = match &message {
            FromWorker::Hello { worker, .. }
            | FromWorker::Beat { worker, .. }
            | FromWorker::Started { worker, .. }
            | FromWorker::Partial { worker, .. }
            | FromWorker::Returned { worker, .. }
            | FromWorker::Bye { worker } => *worker,
        };
        let manager = self.settings.id;
        if let Some(dropped) = self.roster.dropped.get(&worker) {
            // It may have missed the dismissal; only `Hello` and `Beat` expect an answer.
            if matches!(message, FromWorker::Hello { .. } | FromWorker::Beat { .. }) {
                let why = dropped.why.clone();
                let message = ToWorker::Dismissed { manager, worker, why };
                out.push(Effect::SendTo { worker, message });
            }
            return;
        }
        if let FromWorker::Hello { name, version, signature, cores, .. } = message {
            self.admit(worker, name, version, &signature, cores, out);
            return;
        }
        let now_ms = self.clock.now_ms();
        let Some(member) = self.roster.members.get_mut(&worker) else {
            if matches!(message, FromWorker::Beat { .. } | FromWorker::Started { .. }) {
                let message = ToWorker::Introduce { manager, worker };
                out.push(Effect::SendTo { worker, message });
            }
            return;
        };
        (member.seen_ms, member.lost) = (now_ms, false);
        match message {
            FromWorker::Hello { .. } => {}
            FromWorker::Beat { running, elsewhere, done, nodes, .. } => {
                let held = u16::try_from(running.len()).unwrap_or(u16::MAX);
                member.running = held.saturating_add(elsewhere);
                (member.done, member.nodes) = (done, nodes);
                let is_idle = member.running < member.cores;
                member.idle_ms = is_idle.then_some(member.idle_ms.unwrap_or(now_ms));
                for (job, _) in running {
                    self.renew_or_cancel(job, worker, out);
                }
            }
            FromWorker::Started { job, .. } => self.renew_or_cancel(job, worker, out),
            FromWorker::Partial { job, nodes, found, .. } => {
                if self.open.contains_key(&job) && self.renew_lease(job, worker) {
                    out.push(Effect::Partial { job, nodes, found });
                }
            }
            FromWorker::Returned { job, .. } => self.returned(job, worker),
            FromWorker::Bye { .. } => {
                let name = self.roster.members.remove(&worker).map_or(String::new(), |m| m.name);
                for job in self.running_at(worker) {
                    self.returned(job, worker);
                }
                out.push(Effect::Notice(Notice::Left { worker, name }));
            }
        }
    }

    fn renew_or_cancel(&mut self, job: JobId, worker: WorkerId, out: &mut Vec<Effect>) {
        if !self.renew_lease(job, worker) {
            self.cancel_at(job, worker, out);
        }
    }

    /// Sends a worker the queues that it may take jobs from.
    fn welcome(&self, worker: WorkerId, out: &mut Vec<Effect>) {
        let (manager, epoch, queue) = (self.settings.id, self.epoch, self.queue());
        let message = ToWorker::Welcome { manager, worker, epoch, queue };
        out.push(Effect::SendTo { worker, message });
    }

    /// After a worker was dropped, gives the others new queues with an id that it does not know;
    /// but at most once in [`Settings::idle_ms`].
    pub(super) fn renew_queues(&mut self, out: &mut Vec<Effect>) {
        let now_ms = self.clock.now_ms();
        let is_new = |at_ms: u64| now_ms.saturating_sub(at_ms) < self.settings.idle_ms;
        if self.epoch == self.roster.epoch() || self.renewed_ms.is_some_and(is_new) {
            return;
        }
        (self.epoch, self.renewed_ms) = (self.roster.epoch(), Some(now_ms));
        out.push(Effect::Queue { queue: self.queue() });
        for worker in self.roster.ids().collect::<Vec<WorkerId>>() {
            self.welcome(worker, out);
        }
    }

    /// Admits or refuses a worker.
    fn admit(
        &mut self,
        worker: WorkerId,
        name: String,
        version: String,
        signature: &str,
        cores: u16,
        out: &mut Vec<Effect>,
    ) {
        let (name, version) =
            (truncated(&name, NAME_BYTES_MAX), truncated(&version, NAME_BYTES_MAX));
        let (manager, now_ms) = (self.settings.id, self.clock.now_ms());
        let is_known = self.roster.members.contains_key(&worker);
        let why = if signature != self.settings.signature {
            let (ours, theirs) = (&self.settings.signature, truncated(signature, NAME_BYTES_MAX));
            Some(format!(
                "the worker's bench signature is {theirs} (version {version}), the manager's is \
                 {ours} (version {}): build both from the same source",
                self.settings.version
            ))
        } else if cores == 0 {
            Some("a worker without cores cannot do a job".to_string())
        } else if !is_known && !self.roster.make_room() {
            Some(format!("there are {WORKERS_MAX} workers already"))
        } else {
            None
        };
        if let Some(why) = why {
            self.roster.members.remove(&worker);
            let message = ToWorker::Refused { manager, worker, why: why.clone() };
            out.push(Effect::SendTo { worker, message });
            // It asks again and again; the user sees one report.
            let refused = &mut self.roster.refused;
            if refused.len() < REFUSED_MAX && refused.insert(worker) {
                out.push(Effect::Notice(Notice::Refused { name, why }));
            }
            return;
        }
        self.welcome(worker, out);
        if !is_known && self.roster.members.len() < JOIN_NOTICES_MAX {
            let name = name.clone();
            out.push(Effect::Notice(Notice::Joined { worker, name, cores }));
        }
        let member = self.roster.members.entry(worker).or_insert(Member {
            name: String::new(),
            version: String::new(),
            cores,
            running: 0,
            done: 0,
            nodes: 0,
            seen_ms: now_ms,
            idle_ms: None,
            lost: false,
            joined_ms: now_ms,
            has_answered: false,
            answered_ms: 0,
            late: 0,
        });
        (member.name, member.version, member.cores) = (name, version, cores);
        (member.seen_ms, member.lost) = (now_ms, false);
    }
}
