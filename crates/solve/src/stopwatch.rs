//! The clock and the stop flag of a search of the player.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use sixproof_player::ThinkWatch;

/// The time since the search began, and a flag that ends it.
#[derive(Clone, Debug)]
pub struct Stopwatch {
    start: Instant,
    stop: Arc<AtomicBool>,
}

impl Stopwatch {
    /// Begins now.
    pub fn start() -> Stopwatch {
        Stopwatch { start: Instant::now(), stop: Arc::default() }
    }

    /// Begins now, with a flag that other stopwatches share.
    pub fn sharing(stop: Arc<AtomicBool>) -> Stopwatch {
        Stopwatch { start: Instant::now(), stop }
    }

    /// Stops the search; any clone does, from any thread.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl ThinkWatch for Stopwatch {
    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
