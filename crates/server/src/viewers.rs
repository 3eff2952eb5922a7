//! The viewers of live analyses. An analysis of one position without a limit has no end of its own:
//! it ends when its last viewer has left.
//!
//! A live connection is a viewer of every live analysis until it names the ones that it watches. A
//! request for a job counts as a view of it at that moment, so that a program may poll it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::Editor;
use super::jobs::Jobs;
use super::jobs::wire::JobId;

/// The time that a live analysis goes on without a viewer: longer than a page takes to load again,
/// or to connect again after a restart of the server.
const UNWATCHED_MAX: Duration = Duration::from_secs(15);
/// The time between two checks for analyses without a viewer.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// The connections, and what they watch.
#[derive(Debug, Default)]
pub(crate) struct Viewers(Mutex<Watched>);

#[derive(Debug, Default)]
struct Watched {
    /// The number of the next connection.
    next: u64,
    /// The jobs that each connection watches; `None`: all.
    watched: BTreeMap<u64, Option<BTreeSet<JobId>>>,
    /// When a live analysis had a viewer last, or was first seen without one.
    seen: BTreeMap<JobId, Instant>,
}

/// A live connection; it stops watching when it is dropped.
#[derive(Debug)]
pub(crate) struct Viewer {
    viewers: Arc<Viewers>,
    number: u64,
}

impl Viewers {
    /// Adds a connection, which watches everything.
    pub(crate) fn join(self: &Arc<Viewers>) -> Viewer {
        let mut state = self.lock();
        state.next += 1;
        let number = state.next;
        state.watched.insert(number, None);
        Viewer { viewers: Arc::clone(self), number }
    }

    /// Notes that a program has requested a job.
    pub(crate) fn viewed(&self, now: Instant, job: JobId) {
        // A job that is not a live analysis is dropped at the next check.
        self.lock().seen.insert(job, now);
    }

    /// Ends the live analyses that had no viewer for a while.
    pub(crate) fn end_unwatched(&self, now: Instant, jobs: &Jobs) {
        for job in self.unwatched(now, &jobs.live()) {
            // It may have ended by itself meanwhile.
            let _ended = jobs.cancel(job);
        }
    }

    fn unwatched(&self, now: Instant, live: &[JobId]) -> Vec<JobId> {
        let Watched { watched, seen, .. } = &mut *self.lock();
        seen.retain(|job, _| live.contains(job));
        let is_left = |job: &JobId| {
            let watches = |jobs: &Option<BTreeSet<JobId>>| {
                jobs.as_ref().is_none_or(|jobs| jobs.contains(job))
            };
            let last = seen.entry(*job).or_insert(now);
            if watched.values().any(watches) {
                *last = now;
            }
            now.saturating_duration_since(*last) >= UNWATCHED_MAX
        };
        live.iter().copied().filter(is_left).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Watched> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Viewer {
    /// Watches these jobs from now on, and no others.
    pub(crate) fn watch(&self, jobs: Vec<JobId>) {
        self.viewers.lock().watched.insert(self.number, Some(jobs.into_iter().collect()));
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        self.viewers.lock().watched.remove(&self.number);
    }
}

/// Ends live analyses without a viewer, as long as the server runs.
pub(crate) async fn end_unwatched(editor: Arc<Editor>) {
    let mut ticks = tokio::time::interval(CHECK_INTERVAL);
    loop {
        ticks.tick().await;
        let editor = Arc::clone(&editor);
        let check = move || editor.viewers.end_unwatched(Instant::now(), &editor.jobs);
        // A check that panics is made again at the next tick.
        let _checked = tokio::task::spawn_blocking(check).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_live_analysis_ends_with_its_last_viewer_and_not_while_the_page_is_loaded_again() {
        let viewers = Arc::new(Viewers::default());
        let start = Instant::now();
        let after = |seconds: u64| start + Duration::from_secs(seconds);
        let page = viewers.join();
        assert!(viewers.unwatched(after(0), &[1]).is_empty());
        assert!(viewers.unwatched(after(1_000), &[1]).is_empty());
        drop(page);
        assert!(viewers.unwatched(after(1_014), &[1]).is_empty(), "it may come back");
        let again = viewers.join();
        assert!(viewers.unwatched(after(1_020), &[1]).is_empty());
        let other = viewers.join();
        other.watch(vec![2]);
        drop(again);
        assert!(viewers.unwatched(after(1_034), &[1, 2]).is_empty());
        assert_eq!(viewers.unwatched(after(1_035), &[1, 2]), [1], "the other page watches 2");
        other.watch(vec![1]);
        assert!(viewers.unwatched(after(1_040), &[1, 2]).is_empty());
        assert_eq!(viewers.unwatched(after(1_050), &[1, 2]), [2]);
    }

    #[test]
    fn a_program_that_requests_a_live_analysis_now_and_then_keeps_it() {
        let viewers = Arc::new(Viewers::default());
        let start = Instant::now();
        let after = |seconds: u64| start + Duration::from_secs(seconds);
        assert!(viewers.unwatched(after(0), &[7]).is_empty(), "just ordered");
        viewers.viewed(after(10), 7);
        assert!(viewers.unwatched(after(24), &[7]).is_empty());
        assert_eq!(viewers.unwatched(after(25), &[7]), [7]);
        // A job that is not a live analysis is not remembered.
        viewers.viewed(after(26), 8);
        assert!(viewers.unwatched(after(26), &[]).is_empty());
        assert!(viewers.lock().seen.is_empty());
    }
}
