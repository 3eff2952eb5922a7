//! Prover and player measured by the real program: their signatures, the verdicts of the benchmark
//! set, and a survey that goes on where it was stopped.
//!
//! `UPDATE_EXPECT=1 cargo test -p sixproof-cli --test bench` writes the signatures of today into
//! `suite/bench/signature.txt`; the commit says why they changed.

mod scratch;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use scratch::folder;
use sixproof_oracle::effort;

fn sixproof(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sixproof"));
    command.args(arguments).env_clear().current_dir(folder).output().expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

#[test]
fn the_signatures_are_the_committed_ones() {
    let signed = [&["bench"][..], &["bench", "play"]].map(|words| {
        let answer = sixproof(Path::new("."), words);
        assert_eq!(answer.status.code(), Some(0), "{}", text(&answer.stderr));
        format!("$ sixproof {}\n{}", words.join(" "), text(&answer.stdout))
    });
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/bench/signature.txt");
    expect_test::expect_file![file].assert_eq(&signed.concat());
}

#[test]
fn verdicts_are_as_expected() {
    // The usual run has those with wins.
    for group in &["composed", "no-wins"][..effort(1, 2)] {
        let answer = sixproof(Path::new("."), &["bench", "zones", "--group", group, "--json"]);
        assert_eq!(answer.status.code(), Some(0), "{group}: {}", text(&answer.stderr));
        let lines: Vec<serde_json::Value> =
            text(&answer.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), 8, "one line for each verifier");
        let usual = lines.last().unwrap();
        assert_eq!(usual["solved"], usual["positions"]);
        for line in lines {
            assert!(line["solved"].as_u64() <= line["positions"].as_u64());
        }
    }
}

/// The answer of the survey in JSON: the lines of the shapes, and the sums.
fn survey(folder: &Path, nodes: &str, more: &[&str]) -> (Vec<serde_json::Value>, String) {
    let shapes = ["--shape", "00-02-11", "--shape", "00-01-02"];
    let mut words = vec!["survey", "connect623", "--json", "--nodes", nodes];
    words.extend(shapes);
    words.extend(more);
    let answer = sixproof(folder, &words);
    // 2 while something is not decided.
    assert!(matches!(answer.status.code(), Some(0 | 2)), "{}", text(&answer.stderr));
    let lines = text(&answer.stdout);
    let lines = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (lines, text(&answer.stderr))
}

#[test]
fn a_survey_remembers_what_it_decided_and_checks_it_again() {
    let folder = folder("survey");
    let (first, _) = survey(&folder, "20000", &[]);
    assert_eq!((&first[0]["verdict"], &first[1]["verdict"]), (&"win".into(), &"unknown".into()));
    assert_eq!((&first[2]["won"], &first[2]["kept"]), (&1.into(), &0.into()));
    let certificate = folder.join("connect623/00-02-11.cert");
    let check = sixproof(&folder, &["check", "--quiet", "connect623/00-02-11.cert"]);
    assert_eq!(check.status.code(), Some(0));

    let (again, notes) = survey(&folder, "20000", &[]);
    assert_eq!((&again[0], &again[1]), (&first[0], &first[1]));
    assert_eq!((&again[2]["kept"], notes.as_str()), (&2.into(), ""));

    // More nodes are more than was asked before, unless the shape is won.
    let (more, _) = survey(&folder, "21000", &[]);
    assert_eq!(more[2]["kept"], 1);
    assert!(more[1]["nodes"].as_u64() > first[1]["nodes"].as_u64());
    let (retried, _) = survey(&folder, "100", &["--again"]);
    assert_eq!(retried[2]["kept"], 1);

    // A certificate that proves nothing is not believed, whatever the state says.
    let bytes = fs::read(&certificate).unwrap();
    fs::write(&certificate, &bytes[..bytes.len() / 2]).unwrap();
    let (mended, notes) = survey(&folder, "20000", &[]);
    assert!(notes.contains("searched again"), "{notes}");
    assert_eq!(mended[0], first[0]);
    assert_eq!(fs::read(&certificate).unwrap(), bytes);
    fs::remove_file(&certificate).unwrap();
    assert_eq!(survey(&folder, "20000", &[]).0[0], first[0]);
    assert!(certificate.exists());

    // The proof of another shape does not count.
    let other = fs::read_to_string(&certificate).unwrap();
    let state = fs::read_to_string(folder.join("connect623/survey.txt")).unwrap();
    let forged = state.replace("| unknown |", "| win |");
    assert_ne!(forged, state);
    fs::write(folder.join("connect623/survey.txt"), forged).unwrap();
    fs::write(folder.join("connect623/00-01-02.cert"), other).unwrap();
    let (honest, notes) = survey(&folder, "20000", &[]);
    assert!(notes.contains("another claim"), "{notes}");
    assert_eq!(honest[1]["verdict"], "unknown");
}

#[test]
fn a_state_that_is_none_is_refused() {
    let folder = folder("survey-state");
    fs::create_dir(folder.join("connect623")).unwrap();
    fs::write(folder.join("connect623/survey.txt"), "# a remark\nwhatever\n").unwrap();
    let answer = sixproof(&folder, &["survey", "connect623", "--nodes", "1"]);
    assert_eq!(answer.status.code(), Some(2));
    assert!(text(&answer.stderr).contains("survey.txt:2:1"), "{}", text(&answer.stderr));
}
