//! The speed-up by many workers, simulated.
//!
//! The tree of jobs and its policies are the real ones; games (`game`), workers and the clock
//! (`simulation`) are made up after what was measured on real openings (`shape`, `measure`). So a
//! farm of thousands can be looked at before there is one, and policies are compared on the same
//! games.

mod game;
mod measure;
mod picture;
mod shape;
mod simulation;

use std::fs;

use sixproof_prover::driver::Policy;
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::output::grouped;

use game::Game;
pub use picture::svg;
use shape::JobShape;
pub use simulation::Run;
use simulation::Simulation;

/// The made-up games, by seed and depth: one worker needs more than 50,000 jobs for each.
const GAMES: [(u64, usize); 3] = [(1, 2), (10, 2), (3, 2)];
/// Nodes of each opening when jobs are measured; all are proved with fewer.
const MEASURE_NODES: u64 = 12_000_000;
/// Nodes of the tree whose memory is measured.
const MEMORY_NODES: u64 = 400_000;

/// The figures of a number of workers with a policy, over all games.
pub struct ScalePoint {
    /// The policy.
    pub policy: Policy,
    /// The number of workers.
    pub workers: usize,
    /// Geometric mean over the games, against one worker.
    pub speedup: f64,
    /// Share of the workers' time.
    pub idle: f64,
    /// Jobs against those of one worker.
    pub overhead: f64,
    /// Sums over the games.
    pub sums: Run,
}

/// The settings of a simulation.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The number of made-up games.
    pub games: usize,
    /// The policies.
    pub policies: Vec<Policy>,
    /// The numbers of workers.
    pub workers: Vec<usize>,
    /// The latency of the network in milliseconds.
    pub latency_ms: u32,
}

/// Simulates searches of the made-up games with every policy and number of workers. `report` gets
/// each point when it is known.
pub fn points(settings: &Settings, report: &mut dyn FnMut(&ScalePoint)) -> Result<Vec<ScalePoint>> {
    let shape = JobShape::measured();
    let games: Vec<Game> = GAMES[..settings.games]
        .iter()
        .map(|&(seed, depth)| Game::new(&shape, seed, depth, game::WIDTH))
        .collect();
    let latency_us = u64::from(settings.latency_ms) * 1000;
    // With one worker nothing is under way when the next job is chosen: policies are all the same.
    let alone: Vec<Run> = simulate(&games, Policy::default(), 1, latency_us)?;
    let mut points = Vec::new();
    for &policy in &settings.policies {
        for &workers in &settings.workers {
            let runs = simulate(&games, policy, workers, latency_us)?;
            let point = point(policy, workers, &alone, &runs);
            report(&point);
            points.push(point);
        }
    }
    Ok(points)
}

/// The name of a policy.
pub fn name(policy: Policy) -> &'static str {
    match policy {
        Policy::Doubled => "doubled",
        Policy::Win => "win",
        Policy::Loss => "loss",
        Policy::Equivalence => "equivalence",
    }
}

/// A search of every game.
fn simulate(games: &[Game], policy: Policy, workers: usize, latency_us: u64) -> Result<Vec<Run>> {
    let runs = games.iter().map(|game| {
        let run = Simulation::new(game, policy, workers, latency_us).run(u64::MAX, None);
        match run.is_proved {
            true => Ok(run),
            false => Err(Failure::new(format!(
                "{} with {workers} workers did not prove a game in {} jobs",
                name(policy),
                grouped(run.jobs)
            ))),
        }
    });
    runs.collect()
}

fn point(policy: Policy, workers: usize, alone: &[Run], runs: &[Run]) -> ScalePoint {
    let mut sums = Run { is_proved: true, ..Run::default() };
    let mut logs = 0.0;
    for (one, many) in alone.iter().zip(runs) {
        logs += (one.makespan_us.max(1) as f64 / many.makespan_us.max(1) as f64).ln();
        sums.makespan_us += many.makespan_us;
        sums.jobs += many.jobs;
        sums.cancelled += many.cancelled;
        sums.busy_us += many.busy_us;
        sums.tree_nodes += many.tree_nodes;
        sums.tree_bytes += many.tree_bytes;
        sums.driver += many.driver;
    }
    let jobs_alone: u64 = alone.iter().map(|run| run.jobs).sum();
    ScalePoint {
        policy,
        workers,
        speedup: (logs / runs.len().max(1) as f64).exp(),
        idle: sums.idle(workers),
        overhead: sums.jobs as f64 / jobs_alone.max(1) as f64,
        sums,
    }
}

impl ScalePoint {
    /// Jobs a second that the workers ask for.
    pub fn wanted(&self) -> u64 {
        (self.sums.jobs as f64 * 1e6 / self.sums.makespan_us.max(1) as f64) as u64
    }

    /// Jobs a second that the tree alone could give out and take back, by a real clock.
    pub fn possible(&self) -> u64 {
        (self.sums.jobs as f64 / self.sums.driver.as_secs_f64().max(1e-9)) as u64
    }
}

/// Does real jobs, and measures them: the table from which the simulation draws.
pub fn measured(report: &mut dyn FnMut(String)) -> Result<String> {
    let shape = measure::measure(MEASURE_NODES, report)?;
    Ok(format!(
        "# Jobs of the search, measured by `sixproof bench scale --measure FILE` on {}, Black to move:\n\
         # name | samples | a chance in millionths, or quantiles (0, 5, 10, 20, ... 90, 95, 98, 99, 99.5,\n\
         # 100 %). Times are microseconds of one core. `solve-N` is the N-th search of a position,\n\
         # `again` a verification with answers to some replies; `winner` is a move that won in the end.\n{}",
        measure::OPENINGS.join(", "),
        shape.text()
    ))
}

/// The memory of a large tree of jobs.
#[derive(Clone, Copy, Debug)]
pub struct TreeMemory {
    /// Nodes of the tree.
    pub nodes: u64,
    /// Bytes of the program for it, as the system reports them.
    pub bytes: u64,
    /// Bytes of the tree, as it estimates itself.
    pub bytes_estimated: u64,
}

/// Builds a large tree of jobs, and measures its memory.
pub fn memory() -> Result<TreeMemory> {
    let shape = JobShape::measured();
    let (seed, _) = GAMES[0];
    let game = Game::new(&shape, seed, usize::MAX, game::WIDTH);
    let before = resident();
    let mut simulation = Simulation::new(&game, Policy::default(), 1, 0);
    let run = simulation.run(MEMORY_NODES, None);
    let (Some(before), Some(after)) = (before, resident()) else {
        return Err(Failure::new("this system does not say what a program takes in memory")
            .help("Linux does, in /proc/self/statm"));
    };
    let bytes = after.saturating_sub(before);
    Ok(TreeMemory { nodes: run.tree_nodes, bytes, bytes_estimated: run.tree_bytes })
}

/// Bytes of this program that are in memory.
fn resident() -> Option<u64> {
    const PAGE_BYTES: u64 = 4096;
    let text = fs::read_to_string("/proc/self/statm").ok()?;
    text.split_whitespace().nth(1)?.parse::<u64>().ok().map(|pages| pages * PAGE_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sixproof_picture::raster::{self, RasterSize};

    /// A game that is small enough for a test.
    fn small(shape: &JobShape) -> Game<'_> {
        Game::new(shape, 1, 2, 3)
    }

    fn figures(run: &Run) -> [u64; 5] {
        [run.makespan_us, run.jobs, run.cancelled, run.busy_us, run.tree_nodes]
    }

    #[test]
    fn every_policy_proves_and_the_same_words_give_the_same_figures() {
        let shape = JobShape::measured();
        let game = small(&shape);
        for policy in Policy::ALL {
            for workers in [1, 7, 64] {
                let run = || Simulation::new(&game, policy, workers, 1000).run(u64::MAX, None);
                let (first, second) = (run(), run());
                assert!(first.is_proved, "{policy:?}");
                assert_eq!(figures(&first), figures(&second), "{policy:?}, {workers} workers");
                let all_us = first.makespan_us * workers as u64;
                assert!(first.busy_us <= all_us, "{policy:?}: more work than time");
            }
        }
    }

    #[test]
    fn one_worker_is_never_idle_but_waits_for_the_network() {
        let shape = JobShape::measured();
        let game = small(&shape);
        let run = |latency| Simulation::new(&game, Policy::Doubled, 1, latency).run(u64::MAX, None);
        let [near, far] = [run(0), run(1000)];
        assert_eq!(near.busy_us, near.makespan_us);
        assert_eq!((near.jobs, near.cancelled), (far.jobs, 0));
        assert_eq!(far.makespan_us, near.makespan_us + 1000 * far.jobs);
        assert_eq!(far.busy_us, near.busy_us);
    }

    #[test]
    fn policies_differ_only_when_several_work() {
        let shape = JobShape::measured();
        let game = small(&shape);
        let run = |policy, workers| {
            figures(&Simulation::new(&game, policy, workers, 0).run(u64::MAX, None))
        };
        let of = |workers| Policy::ALL.map(|policy| run(policy, workers));
        assert!(of(1).windows(2).all(|two| two[0] == two[1]));
        assert!(of(64).windows(2).any(|two| two[0] != two[1]));
    }

    #[test]
    fn the_picture_is_well_formed() {
        let alone = Run { makespan_us: 1000, jobs: 10, busy_us: 900, ..Run::default() };
        let many = Run { makespan_us: 100, jobs: 12, busy_us: 800, ..Run::default() };
        let points: Vec<ScalePoint> = Policy::ALL
            .into_iter()
            .flat_map(|policy| {
                let runs = [(1, &alone), (16, &many)];
                let one = std::slice::from_ref(&alone);
                runs.map(|(workers, run)| point(policy, workers, one, std::slice::from_ref(run)))
            })
            .collect();
        assert!((points[1].speedup - 10.0).abs() < 1e-9 && (points[1].idle - 0.5).abs() < 1e-9);
        let svg = picture::svg(&points, 1, 1);
        raster::png(&svg, RasterSize::Scale(1.0)).expect("well-formed");
        assert_eq!(svg.matches(r#"stroke-linejoin="round""#).count(), 8, "two lines a policy");
        assert!(svg.contains("8.58 on 16"));
    }
}
