//! The examples print what stands beside them.
//!
//! `UPDATE_EXPECT=1` renews the text beside an example.

use expect_test::expect_file;
use sixproof_oracle::output;

#[allow(dead_code)]
#[path = "../examples/one_job.rs"]
mod one_job;

#[test]
fn a_job_goes_to_a_worker_and_back() {
    expect_file!["../examples/one_job.txt"].assert_eq(&output(|out| Ok(one_job::run(out)?)));
}
