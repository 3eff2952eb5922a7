//! The default executor: threads of this process, which take jobs from one queue.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Scope;
use std::time::Duration;

use crate::board::Rules;
use crate::stop::break_if;

use super::executor::{Executor, JobReport};
use super::{Job, JobAnswer, JobProgress, Journal, Worker, codec};

/// A job in the queue.
struct QueuedJob {
    number: u64,
    job: Job,
    /// Whether the answer does not matter any more.
    is_cancelled: Arc<AtomicBool>,
}

/// The node count of all threads, and when they must stop.
struct NodeCounter {
    nodes: AtomicU64,
    nodes_max: u64,
    stop: AtomicBool,
}

/// Threads that do jobs.
pub struct Threads<'a, R> {
    count: usize,
    queue: Option<Sender<QueuedJob>>,
    reports: Receiver<JobReport>,
    counter: Arc<NodeCounter>,
    running: BTreeMap<u64, Arc<AtomicBool>>,
    /// Reads answers that earlier searches recorded.
    reader: Worker<R>,
    journal: &'a dyn Journal,
}

impl<'a, R: Rules> Threads<'a, R> {
    /// Starts `count` threads, which do jobs as `worker` would, until they have spent `nodes_max`
    /// nodes together.
    pub fn new<'scope>(
        scope: &'scope Scope<'scope, '_>,
        worker: &Worker<R>,
        count: usize,
        nodes_max: u64,
        journal: &'a dyn Journal,
    ) -> Threads<'a, R>
    where
        'a: 'scope,
        R: 'scope,
    {
        let (queue, jobs) = channel();
        let jobs = Arc::new(Mutex::new(jobs));
        let (report, reports) = channel();
        let stop = AtomicBool::new(false);
        let counter = Arc::new(NodeCounter { nodes: AtomicU64::new(0), nodes_max, stop });
        for _ in 0..count.max(1) {
            // With one thread no job could begin during a verification: its replies can wait.
            let (report, counter) = (report.clone(), counter.clone());
            let thread = JobThread { report, counter, reports_unsolved: count > 1 };
            let (worker, jobs) = (worker.another(), jobs.clone());
            scope.spawn(move || thread.work(worker, &jobs, journal));
        }
        let (queue, running, reader) = (Some(queue), BTreeMap::new(), worker.another());
        Threads { count: count.max(1), queue, reports, counter, running, reader, journal }
    }

    /// Stops all threads; those that do a job report it as given up.
    pub fn stop(&mut self) {
        self.counter.stop.store(true, Ordering::Relaxed);
        self.queue = None;
    }
}

impl<R: Rules> Executor for Threads<'_, R> {
    fn capacity(&self) -> usize {
        self.count
    }

    fn recall(&mut self, job: &Job) -> Option<(JobAnswer, u64)> {
        let key = self.reader.key(job)?;
        let bytes = self.journal.recall(&key)?;
        self.reader.recall(job, &key, &bytes)
    }

    fn begin(&mut self, number: u64, job: &Job) {
        let is_cancelled = Arc::new(AtomicBool::new(false));
        self.running.insert(number, is_cancelled.clone());
        let queued = QueuedJob { number, job: job.clone(), is_cancelled };
        // If all threads have ended, `wait` reports it.
        let _gone = self.queue.as_ref().is_some_and(|queue| queue.send(queued).is_err());
    }

    fn cancel(&mut self, number: u64) {
        if let Some(flag) = self.running.get(&number) {
            flag.store(true, Ordering::Relaxed);
        }
    }

    fn wait(&mut self, at_most: Duration) -> Option<JobReport> {
        let report = match self.reports.recv_timeout(at_most) {
            Ok(report) => report,
            Err(RecvTimeoutError::Timeout) => return None,
            Err(RecvTimeoutError::Disconnected) => JobReport::Closed,
        };
        if let JobReport::Done { number, .. } = report {
            self.running.remove(&number);
        }
        Some(report)
    }

    fn nodes(&self) -> u64 {
        self.counter.nodes.load(Ordering::Relaxed)
    }

    fn count_recalled(&mut self, nodes: u64) {
        self.counter.nodes.fetch_add(nodes, Ordering::Relaxed);
    }
}

/// One thread.
struct JobThread {
    report: Sender<JobReport>,
    counter: Arc<NodeCounter>,
    /// Whether it reports unsolved replies before the job ends.
    reports_unsolved: bool,
}

impl JobThread {
    /// Does jobs until the queue is closed.
    fn work<R: Rules>(
        &self,
        mut worker: Worker<R>,
        jobs: &Mutex<Receiver<QueuedJob>>,
        journal: &dyn Journal,
    ) {
        let _guard = PanicGuard(&self.report);
        loop {
            let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(queued) = next else { return };
            let report = self.perform(&mut worker, &queued, journal);
            if self.report.send(report).is_err() {
                return;
            }
        }
    }

    fn perform<R: Rules>(
        &self,
        worker: &mut Worker<R>,
        queued: &QueuedJob,
        journal: &dyn Journal,
    ) -> JobReport {
        let NodeCounter { nodes, nodes_max, stop } = &*self.counter;
        let number = queued.number;
        let mut counted = 0;
        let answer = worker.perform(&queued.job, &mut |progress| match progress {
            JobProgress::Nodes(own) => {
                let before = nodes.fetch_add(own - counted, Ordering::Relaxed);
                let all = before + (own - counted);
                counted = own;
                break_if(
                    all >= *nodes_max
                        || stop.load(Ordering::Relaxed)
                        || queued.is_cancelled.load(Ordering::Relaxed),
                )
            }
            JobProgress::Unsolved(reply) => {
                let report = || JobReport::Unsolved { number, reply: reply.to_vec() };
                break_if(self.reports_unsolved && self.report.send(report()).is_err())
            }
        });
        let counts = std::mem::take(&mut worker.counts);
        let cost = counts.nodes;
        nodes.fetch_add(cost.saturating_sub(counted), Ordering::Relaxed);
        if let (Some(key), Some(answer)) = (worker.key(&queued.job), &answer) {
            journal.record(&key, &codec::encode(&key, answer, cost));
        }
        JobReport::Done { number, answer, cost, counts }
    }
}

/// Ends the search when a thread panics, so that it does not wait for the job of this thread.
struct PanicGuard<'a>(&'a Sender<JobReport>);

impl Drop for PanicGuard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // The search may have ended already.
            let _gone = self.0.send(JobReport::Closed);
        }
    }
}
