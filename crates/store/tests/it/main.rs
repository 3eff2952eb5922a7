//! The store as its users meet it: what it keeps, and what it finds again.
//!
//! One program for all of them: each would link the whole crate again.

mod buckets;
mod contents;
mod cost;
mod files;
mod readers;
mod symmetric;
mod world;
