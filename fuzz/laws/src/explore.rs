//! A fuzzer that is always at hand: mutants of the seeds, the same ones every time.
//!
//! It does not know the coverage, and so finds less than libFuzzer in the same time. But it needs
//! no tool, runs in every `cargo test`, and a failure is a law, a number and a commit.

use std::panic;

use sixproof_oracle::random::Random;

use crate::Law;

/// The length of the longest mutant.
const BYTES_MAX: usize = 8 << 10;
/// The most changes of one mutant.
const CHANGES_MAX: usize = 6;
/// The number of times that shrinking tries to leave something out.
const SHRINK_STEPS_MAX: usize = 20_000;

/// Bytes that break a law.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The number of the case, from 0: the seeds as they are, then their mutants.
    pub case: u64,
    /// The bytes.
    pub input: Vec<u8>,
    /// The complaint of the law.
    pub message: String,
}

/// Tries a law on the seeds and then on mutants of them, while `go_on` agrees to the number of
/// cases so far. Returns the number of cases, or the first failure.
pub fn explore(
    law: &Law,
    seeds: &[Vec<u8>],
    mut go_on: impl FnMut(u64) -> bool,
) -> Result<u64, Failure> {
    let mut case = 0;
    while go_on(case) {
        let input = input(law, seeds, case);
        if let Some(message) = broken(law, &input) {
            return Err(Failure { case, input, message });
        }
        case += 1;
    }
    Ok(case)
}

/// The complaint of a law, if these bytes break it.
pub fn broken(law: &Law, input: &[u8]) -> Option<String> {
    let payload = panic::catch_unwind(|| (law.run)(input)).err()?;
    let text = payload.downcast_ref::<&str>().map(|text| text.to_string());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
    Some(text.unwrap_or_else(|| "a panic without words".to_string()))
}

/// A shorter input that breaks the law, too: parts are left out as long as it does.
pub fn shrink(law: &Law, input: &[u8]) -> Vec<u8> {
    let mut best = input.to_vec();
    let (mut len, mut steps) = (best.len() / 2, 0);
    while len > 0 {
        let (mut at, before) = (0, best.len());
        while at < best.len() && steps < SHRINK_STEPS_MAX {
            let end = (at + len).min(best.len());
            let shorter = [&best[..at], &best[end..]].concat();
            steps += 1;
            if broken(law, &shorter).is_some() { best = shorter } else { at = end }
        }
        // A pass over single bytes is repeated until it finds nothing to leave out.
        if len > 1 || best.len() == before {
            len /= 2;
        }
    }
    best
}

/// The input of a case.
pub fn input(law: &Law, seeds: &[Vec<u8>], case: u64) -> Vec<u8> {
    if let Some(seed) = seeds.get(case as usize) {
        return seed.clone();
    }
    let mut random = Random(case);
    let mut bytes = match seeds {
        [] => random_bytes(&mut random, 256),
        _ => random.pick(seeds).clone(),
    };
    for _ in 0..1 + random.below(CHANGES_MAX) {
        change(&mut bytes, law, seeds, &mut random);
    }
    bytes.truncate(BYTES_MAX);
    bytes
}

fn random_bytes(random: &mut Random, most: usize) -> Vec<u8> {
    let len = random.below(most + 1);
    (0..len).map(|_| random.bits() as u8).collect()
}

/// One change: bits, bytes, chunks, words of the law, or pieces of other seeds.
fn change(bytes: &mut Vec<u8>, law: &Law, seeds: &[Vec<u8>], random: &mut Random) {
    let at = random.below(bytes.len() + 1);
    let longest = 1 + random.below(32);
    let end = (at + random.below(longest + 1)).min(bytes.len());
    match random.below(9) {
        0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
        1 if at < bytes.len() => bytes[at] = random.bits() as u8,
        // Numbers often go wrong at digits.
        2 if at < bytes.len() => bytes[at] = b'0' + random.below(10) as u8,
        3 => bytes.insert(at, random.bits() as u8),
        4 => drop(bytes.drain(at..end)),
        5 => {
            let copy = bytes[at..end].to_vec();
            let to = random.below(bytes.len() + 1);
            bytes.splice(to..to, copy);
        }
        6 if !seeds.is_empty() => {
            let other = random.pick(seeds);
            let from = random.below(other.len() + 1);
            let len = random.below(other.len() - from + 1);
            bytes.splice(at..end, other[from..from + len].iter().copied());
        }
        7 if bytes.len() > 1 => bytes.truncate(at.max(1)),
        _ if !law.words.is_empty() => {
            let word = random.pick(law.words).bytes();
            bytes.splice(at..at, word);
        }
        _ => drop(bytes.splice(at..end, random_bytes(random, 8))),
    }
}
