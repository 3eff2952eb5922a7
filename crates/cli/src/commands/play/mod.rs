//! `sixproof play`: a game between the user and the engine.
//!
//! `played` is the game with the side that the user plays, `command` what can be typed: these are
//! pure. `session` puts them together with an engine (`thinking`), clocks and files (`save`), and
//! knows nothing of how it is shown. There are two front ends: `lines` prompts and reads lines;
//! `screen` draws the board and reads keys, `keys` says what a key does, and `view` what is shown
//! where.

mod command;
mod keys;
mod lines;
mod played;
mod save;
mod screen;
mod session;
mod signals;
#[cfg(test)]
mod tests;
mod thinking;
mod view;

use std::io::{self, IsTerminal as _};

use crate::Exit;
use crate::input;
use crate::options;
use session::Session;
use signals::Signals;
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::output::Output;
use sixproof_solve::store::Memory;

pub(crate) fn run(options: &options::Play, output: Output) -> Result<Exit> {
    if output.json {
        return Err(Failure::new("a game with a user has no JSON output")
            .help("leave --json out; with --plain a script can read and write lines"));
    }
    let source = input::position(&options.position, output)?;
    let memory = Memory::open(&options.store.choice(), output)?;
    let session = Session::new(options, source.loaded, memory)?;
    let signals = Signals::watched();
    if options.plain || !has_screen() {
        lines::run(session, signals, options.ascii, output)?;
    } else {
        screen::run(session, signals, options.ascii, output)?;
    }
    Ok(Exit::Yes)
}

/// Whether keys can be read one by one, and a board drawn over the last one.
fn has_screen() -> bool {
    let is_dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb" || term.is_empty());
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    is_terminal && (!is_dumb || cfg!(windows))
}
