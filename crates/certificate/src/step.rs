//! The language of proofs: the steps of a certificate, and the shape that they make.

use sixproof_game::Square;

/// One step of a certificate, in prefix order: a node, a reply of the Defender node above, or a
/// mark in front of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// `W`: Attacker completes a segment now with exactly these squares.
    Win {
        /// The empty squares of the segment.
        squares: Vec<Square>,
    },
    /// `A`: Attacker plays these squares; one node follows, with Defender to move.
    Attack {
        /// The stones of the move.
        squares: Vec<Square>,
    },
    /// `D` or `D!`: Defender is to move; this number of replies follows.
    Defence {
        /// The threats relied on, by their end squares; `None` for all of them.
        relies_on: Option<Vec<[Square; 2]>>,
        /// The number of replies.
        replies: u64,
    },
    /// `R`: a reply; one node follows, with Attacker to move.
    Reply {
        /// The stones: empty in a null move, more than a move has in a macro.
        squares: Vec<Square>,
        /// The slack, where it is not the number of stones that the move lacks.
        slack: Option<u32>,
    },
    /// `@`: the node that follows is kept; marks are numbered from 0.
    Mark,
    /// `=`: the marked node again.
    Reference {
        /// The number of the mark.
        mark: u64,
    },
}

/// The number of nodes, or replies, that must still come at each open level: the shape of a
/// certificate, which reader and writer keep in the same way.
#[derive(Debug)]
pub(crate) struct Shape {
    /// The number that is missing at each open level.
    open: Vec<Open>,
    pub(crate) marks: u64,
}

/// What may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Open {
    /// One node.
    Node,
    /// This number of replies.
    Replies(u64),
}

impl Shape {
    pub(crate) fn new() -> Shape {
        Shape { open: vec![Open::Node], marks: 0 }
    }

    /// What must come next; `None` when the certificate is complete.
    pub(crate) fn wants(&self) -> Option<Open> {
        self.open.last().copied()
    }

    /// The number of moves above the next step.
    pub(crate) fn depth(&self) -> usize {
        self.open.len().saturating_sub(1)
    }

    /// Takes a step in; false when it cannot stand here.
    pub(crate) fn take(&mut self, step: &Step) -> bool {
        match (self.wants(), step) {
            (Some(Open::Node), Step::Win { .. }) => {
                self.open.pop();
            }
            (Some(Open::Node), Step::Reference { mark }) if *mark < self.marks => {
                self.open.pop();
            }
            (Some(Open::Node), Step::Mark) => self.marks += 1,
            // The child takes the place of its parent's claim on a node; depth counts moves.
            (Some(Open::Node), Step::Attack { .. }) => {
                self.replace(Open::Replies(0));
                self.open.push(Open::Node);
            }
            (Some(Open::Node), Step::Defence { replies, .. }) => {
                self.replace(Open::Replies(*replies));
            }
            (Some(Open::Replies(left)), Step::Reply { .. }) if left > 0 => {
                self.replace(Open::Replies(left - 1));
                self.open.push(Open::Node);
            }
            _ => return false,
        }
        while self.wants() == Some(Open::Replies(0)) {
            self.open.pop();
        }
        true
    }

    fn replace(&mut self, open: Open) {
        self.open.pop();
        self.open.push(open);
    }
}
