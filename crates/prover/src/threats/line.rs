//! Lines: all squares in one direction through one square (Wu & Huang, section 4.1, count threats
//! line by line).
//!
//! An unbounded board has lines without end, so a line is only a name here; the caller lists the
//! squares or threats on it.

use std::collections::BTreeMap;

use sixproof_game::Segment;

use super::Threat;

/// The name of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Line {
    /// One of [`DIRECTIONS`](sixproof_game::DIRECTIONS).
    pub direction: (i32, i32),
    /// Which of the parallel lines: the same for all its squares, another for all others.
    pub offset: i64,
}

impl Line {
    /// The line on which a segment lies.
    pub fn of(segment: Segment) -> Line {
        let (dx, dy) = segment.direction;
        let (x, y) = (i64::from(segment.start.x), i64::from(segment.start.y));
        Line { direction: segment.direction, offset: i64::from(dx) * y - i64::from(dy) * x }
    }
}

/// How far along its line a segment starts: a step in its direction adds one.
pub fn place_on_line(segment: Segment) -> i32 {
    if segment.direction.0 == 0 { segment.start.y } else { segment.start.x }
}

/// The threats by line, those of a line as a window meets them that slides along it.
pub fn by_line(threats: &[Threat]) -> BTreeMap<Line, Vec<Threat>> {
    let mut lines: BTreeMap<Line, Vec<Threat>> = BTreeMap::new();
    for threat in threats {
        lines.entry(Line::of(threat.segment)).or_default().push(threat.clone());
    }
    for threats in lines.values_mut() {
        threats.sort_by_key(|threat| place_on_line(threat.segment));
    }
    lines
}
