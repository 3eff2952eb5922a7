//! Critical defences (Lin, sections 1.2 and 3.2.3.3): moves that block all threats, and of which no
//! stone can be left out.
//!
//! A critical defence is *normal* when it has as many stones as there are threats, and *relaxed*
//! when it has more: two stones, for example, against one threat, where neither alone blocks all
//! its segments. Every move that blocks all threats is a critical defence with free stones added,
//! so a proof which answers each critical defence, whatever the free stones, answers every move.

use std::collections::BTreeSet;

use sixproof_game::{Color, Position, Square};

use super::number::empties;
use super::threat::has_no_end;
use super::{GivenUp, hitting, threats};

/// Whether a critical defence is as small as there are threats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DefenceKind {
    /// As many stones as there are threats.
    Normal,
    /// More stones than there are threats.
    Relaxed,
}

/// A critical defence.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Defence {
    /// Normal or relaxed.
    pub kind: DefenceKind,
    /// Where the stones go; nowhere when there is nothing to block.
    pub squares: BTreeSet<Square>,
    /// The number of stones of the move that are left to place anywhere.
    pub free: u32,
}

/// All critical defences against the threats of `attacker` with at most `stones` stones, the
/// smaller ones first. Without threats it is the null move; against too many threats the list is
/// empty.
pub fn critical_defences(
    position: &Position,
    attacker: Color,
    stones: u32,
) -> Result<Vec<Defence>, GivenUp> {
    if has_no_end(position.game()) {
        return Ok(Vec::new());
    }
    let blocks = hitting::minimal(&empties(&threats(position, attacker)), stones)?;
    // A smallest set that blocks is minimal, so the first has as many squares as there are threats.
    let number = blocks.first().map_or(0, BTreeSet::len);
    let defence = |squares: BTreeSet<Square>| Defence {
        kind: if squares.len() == number { DefenceKind::Normal } else { DefenceKind::Relaxed },
        free: stones - squares.len() as u32,
        squares,
    };
    Ok(blocks.into_iter().map(defence).collect())
}
