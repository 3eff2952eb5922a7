//! The farm as the prover uses it: workers do jobs with the prover, the manager judges results with
//! the checker, and [`FarmPool`] is the pool of workers of a search.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sixproof_certificate::certify;
use sixproof_farm::JobId;
use sixproof_farm::ManagerId;
use sixproof_farm::manager::{Answered, Job, Notice};
use sixproof_farm::wire::{Body, Priority};
pub use sixproof_prover::driver::is_proof;
use sixproof_prover::driver::{JobBytes, JobRunner, PoolEvent, RemotePool};

use super::jobs::{Done, Found, HandlerFactory, JobHandler};
use super::judges::Judge;
use super::manager::{Farm, FarmEvent};

/// Base of the time limit of a job, beside the time for its nodes: workers prefetch jobs before
/// they begin them.
const LIMIT_MS: u64 = 30_000;
/// Speed of the slowest machine, which the time limit of a job assumes.
const NODES_PER_MS_MIN: u64 = 10;

/// Makes handlers that do jobs with the prover.
pub fn handlers() -> HandlerFactory {
    Arc::new(|| Box::new(Prover(JobRunner::default())))
}

/// Does jobs with the prover.
struct Prover(JobRunner);

impl JobHandler for Prover {
    fn perform(
        &mut self,
        body: &[u8],
        watch: &mut dyn FnMut(u64, Option<Vec<u8>>) -> ControlFlow<()>,
    ) -> Result<Option<Done>, String> {
        self.0.perform(body, watch).map_err(|malformed| malformed.to_string())
    }
}

/// A judge that has the checker judge certificates against the claims of their jobs.
pub fn judge() -> Judge {
    // Threads judge in parallel, each with its own runner, which keeps the context of the search.
    let runners = IdleRunners(Mutex::default());
    Arc::new(move |key, found| {
        let mut runner = runners.take();
        let record = record(&mut runner, key, found);
        runners.put(runner);
        record
    })
}

/// Runners that no thread uses.
struct IdleRunners(Mutex<Vec<JobRunner>>);

impl IdleRunners {
    fn take(&self) -> JobRunner {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    fn put(&self, runner: JobRunner) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(runner);
    }
}

/// The record of a finding, or why it is bad.
fn record(runner: &mut JobRunner, key: &[u8], found: &Found) -> Result<Vec<u8>, String> {
    let bytes = match found {
        Found::Uncertified(answer) => {
            return runner.uncertified_record(key, answer).map_err(|bad| bad.to_string());
        }
        Found::Certificate(bytes) => bytes,
    };
    let claim = runner.claim(key).map_err(|bad| bad.to_string())?;
    let certified = certify(&claim, bytes)
        .map_err(|refused| format!("the checker refuses the certificate: {refused}"))?;
    runner.certified_record(key, bytes, &certified).map_err(|bad| bad.to_string())
}

/// What the farm reports to the user of a search.
#[derive(Debug)]
pub enum FarmNotice {
    /// An event of the farm.
    Notice(Notice),
    /// A temporary problem.
    Problem(String),
}

/// The pool of workers of one search, on a farm.
pub struct FarmPool<'a> {
    farm: &'a Farm,
    id: ManagerId,
    priority: Priority,
    /// The jobs under way by their numbers in the search, and back. A search never has two jobs of
    /// one key.
    jobs: BTreeMap<u64, JobId>,
    numbers: BTreeMap<JobId, u64>,
    /// Receives what the farm reports to the user.
    notify: Box<dyn Fn(FarmNotice) + 'a>,
}

impl<'a> FarmPool<'a> {
    /// The pool of one search; `notify` receives what the farm reports to the user.
    pub fn new(
        farm: &'a Farm,
        id: ManagerId,
        priority: Priority,
        notify: impl Fn(FarmNotice) + 'a,
    ) -> FarmPool<'a> {
        let (jobs, numbers) = (BTreeMap::new(), BTreeMap::new());
        FarmPool { farm, id, priority, jobs, numbers, notify: Box::new(notify) }
    }

    /// The event of the pool for an event of the farm, if it concerns the search.
    fn pool_event(&mut self, event: FarmEvent) -> Option<PoolEvent> {
        match event {
            FarmEvent::Answer { job, nodes, answer } => {
                let number = self.numbers.remove(&job)?;
                self.jobs.remove(&number);
                Some(match answer {
                    Answered::Good { record } => PoolEvent::Done { number, nodes, record },
                    Answered::GivenUp { .. } => PoolEvent::GivenUp { number },
                })
            }
            FarmEvent::Partial { job, nodes, found } => {
                let number = *self.numbers.get(&job)?;
                Some(PoolEvent::Partial { number, nodes, found })
            }
            FarmEvent::Revoked { nodes } => Some(PoolEvent::Revoked { nodes }),
            FarmEvent::Confirmed { key, nodes, record } => {
                Some(PoolEvent::Confirmed { key, nodes, record })
            }
            FarmEvent::Settled => Some(PoolEvent::Settled),
            FarmEvent::Notice(notice) => {
                (self.notify)(FarmNotice::Notice(notice));
                None
            }
            FarmEvent::Problem(problem) => {
                (self.notify)(FarmNotice::Problem(problem));
                None
            }
        }
    }
}

impl RemotePool for FarmPool<'_> {
    fn capacity(&self) -> usize {
        self.farm.capacity()
    }

    fn recall(&mut self, key: &[u8]) -> Option<(Vec<u8>, u64)> {
        self.farm.recall(key).map(|(nodes, record)| (record, nodes))
    }

    fn begin(&mut self, number: u64, job: JobBytes) {
        let JobBytes { key, body, nodes_max } = job;
        let id = JobId::of(self.id, &key);
        self.jobs.insert(number, id);
        if let Some(before) = self.numbers.insert(id, number) {
            self.jobs.remove(&before);
        }
        let limit_ms = LIMIT_MS.saturating_add(nodes_max / NODES_PER_MS_MIN);
        let (priority, body) = (self.priority, Body::Inline(body));
        self.farm.submit(Job { id, key, priority, body, limit_ms });
    }

    fn settle(&mut self) {
        self.farm.settle();
    }

    fn cancel(&mut self, number: u64) {
        if let Some(job) = self.jobs.remove(&number) {
            self.numbers.remove(&job);
            self.farm.withdraw(job);
        }
    }

    fn wait(&mut self, at_most: Duration) -> Option<PoolEvent> {
        let event = self.farm.wait(at_most)?;
        self.pool_event(event)
    }
}
