//! Live-l and dead-l (Wu & Huang, definitions 2 and 4): threats in the making.
//!
//! With δ = k - p, a line has a *dead-l* for a side that needs δ - l more stones to have one threat
//! on it, and a *live-l* for a side that needs δ - l more stones to have two. Three stones in a row
//! of Connect6 (δ = 4) are a live-3 when both ends are open, and a dead-3 when one is closed. With
//! l = δ the threats are there already: live-4 and dead-4. Stones beyond δ do not count: five of
//! Connect6 are a live-4 or a dead-4, too.
//!
//! A line pattern is here what hangs together: a run of consecutive active segments with a stone of
//! the side in each. Stones of the other side, the border and wide gaps lie between patterns, so
//! that one line can have a live-3 here and a dead-2 there.
//!
//! What two threats cost is a matter of two segments. Squares that both have must be filled, since
//! two threats share no empty square; then each is filled until p squares are left of it. Neither
//! may be full, for that is a win and no threat. Under the exact rule nothing changes: the square
//! just beyond the end of one is kept empty as one of the squares that are left of the other.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use sixproof_game::{Color, Position, Segment, Square};

use super::Line;
use super::line::place_on_line;
use super::threat::{empties, has_stone_beyond};

/// Whether a pattern grows into one threat or into two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PatternKind {
    /// Two threats.
    Live,
    /// One threat.
    Dead,
}

/// A live-l or dead-l of a side.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pattern {
    /// Live or dead.
    pub kind: PatternKind,
    /// The l, from 1 to k - p.
    pub l: u32,
    /// The number of further stones that make the threats: k - p - l.
    pub missing: u32,
    /// The line.
    pub line: Line,
    /// The squares of the segments that can become the threats, along the line.
    pub squares: Vec<Square>,
    /// The stones of the side among them.
    pub stones: Vec<Square>,
}

/// `live-3`, as the papers write it.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            PatternKind::Live => "live",
            PatternKind::Dead => "dead",
        };
        write!(f, "{kind}-{}", self.l)
    }
}

/// All live-l and dead-l of a side with l of at least 1, the strongest first. A live-l is a dead-l,
/// too, and stands here only once.
pub fn patterns(position: &Position, side: Color) -> Vec<Pattern> {
    let mut patterns: Vec<Pattern> = runs(position, side)
        .into_iter()
        .flat_map(|(line, run)| patterns_of_run(position, side, line, &run))
        .collect();
    patterns.sort_by_key(|p| (p.missing, p.kind, p.stones.clone(), p.line));
    patterns
}

/// The runs of consecutive active segments with a stone of the side in each.
fn runs(position: &Position, side: Color) -> Vec<(Line, Vec<Segment>)> {
    let game = position.game();
    let is_active =
        |segment: &Segment| segment.squares(game).all(|s| position.at(s) != Some(!side));
    let mut lines: BTreeMap<Line, BTreeMap<i32, Segment>> = BTreeMap::new();
    for segment in position.squares_of(side).flat_map(|s| Segment::through(game, s)) {
        if is_active(&segment) {
            let line = lines.entry(Line::of(segment)).or_default();
            line.insert(place_on_line(segment), segment);
        }
    }
    let mut runs: Vec<(Line, Vec<Segment>)> = Vec::new();
    for (line, segments) in lines {
        let mut before: Option<i32> = None;
        for (place, segment) in segments {
            match runs.last_mut() {
                Some((_, run)) if before == Some(place - 1) => run.push(segment),
                _ => runs.push((line, vec![segment])),
            }
            before = Some(place);
        }
    }
    runs
}

/// A segment that can become a threat.
struct Candidate {
    segment: Segment,
    empties: BTreeSet<Square>,
}

/// The live-l of a run, and its dead-l if that has the larger l.
fn patterns_of_run(position: &Position, side: Color, line: Line, run: &[Segment]) -> Vec<Pattern> {
    let game = position.game();
    let candidates: Vec<Candidate> = run
        .iter()
        .filter(|&&segment| !has_stone_beyond(position, side, segment))
        .map(|&segment| Candidate { segment, empties: empties(position, segment) })
        .filter(|candidate| !candidate.empties.is_empty())
        .collect();
    let mut dead = Cheapest::default();
    let mut live = Cheapest::default();
    for (i, one) in candidates.iter().enumerate() {
        dead.offer(one.empties.len().saturating_sub(game.p() as usize), &[one.segment]);
        for other in &candidates[i + 1..] {
            if let Some(cost) = cost_of_two(&one.empties, &other.empties, game.p() as usize) {
                live.offer(cost, &[one.segment, other.segment]);
            }
        }
    }
    let pattern = |kind, cheapest: &Cheapest| {
        let l = (game.k() as usize).checked_sub(game.p() as usize + cheapest.cost?)?;
        let mut segments = cheapest.segments.clone();
        segments.sort_by_key(|&segment| place_on_line(segment));
        let mut squares: Vec<Square> = Vec::new();
        for square in segments.into_iter().flat_map(|segment| segment.squares(game)) {
            if !squares.contains(&square) {
                squares.push(square);
            }
        }
        let stones = squares.iter().copied().filter(|&s| position.at(s) == Some(side)).collect();
        let missing = cheapest.cost? as u32;
        (l >= 1).then_some(Pattern { kind, l: l as u32, missing, line, squares, stones })
    };
    let live = pattern(PatternKind::Live, &live);
    let dead = pattern(PatternKind::Dead, &dead);
    let known = live.as_ref().map_or(0, |live| live.l);
    live.into_iter().chain(dead.filter(|dead| dead.l > known)).collect()
}

/// The stones that make two segments, with these empty squares, into two threats; `None` when one
/// would be full.
fn cost_of_two(one: &BTreeSet<Square>, other: &BTreeSet<Square>, p: usize) -> Option<usize> {
    let common = one.intersection(other).count();
    let (one, other) = (one.len() - common, other.len() - common);
    (one > 0 && other > 0).then(|| common + one.saturating_sub(p) + other.saturating_sub(p))
}

/// The least cost so far, and all segments that have it.
#[derive(Default)]
struct Cheapest {
    cost: Option<usize>,
    segments: Vec<Segment>,
}

impl Cheapest {
    fn offer(&mut self, cost: usize, segments: &[Segment]) {
        if self.cost.is_none_or(|least| cost < least) {
            *self = Cheapest { cost: Some(cost), segments: Vec::new() };
        }
        if self.cost == Some(cost) {
            self.segments.extend(segments);
        }
    }
}
