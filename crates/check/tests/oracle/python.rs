//! A third opinion: `checker.py` gives the same verdicts.

use std::path::PathBuf;
use std::process::Command;

use sixproof_oracle::liars::{Lie, lie};
use sixproof_oracle::mutants::{byte_mutant, mutant};
use sixproof_oracle::parse::parse;
use sixproof_oracle::provers::{Style, prove};
use sixproof_oracle::random::Random;
use sixproof_oracle::rules::Game;

use crate::suite::{certificates, repository};
use crate::world::{Judge, both_rules, verifies};

/// Runs the Python checker and asserts that it verifies just what the checker under test does.
fn compare(files: &[PathBuf]) -> usize {
    let script = repository().join("crates/oracle/checker.py");
    let mut verified = 0;
    for chunk in files.chunks(200) {
        let output = Command::new("python3")
            .arg(&script)
            .args(chunk)
            .output()
            .expect("python3 is installed");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(text.lines().count(), chunk.len(), "{text}{errors}");
        for (line, path) in text.lines().zip(chunk) {
            let name = format!("{}: ", path.display());
            let verdict = if chunk.len() > 1 { line.strip_prefix(&name) } else { Some(line) };
            let verdict = verdict.expect("a line for each file, in order");
            let ours = verifies(&std::fs::read(path).expect("a readable file"));
            assert_eq!(verdict == "verified", ours, "{line}");
            verified += usize::from(ours);
        }
    }
    verified
}

/// Writes a file for the Python checker.
fn write(folder: &str, number: usize, bytes: &[u8]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(folder);
    std::fs::create_dir_all(&folder).expect("a folder for the tests");
    let path = folder.join(format!("{number}.cert"));
    std::fs::write(&path, bytes).expect("a writable folder");
    path
}

#[test]
fn python_agrees_on_the_suite() {
    let good = certificates("good");
    let bad = certificates("bad");
    let own = certificates("oracle");
    let files = [good.as_slice(), bad.as_slice(), own.as_slice()].concat();
    let verified = compare(&files);
    println!("{} files, {verified} verified", files.len());
    assert_eq!(verified, good.len() + own.len());
}

#[test]
fn python_agrees_on_mutants_of_the_hand_made_certificates() {
    let mut files = Vec::new();
    for path in certificates("oracle") {
        let proof = parse(&std::fs::read(&path).expect("a readable file")).expect("well-formed");
        for seed in 0..40 {
            let random = &mut Random(seed);
            let bytes = match seed % 4 {
                0 => byte_mutant(&proof.to_bytes(), random),
                _ => mutant(&proof, random).to_bytes(),
            };
            files.push(write("hand-made", files.len(), &bytes));
        }
    }
    let verified = compare(&files);
    println!("{} files, {verified} verified", files.len());
    assert!(files.len() >= 400 && verified >= 40);
}

#[test]
fn python_agrees_on_tiny_games() {
    let mut judge = Judge::default();
    let mut files = Vec::new();
    let games = [
        Game::free(4, 3, 3, 1, 1),
        Game::free(3, 3, 3, 2, 1),
        Game::free(4, 4, 4, 2, 1),
        Game::free(4, 4, 4, 3, 1),
        Game::free(9, 1, 6, 4, 2),
    ];
    for (g, game) in both_rules(&games).into_iter().enumerate() {
        for number in 0..60 {
            let random = &mut Random((3 << 60 | g << 32 | number) as u64);
            let (attacker, position) = judge.random_claim(game, random);
            let kind = *random.pick(&Lie::ALL);
            let mut proof = lie(kind, &mut judge.solvers, game, attacker, &position, random);
            if judge.is_won(game, attacker, &position) {
                let solver = judge.solvers.granting(game, attacker.other());
                proof = prove(solver, attacker, &position, Style::random(random), random);
                files.push(write("tiny", files.len(), &proof.to_bytes()));
            }
            files.push(write("tiny", files.len(), &mutant(&proof, random).to_bytes()));
            let bytes = byte_mutant(&proof.to_bytes(), random);
            files.push(write("tiny", files.len(), &bytes));
        }
    }
    let verified = compare(&files);
    println!("{} files, {verified} verified", files.len());
    assert!(files.len() >= 500 && verified >= 100);
}
