//! What a manager does, one rule at a time; `tests/sim` has all of them at once.

use super::*;
use crate::id::ManagerId;
use crate::wire::{Assignment, FromWorker, Outcome, WorkerResult};

const WORKER: WorkerId = WorkerId([1; 16]);
const OTHER: WorkerId = WorkerId([2; 16]);

fn settings() -> Settings {
    Settings::new(ManagerId([0; 16]), [3; 32], "77", "0.1.0")
}

fn job(key: &[u8]) -> Job {
    let id = JobId::of(ManagerId([0; 16]), key);
    Job { id, key: key.to_vec(), priority: Priority::Auto, body: Body::Inline(key.to_vec()) }
}

fn hello(worker: WorkerId, signature: &str) -> Event {
    let [name, version] = ["host", "0.1.0"].map(String::from);
    let signature = signature.to_string();
    Event::Worker(FromWorker::Hello { worker, name, version, signature, cores: 4 })
}

fn beat(worker: WorkerId, running: &[JobId]) -> Event {
    let running = running.iter().map(|&job| (job, 5)).collect();
    Event::Worker(FromWorker::Beat { worker, running, elsewhere: 0, done: 0, nodes: 0 })
}

fn result(delivery: u64, job: JobId, worker: WorkerId, outcome: Outcome) -> Event {
    let (manager, signature) = (ManagerId([0; 16]), "77".to_string());
    let result = WorkerResult { manager, worker, signature, job, attempt: 1, nodes: 9, outcome };
    Event::Result { delivery, result }
}

fn won() -> Outcome {
    Outcome::Won(Body::Inline(b"proof".to_vec()))
}

fn good(delivery: u64, job: JobId) -> Event {
    let verdict = Verdict::Good { record: b"proof".to_vec() };
    Event::Judged { delivery, job, worker: WORKER, verdict }
}

fn published(effects: &[Effect]) -> Vec<&Assignment> {
    let published = effects.iter().filter_map(|effect| match effect {
        Effect::Publish { assignment, .. } => Some(assignment),
        _ => None,
    });
    published.collect()
}

fn told(effects: &[Effect], worker: WorkerId) -> Vec<&ToWorker> {
    let told = effects.iter().filter_map(|effect| match effect {
        Effect::Tell { worker: to, message } if *to == worker => Some(message),
        _ => None,
    });
    told.collect()
}

/// A manager with a connection, two workers and a job that the first of them does.
fn busy() -> (Manager, Job) {
    let mut manager = Manager::new(settings(), []);
    manager.handle(0, Event::Connected);
    manager.handle(0, hello(WORKER, "77"));
    manager.handle(0, hello(OTHER, "77"));
    let job = job(b"a");
    assert_eq!(published(&manager.handle(0, Event::Submit(job.clone()))).len(), 1);
    manager.handle(0, beat(WORKER, &[job.id]));
    (manager, job)
}

/// Lets time pass, second by second; all effects.
fn wait(manager: &mut Manager, from_ms: u64, to_ms: u64) -> Vec<Effect> {
    let seconds = (from_ms / 1_000..=to_ms / 1_000).map(|second| second * 1_000);
    seconds.flat_map(|now_ms| manager.handle(now_ms, Event::Tick)).collect()
}

#[test]
fn a_result_is_acknowledged_and_told_only_after_it_is_on_disk() {
    let (mut manager, job) = busy();
    let effects = manager.handle(0, result(4, job.id, WORKER, won()));
    assert!(matches!(effects[..], [Effect::Judge { delivery: 4, .. }]));
    let effects = manager.handle(0, good(4, job.id));
    assert!(matches!(effects[..], [Effect::Record { number: 0, .. }]));
    let answer = Answered::Good { record: b"proof".to_vec() };
    assert_eq!(
        manager.handle(0, Event::Synced { upto: 0 }),
        [Effect::Acknowledge { delivery: 4 }, Effect::Answer { job: job.id, nodes: 9, answer }]
    );
    let again = manager.handle(0, result(5, job.id, OTHER, won()));
    assert_eq!(again, [Effect::Acknowledge { delivery: 5 }]);
    assert_eq!((manager.open_count(), manager.status().answered), (0, 1));
}

#[test]
fn what_is_in_the_journal_is_answered_at_once() {
    let (key, record) = (b"a".to_vec(), b"proof".to_vec());
    let records = [Record::Answer { key, nodes: 9, record: record.clone() }];
    let mut manager = Manager::new(settings(), records);
    let job = job(b"a");
    let id = job.id;
    let answer = Answered::Good { record };
    let effects = manager.handle(0, Event::Submit(job));
    assert_eq!(effects, [Effect::Answer { job: id, nodes: 9, answer }]);
}

#[test]
fn a_worker_with_a_bad_certificate_is_dropped_for_good() {
    let (mut manager, job) = busy();
    manager.handle(0, result(4, job.id, WORKER, won()));
    let verdict = Verdict::Bad { why: "no\nproof".to_string() };
    let effects =
        manager.handle(0, Event::Judged { delivery: 4, job: job.id, worker: WORKER, verdict });
    assert!(
        matches!(told(&effects, WORKER)[..], [ToWorker::Dismissed { why, .. }] if why == "no?proof")
    );
    assert_eq!(published(&effects)[0].attempt, 2);
    assert!(!effects.contains(&Effect::Acknowledge { delivery: 4 }));
    let record = effects.iter().find_map(|effect| match effect {
        Effect::Record { record, .. } => Some(record.clone()),
        _ => None,
    });
    let synced = manager.handle(0, Event::Synced { upto: 0 });
    assert_eq!(synced, [Effect::Acknowledge { delivery: 4 }]);
    // Nor is it believed by those who read the journal.
    let mut restarted = Manager::new(settings(), record);
    for manager in [&mut manager, &mut restarted] {
        let effects = manager.handle(0, hello(WORKER, "77"));
        assert!(matches!(told(&effects, WORKER)[..], [ToWorker::Dismissed { .. }]));
        let effects = manager.handle(0, result(6, job.id, WORKER, won()));
        assert_eq!(effects, [Effect::Acknowledge { delivery: 6 }]);
        assert_eq!(manager.status().dropped.len(), 1);
    }
}

#[test]
fn another_build_is_refused_and_both_signatures_are_told() {
    let mut manager = Manager::new(settings(), []);
    let effects = manager.handle(0, hello(WORKER, "78"));
    let [ToWorker::Refused { why, .. }] = told(&effects, WORKER)[..] else { panic!("{effects:?}") };
    assert!(why.contains("78") && why.contains("77") && why.contains("same source"), "{why}");
    // Whatever it is called, the answer can be sent.
    for text in ["\u{1f600}".repeat(256), "\n".repeat(1_024)] {
        let hello = FromWorker::Hello {
            worker: OTHER,
            name: text.clone(),
            version: text.clone(),
            signature: text,
            cores: 1,
        };
        let effects = manager.handle(0, Event::Worker(hello));
        assert!(told(&effects, OTHER).iter().all(|message| message.is_within_limits()));
    }
    assert_eq!(manager.capacity(), CAPACITY_MIN);
    let effects = manager.handle(0, beat(WORKER, &[]));
    assert!(matches!(told(&effects, WORKER)[..], [ToWorker::Introduce { .. }]));
}

#[test]
fn a_job_without_a_sign_of_life_is_lent_again_until_it_is_given_up() {
    let (mut manager, job) = busy();
    assert_eq!(published(&wait(&mut manager, 0, 44_000)).len(), 0);
    assert_eq!(published(&wait(&mut manager, 45_000, 45_000)).len(), 1);
    let mut now_ms = 45_000;
    let answered = loop {
        manager.handle(now_ms, beat(WORKER, &[job.id]));
        let effects = wait(&mut manager, now_ms, now_ms + 45_000);
        now_ms += 45_000;
        if manager.open_count() == 0 {
            break effects;
        }
    };
    let is_given_up = |effect: &Effect| match effect {
        Effect::Answer { answer: Answered::GivenUp { why }, .. } => why.contains("5 failures"),
        _ => false,
    };
    assert!(answered.iter().any(is_given_up), "{answered:?}");
}

#[test]
fn a_jump_of_the_clock_ends_no_lease() {
    let (mut manager, _) = busy();
    for now_ms in [1_000, 90_000_000, 90_001_000, 5, 1_000_000_000_000] {
        assert_eq!(published(&manager.handle(now_ms, Event::Tick)).len(), 0, "{now_ms}");
    }
}

#[test]
fn who_begins_a_job_that_another_does_is_told_to_stop() {
    let (mut manager, job) = busy();
    let started = Event::Worker(FromWorker::Started { worker: OTHER, job: job.id, attempt: 1 });
    let effects = manager.handle(1_000, started.clone());
    assert!(matches!(told(&effects, OTHER)[..], [ToWorker::Cancel { .. }]));
    // The first one has said nothing for a while: the second may go on.
    wait(&mut manager, 2_000, 20_000);
    assert!(told(&manager.handle(20_000, started), OTHER).is_empty());
    assert_eq!(manager.running_at(OTHER), [job.id]);
}

#[test]
fn a_job_that_is_withdrawn_is_cancelled_and_its_worker_reminded() {
    let (mut manager, job) = busy();
    let effects = manager.handle(0, Event::Withdraw(job.id));
    assert!(matches!(effects[..], [Effect::Broadcast(ToWorker::Cancel { .. })]));
    let effects = manager.handle(0, beat(WORKER, &[job.id]));
    assert!(matches!(told(&effects, WORKER)[..], [ToWorker::Cancel { .. }]));
    // It may be asked for again; its attempts are counted on.
    let effects = manager.handle(0, Event::Submit(job));
    assert_eq!(published(&effects)[0].attempt, 2);
}

#[test]
fn after_a_restart_results_wait_for_their_job_to_be_asked_for() {
    let mut manager = Manager::new(settings(), []);
    manager.handle(0, Event::Connected);
    let job = job(b"a");
    manager.handle(0, hello(WORKER, "77"));
    assert!(told(&manager.handle(0, beat(WORKER, &[job.id])), WORKER).is_empty());
    assert_eq!(manager.handle(0, result(4, job.id, WORKER, won())), []);
    let effects = manager.handle(0, Event::Submit(job.clone()));
    assert!(matches!(effects[..], [Effect::Judge { delivery: 4, .. }]));
    // A job that nobody asks for is not wanted any more, after a minute.
    let orphan = JobId([8; 16]);
    assert_eq!(manager.handle(0, result(5, orphan, WORKER, won())), []);
    let effects = wait(&mut manager, 0, 60_000);
    assert!(effects.contains(&Effect::Acknowledge { delivery: 5 }));
    let effects = manager.handle(60_000, beat(WORKER, &[orphan]));
    assert!(told(&effects, WORKER).iter().any(|m| matches!(m, ToWorker::Cancel { .. })));
}

#[test]
fn without_a_connection_jobs_wait_and_nobody_is_blamed() {
    let (mut manager, running) = busy();
    manager.handle(0, Event::Disconnected);
    let waiting = job(b"b");
    assert_eq!(manager.handle(0, Event::Submit(waiting.clone())), []);
    assert_eq!(wait(&mut manager, 0, 100_000), []);
    let effects = manager.handle(100_000, Event::Connected);
    assert!(matches!(effects[0], Effect::Broadcast(ToWorker::Here { .. })));
    let jobs: Vec<JobId> = published(&effects).iter().map(|a| a.job).collect();
    assert_eq!(jobs, [waiting.id]);
    assert_eq!(manager.running_at(WORKER), [running.id]);
}

#[test]
fn a_token_is_of_one_job_and_used_once() {
    let (mut manager, first) = busy();
    let second = job(b"b");
    let effects = manager.handle(0, Event::Submit(second.clone()));
    let token = published(&effects)[0].token;
    assert_eq!(manager.fetch(second.id, &token), Some(&second.body));
    assert_eq!(manager.fetch(first.id, &token), None);
    assert!(!manager.use_up(first.id, &token) && !manager.use_up(second.id, &[0; 32]));
    assert!(manager.use_up(second.id, &token) && !manager.use_up(second.id, &token));
    manager.handle(0, Event::Withdraw(second.id));
    assert_eq!(manager.fetch(second.id, &token), None);
}

#[test]
fn the_search_should_have_more_jobs_open_than_there_are_cores() {
    let (mut manager, _) = busy();
    assert_eq!(manager.capacity(), 10);
    let status = manager.status();
    assert_eq!((status.workers.len(), status.running, status.queued_auto), (2, 1, 0));
    manager.handle(0, Event::Worker(FromWorker::Bye { worker: WORKER }));
    assert_eq!((manager.capacity(), manager.status().queued_auto), (5, 1));
    let effects = wait(&mut manager, 0, 45_000);
    let lost = |effect: &Effect| matches!(effect, Effect::Notice(Notice::Lost { .. }));
    assert!(effects.iter().any(lost));
    assert_eq!(manager.capacity(), CAPACITY_MIN);
}
