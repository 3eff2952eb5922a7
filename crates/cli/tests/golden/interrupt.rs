//! Ctrl-C ends a search with its report, for people and for programs.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::{events, programs, shell, transcript};

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

/// Starts a long search, and presses Ctrl-C.
fn interrupted(arguments: &[&str], folder: &Path) -> Output {
    let child = programs::call(&programs::ours("sixproof").unwrap(), folder)
        .args(["prove", "connect6", "--nodes", "1G", "--time", "5m"])
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until_watching(&child);
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    child.wait_with_output().unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn ctrl_c_ends_a_search_with_its_report() {
    let folder = transcript::folder("interrupt");
    let answer = interrupted(&[], &folder);
    let said = String::from_utf8(answer.stdout).unwrap();
    assert!(said.contains("\nnot proved: interrupted, not found so far ("), "{said}");
    assert_eq!(answer.status.code(), Some(2));
    assert!(!folder.join("connect6.cert").exists());
}

#[test]
#[cfg(target_os = "linux")]
fn ctrl_c_ends_the_events_of_a_search_and_leaves_its_plot() {
    let folder = transcript::folder("interrupt-events");
    let answer = interrupted(&["--json", "--svg", "course.svg"], &folder);
    assert_eq!(answer.status.code(), Some(2));
    let events = events::parsed(&answer.stdout);
    let last = events.last().unwrap();
    assert_eq!(last["event"], "stopped");
    assert_eq!(last["verdict"], "unknown");
    assert_eq!(last["stopped_by"], "interrupt");
    assert_eq!(last["plot"], "course.svg");
    let plot = fs::read_to_string(folder.join("course.svg")).unwrap();
    assert!(plot.starts_with("<svg ") && plot.ends_with("</svg>\n"), "{plot}");
}

#[test]
#[cfg(target_os = "linux")]
fn ctrl_c_keeps_what_an_atlas_has_found() {
    let folder = transcript::folder("interrupt-atlas");
    let mut child = Command::new(programs::ours("sixproof").unwrap())
        .args(["atlas", "--box", "11", "--only", "5", "--nodes", "20k", "--quiet"])
        .current_dir(&folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let results = folder.join("atlas/results.txt");
    let found = || {
        let text = fs::read_to_string(&results).unwrap_or_default();
        text.lines().filter(|line| !line.starts_with('#')).count()
    };
    let start = Instant::now();
    while found() < 2 && start.elapsed() < Duration::from_secs(100) {
        sleep(Duration::from_millis(10));
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    assert_eq!(child.wait().unwrap().code(), Some(2));
    let line = "sixproof atlas --box 11 --only 5 --no-search --json";
    let answer = shell::run(line, &folder).unwrap();
    let events = events::parsed(&answer.stdout);
    let kept = events.iter().filter(|event| event["kept"] == true).count();
    assert_eq!(kept, found());
    let done = events.last().unwrap();
    let number = |field: &str| done[field].as_u64().unwrap();
    assert!(kept >= 2 && number("untried") > 0, "{done}");
    assert_eq!(number("proved") + number("open"), kept as u64);
}
