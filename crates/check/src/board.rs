//! The board during the check: which segments there are, and how many stones of each side stand in
//! each of them. Stones are placed and taken back along the path from the root to the current node.

use crate::claim::Game;
use crate::grid::{Grid, Sq};

/// A segment as a number.
pub(crate) type Seg = u32;

/// The roles of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Attacker,
    Defender,
}

/// The segments of a board, and the stones on it.
pub(crate) struct Board {
    pub(crate) k: usize,
    pub(crate) p: usize,
    exact: bool,
    /// First square of each segment, and the step to the next.
    first: Vec<Sq>,
    step: Vec<Sq>,
    /// The squares just beyond the two ends, or `NOWHERE`.
    beyond: Vec<[Sq; 2]>,
    /// The segments through a square: `through[starts[s]..starts[s + 1]]`.
    through: Vec<Seg>,
    starts: Vec<u32>,
    stones: Vec<Option<Role>>,
    /// The number of stones of each side in each segment.
    pub(crate) attackers: Vec<u8>,
    pub(crate) defenders: Vec<u8>,
    /// The segments without Defender stones and with at most p squares empty, as a bit set.
    hot: Vec<u64>,
    /// The number of segments that are full of Defender stones.
    pub(crate) defender_lines: usize,
    /// The empty squares, as a bit set, and their number.
    pub(crate) empties: Vec<u64>,
    pub(crate) empty_count: usize,
}

const NOWHERE: Sq = Sq::MAX;

impl Board {
    pub(crate) fn new(game: Game, grid: &Grid) -> Board {
        let (cols, rows, k) = (grid.cols() as i32, grid.rows() as i32, game.k as i32);
        let area = (cols * rows) as usize;
        let number = |x: i32, y: i32| {
            let inside = (0..cols).contains(&x) && (0..rows).contains(&y);
            if inside { (y * cols + x) as Sq } else { NOWHERE }
        };
        let (mut first, mut step, mut beyond) = (Vec::new(), Vec::new(), Vec::new());
        let mut counts = vec![0u32; area + 1];
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
            for (x, y) in (0..rows).flat_map(|y| (0..cols).map(move |x| (x, y))) {
                if number(x + (k - 1) * dx, y + (k - 1) * dy) == NOWHERE {
                    continue;
                }
                first.push(number(x, y));
                step.push((dy * cols + dx) as Sq);
                beyond.push([number(x - dx, y - dy), number(x + k * dx, y + k * dy)]);
                for i in 0..k {
                    counts[number(x + i * dx, y + i * dy) as usize + 1] += 1;
                }
            }
        }
        for square in 0..area {
            counts[square + 1] += counts[square];
        }
        let starts = counts.clone();
        let mut through = vec![0; first.len() * k as usize];
        for seg in 0..first.len() {
            for i in 0..k as Sq {
                let place = &mut counts[(first[seg] + i * step[seg]) as usize];
                through[*place as usize] = seg as Seg;
                *place += 1;
            }
        }
        let mut empties = vec![0; area.div_ceil(64)];
        (0..area).for_each(|s| insert(&mut empties, s as Sq));
        let mut board = Board {
            k: k as usize,
            p: game.p as usize,
            exact: game.exact,
            stones: vec![None; area],
            attackers: vec![0; first.len()],
            defenders: vec![0; first.len()],
            hot: vec![0; first.len().div_ceil(64)],
            defender_lines: 0,
            empties,
            empty_count: area,
            first,
            step,
            beyond,
            through,
            starts,
        };
        if board.k <= board.p {
            // Even segments without a stone are threats.
            (0..board.segment_count()).for_each(|seg| insert(&mut board.hot, seg as Seg));
        }
        board
    }

    pub(crate) fn segment_count(&self) -> usize {
        self.first.len()
    }

    pub(crate) fn at(&self, square: Sq) -> Option<Role> {
        self.stones[square as usize]
    }

    pub(crate) fn through(&self, square: Sq) -> &[Seg] {
        let square = square as usize;
        &self.through[self.starts[square] as usize..self.starts[square + 1] as usize]
    }

    pub(crate) fn squares(&self, seg: Seg) -> impl Iterator<Item = Sq> + use<> {
        let (first, step) = (self.first[seg as usize], self.step[seg as usize]);
        (0..self.k as Sq).map(move |i| first + i * step)
    }

    pub(crate) fn ends(&self, seg: Seg) -> [Sq; 2] {
        let (first, step) = (self.first[seg as usize], self.step[seg as usize]);
        [first, first + (self.k as Sq - 1) * step]
    }

    pub(crate) fn place(&mut self, square: Sq, role: Role) {
        debug_assert!(self.at(square).is_none());
        self.stones[square as usize] = Some(role);
        remove(&mut self.empties, square);
        self.empty_count -= 1;
        let Board { attackers, defenders, hot, .. } = self;
        let hot_from = self.k.saturating_sub(self.p) as u8;
        let range =
            self.starts[square as usize] as usize..self.starts[square as usize + 1] as usize;
        match role {
            Role::Attacker => {
                for &seg in &self.through[range] {
                    let count = &mut attackers[seg as usize];
                    *count += 1;
                    if *count == hot_from && defenders[seg as usize] == 0 {
                        insert(hot, seg);
                    }
                }
            }
            Role::Defender => {
                for &seg in &self.through[range] {
                    let count = &mut defenders[seg as usize];
                    *count += 1;
                    if *count == 1 {
                        remove(hot, seg);
                    }
                    self.defender_lines += usize::from(usize::from(*count) == self.k);
                }
            }
        }
    }

    pub(crate) fn take_back(&mut self, square: Sq) {
        let role = self.stones[square as usize].take().expect("a stone that was placed");
        insert(&mut self.empties, square);
        self.empty_count += 1;
        let Board { attackers, defenders, hot, .. } = self;
        let hot_from = self.k.saturating_sub(self.p) as u8;
        let range =
            self.starts[square as usize] as usize..self.starts[square as usize + 1] as usize;
        match role {
            Role::Attacker => {
                for &seg in &self.through[range] {
                    let count = &mut attackers[seg as usize];
                    if *count == hot_from {
                        remove(hot, seg);
                    }
                    *count -= 1;
                }
            }
            Role::Defender => {
                for &seg in &self.through[range] {
                    let count = &mut defenders[seg as usize];
                    self.defender_lines -= usize::from(usize::from(*count) == self.k);
                    *count -= 1;
                    if *count == 0 && attackers[seg as usize] >= hot_from {
                        insert(hot, seg);
                    }
                }
            }
        }
    }

    /// Attacker-active, and under the exact rule without an Attacker stone just beyond an end.
    fn can_win(&self, seg: Seg) -> bool {
        let extended = || {
            self.beyond[seg as usize]
                .into_iter()
                .any(|s| s != NOWHERE && self.at(s) == Some(Role::Attacker))
        };
        self.defenders[seg as usize] == 0 && !(self.exact && extended())
    }

    /// Whether a segment is a threat of Attacker: at most `stones` squares are empty.
    pub(crate) fn is_threat(&self, seg: Seg, stones: usize) -> bool {
        self.can_win(seg) && usize::from(self.attackers[seg as usize]) + stones >= self.k
    }

    /// All threats of Attacker with Defender to move.
    pub(crate) fn threats(&self, out: &mut Vec<Seg>) {
        out.extend(members(&self.hot).filter(|&seg| self.is_threat(seg, self.p)));
    }

    /// Whether a side has k in a row that ends the game; Defender is granted overlines.
    pub(crate) fn has_line(&self, role: Role) -> bool {
        match role {
            Role::Defender => self.defender_lines > 0,
            Role::Attacker => (0..self.segment_count() as Seg).any(|seg| self.is_threat(seg, 0)),
        }
    }

    /// A segment whose empty squares are exactly these (empty, distinct) squares, for Attacker to
    /// complete.
    pub(crate) fn completed_by(&self, squares: &[Sq]) -> Option<Seg> {
        let fits = |seg: &Seg| {
            self.can_win(*seg)
                && usize::from(self.attackers[*seg as usize]) + squares.len() == self.k
                && squares.iter().all(|s| self.through(*s).contains(seg))
        };
        match squares.first() {
            Some(&square) => self.through(square).iter().copied().find(fits),
            None => (0..self.segment_count() as Seg).find(fits),
        }
    }

    /// The segments with these end squares, in either order. (Of one square there are four.)
    pub(crate) fn between(&self, ends: [Sq; 2]) -> impl Iterator<Item = Seg> {
        self.through(ends[0]).iter().copied().filter(move |&seg| {
            let [a, b] = self.ends(seg);
            [a, b] == ends || [b, a] == ends
        })
    }
}

/// Bit sets of squares or segments.
pub(crate) fn insert(set: &mut [u64], member: u32) {
    set[member as usize / 64] |= 1 << (member % 64);
}

pub(crate) fn remove(set: &mut [u64], member: u32) {
    set[member as usize / 64] &= !(1 << (member % 64));
}

pub(crate) fn contains(set: &[u64], member: u32) -> bool {
    set[member as usize / 64] >> (member % 64) & 1 == 1
}

/// The members in ascending order.
pub(crate) fn members(set: &[u64]) -> impl Iterator<Item = u32> {
    set.iter().enumerate().flat_map(|(i, &word)| {
        let mut word = word;
        std::iter::from_fn(move || {
            let bit = word.trailing_zeros();
            (bit < 64).then(|| {
                word &= word - 1;
                i as u32 * 64 + bit
            })
        })
    })
}
