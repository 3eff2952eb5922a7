//! The default crew: threads of this process, and a queue between them and the search.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Scope;
use std::time::Duration;

use crate::board::Rules;

use super::crew::{Crew, Report};
use super::{Answer, Job, Journal, Word, Worker, codec};

/// A job for a thread.
struct Order {
    number: u64,
    job: Job,
    /// Set when the answer does not matter any more.
    is_cancelled: Arc<AtomicBool>,
}

/// Nodes of all threads.
struct Meter {
    nodes: AtomicU64,
    nodes_max: u64,
    stop: AtomicBool,
}

/// Threads that do jobs.
pub struct Threads<'a, R> {
    count: usize,
    orders: Option<Sender<Order>>,
    reports: Receiver<Report>,
    meter: Arc<Meter>,
    running: BTreeMap<u64, Arc<AtomicBool>>,
    /// Reads answers of earlier searches.
    reader: Worker<R>,
    journal: &'a dyn Journal,
}

impl<'a, R: Rules> Threads<'a, R> {
    /// Starts so many threads, which do jobs as `worker` would until they have spent `nodes_max`
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
        let (orders, taken) = channel();
        let taken = Arc::new(Mutex::new(taken));
        let (report, reports) = channel();
        let stop = AtomicBool::new(false);
        let meter = Arc::new(Meter { nodes: AtomicU64::new(0), nodes_max, stop });
        for _ in 0..count.max(1) {
            // With one thread there is nobody who could begin what a verification has left so far.
            let hand = Hand { report: report.clone(), meter: meter.clone(), tells: count > 1 };
            let (worker, taken) = (worker.another(), taken.clone());
            scope.spawn(move || hand.work(worker, &taken, journal));
        }
        let (orders, running, reader) = (Some(orders), BTreeMap::new(), worker.another());
        Threads { count: count.max(1), orders, reports, meter, running, reader, journal }
    }

    /// Asks all threads to stop; those that do a job report it as given up.
    pub fn stop(&mut self) {
        self.meter.stop.store(true, Ordering::Relaxed);
        self.orders = None;
    }
}

impl<R: Rules> Crew for Threads<'_, R> {
    fn capacity(&self) -> usize {
        self.count
    }

    fn recall(&mut self, job: &Job) -> Option<(Answer, u64)> {
        let key = self.reader.key(job)?;
        let bytes = self.journal.recall(&key)?;
        self.reader.recall(job, &key, &bytes)
    }

    fn begin(&mut self, number: u64, job: &Job) {
        let is_cancelled = Arc::new(AtomicBool::new(false));
        self.running.insert(number, is_cancelled.clone());
        let order = Order { number, job: job.clone(), is_cancelled };
        // Without a thread that takes it the search is told that all are gone.
        let _gone = self.orders.as_ref().is_some_and(|orders| orders.send(order).is_err());
    }

    fn cancel(&mut self, number: u64) {
        if let Some(flag) = self.running.get(&number) {
            flag.store(true, Ordering::Relaxed);
        }
    }

    fn wait(&mut self, at_most: Duration) -> Option<Report> {
        let report = match self.reports.recv_timeout(at_most) {
            Ok(report) => report,
            Err(RecvTimeoutError::Timeout) => return None,
            Err(RecvTimeoutError::Disconnected) => Report::Over,
        };
        if let Report::Done { number, .. } = report {
            self.running.remove(&number);
        }
        Some(report)
    }

    fn nodes(&self) -> u64 {
        self.meter.nodes.load(Ordering::Relaxed)
    }

    fn count_again(&mut self, nodes: u64) {
        self.meter.nodes.fetch_add(nodes, Ordering::Relaxed);
    }
}

/// One thread.
struct Hand {
    report: Sender<Report>,
    meter: Arc<Meter>,
    tells: bool,
}

impl Hand {
    /// Takes jobs until there are none.
    fn work<R: Rules>(
        &self,
        mut worker: Worker<R>,
        taken: &Mutex<Receiver<Order>>,
        journal: &dyn Journal,
    ) {
        let _leaving = Leaving(&self.report);
        loop {
            let next = taken.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(order) = next else { return };
            let report = self.perform(&mut worker, &order, journal);
            if self.report.send(report).is_err() {
                return;
            }
        }
    }

    fn perform<R: Rules>(
        &self,
        worker: &mut Worker<R>,
        order: &Order,
        journal: &dyn Journal,
    ) -> Report {
        let Meter { nodes, nodes_max, stop } = &*self.meter;
        let number = order.number;
        let mut told = 0;
        let answer = worker.perform(&order.job, &mut |word| match word {
            Word::Nodes(own) => {
                let before = nodes.fetch_add(own - told, Ordering::Relaxed);
                let all = before + (own - told);
                told = own;
                all >= *nodes_max
                    || stop.load(Ordering::Relaxed)
                    || order.is_cancelled.load(Ordering::Relaxed)
            }
            Word::Unsolved(reply) => {
                let report = || Report::Unsolved { number, reply: reply.to_vec() };
                self.tells && self.report.send(report()).is_err()
            }
        });
        let counts = std::mem::take(&mut worker.counts);
        let cost = counts.nodes;
        nodes.fetch_add(cost.saturating_sub(told), Ordering::Relaxed);
        if let (Some(key), Some(answer)) = (worker.key(&order.job), &answer) {
            journal.record(&key, &codec::encode(&key, answer, cost));
        }
        Report::Done { number, answer, cost, counts }
    }
}

/// A thread that breaks ends the search: nobody must wait for its job.
struct Leaving<'a>(&'a Sender<Report>);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // Nobody may be left to be told.
            let _gone = self.0.send(Report::Over);
        }
    }
}
