//! Who watches live analyses. An analysis of one position without a limit has no end of its own: it
//! ends when its last viewer has left.
//!
//! A connection to the live messages is a viewer of all of them, until it says which ones it
//! watches. Asking for a job is a look at it, so that a program may come back now and then.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::Editor;
use super::jobs::Jobs;
use super::jobs::wire::JobId;

/// How long a live analysis goes on without a viewer: longer than a page takes to be loaded again,
/// or to come back after a restart of the server.
const UNWATCHED_MAX: Duration = Duration::from_secs(15);
/// How often viewers are looked for.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The connections, and what they watch.
#[derive(Debug, Default)]
pub(crate) struct Viewers(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// The number of the next connection.
    next: u64,
    /// The jobs that each connection watches; `None`: all.
    watched: BTreeMap<u64, Option<BTreeSet<JobId>>>,
    /// When a live analysis had a viewer last, or was first seen without one.
    seen: BTreeMap<JobId, Instant>,
}

/// A connection that is there until it is dropped.
#[derive(Debug)]
pub(crate) struct Viewer {
    viewers: Arc<Viewers>,
    number: u64,
}

impl Viewers {
    /// A new connection: it watches everything.
    pub(crate) fn join(self: &Arc<Viewers>) -> Viewer {
        let mut state = self.lock();
        state.next += 1;
        let number = state.next;
        state.watched.insert(number, None);
        Viewer { viewers: Arc::clone(self), number }
    }

    /// A program has asked for a job.
    pub(crate) fn looked(&self, now: Instant, job: JobId) {
        // One that is no live analysis is dropped with the next look.
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
        let State { watched, seen, .. } = &mut *self.lock();
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

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Viewer {
    /// It watches these jobs from now on, and no others.
    pub(crate) fn watch(&self, jobs: Vec<JobId>) {
        self.viewers.lock().watched.insert(self.number, Some(jobs.into_iter().collect()));
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        self.viewers.lock().watched.remove(&self.number);
    }
}

/// Looks for live analyses without a viewer, as long as the server runs.
pub(crate) async fn look(editor: Arc<Editor>) {
    let mut ticks = tokio::time::interval(LOOK_EVERY);
    loop {
        ticks.tick().await;
        let editor = Arc::clone(&editor);
        let look = move || editor.viewers.end_unwatched(Instant::now(), &editor.jobs);
        // A look that fails is made again.
        let _looked = tokio::task::spawn_blocking(look).await;
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
    fn who_asks_for_a_live_analysis_now_and_then_keeps_it() {
        let viewers = Arc::new(Viewers::default());
        let start = Instant::now();
        let after = |seconds: u64| start + Duration::from_secs(seconds);
        assert!(viewers.unwatched(after(0), &[7]).is_empty(), "just ordered");
        viewers.looked(after(10), 7);
        assert!(viewers.unwatched(after(24), &[7]).is_empty());
        assert_eq!(viewers.unwatched(after(25), &[7]), [7]);
        // What is no live analysis is not remembered.
        viewers.looked(after(26), 8);
        assert!(viewers.unwatched(after(26), &[]).is_empty());
        assert!(viewers.lock().seen.is_empty());
    }
}
