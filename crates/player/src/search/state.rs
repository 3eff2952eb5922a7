//! A position during the search: seen by either colour as Attacker, and evaluated.

use sixproof_game::{Color, Position};
use sixproof_prover::arena::Arena;
use sixproof_prover::board::{Board, Rules, Side, Sq};
use sixproof_prover::cover::Threat;

use crate::eval::{Evaluation, Ruler, Weights};

/// A colour as an index.
pub(crate) fn index(color: Color) -> usize {
    match color {
        Color::Black => 0,
        Color::White => 1,
    }
}

/// Stones on the board, for both sides' threat searches and for the evaluation.
pub(crate) struct SearchState<R> {
    /// The board on which each colour is Attacker.
    pub(crate) boards: [Board<R>; 2],
    pub(crate) evaluation: Evaluation,
}

impl<R: Rules> SearchState<R> {
    /// The stones of a position.
    pub(crate) fn new(
        position: &Position,
        arena: &Arena,
        rules: R,
        weights: Weights,
    ) -> SearchState<R> {
        let board = arena.board(rules);
        let ruler = Ruler { k: rules.k(), p: rules.p(), exact: rules.exact() };
        let evaluation = Evaluation::new(weights, &board.geometry, ruler);
        let mut state = SearchState { boards: [board.clone(), board], evaluation };
        for (square, color) in position.stones() {
            if let Some(square) = arena.index(square) {
                state.place(index(color), square);
            }
        }
        state
    }

    /// Puts a stone of a colour on an empty square.
    pub(crate) fn place(&mut self, color: usize, square: Sq) {
        self.change(color, square, |board, side| board.place(side, square));
    }

    /// Takes a stone of a colour back.
    pub(crate) fn remove(&mut self, color: usize, square: Sq) {
        self.change(color, square, |board, side| board.remove(side, square));
    }

    fn change(&mut self, color: usize, square: Sq, change: impl Fn(&mut Board<R>, Side)) {
        let [first, second] = &mut self.boards;
        let lines = first.geometry.crossings[usize::from(square)].line;
        let before = lines.map(|number| first.line(usize::from(number)).of);
        let [one, other] = [Side::Attacker, Side::Defender];
        change(first, if color == 0 { one } else { other });
        change(second, if color == 1 { one } else { other });
        for (number, before) in lines.into_iter().zip(before) {
            let number = usize::from(number);
            let after = first.line(number).of;
            self.evaluation.change(&first.geometry.lines[number], before, after);
        }
    }

    /// Puts all stones of a move.
    pub(crate) fn play(&mut self, color: usize, squares: &[Sq]) {
        for &square in squares {
            self.place(color, square);
        }
    }

    /// Takes a move back.
    pub(crate) fn take_back(&mut self, color: usize, squares: &[Sq]) {
        for &square in squares {
            self.remove(color, square);
        }
    }

    /// Collects the ways in which a colour completes a segment with one move.
    pub(crate) fn threats(&self, color: usize, threats: &mut Vec<Threat>) {
        self.boards[color].threats(Side::Attacker, threats);
    }

    /// A number that tells positions with this colour to move apart.
    pub(crate) fn key(&self, color: usize) -> u64 {
        self.boards[0].key() ^ if color == 0 { 0 } else { 0x9d39_247e_3377_6d41 }
    }
}
