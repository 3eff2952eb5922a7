//! The program `sixproof`: the command line around the libraries, and the place of the project that
//! reads files, the clock and the environment (the store's own file apart).
//!
//! `cli` says what can be typed, `commands` what it does, `source` how a position is given.

mod ask;
mod cli;
mod commands;
mod events;
mod fit;
mod interrupt;
mod live;
mod plot;
mod refused;
mod source;
mod suggest;
mod suite;
mod watcher;

use std::ffi::{OsStr, OsString};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ColorChoice, CommandFactory as _, FromArgMatches as _};
use sixproof_solve::failure::Failure;
use sixproof_solve::output::{Output, STRONG};

use cli::{Cli, Command};

/// What a command answered, as its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Exit {
    Yes = 0,
    No = 1,
    Undecided = 2,
}

fn main() -> ExitCode {
    let cli = match parse() {
        Ok(cli) => cli,
        Err(error) => {
            let code = if error.use_stderr() { Exit::Undecided } else { Exit::Yes };
            if error.use_stderr() && std::env::args_os().any(|word| word == "--json") {
                Output { json: true }.note(usage_failure(&error).to_json().to_string());
            } else if error.print().is_err() {
                // Nobody listens; the exit code still answers.
            }
            return ExitCode::from(code as u8);
        }
    };
    match cli.color {
        ColorChoice::Always => anstream::ColorChoice::Always.write_global(),
        ColorChoice::Never => anstream::ColorChoice::Never.write_global(),
        ColorChoice::Auto => {}
    }
    let output = Output { json: cli.json };
    let has_events = matches!(
        cli.command,
        Some(
            Command::Prove(_)
                | Command::Verify(_)
                | Command::Atlas(_)
                | Command::Match(_)
                | Command::Worker(_)
        )
    );
    let answer = match cli.command {
        None => Ok(welcome(output)),
        Some(Command::Show(options)) => commands::show::run(&options, output),
        Some(Command::Threats(options)) => commands::threats::run(&options, output),
        Some(Command::Play(options)) => commands::play::run(&options, output),
        Some(Command::Engine(options)) => commands::engine::run(&options, output),
        Some(Command::Prove(options)) => commands::prove::run(&options, output),
        Some(Command::Verify(options)) => commands::verify::run(&options, output),
        Some(Command::Value(options)) => commands::value::run(&options, output),
        #[cfg(feature = "server")]
        Some(Command::Serve(options)) => commands::serve::run(&options, output),
        #[cfg(not(feature = "server"))]
        Some(Command::Serve(_)) => Err(commands::absent("server")),
        Some(Command::Check(options)) => commands::check::run(&options, output),
        Some(Command::Store(options)) => commands::store::run(&options, output),
        #[cfg(feature = "farm")]
        Some(Command::Worker(options)) => commands::worker::run(&options, output),
        #[cfg(not(feature = "farm"))]
        Some(Command::Worker(_)) => Err(commands::absent("farm")),
        #[cfg(feature = "farm")]
        Some(Command::Farm(options)) => commands::farm::run(&options, output),
        #[cfg(not(feature = "farm"))]
        Some(Command::Farm(_)) => Err(commands::absent("farm")),
        Some(Command::Convert(options)) => commands::convert::run(&options, output),
        Some(Command::List(options)) => commands::list::run(&options, output),
        Some(Command::Bench(options)) => commands::bench::run(&options, output),
        Some(Command::Survey(options)) => commands::survey::run(&options, output),
        Some(Command::Atlas(options)) => commands::atlas::run(&options, output),
        Some(Command::Match(options)) => commands::match_::run(&options, output),
        Some(Command::Completions(options)) => commands::manual::completions(&options),
        Some(Command::Man(options)) => commands::manual::run(&options, output),
    };
    let answer = answer.unwrap_or_else(|failure| {
        if output.json {
            if has_events {
                output.say_json(&events::error(&failure));
            }
            output.note(failure.to_json().to_string());
        } else {
            output.note(failure.to_string());
        }
        Exit::Undecided
    });
    ExitCode::from(answer as u8)
}

/// Parses the command line. Help and errors of clap itself honour --color too, which is not parsed
/// when they are printed.
fn parse() -> std::result::Result<Cli, clap::Error> {
    let words = without_help_command(std::env::args_os().collect());
    let said = |when: &str| {
        words.iter().any(|word| *word == *format!("--color={when}"))
            || words.windows(2).any(|pair| pair[0] == "--color" && pair[1] == *when)
    };
    let color = match () {
        () if said("always") => ColorChoice::Always,
        () if said("never") => ColorChoice::Never,
        () => ColorChoice::Auto,
    };
    let has_moves = words.iter().any(|word| word == "/")
        || words.iter().filter(|word| is_square(word)).count() > 1;
    let matches =
        Cli::command().color(color).try_get_matches_from(words).map_err(|mut error| {
            if has_moves && error.kind() == ErrorKind::UnknownArgument {
                let tip = "moves are one argument, in quotes: \"J10 / I8 H9\"".into();
                error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
            }
            error
        })?;
    Cli::from_arg_matches(&matches)
}

/// Whether a word looks like a square: letters, then digits.
fn is_square(word: &OsStr) -> bool {
    let digits =
        word.to_str().map(|text| text.trim_start_matches(|c: char| c.is_ascii_alphabetic()));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    digits.is_some_and(|digits| is_number(digits) && digits.len() < word.len())
}

/// `sixproof help prove` is `sixproof prove --help`, as in many other programs.
fn without_help_command(mut words: Vec<OsString>) -> Vec<OsString> {
    if words.get(1).is_some_and(|word| word == "help") {
        words.remove(1);
        words.push("--help".into());
    }
    words
}

/// Wrong usage as a failure: the first line says what, the tips what to do.
fn usage_failure(error: &clap::Error) -> Failure {
    let text = error.to_string();
    let (first, rest) = text.split_once("\n\n").unwrap_or((&text, ""));
    let message = first.trim_start_matches("error: ").split_whitespace().collect::<Vec<_>>();
    let failure = Failure::new(message.join(" "));
    match rest.lines().find_map(|line| line.trim().strip_prefix("tip: ")) {
        Some(tip) => failure.help(tip),
        None => failure,
    }
}

/// What the program can do, and what to try first.
fn welcome(output: Output) -> Exit {
    if output.json {
        let version = env!("CARGO_PKG_VERSION");
        let commands = Cli::command();
        let commands: Vec<&str> = commands.get_subcommands().map(|c| c.get_name()).collect();
        output.say_json(&serde_json::json!({ "version": version, "commands": commands }));
        return Exit::Yes;
    }
    let try_first = [
        ("prove", "proves an opening of Connect6"),
        ("prove \"J10 / A1 S19 / K11 L12 / A3 S17\"", "does Black win? Try your own moves"),
        ("serve", "opens a board in the browser"),
        ("play", "plays Connect6 with you"),
        ("check --demo", "walks through a proof"),
        ("show tx-h9 --out board.svg", "draws a famous opening"),
        ("list", "lists games and positions"),
    ];
    let try_first = try_first.map(|(words, what)| (words.to_string(), what));
    let mut text = format!(
        "{STRONG}sixproof{STRONG:#} proves and plays Connect6 and all k-in-a-row games \
         Connect(m,n,k,p,q).\nEvery claimed win comes with a certificate that anyone can check.\n\n\
         {STRONG}Try first{STRONG:#}\n{}\n",
        suggest::listed(&try_first)
    );
    text += &format!(
        "\n{STRONG}Commands{STRONG:#}\n  \
         prove        does a side win by force? If so, with a certificate\n  \
         verify       is this move winning?\n  \
         value        who wins a small game from the empty board?\n  \
         check        is the win that a certificate claims proved?\n  \
         serve        the editor: a board to edit, analyse, prove and play on\n  \
         show         a position on the terminal, as SVG, PNG or animated GIF\n  \
         threats      what each side threatens, and how to defend\n  \
         play         a game against the engine\n  \
         engine       plays in other programs: Gomocup, c6, CCGC, Botzone, GTP\n  \
         match        two players, many games: who is stronger?\n  \
         store        the proofs that were found, kept for the next time\n  \
         worker       does jobs of searches on other machines, over NATS\n  \
         farm         what these machines do\n  \
         convert      games between SGF and other formats\n  \
         list         games and positions that have a name\n  \
         bench        how prover and player do on fixed positions\n  \
         survey       all positions of a class, with their proofs\n  \
         atlas        which second moves of White lose in Connect6?\n  \
         completions  for your shell\n  \
         man          the manual page\n\n\
         `{}` explains a command, with examples.",
        suggest::command("help COMMAND")
    );
    output.say(text);
    Exit::Yes
}
