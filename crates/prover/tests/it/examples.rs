//! The examples print what stands beside them.
//!
//! `UPDATE_EXPECT=1` renews the text beside an example.

use expect_test::expect_file;
use sixproof_oracle::output;

#[allow(dead_code)]
#[path = "../../examples/prove.rs"]
mod prove;

#[test]
fn a_position_is_proved_and_the_proof_checked() {
    expect_file!["../../examples/prove.txt"].assert_eq(&output(prove::run));
}
