//! The examples print what stands beside them.
//!
//! `UPDATE_EXPECT=1` renews the text beside an example.

use std::error::Error;

use expect_test::{ExpectFile, expect_file};

#[allow(dead_code)]
#[path = "../../examples/protocol.rs"]
mod protocol;
#[allow(dead_code)]
#[path = "../../examples/think.rs"]
mod think;

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
fn a_protocol_drives_an_engine() {
    compare(expect_file!["../../examples/protocol.txt"], protocol::run);
}

#[test]
fn an_engine_thinks_within_limits() {
    compare(expect_file!["../../examples/think.txt"], think::run);
}
