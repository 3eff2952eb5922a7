//! The processes of the workers: honest, slow, dying, outdated, lying, sleeping.

use std::collections::BTreeMap;

use sixproof_farm::wire::{Assignment, Body, Outcome, Priority, ToWorker};
use sixproof_farm::worker::{Effect, Event, Settings, prefetch};
use sixproof_farm::{JobId, Worker, WorkerId};

use super::faults::strikes;
use super::network::{Link, Node, Request};
use super::server::{Pull, QueueName};
use super::world::{Item, SIGNATURE, World};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Honest,
    Slow,
    Dying,
    Outdated,
    /// Sends malformed answers and bad certificates.
    Lying,
    /// Sends wrong answers that need no certificate.
    Subtle,
    /// Sends beats and never answers.
    Sleeping,
}

impl Kind {
    /// Whether a manager may drop it.
    pub(crate) fn is_bad(self) -> bool {
        matches!(self, Kind::Lying | Kind::Subtle | Kind::Sleeping)
    }
}

pub(crate) struct WorkerNode {
    pub(crate) kind: Kind,
    pub(crate) id: WorkerId,
    pub(crate) life: u64,
    process: Option<Worker>,
    pub(crate) link: Link,
    pub(crate) clock_ms: i64,
    cores: u16,
    deliveries: BTreeMap<u64, (QueueName, u64)>,
    delivery_next: u64,
    /// The jobs of its threads, each with its own number and the body of the job.
    threads: BTreeMap<JobId, (u64, Vec<u8>)>,
    thread_next: u64,
}

impl WorkerNode {
    pub(crate) fn new(kind: Kind, cores: u16) -> WorkerNode {
        WorkerNode {
            kind,
            id: WorkerId([0; 16]),
            life: 0,
            process: None,
            link: Link::default(),
            clock_ms: 2_000_000_000,
            cores,
            deliveries: BTreeMap::new(),
            delivery_next: 0,
            threads: BTreeMap::new(),
            thread_next: 0,
        }
    }

    pub(crate) fn described(&self) -> String {
        let summary = self.process.as_ref().map(Worker::summary);
        format!("{:?} {}, {} threads: {summary:?}", self.kind, self.cores, self.threads.len())
    }
}

impl World {
    pub(crate) fn start_worker(&mut self, slot: usize) {
        if self.workers[slot].process.is_some() {
            return;
        }
        let (high, low) = (self.random.bits(), self.random.bits());
        let node = &mut self.workers[slot];
        node.id.0[..8].copy_from_slice(&high.to_le_bytes());
        node.id.0[8..].copy_from_slice(&low.to_le_bytes());
        node.life += 1;
        node.link = Link::default();
        node.deliveries.clear();
        let signature = if node.kind == Kind::Outdated { "old" } else { SIGNATURE };
        let settings = Settings::new(node.id, "machine", "0.0.0", signature, node.cores);
        node.process = Some(Worker::new(settings));
        let life = node.life;
        self.checks.joined(node.id, node.kind);
        self.at(0, Item::WorkerTick { slot, life });
    }

    pub(crate) fn crash_worker(&mut self, slot: usize) {
        let node = &mut self.workers[slot];
        if node.process.take().is_some() {
            node.threads.clear();
            let pause_ms = 100 + self.random.below(60_000) as u64;
            self.at(pause_ms, Item::StartWorker { slot });
        }
    }

    /// Feeds an event to a worker, unless it has died since.
    pub(crate) fn worker_event(&mut self, slot: usize, life: u64, event: Event) {
        let now_ms = self.local_ms(self.workers[slot].clock_ms);
        let node = &mut self.workers[slot];
        if node.life != life {
            return;
        }
        let Some(process) = node.process.as_mut() else { return };
        let effects = process.handle(now_ms, event);
        self.trace(&effects);
        for effect in effects {
            let dies = self.workers[slot].kind == Kind::Dying;
            if dies && strikes(&mut self.random, self.faults.worker_crash) {
                self.crash_worker(slot);
                return;
            }
            self.worker_effect(slot, life, effect);
        }
    }

    fn worker_effect(&mut self, slot: usize, life: u64, effect: Effect) {
        let from = Node::Worker(slot);
        let now_ms = self.now_ms;
        match effect {
            Effect::SendTo { message, .. } => self.send_to_manager(slot, &message),
            Effect::Pull { number, queue: name, priority, count, wait_ms, .. } => {
                let queue = match priority {
                    Priority::User => QueueName::User,
                    Priority::Auto => QueueName::Auto,
                };
                let until_ms = now_ms + wait_ms;
                let operation = 0;
                let pull = Pull { slot, life, operation, number, queue, name, count, until_ms };
                let over = || Item::PullOver { slot, life, number };
                // Only the server's answer or the client's timeout ends a pull.
                self.request(from, Request::Pull(pull), Some((Item::Nothing, over())));
            }
            Effect::Start { job, assignment } => self.start_thread(slot, life, job, &assignment),
            Effect::Stop { job } => {
                assert!(self.workers[slot].threads.remove(&job).is_some(), "{job} is not running");
            }
            Effect::PublishResult { result } => {
                let job = result.job;
                let item = |event: Event| Item::Worker { slot, life, event: Box::new(event) };
                let answer = (item(Event::Sent { job }), item(Event::Unsent { job }));
                let request =
                    Request::Publish { queue: QueueName::Results, bytes: result.to_bytes() };
                self.request(from, request, Some(answer));
            }
            Effect::Acknowledge { delivery } => {
                let (queue, sequence) = self.workers[slot].deliveries[&delivery];
                self.request(from, Request::Acknowledge { queue, sequence }, None);
            }
            Effect::Nak { delivery } => {
                let (queue, sequence) = self.workers[slot].deliveries[&delivery];
                self.request(from, Request::GiveBack { queue, sequence }, None);
            }
            Effect::AckProgress { delivery } => {
                let (queue, sequence) = self.workers[slot].deliveries[&delivery];
                self.request(from, Request::Progress { queue, sequence }, None);
            }
            Effect::Notice(_) => {}
            Effect::Leave => self.crash_worker(slot),
        }
    }

    fn start_thread(&mut self, slot: usize, life: u64, job: JobId, assignment: &Assignment) {
        let Body::Inline(body) = &assignment.body else { panic!("small jobs are in the message") };
        let task = self.claims.of_body(body);
        assert!(self.claims.find(job).is_none_or(|it| it.id == task.id), "the body is of the job");
        let node = &mut self.workers[slot];
        let number = node.thread_next;
        node.thread_next += 1;
        let thread = (number, body.clone());
        assert!(node.threads.insert(job, thread).is_none(), "{job} runs already");
        let room = usize::from(node.cores + prefetch(node.cores));
        assert!(node.threads.len() <= room, "more jobs than there is room for");
        let (least_ms, more_ms) = match node.kind {
            Kind::Slow | Kind::Dying => (20_000, 60_000),
            _ => (10, 15_000),
        };
        let time_ms = least_ms + self.random.below(more_ms) as u64;
        let progress = Event::Progress { job, nodes: 7, found: b"so far".to_vec() };
        let progress = Item::Worker { slot, life, event: Box::new(progress) };
        self.at(time_ms / 2, progress);
        self.at(time_ms, Item::ThreadEnds { slot, life, job, number });
    }

    pub(crate) fn thread_ends(&mut self, slot: usize, life: u64, job: JobId, number: u64) {
        let node = &self.workers[slot];
        let Some((_, body)) = node.threads.get(&job).filter(|thread| thread.0 == number).cloned()
        else {
            return;
        };
        if node.life != life || node.process.is_none() || node.kind == Kind::Sleeping {
            return;
        }
        let kind = node.kind;
        if kind == Kind::Dying && strikes(&mut self.random, 10 * self.faults.worker_crash) {
            self.crash_worker(slot);
            return;
        }
        let task = self.claims.of_body(&body);
        let outcome = match kind {
            // A liar is honest in some answers.
            Kind::Lying if self.random.chance(70) => task.lie(&self.claims, &mut self.random),
            Kind::Dying if strikes(&mut self.random, self.faults.worker_crash) => {
                Outcome::Failed("out of\nmemory".to_string())
            }
            Kind::Subtle => task.plausible_lie(&body, &mut self.random),
            _ => task.honest(&body),
        };
        self.workers[slot].threads.remove(&job);
        self.worker_event(slot, life, Event::Finished { job, nodes: 100, outcome });
    }

    pub(crate) fn worker_gets(
        &mut self,
        slot: usize,
        life: u64,
        (queue, sequence): (QueueName, u64),
        bytes: &[u8],
    ) {
        let node = &mut self.workers[slot];
        if node.life != life || !node.link.connected {
            return;
        }
        let assignment = Assignment::from_bytes(bytes).expect("nothing damages messages");
        let delivery = node.delivery_next;
        node.delivery_next += 1;
        node.deliveries.insert(delivery, (queue, sequence));
        self.worker_event(slot, life, Event::Assigned { delivery, assignment });
    }

    pub(crate) fn worker_hears(&mut self, slot: usize, bytes: &[u8]) {
        if self.workers[slot].link.connected {
            let message = ToWorker::from_bytes(bytes).expect("nothing damages messages");
            self.worker_event(slot, self.workers[slot].life, Event::Manager(message));
        }
    }

    pub(crate) fn worker_tick(&mut self, slot: usize, life: u64) {
        if self.workers[slot].life != life || self.workers[slot].process.is_none() {
            return;
        }
        if self.random.chance(60)
            && let Some(is_back) = self.notice_link(Node::Worker(slot))
        {
            let event = if is_back { Event::Connected } else { Event::Disconnected };
            self.worker_event(slot, life, event);
        }
        self.worker_event(slot, life, Event::Tick);
        self.at(2_000, Item::WorkerTick { slot, life });
    }

    pub(crate) fn quit_worker(&mut self, slot: usize) {
        self.worker_event(slot, self.workers[slot].life, Event::Quit);
    }
}
