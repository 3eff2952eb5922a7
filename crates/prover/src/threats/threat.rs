//! Threats: active segments with at most p empty squares (Wu & Huang, section 4.1; Lin, section
//! 1.2; docs/certificate.md).
//!
//! The side that has one fills it in its next move and wins, unless the other side takes one of its
//! empty squares first. Under the exact rule no stone of its own may lie just beyond an end.

use std::collections::BTreeSet;

use sixproof_game::{Color, DIRECTIONS, Game, Position, Segment, Square};

/// A threat: a segment that its side can fill in one move.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Threat {
    /// The k squares.
    pub segment: Segment,
    /// Those that are empty: at most p. A stone of the other side on any of them blocks the threat.
    pub empties: BTreeSet<Square>,
}

impl Threat {
    /// Whether stones of the other side on these squares block the threat.
    pub fn is_blocked_by(&self, squares: &BTreeSet<Square>) -> bool {
        !self.empties.is_disjoint(squares)
    }
}

/// All threats of a side, in the order of their segments. It need not be the side to move.
///
/// Where p is at least k, empty segments are threats, too. An unbounded board has no end of them;
/// there only those with a stone of the side are listed.
pub fn threats(position: &Position, side: Color) -> Vec<Threat> {
    let game = position.game();
    let mut segments = position.threats(side);
    if is_filled_from_nothing(game) && !game.is_unbounded() {
        segments.extend(board_segments(game).filter(|&g| is_empty(position, g)));
    }
    segments
        .into_iter()
        .map(|segment| Threat { segment, empties: empties(position, segment) })
        .filter(|threat| !has_stone_beyond(position, side, threat.segment))
        .collect()
}

/// Whether one move fills a whole segment, so that even empty segments are threats.
pub(super) fn is_filled_from_nothing(game: Game) -> bool {
    game.p() >= game.k()
}

/// Whether no stones of the other side end the threats: there are empty segments everywhere.
pub(super) fn has_no_end(game: Game) -> bool {
    is_filled_from_nothing(game) && game.is_unbounded()
}

/// The empty squares of a segment.
pub(super) fn empties(position: &Position, segment: Segment) -> BTreeSet<Square> {
    segment.squares(position.game()).filter(|&s| position.at(s).is_none()).collect()
}

/// Whether a segment is too long for the exact rule once it is full.
pub(super) fn has_stone_beyond(position: &Position, side: Color, segment: Segment) -> bool {
    let game = position.game();
    game.exact() && segment.beyond(game).into_iter().any(|s| position.at(s) == Some(side))
}

fn is_empty(position: &Position, segment: Segment) -> bool {
    segment.squares(position.game()).all(|s| position.at(s).is_none())
}

/// All segments of a bounded board.
fn board_segments(game: Game) -> impl Iterator<Item = Segment> {
    game.squares()
        .flat_map(|start| DIRECTIONS.map(|direction| Segment { start, direction }))
        .filter(move |segment| segment.ends(game).into_iter().all(|end| game.contains(end)))
}
