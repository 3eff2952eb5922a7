//! With `--json` a search is a stream of events: every line is one, and the last one is the answer.

use std::fs;

use serde_json::Value;

use crate::shell::{self, Answer};
use crate::transcript;

/// The events of an output, one a line.
pub(crate) fn parsed(output: &[u8]) -> Vec<Value> {
    let text = String::from_utf8(output.to_vec()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

fn run(line: &str, name: &str) -> (Answer, Vec<Value>) {
    let answer = shell::run(line, &transcript::folder(name)).unwrap();
    let events = parsed(&answer.stdout);
    assert!(!events.is_empty(), "{line}");
    (answer, events)
}

fn has_fields(event: &Value, fields: &[&str]) {
    for field in fields {
        assert!(event.get(*field).is_some(), "no `{field}` in {event}");
    }
}

#[test]
fn a_search_tells_how_it_starts_goes_and_ends() {
    let (answer, events) = run("sixproof prove connect6 --nodes 1G --time 1s --json", "events");
    assert_eq!(answer.code, Some(2));
    let (first, rest) = events.split_first().unwrap();
    let (last, between) = rest.split_last().unwrap();
    assert_eq!(first["event"], "start");
    assert_eq!(first["limits"]["seconds"], 1);
    assert_eq!(first["limits"]["nodes"], 1_000_000_000);
    let start = ["version", "command", "game", "position", "to_move", "stones_left", "attacker"];
    has_fields(first, &start);
    has_fields(first, &["threads"]);
    // A second is longer than the time between two events, and the first one is due before its end.
    assert!(!between.is_empty());
    for event in between {
        assert_eq!(event["event"], "progress");
        has_fields(event, &["seconds", "order", "nodes", "nodes_per_second", "proof", "disproof"]);
        has_fields(event, &["proved", "refuted", "depth", "best", "line", "memory_bytes"]);
    }
    assert_eq!(last["event"], "unknown");
    assert_eq!(last["stopped_by"], "time");
    has_fields(last, &["verdict", "game", "attacker", "message", "order", "nodes", "seconds"]);
}

#[test]
fn a_proof_is_told_with_its_checked_certificate() {
    let line = "sixproof prove 'J10 / A1 S19 / K11 L12 / A3 S17' --json --svg course.png";
    let (answer, events) = run(line, "events-proved");
    assert_eq!(answer.code, Some(0));
    let last = events.last().unwrap();
    assert_eq!(last["event"], "proved");
    assert_eq!(last["checked"], true);
    let file = last["certificate"]["file"].as_str().unwrap();
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("events-proved");
    let checked = shell::run(&format!("sixproof-check {file}"), &folder).unwrap();
    assert_eq!(checked.code, Some(0));
    has_fields(&last["certificate"], &["bytes", "nodes"]);
    assert!(fs::read(folder.join("course.png")).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn errors_are_events_too() {
    let (answer, events) = run("sixproof verify connect6 --move Z99 --json", "events-error");
    assert_eq!(answer.code, Some(2));
    let last = events.last().unwrap();
    assert_eq!(last["event"], "error");
    has_fields(&last["error"], &["message"]);
    assert_eq!(parsed(&answer.stderr)[0]["error"], last["error"]);
}
