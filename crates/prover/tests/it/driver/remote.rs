//! Jobs that travel as bytes, done by others and judged by the checker.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use sixproof_certificate::{certify, certify_file};
use sixproof_oracle::effort;
use sixproof_prover::driver::{Desk, Errand, Found, Return};
use sixproof_prover::prove::{Hands, Journal, Means, NoJournal, Options, Policy, Report, prove_on};

use super::claims::{Claim, LONGER, QUICK, certificate, options};
use super::journal::Notes;

const NODES_MAX: u64 = 400_000;
/// That a job is refuted, as a worker tells it.
const REFUTED: [u8; 2] = [1, 0];

/// Workers whose answers come back in an order that a seed decides.
struct Crowd {
    capacity: usize,
    seed: u64,
    open: VecDeque<(u64, Errand)>,
    /// What was told of jobs that are not finished.
    waiting: VecDeque<Return>,
    worker: Desk,
    judge: Desk,
    /// Records by key.
    records: BTreeMap<Vec<u8>, (Vec<u8>, u64)>,
    done: usize,
    cancelled: usize,
    partials: usize,
    /// Stops after so many jobs.
    jobs_max: usize,
    /// Whether this machine has found all answers, too.
    confirms: bool,
    /// Answers "refuted" to so many jobs, and may take that back when the search has nothing left.
    lies_max: usize,
    lies: Vec<Vec<u8>>,
    takes_back: bool,
}

impl Crowd {
    fn new(capacity: usize, seed: u64) -> Crowd {
        Crowd {
            capacity,
            seed,
            open: VecDeque::new(),
            waiting: VecDeque::new(),
            worker: Desk::default(),
            judge: Desk::default(),
            records: BTreeMap::new(),
            done: 0,
            cancelled: 0,
            partials: 0,
            jobs_max: usize::MAX,
            confirms: false,
            lies_max: 0,
            lies: Vec::new(),
            takes_back: true,
        }
    }

    fn random(&mut self, below: usize) -> usize {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.seed >> 33) as usize % below
    }

    /// The record of what a worker found, as a manager makes it.
    fn judged(&mut self, key: &[u8], found: &Found) -> Vec<u8> {
        match found {
            Found::Told(told) => self.judge.told(key, told).expect("an answer to the job"),
            Found::Certificate(bytes) => {
                let claim = self.judge.claim(key).expect("a job");
                let certified = certify(&claim, bytes).expect("a true certificate of the claim");
                self.judge.won(key, bytes, &certified).expect("a proof")
            }
        }
    }
}

impl Hands for Crowd {
    fn capacity(&self) -> usize {
        self.capacity
    }

    fn recall(&mut self, key: &[u8]) -> Option<(Vec<u8>, u64)> {
        self.records.get(key).cloned()
    }

    fn begin(&mut self, number: u64, errand: Errand) {
        self.open.push_back((number, errand));
    }

    fn cancel(&mut self, number: u64) {
        self.cancelled += 1;
        self.open.retain(|job| job.0 != number);
    }

    fn settle(&mut self) {
        if self.lies.is_empty() || !self.takes_back {
            self.waiting.push_back(Return::Settled);
            return;
        }
        for key in self.lies.drain(..) {
            self.records.remove(&key);
        }
        self.lies_max = 0;
        self.waiting.push_back(Return::Revoked { nodes: 0 });
    }

    fn wait(&mut self, _: Duration) -> Option<Return> {
        if let Some(told) = self.waiting.pop_front() {
            return Some(told);
        }
        if self.done == self.jobs_max {
            return Some(Return::Over);
        }
        let index = match self.open.len() {
            0 => return None,
            count => self.random(count),
        };
        let (number, Errand { key, body, .. }) = self.open.remove(index).unwrap();
        if self.lies.len() < self.lies_max && self.judge.told(&key, &REFUTED).is_ok() {
            let record = self.judge.told(&key, &REFUTED).expect("an answer to the job");
            self.records.insert(key.clone(), (record.clone(), 1));
            self.lies.push(key);
            return Some(Return::Done { number, nodes: 1, record });
        }
        let mut partials = Vec::new();
        let done = self.worker.perform(&body, &mut |nodes, found| {
            partials.extend(found.map(|found| Return::Partial { number, nodes, found }));
            false
        });
        let done = done.expect("a job").expect("nobody stopped it");
        let record = self.judged(&key, &done.found);
        self.records.insert(key.clone(), (record.clone(), done.nodes));
        if self.confirms {
            let record = record.clone();
            self.waiting.push_back(Return::Confirmed { key, nodes: done.nodes, record });
        }
        self.done += 1;
        self.partials += partials.len();
        // The others are told meanwhile: the answer comes last.
        self.waiting.extend(partials);
        self.waiting.push_back(Return::Done { number, nodes: done.nodes, record });
        self.waiting.pop_front()
    }
}

fn prove(claim: &Claim, options: &Options, crowd: &mut Crowd, journal: &dyn Journal) -> Report {
    let means = Means { journal, hands: Some(crowd) };
    let report = prove_on(&claim.position(), options, means, &mut |_| false);
    if let Some(certificate) = certificate(&report) {
        assert!(sixproof_check::check_bytes(certificate).is_ok(), "{claim:?}");
    }
    report
}

#[test]
fn workers_elsewhere_prove_what_threads_prove() {
    for (index, claim) in QUICK.iter().enumerate() {
        let mut crowd = Crowd::new(1 + index % 3 * 4, index as u64);
        let report = prove(claim, &options(NODES_MAX), &mut crowd, &NoJournal);
        assert!(certificate(&report).is_some(), "{claim:?}: {:?}", report.counts);
        assert!(crowd.done > 0, "{claim:?} was no work");
    }
}

#[test]
fn every_policy_proves_whatever_the_order_of_answers() {
    let (mut cancelled, mut partials) = (0, 0);
    for (index, policy) in Policy::ALL.into_iter().enumerate() {
        // The usual run has one order of answers for each policy, and one long search.
        let claim = effort([&LONGER, &QUICK[1], &QUICK[0], &QUICK[2]][index], &LONGER);
        let orders = [(1, 2), (2, 7), (3, 40)].into_iter().cycle().skip(index);
        for (seed, capacity) in orders.take(effort(1, 3)) {
            let mut crowd = Crowd::new(capacity, seed);
            let options = Options { policy, ..options(20 * NODES_MAX) };
            let report = prove(claim, &options, &mut crowd, &NoJournal);
            assert!(certificate(&report).is_some(), "{policy:?} with {capacity}");
            cancelled += crowd.cancelled;
            partials += crowd.partials;
        }
    }
    assert!(cancelled > 0 && partials > 0, "{cancelled} cancelled, {partials} partial results");
}

#[test]
fn one_worker_elsewhere_takes_the_course_of_one_thread() {
    let near = LONGER.prove(&options(NODES_MAX));
    let far = prove(&LONGER, &options(NODES_MAX), &mut Crowd::new(1, 0), &NoJournal);
    // Zones told by the checker are never larger than those of the search, and rarely smaller.
    let (near, far) = (near.counts.nodes, far.counts.nodes);
    assert!(far * 10 <= near * 12 && near * 10 <= far * 12, "{near} and {far} nodes");
}

#[test]
fn a_search_goes_on_from_the_records_of_its_manager() {
    let claim = &LONGER;
    let mut whole = Crowd::new(4, 7);
    prove(claim, &options(NODES_MAX), &mut whole, &NoJournal);
    let mut first = Crowd::new(4, 7);
    first.jobs_max = whole.done / 2;
    let report = prove(claim, &options(NODES_MAX), &mut first, &NoJournal);
    assert!(certificate(&report).is_none(), "it was stopped");
    let mut second = Crowd::new(4, 7);
    second.records = std::mem::take(&mut first.records);
    let report = prove(claim, &options(NODES_MAX), &mut second, &NoJournal);
    assert!(certificate(&report).is_some());
    assert!(second.done < whole.done, "{} of {} jobs", second.done, whole.done);
}

#[test]
fn threads_go_on_from_what_workers_elsewhere_have_found_and_this_machine_too() {
    let claim = &LONGER;
    let notes = Notes::with_room(usize::MAX);
    let mut crowd = Crowd::new(1, 0);
    crowd.confirms = true;
    prove(claim, &options(NODES_MAX), &mut crowd, &notes);
    let alone = claim.prove(&options(NODES_MAX)).counts.nodes;
    let with_notes = claim.prove_on(&options(NODES_MAX), &notes).counts.nodes;
    assert!(with_notes < alone / 2, "{with_notes} of {alone} nodes");
}

#[test]
fn what_workers_say_without_a_proof_is_not_kept_for_threads() {
    for claim in &QUICK[..4] {
        let notes = Notes::with_room(usize::MAX);
        // Everything is refuted, and nobody takes it back.
        let mut liar = Crowd::new(1, 0);
        (liar.lies_max, liar.takes_back) = (usize::MAX, false);
        let report = prove(claim, &options(NODES_MAX), &mut liar, &notes);
        assert!(certificate(&report).is_none(), "{claim:?}");
        let report = claim.prove_on(&options(NODES_MAX), &notes);
        assert!(certificate(&report).is_some(), "{claim:?} is spoilt");
    }
}

#[test]
fn answers_that_are_taken_back_are_asked_for_again() {
    for (index, claim) in QUICK.iter().enumerate() {
        let mut crowd = Crowd::new(1 + index % 3 * 4, index as u64);
        crowd.lies_max = usize::MAX;
        let report = prove(claim, &options(NODES_MAX), &mut crowd, &NoJournal);
        assert!(certificate(&report).is_some(), "{claim:?}");
    }
}

/// An audit compares answers: they must depend on the body and on nothing else.
#[test]
fn a_job_has_the_same_answer_whoever_does_it_and_whatever_he_did_before() {
    let mut errands = Vec::new();
    // The usual run has those of short searches.
    for claim in QUICK.iter().chain(effort(None, Some(&LONGER))) {
        let mut crowd = Crowd::new(4, 3);
        let mut taking = Taking(&mut crowd, Vec::new());
        let means = Means { journal: &NoJournal, hands: Some(&mut taking) };
        prove_on(&claim.position(), &options(NODES_MAX), means, &mut |_| false);
        errands.append(&mut taking.1);
    }
    assert!(errands.len() > 40, "{} jobs", errands.len());
    let [mut forwards, mut backwards] = [Desk::default(), Desk::default()];
    let done = |desk: &mut Desk, errand: &Errand| {
        let done = desk.perform(&errand.body, &mut |_, _| false);
        let done = done.expect("a job").expect("nobody stopped it");
        assert!(done.nodes <= errand.nodes_max, "{} of {}", done.nodes, errand.nodes_max);
        done
    };
    let first: Vec<_> = errands.iter().map(|errand| done(&mut forwards, errand)).collect();
    let mut last: Vec<_> = errands.iter().rev().map(|it| done(&mut backwards, it)).collect();
    last.reverse();
    assert!(first == last, "a job has two answers");
    let alone: Vec<_> = errands.iter().map(|it| done(&mut Desk::default(), it)).collect();
    assert!(first == alone, "a job has two answers");
}

/// Workers whose jobs are noted.
struct Taking<'a>(&'a mut Crowd, Vec<Errand>);

impl Hands for Taking<'_> {
    fn capacity(&self) -> usize {
        self.0.capacity()
    }

    fn recall(&mut self, key: &[u8]) -> Option<(Vec<u8>, u64)> {
        self.0.recall(key)
    }

    fn begin(&mut self, number: u64, errand: Errand) {
        self.1.push(errand.clone());
        self.0.begin(number, errand);
    }

    fn cancel(&mut self, number: u64) {
        self.0.cancel(number);
    }

    fn settle(&mut self) {
        self.0.settle();
    }

    fn wait(&mut self, at_most: Duration) -> Option<Return> {
        self.0.wait(at_most)
    }
}

#[test]
fn noise_is_no_job_and_no_answer() {
    let mut crowd = Crowd::new(1, 0);
    crowd.jobs_max = 40;
    let mut taking = Taking(&mut crowd, Vec::new());
    let means = Means { journal: &NoJournal, hands: Some(&mut taking) };
    prove_on(&LONGER.position(), &options(NODES_MAX), means, &mut |_| false);
    let errands = taking.1;
    assert!(errands.len() >= 10);
    let (mut seed, mut desk) = (5u64, Desk::default());
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize % below
    };
    let mut refused = 0;
    let any = b"sixproof-certificate 1 game 3 3 3 1 1 attacker black black A1 B1 white A2 B2
        to-move black 1 W C1";
    let certified = certify_file(|| Ok(&any[..]), &mut ()).expect("a true certificate");
    for errand in &errands {
        for _ in 0..100 {
            let [mut body, mut key] = [&errand.body, &errand.key].map(Clone::clone);
            for bytes in [&mut body, &mut key] {
                let at = random(bytes.len());
                bytes[at] = random(256) as u8;
                bytes.truncate(1 + random(4 * bytes.len()));
            }
            // Done only as far as it takes to see that it is one.
            refused += usize::from(desk.perform(&body, &mut |nodes, _| nodes > 20).is_err());
            let told: Vec<u8> = (0..random(20)).map(|_| random(6) as u8).collect();
            let _any = (desk.claim(&key), desk.told(&key, &told));
            let _any = desk.won(&key, b"sixproof-certificate 1", &certified);
        }
    }
    assert!(refused > errands.len() * 30, "{refused} refused");
}
