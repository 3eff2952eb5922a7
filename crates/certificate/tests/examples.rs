//! The examples print what stands beside them.
//!
//! `UPDATE_EXPECT=1` renews the text beside an example.

use std::error::Error;

use expect_test::{ExpectFile, expect_file};

#[allow(dead_code)]
#[path = "../examples/walk.rs"]
mod walk;
#[allow(dead_code)]
#[path = "../examples/write_and_check.rs"]
mod write_and_check;

/// Runs an example, and compares what it writes.
fn compare(
    expected: ExpectFile,
    run: impl FnOnce(&mut dyn std::io::Write) -> Result<(), Box<dyn Error>>,
) {
    let mut out = Vec::new();
    run(&mut out).unwrap();
    expected.assert_eq(&String::from_utf8(out).unwrap());
}

#[test]
fn a_walk_goes_through_a_proof() {
    compare(expect_file!["../examples/walk.txt"], |out| walk::run(&["A1", "C4"], out));
}

#[test]
fn a_certificate_is_written_read_and_checked() {
    compare(expect_file!["../examples/write_and_check.txt"], write_and_check::run);
}
