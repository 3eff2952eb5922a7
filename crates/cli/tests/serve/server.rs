//! A running `sixproof serve`, and a client: plain HTTP over a socket, so that every
//! header is what the test says.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

/// A server on a free port, with a store of its own. Killed when it is dropped.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
    pub(crate) folder: PathBuf,
}

/// The answer to a request.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|e| panic!("{e}: {}", self.text()))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

impl Server {
    /// Starts a server whose store is in the folder.
    pub(crate) fn start(folder: &Path, arguments: &[&str]) -> Server {
        Server::start_logging(folder, arguments, Stdio::inherit())
    }

    /// Starts a server whose log goes elsewhere.
    pub(crate) fn start_logging(folder: &Path, arguments: &[&str], log: Stdio) -> Server {
        let program = Command::new(env!("CARGO_BIN_EXE_sixproof"));
        Server::start_by(program, folder, arguments, log)
    }

    /// Starts one whose files cannot be longer than this, until `prlimit` says otherwise: the limit
    /// stands in for a disk that is full.
    pub(crate) fn start_limited(folder: &Path, kib: u64) -> Server {
        let mut command = Command::new("bash");
        let script = format!("ulimit -S -f {kib}; trap '' XFSZ; exec \"$0\" \"$@\"");
        command.arg("-c").arg(script).arg(env!("CARGO_BIN_EXE_sixproof"));
        Server::start_by(command, folder, &[], Stdio::inherit())
    }

    fn start_by(mut program: Command, folder: &Path, arguments: &[&str], log: Stdio) -> Server {
        let mut child = program
            .args(["serve", "--json", "--port", "0", "--store", "store.redb"])
            .args(arguments)
            .env_clear()
            .env("SIXPROOF_THREADS", "1")
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let told: Value = serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: `{line}`"));
        let url = told["url"].as_str().unwrap();
        let address = url.trim_start_matches("http://").split('/').next().unwrap().to_string();
        Server { child, address, folder: folder.to_path_buf() }
    }

    /// The process, as the system numbers it.
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    /// Ends the server as a crash would, and starts it again.
    pub(crate) fn crash_and_restart(mut self) -> Server {
        self.child.kill().unwrap();
        self.restart_when_ended()
    }

    /// Ends the server as Ctrl-C does; its exit code.
    pub(crate) fn stop(mut self) -> Option<i32> {
        self.signal("INT");
        self.child.wait().unwrap().code()
    }

    /// Sends a signal to the server.
    pub(crate) fn signal(&self, name: &str) {
        let kill = Command::new("kill").args(["-s", name, &self.id().to_string()]).status();
        assert!(kill.unwrap().success());
    }

    /// The number of its process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits until it has ended, and starts it again.
    pub(crate) fn restart_when_ended(mut self) -> Server {
        self.child.wait().unwrap();
        let folder = self.folder.clone();
        Server::start(&folder, &[])
    }

    /// A request with headers as they are given, beside `Host` (unless it is among them).
    pub(crate) fn ask(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Answer {
        self.try_ask(method, path, headers, body).unwrap()
    }

    /// The same of a server that may end at any moment.
    pub(crate) fn try_ask(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> std::io::Result<Answer> {
        let mut stream = TcpStream::connect(&self.address)?;
        let mut text = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            text += &format!("Host: {}\r\n", self.address);
        }
        for (name, value) in headers {
            text += &format!("{name}: {value}\r\n");
        }
        text += &format!("Content-Length: {}\r\n\r\n", body.len());
        stream.write_all(text.as_bytes())?;
        // A server that has refused already does not read the rest.
        let _written = stream.write_all(body);
        read_answer(&mut BufReader::new(stream))
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[], b"")
    }

    /// Asks for JSON, and expects it.
    pub(crate) fn get_json(&self, path: &str) -> Value {
        let answer = self.get(path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answer.json()
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        self.ask("POST", path, &[("Content-Type", "application/json")], body.to_string().as_bytes())
    }

    /// Sends JSON, and expects it to be taken.
    pub(crate) fn post_json(&self, path: &str, body: &Value) -> Value {
        let answer = self.post(path, body);
        assert!(answer.status < 300, "{path}: {}", answer.text());
        answer.json()
    }

    /// A new document; its number.
    pub(crate) fn document(&self, body: &Value) -> String {
        let document = self.post_json("/api/documents", body);
        document["id"].as_str().unwrap().to_string()
    }

    /// Makes an edit; the node it leads to.
    pub(crate) fn edit(&self, document: &str, edit: &Value) -> u64 {
        let edited = self.post_json(&format!("/api/documents/{document}/edits"), edit);
        edited["node"].as_u64().unwrap()
    }

    pub(crate) fn node(&self, document: &str, node: u64) -> Value {
        self.get_json(&format!("/api/documents/{document}/nodes/{node}"))
    }

    /// Waits until a job is in a state.
    pub(crate) fn wait(&self, job: &Value, is_reached: impl Fn(&Value) -> bool) -> Value {
        let path = format!("/api/jobs/{}", job["id"]);
        for _ in 0..3_000 {
            let job = self.get_json(&path);
            if is_reached(&job) {
                return job;
            }
            sleep(Duration::from_millis(20));
        }
        panic!("the job is not done: {}", self.get_json(&path));
    }

    /// Orders a job, and waits until it has ended.
    pub(crate) fn job(&self, order: &Value) -> Value {
        let job = self.post_json("/api/jobs", order);
        self.wait(&job, |job| {
            ["done", "failed", "cancelled"].contains(&job["state"].as_str().unwrap())
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _killed = self.child.kill();
        let _waited = self.child.wait();
    }
}

/// Reads the head of an answer, and its body to the end.
fn read_answer(input: &mut BufReader<TcpStream>) -> std::io::Result<Answer> {
    let mut line = String::new();
    if input.read_line(&mut line)? == 0 {
        return Err(std::io::ErrorKind::UnexpectedEof.into());
    }
    let status = line.split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or(0);
    let mut headers = Vec::new();
    loop {
        line.clear();
        input.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.push((name.to_lowercase(), value.to_string()));
    }
    let mut body = Vec::new();
    // A server that refuses may close before all was sent.
    let _read = input.read_to_end(&mut body);
    if headers.iter().any(|(n, v)| n == "transfer-encoding" && v == "chunked") {
        body = unchunked(&body);
    }
    Ok(Answer { status, headers, body })
}

fn unchunked(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = rest.windows(2).position(|pair| pair == b"\r\n") {
        let size = usize::from_str_radix(std::str::from_utf8(&rest[..end]).unwrap(), 16).unwrap();
        rest = &rest[end + 2..];
        body.extend_from_slice(&rest[..size]);
        if size == 0 {
            break;
        }
        rest = &rest[size + 2..];
    }
    body
}
