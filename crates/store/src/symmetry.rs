//! The symmetries of a board: 8 of a square board, 4 of any other, and on an unbounded board the 8
//! together with all translations. They map squares, positions and certificates.

use sixproof_certificate::{Claim, ReadError, Reader, Step, Writer};
use sixproof_game::{COORDINATE_MAX, Color, Game, Position, Square};

use crate::error::{Error, Result};

/// A map of the board onto itself that keeps lines lines: a turn or reflection, then a translation.
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
        let last = [i64::from(game.cols()) - 1, i64::from(game.rows()) - 1];
        let edge = |axis: usize, sign: i64| match (sign, game.is_unbounded()) {
            (-1, false) => last[axis],
            _ => 0,
        };
        let mut all = Vec::new();
        for transposed in [false, true] {
            if transposed && game.cols() != game.rows() {
                continue;
            }
            for sign in [[1, 1], [-1, 1], [1, -1], [-1, -1]] {
                let shift = [edge(0, sign[0]), edge(1, sign[1])];
                all.push(Symmetry { transposed, sign, shift });
            }
        }
        all
    }

    /// The same map with a translation after it. Only on an unbounded board is this a symmetry.
    #[must_use]
    pub fn then_shift(self, dx: i64, dy: i64) -> Symmetry {
        let [x, y] = self.shift;
        Symmetry { shift: [x.saturating_add(dx), y.saturating_add(dy)], ..self }
    }

    /// Where a square goes. What would leave the range of coordinates ends at its border, beyond
    /// every board.
    pub fn apply(&self, square: Square) -> Square {
        let (x, y) = (i64::from(square.x), i64::from(square.y));
        let [x, y] = if self.transposed { [y, x] } else { [x, y] };
        let clamped = |n: i64| n.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
        let moved = |axis: usize, n: i64| (self.sign[axis] * n).saturating_add(self.shift[axis]);
        Square::new(clamped(moved(0, x)), clamped(moved(1, y)))
    }

    /// The map that takes everything back.
    #[must_use]
    pub fn inverse(&self) -> Symmetry {
        let [a, b] = self.sign;
        let [x, y] = [-(a * self.shift[0]), -(b * self.shift[1])];
        match self.transposed {
            false => Symmetry { transposed: false, sign: [a, b], shift: [x, y] },
            true => Symmetry { transposed: true, sign: [b, a], shift: [y, x] },
        }
    }

    /// The position with every stone moved.
    pub fn position(&self, position: &Position) -> Result<Position> {
        let game = position.game();
        let side = |color: Color| -> Result<Vec<Square>> {
            position.squares_of(color).map(|square| self.on_board(game, square)).collect()
        };
        let (black, white) = (side(Color::Black)?, side(Color::White)?);
        Position::set_up(game, &black, &white, position.to_move(), position.left())
            .map_err(|error| Error::Claim(error.to_string()))
    }

    /// The claim about the position with every stone moved.
    pub fn claim(&self, claim: &Claim) -> Result<Claim> {
        Ok(Claim { position: self.position(&claim.position)?, attacker: claim.attacker })
    }

    /// The certificate with every square moved. Nothing is said about its truth; comments are lost.
    pub fn certificate(&self, certificate: &[u8]) -> Result<Vec<u8>> {
        Ok(self.mapped(certificate)?.certificate)
    }

    /// Maps a certificate step by step.
    pub(crate) fn mapped(&self, certificate: &[u8]) -> Result<Mapped> {
        let mut reader = Reader::new(certificate).map_err(unreadable)?;
        let claim = reader.claim().clone();
        let game = claim.position.game();
        let mut writer = Writer::new(Vec::with_capacity(certificate.len()), &self.claim(&claim)?)?;
        let squares = |squares: &[Square]| -> Result<Vec<Square>> {
            squares.iter().map(|&square| self.on_board(game, square)).collect()
        };
        while let Some((_, step)) = reader.next_step().map_err(unreadable)? {
            writer.step(&match step {
                Step::Win { squares: s } => Step::Win { squares: squares(&s)? },
                Step::Attack { squares: s } => Step::Attack { squares: squares(&s)? },
                Step::Reply { squares: s, slack } => Step::Reply { squares: squares(&s)?, slack },
                Step::Defence { relies_on: Some(threats), replies } => {
                    let ends = |ends: &[Square; 2]| -> Result<[Square; 2]> {
                        Ok([self.on_board(game, ends[0])?, self.on_board(game, ends[1])?])
                    };
                    let threats = threats.iter().map(ends).collect::<Result<_>>()?;
                    Step::Defence { relies_on: Some(threats), replies }
                }
                step @ (Step::Defence { .. } | Step::Mark | Step::Reference { .. }) => step,
            })?;
        }
        let nodes = writer.nodes();
        Ok(Mapped { claim, certificate: writer.finish()?, nodes })
    }

    /// Where a square goes, if the board and the format of certificates reach so far.
    fn on_board(&self, game: Game, square: Square) -> Result<Square> {
        let to = self.apply(square);
        let far = to.x.unsigned_abs().max(to.y.unsigned_abs()) > COORDINATE_MAX.unsigned_abs();
        if far || !game.contains(to) { Err(Error::TooFar) } else { Ok(to) }
    }
}

/// A certificate that was moved.
pub(crate) struct Mapped {
    /// The claim before it was moved.
    pub(crate) claim: Claim,
    pub(crate) certificate: Vec<u8>,
    pub(crate) nodes: u64,
}

fn unreadable(error: ReadError) -> Error {
    Error::Certificate(error.to_string())
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
        assert!(Symmetry::IDENTITY.position(&position).is_ok());
        for shift in [1, i64::MAX] {
            let moved = Symmetry::IDENTITY.then_shift(shift, 0).position(&position);
            assert!(matches!(moved, Err(Error::TooFar)));
        }
    }
}
