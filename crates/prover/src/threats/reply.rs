//! The reply set (Wu's report, "Dependency-based Search"): the squares of all defences at once.
//!
//! When there are as many threats as Defender has stones, every move that blocks them is a
//! critical defence and has no free stone. If Attacker wins although stones lie on all squares of
//! all these defences, a *macro*, each of them loses. Two threats have at most four such
//! squares: each defence takes one of the at most two empty squares of each of two disjoint threats
//! (or the threats are three pairs among three squares).

use std::collections::BTreeSet;

use sixproof_game::{Color, Position, Square};

use super::{GivenUp, critical_defences};

/// The union of all critical defences against the threats of `attacker`, when each needs all of the
/// `stones`; `None` when there are no threats, fewer threats than stones, or too many.
pub fn reply_set(
    position: &Position,
    attacker: Color,
    stones: u32,
) -> Result<Option<BTreeSet<Square>>, GivenUp> {
    let defences = critical_defences(position, attacker, stones)?;
    let needs_all = stones > 0 && defences.iter().all(|defence| defence.free == 0);
    let squares: BTreeSet<Square> = defences.into_iter().flat_map(|d| d.squares).collect();
    Ok((needs_all && !squares.is_empty()).then_some(squares))
}
