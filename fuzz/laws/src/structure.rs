//! The law of certificates as trees: bytes choose a tiny game, a claim and a proof, and whatever
//! the checker accepts is true.
//!
//! Byte mutants of files are mostly unreadable; these are files that a prover with some mistake
//! could have written. A third are trees made choice by choice, a third are proofs of the oracle's
//! honest provers, and a third those of its liars; then some nodes are changed.

use std::rc::Rc;

use sixproof_oracle::certificate::{Certificate, Node, Reply, Square};
use sixproof_oracle::liars::{Lie, lie};
use sixproof_oracle::mutants::mutant;
use sixproof_oracle::provers::{self, Style, certificate};
use sixproof_oracle::random::Random;
use sixproof_oracle::rules::{Color, Game, Position, Rules, squares};
use sixproof_oracle::solve::Solvers;

use crate::certificate::{agrees_with_the_oracle, with_solver};
use crate::draw::Draw;

/// The most columns and rows of a board,
const SIDE_MAX: i32 = 4;
/// and the most empty squares, with which the truth is known at once.
const EMPTIES_MAX: u32 = 8;
/// The most nodes of a tree that is made choice by choice,
const NODES_MAX: usize = 60;
/// and its greatest depth.
const DEPTH_MAX: usize = 8;

/// The law.
pub fn law(bytes: &[u8]) {
    let certificate = draw_certificate(&mut Draw::new(bytes));
    let bytes = certificate.to_bytes();
    agrees_with_the_oracle(&bytes, &sixproof_check::check_bytes(&bytes));
}

fn draw_certificate(draw: &mut Draw<'_>) -> Certificate {
    let game = draw_game(draw);
    let rules = Rules::new(game);
    let position = draw_position(draw, &rules);
    let mut attacker = draw.pick(&[Color::Black, Color::White]);
    // Most claims are true: false ones are easily refused.
    if !draw.once_in(4) && with_solver(game, |solver| solver.wins(attacker.other(), &position)) {
        attacker = attacker.other();
    }
    let over = [Color::Black, Color::White]
        .into_iter()
        .any(|side| rules.has_line(side, position.stones(side)));
    let kind = draw.below(3);
    let mut random = Random(u64::from(draw.number()));
    let mut drawn = match kind {
        1 if !over => with_solver(game, |solver| {
            let style = Style::random(&mut random);
            provers::prove(solver, attacker, &position, style, &mut random)
        }),
        2 if !over => {
            let kind = draw.pick(&Lie::ALL);
            lie(kind, &mut Solvers::default(), game, attacker, &position, &mut random)
        }
        _ => {
            let mut tree = Tree { draw, rules, attacker, nodes: 0, marks: 0 };
            let root = tree.node(&position, 0);
            certificate(game, attacker, &position, root)
        }
    };
    for _ in 0..draw.below(4) {
        drawn = mutant(&drawn, &mut random);
    }
    drawn
}

fn draw_game(draw: &mut Draw<'_>) -> Game {
    let (cols, rows) = (draw.between(2, SIDE_MAX), draw.between(1, SIDE_MAX));
    let k = draw.between(2, SIDE_MAX).min(cols.max(rows));
    let (p, q) = (draw.between(1, 3), draw.between(1, 3));
    let [cols, rows, k, p, q] = [cols, rows, k, p, q].map(|n| n as usize);
    Game { cols, rows, k, p, q, exact: draw.flag() }
}

fn draw_position(draw: &mut Draw<'_>, rules: &Rules) -> Position {
    let mut position = rules.start();
    // A position with a row proves nothing, so few positions have one.
    let rows_allowed = draw.once_in(16);
    let fits = |position: &Position, side: Color, square: u32| {
        rows_allowed || !rules.has_line(side, position.stones(side) | 1 << square)
    };
    for square in squares(rules.board()) {
        let side = draw.pick(&[None, Some(Color::Black), Some(Color::White), None]);
        if let Some(side) = side.filter(|&side| fits(&position, side, square)) {
            position = position.with(side, 1 << square);
        }
    }
    // A board with too many empty squares for the minimax is filled alternately, which makes few
    // rows.
    while rules.empties(&position).count_ones() > EMPTIES_MAX {
        let square = rules.empties(&position).trailing_zeros();
        let fewer = position.black.count_ones() <= position.white.count_ones();
        let side = if fewer { Color::Black } else { Color::White };
        let side = if fits(&position, side, square) { side } else { side.other() };
        position = position.with(side, 1 << square);
    }
    position.to_move = draw.pick(&[Color::Black, Color::White]);
    let first = position.to_move == Color::Black && position.black | position.white == 0;
    let most = if first { rules.game.q } else { rules.game.p };
    position.left = 1 + draw.below(most);
    position
}

/// A proof that is being made up.
struct Tree<'a, 'b> {
    draw: &'a mut Draw<'b>,
    rules: Rules,
    attacker: Color,
    nodes: usize,
    marks: usize,
}

impl Tree<'_, '_> {
    fn node(&mut self, position: &Position, depth: usize) -> Rc<Node> {
        self.nodes += 1;
        let enough = depth > DEPTH_MAX || self.nodes > NODES_MAX || self.draw.is_empty();
        if !enough && self.draw.once_in(12) {
            self.marks += 1;
            return Rc::new(Node::Keep(self.node(position, depth + 1)));
        }
        if self.marks > 0 && self.draw.once_in(12) {
            return Rc::new(Node::Again(self.draw.below(self.marks + 1)));
        }
        let attacks = (position.to_move == self.attacker) != self.draw.once_in(40);
        let node = match attacks {
            true => {
                let rows = self.rules.completions(self.attacker, position, position.left);
                if enough || !rows.is_empty() && !self.draw.once_in(4) {
                    let all = [rows.as_slice(), &[self.stones(position, 1)]].concat();
                    let row = self.draw.pick(&all);
                    Node::Win(self.names(row))
                } else {
                    let odd = self.draw.once_in(20);
                    let stones = self.stones(position, position.left + usize::from(odd));
                    let next = self.after(position, self.attacker, stones);
                    Node::Attack(self.names(stones), self.node(&next, depth + 1))
                }
            }
            false => Node::Defend(self.threats(position), self.replies(position, depth, enough)),
        };
        Rc::new(node)
    }

    /// All threats, or some that are named.
    fn threats(&mut self, position: &Position) -> Option<Vec<(Square, Square)>> {
        if !self.draw.once_in(3) {
            return None;
        }
        let game = self.rules.game;
        let segments = self.rules.completions(self.attacker, position, game.p).len();
        let count = self.draw.below(segments.min(3) + 1);
        let named = (0..count).map(|_| {
            let (x, y) = (self.draw.below(game.cols) as i64, self.draw.below(game.rows) as i64);
            let (dx, dy) = self.draw.pick(&[(1, 0), (0, 1), (1, 1), (1, -1)]);
            let steps = game.k as i64 - 1;
            let inside = |s: &Square| {
                (0..game.cols as i64).contains(&s.x) && (0..game.rows as i64).contains(&s.y)
            };
            let end = Square { x: x + dx * steps, y: y + dy * steps };
            let start = Square { x, y };
            (start, if inside(&end) { end } else { start })
        });
        Some(named.collect())
    }

    fn replies(&mut self, position: &Position, depth: usize, enough: bool) -> Vec<Reply> {
        let defender = self.attacker.other();
        let empties = squares(self.rules.empties(position));
        // Every single stone has a reply, or there are a few of any size.
        let moves: Vec<u64> = if enough {
            Vec::new()
        } else if self.draw.flag() {
            empties.iter().map(|&s| 1 << s).collect()
        } else {
            (0..self.draw.below(5))
                .map(|_| {
                    let count = self.draw.below(position.left + 2);
                    self.stones(position, count)
                })
                .collect()
        };
        let reply = |stones: u64| {
            let slack = self.draw.once_in(6).then(|| self.draw.below(4));
            let next = self.after(position, defender, stones);
            let child = self.node(&next, depth + 1);
            Reply { squares: self.names(stones), slack, child }
        };
        moves.into_iter().map(reply).collect()
    }

    /// This number of empty squares, or all of them if there are fewer.
    fn stones(&mut self, position: &Position, count: usize) -> u64 {
        let mut empties = squares(self.rules.empties(position));
        let mut stones = 0;
        for _ in 0..count.min(empties.len()) {
            stones |= 1 << empties.swap_remove(self.draw.below(empties.len()));
        }
        stones
    }

    fn after(&self, position: &Position, side: Color, stones: u64) -> Position {
        let mut next = position.with(side, stones);
        (next.to_move, next.left) = (side.other(), self.rules.game.p);
        next
    }

    fn names(&self, stones: u64) -> Vec<Square> {
        provers::names(self.rules.game, stones)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A law about accepted files says nothing if no file is accepted.
    #[test]
    fn many_certificates_are_accepted_and_many_are_not() {
        let mut random = Random(1);
        let mut accepted = 0;
        for _ in 0..1_000 {
            let bytes: Vec<u8> = (0..random.below(200)).map(|_| random.bits() as u8).collect();
            let certificate = draw_certificate(&mut Draw::new(&bytes));
            accepted += usize::from(sixproof_check::check_bytes(&certificate.to_bytes()).is_ok());
        }
        assert!((100..900).contains(&accepted), "{accepted} of 1000");
    }
}
