//! The board of the generator: stones, and for each segment the number of them that either side
//! has.
//!
//! Written for this benchmark alone, small rather than fast. On an unbounded board it is a window
//! that must hold all squares of the proof.

use sixproof_check::{Color, Game, Square};

use super::split_mix::split_mix;

/// A square: column + row × width.
pub(super) type Sq = u16;
/// The number of a segment.
pub(super) type Seg = usize;

const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// The worth of a segment that is still open to Attacker to the search, by his stones in it.
const WORTH: [i64; 7] = [0, 1, 6, 30, 30, 30, 30];

/// The two sides of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// The side that is claimed to win.
    Attacker,
    /// The other side.
    Defender,
}

/// A position without a side to move.
#[derive(Clone)]
pub(super) struct Board {
    game: Game,
    attacker: Color,
    cols: i32,
    rows: i32,
    /// The lower left corner of the window: (0, 0) unless the board is unbounded.
    origin: Square,
    names: Vec<String>,
    segments: Vec<Vec<Sq>>,
    through: Vec<Vec<Seg>>,
    cells: Vec<Option<Role>>,
    attackers: Vec<u8>,
    defenders: Vec<u8>,
    /// The worth of all segments together.
    pub(super) worth: i64,
    /// The number of segments that Defender has completed.
    pub(super) defender_lines: usize,
    /// The number of segments that Defender could complete in one move of p stones.
    defender_threats: usize,
    /// A hash of the stones.
    pub(super) hash: u64,
}

impl Board {
    /// An empty board; `window` is the part of an unbounded board that it covers, as its lower left
    /// corner and its width.
    pub(super) fn new(game: Game, attacker: Color, window: Option<(Square, i32)>) -> Board {
        let (cols, rows, origin) = match window {
            Some((origin, width)) => (width, width, origin),
            None => (game.cols as i32, game.rows as i32, Square { x: 0, y: 0 }),
        };
        let squares = (cols * rows) as usize;
        let mut board = Board {
            game,
            attacker,
            cols,
            rows,
            origin,
            names: Vec::new(),
            segments: Vec::new(),
            through: vec![Vec::new(); squares],
            cells: vec![None; squares],
            attackers: Vec::new(),
            defenders: Vec::new(),
            worth: 0,
            defender_lines: 0,
            defender_threats: 0,
            hash: 0,
        };
        for s in 0..squares as Sq {
            board.names.push(game.square_name(board.square(s)));
            for direction in DIRECTIONS {
                board.add_segment(s, direction);
            }
        }
        board.attackers = vec![0; board.segments.len()];
        board.defenders = vec![0; board.segments.len()];
        board
    }

    fn add_segment(&mut self, start: Sq, (dx, dy): (i32, i32)) {
        let (x, y) = (i32::from(start) % self.cols, i32::from(start) / self.cols);
        let last = self.game.k as i32 - 1;
        let (end_x, end_y) = (x + last * dx, y + last * dy);
        if end_x >= self.cols || !(0..self.rows).contains(&end_y) {
            return;
        }
        let squares = (0..=last).map(|i| (x + i * dx + (y + i * dy) * self.cols) as Sq);
        let squares: Vec<Sq> = squares.collect();
        for &s in &squares {
            self.through[usize::from(s)].push(self.segments.len());
        }
        self.segments.push(squares);
    }

    /// The number of stones in a move.
    pub(super) fn p(&self) -> usize {
        self.game.p as usize
    }

    /// The number of stones in a winning line.
    pub(super) fn k(&self) -> usize {
        self.game.k as usize
    }

    /// The square in the checker's type.
    pub(super) fn square(&self, s: Sq) -> Square {
        let (x, y) = (i32::from(s) % self.cols, i32::from(s) / self.cols);
        Square { x: x + self.origin.x, y: y + self.origin.y }
    }

    /// The number of a square; `None` outside of the window.
    pub(super) fn number(&self, square: Square) -> Option<Sq> {
        let (x, y) = (square.x - self.origin.x, square.y - self.origin.y);
        let inside = (0..self.cols).contains(&x) && (0..self.rows).contains(&y);
        inside.then_some((x + y * self.cols) as Sq)
    }

    /// The squares with these names, separated by spaces.
    pub(super) fn all_named(&self, names: &str) -> Vec<Sq> {
        let number = |name| self.names.iter().position(|n| n == name).expect("a square's name");
        names.split_whitespace().map(|name| number(name) as Sq).collect()
    }

    /// The names of squares, each with a space before it.
    pub(super) fn write_names(&self, out: &mut String, squares: &[Sq]) {
        for &s in squares {
            out.push(' ');
            out.push_str(&self.names[usize::from(s)]);
        }
    }

    /// The two end squares of a segment, joined by a dash.
    pub(super) fn ends(&self, seg: Seg) -> String {
        let squares = &self.segments[seg];
        let name = |s: Sq| &self.names[usize::from(s)];
        format!("{}-{}", name(squares[0]), name(squares[squares.len() - 1]))
    }

    /// The header of a certificate for this position, with this side to move.
    pub(super) fn header(&self, to_move: Role) -> String {
        let Game { cols, rows, k, p, q, .. } = self.game;
        let name = |color: Color| color.title().to_lowercase();
        let color_of = |role| if role == Role::Attacker { self.attacker } else { !self.attacker };
        let mut text = format!("sixproof-certificate 1\ngame {cols} {rows} {k} {p} {q}\n");
        text.push_str(&format!("attacker {}\n", name(self.attacker)));
        for color in [Color::Black, Color::White] {
            text.push_str(&name(color));
            self.write_names(&mut text, &self.stones(color_of, color));
            text.push('\n');
        }
        text.push_str(&format!("to-move {} {p}\n", name(color_of(to_move))));
        text
    }

    fn stones(&self, color_of: impl Fn(Role) -> Color, color: Color) -> Vec<Sq> {
        let stones = self.cells.iter().enumerate();
        stones.filter(|(_, c)| c.map(&color_of) == Some(color)).map(|(s, _)| s as Sq).collect()
    }

    /// Whether the square is empty.
    pub(super) fn is_empty(&self, s: Sq) -> bool {
        self.cells[usize::from(s)].is_none()
    }

    /// The empty squares of a segment.
    pub(super) fn open(&self, seg: Seg) -> Vec<Sq> {
        self.segments[seg].iter().copied().filter(|&s| self.is_empty(s)).collect()
    }

    /// The segments through a square.
    pub(super) fn through(&self, s: Sq) -> &[Seg] {
        &self.through[usize::from(s)]
    }

    /// The segments without a Defender stone in which Attacker has at least this number of stones.
    pub(super) fn attacks(&self, least: usize) -> impl Iterator<Item = Seg> + '_ {
        (0..self.segments.len()).filter(move |&g| self.attack(g).is_some_and(|n| n >= least))
    }

    /// The number of Attacker's stones in a segment without a Defender stone.
    pub(super) fn attack(&self, seg: Seg) -> Option<usize> {
        (self.defenders[seg] == 0).then_some(usize::from(self.attackers[seg]))
    }

    /// Whether Defender, instead of blocking, could complete a segment that misses some threat.
    pub(super) fn is_dangerous(&self, threats: &[Vec<Sq>]) -> bool {
        let least = self.k() - self.p();
        self.defender_threats > 0
            && (0..self.segments.len()).any(|g| {
                let squares = &self.segments[g];
                self.attackers[g] == 0
                    && usize::from(self.defenders[g]) >= least
                    && threats.iter().any(|empties| !empties.iter().any(|s| squares.contains(s)))
            })
    }

    /// Puts a stone on an empty square.
    pub(super) fn place(&mut self, s: Sq, role: Role) {
        assert!(self.cells[usize::from(s)].is_none(), "{} is taken", self.names[usize::from(s)]);
        self.cells[usize::from(s)] = Some(role);
        self.update(s, role, true);
    }

    /// Takes a stone away.
    pub(super) fn take_back(&mut self, s: Sq) {
        let role = self.cells[usize::from(s)].take().expect("a stone to take back");
        self.update(s, role, false);
    }

    fn update(&mut self, s: Sq, role: Role, placed: bool) {
        self.hash ^= split_mix(u64::from(s) * 2 + u64::from(role == Role::Attacker));
        for i in 0..self.through[usize::from(s)].len() {
            let g = self.through[usize::from(s)][i];
            self.count(g, false);
            let stones = match role {
                Role::Attacker => &mut self.attackers[g],
                Role::Defender => &mut self.defenders[g],
            };
            if placed {
                *stones += 1
            } else {
                *stones -= 1
            }
            self.count(g, true);
        }
    }

    /// Adds a segment to the sums over all segments, or removes it from them.
    fn count(&mut self, g: Seg, add: bool) {
        let (attackers, defenders) = (usize::from(self.attackers[g]), self.defenders[g]);
        let worth = if defenders == 0 { WORTH[attackers.min(WORTH.len() - 1)] } else { 0 };
        let defenders = if attackers == 0 { usize::from(defenders) } else { 0 };
        let line = usize::from(defenders == self.k());
        let threat = usize::from(defenders + self.p() >= self.k());
        if add {
            self.worth += worth;
            self.defender_lines += line;
            self.defender_threats += threat;
        } else {
            self.worth -= worth;
            self.defender_lines -= line;
            self.defender_threats -= threat;
        }
    }
}
