//! Does jobs from their bytes, and makes records of their results.
//!
//! A worker gives bodies to a [`JobRunner`] and sends its findings. A manager has the checker judge
//! a certificate against the claim of the job's key; then a runner makes the record for the search,
//! with the checker's zone: the manager trusts nothing that a worker sends.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use sixproof_certificate::{Certified, Claim, Reader, Step};
use sixproof_game::{Color, Game, Position, Square};

use crate::arena::Arena;
use crate::board::{Board, Rules, Sq};
use crate::proof::{Part, Proof};
use crate::tree::Won;
use crate::with_rules;
use crate::zone::Zone;

use super::super::codec::{self, to_bytes, to_words};
use super::super::{Budget, Job, JobAnswer, JobProgress, Task, Worker};
use super::job_bytes::{self, SearchHeader};

/// The result of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// Its nodes.
    pub nodes: u64,
    /// Its finding.
    pub found: Found,
}

/// The finding of a job, as bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A certificate of the job's claim.
    Certificate(Vec<u8>),
    /// Any other answer.
    Uncertified(Vec<u8>),
}

/// Whether a record is a win: any other answer rests on the worker alone.
pub fn is_proof(record: &[u8]) -> bool {
    let kind = record.get(codec::ANSWER_AT..).and_then(|rest| rest.first_chunk());
    kind.is_some_and(|kind| u16::from_le_bytes(*kind) == codec::WON)
}

/// Why bytes are not a job, or not an answer to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed(&'static str);

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for Malformed {}

const NO_JOB: Malformed = Malformed("the bytes are not a valid job");
const NO_PROOF: Malformed =
    Malformed("the certificate has a step that certificates of jobs may not have");
const NO_ANSWER: Malformed = Malformed("the answer does not fit the job");

/// Does jobs, and makes records of answers. It keeps the context of a search from one job to the
/// next.
#[derive(Default)]
pub struct JobRunner {
    /// The header of the last search, and its context.
    context: Option<(Vec<u8>, Box<dyn SearchContext>)>,
}

/// The board of a search, for any rules. `job` is what follows the header.
trait SearchContext: Send {
    fn perform(&mut self, job: &[u8], watch: Watch) -> Result<Option<Done>, Malformed>;
    fn claim(&self, job: &[u8]) -> Result<Claim, Malformed>;
    fn certified_record(
        &self,
        key: &[u8],
        certificate: &[u8],
        certified: &Certified,
    ) -> Result<Vec<u8>, Malformed>;
    fn uncertified_record(
        &self,
        key: &[u8],
        job: &[u8],
        answer: &[u8],
    ) -> Result<Vec<u8>, Malformed>;
}

/// Receives the nodes of a job, and the replies that it could not solve; may stop the job.
type Watch<'a> = &'a mut dyn FnMut(u64, Option<Vec<u8>>) -> ControlFlow<()>;

impl JobRunner {
    /// Does the job of a body. `watch` receives its nodes every few milliseconds, and each reply
    /// that a verification could not solve; if it breaks the job ends without an answer.
    pub fn perform(&mut self, body: &[u8], watch: Watch) -> Result<Option<Done>, Malformed> {
        let (context, rest) = self.context(body)?;
        context.perform(rest, watch)
    }

    /// The claim that a certificate must prove to be an answer to the job of a key.
    pub fn claim(&mut self, key: &[u8]) -> Result<Claim, Malformed> {
        let (context, rest) = self.context(key)?;
        context.claim(rest)
    }

    /// The record of a won job, from a certificate of its claim that the checker has accepted.
    pub fn certified_record(
        &mut self,
        key: &[u8],
        certificate: &[u8],
        certified: &Certified,
    ) -> Result<Vec<u8>, Malformed> {
        let (context, _) = self.context(key)?;
        context.certified_record(key, certificate, certified)
    }

    /// The record of any other answer. A wrong answer costs time, and cannot make a proof.
    pub fn uncertified_record(&mut self, key: &[u8], answer: &[u8]) -> Result<Vec<u8>, Malformed> {
        let (context, rest) = self.context(key)?;
        context.uncertified_record(key, rest, answer)
    }

    /// The context for the header at the beginning of some bytes, and the remaining bytes.
    fn context<'s, 'b>(
        &'s mut self,
        bytes: &'b [u8],
    ) -> Result<(&'s mut dyn SearchContext, &'b [u8]), Malformed> {
        let known = self.context.as_ref().map(|(header, _)| header.len());
        let is_same = self.context.as_ref().is_some_and(|(header, _)| bytes.starts_with(header));
        let length = match known.filter(|_| is_same) {
            Some(length) => length,
            None => {
                let (header, own, _) = job_bytes::read_header(bytes).ok_or(NO_JOB)?;
                self.context = Some((own.to_vec(), context(header).ok_or(NO_JOB)?));
                own.len()
            }
        };
        let (_, context) = self.context.as_mut().expect("just set");
        Ok((&mut **context, &bytes[length..]))
    }
}

/// A context for the rules of the game. `None` if the stones do not fit on a search board.
fn context(header: SearchHeader) -> Option<Box<dyn SearchContext>> {
    fn boxed<R: Rules + 'static>(header: SearchHeader, rules: R) -> Option<Box<dyn SearchContext>> {
        let (arena, board) = Arena::set_up(&header.claim, rules)?;
        let stones = header.claim.position.left();
        let worker = Worker::new(board, header.limits(), header.switches, stones);
        Some(Box::new(RulesContext { arena, worker, claim: header.claim }))
    }
    with_rules!(header.claim.position.game(), |rules| boxed(header, rules))
}

/// The context for one set of rules.
struct RulesContext<R> {
    arena: Arena,
    worker: Worker<R>,
    claim: Claim,
}

impl<R: Rules> RulesContext<R> {
    fn board(&self) -> &Board<R> {
        &self.worker.board
    }

    /// The moves of a job, and whether it is a verification.
    fn path(&self, job: &[u8]) -> Result<(Vec<Vec<Sq>>, bool), Malformed> {
        job_bytes::read_path(job, self.board().geometry.area()).ok_or(NO_JOB)
    }

    /// The claim of a job with these moves: that of a verification is about the position before the
    /// move that it verifies.
    fn claim_after(&self, path: &[Vec<Sq>], is_verification: bool) -> Result<Claim, Malformed> {
        let path = match is_verification {
            true => path.split_last().ok_or(NO_JOB)?.1,
            false => path,
        };
        if path.is_empty() {
            return Ok(self.claim.clone());
        }
        let Claim { position, attacker } = &self.claim;
        let mut stones: [Vec<Square>; 2] = Default::default();
        let of = |color: Color| usize::from(color != Color::Black);
        for (square, color) in position.stones() {
            stones[of(color)].push(square);
        }
        for (index, squares) in path.iter().enumerate() {
            let mover = if index.is_multiple_of(2) { *attacker } else { !*attacker };
            stones[of(mover)].extend(squares.iter().map(|&square| self.arena.square(square)));
        }
        let game: Game = position.game();
        let [black, white] = &stones;
        let position = Position::set_up(game, black, white, *attacker, game.p());
        Ok(Claim { position: position.map_err(|_| NO_JOB)?, attacker: *attacker })
    }

    /// The checker's zone, on the search board.
    fn zone(&self, certificate: &[u8], certified: &Certified) -> Option<Zone> {
        let zone = sixproof_certificate::Zone::of(certified, certificate)?;
        Some(Zone::of_checker(self.board(), self.worker.levels(), &self.arena, &zone))
    }

    fn index(&self, squares: &[Square]) -> Result<Vec<Sq>, Malformed> {
        squares.iter().map(|&square| self.arena.index(square).ok_or(NO_PROOF)).collect()
    }
}

impl<R: Rules> SearchContext for RulesContext<R> {
    fn perform(&mut self, job: &[u8], watch: Watch) -> Result<Option<Done>, Malformed> {
        let levels = self.worker.levels();
        let (hints, job) = job_bytes::read_job(job, self.board(), levels).ok_or(NO_JOB)?;
        self.worker.set_hints(hints);
        let mut nodes = 0;
        let answer = self.worker.perform(&job, &mut |progress| match progress {
            JobProgress::Nodes(own) => {
                nodes = own;
                watch(nodes, None)
            }
            JobProgress::Unsolved(reply) => watch(nodes, Some(job_bytes::write_reply(reply))),
        });
        let nodes = std::mem::take(&mut self.worker.counts).nodes;
        let Some(answer) = answer else { return Ok(None) };
        let found = match answer {
            JobAnswer::Won(won) => {
                let is_verification = matches!(job.work, Task::Verify { .. });
                let claim = self.claim_after(&job.path, is_verification)?;
                Found::Certificate(won.proof.certificate(&claim, &self.arena).0)
            }
            other => {
                let mut words = Vec::new();
                codec::put_answer(&mut words, &other);
                Found::Uncertified(to_bytes(&words))
            }
        };
        Ok(Some(Done { nodes, found }))
    }

    fn claim(&self, job: &[u8]) -> Result<Claim, Malformed> {
        let (path, is_verification) = self.path(job)?;
        self.claim_after(&path, is_verification)
    }

    fn certified_record(
        &self,
        key: &[u8],
        certificate: &[u8],
        certified: &Certified,
    ) -> Result<Vec<u8>, Malformed> {
        let mut proof = Proof::default();
        let mut reader = Reader::new(certificate).map_err(|_| NO_PROOF)?;
        while let Some((_, step)) = reader.next_step().map_err(|_| NO_PROOF)? {
            match &step {
                Step::Win { squares } => proof.push(Part::Win(&self.index(squares)?)),
                Step::Attack { squares } => proof.push(Part::Attack(&self.index(squares)?)),
                Step::Defence { relies_on: None, replies } => {
                    proof.push(Part::Defence(usize::try_from(*replies).map_err(|_| NO_PROOF)?));
                }
                Step::Reply { squares, slack } => {
                    proof.push(Part::Reply(&self.index(squares)?, *slack));
                }
                _ => return Err(NO_PROOF),
            }
        }
        // A count that does not fit into a word would give another proof.
        let area = self.board().geometry.area();
        let proof = Proof::from_words(proof.words().to_vec(), area).ok_or(NO_PROOF)?;
        let zone = self.zone(certificate, certified).ok_or(NO_PROOF)?;
        let won = Won { proof: Arc::new(proof), zone: Arc::new(zone) };
        Ok(codec::encode(key, &JobAnswer::Won(won), 0))
    }

    fn uncertified_record(
        &self,
        key: &[u8],
        job: &[u8],
        answer: &[u8],
    ) -> Result<Vec<u8>, Malformed> {
        let (path, is_verification) = self.path(job)?;
        let words = to_words(answer).ok_or(NO_ANSWER)?;
        let answer = codec::answer(&words, self.board(), self.worker.levels()).ok_or(NO_ANSWER)?;
        // A win needs its certificate.
        let work = match &answer {
            JobAnswer::Won(_) => return Err(NO_ANSWER),
            JobAnswer::Listed(_) => Task::List { first: Vec::new() },
            _ if is_verification => Task::Verify {
                order: 0,
                budget: Budget { reply_nodes: 0, forced: [0; 2], answer_order: 0 },
                given: Vec::new(),
                hopeless: Vec::new(),
                unsolved_max: 0,
            },
            _ => Task::Solve { order: 0, nodes: 0 },
        };
        match self.worker.fits(&Job { path, work }, &answer) {
            true => Ok(codec::encode(key, &answer, 0)),
            false => Err(NO_ANSWER),
        }
    }
}
