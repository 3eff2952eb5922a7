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
use crate::certificate::Claim;
use crate::tree::Counts;

use super::crew::{Crew, Report};
use super::worker::is_remembered;
use super::{Answer, Job, Journal, Worker, codec};

pub use desk::{Desk, Done, Found, Malformed, ToldZone};

/// With so many jobs under way or fewer, the search does itself what takes less time than to lend
/// it: on the farms of the papers and far beyond. Above, it has enough to do with choosing jobs.
const CAPACITY_ALONE: usize = 256;

/// A job as bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Errand {
    /// All that the answer depends on: the same key, the same answer.
    pub key: Vec<u8>,
    /// All that is needed to do it.
    pub body: Vec<u8>,
}

/// Workers elsewhere, as a search sees them.
pub trait Hands {
    /// How many jobs should be under way.
    fn capacity(&self) -> usize;
    /// The record of a job that was done before, and the nodes it took.
    fn recall(&mut self, key: &[u8]) -> Option<(Vec<u8>, u64)>;
    /// Begins a job. The number is new, and names it from now on.
    fn begin(&mut self, number: u64, errand: Errand);
    /// A job has become pointless. Nothing more needs to be reported of it.
    fn cancel(&mut self, number: u64);
    /// Waits for the next report, at most so long.
    fn wait(&mut self, at_most: Duration) -> Option<Return>;
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
    /// Nodes that were told so far.
    nodes: u64,
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
}

impl<'h, 'j, R: Rules> Remote<'h, 'j, R> {
    pub(super) fn new(
        reader: Worker<R>,
        far: Far<'h>,
        journal: &'j dyn Journal,
    ) -> Remote<'h, 'j, R> {
        let brief = body::brief(far.claim, &reader);
        let (sent, reports) = (BTreeMap::new(), VecDeque::new());
        Remote { hands: far.hands, journal, reader, brief, sent, nodes: 0, reports }
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
            self.nodes += nodes.saturating_sub(sent.nodes);
            sent.nodes = sent.nodes.max(nodes);
        }
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
                self.spend(number, nodes);
                let sent = self.sent.remove(&number)?;
                let answer = self.read(&sent.job, &sent.key, &record);
                // A search on this machine may go on from here.
                if let (Some(key), Some(answer)) = (self.reader.key(&sent.job), &answer) {
                    self.journal.record(&key, &codec::encode(&key, answer, nodes));
                }
                let counts = Counts { nodes, ..Counts::default() };
                Some(Report::Done { number, answer, cost: nodes, counts })
            }
            Return::GivenUp { number } => {
                self.sent.remove(&number)?;
                let (answer, counts) = (Some(Answer::Unknown), Counts::default());
                Some(Report::Done { number, answer, cost: 0, counts })
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
        self.hands.begin(number, Errand { key: key.clone(), body });
        self.sent.insert(number, Sent { job: job.clone(), key, nodes: 0 });
    }

    fn cancel(&mut self, number: u64) {
        self.sent.remove(&number);
        self.hands.cancel(number);
    }

    fn wait(&mut self, at_most: Duration) -> Option<Report> {
        if let Some(report) = self.reports.pop_front() {
            return Some(report);
        }
        let back = self.hands.wait(at_most)?;
        self.report(back)
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn count_again(&mut self, nodes: u64) {
        self.nodes += nodes;
    }
}
