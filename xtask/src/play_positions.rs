//! `cargo xtask play-positions`: makes the positions of `suite/play` anew, on which the player is
//! tested: positions from fast games of its styles against each other.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use sixproof_game::repeatable::mix;
use sixproof_game::{Game, Move, Position, Square};
use sixproof_player::{Engine, Limits, Settings, Style, Unwatched};

use crate::options;

const HELP: &str = "\
Makes suite/play/positions.txt anew: positions of Connect6 from fast games of the player's styles.

Usage: cargo xtask play-positions [OPTIONS]

Options:
  --count N    positions [default: 500]
  --seed N     of the games [default: 1]
  -h, --help   this text
";

const FILE: &str = "suite/play/positions.txt";
const HEAD: &str = "\
# Positions of Connect6 from fast games of the player's styles against each other, as moves; made
# by `cargo xtask play-positions`.
";
const GAME: Game = Game::CONNECT6;
/// The styles that play, and the nodes of their moves. A style that overlooks threats is among
/// them, so that there are wins to find and dangers to see.
const PLAYERS: [(Style, u64); 4] =
    [(Style::Sixproof, 400), (Style::Nctu6, 400), (Style::Greedy, 1), (Style::Sixproof, 1_500)];
/// The columns and rows of the square around Black's stone in which White's first stones lie.
const OPENING_SIZE: u64 = 7;
/// The number of positions of which one is taken.
const ONE_IN: u64 = 3;
/// The number of moves after which a game ends.
const MOVES_MAX: usize = 60;
/// The size of an engine's table in bytes.
const MEMORY: u64 = 1 << 20;

/// Runs `cargo xtask play-positions …`, with the words after it.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    options::run("play-positions", HELP, arguments, parse, |&(count, seed)| write(count, seed))
}

fn parse(arguments: &[String]) -> Result<(usize, u64), String> {
    let (mut count, mut seed) = (500, 1);
    for setting in options::settings(arguments) {
        let setting = setting?;
        match setting.name {
            "--count" => count = setting.parse()?,
            "--seed" => seed = setting.parse()?,
            _ => return Err(setting.unknown()),
        }
    }
    Ok((count, seed))
}

fn write(count: usize, seed: u64) -> Result<bool, String> {
    let mut text = String::from(HEAD);
    for moves in positions(count, seed) {
        text.push_str(&moves);
        text.push('\n');
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(FILE);
    fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    Ok(true)
}

/// This number of different positions, as moves.
fn positions(count: usize, seed: u64) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut positions = Vec::new();
    for number in 0.. {
        for (moves, position) in one_game(number, seed) {
            if positions.len() == count {
                return positions;
            }
            if seen.insert(position.stones().collect::<Vec<_>>()) {
                positions.push(moves);
            }
        }
    }
    positions
}

/// Some positions of a game, each at the beginning of a move.
fn one_game(number: u64, seed: u64) -> Vec<(String, Position)> {
    let mut state = seed.wrapping_add(number << 20);
    let pairing = (number % 16) as usize;
    let players = [PLAYERS[pairing / 4], PLAYERS[pairing % 4]];
    let mut players = players.map(|(style, nodes)| {
        let seed = mix(&mut state);
        let settings = Settings { style, seed, book: false, memory: MEMORY, ..Settings::default() };
        (Engine::new(settings), Limits { nodes: Some(nodes), ..Limits::default() })
    });
    let mut position = Position::new(GAME);
    let mut moves: Vec<Move> = Vec::new();
    let mut taken = Vec::new();
    for turn in 0..MOVES_MAX {
        let squares = match turn {
            0 => vec![Square::new(9, 9)],
            1 => opening(&mut state),
            _ => {
                let (engine, limits) = &mut players[turn % 2];
                engine.think(&position, limits, &Unwatched).squares
            }
        };
        position.play(&squares).expect("an engine plays legal moves");
        moves.push(squares.into());
        if position.is_over() {
            break;
        }
        if mix(&mut state).is_multiple_of(ONE_IN) {
            let names: Vec<String> = moves.iter().map(|stones| GAME.square_names(stones)).collect();
            taken.push((names.join(" / "), position.clone()));
        }
    }
    taken
}

/// White's first move: two stones near the middle.
fn opening(state: &mut u64) -> Vec<Square> {
    let mut squares: Vec<Square> = Vec::new();
    while squares.len() < 2 {
        let mut at = || 9 + (mix(state) % OPENING_SIZE) as i32 - OPENING_SIZE as i32 / 2;
        let square = Square::new(at(), at());
        if square != Square::new(9, 9) && !squares.contains(&square) {
            squares.push(square);
        }
    }
    squares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_positions() {
        assert_eq!(positions(12, 3), positions(12, 3));
        assert_ne!(positions(12, 3), positions(12, 4));
    }
}
