//! Jobs of the prover: solve and prove (one position or many), verify a move, and have a
//! certificate checked again. What the store knows is asked first, and checked like all else.

mod walk;

use std::sync::Arc;
use std::time::{Duration, Instant};

use sixproof_certificate::{Certified, Claim, certify, certify_watched};
use sixproof_check::Watch;
use sixproof_game::{Color, Game, Position, Square};
use sixproof_prover::board::Side;
use sixproof_prover::prove::{self, NodeState, Outcome, Report, Resources};

use super::order;
use super::queue::{Done, Told};
use super::runner::{Halt, Run, Work};
use super::wire::{
    JobKind, JobOutcome, JobResult, JobScope, Progress, Role, SearchNode, SearchState, SearchTree,
    line_names, names,
};
use crate::problem::{Problem, ProblemKind};
use crate::proofs::hash;
use sixproof_prover::prove::NUMBER_MAX;
use sixproof_solve::defaults;
use sixproof_solve::foregone::{Foregone, foregone};
use sixproof_solve::store;
use sixproof_solve::verdict::{self, Ended, Spent, nodes_text};

pub(super) use walk::seek_all;

/// Nodes between two looks at the tree of a search: a few looks a second.
const SNAPSHOT_NODES: u64 = 20_000;

/// What came of a search.
pub(super) struct Found {
    pub(super) outcome: JobOutcome,
    pub(super) attacker: Color,
    pub(super) text: String,
    pub(super) line: Vec<Vec<Square>>,
    pub(super) unsolved: Vec<Vec<Square>>,
    pub(super) order: Option<u32>,
    pub(super) nodes: u64,
    pub(super) seconds: f64,
    /// Accepted by the checker.
    pub(super) certificate: Option<Vec<u8>>,
}

impl Found {
    /// Nothing was proved, and nothing was searched.
    fn unproved(outcome: JobOutcome, attacker: Color, text: String) -> Found {
        Found {
            outcome,
            attacker,
            text,
            line: Vec::new(),
            unsolved: Vec::new(),
            order: None,
            nodes: 0,
            seconds: 0.0,
            certificate: None,
        }
    }

    pub(super) fn is_proved(&self) -> bool {
        self.outcome == JobOutcome::Proved
    }

    /// As a result of the job.
    pub(super) fn result(&self, run: &Run<'_>, game: Game) -> JobResult {
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

/// Does Attacker win? What is asked of the prover, and who watches it.
pub(super) struct Search<'r, 'a> {
    run: &'r Run<'a>,
    position: &'r Position,
    attacker: Color,
    /// What is said to win: a side, or a move.
    subject: String,
    is_move: bool,
    order_max: u32,
    nodes_max: u64,
    start: Instant,
    time: Option<Duration>,
    is_late: bool,
    /// What is told next; lines are kept until others are found.
    progress: Progress,
    /// The last tree that was seen and not told yet.
    tree: Option<Arc<SearchTree>>,
}

impl<'r, 'a> Search<'r, 'a> {
    pub(super) fn new(run: &'r Run<'a>, position: &'r Position, attacker: Color) -> Search<'r, 'a> {
        let limits = run.limits();
        Search {
            run,
            position,
            attacker,
            subject: attacker.title().to_string(),
            is_move: false,
            order_max: limits.order.unwrap_or(defaults::ORDER_USUAL),
            nodes_max: limits.nodes.unwrap_or(defaults::NODES_USUAL),
            start: Instant::now(),
            time: run.time(),
            is_late: false,
            progress: Progress::default(),
            tree: None,
        }
    }

    fn options(&self) -> prove::Options {
        // A solver answers somebody who waits, beside whatever else is running.
        let threads = if self.run.job.kind == JobKind::Solve { 1 } else { self.run.shared.threads };
        prove::Options {
            order_max: self.order_max,
            nodes_max: self.nodes_max,
            threads,
            memory_max: defaults::memory_usual(),
            snapshot_every: SNAPSHOT_NODES,
            ..prove::Options::new(self.attacker)
        }
    }

    /// Searches a win, or finds that it is known.
    pub(super) fn seek(mut self) -> Work<Found> {
        if let Some(known) = self.known()? {
            return Ok(known);
        }
        let options = self.options();
        let (position, run) = (self.position, self.run);
        let report = match run.job.kind {
            JobKind::Solve => prove::prove(position, &options, &mut |seen| self.see(seen)),
            _ => {
                let journal = run.shared.memory.journal(position, self.attacker);
                prove::prove_on(position, &options, Resources::local(&journal), &mut |seen| {
                    self.see(seen)
                })
            }
        };
        self.conclude(report, Vec::new())
    }

    /// Verifies the move that led to the position, telling the replies that remain.
    fn verify(mut self) -> Work<Found> {
        if let Some(known) = self.known()? {
            return Ok(known);
        }
        let options = self.options();
        let (position, run) = (self.position, self.run);
        let game = position.game();
        let journal = run.shared.memory.journal(position, self.attacker);
        let reply_nodes = verdict::reply_nodes(self.nodes_max);
        let verification = prove::verify(
            position,
            &options,
            reply_nodes,
            Resources::local(&journal),
            &mut |event| match event {
                prove::Event::Progress(seen) => self.see(&seen),
                prove::Event::Unsolved(squares) => {
                    self.progress.unsolved.push(names(game, &squares));
                    let told = self.progress.clone();
                    run.tell(|| Told { progress: Some(told), ..Told::default() });
                    run.is_stopped()
                }
            },
        );
        self.conclude(verification.report, verification.unsolved)
    }

    /// What needs no search: by the rules, or from the store.
    fn known(&self) -> Work<Option<Found>> {
        let (position, attacker, memory) = (self.position, self.attacker, &self.run.shared.memory);
        let unproved = |text| Ok(Some(Found::unproved(JobOutcome::NoWin, attacker, text)));
        match foregone(position, attacker) {
            Some(Foregone::Won) => {
                let text = format!("the game is over: {} has won", attacker.title());
                let problem = Problem::conflict(text).kind(ProblemKind::GameOver);
                return Err(problem.into());
            }
            Some(Foregone::Lost(why)) => return unproved(why),
            None => {}
        }
        if let Some(found) = memory.proof(position, attacker) {
            match certify(&Claim::new(position, attacker), &found.certificate) {
                Ok(certified) => {
                    return Ok(Some(Found {
                        line: store::longest_line(&found.certificate),
                        order: found.meta.order,
                        nodes: found.meta.search_nodes,
                        seconds: self.start.elapsed().as_secs_f64(),
                        certificate: Some(found.certificate),
                        ..Found::unproved(
                            JobOutcome::Proved,
                            attacker,
                            self.proved(&certified, found.meta.order, ", from the store"),
                        )
                    }));
                }
                // It is not a proof, whoever put it there.
                Err(_) => memory.forget(position, attacker),
            }
        }
        // A verification tells more than a verdict: which replies are left.
        let refuted = memory.refuted(position, attacker).filter(|_| !self.is_move);
        match refuted.filter(|&order| self.order_max <= order) {
            Some(order) => {
                let no_win = verdict::no_win(order, &self.subject, self.is_move);
                unproved(format!("{no_win}, says the store"))
            }
            None => Ok(None),
        }
    }

    /// Watches a search: true when it has to stop.
    fn see(&mut self, seen: &prove::Progress) -> bool {
        let spent = self.start.elapsed();
        self.is_late |= self.time.is_some_and(|time| time <= spent);
        let game = self.position.game();
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
        self.run.tell(|| {
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
            Told { progress: Some(progress.clone()), tree: tree.take(), total: None }
        });
        self.is_late || self.run.is_stopped()
    }

    /// Has a proof checked and kept; else says what is known.
    fn conclude(mut self, report: Report, unsolved: Vec<Vec<Square>>) -> Work<Found> {
        if self.run.job.scope == JobScope::Node {
            // What was too early to be told is told in the end.
            self.progress.nodes = report.counts.nodes;
            self.progress.order = report.order;
            self.progress.seconds = self.start.elapsed().as_secs_f64();
            let progress = Some(self.progress.clone());
            self.run.tell_now(Told { progress, tree: self.tree.take(), total: None });
        }
        let (position, attacker) = (self.position, self.attacker);
        let memory = &self.run.shared.memory;
        let seconds = self.start.elapsed().as_secs_f64();
        let Report { outcome, order, counts, out_of_memory, .. } = report;
        let found = |outcome, text| Found {
            order: Some(order),
            nodes: counts.nodes,
            seconds,
            ..Found::unproved(outcome, attacker, text)
        };
        match outcome {
            Outcome::Proved { certificate, line, .. } => {
                let certified = believed(&Claim::new(position, attacker), &certificate)?;
                memory.keep(&certified, &certificate, Some(order), counts.nodes);
                let text = self.proved(&certified, Some(order), "");
                let certificate = Some(certificate);
                Ok(Found { line, certificate, ..found(JobOutcome::Proved, text) })
            }
            Outcome::NoWin => {
                memory.keep_refuted((position, attacker), order, counts.nodes);
                let text = verdict::no_win(order, &self.subject, self.is_move);
                Ok(Found { unsolved, ..found(JobOutcome::NoWin, text) })
            }
            Outcome::Unknown => {
                // Nobody waits for this answer any more; the journal has what was found.
                self.run.go_on()?;
                let text = verdict::unknown(&Spent {
                    order,
                    nodes: counts.nodes,
                    nodes_max: self.nodes_max,
                    out_of_memory,
                    ended: match self.time.filter(|_| self.is_late) {
                        Some(time) => Ended::Time(time),
                        None => Ended::Itself,
                    },
                });
                Ok(Found { unsolved, ..found(JobOutcome::Unknown, text) })
            }
        }
    }

    fn proved(&self, certified: &Certified, order: Option<u32>, from: &str) -> String {
        let order = order.map(|order| format!("order {order}, ")).unwrap_or_default();
        let nodes = nodes_text(certified.counts().nodes);
        format!("{} wins by force: {order}certificate of {nodes} verified{from}", self.subject)
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

/// What the checker says of a certificate that was just found. That it refuses one is a mistake of
/// ours, and nothing is claimed.
pub(super) fn believed(claim: &Claim, certificate: &[u8]) -> Work<Certified> {
    certify(claim, certificate).map_err(|why| {
        Halt::failed(format!(
            "nothing is proved: the checker refuses what was found: {why}; please report this bug"
        ))
    })
}

/// Nodes in a second.
pub(super) fn rate(nodes: u64, seconds: f64) -> u64 {
    (nodes as f64 / seconds.max(1e-3)) as u64
}

/// Verifies a move, and writes into the node after it.
pub(super) fn verify(run: &Run<'_>) -> Work<Done> {
    let reached = run.desk().position(&run.job.document, run.job.node)?;
    let attack = order::attack(&run.order, &reached)?;
    let game = attack.position.game();
    let mut search = Search::new(run, &attack.position, attack.attacker);
    search.subject = game.square_names(&attack.squares);
    search.is_move = true;
    let found = search.verify()?;
    let node = match run.order.squares {
        Some(_) => {
            run.commit(|desk| desk.play(&run.job.document, run.job.node, &attack.squares))?
        }
        None => run.job.node,
    };
    let result = found.result(run, game);
    run.write(node, &result, found.certificate.as_deref())?;
    Ok(Done::found(found.text, result))
}

/// Has the certificate of a node checked once more.
pub(super) fn check(run: &Run<'_>) -> Work<Done> {
    struct Reading<'r, 'a> {
        run: &'r Run<'a>,
        start: Instant,
    }
    impl Watch for Reading<'_, '_> {
        fn progress(&mut self, nodes: u64) -> bool {
            self.run.tell(|| {
                let seconds = self.start.elapsed().as_secs_f64();
                let nodes_per_second = rate(nodes, seconds);
                let progress = Progress { seconds, nodes, nodes_per_second, ..Progress::default() };
                Told { progress: Some(progress), ..Told::default() }
            });
            !self.run.is_stopped()
        }
    }

    let (document, node) = (&run.job.document, run.job.node);
    let reached = run.desk().position(document, node)?;
    let Some((attacker, certificate)) = run.desk().certificate(document, node)? else {
        let problem = Problem::conflict("the position has no certificate any more");
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
            Ok(Done::found(text, result))
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
