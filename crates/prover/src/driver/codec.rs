//! Jobs and answers as bytes, for those who remember them.
//!
//! A job's bytes are a key: what the answer depends on, and nothing else. An answer that cannot be
//! read is as good as none; what it claims is believed no more than anything else in this crate,
//! since the checker sees the whole proof in the end.

use std::sync::Arc;

use crate::board::{Board, Rules, Sq, mix};
use crate::proof::Proof;
use crate::tree::Won;
use crate::zone::Zone;

use super::{Answer, Job, Work};

/// Changes whenever a job of the same bytes may have another answer.
const VERSION: u16 = 1;

/// The bytes that stand for a job; `None` for one that is not worth remembering.
pub(super) fn key(job: &Job) -> Option<Vec<u8>> {
    let mut words: Vec<u16> = vec![VERSION];
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
                let mut seed = 0;
                let hash = given.won.proof.words().iter().fold(0u64, |hash, &word| {
                    seed = hash ^ u64::from(word);
                    mix(&mut seed)
                });
                put_long(&mut words, hash);
            }
        }
    }
    Some(words.iter().flat_map(|word| word.to_le_bytes()).collect())
}

/// An answer as bytes.
pub(super) fn encode(answer: &Answer) -> Option<Vec<u8>> {
    let mut words: Vec<u16> = Vec::new();
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
    Some(words.iter().flat_map(|word| word.to_le_bytes()).collect())
}

/// The answer that bytes stand for, if they do.
pub(super) fn decode<R: Rules>(bytes: &[u8], board: &Board<R>, levels: usize) -> Option<Answer> {
    let (pairs, []) = bytes.as_chunks::<2>() else { return None };
    let words: Vec<u16> = pairs.iter().map(|&pair| u16::from_le_bytes(pair)).collect();
    let mut rest = &words[..];
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
        let mut seed = 1;
        for answer in answers {
            let bytes = encode(&answer).unwrap();
            let again = decode(&bytes, &board, 3).expect("it was just written");
            assert_eq!(encode(&again).unwrap(), bytes);
            for _ in 0..2_000 {
                let mut noisy = bytes.clone();
                let at = mix(&mut seed) as usize % noisy.len();
                noisy[at] = mix(&mut seed) as u8;
                noisy.truncate(1 + mix(&mut seed) as usize % noisy.len());
                let _ = decode(&noisy, &board, 3);
            }
            assert!(decode(&bytes[..bytes.len() - 1], &board, 3).is_none());
        }
    }
}
