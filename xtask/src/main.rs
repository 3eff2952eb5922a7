//! The project's own automation: `cargo xtask COMMAND`.
//!
//! A command is a module and one row of [`COMMANDS`]. Exit codes are those of the other programs:
//! 0 yes, 1 no (a check failed), 2 could not decide (wrong usage, unreadable files).

mod bench;
mod book;
mod bugs;
mod compare;
mod fuzz;
mod glyphs;
mod lines;
mod options;
mod play_positions;
mod positions;
mod tidy;
mod tune;

use std::process::ExitCode;

/// One word after `cargo xtask`.
struct Command {
    name: &'static str,
    summary: &'static str,
    run: fn(&[String]) -> ExitCode,
}

/// All commands of `cargo xtask`, in the order of the help text.
const COMMANDS: &[Command] = &[
    Command {
        name: "tidy",
        summary: "check the rules of the project that the compiler does not know",
        run: tidy::main,
    },
    Command {
        name: "lines",
        summary: "count lines of code without tests, comments and blanks",
        run: lines::run,
    },
    Command {
        name: "fuzz",
        summary: "try the laws of readers, writers and checkers on many bytes",
        run: fuzz::main,
    },
    Command {
        name: "bench",
        summary: "measure the checker on generated certificates",
        run: bench::run,
    },
    Command {
        name: "compare",
        summary: "prove an opening with threads and over NATS, in one run",
        run: compare::run,
    },
    Command {
        name: "bench-positions",
        summary: "find the verdicts of suite/bench anew, or make new positions",
        run: positions::run,
    },
    Command { name: "book", summary: "make the opening book of the player anew", run: book::run },
    Command {
        name: "glyphs",
        summary: "write the outlines of the pictures' font as SVG paths",
        run: glyphs::run,
    },
    Command {
        name: "play-positions",
        summary: "make the positions of suite/play anew, on which the player is tested",
        run: play_positions::run,
    },
    Command {
        name: "bugs",
        summary: "seed bugs into a copy of the checker; a test must notice each",
        run: bugs::main,
    },
    Command {
        name: "tune",
        summary: "fit the weights of the evaluation on games of the engine against itself",
        run: tune::run,
    },
];

/// The exit code of "could not decide": wrong usage, or files that cannot be read.
const UNDECIDED: u8 = 2;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        Some((word, rest)) => match COMMANDS.iter().find(|command| command.name == word) {
            Some(command) => (command.run)(rest),
            None if is_help(word) => {
                print!("{}", help());
                ExitCode::SUCCESS
            }
            None => usage_error(&format!("there is no command `{word}`"), &help()),
        },
        None => usage_error("a command is missing", &help()),
    }
}

/// Whether an argument asks for help.
fn is_help(argument: &str) -> bool {
    matches!(argument, "--help" | "-h" | "help")
}

/// Complains on standard error, shows the help, and returns the exit code of wrong usage.
fn usage_error(complaint: &str, help: &str) -> ExitCode {
    eprint!("xtask: {complaint}\n\n{help}");
    ExitCode::from(UNDECIDED)
}

/// The help text; `scripts/test` reads the names of the commands from it.
fn help() -> String {
    let mut text = String::from("Usage: cargo xtask COMMAND [OPTIONS]\n\nCommands:\n");
    for command in COMMANDS {
        text.push_str(&format!("  {:<17}{}\n", command.name, command.summary));
    }
    text.push_str("\n`cargo xtask COMMAND --help` says more about one of them.\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_names_every_command() {
        for command in COMMANDS {
            assert!(help().contains(&format!("\n  {} ", command.name)), "{}", command.name);
        }
    }
}
