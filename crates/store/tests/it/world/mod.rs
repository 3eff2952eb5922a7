//! What the tests share: folders, certificates, claims.

use std::fs;
use std::path::{Path, PathBuf};

use sixproof_certificate::{Claim, Reader};
use sixproof_store::ProofMeta;

/// An empty folder.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The certificates of the suite that are small, with their names.
pub(crate) fn samples() -> Vec<(String, Vec<u8>)> {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite");
    let mut samples = Vec::new();
    for part in ["good", "oracle"] {
        let mut files: Vec<PathBuf> =
            fs::read_dir(suite.join(part)).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        for file in files.iter().filter(|file| file.extension().is_some_and(|e| e == "cert")) {
            let bytes = fs::read(file).unwrap();
            if bytes.len() < 100_000 {
                let name = file.file_name().unwrap().to_string_lossy().into_owned();
                samples.push((name, bytes));
            }
        }
    }
    assert!(samples.len() > 10);
    samples
}

/// What a certificate claims.
pub(crate) fn claim_of(certificate: &[u8]) -> Claim {
    Reader::new(certificate).unwrap().claim().clone()
}

/// How a proof might have been found.
pub(crate) fn meta() -> ProofMeta {
    ProofMeta { order: Some(2), search_nodes: 1_234, version: "0.1.0".to_string() }
}
