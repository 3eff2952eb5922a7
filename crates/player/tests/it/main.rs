//! The player as its users meet it.
//!
//! One program for all of them: each program would link the whole crate again.

mod analysis;
mod examples;
mod games;
mod protocols;
mod styles;
mod threats;
mod world;
