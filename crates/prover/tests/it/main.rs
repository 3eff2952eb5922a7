//! The prover's results, compared with the checker, the oracle and itself.
//!
//! One program for all of them: each program would link the whole crate again.

mod board;
mod dependency;
mod driver;
mod examples;
mod forced;
mod known_values;
mod openings;
mod progress;
mod repeatable;
mod search_tree;
mod strategy;
mod threats;
mod unbounded;
mod value;
mod verdicts;
mod verifiers;
mod verify;
mod world;

use sixproof_oracle::effort;

/// The time that a random test of boards and threats takes, in milliseconds.
fn budget_ms() -> u64 {
    effort(300, 1_500)
}
