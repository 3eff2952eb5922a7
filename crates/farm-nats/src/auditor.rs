//! The thread that audits jobs on the search's own machine: its answer decides between two workers.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use sixproof_farm::JobId;
use sixproof_farm::manager::OwnAnswer;
use sixproof_prover::stop::break_if;
use sixproof_solve::failure::{Failure, Result};

use super::jobs::{Found, HandlerFactory};
use super::judges::Judge;

/// A job to audit.
pub(crate) struct AuditJob {
    pub(crate) audit: JobId,
    pub(crate) key: Vec<u8>,
    pub(crate) body: Arc<Vec<u8>>,
}

/// The thread. It ends when this is dropped.
pub(crate) struct Auditor {
    jobs: Option<Sender<AuditJob>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Auditor {
    /// Starts the thread; `report` receives the answer of each audit.
    pub(crate) fn start(
        handlers: &HandlerFactory,
        judge: &Judge,
        report: impl Fn(JobId, Option<OwnAnswer>) + Send + 'static,
    ) -> Result<Auditor> {
        let (jobs, receiver) = mpsc::channel();
        let stop = Arc::new(AtomicBool::new(false));
        let (handlers, judge, stops) = (Arc::clone(handlers), Arc::clone(judge), Arc::clone(&stop));
        let thread = thread::Builder::new()
            .name("auditor".to_string())
            .spawn(move || work(&receiver, &handlers, &judge, &stops, &report))
            .map_err(|error| Failure::io("a thread for audits", &error))?;
        Ok(Auditor { jobs: Some(jobs), stop, thread: Some(thread) })
    }

    pub(crate) fn perform(&self, job: AuditJob) {
        if let Some(jobs) = &self.jobs {
            // The thread lives as long as this.
            let _sent = jobs.send(job);
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
    jobs: &Receiver<AuditJob>,
    handlers: &HandlerFactory,
    judge: &Judge,
    stop: &AtomicBool,
    report: &dyn Fn(JobId, Option<OwnAnswer>),
) {
    let mut handler = handlers();
    while let Ok(AuditJob { audit, key, body }) = jobs.recv() {
        let answer = panic::catch_unwind(AssertUnwindSafe(|| {
            let done = handler
                .perform(&body, &mut |_, _| break_if(stop.load(Ordering::Relaxed)))
                .ok()??;
            let certified = matches!(done.found, Found::Certificate(_));
            let record = judge(&key, &done.found).ok()?;
            Some(OwnAnswer { nodes: done.nodes, record, certified })
        }));
        // A job that this machine cannot do says nothing about a worker.
        let answer = answer.unwrap_or_else(|_| {
            handler = handlers();
            None
        });
        report(audit, answer);
    }
}
