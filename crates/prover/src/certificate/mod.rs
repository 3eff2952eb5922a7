//! Certificates as a stream of steps: written by the prover, read back by pretty-printers.
//!
//! The format is described in `docs/certificate.md`. Both directions speak in [`Step`]s, the whole
//! language of proofs; the checker has its own reader, on purpose.
//!
//! ```
//! use sixproof_game::{Color, Game, Position};
//! use sixproof_prover::certificate::{Claim, Reader, Step, Writer};
//!
//! let game: Game = "tic-tac-toe".parse()?;
//! let at = |name: &str| game.parse_square(name).unwrap();
//! let (black, white) = ([at("A1"), at("B1")], [at("A2"), at("B2")]);
//! let position = Position::set_up(game, &black, &white, Color::Black, 1)?;
//!
//! let mut writer = Writer::new(Vec::new(), &Claim { position, attacker: Color::Black })?;
//! writer.step(&Step::Win { squares: vec![at("C1")] })?;
//! let bytes = writer.finish()?;
//!
//! let mut reader = Reader::new(&bytes[..])?;
//! assert_eq!(reader.next_step()?.map(|(depth, _)| depth), Some(0));
//! assert_eq!(reader.next_step()?, None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod read;
mod write;

pub use read::{ReadError, Reader};
pub use write::Writer;

use sixproof_game::{Color, Position, Square};

/// What a certificate claims: `attacker` wins from `position`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The position, with the side to move and the stones it has left.
    pub position: Position,
    /// The side that wins.
    pub attacker: Color,
}

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
    /// `D` or `D!`: Defender is to move; so many replies follow.
    Defence {
        /// The threats relied on, by their end squares; `None` for all of them.
        relies_on: Option<Vec<[Square; 2]>>,
        /// The number of replies.
        replies: u64,
    },
    /// `R`: a reply; one node follows, with Attacker to move.
    Reply {
        /// The stones: none in a null move, more than a move has in a macro.
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

/// How many nodes, or replies, must still come at each open level: the shape of a certificate,
/// which reader and writer keep in the same way.
#[derive(Debug)]
struct Shape {
    /// What is missing at each open level.
    open: Vec<Open>,
    marks: u64,
}

/// What may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    /// One node.
    Node,
    /// So many replies.
    Replies(u64),
}

impl Shape {
    fn new() -> Shape {
        Shape { open: vec![Open::Node], marks: 0 }
    }

    /// What must come next; `None` when the certificate is complete.
    fn wants(&self) -> Option<Open> {
        self.open.last().copied()
    }

    /// The number of moves above the next step.
    fn depth(&self) -> usize {
        self.open.len().saturating_sub(1)
    }

    /// Takes a step in; false when it cannot stand here.
    fn take(&mut self, step: &Step) -> bool {
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
