//! The command line as clap sees it: one module for each command, named as the command is typed,
//! with every name, default and example. Help, shell completions and the man page are made from it.
//!
//! The modules of the first group are commands; those of the second have what several commands
//! share.

use std::ffi::{OsStr, OsString};

use clap::builder::Styles;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ColorChoice, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use sixproof_solve::failure::Failure;
use sixproof_solve::output;

mod atlas;
mod bench;
mod check;
mod completions;
mod convert;
mod engine;
mod farm;
mod list;
mod man;
mod match_;
mod play;
mod prove;
mod serve;
mod show;
mod store;
mod survey;
mod threats;
mod value;
mod verify;
mod worker;

mod nats;
mod picture;
mod player;
mod position;
mod remote;
mod search;

pub(crate) use atlas::*;
pub(crate) use bench::*;
pub(crate) use check::*;
pub(crate) use completions::*;
pub(crate) use convert::*;
pub(crate) use engine::*;
pub(crate) use farm::*;
pub(crate) use list::*;
pub(crate) use man::*;
pub(crate) use match_::*;
pub(crate) use nats::*;
pub(crate) use picture::*;
pub(crate) use play::*;
pub(crate) use player::*;
pub(crate) use position::*;
pub(crate) use prove::*;
pub(crate) use remote::*;
pub(crate) use search::*;
pub(crate) use serve::*;
pub(crate) use show::*;
pub(crate) use store::*;
pub(crate) use survey::*;
pub(crate) use threats::*;
pub(crate) use value::*;
pub(crate) use verify::*;
pub(crate) use worker::*;

const STYLES: Styles = Styles::styled()
    .header(output::STRONG)
    .usage(output::STRONG)
    .literal(output::HINT)
    .valid(output::GOOD)
    .invalid(output::BAD)
    .error(output::BAD);

const EXIT_CODES: &str = "\
Without a command: what to try first. `sixproof help COMMAND` explains a command.

Exit codes: 0 yes, 1 no (no win exists, a certificate was rejected), 2 could not decide (nothing was
found within the limits, Ctrl-C, wrong usage, unreadable input).";

/// Proves and plays Connect6 and the whole family Connect(m,n,k,p,q) of k-in-a-row games.
#[derive(Debug, Parser)]
#[command(name = "sixproof", version, styles = STYLES, after_help = EXIT_CODES, max_term_width = 100)]
#[command(disable_help_subcommand = true, infer_subcommands = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// Answer in JSON, one value on a line, for programs
    #[arg(long, global = true, help_heading = "Output")]
    pub(crate) json: bool,

    /// When to use colours
    #[arg(
        long,
        global = true,
        default_value = "auto",
        value_name = "WHEN",
        help_heading = "Output"
    )]
    pub(crate) color: ColorChoice,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Serve(Box<Serve>),
    Show(Box<Show>),
    Threats(Threats),
    Play(Box<Play>),
    Engine(Engine),
    Match(Box<Match>),
    Prove(Box<Prove>),
    Verify(Box<Verify>),
    Value(Value),
    Check(Check),
    Store(Store),
    Worker(Box<Worker>),
    Farm(Box<Farm>),
    Convert(Convert),
    List(List),
    Bench(Bench),
    Survey(Survey),
    Atlas(Atlas),
    Completions(Completions),
    Man(Man),
}

impl Command {
    /// Whether the command reports events as JSON while it works.
    pub(crate) fn has_events(&self) -> bool {
        matches!(
            self,
            Command::Prove(_)
                | Command::Verify(_)
                | Command::Atlas(_)
                | Command::Match(_)
                | Command::Worker(_)
        )
    }
}

/// Parses the command line. Help and errors of clap itself honour --color too, which is not parsed
/// when they are printed.
pub(crate) fn parse() -> Result<Cli, clap::Error> {
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
    let mut cli = Cli::command().color(color);
    let matches = cli.try_get_matches_from_mut(&words).map_err(|mut error| {
        if let Some([option, value]) = negative(&words, &error) {
            let message = format!("invalid value '{value}' for '{option}': it is negative");
            return cli.error(ErrorKind::ValueValidation, message);
        }
        if has_moves && error.kind() == ErrorKind::UnknownArgument {
            let tip = "moves are one argument, in quotes: \"J10 / I8 H9\"".into();
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
        }
        error
    })?;
    Cli::from_arg_matches(&matches)
}

/// The option with a negative number that an error is about: clap takes the number for an option
/// that it does not know.
fn negative<'a>(words: &'a [OsString], error: &clap::Error) -> Option<[&'a str; 2]> {
    let Some(ContextValue::String(about)) = error.get(ContextKind::InvalidArg) else { return None };
    let is_negative = |text: &str| {
        let number = text.strip_prefix('-').unwrap_or_default();
        number.trim_start_matches('.').starts_with(|c: char| c.is_ascii_digit())
    };
    let is_meant = |[option, value]: &[&str; 2]| {
        let is_option = about.split(' ').next() == Some(option);
        option.starts_with('-') && is_negative(value) && (is_option || value.starts_with(about))
    };
    let pairs = words.windows(2).filter_map(|pair| Some([pair[0].to_str()?, pair[1].to_str()?]));
    pairs.into_iter().find(is_meant)
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
pub(crate) fn usage_failure(error: &clap::Error) -> Failure {
    let text = error.to_string();
    let (first, rest) = text.split_once("\n\n").unwrap_or((&text, ""));
    let message = first.trim_start_matches("error: ").split_whitespace().collect::<Vec<_>>();
    let failure = Failure::new(message.join(" "));
    match rest.lines().find_map(|line| line.trim().strip_prefix("tip: ")) {
        Some(tip) => failure.help(tip),
        None => failure,
    }
}
