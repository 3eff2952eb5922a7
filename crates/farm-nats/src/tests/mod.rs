//! The farm with a real nats-server, and labourers that pretend: their jobs say what they do.
//!
//! Manager and workers are threads of this process, so that they can lie, crash and be counted.

mod audits;
mod breaks;
mod jobs;
mod large;
#[path = "../../../app/tests/farm/nats_server.rs"]
mod nats_server;
mod people;

use std::collections::BTreeMap;
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
use super::labour::{Done, Found, Hire, Labourer};
use super::manager::{Farm, Report, Setup};
use super::worker::{self, Told, Wish};
use nats_server::NatsServer;

/// Nothing in these tests takes so long, unless it never comes.
const NEVER: Duration = Duration::from_secs(120);
/// What workers must have.
const SIGNATURE: &str = "7-00000000000000ab";

/// The claim of all jobs that are won, and its proof.
const CLAIM: &str = "sixproof-certificate 1 game 3 3 3 1 1 attacker black black A1 B1 \
                     white A2 B2 to-move black 1";
const WIN: &str = "W C1";
/// It does not win, and proves another claim besides.
const LIE: &str = "sixproof-certificate 1 game 3 3 3 1 1 attacker black black A1 B2 \
                   white A2 B1 to-move black 1 W C1";

fn connection(server: &NatsServer) -> Connection {
    Connection::new(Some(&server.url()), &Access::default()).unwrap()
}

fn manager() -> ManagerId {
    ManagerId::of(b"a test")
}

/// A farm whose journal is in the folder. It is less patient than others.
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
        hire: Arc::new(|| Box::new(Pretender { log: Log::default(), lies: Lies::Nothing })),
        audit: AUDIT_USUAL,
        is_proof: |record| record.starts_with(CLAIM.as_bytes()),
    }
}

/// What is told is believed unless it is nonsense; what is claimed to be proved is checked.
fn judged(_key: &[u8], found: &Found) -> Result<Vec<u8>, String> {
    match found {
        Found::Told(bytes) if bytes == b"nonsense" => Err("the answer is nonsense".to_string()),
        Found::Told(bytes) => Ok(bytes.clone()),
        Found::Certificate(bytes) => {
            let asked = certify_pipe(format!("{CLAIM} {WIN}").as_bytes(), &mut ()).unwrap();
            certify(asked.claim(), bytes)
                .map_err(|refused| format!("the certificate does not count: {refused}"))?;
            Ok(bytes.clone())
        }
    }
}

/// A job: what it does, in words, and a number that makes it different from others.
fn job(what: &str, number: u64, priority: Priority) -> Job {
    let key = format!("{what} {number}").into_bytes();
    let (id, body) = (JobId::of(manager(), &key), Body::Inline(key.clone()));
    Job { id, body, key, priority, limit_ms: 60_000 }
}

/// What labourers have done, by the body of the job: begun, and stopped.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<(String, String)>>>);

impl Log {
    fn note(&self, what: &str, body: &str) {
        self.0.lock().unwrap().push((what.to_string(), body.to_string()));
    }

    fn count(&self, what: &str) -> usize {
        self.0.lock().unwrap().iter().filter(|(noted, _)| noted == what).count()
    }

    /// The jobs of a note, in their order.
    fn all(&self, what: &str) -> Vec<String> {
        let log = self.0.lock().unwrap();
        log.iter().filter(|(noted, _)| noted == what).map(|(_, body)| body.clone()).collect()
    }
}

/// Does what the words of a job say.
struct Pretender {
    log: Log,
    lies: Lies,
}

/// What a labourer lies about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lies {
    Nothing,
    /// Sends a bad certificate, whatever is asked.
    Certificates,
    /// Tells something wrong that has the right form.
    Words,
    /// Never answers.
    Sleeps,
}

impl Labourer for Pretender {
    fn perform(
        &mut self,
        body: &[u8],
        watch: &mut dyn FnMut(u64, Option<Vec<u8>>) -> bool,
    ) -> Result<Option<Done>, String> {
        let text = String::from_utf8_lossy(&body[..body.len().min(60)]).trim_end().to_string();
        let words: Vec<&str> = text.split(' ').collect();
        self.log.note("begun", &text);
        let win = format!("{CLAIM} {WIN}").into_bytes();
        let done = |found| Ok(Some(Done { nodes: 10, found }));
        match words[0] {
            _ if self.lies == Lies::Certificates => {
                done(Found::Certificate(LIE.as_bytes().to_vec()))
            }
            "tell" if self.lies == Lies::Words => done(Found::Told(b"wrong".to_vec())),
            _ if self.lies == Lies::Sleeps => {
                while !watch(0, None) {
                    thread::sleep(Duration::from_millis(5));
                }
                Ok(None)
            }
            "win" => done(Found::Certificate(win)),
            "tell" => done(Found::Told(text.into_bytes())),
            "nonsense" => done(Found::Told(b"nonsense".to_vec())),
            "fail" => Err("it cannot be done".to_string()),
            "crash" => panic!("a crash of a test"),
            // The proof with so many spaces in it.
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
            // Takes so many milliseconds.
            "slow" => {
                let until = Instant::now() + Duration::from_millis(words[1].parse().unwrap());
                let mut nodes = 0;
                watch(nodes, Some(b"a start".to_vec()));
                while Instant::now() < until {
                    nodes += 1;
                    if watch(nodes, None) {
                        self.log.note("stopped", &text);
                        return Ok(None);
                    }
                    thread::sleep(Duration::from_millis(5));
                }
                self.log.note("ended", &text);
                done(Found::Told(text.into_bytes()))
            }
            other => panic!("no such job: {other}"),
        }
    }
}

/// A worker in a thread.
struct Hand {
    wish: Arc<AtomicU8>,
    told: Arc<Mutex<Vec<String>>>,
    thread: Option<JoinHandle<()>>,
}

impl Hand {
    fn start(server: &NatsServer, name: &str, cores: u16, log: &Log) -> Hand {
        Hand::hired(server, name, cores, SIGNATURE, Lies::Nothing, log)
    }

    fn hired(
        server: &NatsServer,
        name: &str,
        cores: u16,
        signature: &str,
        lies: Lies,
        log: &Log,
    ) -> Hand {
        let mut id = [0; 16];
        getrandom::fill(&mut id).unwrap();
        let mut settings = Settings::new(WorkerId(id), name, "1", signature, cores);
        settings.beat_ms = 500;
        settings.wait_ms = 200;
        settings.silence_ms = 3_000;
        let hired = log.clone();
        let hire: Hire = Arc::new(move || Box::new(Pretender { log: hired.clone(), lies }));
        Hand::working(worker::Setup { connection: connection(server), settings, hire })
    }

    /// A worker with a set-up of its own.
    fn working(setup: worker::Setup) -> Hand {
        let wish = Arc::new(AtomicU8::new(0));
        let told = Arc::new(Mutex::new(Vec::new()));
        let (wished, tell) = (Arc::clone(&wish), Arc::clone(&told));
        let thread = thread::spawn(move || {
            let wish = || match wished.load(Ordering::Relaxed) {
                0 => Wish::Stay,
                1 => Wish::Leave,
                _ => Wish::Die,
            };
            let mut tell = |it: Told| {
                if !matches!(it, Told::Counts(_)) {
                    tell.lock().unwrap().push(format!("{it:?}"));
                }
            };
            worker::run(setup, &wish, &mut tell).unwrap();
        });
        Hand { wish, told, thread: Some(thread) }
    }

    /// Whether something was told that has this text.
    fn was_told(&self, text: &str) -> bool {
        self.told.lock().unwrap().iter().any(|told| told.contains(text))
    }

    /// Hands its jobs back, and ends.
    fn leave(mut self) {
        self.end(1);
    }

    /// Ends as a crash would.
    fn crash(mut self) {
        self.end(2);
    }

    fn end(&mut self, wish: u8) {
        self.wish.store(wish, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

impl Drop for Hand {
    fn drop(&mut self) {
        self.wish.store(2, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ended = thread.join();
        }
    }
}

/// Waits until it is so.
fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < NEVER, "never: {what}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// The answers, until there are so many; and what people were told meanwhile.
fn answers(farm: &Farm, count: usize) -> (BTreeMap<JobId, Answered>, Vec<Notice>) {
    let (mut answers, mut notices) = (BTreeMap::new(), Vec::new());
    let start = Instant::now();
    while answers.len() < count {
        assert!(start.elapsed() < NEVER, "only {} answers; {notices:?}", answers.len());
        match farm.wait(Duration::from_millis(50)) {
            Some(Report::Answer { job, answer, .. }) => {
                assert!(answers.insert(job, answer).is_none(), "a job is answered once");
            }
            Some(Report::Notice(notice)) => notices.push(notice),
            _ => {}
        }
    }
    (answers, notices)
}

fn good(record: impl Into<Vec<u8>>) -> Answered {
    Answered::Good { record: record.into() }
}
