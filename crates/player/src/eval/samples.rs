//! The patterns of a position: what the weights are fitted on.

use sixproof_game::{Color, Position};
use sixproof_prover::arena::Arena;
use sixproof_prover::board::Geometry;

use super::line::LineStones;
use super::pattern::{Pattern, Ruler};

/// One pattern in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Whether it belongs to the side to move.
    pub own: bool,
    /// The pattern.
    pub pattern: Pattern,
}

/// The patterns of a position; `None` where the board cannot be searched.
pub fn samples(position: &Position) -> Option<Vec<Sample>> {
    let arena = Arena::new(position)?;
    let game = position.game();
    let ruler = Ruler { k: game.k(), p: game.p(), exact: game.exact() };
    let geometry = Geometry::new(arena.cols, arena.rows, game.k(), arena.ring);
    let mover = usize::from(position.to_move() == Color::White);
    let mut lines = vec![[0u64; 2]; geometry.lines.len()];
    for (square, color) in position.stones() {
        let crossing = &geometry.crossings[usize::from(arena.index(square)?)];
        for direction in 0..4 {
            let line = &mut lines[usize::from(crossing.line[direction])];
            line[usize::from(color == Color::White)] |= 1 << crossing.position[direction];
        }
    }
    let mut samples = Vec::new();
    for (line, of) in geometry.lines.iter().zip(lines) {
        let stones = LineStones { squares: line.squares, windows: line.windows, of };
        stones.patterns(ruler, |color, pattern| {
            samples.push(Sample { own: color == mover, pattern });
        });
    }
    Some(samples)
}
