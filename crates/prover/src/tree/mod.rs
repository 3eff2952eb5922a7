//! Orders 2 and above, and the exact remainder of order 1: proof-number search over lambda trees.
//!
//! Attacker's move of order a leaves Defender at most a - 1 stones of slack after the blocks that
//! he is forced to (Lin, section 2.3: p threats force every reply, order 1; one threat fewer, one
//! order more). A Defender node is proved stone by stone: first with the free stones left out (null
//! and semi-null moves, each to be won at an order lower by the slack), then, only where the zone
//! of such a proof requires it, with one more stone (`defence.rs`). An Attacker node is first given
//! to the search for forced wins ([`crate::vcdt`]), and then expanded (`attack.rs`).
//!
//! The effort goes where proof numbers send it: the cheapest candidate of Attacker, the most
//! stubborn reply of Defender. Positions are never merged, so there is no question of history;
//! the tree is its own proof and is written out by `write.rs`.

mod attack;
mod defence;
mod exchange;
mod look;
mod verify;
mod view;
mod write;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::board::{Board, Rules, Side, Sq};
use crate::cover::Threat;
use crate::moves::Generator;
use crate::proof::Proof;
use crate::vcdt::{Forced, Vcdt};
use crate::zone::Zone;

pub use defence::ZoneRule;
pub use exchange::{Counts, Ended, Given, Limits, Won};
pub use view::Progress;

/// Proved or refuted.
pub(crate) const INFINITE: u32 = u32::MAX;
/// The bound below which sums of proof numbers stop.
const LARGE: u32 = u32::MAX / 4;

/// The number of moves that won lately and are tried first.
const WINNERS_KEPT: usize = 8;

/// A position with Attacker to move.
struct Or {
    /// The Defender node above.
    parent: Option<u32>,
    order: u8,
    /// Stones to place.
    stones: u8,
    state: Stage,
    /// Whether it is a group of replies, which is given up, not expanded, when no forced win is
    /// found.
    macro_only: bool,
    /// Whether a refutation holds for all strategies of the order.
    exact: bool,
    proof_number: u32,
    disproof_number: u32,
    /// Nodes spent below.
    spent: u64,
    children: Vec<u32>,
    win: Option<Win>,
    zone: Option<Box<Zone>>,
}

/// The stages of an Attacker node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Fresh,
    Evaluated,
    Expanded,
}

/// How Attacker wins.
enum Win {
    /// By completing a segment.
    Now(Vec<Sq>),
    /// By forced replies.
    Path(Vec<Forced>),
    /// By the move of a Defender node.
    Move(u32),
    /// By a proof from elsewhere.
    Given(Arc<Proof>),
}

/// A position with Defender to move.
struct And {
    order: u8,
    /// Stones to place.
    stones: u8,
    opened: bool,
    exact: bool,
    proof_number: u32,
    disproof_number: u32,
    attack: Vec<Sq>,
    threats: Vec<Threat>,
    replies: Vec<Reply>,
    /// Attacker's moves that won after one of the replies: tried first after the others.
    winners: Vec<Vec<Sq>>,
    /// The moves that need an answer of their own and have no answer yet.
    pending: Vec<Vec<Sq>>,
    /// The number of replies that have been compared with all of `pending`.
    compared: usize,
    zone: Option<Box<Zone>>,
}

/// One reply of Defender, and the position after it.
struct Reply {
    squares: Vec<Sq>,
    slack: u8,
    child: u32,
    /// The moves that a macro stands for.
    group: Vec<Vec<Sq>>,
    /// Whether the moves that its zone leaves open have been collected.
    extended: bool,
    /// Whether a verification has given it up and reported it.
    set_aside: bool,
    /// Once won: the squares from which one more stone could disturb the proof, by rows.
    shadow: Vec<u64>,
    /// Once won: its own squares, by rows.
    rows: Vec<u64>,
}

/// A proof-number search below one position.
pub struct Tree<R> {
    board: Board<R>,
    limits: Limits,
    ors: Vec<Or>,
    ands: Vec<And>,
    vcdt: Vcdt,
    generator: Generator,
    threats: Vec<Threat>,
    blocks: Vec<Sq>,
    /// The attacks that last won against each reply: tried again where the reply comes up again.
    memory: BTreeMap<Vec<Sq>, Vec<Vec<Sq>>>,
    /// Replies that proved stubborn lately: tried first.
    killers: Vec<Vec<Sq>>,
    /// Whether Attacker moves at the root (an Or), or Defender (an And).
    attacker_moves: bool,
    counts: Counts,
    /// Suggested moves: a position's key and Attacker's move in it.
    hints: Vec<(u64, Vec<Sq>)>,
    /// The nodes that a verification spends on a reply before it gives the reply up.
    reply_nodes_max: Option<u64>,
    /// Replies of the root that are won already.
    given: Vec<Given>,
    /// Replies of the root that a verification gives up at once.
    hopeless: Vec<Vec<Sq>>,
    /// The steps so far, and what the tree weighed at one of them: for `watch`.
    steps: u64,
    weight: view::Weight,
    /// Nodes between two looks at the tree, and when the next is due.
    look_every: u64,
    look_next: u64,
}

impl<R: Rules> Tree<R> {
    /// A search of the position on `board`, with `stones` to place in the move at hand.
    pub fn new(board: Board<R>, attacker_moves: bool, stones: u32, limits: Limits) -> Tree<R> {
        let mut tree = Tree {
            board,
            ors: Vec::new(),
            ands: Vec::new(),
            vcdt: Vcdt::default(),
            generator: Generator::default(),
            threats: Vec::new(),
            blocks: Vec::new(),
            killers: Vec::new(),
            memory: BTreeMap::new(),
            attacker_moves,
            counts: Counts::default(),
            hints: Vec::new(),
            reply_nodes_max: None,
            given: Vec::new(),
            hopeless: Vec::new(),
            steps: 0,
            weight: view::Weight::default(),
            look_every: 0,
            look_next: 0,
            limits,
        };
        let order = tree.limits.order as u8;
        if attacker_moves {
            tree.new_or(None, order, stones as u8);
        } else {
            tree.new_and(order, Vec::new(), 1);
            tree.ands[0].stones = stones as u8;
        }
        tree
    }

    /// Moves to be tried first: pairs of a position's key and Attacker's move in it.
    pub fn set_hints(&mut self, hints: Vec<(u64, Vec<Sq>)>) {
        self.hints = hints;
    }

    /// The counts of the search.
    pub fn counts(&self) -> Counts {
        Counts { nodes: self.nodes(), ..self.counts }
    }

    fn nodes(&self) -> u64 {
        self.vcdt.node_count + self.counts.nodes
    }

    fn new_or(&mut self, parent: Option<u32>, order: u8, stones: u8) -> u32 {
        self.ors.push(Or {
            parent,
            order,
            stones,
            state: Stage::Fresh,
            macro_only: false,
            exact: true,
            proof_number: 1,
            disproof_number: 1,
            spent: 0,
            children: Vec::new(),
            win: None,
            zone: None,
        });
        self.ors.len() as u32 - 1
    }

    fn new_and(&mut self, order: u8, attack: Vec<Sq>, proof_number: u32) -> u32 {
        self.ands.push(And {
            order,
            stones: 0,
            opened: false,
            exact: true,
            proof_number,
            disproof_number: 1,
            attack,
            threats: Vec::new(),
            replies: Vec::new(),
            winners: Vec::new(),
            pending: Vec::new(),
            compared: 0,
            zone: None,
        });
        self.ands.len() as u32 - 1
    }

    fn root_numbers(&self) -> [u32; 2] {
        if self.attacker_moves {
            [self.ors[0].proof_number, self.ors[0].disproof_number]
        } else {
            [self.ands[0].proof_number, self.ands[0].disproof_number]
        }
    }

    /// Searches until the position is decided or the budget is used up. `watch` is called after
    /// every step, and may stop the search.
    pub fn run(&mut self, watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>) -> Ended {
        loop {
            match self.advance() {
                Ok(progress) if watch(&progress).is_break() => return Ended::Unknown,
                Ok(_) => {}
                Err(ended) => return ended,
            }
        }
    }

    /// One step, unless the search has ended.
    fn advance(&mut self) -> Result<Progress, Ended> {
        match self.root_numbers() {
            [0, _] => return Err(Ended::Proved),
            [INFINITE, _] => {
                let exact =
                    if self.attacker_moves { self.ors[0].exact } else { self.ands[0].exact };
                return Err(if exact { Ended::Refuted } else { Ended::Exhausted });
            }
            _ if self.nodes() >= self.limits.nodes_max => return Err(Ended::Unknown),
            _ => {}
        }
        Ok(self.step())
    }

    /// Goes to the most proving node, works there, and carries the numbers back.
    fn step(&mut self) -> Progress {
        let mut line: Vec<(u32, usize)> = Vec::new();
        let before = self.nodes();
        let mut or = if self.attacker_moves { Some(0) } else { None };
        if !self.attacker_moves {
            or = self.descend(0, &mut line);
        }
        while let Some(node) = or {
            if self.ors[node as usize].state != Stage::Expanded {
                self.work(node);
                break;
            }
            let best = self.cheapest(node);
            let attack = std::mem::take(&mut self.ands[best as usize].attack);
            self.board.place_all(Side::Attacker, &attack);
            self.ands[best as usize].attack = attack;
            or = self.descend(best, &mut line);
        }
        let mut progress = self.progress(&line);
        self.ascend(line, before);
        self.complete(&mut progress);
        progress.tree = self.look_now();
        progress
    }

    /// From a Defender node to its most stubborn reply, or works at the node itself.
    fn descend(&mut self, and: u32, line: &mut Vec<(u32, usize)>) -> Option<u32> {
        if !self.ands[and as usize].opened {
            self.open(and);
            line.push((and, usize::MAX));
            return None;
        }
        if self.stubborn(and).is_none() {
            self.defend(and);
            line.push((and, usize::MAX));
            return None;
        }
        match self.stubborn(and) {
            Some(reply) if self.ands[and as usize].proof_number != INFINITE => {
                line.push((and, reply));
                let node = &self.ands[and as usize];
                self.board.place_all(Side::Defender, &node.replies[reply].squares);
                Some(node.replies[reply].child)
            }
            _ => {
                line.push((and, usize::MAX));
                None
            }
        }
    }

    /// Updates all nodes of a line, taking its stones back.
    fn ascend(&mut self, line: Vec<(u32, usize)>, before: u64) {
        for &(and, reply) in line.iter().rev() {
            if reply != usize::MAX {
                let node = &self.ands[and as usize];
                let child = node.replies[reply].child;
                self.ors[child as usize].spent += self.nodes() - before;
                self.update_or(child);
                let node = &self.ands[and as usize];
                self.board.remove_all(Side::Defender, &node.replies[reply].squares);
            }
            if and == 0 && self.reply_nodes_max.is_some() {
                self.set_aside();
            }
            self.update_and(and);
            self.board.remove_all(Side::Attacker, &self.ands[and as usize].attack);
        }
        if self.attacker_moves {
            self.update_or(0);
        }
    }

    /// The unrefuted candidate with the least proof number.
    fn cheapest(&self, or: u32) -> u32 {
        let children = self.ors[or as usize].children.iter();
        *children.min_by_key(|&&child| self.ands[child as usize].proof_number).expect("expanded")
    }

    /// The unproved reply with the least disproof number.
    fn stubborn(&self, and: u32) -> Option<usize> {
        let replies = self.ands[and as usize].replies.iter().enumerate();
        replies
            .filter(|(_, reply)| {
                let child = &self.ors[reply.child as usize];
                child.proof_number != 0 && child.state != Stage::Fresh && !reply.set_aside
            })
            .min_by_key(|(_, reply)| self.ors[reply.child as usize].disproof_number)
            .map(|(index, _)| index)
    }

    /// Recomputes an Attacker node from its children; the board stands at it.
    fn update_or(&mut self, or: u32) {
        let node = &self.ors[or as usize];
        if node.state != Stage::Expanded || node.win.is_some() {
            return;
        }
        let (mut proof, mut disproof, mut exact, mut won) = (INFINITE, 0u32, node.exact, None);
        for &child in &node.children {
            let and = &self.ands[child as usize];
            if and.proof_number < proof {
                proof = and.proof_number;
            }
            disproof = disproof.saturating_add(and.disproof_number).min(LARGE);
            if and.proof_number == 0 {
                won = Some(child);
            } else if and.proof_number == INFINITE {
                exact &= and.exact;
            }
        }
        let node = &mut self.ors[or as usize];
        let was_refuted = node.proof_number == INFINITE;
        let effort = (node.spent / self.limits.effort) as u32;
        node.proof_number =
            if matches!(proof, 0 | INFINITE) { proof } else { (proof + effort).min(LARGE) };
        node.disproof_number = disproof;
        if proof == INFINITE {
            node.exact = exact;
            node.children = Vec::new();
            node.disproof_number = 0;
            self.counts.refuted += u64::from(!was_refuted);
        }
        if let Some(and) = won {
            let mut zone = self.ands[and as usize].zone.take().expect("a proof has a zone");
            zone.add_squares(&self.board, &self.ands[and as usize].attack);
            let attack = self.ands[and as usize].attack.clone();
            if let Some(parent) = self.ors[or as usize].parent {
                let winners = &mut self.ands[parent as usize].winners;
                winners.retain(|winner| *winner != attack);
                winners.insert(0, attack);
                winners.truncate(WINNERS_KEPT);
            }
            let node = &mut self.ors[or as usize];
            node.win = Some(Win::Move(and));
            node.children = Vec::new();
            self.prove_or(or, zone);
        }
    }

    fn prove_or(&mut self, or: u32, zone: Box<Zone>) {
        self.counts.proved += 1;
        let node = &mut self.ors[or as usize];
        node.proof_number = 0;
        node.disproof_number = INFINITE;
        node.zone = Some(zone);
    }

    fn refute_or(&mut self, or: u32, exact: bool) {
        let node = &mut self.ors[or as usize];
        self.counts.refuted += u64::from(node.proof_number != INFINITE);
        node.proof_number = INFINITE;
        node.disproof_number = 0;
        node.exact = exact;
    }

    fn refute_and(&mut self, and: u32, exact: bool) {
        let node = &mut self.ands[and as usize];
        self.counts.refuted += u64::from(node.proof_number != INFINITE);
        node.proof_number = INFINITE;
        node.disproof_number = 0;
        node.exact = exact;
        node.replies = Vec::new();
        node.pending = Vec::new();
    }
}

/// An empty zone with the levels that a search can need.
fn empty_zone<R: Rules>(board: &Board<R>, limits: &Limits) -> Box<Zone> {
    Box::new(Zone::new(board, limits.zone_levels(board.rules.k())))
}
