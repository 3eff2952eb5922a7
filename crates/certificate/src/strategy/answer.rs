//! Defender plays here: which reply answers, and where does the proof go on?
//!
//! A walk is at a node with position P, and Defender has some stones E more than P has, the
//! *extra* ones, which are clear of the node's zone Σ. By the claim of `docs/soundness.md`
//! Attacker wins P + E; the walk finds out how, and keeps this invariant:
//!
//! - At an attack or a win, Σ holds the squares of the move in A, so that they are empty in P + E,
//!   too; and Σ contains the zone of the defence after an attack, so that E is clear of that.
//! - At a defence, Defender moves M. If M leaves a threat H open that the node relies on, Attacker
//!   completes H: its empty squares are in A, so that E has none of them, and Defender has no
//!   line, because the segments that he could have completed are in Σ at such levels that E and M
//!   together do not fill them. If M blocks all of them, rule 3 has a reply R with |M \ R| <= u and
//!   M \ R clear of the zone Σ' of its child. E is clear of Σ' << u, so by the shift (M ∪ E) \ R
//!   is clear of Σ'. A reply below must have this property, so that one always exists. The walk
//!   goes on at the child, whose position is P + R, with the extra stones (M ∪ E) \ R.
//!
//! So the position of a node may have stones of Defender that were never played: those of R \ M, of
//! a macro for instance. They only help Defender (monotonicity), so Attacker's moves are possible
//! and win without them. But Defender may play on such a square later. To the proof that is a
//! stone that stands already: it is left out of M, which makes a shorter move. A shorter move is
//! part of a longer one: what covers that covers it, and what that leaves open it leaves open.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use sixproof_game::{Segment, Square};

use crate::Side;

use super::{NodeId, NodeKind, Strategy};
use crate::Zone;

/// The number of stones up to which the walk finds out whether the rest of a move can block all
/// threats.
const REST_MAX: u32 = 3;

/// Where a proof goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Onward {
    /// The node, with Attacker to move.
    pub node: NodeId,
    /// Defender's stones beside those of the node's position: clear of its zone. In order.
    pub extra: Vec<Square>,
    /// The number of the reply that answers, from 0; `None` where Attacker was to move before.
    pub reply: Option<usize>,
}

/// The answer to stones of Defender.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Continuation {
    /// No stone is inside the zone of the node (no set of them: they are clear of it together with
    /// the extra ones). At a defence this means that there was nothing to block, and that the
    /// stones are answered as no stones at all would be. Where Attacker is to move, the proof goes
    /// on at the node itself, with more extra stones.
    Stands(Onward),
    /// Some stone is inside the zone, and a reply answers the move.
    Answered(Onward),
    /// The move leaves a threat open, and Attacker completes it. The answer to the first stones of
    /// a move, too, where the rest cannot block all threats any more.
    TooLate {
        /// The threat.
        threat: Segment,
        /// Attacker's move: its empty squares.
        completes: Vec<Square>,
    },
    /// A move has more stones than these.
    Incomplete {
        /// The number of stones still to come.
        missing: u32,
        /// The threats that are still open.
        open: Vec<Segment>,
        /// If none is open: wherever the rest of the move stands outside of the zone of this node
        /// (clear of it together with the extra stones), this answers the whole move.
        outside: Option<Onward>,
    },
    /// Some stones are inside the zone where only stones outside can be answered: Attacker is to
    /// move, or the extra stones themselves are not clear of the zone.
    Inside {
        /// The stones inside.
        squares: Vec<Square>,
    },
    /// The walk needs a zone that it does not have.
    Unknown,
    /// No reply answers the move: never with a certificate that the checker has verified.
    Uncovered,
}

/// Why stones cannot be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Impossible {
    /// There is no such node.
    NoNode,
    /// A square is off the board.
    OffBoard(Square),
    /// There is a stone already.
    Occupied(Square),
    /// A square is named twice.
    Repeated(Square),
    /// More stones than a move has.
    TooMany {
        /// The number that a move has.
        stones: u32,
    },
}

impl fmt::Display for Impossible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Impossible::NoNode => f.write_str("the proof has no such node"),
            Impossible::OffBoard(_) => f.write_str("the square is off the board"),
            Impossible::Occupied(_) => f.write_str("the square is taken"),
            Impossible::Repeated(_) => f.write_str("the square is named twice"),
            Impossible::TooMany { stones } => write!(f, "a move has {stones} stones here"),
        }
    }
}

impl std::error::Error for Impossible {}

impl Strategy {
    /// The answer if Defender has `extra` stones that the position of the node has not, and plays
    /// `squares` now. `zones` returns the zone of a node: of this one, and of those after replies.
    ///
    /// Squares that only a macro on the way has taken are empty to Defender, and may be asked
    /// about.
    pub fn answer(
        &self,
        node: NodeId,
        extra: &[Square],
        squares: &[Square],
        zones: &mut dyn FnMut(NodeId) -> Option<Arc<Zone>>,
    ) -> Result<Continuation, Impossible> {
        let place = self.place(node).ok_or(Impossible::NoNode)?;
        let position = &place.position;
        let game = position.game();
        let assumed: BTreeSet<Square> = place
            .line
            .iter()
            .filter(|turn| turn.by == Side::Defender)
            .flat_map(|turn| turn.squares.iter().copied())
            .collect();
        let mut named = BTreeSet::new();
        for &square in extra.iter().chain(squares) {
            match position.at(square) {
                _ if !game.contains(square) => return Err(Impossible::OffBoard(square)),
                Some(_) if !assumed.contains(&square) => return Err(Impossible::Occupied(square)),
                _ if !named.insert(square) => return Err(Impossible::Repeated(square)),
                _ => {}
            }
        }
        let attacker_moves = self.kind(node) != NodeKind::Defence;
        let missing = match self.stones(node).checked_sub(squares.len() as u32) {
            None if !attacker_moves => {
                return Err(Impossible::TooMany { stones: self.stones(node) });
            }
            missing => missing.unwrap_or(0),
        };
        let new = |list: &[Square]| -> BTreeSet<Square> {
            list.iter().copied().filter(|square| !assumed.contains(square)).collect()
        };
        let (extra, stones) = (new(extra), new(squares));
        let all: Vec<Square> = extra.union(&stones).copied().collect();
        let zone = zones(node);
        match &zone {
            Some(zone) => {
                let outside: Vec<Square> = extra.iter().copied().collect();
                let asked = if attacker_moves { &all } else { &outside };
                if !zone.is_clear(asked) {
                    return Ok(Continuation::Inside { squares: zone.inside(asked) });
                }
            }
            None if attacker_moves && all.is_empty() => {}
            None if !attacker_moves && extra.is_empty() => {}
            None => return Ok(Continuation::Unknown),
        }
        if attacker_moves {
            return Ok(Continuation::Stands(Onward { node, extra: all, reply: None }));
        }
        // On a full board only the squares that the proof has given away are left.
        let full = game.area() == Some(position.stones().count() + all.len());
        let missing = if full { 0 } else { missing };
        let blocks = |empties: &[Square]| empties.iter().any(|square| stones.contains(square));
        let open: Vec<(Segment, Vec<Square>)> = self
            .threats(node, position)
            .into_iter()
            .filter(|(_, empties)| !blocks(empties))
            .collect();
        if let Some((threat, empties)) = open.first()
            && !can_block(&open, missing)
        {
            return Ok(Continuation::TooLate { threat: *threat, completes: empties.clone() });
        }
        let covered = match open.is_empty() {
            true => self.covering(node, &extra, &stones, zones),
            false => Ok(None),
        };
        if missing > 0 {
            let open = open.into_iter().map(|(segment, _)| segment).collect();
            let outside = covered.unwrap_or(None);
            return Ok(Continuation::Incomplete { missing, open, outside });
        }
        Ok(match covered {
            Err(Uncertain) => Continuation::Unknown,
            Ok(None) => Continuation::Uncovered,
            Ok(Some(onward)) if zone.is_some_and(|zone| zone.is_clear(&all)) => {
                Continuation::Stands(onward)
            }
            Ok(Some(onward)) => Continuation::Answered(onward),
        })
    }

    /// The reply that answers stones which block all threats: the one that is most like them, so
    /// that the walk stays close to the real game, and needs few zones.
    fn covering(
        &self,
        node: NodeId,
        extra: &BTreeSet<Square>,
        stones: &BTreeSet<Square>,
        zones: &mut dyn FnMut(NodeId) -> Option<Arc<Zone>>,
    ) -> Result<Option<Onward>, Uncertain> {
        let mut candidates: Vec<[usize; 3]> = Vec::new();
        for (index, reply) in self.replies(node).enumerate() {
            let common = reply.squares.iter().filter(|square| stones.contains(square)).count();
            let (beside, given) = (stones.len() - common, reply.squares.len() - common);
            if beside <= reply.slack as usize {
                candidates.push([beside, given, index]);
            }
        }
        candidates.sort_unstable();
        let mut uncertain = false;
        for [_, _, index] in candidates {
            let Some(reply) = self.reply(node, index) else { continue };
            let beside: Vec<Square> = extra
                .union(stones)
                .copied()
                .filter(|square| !reply.squares.contains(square))
                .collect();
            let clear = match beside.is_empty() {
                true => Some(true),
                false => zones(reply.node).map(|zone| zone.is_clear(&beside)),
            };
            match clear {
                Some(true) => {
                    let onward = Onward { node: reply.node, extra: beside, reply: Some(index) };
                    return Ok(Some(onward));
                }
                Some(false) => {}
                None => uncertain = true,
            }
        }
        if uncertain { Err(Uncertain) } else { Ok(None) }
    }
}

/// The walk lacks a zone, and found no reply without it.
struct Uncertain;

/// Whether this number of stones can block all of these threats; true, too, if they are many.
fn can_block(open: &[(Segment, Vec<Square>)], stones: u32) -> bool {
    if stones > REST_MAX {
        return true;
    }
    // Stones chosen so far, each for the first threat that was open: at most `REST_MAX` deep.
    let mut todo: Vec<Vec<Square>> = vec![Vec::new()];
    while let Some(chosen) = todo.pop() {
        let is_open =
            |(_, empties): &&(Segment, Vec<Square>)| !empties.iter().any(|s| chosen.contains(s));
        let Some((_, empties)) = open.iter().find(is_open) else { return true };
        if chosen.len() < stones as usize {
            todo.extend(empties.iter().map(|&square| {
                let mut more = chosen.clone();
                more.push(square);
                more
            }));
        }
    }
    false
}
