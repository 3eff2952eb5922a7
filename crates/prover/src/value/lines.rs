//! The board of a small game as one machine word: segments, the lines they lie on, symmetries.

use sixproof_game::{DIRECTIONS, Game, Segment, Square};

use crate::mirror::images;

/// The most squares of a board: one bit each.
pub(super) const AREA_MAX: usize = 64;
/// The most segments of a board.
pub(super) const SEGMENTS_MAX: usize = 256;

/// A segment: its squares, and the line that it lies on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) squares: u64,
    /// Which row, column or diagonal. The windows of a line follow each other along it.
    pub(super) line: u16,
}

/// Where a symmetry puts the squares of each byte of a board.
type Images = Box<[[u64; 256]; 8]>;

/// The geometry of a game.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    cols: i32,
    pub(super) board: u64,
    pub(super) windows: Vec<Window>,
    /// The direction of each line.
    directions: Vec<usize>,
    /// The symmetries of the board but for the identity.
    symmetries: Vec<Images>,
}

impl Lines {
    /// `None` for a board with more squares than a word has bits.
    pub(super) fn new(game: Game) -> Option<Lines> {
        let area = game.area().filter(|&area| area <= AREA_MAX)?;
        let mut lines = Lines {
            cols: game.cols() as i32,
            board: u64::MAX >> (AREA_MAX - area),
            windows: Vec::new(),
            directions: Vec::new(),
            symmetries: Vec::new(),
        };
        for (line, segments) in lines_of(game).into_iter().enumerate() {
            let direction = segments[0].direction;
            let direction = DIRECTIONS.iter().position(|&other| other == direction);
            lines.directions.push(direction.expect("one of the four"));
            for segment in segments {
                let squares = segment.squares(game).fold(0, |set, s| set | 1 << lines.index(s));
                // Segments of one square are the same in all directions.
                if lines.windows.iter().all(|window| window.squares != squares) {
                    lines.windows.push(Window { squares, line: line as u16 });
                }
            }
        }
        for symmetry in images(game.cols(), game.rows()) {
            let mut images: Images = Box::new([[0; 256]; 8]);
            for (square, to) in symmetry.into_iter().enumerate() {
                let (byte, bit) = (square / 8, square % 8);
                for set in (0..256).filter(|set| set >> bit & 1 != 0) {
                    images[byte][set] |= 1 << to;
                }
            }
            lines.symmetries.push(images);
        }
        (lines.windows.len() <= SEGMENTS_MAX).then_some(lines)
    }

    /// The direction of a line, 0 to 3.
    pub(super) fn direction(&self, line: u16) -> usize {
        self.directions[line as usize]
    }

    /// The bit of a square.
    pub(super) fn index(&self, square: Square) -> u32 {
        (square.y * self.cols + square.x) as u32
    }

    /// The square of a bit.
    pub(super) fn square(&self, index: u32) -> Square {
        Square::new(index as i32 % self.cols, index as i32 / self.cols)
    }

    /// The least of a pair of sets under the symmetries of the board.
    pub(super) fn least(&self, sets: [u64; 2]) -> [u64; 2] {
        let image = |images: &Images, set: u64| {
            let bytes = set.to_le_bytes();
            images.iter().zip(bytes).fold(0, |all, (image, byte)| all | image[byte as usize])
        };
        self.symmetries.iter().map(|images| sets.map(|set| image(images, set))).fold(sets, Ord::min)
    }
}

/// The segments of a board, line by line, and in each line in their order along it.
pub(super) fn lines_of(game: Game) -> Vec<Vec<Segment>> {
    let mut lines: Vec<Vec<Segment>> = Vec::new();
    for direction in DIRECTIONS {
        let (dx, dy) = direction;
        for start in game.squares() {
            // A line starts where nothing is behind it.
            if game.contains(Square::new(start.x - dx, start.y - dy)) {
                continue;
            }
            let at = |i: i32| Square::new(start.x + i * dx, start.y + i * dy);
            let length = (0..).take_while(|&i| game.contains(at(i))).count();
            if let Some(last) = length.checked_sub(game.k() as usize) {
                let segment = |i: usize| Segment { start: at(i as i32), direction };
                lines.push((0..=last).map(segment).collect());
            }
        }
    }
    lines
}
