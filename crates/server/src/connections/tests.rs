//! Clients that behave badly, on real sockets. Time-outs are short here. No test asserts a time: an
//! expected event happens, or the test fails after a minute.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Condvar, Mutex, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use axum::Router;
use axum::routing::{get, post};
use sixproof_solve::output::Output;
use sixproof_solve::store::Choice;
use sixproof_store::Store;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::runtime;
use tokio::sync::{Semaphore, oneshot};

use super::{Limits, requests, serve};
use crate::Editor;
use crate::extract::{RawBody, blocking};
use crate::guard::Guard;
use crate::start::{self, Options};

/// The longest wait for an expected event.
const PATIENCE: Duration = Duration::from_secs(60);
/// The time-out that a client of these tests exceeds.
const SHORT: Duration = Duration::from_millis(200);
/// The size of an answer that fits into no buffer.
const LARGE: usize = 64 << 20;
const TOKEN: &str = "correct-horse-battery";

/// Work that ends when the test releases it.
#[derive(Default)]
struct Gate {
    is_open: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    fn open(&self) {
        *self.is_open.lock().unwrap() = true;
        self.opened.notify_all();
    }

    fn wait(&self) {
        let guard = self.is_open.lock().unwrap();
        drop(self.opened.wait_while(guard, |is_open| !*is_open).unwrap());
    }
}

/// A server with the editor's routes and a few more, in this process.
struct Running {
    address: SocketAddr,
    limits: Limits,
    sockets: Arc<Semaphore>,
    requests: Arc<Semaphore>,
    gate: Arc<Gate>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
    _folder: TempDir,
}

fn editor(folder: &std::path::Path, limits: Limits) -> Editor {
    let mut options = Options {
        files: Vec::new(),
        game: None,
        port: None,
        host: [127, 0, 0, 1].into(),
        names: Vec::new(),
        token_file: None,
        opens_browser: false,
        store: Choice::None,
        threads: 1,
        farm: None,
    };
    let store = Store::open(folder.join("store.redb")).unwrap();
    start::editor(&mut options, limits, store, true, Output { json: true }).unwrap()
}

impl Running {
    fn start(limits: Limits) -> Running {
        Running::with_token(limits, None)
    }

    fn with_token(limits: Limits, token: Option<&str>) -> Running {
        let folder = tempfile::tempdir().unwrap();
        let runtime = runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_io()
            .enable_time()
            .build()
            .unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let editor = Arc::new(editor(folder.path(), limits));
        let (sockets, slots) = (limits.sockets, limits.requests);
        let (sockets, slots) = (Arc::new(Semaphore::new(sockets)), Arc::new(Semaphore::new(slots)));
        let gate = Arc::new(Gate::default());
        let token = token.map(str::to_string);
        let guard = Guard::new(address, &[], token, limits.wrong_token, Output { json: true });
        let work = {
            let gate = Arc::clone(&gate);
            move || async move {
                blocking(move || {
                    gate.wait();
                    Ok("done")
                })
                .await
            }
        };
        let more = Router::new()
            .route("/large", get(|| async { vec![0; LARGE] }))
            .route("/count", post(|RawBody(bytes): RawBody| async move { bytes.len().to_string() }))
            .route("/work", get(work));
        let router = start::router(Arc::clone(&editor), guard, Arc::clone(&slots))
            .merge(requests::limited(more, Arc::clone(&slots)));
        let (stop, stopped) = oneshot::channel();
        let hub = Arc::clone(&editor.hub);
        let served = {
            let sockets = Arc::clone(&sockets);
            async move {
                let stop = async move {
                    let _asked = stopped.await;
                    hub.close();
                };
                serve(listener, router, limits, sockets, stop).await;
            }
        };
        let thread = thread::spawn(move || {
            runtime.block_on(served);
            editor.jobs.shutdown();
        });
        let (stop, thread) = (Some(stop), Some(thread));
        Running { address, limits, sockets, requests: slots, gate, stop, thread, _folder: folder }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// A connection on which a text was sent.
    fn send(&self, text: &str) -> TcpStream {
        let mut stream = self.connect();
        stream.write_all(text.as_bytes()).unwrap();
        stream
    }

    /// The head of a request, with further lines.
    fn head(&self, line: &str, more: &str) -> String {
        format!("{line} HTTP/1.1\r\nHost: {}\r\n{more}\r\n", self.address)
    }

    /// The whole answer to a request, after which the connection is closed.
    fn answer(&self, line: &str, more: &str) -> String {
        let stream = self.send(&self.head(line, &format!("Connection: close\r\n{more}")));
        read_all(stream)
    }

    /// Whether every socket was closed and every request has ended.
    fn is_quiet(&self) -> bool {
        self.sockets.available_permits() == self.limits.sockets
            && self.requests.available_permits() == self.limits.requests
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.gate.open();
        let _asked = self.stop.take().map(|stop| stop.send(()));
        let _ended = self.thread.take().map(JoinHandle::join);
    }
}

/// Waits until a condition holds.
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    for _ in 0..PATIENCE.as_millis() / 5 {
        if is_so() {
            return;
        }
        thread::sleep(Duration::from_millis(5));
    }
    panic!("{what} does not come about");
}

/// Reads until the server closes, in whatever way.
fn read_all(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    match stream.read_to_end(&mut bytes) {
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => {}
        Err(error) => panic!("the server does not close: {error}"),
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Sends one byte after the other until the server closes, or until the longest wait is over.
fn drip(mut stream: TcpStream, bytes: &[u8]) {
    for byte in bytes.iter().cycle().take(12_000) {
        if stream.write_all(&[*byte]).is_err() {
            return;
        }
        thread::sleep(Duration::from_millis(5));
    }
    panic!("the server reads on and on");
}

#[test]
fn silent_sockets_are_closed() {
    let running = Running::start(Limits { header: SHORT, ..Limits::default() });
    let silent: Vec<TcpStream> = (0..50).map(|_| running.connect()).collect();
    for stream in silent {
        assert_eq!(read_all(stream), "");
    }
    // An earlier request does not give a connection more time.
    let used = running.send(&running.head("GET /api/status", ""));
    assert!(read_all(used).starts_with("HTTP/1.1 200"));
    wait_until("quiet", || running.is_quiet());
}

#[test]
fn a_head_without_end_is_cut_off() {
    let running = Running::start(Limits { header: SHORT, ..Limits::default() });
    let slow = running.send("GET /api/status HTTP/1.1\r\nHost: x\r\nX: ");
    drip(slow, b"x");
    wait_until("quiet", || running.is_quiet());
    let running = Running::start(Limits::default());
    let mut fast = running.send("GET /api/status HTTP/1.1\r\nHost: x\r\n");
    // The server may close before all was sent.
    let _written = fast.write_all(&b"X-Filler: 123456789\r\n".repeat(5_000));
    let answer = read_all(fast);
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 431"), "{answer}");
    wait_until("quiet", || running.is_quiet());
}

#[test]
fn a_slow_body_is_cut_off() {
    let running = Running::start(Limits { body: SHORT, ..Limits::default() });
    let head = running.head("POST /count", "Content-Length: 100000\r\n");
    let answer = read_all(running.send(&head));
    assert!(answer.starts_with("HTTP/1.1 408") && answer.contains("too slowly"), "{answer}");
    drip(running.send(&head), b"x");
    // Also when the head comes in pieces.
    let head = running.head("POST /count", "Transfer-Encoding: chunked\r\n");
    drip(running.send(&head), b"1\r\nx\r\n");
    wait_until("quiet", || running.is_quiet());
    // A body that comes at once is accepted, whatever its size.
    let running = Running::start(Limits::default());
    let more = "Connection: close\r\nContent-Length: 1500000\r\n";
    let mut whole = running.send(&running.head("POST /count", more));
    whole.write_all(&vec![b'x'; 1_500_000]).unwrap();
    assert!(read_all(whole).ends_with("1500000"));
}

#[test]
fn a_client_that_does_not_read_is_cut_off() {
    let running = Running::start(Limits { idle: SHORT, ..Limits::default() });
    let silent = running.send(&running.head("GET /large", ""));
    wait_until("work", || running.requests.available_permits() < running.limits.requests);
    wait_until("quiet", || running.is_quiet());
    drop(silent);
    let mut slow = running.send(&running.head("GET /large", ""));
    let mut read = 0;
    wait_until("quiet", || {
        // The client reads one byte after the other.
        read += slow.read(&mut [0]).unwrap_or(0);
        running.is_quiet()
    });
    assert!(read < LARGE / 2);
    // A client that reads gets everything.
    let mut all = Vec::new();
    let head = running.head("GET /large", "Connection: close\r\n");
    running.send(&head).read_to_end(&mut all).unwrap();
    assert!(all.len() > LARGE, "{}", all.len());
}

#[test]
fn requests_may_come_all_at_once_if_their_answers_are_read() {
    let running = Running::start(Limits { idle: SHORT, ..Limits::default() });
    let one = running.head("GET /api/status", "");
    let last = running.head("GET /api/names", "Connection: close\r\n");
    let answers = read_all(running.send(&(one.repeat(9) + &last)));
    assert_eq!(answers.matches("HTTP/1.1 200 OK").count(), 10);
    assert!(answers.rfind("\"epoch\"") < answers.find("\"games\""), "in order");
    let mut greedy = running.connect();
    greedy.set_write_timeout(Some(SHORT)).unwrap();
    let many = running.head("GET /assets/index.js", "").repeat(1_000);
    // Until the server reads no more.
    while greedy.write_all(many.as_bytes()).is_ok() {}
    wait_until("quiet", || running.is_quiet());
}

#[test]
fn above_the_limit_a_socket_hears_that_and_is_closed() {
    let running = Running::start(Limits { sockets: 2, ..Limits::default() });
    let taken = [running.connect(), running.connect()];
    wait_until("full", || running.sockets.available_permits() == 0);
    let answer = running.answer("GET /api/status", "");
    assert!(answer.starts_with("HTTP/1.1 503") && answer.contains("Connection: close"), "{answer}");
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.ends_with(&format!("Content-Length: {}", body.len())), "{answer}");
    let problem: serde_json::Value = serde_json::from_str(body).unwrap();
    assert_eq!(problem["status"], 503);
    drop(taken);
    wait_until("room", || running.sockets.available_permits() > 0);
    assert!(running.answer("GET /api/status", "").starts_with("HTTP/1.1 200"));
}

#[test]
fn above_the_limit_a_request_is_refused_and_work_counts_to_its_end() {
    let running = Running::start(Limits { requests: 1, ..Limits::default() });
    let working = running.send(&running.head("GET /work", ""));
    wait_until("work", || running.requests.available_permits() == 0);
    let answer = running.answer("GET /api/status", "");
    assert!(answer.starts_with("HTTP/1.1 503") && answer.contains("connection: close"), "{answer}");
    // A request that the guard refuses takes no slot from others.
    let other = running.answer("GET /api/status", "Origin: http://evil.example\r\n");
    assert!(other.starts_with("HTTP/1.1 403"), "{other}");
    drop(working);
    wait_until("every connection is closed", || {
        running.sockets.available_permits() == running.limits.sockets
    });
    assert_eq!(running.requests.available_permits(), 0, "the work goes on");
    running.gate.open();
    wait_until("quiet", || running.is_quiet());
    assert!(running.answer("GET /api/status", "").starts_with("HTTP/1.1 200"));
}

const UPGRADE: &str = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

#[test]
fn a_websocket_that_says_nothing_or_answers_no_ping_is_closed() {
    let short = Limits { header: SHORT, ping: SHORT, ..Limits::default() };
    let running = Running::start(short);
    let mut silent = running.send(&running.head("GET /api/live", UPGRADE));
    let mut greeted = running.send(&running.head("GET /api/live", UPGRADE));
    for stream in [&mut silent, &mut greeted] {
        let mut head = BufReader::new(stream);
        let mut line = String::new();
        head.read_line(&mut line).unwrap();
        assert!(line.starts_with("HTTP/1.1 101"), "{line}");
    }
    // A text of two bytes, `{}`, masked with zeros.
    greeted.write_all(&[0x81, 0x82, 0, 0, 0, 0, b'{', b'}']).unwrap();
    let received = read_all(greeted);
    assert!(received.contains("hello"), "{received}");
    read_all(silent);
    wait_until("quiet", || running.is_quiet());
}

#[test]
fn live_connections_may_be_silent_for_as_long_as_nothing_happens() {
    let long = Duration::from_secs(1);
    let short = Limits { header: long, ping: long, idle: SHORT, body: SHORT, ..Limits::default() };
    let running = Running::start(short);
    let stream = running.send(&running.head("GET /api/events", ""));
    let alive = BufReader::new(stream).lines().map_while(Result::ok);
    let (mut socket, _) =
        tungstenite::connect(format!("ws://{}/api/live", running.address)).unwrap();
    socket.send(tungstenite::Message::text("{}")).unwrap();
    let pings = std::iter::from_fn(|| socket.read().ok()).filter(|message| message.is_ping());
    // Each of the three pings is sent after an idle second.
    assert_eq!(pings.take(3).count(), 3);
    assert_eq!(alive.filter(|line| line == ":").take(3).count(), 3);
}

#[test]
fn live_connections_are_limited_for_each_client() {
    let few = Limits { live_per_client: 2, ping: SHORT, ..Limits::default() };
    let running = Running::start(few);
    let open = |text: &str, expected: &str| {
        let mut stream = BufReader::new(running.send(text));
        let mut line = String::new();
        stream.read_line(&mut line).unwrap();
        assert!(line.starts_with(expected), "{line}");
        stream
    };
    let events = running.head("GET /api/events", "");
    let live = running.head("GET /api/live", UPGRADE);
    let first = open(&events, "HTTP/1.1 200");
    let second = open(&live, "HTTP/1.1 101");
    for more in [&events, &live] {
        drop(open(more, "HTTP/1.1 429"));
    }
    let answer = running.answer("GET /api/events", "");
    assert!(answer.contains("127.0.0.1 has 2 live connections"), "{answer}");
    drop((first, second));
    wait_until("quiet", || running.is_quiet());
    open(&events, "HTTP/1.1 200");
}

#[test]
fn a_wrong_token_waits_and_a_right_one_does_not() {
    let slow = Limits { wrong_token: PATIENCE * 10, ..Limits::default() };
    let running = Running::with_token(slow, Some(TOKEN));
    let wrong: Vec<TcpStream> = ["Authorization: Bearer wrong", "Cookie: sixproof-token=wrong"]
        .iter()
        .map(|header| running.send(&running.head("GET /api/status", &format!("{header}\r\n"))))
        .chain([running.send(&running.head("GET /?token=wrong", ""))])
        .collect();
    for _ in 0..20 {
        let right = format!("Authorization: Bearer {TOKEN}\r\n");
        assert!(running.answer("GET /api/status", &right).starts_with("HTTP/1.1 200"));
    }
    // A client without a token learns at once that it needs one.
    assert!(running.answer("GET /api/status", "").starts_with("HTTP/1.1 401"));
    for mut stream in wrong {
        stream.set_nonblocking(true).unwrap();
        let error = stream.read(&mut [0]).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::WouldBlock);
    }
    assert_eq!(running.requests.available_permits(), running.limits.requests);
    let running = Running::with_token(Limits::default(), Some(TOKEN));
    let answer = running.answer("GET /api/status", "Authorization: Bearer wrong\r\n");
    assert!(answer.starts_with("HTTP/1.1 401"), "{answer}");
}

#[test]
fn a_request_that_hangs_does_not_keep_the_server_from_stopping() {
    let mut running = Running::start(Limits { stop: SHORT, ..Limits::default() });
    let hanging = running.send(&running.head("POST /count", "Content-Length: 10\r\n"));
    let live = running.send(&running.head("GET /api/events", ""));
    wait_until("work", || running.requests.available_permits() < running.limits.requests);
    running.stop.take().unwrap().send(()).unwrap();
    let (ended, end) = mpsc::channel();
    let thread = running.thread.take().unwrap();
    thread::spawn(move || ended.send(thread.join().is_ok()));
    assert_eq!(end.recv_timeout(PATIENCE), Ok(true));
    drop((hanging, live));
}
