//! `sixproof play`: a game between a person and the engine.
//!
//! `table` is the game and who sits where, `command` what can be typed, `explain` the words for
//! what an engine thought: these are pure. `session` puts them together with an engine (`mind`),
//! clocks and files (`keep`), and knows nothing of how it is shown. There are two front ends:
//! `lines` prompts and reads lines; `screen` draws the board and reads keys, what a key does is in
//! `desk`, and what is shown where in `view`.

mod command;
mod desk;
mod keep;
mod lines;
mod mind;
mod screen;
mod session;
mod signals;
mod table;
#[cfg(test)]
mod tests;
mod view;

use std::io::{self, IsTerminal as _};

use crate::Exit;
use crate::cli;
use crate::source;
use session::Session;
use signals::Signals;
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::output::Output;

pub(crate) fn run(options: &cli::Play, output: Output) -> Result<Exit> {
    if output.json {
        return Err(Failure::new("a game with a person is not told in JSON")
            .help("leave --json out; with --plain a script can read and write lines"));
    }
    let source = source::position(&options.position, output)?;
    let session = Session::new(options, source.loaded)?;
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
