//! A model of JetStream: queues that deliver at least once.
//!
//! A queue delivers a message again when it is not acknowledged in time, or returned; after too
//! many deliveries it gives the message up. A crash loses the messages, and the acknowledgements,
//! that were not synced.

use std::collections::{BTreeMap, BTreeSet};

use sixproof_farm::{QueueId, WorkerId};
use sixproof_oracle::random::Random;

pub(crate) const ACK_WAIT_MS: u64 = 30_000;
const DELIVER_MAX: u32 = 5;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QueueName {
    User,
    Auto,
    Results,
}

struct Message {
    bytes: Vec<u8>,
    deliveries: u32,
    /// The time of its next delivery.
    ready_ms: u64,
    synced: bool,
}

/// One consumer of one stream.
#[derive(Default)]
pub(crate) struct Queue {
    messages: BTreeMap<u64, Message>,
    next: u64,
    /// Acknowledged since the last sync.
    acknowledged: Vec<(u64, Message)>,
    deliver_max: Option<u32>,
}

impl Queue {
    pub(crate) fn publish(&mut self, bytes: Vec<u8>) {
        let message = Message { bytes, deliveries: 0, ready_ms: 0, synced: false };
        self.messages.insert(self.next, message);
        self.next += 1;
    }

    /// Delivers at most `count` messages.
    pub(crate) fn deliver(&mut self, now_ms: u64, count: usize) -> Vec<(u64, Vec<u8>)> {
        let deliver_max = self.deliver_max.unwrap_or(u32::MAX);
        let ready = self
            .messages
            .iter_mut()
            .filter(|(_, message)| message.ready_ms <= now_ms && message.deliveries < deliver_max);
        let deliver = |(&sequence, message): (&u64, &mut Message)| {
            message.deliveries += 1;
            message.ready_ms = now_ms + ACK_WAIT_MS;
            (sequence, message.bytes.clone())
        };
        ready.take(count).map(deliver).collect()
    }

    pub(crate) fn acknowledge(&mut self, sequence: u64) {
        if let Some(message) = self.messages.remove(&sequence) {
            self.acknowledged.push((sequence, message));
        }
    }

    pub(crate) fn give_back(&mut self, sequence: u64) {
        if let Some(message) = self.messages.get_mut(&sequence) {
            message.ready_ms = 0;
        }
    }

    pub(crate) fn progress(&mut self, now_ms: u64, sequence: u64) {
        if let Some(message) = self.messages.get_mut(&sequence) {
            message.ready_ms = now_ms + ACK_WAIT_MS;
        }
    }

    /// The number of messages that are still to be delivered.
    pub(crate) fn live_count(&self) -> usize {
        let deliver_max = self.deliver_max.unwrap_or(u32::MAX);
        self.messages.values().filter(|message| message.deliveries < deliver_max).count()
    }

    fn purge(&mut self) {
        self.messages.clear();
        self.acknowledged.clear();
    }

    fn sync(&mut self) {
        self.messages.values_mut().for_each(|message| message.synced = true);
        self.acknowledged.clear();
    }

    fn crash(&mut self, random: &mut Random) {
        // A suffix of the unsynced messages is lost, and some acknowledged ones are back.
        let unsynced = self.messages.iter().filter(|(_, message)| !message.synced);
        let unsynced: Vec<u64> = unsynced.map(|(&sequence, _)| sequence).collect();
        let kept = random.below(unsynced.len() + 1);
        for sequence in &unsynced[kept..] {
            self.messages.remove(sequence);
        }
        let kept = random.below(self.acknowledged.len() + 1);
        for (sequence, message) in self.acknowledged.drain(..).skip(kept) {
            if message.synced {
                self.messages.insert(sequence, message);
            }
        }
        // The server may forget which messages are delivered.
        if random.chance(50) {
            self.messages.values_mut().for_each(|message| message.ready_ms = 0);
        }
        self.sync();
    }
}

/// A pull that waits for a message.
pub(crate) struct Pull {
    pub(crate) slot: usize,
    pub(crate) life: u64,
    pub(crate) operation: u64,
    pub(crate) number: u64,
    pub(crate) queue: QueueName,
    /// The id of the queues that the worker knows.
    pub(crate) name: QueueId,
    pub(crate) count: usize,
    pub(crate) until_ms: u64,
}

pub(crate) struct Server {
    pub(crate) up: bool,
    user: Queue,
    auto: Queue,
    results: Queue,
    pub(crate) pulls: Vec<Pull>,
    /// The id of the queues of jobs, and the workers that do not know it.
    pub(crate) name: Option<QueueId>,
    pub(crate) shut_out: BTreeSet<WorkerId>,
    /// The latest request for queues.
    renewed: u64,
}

impl Server {
    pub(crate) fn new() -> Server {
        let jobs = || Queue { deliver_max: Some(DELIVER_MAX), ..Queue::default() };
        let (user, auto, results) = (jobs(), jobs(), Queue::default());
        let (pulls, shut_out) = (Vec::new(), BTreeSet::new());
        Server { up: true, user, auto, results, pulls, name: None, shut_out, renewed: 0 }
    }

    pub(crate) fn queue(&mut self, name: QueueName) -> &mut Queue {
        match name {
            QueueName::User => &mut self.user,
            QueueName::Auto => &mut self.auto,
            QueueName::Results => &mut self.results,
        }
    }

    fn queues(&mut self) -> [&mut Queue; 3] {
        [&mut self.user, &mut self.auto, &mut self.results]
    }

    /// Creates the queues of jobs with another id, and purges the old ones. Requests of one
    /// connection arrive in their order: an overtaken one does not count.
    pub(crate) fn renew(&mut self, name: QueueId, shut_out: BTreeSet<WorkerId>, operation: u64) {
        if operation < self.renewed {
            return;
        }
        self.renewed = operation;
        if self.name.replace(name) != Some(name) {
            self.user.purge();
            self.auto.purge();
            self.shut_out = shut_out;
        }
    }

    pub(crate) fn is_drained(&self) -> bool {
        [&self.user, &self.auto, &self.results].iter().all(|queue| queue.live_count() == 0)
    }

    pub(crate) fn sync(&mut self) {
        self.queues().into_iter().for_each(Queue::sync);
    }

    pub(crate) fn crash(&mut self, random: &mut Random) {
        self.up = false;
        self.pulls.clear();
        self.queues().into_iter().for_each(|queue| queue.crash(random));
    }
}
