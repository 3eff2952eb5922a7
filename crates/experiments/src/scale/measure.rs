//! Real jobs of real openings, one after the other: how long they take, and their results.
//!
//! Time is that of this thread on a processor, where the system reports it (Linux does, but only at
//! its ticks): a machine that is busy with something else hardly makes the jobs longer.

use std::fs;
use std::time::{Duration, Instant};

use sixproof_certificate::Claim;
use sixproof_game::{Color, Game, Position, load, moves};
use sixproof_prover::arena::Arena;
use sixproof_prover::board::Connect6;
use sixproof_prover::driver::{Driver, Settings, Switches};
use sixproof_prover::tree::Limits;
use sixproof_solve::failure::{Failure, Result};

use super::shape::{JobShape, Recorder, kind};

/// The openings, Black to move: xx-l8, tx-h9 and tx-h8, the hardest that were proved.
pub(super) const OPENINGS: [&str; 3] = ["J10 / H8 L8", "J10 / I8 H9", "J10 / I8 H8"];
/// The order of strategies with quiet moves.
const ORDER: u32 = 3;

/// Works on the openings, at most `nodes_max` nodes on each.
pub(super) fn measure(nodes_max: u64, report: &mut dyn FnMut(String)) -> Result<JobShape> {
    let mut recorder = Recorder::default();
    for opening in OPENINGS {
        let record = moves::read(Game::CONNECT6, opening)
            .and_then(|record| load::Loaded::at(record, None))
            .map_err(|error| Failure::new(error.message))?;
        let summary = work(&record.position, nodes_max, &mut recorder);
        report(format!("{opening}: {summary}"));
    }
    Ok(recorder.shape())
}

/// A search with one worker, which is this one.
fn work(position: &Position, nodes_max: u64, recorder: &mut Recorder) -> String {
    let Some((_, board)) = Arena::set_up(&Claim::new(position, Color::Black), Connect6) else {
        return "it does not fit on a board of the search".to_string();
    };
    let settings = Settings::new(ORDER, Switches::ALL);
    let solve_nodes = settings.solve_nodes;
    let mut driver = Driver::new(board, settings, true, position.left());
    let mut worker = driver.boxed_worker(Limits::new(ORDER, nodes_max));
    let (mut nodes, mut jobs) = (0, 0u64);
    while nodes < nodes_max
        && let Some(ticket) = driver.next_job()
    {
        let start = Stopwatch::start();
        let (answer, cost) = worker.perform(&ticket.job);
        let time = start.elapsed().as_micros().min(u128::from(u64::MAX)) as u64;
        if let Some(answer) = &answer {
            recorder.note(&ticket.job, &kind(&ticket.job, solve_nodes), answer, [time, cost]);
        }
        driver.finish(&ticket, answer, cost);
        nodes += cost;
        jobs += 1;
    }
    let ended = if driver.won().is_some() { "proved" } else { "not proved" };
    format!("{ended}, {jobs} jobs, {nodes} nodes")
}

/// The greatest age of the time on a processor that the system reports.
const TICK: Duration = Duration::from_millis(4);

/// Measures the time that this thread had a processor; the time that passed, where the system does
/// not report it.
struct Stopwatch {
    passed: Instant,
    worked: Option<Duration>,
}

impl Stopwatch {
    fn start() -> Stopwatch {
        Stopwatch { passed: Instant::now(), worked: worked() }
    }

    fn elapsed(&self) -> Duration {
        let passed = self.passed.elapsed();
        match (self.worked, worked()) {
            // Neither can be too short: the shorter one is the better one.
            (Some(before), Some(now)) => passed.min(now.saturating_sub(before) + TICK),
            _ => passed,
        }
    }
}

/// How long this thread has had a processor.
fn worked() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}
