//! Threats with one stone a move (Allis, sections 3.1 and 4): fives, straight fours, fours and
//! threes, each with its gain square, cost squares and rest squares. For another k than 5 the names
//! stay: a four lacks one stone, a three two.

use super::board::{Board, Cell};
use super::listing::ThreatKind;

/// A threat that Attacker can make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Threat {
    pub(super) kind: ThreatKind,
    /// The square that Attacker plays.
    pub(super) gain: Cell,
    /// What Defender plays in reply, all at once.
    pub(super) cost: Vec<Cell>,
}

/// A straight four in the making: Attacker plays `gain` and can complete two segments, at either
/// end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Straight {
    pub(super) gain: Cell,
    pub(super) ends: [Cell; 2],
    /// The two segments.
    pub(super) lines: [usize; 2],
}

impl Straight {
    pub(super) fn cells(self) -> [Cell; 3] {
        [self.gain, self.ends[0], self.ends[1]]
    }
}

/// The threats whose rest squares include all of `on` (all threats of the board if `on` is empty).
/// Where there is a five, the list has only fives; else, where there is a straight four, only
/// straight fours: nothing else matters.
pub(super) fn threats(board: &Board, on: &[Cell], threes: bool) -> Vec<Threat> {
    let lines = lines_with(board, on);
    let fives = fives(board, &lines);
    if !fives.is_empty() {
        return fives;
    }
    let straight = straight_fours(board, on);
    if !straight.is_empty() {
        return straight;
    }
    let mut found = fours(board, &lines);
    if threes {
        let four_gains: Vec<(Cell, usize)> = lines
            .iter()
            .filter(|&&l| board.open(l) == 2)
            .flat_map(|&l| board.empties(l).into_iter().map(move |c| (c, l)))
            .map(|(c, l)| (c, board.lines[l].direction))
            .collect();
        found.extend(three_threats(board, on, &four_gains));
    }
    found
}

/// The segments with at most two empty squares that are Attacker's and hold all these squares.
fn lines_with(board: &Board, on: &[Cell]) -> Vec<usize> {
    match on.first() {
        None => board.own_lines(2).collect(),
        Some(&first) => board
            .through(first)
            .filter(|&l| board.open(l) <= 2 && board.is_active(l))
            .filter(|&l| on.iter().all(|c| board.lines[l].cells.contains(c)))
            .collect(),
    }
}

fn push_new(found: &mut Vec<Threat>, threat: Threat) {
    if !found.contains(&threat) {
        found.push(threat);
    }
}

fn fives(board: &Board, lines: &[usize]) -> Vec<Threat> {
    let mut found = Vec::new();
    for &line in lines.iter().filter(|&&l| board.open(l) == 1) {
        let gain = board.empties(line)[0];
        push_new(&mut found, Threat { kind: ThreatKind::Five, gain, cost: Vec::new() });
    }
    found
}

/// Each of the two empty squares may be the gain, the other is the cost.
fn fours(board: &Board, lines: &[usize]) -> Vec<Threat> {
    let mut found = Vec::new();
    for &line in lines.iter().filter(|&&l| board.open(l) == 2) {
        let empties = board.empties(line);
        for (gain, cost) in [(empties[1], empties[0]), (empties[0], empties[1])] {
            push_new(&mut found, Threat { kind: ThreatKind::Four, gain, cost: vec![cost] });
        }
    }
    found
}

/// The table of the paper names one of the two ends as the cost: the one next to the gain square.
fn straight_fours(board: &Board, on: &[Cell]) -> Vec<Threat> {
    let mut found: Vec<Threat> = Vec::new();
    for window in windows(board, on, 1) {
        let Some(&gain) = window.inner.first() else { continue };
        let cells = &board.lines[window.lines[0]].cells;
        let first_half =
            cells.iter().position(|&c| c == gain).is_some_and(|i| 2 * i <= cells.len());
        let cost = vec![window.ends[usize::from(!first_half)]];
        if found.iter().all(|t| t.gain != gain) {
            found.push(Threat { kind: ThreatKind::StraightFour, gain, cost });
        }
    }
    found
}

/// Threes: against one window three squares defend, against two that share the stones only those
/// that defend in both (diagrams 1c to 1e). A gain square that makes a four in the same direction
/// is left out: the four is the stronger threat.
fn three_threats(board: &Board, on: &[Cell], four_gains: &[(Cell, usize)]) -> Vec<Threat> {
    let mut found: Vec<(Vec<Cell>, Threat)> = Vec::new();
    for window in windows(board, on, 2) {
        let direction = board.lines[window.lines[0]].direction;
        let stones = window.stones(board);
        let [a, b] = [window.inner[0], window.inner[1]];
        for (gain, other) in [(b, a), (a, b)] {
            if four_gains.contains(&(gain, direction)) {
                continue;
            }
            let mut cost = vec![other, window.ends[0], window.ends[1]];
            cost.sort_unstable();
            let same = |(s, t): &&mut (Vec<Cell>, Threat)| *s == stones && t.gain == gain;
            match found.iter_mut().find(same) {
                Some((_, threat)) => threat.cost.retain(|c| cost.contains(c)),
                None => {
                    found.push((stones.clone(), Threat { kind: ThreatKind::Three, gain, cost }))
                }
            }
        }
    }
    found.into_iter().map(|(_, threat)| threat).collect()
}

/// Two segments one step apart, both Attacker's: k - 1 squares in common and two ends.
struct Window {
    lines: [usize; 2],
    ends: [Cell; 2],
    /// The empty squares between the ends.
    inner: Vec<Cell>,
}

impl Window {
    fn stones(&self, board: &Board) -> Vec<Cell> {
        board.attackers_in(self.lines[0])
    }
}

/// The windows with empty ends, this number of empty squares between them, and these stones.
fn windows(board: &Board, on: &[Cell], inner: u32) -> Vec<Window> {
    let from_line = |line: usize| {
        if board.open(line) != inner + 1 || !board.is_active(line) {
            return None;
        }
        let next = board.lines[line].next?;
        let ends = [board.lines[line].cells[0], *board.lines[next].cells.last()?];
        let cells = &board.lines[line].cells;
        let fits = board.is_active(next)
            && ends.iter().all(|&c| board.is_empty(c))
            && on.iter().all(|c| cells[1..].contains(c));
        let inner = board.empties(line).split_off(1);
        fits.then_some(Window { lines: [line, next], ends, inner })
    };
    match on.first() {
        None => board.own_lines(inner + 1).filter_map(from_line).collect(),
        Some(&first) => board.through(first).filter_map(from_line).collect(),
    }
}

/// The straight fours that Attacker could make now.
pub(super) fn straight_options(board: &Board) -> Vec<Straight> {
    windows(board, &[], 1)
        .into_iter()
        .map(|w| Straight { gain: w.inner[0], ends: w.ends, lines: w.lines })
        .collect()
}
