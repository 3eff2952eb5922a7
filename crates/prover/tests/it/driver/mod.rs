//! The best-first search over quiet moves: whatever is switched off, however many threads there
//! are, however little memory, and wherever it was interrupted, the verdict is the same.

mod claims;
mod direct;
mod journal;
mod remote;
mod resources;
mod small;
mod switches;
