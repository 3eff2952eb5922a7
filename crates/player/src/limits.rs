//! How long an engine may think, and how it learns the time.

use std::time::Duration;

use crate::Thought;

/// What a thinking engine asks its caller, and what it reports.
pub trait ThinkWatch: Sync {
    /// Time since the thinking began.
    fn elapsed(&self) -> Duration;
    /// Whether the move is wanted now.
    fn is_stopped(&self) -> bool;
    /// The best move so far: called at intervals while the engine thinks.
    fn report(&self, _thought: &Thought) {}
    /// The best moves so far, best first, as many as are compared: called at intervals while the
    /// engine thinks ([`crate::Engine::analyse`]).
    fn compare(&self, _thoughts: &[Thought]) {}
}

/// No clock, no stop and no reports: for limits in nodes or depth.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl ThinkWatch for Unwatched {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
    fn is_stopped(&self) -> bool {
        false
    }
}

/// How long to think about one move. `None` is no limit; with no limit at all an engine takes a
/// moderate number of nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The time at which the search ends; what is left is for checking the move.
    pub soft: Option<Duration>,
    /// The time by which the answer must be there.
    pub hard: Option<Duration>,
    /// The nodes: positions at which moves are generated, those of threat searches included.
    pub nodes: Option<u64>,
    /// The depth: moves of either side to look ahead.
    pub depth: Option<u32>,
}

impl Limits {
    /// Whether the answer is wanted now, whatever is still open.
    pub(crate) fn is_due(&self, watch: &dyn ThinkWatch) -> bool {
        watch.is_stopped() || self.hard.is_some_and(|hard| watch.elapsed() >= hard)
    }
}

/// How the time of a game is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// This time for each move.
    Move(Duration),
    /// A time for the whole game, and a little more with each move.
    Game {
        /// The time at the start.
        total: Duration,
        /// The time added after each move.
        increment: Duration,
    },
}

/// The time kept back from every limit: what an answer takes to reach the controller's clock.
const MARGIN: Duration = Duration::from_millis(10);
/// The least number of moves that the rest of a game is expected to take.
const MOVES_LEFT: u32 = 20;

impl Control {
    /// The limits of the next move, with `left` on the clock (all that is left of the game, or of
    /// the move).
    pub fn limits(self, left: Duration) -> Limits {
        let (soft, hard) = match self {
            Control::Move(time) => {
                let time = time.min(left);
                let usable = time.saturating_sub(MARGIN.max(time / 20).min(time / 2));
                (usable * 4 / 5, usable)
            }
            Control::Game { increment, .. } => {
                let usable = left.saturating_sub(MARGIN.max(left / 50).min(left / 2));
                let share = (usable / MOVES_LEFT + increment * 3 / 4).min(usable / 2);
                (share, (share * 3).min(usable / 2))
            }
        };
        Limits { soft: Some(soft), hard: Some(hard), ..Limits::default() }
    }
}
