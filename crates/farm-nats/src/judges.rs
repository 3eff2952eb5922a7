//! The threads that judge results: checking a certificate may take minutes, during which the
//! manager must go on reading messages.

use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use sixproof_farm::manager::Judgement;
use sixproof_farm::wire::{Body, Outcome};
use sixproof_farm::{JobId, WorkerId};
use sixproof_solve::failure::{Failure, Result};

use super::bodies::Bodies;
use super::jobs::{Found, shortened};

/// Judges a finding for the job of a key: the record to keep, or why the finding is bad.
pub(crate) type Judge =
    Arc<dyn Fn(&[u8], &Found) -> std::result::Result<Vec<u8>, String> + Send + Sync>;

/// A result to judge.
pub(crate) struct Case {
    pub(crate) delivery: u64,
    pub(crate) job: JobId,
    pub(crate) worker: WorkerId,
    /// The key of the job.
    pub(crate) key: Arc<[u8]>,
    pub(crate) outcome: Outcome,
}

/// A judged result.
pub(crate) struct Judged {
    pub(crate) delivery: u64,
    pub(crate) job: JobId,
    pub(crate) worker: WorkerId,
    pub(crate) verdict: Judgement,
}

/// The threads. They end when this is dropped.
pub(crate) struct Judges {
    cases: Option<Sender<Case>>,
    threads: Vec<JoinHandle<()>>,
}

impl Judges {
    pub(crate) fn start(
        count: usize,
        judge: &Judge,
        bodies: &Arc<Bodies>,
        report: impl Fn(Judged) + Clone + Send + 'static,
    ) -> Result<Judges> {
        let (cases, receiver) = mpsc::channel();
        let receiver = Arc::new(Mutex::new(receiver));
        let mut threads = Vec::new();
        for number in 0..count {
            let (receiver, judge) = (Arc::clone(&receiver), Arc::clone(judge));
            let (bodies, report) = (Arc::clone(bodies), report.clone());
            let thread = thread::Builder::new()
                .name(format!("judge {number}"))
                .spawn(move || work(&receiver, &judge, &bodies, &report))
                .map_err(|error| Failure::io("a thread for the judge", &error))?;
            threads.push(thread);
        }
        Ok(Judges { cases: Some(cases), threads })
    }

    pub(crate) fn judge(&self, case: Case) {
        if let Some(cases) = &self.cases {
            // The threads live as long as this.
            let _sent = cases.send(case);
        }
    }
}

impl Drop for Judges {
    fn drop(&mut self) {
        self.cases = None;
        for thread in self.threads.drain(..) {
            let _ended = thread.join();
        }
    }
}

fn work(cases: &Mutex<Receiver<Case>>, judge: &Judge, bodies: &Bodies, report: &dyn Fn(Judged)) {
    loop {
        let case = cases.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Case { delivery, job, worker, key, outcome }) = case else { return };
        let verdict =
            panic::catch_unwind(AssertUnwindSafe(|| verdict(judge, bodies, &key, outcome)));
        // A crash of the judge says nothing about the worker.
        let crashed = || Judgement::Missing { why: "the judge crashed".to_string() };
        let verdict = verdict.unwrap_or_else(|_| crashed());
        report(Judged { delivery, job, worker, verdict });
    }
}

fn verdict(judge: &Judge, bodies: &Bodies, key: &[u8], outcome: Outcome) -> Judgement {
    let missing = |why: String| Judgement::Missing { why: shortened(&why) };
    let found = match outcome {
        Outcome::Uncertified(bytes) => Found::Uncertified(bytes),
        Outcome::Won(Body::Inline(bytes)) => Found::Certificate(bytes),
        Outcome::Won(Body::Remote { hash, len }) => match bodies.certificate(&hash, len) {
            Ok(bytes) => Found::Certificate(bytes),
            Err(error) => return missing(format!("the certificate was not uploaded: {error}")),
        },
        Outcome::Failed(why) => return missing(why),
    };
    match judge(key, &found) {
        Ok(record) => Judgement::Good { record },
        Err(why) => Judgement::Bad { why: shortened(&why) },
    }
}
