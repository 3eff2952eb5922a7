//! Jobs and answers as bytes, for journals.
//!
//! A job's bytes are a key: all that the answer depends on, and nothing else. (The key leaves hints
//! out: a user who adds one does not want to start again.) It names won replies by hashes of their
//! proofs. The reader ignores an answer that it cannot read or that belongs to another job. Answers
//! are untrusted like everything in this crate: the checker reads the whole proof in the end.

use std::sync::Arc;

use sixproof_game::repeatable::mix;

use crate::board::{Board, Rules, Sq};
use crate::proof::Proof;
use crate::tree::{Given, Won};
use crate::zone::Zone;

use super::{Job, JobAnswer, Task};

/// Version of keys and answers; it changes whenever the same key may have another answer.
const VERSION: u16 = 3;

/// Offset of the kind in the bytes of an answer, behind checksum and cost; and the kind of a win.
pub(super) const ANSWER_AT: usize = 16;
pub(super) const WON: u16 = 3;

/// The kinds of work.
pub(super) const SOLVE: u16 = 1;
pub(super) const VERIFY: u16 = 2;
pub(super) const LIST: u16 = 3;

/// The key of a job; `ways` are the switches that its answer depends on.
pub(super) fn key(job: &Job, ways: u16) -> Vec<u8> {
    let mut words: Vec<u16> = vec![VERSION, ways];
    put_job(&mut words, job, |words, given| {
        for given in given {
            put_list(words, &given.reply);
            put_long(words, hash(given.won.proof.words().iter().copied()));
        }
    });
    to_bytes(&words)
}

/// Appends the words of a job; `put_given` appends those of the won replies.
pub(super) fn put_job(
    words: &mut Vec<u16>,
    job: &Job,
    put_given: impl FnOnce(&mut Vec<u16>, &[Given]),
) {
    put_lists(words, &job.path);
    match &job.work {
        Task::List { first } => {
            words.push(LIST);
            put_lists(words, first);
        }
        Task::Solve { order, nodes } => {
            words.extend([SOLVE, *order as u16]);
            put_long(words, *nodes);
        }
        Task::Verify { order, budget, given, hopeless, unsolved_max } => {
            words.extend([VERIFY, *order as u16, budget.answer_order as u16]);
            for number in [budget.reply_nodes, budget.forced[0], budget.forced[1]] {
                put_long(words, number);
            }
            put_long(words, *unsolved_max as u64);
            put_lists(words, hopeless);
            put_given(words, given);
        }
    }
}

/// The answer to the job of a key as bytes: a checksum, its cost in nodes, the answer.
pub(super) fn encode(key: &[u8], answer: &JobAnswer, cost: u64) -> Vec<u8> {
    let mut words: Vec<u16> = Vec::new();
    put_long(&mut words, cost);
    put_answer(&mut words, answer);
    let mut whole = Vec::new();
    put_long(&mut whole, checksum(key, &words));
    whole.append(&mut words);
    to_bytes(&whole)
}

/// Appends the words of an answer.
pub(super) fn put_answer(words: &mut Vec<u16>, answer: &JobAnswer) {
    match answer {
        JobAnswer::Unknown => words.push(0),
        JobAnswer::Refuted => words.push(1),
        JobAnswer::Unsolved { replies, complete, forcing } => {
            words.extend([2, u16::from(*complete), u16::from(*forcing)]);
            put_lists(words, replies);
        }
        JobAnswer::Won(won) => {
            words.push(WON);
            put_won(words, won);
        }
        JobAnswer::Listed(list) => {
            words.push(4);
            put_lists(words, list);
        }
    }
}

/// Appends the zone and the words of a proof, each after its length.
pub(super) fn put_won(words: &mut Vec<u16>, won: &Won) {
    let zone = won.zone.words();
    put_long(words, zone.len() as u64);
    zone.into_iter().for_each(|word| put_long(words, word));
    put_long(words, won.proof.words().len() as u64);
    words.extend_from_slice(won.proof.words());
}

/// Reads a proof, on a board whose zones have `levels` levels.
pub(super) fn take_won<R: Rules>(
    rest: &mut &[u16],
    board: &Board<R>,
    levels: usize,
) -> Option<Won> {
    let count = usize::try_from(take_long(rest)?).ok()?;
    if count > rest.len() / 4 {
        return None;
    }
    let zone: Vec<u64> = (0..count).map(|_| take_long(rest)).collect::<Option<_>>()?;
    let zone = Arc::new(Zone::from_words(board, levels, &zone)?);
    let count = usize::try_from(take_long(rest)?).ok()?;
    let (words, more) = rest.split_at_checked(count)?;
    *rest = more;
    let proof = Proof::from_words(words.to_vec(), board.geometry.area())?;
    Some(Won { proof: Arc::new(proof), zone })
}

/// Reads the answer to the job of a key, and its cost; `None` if the bytes are not one.
pub(super) fn decode<R: Rules>(
    key: &[u8],
    bytes: &[u8],
    board: &Board<R>,
    levels: usize,
) -> Option<(JobAnswer, u64)> {
    let words = to_words(bytes)?;
    let mut rest = &words[..];
    if take_long(&mut rest)? != checksum(key, rest) {
        return None;
    }
    let cost = take_long(&mut rest)?;
    Some((answer(rest, board, levels)?, cost))
}

/// Reads an answer that takes up all the words.
pub(super) fn answer<R: Rules>(
    mut rest: &[u16],
    board: &Board<R>,
    levels: usize,
) -> Option<JobAnswer> {
    let area = board.geometry.area();
    let answer = match take(&mut rest)? {
        0 => JobAnswer::Unknown,
        1 => JobAnswer::Refuted,
        2 => {
            let (complete, forcing) = (take(&mut rest)? == 1, take(&mut rest)? == 1);
            let replies = take_lists(&mut rest, area)?;
            JobAnswer::Unsolved { replies, complete, forcing }
        }
        WON => JobAnswer::Won(take_won(&mut rest, board, levels)?),
        4 => JobAnswer::Listed(take_lists(&mut rest, area)?),
        _ => return None,
    };
    rest.is_empty().then_some(answer)
}

/// A number that depends on the key and on all words.
fn checksum(key: &[u8], words: &[u16]) -> u64 {
    hash(key.iter().map(|&byte| u16::from(byte)).chain(words.iter().copied()))
}

fn hash(words: impl Iterator<Item = u16>) -> u64 {
    words.fold(0, |hash, word| {
        let mut seed = hash ^ u64::from(word);
        mix(&mut seed)
    })
}

/// Words as bytes.
pub(super) fn to_bytes(words: &[u16]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Bytes as words; `None` if their number is odd.
pub(super) fn to_words(bytes: &[u8]) -> Option<Vec<u16>> {
    let (pairs, []) = bytes.as_chunks::<2>() else { return None };
    Some(pairs.iter().map(|&pair| u16::from_le_bytes(pair)).collect())
}

pub(super) fn put_long(words: &mut Vec<u16>, number: u64) {
    words.extend((0..4).map(|index| (number >> (16 * index)) as u16));
}

pub(super) fn put_list(words: &mut Vec<u16>, squares: &[Sq]) {
    words.push(squares.len() as u16);
    words.extend_from_slice(squares);
}

pub(super) fn put_lists(words: &mut Vec<u16>, lists: &[Vec<Sq>]) {
    words.push(lists.len() as u16);
    lists.iter().for_each(|list| put_list(words, list));
}

pub(super) fn take(rest: &mut &[u16]) -> Option<u16> {
    let (&first, more) = rest.split_first()?;
    *rest = more;
    Some(first)
}

pub(super) fn take_long(rest: &mut &[u16]) -> Option<u64> {
    (0..4).try_fold(0, |number, index| Some(number | u64::from(take(rest)?) << (16 * index)))
}

pub(super) fn take_lists(rest: &mut &[u16], area: usize) -> Option<Vec<Vec<Sq>>> {
    let count = take(rest)?;
    (0..count).map(|_| take_list(rest, area)).collect()
}

pub(super) fn take_list(rest: &mut &[u16], area: usize) -> Option<Vec<Sq>> {
    let length = usize::from(take(rest)?);
    let (list, more) = rest.split_at_checked(length)?;
    *rest = more;
    list.iter().all(|&square| usize::from(square) < area).then(|| list.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Connect6;

    /// Reading back gives the same bytes, and no bytes cause a panic.
    #[test]
    fn answers_survive_and_noise_is_refused() {
        let board = Board::with_ring(Connect6, 9, 9, 0);
        let mut proof = Proof::default();
        proof.push(crate::proof::Part::Win(&[3, 4]));
        let won = Won { proof: Arc::new(proof), zone: Arc::new(Zone::new(&board, 3)) };
        let replies = vec![vec![1, 2], vec![80]];
        let answers = [
            JobAnswer::Unknown,
            JobAnswer::Refuted,
            JobAnswer::Unsolved { replies, complete: true, forcing: false },
            JobAnswer::Won(won),
            JobAnswer::Listed(vec![vec![5, 6], vec![7, 8]]),
        ];
        let (key, mut seed) = (b"a job", 1);
        for answer in answers {
            let bytes = encode(key, &answer, 77);
            let (again, cost) = decode(key, &bytes, &board, 3).expect("it was just written");
            assert_eq!(encode(key, &again, cost), bytes);
            assert_eq!(cost, 77);
            let is_won = matches!(answer, JobAnswer::Won(_));
            assert_eq!(super::super::is_proof(&bytes), is_won);
            assert!(decode(b"another", &bytes, &board, 3).is_none());
            for _ in 0..2_000 {
                let mut noisy = bytes.clone();
                let at = mix(&mut seed) as usize % noisy.len();
                noisy[at] = mix(&mut seed) as u8;
                noisy.truncate(1 + mix(&mut seed) as usize % noisy.len());
                assert!(noisy == bytes || decode(key, &noisy, &board, 3).is_none());
                // Bytes with a valid checksum may be nonsense, too.
                if let Some((_, noisy)) = noisy.split_at_checked(16) {
                    let even = &noisy[..noisy.len() & !1];
                    let _ = super::answer(&to_words(even).unwrap(), &board, 3);
                }
            }
            assert!(decode(key, &bytes[..bytes.len() - 1], &board, 3).is_none());
        }
    }
}
