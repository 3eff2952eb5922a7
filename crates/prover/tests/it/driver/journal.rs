//! The memory of a search beyond its end.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use sixproof_oracle::effort;
use sixproof_oracle::random::Random;
use sixproof_prover::prove::{Journal, Options, Switches};

use super::claims::{LONGER, QUICK, certificate, options};

const NODES_MAX: u64 = 1_000_000;

/// A journal in memory, with room for this number of records.
#[derive(Default)]
pub(crate) struct Notes {
    records: Mutex<BTreeMap<Vec<u8>, Vec<u8>>>,
    room: usize,
    recalled: AtomicUsize,
}

impl Notes {
    pub(crate) fn with_room(room: usize) -> Notes {
        Notes { room, ..Notes::default() }
    }

    fn len(&self) -> usize {
        self.records.lock().unwrap().len()
    }
}

impl Journal for Notes {
    fn recall(&self, job: &[u8]) -> Option<Vec<u8>> {
        let found = self.records.lock().unwrap().get(job).cloned();
        self.recalled.fetch_add(usize::from(found.is_some()), Ordering::Relaxed);
        found
    }

    fn record(&self, job: &[u8], answer: &[u8]) {
        let mut records = self.records.lock().unwrap();
        if records.len() < self.room {
            records.insert(job.to_vec(), answer.to_vec());
        }
    }
}

/// With one thread not even the certificate shows that there was an interruption.
#[test]
fn a_search_that_was_cut_off_goes_on() {
    let claims = [QUICK[0], QUICK[1], LONGER];
    for claim in &claims[..effort(2, 3)] {
        let whole = claim.prove(&options(NODES_MAX));
        let all = Notes::with_room(usize::MAX);
        claim.prove_on(&options(NODES_MAX), &all);
        let mut before = whole.counts.nodes;
        for part in [4, 2, 1] {
            let notes = Notes::with_room(all.len() / part);
            claim.prove_on(&options(NODES_MAX), &notes);
            let again = claim.prove_on(&options(NODES_MAX), &notes);
            assert!(again.counts.nodes < before, "{claim:?}: {} records", notes.len());
            assert_eq!(certificate(&again), certificate(&whole), "{claim:?}");
            before = again.counts.nodes;
        }
        // The journal has everything but the orders below.
        assert!(before < whole.counts.nodes / 20, "{claim:?}: {before}");
    }
}

#[test]
fn a_budget_that_is_used_up_is_not_lost() {
    let claim = LONGER;
    let whole = claim.prove(&options(NODES_MAX));
    let (notes, mut nodes, mut rounds) = (Notes::with_room(usize::MAX), 0, 0);
    let proved = loop {
        rounds += 1;
        let report = claim.prove_on(&options(15_000), &notes);
        nodes += report.counts.nodes;
        if certificate(&report).is_some() {
            break report;
        }
        assert!(rounds < 20, "no round adds anything");
    };
    assert!(rounds > 2, "{rounds}");
    assert_eq!(certificate(&proved), certificate(&whole));
    // Each round but the last ends in the middle of a job, which is done again.
    assert!(nodes < 2 * whole.counts.nodes, "{nodes}");
}

#[test]
fn threads_go_on_from_what_others_did() {
    let claim = QUICK[0];
    let notes = Notes::with_room(usize::MAX);
    for threads in [1, 3, 2] {
        let options = Options { threads, ..options(NODES_MAX) };
        assert!(certificate(&claim.prove_on(&options, &notes)).is_some());
    }
    let (records, recalled) = (notes.len(), notes.recalled.load(Ordering::Relaxed));
    assert!(recalled > records / 2, "{recalled} recalled, {records} kept");
}

/// The answers of another kind of search do not count.
#[test]
fn other_searches_do_not_mix() {
    let claim = QUICK[0];
    let notes = Notes::with_room(usize::MAX);
    claim.prove_on(&options(NODES_MAX), &notes);
    let all = options(NODES_MAX);
    for other in [
        Options { switches: Switches { dual: false, ..Switches::ALL }, ..all.clone() },
        Options { mutual: false, ..all.clone() },
        Options { grouped: false, ..all },
    ] {
        let with_notes = claim.prove_on(&other, &notes);
        let without = claim.prove(&other);
        assert_eq!(certificate(&with_notes), certificate(&without), "{other:?}");
    }
}

#[test]
fn damaged_records_are_none() {
    let claim = QUICK[0];
    let whole = claim.prove(&options(NODES_MAX));
    let mut random = Random(8);
    for round in 0..6 {
        let notes = Notes::with_room(usize::MAX);
        claim.prove_on(&options(NODES_MAX), &notes);
        let mut records = notes.records.lock().unwrap();
        let answers: Vec<Vec<u8>> = records.values().cloned().collect();
        for answer in records.values_mut() {
            let at = random.below(answer.len());
            match round {
                0 => answer[at] ^= 1 << random.below(8),
                1 => answer.truncate(at),
                2 => answer.extend([7; 2]),
                3 => *answer = random.pick(&answers).clone(),
                4 => answer.fill(random.below(256) as u8),
                // Half of them are as they were.
                _ if random.chance(50) => answer[at] ^= 0x55,
                _ => {}
            }
        }
        drop(records);
        let again = claim.prove_on(&options(NODES_MAX), &notes);
        assert_eq!(certificate(&again), certificate(&whole), "round {round}");
    }
}

/// A journal that breaks.
struct Broken;

impl Journal for Broken {
    fn recall(&self, _: &[u8]) -> Option<Vec<u8>> {
        None
    }

    fn record(&self, _: &[u8], _: &[u8]) {
        panic!("this journal is broken");
    }
}

/// The search reports a thread that breaks, and does not wait for it.
#[test]
#[should_panic(expected = "panicked")]
fn a_thread_that_breaks_ends_the_search() {
    QUICK[0].prove_on(&Options { threads: 2, ..options(NODES_MAX) }, &Broken);
}
