//! The shapes of a position, counted: what the weights are fitted on.

use sixproof_game::{Color, Position};
use sixproof_prover::arena::Arena;
use sixproof_prover::board::Geometry;

use super::line::{LineStones, each_window};
use super::window::Shape;

/// One shape in a position: whose it is, from the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Whether it belongs to the side to move.
    pub own: bool,
    /// The shape, canonical.
    pub shape: Shape,
}

/// The shapes of all windows of a position. None where the board cannot be searched.
pub fn shapes(position: &Position) -> Option<Vec<Sample>> {
    let arena = Arena::new(position)?;
    let k = position.game().k();
    let geometry = Geometry::new(arena.cols, arena.rows, k, arena.ring);
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
        if line.windows != 0 {
            each_window(k, LineStones { squares: line.squares, of }, |color, shape| {
                samples.push(Sample { own: color == mover, shape: shape.canonical(k) });
            });
        }
    }
    Some(samples)
}
