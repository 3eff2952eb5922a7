//! Two random players, and their game as SGF.
//!
//! ```sh
//! cargo run -p sixproof-game --example random_game -- 7 > game.sgf    # the seed
//! cargo run --release -- show game.sgf
//! ```

use std::error::Error;
use std::io::{self, Write};

use sixproof_game::repeatable::mix;
use sixproof_game::{Game, Position, Record, Square, sgf};

/// Plays a game of random stones, and writes it.
pub(crate) fn run(game: Game, seed: u64, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let mut position = Position::new(game);

    // A record is a tree of nodes. Ours is a line: each stone is a child of the one before.
    let mut record = Record::new(game);
    record.info.push(("PB".to_string(), "random".to_string()));
    record.info.push(("PW".to_string(), "random".to_string()));
    let mut node = 0;

    // `mix` gives the same numbers on every machine.
    let mut random = seed;
    let mut empty: Vec<Square> = game.squares().collect();
    while position.winner().is_none() && !position.is_full() {
        let square = empty.swap_remove((mix(&mut random) % empty.len() as u64) as usize);
        let color = position.to_move();
        position.place(square)?;
        node = record.add_stone(node, color, square);
    }

    // Texts go with any node: here a comment, and a mark on each square of the winning line.
    let result = match position.winner() {
        Some(color) => format!("{} wins after {} stones", color.title(), position.stones().count()),
        None => "The board is full".to_string(),
    };
    record.node_mut(node).comment = result;
    let line = position.winning_squares();
    record.node_mut(node).labels = line.into_iter().map(|s| (s, "*".to_string())).collect();

    // SGF, as it is written here, is read by other programs, and by `sgf::read` as the same record.
    out.write_all(&sgf::from_record(&record).write())?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let seed = std::env::args().nth(1).map_or(Ok(7), |text| text.parse())?;
    run("9,9,5,2,1".parse()?, seed, &mut io::stdout())
}
