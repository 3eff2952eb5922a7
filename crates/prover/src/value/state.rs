//! A position of the search, reduced to what matters.
//!
//! A square that lies in no open segment of either side is a *wall*: whether it is empty, black or
//! white changes nothing. Walls carry both colours, so that positions which differ in such squares
//! only become the same, and every segment through a wall is closed, as it was before.
//!
//! In the *maker-breaker* game Defender's own rows do not count. If Attacker cannot win it, he
//! cannot win the real game; and there is more that does not matter:
//!
//! - a segment with all the empty squares of another one, and more;
//! - with one stone a move, segments that are the only ones through two of their empty squares:
//!   Defender answers one of these squares with the other;
//! - a square all of whose segments go through another square: both sides prefer the other.
//!
//! All of these hold for stones that are only added: an additional stone never hurts its owner.

use super::lines::{Lines, Window};
use super::matching::{Matching, OpenWindow};
use super::potential::Potential;
use super::{Improvements, Rows};
use crate::board::Bits;

/// Stones, walls and the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct BitPosition {
    /// Attacker's stones, and walls.
    pub(super) attacker: u64,
    /// Defender's stones, and walls.
    pub(super) defender: u64,
    /// Whether Attacker is to move.
    pub(super) attacks: bool,
    /// Stones that he has left in this move.
    pub(super) left: u8,
}

impl BitPosition {
    pub(super) const NOTHING: BitPosition =
        BitPosition { attacker: 0, defender: 0, attacks: false, left: 0 };

    /// The position after a stone of the side to move.
    pub(super) fn after(&self, square: u32, p: u32) -> BitPosition {
        let mut state = *self;
        let stones = if self.attacks { &mut state.attacker } else { &mut state.defender };
        *stones |= 1 << square;
        state.left -= 1;
        if state.left == 0 {
            state.attacks = !state.attacks;
            state.left = p as u8;
        }
        state
    }
}

/// The result of a look at a position.
#[derive(Clone, Copy, Debug)]
pub(super) enum Seen {
    /// The look decides it: whether Attacker wins.
    Decided(bool),
    /// It has to be searched: the position reduced, and how far its potential is above the limit.
    Open(BitPosition, f32),
}

/// Looks at positions of one game with one Attacker.
#[derive(Clone, Debug)]
pub(super) struct Eye {
    pub(super) lines: Lines,
    pub(super) p: u32,
    rows: Rows,
    improvements: Improvements,
    potential: Potential,
    matching: Matching,
    /// Attacker's open segments, and Defender's: scratch memory.
    ours: Vec<OpenWindow>,
    theirs: Vec<u64>,
    /// The open segments through each square.
    through: [[u128; 2]; 64],
}

impl Eye {
    pub(super) fn new(
        lines: Lines,
        k: u32,
        stones: [u32; 2],
        rows: Rows,
        improvements: Improvements,
    ) -> Eye {
        let [p, q] = stones;
        Eye {
            lines,
            p,
            rows,
            improvements,
            potential: Potential::new(k, p, q),
            matching: Matching::new(),
            ours: Vec::new(),
            theirs: Vec::new(),
            through: [[0; 2]; 64],
        }
    }

    /// Whether the potential of a position is too small for Attacker.
    pub(super) fn is_light(&self, state: &BitPosition) -> bool {
        let open = self.lines.windows.iter().filter(|w| w.squares & state.defender == 0);
        let empties = open.map(|window| (window.squares & !state.attacker).count_ones());
        let sum: u64 = empties.map(|empties| self.potential.weight(empties)).sum();
        sum < self.potential.limit(state.attacks, state.left.into())
    }

    /// Looks at a position.
    pub(super) fn look(&mut self, state: &BitPosition) -> Seen {
        let left = u32::from(state.left);
        self.open(state);
        let least = |sets: &mut dyn Iterator<Item = u64>| sets.map(u64::count_ones).min();
        let ours = least(&mut self.ours.iter().map(|&(_, empties)| empties));
        let theirs = least(&mut self.theirs.iter().copied());
        if state.attacks {
            match (ours, theirs) {
                (None, _) => return Seen::Decided(false),
                (Some(u), _) if u <= left => return Seen::Decided(true),
                (_, Some(u)) if u <= self.p => {
                    let threats = self.theirs.iter().copied().filter(|e| e.count_ones() <= self.p);
                    if !can_hit(&threats.collect::<Vec<_>>(), left) {
                        return Seen::Decided(false);
                    }
                }
                _ => {}
            }
        } else {
            match (ours, theirs) {
                (None, _) => return Seen::Decided(false),
                (_, Some(u)) if u <= left => return Seen::Decided(false),
                (Some(u), _) if u <= self.p => {
                    let threats =
                        self.ours.iter().map(|o| o.1).filter(|e| e.count_ones() <= self.p);
                    if !can_hit(&threats.collect::<Vec<_>>(), left) {
                        return Seen::Decided(true);
                    }
                }
                _ => {}
            }
        }
        if self.rows == Rows::Attacker && self.improvements.reduction {
            self.reduce(state);
            if self.ours.is_empty() {
                return Seen::Decided(false);
            }
        }
        let sum: u64 = self.ours.iter().map(|o| self.potential.weight(o.1.count_ones())).sum();
        let limit = self.potential.limit(state.attacks, left);
        if self.improvements.potential && sum < limit {
            return Seen::Decided(false);
        }
        Seen::Open(self.reduced(state), sum as f32 / limit as f32)
    }

    /// The number of squares that are missing for a pairing, in the position looked at last; `None`
    /// where pairings do not help.
    pub(super) fn missing(&mut self, state: &BitPosition) -> Option<u32> {
        let answers = self.p == 1 && (!state.attacks || state.left == 1);
        (self.improvements.pairing && answers).then(|| self.matching.search(&self.ours))
    }

    /// The squares worth a stone of the side to move; `state` is reduced.
    pub(super) fn candidates(&mut self, state: &BitPosition) -> u64 {
        self.open(state);
        let is_threat = |empties: &u64| empties.count_ones() <= self.p;
        let forced = match state.attacks {
            true => self.theirs.iter().copied().filter(is_threat).min_by_key(|e| e.count_ones()),
            false => {
                let ours = self.ours.iter().map(|&(_, empties)| empties);
                ours.filter(is_threat).min_by_key(|e| e.count_ones())
            }
        };
        let free = self.lines.board & !(state.attacker | state.defender);
        let mut squares = forced.unwrap_or(free);
        if self.rows == Rows::Attacker && self.improvements.reduction {
            self.count_through();
            for square in Bits(squares) {
                if let Some(empties) = self.first_through(square)
                    && Bits(empties & squares).any(|other| self.prefers(other, square))
                {
                    squares &= !(1 << square);
                }
            }
        }
        squares
    }

    /// Finds the open segments of both sides.
    fn open(&mut self, state: &BitPosition) {
        let (ours, theirs) = (&mut self.ours, &mut self.theirs);
        ours.clear();
        theirs.clear();
        for window in &self.lines.windows {
            if window.squares & state.defender == 0 {
                ours.push((window.line, window.squares & !state.attacker));
            }
            if window.squares & state.attacker == 0 && self.rows == Rows::Both {
                theirs.push(window.squares & !state.defender);
            }
        }
    }

    /// Removes the segments that do not matter in the maker-breaker game.
    fn reduce(&mut self, state: &BitPosition) {
        loop {
            let before = self.ours.len();
            self.drop_wider();
            if self.p == 1 && (!state.attacks || state.left == 1) {
                self.drop_paired();
            }
            if self.ours.len() == before {
                return;
            }
        }
    }

    /// Drops segments with all the empty squares of another one of their line.
    fn drop_wider(&mut self) {
        let mut kept = 0;
        for index in 0..self.ours.len() {
            let (line, empties) = self.ours[index];
            let is_less = |other: &OpenWindow| other.0 == line && other.1 & !empties == 0;
            // Of two with the same squares the first stays.
            let before = self.ours[..kept].iter().rev().take_while(|other| other.0 == line);
            let after = self.ours[index + 1..].iter().take_while(|other| other.0 == line);
            let is_wider = before.clone().any(is_less)
                || after.clone().any(|other| is_less(other) && other.1 != empties);
            if !is_wider {
                self.ours[kept] = self.ours[index];
                kept += 1;
            }
        }
        self.ours.truncate(kept);
    }

    /// Drops segments that are the only ones through two squares.
    fn drop_paired(&mut self) {
        // Squares in open segments of one direction only.
        let mut unions = [0; 4];
        for &(line, empties) in &self.ours {
            unions[self.lines.direction(line)] |= empties;
        }
        let [a, b, c, d] = unions;
        let shared = a & (b | c | d) | b & (c | d) | c & d;
        let mut paired = 0u64;
        for windows in self.ours.chunk_by(|a, b| a.0 == b.0) {
            let mut own = windows.iter().fold(0, |all, window| all | window.1) & !shared;
            while own != 0 {
                let square = own.trailing_zeros();
                let same = windows.iter().fold(own, |same, &(_, empties)| {
                    same & if empties >> square & 1 != 0 { empties } else { !empties }
                });
                if same.count_ones() > 1 {
                    paired |= same;
                }
                own &= !same;
            }
        }
        self.ours.retain(|&(_, empties)| empties & paired == 0);
    }

    fn count_through(&mut self) {
        self.through = [[0; 2]; 64];
        for (index, &(_, empties)) in self.ours.iter().enumerate() {
            for square in Bits(empties) {
                self.through[square as usize][index / 128] |= 1 << (index % 128);
            }
        }
    }

    /// The empty squares of the first open segment through a square.
    fn first_through(&self, square: u32) -> Option<u64> {
        let [low, high] = self.through[square as usize];
        let index = match low {
            0 if high == 0 => return None,
            0 => 128 + high.trailing_zeros(),
            _ => low.trailing_zeros(),
        };
        Some(self.ours[index as usize].1)
    }

    /// Whether all segments through `square` go through `other` as well.
    fn prefers(&self, other: u32, square: u32) -> bool {
        let [a, b] = [square, other].map(|s| self.through[s as usize]);
        other != square && a[0] & !b[0] == 0 && a[1] & !b[1] == 0 && (a != b || other < square)
    }

    /// Walls for all that does not matter, and the least of the symmetric images.
    fn reduced(&self, state: &BitPosition) -> BitPosition {
        let BitPosition { attacker, defender, .. } = *state;
        let mut live = 0;
        match self.rows {
            Rows::Both => {
                for &Window { squares, .. } in &self.lines.windows {
                    if squares & attacker == 0 || squares & defender == 0 {
                        live |= squares;
                    }
                }
            }
            Rows::Attacker => {
                let empties = self.ours.iter().fold(0, |all, o| all | o.1);
                // Attacker's stones in open segments stay; those of dropped ones may.
                for &Window { squares, .. } in &self.lines.windows {
                    if squares & (defender | !(empties | attacker)) == 0 {
                        live |= squares;
                    }
                }
            }
        }
        let walls = self.lines.board & !live;
        let mut sets = [attacker | walls, defender | walls];
        if self.improvements.symmetry {
            sets = self.lines.least(sets);
        }
        BitPosition { attacker: sets[0], defender: sets[1], ..*state }
    }
}

/// Whether this number of stones can take a square of each set.
fn can_hit(sets: &[u64], stones: u32) -> bool {
    let Some(least) = sets.iter().copied().min_by_key(|set| set.count_ones()) else { return true };
    stones > 0
        && Bits(least).any(|square| {
            let rest: Vec<u64> =
                sets.iter().copied().filter(|set| set >> square & 1 == 0).collect();
            can_hit(&rest, stones - 1)
        })
}
