//! Segment zones (docs/certificate.md, Zones): a set A of squares and nested sets S1 ⊆ S2 ⊆ … of
//! segments. A segment is kept with its least level: the least i with G in Si.

use crate::board::{Board, Seg, insert, members};
use crate::grid::Sq;

/// A segment of no Si.
const NONE: u8 = u8::MAX;

/// Σ = (A, S1 ⊆ S2 ⊆ …). A set E of empty squares is clear of it when it avoids A and has fewer
/// than i squares in every G of Si.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Zone {
    /// A, as a bit set.
    pub(crate) squares: Vec<u64>,
    /// The least level of each segment.
    levels: Vec<u8>,
}

impl Zone {
    pub(crate) fn new(board: &Board) -> Zone {
        Zone { squares: vec![0; board.empties.len()], levels: vec![NONE; board.segment_count()] }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.squares.len() * 8 + self.levels.len()
    }

    pub(crate) fn clear(&mut self) {
        self.squares.fill(0);
        self.levels.fill(NONE);
    }

    #[cfg(test)]
    pub(crate) fn set_level(&mut self, seg: Seg, level: u8) {
        self.levels[seg as usize] = level;
    }

    /// The segments of some Si with their least levels.
    pub(crate) fn segments(&self) -> impl Iterator<Item = (Seg, u8)> {
        let numbered = self.levels.iter().enumerate();
        numbered.filter(|&(_, &level)| level != NONE).map(|(seg, &level)| (seg as Seg, level))
    }

    /// Σ ∪ (other << u): the union of the squares, and of each two levels the lower one, where a
    /// shift by u lowers the other's levels by u, but not below 1.
    pub(crate) fn add_shifted(&mut self, other: &Zone, u: u8) {
        for (a, b) in self.squares.iter_mut().zip(&other.squares) {
            *a |= b;
        }
        let pairs = self.levels.iter_mut().zip(&other.levels);
        if u == 0 {
            pairs.for_each(|(a, &b)| *a = (*a).min(b));
        } else {
            pairs.for_each(|(a, &b)| {
                let shifted = if b == NONE { NONE } else { b.saturating_sub(u).max(1) };
                *a = (*a).min(shifted);
            });
        }
    }

    /// The zone of threats that are relied on (Rules): A is the empty squares of the threats,
    /// and every Defender-active G that misses the empty squares of some threat, *dangerous* as
    /// that is, is in S(u(G) - t). Fails with a dangerous G that has u(G) <= t.
    ///
    /// With t = 0 and a single threat this is the zone of an Attacker who completes that threat.
    pub(crate) fn set_to_threats(
        &mut self,
        board: &Board,
        threats: &Threats,
        t: usize,
        meets: &mut Meets,
    ) -> Result<(), Seg> {
        self.squares.fill(0);
        if threats.is_empty() {
            self.levels.fill(NONE);
            return Ok(());
        }
        threats.squares.iter().for_each(|&s| insert(&mut self.squares, s));
        // First as if every Defender-active segment were dangerous, all at once …
        let room = board.k.saturating_sub(t) as u8;
        let mut completed = false;
        let counts = board.attackers.iter().zip(&board.defenders);
        for (level, (&attackers, &defenders)) in self.levels.iter_mut().zip(counts) {
            let active = attackers == 0;
            completed |= active & (defenders >= room);
            *level = if active { room.wrapping_sub(defenders) } else { NONE };
        }
        // … then without those that meet every threat: they are few.
        meets.count(board, threats);
        for &seg in &meets.all {
            self.levels[seg as usize] = NONE;
        }
        let completes = |&seg: &Seg| {
            let (attackers, defenders) =
                (board.attackers[seg as usize], board.defenders[seg as usize]);
            attackers == 0 && defenders >= room && !meets.all.contains(&seg)
        };
        let found = completed.then(|| (0..self.levels.len() as Seg).find(completes));
        found.flatten().map_or(Ok(()), Err)
    }

    /// The squares on which one more stone is not clear of the zone: A and the segments of S1.
    pub(crate) fn first_layer(&self, board: &Board, out: &mut Vec<u64>) {
        out.clear();
        out.extend_from_slice(&self.squares);
        for (seg, _) in self.segments().filter(|&(_, level)| level == 1) {
            board.squares(seg).for_each(|s| insert(out, s));
        }
    }

    /// A compact copy: the levels as runs of equal bytes.
    pub(crate) fn pack(&self) -> PackedZone {
        let mut runs: Vec<(u8, u8)> = Vec::new();
        for &level in &self.levels {
            match runs.last_mut() {
                Some((last, count)) if *last == level && *count < u8::MAX => *count += 1,
                _ => runs.push((level, 1)),
            }
        }
        PackedZone { squares: members(&self.squares).collect(), runs: runs.into() }
    }

    pub(crate) fn set_to_packed(&mut self, packed: &PackedZone) {
        self.clear();
        packed.squares.iter().for_each(|&s| insert(&mut self.squares, s));
        let levels =
            packed.runs.iter().flat_map(|&(level, n)| std::iter::repeat_n(level, n.into()));
        self.levels.iter_mut().zip(levels).for_each(|(to, from)| *to = from);
    }
}

/// A zone kept for later references.
pub(crate) struct PackedZone {
    squares: Box<[Sq]>,
    runs: Box<[(u8, u8)]>,
}

impl PackedZone {
    pub(crate) fn bytes(&self) -> usize {
        self.squares.len() * 4 + self.runs.len() * 2 + size_of::<PackedZone>()
    }
}

/// The segments that meet the empty squares of every threat.
pub(crate) struct Meets {
    /// For each segment, the number of threats, in their order, up to the first that it misses.
    counts: Vec<u16>,
    all: Vec<Seg>,
}

impl Meets {
    pub(crate) fn new(board: &Board) -> Meets {
        Meets { counts: vec![0; board.segment_count()], all: Vec::new() }
    }

    fn count(&mut self, board: &Board, threats: &Threats) {
        self.all.clear();
        for (i, empties) in threats.iter().enumerate() {
            let met_before = i as u16;
            for &square in empties {
                for &seg in board.through(square) {
                    let count = &mut self.counts[seg as usize];
                    if *count == met_before {
                        *count += 1;
                        if i + 1 == threats.len() {
                            self.all.push(seg);
                        }
                    }
                }
            }
        }
        // Only the entries that were counted are wiped.
        for &square in &threats.squares {
            for &seg in board.through(square) {
                self.counts[seg as usize] = 0;
            }
        }
    }
}

/// The empty squares of the threats that a node relies on, each set once.
#[derive(Default)]
pub(crate) struct Threats {
    squares: Vec<Sq>,
    ends: Vec<usize>,
}

impl Threats {
    pub(crate) fn clear(&mut self) {
        self.squares.clear();
        self.ends.clear();
    }

    /// Adds the empty squares of a segment, unless they are there already.
    pub(crate) fn add(&mut self, board: &Board, seg: Seg) {
        let start = self.squares.len();
        self.squares.extend(board.squares(seg).filter(|&s| board.at(s).is_none()));
        self.ends.push(self.squares.len());
        // The same set twice changes nothing, so it is enough to look for recent ones.
        let (older, new) = (self.len() - 1, &self.squares[start..]);
        if (older.saturating_sub(64)..older).any(|i| self.get(i) == new) {
            self.squares.truncate(start);
            self.ends.pop();
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    fn get(&self, i: usize) -> &[Sq] {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.squares[start..self.ends[i]]
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &[Sq]> {
        (0..self.len()).map(|i| self.get(i))
    }
}
