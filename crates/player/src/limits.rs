//! How long an engine may think, and who tells it the time.

use std::time::Duration;

use crate::Thought;

/// What a thinking engine asks the world, and tells it.
pub trait Watch: Sync {
    /// Time since the thinking began.
    fn elapsed(&self) -> Duration;
    /// Whether the move is wanted now.
    fn is_stopped(&self) -> bool;
    /// The best move so far: called now and then while thinking.
    fn report(&self, _thought: &Thought) {}
    /// The best moves so far, best first, as many as are compared: called now and then while
    /// thinking ([`crate::Engine::analyse`]).
    fn compare(&self, _thoughts: &[Thought]) {}
}

/// No clock and nobody waiting: for limits in nodes or depth.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
    fn is_stopped(&self) -> bool {
        false
    }
}

/// How long to think about one move. What is not limited is not looked at; with nothing limited,
/// an engine takes a moderate number of nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Stop searching then: what is left is for checking the move.
    pub soft: Option<Duration>,
    /// Answer by then, come what may.
    pub hard: Option<Duration>,
    /// Nodes: positions at which moves were generated, those of threat searches included.
    pub nodes: Option<u64>,
    /// Moves of either side to look ahead.
    pub depth: Option<u32>,
}

impl Limits {
    /// Whether the answer is wanted now, whatever is still to be done.
    pub(crate) fn is_due(&self, watch: &dyn Watch) -> bool {
        watch.is_stopped() || self.hard.is_some_and(|hard| watch.elapsed() >= hard)
    }
}

/// How the time of a game is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// So much for each move.
    Move(Duration),
    /// So much for the whole game, and a little more with each move.
    Game {
        /// At the start.
        total: Duration,
        /// Added after each move.
        increment: Duration,
    },
}

/// Kept back from every limit: the time that an answer takes to reach whoever counts.
const MARGIN: Duration = Duration::from_millis(10);
/// Moves that the rest of a game is expected to take, at least.
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
