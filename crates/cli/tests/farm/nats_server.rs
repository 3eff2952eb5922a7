//! A real nats-server for tests, on a free port of the loopback: started, killed as a crash would
//! kill it, and started again on the same port with what is left on its disk.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The longest start of the server.
const READY_WITHIN: Duration = Duration::from_secs(30);
/// Where Debian has it, besides the usual folders.
const PLACES: [&str; 3] = ["nats-server", "/usr/sbin/nats-server", "/usr/local/bin/nats-server"];

/// A running server, or one that was killed. It ends when it is dropped.
pub(crate) struct NatsServer {
    child: Option<Child>,
    port: u16,
    folder: PathBuf,
}

impl NatsServer {
    /// A server with JetStream, whose files are in the folder.
    pub(crate) fn start(folder: &Path) -> NatsServer {
        NatsServer::with(folder, &format!("jetstream {{ store_dir: {:?} }}", folder.join("js")))
    }

    /// A server with these settings, besides its address.
    pub(crate) fn with(folder: &Path, settings: &str) -> NatsServer {
        fs::create_dir_all(folder).unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let text = format!("host: 127.0.0.1\nport: {port}\n{settings}\n");
        fs::write(folder.join("nats.conf"), text).unwrap();
        let mut server = NatsServer { child: None, port, folder: folder.to_path_buf() };
        server.restart();
        server
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Ends the server as `kill -9` does.
    pub(crate) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    /// Starts the server, which must not be running, and waits until it listens.
    pub(crate) fn restart(&mut self) {
        assert!(self.child.is_none());
        let log = fs::File::options().append(true).create(true).open(self.folder.join("nats.log"));
        let log = log.unwrap();
        let spawn = |program: &&str| {
            Command::new(program)
                .arg("-c")
                .arg(self.folder.join("nats.conf"))
                .stdin(Stdio::null())
                .stdout(log.try_clone().unwrap())
                .stderr(log.try_clone().unwrap())
                .spawn()
                .ok()
        };
        self.child = PLACES.iter().find_map(spawn);
        assert!(
            self.child.is_some(),
            "`nats-server` is missing: install the package nats-server (scripts/test does)"
        );
        let start = Instant::now();
        while !self.listens() {
            let log = || fs::read_to_string(self.folder.join("nats.log")).unwrap_or_default();
            let ended = self.child.as_mut().and_then(|child| child.try_wait().unwrap());
            assert!(ended.is_none() && start.elapsed() < READY_WITHIN, "{}", log());
            sleep(Duration::from_millis(20));
        }
    }

    /// Whether it greets.
    fn listens(&self) -> bool {
        let Ok(stream) = TcpStream::connect(("127.0.0.1", self.port)) else { return false };
        let mut line = String::new();
        BufReader::new(stream).read_line(&mut line).is_ok() && line.starts_with("INFO")
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _gone = child.kill();
            let _gone = child.wait();
        }
    }
}
