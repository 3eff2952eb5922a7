//! The rules of a manager, one at a time; `tests/sim` tests all of them together.

use super::*;
use crate::id::ManagerId;
use crate::wire::{Assignment, Body, FromWorker, Outcome, WorkerResult};

const WORKER: WorkerId = WorkerId([1; 16]);
const OTHER: WorkerId = WorkerId([2; 16]);

fn settings() -> Settings {
    Settings::new(ManagerId([0; 16]), [3; 32], "77", "0.1.0")
}

fn job(key: &[u8]) -> Job {
    let id = JobId::of(ManagerId([0; 16]), key);
    let (key, body) = (key.to_vec(), Body::Inline(key.to_vec()));
    Job { id, key, priority: Priority::Auto, body, limit_ms: 600_000 }
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
    let body = Body::Inline(b"a".to_vec()).hash();
    let result =
        WorkerResult { manager, worker, signature, job, attempt: 1, body, nodes: 9, outcome };
    Event::Result { delivery, result }
}

fn won() -> Outcome {
    Outcome::Won(Body::Inline(b"proof".to_vec()))
}

fn good(delivery: u64, job: JobId) -> Event {
    let verdict = Judgement::Good { record: b"proof".to_vec() };
    Event::Judged { delivery, job, worker: WORKER, verdict }
}

fn published(effects: &[Effect]) -> Vec<&Assignment> {
    let published = effects.iter().filter_map(|effect| match effect {
        Effect::Publish { assignment, .. } => Some(assignment),
        _ => None,
    });
    published.collect()
}

fn sent(effects: &[Effect], worker: WorkerId) -> Vec<&ToWorker> {
    let sent = effects.iter().filter_map(|effect| match effect {
        Effect::SendTo { worker: to, message } if *to == worker => Some(message),
        _ => None,
    });
    sent.collect()
}

/// A connected manager with two workers, and a job that the first of them does.
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

/// Lets time pass, second by second; returns all effects.
fn wait(manager: &mut Manager, from_ms: u64, to_ms: u64) -> Vec<Effect> {
    let seconds = (from_ms / 1_000..=to_ms / 1_000).map(|second| second * 1_000);
    seconds.flat_map(|now_ms| manager.handle(now_ms, Event::Tick)).collect()
}

#[test]
fn a_result_is_acknowledged_and_answered_only_after_it_is_on_disk() {
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
    let records = [JournalRecord::Answer { key, nodes: 9, record: record.clone() }];
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
    let verdict = Judgement::Bad { why: "no\nproof".to_string() };
    let effects =
        manager.handle(0, Event::Judged { delivery: 4, job: job.id, worker: WORKER, verdict });
    assert!(
        matches!(sent(&effects, WORKER)[..], [ToWorker::Dismissed { why, .. }] if why == "no?proof")
    );
    assert_eq!(published(&effects)[0].attempt, 2);
    assert!(!effects.contains(&Effect::Acknowledge { delivery: 4 }));
    let record = effects.iter().find_map(|effect| match effect {
        Effect::Record { record, .. } => Some(record.clone()),
        _ => None,
    });
    let synced = manager.handle(0, Event::Synced { upto: 0 });
    assert_eq!(synced, [Effect::Acknowledge { delivery: 4 }]);
    // A manager that starts from the journal does not trust it, either.
    let mut restarted = Manager::new(settings(), record);
    for manager in [&mut manager, &mut restarted] {
        let effects = manager.handle(0, hello(WORKER, "77"));
        assert!(matches!(sent(&effects, WORKER)[..], [ToWorker::Dismissed { .. }]));
        let effects = manager.handle(0, result(6, job.id, WORKER, won()));
        assert_eq!(effects, [Effect::Acknowledge { delivery: 6 }]);
        assert_eq!(manager.status().dropped.len(), 1);
    }
}

#[test]
fn another_build_is_refused_with_both_signatures() {
    let mut manager = Manager::new(settings(), []);
    let effects = manager.handle(0, hello(WORKER, "78"));
    let [ToWorker::Refused { why, .. }] = sent(&effects, WORKER)[..] else { panic!("{effects:?}") };
    assert!(why.contains("78") && why.contains("77") && why.contains("same source"), "{why}");
    // With any name, the answer is within the limits.
    for text in ["\u{1f600}".repeat(256), "\n".repeat(1_024)] {
        let hello = FromWorker::Hello {
            worker: OTHER,
            name: text.clone(),
            version: text.clone(),
            signature: text,
            cores: 1,
        };
        let effects = manager.handle(0, Event::Worker(hello));
        assert!(sent(&effects, OTHER).iter().all(|message| message.is_within_limits()));
    }
    assert_eq!(manager.capacity(), CAPACITY_MIN);
    let effects = manager.handle(0, beat(WORKER, &[]));
    assert!(matches!(sent(&effects, WORKER)[..], [ToWorker::Introduce { .. }]));
}

#[test]
fn a_job_whose_lease_ends_is_published_again_until_it_is_given_up() {
    let (mut manager, job) = busy();
    assert_eq!(published(&wait(&mut manager, 0, 29_000)).len(), 0);
    assert_eq!(published(&wait(&mut manager, 30_000, 44_000)).len(), 1, "a second copy");
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
fn a_worker_that_begins_a_job_of_another_is_cancelled() {
    let (mut manager, job) = busy();
    let started = Event::Worker(FromWorker::Started { worker: OTHER, job: job.id, attempt: 1 });
    let effects = manager.handle(1_000, started.clone());
    assert!(matches!(sent(&effects, OTHER)[..], [ToWorker::Cancel { .. }]));
    // The first one has been silent for a while: the second may go on.
    wait(&mut manager, 2_000, 20_000);
    assert!(sent(&manager.handle(20_000, started), OTHER).is_empty());
    assert_eq!(manager.running_at(OTHER), [job.id]);
}

#[test]
fn a_withdrawn_job_is_cancelled_and_cancelled_again_at_each_beat() {
    let (mut manager, job) = busy();
    let effects = manager.handle(0, Event::Withdraw(job.id));
    assert!(matches!(effects[..], [Effect::Broadcast(ToWorker::Cancel { .. })]));
    let effects = manager.handle(0, beat(WORKER, &[job.id]));
    assert!(matches!(sent(&effects, WORKER)[..], [ToWorker::Cancel { .. }]));
    // It may be submitted again; its attempts are counted on.
    let effects = manager.handle(0, Event::Submit(job));
    assert_eq!(published(&effects)[0].attempt, 2);
}

#[test]
fn after_a_restart_results_wait_until_their_jobs_are_submitted() {
    let mut manager = Manager::new(settings(), []);
    manager.handle(0, Event::Connected);
    let job = job(b"a");
    manager.handle(0, hello(WORKER, "77"));
    assert!(sent(&manager.handle(0, beat(WORKER, &[job.id])), WORKER).is_empty());
    assert_eq!(manager.handle(0, result(4, job.id, WORKER, won())), []);
    let effects = manager.handle(0, Event::Submit(job.clone()));
    assert!(matches!(effects[..], [Effect::Judge { delivery: 4, .. }]));
    // After a minute, a job that the search has not submitted is not needed.
    let orphan = JobId([8; 16]);
    assert_eq!(manager.handle(0, result(5, orphan, WORKER, won())), []);
    let effects = wait(&mut manager, 0, 60_000);
    assert!(effects.contains(&Effect::Acknowledge { delivery: 5 }));
    let effects = manager.handle(60_000, beat(WORKER, &[orphan]));
    assert!(sent(&effects, WORKER).iter().any(|m| matches!(m, ToWorker::Cancel { .. })));
}

#[test]
fn without_a_connection_jobs_wait_and_leases_do_not_end() {
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
    let mut others = vec![[0; 32]; 1];
    // Of another job, of another attempt, of another manager.
    others.extend((0..32).map(|byte| {
        let mut other = token;
        other[byte] ^= 1;
        other
    }));
    others.push(super::token(&[4; 32], second.id, 1));
    for other in &others {
        assert_eq!(manager.permit(other), Permit::Unknown);
        assert_eq!(manager.use_token(other), Permit::Unknown);
        manager.release_token(other);
    }
    assert_eq!(manager.permit(&token), Permit::Open);
    assert_eq!(manager.use_token(&token), Permit::Open);
    assert_eq!((manager.permit(&token), manager.use_token(&token)), (Permit::Used, Permit::Used));
    manager.release_token(&token);
    assert_eq!(manager.use_token(&token), Permit::Open);
    // Each attempt at a job has its own token.
    let again = super::token(&settings().secret, second.id, 2);
    assert_eq!(manager.use_token(&again), Permit::Open);
    manager.handle(0, Event::Withdraw(second.id));
    assert_eq!(manager.permit(&token), Permit::Unknown);
    assert_ne!(first.id, second.id);
}

#[test]
fn a_token_is_valid_after_a_restart() {
    let (mut manager, open) = busy();
    let failed = result(1, open.id, WORKER, Outcome::Failed("no memory".to_string()));
    let effects = manager.handle(0, failed);
    let [first, second] = [1, 2].map(|attempt| super::token(&settings().secret, open.id, attempt));
    assert_eq!(published(&effects)[0].token, second);
    let mut manager = Manager::new(settings(), []);
    assert_eq!(manager.permit(&second), Permit::Unknown, "its job is not submitted yet");
    manager.handle(0, Event::Submit(open));
    for token in [first, second] {
        assert_eq!(manager.use_token(&token), Permit::Open);
        assert_eq!(manager.use_token(&token), Permit::Used);
    }
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

/// A manager with these workers, the first of which has answered a job without a certificate.
fn answered_by_first(workers: &[WorkerId], settings: Settings) -> (Manager, Job, Vec<Effect>) {
    let mut manager = Manager::new(settings, []);
    manager.handle(0, Event::Connected);
    for &worker in workers {
        manager.handle(0, hello(worker, "77"));
    }
    let job = job(b"a");
    manager.handle(0, Event::Submit(job.clone()));
    manager.handle(0, beat(WORKER, &[job.id]));
    manager.handle(0, result(4, job.id, WORKER, Outcome::Uncertified(b"x".to_vec())));
    let verdict = Judgement::Good { record: b"x".to_vec() };
    let mut effects =
        manager.handle(0, Event::Judged { delivery: 4, job: job.id, worker: WORKER, verdict });
    effects.extend(manager.handle(0, Event::Synced { upto: 0 }));
    (manager, job, effects)
}

fn performed(effects: &[Effect]) -> Option<JobId> {
    effects.iter().find_map(|effect| match effect {
        Effect::Perform { audit, .. } => Some(*audit),
        _ => None,
    })
}

fn own_answer(audit: JobId, record: &[u8]) -> Event {
    let answer = OwnAnswer { nodes: 5, record: record.to_vec(), certified: false };
    Event::Performed { audit, answer: Some(answer) }
}

fn is_dropped(effects: &[Effect], worker: WorkerId) -> bool {
    let dropped = |effect: &Effect| match effect {
        Effect::Notice(Notice::Dropped { worker: it, .. }) => *it == worker,
        _ => false,
    };
    effects.iter().any(dropped)
}

#[test]
fn a_wrong_answer_is_revoked_with_its_worker_and_corrected_by_the_own_machine() {
    let (mut manager, job, effects) = answered_by_first(&[WORKER], settings());
    let audit = performed(&effects).expect("a first answer is audited");
    let effects = manager.handle(0, own_answer(audit, b"y"));
    assert!(is_dropped(&effects, WORKER), "{effects:?}");
    assert!(effects.contains(&Effect::Revoke { jobs: vec![job.id], nodes: 9 }));
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Queue { .. })));
    manager.handle(0, Event::Synced { upto: 2 });
    let effects = manager.handle(0, Event::Submit(job.clone()));
    let answer = Answered::Good { record: b"y".to_vec() };
    assert_eq!(effects[0], Effect::Answer { job: job.id, nodes: 5, answer });
}

/// A manager that crashes right after dropping a worker forgets that; then it may drop another
/// worker, which knows the queues that were created without the first.
#[test]
fn queues_have_another_name_when_another_worker_was_dropped() {
    let dropped =
        |worker| JournalRecord::Dropped { worker, name: String::new(), why: String::new() };
    let queue = |records: &[JournalRecord]| Manager::new(settings(), records.to_vec()).queue();
    let queues = [queue(&[]), queue(&[dropped(WORKER)]), queue(&[dropped(OTHER)])];
    assert!(queues[0] != queues[1] && queues[0] != queues[2] && queues[1] != queues[2]);
    let both = [dropped(WORKER), dropped(OTHER)];
    assert!(!queues.contains(&queue(&both)) && queue(&both) == queue(&both));
}

#[test]
fn the_same_answer_is_confirmed_and_may_be_kept() {
    let (mut manager, _, effects) = answered_by_first(&[WORKER], settings());
    let audit = performed(&effects).expect("a first answer is audited");
    manager.handle(0, Event::Settle);
    assert!(!manager.handle(0, Event::Tick).contains(&Effect::Settled));
    let effects = manager.handle(0, own_answer(audit, b"x"));
    assert!(effects.contains(&Effect::Settled), "{effects:?}");
    let effects = manager.handle(0, Event::Synced { upto: 1 });
    let (key, record) = (b"a".to_vec(), b"x".to_vec());
    assert!(effects.contains(&Effect::Confirm { key, nodes: 9, record }));
    let basis = manager.status().basis;
    assert_eq!((basis.answers, basis.workers, basis.done_again), (1, 1, 1));
}

#[test]
fn audits_can_be_switched_off() {
    let (mut manager, _, effects) =
        answered_by_first(&[WORKER], Settings { audit: 0, ..settings() });
    assert_eq!(performed(&effects), None);
    assert_eq!(manager.handle(0, Event::Settle), [Effect::Settled]);
}

#[test]
fn a_worker_does_not_audit_itself() {
    let published_by = |secret: u8| {
        let settings = Settings { secret: [secret; 32], ..settings() };
        let (manager, _, effects) = answered_by_first(&[WORKER, OTHER], settings);
        let audit = published(&effects).first()?.job;
        Some((manager, audit))
    };
    let audited = || (0..=255).find_map(published_by).expect("workers do half of the audits");
    // It has begun the audit of its own answer.
    let (mut manager, audit) = audited();
    let effects = manager.handle(0, beat(WORKER, &[audit]));
    assert_eq!(performed(&effects), Some(audit), "{effects:?}");
    // It answers the audit at once.
    let (mut manager, audit) = audited();
    let effects = manager.handle(0, result(5, audit, WORKER, Outcome::Uncertified(b"x".to_vec())));
    assert!(effects.contains(&Effect::Acknowledge { delivery: 5 }), "{effects:?}");
    assert_eq!(performed(&effects), Some(audit), "{effects:?}");
    // The other worker may audit it.
    let (mut manager, audit) = audited();
    let effects = manager.handle(0, result(5, audit, OTHER, Outcome::Uncertified(b"x".to_vec())));
    assert!(matches!(effects[..], [Effect::Judge { .. }]), "{effects:?}");
}

#[test]
fn an_answer_to_another_body_counts_only_with_a_certificate() {
    let (mut manager, job) = busy();
    let Event::Result { delivery, mut result } =
        result(4, job.id, WORKER, Outcome::Uncertified(b"x".to_vec()))
    else {
        panic!("a result")
    };
    result.body = [0; 32];
    let effects = manager.handle(0, Event::Result { delivery, result: result.clone() });
    assert!(effects.contains(&Effect::Acknowledge { delivery }));
    assert_eq!(published(&effects).len(), 1);
    result.outcome = won();
    let effects = manager.handle(0, Event::Result { delivery: 5, result });
    assert!(matches!(effects[..], [Effect::Judge { .. }]), "{effects:?}");
}

#[test]
fn a_job_is_taken_from_a_worker_that_beats_and_never_answers() {
    let mut manager = Manager::new(settings(), []);
    manager.handle(0, Event::Connected);
    manager.handle(0, hello(WORKER, "77"));
    let job = Job { limit_ms: 100_000, ..job(b"a") };
    manager.handle(0, Event::Submit(job.clone()));
    let mut effects = Vec::new();
    for second in 0..=100 {
        effects.extend(manager.handle(second * 1_000, beat(WORKER, &[job.id])));
        effects.extend(manager.handle(second * 1_000, Event::Tick));
    }
    assert_eq!(published(&effects).len(), 1, "published again after its time");
    // It does not get the same job again, even if it claims to do it.
    assert!(matches!(
        sent(&manager.handle(100_000, beat(WORKER, &[job.id])), WORKER)[..],
        [ToWorker::Cancel { .. }]
    ));
    assert!(manager.running_at(WORKER).is_empty());
    // If no other worker takes it, it may try again.
    let mut effects = Vec::new();
    for second in 101..=170 {
        effects.extend(manager.handle(second * 1_000, beat(WORKER, &[])));
        effects.extend(manager.handle(second * 1_000, Event::Tick));
    }
    assert_eq!(published(&effects).len(), 1, "no worker began it");
    assert!(sent(&manager.handle(170_000, beat(WORKER, &[job.id])), WORKER).is_empty());
    assert_eq!(manager.running_at(WORKER), [job.id]);
    // An answer of a late worker still counts.
    let effects = manager.handle(170_000, result(4, job.id, WORKER, won()));
    assert!(matches!(effects[..], [Effect::Judge { .. }]));
}

#[test]
fn an_idle_worker_gets_a_copy_of_the_oldest_job() {
    let (mut manager, job) = busy();
    let mut copies = 0;
    for second in 1..=30 {
        manager.handle(second * 1_000, beat(WORKER, &[job.id]));
        manager.handle(second * 1_000, beat(OTHER, &[]));
        let effects = manager.handle(second * 1_000, Event::Tick);
        copies += published(&effects).len();
    }
    assert_eq!(copies, 1, "one copy");
    let started = Event::Worker(FromWorker::Started { worker: OTHER, job: job.id, attempt: 2 });
    assert!(sent(&manager.handle(30_000, started), OTHER).is_empty(), "both may do it");
    assert_eq!(manager.running_at(WORKER), manager.running_at(OTHER));
    manager.handle(30_000, result(4, job.id, OTHER, won()));
    let verdict = Judgement::Good { record: b"proof".to_vec() };
    let judged = Event::Judged { delivery: 4, job: job.id, worker: OTHER, verdict };
    manager.handle(30_000, judged);
    manager.handle(30_000, Event::Synced { upto: 0 });
    let effects = manager.handle(31_000, beat(WORKER, &[job.id]));
    assert!(matches!(sent(&effects, WORKER)[..], [ToWorker::Cancel { .. }]));
}

#[test]
fn ten_thousand_workers_that_are_names_only_are_reported_and_change_little() {
    let mut manager = Manager::new(settings(), []);
    manager.handle(0, Event::Connected);
    let worker = |number: u32| {
        let mut id = [9; 16];
        id[..4].copy_from_slice(&number.to_le_bytes());
        WorkerId(id)
    };
    for number in 0..10_000 {
        let [name, version, signature] = ["fake", "0.1.0", "77"].map(String::from);
        let cores = 4_096;
        let hello = FromWorker::Hello { worker: worker(number), name, version, signature, cores };
        manager.handle(0, Event::Worker(hello));
    }
    assert!(manager.capacity() <= 256, "{}", manager.capacity());
    // A real worker still finds room.
    let effects = manager.handle(1_000, hello(WORKER, "77"));
    assert!(matches!(sent(&effects, WORKER)[..], [ToWorker::Welcome { .. }]));
    let effects = manager.handle(1_000, Event::Tick);
    let is_warning = |effect: &Effect| {
        matches!(effect, Effect::Notice(Notice::Warning(Warning { kind, .. }))
            if *kind == WarningKind::TooManyWorkers)
    };
    assert!(effects.iter().any(is_warning), "{effects:?}");
    let status = manager.status();
    assert!(status.is_within_limits() && status.worker_count == WORKERS_MAX as u64);
    let warning = status.warnings.iter().find(|w| w.kind == WarningKind::TooManyWorkers);
    assert_eq!(warning.map(|warning| warning.count), Some(10_001 - WORKERS_MAX as u64));
    let effects = wait(&mut manager, 2_000, 46_000);
    let is_silent = |effect: &Effect| {
        matches!(effect, Effect::Notice(Notice::Warning(Warning { kind, .. }))
            if *kind == WarningKind::NoAnswers)
    };
    assert!(effects.iter().any(is_silent));
}
