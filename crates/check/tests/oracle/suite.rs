//! The hand-made certificates, and the verdicts when something in them is changed.

use std::path::PathBuf;

use sixproof_oracle::literal;
use sixproof_oracle::mutants::{byte_mutant, mutant};
use sixproof_oracle::parse::parse;
use sixproof_oracle::random::Random;

use crate::world::{Judge, verifies};

/// The root of the repository.
pub(crate) fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The certificates in a folder and below, in order; empty if there is no such folder.
pub(crate) fn certificates(folder: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![repository().join("suite").join(folder)];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "cert") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

#[test]
fn hand_made_certificates_are_verified() {
    let files = certificates("oracle");
    assert!(files.len() >= 12);
    for path in files {
        let bytes = std::fs::read(&path).expect("a readable file");
        let name = path.display();
        if let Err(reason) = literal::check_bytes(&bytes) {
            panic!("{name}: {reason:?}");
        }
        assert!(verifies(&bytes), "{name}");
    }
}

#[test]
fn mutants_of_hand_made_certificates_obey_the_laws() {
    let mut judge = Judge::default();
    for path in certificates("oracle") {
        let bytes = std::fs::read(&path).expect("a readable file");
        let proof = parse(&bytes).expect("well-formed");
        // Large boards are slow for a checker that tries everything.
        let large = proof.game.p > 1 && proof.game.cols > 10;
        for seed in 0..if large { 20 } else { 200 } {
            let random = &mut Random(seed);
            let origin = || format!("{}, seed {seed}", path.display());
            let changed = mutant(&proof, random);
            judge.file(&changed.to_bytes(), &origin);
            judge.file(&byte_mutant(&changed.to_bytes(), random), &origin);
            judge.file(&byte_mutant(&proof.to_bytes(), random), &origin);
        }
    }
    println!("{} files, {} accepted", judge.files, judge.accepted);
    assert!(judge.files >= 6_000 && judge.accepted >= 300);
}
