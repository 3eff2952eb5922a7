//! The threads of a worker, which do the jobs.
//!
//! A [`JobHandler`] does one job after the other. `JobThreads` has one for each core, in threads of
//! low priority, and passes on the events of the jobs. It drops all events of a stopped job,
//! however long the thread takes to notice the stop.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use sixproof_farm::JobId;
use sixproof_farm::wire::{
    Assignment, Body, FOUND_BYTES_MAX, INLINE_BYTES_MAX, Outcome, REMOTE_BYTES_MAX, TEXT_BYTES_MAX,
};
pub use sixproof_prover::driver::{Done, Found};
use sixproof_prover::stop::break_if;
use sixproof_solve::failure::{Failure, Result};
use tokio::sync::mpsc::UnboundedSender;

use super::fetch;

/// Shortest interval between two reports of findings, and between two reports of nodes alone.
const FOUND_INTERVAL: Duration = Duration::from_millis(100);
const NODES_INTERVAL: Duration = Duration::from_millis(500);
/// The niceness of the threads: the lowest priority.
#[cfg(unix)]
const NICE: i32 = 19;

/// Does jobs, one after the other.
pub trait JobHandler: Send {
    /// Does a job. `watch(nodes, found)` receives its nodes and the findings since the last call,
    /// as bytes that can be concatenated; it breaks to stop the job, whose answer is then
    /// `Ok(None)`.
    fn perform(
        &mut self,
        body: &[u8],
        watch: &mut dyn FnMut(u64, Option<Vec<u8>>) -> ControlFlow<()>,
    ) -> std::result::Result<Option<Done>, String>;
}

/// Makes a handler for each thread.
pub type HandlerFactory = Arc<dyn Fn() -> Box<dyn JobHandler> + Send + Sync>;

/// An event of a running job.
#[derive(Debug)]
pub(crate) enum JobEvent {
    Progress { job: JobId, nodes: u64, found: Vec<u8> },
    Finished { job: JobId, nodes: u64, outcome: Outcome },
}

/// An event of a thread, with the number of its queued job.
pub(crate) struct ThreadEvent {
    number: u64,
    event: JobEvent,
}

/// A job in the queue.
struct QueuedJob {
    number: u64,
    assignment: Assignment,
    stop: Arc<AtomicBool>,
}

/// The threads and their queue.
pub(crate) struct JobThreads {
    queue: Option<mpsc::Sender<QueuedJob>>,
    /// The number of each running job, and its stop flag.
    running: BTreeMap<JobId, (u64, Arc<AtomicBool>)>,
    next: u64,
    threads: Vec<JoinHandle<()>>,
}

impl JobThreads {
    /// Starts the threads; `events` receives their events, to be passed to [`JobThreads::event`].
    pub(crate) fn start(
        cores: u16,
        handlers: &HandlerFactory,
        events: &UnboundedSender<ThreadEvent>,
    ) -> Result<JobThreads> {
        let (queue, jobs) = mpsc::channel();
        let jobs = Arc::new(Mutex::new(jobs));
        let mut threads = Vec::new();
        for core in 0..cores {
            let (jobs, handlers, events) =
                (Arc::clone(&jobs), Arc::clone(handlers), events.clone());
            let thread = thread::Builder::new()
                .name(format!("job {core}"))
                .spawn(move || work(&jobs, &handlers, &events))
                .map_err(|error| Failure::io("a thread for jobs", &error))?;
            threads.push(thread);
        }
        Ok(JobThreads { queue: Some(queue), running: BTreeMap::new(), next: 0, threads })
    }

    /// Queues a job; it begins when a thread is free.
    pub(crate) fn begin(&mut self, job: JobId, assignment: Assignment) {
        self.stop(job);
        let stop = Arc::new(AtomicBool::new(false));
        self.next += 1;
        self.running.insert(job, (self.next, Arc::clone(&stop)));
        if let Some(queue) = &self.queue {
            // The threads live as long as the queue.
            let _sent = queue.send(QueuedJob { number: self.next, assignment, stop });
        }
    }

    /// Stops a job, and drops its further events.
    pub(crate) fn stop(&mut self, job: JobId) {
        if let Some((_, stop)) = self.running.remove(&job) {
            stop.store(true, Ordering::Relaxed);
        }
    }

    /// The event of a thread, unless its job was stopped.
    pub(crate) fn event(&mut self, from: ThreadEvent) -> Option<JobEvent> {
        let (JobEvent::Progress { job, .. } | JobEvent::Finished { job, .. }) = &from.event;
        let (number, _) = self.running.get(job)?;
        if *number != from.number {
            return None;
        }
        if matches!(from.event, JobEvent::Finished { .. }) {
            self.running.remove(job);
        }
        Some(from.event)
    }

    /// The number of running jobs.
    pub(crate) fn running(&self) -> usize {
        self.running.len()
    }

    /// Stops all jobs, and waits until the threads have ended.
    pub(crate) fn end(mut self) {
        self.stop_all();
        for thread in self.threads.drain(..) {
            // A thread that panicked has ended, too.
            let _ended = thread.join();
        }
    }

    fn stop_all(&mut self) {
        for (_, stop) in self.running.values() {
            stop.store(true, Ordering::Relaxed);
        }
        self.running.clear();
        self.queue = None;
    }
}

impl Drop for JobThreads {
    fn drop(&mut self) {
        self.stop_all();
    }
}

/// The main function of a thread: does the jobs of the queue until it is closed.
fn work(
    jobs: &Mutex<mpsc::Receiver<QueuedJob>>,
    handlers: &HandlerFactory,
    events: &UnboundedSender<ThreadEvent>,
) {
    // If the system refuses, jobs run at the usual priority.
    #[cfg(unix)]
    let _low = rustix::process::nice(NICE);
    let mut handler = handlers();
    loop {
        let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(QueuedJob { number, assignment, stop }) = next else { return };
        if stop.load(Ordering::Relaxed) {
            continue;
        }
        let job = assignment.job;
        let is_stopped = || stop.load(Ordering::Relaxed);
        let mut reported = Instant::now();
        let mut nodes_seen = 0;
        let mut all_found: Vec<u8> = Vec::new();
        let done = panic::catch_unwind(AssertUnwindSafe(|| {
            let body = fetch::body(&assignment, &is_stopped)?;
            handler.perform(&body, &mut |nodes, found| {
                nodes_seen = nodes;
                let found = found.unwrap_or_default();
                // The answer has the findings that exceed the limit.
                if all_found.len() + found.len() <= FOUND_BYTES_MAX {
                    all_found.extend(found);
                }
                let interval = if all_found.is_empty() { NODES_INTERVAL } else { FOUND_INTERVAL };
                if reported.elapsed() >= interval && !is_stopped() {
                    reported = Instant::now();
                    let found = std::mem::take(&mut all_found);
                    let event = JobEvent::Progress { job, nodes, found };
                    // A loop that has ended is about to stop the threads.
                    let _sent = events.send(ThreadEvent { number, event });
                }
                break_if(is_stopped())
            })
        }));
        let done = done.unwrap_or_else(|panic| {
            // After a panic the state of the handler may be invalid.
            handler = handlers();
            Err(format!("the job crashed: {}", message(&*panic)))
        });
        if is_stopped() {
            continue;
        }
        let (nodes, outcome) = match done {
            Ok(Some(done)) => (done.nodes, outcome(&assignment, done.found, &is_stopped)),
            Ok(None) => (nodes_seen, Outcome::Failed("the job ended by itself".to_string())),
            Err(why) => (nodes_seen, Outcome::Failed(shortened(&why))),
        };
        let event = JobEvent::Finished { job, nodes, outcome };
        let _sent = events.send(ThreadEvent { number, event });
    }
}

/// The message of a panic.
fn message(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}

/// A text cut to the limit of a message.
pub fn shortened(text: &str) -> String {
    let mut end = text.len().min(TEXT_BYTES_MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].to_string()
}

/// A finding as the outcome of a result; this uploads a large certificate to the manager.
fn outcome(assignment: &Assignment, found: Found, is_stopped: &dyn Fn() -> bool) -> Outcome {
    match found {
        Found::Uncertified(bytes) if bytes.len() > FOUND_BYTES_MAX => {
            Outcome::Failed(format!("the answer is too large: {} bytes", bytes.len()))
        }
        Found::Uncertified(bytes) => Outcome::Uncertified(bytes),
        Found::Certificate(bytes) if bytes.len() <= INLINE_BYTES_MAX => {
            Outcome::Won(Body::Inline(bytes))
        }
        Found::Certificate(bytes) if bytes.len() as u64 > REMOTE_BYTES_MAX => {
            Outcome::Failed(format!("the certificate is too large: {} bytes", bytes.len()))
        }
        Found::Certificate(bytes) => match fetch::upload(assignment, &bytes, is_stopped) {
            Ok(body) => Outcome::Won(body),
            Err(why) => Outcome::Failed(shortened(&why)),
        },
    }
}
