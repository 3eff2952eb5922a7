//! A line on the terminal that counts.

use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use sixproof_solve::output::Output;

/// Progress appears after this time, and then changes as often.
const PROGRESS_EVERY: Duration = Duration::from_millis(500);

/// A line on the terminal that counts.
pub(super) struct Counter {
    shown: Option<Instant>,
    start: Instant,
    output: Output,
}

impl Counter {
    pub(super) fn new(output: Output) -> Counter {
        Counter { shown: None, start: Instant::now(), output }
    }

    pub(super) fn show(&mut self, text: &str) {
        let last = self.shown.unwrap_or(self.start);
        if self.output.shows_progress() && last.elapsed() >= PROGRESS_EVERY {
            self.shown = Some(Instant::now());
            eprint!("\r{text:<60}");
            let _flushed = io::stderr().flush();
        }
    }

    /// Wipes the line, so that something else can be said.
    pub(super) fn wipe(&mut self) {
        if self.shown.take().is_some() {
            eprint!("\r{:60}\r", "");
        }
    }
}
