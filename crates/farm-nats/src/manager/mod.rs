//! The farm as a search sees it: jobs in, answers out.
//!
//! [`Farm`] is a handle; behind it one thread runs the loop (`manager_loop`) that executes the
//! effects of `farm::manager::Manager`. The journal, the judges, the auditor and the HTTP server
//! for large bodies have their own threads, which talk to the loop only.

mod manager_loop;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use sixproof_farm::journal::JournalRecord;
use sixproof_farm::manager::{Answered, Job, Manager, Notice, OwnAnswer, Settings};
use sixproof_farm::{JobId, ManagerId, QueueId, Status};
use sixproof_solve::failure::{Failure, Result};
use tokio::sync::mpsc::UnboundedSender;

use super::auditor::Auditor;
use super::bodies::{self, Bodies, Question};
use super::connection::Connection;
use super::jobs::HandlerFactory;
use super::journal::{self, Writer, Written};
use super::judges::{Judge, Judged, Judges};

/// Number of threads that judge results.
const JUDGES: usize = 2;
/// Largest number of partial results that the search has not received; later ones are dropped.
const PARTIALS_MAX: usize = 10_000;
/// How long to wait for the status from the loop.
const STATUS_TIMEOUT: Duration = Duration::from_secs(10);

/// The set-up of a farm.
pub struct Setup {
    /// The server.
    pub connection: Connection,
    /// The same over restarts of the same search.
    pub id: ManagerId,
    /// The title of the search, for display.
    pub title: String,
    /// The bench signature that workers must have.
    pub signature: String,
    /// The version of the program.
    pub version: String,
    /// The journal of answers; the secret of the tokens and large certificates are beside it.
    pub journal: PathBuf,
    /// The address of the HTTP server for large bodies.
    pub listen: SocketAddr,
    /// The URL by which workers reach that server, if it is not its address.
    pub public_url: Option<String>,
    /// Judges results.
    pub judge: Judge,
    /// How long a worker may be silent before its jobs are published again; scales all times.
    pub lease: Option<Duration>,
    /// Makes the handler that audits jobs on this machine.
    pub handlers: HandlerFactory,
    /// The share of answers without a certificate to audit, in hundredths of a percent.
    pub audit: u32,
    /// Whether a record is a proof, for old journals, which lack the authors of answers.
    pub is_proof: fn(&[u8]) -> bool,
}

/// What a farm reports to its search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FarmEvent {
    /// The end of a job. The answer is on disk.
    Answer {
        /// The job.
        job: JobId,
        /// Its nodes.
        nodes: u64,
        /// The answer, or why the job was given up.
        answer: Answered,
    },
    /// The progress of a running job, unchecked.
    Partial {
        /// The job.
        job: JobId,
        /// Its nodes.
        nodes: u64,
        /// Its findings since the last report.
        found: Vec<u8>,
    },
    /// Some answers given before do not count any more; [`Farm::recall`] no longer has them.
    Revoked {
        /// The nodes that these answers claimed.
        nodes: u64,
    },
    /// This machine found the same answer.
    Confirmed {
        /// The key of the job.
        key: Vec<u8>,
        /// Its nodes.
        nodes: u64,
        /// The judge's record of it.
        record: Vec<u8>,
    },
    /// The answer to [`Farm::settle`].
    Settled,
    /// An event for the user.
    Notice(Notice),
    /// A temporary problem: the connection is lost, the disk is full.
    Problem(String),
}

/// An event of another thread for the loop.
enum LoopEvent {
    Submit(Job),
    Withdraw(JobId),
    Status(mpsc::Sender<Status>),
    Stop,
    #[cfg(test)]
    Crash,
    Settle,
    Performed {
        audit: JobId,
        answer: Option<OwnAnswer>,
    },
    Judged(Judged),
    Written(Written),
    Body(Question),
    /// The streams and consumers exist, with these queues of jobs; whether a stream was missing.
    Ready {
        queue: QueueId,
        was_missing: bool,
    },
    Problem(String),
}

/// Known answers: nodes and record of each job.
type Answers = BTreeMap<JobId, (u64, Vec<u8>)>;

/// The state that the loop and the handle share.
struct Shared {
    capacity: AtomicUsize,
    /// The number of partial results that the search has not received.
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
    events: UnboundedSender<LoopEvent>,
    farm_events: Mutex<Receiver<FarmEvent>>,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
    /// The URL of the HTTP server for large bodies.
    url: String,
    _server: bodies::Server,
}

impl Farm {
    /// Opens the journal, connects and creates the queues. From then on the farm restores a lost
    /// connection by itself.
    pub fn start(setup: Setup) -> Result<Farm> {
        let Setup { connection, id, title, signature, version, .. } = setup;
        let (mut records, file) = journal::open(&setup.journal)?;
        drop_unknown_authors(&mut records, setup.is_proof);
        let secret = journal::secret(&setup.journal)?;
        let bodies = Arc::new(Bodies::new(journal::beside(&setup.journal, "bodies")));
        let (events, receiver) = tokio::sync::mpsc::unbounded_channel();
        // A thread that talks to an ended loop is about to end, too.
        let sender = events.clone();
        let ask = Arc::new(move |question| drop(sender.send(LoopEvent::Body(question))));
        if setup.listen.ip().is_unspecified() && setup.public_url.is_none() {
            return Err(Failure::new(format!("workers cannot reach the address {}", setup.listen))
                .help("give the address of this machine: --public-url http://HOST:PORT"));
        }
        let port_file = journal::beside(&setup.journal, "port");
        let server = bodies::serve(setup.listen, &port_file, Arc::clone(&bodies), ask)?;
        let url = match setup.public_url {
            Some(url) => public_url(&url)?,
            None => format!("http://{}", server.address),
        };
        let sender = events.clone();
        let judges = Judges::start(JUDGES, &setup.judge, &bodies, move |judged| {
            drop(sender.send(LoopEvent::Judged(judged)));
        })?;
        let sender = events.clone();
        let writer = Writer::start(file, &setup.journal, move |written| {
            drop(sender.send(LoopEvent::Written(written)));
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
        let sender = events.clone();
        let auditor = Auditor::start(&setup.handlers, &setup.judge, move |audit, answer| {
            drop(sender.send(LoopEvent::Performed { audit, answer }));
        })?;
        let shared = Arc::new(Shared {
            capacity: AtomicUsize::new(machine.capacity()),
            partials: AtomicUsize::new(0),
            answers: known,
        });
        let (event_sender, farm_events) = mpsc::channel();
        let (started, is_started) = mpsc::channel();
        let parts = manager_loop::Parts { id, title, machine, judges, auditor, writer, bodies };
        let channels = manager_loop::Channels {
            connection,
            events: events.clone(),
            farm_events: event_sender,
        };
        let shared_with_loop = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name("farm".to_string())
            .spawn(move || manager_loop::run(parts, channels, receiver, shared_with_loop, &started))
            .map_err(|error| Failure::io("a thread for the farm", &error))?;
        let farm = Farm {
            id,
            recorded_count,
            events,
            farm_events: Mutex::new(farm_events),
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

    /// Submits a job. A body that is too large for a message travels over HTTP.
    pub fn submit(&self, job: Job) {
        drop(self.events.send(LoopEvent::Submit(job)));
    }

    /// Withdraws a job.
    pub fn withdraw(&self, job: JobId) {
        drop(self.events.send(LoopEvent::Withdraw(job)));
    }

    /// The next event, if it arrives within the time.
    pub fn wait(&self, time: Duration) -> Option<FarmEvent> {
        let events = self.farm_events.lock().unwrap_or_else(PoisonError::into_inner);
        match events.recv_timeout(time) {
            Ok(event) => {
                if matches!(event, FarmEvent::Partial { .. }) {
                    self.shared.partials.fetch_sub(1, Ordering::Relaxed);
                }
                Some(event)
            }
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                // The loop has ended; the caller should not spin.
                thread::sleep(time);
                None
            }
        }
    }

    /// The number of jobs that the search should keep open.
    pub fn capacity(&self) -> usize {
        self.shared.capacity.load(Ordering::Relaxed)
    }

    /// The nodes and the record of a job that was answered before, or that the journal has, if
    /// enough answers of its worker were audited.
    pub fn recall(&self, key: &[u8]) -> Option<(u64, Vec<u8>)> {
        self.shared.answers().get(&JobId::of(self.id, key)).cloned()
    }

    /// The number of answers that the journal had at the start.
    pub fn recorded_count(&self) -> usize {
        self.recorded_count
    }

    /// Requests [`FarmEvent::Settled`], for when all audits have ended. A job that is submitted
    /// before then cancels the request, and so does a revocation.
    pub fn settle(&self) {
        drop(self.events.send(LoopEvent::Settle));
    }

    /// The status; `None` if the farm has ended.
    pub fn status(&self) -> Option<Status> {
        let (ask, answer) = mpsc::channel();
        self.events.send(LoopEvent::Status(ask)).ok()?;
        answer.recv_timeout(STATUS_TIMEOUT).ok()
    }

    /// The URL of the HTTP server for large bodies.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Ends the farm. The answers are in the journal; workers wait for another manager.
    pub fn stop(mut self) {
        self.end();
    }

    /// Ends the farm as a crash would.
    #[cfg(test)]
    pub fn crash(mut self) {
        drop(self.events.send(LoopEvent::Crash));
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }

    fn end(&mut self) {
        drop(self.events.send(LoopEvent::Stop));
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

/// Drops the answers of an old journal that are not proofs: without their authors they could never
/// be revoked.
fn drop_unknown_authors(records: &mut Vec<JournalRecord>, is_proof: fn(&[u8]) -> bool) {
    records.retain(|it| match it {
        JournalRecord::Answer { record, .. } => is_proof(record),
        _ => true,
    });
}

/// Checks a public URL, and removes the slash at its end.
fn public_url(url: &str) -> Result<String> {
    let plain = url.trim_end_matches('/');
    let is_plain = plain.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'@');
    if !plain.starts_with("http://") || !is_plain || plain.len() > 512 {
        return Err(Failure::new(format!("not an address for large certificates: `{url}`"))
            .help("--public-url must be http://HOST:PORT, as other machines see this one"));
    }
    Ok(plain.to_string())
}
