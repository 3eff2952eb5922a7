//! Keys of positions: equal for positions that are symmetric, and kept up to date stone by stone.
//!
//! On a bounded board each stone has a random number for each of the images of its square, and an
//! image of the position has the sum (without carry) of those of its stones. On an unbounded board
//! positions that are shifted are symmetric, too: there a stone at (x, y) counts
//! c a<sup>x</sup> b<sup>y</sup> modulo a prime, so that a shift multiplies the sum, and the box
//! around the stones says by what to divide. The key is the least of the images.

use std::collections::BTreeMap;

use crate::repeatable::mix;
use crate::{Color, Game, Position, Square, Symmetry};

/// The images of a position: as many as the board has symmetries.
const IMAGES: usize = 8;

impl Position {
    /// A number that all symmetric positions share, with the same side to move and the same number
    /// of stones left. Different positions have different numbers but for accidents: compare the
    /// positions, too.
    ///
    /// ```
    /// use sixproof_game::moves::read;
    ///
    /// let at_end = |line| {
    ///     let record = read("connect6".parse().unwrap(), line).unwrap();
    ///     record.reach(record.main_line_end(0)).unwrap().position
    /// };
    /// assert_eq!(at_end("J10 / I8 H9").key(), at_end("J10 / K8 L9").key());
    /// assert_ne!(at_end("J10 / I8 H9").key(), at_end("J10 / I8 G9").key());
    /// ```
    pub fn key(&self) -> u128 {
        let mut keys = Keys::new(self.game());
        self.stones().for_each(|(square, color)| keys.add(square, color));
        keys.key(self.to_move(), self.left())
    }
}

/// The key of a position that changes stone by stone: the same as [`Position::key`].
pub struct Keys(Sums);

enum Sums {
    Bounded(Bounded),
    Unbounded(Box<Unbounded>),
}

impl Keys {
    /// The key of the empty board.
    pub fn new(game: Game) -> Keys {
        Keys(match game.is_unbounded() {
            true => Sums::Unbounded(Box::new(Unbounded::new())),
            false => Sums::Bounded(Bounded::new(game)),
        })
    }

    /// A stone comes; its square is empty and on the board.
    pub fn add(&mut self, square: Square, color: Color) {
        match &mut self.0 {
            Sums::Bounded(bounded) => bounded.toggle(square, color),
            Sums::Unbounded(unbounded) => unbounded.change(square, color, true),
        }
    }

    /// A stone that has come goes.
    pub fn remove(&mut self, square: Square, color: Color) {
        match &mut self.0 {
            Sums::Bounded(bounded) => bounded.toggle(square, color),
            Sums::Unbounded(unbounded) => unbounded.change(square, color, false),
        }
    }

    /// The key of the stones, with the side to move and the stones that it has left.
    pub fn key(&self, to_move: Color, left: u32) -> u128 {
        let least = match &self.0 {
            Sums::Bounded(bounded) => bounded.least(),
            Sums::Unbounded(unbounded) => unbounded.least(),
        };
        let side = u64::from(to_move == Color::White) << 32;
        least ^ random(side | u64::from(left))
    }
}

/// A random number with a number: the same one always.
fn random(number: u64) -> u128 {
    let mut seed = number;
    let high = u128::from(mix(&mut seed));
    high << 64 | u128::from(mix(&mut seed))
}

struct Bounded {
    cols: i32,
    /// For each square and colour, the numbers of its images.
    numbers: Vec<[u128; IMAGES]>,
    sums: [u128; IMAGES],
}

impl Bounded {
    fn new(game: Game) -> Bounded {
        let symmetries = Symmetry::all(game);
        let mut numbers = Vec::new();
        for square in game.squares() {
            for color in 0..2 {
                // Where there are fewer images, the last ones are there twice.
                let number = |image: usize| {
                    let square = symmetries[image % symmetries.len()].apply(square);
                    // Coordinates on the board are not negative.
                    random(1 << 40 | (square.y as u64) << 20 | (square.x as u64) << 1 | color)
                };
                numbers.push(std::array::from_fn(number));
            }
        }
        Bounded { cols: game.cols() as i32, numbers, sums: [0; IMAGES] }
    }

    fn toggle(&mut self, square: Square, color: Color) {
        let index = 2 * (square.y * self.cols + square.x) as usize;
        let numbers = &self.numbers[index + usize::from(color == Color::White)];
        for (sum, number) in self.sums.iter_mut().zip(numbers) {
            *sum ^= number;
        }
    }

    fn least(&self) -> u128 {
        self.sums.iter().copied().min().unwrap_or(0)
    }
}

/// The prime 2^61 - 1.
const PRIME: u64 = (1 << 61) - 1;
/// Any numbers will do.
const BASES: [u64; 2] = [0x0123_4567_89ab_cdef, 0x0fed_cba9_8765_4321];
const WHITE: u64 = 0x1234_5678_9abc_def1;

fn times(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    // Both halves are below 2^61.
    let sum = (product & u128::from(PRIME)) as u64 + (product >> 61) as u64;
    if sum >= PRIME { sum - PRIME } else { sum }
}

/// The powers of a number, for exponents of either sign.
struct Powers {
    /// For each sign and each byte of the exponent.
    tables: [[[u64; 256]; 4]; 2],
}

impl Powers {
    fn new(base: u64) -> Powers {
        let mut inverse = 1;
        for bit in (0..61).rev() {
            inverse = times(inverse, inverse);
            if (PRIME - 2) >> bit & 1 == 1 {
                inverse = times(inverse, base);
            }
        }
        let tables = [base, inverse].map(|mut base| {
            std::array::from_fn(|_| {
                let mut power = 1;
                let table = std::array::from_fn(|_| {
                    let this = power;
                    power = times(power, base);
                    this
                });
                base = power;
                table
            })
        });
        Powers { tables }
    }

    fn of(&self, exponent: i64) -> u64 {
        let table = &self.tables[usize::from(exponent < 0)];
        let bytes = exponent.unsigned_abs().to_le_bytes();
        let mut power = 1;
        for (table, &byte) in table.iter().zip(&bytes) {
            if byte != 0 {
                power = times(power, table[usize::from(byte)]);
            }
        }
        power
    }
}

struct Unbounded {
    powers: [Powers; 2],
    sums: [u64; IMAGES],
    /// How many stones each column and each row has.
    columns: BTreeMap<i32, u32>,
    rows: BTreeMap<i32, u32>,
}

impl Unbounded {
    fn new() -> Unbounded {
        Unbounded {
            powers: BASES.map(Powers::new),
            sums: [0; IMAGES],
            columns: BTreeMap::new(),
            rows: BTreeMap::new(),
        }
    }

    fn change(&mut self, square: Square, color: Color, comes: bool) {
        let weight = if color == Color::White { WHITE } else { 1 };
        for (image, symmetry) in Symmetry::around_origin().iter().enumerate() {
            let at = symmetry.apply(square);
            let [a, b] = &self.powers;
            let worth = times(weight, times(a.of(at.x.into()), b.of(at.y.into())));
            let sum = self.sums[image] + if comes { worth } else { PRIME - worth };
            self.sums[image] = if sum >= PRIME { sum - PRIME } else { sum };
        }
        for (counts, at) in [(&mut self.columns, square.x), (&mut self.rows, square.y)] {
            let count = counts.entry(at).or_insert(0);
            if comes {
                *count += 1;
            } else if *count > 1 {
                *count -= 1;
            } else {
                counts.remove(&at);
            }
        }
    }

    fn least(&self) -> u128 {
        let (Some(left), Some(right)) =
            (self.columns.keys().next(), self.columns.keys().next_back())
        else {
            return 0;
        };
        let (Some(bottom), Some(top)) = (self.rows.keys().next(), self.rows.keys().next_back())
        else {
            return 0;
        };
        let key = |(symmetry, sum): (&Symmetry, &u64)| {
            let ends = [Square::new(*left, *bottom), Square::new(*right, *top)];
            let [one, other] = ends.map(|end| symmetry.apply(end));
            let [a, b] = &self.powers;
            let (x, y) = (one.x.min(other.x), one.y.min(other.y));
            times(*sum, times(a.of(-i64::from(x)), b.of(-i64::from(y))))
        };
        let images = Symmetry::around_origin();
        u128::from(images.iter().zip(&self.sums).map(key).min().unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbtest::arbtest;

    #[test]
    fn symmetric_positions_share_a_key_and_keys_are_kept_up_to_date() {
        let games = ["5,5,4,2,1", "6,4,4,1,1", "inf,4,2,1"].map(|game| game.parse().unwrap());
        arbtest(|u| {
            let game: Game = *u.choose(&games)?;
            let mut keys = Keys::new(game);
            let mut stones: [Vec<Square>; 2] = Default::default();
            for _ in 0..u.int_in_range(0..=9)? {
                let square = Square::new(u.int_in_range(0..=5)?, u.int_in_range(0..=3)?);
                let side = usize::from(u.arbitrary::<bool>()?);
                let color = [Color::Black, Color::White][side];
                if !game.contains(square) || stones.iter().flatten().any(|&s| s == square) {
                    continue;
                }
                keys.add(square, color);
                match u.ratio(1, 4)? {
                    true => keys.remove(square, color),
                    false => stones[side].push(square),
                }
            }
            let [black, white] = stones;
            let position = Position::set_up(game, &black, &white, Color::White, 1).unwrap();
            assert_eq!(keys.key(Color::White, 1), position.key());
            for symmetry in Symmetry::all(game) {
                assert_eq!(symmetry.position(&position).unwrap().key(), position.key());
            }
            let other = Position::set_up(game, &white, &black, Color::White, 1).unwrap();
            if black.len() != white.len() {
                assert_ne!(other.key(), position.key());
            }
            Ok(())
        });
    }
}
