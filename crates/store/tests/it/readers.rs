//! Two programs read the claim of a certificate: the checker, whose reading counts, and the reader
//! of everything else. The law: from the same bytes they read the same claim, or the checker reads
//! none.

use std::fs;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use sixproof_certificate::{Claim, Reader};
use sixproof_check::CheckWatch;
use sixproof_oracle::effort;
use sixproof_oracle::mutants::byte_mutant;
use sixproof_oracle::random::Random;
use sixproof_store::packing::Unpacked;

/// The bytes from the start of a file that this test unpacks: a claim has fewer.
const BYTES_MAX: u64 = 1 << 16;
/// Longest file that is mutated.
const MUTATED_BYTES_MAX: usize = 2_000;
/// Bytes of a file that hold most of its claim. Half of the mutants have only these.
const CLAIM_BYTES: usize = 120;

/// Keeps the claim as the checker reads it, and stops the checker as soon as it can.
#[derive(Default)]
struct Kept(Option<sixproof_check::Claim>);

impl CheckWatch for Kept {
    fn claim(&mut self, claim: &sixproof_check::Claim) {
        self.0 = Some(claim.clone());
    }

    fn progress(&mut self, _nodes: u64) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

/// Compares the two readings of some bytes; whether the checker read a claim. Where it reads none,
/// because of the word after the claim or, on an unbounded board, of any word, nothing is claimed.
fn have_one_claim(bytes: &[u8], name: &str) -> bool {
    let mut kept = Kept::default();
    // Whether the proof is right is another question.
    let _verdict = sixproof_check::check_pipe(bytes, &mut kept);
    let Some(checkers) = kept.0 else { return false };
    let reader = Reader::new(bytes).ok().map(|reader| reader.claim().clone());
    let text = || String::from_utf8_lossy(&bytes[..bytes.len().min(1_000)]).into_owned();
    assert_eq!(reader, Claim::try_from(&checkers).ok(), "{name}:\n{}", text());
    true
}

/// The certificates of some folders of the repository.
fn files(folders: &[&str]) -> Vec<(PathBuf, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = folders.iter().map(|folder| fs::read_dir(root.join(folder)).unwrap());
    let mut paths: Vec<PathBuf> = folders.flatten().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let is_packed = |path: &Path| path.extension().is_some_and(|extension| extension == "zst");
    let is_certificate =
        |path: &Path| path.extension().is_some_and(|extension| extension == "cert");
    let read = |path: PathBuf| {
        let mut bytes = fs::read(&path).unwrap();
        if is_packed(&path) {
            let mut unpacked = Vec::new();
            let stream = Unpacked::new(&bytes[..], u64::MAX).unwrap();
            stream.take(BYTES_MAX).read_to_end(&mut unpacked).unwrap();
            bytes = unpacked;
        }
        (path, bytes)
    };
    paths.into_iter().filter(|path| is_packed(path) || is_certificate(path)).map(read).collect()
}

#[test]
fn the_checker_and_the_reader_read_one_claim_in_every_file() {
    for (folder, least) in [
        ("suite/good", 6),
        ("suite/oracle", 12),
        ("suite/bad", 200),
        ("docs/openings", 3),
        ("docs/atlas", 60),
    ] {
        let files = files(&[folder]);
        assert!(files.len() >= least, "{folder}: {} files", files.len());
        let mut claims = 0;
        for (path, bytes) in &files {
            claims += usize::from(have_one_claim(bytes, &path.display().to_string()));
        }
        assert!(claims == files.len() || folder == "suite/bad", "{folder}: {claims} claims");
        assert!(claims > 0, "{folder}");
    }
}

#[test]
fn the_checker_and_the_reader_read_one_claim_in_mutants_of_every_file() {
    let files = files(&["suite/good", "suite/oracle", "suite/bad", "docs/openings", "docs/atlas"]);
    let mut claims = [0, 0];
    for (number, (path, bytes)) in files.iter().enumerate() {
        let mut random = Random(number as u64);
        let bytes = &bytes[..bytes.len().min(MUTATED_BYTES_MAX)];
        for _ in 0..effort(40, 2_000) {
            let kept = if random.chance(50) { bytes.len() } else { bytes.len().min(CLAIM_BYTES) };
            let mutant = byte_mutant(&bytes[..kept], &mut random);
            let name = format!("a mutant of {}", path.display());
            claims[usize::from(have_one_claim(&mutant, &name))] += 1;
        }
    }
    println!("{} mutants with a claim, {} without", claims[1], claims[0]);
    assert!(claims.iter().all(|&count| count > 1_000), "{claims:?}");
}
