//! The network: core messages that may be lost, duplicated, late and out of order, requests to the
//! server that may get no answer, and links that are cut.

use std::collections::BTreeSet;

use sixproof_farm::wire::{FromWorker, ToWorker};
use sixproof_farm::{QueueId, WorkerId};

use super::faults::strikes;
use super::server::{Pull, QueueName};
use super::world::{Item, World};

/// How long a client waits for an answer of the server.
const TIMEOUT_MS: u64 = 5_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    Manager,
    Worker(usize),
}

/// The link of a node to the server.
#[derive(Default)]
pub(crate) struct Link {
    pub(crate) cut: bool,
    /// Whether the connection was lost, even if the node does not know it.
    pub(crate) broken: bool,
    /// Whether the node believes that it is connected.
    pub(crate) connected: bool,
}

/// A request of a node to the server.
pub(crate) enum Request {
    Publish {
        queue: QueueName,
        bytes: Vec<u8>,
    },
    Pull(Pull),
    Acknowledge {
        queue: QueueName,
        sequence: u64,
    },
    GiveBack {
        queue: QueueName,
        sequence: u64,
    },
    Progress {
        queue: QueueName,
        sequence: u64,
    },
    /// Creates the queues of jobs with this id, unless they exist.
    Renew {
        name: QueueId,
        /// The workers that do not know the id.
        shut_out: BTreeSet<WorkerId>,
    },
}

impl World {
    fn delay_ms(&mut self) -> u64 {
        if strikes(&mut self.random, self.faults.delay) {
            return self.random.below(20_000) as u64;
        }
        1 + self.random.below(20) as u64
    }

    pub(crate) fn link(&mut self, node: Node) -> &mut Link {
        match node {
            Node::Manager => &mut self.manager.link,
            Node::Worker(slot) => &mut self.workers[slot].link,
        }
    }

    /// Whether the messages of a node arrive at the server.
    fn is_linked(&mut self, node: Node) -> bool {
        let link = self.link(node);
        !link.cut && !link.broken && link.connected && self.server.up
    }

    /// Sends a core message to a node; several copies may arrive, or none.
    fn send_core(&mut self, from: Node, to: Node, item: impl Fn() -> Item) {
        if !self.is_linked(from) {
            return;
        }
        let copies = match () {
            () if strikes(&mut self.random, self.faults.drop) => 0,
            () if strikes(&mut self.random, self.faults.duplicate) => 2,
            () => 1,
        };
        for _ in 0..copies {
            let delay_ms = self.delay_ms();
            // A message to a cut link is lost.
            if self.is_linked(to) {
                self.at(delay_ms, item());
            }
        }
    }

    pub(crate) fn send_to_worker(&mut self, slot: usize, message: &ToWorker) {
        let bytes = message.to_bytes();
        let item = || Item::ToWorker { slot, bytes: bytes.clone() };
        self.send_core(Node::Manager, Node::Worker(slot), item);
    }

    pub(crate) fn send_to_manager(&mut self, slot: usize, message: &FromWorker) {
        let bytes = message.to_bytes();
        let item = || Item::ToManager { bytes: bytes.clone() };
        self.send_core(Node::Worker(slot), Node::Manager, item);
    }

    /// Sends a request to the server. The answer is one item, a timeout another.
    pub(crate) fn request(&mut self, from: Node, request: Request, answer: Option<(Item, Item)>) {
        let operation = self.operation_next;
        self.operation_next += 1;
        let wait_ms = match &request {
            Request::Pull(pull) => pull.until_ms.saturating_sub(self.now_ms),
            _ => 0,
        };
        let reply = answer.map(|(yes, no)| {
            self.operations.insert(operation);
            self.at(TIMEOUT_MS + wait_ms, Item::Answered { operation, then: Box::new(no) });
            Box::new(Item::Answered { operation, then: Box::new(yes) })
        });
        if self.is_linked(from) && !strikes(&mut self.random, self.faults.drop / 10) {
            let delay_ms = self.delay_ms();
            self.at(delay_ms, Item::AtServer { from, operation, request, reply });
        }
    }

    /// A request arrives at the server.
    pub(crate) fn serve(
        &mut self,
        from: Node,
        operation: u64,
        request: Request,
        reply: Option<Box<Item>>,
    ) {
        if !self.server.up {
            return;
        }
        let now_ms = self.now_ms;
        match request {
            Request::Publish { queue, bytes } => {
                self.server.queue(queue).publish(bytes.clone());
                if strikes(&mut self.random, self.faults.duplicate / 10) {
                    self.server.queue(queue).publish(bytes);
                }
            }
            Request::Pull(pull) => {
                // It is answered with its jobs, or at its deadline.
                self.server.pulls.push(Pull { operation, ..pull });
                self.pump();
                return;
            }
            Request::Acknowledge { queue, sequence } => {
                self.server.queue(queue).acknowledge(sequence);
            }
            Request::GiveBack { queue, sequence } => self.server.queue(queue).give_back(sequence),
            Request::Progress { queue, sequence } => {
                self.server.queue(queue).progress(now_ms, sequence);
            }
            Request::Renew { name, shut_out } => {
                self.server.renew(name, shut_out, operation);
            }
        }
        if let Some(reply) = reply
            && self.is_linked(from)
            && !strikes(&mut self.random, self.faults.drop / 10)
        {
            let delay_ms = self.delay_ms();
            self.at(delay_ms, *reply);
        }
        self.pump();
    }

    /// The server delivers all messages that it can.
    pub(crate) fn pump(&mut self) {
        if !self.server.up {
            return;
        }
        let now_ms = self.now_ms;
        for pull in std::mem::take(&mut self.server.pulls) {
            let is_known = self.server.name == Some(pull.name);
            let count = if is_known { pull.count } else { 0 };
            let messages = self.server.queue(pull.queue).deliver(now_ms, count);
            let id = self.workers[pull.slot].id;
            let is_shut_out = self.server.shut_out.contains(&id);
            assert!(messages.is_empty() || !is_shut_out, "a dropped worker is given jobs");
            if is_known && messages.is_empty() && pull.until_ms > now_ms {
                self.server.pulls.push(pull);
                continue;
            }
            let delay_ms = self.delay_ms();
            let (slot, life, queue) = (pull.slot, pull.life, pull.queue);
            for (sequence, bytes) in messages {
                let is_lost = strikes(&mut self.random, self.faults.drop / 10);
                if self.is_linked(Node::Worker(slot)) && !is_lost {
                    self.at(delay_ms, Item::Job { slot, life, queue, sequence, bytes });
                }
            }
            let over = Item::PullOver { slot, life, number: pull.number };
            let over = Item::Answered { operation: pull.operation, then: Box::new(over) };
            self.at(delay_ms, over);
        }
        if self.is_linked(Node::Manager) && self.manager.is_alive() {
            for (sequence, bytes) in self.server.queue(QueueName::Results).deliver(now_ms, 16) {
                if !strikes(&mut self.random, self.faults.drop / 10) {
                    let delay_ms = self.delay_ms();
                    let life = self.manager.life;
                    self.at(delay_ms, Item::Result { life, sequence, bytes });
                }
            }
        }
    }

    /// A node checks its connection; `Some(false)` if it was lost, `Some(true)` if it is back.
    pub(crate) fn notice_link(&mut self, node: Node) -> Option<bool> {
        let up = self.server.up;
        let link = self.link(node);
        if link.connected && (link.cut || link.broken || !up) {
            (link.connected, link.broken) = (false, false);
            return Some(false);
        }
        if !link.connected && !link.cut && up {
            (link.connected, link.broken) = (true, false);
            return Some(true);
        }
        None
    }
}
