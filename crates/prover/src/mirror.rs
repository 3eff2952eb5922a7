//! The symmetries of a search board.

use crate::board::{Board, Rules, Sq};

/// Mirrors a square: bit 0 left and right, bit 1 top and bottom, bit 2 at the diagonal.
fn image<R: Rules>(board: &Board<R>, square: Sq, symmetry: u8) -> Sq {
    let (cols, rows) = (board.geometry.cols as Sq, board.geometry.rows as Sq);
    let (mut x, mut y) = (square % cols, square / cols);
    if symmetry & 1 != 0 {
        x = cols - 1 - x;
    }
    if symmetry & 2 != 0 {
        y = rows - 1 - y;
    }
    if symmetry & 4 != 0 {
        (x, y) = (y, x);
    }
    y * cols + x
}

/// Where the position is its own image, keeps one of each set of moves that are images of each
/// other: the first.
pub(crate) fn drop_images<R: Rules>(board: &Board<R>, moves: &mut Vec<Vec<Sq>>) {
    let count = if board.geometry.cols == board.geometry.rows { 8 } else { 4 };
    let own: Vec<u8> = (1..count)
        .filter(|&symmetry| {
            (0..board.geometry.area() as Sq)
                .all(|s| board.side_at(s) == board.side_at(image(board, s, symmetry)))
        })
        .collect();
    if own.is_empty() {
        return;
    }
    let mut kept = std::collections::BTreeSet::new();
    moves.retain(|squares| {
        let known = own.iter().any(|&symmetry| {
            let mut images: Vec<Sq> = squares.iter().map(|&s| image(board, s, symmetry)).collect();
            images.sort_unstable();
            kept.contains(&images)
        });
        if !known {
            kept.insert(squares.clone());
        }
        !known
    });
}
