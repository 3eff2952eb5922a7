//! Ctrl-C ends a search with its report.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::{programs, transcript};

/// Waits until the program notices the signal rather than dies of it.
fn wait_until_watching(child: &Child) {
    const SIGINT_BIT: u64 = 1 << 1;
    let status = format!("/proc/{}/status", child.id());
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(60) {
        let text = fs::read_to_string(&status).unwrap();
        let caught = text.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = u64::from_str_radix(caught.unwrap().trim(), 16).unwrap();
        if caught & SIGINT_BIT != 0 {
            return;
        }
        sleep(Duration::from_millis(10));
    }
    panic!("the program never watches for Ctrl-C");
}

#[test]
#[cfg(target_os = "linux")]
fn ctrl_c_ends_a_search_with_its_report() {
    let folder = transcript::folder("interrupt");
    let child = programs::call(&programs::ours("sixproof").unwrap(), &folder)
        .args(["prove", "connect6", "--nodes", "1G", "--time", "5m"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until_watching(&child);
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let answer = child.wait_with_output().unwrap();
    let said = String::from_utf8(answer.stdout).unwrap();
    assert!(said.starts_with("not proved: interrupted, not found so far ("), "{said}");
    assert_eq!(answer.status.code(), Some(1));
    assert!(!folder.join("connect6.cert").exists());
}
