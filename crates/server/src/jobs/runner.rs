//! The workers: one thread for each lane takes a job, runs it, and reports its outcome. The runner
//! carries out the effects of the queue under one lock, so that records and messages have the order
//! of the events.
//!
//! A result is written under a second lock, the *gate*, which pausing and cancelling take as well:
//! when `cancel` has returned, nothing more is written.

use std::collections::{HashMap, HashSet};
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::documents::{JobBucket, JobDocuments};
use super::queue::{Effect, JobConclusion, JobEnd, JobFailure, JobUpdate, Lane, Queue, Ticket};
use super::wire::{Job, JobId, JobKind, JobLimits, JobOrder, JobOutcome, JobResult, NodeId};
use super::{Clock, JobEvent, Publish, search, thinking};
use crate::problem::{ApiResult, Problem, ProblemKind};
use sixproof_solve::output::Output;
use sixproof_solve::store::{self, Memory};

/// The name of a worker in this process, as the page shows it.
const WORKER: &str = "local";
/// The shortest time between two reports of progress, and the time between two signs of life.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);
const ALIVE_INTERVAL: Duration = Duration::from_secs(1);
/// The key of the record with the number of the next job.
const COUNTER: JobId = 0;

/// The state that all workers share.
pub(super) struct Shared {
    state: Mutex<RunnerState>,
    gate: Mutex<()>,
    wake: Condvar,
    pub(super) documents: Arc<dyn JobDocuments>,
    pub(super) memory: Memory,
    bucket: Arc<dyn JobBucket>,
    publish: Publish,
    pub(super) threads: usize,
    clock: Clock,
    output: Output,
}

pub(super) struct RunnerState {
    pub(super) queue: Queue,
    /// The stop flags of the workers.
    stops: HashMap<Ticket, Arc<AtomicBool>>,
    is_closing: bool,
}

/// The reason why work ends without a result.
#[derive(Debug)]
pub(super) enum Halt {
    Stopped,
    Failed(JobFailure),
}

impl Halt {
    /// An error without a kind.
    pub(super) fn failed(text: impl Into<String>) -> Halt {
        Halt::Failed(JobFailure { text: text.into(), kind: None })
    }
}

pub(super) type Work<T> = Result<T, Halt>;

impl From<Problem> for Halt {
    fn from(problem: Problem) -> Halt {
        Halt::Failed(JobFailure { text: problem.title, kind: problem.kind })
    }
}

impl Shared {
    pub(super) fn new(resources: super::Resources, queue: Queue) -> Shared {
        let super::Resources { documents, store, bucket, publish, threads, clock } = resources;
        let output = Output { json: false };
        let memory = Memory::on(store, output);
        let state = RunnerState { queue, stops: HashMap::new(), is_closing: false };
        let (state, gate, wake) = (Mutex::new(state), Mutex::new(()), Condvar::new());
        Shared { state, gate, wake, documents, memory, bucket, publish, threads, clock, output }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, RunnerState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the gate: no job writes a result while it is held.
    pub(super) fn gate(&self) -> MutexGuard<'_, ()> {
        self.gate.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn now(&self) -> u64 {
        (self.clock)()
    }

    /// Carries out the effects of the queue.
    pub(super) fn carry_out(&self, state: &mut RunnerState, effects: &[Effect]) {
        let mut removed = Vec::new();
        for effect in effects {
            match *effect {
                Effect::Persist(id) => {
                    if let Some(stored) = state.queue.stored(id) {
                        self.log_failure(self.bucket.put(id, &stored.to_bytes()));
                    }
                }
                Effect::Publish(id) => {
                    if let Ok(job) = state.queue.job(id) {
                        (self.publish)(JobEvent::Job(Box::new(job.clone())));
                    }
                }
                Effect::Remove(id) => {
                    self.log_failure(self.bucket.remove(id));
                    removed.push(id);
                }
                Effect::Stop(ticket) => {
                    if let Some(stop) = state.stops.get(&ticket) {
                        stop.store(true, Ordering::Relaxed);
                    }
                }
                Effect::Wake => self.wake.notify_all(),
            }
        }
        if !removed.is_empty() {
            // Results in documents name jobs: their numbers are not given twice.
            let next = state.queue.next_id().to_string();
            self.log_failure(self.bucket.put(COUNTER, next.as_bytes()));
            (self.publish)(JobEvent::Removed(removed));
        }
    }

    /// Logs that a record could not be written; the server goes on.
    fn log_failure(&self, written: Result<(), String>) {
        if let Err(why) = written {
            self.output.warn(format!("the store cannot keep a job: {why}"));
        }
    }

    /// Stops all work; the jobs stay queued.
    pub(super) fn close(&self) {
        let mut state = self.state();
        state.is_closing = true;
        for stop in state.stops.values() {
            stop.store(true, Ordering::Relaxed);
        }
        self.wake.notify_all();
    }

    /// Runs the jobs of a lane until the server stops.
    pub(super) fn work(&self, lane: Lane) {
        let mut engines = thinking::EngineCache::default();
        while let Some(run) = self.take(lane) {
            let done = panic::catch_unwind(AssertUnwindSafe(|| run.work(&mut engines)));
            let end = match done {
                Ok(Ok(done)) => JobEnd::Done(Box::new(done)),
                Ok(Err(Halt::Stopped)) => JobEnd::Stopped,
                Ok(Err(Halt::Failed(failure))) => JobEnd::Failed(failure),
                Err(_) => {
                    engines = thinking::EngineCache::default();
                    let text = "a bug of sixproof ended this job; please report it";
                    let kind = Some(ProblemKind::Internal);
                    JobEnd::Failed(JobFailure { text: text.to_string(), kind })
                }
            };
            let mut state = self.state();
            state.stops.remove(&run.ticket);
            let effects = state.queue.finish(self.now(), run.ticket, end);
            self.carry_out(&mut state, &effects);
        }
    }

    /// Waits for the next job; `None` when the server stops.
    fn take(&self, lane: Lane) -> Option<JobRun<'_>> {
        let mut state = self.state();
        loop {
            if state.is_closing {
                return None;
            }
            if let Some((ticket, effects)) = state.queue.take(self.now(), lane, WORKER) {
                let stop = Arc::<AtomicBool>::default();
                state.stops.insert(ticket, Arc::clone(&stop));
                self.carry_out(&mut state, &effects);
                let job = state.queue.job(ticket.id).ok()?.clone();
                let order = state.queue.order_of(ticket.id).ok()?.clone();
                let seen = state.queue.seen(ticket.id).to_vec();
                let last_report = Mutex::new(Instant::now());
                return Some(JobRun { shared: self, ticket, job, order, seen, stop, last_report });
            }
            state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// The number of the next job: that of the counter's record, or above all stored jobs.
pub(super) fn counter(stored: &[(JobId, Vec<u8>)]) -> JobId {
    let counted = stored.iter().find(|(id, _)| *id == COUNTER);
    let counted = counted.and_then(|(_, bytes)| std::str::from_utf8(bytes).ok()?.parse().ok());
    let highest = stored.iter().map(|(id, _)| *id).max().unwrap_or(COUNTER);
    counted.unwrap_or(1).max(highest.saturating_add(1))
}

/// One run of a job.
pub(super) struct JobRun<'a> {
    pub(super) shared: &'a Shared,
    ticket: Ticket,
    pub(super) job: Job,
    pub(super) order: JobOrder,
    /// Nodes that an earlier run has done.
    pub(super) seen: Vec<NodeId>,
    stop: Arc<AtomicBool>,
    last_report: Mutex<Instant>,
}

impl JobRun<'_> {
    fn work(&self, engines: &mut thinking::EngineCache) -> Work<JobConclusion> {
        match self.job.kind {
            JobKind::Solve | JobKind::Prove => search::seek_all(self),
            JobKind::Verify => search::verify(self),
            JobKind::Check => search::check(self),
            JobKind::Analyse => thinking::analyse(self, engines),
            JobKind::Play => thinking::play(self, engines),
        }
    }

    pub(super) fn documents(&self) -> &dyn JobDocuments {
        &*self.shared.documents
    }

    /// Whether the work has to end now.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Returns with `Halt::Stopped` if the work has to end.
    pub(super) fn ensure_running(&self) -> Work<()> {
        if self.is_stopped() { Err(Halt::Stopped) } else { Ok(()) }
    }

    /// Reports progress, unless the last report is more recent than [`REPORT_INTERVAL`].
    pub(super) fn report(&self, make: impl FnOnce() -> JobUpdate) {
        if self.is_due(REPORT_INTERVAL) {
            self.report_now(make());
        }
    }

    /// Reports a sign of life, where there is no progress to report.
    pub(super) fn report_alive(&self) {
        if self.is_due(ALIVE_INTERVAL) {
            self.report_now(JobUpdate::default());
        }
    }

    fn is_due(&self, every: Duration) -> bool {
        let now = Instant::now();
        let mut last = self.last_report.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = now.saturating_duration_since(*last) >= every;
        if is_due {
            *last = now;
        }
        is_due
    }

    pub(super) fn report_now(&self, update: JobUpdate) {
        let mut state = self.shared.state();
        let effects = state.queue.report(self.shared.now(), self.ticket, update);
        self.shared.carry_out(&mut state, &effects);
    }

    /// Changes a document, if the ticket is still current.
    pub(super) fn commit<T>(
        &self,
        change: impl FnOnce(&dyn JobDocuments) -> ApiResult<T>,
    ) -> Work<T> {
        let _gate = self.shared.gate();
        if !self.shared.state().queue.is_current(self.ticket) {
            return Err(Halt::Stopped);
        }
        Ok(change(self.documents())?)
    }

    /// Writes a result into a node.
    pub(super) fn write(
        &self,
        node: NodeId,
        result: &JobResult,
        certificate: Option<&[u8]>,
    ) -> Work<()> {
        self.commit(|documents| {
            documents.write_result(&self.job.document, node, result, certificate)
        })
    }

    /// Notes that a node is done, so that the job does not repeat it after a restart.
    pub(super) fn mark_written(&self, node: NodeId) {
        let mut state = self.shared.state();
        let effects = state.queue.mark_written(self.shared.now(), self.ticket, node);
        self.shared.carry_out(&mut state, &effects);
    }

    /// Visits the nodes of the job that an earlier run has not visited, and notes each.
    pub(super) fn visit_nodes(&self, mut visit: impl FnMut(NodeId) -> Work<()>) -> Work<()> {
        let nodes = self.documents().nodes_of(&self.job.document, self.job.node, self.job.scope)?;
        let total = u32::try_from(nodes.len()).ok();
        self.report_now(JobUpdate { total, ..JobUpdate::default() });
        let seen: HashSet<NodeId> = self.seen.iter().copied().collect();
        for node in nodes.into_iter().filter(|node| !seen.contains(node)) {
            self.ensure_running()?;
            visit(node)?;
            self.mark_written(node);
        }
        Ok(())
    }

    /// A result of this job without what it found.
    pub(super) fn result(&self, outcome: JobOutcome, text: String) -> JobResult {
        JobResult {
            kind: self.job.kind,
            outcome,
            attacker: self.job.attacker,
            text,
            line: Vec::new(),
            moves: Vec::new(),
            unsolved: Vec::new(),
            order: None,
            nodes: 0,
            seconds: 0.0,
            limits: self.limits(),
            version: store::version(),
            certificate: None,
            job: self.job.id,
            at_ms: self.shared.now(),
        }
    }

    pub(super) fn limits(&self) -> JobLimits {
        self.job.limits
    }

    /// The time that one position may take.
    pub(super) fn time(&self) -> Option<Duration> {
        self.job.limits.seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
    }
}
