//! Everything is killed at random, again and again, and openings are proved all the same.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use sixproof_farm::journal;
use sixproof_oracle::effort;

use super::nats_server::NatsServer;
use super::scratch::folder;

/// Processes that are killed at least, in the usual run and in the long one.
const KILLS: [usize; 2] = [6, 50];
/// An opening that takes seconds, and some that take longer. They are proved one after the other,
/// again and again, until enough processes were killed.
const QUICK: &[&str] = &["J10 / F10 N10"];
const LONG: &[&str] = &["xx-l8", "tx-h9", "tx-h8"];

/// A process that is started again whenever it was killed.
struct Process {
    arguments: Vec<String>,
    folder: PathBuf,
    child: Child,
}

impl Process {
    fn start(folder: &Path, arguments: &[&str]) -> Process {
        let arguments: Vec<String> = arguments.iter().map(|word| word.to_string()).collect();
        let child = spawn(folder, &arguments);
        Process { arguments, folder: folder.to_path_buf(), child }
    }

    /// As `kill -9` does.
    fn kill(&mut self) {
        // It may have ended by itself at this moment.
        let _ended = self.child.kill();
        self.child.wait().unwrap();
    }

    fn restart(&mut self) {
        self.child = spawn(&self.folder, &self.arguments);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

fn spawn(folder: &Path, arguments: &[String]) -> Child {
    let log = |name: &str| {
        let file = fs::File::options().append(true).create(true).open(folder.join(name));
        Stdio::from(file.unwrap())
    };
    Command::new(env!("CARGO_BIN_EXE_sixproof"))
        .args(arguments)
        .current_dir(folder)
        .env("SIXPROOF_STORE", "")
        .stdin(Stdio::null())
        .stdout(log("output.txt"))
        .stderr(log("errors.txt"))
        .spawn()
        .unwrap()
}

/// Numbers by chance, the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % below
    }
}

/// The whole records of a journal, as bytes: none of them may ever be lost.
fn records(path: &Path) -> Vec<u8> {
    let mut bytes = fs::read(path).unwrap_or_default();
    let whole = journal::read(&bytes).expect("the journal can be read").good_len;
    bytes.truncate(whole);
    bytes
}

#[test]
fn openings_are_proved_while_everything_is_killed() {
    let folder = folder("farm-chaos");
    let mut server = NatsServer::start(&folder.join("server"));
    let url = server.url();
    let worker = |name| {
        let own = folder.join(name);
        fs::create_dir_all(&own).unwrap();
        Process::start(&own, &["worker", &url, "--cores", "1", "--name", name])
    };
    let mut workers = [worker("one"), worker("two")];
    let (mut dice, mut kills, mut answers) = (Dice(7), 0, 0);
    let (kills_min, openings) = effort((KILLS[0], QUICK), (KILLS[1], LONG));
    for (round, opening) in openings.iter().cycle().enumerate() {
        if kills >= kills_min {
            break;
        }
        let own = folder.join(round.to_string());
        fs::create_dir_all(&own).unwrap();
        let [path, cert] = ["answers.journal", "proof.cert"].map(|name| own.join(name));
        let search = ["prove", opening, "--no-store", "--farm", &url, "--lease", "5s", "--quiet"];
        let files = ["--journal", path.to_str().unwrap(), "--cert", cert.to_str().unwrap()];
        let mut manager = Process::start(&own, &[&search[..], &files].concat());
        let mut kept = Vec::new();
        // How long that takes is the machine's affair; `.config/nextest.toml` ends what hangs.
        let status = loop {
            sleep(Duration::from_millis(400 + dice.roll(1_200)));
            match manager.child.try_wait().unwrap() {
                // It was started while the server was not there, and said so.
                Some(status) if status.code() == Some(2) => manager.restart(),
                Some(status) => break status,
                None => {}
            }
            if kills >= kills_min {
                continue;
            }
            kills += 1;
            match dice.roll(10) {
                0 => {
                    server.kill();
                    sleep(Duration::from_millis(dice.roll(500)));
                    server.restart();
                }
                1 | 2 => {
                    manager.kill();
                    let now = records(&path);
                    assert!(now.starts_with(&kept), "{opening}: answers were lost");
                    kept = now;
                    manager.restart();
                }
                which => {
                    let worker = &mut workers[(which % 2) as usize];
                    worker.kill();
                    worker.restart();
                }
            }
        };
        let told = |name: &str| fs::read_to_string(own.join(name)).unwrap_or_default();
        assert!(status.success(), "{opening}: {}{}", told("output.txt"), told("errors.txt"));
        let now = records(&path);
        assert!(now.starts_with(&kept), "{opening}: answers were lost");
        answers += journal::read(&now).unwrap().records.len();
        let verified = sixproof_check::check_bytes(&fs::read(&cert).unwrap());
        assert!(verified.is_ok(), "{opening}: {verified:?}");
    }
    assert!(answers > 50, "the workers gave {answers} answers only");
}
