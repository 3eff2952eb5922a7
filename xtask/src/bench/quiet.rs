//! The proof of a quiet Defender node: no threat on the board, and any move loses.
//!
//! The null reply first; its zone shows which single stones could matter. Each of these gets a
//! semi-null reply, whose zone shows which second stones could matter; what is left are pairs. The
//! zones come from the checker, which judges each child as a certificate of its own.

use std::collections::{BTreeMap, BTreeSet};

use sixproof_check::{RootZone, check_bytes};

use super::board::{Board, Role, Sq};
use super::threats::{Effort, Ending, win};

/// How the replies are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Each uncovered pair once.
    Tree,
    /// Under each semi-null stone all the partners that matter: a pair that comes again is a
    /// reference to the node marked the first time.
    References,
}

/// The most positions that the search for one reply may expand.
const REPLY_NODES_MAX: usize = 120;

/// Writes the Defender node, or names the first reply for which no win was found.
pub(super) fn defence(board: &mut Board, style: Style) -> Result<String, Vec<Sq>> {
    let mut writer = Writer { board, marks: BTreeMap::new(), replies: Vec::new(), style };
    writer.replies()?;
    let mut text = format!("D {}", writer.replies.len());
    writer.replies.iter().for_each(|reply| {
        text.push('\n');
        text.push_str(reply);
    });
    text.push('\n');
    Ok(text)
}

/// The part of a child's zone that matters to one or two stones.
struct Reach {
    /// Squares on which a single stone is not clear.
    first: BTreeSet<Sq>,
    /// Pairs of other squares that share a segment of level 2.
    pairs: BTreeSet<[Sq; 2]>,
}

struct Writer<'a> {
    board: &'a mut Board,
    /// The number of the marked node after each pair.
    marks: BTreeMap<[Sq; 2], usize>,
    replies: Vec<String>,
    style: Style,
}

impl Writer<'_> {
    fn replies(&mut self) -> Result<(), Vec<Sq>> {
        let null = self.zone_of_reply(&[])?;
        if self.board.p() == 1 {
            // A single stone is a whole move.
            return null.first.iter().try_for_each(|&s| self.reply(&[s], false).map(|_| ()));
        }
        let mut firsts = null.first;
        firsts.extend(null.pairs.iter().flatten());
        let mut partners: BTreeMap<Sq, BTreeSet<Sq>> = BTreeMap::new();
        for &s in &firsts {
            let mut row = self.zone_of_reply(&[s])?.first;
            row.remove(&s);
            partners.insert(s, row);
        }
        for (&s, row) in &partners {
            for &x in row {
                let pair = [s.min(x), s.max(x)];
                match self.style {
                    // The semi-null reply on the other square may cover the pair.
                    Style::Tree => {
                        let covered = partners.get(&x).is_some_and(|row| !row.contains(&s));
                        let written = x < s && partners.contains_key(&x);
                        if !covered && !written {
                            self.reply(&pair, false)?;
                        }
                    }
                    Style::References => self.reply_or_reference(pair)?,
                }
            }
        }
        Ok(())
    }

    fn reply_or_reference(&mut self, pair: [Sq; 2]) -> Result<(), Vec<Sq>> {
        if let Some(&mark) = self.marks.get(&pair) {
            let mut text = String::from("R");
            self.board.write_names(&mut text, &pair);
            text.push_str(&format!(" = {mark}"));
            self.replies.push(text);
            return Ok(());
        }
        self.marks.insert(pair, self.marks.len());
        self.reply(&pair, true).map(|_| ())
    }

    /// Writes a reply with its win; returns the win as a certificate of its own.
    fn reply(&mut self, squares: &[Sq], marked: bool) -> Result<String, Vec<Sq>> {
        let number = self.replies.len() as u64;
        // Both endings are common in real proofs, so both are written.
        let ending = if number.is_multiple_of(2) { Ending::Unblocked } else { Ending::Named };
        let effort = Effort { nodes_max: REPLY_NODES_MAX, salt: number, ending };
        squares.iter().for_each(|&s| self.board.place(s, Role::Defender));
        let child = win(self.board, effort);
        let header = self.board.header(Role::Attacker);
        squares.iter().for_each(|&s| self.board.take_back(s));
        let child = child.ok_or_else(|| squares.to_vec())?;
        let mut text = String::from("R");
        self.board.write_names(&mut text, squares);
        text.push_str(if marked { " @ " } else { " " });
        text.push_str(&child);
        self.replies.push(text);
        Ok(header + &child)
    }

    fn zone_of_reply(&mut self, squares: &[Sq]) -> Result<Reach, Vec<Sq>> {
        let certificate = self.reply(squares, false)?;
        let verified = check_bytes(certificate.as_bytes());
        let verified = verified.unwrap_or_else(|refusal| {
            panic!("the generator wrote a wrong certificate: {refusal:?}\n{certificate}")
        });
        Ok(self.reach(&verified.zone))
    }

    /// The zone in terms of the empty squares of this node.
    fn reach(&self, zone: &RootZone) -> Reach {
        let number = |square| self.board.number(square).expect("a window that holds the zone");
        let empty = |s: &Sq| self.board.is_empty(*s);
        let first: BTreeSet<Sq> =
            zone.first_layer().into_iter().map(number).filter(empty).collect();
        let mut pairs = BTreeSet::new();
        for segment in zone.segments.iter().filter(|g| g.level == 2) {
            let squares: Vec<Sq> = segment.squares().map(number).filter(empty).collect();
            let mut squares: Vec<Sq> = squares.into_iter().filter(|s| !first.contains(s)).collect();
            squares.sort_unstable();
            for (i, &b) in squares.iter().enumerate() {
                pairs.extend(squares[..i].iter().map(|&a| [a, b]));
            }
        }
        Reach { first, pairs }
    }
}
