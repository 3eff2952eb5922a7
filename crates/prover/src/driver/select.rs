//! Chooses the next job: at the most-proving node without a job under way (Lin, section 5.1.4).
//!
//! From the root down, the driver takes the cheapest continuation at Attacker's nodes, and the
//! cheapest open reply at Defender's. Several jobs are under way at once, so nodes are *flagged*: a
//! node is busy when no job can begin at it or below it, and the driver passes over busy nodes. The
//! [`Policy`](super::Policy) sets the numbers of such a node meanwhile; flags alone keep two
//! workers from the same job.
//!
//! Siblings are generated late: a job lists Attacker's moves once, but the driver makes a node for
//! the next one only when it chooses that move ([`Driver::quiet_number`]), because the moves before
//! it look worse or have jobs under way.

use crate::board::{Rules, Side};
use crate::tree::Given;

use super::numbers::{INFINITE, Numbers, ONE};
use super::{And, Driver, Job, Node, Or, Stage, Task, Ticket};

/// The largest and the smallest limit of unsolved replies at which a screening stops.
const SCREENING_MAX: usize = 60;
const SCREENING_MIN: usize = 12;

/// The continuations at an Attacker node, in the order of preference at equal cost.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    Solve,
    Quiet,
    Child(u32),
}

impl<R: Rules> Driver<R> {
    /// The next job, if one can begin now.
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
                    break (Node::Or(or), Task::List { first: self.winners.clone() });
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

    /// The cheapest continuation at an Attacker node: a larger search, a new quiet move, or a job
    /// below a known one.
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

    /// The proof numbers of a search and of a new quiet move; infinite if they cannot begin now.
    fn own_numbers(&self, or: &Or) -> [u32; 2] {
        match (or.running, &or.quiet) {
            (false, _) => [self.solve_number(or), self.quiet_number(or)],
            // The next move need not wait for the search.
            (true, Some(_)) => [INFINITE, self.quiet_number(or)],
            (true, None) => [INFINITE; 2],
        }
    }

    /// At a Defender node: the reply that seems the cheapest to answer. A proof answers all of
    /// them, in any order; with the cheap ones first, the number of those left shows early what the
    /// others will cost.
    fn cheapest_reply(&self, index: u32) -> Option<u32> {
        let open = self.open_replies(&self.ands[index as usize]);
        let free = open.filter(|&child| !self.ors[child as usize].busy);
        free.min_by_key(|&child| self.ors[child as usize].numbers.proof)
    }

    /// Whether a verification is next: it has not ended, or all replies that it left are won.
    fn wants_verification(&self, and: &And) -> bool {
        let is_verified = and.stage == Stage::Verified && and.complete;
        !and.running && (!is_verified || self.open_replies(and).next().is_none())
    }

    /// Whether no job can begin at an Attacker node or below it.
    pub(super) fn is_or_busy(&self, index: u32) -> bool {
        let or = &self.ors[index as usize];
        or.won.is_some() || self.way_on(index).is_none()
    }

    /// Whether no job can begin at a Defender node or below it.
    pub(super) fn is_and_busy(&self, index: u32) -> bool {
        let and = &self.ands[index as usize];
        and.numbers.proof == INFINITE
            || !self.wants_verification(and) && self.cheapest_reply(index).is_none()
    }

    /// Whether jobs under way may have become pointless since the last call. Most answers decide a
    /// node without another job below it: then the caller need not test every job.
    pub fn has_pointless(&mut self) -> bool {
        std::mem::take(&mut self.is_stale)
    }

    /// Whether the answer to a job does not matter any more: a position above it is won, or the
    /// move or the reply that led there is decided.
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

    fn search(&self, or: u32) -> Task {
        let or = &self.ors[or as usize];
        let nodes = self.settings.solve_nodes << (2 * or.solved.min(16));
        Task::Solve { order: or.order.min(self.settings.order - 1), nodes }
    }

    /// Makes a node for the best listed move.
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

    /// The unanswered replies to a move.
    pub(super) fn open_replies<'a>(&'a self, and: &'a And) -> impl Iterator<Item = u32> + 'a {
        and.children.iter().copied().filter(|&child| self.ors[child as usize].won.is_none())
    }

    /// The next verification of a move; with all replies won, it assembles the proof.
    fn verification(&self, index: u32) -> Task {
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
        Task::Verify {
            order: self.settings.order,
            budget,
            given: given.collect(),
            hopeless: unsolved.map(|or| self.ors[or as usize].reply.clone()).collect(),
            unsolved_max,
        }
    }

    /// The limit at which a screening stops: clearly more replies than the best sibling left.
    fn screening_max(&self, or: u32) -> usize {
        let siblings = self.ors[or as usize].children.iter().map(|&and| &self.ands[and as usize]);
        let best = siblings
            .filter(|and| and.stage != Stage::New && and.complete && !and.forcing)
            .map(|and| and.weak as usize)
            .min();
        best.map_or(SCREENING_MAX, |best| (best + best / 2).clamp(SCREENING_MIN, SCREENING_MAX))
    }

    /// The limit at which a verification stops: clearly more replies than the siblings promise.
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
