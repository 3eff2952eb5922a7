//! The process of the manager, with the search that uses it.

use std::collections::{BTreeMap, BTreeSet};

use sixproof_farm::journal::JournalRecord;
use sixproof_farm::manager::{Answered, Effect, Event, Job, OwnAnswer, Settings};
use sixproof_farm::wire::{Assignment, Body, FromWorker, Outcome, Priority, WorkerResult};
use sixproof_farm::{JobId, Manager, ManagerId, QueueId, WorkerId};

use super::claims::Task;
use super::disk::Disk;
use super::faults::strikes;
use super::network::{Link, Node, Request};
use super::server::QueueName;
use super::world::{Item, SIGNATURE, World};

/// The state of a job in the search, since the manager's start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Wish {
    #[default]
    NotSubmitted,
    Submitted,
    Withdrawn,
    Answered,
}

pub(crate) struct ManagerNode {
    pub(crate) id: ManagerId,
    pub(crate) life: u64,
    process: Option<Manager>,
    pub(crate) disk: Disk,
    pub(crate) link: Link,
    pub(crate) clock_ms: i64,
    /// The deliveries: the position of each in the stream, and its result.
    pub(crate) deliveries: BTreeMap<u64, (u64, WorkerResult)>,
    delivery_next: u64,
    pub(crate) wishes: BTreeMap<JobId, Wish>,
    /// The share of answers to audit.
    pub(crate) audit: u32,
    /// The queues that are being created.
    renewing: Option<QueueId>,
    /// The workers dropped before the manager drew the id of its queues.
    shut_out: BTreeSet<WorkerId>,
    /// Whether the search waits for the end of the audits, and whether they have ended.
    settles: bool,
    pub(crate) is_settled: bool,
}

/// The total time of a job: longer than any working worker needs.
const LIMIT_MS: u64 = 150_000;

impl ManagerNode {
    pub(crate) fn new(id: ManagerId, audit: u32) -> ManagerNode {
        ManagerNode {
            id,
            life: 0,
            process: None,
            disk: Disk::new(id),
            link: Link::default(),
            clock_ms: 1_000_000_000,
            deliveries: BTreeMap::new(),
            delivery_next: 0,
            wishes: BTreeMap::new(),
            audit,
            renewing: None,
            shut_out: BTreeSet::new(),
            settles: false,
            is_settled: false,
        }
    }

    pub(crate) fn is_alive(&self) -> bool {
        self.process.is_some()
    }

    pub(crate) fn open_count(&self) -> usize {
        self.process.as_ref().map_or(usize::MAX, Manager::open_count)
    }

    pub(crate) fn described(&self) -> String {
        format!("{:?}", self.process.as_ref().map(Manager::status))
    }

    pub(crate) fn is_content(&self) -> bool {
        !self.wishes.is_empty() && self.wishes.values().all(|wish| *wish == Wish::Answered)
    }
}

impl World {
    pub(crate) fn start_manager(&mut self) {
        if self.manager.is_alive() {
            return;
        }
        let records = self.manager.disk.open();
        self.checks.reopened(&records, &self.manager, &self.claims);
        let settings = Settings::new(self.manager.id, [5; 32], SIGNATURE, "0.0.0");
        let settings = Settings { audit: self.manager.audit, ..settings };
        self.manager.process = Some(Manager::new(settings, records));
        self.manager.life += 1;
        self.manager.link = Link::default();
        self.manager.deliveries.clear();
        (self.manager.settles, self.manager.is_settled) = (false, false);
        self.manager.renewing = None;
        self.manager.shut_out.clone_from(self.checks.dropped());
        self.manager.wishes =
            self.claims.tasks.iter().map(|task| (task.id, Wish::NotSubmitted)).collect();
        let life = self.manager.life;
        self.at(0, Item::ManagerTick { life });
        self.at(0, Item::SearchStep { life });
    }

    pub(crate) fn crash_manager(&mut self) {
        if self.manager.process.take().is_some() {
            self.manager.disk.crash(&mut self.random);
            let pause_ms = 100 + self.random.below(30_000) as u64;
            self.at(pause_ms, Item::StartManager);
        }
    }

    /// Feeds an event to the manager, unless it has died since.
    pub(crate) fn manager_event(&mut self, life: u64, event: Event) {
        if self.manager.life != life {
            return;
        }
        let now_ms = self.local_ms(self.manager.clock_ms);
        let Some(process) = self.manager.process.as_mut() else { return };
        let effects = process.handle(now_ms, event.clone());
        let status = process.status();
        assert!(status.is_within_limits() && process.capacity() >= 2);
        self.trace(&effects);
        self.checks.handled(&event, &effects, &self.manager, &self.claims);
        for effect in effects {
            if strikes(&mut self.random, self.faults.manager_crash) {
                self.crash_manager();
            }
            if self.manager.life != life || !self.manager.is_alive() {
                return;
            }
            self.manager_effect(life, effect);
        }
    }

    fn manager_effect(&mut self, life: u64, effect: Effect) {
        self.checks.executed(&effect, &self.manager, &self.claims);
        match effect {
            Effect::Publish { priority, assignment } => self.publish(life, priority, &assignment),
            Effect::Broadcast(message) => {
                for slot in 0..self.workers.len() {
                    self.send_to_worker(slot, &message);
                }
            }
            Effect::SendTo { worker, message } => {
                if let Some(slot) = self.workers.iter().position(|node| node.id == worker) {
                    self.send_to_worker(slot, &message);
                }
            }
            Effect::Judge { delivery, job, worker, outcome, .. } => {
                let key = self.manager.process.as_ref().and_then(|process| process.key_of(job));
                let verdict = self.claims.verdict(key.unwrap_or(&[]), &outcome);
                let event = Event::Judged { delivery, job, worker, verdict };
                let delay_ms = self.random.below(3_000) as u64;
                self.at(delay_ms, Item::Manager { life, event: Box::new(event) });
            }
            Effect::Record { number, record } => self.write(life, number, &record),
            Effect::Acknowledge { delivery } => {
                let Some((sequence, _)) = self.manager.deliveries.get(&delivery) else {
                    panic!("{delivery} was never delivered");
                };
                let queue = QueueName::Results;
                let request = Request::Acknowledge { queue, sequence: *sequence };
                self.request(Node::Manager, request, None);
            }
            Effect::Answer { job, answer, .. } => {
                let wish = match answer {
                    Answered::Good { .. } => Wish::Answered,
                    // The search submits it again later.
                    Answered::GivenUp { .. } => Wish::Withdrawn,
                };
                self.manager.wishes.insert(job, wish);
            }
            Effect::Perform { audit, body } => self.perform(life, audit, &body),
            Effect::Revoke { jobs, .. } => {
                (self.manager.settles, self.manager.is_settled) = (false, false);
                for job in jobs {
                    self.manager.wishes.insert(job, Wish::NotSubmitted);
                }
            }
            Effect::Settled => {
                self.manager.is_settled = self.manager.settles;
            }
            Effect::Queue { queue } => {
                self.manager.renewing = Some(queue);
                self.manager.shut_out.clone_from(self.checks.dropped());
                self.manager_event(life, Event::Disconnected);
            }
            Effect::Close { .. } | Effect::Confirm { .. } => {}
            Effect::Partial { .. } | Effect::Notice(_) => {}
        }
    }

    /// The search's own machine audits a job.
    fn perform(&mut self, life: u64, audit: JobId, body: &Body) {
        let Body::Inline(body) = body else { panic!("small jobs are in the message") };
        let outcome = self.claims.of_body(body).honest(body);
        let certified = matches!(outcome, Outcome::Won(_));
        let (Outcome::Won(Body::Inline(record)) | Outcome::Uncertified(record)) = outcome else {
            panic!("an honest worker has an answer")
        };
        let answer = Some(OwnAnswer { nodes: 100, record, certified });
        let event = Box::new(Event::Performed { audit, answer });
        let delay_ms = 10 + self.random.below(2_000) as u64;
        self.at(delay_ms, Item::Manager { life, event });
    }

    /// Asks the server for queues with the manager's new id.
    fn renew(&mut self, life: u64) {
        if let Some(name) = self.manager.renewing {
            let done = Item::Renewed { life, name };
            let shut_out = self.manager.shut_out.clone();
            let request = Request::Renew { name, shut_out };
            self.request(Node::Manager, request, Some((done, Item::Nothing)));
        }
    }

    pub(crate) fn renewed(&mut self, life: u64, name: QueueId) {
        let is_wanted = self.manager.renewing == Some(name) && self.manager.life == life;
        if is_wanted && self.manager.link.connected {
            self.manager.renewing = None;
            self.manager_event(life, Event::Connected);
        }
    }

    fn publish(&mut self, life: u64, priority: Priority, assignment: &Assignment) {
        let queue = match priority {
            Priority::User => QueueName::User,
            Priority::Auto => QueueName::Auto,
        };
        let (job, attempt) = (assignment.job, assignment.attempt);
        let event = Event::Unpublished { job, attempt };
        let failed = Item::Manager { life, event: Box::new(event) };
        let request = Request::Publish { queue, bytes: assignment.to_bytes() };
        self.request(Node::Manager, request, Some((Item::Nothing, failed)));
    }

    fn write(&mut self, life: u64, number: u64, record: &JournalRecord) {
        self.manager.disk.append(record);
        let len = self.manager.disk.len();
        let delay_ms = self.random.below(500) as u64;
        self.at(delay_ms, Item::Sync { life, number, len });
    }

    /// The disk has synced all bytes up to this record.
    pub(crate) fn synced(&mut self, life: u64, number: u64, len: usize) {
        if self.manager.life == life && self.manager.is_alive() {
            self.manager.disk.sync(len);
            self.manager_event(life, Event::Synced { upto: number });
        }
    }

    pub(crate) fn manager_tick(&mut self, life: u64) {
        if self.manager.life != life || !self.manager.is_alive() {
            return;
        }
        if self.random.chance(60)
            && let Some(is_back) = self.notice_link(Node::Manager)
        {
            match is_back {
                true => self.manager.renewing = self.manager.process.as_ref().map(Manager::queue),
                false => self.manager_event(life, Event::Disconnected),
            }
        }
        self.renew(life);
        self.manager_event(life, Event::Tick);
        self.at(2_000, Item::ManagerTick { life });
    }

    pub(crate) fn manager_hears(&mut self, bytes: &[u8]) {
        if self.manager.link.connected {
            let message = FromWorker::from_bytes(bytes).expect("nothing damages messages");
            self.manager_event(self.manager.life, Event::Worker(message));
        }
    }

    pub(crate) fn manager_gets(&mut self, life: u64, sequence: u64, bytes: &[u8]) {
        if self.manager.life != life || !self.manager.link.connected {
            return;
        }
        let result = WorkerResult::from_bytes(bytes).expect("nothing damages messages");
        let delivery = self.manager.delivery_next;
        self.manager.delivery_next += 1;
        self.manager.deliveries.insert(delivery, (sequence, result.clone()));
        self.manager_event(life, Event::Result { delivery, result });
    }

    /// The search submits or withdraws a job.
    pub(crate) fn search_step(&mut self, life: u64) {
        if self.manager.life != life || !self.manager.is_alive() {
            return;
        }
        let pause_ms = 200 + self.random.below(4_000 + self.faults.leisure_ms) as u64;
        self.at(pause_ms, Item::SearchStep { life });
        let wish_of = |id: JobId| self.manager.wishes.get(&id).copied().unwrap_or_default();
        let is_left = |task: &&Task| wish_of(task.id) != Wish::Answered;
        let left: Vec<&Task> = self.claims.tasks.iter().filter(is_left).collect();
        if left.is_empty() {
            if !self.manager.settles {
                self.manager.settles = true;
                self.manager_event(life, Event::Settle);
            }
            return;
        }
        let task = self.random.pick(&left);
        let (id, key, wish) = (task.id, task.key.clone(), wish_of(task.id));
        let task_body = task.body(life);
        match wish {
            Wish::NotSubmitted | Wish::Withdrawn => {
                let user = self.random.chance(20);
                let priority = if user { Priority::User } else { Priority::Auto };
                let body = Body::Inline(task_body);
                let job = Job { id, body, key, priority, limit_ms: LIMIT_MS };
                self.manager.wishes.insert(id, Wish::Submitted);
                (self.manager.settles, self.manager.is_settled) = (false, false);
                self.manager_event(life, Event::Submit(job));
            }
            Wish::Submitted if strikes(&mut self.random, self.faults.withdraw) => {
                self.manager.wishes.insert(id, Wish::Withdrawn);
                self.manager_event(life, Event::Withdraw(id));
            }
            Wish::Submitted | Wish::Answered => {}
        }
    }
}
