//! The checker's results, in the types of the rest of the system.

use sixproof_game::{Color, Square};

/// A square of the checker as one of ours.
pub fn square(square: sixproof_check::Square) -> Square {
    Square::new(square.x, square.y)
}

/// A side of the checker as one of ours.
pub fn color(color: sixproof_check::Color) -> Color {
    match color {
        sixproof_check::Color::Black => Color::Black,
        sixproof_check::Color::White => Color::White,
    }
}
