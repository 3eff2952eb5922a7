//! What all styles do at once: complete k in a row, and block a side that is about to.
//!
//! A threat is known by its empty squares. One of the side to move with no more of them than it has
//! stones left wins at once; each of the other side with at most p must be hit.

use std::collections::BTreeSet;

use sixproof_game::{Color, Position, Segment, Square};
use sixproof_prover::board::Side;

use super::field::Field;

/// The most sets of squares tried in a search for the smallest blocks.
const STEPS_MAX: u32 = 20_000;

/// The stones that complete k in a row now, as few as possible.
pub(crate) fn completion(position: &Position, field: &Field) -> Option<Vec<Square>> {
    let (game, left) = (position.game(), position.left() as usize);
    let mut threats = empties(position, position.to_move());
    if game.k() <= position.left() && left > 0 {
        // A line of empty squares only is enough.
        let mut found = Vec::new();
        field.board.threats(Side::Attacker, &mut found);
        threats.extend(found.iter().map(|threat| field.squares(threat.empties())));
    }
    threats.into_iter().filter(|empties| empties.len() <= left).min_by_key(Vec::len)
}

/// The blocks of the other side's threats.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Blocks {
    /// There is nothing to block.
    Nothing,
    /// The smallest sets of squares that block everything, in order.
    Some(Vec<Vec<Square>>),
    /// No set blocks everything; this one blocks much.
    Lost(Vec<Square>),
}

/// How the other side's threats can be blocked by the stones left.
pub(crate) fn blocks(position: &Position) -> Blocks {
    let threats = empties(position, !position.to_move());
    if threats.is_empty() {
        return Blocks::Nothing;
    }
    let mut steps = 0;
    for size in 1..=position.left() as usize {
        let mut found = BTreeSet::new();
        hit(&threats, size, &mut Vec::new(), &mut steps, &mut found);
        if !found.is_empty() {
            return Blocks::Some(found.into_iter().collect());
        }
    }
    Blocks::Lost(hit_many(threats, position.left() as usize))
}

/// The empty squares of a side's threats: segments that one move would complete.
fn empties(position: &Position, side: Color) -> Vec<Vec<Square>> {
    let empty = |segment: Segment| -> Vec<Square> {
        segment.squares(position.game()).filter(|&s| position.at(s).is_none()).collect()
    };
    position.threats(side).into_iter().map(empty).collect()
}

/// Finds the sets of `size` squares that hit all threats.
fn hit(
    threats: &[Vec<Square>],
    size: usize,
    chosen: &mut Vec<Square>,
    steps: &mut u32,
    found: &mut BTreeSet<Vec<Square>>,
) {
    *steps += 1;
    let is_hit = |threat: &Vec<Square>| threat.iter().any(|square| chosen.contains(square));
    let Some(open) = threats.iter().find(|threat| !is_hit(threat)) else {
        let mut set = chosen.clone();
        set.sort_unstable();
        found.insert(set);
        return;
    };
    if chosen.len() == size || *steps > STEPS_MAX {
        return;
    }
    for &square in open {
        chosen.push(square);
        hit(threats, size, chosen, steps, found);
        chosen.pop();
    }
}

/// Hits as many threats as it can, one square after the other.
fn hit_many(mut threats: Vec<Vec<Square>>, stones: usize) -> Vec<Square> {
    let mut chosen = Vec::new();
    while chosen.len() < stones && !threats.is_empty() {
        let squares: BTreeSet<Square> = threats.iter().flatten().copied().collect();
        let hits = |square: &Square| threats.iter().filter(|t| t.contains(square)).count();
        let Some(best) = squares.iter().rev().copied().max_by_key(hits) else { break };
        threats.retain(|threat| !threat.contains(&best));
        chosen.push(best);
    }
    chosen
}
