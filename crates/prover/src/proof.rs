//! Proofs on a search board, as they travel between jobs and threads.
//!
//! A proof is a certificate's tree in prefix order with squares of the search board: one word for
//! each node or reply, then its squares. Proofs of replies are put together by copying words.

use std::io::{self, Write};

use sixproof_game::Square;

use crate::arena::Arena;
use crate::board::Sq;
use crate::vcdt::Forced;
use sixproof_certificate::{Claim, Step, Writer};

/// Two bits of a head word are the kind of the part; the others hold counts.
const WIN: u16 = 0;
const ATTACK: u16 = 1 << 14;
const DEFENCE: u16 = 2 << 14;
const REPLY: u16 = 3 << 14;
const KIND: u16 = 3 << 14;
/// The number of replies from which two further words hold the count.
const MANY: u16 = !KIND;
/// The bits of a reply's head word for its number of squares; those above them hold its slack.
const SQUARES_BITS: u16 = 9;
/// The mark in place of the usual slack, the number of stones that the move lacks.
const USUAL: u16 = (1 << (14 - SQUARES_BITS)) - 1;

/// A proof in prefix order, or a part of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    words: Vec<u16>,
}

/// One node or reply of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// Attacker completes a segment.
    Win(&'a [Sq]),
    /// Attacker's move.
    Attack(&'a [Sq]),
    /// Defender is to move, and has this number of replies.
    Defence(usize),
    /// A reply, and its slack where that is not the number of stones that the move lacks.
    Reply(&'a [Sq], Option<u32>),
}

impl Proof {
    /// Adds a part.
    pub fn push(&mut self, part: Part) {
        let (head, squares) = match part {
            Part::Win(squares) => (WIN | squares.len() as u16, squares),
            Part::Attack(squares) => (ATTACK | squares.len() as u16, squares),
            Part::Defence(replies) if replies >= usize::from(MANY) => {
                self.words.push(DEFENCE | MANY);
                ((replies >> 16) as u16, &[replies as u16][..])
            }
            Part::Defence(replies) => (DEFENCE | replies as u16, &[][..]),
            Part::Reply(squares, slack) => {
                let slack = slack.map_or(USUAL, |slack| slack as u16);
                (REPLY | slack << SQUARES_BITS | squares.len() as u16, squares)
            }
        };
        self.words.push(head);
        self.words.extend_from_slice(squares);
    }

    /// Adds a forced win.
    pub fn push_path(&mut self, path: &[Forced]) {
        for forced in path {
            self.push(Part::Attack(&forced.attack));
            let replies = usize::from(!forced.reply.is_empty());
            self.push(Part::Defence(replies));
            if replies > 0 {
                self.push(Part::Reply(&forced.reply, None));
            }
        }
    }

    /// Adds all parts of another proof.
    pub fn append(&mut self, other: &Proof) {
        self.words.extend_from_slice(&other.words);
    }

    /// The words, to be stored or sent.
    pub fn words(&self) -> &[u16] {
        &self.words
    }

    /// The proof that words stand for, if they are one whole proof on a board of this number of
    /// squares.
    pub fn from_words(words: Vec<u16>, area: usize) -> Option<Proof> {
        let mut rest = &words[..];
        // The parts still expected: nodes (true) and replies (false), the next one last.
        let mut wanted = vec![true];
        while let Some(node) = wanted.pop() {
            let (&head, more) = rest.split_first()?;
            rest = more;
            let mut count = usize::from(head & !KIND);
            match head & KIND {
                WIN if node => {}
                ATTACK if node => wanted.push(true),
                DEFENCE if node => {
                    if head == DEFENCE | MANY {
                        let (number, more) = rest.split_at_checked(2)?;
                        rest = more;
                        count = usize::from(number[0]) << 16 | usize::from(number[1]);
                    }
                    // Every reply takes a word at least.
                    if count > rest.len() {
                        return None;
                    }
                    wanted.resize(wanted.len() + count, false);
                    count = 0;
                }
                REPLY if !node => {
                    count &= (1 << SQUARES_BITS) - 1;
                    wanted.push(true);
                }
                _ => return None,
            }
            let (squares, more) = rest.split_at_checked(count)?;
            rest = more;
            if squares.iter().any(|&square| usize::from(square) >= area) {
                return None;
            }
        }
        rest.is_empty().then_some(Proof { words })
    }

    /// The parts in order.
    pub fn parts(&self) -> Parts<'_> {
        Parts { words: &self.words }
    }

    /// The bytes that it takes in memory.
    pub fn size(&self) -> usize {
        2 * self.words.len()
    }

    /// Writes the proof into a certificate, with `square` naming the squares of the board.
    pub fn write<W: Write>(
        &self,
        writer: &mut Writer<W>,
        square: &dyn Fn(Sq) -> Square,
    ) -> io::Result<()> {
        let names = |squares: &[Sq]| squares.iter().map(|&s| square(s)).collect();
        for part in self.parts() {
            writer.step(&match part {
                Part::Win(squares) => Step::Win { squares: names(squares) },
                Part::Attack(squares) => Step::Attack { squares: names(squares) },
                Part::Defence(replies) => {
                    Step::Defence { relies_on: None, replies: replies as u64 }
                }
                Part::Reply(squares, slack) => Step::Reply { squares: names(squares), slack },
            })?;
        }
        Ok(())
    }

    /// The proof as a certificate of a claim, with the number of its nodes.
    pub fn certificate(&self, claim: &Claim, arena: &Arena) -> (Vec<u8>, u64) {
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes, claim).expect("memory takes all");
        self.write(&mut writer, &|square| arena.square(square)).expect("memory takes all");
        let nodes = writer.nodes();
        writer.finish().expect("memory takes all");
        (bytes, nodes)
    }

    /// A line of play: Attacker's moves, and of Defender's replies to each the first among those
    /// with the most stones, which are the most real.
    pub fn line(&self) -> Vec<Vec<Sq>> {
        let mut line = Vec::new();
        let mut parts = self.parts();
        while let Some(part) = parts.next() {
            match part {
                Part::Win(squares) | Part::Attack(squares) => line.push(squares.to_vec()),
                Part::Defence(replies) => {
                    let mut best: Option<(&[Sq], Parts)> = None;
                    for _ in 0..replies {
                        let Some(Part::Reply(squares, _)) = parts.next() else { return line };
                        if best.as_ref().is_none_or(|best| best.0.len() < squares.len()) {
                            best = Some((squares, parts.clone()));
                        }
                        parts.skip_node();
                    }
                    let Some((squares, below)) = best else { return line };
                    line.push(squares.to_vec());
                    parts = below;
                }
                Part::Reply(..) => return line,
            }
            if matches!(part, Part::Win(_)) {
                break;
            }
        }
        line
    }
}

/// The parts of a proof.
#[derive(Clone, Debug)]
pub struct Parts<'a> {
    words: &'a [u16],
}

impl Parts<'_> {
    /// Passes over one node with everything below it.
    fn skip_node(&mut self) {
        let mut nodes = 1usize;
        while nodes > 0 {
            match self.next() {
                Some(Part::Win(_)) => nodes -= 1,
                // Its child takes its place.
                Some(Part::Attack(_) | Part::Reply(..)) => {}
                Some(Part::Defence(replies)) => nodes = nodes - 1 + replies,
                None => return,
            }
        }
    }
}

impl<'a> Iterator for Parts<'a> {
    type Item = Part<'a>;

    fn next(&mut self) -> Option<Part<'a>> {
        let (&head, rest) = self.words.split_first()?;
        if head == DEFENCE | MANY {
            let (number, rest) = rest.split_at(2);
            self.words = rest;
            return Some(Part::Defence(usize::from(number[0]) << 16 | usize::from(number[1])));
        }
        let count = match head & KIND {
            DEFENCE => 0,
            REPLY => head & ((1 << SQUARES_BITS) - 1),
            _ => head & !KIND,
        };
        let (squares, rest) = rest.split_at(usize::from(count));
        self.words = rest;
        Some(match head & KIND {
            WIN => Part::Win(squares),
            ATTACK => Part::Attack(squares),
            DEFENCE => Part::Defence(usize::from(head & !KIND)),
            _ => {
                let slack = (head & !KIND) >> SQUARES_BITS;
                Part::Reply(squares, (slack != USUAL).then_some(u32::from(slack)))
            }
        })
    }
}
