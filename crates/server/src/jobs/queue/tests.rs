//! Properties of the queue under random operations.

use std::collections::BTreeMap;

use arbtest::arbitrary::{Result as Drawn, Unstructured};
use arbtest::arbtest;

use super::super::wire::{ColorName, JobLimits, JobOutcome};
use super::*;

fn job(order: &JobOrder) -> Job {
    Job {
        id: 0,
        kind: order.kind,
        state: JobState::Queued,
        document: order.document.clone(),
        document_title: "a game".to_string(),
        node: order.node,
        scope: order.scope,
        attacker: ColorName::Black,
        squares: None,
        limits: JobLimits::default(),
        priority: order.priority,
        style: "sixproof".to_string(),
        level: 10,
        lines: 1,
        created_ms: 0,
        started_ms: None,
        ended_ms: None,
        worker: None,
        heartbeat_ms: None,
        done: 0,
        total: 1,
        progress: None,
        text: String::new(),
        result: None,
        tally: None,
        problem: None,
    }
}

fn order(kind: JobKind, priority: i32) -> JobOrder {
    JobOrder { priority, ..JobOrder::new(kind, "d", 0) }
}

fn result(ticket: Ticket) -> JobResult {
    JobResult {
        kind: JobKind::Prove,
        outcome: JobOutcome::Unknown,
        attacker: ColorName::Black,
        text: String::new(),
        line: Vec::new(),
        moves: Vec::new(),
        unsolved: Vec::new(),
        order: None,
        nodes: 0,
        seconds: 0.5,
        limits: JobLimits::default(),
        version: String::new(),
        certificate: None,
        job: ticket.id,
        at_ms: 0,
    }
}

fn add(queue: &mut Queue, kind: JobKind, priority: i32) -> JobId {
    let order = order(kind, priority);
    queue.add(0, job(&order), order).unwrap().0
}

/// The world around a queue: the stored jobs, and the workers that run one.
struct World {
    queue: Queue,
    kept: BTreeMap<JobId, Vec<u8>>,
    out: Vec<Ticket>,
    told_to_stop: Vec<Ticket>,
    /// The jobs that were cancelled.
    cancelled: Vec<JobId>,
    now: u64,
}

const ENDED: usize = 4;

impl World {
    fn new(workers: [usize; 2]) -> World {
        World {
            queue: Queue::new(workers, ENDED),
            kept: BTreeMap::new(),
            out: Vec::new(),
            told_to_stop: Vec::new(),
            cancelled: Vec::new(),
            now: 0,
        }
    }

    fn carry_out(&mut self, effects: &[Effect]) {
        for effect in effects {
            match *effect {
                Effect::Persist(id) => {
                    // The same event may remove a job.
                    if let Some(kept) = self.queue.stored(id) {
                        self.kept.insert(id, kept.to_bytes());
                    }
                }
                Effect::Remove(id) => {
                    self.kept.remove(&id);
                }
                Effect::Stop(ticket) => self.told_to_stop.push(ticket),
                Effect::Publish(_) | Effect::Wake => {}
            }
        }
    }

    fn step(&mut self, u: &mut Unstructured<'_>) -> Drawn<()> {
        self.now += PERSIST_MS;
        let ids: Vec<JobId> = self.queue.jobs().map(|job| job.id).collect();
        let id = if ids.is_empty() { 77 } else { *u.choose(&ids)? };
        let effects = match u.int_in_range(0..=9)? {
            0 | 1 => {
                let kinds = [JobKind::Solve, JobKind::Prove, JobKind::Analyse, JobKind::Play];
                let order = order(*u.choose(&kinds)?, u.int_in_range(-2..=2)?);
                let added = self.queue.add(self.now, job(&order), order);
                added.map(|(_, effects)| effects)
            }
            2 | 3 => {
                let lane = *u.choose(&Lane::ALL)?;
                let best = self.queue.first(lane);
                let taken = self.queue.take(self.now, lane, "local");
                if let Some((ticket, _)) = &taken {
                    assert_eq!(Some(ticket.id), best, "the first is taken");
                    self.out.push(*ticket);
                }
                Ok(taken.map(|(_, effects)| effects).unwrap_or_default())
            }
            4 if !self.out.is_empty() => {
                let ticket = self.out.swap_remove(u.choose_index(self.out.len())?);
                let end = match u.int_in_range(0..=2)? {
                    0 => JobEnd::Stopped,
                    1 => JobEnd::Failed(JobFailure { text: "no".to_string(), kind: None }),
                    _ => JobEnd::Done(Box::new(JobConclusion::found(
                        "yes".to_string(),
                        result(ticket),
                    ))),
                };
                Ok(self.queue.finish(self.now, ticket, end))
            }
            5 if !self.out.is_empty() => {
                let ticket = *u.choose(&self.out)?;
                Ok(self.queue.mark_written(self.now, ticket, 1))
            }
            6 => self.queue.pause(id),
            7 => self.queue.resume(id),
            8 => self.queue.set_priority(id, u.int_in_range(-3..=3)?),
            _ => match u.arbitrary()? {
                true => {
                    if self.queue.job(id).is_ok_and(|job| !job.state.is_ended()) {
                        self.cancelled.push(id);
                    }
                    self.queue.cancel(self.now, id)
                }
                false => self.queue.forget(id),
            },
        };
        self.carry_out(&effects.unwrap_or_default());
        Ok(())
    }

    fn check(&self) {
        for lane in Lane::ALL {
            let out = &self.queue.working[lane.index()];
            assert!(out.len() <= self.queue.workers[lane.index()]);
        }
        let mut running = 0;
        for entry in self.queue.entries.values() {
            assert_eq!(entry.ticket.is_some(), entry.job.state == JobState::Running);
            running += usize::from(entry.ticket.is_some());
            if self.cancelled.contains(&entry.job.id) {
                assert_eq!(entry.job.state, JobState::Cancelled);
                assert!(entry.job.result.is_none());
            }
        }
        let current = self.out.iter().filter(|&&ticket| self.queue.is_current(ticket));
        assert_eq!(current.count(), running, "every running job has a worker");
        for ticket in &self.out {
            let stopped = self.told_to_stop.contains(ticket);
            assert_ne!(
                stopped,
                self.queue.is_current(*ticket),
                "a ticket that is not current was stopped"
            );
        }
        let ended = self.queue.jobs().filter(|job| job.state.is_ended()).count();
        assert!(ended <= ENDED);
    }

    /// The queue after a crash.
    fn restarted(&self) -> Queue {
        let mut queue = Queue::new([1, 1], ENDED);
        let kept = self.kept.values().map(|bytes| StoredJob::from_bytes(bytes).unwrap()).collect();
        queue.restore(kept, self.queue.next_id());
        queue
    }
}

#[test]
fn a_queue_keeps_its_promises_whatever_happens() {
    let mut cancelled = 0;
    // Until every kind has come up often enough, however slow the machine is.
    while cancelled <= 20 {
        arbtest(|u| {
            let workers = [u.int_in_range(1..=2)?, u.int_in_range(1..=2)?];
            let mut world = World::new(workers);
            while !u.is_empty() {
                world.step(u)?;
                world.check();
            }
            cancelled += world.cancelled.len();
            Ok(())
        })
        .budget_ms(500)
        .run();
    }
}

#[test]
fn after_a_crash_everything_is_there_and_what_was_running_is_queued() {
    arbtest(|u| {
        let mut world = World::new([1, 1]);
        while !u.is_empty() {
            world.step(u)?;
        }
        let queue = world.restarted();
        assert_eq!(queue.entries.len(), world.queue.entries.len());
        for &id in world.queue.entries.keys() {
            let mut expected = world.queue.stored(id).unwrap();
            expected.job.worker = None;
            if expected.job.state == JobState::Running {
                expected.job.state = JobState::Queued;
            }
            assert_eq!(queue.stored(id), Some(expected));
        }
        assert!(queue.next_id() >= world.queue.next_id());
        Ok(())
    })
    .budget_ms(1_500)
    .run();
}

#[test]
fn the_highest_priority_is_first_then_the_oldest() {
    let mut queue = Queue::new([1, 1], ENDED);
    let ids = [0, 2, 2, -1].map(|priority| add(&mut queue, JobKind::Solve, priority));
    let mut taken = Vec::new();
    while let Some((ticket, _)) = queue.take(1, Lane::Interactive, "local") {
        taken.push(ticket.id);
        queue.finish(1, ticket, JobEnd::Failed(JobFailure::default()));
    }
    assert_eq!(taken, [ids[1], ids[2], ids[0], ids[3]]);
}

#[test]
fn a_long_proof_does_not_keep_anybody_from_playing() {
    let mut queue = Queue::new([1, 1], ENDED);
    let proof = add(&mut queue, JobKind::Prove, 10);
    let play = add(&mut queue, JobKind::Play, 0);
    assert_eq!(queue.take(1, Lane::Background, "local").unwrap().0.id, proof);
    assert_eq!(queue.take(1, Lane::Interactive, "local").unwrap().0.id, play);
    let order = JobOrder { scope: JobScope::Document, ..order(JobKind::Solve, 0) };
    assert_eq!(Lane::of(&job(&order)), Lane::Background);
}

#[test]
fn an_analysis_gives_way_and_goes_on_afterwards() {
    let mut queue = Queue::new([1, 1], ENDED);
    let analysis = add(&mut queue, JobKind::Analyse, 0);
    let (first, _) = queue.take(1, Lane::Interactive, "local").unwrap();
    // Less important jobs wait; equally important ones do not.
    add(&mut queue, JobKind::Play, -1);
    assert!(queue.is_current(first));
    let play = order(JobKind::Play, 0);
    let (play, effects) = queue.add(2, job(&play), play).unwrap();
    assert!(effects.contains(&Effect::Stop(first)));
    assert_eq!(queue.job(analysis).unwrap().state, JobState::Queued);
    assert!(queue.take(2, Lane::Interactive, "local").is_none(), "its worker has not ended yet");
    queue.finish(3, first, JobEnd::Stopped);
    let (ticket, _) = queue.take(4, Lane::Interactive, "local").unwrap();
    assert_eq!(ticket.id, play);
    queue.finish(5, ticket, JobEnd::Failed(JobFailure::default()));
    assert_eq!(queue.take(6, Lane::Interactive, "local").unwrap().0.id, analysis);
}

#[test]
fn the_newest_analysis_is_the_one_that_is_watched() {
    let mut queue = Queue::new([1, 1], ENDED);
    add(&mut queue, JobKind::Analyse, 0);
    let (first, _) = queue.take(1, Lane::Interactive, "local").unwrap();
    let second = add(&mut queue, JobKind::Analyse, 0);
    assert!(!queue.is_current(first));
    queue.finish(2, first, JobEnd::Stopped);
    assert_eq!(queue.take(3, Lane::Interactive, "local").unwrap().0.id, second);
}

#[test]
fn what_has_ended_cannot_be_changed_but_forgotten() {
    let mut queue = Queue::new([1, 1], ENDED);
    let id = add(&mut queue, JobKind::Solve, 0);
    assert!(queue.forget(id).unwrap_err().title.contains("has not ended"));
    queue.cancel(1, id).unwrap();
    assert!(queue.cancel(2, id).unwrap().is_empty());
    for refused in [queue.pause(id), queue.resume(id), queue.set_priority(id, 1)] {
        assert!(refused.unwrap_err().help.unwrap().contains("repeat"));
    }
    assert_eq!(queue.forget(id).unwrap(), [Effect::Remove(id)]);
    assert_eq!(queue.job(id).unwrap_err().status, 404);
    assert!(queue.set_priority(id, 11).unwrap_err().title.contains("out of range"));
}

#[test]
fn to_cancel_what_is_done_changes_nothing() {
    let mut queue = Queue::new([1, 1], ENDED);
    let id = add(&mut queue, JobKind::Solve, 0);
    let (ticket, _) = queue.take(1, Lane::Interactive, "local").unwrap();
    queue.finish(2, ticket, JobEnd::Done(Box::default()));
    assert!(queue.cancel(3, id).unwrap().is_empty());
    assert_eq!(queue.job(id).unwrap().state, JobState::Done);
}

#[test]
fn a_job_with_many_positions_is_published_and_stored_now_and_then() {
    let mut queue = Queue::new([1, 1], ENDED);
    let order = JobOrder { scope: JobScope::Document, ..order(JobKind::Solve, 0) };
    queue.add(0, job(&order), order).unwrap();
    let (ticket, _) = queue.take(0, Lane::Background, "local").unwrap();
    let (mut published, mut stored) = (0, 0);
    for node in 0..5_000 {
        let effects = queue.mark_written(u64::from(node), ticket, node);
        published += effects.iter().filter(|effect| matches!(effect, Effect::Publish(_))).count();
        stored += effects.iter().filter(|effect| matches!(effect, Effect::Persist(_))).count();
    }
    assert_eq!((published, stored), (49, 4));
    assert_eq!(queue.job(ticket.id).unwrap().done, 5_000);
    let effects = queue.finish(5_000, ticket, JobEnd::Stopped);
    assert!(effects.contains(&Effect::Persist(ticket.id)));
    assert_eq!(queue.stored(ticket.id).unwrap().seen.len(), 5_000);
}

#[test]
fn the_trees_of_the_latest_searches_are_kept() {
    let mut queue = Queue::new([1, 1], 2 * TREES_MAX);
    for now in 0..=TREES_MAX as u64 {
        add(&mut queue, JobKind::Prove, 0);
        let (ticket, _) = queue.take(now, Lane::Background, "local").unwrap();
        let tree = Some(Arc::new(SearchTree { version: now, ..SearchTree::default() }));
        queue.report(now, ticket, JobUpdate { tree, ..JobUpdate::default() });
        assert!(queue.stored(ticket.id).unwrap().tree.is_none(), "not while it runs");
        queue.finish(now, ticket, JobEnd::Failed(JobFailure::default()));
    }
    assert!(queue.tree(1).unwrap().is_none());
    assert_eq!(queue.tree(2).unwrap().unwrap().version, 1);
    assert!(queue.stored(2).unwrap().tree.is_some());
}
