//! The job queue of the server: searches, verifications, analyses and moves of the engine that run
//! beside everything else, survive a restart, and write what they find into documents.
//!
//! [`Jobs`] is the door. `wire` is what the page sees and what is kept, `order` says what is wrong
//! with an order, `queue` decides what is next (pure), `documents` is what jobs need of the documents,
//! `runner` has the threads, `search` and `thinking` do the work. A win is only written when the
//! checker has accepted its certificate.

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

use crate::problem::Answer;
use documents::{JobBucket, JobDocuments};
use queue::{ENDED_MAX, Effect, Lane, Queue};
use runner::{RunnerState, Shared};
use sixproof_solve::failure::{Failure, Result};
use wire::{Job, JobId, JobKind, JobOrder, JobScope, JobState, SearchTree, StoredJob};

/// What is told to everybody who listens.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum JobEvent {
    /// A job as it is now.
    Job(Box<Job>),
    /// Jobs that are forgotten.
    Removed(Vec<JobId>),
}

/// Tells the news, in order. It must not call [`Jobs`].
pub(crate) type Publish = Arc<dyn Fn(JobEvent) + Send + Sync>;
/// Milliseconds since 1970.
pub(crate) type Clock = Arc<dyn Fn() -> u64 + Send + Sync>;

/// What jobs need of the world.
pub(crate) struct Resources {
    pub(crate) documents: Arc<dyn JobDocuments>,
    /// Proofs, refutations and unfinished searches, if they are kept.
    pub(crate) store: Option<Arc<Store>>,
    pub(crate) bucket: Arc<dyn JobBucket>,
    pub(crate) publish: Publish,
    /// Threads of one long search.
    pub(crate) threads: usize,
    pub(crate) clock: Clock,
}

/// All jobs, and the threads that do them.
pub(crate) struct Jobs {
    shared: Arc<Shared>,
    workers: Mutex<Vec<JoinHandle<()>>>,
}

impl Jobs {
    /// Takes up the jobs that are kept, and begins to work.
    pub(crate) fn new(resources: Resources) -> Result<Jobs> {
        let kept = resources.bucket.all();
        let kept = kept.map_err(|why| Failure::new(format!("jobs cannot be read: {why}")))?;
        let next = runner::counter(&kept);
        let mut queue = Queue::new([1, 1], ENDED_MAX);
        let jobs = kept.iter().filter_map(|(_, bytes)| StoredJob::from_bytes(bytes)).collect();
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
    pub(crate) fn order(&self, order: JobOrder) -> Answer<Job> {
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
    pub(crate) fn get(&self, id: JobId) -> Answer<Job> {
        self.shared.state().queue.job(id).cloned()
    }

    /// The proof-number tree of its search; empty if it has none.
    pub(crate) fn tree(&self, id: JobId) -> Answer<Arc<SearchTree>> {
        Ok(self.shared.state().queue.tree(id)?.unwrap_or_default())
    }

    /// Stops it until it is resumed; nothing is lost.
    pub(crate) fn pause(&self, id: JobId) -> Answer<Job> {
        let _gate = self.shared.gate();
        self.change(id, |state, _| state.queue.pause(id))
    }

    /// Lets it go on.
    pub(crate) fn resume(&self, id: JobId) -> Answer<Job> {
        self.change(id, |state, _| state.queue.resume(id))
    }

    /// Ends it: when this has returned, it writes nothing more.
    pub(crate) fn cancel(&self, id: JobId) -> Answer<Job> {
        let _gate = self.shared.gate();
        self.change(id, |state, now| state.queue.cancel(now, id))
    }

    /// A new job with the same order.
    pub(crate) fn repeat(&self, id: JobId) -> Answer<Job> {
        let order = self.shared.state().queue.order_of(id)?.clone();
        self.order(order)
    }

    /// Moves it up or down, from -10 to 10.
    pub(crate) fn set_priority(&self, id: JobId, priority: i32) -> Answer<Job> {
        self.change(id, |state, _| state.queue.set_priority(id, priority))
    }

    /// Forgets one that has ended.
    pub(crate) fn forget(&self, id: JobId) -> Answer<()> {
        let mut state = self.shared.state();
        let effects = state.queue.forget(id)?;
        self.shared.carry_out(&mut state, &effects);
        Ok(())
    }

    /// Stops all searches and waits for them. What was running is queued, and goes on when the
    /// server starts again.
    pub(crate) fn shutdown(&self) {
        self.shared.close();
        for worker in self.workers().drain(..) {
            // A worker that has panicked has nothing more to say.
            let _ended = worker.join();
        }
    }

    fn change(
        &self,
        id: JobId,
        change: impl FnOnce(&mut RunnerState, u64) -> Answer<Vec<Effect>>,
    ) -> Answer<Job> {
        let now = self.shared.now();
        let mut state = self.shared.state();
        let effects = change(&mut state, now)?;
        self.shared.carry_out(&mut state, &effects);
        // It may have been dropped as one of too many that have ended; then this is how it was.
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
