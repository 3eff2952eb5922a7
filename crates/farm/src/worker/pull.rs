//! Chooses the queue of the next pull.
//!
//! One pull runs at a time, so that no more jobs arrive than the worker has room for. A round pulls
//! from the user queues of all managers, then from their other queues; only its last pull waits for
//! a job. When a pull brings a job, a new round begins: user jobs never wait for automatic ones
//! that are still in a queue. Each round starts with another manager, so that every manager gets a
//! turn.

use super::{Effect, Worker};
use crate::wire::Priority;

/// The state of the round.
#[derive(Debug, Default)]
pub(super) struct Pulls {
    /// The running pull.
    current: Option<u64>,
    number_next: u64,
    /// The number of queues that this round has pulled from.
    turn: usize,
    round: usize,
    round_began_ms: Option<u64>,
    brought: bool,
}

impl Pulls {
    /// After a new or lost connection, no pull is running.
    pub(super) fn reset(&mut self) {
        self.current = None;
        self.begin_round();
        self.round_began_ms = None;
    }

    pub(super) fn brought(&mut self) {
        self.brought = true;
    }

    pub(super) fn over(&mut self, number: u64) {
        if self.current != Some(number) {
            return;
        }
        self.current = None;
        self.turn += 1;
        if self.brought {
            self.begin_round();
            self.round_began_ms = None;
        }
    }

    fn begin_round(&mut self) {
        self.turn = 0;
        self.round = self.round.wrapping_add(1);
        self.brought = false;
    }
}

impl Worker {
    /// Pulls jobs if the worker has room for them, and a manager.
    pub(super) fn pull(&mut self, out: &mut Vec<Effect>) {
        let count = self.room();
        let mut managers: Vec<_> = self.managers.serving().collect();
        if !self.connected || self.pulls.current.is_some() || count == 0 || managers.is_empty() {
            return;
        }
        let now_ms = self.clock.now_ms();
        if self.pulls.turn >= 2 * managers.len() {
            self.pulls.begin_round();
        }
        if self.pulls.turn == 0 {
            // A round that ended at once without a job hides an error: the next tick tries again.
            let wait_ms = self.settings.wait_ms / 2;
            let began_ms = self.pulls.round_began_ms;
            if began_ms.is_some_and(|began_ms| now_ms.saturating_sub(began_ms) < wait_ms) {
                return;
            }
            self.pulls.round_began_ms = Some(now_ms);
        }
        let first = self.pulls.round % managers.len();
        managers.rotate_left(first);
        let turn = self.pulls.turn;
        let (priority, (manager, queue)) = match managers.get(turn) {
            Some(&manager) => (Priority::User, manager),
            None => (Priority::Auto, managers[turn - managers.len()]),
        };
        let is_last = turn + 1 == 2 * managers.len();
        let number = self.pulls.number_next;
        self.pulls.number_next += 1;
        self.pulls.current = Some(number);
        self.pulls.brought = false;
        let wait_ms = if is_last { self.settings.wait_ms } else { 0 };
        out.push(Effect::Pull { number, manager, queue, priority, count, wait_ms });
    }
}
