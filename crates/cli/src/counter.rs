//! How far a command is, in one line: drawn over again on a terminal, else a line now and then.

use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use sixproof_solve::output::Output;

/// The time between two updates on a terminal.
const UPDATE_EVERY: Duration = Duration::from_millis(500);
/// The time between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// A line on how far a command is.
pub(crate) struct Counter {
    output: Output,
    is_terminal: bool,
    /// When the line is due again.
    due: Instant,
    is_shown: bool,
}

impl Counter {
    pub(crate) fn new(output: Output) -> Counter {
        let is_terminal = output.shows_progress();
        let mut counter = Counter { output, is_terminal, due: Instant::now(), is_shown: false };
        counter.is_due(Instant::now());
        counter
    }

    /// Shows the line, if it is due. Programs that read JSON get none.
    pub(crate) fn show(&mut self, text: &str) {
        if self.output.json || !self.is_due(Instant::now()) {
            return;
        }
        if self.is_terminal {
            eprint!("\r{text:<60}");
            let _flushed = io::stderr().flush();
            self.is_shown = true;
        } else {
            self.output.note(format!("progress: {text}"));
        }
    }

    /// Whether the line is due; the next one is due later.
    fn is_due(&mut self, now: Instant) -> bool {
        let is_due = self.due <= now;
        if is_due {
            self.due = now + if self.is_terminal { UPDATE_EVERY } else { LINE_EVERY };
        }
        is_due
    }

    /// Wipes the line, so that other text can be printed.
    pub(crate) fn wipe(&mut self) {
        if std::mem::take(&mut self.is_shown) {
            eprint!("\r{:60}\r", "");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_now_and_then_also_without_a_terminal() {
        for (is_terminal, every) in [(true, UPDATE_EVERY), (false, LINE_EVERY)] {
            let start = Instant::now();
            let output = Output { json: false };
            let mut counter = Counter { output, is_terminal, due: start, is_shown: false };
            let due = [0, 1, 2, 3, 4].map(|halves| counter.is_due(start + every * halves / 2));
            assert_eq!(due, [true, false, true, false, true]);
        }
    }
}
