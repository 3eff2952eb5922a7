//! A job goes to a worker and comes back answered: `cargo run -p sixproof-farm --example one_job`.
//! Two lists of events stand for the network: a program with sockets executes the same effects.

use std::collections::VecDeque;
use std::io::{self, Write};

use sixproof_farm::manager::{self, Effect as OfManager, Event as ForManager, Judgement};
use sixproof_farm::wire::{Body, Outcome, Priority};
use sixproof_farm::worker::{self, Effect as OfWorker, Event as ForWorker};
use sixproof_farm::{JobId, Manager, ManagerId, Worker, WorkerId};

/// Writes what happens on the way.
pub(crate) fn run(out: &mut dyn Write) -> io::Result<()> {
    // A worker must be of the manager's build, so that its answers are the same.
    let id = ManagerId::of(b"a search");
    let mut manager = Manager::new(manager::Settings::new(id, [7; 32], "build 1", "1"), []);
    let mut worker = Worker::new(worker::Settings::new(WorkerId([1; 16]), "a", "1", "build 1", 4));

    // To the farm, a job is bytes with a key.
    let (key, body, priority) = (b"sum".to_vec(), Body::Inline(vec![1, 2, 3]), Priority::User);
    let job = manager::Job { id: JobId::of(id, &key), key, priority, body, limit_ms: 60_000 };

    let mut to_manager = VecDeque::from([ForManager::Connected, ForManager::Submit(job)]);
    let mut to_worker = VecDeque::from([ForWorker::Connected]);
    let (mut queue, mut pull) = (VecDeque::new(), None);
    let synced = |upto| ForManager::Synced { upto };
    let assigned = |assignment| ForWorker::Assigned { delivery: 1, assignment };
    for now_ms in (0..).step_by(1_000) {
        // Where nothing else happens, time passes.
        for effect in manager.handle(now_ms, to_manager.pop_front().unwrap_or(ForManager::Tick)) {
            match effect {
                OfManager::Broadcast(message) | OfManager::SendTo { message, .. } => {
                    to_worker.push_back(ForWorker::Manager(message));
                }
                OfManager::Publish { assignment, .. } => queue.push_back(assignment),
                // Have the checker look at the certificate here. This answer has none.
                OfManager::Judge { delivery, job, worker, outcome } => {
                    let Outcome::Uncertified(record) = outcome else { continue };
                    let verdict = Judgement::Good { record };
                    to_manager.push_back(ForManager::Judged { delivery, job, worker, verdict });
                }
                // Write to the disk here.
                OfManager::Record { number, .. } => to_manager.push_back(synced(number)),
                OfManager::Answer { nodes, answer, .. } => {
                    return writeln!(out, "search: after {nodes} nodes {answer:?}");
                }
                other => writeln!(out, "manager: {other:?}")?,
            }
        }
        for effect in worker.handle(now_ms, to_worker.pop_front().unwrap_or(ForWorker::Tick)) {
            match effect {
                OfWorker::SendTo { message, .. } => {
                    to_manager.push_back(ForManager::Worker(message))
                }
                OfWorker::Pull { number, .. } => pull = Some(number),
                // Start a thread here.
                OfWorker::Start { job, assignment } => {
                    let Body::Inline(bytes) = assignment.body else { continue };
                    let outcome = Outcome::Uncertified(vec![bytes.iter().sum()]);
                    to_worker.push_back(ForWorker::Finished { job, nodes: 3, outcome });
                }
                OfWorker::PublishResult { result } => {
                    to_worker.push_back(ForWorker::Sent { job: result.job });
                    to_manager.push_back(ForManager::Result { delivery: 1, result });
                }
                other => writeln!(out, "worker: {other:?}")?,
            }
        }
        // The server answers the pull with the next job of the queue.
        if let Some(number) = pull.take_if(|_| !queue.is_empty()) {
            to_worker.extend(queue.pop_front().map(assigned));
            to_worker.push_back(ForWorker::PullOver { number });
        }
    }
    Ok(())
}

fn main() -> io::Result<()> {
    run(&mut io::stdout())
}
