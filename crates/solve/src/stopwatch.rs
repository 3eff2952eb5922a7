//! The clock and the stop button of a thinking engine.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use sixproof_player::ThinkWatch;

/// Time since the thinking began, and a flag that ends it.
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

    /// Begins now; the flag is one that others know, too.
    pub fn sharing(stop: Arc<AtomicBool>) -> Stopwatch {
        Stopwatch { start: Instant::now(), stop }
    }

    /// Asks for the move: any clone will do, from any thread.
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
