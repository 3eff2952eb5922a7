//! A protocol is a state machine: lines go in, effects come out, and the program carries them out.
//! This one talks GTP. With standard input in the place of the script it is an engine for GoGui.
//!
//! ```sh
//! cargo run --release -p sixproof-player --example protocol
//! ```

use std::error::Error;
use std::io::{self, Write};
use std::time::Duration;

use sixproof_player::protocol::{Effect, ProtocolName, Setup};
use sixproof_player::{Engine, Limits, Settings, Style, Unwatched};

/// What the controller says.
const SCRIPT: &str = "\
name
boardsize 9
play black E5
genmove white
play black E5
showboard
quit";

/// Talks until the controller has no more to say.
pub(crate) fn run(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let settings = Settings { style: Style::Greedy, ..Settings::default() };
    let mut engine = Engine::new(settings.clone());
    let mut protocol = ProtocolName::Gtp.begin(&Setup::default())?;

    for line in SCRIPT.lines() {
        writeln!(out, "> {line}")?;
        let mut effects = protocol.line(line);
        // A thought gives further effects, at least the line with the move.
        while !effects.is_empty() {
            let mut next = Vec::new();
            for effect in effects {
                match effect {
                    Effect::Say(text) => writeln!(out, "{text}")?,
                    Effect::Think(position, _limits) => {
                        // Here `_limits` has the time left. A limit in nodes repeats everywhere.
                        let limits = Limits { nodes: Some(1_000), ..Limits::default() };
                        let thought = engine.think(&position, &limits, &Unwatched);
                        next = protocol.thought(&thought, Duration::ZERO);
                    }
                    Effect::NewGame => engine.reset(),
                    Effect::Memory(memory) => {
                        engine = Engine::new(Settings { memory, ..settings.clone() });
                    }
                    Effect::Quit => return Ok(()),
                }
            }
            effects = next;
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut io::stdout())
}
