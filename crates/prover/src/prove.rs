//! From a position to a verdict: the one door through which proofs are asked for.
//!
//! [`prove`] puts the position on a search board made for its game, raises the order from 1 until
//! a win is found or the budget ends, and hands out a certificate as bytes. Nothing here says that
//! a claim is true: whoever prints "proved" gives the bytes to the checker first.

use sixproof_game::{Color, Position, Square};

use crate::board::{Board, Connect6, General, GoMoku, Rules, Side, Sq};
use crate::certificate::{Claim, Writer};
use crate::tree::{Ended, Limits, Tree};

pub use crate::tree::{Counts, ZoneRule};

/// Columns and rows that an unbounded board is given around its stones, in units of k.
const MARGIN: i32 = 2;
/// The largest board of the search.
const SIZE_MAX: i32 = 59;

/// What is asked, and how much may be spent.
#[derive(Clone, Debug)]
pub struct Options {
    /// The side claimed to win.
    pub attacker: Color,
    /// The highest order tried.
    pub order_max: u32,
    /// Nodes in all.
    pub nodes_max: u64,
    /// The verifier.
    pub zones: ZoneRule,
    /// Mutual coverage, for segment zones.
    pub mutual: bool,
    /// Grouped macros, for segment zones.
    pub grouped: bool,
}

impl Options {
    /// The usual options for a side.
    pub fn new(attacker: Color) -> Options {
        Options {
            attacker,
            order_max: 3,
            nodes_max: 10_000_000,
            zones: ZoneRule::Segment,
            mutual: true,
            grouped: true,
        }
    }
}

/// The state of a search, for those who watch it.
#[derive(Clone, Debug)]
pub struct Progress {
    /// The order searched for.
    pub order: u32,
    /// Nodes so far: positions at which Attacker's moves were generated.
    pub nodes: u64,
    /// Proof and disproof number of the position.
    pub numbers: [u32; 2],
    /// Attacker's moves to the position looked at last.
    pub depth: usize,
    /// The first of them; if Defender is to move, his reply that is looked at.
    pub candidate: Vec<Square>,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Report {
    /// The verdict.
    pub outcome: Outcome,
    /// The order of the proof, or the highest order begun.
    pub order: u32,
    /// What was counted, over all orders.
    pub counts: Counts,
}

/// The verdict of a search.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Attacker wins, says this certificate.
    Proved {
        /// The certificate, to be checked.
        certificate: Vec<u8>,
        /// Its nodes.
        nodes: u64,
        /// A line of play.
        line: Vec<Vec<Square>>,
    },
    /// No strategy of the order asked for wins: every one was tried.
    NoWin,
    /// Nothing was found within the budget.
    Unknown,
}

/// Searches a win of `options.attacker`. `watch` is called now and then with the progress, and
/// stops the search by returning true.
pub fn prove(
    position: &Position,
    options: &Options,
    watch: &mut dyn FnMut(&Progress) -> bool,
) -> Report {
    let game = position.game();
    if window(position).is_none() {
        return Report { outcome: Outcome::Unknown, order: 0, counts: Counts::default() };
    }
    match (game.k(), game.p(), game.exact()) {
        (6, 2, false) => Prover::new(position, Connect6, options).run(watch),
        (5, 1, false) => Prover::new(position, GoMoku, options).run(watch),
        _ => Prover::new(position, General::new(game), options).run(watch),
    }
}

/// A position on a search board.
struct Prover<'a, R> {
    position: &'a Position,
    options: &'a Options,
    board: Board<R>,
    corner: Square,
}

impl<'a, R: Rules> Prover<'a, R> {
    fn new(position: &'a Position, rules: R, options: &'a Options) -> Prover<'a, R> {
        let (corner, cols, rows) = window(position).expect("asked before");
        let mut board = Board::new(rules, cols, rows);
        for (square, color) in position.stones() {
            let side = if color == options.attacker { Side::Attacker } else { Side::Defender };
            let (x, y) = (square.x - corner.x, square.y - corner.y);
            board.place(side, (y * cols as i32 + x) as Sq);
        }
        Prover { position, options, board, corner }
    }

    fn run(self, watch: &mut dyn FnMut(&Progress) -> bool) -> Report {
        let mut counts = Counts::default();
        let attacker_moves = self.position.to_move() == self.options.attacker;
        let mut outcome = Outcome::Unknown;
        let mut stopped = false;
        let mut order = 0;
        while order < self.options.order_max && counts.nodes < self.options.nodes_max && !stopped {
            order += 1;
            let left = self.options.nodes_max - counts.nodes;
            let limits = Limits {
                zones: self.options.zones,
                mutual: self.options.mutual,
                grouped: self.options.grouped,
                ..Limits::new(order, if order == self.options.order_max { left } else { left / 8 })
            };
            let stones = self.position.left();
            let mut tree = Tree::new(self.board.clone(), attacker_moves, stones, limits);
            let ended = tree.run(&mut |progress| {
                stopped = watch(&Progress {
                    order,
                    nodes: counts.nodes + progress.nodes,
                    numbers: progress.numbers,
                    depth: progress.depth,
                    candidate: progress.candidate.iter().map(|&s| self.square(s)).collect(),
                });
                stopped
            });
            if std::env::var("DUMP").is_ok() && order == self.options.order_max {
                tree.dump();
            }
            let found = tree.counts();
            counts.nodes += found.nodes;
            counts.semi_nulls += found.semi_nulls;
            counts.pairs += found.pairs;
            counts.macros += found.macros;
            outcome = match ended {
                Ended::Proved => {
                    outcome = self.proved(&tree);
                    break;
                }
                // Beyond the window of an unbounded board nothing was tried.
                Ended::Refuted if !self.position.game().is_unbounded() => Outcome::NoWin,
                Ended::Refuted | Ended::Exhausted | Ended::Unknown => Outcome::Unknown,
            };
        }
        Report { outcome, order, counts }
    }

    fn proved(&self, tree: &Tree<R>) -> Outcome {
        let claim = Claim { position: self.position.clone(), attacker: self.options.attacker };
        let square = |s: Sq| self.square(s);
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes, &claim).expect("memory takes all");
        tree.write(&mut writer, &square).expect("memory takes all");
        let nodes = writer.nodes();
        writer.finish().expect("memory takes all");
        let line = tree
            .principal_line()
            .into_iter()
            .map(|squares| squares.into_iter().map(square).collect())
            .collect();
        Outcome::Proved { certificate: bytes, nodes, line }
    }

    fn square(&self, square: Sq) -> Square {
        let cols = self.board.geometry.cols as i32;
        let (x, y) = (i32::from(square) % cols, i32::from(square) / cols);
        Square::new(self.corner.x + x, self.corner.y + y)
    }
}

/// The part of the board that is searched, as its corner, columns and rows: all of it, or a window
/// around the stones if it is unbounded. None if the stones are too far apart for the search board.
fn window(position: &Position) -> Option<(Square, u32, u32)> {
    let game = position.game();
    if !game.is_unbounded() {
        return Some((Square::new(0, 0), game.cols(), game.rows()));
    }
    let margin = MARGIN * game.k() as i32;
    let first = position.stones().next().map_or(Square::new(0, 0), |(square, _)| square);
    let (mut low, mut high) = (first, first);
    for (square, _) in position.stones() {
        low = Square::new(low.x.min(square.x), low.y.min(square.y));
        high = Square::new(high.x.max(square.x), high.y.max(square.y));
    }
    let span = |low: i32, high: i32| {
        let stones = high - low + 1;
        let size = (stones + 2 * margin).min(SIZE_MAX);
        (stones + 2 * game.k() as i32 <= size).then(|| (low - (size - stones) / 2, size as u32))
    };
    let ((x, cols), (y, rows)) = (span(low.x, high.x)?, span(low.y, high.y)?);
    Some((Square::new(x, y), cols, rows))
}
