//! Jobs as bytes, done by simulated remote workers and judged by the checker.

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::time::Duration;

use sixproof_certificate::{certify, certify_file};
use sixproof_oracle::effort;
use sixproof_prover::driver::{Found, JobBytes, JobRunner, PoolEvent};
use sixproof_prover::prove::{
    Journal, NoJournal, Options, Policy, RemotePool, Report, Resources, prove_on,
};
use sixproof_prover::stop::break_if;

use super::claims::{Claim, LONGER, QUICK, certificate, options};
use super::journal::Notes;

const NODES_MAX: u64 = 400_000;
/// The answer "refuted" in bytes.
const REFUTED: [u8; 2] = [1, 0];

/// A pool of workers whose answers arrive in an order that a seed decides.
struct SimulatedPool {
    capacity: usize,
    seed: u64,
    open: VecDeque<(u64, JobBytes)>,
    /// Events that the search has not received yet.
    waiting: VecDeque<PoolEvent>,
    worker: JobRunner,
    judge: JobRunner,
    /// Records by key.
    records: BTreeMap<Vec<u8>, (Vec<u8>, u64)>,
    done: usize,
    cancelled: usize,
    partials: usize,
    /// Number of jobs after which the pool closes.
    jobs_max: usize,
    /// Whether it confirms all answers as found by this machine.
    confirms: bool,
    /// Number of jobs that it answers by "refuted"; `takes_back` revokes these answers when the
    /// search settles.
    lies_max: usize,
    lies: Vec<Vec<u8>>,
    takes_back: bool,
}

impl SimulatedPool {
    fn new(capacity: usize, seed: u64) -> SimulatedPool {
        SimulatedPool {
            capacity,
            seed,
            open: VecDeque::new(),
            waiting: VecDeque::new(),
            worker: JobRunner::default(),
            judge: JobRunner::default(),
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

    /// The record of a worker's finding, as a manager makes it.
    fn judged(&mut self, key: &[u8], found: &Found) -> Vec<u8> {
        match found {
            Found::Uncertified(answer) => {
                self.judge.uncertified_record(key, answer).expect("an answer to the job")
            }
            Found::Certificate(bytes) => {
                let claim = self.judge.claim(key).expect("a job");
                let certified = certify(&claim, bytes).expect("a true certificate of the claim");
                self.judge.certified_record(key, bytes, &certified).expect("a proof")
            }
        }
    }
}

impl RemotePool for SimulatedPool {
    fn capacity(&self) -> usize {
        self.capacity
    }

    fn recall(&mut self, key: &[u8]) -> Option<(Vec<u8>, u64)> {
        self.records.get(key).cloned()
    }

    fn begin(&mut self, number: u64, job: JobBytes) {
        self.open.push_back((number, job));
    }

    fn cancel(&mut self, number: u64) {
        self.cancelled += 1;
        self.open.retain(|job| job.0 != number);
    }

    fn settle(&mut self) {
        if self.lies.is_empty() || !self.takes_back {
            self.waiting.push_back(PoolEvent::Settled);
            return;
        }
        for key in self.lies.drain(..) {
            self.records.remove(&key);
        }
        self.lies_max = 0;
        self.waiting.push_back(PoolEvent::Revoked { nodes: 0 });
    }

    fn wait(&mut self, _: Duration) -> Option<PoolEvent> {
        if let Some(event) = self.waiting.pop_front() {
            return Some(event);
        }
        if self.done == self.jobs_max {
            return Some(PoolEvent::Closed);
        }
        let index = match self.open.len() {
            0 => return None,
            count => self.random(count),
        };
        let (number, JobBytes { key, body, .. }) = self.open.remove(index).unwrap();
        if self.lies.len() < self.lies_max && self.judge.uncertified_record(&key, &REFUTED).is_ok()
        {
            let record =
                self.judge.uncertified_record(&key, &REFUTED).expect("an answer to the job");
            self.records.insert(key.clone(), (record.clone(), 1));
            self.lies.push(key);
            return Some(PoolEvent::Done { number, nodes: 1, record });
        }
        let mut partials = Vec::new();
        let done = self.worker.perform(&body, &mut |nodes, found| {
            partials.extend(found.map(|found| PoolEvent::Partial { number, nodes, found }));
            ControlFlow::Continue(())
        });
        let done = done.expect("a job").expect("it was not stopped");
        let record = self.judged(&key, &done.found);
        self.records.insert(key.clone(), (record.clone(), done.nodes));
        if self.confirms {
            let record = record.clone();
            self.waiting.push_back(PoolEvent::Confirmed { key, nodes: done.nodes, record });
        }
        self.done += 1;
        self.partials += partials.len();
        // The answer comes after the partial results.
        self.waiting.extend(partials);
        self.waiting.push_back(PoolEvent::Done { number, nodes: done.nodes, record });
        self.waiting.pop_front()
    }
}

fn prove(
    claim: &Claim,
    options: &Options,
    pool: &mut SimulatedPool,
    journal: &dyn Journal,
) -> Report {
    let resources = Resources { journal, pool: Some(pool) };
    let report =
        prove_on(&claim.of_black(), options, resources, &mut |_| ControlFlow::Continue(()));
    if let Some(certificate) = certificate(&report) {
        assert!(sixproof_check::check_bytes(certificate).is_ok(), "{claim:?}");
    }
    report
}

#[test]
fn workers_elsewhere_prove_what_threads_prove() {
    for (index, claim) in QUICK.iter().enumerate() {
        let mut pool = SimulatedPool::new(1 + index % 3 * 4, index as u64);
        let report = prove(claim, &options(NODES_MAX), &mut pool, &NoJournal);
        assert!(certificate(&report).is_some(), "{claim:?}: {:?}", report.counts);
        assert!(pool.done > 0, "{claim:?} was no work");
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
            let mut pool = SimulatedPool::new(capacity, seed);
            let options = Options { policy, ..options(20 * NODES_MAX) };
            let report = prove(claim, &options, &mut pool, &NoJournal);
            assert!(certificate(&report).is_some(), "{policy:?} with {capacity}");
            cancelled += pool.cancelled;
            partials += pool.partials;
        }
    }
    assert!(cancelled > 0 && partials > 0, "{cancelled} cancelled, {partials} partial results");
}

#[test]
fn one_worker_elsewhere_takes_the_course_of_one_thread() {
    let near = LONGER.prove(&options(NODES_MAX));
    let far = prove(&LONGER, &options(NODES_MAX), &mut SimulatedPool::new(1, 0), &NoJournal);
    // The checker's zones are never larger than those of the search, and rarely smaller.
    let (near, far) = (near.counts.nodes, far.counts.nodes);
    assert!(far * 10 <= near * 12 && near * 10 <= far * 12, "{near} and {far} nodes");
}

#[test]
fn a_search_goes_on_from_the_records_of_its_manager() {
    let claim = &LONGER;
    let mut whole = SimulatedPool::new(4, 7);
    prove(claim, &options(NODES_MAX), &mut whole, &NoJournal);
    let mut first = SimulatedPool::new(4, 7);
    first.jobs_max = whole.done / 2;
    let report = prove(claim, &options(NODES_MAX), &mut first, &NoJournal);
    assert!(certificate(&report).is_none(), "it was stopped");
    let mut second = SimulatedPool::new(4, 7);
    second.records = std::mem::take(&mut first.records);
    let report = prove(claim, &options(NODES_MAX), &mut second, &NoJournal);
    assert!(certificate(&report).is_some());
    assert!(second.done < whole.done, "{} of {} jobs", second.done, whole.done);
}

#[test]
fn threads_go_on_from_what_workers_elsewhere_have_found_and_this_machine_too() {
    let claim = &LONGER;
    let notes = Notes::with_room(usize::MAX);
    let mut pool = SimulatedPool::new(1, 0);
    pool.confirms = true;
    prove(claim, &options(NODES_MAX), &mut pool, &notes);
    let alone = claim.prove(&options(NODES_MAX)).counts.nodes;
    let with_notes = claim.prove_on(&options(NODES_MAX), &notes).counts.nodes;
    assert!(with_notes < alone / 2, "{with_notes} of {alone} nodes");
}

#[test]
fn what_workers_say_without_a_proof_is_not_kept_for_threads() {
    for claim in &QUICK[..4] {
        let notes = Notes::with_room(usize::MAX);
        // Everything is refuted, and no answer is revoked.
        let mut liar = SimulatedPool::new(1, 0);
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
        let mut pool = SimulatedPool::new(1 + index % 3 * 4, index as u64);
        pool.lies_max = usize::MAX;
        let report = prove(claim, &options(NODES_MAX), &mut pool, &NoJournal);
        assert!(certificate(&report).is_some(), "{claim:?}");
    }
}

/// An audit compares answers: they must depend on the body and on nothing else.
#[test]
fn a_job_has_the_same_answer_on_every_worker_and_after_any_other_jobs() {
    let mut jobs = Vec::new();
    // The usual run takes the jobs of short searches.
    for claim in QUICK.iter().chain(effort(None, Some(&LONGER))) {
        let mut pool = SimulatedPool::new(4, 3);
        let mut recorder = RecordingPool(&mut pool, Vec::new());
        let resources = Resources { journal: &NoJournal, pool: Some(&mut recorder) };
        prove_on(&claim.of_black(), &options(NODES_MAX), resources, &mut |_| {
            ControlFlow::Continue(())
        });
        jobs.append(&mut recorder.1);
    }
    assert!(jobs.len() > 40, "{} jobs", jobs.len());
    let [mut forwards, mut backwards] = [JobRunner::default(), JobRunner::default()];
    let done = |runner: &mut JobRunner, job: &JobBytes| {
        let done = runner.perform(&job.body, &mut |_, _| ControlFlow::Continue(()));
        let done = done.expect("a job").expect("it was not stopped");
        assert!(done.nodes <= job.nodes_max, "{} of {}", done.nodes, job.nodes_max);
        done
    };
    let first: Vec<_> = jobs.iter().map(|job| done(&mut forwards, job)).collect();
    let mut last: Vec<_> = jobs.iter().rev().map(|it| done(&mut backwards, it)).collect();
    last.reverse();
    assert!(first == last, "a job has two answers");
    let alone: Vec<_> = jobs.iter().map(|it| done(&mut JobRunner::default(), it)).collect();
    assert!(first == alone, "a job has two answers");
}

/// A pool that keeps the jobs it begins.
struct RecordingPool<'a>(&'a mut SimulatedPool, Vec<JobBytes>);

impl RemotePool for RecordingPool<'_> {
    fn capacity(&self) -> usize {
        self.0.capacity()
    }

    fn recall(&mut self, key: &[u8]) -> Option<(Vec<u8>, u64)> {
        self.0.recall(key)
    }

    fn begin(&mut self, number: u64, job: JobBytes) {
        self.1.push(job.clone());
        self.0.begin(number, job);
    }

    fn cancel(&mut self, number: u64) {
        self.0.cancel(number);
    }

    fn settle(&mut self) {
        self.0.settle();
    }

    fn wait(&mut self, at_most: Duration) -> Option<PoolEvent> {
        self.0.wait(at_most)
    }
}

#[test]
fn noise_is_no_job_and_no_answer() {
    let mut pool = SimulatedPool::new(1, 0);
    pool.jobs_max = 40;
    let mut recorder = RecordingPool(&mut pool, Vec::new());
    let resources = Resources { journal: &NoJournal, pool: Some(&mut recorder) };
    prove_on(
        &LONGER.of_black(),
        &options(NODES_MAX),
        resources,
        &mut |_| ControlFlow::Continue(()),
    );
    let jobs = recorder.1;
    assert!(jobs.len() >= 10);
    let (mut seed, mut runner) = (5u64, JobRunner::default());
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize % below
    };
    let mut refused = 0;
    let any = b"sixproof-certificate 1 game 3 3 3 1 1 attacker black black A1 B1 white A2 B2
        to-move black 1 W C1";
    let certified = certify_file(|| Ok(&any[..]), &mut ()).expect("a true certificate");
    for job in &jobs {
        for _ in 0..100 {
            let [mut body, mut key] = [&job.body, &job.key].map(Clone::clone);
            for bytes in [&mut body, &mut key] {
                let at = random(bytes.len());
                bytes[at] = random(256) as u8;
                bytes.truncate(1 + random(4 * bytes.len()));
            }
            // A valid job is stopped as soon as it begins.
            refused +=
                usize::from(runner.perform(&body, &mut |nodes, _| break_if(nodes > 20)).is_err());
            let answer: Vec<u8> = (0..random(20)).map(|_| random(6) as u8).collect();
            let _any = (runner.claim(&key), runner.uncertified_record(&key, &answer));
            let _any = runner.certified_record(&key, b"sixproof-certificate 1", &certified);
        }
    }
    assert!(refused > jobs.len() * 30, "{refused} refused");
}
