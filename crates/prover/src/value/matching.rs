//! Pairs of squares for lines, by bipartite matching (Hales and Jewett 1963).
//!
//! With one stone a move Defender holds every segment that has a pair of squares of its own: when
//! Attacker takes one, he takes the other. Segments of the same line may share a pair, those of
//! different lines cannot: so the segments of a line are put into groups, each with at least two
//! squares in common, and every group asks for two of these.

/// No owner, no mark.
const NONE: u16 = u16::MAX;

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

/// An open segment: the line that it lies on, and its empty squares as a set of bits.
pub(super) type OpenWindow = (u16, u64);

/// Finds pairs, and keeps its memory from search to search.
#[derive(Clone, Debug, Default)]
pub(super) struct Matching {
    /// The squares that a group may have, one group after the other.
    squares: Vec<u16>,
    /// Where the squares of each group end.
    ends: Vec<usize>,
    /// The group that has a square.
    owners: Vec<u16>,
    marks: Vec<u16>,
}

impl Matching {
    /// Looks for pairs for all open segments, which come line by line and in order. `square` names
    /// the square of a bit in a line.
    pub(super) fn search(
        &mut self,
        open: &[OpenWindow],
        area: usize,
        square: &dyn Fn(u16, u32) -> u16,
    ) -> bool {
        if open.iter().any(|&(_, empties)| empties.count_ones() < 2) {
            return false;
        }
        GROUPINGS.into_iter().any(|grouping| {
            self.group(open, grouping, square);
            self.matched(area)
        })
    }

    /// The pairs that were found.
    pub(super) fn pairs(&self) -> Vec<[u16; 2]> {
        let mut pairs = vec![[NONE; 2]; self.ends.len()];
        for (square, &owner) in self.owners.iter().enumerate().filter(|&(_, &o)| o != NONE) {
            let pair = &mut pairs[owner as usize];
            let free = usize::from(pair[0] != NONE);
            pair[free] = square as u16;
        }
        pairs.sort_unstable();
        pairs
    }

    /// Puts the segments into groups.
    fn group(
        &mut self,
        open: &[OpenWindow],
        grouping: Grouping,
        square: &dyn Fn(u16, u32) -> u16,
    ) {
        self.squares.clear();
        self.ends.clear();
        for windows in open.chunk_by(|a, b| a.0 == b.0) {
            let line = windows[0].0;
            let mut add = |common: u64| {
                let bits = (0..u64::BITS).filter(|bit| common >> bit & 1 != 0);
                self.squares.extend(bits.map(|bit| square(line, bit)));
                self.ends.push(self.squares.len());
            };
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

    /// Gives every group two squares, by augmenting paths.
    fn matched(&mut self, area: usize) -> bool {
        self.owners.clear();
        self.owners.resize(area, NONE);
        self.marks.clear();
        self.marks.resize(area, NONE);
        let groups = self.ends.len();
        2 * groups <= area
            && (0..2 * groups).all(|round| self.augment(round as u16 / 2, round as u16))
    }

    /// Finds one more square for a group.
    fn augment(&mut self, group: u16, mark: u16) -> bool {
        let start = group.checked_sub(1).map_or(0, |before| self.ends[before as usize]);
        for index in start..self.ends[group as usize] {
            let square = self.squares[index] as usize;
            if self.marks[square] == mark || self.owners[square] == group {
                continue;
            }
            self.marks[square] = mark;
            let owner = self.owners[square];
            if owner == NONE || self.augment(owner, mark) {
                self.owners[square] = group;
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
        if len == len_max || (common & set).count_ones() < 2 {
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
