//! Workers that lie, sleep or are nothing but names, each beside an honest one: a known win is
//! proved all the same, and the store that was used is as good as before.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::Value;
use sixproof_farm::WorkerId;
use sixproof_farm::wire::FromWorker;
use sixproof_farm::worker::Settings;
use sixproof_farm_nats::connection::{Access, Connection};
use sixproof_farm_nats::jobs::{Done, Found, HandlerFactory, JobHandler};
use sixproof_farm_nats::worker::{self, Control, Setup};

use super::commands::{Worker, editor_says};
use super::nats_server::NatsServer;
use super::scratch::folder;
use super::{Ran, program, sixproof};

/// A known win that takes many jobs.
const WIN: &str = "J10 / F10 N10";
/// A time that nothing in these tests needs, unless it never comes.
const NEVER: Duration = Duration::from_secs(300);

/// What a bad worker does with every job.
#[derive(Clone, Debug)]
enum Kind {
    /// Says this, in the search's own form.
    Says(Vec<u8>),
    /// Is alive, and never answers.
    Sleeps,
    /// Sends a certificate of something else.
    Certificate(Vec<u8>),
}

impl JobHandler for Kind {
    fn perform(
        &mut self,
        _body: &[u8],
        watch: &mut dyn FnMut(u64, Option<Vec<u8>>) -> ControlFlow<()>,
    ) -> Result<Option<Done>, String> {
        let found = match self {
            Kind::Says(words) => Found::Uncertified(words.clone()),
            Kind::Certificate(bytes) => Found::Certificate(bytes.clone()),
            Kind::Sleeps => {
                while watch(0, None).is_continue() {
                    thread::sleep(Duration::from_millis(5));
                }
                return Ok(None);
            }
        };
        Ok(Some(Done { nodes: 10, found }))
    }
}

/// A bad worker in a thread.
struct Bad {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Bad {
    fn start(server: &NatsServer, signature: &str, kind: Kind) -> Bad {
        let connection = Connection::new(Some(&server.url()), &Access::default()).unwrap();
        let mut settings = Settings::new(WorkerId([7; 16]), "bad", "1", signature, 1);
        settings.wait_ms = 200;
        let handlers: HandlerFactory = Arc::new(move || Box::new(kind.clone()));
        let setup = Setup { connection, settings, handlers };
        let stop = Arc::new(AtomicBool::new(false));
        let stops = Arc::clone(&stop);
        let thread = thread::spawn(move || {
            let wish = || if stops.load(Ordering::Relaxed) { Control::Abort } else { Control::Run };
            worker::run(setup, &wish, &mut |_| {}).unwrap();
        });
        Bad { stop, thread: Some(thread) }
    }
}

impl Drop for Bad {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ended = thread.join();
        }
    }
}

/// The last event of a search: its verdict.
fn verdict(ran: &Ran) -> Value {
    let last = ran.out.lines().last().unwrap_or_else(|| panic!("{}", ran.all()));
    serde_json::from_str(last).unwrap()
}

/// Proves the known win with a bad worker beside an honest one, and once more without the farm.
fn assert_overcome(name: &str, kind: Kind) {
    let folder = folder(name);
    let server = NatsServer::start(&folder.join("server"));
    let mut honest = Worker::start(&folder, &server.url());
    let signature = honest.until("start")["signature"].as_str().unwrap().to_string();
    let _bad = Bad::start(&server, &signature, kind);
    let url = server.url();
    let search = ["prove", WIN, "--store", "store", "--json", "--cert", "proof.cert"];
    let start = Instant::now();
    let ran = sixproof(&folder, &[&search[..], &["--farm", &url, "--lease", "5s"]].concat());
    println!("{name}: {:.1} s", start.elapsed().as_secs_f64());
    assert_eq!(ran.code, Some(0), "{}", ran.all());
    assert_eq!(verdict(&ran)["verdict"], "proved");
    assert!(sixproof_check::check_bytes(&fs::read(folder.join("proof.cert")).unwrap()).is_ok());
    let alone = sixproof(&folder, &search);
    assert_eq!(alone.code, Some(0), "{}", alone.all());
    assert_eq!(verdict(&alone)["verdict"], "proved");
}

#[test]
fn a_worker_that_refutes_everything_hides_no_win() {
    assert_overcome("farm-refuter", Kind::Says(vec![1, 0]));
}

#[test]
#[ignore = "ten seconds of both cores: scripts/test --long"]
fn a_worker_that_knows_nothing_hides_no_win() {
    assert_overcome("farm-unknowing", Kind::Says(vec![0, 0]));
}

#[test]
#[ignore = "ten seconds of both cores: scripts/test --long"]
fn a_worker_that_beats_and_never_answers_hides_no_win() {
    assert_overcome("farm-sleeper", Kind::Sleeps);
}

#[test]
#[ignore = "ten seconds of both cores: scripts/test --long"]
fn a_worker_that_sends_old_certificates_hides_no_win() {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/good");
    let old = fs::read(suite.join("connect6-quiet.cert")).unwrap();
    assert_overcome("farm-old-certificates", Kind::Certificate(old));
}

/// Without audits a lie is believed, as long as the farm is; but the store keeps none of it.
#[test]
fn what_a_farm_says_without_a_certificate_is_not_in_the_store() {
    let folder = folder("farm-spoilt");
    let server = NatsServer::start(&folder.join("server"));
    let mut asks = Worker::start(&folder, &server.url());
    let signature = asks.until("start")["signature"].as_str().unwrap().to_string();
    drop(asks);
    let url = server.url();
    let bad = Bad::start(&server, &signature, Kind::Says(vec![1, 0]));
    let search = ["prove", WIN, "--store", "store"];
    let lent = [&search[..], &["--farm", &url, "--audit", "0"]].concat();
    let ran = sixproof(&folder, &lent);
    assert_ne!(ran.code, Some(0), "{}", ran.all());
    let basis = "of 1 worker, none of them done again (--audit 0)";
    assert!(ran.out.contains("rests on") && ran.out.contains(basis), "{}", ran.all());
    drop(bad);
    let alone = sixproof(&folder, &[&search[..], &["--cert", "proof.cert"]].concat());
    assert_eq!(alone.code, Some(0), "{}", alone.all());
}

/// A search that goes on until it is dropped.
struct Search(Child);

impl Drop for Search {
    fn drop(&mut self) {
        let _gone = self.0.kill();
        let _gone = self.0.wait();
    }
}

/// Publishes core messages of NATS.
fn publish(server: &NatsServer, messages: &[(String, Vec<u8>)]) {
    let address = server.url().trim_start_matches("nats://").to_string();
    let mut stream = TcpStream::connect(address).unwrap();
    let mut bytes = b"CONNECT {\"verbose\":false}\r\n".to_vec();
    for (subject, message) in messages {
        bytes.extend(format!("PUB {subject} {}\r\n", message.len()).into_bytes());
        bytes.extend(message);
        bytes.extend(b"\r\n");
    }
    bytes.extend(b"PING\r\n");
    stream.write_all(&bytes).unwrap();
    // The answer to the ping comes when all was read.
    let (mut seen, mut buffer) = (Vec::new(), [0; 4096]);
    while !String::from_utf8_lossy(&seen).contains("PONG") {
        let count = stream.read(&mut buffer).unwrap();
        assert!(count > 0, "the server has closed");
        seen.extend(&buffer[..count]);
    }
}

#[test]
fn ten_thousand_workers_that_are_names_are_reported() {
    let folder = folder("farm-names");
    let server = NatsServer::start(&folder.join("server"));
    let url = server.url();
    let log = fs::File::create(folder.join("search.log")).unwrap();
    let lent = ["prove", "tx-h9", "--no-store", "--farm", &url];
    let child = program(&folder, &lent).stdout(Stdio::null()).stderr(log).spawn().unwrap();
    let _search = Search(child);
    let status = || -> Value {
        let ran = sixproof(&folder, &["farm", "status", &url, "--json"]);
        serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}", ran.all()))
    };
    let wait = |what: &str, is_so: &dyn Fn() -> bool| {
        let start = Instant::now();
        while !is_so() {
            assert!(start.elapsed() < NEVER, "never: {what}; {}", status());
            thread::sleep(Duration::from_millis(50));
        }
    };
    wait("the search is there", &|| status()["managers"][0]["id"].is_string());
    let manager = status()["managers"][0]["id"].as_str().unwrap().to_string();
    let mut worker = Worker::start(&folder, "nats://127.0.0.1:1");
    let signature = worker.until("start")["signature"].as_str().unwrap().to_string();
    drop(worker);
    let hello = |number: u32| {
        let mut id = [9; 16];
        id[..4].copy_from_slice(&number.to_le_bytes());
        let hello = FromWorker::Hello {
            worker: WorkerId(id),
            name: "fake".to_string(),
            version: "1".to_string(),
            signature: signature.clone(),
            cores: 4_096,
        };
        (format!("sixproof.manager.{manager}"), hello.to_bytes())
    };
    publish(&server, &(0..10_000).map(hello).collect::<Vec<_>>());
    let has = |warnings: &Value, kind: &str| {
        warnings.as_array().is_some_and(|all| all.iter().any(|it| it["kind"] == kind))
    };
    wait("the status warns", &|| has(&status()["warnings"], "tooManyWorkers"));
    assert!(has(&status()["warnings"], "openServer"), "{}", status());
    let terminal = || fs::read_to_string(folder.join("search.log")).unwrap();
    wait("the search warns", &|| terminal().contains("workers have asked for jobs"));
    assert!(terminal().contains("has no access control"), "{}", terminal());
    let pane = editor_says(&folder, &["--farm", &url], "/api/farm")["farm"].take();
    assert!(has(&pane["warnings"], "tooManyWorkers"), "{pane}");
}
