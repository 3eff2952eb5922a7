//! The job queue of the server: searches, verifications, analyses and moves of the engine. Jobs run
//! beside everything else, survive a restart, and write their results into documents.
//!
//! [`Jobs`] is the entry. `wire` has the forms that the page sees and the store keeps, `order`
//! makes a job of an order or refuses it, `queue` decides what runs next (pure), `documents` is the
//! interface to the documents, `runner` has the threads, `search` and `thinking` do the work. A job
//! writes a win only when the checker has accepted its certificate.

pub(crate) mod documents;
mod order;
mod queue;
mod runner;
mod search;
mod thinking;
pub(crate) mod wire;

#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use sixproof_store::Store;

use crate::problem::ApiResult;
use documents::{JobBucket, JobDocuments};
use queue::{ENDED_MAX, Effect, Lane, Queue};
use runner::{RunnerState, Shared};
use sixproof_solve::failure::{Failure, Result};
pub(crate) use thinking::completes;
use wire::{Job, JobId, JobKind, JobOrder, JobScope, JobState, SearchTree, StoredJob};

/// A message about jobs for all clients.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum JobEvent {
    /// The present state of a job.
    Job(Box<Job>),
    /// The jobs that were removed.
    Removed(Vec<JobId>),
}

/// Publishes messages in their order. It must not call [`Jobs`].
pub(crate) type Publish = Arc<dyn Fn(JobEvent) + Send + Sync>;
/// Milliseconds since 1970.
pub(crate) type Clock = Arc<dyn Fn() -> u64 + Send + Sync>;

/// The interfaces and settings that jobs need.
pub(crate) struct Resources {
    pub(crate) documents: Arc<dyn JobDocuments>,
    /// The store of proofs, refutations and unfinished searches, if there is one.
    pub(crate) store: Option<Arc<Store>>,
    pub(crate) bucket: Arc<dyn JobBucket>,
    pub(crate) publish: Publish,
    /// The threads of one long search.
    pub(crate) threads: usize,
    pub(crate) clock: Clock,
}

/// All jobs, and the threads that run them.
pub(crate) struct Jobs {
    shared: Arc<Shared>,
    workers: Mutex<Vec<JoinHandle<()>>>,
}

impl Jobs {
    /// Restores the stored jobs, and starts the threads.
    pub(crate) fn new(resources: Resources) -> Result<Jobs> {
        let stored = resources.bucket.all();
        let stored = stored.map_err(|why| Failure::new(format!("jobs cannot be read: {why}")))?;
        let next = runner::counter(&stored);
        let mut queue = Queue::new([1, 1], ENDED_MAX);
        let jobs = stored.iter().filter_map(|(_, bytes)| StoredJob::from_bytes(bytes)).collect();
        let effects = queue.restore(jobs, next);
        let shared = Arc::new(Shared::new(resources, queue));
        shared.carry_out(&mut shared.state(), &effects);
        let jobs = Jobs { shared, workers: Mutex::default() };
        for lane in Lane::ALL {
            let shared = Arc::clone(&jobs.shared);
            let name = format!("{lane:?}").to_lowercase();
            let worker = thread::Builder::new().name(name).spawn(move || shared.work(lane));
            let worker = worker
                .map_err(|error| Failure::new(format!("jobs have no thread to run in: {error}")))?;
            jobs.workers().push(worker);
        }
        Ok(jobs)
    }

    /// Queues a job.
    pub(crate) fn order(&self, order: JobOrder) -> ApiResult<Job> {
        let job = order::draft(&*self.shared.documents, &order)?;
        let mut state = self.shared.state();
        let (id, effects) = state.queue.add(self.shared.now(), job, order)?;
        self.shared.carry_out(&mut state, &effects);
        state.queue.job(id).cloned()
    }

    /// All jobs, the newest first.
    pub(crate) fn list(&self) -> Vec<Job> {
        self.shared.state().queue.jobs().cloned().collect()
    }

    /// The live analyses: those of one position that have no limit, and so no end.
    pub(crate) fn live(&self) -> Vec<JobId> {
        let is_live = |job: &&Job| {
            job.kind == JobKind::Analyse
                && job.scope == JobScope::Node
                && (job.limits.nodes, job.limits.seconds) == (None, None)
                && matches!(job.state, JobState::Queued | JobState::Running)
        };
        self.shared.state().queue.jobs().filter(is_live).map(|job| job.id).collect()
    }

    /// One job.
    pub(crate) fn get(&self, id: JobId) -> ApiResult<Job> {
        self.shared.state().queue.job(id).cloned()
    }

    /// The proof-number tree of a job's search; empty if it has none.
    pub(crate) fn tree(&self, id: JobId) -> ApiResult<Arc<SearchTree>> {
        Ok(self.shared.state().queue.tree(id)?.unwrap_or_default())
    }

    /// Stops a job until it is resumed; nothing is lost.
    pub(crate) fn pause(&self, id: JobId) -> ApiResult<Job> {
        let _gate = self.shared.gate();
        self.change(id, |state, _| state.queue.pause(id))
    }

    /// Queues a paused job again.
    pub(crate) fn resume(&self, id: JobId) -> ApiResult<Job> {
        self.change(id, |state, _| state.queue.resume(id))
    }

    /// Ends a job: after the return of this function it writes nothing more.
    pub(crate) fn cancel(&self, id: JobId) -> ApiResult<Job> {
        let _gate = self.shared.gate();
        self.change(id, |state, now| state.queue.cancel(now, id))
    }

    /// A new job with the same order.
    pub(crate) fn repeat(&self, id: JobId) -> ApiResult<Job> {
        let order = self.shared.state().queue.order_of(id)?.clone();
        self.order(order)
    }

    /// Sets the priority of a job, from -10 to 10.
    pub(crate) fn set_priority(&self, id: JobId, priority: i32) -> ApiResult<Job> {
        self.change(id, |state, _| state.queue.set_priority(id, priority))
    }

    /// Removes a job that has ended.
    pub(crate) fn forget(&self, id: JobId) -> ApiResult<()> {
        let mut state = self.shared.state();
        let effects = state.queue.forget(id)?;
        self.shared.carry_out(&mut state, &effects);
        Ok(())
    }

    /// Stops all searches and waits for them. Jobs that were running are queued, and go on when the
    /// server starts again.
    pub(crate) fn shutdown(&self) {
        self.shared.close();
        for worker in self.workers().drain(..) {
            // Nothing is lost with a thread that has panicked.
            let _ended = worker.join();
        }
    }

    fn change(
        &self,
        id: JobId,
        change: impl FnOnce(&mut RunnerState, u64) -> ApiResult<Vec<Effect>>,
    ) -> ApiResult<Job> {
        let now = self.shared.now();
        let mut state = self.shared.state();
        let effects = change(&mut state, now)?;
        self.shared.carry_out(&mut state, &effects);
        // If too many jobs have ended, this one may have been removed: the answer is then 404.
        state.queue.job(id).cloned()
    }

    fn workers(&self) -> std::sync::MutexGuard<'_, Vec<JoinHandle<()>>> {
        self.workers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Jobs {
    fn drop(&mut self) {
        self.shutdown();
    }
}
