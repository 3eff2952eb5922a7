//! Verification of one Attacker move: which defences remain (Lin, section 5.1.2).
//!
//! A search for a proof gives a move up at the first reply that refutes it. A verification sets
//! such a reply aside, as well as one on which it has spent its budget, and goes on with the
//! others: in the end it knows all Defender moves that it could not solve.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::board::{Rules, Sq};

use super::{Ended, Given, INFINITE, Progress, Stage, Tree, Win, Won};

impl<R: Rules> Tree<R> {
    /// Works on all replies of the root, where Defender moves. `unsolved` receives each reply that
    /// is given up after `reply_nodes_max` nodes, at once; a reply with fewer stones than a move
    /// stands for all moves that contain it.
    pub fn verify(
        &mut self,
        reply_nodes_max: u64,
        watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
        unsolved: &mut dyn FnMut(&[Sq]),
    ) -> Ended {
        assert!(!self.attacker_moves, "a verification begins with Defender's move");
        self.reply_nodes_max = Some(reply_nodes_max);
        let mut reported: Vec<Vec<Sq>> = Vec::new();
        loop {
            let step = self.advance();
            for squares in self.unsolved() {
                if !reported.contains(&squares) {
                    unsolved(&squares);
                    reported.push(squares);
                }
            }
            match step {
                Ok(progress) if watch(&progress).is_break() => return Ended::Unknown,
                Ok(_) => {}
                Err(ended) => return ended,
            }
        }
    }

    /// Replies of the root, where Defender moves, that need no work: those that are won, and those
    /// that a verification leaves to others.
    pub fn prepare(&mut self, given: Vec<Given>, hopeless: Vec<Vec<Sq>>) {
        self.given = given;
        self.hopeless = hopeless;
    }

    /// Makes the replies that are won already the first ones of the root.
    pub(super) fn add_given(&mut self) {
        for Given { reply, won } in std::mem::take(&mut self.given) {
            self.add_reply(0, reply, Vec::new());
            let child = self.ands[0].replies.last().expect("just added").child;
            self.ors[child as usize].state = Stage::Evaluated;
            self.ors[child as usize].win = Some(Win::Given(won.proof));
            self.prove_or(child, Box::new((*won.zone).clone()));
        }
    }

    /// The proof of the root, once it is won.
    pub fn won(&mut self) -> Won {
        let proof = Arc::new(self.proof());
        let zone = match self.attacker_moves {
            true => self.ors[0].zone.take(),
            false => self.ands[0].zone.take(),
        };
        Won { proof, zone: Arc::new(*zone.expect("a proof has a zone")) }
    }

    /// The replies of the root that were given up.
    pub fn unsolved(&self) -> Vec<Vec<Sq>> {
        let replies = self.ands[0].replies.iter().filter(|reply| reply.set_aside);
        replies.map(|reply| reply.squares.clone()).collect()
    }

    /// The empty squares of the zone of the first reply that was won, the null move where there is
    /// no threat: Defender must take one of them, or lose to that proof.
    pub fn verified_zone(&self) -> Vec<Sq> {
        let mut replies = self.ands[0].replies.iter().filter(|reply| reply.slack > 0);
        let zone = replies.find_map(|reply| {
            self.ors[reply.child as usize].zone.as_ref().map(|zone| (zone, reply.slack))
        });
        zone.map_or(Vec::new(), |(zone, slack)| zone.empty_shadow(&self.board, slack.into()))
    }

    /// Sets those replies of the root aside that are refuted or have used up their budget.
    pub(super) fn set_aside(&mut self) {
        let limit = self.reply_nodes_max.unwrap_or(u64::MAX);
        for reply in &mut self.ands[0].replies {
            let child = &self.ors[reply.child as usize];
            let refuted = child.proof_number == INFINITE && !child.macro_only;
            let spent = child.state != Stage::Fresh && child.proof_number != 0;
            if refuted || spent && child.spent >= limit {
                reply.set_aside = true;
            }
        }
    }

    /// Only replies that are set aside remain: the move was not shown to win.
    pub(super) fn finish_verification(&mut self) {
        let root = &mut self.ands[0];
        root.proof_number = INFINITE;
        root.disproof_number = 0;
        root.exact = false;
    }
}
