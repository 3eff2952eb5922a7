//! Claims and certificates as a symmetry of the board moves them.

use std::fmt;
use std::io;

use sixproof_game::{Game, Square, Symmetry};

use crate::{Claim, ReadError, Reader, Step, Writer};

/// A certificate that a symmetry has moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// The claim of the original.
    pub original: Claim,
    /// The moved certificate. It may be wrong as the original may; comments are lost.
    pub certificate: Vec<u8>,
    /// The number of its nodes.
    pub nodes: u64,
}

/// Why a symmetry cannot move a claim or a certificate.
#[derive(Debug)]
pub enum MoveError {
    /// A square would leave the board or the range of coordinates.
    TooFar,
    /// The certificate cannot be read.
    Unreadable(ReadError),
    /// The certificate cannot be written.
    Unwritable(io::Error),
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveError::TooFar => f.write_str("a square would leave the board"),
            MoveError::Unreadable(error) => error.fmt(f),
            MoveError::Unwritable(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for MoveError {}

impl Claim {
    /// The claim about the position with every stone moved.
    pub fn moved(&self, symmetry: &Symmetry) -> Result<Claim, MoveError> {
        let position = symmetry.position(&self.position).ok_or(MoveError::TooFar)?;
        Ok(Claim { position, attacker: self.attacker })
    }
}

/// Moves a certificate, step by step.
pub fn moved(certificate: &[u8], symmetry: &Symmetry) -> Result<Moved, MoveError> {
    let mut reader = Reader::new(certificate).map_err(MoveError::Unreadable)?;
    let original = reader.claim().clone();
    let game = original.position.game();
    let claim = original.moved(symmetry)?;
    let mut writer = Writer::new(Vec::with_capacity(certificate.len()), &claim)
        .map_err(MoveError::Unwritable)?;
    while let Some((_, step)) = reader.next_step().map_err(MoveError::Unreadable)? {
        let step = moved_step(step, game, symmetry).ok_or(MoveError::TooFar)?;
        writer.step(&step).map_err(MoveError::Unwritable)?;
    }
    let nodes = writer.nodes();
    let certificate = writer.finish().map_err(MoveError::Unwritable)?;
    Ok(Moved { original, certificate, nodes })
}

fn moved_step(step: Step, game: Game, symmetry: &Symmetry) -> Option<Step> {
    let square = |square: Square| symmetry.on_board(game, square);
    let squares = |list: &[Square]| list.iter().map(|&s| square(s)).collect::<Option<Vec<_>>>();
    Some(match step {
        Step::Win { squares: s } => Step::Win { squares: squares(&s)? },
        Step::Attack { squares: s } => Step::Attack { squares: squares(&s)? },
        Step::Reply { squares: s, slack } => Step::Reply { squares: squares(&s)?, slack },
        Step::Defence { relies_on: Some(threats), replies } => {
            let ends = |[a, b]: [Square; 2]| Some([square(a)?, square(b)?]);
            let threats = threats.into_iter().map(ends).collect::<Option<_>>()?;
            Step::Defence { relies_on: Some(threats), replies }
        }
        step @ (Step::Defence { .. } | Step::Mark | Step::Reference { .. }) => step,
    })
}
