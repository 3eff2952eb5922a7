//! `sixproof check --demo`: the proof that comes with the program, move by move.
//!
//! The checker has verified the whole proof before the first step.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};

use sixproof_certificate::certify_pipe;

use crate::Exit;
use crate::drawing;
use crate::layout;
use crate::try_next;
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files;
use sixproof_solve::output::{GOOD, HINT, Output, STRONG};
use sixproof_solve::walk::{self, WalkStep};
use sixproof_solve::words::nodes_text;

pub(super) fn run(output: Output) -> Result<Exit> {
    let bytes = files::demo();
    let certified = certify_pipe(bytes, &mut ())
        .map_err(|refused| Failure::new(format!("the demo is not a proof: {refused}")))?;
    let steps = walk::steps(bytes)?;
    let winner = certified.claim().attacker.title();
    let nodes = nodes_text(certified.counts().nodes);
    output.say(format!(
        "The checker {GOOD}verified{GOOD:#} this proof: {winner} wins ({nodes}).\n\
         Here is one way through it, in {} steps.",
        steps.len()
    ));
    if !show_all(&steps, output) {
        return Ok(Exit::Yes);
    }
    try_next::say(
        &[
            ("check --demo --tree".to_string(), "prints the whole proof"),
            ("prove".to_string(), "finds a proof, and has it checked"),
            ("serve".to_string(), "opens a board in the browser, to walk through proofs"),
        ],
        output,
    );
    Ok(Exit::Yes)
}

/// Shows the steps; on a terminal the reader asks for each. False after an early end.
fn show_all(steps: &[WalkStep], output: Output) -> bool {
    let is_asked = io::stdin().is_terminal() && io::stdout().is_terminal();
    for (index, step) in steps.iter().enumerate() {
        let (number, count) = (index + 1, steps.len());
        output.say(format!("\n{STRONG}WalkStep {number} of {count}: {}{STRONG:#}", step.title));
        drawing::say(&step.picture, false, output);
        output.say(layout::wrapped(&step.sentences.join(" "), layout::columns()).join("\n"));
        if is_asked && number < count && !wants_more() {
            return false;
        }
    }
    true
}

/// Waits for Enter; false after `q`, or when there is no more input.
fn wants_more() -> bool {
    anstream::eprint!("{HINT}Enter{HINT:#} next step, {HINT}q{HINT:#} leave ");
    let _flushed = io::stderr().flush();
    let mut line = String::new();
    let read = io::stdin().lock().read_line(&mut line);
    matches!(read, Ok(1..)) && !line.trim_start().to_lowercase().starts_with('q')
}
