//! The search board: stones as words along lines, window counts in binary digits.
//!
//! Each line holds, for either side, a word of stones and the number of stones in every window of
//! the line, *bit-sliced*: digit i of all counts of a line is one word. A stone then adds 1 to the
//! windows around it on four lines by a ripple of carries, about a dozen instructions a line, and
//! taking it back subtracts 1: nothing is saved, nothing is allocated. "The windows with exactly
//! three stones of mine and none of his" is a handful of logical operations on a line, which is
//! what the generators of [`crate::moves`] and the zones of [`crate::zone`] read.
//!
//! The sides are roles, not colours: a board is made for one proof, with its Attacker.

mod bits;
mod geometry;
mod rules;

use std::sync::Arc;

use sixproof_game::repeatable::mix;

pub use sixproof_certificate::Side;

pub use bits::Bits;
pub use geometry::{Crossing, Geometry, LINE_WORDS, Line, Sq};
pub use rules::{Connect6, General, GoMoku, PLANES_MAX, Rules};

/// The stones of one line, and the counts of its windows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stones {
    /// The squares of either side, by position.
    pub of: [u64; 2],
    /// Digit i of the number of stones in each window, for either side.
    planes: [[u64; 2]; PLANES_MAX],
}

impl Stones {
    /// The windows with at least `count` stones of `side`.
    #[inline(always)]
    pub fn at_least<R: Rules>(&self, side: Side, count: u32) -> u64 {
        let (mut more, mut equal) = (0, u64::MAX);
        for digit in (0..R::PLANES).rev() {
            let plane = self.planes[digit][side as usize];
            if count >> digit & 1 == 1 {
                equal &= plane;
            } else {
                more |= equal & plane;
                equal &= !plane;
            }
        }
        more | equal
    }

    /// The windows with exactly `count` stones of `side`.
    #[inline(always)]
    pub fn exactly<R: Rules>(&self, side: Side, count: u32) -> u64 {
        let mut equal = u64::MAX;
        for digit in 0..R::PLANES {
            let plane = self.planes[digit][side as usize];
            equal &= if count >> digit & 1 == 1 { plane } else { !plane };
        }
        equal
    }

    /// The windows with a stone of `side`.
    #[inline(always)]
    pub fn any<R: Rules>(&self, side: Side) -> u64 {
        (0..R::PLANES).fold(0, |any, digit| any | self.planes[digit][side as usize])
    }

    /// The squares with a stone.
    #[inline(always)]
    pub fn taken(&self) -> u64 {
        self.of[0] | self.of[1]
    }
}

/// A position during a search.
#[derive(Clone, Debug)]
pub struct Board<R> {
    /// k, p and the rule of overlines.
    pub rules: R,
    /// Squares and lines.
    pub geometry: Arc<Geometry>,
    lines: Vec<Stones>,
    /// Stones of either side on each line.
    counts: Vec<[u8; 2]>,
    /// The lines with at least `busy_at` stones of either side: all that can matter to a threat.
    busy: [[u64; LINE_WORDS]; 2],
    busy_at: [u8; 2],
    keys: Arc<[[u64; 2]]>,
    key: u64,
    /// Squares without a stone.
    empty_count: u32,
    /// All windows, line by line.
    windows: Arc<[u64]>,
}

impl<R: Rules> Board<R> {
    /// An empty board.
    pub fn new(rules: R, cols: u32, rows: u32) -> Board<R> {
        Board::with_ring(rules, cols, rows, 0)
    }

    /// An empty board that is part of a larger one: Attacker plays for windows that are `ring`
    /// squares away from its edges, Defender's are seen up to the edges.
    pub fn with_ring(rules: R, cols: u32, rows: u32, ring: u32) -> Board<R> {
        let geometry = Arc::new(Geometry::new(cols, rows, rules.k(), ring));
        let lines = vec![Stones::default(); geometry.lines.len()];
        let counts = vec![[0; 2]; lines.len()];
        // A move can make a threat of a window with k - 2p stones. Defender's windows matter only
        // once they are threats.
        let busy_at =
            [2 * rules.p(), rules.p()].map(|stones| rules.k().saturating_sub(stones) as u8);
        let mut busy = [[0; LINE_WORDS]; 2];
        for (busy, _) in busy.iter_mut().zip(busy_at).filter(|(_, at)| *at == 0) {
            for (number, line) in geometry.lines.iter().enumerate() {
                if line.windows != 0 {
                    busy[number / 64] |= 1 << (number % 64);
                }
            }
        }
        let mut seed = 0x005e_ed0f_51c7_4e57;
        let keys = (0..geometry.area()).map(|_| [mix(&mut seed), mix(&mut seed)]).collect();
        let empty_count = geometry.area() as u32;
        let windows = geometry.lines.iter().map(|line| line.windows).collect();
        Board { windows, rules, geometry, lines, counts, busy, busy_at, keys, key: 0, empty_count }
    }

    /// Puts a stone on an empty square.
    #[inline]
    pub fn place(&mut self, side: Side, square: Sq) {
        debug_assert!(self.is_empty(square));
        let crossing = &self.geometry.crossings[usize::from(square)];
        let of = side as usize;
        for direction in 0..4 {
            let number = usize::from(crossing.line[direction]);
            let line = &mut self.lines[number];
            line.of[of] |= 1 << crossing.position[direction];
            let mut carry = crossing.windows[direction];
            for digit in 0..R::PLANES {
                let plane = &mut line.planes[digit][of];
                let next = *plane & carry;
                *plane ^= carry;
                carry = next;
            }
            let count = &mut self.counts[number][of];
            *count += 1;
            if *count == self.busy_at[of] {
                self.busy[of][number / 64] |= 1 << (number % 64);
            }
        }
        self.key ^= self.keys[usize::from(square)][of];
        self.empty_count -= 1;
    }

    /// Takes a stone back.
    #[inline]
    pub fn remove(&mut self, side: Side, square: Sq) {
        let crossing = &self.geometry.crossings[usize::from(square)];
        let of = side as usize;
        debug_assert!(
            self.lines[usize::from(crossing.line[0])].of[of] >> crossing.position[0] & 1 == 1
        );
        for direction in 0..4 {
            let number = usize::from(crossing.line[direction]);
            let line = &mut self.lines[number];
            line.of[of] &= !(1 << crossing.position[direction]);
            let mut borrow = crossing.windows[direction];
            for digit in 0..R::PLANES {
                let plane = &mut line.planes[digit][of];
                let next = !*plane & borrow;
                *plane ^= borrow;
                borrow = next;
            }
            let count = &mut self.counts[number][of];
            if *count == self.busy_at[of] {
                self.busy[of][number / 64] &= !(1 << (number % 64));
            }
            *count -= 1;
        }
        self.key ^= self.keys[usize::from(square)][of];
        self.empty_count += 1;
    }

    /// Puts stones on all of `squares`.
    pub fn place_all(&mut self, side: Side, squares: &[Sq]) {
        for &square in squares {
            self.place(side, square);
        }
    }

    /// Takes the stones of `squares` back.
    pub fn remove_all(&mut self, side: Side, squares: &[Sq]) {
        for &square in squares {
            self.remove(side, square);
        }
    }

    /// Whether a square has no stone.
    #[inline]
    pub fn is_empty(&self, square: Sq) -> bool {
        let crossing = &self.geometry.crossings[usize::from(square)];
        self.lines[usize::from(crossing.line[0])].taken() >> crossing.position[0] & 1 == 0
    }

    /// The key of a position, given that of one without these stones.
    pub fn key_with(&self, key: u64, side: Side, squares: &[Sq]) -> u64 {
        squares.iter().fold(key, |key, &s| key ^ self.keys[usize::from(s)][side as usize])
    }

    /// The same position with the roles exchanged.
    pub fn swapped(&self) -> Board<R> {
        let mut board = self.clone();
        let stones: Vec<(Sq, Side)> = (0..self.geometry.area() as Sq)
            .filter_map(|square| self.side_at(square).map(|side| (square, side)))
            .collect();
        for &(square, side) in &stones {
            board.remove(side, square);
        }
        for &(square, side) in &stones {
            board.place(side.other(), square);
        }
        board
    }

    /// The side whose stone is there.
    pub fn side_at(&self, square: Sq) -> Option<Side> {
        let crossing = &self.geometry.crossings[usize::from(square)];
        let line = &self.lines[usize::from(crossing.line[0])];
        [Side::Attacker, Side::Defender]
            .into_iter()
            .find(|&side| line.of[side as usize] >> crossing.position[0] & 1 == 1)
    }

    /// The number of empty squares.
    pub fn empty_count(&self) -> u32 {
        self.empty_count
    }

    /// The empty squares, row by row.
    pub fn empty_squares(&self) -> impl Iterator<Item = Sq> + '_ {
        (0..self.geometry.area() as Sq).filter(|&square| self.is_empty(square))
    }

    /// A number that tells positions apart (not their sides to move).
    pub fn key(&self) -> u64 {
        self.key
    }

    /// All windows, line by line.
    pub fn windows(&self) -> Arc<[u64]> {
        self.windows.clone()
    }

    /// The stones of a line.
    #[inline(always)]
    pub fn line(&self, number: usize) -> &Stones {
        &self.lines[number]
    }

    /// The number of stones of `side` on a line.
    #[inline(always)]
    pub fn count(&self, number: usize, side: Side) -> u32 {
        u32::from(self.counts[number][side as usize])
    }

    /// All lines.
    pub fn lines(&self) -> &[Stones] {
        &self.lines
    }

    /// The windows of a line in which `side` can still win: no stone of the other, and for
    /// Attacker under the exact rule none of his own just beyond either end. (Defender is granted
    /// overlines: docs/certificate.md, Rules.)
    #[inline(always)]
    pub fn active(&self, number: usize, side: Side) -> u64 {
        let line = &self.lines[number];
        let windows = match side {
            Side::Attacker => self.geometry.lines[number].attack_windows,
            Side::Defender => self.geometry.lines[number].windows,
        };
        let free = windows & !line.any::<R>(side.other());
        if self.rules.exact() && side == Side::Attacker {
            let own = line.of[Side::Attacker as usize];
            return free & !(own << 1) & !(own >> self.rules.k());
        }
        free
    }

    /// The squares that windows cover.
    #[inline(always)]
    pub fn span(&self, windows: u64) -> u64 {
        let (mut span, mut width, k) = (windows, 1, self.rules.k());
        while width < k {
            let shift = width.min(k - width);
            span |= span << shift;
            width += shift;
        }
        span
    }

    /// Calls `visit` with each line on which `side` has enough stones for a threat to matter:
    /// k - 2p of Attacker's, k - p of Defender's.
    #[inline(always)]
    pub fn each_busy(&self, side: Side, mut visit: impl FnMut(usize)) {
        for (word, &bits) in self.busy[side as usize].iter().enumerate() {
            for bit in Bits(bits) {
                visit(word * 64 + bit as usize);
            }
        }
    }

    /// Whether `side` can still complete a segment anywhere.
    pub fn has_hope(&self, side: Side) -> bool {
        (0..self.lines.len()).any(|number| self.active(number, side) != 0)
    }

    /// Whether `side` has k in a row (exactly k, for Attacker under the exact rule) through a
    /// square.
    pub fn wins_through(&self, side: Side, square: Sq) -> bool {
        let crossing = &self.geometry.crossings[usize::from(square)];
        (0..4).any(|direction| {
            let number = usize::from(crossing.line[direction]);
            let full = self.lines[number].at_least::<R>(side, self.rules.k());
            full & crossing.windows[direction] & self.active(number, side) != 0
        })
    }
}
