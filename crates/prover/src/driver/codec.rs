//! Jobs and answers as bytes, for those who remember them.
//!
//! A job's bytes are a key: what the answer depends on, and nothing else. (Hints are left out: who
//! adds one does not want to begin anew.) An answer that cannot be read, or belongs to another job,
//! is as good as none; what it claims is believed no more than anything else in this crate, since
//! the checker sees the whole proof in the end.

use std::sync::Arc;

use crate::board::{Board, Rules, Sq, mix};
use crate::proof::Proof;
use crate::tree::Won;
use crate::zone::Zone;

use super::{Answer, Job, Work};

/// Changes whenever a job of the same bytes may have another answer.
const VERSION: u16 = 2;

/// The bytes that stand for a job, done in one of several `ways`; `None` for one that is not worth
/// remembering.
pub(super) fn key(job: &Job, ways: u16) -> Option<Vec<u8>> {
    let mut words: Vec<u16> = vec![VERSION, ways];
    put_lists(&mut words, &job.path);
    match &job.work {
        Work::List { .. } => return None,
        Work::Solve { order, nodes } => {
            words.extend([1, *order as u16]);
            put_long(&mut words, *nodes);
        }
        Work::Verify { order, budget, given, hopeless, unsolved_max } => {
            words.extend([2, *order as u16, budget.answer_order as u16]);
            for number in [budget.reply_nodes, budget.forced[0], budget.forced[1]] {
                put_long(&mut words, number);
            }
            put_long(&mut words, *unsolved_max as u64);
            put_lists(&mut words, hopeless);
            for given in given {
                put_list(&mut words, &given.reply);
                put_long(&mut words, hash(given.won.proof.words().iter().copied()));
            }
        }
    }
    Some(to_bytes(&words))
}

/// The answer to the job of a key as bytes, with the nodes that it cost; before them a number by
/// which damage is noticed.
pub(super) fn encode(key: &[u8], answer: &Answer, cost: u64) -> Option<Vec<u8>> {
    let mut words: Vec<u16> = Vec::new();
    put_long(&mut words, cost);
    match answer {
        Answer::Listed(_) => return None,
        Answer::Unknown => words.push(0),
        Answer::Refuted => words.push(1),
        Answer::Unsolved { replies, complete, forcing } => {
            words.extend([2, u16::from(*complete), u16::from(*forcing)]);
            put_lists(&mut words, replies);
        }
        Answer::Won(won) => {
            words.push(3);
            let zone = won.zone.words();
            put_long(&mut words, zone.len() as u64);
            zone.into_iter().for_each(|word| put_long(&mut words, word));
            words.extend_from_slice(won.proof.words());
        }
    }
    let mut sealed = Vec::new();
    put_long(&mut sealed, seal(key, &words));
    sealed.append(&mut words);
    Some(to_bytes(&sealed))
}

/// The answer to the job of a key that bytes stand for, if they do, and what it cost.
pub(super) fn decode<R: Rules>(
    key: &[u8],
    bytes: &[u8],
    board: &Board<R>,
    levels: usize,
) -> Option<(Answer, u64)> {
    let (pairs, []) = bytes.as_chunks::<2>() else { return None };
    let words: Vec<u16> = pairs.iter().map(|&pair| u16::from_le_bytes(pair)).collect();
    let mut rest = &words[..];
    if take_long(&mut rest)? != seal(key, rest) {
        return None;
    }
    let cost = take_long(&mut rest)?;
    Some((answer(rest, board, levels)?, cost))
}

fn answer<R: Rules>(mut rest: &[u16], board: &Board<R>, levels: usize) -> Option<Answer> {
    let area = board.geometry.area();
    match take(&mut rest)? {
        0 => Some(Answer::Unknown),
        1 => Some(Answer::Refuted),
        2 => {
            let (complete, forcing) = (take(&mut rest)? == 1, take(&mut rest)? == 1);
            let replies = take_lists(&mut rest, area)?;
            Some(Answer::Unsolved { replies, complete, forcing })
        }
        3 => {
            let count = usize::try_from(take_long(&mut rest)?).ok()?;
            if count > rest.len() / 4 {
                return None;
            }
            let zone: Vec<u64> = (0..count).map(|_| take_long(&mut rest)).collect::<Option<_>>()?;
            let zone = Arc::new(Zone::from_words(board, levels, &zone)?);
            let proof = Arc::new(Proof::from_words(rest.to_vec(), area)?);
            Some(Answer::Won(Won { proof, zone }))
        }
        _ => None,
    }
}

/// A number that depends on the key and on all words.
fn seal(key: &[u8], words: &[u16]) -> u64 {
    hash(key.iter().map(|&byte| u16::from(byte)).chain(words.iter().copied()))
}

fn hash(words: impl Iterator<Item = u16>) -> u64 {
    words.fold(0, |hash, word| {
        let mut seed = hash ^ u64::from(word);
        mix(&mut seed)
    })
}

fn to_bytes(words: &[u16]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn put_long(words: &mut Vec<u16>, number: u64) {
    words.extend((0..4).map(|index| (number >> (16 * index)) as u16));
}

fn put_list(words: &mut Vec<u16>, squares: &[Sq]) {
    words.push(squares.len() as u16);
    words.extend_from_slice(squares);
}

fn put_lists(words: &mut Vec<u16>, lists: &[Vec<Sq>]) {
    words.push(lists.len() as u16);
    lists.iter().for_each(|list| put_list(words, list));
}

fn take(rest: &mut &[u16]) -> Option<u16> {
    let (&first, more) = rest.split_first()?;
    *rest = more;
    Some(first)
}

fn take_long(rest: &mut &[u16]) -> Option<u64> {
    (0..4).try_fold(0, |number, index| Some(number | u64::from(take(rest)?) << (16 * index)))
}

fn take_lists(rest: &mut &[u16], area: usize) -> Option<Vec<Vec<Sq>>> {
    let count = take(rest)?;
    (0..count)
        .map(|_| {
            let length = usize::from(take(rest)?);
            let (list, more) = rest.split_at_checked(length)?;
            *rest = more;
            list.iter().all(|&square| usize::from(square) < area).then(|| list.to_vec())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Connect6;

    /// Reading back gives the same bytes, and no bytes make it panic.
    #[test]
    fn answers_survive_and_noise_is_refused() {
        let board = Board::with_ring(Connect6, 9, 9, 0);
        let mut proof = Proof::default();
        proof.push(crate::proof::Part::Win(&[3, 4]));
        let won = Won { proof: Arc::new(proof), zone: Arc::new(Zone::new(&board, 3)) };
        let replies = vec![vec![1, 2], vec![80]];
        let answers = [
            Answer::Unknown,
            Answer::Refuted,
            Answer::Unsolved { replies, complete: true, forcing: false },
            Answer::Won(won),
        ];
        let (key, mut seed) = (b"a job", 1);
        for answer in answers {
            let bytes = encode(key, &answer, 77).unwrap();
            let (again, cost) = decode(key, &bytes, &board, 3).expect("it was just written");
            assert_eq!(encode(key, &again, cost).unwrap(), bytes);
            assert_eq!(cost, 77);
            assert!(decode(b"another", &bytes, &board, 3).is_none());
            for _ in 0..2_000 {
                let mut noisy = bytes.clone();
                let at = mix(&mut seed) as usize % noisy.len();
                noisy[at] = mix(&mut seed) as u8;
                noisy.truncate(1 + mix(&mut seed) as usize % noisy.len());
                assert!(noisy == bytes || decode(key, &noisy, &board, 3).is_none());
                // What is sealed may be nonsense, too.
                if let Some((_, noisy)) = noisy.split_at_checked(16) {
                    let words = noisy.chunks_exact(2).map(|p| u16::from_le_bytes([p[0], p[1]]));
                    let _ = super::answer(&words.collect::<Vec<_>>(), &board, 3);
                }
            }
            assert!(decode(key, &bytes[..bytes.len() - 1], &board, 3).is_none());
        }
    }
}
