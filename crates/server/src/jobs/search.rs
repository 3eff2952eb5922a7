//! Jobs of the prover: solve and prove (one position or many), verify a move, and check a
//! certificate again. A job asks the store first; the checker reads its proofs like all others.

mod walk;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sixproof_certificate::{Certified, Claim, Refused, certify, certify_watched};
use sixproof_check::CheckWatch;
use sixproof_game::{Color, Game, Move, Square};
use sixproof_prover::board::Side;
use sixproof_prover::prove::{self, NodeState};
use sixproof_prover::stop::break_if;

use super::order::{self, Attack};
use super::queue::{JobConclusion, JobUpdate};
use super::runner::{Halt, JobRun, Work};
use super::wire::{
    JobKind, JobOutcome, JobResult, JobScope, Progress, Role, SearchNode, SearchState, SearchTree,
    line_names, names,
};
use crate::problem::{Problem, ProblemKind};
use crate::proofs::hash;
use sixproof_prover::prove::NUMBER_MAX;
use sixproof_solve::defaults;
use sixproof_solve::question::{Answer, Event, Question, Source, Stop, Unanswered, Verdict};
use sixproof_solve::words::nodes_text;

pub(super) use walk::seek_all;

/// The nodes between two snapshots of the tree of a search, a fraction of a second.
const SNAPSHOT_NODES: u64 = 20_000;

/// The answer to a question, as it goes into a document.
pub(super) struct SearchOutcome {
    pub(super) outcome: JobOutcome,
    pub(super) attacker: Color,
    pub(super) text: String,
    pub(super) line: Vec<Move>,
    pub(super) unsolved: Vec<Move>,
    pub(super) order: Option<u32>,
    pub(super) nodes: u64,
    pub(super) seconds: f64,
    /// The certificate, which the checker has accepted for this claim.
    pub(super) certificate: Option<Vec<u8>>,
}

impl SearchOutcome {
    pub(super) fn is_proved(&self) -> bool {
        self.outcome == JobOutcome::Proved
    }

    /// The result of the job.
    pub(super) fn result(&self, run: &JobRun<'_>, game: Game) -> JobResult {
        JobResult {
            attacker: self.attacker.into(),
            line: line_names(game, &self.line),
            unsolved: line_names(game, &self.unsolved),
            order: self.order,
            nodes: self.nodes,
            seconds: self.seconds,
            certificate: self.certificate.as_deref().map(hash),
            ..run.result(self.outcome, self.text.clone())
        }
    }
}

/// The search of a job: does Attacker win? Reports progress to the viewers.
pub(super) struct Search<'r, 'a> {
    run: &'r JobRun<'a>,
    claim: &'r Claim,
    /// The move that led to the position, if the question is whether this move wins.
    attack: Option<&'r [Square]>,
    order_max: u32,
    nodes_max: u64,
    start: Instant,
    time: Option<Duration>,
    /// The next report; a line stays in it until the search finds another one.
    progress: Progress,
    /// The latest tree that is not reported yet.
    tree: Option<Arc<SearchTree>>,
}

impl<'r, 'a> Search<'r, 'a> {
    pub(super) fn new(
        run: &'r JobRun<'a>,
        claim: &'r Claim,
        attack: Option<&'r [Square]>,
    ) -> Search<'r, 'a> {
        let limits = run.limits();
        Search {
            run,
            claim,
            attack,
            order_max: limits.order.unwrap_or(defaults::ORDER_USUAL),
            nodes_max: limits.nodes.unwrap_or(defaults::NODES_USUAL),
            start: Instant::now(),
            time: run.time(),
            progress: Progress::default(),
            tree: None,
        }
    }

    fn options(&self) -> prove::Options {
        // A reader waits for a solver, which runs beside other jobs.
        let threads = if self.run.job.kind == JobKind::Solve { 1 } else { self.run.shared.threads };
        prove::Options {
            order_max: self.order_max,
            nodes_max: self.nodes_max,
            threads,
            memory_max: defaults::memory_usual(),
            snapshot_every: SNAPSHOT_NODES,
            ..prove::Options::default()
        }
    }

    /// Answers the question. Replies that a verification leaves unsolved are reported as they are
    /// found.
    pub(super) fn answer(mut self) -> Work<SearchOutcome> {
        let (options, run) = (self.options(), self.run);
        let question = Question {
            attack: self.attack,
            resumes: run.job.kind != JobKind::Solve,
            ..Question::new(self.claim, &options, &run.shared.memory)
        };
        let game = self.claim.position.game();
        let answer = question.answer(&mut |event| match event {
            Event::Progress(progress) => self.watch(progress),
            Event::Unsolved(squares) => {
                self.progress.unsolved.push(names(game, &squares));
                let progress = Some(self.progress.clone());
                run.report(|| JobUpdate { progress, ..JobUpdate::default() });
                self.flow()
            }
        });
        self.conclude(&question, answer?)
    }

    /// Whether the search goes on.
    fn flow(&self) -> ControlFlow<Stop> {
        match self.time.filter(|&time| time <= self.start.elapsed()) {
            _ if self.run.is_stopped() => ControlFlow::Break(Stop::Interrupted),
            Some(time) => ControlFlow::Break(Stop::Time(time)),
            None => ControlFlow::Continue(()),
        }
    }

    /// Watches a search, and stops it when it has to end.
    fn watch(&mut self, seen: &prove::Progress) -> ControlFlow<Stop> {
        let spent = self.start.elapsed();
        let game = self.claim.position.game();
        if !seen.line.is_empty() {
            self.progress.line = line_names(game, &seen.line);
        }
        if !seen.best.is_empty() {
            self.progress.best = line_names(game, &seen.best);
        }
        if seen.memory > 0 {
            self.progress.memory_bytes = seen.memory;
        }
        self.tree = search_tree(game, seen).or(self.tree.take());
        let (progress, tree) = (&mut self.progress, &mut self.tree);
        self.run.report(|| {
            let finite = |number: u32| Some(number).filter(|&number| number < NUMBER_MAX);
            let seconds = spent.as_secs_f64();
            progress.seconds = seconds;
            progress.order = seen.order;
            progress.nodes = seen.nodes;
            progress.nodes_per_second = rate(seen.nodes, seconds);
            progress.proof = finite(seen.numbers[0]);
            progress.disproof = finite(seen.numbers[1]);
            progress.proved = seen.proved;
            progress.refuted = seen.refuted;
            progress.depth = u32::try_from(seen.depth).unwrap_or(u32::MAX);
            JobUpdate { progress: Some(progress.clone()), tree: tree.take(), total: None }
        });
        self.flow()
    }

    /// The outcome of an answer.
    fn conclude(mut self, question: &Question<'_>, answer: Answer) -> Work<SearchOutcome> {
        let seconds = self.start.elapsed().as_secs_f64();
        if self.run.job.scope == JobScope::Node && answer.source == Source::Search {
            // The last progress, which throttling may have held back.
            self.progress.nodes = answer.nodes;
            self.progress.order = answer.order.unwrap_or_default();
            self.progress.seconds = seconds;
            let progress = Some(self.progress.clone());
            self.run.report_now(JobUpdate { progress, tree: self.tree.take(), total: None });
        }
        let text = question.sentence(&answer);
        let (outcome, proof) = match answer.verdict {
            Verdict::Proved(proof) => (JobOutcome::Proved, Some(*proof)),
            Verdict::NoWin(_) => (JobOutcome::NoWin, None),
            Verdict::Unknown(_) => {
                // A job that was stopped has no answer; the journal keeps its work.
                self.run.ensure_running()?;
                (JobOutcome::Unknown, None)
            }
        };
        let (line, certificate) =
            proof.map(|proof| (proof.line, Some(proof.certificate))).unwrap_or_default();
        Ok(SearchOutcome {
            outcome,
            attacker: self.claim.attacker,
            text,
            line,
            unsolved: answer.unsolved,
            order: answer.order,
            nodes: answer.nodes,
            seconds,
            certificate,
        })
    }
}

/// The proof-number tree of a running search as the page sees it.
fn search_tree(game: Game, seen: &prove::Progress) -> Option<Arc<SearchTree>> {
    let tree = seen.tree.as_ref()?;
    let node = |node: &prove::SearchNode| SearchNode {
        parent: node.parent.map_or(-1, |parent| i32::try_from(parent).unwrap_or(-1)),
        by: match node.by {
            Side::Attacker => Role::Attacker,
            Side::Defender => Role::Defender,
        },
        squares: names(game, &node.squares),
        proof: node.proof,
        disproof: node.disproof,
        state: match node.state {
            NodeState::Open => SearchState::Open,
            NodeState::Proved => SearchState::Proved,
            NodeState::Refuted => SearchState::Refuted,
            NodeState::Running => SearchState::Running,
        },
        critical: node.critical,
        hidden: u32::try_from(node.hidden).unwrap_or(u32::MAX),
    };
    Some(Arc::new(SearchTree {
        version: tree.version,
        size: tree.size,
        nodes: tree.nodes.iter().map(node).collect(),
    }))
}

impl From<Unanswered> for Halt {
    fn from(unanswered: Unanswered) -> Halt {
        match unanswered {
            Unanswered::Over(side) => {
                let text = format!("the game is over: {} has won", side.title());
                Problem::conflict(text).kind(ProblemKind::GameOver).into()
            }
            Unanswered::Refused { why, .. } => refused(&why),
        }
    }
}

/// Asks the checker whether a new certificate proves a claim.
pub(super) fn certified(claim: &Claim, certificate: &[u8]) -> Work<Certified> {
    certify(claim, certificate).map_err(|why| refused(&why))
}

/// The checker refuses a new certificate: a bug of sixproof, and nothing is claimed.
fn refused(why: &Refused) -> Halt {
    Halt::failed(format!(
        "nothing is proved: the checker refuses what was found: {why}; please report this bug"
    ))
}

/// Nodes per second.
pub(super) fn rate(nodes: u64, seconds: f64) -> u64 {
    (nodes as f64 / seconds.max(1e-3)) as u64
}

/// Verifies a move, and writes into the node after it.
pub(super) fn verify(run: &JobRun<'_>) -> Work<JobConclusion> {
    let reached = run.documents().position(&run.job.document, run.job.node)?;
    let Attack { squares, claim } = order::attack(&run.order, &reached)?;
    let found = Search::new(run, &claim, Some(&squares)).answer()?;
    let node = match run.order.squares {
        Some(_) => {
            run.commit(|documents| documents.play(&run.job.document, run.job.node, &squares))?
        }
        None => run.job.node,
    };
    let result = found.result(run, claim.position.game());
    run.write(node, &result, found.certificate.as_deref())?;
    Ok(JobConclusion::found(found.text, result))
}

/// Asks the checker to read the certificate of a node again.
pub(super) fn check(run: &JobRun<'_>) -> Work<JobConclusion> {
    struct Reading<'r, 'a> {
        run: &'r JobRun<'a>,
        start: Instant,
    }
    impl CheckWatch for Reading<'_, '_> {
        fn progress(&mut self, nodes: u64) -> ControlFlow<()> {
            self.run.report(|| {
                let seconds = self.start.elapsed().as_secs_f64();
                let nodes_per_second = rate(nodes, seconds);
                let progress = Progress { seconds, nodes, nodes_per_second, ..Progress::default() };
                JobUpdate { progress: Some(progress), ..JobUpdate::default() }
            });
            break_if(self.run.is_stopped())
        }
    }

    let (document, node) = (&run.job.document, run.job.node);
    let reached = run.documents().position(document, node)?;
    let Some((attacker, certificate)) = run.documents().certificate(document, node)? else {
        let problem = Problem::conflict("the position has lost its certificate");
        return Err(problem.kind(ProblemKind::NoCertificate).into());
    };
    let start = Instant::now();
    let mut reading = Reading { run, start };
    let claim = Claim::new(&reached.position, attacker);
    let verdict = certify_watched(&claim, &certificate, &mut reading);
    let seconds = start.elapsed().as_secs_f64();
    let name = hash(&certificate);
    match verdict {
        Ok(certified) => {
            let nodes = certified.counts().nodes;
            let text = format!(
                "{} wins by force: the checker has read the certificate again, {}, verified",
                attacker.title(),
                nodes_text(nodes)
            );
            let result = JobResult {
                attacker: attacker.into(),
                nodes,
                seconds,
                certificate: Some(name),
                ..run.result(JobOutcome::Proved, text.clone())
            };
            run.write(node, &result, Some(&certificate))?;
            Ok(JobConclusion::found(text, result))
        }
        Err(_) if run.is_stopped() => Err(Halt::Stopped),
        Err(why) => {
            let text = format!("the checker refuses the certificate {name}: {why}");
            let result = JobResult {
                attacker: attacker.into(),
                seconds,
                ..run.result(JobOutcome::Unknown, text.clone())
            };
            run.write(node, &result, None)?;
            Err(Problem::conflict(text).kind(ProblemKind::CertificateRejected).into())
        }
    }
}
