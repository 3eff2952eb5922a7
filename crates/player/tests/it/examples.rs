//! The examples print what stands beside them.
//!
//! `UPDATE_EXPECT=1` renews the text beside an example.

use expect_test::expect_file;
use sixproof_oracle::output;

#[allow(dead_code)]
#[path = "../../examples/protocol.rs"]
mod protocol;
#[allow(dead_code)]
#[path = "../../examples/think.rs"]
mod think;

#[test]
fn a_protocol_drives_an_engine() {
    expect_file!["../../examples/protocol.txt"].assert_eq(&output(protocol::run));
}

#[test]
fn an_engine_thinks_within_limits() {
    expect_file!["../../examples/think.txt"].assert_eq(&output(think::run));
}
