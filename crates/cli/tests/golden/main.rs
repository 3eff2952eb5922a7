//! The program as its users meet it: every file of `suite/cli` is a page of commands with what they
//! answer, the commands of the documents can be typed as they stand, and no arguments make the
//! program panic or hang.
//!
//! `UPDATE_EXPECT=1 cargo test -p sixproof-cli --test golden` writes the answers of today into the
//! pages; read the difference before you commit it.
#![cfg(unix)]

mod codes;
mod documents;
mod events;
mod interrupt;
mod nasty;
mod programs;
mod shell;
mod transcript;

use std::fs;
use std::path::{Path, PathBuf};

fn suite() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite")
}

#[test]
fn every_page_of_commands_answers_as_written() {
    let mut pages: Vec<PathBuf> = fs::read_dir(suite().join("cli"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
        .filter(|path| path.file_name().is_some_and(|name| name != "README.md"))
        .collect();
    pages.sort();
    assert!(!pages.is_empty(), "suite/cli has no pages");
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        let name = page.file_stem().unwrap().to_str().unwrap();
        let run = transcript::run(name, &text);
        expect_test::expect_file![page].assert_eq(&run);
    }
}
