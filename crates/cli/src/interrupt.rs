//! Ctrl-C: the first one asks a search to stop and report, the second ends the program.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::Exit;

/// Whether the user has asked the program to stop.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// From now on Ctrl-C sets a flag instead of ending the program.
    pub(crate) fn watched() -> Interrupt {
        let asked = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // In this order: what the first signal sets is what the second finds. Where a signal
            // cannot be watched, it ends the program as it always did.
            let code = Exit::Undecided as i32;
            let _kept = flag::register_conditional_shutdown(signal, code, Arc::clone(&asked));
            let _kept = flag::register(signal, Arc::clone(&asked));
        }
        Interrupt(asked)
    }

    pub(crate) fn is_asked_for(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
