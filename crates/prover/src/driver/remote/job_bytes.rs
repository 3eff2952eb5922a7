//! The bytes of a job.
//!
//! First comes the *header*, which all jobs of a search share: the claim as the head of a
//! certificate, and the switches of the search. Hints and the job follow. A key is the same without
//! the hints and without the proofs of won replies, which it names by hashes. Any bytes give either
//! a valid job or `None`.

use std::collections::BTreeSet;

use crate::board::{Board, Rules, Sq};
use crate::tree::{Given, Limits};
use sixproof_certificate::{Claim, Reader, Writer};

use super::super::codec::{
    LIST, SOLVE, VERIFY, put_job, put_list, put_long, put_won, take, take_list, take_lists,
    take_long, take_won, to_bytes, to_words,
};
use super::super::{Budget, Job, Switches, Task, Worker};

/// The highest order of a strategy.
const ORDER_MAX: u16 = 64;

/// What all jobs of a search have in common.
pub(super) struct SearchHeader {
    pub(super) claim: Claim,
    pub(super) order: u32,
    pub(super) mutual: bool,
    pub(super) grouped: bool,
    pub(super) switches: Switches,
}

impl SearchHeader {
    /// The limits of all jobs of the search.
    pub(super) fn limits(&self) -> Limits {
        let (mutual, grouped) = (self.mutual, self.grouped);
        Limits { mutual, grouped, ..Limits::new(self.order, u64::MAX) }
    }
}

/// The header of a search as bytes: the length of the claim, the claim, then words.
pub(super) fn search_header<R: Rules>(claim: &Claim, worker: &Worker<R>) -> Vec<u8> {
    let mut text = Vec::new();
    Writer::new(&mut text, claim).expect("memory takes all");
    // Words follow at an even offset.
    text.resize(text.len().next_multiple_of(2), b' ');
    let Switches { dual, posthoc, mirrored, reuse, winners, screening } = worker.switches;
    let Limits { mutual, grouped, .. } = worker.limits;
    let bits = [mutual, grouped, dual, posthoc, mirrored, reuse, winners, screening];
    let bits = bits.into_iter().fold(0, |word, bit| word << 1 | u16::from(bit));
    let mut bytes = (text.len() as u32).to_le_bytes().to_vec();
    bytes.append(&mut text);
    bytes.extend(to_bytes(&[worker.limits.levels as u16, bits]));
    bytes
}

/// The body of a job: all that a worker needs to do it.
pub(super) fn job_body<R: Rules>(header: &[u8], worker: &Worker<R>, job: &Job) -> Vec<u8> {
    let mut words = Vec::new();
    put_long(&mut words, worker.hints.len() as u64);
    for (key, squares) in &worker.hints {
        put_long(&mut words, *key);
        put_list(&mut words, squares);
    }
    put_job(&mut words, job, |words, given| {
        put_long(words, given.len() as u64);
        for given in given {
            put_list(words, &given.reply);
            put_won(words, &given.won);
        }
    });
    [header, &to_bytes(&words)].concat()
}

/// Reads the header of a key or a body; also its bytes and the remaining bytes.
pub(super) fn read_header(bytes: &[u8]) -> Option<(SearchHeader, &[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let (text, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    let (words, rest) = rest.split_at_checked(4)?;
    let words = to_words(words)?;
    let claim = Reader::new(text).ok()?.claim().clone();
    let order = u32::from(Some(words[0]).filter(|order| (2..=ORDER_MAX).contains(order))?);
    let bit = |index: u32| words[1] >> (7 - index) & 1 == 1;
    let switches = Switches {
        dual: bit(2),
        posthoc: bit(3),
        mirrored: bit(4),
        reuse: bit(5),
        winners: bit(6),
        screening: bit(7),
    };
    let header = SearchHeader { claim, order, mutual: bit(0), grouped: bit(1), switches };
    Some((header, &bytes[..bytes.len() - rest.len()], rest))
}

/// Hints of a body: keys of positions, and the moves to try first there.
pub(super) type Hints = Vec<(u64, Vec<Sq>)>;

/// Reads the hints and the job behind the header of a body; `board` has the position of the claim.
pub(super) fn read_job<R: Rules>(
    bytes: &[u8],
    board: &Board<R>,
    levels: usize,
) -> Option<(Hints, Job)> {
    let words = to_words(bytes)?;
    let mut rest = &words[..];
    let area = board.geometry.area();
    let count = take_long(&mut rest)?;
    let mut hints = Vec::new();
    for _ in 0..count {
        let key = take_long(&mut rest)?;
        hints.push((key, take_list(&mut rest, area)?));
    }
    let path = take_lists(&mut rest, area)?;
    let mut taken = BTreeSet::new();
    let mut is_free =
        |squares: &[Sq]| squares.iter().all(|&s| board.is_empty(s) && taken.insert(s));
    if !path.iter().all(|squares| is_free(squares)) {
        return None;
    }
    let kind = take(&mut rest)?;
    // Attacker moves first, or a move without stones stands for that move.
    if path.len().is_multiple_of(2) == (kind == VERIFY) {
        return None;
    }
    let take_order = |rest: &mut &[u16]| {
        Some(u32::from(take(rest).filter(|order| (1..=ORDER_MAX).contains(order))?))
    };
    let work = match kind {
        SOLVE => {
            let order = take_order(&mut rest)?;
            Task::Solve { order, nodes: take_long(&mut rest)? }
        }
        LIST => Task::List { first: take_lists(&mut rest, area)? },
        VERIFY => {
            let (order, answer_order) = (take_order(&mut rest)?, take_order(&mut rest)?);
            let reply_nodes = take_long(&mut rest)?;
            let forced = [take_long(&mut rest)?, take_long(&mut rest)?];
            let budget = Budget { reply_nodes, forced, answer_order };
            let unsolved_max = usize::try_from(take_long(&mut rest)?).ok()?;
            let hopeless = take_lists(&mut rest, area)?;
            let count = take_long(&mut rest)?;
            let mut given = Vec::new();
            for _ in 0..count {
                let reply = take_list(&mut rest, area)?;
                given.push(Given { reply, won: take_won(&mut rest, board, levels)? });
            }
            let replies = given.iter().map(|given| &given.reply).chain(&hopeless);
            let mut free = replies.map(|reply| is_reply(board, &taken, reply));
            if !free.all(|is_free| is_free) {
                return None;
            }
            Task::Verify { order, budget, given, hopeless, unsolved_max }
        }
        _ => return None,
    };
    rest.is_empty().then_some((hints, Job { path, work }))
}

/// Whether stones can be placed on these squares after a path that took `taken`.
fn is_reply<R: Rules>(board: &Board<R>, taken: &BTreeSet<Sq>, reply: &[Sq]) -> bool {
    let is_ascending = reply.windows(2).all(|pair| pair[0] < pair[1]);
    is_ascending && reply.iter().all(|square| board.is_empty(*square) && !taken.contains(square))
}

/// Reads the moves of a job, and whether it is a verification, behind the header of its key.
pub(super) fn read_path(bytes: &[u8], area: usize) -> Option<(Vec<Vec<Sq>>, bool)> {
    let words = to_words(bytes)?;
    let mut rest = words.get(2..)?;
    let path = take_lists(&mut rest, area)?;
    Some((path, take(&mut rest)? == VERIFY))
}

/// A reply as bytes, as a running verification reports it.
pub(super) fn write_reply(reply: &[Sq]) -> Vec<u8> {
    let mut words = Vec::new();
    put_list(&mut words, reply);
    to_bytes(&words)
}

/// Reads replies, one after the other.
pub(super) fn read_replies(bytes: &[u8], area: usize) -> Option<Vec<Vec<Sq>>> {
    let words = to_words(bytes)?;
    let mut rest = &words[..];
    let mut replies = Vec::new();
    while !rest.is_empty() {
        replies.push(take_list(&mut rest, area)?);
    }
    Some(replies)
}
