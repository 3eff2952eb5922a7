//! Attacker's candidate moves, best first: what a search beyond forced replies tries.
//!
//! A square is worth what the windows through it are worth: Attacker's, which a stone there makes
//! stronger, and a little for Defender's, which it kills (the weights of NCTU6, spread
//! over windows). A move of p stones is chosen stone by stone: the best first stones, and
//! for each the best partners *given that stone*, so that stones which work together find each
//! other; no list of all pairs is ever made on a large board.

use crate::board::{Board, Rules, Side, Sq};
use crate::cover::{Threat, each_block};

/// The worth of a window by its number of stones (Attacker's, Defender's). A larger number is worth
/// as much as the last.
const ATTACK: [i32; 6] = [1, 8, 12, 24, 24, 24];
const DEFEND: [i32; 6] = [0, 1, 6, 40, 60, 60];
/// The number of first stones, and of partners for each.
const BREADTH: usize = 14;
/// The number of moves that are kept.
const KEPT_MAX: usize = 1024;
/// The number of moves up to which all of them are candidates, so that the list is complete.
const ALL_MAX: u64 = 400;

/// A candidate and its worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The stones, in ascending order.
    pub squares: Vec<Sq>,
    /// Its worth: more is better.
    pub score: i32,
}

/// The candidates of one position.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    /// Best first.
    pub list: Vec<Candidate>,
    /// Whether these are all moves that do not lose at once.
    pub complete: bool,
}

/// The worth of the squares of a board, up to date with the stones that are tried.
pub struct Worth {
    scores: Vec<i32>,
}

impl Worth {
    /// The worth of all squares.
    pub fn new<R: Rules>(board: &Board<R>) -> Worth {
        let mut worth = Worth { scores: vec![0; board.geometry.area()] };
        for number in 0..board.geometry.lines.len() {
            worth.add_line(board, number, 1);
        }
        worth
    }

    /// Adds what the windows of a line give to its empty squares, `sign` times.
    fn add_line<R: Rules>(&mut self, board: &Board<R>, number: usize, sign: i32) {
        let line = board.line(number);
        if board.geometry.lines[number].windows == 0 {
            return;
        }
        for (side, weights) in [(Side::Attacker, ATTACK), (Side::Defender, DEFEND)] {
            let active = board.active(number, side);
            for count in 0..board.rules.k() {
                let weight = weights[(count as usize).min(weights.len() - 1)];
                let mut windows = active & line.exactly::<R>(side, count);
                while windows != 0 && weight != 0 {
                    let window = windows & windows.wrapping_neg();
                    windows &= windows - 1;
                    let positions = board.span(window) & !line.taken();
                    for square in board.geometry.lines[number].squares_at(positions) {
                        self.scores[usize::from(square)] += sign * weight;
                    }
                }
            }
        }
    }

    fn lines_through<R: Rules>(&mut self, board: &Board<R>, square: Sq, sign: i32) {
        for number in board.geometry.crossings[usize::from(square)].line {
            self.add_line(board, usize::from(number), sign);
        }
    }

    /// Puts an Attacker stone on the board.
    fn place<R: Rules>(&mut self, board: &mut Board<R>, square: Sq) {
        self.lines_through(board, square, -1);
        board.place(Side::Attacker, square);
        self.lines_through(board, square, 1);
    }

    /// Takes it back.
    fn remove<R: Rules>(&mut self, board: &mut Board<R>, square: Sq) {
        self.lines_through(board, square, -1);
        board.remove(Side::Attacker, square);
        self.lines_through(board, square, 1);
    }

    /// The worth of some squares together.
    pub fn of(&self, squares: &[Sq]) -> i32 {
        squares.iter().map(|&square| self.scores[usize::from(square)]).sum()
    }

    /// The best empty squares with their worth.
    pub fn best<R: Rules>(&self, board: &Board<R>, count: usize) -> Vec<(i32, Sq)> {
        let mut best: Vec<(i32, Sq)> = board
            .empty_squares()
            .map(|square| (-self.scores[usize::from(square)], square))
            .collect();
        if best.len() > count {
            best.select_nth_unstable(count);
            best.truncate(count);
        }
        best.sort_unstable();
        best.into_iter().map(|(score, square)| (-score, square)).collect()
    }
}

/// The moves of `stones` stones that block all of `counter`, Defender's threats. The squares of
/// `first` are tried as first stones, however little they are worth.
pub fn candidates<R: Rules>(
    board: &mut Board<R>,
    stones: u32,
    counter: &[Threat],
    first: &[Sq],
) -> Candidates {
    let stones = stones.min(board.empty_count()) as usize;
    let mut worth = Worth::new(board);
    let complete = all_moves_listed(board, stones as u32);
    let breadth = if complete { usize::MAX } else { BREADTH };
    let mut beam: Vec<Candidate> = Vec::new();
    if counter.is_empty() {
        beam.push(Candidate { squares: Vec::new(), score: 0 });
    } else {
        each_block(counter, stones as u32, &mut Vec::new(), &mut |block| {
            let mut squares = block.to_vec();
            squares.sort_unstable();
            beam.push(Candidate { squares, score: 0 });
        });
        settle(&mut beam, usize::MAX);
    }
    let mut done = Vec::new();
    while !beam.is_empty() {
        let mut next = Vec::new();
        for candidate in beam {
            if candidate.squares.len() == stones {
                done.push(candidate);
                continue;
            }
            for &square in &candidate.squares {
                worth.place(board, square);
            }
            let mut best = worth.best(board, breadth);
            if candidate.squares.is_empty() {
                for &square in first {
                    if best.iter().all(|&(_, known)| known != square) {
                        best.push((worth.scores[usize::from(square)], square));
                    }
                }
            }
            for (score, square) in best {
                let mut squares = candidate.squares.clone();
                squares.push(square);
                squares.sort_unstable();
                next.push(Candidate { squares, score: candidate.score + score });
            }
            for &square in candidate.squares.iter().rev() {
                worth.remove(board, square);
            }
        }
        settle(&mut next, if complete { usize::MAX } else { KEPT_MAX });
        beam = next;
    }
    settle(&mut done, if complete { usize::MAX } else { KEPT_MAX });
    Candidates { list: done, complete }
}

/// Whether a position has so few moves that all of them are candidates.
pub(crate) fn all_moves_listed<R: Rules>(board: &Board<R>, stones: u32) -> bool {
    binomial(u64::from(board.empty_count()), u64::from(stones)) <= ALL_MAX
}

/// Sorts, and keeps the best of each set of squares.
pub(crate) fn settle(list: &mut Vec<Candidate>, kept: usize) {
    list.sort_unstable_by(|a, b| a.squares.cmp(&b.squares).then(b.score.cmp(&a.score)));
    list.dedup_by(|later, earlier| later.squares == earlier.squares);
    list.sort_unstable_by(|a, b| b.score.cmp(&a.score).then(a.squares.cmp(&b.squares)));
    list.truncate(kept);
}

/// The number of sets of `k` among `n`, limited.
fn binomial(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |product: u64, i| {
        if product > 1 << 32 { product } else { product * n.saturating_sub(i) / (i + 1) }
    })
}
