//! The symmetries of a board whose squares are numbered row by row.

use crate::board::{Board, Rules, Sq};

/// The symmetries of a board but for the identity, as numbers for [`image`]: 7 if it is a square,
/// else 3.
pub(crate) fn symmetries(cols: u32, rows: u32) -> std::ops::Range<u8> {
    1..if cols == rows { 8 } else { 4 }
}

/// Mirrors a square: bit 0 left and right, bit 1 top and bottom, bit 2 at the diagonal.
pub(crate) fn image(cols: u32, rows: u32, square: Sq, symmetry: u8) -> Sq {
    let (cols, rows) = (cols as Sq, rows as Sq);
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
    let (cols, rows) = (board.geometry.cols, board.geometry.rows);
    let own: Vec<u8> = symmetries(cols, rows)
        .filter(|&symmetry| {
            (0..board.geometry.area() as Sq)
                .all(|s| board.side_at(s) == board.side_at(image(cols, rows, s, symmetry)))
        })
        .collect();
    if own.is_empty() {
        return;
    }
    let mut kept = std::collections::BTreeSet::new();
    moves.retain(|squares| {
        let known = own.iter().any(|&symmetry| {
            let images = squares.iter().map(|&s| image(cols, rows, s, symmetry));
            let mut images: Vec<Sq> = images.collect();
            images.sort_unstable();
            kept.contains(&images)
        });
        if !known {
            kept.insert(squares.clone());
        }
        !known
    });
}
