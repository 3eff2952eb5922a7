//! A search and its jobs on the farm: how workers do them, how results are judged, and how the
//! search hears of them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sixproof_certificate::certify;
use sixproof_farm::JobId;
use sixproof_farm::ManagerId;
use sixproof_farm::manager::{Answered, Job, Notice};
use sixproof_farm::wire::{Body, Priority};
pub use sixproof_prover::driver::is_proof;
use sixproof_prover::driver::{Desk, Errand, Hands, Return};

use super::judges::Judge;
use super::labour::{Done, Found, Hire, Labourer};
use super::manager::{Farm, Report};

/// How long a job may take in all, besides the time for its nodes: workers have jobs at hand before
/// they begin them.
const LIMIT_MS: u64 = 30_000;
/// The slowest machine searches so many nodes in a millisecond.
const NODES_PER_MS_MIN: u64 = 10;

/// Whoever does the jobs of searches.
pub fn hire() -> Hire {
    Arc::new(|| Box::new(Prover(Desk::default())))
}

/// Does jobs with the prover.
struct Prover(Desk);

impl Labourer for Prover {
    fn perform(
        &mut self,
        body: &[u8],
        watch: &mut dyn FnMut(u64, Option<Vec<u8>>) -> bool,
    ) -> Result<Option<Done>, String> {
        self.0.perform(body, watch).map_err(|malformed| malformed.to_string())
    }
}

/// Has the checker judge certificates against the claims of their jobs.
pub fn judge() -> Judge {
    // Judges work side by side, each at a desk; what a desk knows of the search stays with it.
    let desks = Desks(Mutex::default());
    Arc::new(move |key, found| {
        let mut desk = desks.take();
        let record = record(&mut desk, key, found);
        desks.put(desk);
        record
    })
}

/// Desks that nobody sits at.
struct Desks(Mutex<Vec<Desk>>);

impl Desks {
    fn take(&self) -> Desk {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    fn put(&self, desk: Desk) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(desk);
    }
}

/// What is kept of a result, or why it is bad.
fn record(desk: &mut Desk, key: &[u8], found: &Found) -> Result<Vec<u8>, String> {
    let bytes = match found {
        Found::Told(told) => return desk.told(key, told).map_err(|bad| bad.to_string()),
        Found::Certificate(bytes) => bytes,
    };
    let claim = desk.claim(key).map_err(|bad| bad.to_string())?;
    let certified = certify(&claim, bytes)
        .map_err(|refused| format!("the checker refuses the certificate: {refused}"))?;
    desk.won(key, bytes, &certified).map_err(|bad| bad.to_string())
}

/// What people are told of the farm while a search runs.
#[derive(Debug)]
pub enum News {
    /// Something happened on the farm.
    Notice(Notice),
    /// Something does not work at this moment.
    Problem(String),
}

/// The farm in the hands of a search.
pub struct Lent<'a> {
    farm: &'a Farm,
    id: ManagerId,
    priority: Priority,
    /// The jobs under way by the search's own numbers, and back. A search never has two of a key.
    jobs: BTreeMap<u64, JobId>,
    numbers: BTreeMap<JobId, u64>,
    /// Hears what people should know.
    news: Box<dyn Fn(News) + 'a>,
}

impl<'a> Lent<'a> {
    /// The farm for one search; `news` takes what people should know.
    pub fn new(
        farm: &'a Farm,
        id: ManagerId,
        priority: Priority,
        news: impl Fn(News) + 'a,
    ) -> Lent<'a> {
        let (jobs, numbers) = (BTreeMap::new(), BTreeMap::new());
        Lent { farm, id, priority, jobs, numbers, news: Box::new(news) }
    }

    /// What a report means to the search.
    fn returned(&mut self, report: Report) -> Option<Return> {
        match report {
            Report::Answer { job, nodes, answer } => {
                let number = self.numbers.remove(&job)?;
                self.jobs.remove(&number);
                Some(match answer {
                    Answered::Good { record } => Return::Done { number, nodes, record },
                    Answered::GivenUp { .. } => Return::GivenUp { number },
                })
            }
            Report::Partial { job, nodes, found, .. } => {
                let number = *self.numbers.get(&job)?;
                Some(Return::Partial { number, nodes, found })
            }
            Report::Revoked { nodes } => Some(Return::Revoked { nodes }),
            Report::Confirmed { key, nodes, record } => {
                Some(Return::Confirmed { key, nodes, record })
            }
            Report::Settled => Some(Return::Settled),
            Report::Notice(notice) => {
                (self.news)(News::Notice(notice));
                None
            }
            Report::Problem(problem) => {
                (self.news)(News::Problem(problem));
                None
            }
        }
    }
}

impl Hands for Lent<'_> {
    fn capacity(&self) -> usize {
        self.farm.capacity()
    }

    fn recall(&mut self, key: &[u8]) -> Option<(Vec<u8>, u64)> {
        self.farm.recall(key).map(|(nodes, record)| (record, nodes))
    }

    fn begin(&mut self, number: u64, errand: Errand) {
        let Errand { key, body, nodes_max } = errand;
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

    fn wait(&mut self, at_most: Duration) -> Option<Return> {
        let report = self.farm.wait(at_most)?;
        self.returned(report)
    }
}
