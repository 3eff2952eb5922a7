//! From a position to a verdict: the entry point of the prover.
//!
//! [`prove`] puts the position on a search board made for its game, raises the order from 1 until
//! it finds a win or the budget ends, and returns a certificate as bytes. Nothing here states that
//! a claim is true: a program gives the bytes to the checker before it prints "proved".

mod verification;

use std::ops::ControlFlow;
use std::sync::Arc;

use sixproof_game::{Color, Move, Position, Square};

use crate::arena::Arena;
use crate::board::{Board, Rules, Side, Sq};
use crate::candidates::all_moves_listed;
use crate::driver::{self, Driver, Finished, RemoteSearch, RunOptions, SearchStatus, Settings};
use crate::proof::Proof;
use crate::stop::break_if;
use crate::tree::{self, Ended, Limits, Tree};
use crate::with_rules;
use sixproof_certificate::Claim;

pub use crate::driver::{Journal, NoJournal, Policy, RemotePool, Switches};
pub use crate::search_tree::{NodeState, SearchNode, SearchTree};
pub use crate::tree::{Counts, ZoneRule};
pub use verification::{Event, Verification};

/// Node limit of each order without quiet moves; later orders search them further.
const LOWER_ORDER_NODES: u64 = 200_000;
/// Node limit of the plain tree that tries quiet moves before the best-first search.
const FIRST_LOOK_NODES: u64 = 100_000;
/// Default memory limit of a search, in bytes.
const MEMORY_MAX: u64 = 1 << 30;

/// The budget of a search, and how it searches.
#[derive(Clone, Debug)]
pub struct Options {
    /// The highest order to try.
    pub order_max: u32,
    /// The node limit of the whole search.
    pub nodes_max: u64,
    /// The verifier.
    pub zones: ZoneRule,
    /// Mutual coverage, for segment zones.
    pub mutual: bool,
    /// Grouped macros, for segment zones.
    pub grouped: bool,
    /// The driver for orders with quiet moves, for segment zones.
    pub best_first: bool,
    /// Node limit of the plain tree that is searched before the best-first search.
    pub first_look: u64,
    /// Attacker's moves that a user suggests in some positions: the search tries them first there.
    pub hints: Vec<(Position, Vec<Square>)>,
    /// Threads of the search over quiet moves. With one thread, every run gives the same proof.
    pub threads: usize,
    /// The memory limit of its tree, in bytes.
    pub memory_max: u64,
    /// Its improvements.
    pub switches: Switches,
    /// How it chooses a job while others are under way.
    pub policy: Policy,
    /// Nodes between two snapshots of the tree ([`Progress::tree`]); 0 for none. The result of a
    /// search does not depend on it.
    pub snapshot_every: u64,
}

/// The usual options.
impl Default for Options {
    fn default() -> Options {
        Options {
            order_max: 3,
            nodes_max: 10_000_000,
            zones: ZoneRule::Segment,
            mutual: true,
            grouped: true,
            best_first: true,
            first_look: FIRST_LOOK_NODES,
            hints: Vec::new(),
            threads: 1,
            memory_max: MEMORY_MAX,
            switches: Switches::ALL,
            policy: Policy::default(),
            snapshot_every: 0,
        }
    }
}

/// Proof and disproof numbers from this one on count as infinite.
pub const NUMBER_MAX: u32 = 1_000_000_000;

/// The state of a search, as `watch` receives it. The search computes lines only at some steps:
/// in between they are empty, and a display keeps the last ones.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// The order searched for.
    pub order: u32,
    /// Nodes so far: positions at which Attacker's moves were generated.
    pub nodes: u64,
    /// Proof and disproof number of the position.
    pub numbers: [u32; 2],
    /// The number of Attacker's moves to the last searched position.
    pub depth: usize,
    /// The first of them; if Defender is to move, the reply that is searched.
    pub candidate: Move,
    /// Positions proved to be won for Attacker, so far.
    pub proved: u64,
    /// Positions in which no tried move wins.
    pub refuted: u64,
    /// The moves of both sides from the root to the last searched position.
    pub line: Vec<Move>,
    /// The line that is best for both sides so far.
    pub best: Vec<Move>,
    /// Estimated bytes of the tree.
    pub memory: u64,
    /// The most important nodes of the tree, every [`Options::snapshot_every`] nodes. Each order
    /// has its own tree, and so does the search over quiet moves.
    pub tree: Option<Arc<SearchTree>>,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Report {
    /// The verdict.
    pub outcome: Outcome,
    /// The order of the proof, or the highest order searched.
    pub order: u32,
    /// The counters of all orders.
    pub counts: Counts,
    /// The unanswered replies to the most promising move.
    pub unsolved: Vec<Move>,
    /// Whether the search ended because its proofs reached the memory limit.
    pub out_of_memory: bool,
}

/// The verdict of a search.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// A certificate claims that Attacker wins.
    Proved {
        /// The certificate, not checked yet.
        certificate: Vec<u8>,
        /// Its nodes.
        nodes: u64,
        /// A line of play.
        line: Vec<Move>,
    },
    /// No strategy of the requested order wins: the search tried all of them.
    NoWin,
    /// The budget ended without a result.
    Unknown,
}

impl Report {
    /// The report of a search that tried nothing.
    fn nothing() -> Report {
        Report {
            outcome: Outcome::Unknown,
            order: 0,
            counts: Counts::default(),
            unsolved: Vec::new(),
            out_of_memory: false,
        }
    }
}

/// Searches a proof of a claim. `watch` receives the progress, and may stop the search.
pub fn prove(
    claim: &Claim,
    options: &Options,
    watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Report {
    prove_on(claim, options, Resources::local(&NoJournal), watch)
}

/// As [`prove`], with these resources: it uses the answers that the journal has of an earlier
/// search for the same claim, and records its own.
pub fn prove_on(
    claim: &Claim,
    options: &Options,
    mut resources: Resources,
    watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Report {
    with_rules!(claim.position.game(), |rules| {
        Prover::new(claim, rules, options).map(|prover| prover.run(&mut resources, watch))
    })
    .unwrap_or_else(Report::nothing)
}

/// What a search over quiet moves uses besides its own threads.
pub struct Resources<'a> {
    /// Records the answers to jobs.
    pub journal: &'a dyn Journal,
    /// Remote workers that do the jobs in place of threads.
    pub pool: Option<&'a mut dyn RemotePool>,
}

impl<'a> Resources<'a> {
    /// Threads of this process.
    pub fn local(journal: &'a dyn Journal) -> Resources<'a> {
        Resources { journal, pool: None }
    }
}

/// Verifies Attacker's last move: in the claim's position Defender is to move. It gives up a
/// reply after `reply_nodes_max` nodes and goes on with the others (Lin, section 5.1.2:
/// NCTU6-Verifier). `watch` may stop it.
pub fn verify(
    claim: &Claim,
    options: &Options,
    reply_nodes_max: u64,
    mut resources: Resources,
    watch: &mut dyn FnMut(Event) -> ControlFlow<()>,
) -> Verification {
    let verification = match claim.attacker_moves() {
        true => None,
        false => {
            with_rules!(claim.position.game(), |rules| {
                let prover = Prover::new(claim, rules, options);
                prover.map(|prover| prover.verify(reply_nodes_max, &mut resources, watch))
            })
        }
    };
    verification.unwrap_or_else(|| Verification {
        report: Report::nothing(),
        unsolved: Vec::new(),
        zone: Vec::new(),
    })
}

/// A claim whose position is on a search board.
struct Prover<'a, R> {
    claim: &'a Claim,
    options: &'a Options,
    board: Board<R>,
    arena: Arena,
    /// The hints within the search board: a position's key, and the move in it.
    hints: Vec<(u64, Vec<Sq>)>,
}

impl<'a, R: Rules> Prover<'a, R> {
    fn new(claim: &'a Claim, rules: R, options: &'a Options) -> Option<Prover<'a, R>> {
        let (arena, board) = Arena::set_up(claim, rules)?;
        let mut prover = Prover { claim, options, board, arena, hints: Vec::new() };
        prover.hints = options.hints.iter().filter_map(|hint| prover.hint(hint)).collect();
        Some(prover)
    }

    fn run(
        self,
        resources: &mut Resources,
        watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Report {
        let mut report = Report::nothing();
        let mut stopped = false;
        while report.order < self.options.order_max
            && report.counts.nodes < self.options.nodes_max
            && !stopped
            && !report.out_of_memory
        {
            report.order += 1;
            let order = report.order;
            let left = self.options.nodes_max - report.counts.nodes;
            let last = order == self.options.order_max;
            let best_first = self.is_best_first(order);
            // Most wins that take long are of the order of quiet moves, p + 1; but many of that
            // order are easy, and then a plain tree is the shortest way.
            let share = match order {
                _ if last && !best_first => left,
                _ if best_first && !self.is_small() => (left / 2).min(self.options.first_look),
                _ if order > self.claim.position.game().p() => left / 2,
                _ => (left / 8).min(LOWER_ORDER_NODES),
            };
            let mut tree = self.root(order, share);
            let ended = tree.run(&mut |progress| {
                stopped = watch(&self.progress(order, report.counts, progress)).is_break();
                break_if(stopped)
            });
            report.counts += tree.counts();
            report.outcome = match ended {
                Ended::Proved => self.proved(&tree.proof()),
                // The search never leaves the window of an unbounded board.
                Ended::Refuted if !self.claim.position.game().is_unbounded() => Outcome::NoWin,
                Ended::Refuted | Ended::Exhausted | Ended::Unknown => Outcome::Unknown,
            };
            drop(tree);
            if best_first && matches!(report.outcome, Outcome::Unknown) && !stopped {
                let left = self.options.nodes_max.saturating_sub(report.counts.nodes);
                let share = if last { left } else { left / 4 * 3 };
                let before = report.counts;
                let finished = self.best_first(order, share, resources, &mut |status| {
                    stopped |= watch(&self.status(order, before, status)).is_break();
                    break_if(stopped)
                });
                report.counts += finished.counts;
                report.out_of_memory = finished.out_of_memory;
                report.unsolved = self.names(&finished.unsolved);
                if let Some(won) = finished.won {
                    report.outcome = self.proved(&won.proof);
                }
            }
            if matches!(report.outcome, Outcome::Proved { .. }) {
                return report;
            }
        }
        if report.order < self.options.order_max && matches!(report.outcome, Outcome::NoWin) {
            report.outcome = Outcome::Unknown;
        }
        report
    }

    /// Whether the best-first search handles the quiet moves of an order. Benchmarks run the older
    /// verifiers without it.
    fn is_best_first(&self, order: u32) -> bool {
        order > self.claim.position.game().p().max(2)
            && self.options.zones == ZoneRule::Segment
            && self.options.best_first
    }

    /// Whether the search tries all moves at the root, and nearly everywhere.
    fn is_small(&self) -> bool {
        all_moves_listed(&self.board, self.claim.position.left())
    }

    /// The best-first search of an order.
    fn best_first(
        &self,
        order: u32,
        nodes_max: u64,
        resources: &mut Resources,
        watch: &mut dyn FnMut(&SearchStatus) -> ControlFlow<()>,
    ) -> Finished {
        let attacker_moves = self.claim.attacker_moves();
        let policy = self.options.policy;
        let settings = Settings { policy, ..Settings::new(order, self.options.switches) };
        let stones = self.claim.position.left();
        let driver = Driver::new(self.board.clone(), settings, attacker_moves, stones);
        let run_options = RunOptions {
            threads: self.options.threads,
            nodes_max,
            memory_max: self.options.memory_max,
            snapshot_every: self.options.snapshot_every,
        };
        let claim = self.claim;
        let remote = resources.pool.as_deref_mut().map(|pool| RemoteSearch { pool, claim });
        let limits = self.limits(order, nodes_max);
        driver::run(driver, &limits, &self.hints, run_options, resources.journal, remote, watch)
    }

    /// The progress of a best-first search; `before` are the counters of earlier searches.
    fn status(&self, order: u32, before: Counts, status: &SearchStatus) -> Progress {
        // If Defender moves first, lines begin with a move of Attacker without stones.
        let unmade = usize::from(!self.claim.attacker_moves());
        let named = |line: &[Vec<Sq>]| self.names(line.get(unmade..).unwrap_or_default());
        let line = named(&status.leaf);
        Progress {
            order,
            nodes: before.nodes + status.nodes,
            numbers: status.numbers,
            depth: (line.len() + 1 - unmade) / 2,
            candidate: line.first().cloned().unwrap_or_default(),
            proved: before.proved + status.counts[0],
            refuted: before.refuted + status.counts[1],
            line,
            best: named(&status.best),
            memory: status.memory,
            tree: self.tree(before.nodes + status.nodes, status.tree.as_ref()),
        }
    }

    fn names(&self, moves: &[Vec<Sq>]) -> Vec<Move> {
        moves.iter().map(|squares| self.squares(squares)).collect()
    }

    /// The progress of a tree; `before` are the counters of earlier trees.
    fn progress(&self, order: u32, before: Counts, progress: &tree::Progress) -> Progress {
        Progress {
            order,
            nodes: before.nodes + progress.nodes,
            numbers: progress.numbers,
            depth: progress.depth,
            candidate: self.squares(&progress.candidate),
            proved: before.proved + progress.settled[0],
            refuted: before.refuted + progress.settled[1],
            line: self.names(&progress.line),
            best: self.names(&progress.best),
            memory: progress.memory,
            tree: self.tree(before.nodes + progress.nodes, progress.tree.as_ref()),
        }
    }

    /// A snapshot of a tree, in squares of the game.
    fn tree(&self, version: u64, tree: Option<&SearchTree<Sq>>) -> Option<Arc<SearchTree>> {
        let tree = tree?.clone();
        Some(Arc::new(tree.named(version, |square| self.arena.square(square))))
    }

    fn squares(&self, squares: &[Sq]) -> Move {
        squares.iter().map(|&s| self.arena.square(s)).collect()
    }

    fn hint(&self, (position, squares): &(Position, Vec<Square>)) -> Option<(u64, Vec<Sq>)> {
        let mut board = self.board.clone();
        for (square, color) in position.stones() {
            let square = self.arena.index(square)?;
            if board.is_empty(square) {
                board.place(self.side(color), square);
            }
        }
        // Positions before the root have fewer stones.
        let stones = board.geometry.area() - board.empty_count() as usize;
        if stones != position.stones().count() {
            return None;
        }
        let mut squares: Vec<Sq> =
            squares.iter().map(|&square| self.arena.index(square)).collect::<Option<_>>()?;
        squares.sort_unstable();
        Some((board.key(), squares))
    }

    fn side(&self, color: Color) -> Side {
        if color == self.claim.attacker { Side::Attacker } else { Side::Defender }
    }

    fn limits(&self, order: u32, nodes_max: u64) -> Limits {
        Limits {
            zones: self.options.zones,
            mutual: self.options.mutual,
            grouped: self.options.grouped,
            ..Limits::new(order, nodes_max)
        }
    }

    /// A search of the root with strategies of an order.
    fn root(&self, order: u32, nodes_max: u64) -> Tree<R> {
        let attacker_moves = self.claim.attacker_moves();
        let limits = self.limits(order, nodes_max);
        let mut tree =
            Tree::new(self.board.clone(), attacker_moves, self.claim.position.left(), limits);
        tree.set_hints(self.hints.clone());
        tree.set_looks(self.options.snapshot_every);
        tree
    }

    /// The verdict of a proof of the root.
    fn proved(&self, proof: &Proof) -> Outcome {
        let (certificate, nodes) = proof.certificate(self.claim, &self.arena);
        Outcome::Proved { certificate, nodes, line: self.names(&proof.line()) }
    }
}
