//! The squares of a board by value, kept up to date as stones come and go.
//!
//! A stone is worth what it adds to its side's live and dead threats on the four lines through the
//! square, and what it takes from the other side's. Lines are few and come again and again in a
//! search, so a table keeps the values of a line; a stone changes four of them.

use std::rc::Rc;

use sixproof_game::repeatable::mix;
use sixproof_prover::board::{Bits, Board, General, Rules, Side, Sq};

use super::line::worth as line_worth;
use crate::eval::{Ruler, Weights};

/// The number of lines that are remembered: a power of two.
const TABLE_LINES: usize = 1 << 14;
/// What breaking a pattern is worth to the other side, in percent of its worth to its owner.
/// NCTU6's own figures for that (live-3 20 against 600) are for the order of moves within a threat
/// search, where the other side is not supposed to move freely.
const BROKEN_PERCENT: i32 = 150;

/// What is known of a line.
struct LineValues {
    /// The windows and stones that it belongs to.
    key: (u64, [u64; 2]),
    /// Its worth to either side.
    worth: [i32; 2],
    /// The value of a stone of either side at each position.
    gains: Vec<[i32; 2]>,
}

/// A board and the values of its squares.
pub(crate) struct Values {
    /// The stones. Only [`Values::place`] and [`Values::remove`] may change them.
    pub(crate) board: Board<General>,
    ruler: Ruler,
    weights: Weights,
    lines: Vec<Rc<LineValues>>,
    table: Vec<Option<Rc<LineValues>>>,
    /// The value of a stone of either side, by square.
    scores: Vec<[i32; 2]>,
    worth: [i32; 2],
}

impl Values {
    /// The values of a board.
    pub(crate) fn new(board: Board<General>) -> Values {
        let rules = board.rules;
        let nothing = Rc::new(LineValues { key: (0, [0; 2]), worth: [0; 2], gains: Vec::new() });
        let mut values = Values {
            ruler: Ruler { k: rules.k(), p: rules.p(), exact: rules.exact() },
            weights: Weights::rule_of_thumb(rules.p()),
            lines: vec![nothing; board.geometry.lines.len()],
            table: vec![None; TABLE_LINES],
            scores: vec![[0; 2]; board.geometry.area()],
            worth: [0; 2],
            board,
        };
        for number in 0..values.lines.len() {
            values.renew(number);
        }
        values
    }

    /// Puts a stone on an empty square.
    pub(crate) fn place(&mut self, side: Side, square: Sq) {
        self.board.place(side, square);
        self.renew_through(square);
    }

    /// Takes a stone back.
    pub(crate) fn remove(&mut self, side: Side, square: Sq) {
        self.board.remove(side, square);
        self.renew_through(square);
    }

    /// The value of a stone of `side` on an empty square.
    pub(crate) fn of(&self, side: Side, square: Sq) -> i32 {
        self.scores[usize::from(square)][side as usize]
    }

    /// The worth of the lines to `side`, less their worth to the other.
    pub(crate) fn balance(&self, side: Side) -> i32 {
        self.worth[side as usize] - self.worth[side.other() as usize]
    }

    fn renew_through(&mut self, square: Sq) {
        for number in self.board.geometry.crossings[usize::from(square)].line {
            self.renew(usize::from(number));
        }
    }

    /// Replaces the former worth of a line by its worth now.
    fn renew(&mut self, number: usize) {
        if self.board.geometry.lines[number].windows == 0 {
            return;
        }
        let now = self.line(number);
        let before = std::mem::replace(&mut self.lines[number], now.clone());
        for side in 0..2 {
            self.worth[side] += now.worth[side] - before.worth[side];
        }
        let line = &self.board.geometry.lines[number];
        for (position, now) in now.gains.iter().enumerate() {
            if line.squares >> position & 1 == 0 {
                continue;
            }
            let before = before.gains.get(position).copied().unwrap_or_default();
            let scores = &mut self.scores[usize::from(line.square(position as u32))];
            for side in 0..2 {
                scores[side] += now[side] - before[side];
            }
        }
    }

    fn line(&mut self, number: usize) -> Rc<LineValues> {
        let line = &self.board.geometry.lines[number];
        let key = (line.windows, self.board.line(number).of);
        let mut seed = key.0 ^ key.1[0].rotate_left(21) ^ key.1[1].rotate_left(42);
        let slot = mix(&mut seed) as usize & (TABLE_LINES - 1);
        if let Some(known) = self.table[slot].as_ref().filter(|known| known.key == key) {
            return known.clone();
        }
        let made = Rc::new(LineValues::new(self.ruler, &self.weights, key, line.squares));
        self.table[slot] = Some(made.clone());
        made
    }
}

impl LineValues {
    /// The values of a line.
    fn new(ruler: Ruler, weights: &Weights, key: (u64, [u64; 2]), squares: u64) -> LineValues {
        let (windows, of) = key;
        let worth =
            |side: usize, of: [u64; 2]| line_worth(ruler, weights, windows, of[side], of[1 - side]);
        let before = [worth(0, of), worth(1, of)];
        let mut gains = vec![[0; 2]; 64 - squares.leading_zeros() as usize];
        for position in Bits(squares & !of[0] & !of[1]) {
            let position = position as usize;
            for side in 0..2 {
                let mut after = of;
                after[side] |= 1 << position;
                let made = worth(side, after) - before[side];
                let broken = before[1 - side] - worth(1 - side, after);
                gains[position][side] = made + broken * BROKEN_PERCENT / 100;
            }
        }
        LineValues { key, worth: before, gains }
    }
}
