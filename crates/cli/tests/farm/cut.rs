//! Two hosts and a cable between them that is cut now and then: network namespaces, where the
//! machine allows them.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use sixproof_oracle::effort;

use super::scratch::folder;

/// The search and the server are on one host, the workers on the other.
const NEAR: &str = "10.66.77.1";
const FAR: &str = "10.66.77.2";
/// What is proved, and how often the cable is cut meanwhile: in the usual run and in the long one.
const USUAL: (&str, usize) = ("J10 / F10 N10", 1);
const LONG: (&str, usize) = ("xx-l8", 3);
/// How long it stays cut: longer than a lease.
const CUT_FOR: Duration = Duration::from_secs(7);

/// Whether a command of the system went well.
fn ip(arguments: &str) -> bool {
    let mut command = Command::new("ip");
    command.args(arguments.split_whitespace()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Two hosts of this test's own. They go when it ends.
struct Hosts([String; 2]);

impl Hosts {
    /// None where the machine has no network namespaces for us.
    fn new() -> Option<Hosts> {
        let number = std::process::id();
        let hosts = Hosts(["near", "far"].map(|side| format!("sixproof-{side}-{number}")));
        let [near, far] = &hosts.0;
        let commands = [
            format!("netns add {near}"),
            format!("netns add {far}"),
            format!("link add near netns {near} type veth peer name far netns {far}"),
            format!("-n {near} address add {NEAR}/24 dev near"),
            format!("-n {far} address add {FAR}/24 dev far"),
            format!("-n {near} link set near up"),
            format!("-n {far} link set far up"),
            format!("-n {near} link set lo up"),
            format!("-n {far} link set lo up"),
        ];
        commands.iter().all(|command| ip(command)).then_some(hosts)
    }

    fn set_cable(&self, state: &str) {
        assert!(ip(&format!("-n {} link set near {state}", self.0[0])));
    }

    /// A program on one of the hosts.
    fn run(&self, host: usize, folder: &Path, words: &[&str]) -> Running {
        let log = fs::File::options().append(true).create(true).open(folder.join("log.txt"));
        let log = log.unwrap();
        let child = Command::new("ip")
            .args(["netns", "exec", &self.0[host]])
            .args(words)
            .current_dir(folder)
            .env("SIXPROOF_STORE", "")
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn();
        Running(child.unwrap())
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        for host in &self.0 {
            let _gone = ip(&format!("netns delete {host}"));
        }
    }
}

struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ended = self.0.kill();
        let _ended = self.0.wait();
    }
}

#[test]
fn an_opening_is_proved_over_a_cable_that_is_cut() {
    let Some(hosts) = Hosts::new() else {
        println!("skipped: this machine has no network namespaces for us");
        return;
    };
    let folder = folder("farm-cut");
    let url = format!("nats://{NEAR}:4222");
    let sixproof = env!("CARGO_BIN_EXE_sixproof");
    let server = ["nats-server", "-js", "-a", NEAR, "-p", "4222", "-sd", "js"];
    let _server = hosts.run(0, &folder, &server);
    let worker = [sixproof, "worker", &url, "--cores", "1"];
    let _workers = [hosts.run(1, &folder, &worker), hosts.run(1, &folder, &worker)];
    let (opening, cuts_wanted) = effort(USUAL, LONG);
    let search = |attempt: usize| {
        // The server takes a moment to start.
        sleep(Duration::from_secs(1 + attempt as u64));
        let words = ["prove", opening, "--no-store", "--quiet", "--lease", "5s", "--json"];
        let files = ["--journal", "answers.journal", "--cert", "proof.cert"];
        let listen = format!("{NEAR}:0");
        let farm = ["--farm", &url, "--listen", &listen];
        hosts.run(0, &folder, &[&[sixproof], &words[..], &files, &farm].concat())
    };
    let mut manager = search(0);
    let log = || fs::read_to_string(folder.join("log.txt")).unwrap_or_default();
    let mut cuts = 0;
    // How long that takes is the machine's affair; `.config/nextest.toml` ends what hangs.
    let status = loop {
        sleep(Duration::from_millis(50));
        match manager.0.try_wait().unwrap() {
            Some(status) if status.code() == Some(2) && cuts == 0 => manager = search(1),
            Some(status) => break status,
            None => {}
        }
        // The first cut comes as soon as a worker has joined, the others while it works again.
        if cuts < cuts_wanted && log().contains("\"notice\":\"joined\"") {
            if cuts > 0 {
                sleep(Duration::from_secs(4));
            }
            cuts += 1;
            hosts.set_cable("down");
            sleep(CUT_FOR);
            hosts.set_cable("up");
        }
    };
    assert!(status.success(), "{}", log());
    assert_eq!(cuts, cuts_wanted, "the proof was there before the cable was cut");
    let verified = sixproof_check::check_bytes(&fs::read(folder.join("proof.cert")).unwrap());
    assert!(verified.is_ok(), "{verified:?}");
}
