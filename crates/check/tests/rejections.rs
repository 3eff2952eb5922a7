//! Every way to refuse a certificate: the hand-made files of `suite/bad` against their table,
//! hostile input made in code (`hostile`), and what must not change a verdict (`invariance`).

#[path = "rejections/hostile.rs"]
mod hostile;
#[path = "rejections/invariance.rs"]
mod invariance;
#[path = "rejections/text.rs"]
mod text;

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use sixproof_check::{Refusal, Verified, check_bytes};

/// The names of reasons that no file of the suite can show; `hostile` makes them in code.
const NOT_IN_A_FILE: [&str; 3] = ["io", "changed", "stopped"];

/// An outcome as the table writes it: `verified`, `rejected REASON` or `unreadable REASON`.
fn outcome(result: &Result<Verified, Refusal>) -> String {
    match result {
        Ok(_) => "verified".to_string(),
        Err(Refusal::Rejected(rejection)) => format!("rejected {}", rejection.reason.name()),
        Err(Refusal::Unreadable(unreadable)) => format!("unreadable {}", unreadable.what.name()),
    }
}

fn folder(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The certificates of a folder with their names, in the order of the names.
fn certificates(path: &str) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder(path)).expect("a folder of certificates");
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("an entry of the folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "cert"))
        .map(|path| {
            let name = path.file_name().expect("a file").to_string_lossy().into_owned();
            (name, fs::read(path).expect("a certificate"))
        })
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no certificates in {path}");
    files
}

fn bad() -> Vec<(String, Vec<u8>)> {
    certificates("../../suite/bad")
}

fn good() -> Vec<(String, Vec<u8>)> {
    certificates("tests/rejections/good")
}

/// A row of the table in `suite/bad/README.md`.
struct Row {
    file: String,
    expected: String,
    what: String,
}

fn table() -> Vec<Row> {
    let text = fs::read_to_string(folder("../../suite/bad/README.md")).expect("the table");
    let rows = text.lines().filter_map(|line| {
        let [file, expected, what] =
            line.strip_prefix("| `")?.strip_suffix(" |")?.split(" | ").collect::<Vec<_>>()[..]
        else {
            panic!("a row has three columns: {line}");
        };
        let file = file.strip_suffix('`').expect("a file name between back ticks").to_string();
        Some(Row { file, expected: expected.to_string(), what: what.to_string() })
    });
    rows.collect()
}

/// The reason in the name of a file: `uncovered-one-square.cert` shows `uncovered`.
fn is_named_by(file: &str, expected: &str) -> bool {
    let reason = expected.split(' ').nth(1).unwrap_or(expected);
    let rest = file.strip_suffix(".cert").and_then(|name| name.strip_prefix(reason));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

#[test]
fn bad_files_are_refused_for_the_reason_in_their_row() {
    let files = bad();
    let mut wrong = Vec::new();
    for row in table() {
        let Some((_, bytes)) = files.iter().find(|(name, _)| *name == row.file) else { continue };
        let found = outcome(&check_bytes(bytes));
        if found != row.expected {
            wrong.push(format!("{}: expected {}, found {found}", row.file, row.expected));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_bad_file_has_one_row_and_every_row_a_file() {
    let files: Vec<String> = bad().into_iter().map(|(name, _)| name).collect();
    let rows: Vec<String> = table().into_iter().map(|row| row.file).collect();
    assert_eq!(files, rows, "the table is sorted by file name");
}

#[test]
fn bad_files_say_what_their_row_says() {
    let files = bad();
    for row in table() {
        assert!(is_named_by(&row.file, &row.expected), "{}: {}", row.file, row.expected);
        let (_, bytes) = files.iter().find(|(name, _)| *name == row.file).expect("a file");
        let Ok(text) = std::str::from_utf8(bytes) else { continue };
        if text.starts_with("sixproof-certificate ") {
            let lines: Vec<_> = text.lines().take(3).collect();
            let [_, expect, what] = lines[..] else { panic!("{}: too short", row.file) };
            assert_eq!(expect, format!("# expect: {}", row.expected), "{}", row.file);
            assert_eq!(what, format!("# {}", row.what), "{}", row.file);
        }
    }
}

/// The short names of all reasons, read from the source: what `name` gives for each variant.
fn names_of(kind: &str) -> BTreeSet<&'static str> {
    let source = include_str!("../src/report.rs");
    let lines = source.lines().map(str::trim).filter(|line| line.starts_with(kind));
    lines.filter_map(|line| line.split_once("=> \"")?.1.strip_suffix("\",")).collect()
}

#[test]
fn every_reason_has_a_bad_file() {
    let rows = table();
    let mut missing = Vec::new();
    for (kind, variants) in
        [("rejected", names_of("Reason::")), ("unreadable", names_of("Unread::"))]
    {
        assert!(variants.len() >= 14, "the names of `{kind}` were not found in report.rs");
        for name in variants.into_iter().filter(|name| !NOT_IN_A_FILE.contains(name)) {
            if !rows.iter().any(|row| row.expected == format!("{kind} {name}")) {
                missing.push(format!("{kind} {name}"));
            }
        }
    }
    assert!(missing.is_empty(), "no file shows: {}", missing.join(", "));
}

#[test]
fn good_files_are_verified() {
    let wrong: Vec<_> = good()
        .into_iter()
        .map(|(name, bytes)| (name, outcome(&check_bytes(&bytes))))
        .filter(|(_, found)| found != "verified")
        .collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}
