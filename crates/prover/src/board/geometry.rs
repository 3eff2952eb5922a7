//! Squares and lines of a finite board.
//!
//! A line is a maximal row of squares in one of the four directions, and fits into one word: 59
//! squares are the largest board. A square stands on four lines, and a *window* (a segment) on a
//! line is named by the position of its first square, so that sets of windows are words too.

use super::Bits;

/// A square of the search board: `y * cols + x`.
pub type Sq = u16;

/// Words that hold one bit for every line of the largest board (59 + 59 + 117 + 117 lines).
pub const LINE_WORDS: usize = 6;

/// Where a square lies on its four lines.
#[derive(Clone, Copy, Debug)]
pub struct Crossing {
    /// The four lines, one in each direction.
    pub line: [u16; 4],
    /// The square's position on each.
    pub position: [u8; 4],
    /// The windows that contain the square, on each.
    pub windows: [u64; 4],
}

/// A maximal row of squares.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// Its squares, by position.
    pub squares: u64,
    /// The first squares of its windows.
    pub windows: u64,
    /// Those of the windows that Attacker may fill.
    pub attack_windows: u64,
    /// The square at position 0, if the line were continued so far.
    origin: i32,
    /// From one square to the next.
    step: i32,
}

impl Line {
    /// The square at a position.
    pub fn square(&self, position: u32) -> Sq {
        (self.origin + self.step * position as i32) as Sq
    }

    /// The squares at a set of positions, in ascending order of these.
    #[inline(always)]
    pub fn squares_at(&self, positions: u64) -> impl Iterator<Item = Sq> + use<> {
        let line = *self;
        Bits(positions).map(move |position| line.square(position))
    }
}

/// The squares and lines of a board of `cols` x `rows` for windows of `k` squares.
#[derive(Clone, Debug)]
pub struct Geometry {
    /// The number of columns.
    pub cols: u32,
    /// The number of rows.
    pub rows: u32,
    /// Every square's place on its lines.
    pub crossings: Vec<Crossing>,
    /// All lines: rows first, so that line y is row y.
    pub lines: Vec<Line>,
}

impl Geometry {
    /// The geometry of a board. Attacker's windows keep `ring` squares away from its edges, which
    /// are not edges of the game where `ring` is not 0.
    pub fn new(cols: u32, rows: u32, k: u32, ring: u32) -> Geometry {
        let (width, height) = (cols as i32, rows as i32);
        let row = |y: i32| (y * width, 1);
        let column = |x: i32| (x, width);
        // x - y = c, and x + y = c; the position on both is x.
        let rising = |c: i32| (-c * width, width + 1);
        let falling = |c: i32| (c * width, 1 - width);
        let starts = [0, rows, rows + cols, rows + cols + (cols + rows - 1)];
        let count = starts[3] + cols + rows - 1;
        let mut lines = vec![
            Line { squares: 0, windows: 0, attack_windows: 0, origin: 0, step: 0 };
            count as usize
        ];
        let mut crossings = Vec::with_capacity((cols * rows) as usize);
        for y in 0..height {
            for x in 0..width {
                let mut crossing = Crossing { line: [0; 4], position: [0; 4], windows: [0; 4] };
                for (direction, start) in starts.into_iter().enumerate() {
                    let (number, position, (origin, step)) = match direction {
                        0 => (y, x, row(y)),
                        1 => (x, y, column(x)),
                        2 => (x - y + height - 1, x, rising(x - y)),
                        _ => (x + y, x, falling(x + y)),
                    };
                    let line = start as usize + number as usize;
                    crossing.line[direction] = line as u16;
                    crossing.position[direction] = position as u8;
                    lines[line].squares |= 1 << position;
                    let inner = |z: i32, size: u32| (ring..size - ring).contains(&(z as u32));
                    if inner(x, cols) && inner(y, rows) {
                        lines[line].attack_windows |= 1 << position;
                    }
                    lines[line].origin = origin;
                    lines[line].step = step;
                }
                crossings.push(crossing);
            }
        }
        for line in &mut lines {
            let starts = |squares: u64| (0..k).fold(u64::MAX, |starts, i| starts & squares >> i);
            line.windows = starts(line.squares);
            line.attack_windows = starts(line.attack_windows);
        }
        for crossing in &mut crossings {
            for direction in 0..4 {
                let position = u32::from(crossing.position[direction]);
                let near = (((1u64 << k) - 1) << position) >> (k - 1);
                let line = usize::from(crossing.line[direction]);
                crossing.windows[direction] = near & lines[line].windows;
            }
        }
        Geometry { cols, rows, crossings, lines }
    }

    /// The number of squares.
    pub fn area(&self) -> usize {
        self.crossings.len()
    }
}
