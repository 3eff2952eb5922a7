//! The manager: lends jobs to workers, and believes nobody.
//!
//! The search asks for jobs; the manager publishes them, hears from workers who does what, lends
//! again what seems to be lost, has results judged, and writes what is good to the journal. Only
//! when the journal is synced, the result is acknowledged and the search is told. A crash between
//! any two effects loses nothing that was acknowledged: what is not in the journal is still in
//! the stream of results, or is asked for again by the search.
//!
//! `job` is the life of a job, `outcome` what becomes of results, `roster` the workers, `closed`
//! which jobs are over, `rate` how fast it goes.

mod closed;
mod event;
mod job;
mod outcome;
mod rate;
mod roster;
mod settings;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

pub use event::{Answered, Effect, Event, Job, Notice, Verdict};
pub use settings::Settings;

use crate::clock::Clock;
use crate::id::{JobId, WorkerId};
use crate::journal::Record;
use crate::status::{DroppedRow, Status};
use crate::wire::{Body, Priority, STATUS_ROWS_MAX, ToWorker};
use closed::Closed;
use job::{Open, State};
use outcome::{Held, Pending, Recorded};
use rate::Rate;
use roster::Roster;

/// Jobs that may be open at once; the search should stay far below.
pub const OPEN_MAX: usize = 1 << 16;

/// The search should have so many jobs open even if there is no worker.
const CAPACITY_MIN: usize = 2;
/// Bytes of a text in the settings: several of them must fit into a text of a message.
pub const SETTING_BYTES_MAX: usize = 200;
/// Dropped workers in a status.
const DROPPED_ROWS_MAX: usize = 64;
/// Tokens of so many attempts before the last one are still good.
const TOKEN_ATTEMPTS: u32 = 16;

/// The manager of one search.
#[derive(Debug)]
pub struct Manager {
    settings: Settings,
    clock: Clock,
    connected: bool,
    here_said_ms: Option<u64>,
    open: BTreeMap<JobId, Open>,
    closed: Closed,
    /// Answers that are in the journal, and that the search has not asked for in this life.
    recorded: BTreeMap<JobId, Recorded>,
    /// Results of jobs that the search has not asked for yet.
    held: BTreeMap<JobId, Held>,
    /// What waits for the journal, by the number of its record.
    pending: BTreeMap<u64, Pending>,
    record_next: u64,
    roster: Roster,
    rate: Rate,
    answered: u64,
    given_up: u64,
}

impl Manager {
    /// A manager that knows what its journal has.
    ///
    /// # Panics
    /// If a text of the settings is too long for a message.
    pub fn new(settings: Settings, records: impl IntoIterator<Item = Record>) -> Manager {
        let texts = [&settings.url, &settings.signature, &settings.version];
        assert!(texts.iter().all(|text| text.len() <= SETTING_BYTES_MAX), "texts are short");
        let mut manager = Manager {
            settings,
            clock: Clock::default(),
            connected: false,
            here_said_ms: None,
            open: BTreeMap::new(),
            closed: Closed::default(),
            recorded: BTreeMap::new(),
            held: BTreeMap::new(),
            pending: BTreeMap::new(),
            record_next: 0,
            roster: Roster::default(),
            rate: Rate::default(),
            answered: 0,
            given_up: 0,
        };
        for record in records {
            manager.record_next += 1;
            match record {
                Record::Answer { key, nodes, record } => {
                    let job = JobId::of(manager.settings.id, &key);
                    manager.recorded.insert(job, Recorded { nodes, record });
                }
                Record::Dropped { worker, name, why } => {
                    manager.roster.remember_dropped(worker, &name, &why);
                }
            }
        }
        manager
    }

    /// Takes note of an event, and says what is to be done, in this order.
    pub fn handle(&mut self, now_ms: u64, event: Event) -> Vec<Effect> {
        self.clock.advance(now_ms);
        let mut effects = Vec::new();
        let out = &mut effects;
        match event {
            Event::Submit(job) => self.submit(job, out),
            Event::Withdraw(job) => self.withdraw(job, out),
            Event::Worker(message) => self.hear(message, out),
            Event::Result { delivery, result } => self.result(delivery, result, out),
            Event::Judged { delivery, job, worker, verdict } => {
                self.judged(delivery, job, worker, verdict, out);
            }
            Event::Synced { upto } => self.synced(upto, out),
            Event::Unpublished { job, attempt } => self.unpublished(job, attempt),
            Event::Connected => self.connect(out),
            Event::Disconnected => self.connected = false,
            Event::Tick => self.tick(out),
        }
        if cfg!(debug_assertions) {
            self.assert_invariants();
        }
        effects
    }

    /// How many jobs the search should have open: as many as the workers that are there do or have
    /// at hand, so that hardly anybody waits for the next one. More would be chosen without knowing
    /// the answers to the others, and be done in vain more often.
    pub fn capacity(&self) -> usize {
        self.roster.room().clamp(CAPACITY_MIN, OPEN_MAX)
    }

    /// How many jobs are open.
    pub fn open_count(&self) -> usize {
        self.open.len()
    }

    /// The key of an open job: what its result is to be judged by.
    pub fn key_of(&self, job: JobId) -> Option<&[u8]> {
        self.open.get(&job).map(|open| open.job.key.as_slice())
    }

    /// The body of an open job, for workers who fetch it with this token.
    pub fn fetch(&self, job: JobId, token: &[u8; 32]) -> Option<&Body> {
        let open = self.open.get(&job)?;
        self.attempt_of(open, token).map(|_| &open.job.body)
    }

    /// Whether a body may be left for an open job with this token. Once: the token is used up.
    pub fn use_up(&mut self, job: JobId, token: &[u8; 32]) -> bool {
        let Some(attempt) = self.open.get(&job).and_then(|open| self.attempt_of(open, token))
        else {
            return false;
        };
        self.open.get_mut(&job).is_some_and(|open| open.used.insert(attempt))
    }

    /// The attempt whose token this is. Attempts of an earlier life count too: their numbers start
    /// again, and the secret is the same.
    fn attempt_of(&self, open: &Open, token: &[u8; 32]) -> Option<u32> {
        let last = open.attempt.max(TOKEN_ATTEMPTS);
        let attempts = last.saturating_sub(TOKEN_ATTEMPTS)..=last;
        // A token is no password that people choose: comparing it tells nothing useful in time,
        // and blake3's own comparison takes the same time for all anyway.
        attempts
            .rev()
            .find(|&attempt| self.token(open.job.id, attempt) == blake3::Hash::from_bytes(*token))
    }

    fn token(&self, job: JobId, attempt: u32) -> blake3::Hash {
        let mut bytes = job.0.to_vec();
        bytes.extend(attempt.to_le_bytes());
        blake3::keyed_hash(&self.settings.secret, &bytes)
    }

    /// What people are shown.
    pub fn status(&self) -> Status {
        let now_ms = self.clock.now_ms();
        let count = |wanted: &dyn Fn(&Open) -> bool| {
            self.open.values().filter(|open| wanted(open)).count() as u64
        };
        let queued = |priority: Priority| {
            count(&|open| {
                matches!(open.state, State::Waiting | State::Queued { .. })
                    && open.job.priority == priority
            })
        };
        let running = count(&|open| matches!(open.state, State::Running { .. }));
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
        }
    }

    fn connect(&mut self, out: &mut Vec<Effect>) {
        let now_ms = self.clock.now_ms();
        self.connected = true;
        self.say_here(out);
        self.roster.forgive(now_ms);
        // What was published before the break may be gone. What was being done is perhaps still
        // being done: its worker has as much time as before to say so.
        for id in self.open.keys().copied().collect::<Vec<JobId>>() {
            let Some(open) = self.open.get_mut(&id) else { continue };
            match &mut open.state {
                State::Running { seen_ms, .. } => *seen_ms = now_ms,
                State::Waiting | State::Queued { .. } => {
                    self.publish(id, "the connection was lost", out);
                }
                State::Judging { .. } | State::Recording { .. } => {}
            }
        }
    }

    fn say_here(&mut self, out: &mut Vec<Effect>) {
        self.here_said_ms = Some(self.clock.now_ms());
        out.push(Effect::Broadcast(ToWorker::Here {
            manager: self.settings.id,
            signature: self.settings.signature.clone(),
            version: self.settings.version.clone(),
            lease_ms: self.settings.lease_ms,
        }));
    }

    fn tick(&mut self, out: &mut Vec<Effect>) {
        let now_ms = self.clock.now_ms();
        if self.is_past_orphans() {
            out.extend(
                self.held.values().map(|held| Effect::Acknowledge { delivery: held.delivery }),
            );
            self.held.clear();
        }
        // Without a connection nobody can be heard, so that silence means nothing.
        if !self.connected {
            return;
        }
        let here_due_ms = self.here_said_ms.map_or(0, |said_ms| said_ms + self.settings.here_ms);
        if now_ms >= here_due_ms {
            self.say_here(out);
        }
        self.roster.tick(now_ms, &self.settings, out);
        self.lend_again(out);
    }

    /// Whether the search had time to ask again for what it had asked for before a restart.
    fn is_past_orphans(&self) -> bool {
        self.clock.now_ms() >= self.settings.orphan_ms
    }

    /// What holds between events, whatever happened.
    fn assert_invariants(&self) {
        assert!(self.pending.keys().all(|&number| number < self.record_next));
        for (id, open) in &self.open {
            assert!(*id == open.job.id && !self.recorded.contains_key(id));
            match &open.state {
                State::Recording { number } => {
                    let pending = self.pending.get(number);
                    let is_its = |job: &JobId| job == id;
                    assert!(matches!(pending, Some(Pending::Answer { job, .. }) if is_its(job)));
                }
                State::Running { worker, .. } => assert!(!self.roster.is_dropped(*worker)),
                State::Waiting | State::Queued { .. } | State::Judging { .. } => {}
            }
        }
        let welcomed: BTreeSet<WorkerId> = self.roster.ids().collect();
        assert!(welcomed.iter().all(|&worker| !self.roster.is_dropped(worker)));
    }
}
