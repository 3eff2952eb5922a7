//! The manager: lends jobs to workers, and believes nobody.

mod event;
mod settings;

pub use event::{Answered, Effect, Event, Job, Notice, Verdict};
pub use settings::Settings;
