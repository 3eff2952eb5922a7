//! Threat moves: what Attacker can play so that every defence is forced.
//!
//! A window with k - p - 1 of Attacker's stones becomes a threat by one more (its empty squares are
//! *gain squares*), one with k - p - 2 by two more, and so on. For one and two stones a move the
//! generator reads gain squares and pairs from the busy lines, with an estimate of the number of
//! threats that is exact but for crossings; whoever plays a candidate counts exactly
//! ([`crate::cover`]). Three and more stones are built window by window.

use crate::board::{Board, Rules, Side, Sq};
use crate::cover::{Defences, Threat, defences, each_block};

/// Candidates of three and more stones that are built at most.
const BUILT_MAX: usize = 512;
/// Partners tried for a stone that makes a double threat alone.
const PARTNERS_MAX: usize = 6;
/// Added to the score of a candidate that seems to make more threats than can be blocked.
pub(crate) const WINNING: i32 = 4096;

/// What is known of an empty square in a busy line.
#[derive(Clone, Copy, Default)]
struct Spot {
    square: Sq,
    /// Worth of the windows through it.
    potential: i32,
    /// Threats made by a stone here alone.
    threats: i32,
    /// The squares that block them all, if one does.
    commons: [Sq; 4],
    common_count: usize,
}

/// Two squares of one line.
#[derive(Clone, Copy)]
struct LinePair {
    spots: [u16; 2],
    /// Threats on the line beyond what the two stones make alone.
    extra: i32,
}

/// Scratch space of the generators; one lives as long as a search.
#[derive(Default)]
pub struct Generator {
    spots: Vec<Spot>,
    /// Index into `spots` for each square; valid where the stamp is the current one.
    spot_of: Vec<(u32, u16)>,
    stamp: u32,
    pairs: Vec<LinePair>,
    gains: Vec<u16>,
    /// Defender's threats, all of which a move must block.
    pub counter: Vec<Threat>,
    threats: Vec<Threat>,
    reply: Vec<Sq>,
    built: Vec<Vec<Sq>>,
    /// Worth of the windows left in the position last generated for.
    pub worth: i32,
}

impl Generator {
    /// Calls `emit` with candidate moves of p stones and their scores: moves that may leave
    /// Defender only forced replies. Squares come in ascending order for p <= 2.
    pub fn forcing<R: Rules>(&mut self, board: &Board<R>, mut emit: impl FnMut(&[Sq], i32)) {
        let mut counter = std::mem::take(&mut self.counter);
        board.threats(Side::Defender, &mut counter);
        self.counter = counter;
        match board.rules.p() {
            1 => self.single_stones(board, &mut emit),
            2 => self.pairs(board, &mut emit),
            _ => self.build(board, &mut emit),
        }
    }

    /// Finds the spots of all busy lines, and their pairs if `with_pairs`.
    fn survey<R: Rules>(&mut self, board: &Board<R>, with_pairs: bool) {
        self.spots.clear();
        self.pairs.clear();
        self.gains.clear();
        self.spot_of.resize(board.geometry.area(), (0, 0));
        self.stamp += 1;
        self.worth = 0;
        let need_one = (board.rules.k() - board.rules.p()).wrapping_sub(1);
        board.each_busy(Side::Attacker, |number| {
            let line = board.line(number);
            let near = line.exactly::<R>(Side::Attacker, need_one);
            let far = match with_pairs && need_one >= 1 {
                true => line.exactly::<R>(Side::Attacker, need_one - 1),
                false => 0,
            };
            if near | far == 0 {
                return;
            }
            let active = board.active(number, Side::Attacker);
            let (near, far) = (near & active, far & active);
            if near | far != 0 {
                self.survey_line(board, number, near, far);
            }
        });
        for (index, spot) in self.spots.iter().enumerate() {
            if spot.threats > 0 {
                self.gains.push(index as u16);
            }
        }
    }

    fn survey_line<R: Rules>(&mut self, board: &Board<R>, number: usize, near: u64, far: u64) {
        let k = board.rules.k();
        let free = !board.line(number).taken();
        let geometry = &board.geometry.lines[number];
        self.worth += 4 * near.count_ones() as i32 + far.count_ones() as i32;
        let around = |position: u32| (((1u64 << k) - 1) << position) >> (k - 1);
        let mut found = [(0u32, 0u16, 0u64, 0i32); 64];
        let mut found_count = 0;
        let mut positions = board.span(near | far) & free;
        while positions != 0 {
            let position = positions.trailing_zeros();
            positions &= positions - 1;
            let windows = around(position);
            let index = self.spot(geometry.square(position));
            let spot = &mut self.spots[usize::from(index)];
            let (new, old) = (near & windows, far & windows);
            spot.potential += 4 * new.count_ones() as i32 + old.count_ones() as i32;
            let mut threats = 0;
            if new != 0 {
                let common = common(new, k) & free & !(1 << position);
                threats = if common == 0 { 2 } else { 1 };
                let mut commons = common;
                spot.common_count = 0;
                while commons != 0 && spot.threats == 0 && spot.common_count < 4 {
                    spot.commons[spot.common_count] = geometry.square(commons.trailing_zeros());
                    spot.common_count += 1;
                    commons &= commons - 1;
                }
                spot.threats += threats;
            }
            found[found_count] = (position, index, windows, threats);
            found_count += 1;
        }
        if far == 0 && near.count_ones() < 2 {
            return;
        }
        for i in 0..found_count {
            let (first, first_spot, first_windows, first_threats) = found[i];
            for &(second, second_spot, second_windows, second_threats) in &found[i + 1..found_count]
            {
                if second - first >= k {
                    break;
                }
                let both = first_windows & second_windows;
                let windows = far & both | near & (first_windows | second_windows);
                if far & both == 0 && (first_threats == 0 || second_threats == 0) {
                    continue;
                }
                let common = common(windows, k) & free & !(1 << first) & !(1 << second);
                let threats = if common == 0 { 2 } else { 1 };
                self.pairs.push(LinePair {
                    spots: [first_spot, second_spot],
                    extra: threats - first_threats - second_threats,
                });
            }
        }
    }

    /// The index of a square's spot, made if need be.
    #[inline]
    fn spot(&mut self, square: Sq) -> u16 {
        let entry = &mut self.spot_of[usize::from(square)];
        if entry.0 != self.stamp {
            *entry = (self.stamp, self.spots.len() as u16);
            self.spots.push(Spot { square, ..Spot::default() });
        }
        entry.1
    }

    fn single_stones<R: Rules>(&mut self, board: &Board<R>, emit: &mut impl FnMut(&[Sq], i32)) {
        self.survey(board, false);
        for &gain in &self.gains {
            let spot = &self.spots[usize::from(gain)];
            if self.counter.iter().all(|threat| threat.is_hit_by(&[spot.square])) {
                let bonus = if spot.threats > 1 { WINNING } else { 0 };
                emit(&[spot.square], spot.potential + bonus);
            }
        }
    }

    fn pairs<R: Rules>(&mut self, board: &Board<R>, emit: &mut impl FnMut(&[Sq], i32)) {
        self.survey(board, true);
        let counter = &self.counter;
        let mut offer = |a: &Spot, b: &Spot, threats: i32| {
            let squares =
                if a.square < b.square { [a.square, b.square] } else { [b.square, a.square] };
            if counter.is_empty() || counter.iter().all(|threat| threat.is_hit_by(&squares)) {
                let bonus = if threats > 2 { WINNING } else { 0 };
                emit(&squares, a.potential + b.potential + bonus);
            }
        };
        for pair in &self.pairs {
            let [a, b] = pair.spots.map(|spot| &self.spots[usize::from(spot)]);
            let threats = a.threats + b.threats + pair.extra;
            if threats >= 2 {
                offer(a, b, threats);
            }
        }
        for (index, &first) in self.gains.iter().enumerate() {
            let a = &self.spots[usize::from(first)];
            for &second in &self.gains[index + 1..] {
                let b = &self.spots[usize::from(second)];
                let threats = a.threats + b.threats;
                if threats > 2 || !share_common(a, b) {
                    offer(a, b, threats);
                }
            }
        }
        let alone = self.gains.iter().any(|&gain| self.spots[usize::from(gain)].threats >= 2);
        if alone || !self.counter.is_empty() {
            self.with_free_stone(board, emit);
        }
    }

    /// A stone that makes a double threat alone leaves the other free: to block Defender's threats,
    /// or to build.
    fn with_free_stone<R: Rules>(&mut self, board: &Board<R>, emit: &mut impl FnMut(&[Sq], i32)) {
        let mut partners: Vec<(i32, Sq)> = Vec::new();
        if self.counter.is_empty() {
            partners.extend(self.spots.iter().map(|spot| (-spot.potential, spot.square)));
            partners.sort_unstable();
            partners.truncate(PARTNERS_MAX);
            if let Some(any) = board.empty_squares().find(|_| partners.len() < 2) {
                partners.push((0, any));
            }
        } else {
            for threat in &self.counter {
                for &square in threat.empties() {
                    if partners.iter().all(|partner| partner.1 != square) {
                        partners.push((0, square));
                    }
                }
            }
        }
        for &gain in &self.gains {
            let spot = &self.spots[usize::from(gain)];
            for &(worth, partner) in &partners {
                let squares = if spot.square < partner {
                    [spot.square, partner]
                } else {
                    [partner, spot.square]
                };
                let useful = spot.threats >= 2 || !self.counter.is_empty();
                let blocks = self.counter.iter().all(|threat| threat.is_hit_by(&squares));
                if spot.square != partner && useful && blocks {
                    emit(&squares, spot.potential - worth);
                }
            }
        }
        if self.counter.is_empty() {
            return;
        }
        // Both stones are blocks; that they threaten as well is luck, and is counted when played.
        let counter = std::mem::take(&mut self.counter);
        each_block(&counter, 2, &mut Vec::new(), &mut |block| {
            if let &[a, b] = block {
                emit(&if a < b { [a, b] } else { [b, a] }, 0);
            }
        });
        self.counter = counter;
    }

    /// Moves of three and more stones: fills one window after the other until the threats cannot
    /// be met with stones to spare.
    fn build<R: Rules>(&mut self, board: &Board<R>, emit: &mut impl FnMut(&[Sq], i32)) {
        self.survey(board, false);
        self.built.clear();
        let mut scratch = board.clone();
        let mut chosen = Vec::new();
        if !self.counter.is_empty() {
            let counter = std::mem::take(&mut self.counter);
            let mut blocks: Vec<Vec<Sq>> = Vec::new();
            each_block(&counter, board.rules.p(), &mut Vec::new(), &mut |block| {
                blocks.push(block.to_vec());
            });
            self.counter = counter;
            for block in blocks {
                scratch.place_all(Side::Attacker, &block);
                chosen.clone_from(&block);
                self.fill(&mut scratch, &mut chosen);
                scratch.remove_all(Side::Attacker, &block);
            }
        } else {
            self.fill(&mut scratch, &mut chosen);
        }
        let p = board.rules.p() as usize;
        let empty_count = board.empty_count() as usize;
        for index in 0..self.built.len() {
            let mut squares = self.built[index].clone();
            let more = board.empty_squares().filter(|square| !squares.contains(square));
            let more: Vec<Sq> = more.take(p.min(empty_count) - squares.len()).collect();
            squares.extend(more);
            squares.sort_unstable();
            emit(&squares, -(index as i32));
        }
    }

    fn fill<R: Rules>(&mut self, board: &mut Board<R>, chosen: &mut Vec<Sq>) {
        let (k, p) = (board.rules.k(), board.rules.p());
        board.threats(Side::Attacker, &mut self.threats);
        let threats = std::mem::take(&mut self.threats);
        let enough = !matches!(defences(&threats, p, &mut self.reply), Defences::Free(_));
        self.threats = threats;
        if enough {
            let mut squares = chosen.clone();
            squares.sort_unstable();
            squares.dedup();
            if !self.built.contains(&squares) {
                self.built.push(squares);
            }
            return;
        }
        let left = p as usize - chosen.len();
        for need in 1..=left as u32 {
            let Some(count) = (k - p).checked_sub(need) else { continue };
            let mut windows = Vec::new();
            board.each_busy(Side::Attacker, |number| {
                let near = board.line(number).exactly::<R>(Side::Attacker, count);
                let mut near = near & board.active(number, Side::Attacker);
                while near != 0 {
                    windows.push((number, near.trailing_zeros()));
                    near &= near - 1;
                }
            });
            for (number, start) in windows {
                let free = (((1u64 << k) - 1) << start) & !board.line(number).taken();
                let line = board.geometry.lines[number];
                let squares: Vec<Sq> =
                    (0..64).filter(|i| free >> i & 1 == 1).map(|i| line.square(i)).collect();
                self.choose(board, chosen, &squares, need);
                if self.built.len() >= BUILT_MAX {
                    return;
                }
            }
        }
    }

    /// Adds `need` of `squares` in every way, and goes on filling.
    fn choose<R: Rules>(
        &mut self,
        board: &mut Board<R>,
        chosen: &mut Vec<Sq>,
        squares: &[Sq],
        need: u32,
    ) {
        if self.built.len() >= BUILT_MAX {
            return;
        }
        if need == 0 {
            return self.fill(board, chosen);
        }
        for (index, &square) in squares.iter().enumerate() {
            board.place(Side::Attacker, square);
            chosen.push(square);
            self.choose(board, chosen, &squares[index + 1..], need - 1);
            chosen.pop();
            board.remove(Side::Attacker, square);
        }
    }
}

/// The positions common to all windows of a set.
#[inline(always)]
fn common(windows: u64, k: u32) -> u64 {
    let (first, last) = (windows.trailing_zeros(), 63 - windows.leading_zeros());
    match (first + k).checked_sub(last) {
        Some(width) if width > 0 => ((1u64 << width) - 1) << last,
        _ => 0,
    }
}

/// Whether one square blocks what both make.
#[inline]
fn share_common(a: &Spot, b: &Spot) -> bool {
    let b = &b.commons[..b.common_count];
    a.commons[..a.common_count].iter().any(|square| b.contains(square))
}
