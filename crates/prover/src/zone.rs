//! Segment zones: what a proof depends on (docs/certificate.md, Zones).
//!
//! A zone is a set A of squares and sets S1, S2, … of segments; a set of Defender stones is clear
//! of it when it avoids A and has fewer than i stones in every segment of Si. Both are words here:
//! A by rows, each Si by lines of the board, a window being named by its first square. The sets are
//! kept cumulative (S1 ⊆ S2 ⊆ …).
//!
//! Only the first few levels ever matter in practice: a strategy of order N leaves Defender N - 1
//! stones of slack along a line of play, so a zone keeps about N levels. Where a shift asks for a
//! level that was not kept, every segment is taken to be in it.

use crate::arena::Arena;
use crate::board::{Bits, Board, Rules, Side, Sq};
use crate::cover::Threat;
use crate::vcdt::Forced;

/// A segment zone on the board of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone {
    /// A, row by row.
    squares: Vec<u64>,
    /// S1, S2, …: windows line by line, one level after the other.
    levels: Vec<Vec<u64>>,
    /// All windows.
    windows: std::sync::Arc<[u64]>,
}

impl Zone {
    /// The empty zone with this number of levels.
    pub fn new<R: Rules>(board: &Board<R>, levels: usize) -> Zone {
        let lines = board.geometry.lines.len();
        Zone {
            squares: vec![0; board.geometry.rows as usize],
            levels: vec![vec![0; lines]; levels],
            windows: board.windows(),
        }
    }

    /// The part on the board of a search of a zone that the checker reported.
    pub fn of_checker<R: Rules>(
        board: &Board<R>,
        levels: usize,
        arena: &Arena,
        reported: &sixproof_certificate::Zone,
    ) -> Zone {
        let mut zone = Zone::new(board, levels);
        let squares = reported.squares().iter().filter_map(|&square| arena.index(square));
        zone.add_squares(board, &squares.collect::<Vec<Sq>>());
        let reach = board.rules.k() - 1;
        for (number, line) in board.geometry.lines.iter().enumerate() {
            for position in Bits(line.windows) {
                let [start, end] =
                    [position, position + reach].map(|at| arena.square(line.square(at)));
                let least = reported.level_between(start, end).unwrap_or(u32::MAX);
                let kept = zone.levels.iter_mut().skip((least.max(1) - 1) as usize);
                kept.for_each(|level| level[number] |= 1 << position);
            }
        }
        zone
    }

    /// The zone as words, to be stored or sent.
    pub fn words(&self) -> Vec<u64> {
        self.squares.iter().chain(self.levels.iter().flatten()).copied().collect()
    }

    /// The zone that words stand for, if their number fits the board and all in them is on it.
    pub fn from_words<R: Rules>(board: &Board<R>, levels: usize, words: &[u64]) -> Option<Zone> {
        let mut zone = Zone::new(board, levels);
        let mut rest = words;
        for part in std::iter::once(&mut zone.squares).chain(&mut zone.levels) {
            let (own, more) = rest.split_at_checked(part.len())?;
            part.copy_from_slice(own);
            rest = more;
        }
        let rows = zone.squares.iter().zip(&board.geometry.lines);
        let is_on_board = rows.into_iter().all(|(squares, row)| squares & !row.squares == 0)
            && zone.levels.iter().all(|level| {
                level.iter().zip(&*zone.windows).all(|(own, windows)| own & !windows == 0)
            });
        (rest.is_empty() && is_on_board).then_some(zone)
    }

    /// The bytes that the zone takes in memory; the list of all windows is shared.
    pub fn bytes(&self) -> usize {
        let levels: usize = self.levels.iter().map(|level| size_of_val(&level[..])).sum();
        size_of::<Zone>()
            + size_of_val(&self.squares[..])
            + self.levels.capacity() * size_of::<Vec<u64>>()
            + levels
    }

    /// Adds squares to A.
    pub fn add_squares<R: Rules>(&mut self, board: &Board<R>, squares: &[Sq]) {
        for &square in squares {
            let crossing = &board.geometry.crossings[usize::from(square)];
            self.squares[usize::from(crossing.line[0])] |= 1 << crossing.position[0];
        }
    }

    /// The zone of a position in which Attacker wins now by taking `empties`: every
    /// Defender-active segment clear of them is in S(u(G)).
    pub fn add_win<R: Rules>(&mut self, board: &Board<R>, empties: &Threat) {
        self.add_squares(board, empties.empties());
        self.add_segments(board, std::slice::from_ref(empties), 0);
    }

    /// What a Defender node adds for the threats that it relies on, with `stones` to place: their
    /// squares to A, and every dangerous segment G to S(u(G) - stones).
    pub fn add_threats<R: Rules>(&mut self, board: &Board<R>, threats: &[Threat], stones: u32) {
        if threats.is_empty() {
            return;
        }
        for threat in threats {
            self.add_squares(board, threat.empties());
        }
        self.add_segments(board, threats, stones);
    }

    fn add_segments<R: Rules>(&mut self, board: &Board<R>, threats: &[Threat], stones: u32) {
        let harmless = harmless(board, threats);
        for number in 0..board.lines().len() {
            self.add_line(board, number, &harmless, stones);
        }
    }

    /// Adds the dangerous segments of one line.
    fn add_line<R: Rules>(
        &mut self,
        board: &Board<R>,
        number: usize,
        harmless: &[(usize, u64)],
        stones: u32,
    ) {
        let k = board.rules.k();
        let least = k.saturating_sub(stones + self.levels.len() as u32);
        if board.count(number, Side::Defender) < least {
            return;
        }
        let line = board.line(number);
        let mut active = board.active(number, Side::Defender);
        if let Some(&(_, windows)) = harmless.iter().find(|entry| entry.0 == number) {
            active &= !windows;
        }
        if active == 0 {
            return;
        }
        for (index, level) in self.levels.iter_mut().enumerate() {
            let count = k.saturating_sub(stones + index as u32 + 1);
            level[number] |= active & line.at_least::<R>(Side::Defender, count);
        }
    }

    /// The zone of a forced win, made of the levels of an empty zone. Leaves the board as it was.
    pub fn of_path<R: Rules>(
        mut self: Box<Zone>,
        board: &mut Board<R>,
        path: &[Forced],
        threats: &mut Vec<Threat>,
    ) -> Box<Zone> {
        let p = board.rules.p();
        let mut before: Vec<(usize, u64)> = Vec::new();
        for (index, forced) in path.iter().enumerate() {
            board.place_all(Side::Attacker, &forced.attack);
            board.threats_through(Side::Attacker, &forced.attack, threats);
            self.add_squares(board, &forced.attack);
            for threat in threats.iter() {
                self.add_squares(board, threat.empties());
            }
            let harmless = harmless(board, threats);
            if index == 0 {
                for number in 0..board.lines().len() {
                    self.add_line(board, number, &harmless, p);
                }
            } else {
                // Only where Defender got stones since, or where segments were harmless before,
                // can a segment be dangerous that was not.
                for &square in &path[index - 1].reply {
                    for number in board.geometry.crossings[usize::from(square)].line {
                        self.add_line(board, usize::from(number), &harmless, p);
                    }
                }
                for &(number, _) in &before {
                    self.add_line(board, number, &harmless, p);
                }
            }
            before = harmless;
            board.place_all(Side::Defender, &forced.reply);
        }
        for forced in path.iter().rev() {
            board.remove_all(Side::Defender, &forced.reply);
            board.remove_all(Side::Attacker, &forced.attack);
        }
        self
    }

    /// Adds the zone of a reply with `slack`: its zone shifted by that number of stones.
    pub fn unite(&mut self, other: &Zone, slack: usize) {
        for (mine, theirs) in self.squares.iter_mut().zip(&other.squares) {
            *mine |= theirs;
        }
        for (index, level) in self.levels.iter_mut().enumerate() {
            match other.levels.get(index + slack) {
                Some(theirs) => {
                    for (mine, theirs) in level.iter_mut().zip(theirs) {
                        *mine |= theirs;
                    }
                }
                // The zone does not keep this level: any segment could be in it.
                None => level.copy_from_slice(&self.windows),
            }
        }
    }

    /// Whether a square is in A.
    pub fn has_square<R: Rules>(&self, board: &Board<R>, square: Sq) -> bool {
        let crossing = &board.geometry.crossings[usize::from(square)];
        self.squares[usize::from(crossing.line[0])] >> crossing.position[0] & 1 == 1
    }

    /// Whether a single Defender stone there is clear of the zone.
    pub fn is_clear<R: Rules>(&self, board: &Board<R>, square: Sq) -> bool {
        !self.has_square(board, square) && !self.touches(board, square, 1)
    }

    /// Whether a square is in a segment of S(level).
    fn touches<R: Rules>(&self, board: &Board<R>, square: Sq, level: usize) -> bool {
        let Some(level) = self.levels.get(level - 1) else { return false };
        let crossing = &board.geometry.crossings[usize::from(square)];
        (0..4).any(|d| level[usize::from(crossing.line[d])] & crossing.windows[d] != 0)
    }

    /// Whether a set of Defender stones is clear of the zone.
    pub fn is_set_clear<R: Rules>(&self, board: &Board<R>, set: &[Sq]) -> bool {
        set.iter().all(|&square| self.is_clear(board, square))
            && self
                .levels
                .iter()
                .enumerate()
                .skip(1)
                .take(set.len().saturating_sub(1))
                .all(|(index, level)| !some_window_holds(board, level, set, index + 1))
    }

    /// The squares of A and of the segments in S(level): Z_level of the papers, as rows.
    pub fn shadow<R: Rules>(&self, board: &Board<R>, level: usize) -> Vec<u64> {
        let mut rows = self.squares.clone();
        let Some(level) = level.checked_sub(1).and_then(|index| self.levels.get(index)) else {
            return rows;
        };
        for (number, &windows) in level.iter().enumerate() {
            if windows == 0 {
                continue;
            }
            let line = &board.geometry.lines[number];
            if number < rows.len() {
                rows[number] |= board.span(windows);
                continue;
            }
            for square in line.squares_at(board.span(windows)) {
                let crossing = &board.geometry.crossings[usize::from(square)];
                rows[usize::from(crossing.line[0])] |= 1 << crossing.position[0];
            }
        }
        rows
    }

    /// The empty squares of [`Zone::shadow`].
    pub fn empty_shadow<R: Rules>(&self, board: &Board<R>, level: usize) -> Vec<Sq> {
        let mut squares = Vec::new();
        for (y, row) in self.shadow(board, level).into_iter().enumerate() {
            squares.extend(board.geometry.lines[y].squares_at(row & !board.line(y).taken()));
        }
        squares
    }

    /// The segments of S(level) through a square, as squares sharing one with it.
    pub fn partners<R: Rules>(&self, board: &Board<R>, square: Sq, level: usize) -> Vec<Sq> {
        let mut squares = Vec::new();
        let Some(level) = self.levels.get(level - 1) else { return squares };
        let crossing = &board.geometry.crossings[usize::from(square)];
        for d in 0..4 {
            let number = usize::from(crossing.line[d]);
            let windows = level[number] & crossing.windows[d];
            let own = 1u64 << crossing.position[d];
            let positions = board.span(windows) & !board.line(number).taken() & !own;
            squares.extend(board.geometry.lines[number].squares_at(positions));
        }
        squares
    }

    /// The number of squares from which a single Defender stone could disturb the proof.
    pub fn size<R: Rules>(&self, board: &Board<R>) -> u32 {
        self.shadow(board, 1).iter().map(|row| row.count_ones()).sum()
    }
}

/// Whether some window of `level` holds `count` squares of `set`.
fn some_window_holds<R: Rules>(board: &Board<R>, level: &[u64], set: &[Sq], count: usize) -> bool {
    set.iter().any(|&square| {
        let crossing = &board.geometry.crossings[usize::from(square)];
        (0..4).any(|d| {
            let number = usize::from(crossing.line[d]);
            let mut windows = level[number] & crossing.windows[d];
            while windows != 0 {
                let bit = windows & windows.wrapping_neg();
                let inside = set.iter().filter(|&&other| {
                    let other = &board.geometry.crossings[usize::from(other)];
                    usize::from(other.line[d]) == number && other.windows[d] & bit != 0
                });
                if inside.count() >= count {
                    return true;
                }
                windows &= windows - 1;
            }
            false
        })
    })
}

/// The windows that meet the empty squares of *every* threat: completing such a segment blocks
/// them all, so it is not dangerous.
fn harmless<R: Rules>(board: &Board<R>, threats: &[Threat]) -> Vec<(usize, u64)> {
    let Some((first, rest)) = threats.split_first() else { return Vec::new() };
    let mut harmless: Vec<(usize, u64)> = Vec::new();
    for &square in first.empties() {
        let crossing = &board.geometry.crossings[usize::from(square)];
        for d in 0..4 {
            let number = usize::from(crossing.line[d]);
            match harmless.iter_mut().find(|entry| entry.0 == number) {
                Some(entry) => entry.1 |= crossing.windows[d],
                None => harmless.push((number, crossing.windows[d])),
            }
        }
    }
    for threat in rest {
        for (number, windows) in &mut harmless {
            let meeting = threat.empties().iter().fold(0, |meeting, &square| {
                let crossing = &board.geometry.crossings[usize::from(square)];
                (0..4)
                    .filter(|&d| usize::from(crossing.line[d]) == *number)
                    .fold(meeting, |meeting, d| meeting | crossing.windows[d])
            });
            *windows &= meeting;
        }
        harmless.retain(|entry| entry.1 != 0);
    }
    harmless
}
