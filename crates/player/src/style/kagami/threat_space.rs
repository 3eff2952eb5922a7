//! Conservative threat-space search (Liu, chapter 4).
//!
//! Attacker plays moves that make as many threats as Defender has stones, and Defender answers with
//! all defensive squares at once (algorithm 2). Threats are counted line by line with a sliding
//! window (algorithm 3), defensive squares are those that windows mark which slide in both
//! directions (algorithm 4). Of these the inner ones, within or next to the attacking stones, are
//! always taken; the outer ones only where two or more attacking stones are on the other lines.
//!
//! This is a rule of thumb, as the thesis says: squares that block are left out now and then, and
//! one that blocks on two lines counts for both. What is found here is played, but claimed only
//! with a certificate of the prover.

use sixproof_prover::board::{Bits, Board, General, Rules, Side, Sq};
use sixproof_prover::cover::Threat;
use sixproof_prover::moves::Generator;

use super::super::allowance::Allowance;

/// The most moves of Attacker in a row.
const DEPTH_MAX: u32 = 16;
/// The most moves with enough threats that are tried in one position.
const BREADTH_MAX: usize = 64;

/// The number of positions that are remembered: a power of two.
const SEEN: usize = 1 << 12;

/// The search; Attacker of the board is to move, with a whole move.
#[derive(Default)]
pub(super) struct ThreatSpace {
    generator: Generator,
    /// Whether the depth ended a line.
    cut: bool,
    /// The positions searched without success, with the search and the depth that was left there.
    seen: Vec<(u64, u64, u32)>,
    searches: u64,
    /// The number of positions so far, in all searches.
    pub(super) nodes: u64,
}

impl ThreatSpace {
    /// The first move of a win, if one is found in `nodes_max` positions: short ones first. Leaves
    /// the board as it was.
    pub(super) fn search(
        &mut self,
        board: &mut Board<General>,
        nodes_max: u64,
        allowance: &mut Allowance,
    ) -> Option<Vec<Sq>> {
        let until = self.nodes + nodes_max;
        (1..=DEPTH_MAX).find_map(|depth| {
            let cut = std::mem::replace(&mut self.cut, false);
            self.searches += 1;
            // A deeper search helps only where the depth ended a line.
            if depth > 1 && !cut { None } else { self.win(board, until, depth, allowance) }
        })
    }

    fn win(
        &mut self,
        board: &mut Board<General>,
        until: u64,
        depth: u32,
        allowance: &mut Allowance,
    ) -> Option<Vec<Sq>> {
        let p = board.rules.p();
        if depth == 0 {
            self.cut = true;
            return None;
        }
        if self.nodes >= until || board.empty_count() < p || allowance.is_over() {
            return None;
        }
        if !self.is_new(board.key(), depth) {
            return None;
        }
        self.nodes += 1;
        allowance.nodes += 1;
        let mut threats: Vec<Threat> = Vec::new();
        board.threats(Side::Defender, &mut threats);
        if !threats.is_empty() {
            return None;
        }
        board.threats(Side::Attacker, &mut threats);
        if let Some(threat) = threats.first() {
            return Some(threat.empties().to_vec());
        }
        let mut moves: Vec<(i32, Vec<Sq>)> = Vec::new();
        self.generator.forcing(board, |squares, score| moves.push((-score, squares.to_vec())));
        moves.sort();
        let mut doubles: Vec<(Vec<Sq>, Vec<Sq>)> = Vec::new();
        for (_, attack) in moves {
            board.place_all(Side::Attacker, &attack);
            let (count, reply) = answered(board, &attack);
            board.remove_all(Side::Attacker, &attack);
            if count > p {
                return Some(attack);
            }
            if count == p && doubles.len() < BREADTH_MAX {
                doubles.push((attack, reply));
            }
        }
        for (attack, reply) in doubles {
            board.place_all(Side::Attacker, &attack);
            board.place_all(Side::Defender, &reply);
            let won = self.win(board, until, depth - 1, allowance).is_some();
            board.remove_all(Side::Defender, &reply);
            board.remove_all(Side::Attacker, &attack);
            if won {
                return Some(attack);
            }
        }
        None
    }
}

impl ThreatSpace {
    /// Whether a position comes up for the first time in this search. Forgetting some is harmless.
    fn is_new(&mut self, key: u64, depth: u32) -> bool {
        self.seen.resize(SEEN, (0, 0, 0));
        let entry = &mut self.seen[key as usize & (SEEN - 1)];
        std::mem::replace(entry, (key, self.searches, depth)) != (key, self.searches, depth)
    }
}

/// The threats on the lines through new stones of Attacker, counted line by line, and Defender's
/// conservative defence.
fn answered(board: &Board<General>, attack: &[Sq]) -> (u32, Vec<Sq>) {
    let mut lines: Vec<(usize, usize)> = Vec::new();
    for &square in attack {
        let crossing = &board.geometry.crossings[usize::from(square)];
        lines.extend((0..4).map(|direction| (usize::from(crossing.line[direction]), direction)));
    }
    lines.sort_unstable();
    lines.dedup();
    let (mut count, mut reply) = (0, Vec::new());
    for (number, direction) in lines {
        let found = Slide::of(board, number);
        count += found.count;
        for position in Bits(found.defensive()) {
            let square = board.geometry.lines[number].square(position);
            let needed =
                found.inner >> position & 1 == 1 || stones_across(board, square, direction) >= 2;
            if needed && !reply.contains(&square) {
                reply.push(square);
            }
        }
    }
    (count, reply)
}

/// Attacker's stones on the other lines through a square, as far as they have influence on it.
fn stones_across(board: &Board<General>, square: Sq, direction: usize) -> u32 {
    let crossing = &board.geometry.crossings[usize::from(square)];
    let k = board.rules.k() as i32;
    let mut count = 0;
    for other in (0..4).filter(|&other| other != direction) {
        let number = usize::from(crossing.line[other]);
        let squares = board.geometry.lines[number].squares;
        let [attacker, defender] = board.line(number).of;
        for step in [-1, 1] {
            for n in 1..k {
                let at = i32::from(crossing.position[other]) + step * n;
                let bit = if (0..64).contains(&at) { 1u64 << at } else { 0 };
                if squares & !defender & bit == 0 {
                    break;
                }
                count += u32::from(attacker & bit != 0);
            }
        }
    }
    count
}

/// The marks of windows that slide along a line.
struct Slide {
    /// Threats (algorithm 3).
    count: u32,
    /// The squares marked from left to right, and from right to left.
    marked: [u64; 2],
    /// Squares within the attacking stones of a marked window, or next to them.
    inner: u64,
}

impl Slide {
    fn of(board: &Board<General>, number: usize) -> Slide {
        let (k, p) = (board.rules.k(), board.rules.p());
        let line = board.line(number);
        let threats = line.at_least::<General>(Side::Attacker, k.saturating_sub(p))
            & board.active(number, Side::Attacker);
        let mut slide = Slide { count: 0, marked: [0; 2], inner: 0 };
        let width = (1u64 << k) - 1;
        let own = line.of[Side::Attacker as usize];
        for (pass, marked) in slide.marked.iter_mut().enumerate() {
            let mut windows = threats;
            while windows != 0 {
                let start = match pass {
                    0 => windows.trailing_zeros(),
                    _ => 63 - windows.leading_zeros(),
                };
                windows &= !(1 << start);
                let window = width << start;
                let empties = window & !line.taken();
                if empties & *marked != 0 {
                    continue;
                }
                *marked |= empties;
                slide.count += u32::from(pass == 0);
                let stones = window & own;
                if stones != 0 {
                    let (low, high) = (stones.trailing_zeros(), 63 - stones.leading_zeros());
                    // From the square before the first stone to the one after the last.
                    let span = u64::MAX >> (63 - high) & u64::MAX << low;
                    slide.inner |= empties & (span | span << 1 | span >> 1);
                }
            }
        }
        slide
    }

    /// The squares marked in both directions (algorithm 4).
    fn defensive(&self) -> u64 {
        match self.marked[0] & self.marked[1] {
            0 => self.marked[0],
            both => both,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sixproof_game::Game;

    /// Threats, defensive and inner squares of a row with `X` of Attacker and `O` of Defender.
    fn slide(stones: &str) -> (u32, String) {
        let mut board = Board::new(General::new(Game::CONNECT6), stones.len() as u32, 7);
        for (x, stone) in stones.chars().enumerate() {
            match stone {
                'X' => board.place(Side::Attacker, x as Sq),
                'O' => board.place(Side::Defender, x as Sq),
                _ => {}
            }
        }
        let slide = Slide::of(&board, 0);
        let mark = |(x, stone): (usize, char)| match stone {
            '.' if slide.defensive() >> x & 1 == 0 => '.',
            '.' if slide.inner >> x & 1 == 1 => 'i',
            '.' => 'o',
            stone => stone,
        };
        (slide.count, stones.chars().enumerate().map(mark).collect())
    }

    #[test]
    fn windows_count_threats_and_mark_defences() {
        for (stones, count, marked) in [
            // Figures 4.2 and 4.4: a live four has two threats and four defences.
            ("....XXXX....", 2, "..oiXXXXio.."),
            ("...OXXXX....", 1, "...OXXXXio.."),
            // Figures 4.6 and 4.7: the square between the two sides' stones is of no use; the
            // windows overlook that the square two steps away would do as well.
            ("..O.XXXX....", 1, "..O.XXXXi..."),
            ("..O.XXXXO...", 0, "..O.XXXXO..."),
            // Figure 4.5: a live five has its two ends.
            ("....XXXXX...", 2, "...iXXXXXi.."),
            ("....XX.XX...", 1, "....XXiXX..."),
            ("............", 0, "............"),
        ] {
            let found = slide(stones);
            assert_eq!((found.0, found.1.as_str()), (count, marked), "{stones}");
        }
    }
}
