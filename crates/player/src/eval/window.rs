//! What a window is worth, by its shape.
//!
//! A window is k squares in a row without a stone of the other side: a *potential line* (Liu,
//! section 3.2.1). Its shape is the set of its own stones, and whether the squares just beyond its
//! ends are open to its side. A shape is worth more to the side that moves next than to the other,
//! so each has two weights; they are thousandths of the logarithm of the odds of winning, fitted
//! on games (`cargo xtask tune`).

use std::fmt;

use sixproof_game::Game;

/// The weights that were fitted.
const FITTED: &str = include_str!("../../data/weights.txt");

/// Who moves next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The side whose window it is.
    Own = 0,
    /// The other side.
    Other = 1,
}

/// The worth of every shape of a game's windows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    k: u32,
    /// By turn and shape.
    worth: [Vec<i32>; 2],
}

/// A window's shape: its stones, and whether the squares before and after it are open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shape {
    /// One bit for each stone.
    pub stones: u32,
    /// Before and after.
    pub open: [bool; 2],
}

impl Shape {
    /// The shape read from the other end.
    fn mirrored(self, k: u32) -> Shape {
        let stones = self.stones.reverse_bits() >> (32 - k);
        Shape { stones, open: [self.open[1], self.open[0]] }
    }

    /// A shape and its mirror image are worth the same: one stands for both.
    pub fn canonical(self, k: u32) -> Shape {
        self.min(self.mirrored(k))
    }

    /// Where the shape stands in a table.
    fn index(self, k: u32) -> usize {
        (self.stones as usize)
            | usize::from(self.open[0]) << k
            | usize::from(self.open[1]) << (k + 1)
    }

    /// All canonical shapes with at least one stone and one empty square, in order.
    pub fn all(k: u32) -> impl Iterator<Item = Shape> {
        (1..(1u32 << k) - 1)
            .flat_map(|stones| {
                [[false, false], [false, true], [true, false], [true, true]]
                    .map(|open| Shape { stones, open })
            })
            .filter(move |shape| shape.canonical(k) == *shape)
    }

    /// Its name in the file of weights: `|` is a closed end, `x` a stone, `.` an empty square.
    pub fn name(self, k: u32) -> String {
        let end = |open: bool| if open { '.' } else { '|' };
        let squares = (0..k).map(|i| if self.stones >> i & 1 == 1 { 'x' } else { '-' });
        [end(self.open[0])].into_iter().chain(squares).chain([end(self.open[1])]).collect()
    }
}

impl Weights {
    /// Windows of more squares are told apart by the number of their stones only.
    pub const SHAPED_MAX: u32 = 6;

    /// The line that begins the weights of a game.
    pub fn section(k: u32, p: u32) -> String {
        format!("[k {k}, p {p}]")
    }

    /// The weights of a game: fitted ones where there are some, else a rule of thumb.
    pub fn of(game: Game) -> Weights {
        let mut weights = Weights::rule_of_thumb(game.k(), game.p());
        let section = Weights::section(game.k(), game.p());
        weights.read(FITTED, &section).expect("the embedded weights are well formed");
        weights
    }

    /// Windows grow in worth by the same factor with each stone, four times with each move.
    pub fn rule_of_thumb(k: u32, p: u32) -> Weights {
        let by_count = |count: u32, turn: Turn| {
            if count == 0 {
                return 0;
            }
            let needed = f64::from(k - count) - f64::from(p);
            let most = if turn == Turn::Own { 300.0 } else { 220.0 };
            (most * 4f64.powf(-needed.max(0.0) / f64::from(p))).round() as i32
        };
        let shapes = if k <= Weights::SHAPED_MAX { 1usize << (k + 2) } else { k as usize + 1 };
        let worth = [Turn::Own, Turn::Other].map(|turn| {
            (0..shapes)
                .map(|index| match k <= Weights::SHAPED_MAX {
                    true => by_count((index as u32 & ((1 << k) - 1)).count_ones(), turn),
                    false => by_count(index as u32, turn),
                })
                .collect()
        });
        Weights { k, worth }
    }

    /// What a window is worth.
    #[inline]
    pub fn worth(&self, turn: Turn, shape: Shape) -> i32 {
        let index = if self.k <= Weights::SHAPED_MAX {
            shape.index(self.k)
        } else {
            shape.stones.count_ones() as usize
        };
        self.worth[turn as usize][index]
    }

    /// Sets what a shape and its mirror image are worth.
    pub fn set(&mut self, turn: Turn, shape: Shape, worth: i32) {
        if self.k <= Weights::SHAPED_MAX {
            for shape in [shape, shape.mirrored(self.k)] {
                self.worth[turn as usize][shape.index(self.k)] = worth;
            }
        }
    }

    /// Reads one section of a file of weights. Nothing is changed where it has no such section.
    pub fn read(&mut self, text: &str, section: &str) -> Result<(), BadWeights> {
        let mut here = false;
        for (index, line) in text.lines().enumerate() {
            let bad = || BadWeights { line: index + 1 };
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.starts_with('[') {
                here = line == section;
            } else if here && !line.is_empty() {
                let mut words = line.split_whitespace();
                let shape = words.next().and_then(|name| self.shape(name)).ok_or_else(bad)?;
                for turn in [Turn::Own, Turn::Other] {
                    let worth = words.next().and_then(|word| word.parse().ok()).ok_or_else(bad)?;
                    self.set(turn, shape, worth);
                }
            }
        }
        Ok(())
    }

    /// A section as [`Weights::read`] takes it.
    pub fn write(&self, p: u32) -> String {
        let mut text = Weights::section(self.k, p) + "\n";
        for shape in Shape::all(self.k) {
            let [own, other] = [Turn::Own, Turn::Other].map(|turn| self.worth(turn, shape));
            text.push_str(&format!("{} {own:6} {other:6}\n", shape.name(self.k)));
        }
        text
    }

    fn shape(&self, name: &str) -> Option<Shape> {
        let bytes = name.as_bytes();
        if self.k > Weights::SHAPED_MAX || bytes.len() != self.k as usize + 2 {
            return None;
        }
        let open = |byte: u8| match byte {
            b'.' => Some(true),
            b'|' => Some(false),
            _ => None,
        };
        let (&last, rest) = bytes.split_last()?;
        let (&first, squares) = rest.split_first()?;
        let mut stones = 0;
        for (index, &byte) in squares.iter().enumerate() {
            match byte {
                b'x' => stones |= 1 << index,
                b'-' => {}
                _ => return None,
            }
        }
        Some(Shape { stones, open: [open(first)?, open(last)?] })
    }
}

/// A line of a file of weights that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadWeights {
    line: usize,
}

impl fmt::Display for BadWeights {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "line {}: expected a shape and two numbers, as `.--xx--. 12 8`", self.line)
    }
}

impl std::error::Error for BadWeights {}
