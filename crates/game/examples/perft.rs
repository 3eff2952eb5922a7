//! Perft: in how many ways can the first stones of a game be placed? Compare the counts with those
//! of your own rules: a mistake in either shows within a few stones.
//!
//! ```sh
//! cargo run -p sixproof-game --example perft -- 5,5,4,2,1 4    # which game, and how many stones
//! ```

use std::error::Error;
use std::io::{self, Write};

use sixproof_game::{Game, Position, Square};

/// The number of games of `depth` stones from here on. A game that is over has no more stones.
fn perft(position: &Position, squares: &[Square], depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut games = 0;
    for &square in squares {
        // A position is cheap to copy. `place` refuses occupied squares, and every square once a
        // side has won; it ends the move after the last stone of the move.
        let mut next = position.clone();
        if next.place(square).is_ok() {
            games += perft(&next, squares, depth - 1);
        }
    }
    games
}

/// Writes one line for each number of stones.
pub(crate) fn run(game: &str, depth: u32, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    // A game is a name (`connect6`, `gomoku`, `tic-tac-toe`), or the five parameters m,n,k,p,q.
    let game: Game = game.parse()?;
    let squares: Vec<Square> = game.squares().collect();
    for stones in 1..=depth {
        writeln!(out, "{game} {stones} {}", perft(&Position::new(game), &squares, stones))?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let game = arguments.next().unwrap_or("tic-tac-toe".to_string());
    let depth = arguments.next().map_or(Ok(6), |text| text.parse())?;
    run(&game, depth, &mut io::stdout())
}
