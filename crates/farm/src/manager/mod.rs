//! The manager: leases jobs to workers, and trusts none of them.
//!
//! The search submits jobs; the manager publishes them, tracks which worker does which, publishes a
//! job again when its lease ends, has results judged, and writes good ones to the journal. Only
//! after the journal is synced does it acknowledge the result and pass the answer to the search. A
//! crash between any two effects loses no acknowledged result: a result that is not in the journal
//! is still in the stream of results, or the search submits its job again.
//!
//! `job` is the life of a job, `outcome` the handling of results, `audit` the audits, `account` the
//! answers of each worker, `roster` the workers, `closed` the closed jobs, `tokens` the permits for
//! large bodies, `rate` the speed.

mod account;
mod audit;
mod closed;
mod event;
mod job;
mod outcome;
mod rate;
mod roster;
mod settings;
#[cfg(test)]
mod tests;
mod tokens;

use std::collections::{BTreeMap, BTreeSet};

pub use event::{Answered, Effect, Event, Job, Judgement, Notice, OwnAnswer};
pub use roster::{CORES_MAX, WORKERS_MAX};
pub use settings::{AUDIT_ALL, AUDIT_USUAL, Settings};
pub use tokens::{Permit, token};

use crate::clock::Clock;
use crate::id::{JobId, QueueId, WorkerId};
use crate::journal::{Author, JournalRecord};
use crate::status::{Basis, DroppedRow, Status, Warning, WarningKind};
use crate::wire::{Priority, STATUS_ROWS_MAX, ToWorker};
use account::Accounts;
use audit::Audits;
use closed::Closed;
use job::{JobStage, Open};
use outcome::{EarlyResult, Pending, Recorded};
use rate::Rate;
use roster::Roster;

/// Largest number of open jobs; the search should stay far below it.
pub const OPEN_MAX: usize = 1 << 16;

/// Number of jobs that the search should keep open even without a worker.
const CAPACITY_MIN: usize = 2;
/// Largest size of a text in the settings: several of them must fit into one text of a message.
pub const SETTING_BYTES_MAX: usize = 200;
/// Largest number of dropped workers in a status.
const DROPPED_ROWS_MAX: usize = 64;

/// The manager of one search.
#[derive(Debug)]
pub struct Manager {
    settings: Settings,
    clock: Clock,
    connected: bool,
    announced_ms: Option<u64>,
    open: BTreeMap<JobId, Open>,
    closed: Closed,
    /// Answers in the journal whose jobs the search has not submitted since the start.
    recorded: BTreeMap<JobId, Recorded>,
    /// Results of jobs that the search has not submitted yet.
    early: BTreeMap<JobId, EarlyResult>,
    /// What follows when a record is on disk, by its number.
    pending: BTreeMap<u64, Pending>,
    record_next: u64,
    roster: Roster,
    /// The answers of each worker without a certificate.
    accounts: Accounts,
    audits: Audits,
    /// The number of the queues, which depends on the workers dropped before their creation.
    epoch: u64,
    /// When they were created, since the start.
    renewed_ms: Option<u64>,
    /// The warnings of the program, with their counts.
    counted: BTreeMap<WarningKind, u64>,
    /// The warnings that were reported.
    warned: BTreeSet<WarningKind>,
    rate: Rate,
    answered: u64,
    given_up: u64,
}

impl Manager {
    /// A manager that starts from the records of its journal.
    ///
    /// # Panics
    /// If a text of the settings is too long for a message.
    pub fn new(settings: Settings, records: impl IntoIterator<Item = JournalRecord>) -> Manager {
        let texts = [&settings.url, &settings.signature, &settings.version];
        assert!(texts.iter().all(|text| text.len() <= SETTING_BYTES_MAX), "texts are short");
        let mut manager = Manager {
            settings,
            clock: Clock::default(),
            connected: false,
            announced_ms: None,
            open: BTreeMap::new(),
            closed: Closed::default(),
            recorded: BTreeMap::new(),
            early: BTreeMap::new(),
            pending: BTreeMap::new(),
            record_next: 0,
            roster: Roster::default(),
            accounts: Accounts::default(),
            audits: Audits::default(),
            epoch: 0,
            renewed_ms: None,
            counted: BTreeMap::new(),
            warned: BTreeSet::new(),
            rate: Rate::default(),
            answered: 0,
            given_up: 0,
        };
        // The workers that answered jobs without a certificate.
        let mut authors = BTreeMap::new();
        for record in records {
            manager.record_next += 1;
            match record {
                JournalRecord::Answer { key, nodes, record } => {
                    let job = JobId::of(manager.settings.id, &key);
                    let (unsure, body) = (None, [0; 32]);
                    manager.recorded.insert(job, Recorded { nodes, record, unsure, body });
                }
                JournalRecord::Answered { key, nodes, record, by, certified, body } => {
                    let job = JobId::of(manager.settings.id, &key);
                    let unsure = by.unsure(certified);
                    manager.recorded.insert(job, Recorded { nodes, record, unsure, body });
                    if let Some(before) = authors.remove(&job) {
                        manager.accounts.forget(before, job);
                    }
                    if let Some(worker) = unsure {
                        manager.accounts.give(worker, job, nodes);
                        authors.insert(job, worker);
                    }
                }
                JournalRecord::Audited { job, by } => match (authors.get(&job), by) {
                    (Some(&worker), Author::Own) => {
                        manager.accounts.confirm(worker, job);
                        if let Some(recorded) = manager.recorded.get_mut(&job) {
                            recorded.unsure = None;
                        }
                    }
                    (Some(&worker), Author::Worker(by)) => manager.accounts.again(worker, job, by),
                    (None, _) => {}
                },
                JournalRecord::Dropped { worker, name, why } => {
                    manager.roster.remember_dropped(worker, &name, &why);
                    for (job, _) in manager.accounts.take_back(worker) {
                        manager.recorded.remove(&job);
                    }
                }
            }
        }
        manager.epoch = manager.roster.epoch();
        manager
    }

    /// The answers of the journal that the search may use without submitting their jobs: job, nodes
    /// and record. It lacks those of hardly audited workers: on submission the manager gives them
    /// at once, and may audit them.
    pub fn recorded(&self) -> impl Iterator<Item = (JobId, u64, &[u8])> {
        let is_sure = |worker: WorkerId| self.is_audited(worker);
        let known = self.recorded.iter().filter(move |(_, it)| it.unsure.is_none_or(is_sure));
        known.map(|(&job, it)| (job, it.nodes, it.record.as_slice()))
    }

    /// The number of answers in the journal.
    pub fn recorded_count(&self) -> usize {
        self.recorded.len()
    }

    /// The id of the queues for welcome workers.
    pub fn queue(&self) -> QueueId {
        let bytes = [b"queue", &self.epoch.to_le_bytes()[..]].concat();
        let hash = blake3::keyed_hash(&self.settings.secret, &bytes);
        let mut name = [0; 16];
        name.copy_from_slice(&hash.as_bytes()[..16]);
        QueueId(name)
    }

    /// Handles an event; returns the effects to execute, in this order.
    pub fn handle(&mut self, now_ms: u64, event: Event) -> Vec<Effect> {
        self.clock.advance(now_ms);
        let mut effects = Vec::new();
        let out = &mut effects;
        match event {
            Event::Submit(job) => self.submit(job, out),
            Event::Withdraw(job) => self.withdraw(job, out),
            Event::Worker(message) => self.handle_message(message, out),
            Event::Result { delivery, result } => self.result(delivery, result, out),
            Event::Judged { delivery, job, worker, verdict } => {
                self.judged(delivery, job, worker, verdict, out);
            }
            Event::Performed { audit, answer } => self.performed(audit, answer, out),
            Event::Settle => self.audits.settling = true,
            Event::Warned(kind) => self.warn(kind, out),
            Event::Synced { upto } => self.synced(upto, out),
            Event::Unpublished { job, attempt } => self.unpublished(job, attempt),
            Event::Connected => self.connect(out),
            Event::Disconnected => self.connected = false,
            Event::Tick => self.tick(out),
        }
        self.advance_audits(out);
        if self.connected {
            self.renew_queues(out);
        }
        if cfg!(debug_assertions) {
            self.assert_invariants();
        }
        effects
    }

    /// The number of jobs that the search should keep open: as many as the present workers do or
    /// prefetch, so that a worker rarely waits for the next one. The search would choose more
    /// without knowing the answers to the others, so that more of them would be useless.
    pub fn capacity(&self) -> usize {
        self.roster.room().clamp(CAPACITY_MIN, OPEN_MAX)
    }

    /// The number of open jobs.
    pub fn open_count(&self) -> usize {
        self.open.len()
    }

    /// The key of an open job or of an audit, which the judge needs.
    pub fn key_of(&self, job: JobId) -> Option<&[u8]> {
        let open = self.open.get(&job).map(|open| open.job.key.as_slice());
        open.or_else(|| self.audited_key(job))
    }

    /// The status.
    pub fn status(&self) -> Status {
        let now_ms = self.clock.now_ms();
        let count = |wanted: &dyn Fn(&Open) -> bool| {
            self.open.values().filter(|open| wanted(open)).count() as u64
        };
        let queued = |priority: Priority| {
            count(&|open| {
                matches!(open.state, JobStage::Waiting | JobStage::Queued { .. })
                    && open.job.priority == priority
            })
        };
        let running = count(&|open| matches!(open.state, JobStage::Running { .. }));
        let (queued_user, queued_auto) = (queued(Priority::User), queued(Priority::Auto));
        let minute = self.rate.last_minute(now_ms);
        let oldest_ms = self.open.values().map(|open| now_ms.saturating_sub(open.asked_ms)).max();
        let dropped = self
            .roster
            .dropped()
            .map(|(name, why)| DroppedRow { name: name.to_string(), why: why.to_string() });
        let mut dropped: Vec<DroppedRow> = dropped.collect();
        dropped.drain(..dropped.len().saturating_sub(DROPPED_ROWS_MAX));
        Status {
            manager: self.settings.id,
            version: self.settings.version.clone(),
            signature: self.settings.signature.clone(),
            up_ms: now_ms,
            connected: self.connected,
            worker_count: self.roster.size().0,
            core_count: self.roster.size().1,
            workers: self.roster.rows(now_ms).take(STATUS_ROWS_MAX).collect(),
            dropped,
            queued_user,
            queued_auto,
            running,
            judging: self.open.len() as u64 - queued_user - queued_auto - running,
            answered: self.answered,
            given_up: self.given_up,
            answered_last_minute: minute.jobs,
            nodes_last_minute: minute.nodes,
            nodes: self.rate.nodes(),
            oldest_ms: oldest_ms.unwrap_or(0),
            basis: Basis {
                dropped: self.roster.dropped_count(),
                audit: self.settings.audit,
                ..self.accounts.basis()
            },
            warnings: self.warnings(),
        }
    }

    /// The warnings for the operator.
    fn warnings(&self) -> Vec<Warning> {
        let dropped = (WarningKind::WorkerDropped, self.roster.dropped_count());
        let silent = self.roster.without_answers(self.clock.now_ms(), &self.settings);
        let mut all = vec![
            (WarningKind::TooManyWorkers, self.roster.turned_away()),
            (WarningKind::NoAnswers, silent),
            dropped,
        ];
        all.extend(self.counted.iter().map(|(&kind, &count)| (kind, count)));
        all.retain(|(_, count)| *count > 0);
        all.into_iter().map(|(kind, count)| self.warning(kind, count)).collect()
    }

    fn warning(&self, kind: WarningKind, count: u64) -> Warning {
        let text = match kind {
            WarningKind::TooManyWorkers => format!(
                "more than {WORKERS_MAX} workers have asked for jobs; {count} were refused or \
                 removed"
            ),
            WarningKind::NoAnswers => {
                format!("{count} workers are present and have never answered a job")
            }
            WarningKind::WorkerDropped => {
                let last = self.roster.dropped().last().map(|(name, why)| format!("{name}: {why}"));
                format!("{count} workers dropped, the last: {}", last.unwrap_or_default())
            }
            WarningKind::StreamMissing => format!(
                "a stream of the NATS server was missing {count} times, and was created again: a \
                 client deletes streams"
            ),
            WarningKind::JobsLost => format!(
                "{count} jobs vanished from the queue, and were published again: a client purges \
                 the stream, or takes jobs without a message"
            ),
            WarningKind::OpenServer => return Warning::open_server(),
        };
        Warning { kind, text, count }
    }

    /// Counts a warning, and reports the first of its kind.
    fn warn(&mut self, kind: WarningKind, out: &mut Vec<Effect>) {
        let count = self.counted.entry(kind).or_default();
        *count += 1;
        let count = *count;
        if count == 1 || kind == WarningKind::StreamMissing {
            out.push(Effect::Notice(Notice::Warning(self.warning(kind, count))));
        }
    }

    /// Reports the first warning of each kind about workers.
    fn warn_about_workers(&mut self, out: &mut Vec<Effect>) {
        let now_ms = self.clock.now_ms();
        let silent = self.roster.without_answers(now_ms, &self.settings);
        for (kind, count) in [
            (WarningKind::TooManyWorkers, self.roster.turned_away()),
            (WarningKind::NoAnswers, silent),
        ] {
            if count > 0 && self.warned.insert(kind) {
                out.push(Effect::Notice(Notice::Warning(self.warning(kind, count))));
            }
        }
    }

    fn connect(&mut self, out: &mut Vec<Effect>) {
        let now_ms = self.clock.now_ms();
        self.connected = true;
        self.announce(out);
        self.roster.forgive(now_ms);
        self.requeue_audits();
        // Jobs published before the connection was lost may be gone. Running jobs may still run:
        // their workers have the time of a lease to report.
        for id in self.open.keys().copied().collect::<Vec<JobId>>() {
            let Some(open) = self.open.get_mut(&id) else { continue };
            match &mut open.state {
                JobStage::Running { holders } => {
                    holders.iter_mut().for_each(|holder| holder.seen_ms = now_ms);
                }
                JobStage::Waiting | JobStage::Queued { .. } => {
                    self.publish(id, "the connection was lost", out);
                }
                JobStage::Judging { .. } | JobStage::Recording { .. } => {}
            }
        }
    }

    fn announce(&mut self, out: &mut Vec<Effect>) {
        self.announced_ms = Some(self.clock.now_ms());
        out.push(Effect::Broadcast(ToWorker::Here {
            manager: self.settings.id,
            signature: self.settings.signature.clone(),
            version: self.settings.version.clone(),
            lease_ms: self.settings.lease_ms,
            epoch: self.epoch,
        }));
    }

    fn tick(&mut self, out: &mut Vec<Effect>) {
        let now_ms = self.clock.now_ms();
        if self.is_past_orphans() {
            out.extend(
                self.early.values().map(|early| Effect::Acknowledge { delivery: early.delivery }),
            );
            self.early.clear();
        }
        // Without a connection, the silence of a worker means nothing.
        if !self.connected {
            return;
        }
        let here_due_ms = self.announced_ms.map_or(0, |at_ms| at_ms + self.settings.here_ms);
        if now_ms >= here_due_ms {
            self.announce(out);
        }
        self.roster.tick(now_ms, &self.settings, out);
        self.warn_about_workers(out);
        self.republish_lost(out);
        self.take_over_late_audits();
    }

    /// Whether the search had time to submit its jobs again after a restart.
    fn is_past_orphans(&self) -> bool {
        self.clock.now_ms() >= self.settings.orphan_ms
    }

    /// Asserts the invariants between events.
    fn assert_invariants(&self) {
        assert!(self.pending.keys().all(|&number| number < self.record_next));
        for (id, open) in &self.open {
            assert!(*id == open.job.id && !self.recorded.contains_key(id));
            match &open.state {
                JobStage::Recording { number } => {
                    let pending = self.pending.get(number);
                    let is_its = |job: &JobId| job == id;
                    assert!(matches!(pending, Some(Pending::Answer { job, .. }) if is_its(job)));
                }
                JobStage::Running { holders } => {
                    assert!(!holders.is_empty());
                    assert!(holders.iter().all(|holder| !self.roster.is_dropped(holder.worker)));
                }
                JobStage::Waiting | JobStage::Queued { .. } | JobStage::Judging { .. } => {}
            }
        }
        let welcomed: BTreeSet<WorkerId> = self.roster.ids().collect();
        assert!(welcomed.iter().all(|&worker| !self.roster.is_dropped(worker)));
    }
}
