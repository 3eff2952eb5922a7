//! The claim of a certificate.

use std::fmt;

use sixproof_game::{Color, Game, Position, Square};

use crate::checked::{color, square};

/// The claim of a certificate: `attacker` wins from `position`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The position, with the side to move and the stones it has left.
    pub position: Position,
    /// The side that wins.
    pub attacker: Color,
}

impl Claim {
    /// The claim that a side wins from a position.
    pub fn new(position: &Position, attacker: Color) -> Claim {
        Claim { position: position.clone(), attacker }
    }

    /// Whether Attacker is to move.
    pub fn attacker_moves(&self) -> bool {
        self.position.to_move() == self.attacker
    }

    /// The claim that the other side wins.
    pub fn of_the_other_side(&self) -> Claim {
        Claim { attacker: !self.attacker, ..self.clone() }
    }
}

/// Why a claim that the checker read is not a position of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoPosition(String);

impl fmt::Display for NoPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoPosition {}

/// A claim as the checker reads it.
impl TryFrom<&sixproof_check::Claim> for Claim {
    type Error = NoPosition;

    fn try_from(claim: &sixproof_check::Claim) -> Result<Claim, NoPosition> {
        let sixproof_check::Game { cols, rows, k, p, q, exact } = claim.game;
        let game =
            Game::new(cols, rows, k, p, q, exact).map_err(|error| NoPosition(error.to_string()))?;
        let squares = |list: &[sixproof_check::Square]| -> Vec<Square> {
            list.iter().map(|&checked| square(checked)).collect()
        };
        let (black, white) = (squares(&claim.black), squares(&claim.white));
        let position = Position::set_up(game, &black, &white, color(claim.to_move), claim.stones)
            .map_err(|error| NoPosition(error.to_string()))?;
        Ok(Claim { position, attacker: color(claim.attacker) })
    }
}
