//! Stands for the package `regex`, which one of our dependencies names.
//!
//! `async-nats` reads version numbers and names of buckets with a few short expressions, and
//! `regex` with all that it needs is a twenty-fifth of the time to build the program. `regex-lite`
//! is the small engine of the same authors with the same functions. The workspace replaces the one
//! by the other (`[patch.crates-io]`); remove this crate when `async-nats` does without.

pub use regex_lite::*;
