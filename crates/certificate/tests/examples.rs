//! The examples print what stands beside them.
//!
//! `UPDATE_EXPECT=1` renews the text beside an example.

use expect_test::expect_file;
use sixproof_oracle::output;

#[allow(dead_code)]
#[path = "../examples/walk.rs"]
mod walk;
#[allow(dead_code)]
#[path = "../examples/write_and_check.rs"]
mod write_and_check;

#[test]
fn a_walk_goes_through_a_proof() {
    expect_file!["../examples/walk.txt"].assert_eq(&output(|out| walk::run(&["A1", "C4"], out)));
}

#[test]
fn a_certificate_is_written_read_and_checked() {
    expect_file!["../examples/write_and_check.txt"].assert_eq(&output(write_and_check::run));
}
