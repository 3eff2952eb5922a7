//! The thread that does jobs again: what it finds decides between two workers.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use sixproof_farm::JobId;
use sixproof_farm::manager::Redone;
use sixproof_solve::failure::{Failure, Result};

use super::judges::Judge;
use super::labour::{Found, Hire};

/// A job to be done again.
pub(crate) struct Again {
    pub(crate) audit: JobId,
    pub(crate) key: Vec<u8>,
    pub(crate) body: Arc<Vec<u8>>,
}

/// The thread. It ends when this is dropped.
pub(crate) struct Auditor {
    jobs: Option<Sender<Again>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Auditor {
    pub(crate) fn start(
        hire: &Hire,
        judge: &Judge,
        told: impl Fn(JobId, Option<Redone>) + Send + 'static,
    ) -> Result<Auditor> {
        let (jobs, taken) = mpsc::channel();
        let stop = Arc::new(AtomicBool::new(false));
        let (hire, judge, stops) = (Arc::clone(hire), Arc::clone(judge), Arc::clone(&stop));
        let thread = thread::Builder::new()
            .name("auditor".to_string())
            .spawn(move || work(&taken, &hire, &judge, &stops, &told))
            .map_err(|error| Failure::io("a thread for audits", &error))?;
        Ok(Auditor { jobs: Some(jobs), stop, thread: Some(thread) })
    }

    pub(crate) fn perform(&self, again: Again) {
        if let Some(jobs) = &self.jobs {
            // The thread stays as long as this does.
            let _taken = jobs.send(again);
        }
    }
}

impl Drop for Auditor {
    fn drop(&mut self) {
        self.jobs = None;
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ended = thread.join();
        }
    }
}

fn work(
    jobs: &Receiver<Again>,
    hire: &Hire,
    judge: &Judge,
    stop: &AtomicBool,
    told: &dyn Fn(JobId, Option<Redone>),
) {
    let mut labourer = hire();
    while let Ok(Again { audit, key, body }) = jobs.recv() {
        let done = panic::catch_unwind(AssertUnwindSafe(|| {
            let done = labourer.perform(&body, &mut |_, _| stop.load(Ordering::Relaxed)).ok()??;
            let certified = matches!(done.found, Found::Certificate(_));
            let record = judge(&key, &done.found).ok()?;
            Some(Redone { nodes: done.nodes, record, certified })
        }));
        // What this machine cannot do says nothing about a worker.
        let done = done.unwrap_or_else(|_| {
            labourer = hire();
            None
        });
        told(audit, done);
    }
}
