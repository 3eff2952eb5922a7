//! A search under the eyes of a user: progress on the terminal, and an end by time or Ctrl-C.

use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use sixproof_game::Game;
use sixproof_prover::prove::Progress;

use crate::interrupt::Interrupt;
use crate::output::{Output, grouped};

/// Progress appears after this time, and then changes as often.
const PROGRESS_EVERY: Duration = Duration::from_millis(250);
/// Proof numbers from here on are as good as infinite.
const NUMBER_MAX: u32 = 1_000_000_000;

/// Why a search was stopped before its nodes were used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The time is over.
    Time(Duration),
    /// Somebody pressed Ctrl-C.
    Interrupted,
}

/// Watches a search.
pub(super) struct Watcher {
    game: Game,
    /// Whether there is somebody to show progress to.
    shows: bool,
    start: Instant,
    shown: Instant,
    /// Columns of the progress line on the terminal.
    columns: usize,
    time: Option<Duration>,
    interrupt: Interrupt,
    stopped: Option<Stop>,
}

impl Watcher {
    /// Starts the clock.
    pub(super) fn new(game: Game, time: Option<Duration>, quiet: bool, output: Output) -> Watcher {
        let start = Instant::now();
        Watcher {
            game,
            shows: !quiet && output.shows_progress(),
            start,
            shown: start,
            columns: 0,
            time,
            interrupt: Interrupt::watched(),
            stopped: None,
        }
    }

    /// Shows how far the search is; true when it has to stop.
    pub(super) fn see(&mut self, progress: &Progress) -> bool {
        let game = self.game;
        self.see_line(progress.nodes, &|rate| line(game, progress, rate))
    }

    /// The same with another line, made from the nodes a second.
    pub(super) fn see_line(&mut self, nodes: u64, text: &dyn Fn(u64) -> String) -> bool {
        let spent = self.start.elapsed();
        if self.interrupt.is_asked_for() {
            self.stopped = Some(Stop::Interrupted);
        } else if let Some(time) = self.time.filter(|&time| time <= spent) {
            self.stopped = Some(Stop::Time(time));
        }
        if self.shows && self.shown.elapsed() >= PROGRESS_EVERY {
            self.shown = Instant::now();
            let rate = nodes as f64 / spent.as_secs_f64();
            self.show(&text(rate as u64));
        }
        self.stopped.is_some()
    }

    /// Replaces the progress line.
    fn show(&mut self, text: &str) {
        let width = terminal_size::terminal_size_of(io::stderr()).map(|(width, _)| width.0.into());
        let text: String = text.chars().take(width.unwrap_or(80).max(2) - 1).collect();
        let columns = text.chars().count();
        eprint!("\r{text}{:1$}", "", self.columns.saturating_sub(columns));
        let _flushed = io::stderr().flush();
        self.columns = columns;
    }

    /// Wipes the progress line, so that something else can be said.
    pub(super) fn wipe(&mut self) {
        if self.columns > 0 {
            eprint!("\r{:1$}\r", "", self.columns);
            self.columns = 0;
        }
    }

    pub(super) fn stopped(&self) -> Option<Stop> {
        self.stopped
    }

    pub(super) fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }
}

/// One line on how far a search is.
fn line(game: Game, progress: &Progress, rate: u64) -> String {
    let number = |n: u32| if n < NUMBER_MAX { grouped(n.into()) } else { "inf".to_string() };
    let Progress { order, nodes, numbers: [proof, disproof], depth, candidate } = progress;
    format!(
        "order {order}  {} nodes  {}/s  depth {depth}  proof {} / {}  {}",
        grouped(*nodes),
        grouped(rate),
        number(*proof),
        number(*disproof),
        game.square_names(candidate),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use sixproof_game::Square;

    fn progress() -> Progress {
        let candidate = vec![Square::new(10, 10), Square::new(11, 9)];
        Progress { order: 2, nodes: 12_345, numbers: [7, u32::MAX], depth: 9, candidate }
    }

    #[test]
    fn the_line_tells_all_that_is_known() {
        assert_eq!(
            line(Game::CONNECT6, &progress(), 4_000),
            "order 2  12,345 nodes  4,000/s  depth 9  proof 7 / inf  K11 L10"
        );
    }

    #[test]
    fn a_search_stops_when_its_time_is_over() {
        let output = Output { json: false };
        let mut watcher = Watcher::new(Game::CONNECT6, Some(Duration::ZERO), true, output);
        assert!(watcher.see(&progress()));
        assert_eq!(watcher.stopped(), Some(Stop::Time(Duration::ZERO)));
        let mut patient = Watcher::new(Game::CONNECT6, None, true, output);
        assert!(!patient.see(&progress()));
    }
}
