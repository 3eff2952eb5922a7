//! Jobs of the player: an analysis that grows until somebody stops it, and a move of the engine.

use std::time::{Duration, Instant};

use sixproof_certificate::Claim;
use sixproof_game::{Color, Position};
use sixproof_player::{
    Control, Engine, Level, Limits, Reason, Score, Settings, Style, Thought, Watch,
};
use sixproof_solve::explain;

use super::desk::Reached;
use super::queue::{Done, Told};
use super::runner::{Halt, Run, Work};
use super::search::{certified, rate};
use super::wire::{
    Candidate, JobOutcome, JobResult, JobScope, NodeId, Progress, ScoreName, Tally, Why,
    line_names, names,
};
use crate::proofs::hash;

/// Nodes of the first look of an analysis; each look takes twice as many as the one before.
const FIRST_LOOK: u64 = 2_000;
/// After so many looks that found nothing more to look at, there is nothing more.
const IDLE_LOOKS: u32 = 3;
/// The value of a move that is said to win or lose without a proof: as much as a value can say.
const VALUE_MAX: i32 = 9_999;

/// The engine of a worker, which stays warm from job to job.
#[derive(Default)]
pub(super) struct Bench {
    engine: Option<Engine>,
}

impl Bench {
    fn engine(&mut self, settings: Settings) -> &mut Engine {
        let engine = match self.engine.take() {
            Some(engine) if *engine.settings() == settings => engine,
            _ => Engine::new(settings),
        };
        self.engine.insert(engine)
    }
}

/// Tells what an engine thinks.
struct Watching<'r, 'a> {
    run: &'r Run<'a>,
    position: &'r Position,
    style: Style,
    /// When this look began, and the whole work.
    start: Instant,
    begun: Instant,
    /// Nodes of earlier looks.
    nodes: u64,
    /// How many moves are compared.
    lines: u8,
    /// The work ends then.
    time: Option<Duration>,
}

impl Watch for Watching<'_, '_> {
    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    fn is_stopped(&self) -> bool {
        self.run.beat();
        self.run.is_stopped() || self.time.is_some_and(|time| self.begun.elapsed() >= time)
    }

    fn report(&self, thought: &Thought) {
        // Where several moves are compared, all of them are told.
        if self.lines == 1 {
            self.run.tell(|| self.told(std::slice::from_ref(thought)));
        }
    }

    fn compare(&self, thoughts: &[Thought]) {
        self.run.tell(|| self.told(thoughts));
    }
}

impl Watching<'_, '_> {
    fn told(&self, thoughts: &[Thought]) -> Told {
        let game = self.position.game();
        let seconds = self.begun.elapsed().as_secs_f64();
        let Some(best) = thoughts.first() else { return Told::default() };
        let nodes = self.nodes + nodes_of(best);
        let moves = thoughts.iter().map(|thought| {
            // Nothing is proved before the checker has said so.
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
        Told { progress: Some(progress), ..Told::default() }
    }
}

/// Analyses what the job is about.
pub(super) fn analyse(run: &Run<'_>, bench: &mut Bench) -> Work<Done> {
    let (document, node) = (&run.job.document, run.job.node);
    if run.job.scope == JobScope::Node {
        let reached = run.desk().position(document, node)?;
        let result = analyse_node(run, bench, node, &reached)?;
        return Ok(Done::found(result.text.clone(), result));
    }
    let nodes = run.desk().nodes_of(document, node, run.job.scope)?;
    run.tell_now(Told { total: u32::try_from(nodes.len()).ok(), ..Told::default() });
    let mut tally = Tally::default();
    for node in nodes {
        run.go_on()?;
        let reached = run.desk().position(document, node)?;
        let is_over = reached.position.is_over();
        if !run.seen.contains(&node) {
            if !is_over {
                analyse_node(run, bench, node, &reached)?;
                tally.positions += 1;
            }
            run.wrote(node);
        }
    }
    Ok(Done::counted(format!("{} positions analysed", tally.positions), tally))
}

/// Looks at a position with more and more nodes, writing what is found after each look.
fn analyse_node(
    run: &Run<'_>,
    bench: &mut Bench,
    node: NodeId,
    reached: &Reached,
) -> Work<JobResult> {
    let position = &reached.position;
    // A book has no values.
    let settings = Settings { book: false, ..settings(run)? };
    let style = settings.style;
    let engine = bench.engine(settings);
    let nodes_max = run.limits().nodes.unwrap_or(u64::MAX);
    let (begun, time) = (Instant::now(), run.time());
    // After a pause it goes on about where it was: nobody wants less than he had.
    let before = run.job.progress.as_ref().filter(|_| run.job.scope == JobScope::Node);
    let before = before.map_or(0, |progress| progress.nodes / 2);
    let (mut budget, mut spent, mut idle) = (FIRST_LOOK.max(before), 0, 0);
    let mut latest = None;
    loop {
        let nodes = budget.min(nodes_max - spent);
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let start = Instant::now();
        let lines = run.job.lines;
        let watching = Watching { run, position, style, start, begun, nodes: spent, lines, time };
        let thoughts = engine.analyse(position, &limits, run.job.lines.into(), &watching);
        run.go_on()?;
        let is_late = time.is_some_and(|time| begun.elapsed() >= time);
        let told = watching.told(&thoughts);
        let took = thoughts.first().map_or(0, nodes_of);
        spent += took;
        // A look that was cut short knows less than the one before.
        if !is_late || latest.is_none() {
            run.tell_now(told);
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
        if is_late || is_settled || idle >= IDLE_LOOKS || spent >= nodes_max {
            break;
        }
        budget = budget.saturating_mul(2);
    }
    latest.ok_or_else(|| Halt::failed("the engine has no opinion"))
}

/// Has the engine play a move.
pub(super) fn play(run: &Run<'_>, bench: &mut Bench) -> Work<Done> {
    let (document, node) = (&run.job.document, run.job.node);
    let reached = run.desk().position(document, node)?;
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
        Watching { run, position, style, start: begun, begun, nodes: 0, lines: 1, time: None };
    let thought = bench.engine(settings).think(position, &limits, &watching);
    run.go_on()?;
    if thought.squares.is_empty() {
        return Err(Halt::failed("the engine finds no move"));
    }
    run.tell_now(watching.told(std::slice::from_ref(&thought)));
    let (mut result, certificate) = opinion(run, position, std::slice::from_ref(&thought), style)?;
    result.nodes = nodes_of(&thought);
    result.seconds = begun.elapsed().as_secs_f64();
    // The reason first: whoever sees the move finds it.
    run.commit(|desk| {
        desk.write_result(document, node, &result, certificate.as_deref())?;
        desk.play(document, node, &thought.squares)
    })?;
    let names = position.game().square_names(&thought.squares);
    Ok(Done::found(format!("{} plays {names}", position.to_move().title()), result))
}

/// Thoughts as a result, with the certificate if the first of them is a proof.
fn opinion(
    run: &Run<'_>,
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
    let mut moves = Vec::new();
    for thought in thoughts {
        let proof = thought.proof.as_ref();
        let proved = proof.map(|proof| certified(&claim, &proof.certificate));
        let is_proved = proved.transpose()?.is_some();
        moves.push(candidate(position, thought, style, is_proved));
    }
    let certificate = best.proof.as_ref().map(|proof| proof.certificate.clone());
    let (outcome, line) = match &best.proof {
        Some(proof) => (JobOutcome::Proved, &proof.line),
        None => (JobOutcome::Value, &best.line),
    };
    let told = explain::Explained { position, thought: best, style, proved: certificate.is_some() };
    let text = format!("{}: {}", game.square_names(&best.squares), told.comment());
    let result = JobResult {
        attacker: attacker.into(),
        line: line_names(game, line),
        moves,
        order: best.proof.as_ref().map(|proof| proof.order),
        certificate: certificate.as_deref().map(hash),
        ..run.result(outcome, text.replace('\n', " "))
    };
    Ok((result, certificate))
}

/// A thought as the page shows it. A win is a fact: proved, or on the board.
fn candidate(position: &Position, thought: &Thought, style: Style, proved: bool) -> Candidate {
    let game = position.game();
    let mut after = position.clone();
    let completes =
        after.play(&thought.squares).is_ok() && after.winner() == Some(position.to_move());
    let (score, value) = match thought.score {
        _ if proved || completes => (ScoreName::Win, 0),
        Score::Win => (ScoreName::Value, VALUE_MAX),
        Score::Loss => (ScoreName::Loss, 0),
        Score::Value(value) => (ScoreName::Value, value),
    };
    let told = explain::Explained { position, thought, style, proved };
    Candidate {
        squares: names(game, &thought.squares),
        score,
        value,
        line: line_names(game, &thought.line),
        reason: told.reason(),
        why: Some(why(&told)),
    }
}

/// Why a move is played, as data.
fn why(told: &explain::Explained<'_>) -> Why {
    let explain::Explained { position, thought, style, proved } = told;
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
fn settings(run: &Run<'_>) -> Work<Settings> {
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
