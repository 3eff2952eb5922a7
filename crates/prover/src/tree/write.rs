//! A proved tree as a certificate.

use std::io::{self, Write};

use sixproof_game::Square;

use crate::board::{Rules, Sq};
use crate::certificate::{Step, Writer};
use crate::vcdt::Forced;

use super::{Tree, Win};

impl<R: Rules> Tree<R> {
    /// Writes the proof of the root, with `square` naming the squares of the board.
    pub fn write<W: Write>(
        &self,
        writer: &mut Writer<W>,
        square: &dyn Fn(Sq) -> Square,
    ) -> io::Result<()> {
        if self.attacker_moves {
            self.write_or(0, writer, square)
        } else {
            self.write_and(0, writer, square)
        }
    }

    fn write_or<W: Write>(
        &self,
        or: u32,
        writer: &mut Writer<W>,
        square: &dyn Fn(Sq) -> Square,
    ) -> io::Result<()> {
        match self.ors[or as usize].win.as_ref().expect("only proofs are written") {
            Win::Now(squares) => {
                writer.step(&Step::Win { squares: names(squares, square) })?;
            }
            Win::Path(path) => write_path(path, writer, square)?,
            Win::Move(and) => {
                let squares = names(&self.ands[*and as usize].attack, square);
                writer.step(&Step::Attack { squares })?;
                self.write_and(*and, writer, square)?;
            }
        }
        Ok(())
    }

    fn write_and<W: Write>(
        &self,
        and: u32,
        writer: &mut Writer<W>,
        square: &dyn Fn(Sq) -> Square,
    ) -> io::Result<()> {
        let node = &self.ands[and as usize];
        let replies = &node.replies;
        writer.step(&Step::Defence { relies_on: None, replies: replies.len() as u64 })?;
        for reply in replies {
            let squares = names(&reply.squares, square);
            let usual = usize::from(node.stones).saturating_sub(squares.len());
            let slack = Some(u32::from(reply.slack)).filter(|&slack| slack as usize != usual);
            writer.step(&Step::Reply { squares, slack })?;
            self.write_or(reply.child, writer, square)?;
        }
        Ok(())
    }

    /// The line that Attacker plays against the replies that come first in the proof.
    pub fn principal_line(&self) -> Vec<Vec<Sq>> {
        let mut line = Vec::new();
        let mut and = if self.attacker_moves { None } else { Some(0u32) };
        let mut or = Some(0u32);
        loop {
            if let Some(node) = and {
                // The longest reply is the most real of them.
                let replies = self.ands[node as usize].replies.iter();
                let Some(reply) = replies.max_by_key(|reply| reply.squares.len()) else { break };
                line.push(reply.squares.clone());
                or = Some(reply.child);
            }
            let Some(node) = or else { break };
            match self.ors[node as usize].win.as_ref() {
                Some(Win::Now(squares)) => line.push(squares.clone()),
                Some(Win::Path(path)) => {
                    for forced in path {
                        line.push(forced.attack.clone());
                        if !forced.reply.is_empty() {
                            line.push(forced.reply.clone());
                        }
                    }
                }
                Some(Win::Move(next)) => {
                    line.push(self.ands[*next as usize].attack.clone());
                    and = Some(*next);
                    continue;
                }
                None => {}
            }
            break;
        }
        line
    }
}

fn write_path<W: Write>(
    path: &[Forced],
    writer: &mut Writer<W>,
    square: &dyn Fn(Sq) -> Square,
) -> io::Result<()> {
    for forced in path {
        writer.step(&Step::Attack { squares: names(&forced.attack, square) })?;
        let replies = u64::from(!forced.reply.is_empty());
        writer.step(&Step::Defence { relies_on: None, replies })?;
        if replies > 0 {
            let squares = names(&forced.reply, square);
            writer.step(&Step::Reply { squares, slack: None })?;
        }
    }
    Ok(())
}

fn names(squares: &[Sq], square: &dyn Fn(Sq) -> Square) -> Vec<Square> {
    squares.iter().map(|&s| square(s)).collect()
}
