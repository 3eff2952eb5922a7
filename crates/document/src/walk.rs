//! The rules, step by step and back again: stones, whose turn it is and who has won, kept up to
//! date while a tree is walked.
//!
//! It gives the same answers as [`sixproof_game::Replay`] (a test compares them), which makes a
//! position; here every step reads a few squares of the board, and can be taken back.

use std::collections::HashMap;

use sixproof_game::{
    COORDINATE_MAX, Color, DIRECTIONS, Game, IllegalStone, Node, SetupError, Square,
};

/// Whether a square can have a stone, and a name that can be read again.
pub(crate) fn on_board(game: Game, square: Square) -> bool {
    let near = |c: i32| (-COORDINATE_MAX..=COORDINATE_MAX).contains(&c);
    near(square.x) && near(square.y) && game.contains(square)
}

/// The stones.
#[derive(Clone, Debug)]
enum Cells {
    Bounded { cols: i32, rows: i32, cells: Vec<Option<Color>> },
    Unbounded(HashMap<Square, Color>),
}

impl Cells {
    fn new(game: Game) -> Cells {
        match game.area() {
            // Boards have at most 59 columns and rows.
            Some(area) => Cells::Bounded {
                cols: game.cols() as i32,
                rows: game.rows() as i32,
                cells: vec![None; area],
            },
            None => Cells::Unbounded(HashMap::new()),
        }
    }

    fn at(&self, square: Square) -> Option<Color> {
        match self {
            Cells::Bounded { cols, rows, cells } => {
                let inside = (0..*cols).contains(&square.x) && (0..*rows).contains(&square.y);
                if inside { cells[(square.y * cols + square.x) as usize] } else { None }
            }
            Cells::Unbounded(stones) => stones.get(&square).copied(),
        }
    }

    fn put(&mut self, square: Square, content: Option<Color>) {
        match self {
            Cells::Bounded { cols, cells, .. } => {
                cells[(square.y * *cols + square.x) as usize] = content;
            }
            Cells::Unbounded(stones) => {
                match content {
                    Some(color) => stones.insert(square, color),
                    None => stones.remove(&square),
                };
            }
        }
    }
}

/// The state of the game, except for the stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TurnState {
    pub(crate) to_move: Color,
    pub(crate) left: u32,
    pub(crate) winner: Option<Color>,
    /// The number of the last move.
    pub(crate) turn: u32,
    /// Stones of Black and White.
    counts: [usize; 2],
    /// Rows of Black and White that win.
    wins: [u32; 2],
    /// Whether the last move can go on.
    under_way: bool,
    /// Stones that were left in the move that won.
    spare: u32,
    /// Whether nothing was played since a set-up.
    set_up: bool,
}

/// A square that changed, its content before and its content now.
pub(crate) type Changed = (Square, Option<Color>, Option<Color>);

/// A position with the way back.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    game: Game,
    cells: Cells,
    state: TurnState,
    changes: Vec<Changed>,
    /// The state before each step, and the count of changes then.
    steps: Vec<(TurnState, usize)>,
}

fn side(color: Color) -> usize {
    match color {
        Color::Black => 0,
        Color::White => 1,
    }
}

impl Walk {
    pub(crate) fn new(game: Game) -> Walk {
        let state = TurnState {
            to_move: Color::Black,
            left: game.q(),
            winner: None,
            turn: 0,
            counts: [0; 2],
            wins: [0; 2],
            under_way: false,
            spare: 0,
            set_up: false,
        };
        Walk { game, cells: Cells::new(game), state, changes: Vec::new(), steps: Vec::new() }
    }

    pub(crate) fn state(&self) -> TurnState {
        self.state
    }

    pub(crate) fn at(&self, square: Square) -> Option<Color> {
        self.cells.at(square)
    }

    /// The number of steps taken.
    pub(crate) fn depth(&self) -> usize {
        self.steps.len()
    }

    /// The changes of the last step.
    pub(crate) fn changed(&self) -> &[Changed] {
        &self.changes[self.steps.last().map_or(0, |step| step.1)..]
    }

    /// Begins a step.
    pub(crate) fn step(&mut self) {
        self.steps.push((self.state, self.changes.len()));
    }

    /// Takes steps back.
    pub(crate) fn back_to(&mut self, depth: usize) {
        while self.steps.len() > depth
            && let Some((state, count)) = self.steps.pop()
        {
            for (square, before, _) in self.changes.drain(count..).rev() {
                self.cells.put(square, before);
            }
            self.state = state;
        }
    }

    /// Whether a further stone of this side belongs to the move that was last played.
    pub(crate) fn goes_on(&self, color: Color) -> bool {
        match self.state.winner {
            Some(winner) => winner == color && self.state.spare > 0,
            None => self.state.under_way && self.state.to_move == color,
        }
    }

    /// Whether the position came from a set-up.
    pub(crate) fn is_set_up(&self) -> bool {
        self.state.set_up
    }

    /// Takes a whole node as one step. The nodes of documents are legal; an illegal stone is left
    /// out.
    pub(crate) fn node(&mut self, node: &Node) {
        self.step();
        if !node.setup.is_empty() || node.left.is_some() {
            self.set_up(&node.setup, node.player, node.left);
        } else if let Some(player) = node.player {
            self.player(player);
        }
        for &(color, square) in &node.stones {
            let placed = self.stone(color, square);
            debug_assert!(placed.is_ok(), "{placed:?}");
        }
    }

    /// Sets up a position. Squares off the board are left out.
    pub(crate) fn set_up(
        &mut self,
        setup: &[(Square, Option<Color>)],
        player: Option<Color>,
        left: Option<u32>,
    ) {
        let game = self.game;
        for &(square, content) in setup.iter().filter(|s| on_board(game, s.0)) {
            self.put(square, content);
        }
        let [black, white] = self.state.counts;
        let (to_move, usual) = self.game.turn_after(black, white, player);
        let (p, q) = (self.game.p(), self.game.q());
        let most = match (to_move, black, white) {
            (Color::Black, 0, 0) => q,
            (Color::Black, _, 0) => p.max(q),
            _ => p,
        };
        let left = left.filter(|left| (1..=most).contains(left)).unwrap_or(usual);
        let won = |&color: &Color| self.state.wins[side(color)] > 0;
        let winner = [Color::Black, Color::White].into_iter().find(won);
        let (turn, under_way, spare, set_up) = (0, false, 0, true);
        self.state =
            TurnState { to_move, left, winner, turn, under_way, spare, set_up, ..self.state };
    }

    /// Sets the side to move, which is a pass if the other side was to move.
    pub(crate) fn player(&mut self, player: Color) {
        // The move that won is over, even if it had stones left.
        self.state.spare = 0;
        if self.state.set_up {
            self.set_up(&[], Some(player), None);
        } else if self.state.to_move != player {
            self.pass();
        }
    }

    /// The stones that a side has when the other one has passed.
    pub(crate) fn left_after_pass(&self, player: Color) -> u32 {
        let is_first = player == Color::Black && self.state.counts == [0; 2];
        if is_first { self.game.q() } else { self.game.p() }
    }

    fn pass(&mut self) {
        self.state.to_move = !self.state.to_move;
        self.state.left = self.left_after_pass(self.state.to_move);
        self.state.under_way = false;
    }

    /// Places a stone of either side. Nothing changes if the rules do not allow it.
    pub(crate) fn stone(&mut self, color: Color, square: Square) -> Result<(), IllegalStone> {
        let before = self.state;
        if let Some(winner) = before.winner
            && (winner != color || before.spare == 0)
        {
            return Err(IllegalStone::GameOver(winner));
        }
        if !on_board(self.game, square) {
            return Err(IllegalStone::OffBoard(square));
        }
        if let Some(taken) = self.at(square) {
            return Err(IllegalStone::Occupied(square, taken));
        }
        self.state.set_up = false;
        if before.winner.is_some() {
            self.put(square, Some(color));
            if self.state.wins[side(color)] == 0 {
                self.cells.put(square, None);
                self.changes.pop();
                self.state = before;
                return Err(IllegalStone::GameOver(color));
            }
            self.state.spare -= 1;
            return Ok(());
        }
        if before.to_move != color {
            self.pass();
        }
        let left = self.state.left;
        self.put(square, Some(color));
        if !self.state.under_way {
            self.state.turn += 1;
        }
        if self.state.wins[side(color)] > 0 {
            self.state.winner = Some(color);
            self.state.spare = left - 1;
        }
        self.state.left -= 1;
        if self.state.left == 0 || self.state.winner.is_some() {
            self.pass();
        }
        self.state.under_way = left > 1;
        Ok(())
    }

    fn put(&mut self, square: Square, content: Option<Color>) {
        let before = self.at(square);
        if before == content {
            return;
        }
        self.count_wins(square, before, content);
        self.cells.put(square, content);
        if let Some(color) = before {
            self.state.counts[side(color)] -= 1;
        }
        if let Some(color) = content {
            self.state.counts[side(color)] += 1;
        }
        self.changes.push((square, before, content));
    }

    /// Updates the counts of winning rows for a square that changes. Only rows that have the square
    /// or end beside it can change.
    fn count_wins(&mut self, square: Square, before: Option<Color>, after: Option<Color>) {
        for (dx, dy) in DIRECTIONS {
            let arms = [(dx, dy), (-dx, -dy)].map(|direction| {
                let color = self.at(square.step(direction, 1))?;
                Some((color, self.arm(square, direction, color)))
            });
            for (here, sign) in [(before, false), (after, true)] {
                let mut own = 1;
                for (color, arm) in arms.into_iter().flatten() {
                    if here == Some(color) {
                        own += arm;
                    } else if self.wins(arm) {
                        self.add_win(color, sign);
                    }
                }
                if let Some(color) = here
                    && self.wins(own)
                {
                    self.add_win(color, sign);
                }
            }
        }
    }

    fn add_win(&mut self, color: Color, comes: bool) {
        let count = &mut self.state.wins[side(color)];
        if comes {
            *count += 1;
        } else {
            *count -= 1;
        }
    }

    /// The number of stones of a side that follow in a direction, up to one more than win.
    fn arm(&self, square: Square, direction: (i32, i32), color: Color) -> u32 {
        let most = self.game.k() + 1;
        // The caller has seen the first stone.
        let mut count = 1;
        let mut at = square.step(direction, 1);
        while count < most {
            at = at.step(direction, 1);
            if self.at(at) != Some(color) {
                break;
            }
            count += 1;
        }
        count
    }

    fn wins(&self, row: u32) -> bool {
        if self.game.exact() { row == self.game.k() } else { row >= self.game.k() }
    }
}

/// The set-up that changes the present position into a given one.
pub(crate) fn whole_position(
    walk: &mut Walk,
    black: &[Square],
    white: &[Square],
    (to_move, left): (Color, u32),
    stones_before: impl Iterator<Item = Square>,
) -> Result<Node, SetupError> {
    let game = walk.game;
    sixproof_game::Position::set_up(game, black, white, to_move, left)?;
    let mut node = Node::default();
    let sides = [(Color::Black, black), (Color::White, white)];
    let mut wanted: HashMap<Square, Color> = HashMap::new();
    for (color, squares) in sides {
        for &square in squares {
            wanted.insert(square, color);
            if walk.at(square) != Some(color) {
                node.setup.push((square, Some(color)));
            }
        }
    }
    let emptied = stones_before.filter(|square| !wanted.contains_key(square));
    node.setup.extend(emptied.map(|square| (square, None)));
    node.player = Some(to_move);
    // `left` is set only where it does not follow from the stone counts.
    let depth = walk.depth();
    walk.node(&node);
    let now = walk.state();
    walk.back_to(depth);
    if (now.to_move, now.left) != (to_move, left) {
        node.left = Some(left);
    }
    Ok(node)
}
