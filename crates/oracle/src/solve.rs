//! The truth: exhaustive minimax.
//!
//! One question, answered by trying everything: can `attacker` force a row from this position?
//! Positions are remembered with their side to move *and* the stones left in the move. There are
//! only two shortcuts: a side without a single open segment cannot win any more, and a side that
//! can complete a row in the move at hand does so.

use std::collections::HashMap;

use crate::rules::{Color, Game, Position, Rules, squares};

/// The value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// Black wins.
    Black,
    /// White wins.
    White,
    /// Neither side can force a row.
    Draw,
}

/// A minimax search with its memory.
#[derive(Debug)]
pub struct Solver {
    /// The game that is solved.
    pub rules: Rules,
    known: HashMap<(Position, Color), bool>,
}

impl Solver {
    /// A solver without memories.
    pub fn new(rules: Rules) -> Solver {
        Solver { rules, known: HashMap::new() }
    }

    /// The value of a position with best play of both sides.
    pub fn value(&mut self, position: &Position) -> Value {
        if self.wins(Color::Black, position) {
            Value::Black
        } else if self.wins(Color::White, position) {
            Value::White
        } else {
            Value::Draw
        }
    }

    /// Whether `attacker` wins. A row that is already on the board decides.
    pub fn wins(&mut self, attacker: Color, position: &Position) -> bool {
        let defender = attacker.other();
        if self.rules.has_line(defender, position.stones(defender)) {
            return false;
        }
        self.rules.has_line(attacker, position.stones(attacker)) || self.search(attacker, position)
    }

    /// The search; neither side has a row.
    fn search(&mut self, attacker: Color, position: &Position) -> bool {
        if !self.rules.has_hope(attacker, position) {
            return false;
        }
        let side = position.to_move;
        if !self.rules.completions(side, position, position.left).is_empty() {
            return side == attacker;
        }
        if let Some(&known) = self.known.get(&(*position, attacker)) {
            return known;
        }
        // No stone of this move completes a row, so the game goes on after each of them; a full
        // board is a draw. Attacker looks for one good stone, Defender for one that spoils.
        let empties = squares(self.rules.empties(position));
        let mut wins = side != attacker && !empties.is_empty();
        for square in empties {
            let next = self.rules.place(position, square);
            if self.search(attacker, &next) == (side == attacker) {
                wins = side == attacker;
                break;
            }
        }
        self.known.insert((*position, attacker), wins);
        wins
    }

    /// The number of positions that are remembered.
    pub fn known_count(&self) -> usize {
        self.known.len()
    }
}

/// Solvers of many games, made when they are needed.
#[derive(Debug, Default)]
pub struct Solvers {
    solvers: HashMap<(Game, Kind), Solver>,
}

/// The side whose rows count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Real,
    Granting(Color),
    Powerless(Color),
}

impl Solvers {
    /// The game itself.
    pub fn real(&mut self, game: Game) -> &mut Solver {
        self.solver(game, Kind::Real, || Rules::new(game))
    }

    /// The game in which `side` wins with overlines even under the exact rule.
    pub fn granting(&mut self, game: Game, side: Color) -> &mut Solver {
        self.solver(game, Kind::Granting(side), || Rules::granting_overlines(game, side))
    }

    /// The game in which `side` never wins.
    pub fn powerless(&mut self, game: Game, side: Color) -> &mut Solver {
        self.solver(game, Kind::Powerless(side), || Rules::powerless(game, side))
    }

    fn solver(&mut self, game: Game, kind: Kind, rules: impl Fn() -> Rules) -> &mut Solver {
        self.solvers.entry((game, kind)).or_insert_with(|| Solver::new(rules()))
    }
}
