//! The symmetries of a board: 8 of a square board, 4 of any other, and on an unbounded board the 8
//! together with all translations.

use crate::{COORDINATE_MAX, Color, Game, Position, Square};

/// A map of the board onto itself that keeps lines lines: a turn or reflection, then a translation.
///
/// ```
/// use sixproof_game::{Game, Symmetry};
///
/// let game = Game::CONNECT6;
/// let square = game.parse_square("C2")?;
/// let images = Symmetry::all(game).into_iter().map(|symmetry| symmetry.apply(square));
/// let names: Vec<String> = images.map(|image| game.square_name(image)).collect();
/// assert_eq!(names, ["C2", "Q2", "C18", "Q18", "B3", "R3", "B17", "R17"]);
/// # Ok::<(), sixproof_game::SquareError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// Whether columns become rows, before the signs.
    transposed: bool,
    /// Each 1 or -1.
    sign: [i64; 2],
    shift: [i64; 2],
}

impl Symmetry {
    /// The map that changes nothing.
    pub const IDENTITY: Symmetry = Symmetry { transposed: false, sign: [1, 1], shift: [0, 0] };

    /// The symmetries of a game's board, the identity first; of an unbounded board those that keep
    /// the square `0,0`.
    pub fn all(game: Game) -> Vec<Symmetry> {
        match game.is_unbounded() {
            true => Symmetry::around_origin().to_vec(),
            false => Symmetry::of_board(game.cols(), game.rows()),
        }
    }

    /// The symmetries of a board with these numbers of columns and rows, the identity first.
    pub fn of_board(cols: u32, rows: u32) -> Vec<Symmetry> {
        let last = [cols, rows].map(|size| i64::from(size) - 1);
        let edge = |axis: usize, sign: i64| if sign < 0 { last[axis] } else { 0 };
        let turns = Symmetry::around_origin().into_iter();
        let fits = turns.filter(|turn| !turn.transposed || cols == rows);
        fits.map(|turn| Symmetry { shift: [0, 1].map(|axis| edge(axis, turn.sign[axis])), ..turn })
            .collect()
    }

    /// The eight turns and reflections that keep the square `0,0`, the identity first.
    pub fn around_origin() -> [Symmetry; 8] {
        std::array::from_fn(|number| {
            let sign = [0, 1].map(|axis| if number >> axis & 1 == 0 { 1 } else { -1 });
            Symmetry { transposed: number >= 4, sign, shift: [0, 0] }
        })
    }

    /// The same map with a translation after it. Only on an unbounded board is this a symmetry.
    #[must_use]
    pub fn then_shift(self, dx: i64, dy: i64) -> Symmetry {
        let [x, y] = self.shift;
        Symmetry { shift: [x.saturating_add(dx), y.saturating_add(dy)], ..self }
    }

    /// The image of a square. An image out of the range of coordinates ends at its border, beyond
    /// every board.
    pub fn apply(&self, square: Square) -> Square {
        let (x, y) = (i64::from(square.x), i64::from(square.y));
        let [x, y] = if self.transposed { [y, x] } else { [x, y] };
        let clamped = |n: i64| n.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
        let moved = |axis: usize, n: i64| (self.sign[axis] * n).saturating_add(self.shift[axis]);
        Square::new(clamped(moved(0, x)), clamped(moved(1, y)))
    }

    /// The inverse map.
    #[must_use]
    pub fn inverse(&self) -> Symmetry {
        let [a, b] = self.sign;
        let [x, y] = [-(a * self.shift[0]), -(b * self.shift[1])];
        match self.transposed {
            false => Symmetry { transposed: false, sign: [a, b], shift: [x, y] },
            true => Symmetry { transposed: true, sign: [b, a], shift: [y, x] },
        }
    }

    /// The image of a square, if the board and the range of coordinates reach so far.
    pub fn on_board(&self, game: Game, square: Square) -> Option<Square> {
        let to = self.apply(square);
        let far = to.x.unsigned_abs().max(to.y.unsigned_abs());
        (far <= COORDINATE_MAX.unsigned_abs() && game.contains(to)).then_some(to)
    }

    /// The position with every stone moved, if all of them stay on the board.
    pub fn position(&self, position: &Position) -> Option<Position> {
        let game = position.game();
        let side = |color: Color| -> Option<Vec<Square>> {
            position.squares_of(color).map(|square| self.on_board(game, square)).collect()
        };
        let (black, white) = (side(Color::Black)?, side(Color::White)?);
        Position::set_up(game, &black, &white, position.to_move(), position.left()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbtest::arbtest;

    #[test]
    fn a_board_has_its_number_of_symmetries() {
        for (game, count) in [("connect6", 8), ("9,7,4,1,1", 4), ("1,9,4,1,1", 4), ("inf,6,2,1", 8)]
        {
            let all = Symmetry::all(game.parse().unwrap());
            assert_eq!(all.len(), count, "{game}");
            assert_eq!(all[0], Symmetry::IDENTITY);
        }
    }

    #[test]
    fn a_symmetry_permutes_the_squares_and_its_inverse_takes_them_back() {
        for (cols, rows) in [(5, 5), (7, 4), (1, 3)] {
            let game = Game::new(cols, rows, 3, 1, 1, false).unwrap();
            for symmetry in Symmetry::all(game) {
                let mut images: Vec<Square> = game.squares().map(|s| symmetry.apply(s)).collect();
                images.sort();
                assert_eq!(images, game.squares().collect::<Vec<_>>());
                let inverse = symmetry.inverse();
                assert!(game.squares().all(|s| inverse.apply(symmetry.apply(s)) == s));
            }
        }
    }

    #[test]
    fn inverses_undo_translations_too() {
        let game = Game::new(0, 0, 6, 2, 1, false).unwrap();
        arbtest(|u| {
            let near = |u: &mut arbtest::arbitrary::Unstructured<'_>| u.int_in_range(-999..=999);
            let all = Symmetry::all(game);
            let symmetry = u.choose(&all)?.then_shift(near(u)?.into(), near(u)?.into());
            let square = Square::new(near(u)?, near(u)?);
            assert_eq!(symmetry.inverse().apply(symmetry.apply(square)), square);
            Ok(())
        });
    }

    #[test]
    fn what_leaves_the_range_of_coordinates_is_refused() {
        let game = Game::new(0, 0, 6, 2, 1, false).unwrap();
        let far = Square::new(COORDINATE_MAX, -COORDINATE_MAX);
        let position = Position::set_up(game, &[far], &[], Color::White, 2).unwrap();
        assert_eq!(Symmetry::IDENTITY.position(&position), Some(position.clone()));
        for shift in [1, i64::MAX] {
            assert_eq!(Symmetry::IDENTITY.then_shift(shift, 0).position(&position), None);
        }
    }
}
