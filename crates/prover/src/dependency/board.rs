//! The board as threat-space search sees it: squares are small numbers, and each segment knows how
//! many stones of either side it has.

use sixproof_certificate::Claim;
use sixproof_game::{DIRECTIONS, Game, Position, Square};

pub(super) use sixproof_certificate::Side;

/// The most squares of the board that is searched; on an unbounded board the stones may be too far
/// apart for it.
const AREA_MAX: i64 = 4096;

/// A square by number.
pub(super) type Cell = u16;

/// k squares in a row, with the squares just beyond its ends.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) cells: Box<[Cell]>,
    pub(super) direction: usize,
    /// The segment one step further along the line, if it is on the board.
    pub(super) next: Option<usize>,
    beyond: [Option<Cell>; 2],
}

/// The board with stones that come and go, and the counts of each segment.
#[derive(Debug)]
pub(super) struct Board {
    pub(super) game: Game,
    k: u8,
    origin: Square,
    cols: i32,
    stones: Vec<Option<Side>>,
    pub(super) lines: Vec<Line>,
    /// The segments through each square.
    through: Vec<Vec<u32>>,
    attackers: Vec<u8>,
    defenders: Vec<u8>,
}

impl Board {
    /// The board of a position; of an unbounded one the part around the stones, or `None` when they
    /// are too far apart.
    pub(super) fn new(claim: &Claim) -> Option<Board> {
        let Claim { position, attacker } = claim;
        let game = position.game();
        let (from, to) = window(position)?;
        let (cols, rows) = (to.x - from.x + 1, to.y - from.y + 1);
        if i64::from(cols) * i64::from(rows) > AREA_MAX {
            return None;
        }
        let area = usize::try_from(cols * rows).ok()?;
        let inside = |s: Square| (from.x..=to.x).contains(&s.x) && (from.y..=to.y).contains(&s.y);
        let cell = |s: Square| ((s.y - from.y) * cols + s.x - from.x) as Cell;
        let k = i32::try_from(game.k()).ok()?;
        let (mut lines, mut through): (Vec<Line>, _) = (Vec::new(), vec![Vec::new(); area]);
        for (direction, step) in DIRECTIONS.into_iter().enumerate() {
            for index in 0..cols * rows {
                let start = Square::new(from.x + index % cols, from.y + index / cols);
                if !inside(start.step(step, k - 1)) {
                    continue;
                }
                let cells: Box<[Cell]> = (0..k).map(|i| cell(start.step(step, i))).collect();
                for &c in &cells {
                    through[usize::from(c)].push(lines.len() as u32);
                }
                let beyond = [start.step(step, -1), start.step(step, k)];
                let beyond = beyond.map(|s| inside(s).then(|| cell(s)));
                lines.push(Line { cells, direction, next: None, beyond });
            }
        }
        let mut starts = vec![[None; DIRECTIONS.len()]; area];
        for (index, line) in lines.iter().enumerate() {
            starts[usize::from(line.cells[0])][line.direction] = Some(index);
        }
        for line in &mut lines {
            let second = line.cells.get(1).copied();
            line.next = second.and_then(|c| starts[usize::from(c)][line.direction]);
        }
        let counts = vec![0; lines.len()];
        let mut board = Board {
            game,
            k: k as u8,
            origin: from,
            cols,
            stones: vec![None; area],
            lines,
            through,
            attackers: counts.clone(),
            defenders: counts,
        };
        for (square, color) in position.stones() {
            let side = if color == *attacker { Side::Attacker } else { Side::Defender };
            board.place(cell(square), side);
        }
        Some(board)
    }

    /// The square with this number.
    pub(super) fn square(&self, cell: Cell) -> Square {
        let cell = i32::from(cell);
        Square::new(self.origin.x + cell % self.cols, self.origin.y + cell / self.cols)
    }

    /// The squares with these numbers.
    pub(super) fn squares(&self, cells: &[Cell]) -> Vec<Square> {
        cells.iter().map(|&c| self.square(c)).collect()
    }

    pub(super) fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        0..self.stones.len() as Cell
    }

    pub(super) fn at(&self, cell: Cell) -> Option<Side> {
        self.stones[usize::from(cell)]
    }

    pub(super) fn is_empty(&self, cell: Cell) -> bool {
        self.at(cell).is_none()
    }

    pub(super) fn place(&mut self, cell: Cell, side: Side) {
        assert!(self.is_empty(cell), "a stone on a stone");
        self.stones[usize::from(cell)] = Some(side);
        let counts = match side {
            Side::Attacker => &mut self.attackers,
            Side::Defender => &mut self.defenders,
        };
        for &line in &self.through[usize::from(cell)] {
            counts[line as usize] += 1;
        }
    }

    pub(super) fn remove(&mut self, cell: Cell) {
        let counts = match self.stones[usize::from(cell)].take() {
            Some(Side::Attacker) => &mut self.attackers,
            Some(Side::Defender) => &mut self.defenders,
            None => panic!("no stone to remove"),
        };
        for &line in &self.through[usize::from(cell)] {
            counts[line as usize] -= 1;
        }
    }

    pub(super) fn place_all(&mut self, cells: &[Cell], side: Side) {
        cells.iter().for_each(|&c| self.place(c, side));
    }

    pub(super) fn remove_all(&mut self, cells: &[Cell]) {
        cells.iter().for_each(|&c| self.remove(c));
    }

    /// The segments through a square.
    pub(super) fn through(&self, cell: Cell) -> impl Iterator<Item = usize> + '_ {
        self.through[usize::from(cell)].iter().map(|&line| line as usize)
    }

    /// The number of empty squares of a segment.
    pub(super) fn open(&self, line: usize) -> u32 {
        u32::from(self.k - self.attackers[line] - self.defenders[line])
    }

    /// Whether Attacker can still win with the segment: no stone of Defender in it, and under the
    /// exact rule none of his own just beyond it.
    pub(super) fn is_active(&self, line: usize) -> bool {
        self.defenders[line] == 0
            && !(self.game.exact()
                && self.lines[line]
                    .beyond
                    .iter()
                    .any(|c| c.is_some_and(|c| self.at(c) == Some(Side::Attacker))))
    }

    /// Whether Defender can still win with the segment. Proofs grant him overlines.
    pub(super) fn is_active_for_defender(&self, line: usize) -> bool {
        self.attackers[line] == 0
    }

    /// The segments that Attacker can still win with and that have at most this number of empty
    /// squares.
    pub(super) fn own_lines(&self, open_max: u32) -> impl Iterator<Item = usize> + '_ {
        few_open(&self.attackers, &self.defenders, self.k, open_max).filter(|&l| self.is_active(l))
    }

    /// The segments that Defender can still win with and that have at most this number of empty
    /// squares.
    pub(super) fn their_lines(&self, open_max: u32) -> impl Iterator<Item = usize> + '_ {
        few_open(&self.defenders, &self.attackers, self.k, open_max)
    }

    pub(super) fn empties(&self, line: usize) -> Vec<Cell> {
        self.lines[line].cells.iter().copied().filter(|&c| self.is_empty(c)).collect()
    }

    pub(super) fn attackers_in(&self, line: usize) -> Vec<Cell> {
        let own = |&c: &Cell| self.at(c) == Some(Side::Attacker);
        self.lines[line].cells.iter().copied().filter(own).collect()
    }

    /// The segments that Attacker would complete with at most p more stones.
    pub(super) fn threats(&self) -> Vec<usize> {
        self.own_lines(self.game.p()).collect()
    }

    /// The same among the segments through some squares; each once.
    pub(super) fn threats_through(&self, cells: &[Cell]) -> Vec<usize> {
        let p = self.game.p();
        let mut threats: Vec<usize> = cells
            .iter()
            .flat_map(|&c| self.through(c))
            .filter(|&l| self.is_active(l) && self.open(l) <= p)
            .collect();
        threats.sort_unstable();
        threats.dedup();
        threats
    }
}

/// The segments without stones of the other side and with at most this number of empty squares.
fn few_open<'a>(
    own: &'a [u8],
    others: &'a [u8],
    k: u8,
    open_max: u32,
) -> impl Iterator<Item = usize> + 'a {
    let least = u32::from(k).saturating_sub(open_max) as u8;
    let counts = own.iter().zip(others).enumerate();
    counts.filter(move |&(_, (&own, &others))| others == 0 && own >= least).map(|(l, _)| l)
}

/// The board, or on an unbounded one the stones with a margin of a segment.
fn window(position: &Position) -> Option<(Square, Square)> {
    let game = position.game();
    if !game.is_unbounded() {
        let (cols, rows) = (game.cols() as i32, game.rows() as i32);
        return Some((Square::new(0, 0), Square::new(cols - 1, rows - 1)));
    }
    let margin = game.k() as i32;
    let xs = || position.stones().map(|(s, _)| s.x);
    let ys = || position.stones().map(|(s, _)| s.y);
    let from = Square::new(xs().min()?.checked_sub(margin)?, ys().min()?.checked_sub(margin)?);
    let to = Square::new(xs().max()?.checked_add(margin)?, ys().max()?.checked_add(margin)?);
    let near = |a: i32, b: i32| i64::from(b) - i64::from(a) < AREA_MAX;
    (near(from.x, to.x) && near(from.y, to.y)).then_some((from, to))
}
