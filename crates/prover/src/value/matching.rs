//! Pairs of squares for lines, by bipartite matching (Hales and Jewett 1963).
//!
//! With one stone a move Defender holds every segment that has a pair of squares of its own: when
//! Attacker takes one, he takes the other. Segments of the same line may share a pair, those of
//! different lines cannot: so the segments of a line are put into groups, each with at least two
//! squares in common, and every group asks for two of these.

use super::lines::AREA_MAX;
use crate::board::Bits;

/// The number of missing squares from which no other grouping is tried.
const HOPELESS: u32 = 3;

/// How the segments of a line are put into groups.
#[derive(Clone, Copy, Debug)]
enum Grouping {
    /// As few groups as there can be, of about the same size.
    Even,
    /// As few as there can be, the first ones as large as they can be.
    First,
    /// The same from the other end of the line.
    Last,
    /// Every segment for itself: the matching of Hales and Jewett.
    Single,
}

const GROUPINGS: [Grouping; 4] =
    [Grouping::Even, Grouping::First, Grouping::Last, Grouping::Single];

/// An open segment: the line that it lies on, and its empty squares.
pub(super) type OpenWindow = (u16, u64);

/// Finds pairs, and keeps its memory from search to search.
#[derive(Clone, Debug)]
pub(super) struct Matching {
    /// The squares that each group may have.
    groups: Vec<u64>,
    /// The group that has a square; no group has a free one.
    owners: [u16; AREA_MAX],
    free: u64,
    /// Squares that were looked at for the stone at hand.
    seen: u64,
}

impl Matching {
    pub(super) fn new() -> Matching {
        Matching { groups: Vec::new(), owners: [0; AREA_MAX], free: 0, seen: 0 }
    }

    /// Looks for pairs for all open segments, which come line by line and in order. Returns how
    /// many squares are missing, 0 for a pairing.
    pub(super) fn search(&mut self, open: &[OpenWindow]) -> u32 {
        let mut least = u32::MAX;
        for grouping in GROUPINGS {
            self.group(open, grouping);
            let missing = self.missing();
            least = least.min(missing);
            if missing == 0 || missing > HOPELESS {
                break;
            }
        }
        least
    }

    /// The pairs that were found.
    pub(super) fn pairs(&self) -> Vec<[u32; 2]> {
        let squares = |group: usize| {
            Bits(!self.free).filter(move |&square| self.owners[square as usize] == group as u16)
        };
        let pair = |group: usize| {
            let mut squares = squares(group);
            [squares.next(), squares.next()].map(|square| square.expect("a pairing was found"))
        };
        let mut pairs: Vec<[u32; 2]> = (0..self.groups.len()).map(pair).collect();
        pairs.sort_unstable();
        pairs
    }

    /// Puts the segments into groups.
    fn group(&mut self, open: &[OpenWindow], grouping: Grouping) {
        self.groups.clear();
        for windows in open.chunk_by(|a, b| a.0 == b.0) {
            let mut add = |common: u64| self.groups.push(common);
            let sets = windows.iter().map(|&(_, empties)| empties);
            match grouping {
                Grouping::Single => sets.for_each(add),
                Grouping::First => greedy(sets, usize::MAX, &mut add),
                Grouping::Last => greedy(sets.rev(), usize::MAX, &mut add),
                Grouping::Even => {
                    let mut groups = 0;
                    greedy(sets.clone(), usize::MAX, &mut |_| groups += 1);
                    greedy(sets, windows.len().div_ceil(groups), &mut add);
                }
            }
        }
    }

    /// Gives as many groups as possible two squares, by augmenting paths.
    fn missing(&mut self) -> u32 {
        self.free = u64::MAX;
        let mut missing = 0;
        for group in 0..self.groups.len() as u16 {
            for _ in 0..2 {
                self.seen = 0;
                missing += u32::from(!self.augment(group));
            }
        }
        missing
    }

    /// Finds one more square for a group.
    fn augment(&mut self, group: u16) -> bool {
        let squares = self.groups[group as usize];
        if squares & self.free != 0 {
            let square = (squares & self.free).trailing_zeros();
            self.free &= !(1 << square);
            self.owners[square as usize] = group;
            return true;
        }
        while squares & !self.seen != 0 {
            let square = (squares & !self.seen).trailing_zeros();
            self.seen |= 1 << square;
            let owner = self.owners[square as usize];
            if owner != group && self.augment(owner) {
                self.owners[square as usize] = group;
                return true;
            }
        }
        false
    }
}

/// Cuts a sequence of sets into runs of at most `len_max` with two elements in common.
fn greedy(sets: impl Iterator<Item = u64>, len_max: usize, add: &mut dyn FnMut(u64)) {
    let (mut common, mut len) = (u64::MAX, 0);
    for set in sets {
        if len > 0 && (len == len_max || (common & set).count_ones() < 2) {
            add(common);
            (common, len) = (u64::MAX, 0);
        }
        common &= set;
        len += 1;
    }
    if len > 0 {
        add(common);
    }
}
