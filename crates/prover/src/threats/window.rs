//! The sliding window (Wu & Huang, sections 4.1 and 4.2; Liu, section 4.3, algorithms 3 and 4).
//!
//! A window of k squares slides along a line. Where it holds a threat without a marked square, it
//! counts one and marks the threat's empty squares. The counted threats share no empty square, so
//! each needs a stone of its own; and a stone on the last empty square of each blocks every threat
//! (Wu & Huang, lemmas 1 and 3). What is counted is therefore the number of threats on the line.
//!
//! Under the exact rule some windows are no threats. The lemmas do not mind: they hold for any
//! choice of windows, since the empty squares of each are neighbours among those of the line.

use std::collections::{BTreeMap, BTreeSet};

use sixproof_game::{Color, Position, Square};

use super::threat::has_no_end;
use super::{Number, Threat, by_line, threats};

/// The number of threats on one line, whose threats are given as [`by_line`] lists them.
///
/// [`Number::Infinite`] when a segment is full (Liu, algorithm 3).
pub fn sliding_window(line: &[Threat]) -> Number {
    if line.iter().any(|threat| threat.empties.is_empty()) {
        return Number::Infinite;
    }
    Number::Exactly(counted(line.iter()).len() as u32)
}

/// The number of threats of a side when each line is counted on its own. A square where lines cross
/// can block threats of several, so this is never less than [`number`](super::number()).
pub fn number_by_lines(position: &Position, side: Color) -> Number {
    if has_no_end(position.game()) {
        return Number::Infinite;
    }
    by_line(&threats(position, side)).values().map(|line| sliding_window(line)).sum()
}

/// The squares of a line on which its threats are to be defended: those that are marked both when
/// the window slides to the right and when it slides to the left (Liu, algorithm 4).
///
/// This is a rule of thumb, as Liu says: it names no square that is of no use in a dead four, but
/// leaves out some that are. [`critical_defences`](super::critical_defences) are exact.
pub fn defensive_squares(line: &[Threat]) -> BTreeSet<Square> {
    let mut marks: BTreeMap<Square, u32> = BTreeMap::new();
    let (right, left) = (counted(line.iter()), counted(line.iter().rev()));
    for &square in right.into_iter().chain(left).flat_map(|threat| &threat.empties) {
        *marks.entry(square).or_default() += 1;
    }
    marks.into_iter().filter(|&(_, count)| count >= 2).map(|(square, _)| square).collect()
}

/// The threats that the window counts: each without an empty square of those before it.
fn counted<'a>(windows: impl Iterator<Item = &'a Threat>) -> Vec<&'a Threat> {
    let mut marked: BTreeSet<Square> = BTreeSet::new();
    let mut counted = Vec::new();
    for threat in windows {
        if !threat.is_blocked_by(&marked) {
            marked.extend(&threat.empties);
            counted.push(threat);
        }
    }
    counted
}
