//! The search of an engine in its own thread, with a clock, a way to stop it, and the best move so
//! far.

use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use sixproof_game::Position;
use sixproof_player::{Engine, Limits, ThinkWatch, Thought};
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::stopwatch::Stopwatch;

/// What the thread of the engine and the front end share.
struct Shared {
    stopwatch: Stopwatch,
    latest: Mutex<Option<Thought>>,
}

impl ThinkWatch for Shared {
    fn elapsed(&self) -> Duration {
        self.stopwatch.elapsed()
    }

    fn is_stopped(&self) -> bool {
        self.stopwatch.is_stopped()
    }

    fn report(&self, thought: &Thought) {
        if let Ok(mut latest) = self.latest.lock() {
            *latest = Some(thought.clone());
        }
    }
}

/// An engine that thinks.
pub(super) struct Thinking {
    shared: Arc<Shared>,
    thread: JoinHandle<(Engine, Thought)>,
}

impl Thinking {
    /// Begins. The engine comes back with [`Thinking::finish`].
    pub(super) fn start(mut engine: Engine, position: Position, limits: Limits) -> Result<Self> {
        let stopwatch = Stopwatch::start();
        let shared = Arc::new(Shared { stopwatch, latest: Mutex::new(None) });
        let watch = Arc::clone(&shared);
        let work = move || {
            let thought = engine.think(&position, &limits, &*watch);
            (engine, thought)
        };
        let thread = thread::Builder::new().name("engine".to_string()).spawn(work);
        let thread = thread.map_err(|e| Failure::new(format!("the engine has no thread: {e}")))?;
        Ok(Thinking { shared, thread })
    }

    /// The best move so far, if the engine has reported one.
    pub(super) fn latest(&self) -> Option<Thought> {
        self.shared.latest.lock().ok()?.clone()
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.shared.elapsed()
    }

    /// Asks for the move.
    pub(super) fn stop(&self) {
        self.shared.stopwatch.stop();
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.shared.is_stopped()
    }

    pub(super) fn is_finished(&self) -> bool {
        self.thread.is_finished()
    }

    /// The engine, its thought, and the time it took.
    pub(super) fn finish(self) -> (Engine, Thought, Duration) {
        let (engine, thought) =
            self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        let spent = self.shared.elapsed();
        (engine, thought, spent)
    }
}
