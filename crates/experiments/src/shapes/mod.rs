//! The shapes of three stones in a box of 5 x 5, up to turning, mirroring and shifting: the first
//! moves of Connect(6,2,3) that keep together.

mod results;

use std::collections::BTreeSet;

use sixproof_game::{Color, Game, Position, SetupError, Square, Symmetry};

pub use results::{ShapeResult, ShapeResults, ShapeVerdict};

/// Columns and rows of the box.
pub const BOX: i32 = 5;
/// Stones of Black's first move.
const STONES: usize = 3;

/// Three stones, as the least of all ways to lay them into a corner of the box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shape([(i32, i32); STONES]);

/// All shapes, in the order of their names.
pub fn all() -> Vec<Shape> {
    let cells: Vec<(i32, i32)> = (0..BOX).flat_map(|x| (0..BOX).map(move |y| (x, y))).collect();
    let mut shapes = BTreeSet::new();
    for (i, &a) in cells.iter().enumerate() {
        for (j, &b) in cells.iter().enumerate().skip(i + 1) {
            for &c in &cells[j + 1..] {
                shapes.insert(Shape([a, b, c]).normal());
            }
        }
    }
    shapes.into_iter().collect()
}

impl Shape {
    /// The least of the eight images, each shifted to the corner.
    fn normal(self) -> Shape {
        let images = Symmetry::around_origin().map(|symmetry| {
            let mut squares = self.0.map(|(x, y)| {
                let image = symmetry.apply(Square::new(x, y));
                (image.x, image.y)
            });
            let low_x = squares.iter().map(|s| s.0).min().unwrap_or(0);
            let low_y = squares.iter().map(|s| s.1).min().unwrap_or(0);
            squares = squares.map(|(x, y)| (x - low_x, y - low_y));
            squares.sort_unstable();
            Shape(squares)
        });
        images.into_iter().min().unwrap_or(self)
    }

    /// The name: column and row of each stone, from 0.
    pub fn name(self) -> String {
        self.0.map(|(x, y)| format!("{x}{y}")).join("-")
    }

    /// Whether there is a stone on a square of the box.
    pub fn has(self, x: i32, y: i32) -> bool {
        self.0.contains(&(x, y))
    }

    /// The shape in the middle of the board, White to move.
    pub fn position(self, game: Game) -> Result<Position, SetupError> {
        let high = |axis: fn(&(i32, i32)) -> i32| self.0.iter().map(axis).max().unwrap_or(0);
        let corner = |size: u32, high: i32| {
            if size == 0 { -(high + 1) / 2 } else { (size as i32 - high - 1) / 2 }
        };
        let (left, bottom) =
            (corner(game.cols(), high(|s| s.0)), corner(game.rows(), high(|s| s.1)));
        let black = self.0.map(|(x, y)| Square::new(left + x, bottom + y));
        Position::set_up(game, &black, &[], Color::White, game.p())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_88_shapes_and_each_is_its_own_normal_form() {
        let shapes = all();
        assert_eq!(shapes.len(), 88);
        assert!(shapes.iter().all(|shape| shape.normal() == *shape));
        let names: BTreeSet<String> = shapes.iter().map(|shape| shape.name()).collect();
        assert_eq!(names.len(), 88);
    }

    #[test]
    fn every_triple_of_the_box_is_an_image_of_a_shape() {
        let shapes = all();
        let triple = Shape([(4, 4), (2, 4), (3, 3)]).normal();
        assert_eq!(triple.name(), "00-02-11");
        assert!(shapes.contains(&triple));
    }

    #[test]
    fn shapes_stand_in_the_middle() {
        let game = Game::new(19, 19, 6, 2, 3, false).unwrap();
        for shape in all() {
            let position = shape.position(game).unwrap();
            assert_eq!(position.irregularity(), None);
            assert!(position.squares_of(Color::Black).all(|s| (7..12).contains(&s.x)));
            assert!(position.squares_of(Color::Black).all(|s| (7..12).contains(&s.y)));
        }
    }
}
