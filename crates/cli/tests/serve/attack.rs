//! The editor's server under attack, as the real program. Time-outs and slow clients are tested
//! where they can be made short: `crates/server/src/connections/tests.rs`.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use super::scratch::folder;
use super::server::Server;

const TOKEN: &str = "correct-horse-battery";
/// The most memory of a silent connection, in kB.
const SOCKET_KB_MAX: u64 = 64;
/// The longest wait for what must come.
const PATIENCE: Duration = Duration::from_secs(120);

/// The memory of the server, in kB, without what it has only reserved.
fn memory_kb(server: &Server) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", server.process())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Opens silent connections, each of which the server has accepted.
fn silent(server: &Server, count: usize) -> Vec<TcpStream> {
    let open = |_| {
        let stream = TcpStream::connect(&server.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    };
    let streams = (0..count).map(open).collect();
    // Connections are accepted in their order.
    assert_eq!(server.get("/api/status").status, 200);
    streams
}

/// Reads until the server closes; what it has said.
fn read_all(mut stream: TcpStream) -> String {
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

#[test]
#[cfg(target_os = "linux")]
fn a_silent_connection_costs_little() {
    let server = Server::start(&folder("attack-memory"), &[]);
    drop(silent(&server, 50));
    let before = memory_kb(&server);
    let streams = silent(&server, 500);
    let each = memory_kb(&server).saturating_sub(before) / streams.len() as u64;
    assert!(each < SOCKET_KB_MAX, "{each} kB for each connection");
}

#[test]
#[cfg(target_os = "linux")]
#[ignore = "waits until 2,000 sockets are closed, and needs the right to open as many"]
fn two_thousand_silent_sockets_cost_little_and_are_closed() {
    let server = Server::start(&folder("attack-full"), &[]);
    assert_eq!(server.get("/api/status").status, 200);
    let before = memory_kb(&server);
    let streams = silent(&server, 1_999);
    let each = memory_kb(&server).saturating_sub(before) / 1_999;
    println!("{each} kB for each of 1,999 silent connections");
    assert!(each < SOCKET_KB_MAX, "{each} kB for each connection");
    // The last one that finds room, and one that does not.
    let last = TcpStream::connect(&server.address).unwrap();
    let refused = server.get("/api/status");
    assert_eq!((refused.status, refused.header("connection")), (503, Some("close")));
    for stream in streams {
        assert_eq!(read_all(stream), "");
    }
    drop(last);
    assert_eq!(server.get("/api/status").status, 200);
}

/// A server with a token and a log.
fn guarded(folder: &Path) -> Server {
    fs::write(folder.join("token"), TOKEN).unwrap();
    let log = File::create(folder.join("log")).unwrap();
    Server::start_logging(folder, &["--token-file", "token"], Stdio::from(log))
}

#[test]
fn wrong_tokens_are_logged_and_the_log_stays_short() {
    let folder = folder("attack-token");
    let server = guarded(&folder);
    let head = format!(
        "GET /api/status HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\
         Authorization: Bearer wrong-horse-battery\r\n\r\n",
        server.address
    );
    // All at once: the answers are held back.
    let streams: Vec<TcpStream> = (0..300)
        .map(|_| {
            let mut stream = TcpStream::connect(&server.address).unwrap();
            stream.write_all(head.as_bytes()).unwrap();
            stream
        })
        .collect();
    let right = [("Authorization", "Bearer correct-horse-battery")];
    assert_eq!(server.ask("GET", "/api/status", &right, b"").status, 200);
    for stream in streams {
        assert!(read_all(stream).starts_with("HTTP/1.1 401"));
    }
    let log = fs::read_to_string(folder.join("log")).unwrap();
    assert!(log.contains("a wrong token from 127.0.0.1"), "{log}");
    assert!(log.lines().count() < 100, "{log}");
    assert!(!log.contains("horse"), "no token is in the log: {log}");
}

#[test]
fn a_token_does_not_let_pages_of_other_addresses_ask() {
    let folder = folder("attack-origin");
    let server = guarded(&folder);
    let port = server.address.rsplit_once(':').unwrap().1;
    let foreign = format!("http://6.6.6.6:{port}");
    let own = format!("http://{}", server.address);
    let cookie = format!("sixproof-token={TOKEN}");
    for (origin, expected) in [(&own, 200), (&foreign, 403)] {
        let headers = [("Origin", origin.as_str()), ("Cookie", &cookie)];
        assert_eq!(server.ask("GET", "/api/status", &headers, b"").status, expected, "{origin}");
    }
    let proxied = [("X-Forwarded-Proto", "https")];
    let admitted = server.ask("GET", &format!("/?token={TOKEN}"), &proxied, b"");
    assert!(admitted.header("set-cookie").unwrap().ends_with("; Secure"));
}

#[test]
fn a_file_that_unpacks_to_far_too_much_is_refused() {
    let server = Server::start(&folder("attack-bomb"), &[]);
    let spaces = std::io::repeat(b' ').take(300_000_000);
    let packed = zstd::encode_all(spaces, 1).unwrap();
    for path in ["/api/documents/open", "/api/proofs"] {
        let answer = server.ask("POST", path, &[], &packed);
        assert_eq!(answer.status, 422, "{}", answer.text());
        assert_eq!(answer.json()["kind"], "too-large");
        let title = answer.json()["title"].as_str().unwrap().to_string();
        assert!(title.contains("250 times its size"), "{title}");
    }
}
