//! Jobs of the player: an analysis that goes on until it is stopped, and a move of the engine.

use std::time::{Duration, Instant};

use sixproof_certificate::Claim;
use sixproof_game::{Color, Position, Square};
use sixproof_player::{
    Control, Engine, Level, Limits, Reason, Score, Settings, Style, ThinkWatch, Thought,
};
use sixproof_solve::explain;

use super::documents::JobNode;
use super::queue::{JobConclusion, JobUpdate};
use super::runner::{Halt, JobRun, Work};
use super::search::{certified, rate};
use super::wire::{
    Candidate, JobOutcome, JobResult, JobScope, NodeId, Progress, ScoreName, Tally, VALUE_MAX, Why,
    line_names, names,
};
use crate::proofs::hash;

/// The nodes of the first pass of an analysis; each pass takes twice as many as the one before.
const FIRST_PASS_NODES: u64 = 2_000;
/// The passes in a row that may end early; after them the analysis has nothing more to search.
const IDLE_PASSES_MAX: u32 = 3;

/// The engine of a worker, which keeps its tables from job to job.
#[derive(Default)]
pub(super) struct EngineCache {
    engine: Option<Engine>,
}

impl EngineCache {
    fn engine(&mut self, settings: Settings) -> &mut Engine {
        let engine = match self.engine.take() {
            Some(engine) if *engine.settings() == settings => engine,
            _ => Engine::new(settings),
        };
        self.engine.insert(engine)
    }
}

/// Reports what an engine thinks.
struct EngineWatch<'r, 'a> {
    run: &'r JobRun<'a>,
    position: &'r Position,
    style: Style,
    /// The start of this pass, and of the whole analysis.
    start: Instant,
    begun: Instant,
    /// The nodes of earlier passes.
    nodes: u64,
    /// The number of moves to compare.
    lines: u8,
    /// The time of the whole analysis.
    time: Option<Duration>,
}

impl ThinkWatch for EngineWatch<'_, '_> {
    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    fn is_stopped(&self) -> bool {
        self.run.report_alive();
        self.run.is_stopped() || self.time.is_some_and(|time| self.begun.elapsed() >= time)
    }

    fn report(&self, thought: &Thought) {
        // Where several moves are compared, `compare` reports all of them.
        if self.lines == 1 {
            self.run.report(|| self.update(std::slice::from_ref(thought)));
        }
    }

    fn compare(&self, thoughts: &[Thought]) {
        self.run.report(|| self.update(thoughts));
    }
}

impl EngineWatch<'_, '_> {
    fn update(&self, thoughts: &[Thought]) -> JobUpdate {
        let game = self.position.game();
        let seconds = self.begun.elapsed().as_secs_f64();
        let Some(best) = thoughts.first() else { return JobUpdate::default() };
        let nodes = self.nodes + nodes_of(best);
        let moves = thoughts.iter().map(|thought| {
            // The checker has not read the certificates yet.
            candidate(self.position, thought, self.style, false)
        });
        let progress = Progress {
            seconds,
            nodes,
            nodes_per_second: rate(nodes, seconds),
            depth: best.counts.depth,
            best: line_names(game, &best.line),
            moves: moves.collect(),
            ..Progress::default()
        };
        JobUpdate { progress: Some(progress), ..JobUpdate::default() }
    }
}

/// Analyses the positions of the job.
pub(super) fn analyse(run: &JobRun<'_>, engines: &mut EngineCache) -> Work<JobConclusion> {
    let (document, node) = (&run.job.document, run.job.node);
    if run.job.scope == JobScope::Node {
        let reached = run.documents().position(document, node)?;
        let result = analyse_node(run, engines, node, &reached)?;
        return Ok(JobConclusion::found(result.text.clone(), result));
    }
    let mut tally = Tally::default();
    run.visit_nodes(|node| {
        let reached = run.documents().position(document, node)?;
        if !reached.position.is_over() {
            analyse_node(run, engines, node, &reached)?;
            tally.positions += 1;
        }
        Ok(())
    })?;
    Ok(JobConclusion::counted(format!("{} positions analysed", tally.positions), tally))
}

/// Analyses a position with more and more nodes, and writes a result after each pass.
fn analyse_node(
    run: &JobRun<'_>,
    engines: &mut EngineCache,
    node: NodeId,
    reached: &JobNode,
) -> Work<JobResult> {
    let position = &reached.position;
    // The book has moves without values.
    let settings = Settings { book: false, ..settings(run)? };
    let style = settings.style;
    let engine = engines.engine(settings);
    let nodes_max = run.limits().nodes.unwrap_or(u64::MAX);
    let (begun, time) = (Instant::now(), run.time());
    // After a pause the analysis goes on about where it was.
    let before = run.job.progress.as_ref().filter(|_| run.job.scope == JobScope::Node);
    let before = before.map_or(0, |progress| progress.nodes / 2);
    let (mut budget, mut spent, mut idle) = (FIRST_PASS_NODES.max(before), 0, 0);
    let mut latest = None;
    loop {
        let nodes = budget.min(nodes_max - spent);
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let start = Instant::now();
        let lines = run.job.lines;
        let watching =
            EngineWatch { run, position, style, start, begun, nodes: spent, lines, time };
        let thoughts = engine.analyse(position, &limits, run.job.lines.into(), &watching);
        run.ensure_running()?;
        let is_late = time.is_some_and(|time| begun.elapsed() >= time);
        let update = watching.update(&thoughts);
        let took = thoughts.first().map_or(0, nodes_of);
        spent += took;
        // A pass that was cut short knows less than the one before.
        if !is_late || latest.is_none() {
            run.report_now(update);
            let (mut result, certificate) = opinion(run, position, &thoughts, style)?;
            result.nodes = spent;
            result.seconds = begun.elapsed().as_secs_f64();
            run.write(node, &result, certificate.as_deref())?;
            latest = Some(result);
        }
        idle = if took < nodes / 2 { idle + 1 } else { 0 };
        let is_settled = thoughts.first().is_none_or(|thought| {
            thought.score == Score::Win || matches!(thought.reason, Reason::Chosen | Reason::Book)
        });
        if is_late || is_settled || idle >= IDLE_PASSES_MAX || spent >= nodes_max {
            break;
        }
        budget = budget.saturating_mul(2);
    }
    latest.ok_or_else(|| Halt::failed("the engine has no opinion"))
}

/// Has the engine play a move.
pub(super) fn play(run: &JobRun<'_>, engines: &mut EngineCache) -> Work<JobConclusion> {
    let (document, node) = (&run.job.document, run.job.node);
    let reached = run.documents().position(document, node)?;
    let position = &reached.position;
    let settings = settings(run)?;
    let style = settings.style;
    let left = run.order.clock_seconds.and_then(|left| Duration::try_from_secs_f64(left).ok());
    let limits = match (left, run.time()) {
        (Some(left), None) => Control::Game { total: left, increment: Duration::ZERO }.limits(left),
        (Some(left), Some(time)) => Control::Move(time).limits(left),
        (None, Some(time)) => Control::Move(time).limits(time),
        (None, None) => Limits::default(),
    };
    let limits = Limits { nodes: run.limits().nodes, ..limits };
    let begun = Instant::now();
    let watching =
        EngineWatch { run, position, style, start: begun, begun, nodes: 0, lines: 1, time: None };
    let thought = engines.engine(settings).think(position, &limits, &watching);
    run.ensure_running()?;
    if thought.squares.is_empty() {
        return Err(Halt::failed("the engine finds no move"));
    }
    run.report_now(watching.update(std::slice::from_ref(&thought)));
    let (mut result, certificate) = opinion(run, position, std::slice::from_ref(&thought), style)?;
    result.nodes = nodes_of(&thought);
    result.seconds = begun.elapsed().as_secs_f64();
    // The reason is written before the move, so that it is there when the page shows the move.
    run.commit(|documents| {
        documents.write_result(document, node, &result, certificate.as_deref())?;
        documents.play(document, node, &thought.squares)
    })?;
    let names = position.game().square_names(&thought.squares);
    Ok(JobConclusion::found(format!("{} plays {names}", position.to_move().title()), result))
}

/// Thoughts as a result, with the certificate if the first of them is a proof.
fn opinion(
    run: &JobRun<'_>,
    position: &Position,
    thoughts: &[Thought],
    style: Style,
) -> Work<(JobResult, Option<Vec<u8>>)> {
    let game = position.game();
    let attacker: Color = position.to_move();
    let claim = Claim::new(position, attacker);
    let Some(best) = thoughts.first() else {
        return Err(Halt::failed("the engine has no opinion"));
    };
    let certified = |thought: &Thought| {
        let proof = thought.proof.as_ref();
        proof.map(|proof| certified(&claim, &proof.certificate)).transpose()
    };
    let certified: Vec<_> = thoughts.iter().map(certified).collect::<Work<_>>()?;
    let proof = best.proof.as_ref().filter(|_| certified[0].is_some());
    let moves = thoughts.iter().zip(&certified).map(|(thought, certified)| {
        // A win is called proved when the checker has accepted its certificate.
        candidate(position, thought, style, certified.is_some())
    });
    let (outcome, line) = match proof {
        Some(proof) => (JobOutcome::Proved, &proof.line),
        None => (JobOutcome::Value, &best.line),
    };
    let explained = explain::Explained { position, thought: best, style, proved: proof.is_some() };
    let text = format!("{}: {}", game.square_names(&best.squares), explained.comment());
    let certificate = proof.map(|proof| proof.certificate.clone());
    let result = JobResult {
        attacker: attacker.into(),
        line: line_names(game, line),
        moves: moves.collect(),
        order: proof.map(|proof| proof.order),
        certificate: certificate.as_deref().map(hash),
        ..run.result(outcome, text.replace('\n', " "))
    };
    Ok((result, certificate))
}

/// Whether a move completes a line of the side that plays it.
pub(crate) fn completes(position: &Position, squares: &[Square]) -> bool {
    let mut after = position.clone();
    after.play(squares).is_ok() && after.winner() == Some(position.to_move())
}

/// A thought as the page shows it. A win is a fact: proved, or on the board.
fn candidate(position: &Position, thought: &Thought, style: Style, proved: bool) -> Candidate {
    let game = position.game();
    let (score, value) = match thought.score {
        _ if proved || completes(position, &thought.squares) => (ScoreName::Win, 0),
        Score::Win => (ScoreName::Value, VALUE_MAX),
        Score::Loss => (ScoreName::Loss, 0),
        Score::Value(value) => (ScoreName::Value, value),
    };
    let explained = explain::Explained { position, thought, style, proved };
    Candidate {
        squares: names(game, &thought.squares),
        score,
        value,
        line: line_names(game, &thought.line),
        reason: explained.reason(),
        why: Some(why(&explained)),
    }
}

/// Why a move is played, as data.
fn why(explained: &explain::Explained<'_>) -> Why {
    let explain::Explained { position, thought, style, proved } = explained;
    let game = position.game();
    let proof = thought.proof.as_ref().filter(|_| *proved);
    Why {
        kind: thought.reason.into(),
        by: position.to_move().into(),
        k: game.k(),
        style: style.to_string(),
        order: proof.map(|proof| proof.order),
        danger: names(game, &thought.danger),
    }
}

/// The engine that a job asks for.
fn settings(run: &JobRun<'_>) -> Work<Settings> {
    let style = run.job.style.parse();
    let style = style.map_err(|_| Halt::failed(format!("no style {}", run.job.style)))?;
    let level = Level::new(run.job.level);
    let level = level.ok_or_else(|| Halt::failed(format!("no level {}", run.job.level)))?;
    // Each document is another game, and gets another opponent; the same one after a restart.
    let digest = blake3::hash(run.job.document.as_bytes());
    let seed = digest.as_bytes().iter().take(8).fold(0, |seed, &b| seed << 8 | u64::from(b));
    Ok(Settings { style, level, seed, ..Settings::default() })
}

/// All nodes of a thought.
fn nodes_of(thought: &Thought) -> u64 {
    thought.counts.nodes + thought.counts.threat_nodes
}
