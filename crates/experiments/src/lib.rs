//! Experiments: long runs whose results are kept piece by piece, so that each continues where it
//! was stopped.
//!
//! - [`contest`]: matches between two players, engines of ours or other programs, and what the
//!   games say about strength.
//! - [`atlas`]: the second moves of Connect6, and a map of those that are proved to lose.
//! - [`shapes`]: the first moves of Connect(6,2,3).
//! - [`course`]: the proof numbers of a search over its nodes, as a picture.
//! - [`scale`]: a search with up to thousands of workers, simulated.
//!
//! Each is the part of a command of `sixproof` that does not depend on the command line. What these
//! modules call proved is what `sixproof_certificate::certify` accepts. The crate has no features.

// The examples of the README are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod atlas;
pub mod contest;
pub mod course;
pub mod scale;
pub mod shapes;
