//! What the commands of the farm say and do.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::Value;

use crate::nats_server::NatsServer;
use crate::scratch::folder;
use crate::{program, sixproof};

/// A worker as a process, whose events can be read.
pub(crate) struct Worker {
    child: Child,
    events: BufReader<ChildStdout>,
}

impl Worker {
    pub(crate) fn start(folder: &Path, url: &str) -> Worker {
        let mut child = program(folder, &["worker", url, "--cores", "1", "--name", "w", "--json"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let events = BufReader::new(child.stdout.take().unwrap());
        Worker { child, events }
    }

    /// Reads events up to this one.
    pub(crate) fn until(&mut self, event: &str) -> Value {
        loop {
            let mut line = String::new();
            assert!(self.events.read_line(&mut line).unwrap() > 0, "no `{event}`");
            let value: Value = serde_json::from_str(&line).unwrap();
            if value["event"] == event {
                return value;
            }
        }
    }

    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _gone = self.child.kill();
        let _gone = self.child.wait();
    }
}

#[test]
fn a_worker_waits_for_its_server_and_leaves_on_ctrl_c() {
    let folder = folder("farm-worker");
    let mut server = NatsServer::start(&folder);
    server.kill();
    let mut worker = Worker::start(&folder, &server.url());
    let start = worker.until("start");
    assert_eq!((&start["name"], &start["cores"]), (&"w".into(), &1.into()));
    let waiting = worker.until("waiting");
    let message = waiting["error"]["message"].as_str().unwrap();
    assert!(message.contains("there is no NATS server"), "{message}");
    server.restart();
    worker.until("connected");
    server.kill();
    worker.until("disconnected");
    server.restart();
    worker.until("connected");
    worker.signal("-INT");
    worker.until("left");
    assert_eq!(worker.child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_worker_that_waits_leaves_on_ctrl_c_too() {
    let folder = folder("farm-waiting");
    let mut server = NatsServer::start(&folder);
    server.kill();
    let mut worker = Worker::start(&folder, &server.url());
    worker.until("waiting");
    worker.signal("-TERM");
    assert_eq!(worker.child.wait().unwrap().code(), Some(0));
}

#[test]
fn two_workers_of_one_build_have_one_signature() {
    let folder = folder("farm-signature");
    let mut signatures = [0, 1].map(|_| {
        let mut worker = Worker::start(&folder, "nats://127.0.0.1:1");
        worker.until("start")["signature"].as_str().unwrap().to_string()
    });
    signatures.sort();
    assert_eq!(signatures[0], signatures[1]);
    assert!(signatures[0].len() > 16);
}

#[test]
fn the_status_tells_what_is_missing() {
    let folder = folder("farm-status");
    let mut server = NatsServer::start(&folder);
    let url = server.url();
    let ran = sixproof(&folder, &["farm", "status", &url]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.contains("no search"), "{}", ran.all());
    let ran = sixproof(&folder, &["farm", "status", &url, "--json"]);
    let value: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(value["managers"], serde_json::json!([]));
    server.kill();
    let ran = sixproof(&folder, &["farm", "status", &url]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains(&format!("there is no NATS server at {url}")), "{}", ran.all());
    assert!(ran.err.contains("nats-server -js"), "{}", ran.all());
    let ran = sixproof(&folder, &["farm", "status", "nats://no-such-host.invalid"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("nats://no-such-host.invalid:4222"), "{}", ran.all());
}

/// What `sixproof serve` answers to a question.
pub(crate) fn editor_says(folder: &Path, options: &[&str], path: &str) -> Value {
    let serve = ["serve", "--json", "--port", "0", "--no-store"];
    let mut child = program(folder, &[&serve[..], options].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let told: Value = serde_json::from_str(&line).unwrap();
    let address = told["url"].as_str().unwrap().trim_start_matches("http://");
    let address = address.trim_end_matches('/');
    let mut stream = TcpStream::connect(address).unwrap();
    let question = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(question.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let body = answer.split_once("\r\n\r\n").unwrap().1;
    serde_json::from_str(body).unwrap_or_else(|e| panic!("{e}: {answer}"))
}

#[test]
fn the_editor_shows_the_farm_that_it_was_told_of() {
    let folder = folder("farm-editor");
    let mut server = NatsServer::start(&folder);
    let url = server.url();
    assert_eq!(editor_says(&folder, &[], "/api/farm"), serde_json::json!({ "farm": null }));
    let farm = editor_says(&folder, &["--farm", &url], "/api/farm")["farm"].take();
    let warnings = farm["warnings"].clone();
    assert_eq!(warnings[0]["kind"], "openServer", "{warnings}");
    assert!(warnings[0]["count"].is_null() && warnings[1].is_null(), "{warnings}");
    let expected = serde_json::json!({
        "warnings": warnings,
        "url": url, "connected": true, "join": format!("sixproof worker {url}"),
        "problem": null, "managers": [],
    });
    assert_eq!(farm, expected);
    server.kill();
    let farm = editor_says(&folder, &["--farm", &url], "/api/farm")["farm"].take();
    assert_eq!(farm["connected"], false);
    let problem = farm["problem"].as_str().unwrap();
    assert!(problem.contains("there is no NATS server"), "{problem}");
}

#[test]
fn a_server_without_jetstream_is_told() {
    let folder = folder("farm-no-jetstream");
    let server = NatsServer::with(&folder, "");
    let ran = sixproof(&folder, &["bench", "farm", &server.url(), "--jobs", "10"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("JetStream is not enabled"), "{}", ran.all());
    assert!(ran.err.contains("nats-server -js"), "{}", ran.all());
}

#[test]
fn a_bench_and_its_workers_are_seen_in_the_status() {
    let folder = folder("farm-bench");
    let server = NatsServer::start(&folder);
    let url = server.url();
    // Enough jobs to take a while; the bench is stopped when it was seen.
    let mut bench = program(&folder, &["bench", "farm", &url, "--jobs", "10M", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut seen = Value::Null;
    for _ in 0..600 {
        let ran = sixproof(&folder, &["farm", "status", &url, "--json"]);
        let value: Value = serde_json::from_str(&ran.out).unwrap();
        let manager = &value["managers"][0];
        if manager["workers"].as_array().is_some_and(|workers| workers.len() == 2)
            && manager["done"].as_u64().is_some_and(|done| done > 0)
        {
            assert_eq!(ran.code, Some(0));
            seen = manager.clone();
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let text = sixproof(&folder, &["farm", "status", &url]).out;
    let id = bench.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    bench.wait().unwrap();
    assert_eq!(seen["title"], "empty jobs", "{seen}");
    assert_eq!(seen["workers"][0]["cores"], 64);
    assert!(text.contains("empty jobs") && text.contains("bench 1"), "{text}");
}

#[test]
fn a_bench_of_empty_jobs_tells_its_speed() {
    let folder = folder("farm-speed");
    let server = NatsServer::start(&folder);
    let ran = sixproof(&folder, &["bench", "farm", &server.url(), "--jobs", "500", "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.all());
    let value: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(value["jobs"], 500);
    assert!(value["jobs_per_second"].as_f64().unwrap() > 0.0);
    let left = std::fs::read_dir(&folder).unwrap().flatten().map(|file| file.file_name());
    let left: Vec<_> = left.filter(|name| name.to_string_lossy().contains("bench")).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_unit_for_systemd_has_paths_but_no_secrets() {
    let folder = folder("farm-unit");
    std::fs::write(folder.join("my token"), "hush-3f9a").unwrap();
    let url = "tls://farm.example.org";
    let options = ["--systemd", "--nats-token-file", "my token", "--name", "the attic"];
    let ran = sixproof(&folder, &[&["worker", url, "--cores", "3"], &options[..]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.all());
    let whole = folder.join("my token").canonicalize().unwrap();
    let expected = "worker tls://farm.example.org:4222 --cores 3 --name \"the attic\" --quiet \
                    --nats-token-file %d/nats-token-file\n";
    assert!(ran.out.contains(expected), "{}", ran.out);
    let credential = format!("LoadCredential=nats-token-file:{}\n", whole.display());
    assert!(ran.out.contains(&credential), "{}", ran.out);
    assert!(ran.out.contains("Nice=19"), "{}", ran.out);
    assert!(!ran.all().contains("hush"));
    let ran = sixproof(&folder, &["worker", "nats://ann:hush-3f9a@host", "--systemd"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("--nats-password-file"), "{}", ran.all());
    assert!(!ran.all().contains("hush"));
}
