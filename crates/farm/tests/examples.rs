//! The examples print what stands beside them.
//!
//! `UPDATE_EXPECT=1` renews the text beside an example.

use std::error::Error;

use expect_test::{ExpectFile, expect_file};

#[allow(dead_code)]
#[path = "../examples/one_job.rs"]
mod one_job;

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
fn a_job_goes_to_a_worker_and_back() {
    compare(expect_file!["../examples/one_job.txt"], |out| Ok(one_job::run(out)?));
}
