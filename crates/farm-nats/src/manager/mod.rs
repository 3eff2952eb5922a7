//! The farm as a search sees it: jobs in, answers out.
//!
//! [`Farm`] is a handle; behind it a thread of its own has the loop (`round`) that carries out what
//! `farm::manager::Manager` wants. The journal, the judges, the auditor and the HTTP server for
//! large bodies have threads, too, and talk to the loop only.

mod round;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use sixproof_farm::journal::Record;
use sixproof_farm::manager::{Answered, Job, Manager, Notice, Redone, Settings};
use sixproof_farm::{JobId, ManagerId, QueueId, Status, WorkerId};
use sixproof_solve::failure::{Failure, Result};
use tokio::sync::mpsc::UnboundedSender;

use super::auditor::Auditor;
use super::bodies::{self, Bodies, Question};
use super::connection::Connection;
use super::journal::{self, Writer, Written};
use super::judges::{Judge, Judged, Judges};
use super::labour::Hire;

/// Threads that judge results.
const JUDGES: usize = 2;
/// Partial results that nobody has fetched, at most; later ones are dropped.
const PARTIALS_MAX: usize = 10_000;
/// The loop answers within so long.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);

/// What a farm is started with.
pub struct Setup {
    /// The server.
    pub connection: Connection,
    /// The same over restarts of the same search.
    pub id: ManagerId,
    /// What people call the search.
    pub title: String,
    /// The bench signature that workers must have.
    pub signature: String,
    /// The version of the program.
    pub version: String,
    /// Answers are kept here; the secret of the tokens and large certificates beside it.
    pub journal: PathBuf,
    /// Where large bodies are fetched and left.
    pub listen: SocketAddr,
    /// How workers reach that address, where it is not as it listens.
    pub public_url: Option<String>,
    /// Decides whether a result is good.
    pub judge: Judge,
    /// How long a job may be without a sign of life; with it all times change.
    pub lease: Option<Duration>,
    /// Does jobs again on this machine.
    pub hire: Hire,
    /// The share of answers without a certificate that is done again, in hundredths of a percent.
    pub audit: u32,
    /// Whether a record is a proof, in journals that do not say who answered.
    pub is_proof: fn(&[u8]) -> bool,
}

/// What a search hears.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// What came of a job. It is on disk.
    Answer {
        /// The job.
        job: JobId,
        /// Nodes searched for it.
        nodes: u64,
        /// The answer, or why there is none.
        answer: Answered,
    },
    /// What a worker says of a running job. Nobody has checked it.
    Partial {
        /// The job.
        job: JobId,
        /// The worker that does it.
        worker: WorkerId,
        /// Nodes searched for it.
        nodes: u64,
        /// What it has found so far.
        found: Vec<u8>,
    },
    /// Answers that were given do not count any more, and are not recalled.
    Revoked {
        /// The nodes that they claimed.
        nodes: u64,
    },
    /// An answer was found by this machine, too.
    Confirmed {
        /// The key of the job.
        key: Vec<u8>,
        /// Nodes searched for it.
        nodes: u64,
        /// What the judge made of it.
        record: Vec<u8>,
    },
    /// The answer to [`Farm::settle`].
    Settled,
    /// Something that people may want to know.
    Notice(Notice),
    /// Something does not work at this moment: the server has gone, the disk is full.
    Problem(String),
}

/// What comes to the loop from other threads.
enum Inner {
    Submit(Job),
    Withdraw(JobId),
    Status(mpsc::Sender<Status>),
    Stop,
    #[cfg(test)]
    Crash,
    Settle,
    Performed {
        audit: JobId,
        answer: Option<Redone>,
    },
    Judged(Judged),
    Written(Written),
    Body(Question),
    /// The streams and consumers are there, with these queues of jobs; whether a stream was missing
    /// that should have been there.
    Ready {
        queue: QueueId,
        was_missing: bool,
    },
    Problem(String),
}

/// Answers of the journal: nodes and record of each job.
type Answers = BTreeMap<JobId, (u64, Vec<u8>)>;

/// What the loop and the handle share.
struct Shared {
    capacity: AtomicUsize,
    /// Partial results that nobody has fetched.
    partials: AtomicUsize,
    answers: Mutex<Answers>,
}

impl Shared {
    fn answers(&self) -> MutexGuard<'_, Answers> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A farm that works for a search.
pub struct Farm {
    id: ManagerId,
    recorded_count: usize,
    inner: UnboundedSender<Inner>,
    reports: Mutex<Receiver<Report>>,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
    /// Where workers leave large certificates.
    url: String,
    _server: bodies::Server,
}

impl Farm {
    /// Opens the journal, connects, makes the queues. From then on everything comes back by itself.
    pub fn start(setup: Setup) -> Result<Farm> {
        let Setup { connection, id, title, signature, version, .. } = setup;
        let (mut records, file) = journal::open(&setup.journal)?;
        forget_unknown_authors(&mut records, setup.is_proof);
        let secret = journal::secret(&setup.journal)?;
        let bodies = Arc::new(Bodies::new(journal::beside(&setup.journal, "bodies")));
        let (inner, taken) = tokio::sync::mpsc::unbounded_channel();
        // Who talks to a loop that has ended is about to end, too.
        let asks = inner.clone();
        let asks = Arc::new(move |question| drop(asks.send(Inner::Body(question))));
        if setup.listen.ip().is_unspecified() && setup.public_url.is_none() {
            return Err(Failure::new(format!("workers cannot reach the address {}", setup.listen))
                .help("say how other machines see this one: --public-url http://HOST:PORT"));
        }
        let port_file = journal::beside(&setup.journal, "port");
        let server = bodies::serve(setup.listen, &port_file, Arc::clone(&bodies), asks)?;
        let url = match setup.public_url {
            Some(url) => public_url(&url)?,
            None => format!("http://{}", server.address),
        };
        let told = inner.clone();
        let judges = Judges::start(JUDGES, &setup.judge, &bodies, move |judged| {
            drop(told.send(Inner::Judged(judged)));
        })?;
        let told = inner.clone();
        let writer = Writer::start(file, &setup.journal, move |written| {
            drop(told.send(Inner::Written(written)));
        })?;
        let mut settings = Settings::new(id, secret, &signature, &version);
        settings.url.clone_from(&url);
        settings.audit = setup.audit;
        if let Some(lease) = setup.lease {
            settings = settings.with_lease(u64::try_from(lease.as_millis()).unwrap_or(u64::MAX));
        }
        let machine = Manager::new(settings, records);
        let recorded_count = machine.recorded_count();
        let known = machine.recorded().map(|(job, nodes, it)| (job, (nodes, it.to_vec())));
        let known = Mutex::new(known.collect());
        let told = inner.clone();
        let auditor = Auditor::start(&setup.hire, &setup.judge, move |audit, answer| {
            drop(told.send(Inner::Performed { audit, answer }));
        })?;
        let shared = Arc::new(Shared {
            capacity: AtomicUsize::new(machine.capacity()),
            partials: AtomicUsize::new(0),
            answers: known,
        });
        let (report, reports) = mpsc::channel();
        let (started, is_started) = mpsc::channel();
        let crew = round::Crew { id, title, machine, judges, auditor, writer, bodies };
        let line = round::Line { connection, inner: inner.clone(), report };
        let told = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name("farm".to_string())
            .spawn(move || round::run(crew, line, taken, told, &started))
            .map_err(|error| Failure::io("a thread for the farm", &error))?;
        let farm = Farm {
            id,
            recorded_count,
            inner,
            reports: Mutex::new(reports),
            shared,
            thread: Some(thread),
            url,
            _server: server,
        };
        match is_started.recv() {
            Ok(Ok(())) => Ok(farm),
            Ok(Err(failure)) => Err(failure),
            Err(_) => Err(Failure::new("the farm could not start")),
        }
    }

    /// Asks for a job. A body that is too long for a message travels over HTTP.
    pub fn submit(&self, job: Job) {
        drop(self.inner.send(Inner::Submit(job)));
    }

    /// A job is wanted no more.
    pub fn withdraw(&self, job: JobId) {
        drop(self.inner.send(Inner::Withdraw(job)));
    }

    /// What happens next, if it happens within the time.
    pub fn wait(&self, time: Duration) -> Option<Report> {
        let reports = self.reports.lock().unwrap_or_else(PoisonError::into_inner);
        match reports.recv_timeout(time) {
            Ok(report) => {
                if matches!(report, Report::Partial { .. }) {
                    self.shared.partials.fetch_sub(1, Ordering::Relaxed);
                }
                Some(report)
            }
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                // The loop has ended: nothing comes any more, and nobody should spin.
                thread::sleep(time);
                None
            }
        }
    }

    /// Jobs that the search should have open.
    pub fn capacity(&self) -> usize {
        self.shared.capacity.load(Ordering::Relaxed)
    }

    /// The answer to a job, if it was given before, or if the journal has it and enough answers of
    /// its worker were done again: nodes, and what the judge made of the result.
    pub fn recall(&self, key: &[u8]) -> Option<(u64, Vec<u8>)> {
        self.shared.answers().get(&JobId::of(self.id, key)).cloned()
    }

    /// How many answers the journal had at the start.
    pub fn recorded_count(&self) -> usize {
        self.recorded_count
    }

    /// Asks for [`Report::Settled`] when all answers were audited that will be. A job that is
    /// asked for before, or a revocation, takes this back.
    pub fn settle(&self) {
        drop(self.inner.send(Inner::Settle));
    }

    /// What people are shown; `None` if the farm has ended.
    pub fn status(&self) -> Option<Status> {
        let (ask, answer) = mpsc::channel();
        self.inner.send(Inner::Status(ask)).ok()?;
        answer.recv_timeout(ANSWER_WITHIN).ok()
    }

    /// Where workers leave large certificates.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Ends the farm. What was answered is in the journal; workers wait for another manager.
    pub fn stop(mut self) {
        self.end();
    }

    /// Ends the farm as a crash would.
    #[cfg(test)]
    pub fn crash(mut self) {
        drop(self.inner.send(Inner::Crash));
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }

    fn end(&mut self) {
        drop(self.inner.send(Inner::Stop));
        if let Some(thread) = self.thread.take() {
            // A loop that panicked has ended.
            let _ended = thread.join();
        }
    }
}

impl Drop for Farm {
    fn drop(&mut self) {
        self.end();
    }
}

/// An answer whose author a journal of an earlier version does not tell could never be taken back:
/// it is kept if it is a proof, and else forgotten.
fn forget_unknown_authors(records: &mut Vec<Record>, is_proof: fn(&[u8]) -> bool) {
    records.retain(|it| match it {
        Record::Answer { record, .. } => is_proof(record),
        _ => true,
    });
}

/// An address that workers are told, without a slash at its end.
fn public_url(url: &str) -> Result<String> {
    let plain = url.trim_end_matches('/');
    let is_plain = plain.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'@');
    if !plain.starts_with("http://") || !is_plain || plain.len() > 512 {
        return Err(Failure::new(format!("not an address for large certificates: `{url}`"))
            .help("--public-url is http://HOST:PORT, as other machines see this one"));
    }
    Ok(plain.to_string())
}
