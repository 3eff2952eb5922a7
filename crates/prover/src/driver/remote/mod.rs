//! Jobs for workers elsewhere: a crew that is reached by bytes.
//!
//! A job is a claim with limits, and its answer a certificate of that claim, or the replies that
//! remain. What travels are the bytes of `body.rs`, which stand for themselves; `desk.rs` does such
//! a job, and turns what came back, once it has been checked, into a record for the search.

mod body;
mod desk;

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use crate::board::Rules;
use crate::tree::Counts;
use sixproof_certificate::Claim;

use super::crew::{Crew, Report};
use super::worker::is_remembered;
use super::{Answer, Job, Journal, Work, Worker, codec};

pub use desk::{Desk, Done, Found, Malformed, is_proof};

/// With so many jobs under way or fewer, the search does itself what takes less time than to lend
/// it: on the farms of the papers and far beyond. Above, it has enough to do with choosing jobs.
const CAPACITY_ALONE: usize = 256;

/// A search in a job counts at most so many times the nodes that it may spend.
const SOLVE_TIMES: u64 = 4;
/// A verification looks at no more replies than these.
const REPLIES_MAX: u64 = 1_024;
/// What any job may take besides.
const NODES_BESIDES: u64 = 10_000;

/// A job as bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Errand {
    /// All that the answer depends on: the same key, the same answer.
    pub key: Vec<u8>,
    /// All that is needed to do it.
    pub body: Vec<u8>,
    /// Nodes that it takes at most, as its budget says: no answer counts for more.
    pub nodes_max: u64,
}

/// Workers elsewhere, as a search sees them.
pub trait Hands {
    /// How many jobs should be under way.
    fn capacity(&self) -> usize;
    /// The record of a job that was done before, and the nodes it took.
    fn recall(&mut self, key: &[u8]) -> Option<(Vec<u8>, u64)>;
    /// Begins a job. The number is new, and names it from now on, also where a job of this key is
    /// under way.
    fn begin(&mut self, number: u64, errand: Errand);
    /// A job has become pointless. Nothing more needs to be reported of it.
    fn cancel(&mut self, number: u64);
    /// Waits for the next report, at most so long.
    fn wait(&mut self, at_most: Duration) -> Option<Return>;
    /// Nothing is left to begin: asks for [`Return::Settled`] when all answers have been looked
    /// into that will be. A job that is begun before takes this back, and so does a revocation.
    fn settle(&mut self);
}

/// What comes back from a job.
#[derive(Clone, Debug)]
pub enum Return {
    /// How far it is: nodes so far, and replies that could not be solved.
    Partial {
        /// The job.
        number: u64,
        /// Its nodes.
        nodes: u64,
        /// What [`Desk::perform`] told of the replies, one after the other; perhaps nothing.
        found: Vec<u8>,
    },
    /// It is done.
    Done {
        /// The job.
        number: u64,
        /// Its nodes.
        nodes: u64,
        /// What [`Desk::won`] or [`Desk::told`] made of the answer.
        record: Vec<u8>,
    },
    /// Answers that were given do not count any more; [`Hands::recall`] has them no more.
    Revoked {
        /// The nodes that they claimed.
        nodes: u64,
    },
    /// An answer was found by this machine, too: it may be kept for searches without the hands.
    Confirmed {
        /// The key of its job.
        key: Vec<u8>,
        /// Its nodes.
        nodes: u64,
        /// What [`Desk::won`] or [`Desk::told`] made of it.
        record: Vec<u8>,
    },
    /// The answer to [`Hands::settle`].
    Settled,
    /// Nobody could do it.
    GivenUp {
        /// The job.
        number: u64,
    },
    /// Nobody is left.
    Over,
}

/// The hands that do the jobs of a search, and the claim that it is about.
pub struct Far<'a> {
    /// Who does the jobs.
    pub hands: &'a mut dyn Hands,
    /// The position of the search.
    pub claim: &'a Claim,
}

/// A job under way.
struct Sent {
    job: Job,
    key: Vec<u8>,
    /// Nodes that were told so far, and that it may take.
    nodes: u64,
    nodes_max: u64,
}

/// A crew of workers elsewhere.
pub(super) struct Remote<'h, 'j, R> {
    hands: &'h mut dyn Hands,
    journal: &'j dyn Journal,
    /// Reads answers, and does what takes no more than a moment.
    reader: Worker<R>,
    brief: Vec<u8>,
    sent: BTreeMap<u64, Sent>,
    /// Nodes of all jobs.
    nodes: u64,
    /// What came back and was not told yet.
    reports: VecDeque<Report>,
    /// Jobs under way when the search began anew, and that it has not begun again, by their keys.
    left: BTreeMap<Vec<u8>, u64>,
    settling: Settling,
}

/// Whether the answers have been looked into.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Settling {
    NotAsked,
    Asked,
    Settled,
}

/// Nodes that a job takes at most, by its budget.
fn nodes_max(job: &Job) -> u64 {
    let budget = match &job.work {
        Work::Solve { nodes, .. } => nodes.saturating_mul(SOLVE_TIMES),
        Work::Verify { budget, .. } => budget.reply_nodes.saturating_mul(REPLIES_MAX),
        Work::List { .. } => 0,
    };
    budget.saturating_add(NODES_BESIDES)
}

impl<'h, 'j, R: Rules> Remote<'h, 'j, R> {
    pub(super) fn new(
        reader: Worker<R>,
        far: Far<'h>,
        journal: &'j dyn Journal,
    ) -> Remote<'h, 'j, R> {
        let brief = body::brief(far.claim, &reader);
        Remote {
            hands: far.hands,
            journal,
            reader,
            brief,
            sent: BTreeMap::new(),
            nodes: 0,
            reports: VecDeque::new(),
            left: BTreeMap::new(),
            settling: Settling::NotAsked,
        }
    }

    /// Does a job that takes no more than a moment.
    fn at_once(&mut self, job: &Job) -> Option<(Answer, u64)> {
        if self.hands.capacity() > CAPACITY_ALONE {
            return None;
        }
        let answer = self.reader.at_once(job);
        let nodes = std::mem::take(&mut self.reader.counts).nodes;
        self.nodes += nodes;
        Some((answer?, nodes))
    }

    /// Nodes of a job are told in sums.
    fn spend(&mut self, number: u64, nodes: u64) {
        if let Some(sent) = self.sent.get_mut(&number) {
            let nodes = nodes.min(sent.nodes_max);
            self.nodes += nodes.saturating_sub(sent.nodes);
            sent.nodes = sent.nodes.max(nodes);
        }
    }

    /// Keeps an answer for searches on this machine.
    fn keep(&self, key: &[u8], nodes: u64, record: &[u8]) -> Option<()> {
        let own = key.strip_prefix(&self.brief[..])?;
        let (board, levels) = (&self.reader.board, self.reader.levels());
        let (answer, _) = codec::decode(key, record, board, levels)?;
        if !matches!(answer, Answer::Listed(_)) {
            self.journal.record(own, &codec::encode(own, &answer, nodes));
        }
        Some(())
    }

    /// The answer that a record stands for.
    fn read(&self, job: &Job, key: &[u8], record: &[u8]) -> Option<Answer> {
        self.reader.recall(job, key, record).map(|(answer, _)| answer)
    }

    /// The report for what came back, if it says anything to the search.
    fn report(&mut self, back: Return) -> Option<Report> {
        match back {
            Return::Partial { number, nodes, found } => {
                self.spend(number, nodes);
                let sent = self.sent.get(&number)?;
                let replies = body::read_replies(&found, self.reader.board.geometry.area())?;
                let replies = replies.into_iter();
                let real = replies.filter(|reply| self.reader.is_playable(&sent.job, reply));
                self.reports.extend(real.map(|reply| Report::Unsolved { number, reply }));
                self.reports.pop_front()
            }
            Return::Done { number, nodes, record } => {
                let sent = self.sent.remove(&number)?;
                let nodes = nodes.min(sent.nodes_max);
                self.nodes = self.nodes.saturating_sub(sent.nodes) + nodes;
                let answer = self.read(&sent.job, &sent.key, &record);
                // A search on this machine may go on from a proof. What else others say is kept
                // when this machine has found it, too.
                if let Some(Answer::Won(_)) = answer {
                    self.keep(&sent.key, nodes, &record);
                }
                let counts = Counts { nodes, ..Counts::default() };
                Some(Report::Done { number, answer, cost: nodes, counts })
            }
            Return::GivenUp { number } => {
                self.sent.remove(&number)?;
                let (answer, counts) = (Some(Answer::Unknown), Counts::default());
                Some(Report::Done { number, answer, cost: 0, counts })
            }
            Return::Revoked { nodes } => {
                self.nodes = self.nodes.saturating_sub(nodes);
                self.settling = Settling::NotAsked;
                Some(Report::Revoked)
            }
            Return::Confirmed { key, nodes, record } => {
                self.keep(&key, nodes, &record);
                None
            }
            Return::Settled => {
                if self.settling == Settling::Asked {
                    self.settling = Settling::Settled;
                }
                None
            }
            Return::Over => Some(Report::Over),
        }
    }
}

impl<R: Rules> Crew for Remote<'_, '_, R> {
    fn capacity(&self) -> usize {
        self.hands.capacity()
    }

    fn recall(&mut self, job: &Job) -> Option<(Answer, u64)> {
        let own = self.reader.whole_key(job);
        let known = is_remembered(job).then(|| self.journal.recall(&own)).flatten();
        let known = known.and_then(|bytes| self.reader.recall(job, &own, &bytes));
        known
            .or_else(|| {
                let key = [&self.brief[..], &own].concat();
                let (record, nodes) = self.hands.recall(&key)?;
                Some((self.read(job, &key, &record)?, nodes))
            })
            .or_else(|| self.at_once(job))
    }

    fn begin(&mut self, number: u64, job: &Job) {
        let key = [&self.brief[..], &self.reader.whole_key(job)].concat();
        let body = body::body(&self.brief, &self.reader, job);
        let nodes_max = nodes_max(job);
        self.left.remove(&key);
        self.settling = Settling::NotAsked;
        self.hands.begin(number, Errand { key: key.clone(), body, nodes_max });
        self.sent.insert(number, Sent { job: job.clone(), key, nodes: 0, nodes_max });
    }

    fn cancel(&mut self, number: u64) {
        self.sent.remove(&number);
        self.hands.cancel(number);
    }

    fn wait(&mut self, at_most: Duration) -> Option<Report> {
        if let Some(report) = self.reports.pop_front() {
            return Some(report);
        }
        for number in std::mem::take(&mut self.left).into_values() {
            self.hands.cancel(number);
        }
        let back = self.hands.wait(at_most)?;
        self.report(back)
    }

    fn is_settled(&mut self) -> bool {
        if self.settling == Settling::NotAsked {
            self.hands.settle();
            self.settling = Settling::Asked;
        }
        self.settling == Settling::Settled
    }

    fn restart(&mut self) {
        self.reports.clear();
        for (number, sent) in std::mem::take(&mut self.sent) {
            self.nodes = self.nodes.saturating_sub(sent.nodes);
            self.left.insert(sent.key, number);
        }
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn count_again(&mut self, nodes: u64) {
        self.nodes += nodes;
    }
}
