//! Which job is next: the most-proving node that nobody works on (Lin, section 5.1.4).
//!
//! From the root down, the cheapest way on is taken at Attacker's nodes, and the cheapest open
//! reply at Defender's. Several jobs are under way at once, so that what is being worked on is
//! *flagged*: a node is busy when nothing can be begun at it or below it, and busy nodes are passed
//! over. What the numbers of such a node are meanwhile is the [`Policy`](super::Policy)'s; flags
//! alone keep two workers from the same job.
//!
//! Siblings are generated late: Attacker's moves are listed once, but a node is made for the next
//! one only when its turn has come ([`Driver::quiet_number`]), because the ones before it look
//! worse or are being worked on.

use crate::board::{Rules, Side};
use crate::tree::Given;

use super::numbers::{INFINITE, Numbers, ONE};
use super::{And, Driver, Job, Node, Or, Stage, Ticket, Work};

/// A screening is cut short at most at so many replies, and at least at so many.
const SCREENING_MAX: usize = 60;
const SCREENING_MIN: usize = 12;

/// What can be done at a node of Attacker, in the order in which it is done if it costs the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    Solve,
    Quiet,
    Child(u32),
}

impl<R: Rules> Driver<R> {
    /// The next job, if there is one that can be started now.
    pub fn next_job(&mut self) -> Option<Ticket> {
        if self.won().is_some() || self.is_exhausted() || self.ors[0].busy {
            return None;
        }
        let (mut path, mut or) = (Vec::new(), 0);
        let (node, work) = loop {
            let and = match self.way_on(or)? {
                Way::Solve => {
                    self.ors[or as usize].running = true;
                    break (Node::Or(or), self.search(or));
                }
                Way::Quiet if self.ors[or as usize].quiet.is_none() => {
                    self.ors[or as usize].running = true;
                    break (Node::Or(or), Work::List { first: self.winners.clone() });
                }
                Way::Quiet => self.new_and(or),
                Way::Child(and) => and,
            };
            path.push(self.ands[and as usize].attack.clone());
            if self.wants_verification(&self.ands[and as usize]) {
                let work = self.verification(and);
                self.ands[and as usize].running = true;
                break (Node::And(and), work);
            }
            or = self.cheapest_reply(and)?;
            path.push(self.ors[or as usize].reply.clone());
        };
        self.count_under_way(node, true);
        self.update_from(node);
        Some(Ticket { job: Job { path, work }, node })
    }

    /// The cheapest way on from an Attacker node: a larger search, a new quiet move, or work on one
    /// that is known.
    fn way_on(&self, index: u32) -> Option<Way> {
        let or = &self.ors[index as usize];
        let [solve, quiet] = self.own_numbers(or);
        let children = or.children.iter().filter_map(|&child| {
            let and = &self.ands[child as usize];
            (!and.busy).then_some((and.numbers.proof, Way::Child(child)))
        });
        let ways = [(solve, Way::Solve), (quiet, Way::Quiet)].into_iter().chain(children);
        ways.filter(|way| way.0 != INFINITE).min().map(|way| way.1)
    }

    /// The proof numbers of a search and of a new quiet move, as far as they can be begun now.
    fn own_numbers(&self, or: &Or) -> [u32; 2] {
        match (or.running, &or.quiet) {
            (false, _) => [self.solve_number(or), self.quiet_number(or)],
            // The next move does not have to wait for the search.
            (true, Some(_)) => [INFINITE, self.quiet_number(or)],
            (true, None) => [INFINITE; 2],
        }
    }

    /// At a Defender node: the reply that seems the cheapest to answer. All have to be answered, so
    /// the order is free; the cheap ones first means that the number of those left says early what
    /// the others will cost.
    fn cheapest_reply(&self, index: u32) -> Option<u32> {
        let open = self.open_replies(&self.ands[index as usize]);
        let free = open.filter(|&child| !self.ors[child as usize].busy);
        free.min_by_key(|&child| self.ors[child as usize].numbers.proof)
    }

    /// Whether a verification is next: as long as it has something to tell.
    fn wants_verification(&self, and: &And) -> bool {
        let told = and.stage == Stage::Verified && and.complete;
        !and.running && (!told || self.open_replies(and).next().is_none())
    }

    /// Whether nothing can be begun at a node of Attacker or below it.
    pub(super) fn is_or_busy(&self, index: u32) -> bool {
        let or = &self.ors[index as usize];
        or.won.is_some() || self.way_on(index).is_none()
    }

    /// Whether nothing can be begun at a node of Defender or below it.
    pub(super) fn is_and_busy(&self, index: u32) -> bool {
        let and = &self.ands[index as usize];
        and.numbers.proof == INFINITE
            || !self.wants_verification(and) && self.cheapest_reply(index).is_none()
    }

    /// Whether jobs under way may have become pointless since this was asked last. Most answers
    /// settle a node with no other job below it: then nobody has to look at all the jobs.
    pub fn has_pointless(&mut self) -> bool {
        std::mem::take(&mut self.is_stale)
    }

    /// Whether the answer to a job does not matter any more: a position above it is won, or the
    /// move or the reply that led there is settled.
    pub fn is_pointless(&self, ticket: &Ticket) -> bool {
        let mut or = match ticket.node {
            Node::Or(or) => or,
            Node::And(and) => {
                let parent = self.ands[and as usize].parent;
                if self.ands[and as usize].numbers.proof == INFINITE
                    || !self.ors[parent as usize].children.contains(&and)
                {
                    return true;
                }
                parent
            }
        };
        loop {
            let node = &self.ors[or as usize];
            if node.won.is_some() {
                return true;
            }
            let Some(parent) = node.parent else { return false };
            let and = &self.ands[parent as usize];
            let above = &self.ors[and.parent as usize];
            if and.numbers.proof == INFINITE
                || !and.children.contains(&or)
                || !above.children.contains(&parent)
            {
                return true;
            }
            or = and.parent;
        }
    }

    fn search(&self, or: u32) -> Work {
        let or = &self.ors[or as usize];
        let nodes = self.settings.solve_nodes << (2 * or.solved.min(16));
        Work::Solve { order: or.order.min(self.settings.order - 1), nodes }
    }

    /// A node for the best move that has none yet.
    fn new_and(&mut self, parent: u32) -> u32 {
        let proof = self.quiet_number(&self.ors[parent as usize]);
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
            estimate: proof,
            weak: 0,
            forcing: false,
            children: Vec::new(),
            complete: true,
            numbers: Numbers { proof, ..Numbers::NEW },
            running: false,
            under_way: 0,
            busy: false,
        });
        child
    }

    /// The replies to a move that have no answer yet.
    pub(super) fn open_replies<'a>(&'a self, and: &'a And) -> impl Iterator<Item = u32> + 'a {
        and.children.iter().copied().filter(|&child| self.ors[child as usize].won.is_none())
    }

    /// The verification that a move needs next; with all replies won, it puts the proof together.
    fn verification(&self, index: u32) -> Work {
        let and = &self.ands[index as usize];
        let unsolved = self.open_replies(and);
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
            hopeless: unsolved.map(|or| self.ors[or as usize].reply.clone()).collect(),
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
}
