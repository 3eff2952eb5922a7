//! The queue as a state machine: the jobs, their order, and the workers that run them. It has no
//! clock, no threads and no files: the time is an argument, and the changes are returned as
//! effects. It does not depend on where workers run.
//!
//! There are two lanes with workers of their own, so that a game never waits for a proof that takes
//! days. Within a lane the highest priority is first, then the oldest job. An analysis has no end:
//! it waits until no other job is queued, the newest one first, and gives way when one is added.
//!
//! A worker holds a [`Ticket`]. When its job is paused, cancelled or queued again, the ticket is no
//! longer *current*: the queue ignores further reports of the worker, but its place in the lane is
//! taken until the worker has ended.

#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::wire::{
    Job, JobId, JobKind, JobOrder, JobResult, JobScope, JobState, NodeId, Progress, STORED_VERSION,
    SearchTree, StoredJob, Tally,
};
use crate::problem::{ApiResult, Problem, ProblemKind};

/// The most jobs that have ended and are kept.
pub(crate) const ENDED_MAX: usize = 1_000;
/// The most of these that are kept with the tree of their search.
const TREES_MAX: usize = 50;
/// The most jobs that have not ended: the queue refuses more.
pub(crate) const OPEN_MAX: usize = 10_000;
/// The shortest times between two messages about a job with many positions, and between two records
/// of it. After a crash, the job repeats the positions since the last record.
const PUBLISH_MS: u64 = 100;
const PERSIST_MS: u64 = 1_000;
/// The highest priority; the lowest is minus this.
pub(crate) const PRIORITY_MAX: i32 = 10;

/// A class of jobs with a worker of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Jobs that a reader in front of the board waits for.
    Interactive,
    /// Jobs that may take days.
    Background,
}

impl Lane {
    pub(crate) const ALL: [Lane; 2] = [Lane::Interactive, Lane::Background];

    /// The lane of a job.
    pub(crate) fn of(job: &Job) -> Lane {
        match job.kind {
            _ if job.scope != JobScope::Node => Lane::Background,
            JobKind::Prove | JobKind::Verify => Lane::Background,
            JobKind::Solve | JobKind::Analyse | JobKind::Play | JobKind::Check => Lane::Interactive,
        }
    }

    fn index(self) -> usize {
        match self {
            Lane::Interactive => 0,
            Lane::Background => 1,
        }
    }
}

/// The right to work on a job, until the job is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Ticket {
    pub(crate) id: JobId,
    /// Counts all tickets: one job may be started several times.
    pub(crate) run: u64,
}

/// An effect that the runner carries out, in the order of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Store the job as it is now.
    Persist(JobId),
    /// Publish the job as it is now.
    Publish(JobId),
    /// Remove the job from the store.
    Remove(JobId),
    /// Ask the worker to stop.
    Stop(Ticket),
    /// Wake the workers: a job may be waiting.
    Wake,
}

/// The outcome of a job that is done.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct JobConclusion {
    /// The outcome in a sentence.
    pub(crate) text: String,
    /// The result of a job about one position.
    pub(crate) result: Option<JobResult>,
    /// The counts of a job about several positions.
    pub(crate) tally: Option<Tally>,
}

impl JobConclusion {
    /// The result about one position.
    pub(crate) fn found(text: String, result: JobResult) -> JobConclusion {
        JobConclusion { text, result: Some(result), tally: None }
    }

    /// The counts of several positions.
    pub(crate) fn counted(text: String, tally: Tally) -> JobConclusion {
        JobConclusion { text, result: None, tally: Some(tally) }
    }
}

/// The error that ended a job.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct JobFailure {
    /// The error in a sentence.
    pub(crate) text: String,
    /// The kind of problem, if it has a name.
    pub(crate) kind: Option<ProblemKind>,
}

/// The end of work on a job.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum JobEnd {
    Done(Box<JobConclusion>),
    Failed(JobFailure),
    /// The worker stopped before the job was done.
    Stopped,
}

/// A report of a worker on the job that it runs; `None`: as before.
#[derive(Clone, Debug, Default)]
pub(crate) struct JobUpdate {
    pub(crate) progress: Option<Progress>,
    pub(crate) tree: Option<Arc<SearchTree>>,
    pub(crate) total: Option<u32>,
}

#[derive(Clone, Debug)]
struct QueueEntry {
    job: Job,
    order: JobOrder,
    seen: Vec<NodeId>,
    tree: Option<Arc<SearchTree>>,
    /// The ticket that is current.
    ticket: Option<Ticket>,
    /// When its progress was last published, and stored.
    published_ms: u64,
    persisted_ms: u64,
}

/// All jobs.
#[derive(Clone, Debug)]
pub(crate) struct Queue {
    entries: BTreeMap<JobId, QueueEntry>,
    /// The tickets that workers hold, by lane; those that are no longer current included.
    working: [Vec<Ticket>; 2],
    workers: [usize; 2],
    next_id: JobId,
    next_run: u64,
    ended_max: usize,
}

impl Queue {
    /// An empty queue with this number of workers in each lane.
    pub(crate) fn new(workers: [usize; 2], ended_max: usize) -> Queue {
        Queue {
            entries: BTreeMap::new(),
            working: [Vec::new(), Vec::new()],
            workers,
            next_id: 1,
            next_run: 1,
            ended_max,
        }
    }

    /// Restores the jobs of an earlier run of the program. Those that were running are queued
    /// again. New jobs get numbers from `next` on.
    pub(crate) fn restore(&mut self, kept: Vec<StoredJob>, next: JobId) -> Vec<Effect> {
        let mut effects = Vec::new();
        for StoredJob { mut job, order, seen, tree, .. } in kept {
            let id = job.id;
            if job.state == JobState::Running {
                job.state = JobState::Queued;
                job.worker = None;
                effects.push(Effect::Persist(id));
            }
            self.next_id = self.next_id.max(id.saturating_add(1));
            let tree = tree.map(Arc::new);
            self.entries.insert(id, QueueEntry { seen, tree, ..QueueEntry::new(job, order) });
        }
        self.next_id = self.next_id.max(next);
        self.trim(&mut effects);
        effects
    }

    /// The number that the next job gets.
    pub(crate) fn next_id(&self) -> JobId {
        self.next_id
    }

    /// All jobs, the newest first.
    pub(crate) fn jobs(&self) -> impl Iterator<Item = &Job> {
        self.entries.values().rev().map(|entry| &entry.job)
    }

    pub(crate) fn job(&self, id: JobId) -> ApiResult<&Job> {
        self.entries.get(&id).map(|entry| &entry.job).ok_or_else(|| unknown(id))
    }

    pub(crate) fn order_of(&self, id: JobId) -> ApiResult<&JobOrder> {
        self.entries.get(&id).map(|entry| &entry.order).ok_or_else(|| unknown(id))
    }

    pub(crate) fn tree(&self, id: JobId) -> ApiResult<Option<Arc<SearchTree>>> {
        self.entries.get(&id).map(|entry| entry.tree.clone()).ok_or_else(|| unknown(id))
    }

    /// A job as it is stored. The tree of a running search changes all the time, and is stored when
    /// the search stops.
    pub(crate) fn stored(&self, id: JobId) -> Option<StoredJob> {
        let QueueEntry { job, order, seen, tree, .. } = self.entries.get(&id)?;
        let tree = tree.as_deref().filter(|_| job.state != JobState::Running);
        Some(StoredJob {
            version: STORED_VERSION,
            job: job.clone(),
            order: order.clone(),
            seen: seen.clone(),
            tree: tree.cloned(),
        })
    }

    /// The nodes whose results a job has written.
    pub(crate) fn seen(&self, id: JobId) -> &[NodeId] {
        self.entries.get(&id).map_or(&[], |entry| &entry.seen)
    }

    /// Whether the queue accepts reports with this ticket.
    pub(crate) fn is_current(&self, ticket: Ticket) -> bool {
        self.entries.get(&ticket.id).is_some_and(|entry| entry.ticket == Some(ticket))
    }

    /// Adds a new job; its number and its state are set here.
    pub(crate) fn add(
        &mut self,
        now: u64,
        job: Job,
        order: JobOrder,
    ) -> ApiResult<(JobId, Vec<Effect>)> {
        let open = self.entries.values().filter(|entry| !entry.job.state.is_ended()).count();
        if open >= OPEN_MAX {
            return Err(Problem::conflict(format!("{open} jobs are waiting: the queue is full"))
                .kind(ProblemKind::JobsFull)
                .help("cancel some, or wait until they are done"));
        }
        let id = self.next_id;
        self.next_id += 1;
        let job = Job { id, state: JobState::Queued, created_ms: now, ..job };
        let lane = Lane::of(&job);
        self.entries.insert(id, QueueEntry::new(job, order));
        let mut effects = vec![Effect::Persist(id), Effect::Publish(id)];
        self.arrange(lane, &mut effects);
        Ok((id, effects))
    }

    /// Gives the next job of a lane to a worker, if there is one and the lane has a free place.
    pub(crate) fn take(
        &mut self,
        now: u64,
        lane: Lane,
        worker: &str,
    ) -> Option<(Ticket, Vec<Effect>)> {
        if self.working[lane.index()].len() >= self.workers[lane.index()] {
            return None;
        }
        let id = self.first(lane)?;
        let ticket = Ticket { id, run: self.next_run };
        self.next_run += 1;
        self.working[lane.index()].push(ticket);
        let entry = self.entries.get_mut(&id)?;
        entry.ticket = Some(ticket);
        entry.job.state = JobState::Running;
        entry.job.worker = Some(worker.to_string());
        entry.job.started_ms.get_or_insert(now);
        entry.job.heartbeat_ms = Some(now);
        (entry.published_ms, entry.persisted_ms) = (now, now);
        entry.job.text.clear();
        Some((ticket, vec![Effect::Persist(id), Effect::Publish(id)]))
    }

    /// Notes the progress that a worker reports.
    pub(crate) fn report(&mut self, now: u64, ticket: Ticket, update: JobUpdate) -> Vec<Effect> {
        let Some(entry) = self.current(ticket) else { return Vec::new() };
        entry.job.heartbeat_ms = Some(now);
        entry.published_ms = now;
        if let Some(progress) = update.progress {
            entry.job.progress = Some(progress);
        }
        if let Some(total) = update.total {
            entry.job.total = total;
        }
        if let Some(tree) = update.tree {
            entry.tree = Some(tree);
        }
        vec![Effect::Publish(ticket.id)]
    }

    /// Notes that a worker has written all results of a node.
    pub(crate) fn mark_written(&mut self, now: u64, ticket: Ticket, node: NodeId) -> Vec<Effect> {
        let Some(entry) = self.current(ticket) else { return Vec::new() };
        entry.job.heartbeat_ms = Some(now);
        entry.seen.push(node);
        entry.job.done = u32::try_from(entry.seen.len()).unwrap_or(u32::MAX);
        entry.job.total = entry.job.total.max(entry.job.done);
        let mut effects = Vec::new();
        if now >= entry.persisted_ms.saturating_add(PERSIST_MS) {
            entry.persisted_ms = now;
            effects.push(Effect::Persist(ticket.id));
        }
        if now >= entry.published_ms.saturating_add(PUBLISH_MS) {
            entry.published_ms = now;
            effects.push(Effect::Publish(ticket.id));
        }
        effects
    }

    /// Notes that a worker has ended, and frees its place. The end counts if the ticket is current.
    pub(crate) fn finish(&mut self, now: u64, ticket: Ticket, end: JobEnd) -> Vec<Effect> {
        let mut effects = Vec::new();
        for working in &mut self.working {
            working.retain(|other| *other != ticket);
        }
        if let Some(entry) = self.current(ticket) {
            entry.ticket = None;
            entry.job.worker = None;
            entry.job.heartbeat_ms = Some(now);
            match end {
                JobEnd::Done(done) => {
                    let JobConclusion { text, result, tally } = *done;
                    entry.job.done = entry.job.total;
                    (entry.job.result, entry.job.tally) = (result, tally);
                    entry.end(now, JobState::Done, text);
                }
                JobEnd::Failed(JobFailure { text, kind }) => {
                    entry.job.problem = kind;
                    entry.end(now, JobState::Failed, text);
                }
                JobEnd::Stopped => entry.job.state = JobState::Queued,
            }
            effects.extend([Effect::Persist(ticket.id), Effect::Publish(ticket.id)]);
            self.trim(&mut effects);
        }
        effects.push(Effect::Wake);
        effects
    }

    /// Stops a job until it is resumed.
    pub(crate) fn pause(&mut self, id: JobId) -> ApiResult<Vec<Effect>> {
        let entry = self.open(id)?;
        if entry.job.state == JobState::Paused {
            return Ok(Vec::new());
        }
        let stop = entry.take_back(JobState::Paused).map(Effect::Stop);
        entry.job.text = "paused".to_string();
        Ok(stop.into_iter().chain([Effect::Persist(id), Effect::Publish(id)]).collect())
    }

    /// Lets a paused job go on.
    pub(crate) fn resume(&mut self, id: JobId) -> ApiResult<Vec<Effect>> {
        let entry = self.open(id)?;
        if entry.job.state != JobState::Paused {
            return Ok(Vec::new());
        }
        entry.job.state = JobState::Queued;
        entry.job.text.clear();
        let lane = Lane::of(&entry.job);
        let mut effects = vec![Effect::Persist(id), Effect::Publish(id)];
        self.arrange(lane, &mut effects);
        Ok(effects)
    }

    /// Ends a job for good. A job that has ended meanwhile stays as it is.
    pub(crate) fn cancel(&mut self, now: u64, id: JobId) -> ApiResult<Vec<Effect>> {
        if self.job(id)?.state.is_ended() {
            return Ok(Vec::new());
        }
        let entry = self.open(id)?;
        let stop = entry.take_back(JobState::Cancelled).map(Effect::Stop);
        entry.end(now, JobState::Cancelled, "cancelled".to_string());
        let mut effects: Vec<Effect> =
            stop.into_iter().chain([Effect::Persist(id), Effect::Publish(id)]).collect();
        self.trim(&mut effects);
        Ok(effects)
    }

    /// Sets the priority of a job.
    pub(crate) fn set_priority(&mut self, id: JobId, priority: i32) -> ApiResult<Vec<Effect>> {
        check_priority(priority)?;
        let entry = self.open(id)?;
        entry.job.priority = priority;
        entry.order.priority = priority;
        let lane = Lane::of(&entry.job);
        let mut effects = vec![Effect::Persist(id), Effect::Publish(id)];
        self.arrange(lane, &mut effects);
        Ok(effects)
    }

    /// Removes a job that has ended.
    pub(crate) fn forget(&mut self, id: JobId) -> ApiResult<Vec<Effect>> {
        if !self.job(id)?.state.is_ended() {
            return Err(Problem::conflict(format!("job {id} has not ended"))
                .kind(ProblemKind::JobRuns)
                .help("cancel it first; then it can be removed"));
        }
        self.entries.remove(&id);
        Ok(vec![Effect::Remove(id)])
    }

    /// The next job of a lane.
    fn first(&self, lane: Lane) -> Option<JobId> {
        let queued = self.entries.values().map(|entry| &entry.job);
        let queued = queued.filter(|job| job.state == JobState::Queued && Lane::of(job) == lane);
        queued.min_by_key(|job| rank(job)).map(|job| job.id)
    }

    /// Wakes the workers; queues a running analysis again if a job with a better rank waits.
    fn arrange(&mut self, lane: Lane, effects: &mut Vec<Effect>) {
        effects.push(Effect::Wake);
        let working = &self.working[lane.index()];
        let is_full = working.len() >= self.workers[lane.index()];
        if !is_full || !working.iter().all(|&ticket| self.is_current(ticket)) {
            return;
        }
        let Some(first) = self.first(lane).and_then(|id| self.entries.get(&id)) else { return };
        let first = rank(&first.job);
        let running = working.iter().filter_map(|ticket| self.entries.get(&ticket.id));
        let gives_way = running
            .map(|entry| &entry.job)
            .filter(|job| is_patient(job) && first < rank(job))
            .max_by_key(|job| rank(job));
        let Some(id) = gives_way.map(|job| job.id) else { return };
        if let Some(entry) = self.entries.get_mut(&id) {
            effects.extend(entry.take_back(JobState::Queued).map(Effect::Stop));
            effects.extend([Effect::Persist(id), Effect::Publish(id)]);
        }
    }

    /// Removes the jobs that ended first, where there are too many.
    fn trim(&mut self, effects: &mut Vec<Effect>) {
        let ended = self.entries.values().filter(|entry| entry.job.state.is_ended());
        let mut ended: Vec<(Option<u64>, JobId)> =
            ended.map(|entry| (entry.job.ended_ms, entry.job.id)).collect();
        ended.sort_unstable();
        let spare = ended.len().saturating_sub(self.ended_max);
        for (_, id) in ended.drain(..spare) {
            self.entries.remove(&id);
            effects.push(Effect::Remove(id));
        }
        ended.retain(|(_, id)| self.entries.get(id).is_some_and(|entry| entry.tree.is_some()));
        let spare = ended.len().saturating_sub(TREES_MAX);
        for (_, id) in ended.drain(..spare) {
            if let Some(entry) = self.entries.get_mut(&id) {
                entry.tree = None;
                effects.push(Effect::Persist(id));
            }
        }
    }

    fn current(&mut self, ticket: Ticket) -> Option<&mut QueueEntry> {
        self.entries.get_mut(&ticket.id).filter(|entry| entry.ticket == Some(ticket))
    }

    /// A job that has not ended.
    fn open(&mut self, id: JobId) -> ApiResult<&mut QueueEntry> {
        let entry = self.entries.get_mut(&id).ok_or_else(|| unknown(id))?;
        if entry.job.state.is_ended() {
            return Err(Problem::conflict(format!("job {id} has ended"))
                .kind(ProblemKind::JobEnded)
                .help("repeat it to run it again"));
        }
        Ok(entry)
    }
}

impl QueueEntry {
    fn new(job: Job, order: JobOrder) -> QueueEntry {
        let (seen, tree, ticket) = (Vec::new(), None, None);
        QueueEntry { job, order, seen, tree, ticket, published_ms: 0, persisted_ms: 0 }
    }

    /// Takes the job back from its worker, if it has one.
    fn take_back(&mut self, state: JobState) -> Option<Ticket> {
        self.job.state = state;
        self.job.worker = None;
        self.ticket.take()
    }

    fn end(&mut self, now: u64, state: JobState, text: String) {
        self.job.state = state;
        self.job.ended_ms = Some(now);
        self.job.text = text;
    }
}

/// Whether a job has no end of its own, and so gives way to others.
fn is_patient(job: &Job) -> bool {
    job.kind == JobKind::Analyse
}

/// The rank of a job: the smallest is the next.
fn rank(job: &Job) -> (Reverse<i32>, bool, u64) {
    let age = if is_patient(job) { u64::MAX - job.id } else { job.id };
    (Reverse(job.priority), is_patient(job), age)
}

/// Refuses a priority that is out of range.
pub(crate) fn check_priority(priority: i32) -> ApiResult<()> {
    if (-PRIORITY_MAX..=PRIORITY_MAX).contains(&priority) {
        return Ok(());
    }
    Err(Problem::bad(format!("priority {priority} is out of range"))
        .help(format!("write a number from -{PRIORITY_MAX} to {PRIORITY_MAX}, higher is earlier")))
}

fn unknown(id: JobId) -> Problem {
    Problem::missing(format!("there is no job {id}"))
        .kind(ProblemKind::JobGone)
        .help("it may have been removed")
}
