//! The farm as a search sees it: jobs in, answers out.
//!
//! [`Farm`] is a handle; behind it a thread of its own has the loop (`round`) that carries out what
//! `farm::manager::Manager` wants. The journal, the judges and the HTTP server for large bodies
//! have threads, too, and talk to the loop only.

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
use sixproof_farm::manager::{Answered, Job, Manager, Notice, Settings};
use sixproof_farm::{JobId, ManagerId, Status, WorkerId};
use sixproof_solve::failure::{Failure, Result};
use tokio::sync::mpsc::UnboundedSender;

use super::bodies::{self, Bodies, Question};
use super::connection::Connection;
use super::journal::{self, Writer, Written};
use super::judges::{Judge, Judged, Judges};

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
    Judged(Judged),
    Written(Written),
    Body(Question),
    /// The streams and consumers are there.
    Ready,
    Problem(String),
}

/// Answers of the journal: nodes and record by the key of the job.
type Answers = BTreeMap<Vec<u8>, (u64, Vec<u8>)>;

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
        let (records, file) = journal::open(&setup.journal)?;
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
        if let Some(lease) = setup.lease {
            settings = settings.with_lease(u64::try_from(lease.as_millis()).unwrap_or(u64::MAX));
        }
        let machine = Manager::new(settings, records.iter().cloned());
        let shared = Arc::new(Shared {
            capacity: AtomicUsize::new(machine.capacity()),
            partials: AtomicUsize::new(0),
            answers: Mutex::new(answers(records)),
        });
        let (report, reports) = mpsc::channel();
        let (started, is_started) = mpsc::channel();
        let crew = round::Crew { id, title, machine, judges, writer, bodies };
        let line = round::Line { connection, inner: inner.clone(), report };
        let told = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name("farm".to_string())
            .spawn(move || round::run(crew, line, taken, told, &started))
            .map_err(|error| Failure::io("a thread for the farm", &error))?;
        let farm = Farm {
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

    /// The answer to a job, if the journal has it: nodes, and what the judge made of the result.
    pub fn recall(&self, key: &[u8]) -> Option<(u64, Vec<u8>)> {
        self.shared.answers().get(key).cloned()
    }

    /// How many answers the journal has.
    pub fn recalled_count(&self) -> usize {
        self.shared.answers().len()
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

/// The answers among the records; the last of a key counts.
fn answers(records: Vec<Record>) -> Answers {
    let answer = |record| match record {
        Record::Answer { key, nodes, record } => Some((key, (nodes, record))),
        Record::Dropped { .. } => None,
    };
    records.into_iter().filter_map(answer).collect()
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
