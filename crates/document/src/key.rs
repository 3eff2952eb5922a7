//! Keys of positions: equal for positions that are symmetric, and kept up to date stone by stone.
//!
//! On a bounded board each stone has a random number for each of the images of its square, and an
//! image of the position has the sum (without carry) of those of its stones. On an unbounded board
//! positions that are shifted are symmetric, too: there a stone at (x, y) counts
//! c a<sup>x</sup> b<sup>y</sup> modulo a prime, so that a shift multiplies the sum, and the box
//! around the stones says by what to divide. The key is the least of the images.

use std::collections::BTreeMap;

use sixproof_game::{Color, Game, Square, Symmetry};

use crate::walk::Changed;

/// The images of a position: as many as the board has symmetries.
const IMAGES: usize = 8;

/// The key of a position that changes.
pub(crate) enum Keys {
    Bounded(Bounded),
    Unbounded(Box<Unbounded>),
}

impl Keys {
    pub(crate) fn new(game: Game) -> Keys {
        match game.is_unbounded() {
            true => Keys::Unbounded(Box::new(Unbounded::new())),
            false => Keys::Bounded(Bounded::new(game)),
        }
    }

    /// Squares have changed.
    pub(crate) fn step(&mut self, changes: &[Changed]) {
        for &(square, before, after) in changes {
            self.change(square, before, after);
        }
    }

    /// They have changed back.
    pub(crate) fn back(&mut self, changes: &[Changed]) {
        for &(square, before, after) in changes.iter().rev() {
            self.change(square, after, before);
        }
    }

    fn change(&mut self, square: Square, before: Option<Color>, after: Option<Color>) {
        for (color, comes) in [(before, false), (after, true)] {
            let Some(color) = color else { continue };
            match self {
                Keys::Bounded(bounded) => bounded.toggle(square, color),
                Keys::Unbounded(unbounded) => unbounded.put(square, color, comes),
            }
        }
    }

    /// The key of the position, with whoever is to move.
    pub(crate) fn key(&self, to_move: Color, left: u32) -> u128 {
        let least = match self {
            Keys::Bounded(bounded) => bounded.least(),
            Keys::Unbounded(unbounded) => unbounded.least(),
        };
        let side = u64::from(to_move == Color::White) << 32;
        least ^ random(side | u64::from(left))
    }
}

/// A random number with a number: the same one always.
fn random(number: u64) -> u128 {
    // SplitMix64 (Steele, Lea, Flood 2014).
    let mix = |number: u64| {
        let z = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    u128::from(mix(2 * number + 1)) << 64 | u128::from(mix(2 * number + 2))
}

pub(crate) struct Bounded {
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

pub(crate) struct Unbounded {
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

    fn put(&mut self, square: Square, color: Color, comes: bool) {
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
