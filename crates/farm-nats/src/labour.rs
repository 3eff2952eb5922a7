//! The work itself: who does jobs, and the threads in which it is done.
//!
//! A [`Labourer`] does one job after the other. `Labour` has one for each core, in threads of low
//! priority, and tells what becomes of the jobs. A stopped job is never heard of again, however
//! long its thread takes to notice.

use std::collections::BTreeMap;
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
use sixproof_solve::failure::{Failure, Result};
use tokio::sync::mpsc::UnboundedSender;

use super::fetch;

/// What was found is told at most so often, all at once; the nodes less often.
const FOUND_EVERY: Duration = Duration::from_millis(100);
const NODES_EVERY: Duration = Duration::from_millis(500);
/// The lowest priority.
#[cfg(unix)]
const NICE: i32 = 19;

/// Somebody who does jobs, one after the other.
pub trait Labourer: Send {
    /// Does a job. `watch(nodes, found)` is told how far it is and what was found since the last
    /// time, in bytes that can be put one after the other; it returns true to stop, and then the
    /// answer is `Ok(None)`.
    fn perform(
        &mut self,
        body: &[u8],
        watch: &mut dyn FnMut(u64, Option<Vec<u8>>) -> bool,
    ) -> std::result::Result<Option<Done>, String>;
}

/// Makes a labourer, for each thread one.
pub type Hire = Arc<dyn Fn() -> Box<dyn Labourer> + Send + Sync>;

/// What is heard of a running job.
#[derive(Debug)]
pub(crate) enum Heard {
    Progress { job: JobId, nodes: u64, found: Vec<u8> },
    Finished { job: JobId, nodes: u64, outcome: Outcome },
}

/// What a thread says, with the number of the order it is about.
pub(crate) struct Saying {
    number: u64,
    heard: Heard,
}

/// A job for a thread.
struct Order {
    number: u64,
    assignment: Assignment,
    stop: Arc<AtomicBool>,
}

/// The threads.
pub(crate) struct Labour {
    orders: Option<mpsc::Sender<Order>>,
    /// The order of each running job, and its stop button.
    running: BTreeMap<JobId, (u64, Arc<AtomicBool>)>,
    next: u64,
    threads: Vec<JoinHandle<()>>,
}

impl Labour {
    /// Starts the threads; what they say goes to `says`, and from there to [`Labour::heard`].
    pub(crate) fn start(cores: u16, hire: &Hire, says: &UnboundedSender<Saying>) -> Result<Labour> {
        let (orders, taken) = mpsc::channel();
        let taken = Arc::new(Mutex::new(taken));
        let mut threads = Vec::new();
        for core in 0..cores {
            let (taken, hire, says) = (Arc::clone(&taken), Arc::clone(hire), says.clone());
            let thread = thread::Builder::new()
                .name(format!("job {core}"))
                .spawn(move || work(&taken, &hire, &says))
                .map_err(|error| Failure::io("a thread for jobs", &error))?;
            threads.push(thread);
        }
        Ok(Labour { orders: Some(orders), running: BTreeMap::new(), next: 0, threads })
    }

    /// Begins a job, as soon as a thread has noticed that its last one was stopped.
    pub(crate) fn begin(&mut self, job: JobId, assignment: Assignment) {
        self.stop(job);
        let stop = Arc::new(AtomicBool::new(false));
        self.next += 1;
        self.running.insert(job, (self.next, Arc::clone(&stop)));
        if let Some(orders) = &self.orders {
            // The threads end only when they are told to.
            let _taken = orders.send(Order { number: self.next, assignment, stop });
        }
    }

    /// Stops a job; nothing more is heard of it.
    pub(crate) fn stop(&mut self, job: JobId) {
        if let Some((_, stop)) = self.running.remove(&job) {
            stop.store(true, Ordering::Relaxed);
        }
    }

    /// What a thread says, unless it is about a job that was stopped.
    pub(crate) fn heard(&mut self, saying: Saying) -> Option<Heard> {
        let (Heard::Progress { job, .. } | Heard::Finished { job, .. }) = &saying.heard;
        let (number, _) = self.running.get(job)?;
        if *number != saying.number {
            return None;
        }
        if matches!(saying.heard, Heard::Finished { .. }) {
            self.running.remove(job);
        }
        Some(saying.heard)
    }

    /// Jobs that are being done.
    pub(crate) fn running(&self) -> usize {
        self.running.len()
    }

    /// Stops everything, and waits until the threads have ended.
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
        self.orders = None;
    }
}

impl Drop for Labour {
    fn drop(&mut self) {
        self.stop_all();
    }
}

/// A thread: does what it is ordered to do.
fn work(orders: &Mutex<mpsc::Receiver<Order>>, hire: &Hire, says: &UnboundedSender<Saying>) {
    // Where this cannot be had, jobs run as everything else does.
    #[cfg(unix)]
    let _low = rustix::process::nice(NICE);
    let mut labourer = hire();
    loop {
        let order = orders.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Order { number, assignment, stop }) = order else { return };
        if stop.load(Ordering::Relaxed) {
            continue;
        }
        let job = assignment.job;
        let stops = || stop.load(Ordering::Relaxed);
        let mut told = Instant::now();
        let mut nodes_seen = 0;
        let mut all_found: Vec<u8> = Vec::new();
        let done = panic::catch_unwind(AssertUnwindSafe(|| {
            let body = fetch::body(&assignment, &stops)?;
            labourer.perform(&body, &mut |nodes, found| {
                nodes_seen = nodes;
                let found = found.unwrap_or_default();
                // What is too much is in the answer.
                if all_found.len() + found.len() <= FOUND_BYTES_MAX {
                    all_found.extend(found);
                }
                let every = if all_found.is_empty() { NODES_EVERY } else { FOUND_EVERY };
                if told.elapsed() >= every && !stop.load(Ordering::Relaxed) {
                    told = Instant::now();
                    let found = std::mem::take(&mut all_found);
                    let heard = Heard::Progress { job, nodes, found };
                    // Who does not listen any more is about to stop us.
                    let _told = says.send(Saying { number, heard });
                }
                stop.load(Ordering::Relaxed)
            })
        }));
        let done = done.unwrap_or_else(|panic| {
            // What is left of it may be anything.
            labourer = hire();
            Err(format!("the job crashed: {}", message(&*panic)))
        });
        if stop.load(Ordering::Relaxed) {
            continue;
        }
        let (nodes, outcome) = match done {
            Ok(Some(done)) => (done.nodes, outcome(&assignment, done.found, &stops)),
            Ok(None) => (nodes_seen, Outcome::Failed("the job ended by itself".to_string())),
            Err(why) => (nodes_seen, Outcome::Failed(shortened(&why))),
        };
        let _told = says.send(Saying { number, heard: Heard::Finished { job, nodes, outcome } });
    }
}

/// What a panic says.
fn message(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}

/// A text within the limit.
pub fn shortened(text: &str) -> String {
    let mut end = text.len().min(TEXT_BYTES_MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].to_string()
}

/// What was found as it travels: a large certificate is left with the manager first.
fn outcome(assignment: &Assignment, found: Found, stops: &dyn Fn() -> bool) -> Outcome {
    match found {
        Found::Told(bytes) if bytes.len() > FOUND_BYTES_MAX => {
            Outcome::Failed(format!("the answer has {} bytes, which is too many", bytes.len()))
        }
        Found::Told(bytes) => Outcome::Told(bytes),
        Found::Certificate(bytes) if bytes.len() <= INLINE_BYTES_MAX => {
            Outcome::Won(Body::Inline(bytes))
        }
        Found::Certificate(bytes) if bytes.len() as u64 > REMOTE_BYTES_MAX => {
            Outcome::Failed(format!("the certificate has {} bytes: too many", bytes.len()))
        }
        Found::Certificate(bytes) => match fetch::leave(assignment, &bytes, stops) {
            Ok(body) => Outcome::Won(body),
            Err(why) => Outcome::Failed(shortened(&why)),
        },
    }
}
