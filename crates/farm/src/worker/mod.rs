//! The worker: takes jobs, does them, sends answers.

mod event;

pub use event::{Effect, Event, Notice, Settings};
