//! Signals during a game: none of them loses it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::Exit;

/// The time between two looks at the signals while waiting for something else.
pub(super) const POLL_EVERY: Duration = Duration::from_millis(20);

/// What was asked for by signals.
pub(super) struct Signals {
    interrupt: Arc<AtomicBool>,
    end: Arc<AtomicBool>,
}

impl Signals {
    /// From now on signals set flags instead of ending the program.
    pub(super) fn watched() -> Signals {
        let (interrupt, end) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        // Where a signal cannot be watched, it ends the program as it always did.
        let _kept = flag::register(SIGINT, Arc::clone(&interrupt));
        let code = Exit::Undecided as i32;
        let _kept = flag::register_conditional_shutdown(SIGTERM, code, Arc::clone(&end));
        let _kept = flag::register(SIGTERM, Arc::clone(&end));
        #[cfg(unix)]
        let _kept = flag::register(signal_hook::consts::SIGHUP, Arc::clone(&end));
        Signals { interrupt, end }
    }

    /// Whether Ctrl-C was pressed since this was asked last.
    pub(super) fn take_interrupt(&self) -> bool {
        self.interrupt.swap(false, Ordering::Relaxed)
    }

    /// Whether the program is to end.
    pub(super) fn is_end(&self) -> bool {
        self.end.load(Ordering::Relaxed)
    }
}
