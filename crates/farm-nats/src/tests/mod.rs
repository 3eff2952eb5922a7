//! The farm with a real nats-server, and with fake handlers: the text of a job says what they do.
//!
//! Manager and workers are threads of this process, so that they can lie, crash and be counted.

mod audits;
mod breaks;
mod jobs;
mod large;
#[path = "../../../cli/tests/farm/nats_server.rs"]
mod nats_server;
mod workers;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use sixproof_certificate::{certify, certify_pipe};
use sixproof_farm::manager::{AUDIT_USUAL, Answered, Job, Notice};
use sixproof_farm::wire::{Body, Priority};
use sixproof_farm::worker::Settings;
use sixproof_farm::{JobId, ManagerId, WorkerId};

use super::connection::{Access, Connection};
use super::jobs::{Done, Found, HandlerFactory, JobHandler};
use super::manager::{Farm, FarmEvent, Setup};
use super::worker::{self, Control, WorkerEvent};
use nats_server::NatsServer;

/// Time after which an awaited event counts as missing.
const NEVER: Duration = Duration::from_secs(120);
/// The signature that workers must have.
const SIGNATURE: &str = "7-00000000000000ab";

/// The claim of all jobs that are won, and its proof.
const CLAIM: &str = "sixproof-certificate 1 game 3 3 3 1 1 attacker black black A1 B1 \
                     white A2 B2 to-move black 1";
const WIN: &str = "W C1";
/// A bad certificate, of another claim.
const LIE: &str = "sixproof-certificate 1 game 3 3 3 1 1 attacker black black A1 B2 \
                   white A2 B1 to-move black 1 W C1";

fn connection(server: &NatsServer) -> Connection {
    Connection::new(Some(&server.url()), &Access::default()).unwrap()
}

fn manager() -> ManagerId {
    ManagerId::of(b"a test")
}

/// A farm whose journal is in the folder, with a short lease.
fn farm(server: &NatsServer, folder: &Path) -> Farm {
    Farm::start(setup(server, folder)).unwrap()
}

fn setup(server: &NatsServer, folder: &Path) -> Setup {
    Setup {
        connection: connection(server),
        id: manager(),
        title: "a test".to_string(),
        signature: SIGNATURE.to_string(),
        version: "1".to_string(),
        journal: folder.join("search.journal"),
        listen: ([127, 0, 0, 1], 0).into(),
        public_url: None,
        judge: Arc::new(judged),
        lease: Some(Duration::from_secs(3)),
        handlers: Arc::new(|| Box::new(FakeHandler { log: Log::default(), lies: Lies::Nothing })),
        audit: AUDIT_USUAL,
        is_proof: |record| record.starts_with(CLAIM.as_bytes()),
    }
}

/// A judge that accepts any answer but "nonsense", and checks certificates.
fn judged(_key: &[u8], found: &Found) -> Result<Vec<u8>, String> {
    match found {
        Found::Uncertified(bytes) if bytes == b"nonsense" => {
            Err("the answer is nonsense".to_string())
        }
        Found::Uncertified(bytes) => Ok(bytes.clone()),
        Found::Certificate(bytes) => {
            let asked = certify_pipe(format!("{CLAIM} {WIN}").as_bytes(), &mut ()).unwrap();
            certify(asked.claim(), bytes)
                .map_err(|refused| format!("the certificate does not count: {refused}"))?;
            Ok(bytes.clone())
        }
    }
}

/// A job: what it does, in words, and a number that makes it unique.
fn job(what: &str, number: u64, priority: Priority) -> Job {
    let key = format!("{what} {number}").into_bytes();
    let (id, body) = (JobId::of(manager(), &key), Body::Inline(key.clone()));
    Job { id, body, key, priority, limit_ms: 60_000 }
}

/// A log of the handlers: what happened, and the text of the job.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<(String, String)>>>);

impl Log {
    fn add(&self, what: &str, body: &str) {
        self.0.lock().unwrap().push((what.to_string(), body.to_string()));
    }

    fn count(&self, what: &str) -> usize {
        self.0.lock().unwrap().iter().filter(|(entry, _)| entry == what).count()
    }

    /// The jobs of an entry, in their order.
    fn all(&self, what: &str) -> Vec<String> {
        let log = self.0.lock().unwrap();
        log.iter().filter(|(entry, _)| entry == what).map(|(_, body)| body.clone()).collect()
    }
}

/// A handler that does what the words of a job say.
struct FakeHandler {
    log: Log,
    lies: Lies,
}

/// How a handler lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lies {
    Nothing,
    /// Sends a bad certificate for every job.
    Certificates,
    /// Sends wrong but well-formed answers without a certificate.
    Uncertified,
    /// Never answers.
    Sleeps,
}

impl JobHandler for FakeHandler {
    fn perform(
        &mut self,
        body: &[u8],
        watch: &mut dyn FnMut(u64, Option<Vec<u8>>) -> ControlFlow<()>,
    ) -> Result<Option<Done>, String> {
        let text = String::from_utf8_lossy(&body[..body.len().min(60)]).trim_end().to_string();
        let words: Vec<&str> = text.split(' ').collect();
        self.log.add("begun", &text);
        let win = format!("{CLAIM} {WIN}").into_bytes();
        let done = |found| Ok(Some(Done { nodes: 10, found }));
        match words[0] {
            _ if self.lies == Lies::Certificates => {
                done(Found::Certificate(LIE.as_bytes().to_vec()))
            }
            "tell" if self.lies == Lies::Uncertified => done(Found::Uncertified(b"wrong".to_vec())),
            _ if self.lies == Lies::Sleeps => {
                while watch(0, None).is_continue() {
                    thread::sleep(Duration::from_millis(5));
                }
                Ok(None)
            }
            "win" => done(Found::Certificate(win)),
            "tell" => done(Found::Uncertified(text.into_bytes())),
            "nonsense" => done(Found::Uncertified(b"nonsense".to_vec())),
            "fail" => Err("it cannot be done".to_string()),
            "crash" => panic!("a crash of a test"),
            // The proof, with a number of spaces in it.
            "large" => {
                let spaces = " ".repeat(words[1].parse().unwrap());
                done(Found::Certificate(format!("{CLAIM}{spaces} {WIN}").into_bytes()))
            }
            // The same, a second later.
            "late" => {
                thread::sleep(Duration::from_secs(1));
                let spaces = " ".repeat(words[1].parse().unwrap());
                done(Found::Certificate(format!("{CLAIM}{spaces} {WIN}").into_bytes()))
            }
            // Takes a number of milliseconds.
            "slow" => {
                let until = Instant::now() + Duration::from_millis(words[1].parse().unwrap());
                let mut nodes = 0;
                let _flow = watch(nodes, Some(b"a start".to_vec()));
                while Instant::now() < until {
                    nodes += 1;
                    if watch(nodes, None).is_break() {
                        self.log.add("stopped", &text);
                        return Ok(None);
                    }
                    thread::sleep(Duration::from_millis(5));
                }
                self.log.add("ended", &text);
                done(Found::Uncertified(text.into_bytes()))
            }
            other => panic!("no such job: {other}"),
        }
    }
}

/// A worker in a thread.
struct TestWorker {
    control: Arc<AtomicU8>,
    events: Arc<Mutex<Vec<String>>>,
    thread: Option<JoinHandle<()>>,
}

impl TestWorker {
    fn start(server: &NatsServer, name: &str, cores: u16, log: &Log) -> TestWorker {
        TestWorker::with(server, name, cores, SIGNATURE, Lies::Nothing, log)
    }

    fn with(
        server: &NatsServer,
        name: &str,
        cores: u16,
        signature: &str,
        lies: Lies,
        log: &Log,
    ) -> TestWorker {
        let mut id = [0; 16];
        getrandom::fill(&mut id).unwrap();
        let mut settings = Settings::new(WorkerId(id), name, "1", signature, cores);
        settings.beat_ms = 500;
        settings.wait_ms = 200;
        settings.silence_ms = 3_000;
        let hired = log.clone();
        let handlers: HandlerFactory =
            Arc::new(move || Box::new(FakeHandler { log: hired.clone(), lies }));
        TestWorker::of(worker::Setup { connection: connection(server), settings, handlers })
    }

    /// A worker with this set-up.
    fn of(setup: worker::Setup) -> TestWorker {
        let control = Arc::new(AtomicU8::new(0));
        let events = Arc::new(Mutex::new(Vec::new()));
        let (controlled, collected) = (Arc::clone(&control), Arc::clone(&events));
        let thread = thread::spawn(move || {
            let control = || match controlled.load(Ordering::Relaxed) {
                0 => Control::Run,
                1 => Control::Leave,
                _ => Control::Abort,
            };
            let mut report = |event: WorkerEvent| {
                if !matches!(event, WorkerEvent::Counts(_)) {
                    collected.lock().unwrap().push(format!("{event:?}"));
                }
            };
            worker::run(setup, &control, &mut report).unwrap();
        });
        TestWorker { control, events, thread: Some(thread) }
    }

    /// Whether an event contains this text.
    fn has_event(&self, text: &str) -> bool {
        self.events.lock().unwrap().iter().any(|event| event.contains(text))
    }

    /// Returns its jobs, and ends.
    fn leave(mut self) {
        self.end(1);
    }

    /// Ends as a crash would.
    fn crash(mut self) {
        self.end(2);
    }

    fn end(&mut self, control: u8) {
        self.control.store(control, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

impl Drop for TestWorker {
    fn drop(&mut self) {
        self.control.store(2, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ended = thread.join();
        }
    }
}

/// Waits until a condition holds.
fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < NEVER, "never: {what}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// Waits for a number of answers; returns them, and the notices in between.
fn answers(farm: &Farm, count: usize) -> (BTreeMap<JobId, Answered>, Vec<Notice>) {
    let (mut answers, mut notices) = (BTreeMap::new(), Vec::new());
    let start = Instant::now();
    while answers.len() < count {
        assert!(start.elapsed() < NEVER, "only {} answers; {notices:?}", answers.len());
        match farm.wait(Duration::from_millis(50)) {
            Some(FarmEvent::Answer { job, answer, .. }) => {
                assert!(answers.insert(job, answer).is_none(), "a job is answered once");
            }
            Some(FarmEvent::Notice(notice)) => notices.push(notice),
            _ => {}
        }
    }
    (answers, notices)
}

fn good(record: impl Into<Vec<u8>>) -> Answered {
    Answered::Good { record: record.into() }
}
