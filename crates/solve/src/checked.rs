//! What the trusted checker read, in the types of the rest of the system.

use std::io::{self, BufReader};
use std::path::Path;

use sixproof_check::{Claim, Refusal, RootZone, Verified, Watch};
use sixproof_game::picture::ZoneLayers;
use sixproof_game::{Color, Game, Position, Square};

use crate::failure::{Failure, Result};
use crate::files;

/// Runs the checker on a file, plain or compressed, or on standard input.
pub fn check_with(file: &Path, watch: &mut dyn Watch) -> std::result::Result<Verified, Refusal> {
    if file != Path::new("-") {
        return sixproof_check::check(|| files::open(file), watch);
    }
    match files::unpacked(BufReader::new(io::stdin())) {
        Ok(input) => sixproof_check::check_pipe(input, watch),
        Err(error) => {
            sixproof_check::check(|| Err::<&[u8], _>(io::Error::other(error.to_string())), watch)
        }
    }
}

/// The position of a claim, as the checker read it.
pub fn position_of(claim: &Claim) -> Result<Position> {
    let game = claim.game;
    let game = Game::new(game.cols, game.rows, game.k, game.p, game.q, game.exact);
    let game = game.map_err(|e| Failure::new(e.to_string()))?;
    let squares = |list: &[sixproof_check::Square]| list.iter().map(square).collect::<Vec<_>>();
    let (black, white) = (squares(&claim.black), squares(&claim.white));
    Position::set_up(game, &black, &white, color(claim.to_move), claim.stones)
        .map_err(|e| Failure::new(e.to_string()))
}

/// The two layers of a zone that are drawn.
pub fn layers(zone: &RootZone) -> ZoneLayers {
    ZoneLayers {
        solid: zone.first_layer().iter().map(square).collect(),
        hatched: zone.second_layer().iter().map(square).collect(),
    }
}

/// A square, as the checker has it.
pub fn square(square: &sixproof_check::Square) -> Square {
    Square::new(square.x, square.y)
}

/// A side, as the checker has it.
pub fn color(color: sixproof_check::Color) -> Color {
    match color {
        sixproof_check::Color::Black => Color::Black,
        sixproof_check::Color::White => Color::White,
    }
}
