//! The rules of a worker, one at a time; `tests/sim` tests all of them together.

use super::*;
use crate::id::{ManagerId, QueueId, WorkerId};
use crate::wire::{Assignment, Body, Outcome, Priority, ToWorker};

const ID: WorkerId = WorkerId([1; 16]);
const FIRST: ManagerId = ManagerId([2; 16]);
const SECOND: ManagerId = ManagerId([3; 16]);
const QUEUE: QueueId = QueueId([4; 16]);

fn here(manager: ManagerId, signature: &str) -> Event {
    let (signature, version) = (signature.to_string(), "0.1.0".to_string());
    Event::Manager(ToWorker::Here { manager, signature, version, lease_ms: 45_000, epoch: 0 })
}

fn assigned(delivery: u64, manager: ManagerId, job: u8) -> Event {
    let assignment = Assignment {
        manager,
        job: JobId([job; 16]),
        attempt: 1,
        body: Body::Inline(Vec::new()),
        url: String::new(),
        token: [0; 32],
    };
    Event::Assigned { delivery, assignment }
}

fn finished(job: u8) -> Event {
    Event::Finished {
        job: JobId([job; 16]),
        nodes: 10,
        outcome: Outcome::Uncertified(b"x".to_vec()),
    }
}

/// A worker that these managers have welcomed; its first pull is running.
fn welcomed(cores: u16, managers: &[ManagerId]) -> (Worker, Vec<Effect>) {
    let mut worker = Worker::new(Settings::new(ID, "host", "0.1.0", "77", cores));
    let mut effects = worker.handle(0, Event::Connected);
    for &manager in managers {
        let hello = worker.handle(0, here(manager, "77"));
        assert!(
            hello
                .iter()
                .any(|e| matches!(e, Effect::SendTo { message: FromWorker::Hello { .. }, .. }))
        );
        let welcome = ToWorker::Welcome { manager, worker: ID, epoch: 0, queue: QUEUE };
        effects.extend(worker.handle(0, Event::Manager(welcome)));
    }
    (worker, effects)
}

fn pulls(effects: &[Effect]) -> Vec<(u64, ManagerId, Priority, usize, u64)> {
    let pull = |effect: &Effect| match *effect {
        Effect::Pull { number, manager, priority, count, wait_ms, .. } => {
            Some((number, manager, priority, count, wait_ms))
        }
        _ => None,
    };
    effects.iter().filter_map(pull).collect()
}

#[test]
fn user_jobs_of_all_managers_come_before_automatic_ones() {
    let (mut worker, effects) = welcomed(2, &[FIRST, SECOND]);
    let mut asked = pulls(&effects);
    assert_eq!(asked.len(), 1, "one pull at a time");
    for _ in 0..4 {
        let number = asked.last().unwrap().0;
        asked.extend(pulls(&worker.handle(0, Event::PullOver { number })));
    }
    let asked: Vec<(Priority, bool)> = asked.iter().map(|a| (a.2, a.4 > 0)).collect();
    let (user, auto) = (Priority::User, Priority::Auto);
    // The first pull was before the second manager was known. Only the last one waits.
    assert_eq!(asked, [(user, false), (user, false), (auto, false), (auto, true)]);
}

#[test]
fn a_round_that_ends_at_once_without_a_job_is_repeated_after_a_tick() {
    let (mut worker, effects) = welcomed(1, &[FIRST]);
    let first = pulls(&effects)[0].0;
    let second = pulls(&worker.handle(0, Event::PullOver { number: first }))[0].0;
    assert_eq!(pulls(&worker.handle(0, Event::PullOver { number: second })), []);
    assert_eq!(pulls(&worker.handle(1_000, Event::Tick)).len(), 1);
}

#[test]
fn there_is_one_job_for_each_core_and_one_at_hand() {
    let (mut worker, effects) = welcomed(1, &[FIRST]);
    let (number, _, _, count, _) = pulls(&effects)[0];
    assert_eq!(count, 2);
    for (delivery, job) in [(7, 1), (8, 2)] {
        let started = worker.handle(0, assigned(delivery, FIRST, job));
        assert!(started.iter().any(|effect| matches!(effect, Effect::Start { .. })));
    }
    assert_eq!(pulls(&worker.handle(0, Event::PullOver { number })), []);
    assert_eq!(worker.handle(0, assigned(9, FIRST, 3)), [Effect::Nak { delivery: 9 }]);
    // A second delivery of the same job is kept, and does not begin it again.
    assert_eq!(worker.handle(0, assigned(10, FIRST, 1)), []);
    // While the result is on its way the next job can arrive.
    let sent = worker.handle(0, finished(1));
    assert!(matches!(sent[0], Effect::PublishResult { .. }));
    assert_eq!(pulls(&sent).iter().map(|pull| pull.3).collect::<Vec<_>>(), [1]);
    let done = worker.handle(0, Event::Sent { job: JobId([1; 16]) });
    assert_eq!(
        done[..2],
        [Effect::Acknowledge { delivery: 7 }, Effect::Acknowledge { delivery: 10 }]
    );
    assert_eq!(worker.summary().done, 1);
}

#[test]
fn unsent_results_do_not_pile_up() {
    let (mut worker, _) = welcomed(1, &[FIRST]);
    worker.handle(0, Event::Disconnected);
    for number in 1..=10 {
        worker.handle(0, assigned(u64::from(number), FIRST, number));
        worker.handle(0, finished(number));
    }
    assert_eq!(worker.summary().unsent, 4);
}

#[test]
fn a_result_is_sent_again_until_the_server_has_it() {
    let (mut worker, _) = welcomed(1, &[FIRST]);
    worker.handle(0, assigned(7, FIRST, 1));
    worker.handle(0, Event::Disconnected);
    assert_eq!(worker.handle(0, finished(1)), [], "finished without a connection");
    let is_send = |effect: &Effect| matches!(effect, Effect::PublishResult { .. });
    assert_eq!(worker.handle(0, Event::Connected).iter().filter(|e| is_send(e)).count(), 1);
    assert_eq!(worker.handle(0, Event::Unsent { job: JobId([1; 16]) }), []);
    assert!(!worker.handle(1_000, Event::Tick).iter().any(is_send));
    assert!(worker.handle(2_000, Event::Tick).iter().any(is_send));
}

#[test]
fn a_cancelled_job_is_stopped_acknowledged_and_nothing_is_sent() {
    let (mut worker, _) = welcomed(1, &[FIRST]);
    worker.handle(0, assigned(7, FIRST, 1));
    let job = JobId([1; 16]);
    let foreign = Event::Manager(ToWorker::Cancel { manager: SECOND, job });
    assert_eq!(worker.handle(0, foreign), []);
    let cancel = Event::Manager(ToWorker::Cancel { manager: FIRST, job });
    let effects = worker.handle(0, cancel.clone());
    assert_eq!(effects[..2], [Effect::Stop { job }, Effect::Acknowledge { delivery: 7 }]);
    assert_eq!(worker.handle(0, cancel), []);
    assert_eq!(worker.handle(0, finished(1)), []);
}

#[test]
fn a_worker_that_quits_hands_its_jobs_back_and_waits_for_its_results() {
    let (mut worker, _) = welcomed(2, &[FIRST]);
    worker.handle(0, assigned(7, FIRST, 1));
    worker.handle(0, assigned(8, FIRST, 2));
    worker.handle(0, finished(1));
    let (job, attempt) = (JobId([2; 16]), 1);
    let message = FromWorker::Returned { worker: ID, job, attempt };
    assert_eq!(
        worker.handle(0, Event::Quit),
        [
            Effect::Stop { job },
            Effect::Nak { delivery: 8 },
            Effect::SendTo { manager: FIRST, message }
        ]
    );
    let message = FromWorker::Bye { worker: ID };
    assert_eq!(
        worker.handle(0, Event::Sent { job: JobId([1; 16]) }),
        [
            Effect::Acknowledge { delivery: 7 },
            Effect::SendTo { manager: FIRST, message },
            Effect::Leave
        ]
    );
    assert_eq!(worker.handle(0, here(SECOND, "77")), []);
}

#[test]
fn the_second_quit_leaves_at_once() {
    let (mut worker, _) = welcomed(1, &[FIRST]);
    worker.handle(0, assigned(7, FIRST, 1));
    worker.handle(0, finished(1));
    assert_eq!(worker.handle(0, Event::Quit), []);
    assert_eq!(worker.handle(0, Event::Quit).last(), Some(&Effect::Leave));
}

#[test]
fn no_jobs_are_taken_from_a_silent_manager_or_one_of_another_build() {
    let (mut worker, effects) = welcomed(1, &[FIRST]);
    let mut number = pulls(&effects)[0].0;
    let mut silent = false;
    for second in 1..=30 {
        let effects = worker.handle(second * 1_000, Event::Tick);
        silent |= effects.contains(&Effect::Notice(Notice::Silent { manager: FIRST }));
        let effects = worker.handle(second * 1_000, Event::PullOver { number });
        let next = pulls(&effects);
        assert!(next.is_empty() == silent || next.is_empty(), "asked a silent manager");
        number = next.first().map_or(number, |pull| pull.0);
    }
    assert!(silent && worker.summary().managers == 0);
    worker.handle(31_000, here(FIRST, "77"));
    assert_eq!(worker.summary().managers, 1);
    let effects = worker.handle(31_000, here(FIRST, "78"));
    assert!(matches!(effects[..], [Effect::SendTo { message: FromWorker::Hello { .. }, .. }]));
    assert_eq!(worker.summary().managers, 0);
}

#[test]
fn a_worker_takes_jobs_from_the_queues_it_was_welcomed_to_last() {
    let (mut worker, effects) = welcomed(1, &[FIRST]);
    let queue_of = |effects: &[Effect]| {
        effects.iter().find_map(|effect| match effect {
            Effect::Pull { queue, .. } => Some(*queue),
            _ => None,
        })
    };
    assert_eq!(queue_of(&effects), Some(QUEUE));
    let says_hello = |effects: &[Effect]| {
        let hello =
            |e: &Effect| matches!(e, Effect::SendTo { message: FromWorker::Hello { .. }, .. });
        effects.iter().any(hello)
    };
    assert!(!says_hello(&worker.handle(0, here(FIRST, "77"))));
    // The manager has new queues, and the message with their id was lost: the worker asks for it.
    let (signature, version) = ("77".to_string(), "0.1.0".to_string());
    let here = ToWorker::Here { manager: FIRST, signature, version, lease_ms: 45_000, epoch: 1 };
    assert!(says_hello(&worker.handle(0, Event::Manager(here))));
    let queue = QueueId([5; 16]);
    let newer = ToWorker::Welcome { manager: FIRST, worker: ID, epoch: 1, queue };
    worker.handle(0, Event::Manager(newer));
    worker.handle(0, Event::Disconnected);
    assert_eq!(queue_of(&worker.handle(0, Event::Connected)), Some(queue));
}

#[test]
fn the_server_and_the_managers_hear_that_a_job_is_being_done() {
    let (mut worker, _) = welcomed(2, &[FIRST, SECOND]);
    worker.handle(0, assigned(7, FIRST, 1));
    let progress = Event::Progress { job: JobId([1; 16]), nodes: 6, found: b"y".to_vec() };
    let effects = worker.handle(0, progress);
    assert!(matches!(effects[..], [Effect::SendTo { message: FromWorker::Partial { .. }, .. }]));
    let effects: Vec<Effect> =
        (1..=10).flat_map(|second| worker.handle(second * 1_000, Event::Tick)).collect();
    assert!(effects.contains(&Effect::AckProgress { delivery: 7 }));
    let beats = effects.iter().filter_map(|effect| match effect {
        Effect::SendTo { manager, message: FromWorker::Beat { running, elsewhere, .. } } => {
            Some((*manager, running.len(), *elsewhere))
        }
        _ => None,
    });
    let beats: Vec<_> = beats.collect();
    assert_eq!(beats.len(), 4);
    assert!(beats.contains(&(FIRST, 1, 0)) && beats.contains(&(SECOND, 0, 1)));
}

#[test]
fn a_refused_worker_asks_again_after_a_while_and_a_dismissed_one_never() {
    let (mut worker, _) = welcomed(1, &[FIRST]);
    worker.handle(0, assigned(7, FIRST, 1));
    let (manager, why) = (FIRST, "why".to_string());
    let refused = ToWorker::Refused { manager, worker: ID, why: why.clone() };
    worker.handle(0, Event::Manager(refused));
    let says = |effects: &[Effect]| effects.iter().any(|e| matches!(e, Effect::SendTo { .. }));
    assert!(!says(&worker.handle(1_000, here(FIRST, "77"))));
    for second in 2..=60 {
        worker.handle(second * 1_000, Event::Tick);
    }
    assert!(says(&worker.handle(61_000, here(FIRST, "77"))));
    let dismissed = ToWorker::Dismissed { manager, worker: ID, why };
    let effects = worker.handle(62_000, Event::Manager(dismissed));
    assert!(effects.contains(&Effect::Stop { job: JobId([1; 16]) }));
    let introduce = Event::Manager(ToWorker::Introduce { manager, worker: ID });
    assert!(!says(&worker.handle(62_000, introduce)));
    assert!(!says(&worker.handle(62_000, here(FIRST, "77"))));
}

#[test]
fn an_answer_that_is_too_large_is_a_failure() {
    let (mut worker, _) = welcomed(1, &[FIRST]);
    worker.handle(0, assigned(7, FIRST, 1));
    let outcome = Outcome::Uncertified(vec![0; crate::wire::FOUND_BYTES_MAX + 1]);
    let effects = worker.handle(0, Event::Finished { job: JobId([1; 16]), nodes: 1, outcome });
    let [Effect::PublishResult { result }] = &effects[..] else { panic!("nothing is sent") };
    assert!(matches!(result.outcome, Outcome::Failed(_)));
}
