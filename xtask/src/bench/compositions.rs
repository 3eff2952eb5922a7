//! The composed positions, found by a random search with the generator itself: small groups of
//! stones without a threat that win whatever Defender plays.

use sixproof_check::{Color, Game, Square};

use super::board::{Board, Role};

/// A position with Defender to move.
#[derive(Clone, Copy)]
pub(super) struct Composition {
    cols: u32,
    rows: u32,
    k: u32,
    p: u32,
    attacker: Color,
    attackers: &'static str,
    defenders: &'static str,
}

/// The window of an unbounded board: larger than the proofs of a group in its middle need. It lies
/// so that the squares have the same coordinates as on a 19 x 19 board.
const WINDOW: (Square, i32) = (Square { x: -16, y: -16 }, 51);

const CONNECT6: Composition = Composition {
    cols: 19,
    rows: 19,
    k: 6,
    p: 2,
    attacker: Color::Black,
    attackers: "",
    defenders: "",
};

/// H8 K8 J9 J10 win against any move (10,000 nodes). Here with two blocked fours in the corners,
/// which Defender must answer first: see [`CORNER_BLOCKS`].
pub(super) const EXCHANGE_FOUR: Composition = Composition {
    attackers: "H8 K8 J9 J10 A1 B1 C1 D1 G1 A19 B19 C19 D19 G19",
    defenders: "G11 I12",
    ..CONNECT6
};

/// The same without J10, which Attacker is still to play.
pub(super) const EXCHANGE: Composition = Composition {
    attackers: "H8 K8 J9 A1 B1 C1 D1 G1 A19 B19 C19 D19 G19",
    defenders: "G11 I12",
    ..CONNECT6
};

/// Defender must answer both fours: these squares hold all his four moves.
pub(super) const CORNER_BLOCKS: &str = "E1 F1 E19 F19";

/// After the exchange in the corners Attacker plays the missing J10 and any other stone. A stone of
/// little use leaves much to prove.
pub(super) const QUIET_MOVES: [&str; 14] = [
    "J10 M13", "J10 F6", "J10 N9", "J10 E9", "J10 M5", "J10 C10", "J10 P10", "J10 J15", "J10 J4",
    "J10 G15", "J10 N14", "J10 E5", "J10 P4", "J10 D14",
];

/// Five stones with a proof of 2,000 nodes.
pub(super) const FIVE: Composition =
    Composition { attackers: "H11 J11 L11 J12 K12", defenders: "G7 H10 M12", ..CONNECT6 };

/// Six stones with a proof of 1,200 nodes.
pub(super) const SIX: Composition =
    Composition { attackers: "L8 I9 K9 L9 H11 K11", defenders: "I7 K8 M10 G13", ..CONNECT6 };

/// Five stones with a proof of 400 nodes.
pub(super) const CLOSE_FIVE: Composition =
    Composition { attackers: "I9 J9 K9 H10 H11", defenders: "I7 M12 K13", ..CONNECT6 };

/// Go-Moku: eight stones that win by fours, whatever Defender plays.
pub(super) const GO_MOKU: Composition = Composition {
    cols: 15,
    rows: 15,
    k: 5,
    p: 1,
    attacker: Color::Black,
    attackers: "E6 G6 I6 F8 I8 E10 G10 H10",
    defenders: "G4 I4 H5 J8 D10 F11 H11",
};

impl Composition {
    /// The same with the colours exchanged.
    pub(super) fn for_white(self) -> Composition {
        Composition { attacker: Color::White, ..self }
    }

    /// The board with its stones.
    pub(super) fn board(&self) -> Board {
        let Composition { cols, rows, k, p, attacker, .. } = *self;
        self.set_up(Board::new(Game { cols, rows, k, p, q: 1, exact: false }, attacker, None))
    }

    /// The same stones on an unbounded board.
    pub(super) fn unbounded_board(&self) -> Board {
        let Composition { k, p, attacker, .. } = *self;
        let game = Game { cols: 0, rows: 0, k, p, q: 1, exact: false };
        self.set_up(Board::new(game, attacker, Some(WINDOW)))
    }

    fn set_up(&self, mut board: Board) -> Board {
        let names = Board::new(
            Game { cols: self.cols, rows: self.rows, k: self.k, p: self.p, q: 1, exact: false },
            self.attacker,
            None,
        );
        for (list, role) in [(self.attackers, Role::Attacker), (self.defenders, Role::Defender)] {
            for s in names.all_named(list) {
                let s = board.number(names.square(s)).expect("a window that holds the position");
                board.place(s, role);
            }
        }
        board
    }
}
