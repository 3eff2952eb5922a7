//! An engine thinks about a position within limits, and says why it plays what it plays.
//!
//! ```sh
//! cargo run --release -p sixproof-player --example think
//! ```

use std::error::Error;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use sixproof_certificate::{Claim, certify};
use sixproof_game::{Game, Position};
use sixproof_player::{Engine, Limits, Score, Settings, Style, ThinkWatch, Thought};

/// What an engine asks the world: it never reads a clock itself.
struct World {
    /// When the engine began to think about its move.
    started: Instant,
    /// Another thread sets it when the move is wanted now.
    stop: AtomicBool,
}

impl ThinkWatch for World {
    fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The best move so far: a program may show it.
    fn report(&self, _thought: &Thought) {}
}

/// Two engines of different styles play until one of them has a proof that it wins.
pub(crate) fn run(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    // With one thread, a seed and limits in nodes, a game repeats on every machine. With limits of
    // time (`soft`, `hard`) it plays as well as the machine can.
    let limits = Limits { nodes: Some(2_000), ..Limits::default() };
    let settings = Settings { book: false, ..Settings::default() };
    let mut engines = [Style::Sixproof, Style::Greedy]
        .map(|style| Engine::new(Settings { style, ..settings.clone() }));

    let game: Game = "gomoku".parse()?;
    let mut position = Position::new(game);
    for turn in 0.. {
        let world = World { started: Instant::now(), stop: AtomicBool::new(false) };
        let thought = engines[turn % 2].think(&position, &limits, &world);
        let names = game.square_names(&thought.squares);
        let (color, reason) = (position.to_move(), thought.reason);
        writeln!(out, "{color} {names}: {reason:?}")?;

        // `Score::Win` comes with a certificate. Announce nothing before the checker accepts it.
        if let (Score::Win, Some(proof)) = (thought.score, &thought.proof) {
            let certified = certify(&Claim::new(&position, color), &proof.certificate)?;
            writeln!(out, "{color} wins by force: {} nodes verified", certified.counts().nodes)?;
            return Ok(());
        }
        for square in thought.squares {
            position.place(square)?;
        }
        if position.winner().is_some() || position.is_full() {
            break;
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut io::stdout())
}
