//! Threat moves: what Attacker can play so that every defence is forced.
//!
//! A window with k - p - 1 of Attacker's stones becomes a threat by one more (its empty squares are
//! *gain squares*), one with k - p - 2 by two more, and so on. For one and two stones a move the
//! generator reads gain squares and pairs from the busy lines, with an estimate of the number of
//! threats that is exact but for crossings; the search counts exactly when it plays a candidate
//! ([`crate::cover`]). Three and more stones are built window by window.

use crate::board::{Bits, Board, Line, Rules, Side, Sq};
use crate::cover::{Defences, Threat, defences, each_block};

/// The most candidates of three and more stones that are built, and the most sets of stones tried
/// for that.
const BUILT_MAX: usize = 512;
const BUILD_STEPS_MAX: u32 = 2_000;
/// The number of partners tried for a stone that makes a double threat alone.
const PARTNERS_MAX: usize = 6;
/// Added to the score of a candidate that seems to make more threats than can be blocked.
pub(crate) const WINNING: i32 = 4096;

/// What is known of an empty square in busy lines.
#[derive(Clone, Copy, Default)]
struct Spot {
    square: Sq,
    /// The worth of the windows through it.
    potential: i32,
    /// The number of threats that a stone here makes alone.
    threats: i32,
    /// The squares that block all of them, if one square does.
    commons: [Sq; 4],
    common_count: usize,
}

/// What is known of an empty position on a line.
#[derive(Clone, Copy)]
struct LineSpot {
    position: u8,
    potential: u8,
    /// The number of threats on the line that a stone here makes.
    threats: u8,
    /// The positions that block them, if they are one threat.
    commons: u64,
}

/// What the stones of a line say about threats on it. Few lines differ between positions that a
/// search visits one after the other, so a survey is kept until another pushes it out.
#[derive(Clone)]
struct LineSurvey {
    /// The stones that it describes.
    stones: [u64; 2],
    /// Active windows that need one stone to be threats, and those that need two.
    near: u64,
    far: u64,
    worth: i32,
    spots: Vec<LineSpot>,
    /// Pairs of positions that make two threats on this line.
    doubles: Vec<[u8; 2]>,
}

impl Default for LineSurvey {
    /// A survey of no real line: every position has a stone of both sides.
    fn default() -> LineSurvey {
        LineSurvey {
            stones: [u64::MAX; 2],
            near: 0,
            far: 0,
            worth: 0,
            spots: Vec::new(),
            doubles: Vec::new(),
        }
    }
}

/// The number of surveys kept for each line.
const WAYS: usize = 4;

/// Scratch space of the generators; one lives as long as a search.
#[derive(Default)]
pub struct Generator {
    surveys: Vec<[LineSurvey; WAYS]>,
    /// The slot of each line that the next survey replaces.
    oldest: Vec<u8>,
    spots: Vec<Spot>,
    /// Index into `spots` for each square; valid where the stamp is the current one.
    spot_of: Vec<(u32, u16)>,
    stamp: u32,
    /// Pairs that make two threats on one line.
    doubles: Vec<[u16; 2]>,
    gains: Vec<u16>,
    /// Defender's threats, all of which a move must block.
    pub counter: Vec<Threat>,
    threats: Vec<Threat>,
    reply: Vec<Sq>,
    partners: Vec<(i32, Sq)>,
    built: Vec<Vec<Sq>>,
    build_steps: u32,
    /// The worth of the windows left in the position last generated for.
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

    /// Finds the spots of all busy lines, and the pairs that make two threats on one line.
    fn survey<R: Rules>(&mut self, board: &Board<R>) {
        self.spots.clear();
        self.doubles.clear();
        self.gains.clear();
        if self.surveys.len() < board.geometry.lines.len() {
            self.spot_of.resize(board.geometry.area(), (0, 0));
            self.surveys.resize(board.geometry.lines.len(), Default::default());
            self.oldest.resize(board.geometry.lines.len(), 0);
        }
        self.stamp += 1;
        self.worth = 0;
        let Generator { surveys, oldest, spots, spot_of, doubles, worth, stamp, .. } = self;
        board.each_busy(Side::Attacker, |number| {
            let stones = board.line(number).of;
            let ways = &mut surveys[number];
            let way = match ways.iter().position(|survey| survey.stones == stones) {
                Some(way) => way,
                None => {
                    let way = usize::from(oldest[number]);
                    oldest[number] = (oldest[number] + 1) % WAYS as u8;
                    ways[way].renew(board, number);
                    way
                }
            };
            let survey = &ways[way];
            if survey.spots.is_empty() {
                return;
            }
            *worth += survey.worth;
            let line = &board.geometry.lines[number];
            for found in &survey.spots {
                let square = line.square(u32::from(found.position));
                let entry = &mut spot_of[usize::from(square)];
                if entry.0 != *stamp {
                    *entry = (*stamp, spots.len() as u16);
                    spots.push(Spot { square, ..Spot::default() });
                }
                let spot = &mut spots[usize::from(entry.1)];
                spot.potential += i32::from(found.potential);
                if found.threats > 0 {
                    spot.add_threats(found, line);
                }
            }
            for pair in &survey.doubles {
                let spots =
                    pair.map(|position| spot_of[usize::from(line.square(u32::from(position)))].1);
                doubles.push(spots);
            }
        });
        for (index, spot) in self.spots.iter().enumerate() {
            if spot.threats > 0 {
                self.gains.push(index as u16);
            }
        }
    }

    fn single_stones<R: Rules>(&mut self, board: &Board<R>, emit: &mut impl FnMut(&[Sq], i32)) {
        self.survey(board);
        for &gain in &self.gains {
            let spot = &self.spots[usize::from(gain)];
            if self.counter.iter().all(|threat| threat.is_hit_by(&[spot.square])) {
                let bonus = if spot.threats > 1 { WINNING } else { 0 };
                emit(&[spot.square], spot.potential + bonus);
            }
        }
    }

    fn pairs<R: Rules>(&mut self, board: &Board<R>, emit: &mut impl FnMut(&[Sq], i32)) {
        self.survey(board);
        let counter = &self.counter;
        let mut offer = |a: &Spot, b: &Spot, threats: i32| {
            let squares =
                if a.square < b.square { [a.square, b.square] } else { [b.square, a.square] };
            if counter.is_empty() || counter.iter().all(|threat| threat.is_hit_by(&squares)) {
                let bonus = if threats > 2 { WINNING } else { 0 };
                emit(&squares, a.potential + b.potential + bonus);
            }
        };
        for pair in &self.doubles {
            let [a, b] = pair.map(|spot| &self.spots[usize::from(spot)]);
            offer(a, b, 2.max(a.threats + b.threats));
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
            // One threat by itself, and another together with a stone on another line.
            let crossing = &board.geometry.crossings[usize::from(a.square)];
            for direction in 0..4 {
                let number = usize::from(crossing.line[direction]);
                let stones = board.line(number).of;
                let Some(survey) = self.surveys[number].iter().find(|s| s.stones == stones) else {
                    continue;
                };
                let windows = survey.far & crossing.windows[direction];
                if windows == 0 {
                    continue;
                }
                let own = 1 << crossing.position[direction];
                let partners = board.span(windows) & !board.line(number).taken() & !own;
                for square in board.geometry.lines[number].squares_at(partners) {
                    let b = &self.spots[usize::from(self.spot_of[usize::from(square)].1)];
                    if b.threats == 0 || a.threats + b.threats <= 2 && share_common(a, b) {
                        offer(a, b, a.threats + 1);
                    }
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
        let mut partners = std::mem::take(&mut self.partners);
        partners.clear();
        if self.counter.is_empty() {
            partners.extend(self.spots.iter().map(|spot| (-spot.potential, spot.square)));
            if partners.len() > PARTNERS_MAX {
                partners.select_nth_unstable(PARTNERS_MAX);
                partners.truncate(PARTNERS_MAX);
            }
            partners.sort_unstable();
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
        self.partners = partners;
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
        self.survey(board);
        self.built.clear();
        self.build_steps = 0;
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
            let Some(count) = k.checked_sub(p + need) else { continue };
            let mut windows = Vec::new();
            board.each_busy(Side::Attacker, |number| {
                let near = board.line(number).exactly::<R>(Side::Attacker, count);
                let near = near & board.active(number, Side::Attacker);
                windows.extend(Bits(near).map(|start| (number, start)));
            });
            for (number, start) in windows {
                let free = (((1u64 << k) - 1) << start) & !board.line(number).taken();
                let line = board.geometry.lines[number];
                let squares: Vec<Sq> = Bits(free).map(|i| line.square(i)).collect();
                self.choose(board, chosen, &squares, need);
                if self.is_built() {
                    return;
                }
            }
        }
    }

    /// Whether enough candidates are built, or enough sets tried.
    fn is_built(&self) -> bool {
        self.built.len() >= BUILT_MAX || self.build_steps >= BUILD_STEPS_MAX
    }

    /// Adds `need` of `squares` in every way, and continues with the next window.
    fn choose<R: Rules>(
        &mut self,
        board: &mut Board<R>,
        chosen: &mut Vec<Sq>,
        squares: &[Sq],
        need: u32,
    ) {
        if self.is_built() {
            return;
        }
        if need == 0 {
            self.build_steps += 1;
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

impl Spot {
    /// Adds what a stone here makes on one line. Threats on two lines through a square have no
    /// square in common but that one.
    #[inline]
    fn add_threats(&mut self, found: &LineSpot, line: &Line) {
        self.common_count = 0;
        if self.threats == 0 {
            for (common, square) in self.commons.iter_mut().zip(line.squares_at(found.commons)) {
                *common = square;
                self.common_count += 1;
            }
        }
        self.threats += i32::from(found.threats);
    }
}

impl LineSurvey {
    /// Surveys the line as it stands on the board.
    fn renew<R: Rules>(&mut self, board: &Board<R>, number: usize) {
        let line = board.line(number);
        let (k, free) = (board.rules.k(), !line.taken());
        self.stones = line.of;
        self.spots.clear();
        self.doubles.clear();
        let active = board.active(number, Side::Attacker);
        let need_one = board.rules.k().checked_sub(board.rules.p() + 1);
        let need_two = need_one.and_then(|need| need.checked_sub(1));
        let windows = |count: Option<u32>| {
            count.map_or(0, |count| active & line.exactly::<R>(Side::Attacker, count))
        };
        self.near = windows(need_one);
        self.far = if board.rules.p() == 1 { 0 } else { windows(need_two) };
        let (near, far) = (self.near, self.far);
        self.worth = 4 * near.count_ones() as i32 + far.count_ones() as i32;
        let around = |position: u8| (((1u64 << k) - 1) << position) >> (k - 1);
        for position in Bits(board.span(near | far) & free) {
            let position = position as u8;
            let windows = around(position);
            let (new, old) = (near & windows, far & windows);
            let commons = if new == 0 { 0 } else { common(new, k) & free & !(1 << position) };
            self.spots.push(LineSpot {
                position,
                potential: (4 * new.count_ones() + old.count_ones()) as u8,
                threats: match (new, commons) {
                    (0, _) => 0,
                    (_, 0) => 2,
                    _ => 1,
                },
                commons,
            });
        }
        if board.rules.p() != 2 {
            return;
        }
        for (index, first) in self.spots.iter().enumerate() {
            for second in &self.spots[index + 1..] {
                if u32::from(second.position - first.position) >= k {
                    break;
                }
                let (a, b) = (around(first.position), around(second.position));
                let together = far & a & b;
                if together == 0 && (near & a == 0 || near & b == 0) {
                    continue;
                }
                let stones = 1u64 << first.position | 1 << second.position;
                if common(together | near & (a | b), k) & free & !stones == 0 {
                    self.doubles.push([first.position, second.position]);
                }
            }
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
    for square in &a.commons[..a.common_count] {
        for other in &b.commons[..b.common_count] {
            if square == other {
                return true;
            }
        }
    }
    false
}
