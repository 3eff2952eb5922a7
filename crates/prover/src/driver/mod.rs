//! A best-first search over quiet moves: proof-number search of jobs (Lin, section 5.1.4).
//!
//! The nodes of this tree are few and heavy. An Attacker node is a reply of Defender that simple
//! means did not answer; it is worked on by ever larger searches of the order below (a *solve*
//! job), or by quiet moves. A Defender node is such a quiet move; a *verify* job tells which
//! replies it leaves unsolved ([`crate::tree`]), and these are its children: they appear as zones
//! become known. The first verification of a move is only a screening, with the least budget for
//! each reply, so that many moves can be compared by the number of replies that they leave.
//!
//! Here is only what decides: which job is next, and what an answer changes; `numbers.rs` has the
//! proof numbers. A job depends on nothing but itself (`job.rs`), so it may run in any thread
//! (`run.rs`), and its answer may be remembered (`codec.rs`).

mod codec;
mod collect;
mod job;
mod look;
mod numbers;
mod run;
mod settings;
#[cfg(test)]
mod tests;
mod worker;

use std::collections::BTreeMap;

use crate::board::{Board, Rules, Side, Sq};
use crate::tree::{Given, Limits, Won};

pub use job::{Answer, Budget, Job, Work};
pub use run::{Finished, Journal, NoJournal, Resources, Status, run};
pub use settings::{Settings, Switches};
pub use worker::Worker;

use numbers::{INFINITE, Numbers, ONE};

/// Moves that won lately and are listed first elsewhere.
const WINNERS_KEPT: usize = 16;
/// A screening is cut short at most at so many replies, and at least at so many.
const SCREENING_MAX: usize = 60;
const SCREENING_MIN: usize = 12;
/// A missing stone makes a reply stand for so many.
const MISSING: u32 = 6;

/// A position with Attacker to move.
struct Or {
    parent: Option<u32>,
    /// Defender's stones that led here.
    reply: Vec<Sq>,
    /// The order of what may be tried here: lower by the stones that the reply left out.
    order: u32,
    /// Tells positions apart.
    key: u64,
    /// Searches of lower orders so far, and whether more can help.
    solved: u32,
    solvable: bool,
    /// Attacker's quiet moves, best first, once they have been listed; those tried are gone.
    quiet: Option<Vec<Vec<Sq>>>,
    children: Vec<u32>,
    numbers: Numbers,
    /// Nodes spent below.
    spent: u64,
    running: bool,
    won: Option<Won>,
}

/// A quiet move of Attacker, Defender to move.
struct And {
    parent: u32,
    attack: Vec<Sq>,
    key: u64,
    stage: Stage,
    /// Replies that the screening left, weighted: a null move stands for many.
    weak: u32,
    /// Whether the move makes a threat.
    forcing: bool,
    /// The replies that were not solved at once.
    children: Vec<u32>,
    /// Whether these are all.
    complete: bool,
    numbers: Numbers,
    running: bool,
}

/// How far a quiet move has been looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    New,
    Screened,
    Verified,
}

/// A job, and the node that waits for it.
#[derive(Clone, Debug)]
pub struct Ticket {
    /// What is to be done.
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
    /// Moves that won after other replies.
    winners: Vec<Vec<Sq>>,
    /// Positions that were won, by key and order: proofs are never thrown away.
    won: BTreeMap<(u64, u32), Won>,
    /// Bytes of the proofs in `won`.
    proof_bytes: u64,
    /// Moves listed at all positions.
    listed: u64,
    /// Whether Attacker moves at the root. If not, the root is a move without stones.
    attacker_moves: bool,
    /// Stones of the first move.
    stones: u32,
    /// Positions proved, and moves refuted.
    counts: [u64; 2],
}

impl<R: Rules> Driver<R> {
    /// A search of the position on `board`, with `stones` to place in the move at hand.
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
        };
        driver.new_or(None, Vec::new(), order, key);
        if !attacker_moves {
            driver.ors[0].solvable = false;
            driver.ors[0].quiet = Some(vec![Vec::new()]);
        }
        driver
    }

    /// Somebody to do the jobs.
    pub fn worker(&self, limits: Limits) -> Worker<R> {
        Worker::new(self.board.clone(), limits, self.settings.switches, self.stones)
    }

    /// The proof, once there is one.
    pub fn won(&self) -> Option<&Won> {
        self.ors[0].won.as_ref()
    }

    /// Whether everything was tried that is ever tried.
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
            won: None,
        });
        self.ors.len() as u32 - 1
    }

    /// The next job, if there is one that can be started now.
    pub fn next_job(&mut self) -> Option<Ticket> {
        if self.won().is_some() || self.is_exhausted() {
            return None;
        }
        let mut path = Vec::new();
        let (node, work) = self.select_or(0, &mut path)?;
        match node {
            Node::Or(or) => self.ors[or as usize].running = true,
            Node::And(and) => self.ands[and as usize].running = true,
        }
        self.update_from(node);
        Some(Ticket { job: Job { path, work }, node })
    }

    /// The cheapest way on from an Attacker node: a larger search, a new quiet move, or work on one
    /// that is known.
    fn select_or(&mut self, index: u32, path: &mut Vec<Vec<Sq>>) -> Option<(Node, Work)> {
        let or = &self.ors[index as usize];
        let (solve, quiet) = (self.solve_number(or), self.quiet_number(or));
        let mut options: Vec<(u32, u32)> = or
            .children
            .iter()
            .map(|&child| (self.ands[child as usize].numbers.proof, child))
            .filter(|option| option.0 != INFINITE)
            .collect();
        options.sort_unstable();
        let best = options.first().map_or(INFINITE, |option| option.0);
        if !or.running {
            if solve != INFINITE && solve <= best.min(quiet) {
                let nodes = self.settings.solve_nodes << (2 * or.solved.min(16));
                let order = or.order.min(self.settings.order - 1);
                return Some((Node::Or(index), Work::Solve { order, nodes }));
            }
            if quiet != INFINITE && quiet <= best {
                if or.quiet.is_none() {
                    let first = self.winners.clone();
                    return Some((Node::Or(index), Work::List { first }));
                }
                let child = self.new_and(index, quiet);
                options.insert(0, (quiet, child));
            }
        }
        options.into_iter().find_map(|(_, child)| {
            path.push(self.ands[child as usize].attack.clone());
            let found = self.select_and(child, path);
            if found.is_none() {
                path.pop();
            }
            found
        })
    }

    fn new_and(&mut self, parent: u32, proof: u32) -> u32 {
        let or = &mut self.ors[parent as usize];
        let attack = or.quiet.as_mut().expect("listed").remove(0);
        let key = self.board.key_with(or.key, Side::Attacker, &attack);
        let child = self.ands.len() as u32;
        or.children.push(child);
        self.ands.push(And {
            parent,
            attack,
            key,
            stage: if self.settings.screening.is_some() { Stage::New } else { Stage::Screened },
            weak: 2 * proof / ONE,
            forcing: false,
            children: Vec::new(),
            complete: true,
            numbers: Numbers { proof, ..Numbers::NEW },
            running: false,
        });
        child
    }

    /// At a Defender node: a verification, as long as it has something to tell; then the reply that
    /// seems the cheapest to answer. All have to be answered, so the order is free; the cheap ones
    /// first means that the number of those left says early what the others will cost.
    fn select_and(&mut self, index: u32, path: &mut Vec<Vec<Sq>>) -> Option<(Node, Work)> {
        let and = &self.ands[index as usize];
        if and.running {
            return None;
        }
        let unsolved: Vec<u32> = self.open_replies(and).collect();
        if and.stage != Stage::Verified || unsolved.is_empty() || !and.complete {
            return Some((Node::And(index), self.verification(index, &unsolved)));
        }
        let mut options: Vec<(u32, u32)> = unsolved
            .into_iter()
            .map(|child| (self.ors[child as usize].numbers.proof, child))
            .collect();
        options.sort_by_key(|option| option.0);
        options.into_iter().find_map(|(_, child)| {
            path.push(self.ors[child as usize].reply.clone());
            let found = self.select_or(child, path);
            if found.is_none() {
                path.pop();
            }
            found
        })
    }

    /// The replies to a move that have no answer yet.
    fn open_replies<'a>(&'a self, and: &'a And) -> impl Iterator<Item = u32> + 'a {
        and.children.iter().copied().filter(|&child| self.ors[child as usize].won.is_none())
    }

    /// The verification that a move needs next; with all replies won, it puts the proof together.
    fn verification(&self, index: u32, unsolved: &[u32]) -> Work {
        let and = &self.ands[index as usize];
        let given = and.children.iter().filter_map(|&child| {
            let or = &self.ors[child as usize];
            or.won.clone().map(|won| Given { reply: or.reply.clone(), won })
        });
        let (budget, unsolved_max) = match (and.stage, self.settings.screening) {
            (Stage::New, Some(screening)) => (screening, self.screening_max(and.parent)),
            _ => (self.settings.verification, self.verification_max(index)),
        };
        Work::Verify {
            order: self.settings.order,
            budget,
            given: given.collect(),
            hopeless: unsolved.iter().map(|&or| self.ors[or as usize].reply.clone()).collect(),
            unsolved_max,
        }
    }

    /// A screening stops when a move leaves clearly more replies than the best of its siblings.
    fn screening_max(&self, or: u32) -> usize {
        let siblings = self.ors[or as usize].children.iter().map(|&and| &self.ands[and as usize]);
        let best = siblings
            .filter(|and| and.stage != Stage::New && and.complete && !and.forcing)
            .map(|and| and.weak as usize)
            .min();
        best.map_or(SCREENING_MAX, |best| (best + best / 2).clamp(SCREENING_MIN, SCREENING_MAX))
    }

    /// A verification stops when a move leaves clearly more replies than its siblings seem to.
    fn verification_max(&self, index: u32) -> usize {
        let and = &self.ands[index as usize];
        let parent = &self.ors[and.parent as usize];
        let siblings = parent.children.iter().filter(|&&sibling| sibling != index);
        let least = siblings
            .map(|&sibling| self.ands[sibling as usize].numbers.proof)
            .chain([self.quiet_number(parent), self.solve_number(parent)])
            .min()
            .unwrap_or(INFINITE);
        self.open_replies(and).count() + ((least / ONE) as usize).saturating_mul(3) / 2 + 8
    }

    /// Takes the answer to a job in, and what it cost; `None` if it was given up.
    pub fn finish(&mut self, ticket: &Ticket, answer: Option<Answer>, nodes: u64) {
        self.spend(ticket.node, nodes);
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

    fn finish_or(&mut self, or: u32, answer: Answer) {
        match answer {
            Answer::Won(won) => self.win(or, won),
            Answer::Listed(list) => {
                self.listed += list.len() as u64;
                self.ors[or as usize].quiet = Some(list);
            }
            Answer::Refuted => self.ors[or as usize].solvable = false,
            Answer::Unsolved { .. } | Answer::Unknown => self.ors[or as usize].solved += 1,
        }
    }

    fn finish_and(&mut self, index: u32, answer: Answer) {
        let and = &mut self.ands[index as usize];
        match answer {
            Answer::Won(won) => {
                let (parent, attack) = (and.parent, and.attack.clone());
                if self.settings.switches.winners {
                    self.winners.retain(|winner| *winner != attack);
                    self.winners.insert(0, attack);
                    self.winners.truncate(WINNERS_KEPT);
                }
                self.win(parent, won);
            }
            Answer::Unsolved { replies, complete, forcing } => {
                and.complete = complete;
                and.forcing = forcing;
                if and.stage == Stage::New {
                    and.stage = Stage::Screened;
                    let unit = if forcing { self.settings.forcing } else { 1 };
                    let stones = self.reply_stones(index);
                    let missing = |reply: &Vec<Sq>| stones.saturating_sub(reply.len()).min(4);
                    let weights = replies.iter().map(|reply| MISSING.pow(missing(reply) as u32));
                    self.ands[index as usize].weak = unit * weights.sum::<u32>();
                } else {
                    and.stage = Stage::Verified;
                    self.set_replies(index, replies);
                }
            }
            Answer::Refuted => self.refute(index),
            Answer::Listed(_) | Answer::Unknown => {}
        }
    }

    /// Stones of a complete reply at a Defender node.
    fn reply_stones(&self, and: u32) -> usize {
        match self.attacker_moves || self.ands[and as usize].parent != 0 {
            true => self.board.rules.p() as usize,
            false => self.stones as usize,
        }
    }

    /// Makes the replies that a verification left the children of its move, besides those that
    /// are won.
    fn set_replies(&mut self, index: u32, replies: Vec<Vec<Sq>>) {
        let stones = self.reply_stones(index);
        let before = std::mem::take(&mut self.ands[index as usize].children);
        let (mut children, open): (Vec<u32>, Vec<u32>) =
            before.into_iter().partition(|&child| self.ors[child as usize].won.is_some());
        for reply in replies {
            let slack = stones.saturating_sub(reply.len()) as u32;
            let Some(order) = self.settings.order.checked_sub(slack).filter(|&order| order > 0)
            else {
                return self.refute(index);
            };
            let known = open.iter().copied().find(|&child| self.ors[child as usize].reply == reply);
            children.push(known.unwrap_or_else(|| {
                let key = self.ands[index as usize].key;
                let key = self.board.key_with(key, Side::Defender, &reply);
                let child = self.new_or(Some(index), reply, order, key);
                if self.settings.switches.reuse {
                    self.ors[child as usize].won = self.won.get(&(key, order)).cloned();
                    self.update_or(child);
                }
                child
            }));
        }
        self.ands[index as usize].children = children;
    }

    fn refute(&mut self, and: u32) {
        let and = &mut self.ands[and as usize];
        and.numbers = Numbers { proof: INFINITE, disproof: 0 };
        and.children = Vec::new();
        self.counts[1] += 1;
    }

    /// An Attacker node is won, and so are those siblings that its proof answers too: they differ
    /// in one stone that is clear of its zone.
    fn win(&mut self, or: u32, won: Won) {
        self.counts[0] += 1;
        let node = &mut self.ors[or as usize];
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
            child == or
                || other.won.is_some()
                || other.reply.len() < reply.len()
                || rest.len() > 1
                || !won.zone.is_set_clear(&self.board, &rest)
        });
        self.ands[parent as usize].children = children;
    }
}
