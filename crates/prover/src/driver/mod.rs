//! A best-first search over quiet moves: proof-number search of jobs (Lin, section 5.1.4).
//!
//! The nodes of this tree are few and heavy. An Attacker node is a reply of Defender that simple
//! searches did not answer; the search works on it by ever larger searches of the order below (a
//! *solve* job), or by quiet moves. A Defender node is such a quiet move; a *verify* job lists the
//! replies that it leaves unsolved ([`crate::tree`]), and these are its children: they appear as
//! zones become known. The first verification of a move is only a screening, with the smallest
//! budget for each reply, so that the search can compare many moves by the number of replies that
//! they leave.
//!
//! This module applies answers to the tree; `select.rs` chooses the next job, `numbers.rs` computes
//! the proof numbers, `policy.rs` those of nodes with a job under way. A job depends on nothing but
//! itself (`job.rs`), so that threads (`threads.rs`) or remote workers (`remote/`) can do it, and
//! its answer can be recorded (`codec.rs`). `run.rs` is the main loop.

mod codec;
mod collect;
mod executor;
mod job;
mod numbers;
mod policy;
mod remote;
mod run;
mod select;
mod settings;
mod snapshot;
#[cfg(test)]
mod tests;
mod threads;
mod worker;

use std::collections::BTreeMap;

use crate::board::{Board, Rules, Side, Sq};
use crate::tree::{Limits, Won};

pub use executor::{Executor, JobReport};
pub use job::{Budget, Job, JobAnswer, JobProgress, Task};
pub use policy::Policy;
pub use remote::{
    Done, Found, JobBytes, JobRunner, Malformed, PoolEvent, RemotePool, RemoteSearch, is_proof,
};
pub use run::{Finished, Journal, NoJournal, RunOptions, SearchStatus, run};
pub use settings::{Settings, Switches};
pub use threads::Threads;
pub use worker::{Perform, Worker};

use numbers::{INFINITE, Numbers};

/// Recent winning moves that are listed first in other positions.
const WINNERS_KEPT: usize = 16;
/// The number of replies that a reply with one missing stone stands for.
const MISSING: u32 = 6;

/// A position with Attacker to move.
struct Or {
    parent: Option<u32>,
    /// Defender's stones that led here.
    reply: Vec<Sq>,
    /// The order of what may be tried here: lower by the stones that the reply left out.
    order: u32,
    /// The hash of the position.
    key: u64,
    /// Searches of lower orders so far, and whether another one can help.
    solved: u32,
    solvable: bool,
    /// Attacker's listed quiet moves without a node, best first; `None` before they are listed.
    quiet: Option<Vec<Vec<Sq>>>,
    children: Vec<u32>,
    numbers: Numbers,
    /// Nodes spent below.
    spent: u64,
    running: bool,
    /// Jobs under way here and below.
    under_way: u32,
    /// Whether no job can begin here or below: each node has one under way, or is decided.
    busy: bool,
    won: Option<Won>,
}

/// A quiet move of Attacker, Defender to move.
struct And {
    parent: u32,
    attack: Vec<Sq>,
    key: u64,
    stage: Stage,
    /// The proof number of the move without any search.
    estimate: u32,
    /// Weighted number of the replies that the screening left: a null move stands for many. During
    /// the screening, those that it has left so far.
    weak: u32,
    /// Whether the move makes a threat.
    forcing: bool,
    /// The replies that the verification left unsolved.
    children: Vec<u32>,
    /// Whether these are all.
    complete: bool,
    numbers: Numbers,
    running: bool,
    /// Jobs under way here and below.
    under_way: u32,
    /// Whether no job can begin here or below.
    busy: bool,
}

/// The last job at a quiet move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    New,
    Screened,
    Verified,
}

/// A job, and the node that waits for its answer.
#[derive(Clone, Debug)]
pub struct Ticket {
    /// The job.
    pub job: Job,
    node: Node,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Node {
    Or(u32),
    And(u32),
}

/// The tree of jobs.
pub struct Driver<R> {
    board: Board<R>,
    settings: Settings,
    ors: Vec<Or>,
    ands: Vec<And>,
    /// Moves that won after other replies, the latest first.
    winners: Vec<Vec<Sq>>,
    /// Won positions, by key and order: the driver keeps every proof.
    won: BTreeMap<(u64, u32), Won>,
    /// Bytes of the proofs in `won`.
    proof_bytes: u64,
    /// The number of listed moves at all positions.
    listed: u64,
    /// Whether Attacker moves at the root. If not, the root has one move without stones.
    attacker_moves: bool,
    /// Stones of the first move.
    stones: u32,
    /// Positions proved, and moves refuted.
    counts: [u64; 2],
    /// Whether jobs under way may have become pointless since the last [`Driver::has_pointless`].
    is_stale: bool,
}

impl<R: Rules> Driver<R> {
    /// A search of the position on `board`, with `stones` to place in the next move.
    pub fn new(
        board: Board<R>,
        settings: Settings,
        attacker_moves: bool,
        stones: u32,
    ) -> Driver<R> {
        let order = settings.order;
        let key = board.key();
        let mut driver = Driver {
            board,
            settings,
            ors: Vec::new(),
            ands: Vec::new(),
            winners: Vec::new(),
            won: BTreeMap::new(),
            proof_bytes: 0,
            listed: 0,
            attacker_moves,
            stones,
            counts: [0; 2],
            is_stale: false,
        };
        driver.new_or(None, Vec::new(), order, key);
        if !attacker_moves {
            driver.ors[0].solvable = false;
            driver.ors[0].quiet = Some(vec![Vec::new()]);
        }
        driver
    }

    /// The same search from its start.
    pub(super) fn restarted(&self) -> Driver<R> {
        let (board, settings) = (self.board.clone(), self.settings.clone());
        Driver::new(board, settings, self.attacker_moves, self.stones)
    }

    /// A worker for the jobs of this search.
    pub fn worker(&self, limits: Limits) -> Worker<R> {
        Worker::new(self.board.clone(), limits, self.settings.switches, self.stones)
    }

    /// The proof, once there is one.
    pub fn won(&self) -> Option<&Won> {
        self.ors[0].won.as_ref()
    }

    /// Whether the search has tried all that it ever tries.
    pub fn is_exhausted(&self) -> bool {
        self.ors[0].numbers.proof == INFINITE
    }

    fn new_or(&mut self, parent: Option<u32>, reply: Vec<Sq>, order: u32, key: u64) -> u32 {
        self.ors.push(Or {
            parent,
            reply,
            order,
            key,
            solved: 0,
            solvable: true,
            quiet: None,
            children: Vec::new(),
            numbers: Numbers::NEW,
            spent: 0,
            running: false,
            under_way: 0,
            busy: false,
            won: None,
        });
        self.ors.len() as u32 - 1
    }

    /// Applies the answer to a job, `None` if it was given up, and its cost.
    pub fn finish(&mut self, ticket: &Ticket, answer: Option<JobAnswer>, nodes: u64) {
        self.spend(ticket.node, nodes);
        self.count_under_way(ticket.node, false);
        match ticket.node {
            Node::Or(or) => {
                self.ors[or as usize].running = false;
                if let Some(answer) = answer {
                    self.finish_or(or, answer);
                }
            }
            Node::And(and) => {
                self.ands[and as usize].running = false;
                if let Some(answer) = answer {
                    self.finish_and(and, answer);
                }
            }
        }
        self.update_from(ticket.node);
    }

    fn finish_or(&mut self, or: u32, answer: JobAnswer) {
        match answer {
            JobAnswer::Won(won) => self.win(or, won),
            JobAnswer::Listed(list) => {
                self.listed += list.len() as u64;
                self.ors[or as usize].quiet = Some(list);
            }
            JobAnswer::Refuted => self.ors[or as usize].solvable = false,
            JobAnswer::Unsolved { .. } | JobAnswer::Unknown => self.ors[or as usize].solved += 1,
        }
    }

    fn finish_and(&mut self, index: u32, answer: JobAnswer) {
        let and = &mut self.ands[index as usize];
        match answer {
            JobAnswer::Won(won) => {
                let (parent, attack) = (and.parent, and.attack.clone());
                if self.settings.switches.winners {
                    self.winners.retain(|winner| *winner != attack);
                    self.winners.insert(0, attack);
                    self.winners.truncate(WINNERS_KEPT);
                }
                self.win(parent, won);
            }
            JobAnswer::Unsolved { replies, complete, forcing } => {
                and.complete = complete;
                and.forcing = forcing;
                if and.stage == Stage::New {
                    and.stage = Stage::Screened;
                    let unit = if forcing { self.settings.forcing } else { 1 };
                    let weights = replies.iter().map(|reply| self.weight(index, reply));
                    self.ands[index as usize].weak = unit * weights.sum::<u32>();
                } else {
                    and.stage = Stage::Verified;
                    self.set_replies(index, replies);
                }
            }
            JobAnswer::Refuted => self.refute(index),
            JobAnswer::Listed(_) | JobAnswer::Unknown => {}
        }
    }

    /// Applies a reply that a running verification could not solve. Replies of a screening only
    /// count; the search can work on the others while the verification goes on.
    pub fn found(&mut self, ticket: &Ticket, reply: Vec<Sq>) {
        let Node::And(index) = ticket.node else { return };
        let and = &self.ands[index as usize];
        if and.stage == Stage::New {
            self.ands[index as usize].weak += self.weight(index, &reply);
        } else if and.numbers.proof != INFINITE
            && and.children.iter().all(|&child| self.ors[child as usize].reply != reply)
            && let Some(child) = self.new_reply(index, reply)
        {
            self.ands[index as usize].children.push(child);
        }
        self.update_from(ticket.node);
    }

    /// The number of replies that one counts for: with a missing stone it stands for many.
    fn weight(&self, and: u32, reply: &[Sq]) -> u32 {
        let missing = self.reply_stones(and).saturating_sub(reply.len()).min(4);
        MISSING.pow(missing as u32)
    }

    /// Stones of a complete reply at a Defender node.
    fn reply_stones(&self, and: u32) -> usize {
        match self.attacker_moves || self.ands[and as usize].parent != 0 {
            true => self.board.rules.p() as usize,
            false => self.stones as usize,
        }
    }

    /// Makes the replies that a verification left the children of its move, beside the children
    /// that are won.
    fn set_replies(&mut self, index: u32, replies: Vec<Vec<Sq>>) {
        let before = std::mem::take(&mut self.ands[index as usize].children);
        let (mut children, open): (Vec<u32>, Vec<u32>) =
            before.into_iter().partition(|&child| self.ors[child as usize].won.is_some());
        let won = children.len();
        for reply in replies {
            let is_reply = |&child: &u32| self.ors[child as usize].reply == reply;
            // It was won during the verification.
            if children[..won].iter().any(is_reply) {
                continue;
            }
            let known = open.iter().copied().find(is_reply);
            let Some(child) = known.or_else(|| self.new_reply(index, reply)) else {
                return self.refute(index);
            };
            children.push(child);
        }
        let is_dropped = |child: &u32| !children.contains(child);
        self.is_stale |= open
            .iter()
            .filter(|child| is_dropped(child))
            .any(|&child| self.ors[child as usize].under_way > 0);
        self.ands[index as usize].children = children;
    }

    /// A node for a reply. `None` if it leaves out too many stones for any order.
    fn new_reply(&mut self, index: u32, reply: Vec<Sq>) -> Option<u32> {
        let slack = self.reply_stones(index).saturating_sub(reply.len()) as u32;
        let order = self.settings.order.checked_sub(slack).filter(|&order| order > 0)?;
        let key = self.board.key_with(self.ands[index as usize].key, Side::Defender, &reply);
        let child = self.new_or(Some(index), reply, order, key);
        if self.settings.switches.reuse {
            self.ors[child as usize].won = self.won.get(&(key, order)).cloned();
            self.update_or(child);
        }
        Some(child)
    }

    fn refute(&mut self, and: u32) {
        let and = &mut self.ands[and as usize];
        self.is_stale |= and.under_way > 0;
        and.numbers = Numbers { proof: INFINITE, disproof: 0 };
        and.busy = true;
        and.children = Vec::new();
        self.counts[1] += 1;
    }

    /// Marks an Attacker node as won, and removes the siblings that its proof answers too: they
    /// differ in one stone that is clear of its zone.
    fn win(&mut self, or: u32, won: Won) {
        self.counts[0] += 1;
        let node = &mut self.ors[or as usize];
        self.is_stale |= node.under_way > 0;
        node.won = Some(won.clone());
        node.children = Vec::new();
        node.quiet = None;
        self.proof_bytes += won.size();
        self.won.insert((node.key, node.order), won.clone());
        let (Some(parent), reply) = (node.parent, node.reply.clone()) else { return };
        if !self.settings.switches.posthoc || reply.len() < self.reply_stones(parent) {
            return;
        }
        let mut children = std::mem::take(&mut self.ands[parent as usize].children);
        children.retain(|&child| {
            let other = &self.ors[child as usize];
            let rest: Vec<Sq> =
                other.reply.iter().copied().filter(|square| !reply.contains(square)).collect();
            let is_kept = child == or
                || other.won.is_some()
                || other.reply.len() < reply.len()
                || rest.len() > 1
                || !won.zone.is_set_clear(&self.board, &rest);
            self.is_stale |= !is_kept && other.under_way > 0;
            is_kept
        });
        self.ands[parent as usize].children = children;
    }
}
