//! The symmetries of a search board, whose squares are numbered row by row.

use std::collections::BTreeSet;

use sixproof_game::{Square, Symmetry};

use crate::board::{Board, Rules, Sq};

/// The images of all squares of a board under each of its symmetries but the identity.
pub(crate) fn images(cols: u32, rows: u32) -> Vec<Vec<Sq>> {
    let (width, area) = (cols as i32, (cols * rows) as i32);
    let image = |symmetry: &Symmetry, number: i32| {
        let square = symmetry.apply(Square::new(number % width, number / width));
        (square.y * width + square.x) as Sq
    };
    let images = |symmetry| (0..area).map(|number| image(symmetry, number)).collect();
    Symmetry::of_board(cols, rows)[1..].iter().map(images).collect()
}

/// Where the position is its own image, keeps one of each set of moves that are images of each
/// other: the first.
pub(crate) fn drop_images<R: Rules>(board: &Board<R>, moves: &mut Vec<Vec<Sq>>) {
    let mut own = images(board.geometry.cols, board.geometry.rows);
    own.retain(|images| {
        images.iter().zip(0..).all(|(&image, s)| board.side_at(s) == board.side_at(image))
    });
    if own.is_empty() {
        return;
    }
    let mut kept = BTreeSet::new();
    moves.retain(|squares| {
        let known = own.iter().any(|images| {
            let mut image: Vec<Sq> = squares.iter().map(|&s| images[s as usize]).collect();
            image.sort_unstable();
            kept.contains(&image)
        });
        if !known {
            kept.insert(squares.clone());
        }
        !known
    });
}
