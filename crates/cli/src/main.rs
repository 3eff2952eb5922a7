//! The program `sixproof`: the command line around the libraries. It reads files, the clock and the
//! environment.
//!
//! A command line is parsed, called and printed. `options` says what can be typed, `commands` what
//! it does, each with a module for every command, named as the command is typed: `sixproof bench
//! zones` is `commands/bench/zones.rs`. The other modules are what several commands share: `input`
//! reads a position, `search` answers a question in front of the user, `watcher` shows how far it
//! is.

mod commands;
mod counter;
mod drawing;
mod events;
mod input;
mod interrupt;
mod layout;
mod live;
mod options;
mod refused;
#[cfg_attr(not(feature = "farm"), path = "remote_absent.rs")]
mod remote;
mod search;
mod try_next;
mod watcher;

use std::process::ExitCode;

use clap::ColorChoice;
use sixproof_solve::failure::Failure;
use sixproof_solve::output::Output;

use options::Cli;

/// What a command answered, as its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Exit {
    Yes = 0,
    No = 1,
    Undecided = 2,
}

fn main() -> ExitCode {
    let cli = match options::parse() {
        Ok(cli) => cli,
        Err(error) => return ExitCode::from(print_usage(&error) as u8),
    };
    match cli.color {
        ColorChoice::Always => anstream::ColorChoice::Always.write_global(),
        ColorChoice::Never => anstream::ColorChoice::Never.write_global(),
        ColorChoice::Auto => {}
    }
    let Cli { command, json, .. } = cli;
    let output = Output { json };
    let has_events = command.as_ref().is_some_and(|command| command.has_events());
    let answer = commands::run(command, output);
    let answer = answer.unwrap_or_else(|failure| print_failure(&failure, has_events, output));
    ExitCode::from(answer as u8)
}

/// Prints the help that was asked for, or what is wrong with the command line.
fn print_usage(error: &clap::Error) -> Exit {
    if !error.use_stderr() {
        // The exit code answers even where standard output is closed.
        let _printed = error.print();
        return Exit::Yes;
    }
    if std::env::args_os().any(|word| word == "--json") {
        Output { json: true }.note(options::usage_failure(error).to_json().to_string());
    } else {
        let _printed = error.print();
    }
    Exit::Undecided
}

/// Prints why a command has no answer; with events, also as the last one.
fn print_failure(failure: &Failure, has_events: bool, output: Output) -> Exit {
    if output.json {
        if has_events {
            output.say_json(&events::error(failure));
        }
        output.note(failure.to_json().to_string());
    } else {
        output.note(failure.to_string());
    }
    Exit::Undecided
}
