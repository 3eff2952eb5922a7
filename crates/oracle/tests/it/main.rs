//! The oracle against textbook values and its own laws.
//!
//! One program for all of them: each program would link the whole crate again.

mod known_values;
mod laws;
mod perft;
