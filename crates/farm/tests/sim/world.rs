//! A run of a seed: one queue of events, in the order of their times.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use sixproof_farm::manager::{AUDIT_ALL, AUDIT_USUAL};
use sixproof_farm::wire::{Body, Outcome, WorkerResult};
use sixproof_farm::{JobId, ManagerId, QueueId, WorkerId, manager, worker};
use sixproof_oracle::random::Random;

use super::checks::Checks;
use super::claims::Claims;
use super::faults::{Faults, strikes};
use super::manager::{ManagerNode, Wish};
use super::network::{Node, Request};
use super::server::{QueueName, Server};
use super::worker::{Kind, WorkerNode};

/// The bench signature of the right build.
pub(crate) const SIGNATURE: &str = "1234567";

/// The end of a run, and of its faults.
const END_MS: u64 = 2_400_000;
const CALM_MS: u64 = END_MS / 2;
/// Number of events at which a run counts as endless.
const EVENTS_MAX: u64 = 1_000_000;

/// An event of the world.
pub(crate) enum Item {
    Nothing,
    /// Once a second: faults strike, the server delivers.
    Second,
    ManagerTick {
        life: u64,
    },
    WorkerTick {
        slot: usize,
        life: u64,
    },
    SearchStep {
        life: u64,
    },
    StartManager,
    StartWorker {
        slot: usize,
    },
    StartServer,
    Mend {
        node: Node,
    },
    /// An event of the manager, unless it has died since.
    Manager {
        life: u64,
        event: Box<manager::Event>,
    },
    Worker {
        slot: usize,
        life: u64,
        event: Box<worker::Event>,
    },
    ToManager {
        bytes: Vec<u8>,
    },
    ToWorker {
        slot: usize,
        bytes: Vec<u8>,
    },
    Job {
        slot: usize,
        life: u64,
        queue: QueueName,
        sequence: u64,
        bytes: Vec<u8>,
    },
    PullOver {
        slot: usize,
        life: u64,
        number: u64,
    },
    Result {
        life: u64,
        sequence: u64,
        bytes: Vec<u8>,
    },
    AtServer {
        from: Node,
        operation: u64,
        request: Request,
        reply: Option<Box<Item>>,
    },
    /// The answer to a request, or its timeout: the first one counts.
    Answered {
        operation: u64,
        then: Box<Item>,
    },
    /// The queues of jobs have this id now.
    Renewed {
        life: u64,
        name: QueueId,
    },
    Sync {
        life: u64,
        number: u64,
        len: usize,
    },
    ThreadEnds {
        slot: usize,
        life: u64,
        job: JobId,
        number: u64,
    },
}

pub(crate) struct World {
    pub(crate) random: Random,
    pub(crate) now_ms: u64,
    queue: BTreeMap<(u64, u64), Item>,
    item_next: u64,
    pub(crate) faults: Faults,
    pub(crate) claims: Claims,
    pub(crate) checks: Checks,
    pub(crate) manager: ManagerNode,
    pub(crate) workers: Vec<WorkerNode>,
    pub(crate) server: Server,
    pub(crate) operations: BTreeSet<u64>,
    pub(crate) operation_next: u64,
    pub(crate) events: u64,
    /// A hash of all effects, if requested.
    hasher: Option<blake3::Hasher>,
}

/// The summary of a run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Summary {
    pub(crate) events: u64,
    pub(crate) answers: u64,
    pub(crate) drops: u64,
    pub(crate) lives: u64,
    pub(crate) revoked: u64,
    pub(crate) audits: u64,
    pub(crate) hash: Option<[u8; 32]>,
}

/// Runs a seed; panics at a failed check.
pub(crate) fn run(seed: u64, traced: bool) -> Summary {
    let mut random = Random(seed);
    let faults = Faults::drawn(&mut random);
    let audit = *random.pick(&[0, AUDIT_USUAL, AUDIT_ALL, AUDIT_ALL]);
    let id = ManagerId::of(b"a search");
    let mut world = World {
        faults,
        now_ms: 0,
        queue: BTreeMap::new(),
        item_next: 0,
        claims: Claims::new(id),
        checks: Checks::default(),
        manager: ManagerNode::new(id, audit),
        workers: Vec::new(),
        server: Server::new(),
        operations: BTreeSet::new(),
        operation_next: 0,
        events: 0,
        hasher: traced.then(blake3::Hasher::new),
        random,
    };
    world.add_workers();
    world.work();
    Summary {
        events: world.events,
        answers: world.checks.answers,
        drops: world.checks.drops,
        lives: world.manager.life,
        revoked: world.checks.revoked,
        audits: world.checks.audits,
        hash: world.hasher.map(|hasher| *hasher.finalize().as_bytes()),
    }
}

impl World {
    /// Adds one honest worker, and others of all kinds.
    fn add_workers(&mut self) {
        let kinds = [
            Kind::Honest,
            Kind::Slow,
            Kind::Dying,
            Kind::Dying,
            Kind::Outdated,
            Kind::Lying,
            Kind::Subtle,
            Kind::Subtle,
            Kind::Sleeping,
        ];
        let mut kinds_drawn = vec![Kind::Honest];
        for _ in 0..1 + self.random.below(4) {
            kinds_drawn.push(*self.random.pick(&kinds));
        }
        for (slot, kind) in kinds_drawn.into_iter().enumerate() {
            let cores = 1 + self.random.below(3) as u16;
            self.workers.push(WorkerNode::new(kind, cores));
            let pause_ms = self.random.below(20_000) as u64;
            self.at(pause_ms, Item::StartWorker { slot });
        }
        self.at(0, Item::StartManager);
        self.at(0, Item::Second);
    }

    pub(crate) fn at(&mut self, delay_ms: u64, item: Item) {
        self.queue.insert((self.now_ms + delay_ms, self.item_next), item);
        self.item_next += 1;
    }

    pub(crate) fn local_ms(&self, clock_ms: i64) -> u64 {
        self.now_ms.saturating_add_signed(clock_ms)
    }

    pub(crate) fn trace(&mut self, effects: &impl Debug) {
        if let Some(hasher) = &mut self.hasher {
            hasher.update(format!("{} {effects:?}\n", self.now_ms).as_bytes());
        }
    }

    fn work(&mut self) {
        let mut calm = false;
        while let Some(((now_ms, _), item)) = self.queue.pop_first() {
            self.now_ms = now_ms;
            self.events += 1;
            assert!(self.events < EVENTS_MAX, "a run without end");
            if now_ms >= CALM_MS && !calm {
                calm = true;
                self.calm_down();
            }
            if calm && self.is_finished() {
                return;
            }
            assert!(now_ms < END_MS, "a run without faults does not finish: {}", self.described());
            self.happen(item);
        }
    }

    fn is_finished(&self) -> bool {
        let is_over = self.manager.is_content() && self.manager.open_count() == 0;
        if !is_over || !self.manager.is_settled || !self.server.is_drained() {
            return false;
        }
        self.checks.assert_all_true(self.manager.audit, &self.claims);
        true
    }

    /// The unfinished state, for the failure message.
    fn described(&mut self) -> String {
        let undone = self.manager.wishes.values().filter(|&&wish| wish != Wish::Answered).count();
        let queues = [QueueName::User, QueueName::Auto, QueueName::Results];
        let queues = queues.map(|name| self.server.queue(name).live_count());
        let workers: Vec<String> = self.workers.iter().map(WorkerNode::described).collect();
        let manager = self.manager.described();
        format!("{undone} undone, queues {queues:?}\n{manager}\n{}", workers.join("\n"))
    }

    /// Ends all faults, and mends what is broken.
    fn calm_down(&mut self) {
        self.faults = Faults::default();
        self.at(0, Item::StartServer);
        self.at(0, Item::Mend { node: Node::Manager });
        for slot in 0..self.workers.len() {
            self.at(0, Item::Mend { node: Node::Worker(slot) });
        }
    }

    fn happen(&mut self, item: Item) {
        match item {
            Item::Nothing => {}
            Item::Second => self.second(),
            Item::ManagerTick { life } => self.manager_tick(life),
            Item::WorkerTick { slot, life } => self.worker_tick(slot, life),
            Item::SearchStep { life } => self.search_step(life),
            Item::StartManager => self.start_manager(),
            Item::StartWorker { slot } => self.start_worker(slot),
            Item::StartServer => self.server.up = true,
            Item::Mend { node } => self.link(node).cut = false,
            Item::Manager { life, event } => self.manager_event(life, *event),
            Item::Worker { slot, life, event } => self.worker_event(slot, life, *event),
            Item::ToManager { bytes } => self.manager_hears(&bytes),
            Item::ToWorker { slot, bytes } => self.worker_hears(slot, &bytes),
            Item::Job { slot, life, queue, sequence, bytes } => {
                self.worker_gets(slot, life, (queue, sequence), &bytes);
            }
            Item::PullOver { slot, life, number } => {
                self.worker_event(slot, life, worker::Event::PullOver { number });
            }
            Item::Result { life, sequence, bytes } => self.manager_gets(life, sequence, &bytes),
            Item::AtServer { from, operation, request, reply } => {
                self.serve(from, operation, request, reply);
            }
            Item::Answered { operation, then } => {
                if self.operations.remove(&operation) {
                    self.happen(*then);
                }
            }
            Item::Renewed { life, name } => self.renewed(life, name),
            Item::Sync { life, number, len } => self.synced(life, number, len),
            Item::ThreadEnds { slot, life, job, number } => {
                self.thread_ends(slot, life, job, number);
            }
        }
    }

    fn second(&mut self) {
        self.at(1_000, Item::Second);
        self.pump();
        if self.random.chance(5) {
            self.server.sync();
        }
        let slot = self.random.below(self.workers.len());
        let node = if self.random.chance(30) { Node::Manager } else { Node::Worker(slot) };
        if strikes(&mut self.random, self.faults.server_crash) && self.server.up {
            self.server.crash(&mut self.random);
            self.manager.link.broken = true;
            self.workers.iter_mut().for_each(|worker| worker.link.broken = true);
            let pause_ms = self.random.below(40_000) as u64;
            self.at(pause_ms, Item::StartServer);
        }
        if strikes(&mut self.random, self.faults.cut) {
            self.link(node).cut = true;
            // A long cut, or one that ends before a node notices it.
            self.link(node).broken = true;
            let pause_ms = self.random.below(100_000) as u64;
            self.at(pause_ms, Item::Mend { node });
        }
        if strikes(&mut self.random, self.faults.jump) {
            let jump_ms = self.random.below(7_200_000) as i64 - 3_600_000;
            match node {
                Node::Manager => self.manager.clock_ms += jump_ms,
                Node::Worker(slot) => self.workers[slot].clock_ms += jump_ms,
            }
        }
        if strikes(&mut self.random, self.faults.quit) {
            self.quit_worker(slot);
        }
        if strikes(&mut self.random, self.faults.stranger) {
            self.stranger();
        }
    }

    /// An unknown client of an old build sends a plausible result.
    fn stranger(&mut self) {
        let task = self.random.pick(&self.claims.tasks);
        let body = task.body(self.manager.life);
        let outcome = match task.honest(&body) {
            Outcome::Uncertified(_) => Outcome::Uncertified(b"answer otherwise".to_vec()),
            other => other,
        };
        let result = WorkerResult {
            manager: self.manager.id,
            worker: WorkerId([9; 16]),
            signature: "older".to_string(),
            job: task.id,
            attempt: 1,
            body: Body::Inline(body).hash(),
            nodes: 1,
            outcome,
        };
        if self.server.up {
            self.server.queue(QueueName::Results).publish(result.to_bytes());
        }
    }
}
