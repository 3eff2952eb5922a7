//! The executor for remote workers: jobs and answers as bytes.
//!
//! A job is a claim with limits, and its answer a certificate of that claim, or the replies that
//! remain. `job_bytes.rs` defines the bytes of a job, which need no other context. `runner.rs` does
//! such a job, and makes a record for the search from a checked result.

mod job_bytes;
mod runner;

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use crate::board::Rules;
use crate::tree::Counts;
use sixproof_certificate::Claim;

use super::executor::{Executor, JobReport};
use super::worker::is_recorded;
use super::{Job, JobAnswer, Journal, Task, Worker, codec};

pub use runner::{Done, Found, JobRunner, Malformed, is_proof};

/// The largest pool for which the search itself does jobs that take less time than their transport.
/// This covers far more cores than the farms of the papers have; with more, choosing jobs takes all
/// the time of the search.
const CAPACITY_LOCAL: usize = 256;

/// Largest ratio of the nodes of a search job to its node limit.
const SOLVE_TIMES: u64 = 4;
/// Largest number of replies that a verification examines.
const REPLIES_MAX: u64 = 1_024;
/// Nodes that every job may take beyond its budget.
const NODES_EXTRA: u64 = 10_000;

/// A job as bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobBytes {
    /// All that the answer depends on: jobs with the same key have the same answer.
    pub key: Vec<u8>,
    /// All that a worker needs to do the job.
    pub body: Vec<u8>,
    /// The largest number of nodes that its budget allows: no answer counts for more.
    pub nodes_max: u64,
}

/// A pool of remote workers, as a search sees it.
pub trait RemotePool {
    /// The number of jobs that the search should keep under way.
    fn capacity(&self) -> usize;
    /// The record of a job that was done before, and its nodes.
    fn recall(&mut self, key: &[u8]) -> Option<(Vec<u8>, u64)>;
    /// Starts a job. The number is new, and identifies the job from now on, even if another job of
    /// this key is under way.
    fn begin(&mut self, number: u64, job: JobBytes);
    /// Stops a job that has become pointless. The pool need not report it any more.
    fn cancel(&mut self, number: u64);
    /// Waits for the next event, at most this long.
    fn wait(&mut self, at_most: Duration) -> Option<PoolEvent>;
    /// Requests [`PoolEvent::Settled`], for when all audits of the given answers have ended. A job
    /// that begins before then cancels the request, and so does a revocation.
    fn settle(&mut self);
}

/// What a pool reports.
#[derive(Clone, Debug)]
pub enum PoolEvent {
    /// Progress of a job: its nodes so far, and replies that it could not solve.
    Partial {
        /// The job.
        number: u64,
        /// Its nodes.
        nodes: u64,
        /// The replies as [`JobRunner::perform`] reported them, one after the other; may be empty.
        found: Vec<u8>,
    },
    /// A job is done.
    Done {
        /// The job.
        number: u64,
        /// Its nodes.
        nodes: u64,
        /// The record that a [`JobRunner`] made of the answer.
        record: Vec<u8>,
    },
    /// Some answers given before do not count any more; [`RemotePool::recall`] no longer has them.
    Revoked {
        /// The nodes that these answers claimed.
        nodes: u64,
    },
    /// This machine found the same answer: searches without the pool may use it, too.
    Confirmed {
        /// The key of its job.
        key: Vec<u8>,
        /// Its nodes.
        nodes: u64,
        /// The record that a [`JobRunner`] made of it.
        record: Vec<u8>,
    },
    /// The answer to [`RemotePool::settle`].
    Settled,
    /// No worker could do a job.
    GivenUp {
        /// The job.
        number: u64,
    },
    /// The pool has ended.
    Closed,
}

/// A search on a pool of remote workers.
pub struct RemoteSearch<'a> {
    /// The workers that do the jobs.
    pub pool: &'a mut dyn RemotePool,
    /// The claim of the search.
    pub claim: &'a Claim,
}

/// A job under way.
struct Sent {
    job: Job,
    key: Vec<u8>,
    /// Nodes reported so far, and the largest number allowed.
    nodes: u64,
    nodes_max: u64,
}

/// An executor on a pool of remote workers.
pub(super) struct RemoteExecutor<'p, 'j, R> {
    pool: &'p mut dyn RemotePool,
    journal: &'j dyn Journal,
    /// Reads answers, and does short jobs.
    reader: Worker<R>,
    /// The bytes that all jobs of the search begin with.
    header: Vec<u8>,
    sent: BTreeMap<u64, Sent>,
    /// Nodes of all jobs.
    nodes: u64,
    /// Reports that the search has not received yet.
    reports: VecDeque<JobReport>,
    /// Jobs that were under way when the search restarted and that it has not begun again, by key.
    left_over: BTreeMap<Vec<u8>, u64>,
    settling: Settling,
}

/// Whether the audits of the answers have ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Settling {
    NotRequested,
    Requested,
    Settled,
}

/// The largest number of nodes that the budget of a job allows.
fn nodes_max(job: &Job) -> u64 {
    let budget = match &job.work {
        Task::Solve { nodes, .. } => nodes.saturating_mul(SOLVE_TIMES),
        Task::Verify { budget, .. } => budget.reply_nodes.saturating_mul(REPLIES_MAX),
        Task::List { .. } => 0,
    };
    budget.saturating_add(NODES_EXTRA)
}

impl<'p, 'j, R: Rules> RemoteExecutor<'p, 'j, R> {
    pub(super) fn new(
        reader: Worker<R>,
        search: RemoteSearch<'p>,
        journal: &'j dyn Journal,
    ) -> RemoteExecutor<'p, 'j, R> {
        let header = job_bytes::search_header(search.claim, &reader);
        RemoteExecutor {
            pool: search.pool,
            journal,
            reader,
            header,
            sent: BTreeMap::new(),
            nodes: 0,
            reports: VecDeque::new(),
            left_over: BTreeMap::new(),
            settling: Settling::NotRequested,
        }
    }

    /// Does a short job.
    fn quick_answer(&mut self, job: &Job) -> Option<(JobAnswer, u64)> {
        if self.pool.capacity() > CAPACITY_LOCAL {
            return None;
        }
        let answer = self.reader.quick_answer(job);
        let nodes = std::mem::take(&mut self.reader.counts).nodes;
        self.nodes += nodes;
        Some((answer?, nodes))
    }

    /// Updates the nodes of a job, which workers report as totals.
    fn spend(&mut self, number: u64, nodes: u64) {
        if let Some(sent) = self.sent.get_mut(&number) {
            let nodes = nodes.min(sent.nodes_max);
            self.nodes += nodes.saturating_sub(sent.nodes);
            sent.nodes = sent.nodes.max(nodes);
        }
    }

    /// Records an answer in the journal of this machine.
    fn record(&self, key: &[u8], nodes: u64, record: &[u8]) -> Option<()> {
        let own = key.strip_prefix(&self.header[..])?;
        let (board, levels) = (&self.reader.board, self.reader.levels());
        let (answer, _) = codec::decode(key, record, board, levels)?;
        if !matches!(answer, JobAnswer::Listed(_)) {
            self.journal.record(own, &codec::encode(own, &answer, nodes));
        }
        Some(())
    }

    /// Reads the answer in a record.
    fn read(&self, job: &Job, key: &[u8], record: &[u8]) -> Option<JobAnswer> {
        self.reader.recall(job, key, record).map(|(answer, _)| answer)
    }

    /// The report of an event, if it concerns the search.
    fn report(&mut self, event: PoolEvent) -> Option<JobReport> {
        match event {
            PoolEvent::Partial { number, nodes, found } => {
                self.spend(number, nodes);
                let sent = self.sent.get(&number)?;
                let replies = job_bytes::read_replies(&found, self.reader.board.geometry.area())?;
                let replies = replies.into_iter();
                let real = replies.filter(|reply| self.reader.is_playable(&sent.job, reply));
                self.reports.extend(real.map(|reply| JobReport::Unsolved { number, reply }));
                self.reports.pop_front()
            }
            PoolEvent::Done { number, nodes, record } => {
                let sent = self.sent.remove(&number)?;
                let nodes = nodes.min(sent.nodes_max);
                self.nodes = self.nodes.saturating_sub(sent.nodes) + nodes;
                let answer = self.read(&sent.job, &sent.key, &record);
                // A search on this machine may use a proof. The journal takes any other answer
                // only when this machine has found the same.
                if let Some(JobAnswer::Won(_)) = answer {
                    self.record(&sent.key, nodes, &record);
                }
                let counts = Counts { nodes, ..Counts::default() };
                Some(JobReport::Done { number, answer, cost: nodes, counts })
            }
            PoolEvent::GivenUp { number } => {
                self.sent.remove(&number)?;
                let (answer, counts) = (Some(JobAnswer::Unknown), Counts::default());
                Some(JobReport::Done { number, answer, cost: 0, counts })
            }
            PoolEvent::Revoked { nodes } => {
                self.nodes = self.nodes.saturating_sub(nodes);
                self.settling = Settling::NotRequested;
                Some(JobReport::Revoked)
            }
            PoolEvent::Confirmed { key, nodes, record } => {
                self.record(&key, nodes, &record);
                None
            }
            PoolEvent::Settled => {
                if self.settling == Settling::Requested {
                    self.settling = Settling::Settled;
                }
                None
            }
            PoolEvent::Closed => Some(JobReport::Closed),
        }
    }
}

impl<R: Rules> Executor for RemoteExecutor<'_, '_, R> {
    fn capacity(&self) -> usize {
        self.pool.capacity()
    }

    fn recall(&mut self, job: &Job) -> Option<(JobAnswer, u64)> {
        let own = self.reader.whole_key(job);
        let known = is_recorded(job).then(|| self.journal.recall(&own)).flatten();
        let known = known.and_then(|bytes| self.reader.recall(job, &own, &bytes));
        known
            .or_else(|| {
                let key = [&self.header[..], &own].concat();
                let (record, nodes) = self.pool.recall(&key)?;
                Some((self.read(job, &key, &record)?, nodes))
            })
            .or_else(|| self.quick_answer(job))
    }

    fn begin(&mut self, number: u64, job: &Job) {
        let key = [&self.header[..], &self.reader.whole_key(job)].concat();
        let body = job_bytes::job_body(&self.header, &self.reader, job);
        let nodes_max = nodes_max(job);
        self.left_over.remove(&key);
        self.settling = Settling::NotRequested;
        self.pool.begin(number, JobBytes { key: key.clone(), body, nodes_max });
        self.sent.insert(number, Sent { job: job.clone(), key, nodes: 0, nodes_max });
    }

    fn cancel(&mut self, number: u64) {
        self.sent.remove(&number);
        self.pool.cancel(number);
    }

    fn wait(&mut self, at_most: Duration) -> Option<JobReport> {
        if let Some(report) = self.reports.pop_front() {
            return Some(report);
        }
        for number in std::mem::take(&mut self.left_over).into_values() {
            self.pool.cancel(number);
        }
        let event = self.pool.wait(at_most)?;
        self.report(event)
    }

    fn is_settled(&mut self) -> bool {
        if self.settling == Settling::NotRequested {
            self.pool.settle();
            self.settling = Settling::Requested;
        }
        self.settling == Settling::Settled
    }

    fn restart(&mut self) {
        self.reports.clear();
        for (number, sent) in std::mem::take(&mut self.sent) {
            self.nodes = self.nodes.saturating_sub(sent.nodes);
            self.left_over.insert(sent.key, number);
        }
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn count_recalled(&mut self, nodes: u64) {
        self.nodes += nodes;
    }
}
