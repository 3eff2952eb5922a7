//! Prove that a position is won, and believe it only when the checker has accepted the proof.
//!
//! ```sh
//! cargo run --release -p sixproof-prover --example prove
//! ```

use std::error::Error;
use std::io::{self, Write};

use sixproof_certificate::{Claim, certify};
use sixproof_game::{Game, Position, moves};
use sixproof_prover::prove::{Options, Outcome, Progress, prove};
use sixproof_prover::stop::break_if;

/// Searches a win of the side to move, and writes what comes of it.
fn search(position: &Position, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let game = position.game();
    let attacker = position.to_move();
    let claim = Claim::new(position, attacker);

    // The budget is in nodes, so that the answer is the same on every machine. `order_max` says how
    // free Defender's replies may be: 1 is a win by threats alone that force every reply.
    let options = Options { order_max: 2, nodes_max: 100_000, ..Options::default() };

    // The search reports after every step, and stops when `watch` breaks: look at the clock there,
    // or at a flag that another thread sets.
    let mut steps = 0;
    let mut watch = |_: &Progress| {
        steps += 1;
        break_if(steps > 1_000_000)
    };

    let report = prove(&claim, &options, &mut watch);
    write!(out, "{game}, {attacker}: {} nodes, ", report.counts.nodes)?;
    match report.outcome {
        // Bytes and a line of play. Nothing is proved yet.
        Outcome::Proved { certificate, line, .. } => {
            let certified = certify(&claim, &certificate)?;
            let names: Vec<String> = line.iter().map(|m| game.square_names(m)).collect();
            writeln!(out, "proved with order {}: {}", report.order, names.join(" / "))?;
            writeln!(out, "the checker verified {} nodes", certified.counts().nodes)?;
        }
        // Every strategy up to the order was tried. Not a proof of anything, but worth keeping.
        Outcome::NoWin => writeln!(out, "no win with order {}", report.order)?,
        Outcome::Unknown => writeln!(out, "the budget ended without a result")?,
    }
    Ok(())
}

/// A forced win in Connect6, and a game that has none.
pub(crate) fn run(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    // Moves as people write them, stone by stone or move by move.
    let record = moves::read(Game::CONNECT6, "J10 / A1 S19 / K11 L12 / A3 S17")?;
    let last = record.main_line_end(0);
    search(&record.reach(last)?.position, out)?;

    search(&Position::new("tic-tac-toe".parse()?), out)
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut io::stdout())
}
