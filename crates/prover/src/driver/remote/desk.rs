//! Doing jobs that came as bytes, and reading what came of them.
//!
//! A worker gives bodies to a desk, and sends what it finds. A manager has the checker judge a
//! certificate against the claim that the job's key names; then a desk makes the record that the
//! search understands, with the zone that the checker told: nothing of a worker is believed.

use std::fmt;
use std::sync::Arc;

use sixproof_certificate::{Certified, Claim, Reader, Step};
use sixproof_game::{Color, Game, Position, Square};

use crate::arena::Arena;
use crate::board::{Board, Connect6, General, GoMoku, Rules, Sq};
use crate::proof::{Part, Proof};
use crate::tree::Won;
use crate::zone::Zone;

use super::super::codec::{self, to_bytes, to_words};
use super::super::{Answer, Budget, Job, Word, Work, Worker};
use super::body::{self, Brief};

/// What came of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// Its nodes.
    pub nodes: u64,
    /// What was found.
    pub found: Found,
}

/// What was found, as it travels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A certificate of the job's claim.
    Certificate(Vec<u8>),
    /// Any other answer.
    Told(Vec<u8>),
}

/// Whether a record says that a job is won: all other answers rest on the word of a worker.
pub fn is_proof(record: &[u8]) -> bool {
    let kind = record.get(codec::ANSWER_AT..).and_then(|rest| rest.first_chunk());
    kind.is_some_and(|kind| u16::from_le_bytes(*kind) == codec::WON)
}

/// Bytes that are not what they should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed(&'static str);

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for Malformed {}

const NO_JOB: Malformed = Malformed("these bytes are no job");
const NO_PROOF: Malformed = Malformed("the certificate has parts that a job's has not");
const NO_ANSWER: Malformed = Malformed("the answer does not fit the job");

/// Does jobs, and reads answers. What the jobs of one search share is kept from one to the next.
#[derive(Default)]
pub struct Desk {
    seat: Option<(Vec<u8>, Box<dyn Seat>)>,
}

/// A search board of some rules, with the position of a search on it. `job` is what follows the
/// brief.
trait Seat: Send {
    fn perform(&mut self, job: &[u8], watch: Watch) -> Result<Option<Done>, Malformed>;
    fn claim(&self, job: &[u8]) -> Result<Claim, Malformed>;
    fn won(
        &self,
        key: &[u8],
        certificate: &[u8],
        certified: &Certified,
    ) -> Result<Vec<u8>, Malformed>;
    fn told(&self, key: &[u8], job: &[u8], told: &[u8]) -> Result<Vec<u8>, Malformed>;
}

/// Is told the nodes of a job, and the replies that could not be solved; ends it by returning true.
type Watch<'a> = &'a mut dyn FnMut(u64, Option<Vec<u8>>) -> bool;

impl Desk {
    /// Does the job of a body. `watch` is told its nodes now and then, and each reply that a
    /// verification could not solve; if it returns true the job ends without an answer.
    pub fn perform(&mut self, body: &[u8], watch: Watch) -> Result<Option<Done>, Malformed> {
        let (seat, rest) = self.seat(body)?;
        seat.perform(rest, watch)
    }

    /// The claim that a certificate must prove to be an answer to the job of a key.
    pub fn claim(&mut self, key: &[u8]) -> Result<Claim, Malformed> {
        let (seat, rest) = self.seat(key)?;
        seat.claim(rest)
    }

    /// The record of a job that is won, by a certificate of its claim that the checker has
    /// accepted.
    pub fn won(
        &mut self,
        key: &[u8],
        certificate: &[u8],
        certified: &Certified,
    ) -> Result<Vec<u8>, Malformed> {
        let (seat, _) = self.seat(key)?;
        seat.won(key, certificate, certified)
    }

    /// The record of any other answer. It is believed to be honest: a lie costs time, and cannot
    /// make a proof.
    pub fn told(&mut self, key: &[u8], told: &[u8]) -> Result<Vec<u8>, Malformed> {
        let (seat, rest) = self.seat(key)?;
        seat.told(key, rest, told)
    }

    /// The seat for the brief at the beginning of some bytes, and the other bytes.
    fn seat<'s, 'b>(
        &'s mut self,
        bytes: &'b [u8],
    ) -> Result<(&'s mut dyn Seat, &'b [u8]), Malformed> {
        let known = self.seat.as_ref().map(|(brief, _)| brief.len());
        let is_same = self.seat.as_ref().is_some_and(|(brief, _)| bytes.starts_with(brief));
        let length = match known.filter(|_| is_same) {
            Some(length) => length,
            None => {
                let (brief, own, _) = body::read_brief(bytes).ok_or(NO_JOB)?;
                self.seat = Some((own.to_vec(), seat(brief).ok_or(NO_JOB)?));
                own.len()
            }
        };
        let (_, seat) = self.seat.as_mut().expect("just set");
        Ok((&mut **seat, &bytes[length..]))
    }
}

/// A seat made for the rules of a game. `None` if the stones do not fit on a search board.
fn seat(brief: Brief) -> Option<Box<dyn Seat>> {
    fn boxed<R: Rules + 'static>(brief: Brief, rules: R) -> Option<Box<dyn Seat>> {
        let (arena, board) = Arena::set_up(&brief.claim.position, brief.claim.attacker, rules)?;
        let stones = brief.claim.position.left();
        let worker = Worker::new(board, brief.limits(), brief.switches, stones);
        Some(Box::new(Taken { arena, worker, claim: brief.claim }))
    }
    let game = brief.claim.position.game();
    match (game.k(), game.p(), game.exact()) {
        (6, 2, false) => boxed(brief, Connect6),
        (5, 1, false) => boxed(brief, GoMoku),
        _ => boxed(brief, General::new(game)),
    }
}

/// A seat that is taken.
struct Taken<R> {
    arena: Arena,
    worker: Worker<R>,
    claim: Claim,
}

impl<R: Rules> Taken<R> {
    fn board(&self) -> &Board<R> {
        &self.worker.board
    }

    /// The moves of a job, and whether it is a verification.
    fn path(&self, job: &[u8]) -> Result<(Vec<Vec<Sq>>, bool), Malformed> {
        body::read_path(job, self.board().geometry.area()).ok_or(NO_JOB)
    }

    /// The position that is won if a job of these moves is: a verification is about the position
    /// before the move that it verifies.
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

    /// The zone that the checker tells, on the search board.
    fn zone(&self, certificate: &[u8], certified: &Certified) -> Option<Zone> {
        let zone = sixproof_certificate::Zone::of(certified, certificate)?;
        Some(Zone::told(self.board(), self.worker.levels(), &self.arena, &zone))
    }

    fn index(&self, squares: &[Square]) -> Result<Vec<Sq>, Malformed> {
        squares.iter().map(|&square| self.arena.index(square).ok_or(NO_PROOF)).collect()
    }
}

impl<R: Rules> Seat for Taken<R> {
    fn perform(&mut self, job: &[u8], watch: Watch) -> Result<Option<Done>, Malformed> {
        let levels = self.worker.levels();
        let (hints, job) = body::read_job(job, self.board(), levels).ok_or(NO_JOB)?;
        self.worker.set_hints(hints);
        let mut nodes = 0;
        let answer = self.worker.perform(&job, &mut |word| match word {
            Word::Nodes(own) => {
                nodes = own;
                watch(nodes, None)
            }
            Word::Unsolved(reply) => watch(nodes, Some(body::write_reply(reply))),
        });
        let nodes = std::mem::take(&mut self.worker.counts).nodes;
        let Some(answer) = answer else { return Ok(None) };
        let found = match answer {
            Answer::Won(won) => {
                let is_verification = matches!(job.work, Work::Verify { .. });
                let claim = self.claim_after(&job.path, is_verification)?;
                Found::Certificate(won.proof.certificate(&claim, &self.arena).0)
            }
            other => {
                let mut words = Vec::new();
                codec::put_answer(&mut words, &other);
                Found::Told(to_bytes(&words))
            }
        };
        Ok(Some(Done { nodes, found }))
    }

    fn claim(&self, job: &[u8]) -> Result<Claim, Malformed> {
        let (path, is_verification) = self.path(job)?;
        self.claim_after(&path, is_verification)
    }

    fn won(
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
        // Counts that do not fit into a word make another proof.
        let area = self.board().geometry.area();
        let proof = Proof::from_words(proof.words().to_vec(), area).ok_or(NO_PROOF)?;
        let zone = self.zone(certificate, certified).ok_or(NO_PROOF)?;
        let won = Won { proof: Arc::new(proof), zone: Arc::new(zone) };
        Ok(codec::encode(key, &Answer::Won(won), 0))
    }

    fn told(&self, key: &[u8], job: &[u8], told: &[u8]) -> Result<Vec<u8>, Malformed> {
        let (path, is_verification) = self.path(job)?;
        let words = to_words(told).ok_or(NO_ANSWER)?;
        let answer = codec::answer(&words, self.board(), self.worker.levels()).ok_or(NO_ANSWER)?;
        // A win is told by its certificate alone.
        let work = match &answer {
            Answer::Won(_) => return Err(NO_ANSWER),
            Answer::Listed(_) => Work::List { first: Vec::new() },
            _ if is_verification => Work::Verify {
                order: 0,
                budget: Budget { reply_nodes: 0, forced: [0; 2], answer_order: 0 },
                given: Vec::new(),
                hopeless: Vec::new(),
                unsolved_max: 0,
            },
            _ => Work::Solve { order: 0, nodes: 0 },
        };
        match self.worker.fits(&Job { path, work }, &answer) {
            true => Ok(codec::encode(key, &answer, 0)),
            false => Err(NO_ANSWER),
        }
    }
}
