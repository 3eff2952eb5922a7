//! The words of `sixproof engine`.

use std::num::NonZero;
use std::time::Duration;

use clap::{Args, ValueEnum};
use sixproof_player::protocol::ProtocolName;
use sixproof_player::{Control, Level, Style};

use crate::quantity;

const ENGINE_EXAMPLES: &str = "\
Examples:
  sixproof engine --protocol gomocup
  sixproof engine --protocol gomocup --game connect6 --threads 2 --ponder
  sixproof engine --protocol c6 --game-time 30m --increment 5s
  sixproof engine --protocol gtp --level 3 --time 0.5s
  printf 'new black\\n' | sixproof engine --protocol c6 --style greedy

The program reads commands from standard input, one on a line, and answers on standard output. A
command that comes while it thinks makes it move at once, or drop that move, as the protocol has it.
The end of the input ends the program. docs/protocols.md describes the protocols, with examples, and
how programs such as Piskvork and GoGui are told about sixproof.";

/// Play in another program: Gomocup, c6, CCGC, Botzone or GTP on standard input and output
#[derive(Args, Debug)]
#[command(after_help = ENGINE_EXAMPLES)]
pub(crate) struct Engine {
    /// The protocol
    #[arg(short, long)]
    pub(crate) protocol: ProtocolArg,

    /// The game: a name, or m,n,k,p,q and perhaps ,exact. Else Connect6 (15 x 15 in botzone), and
    /// in gomocup Go-Moku on the board that is asked for
    #[arg(short, long, value_name = "GAME")]
    pub(crate) game: Option<String>,

    /// The way of playing: sixproof, kagami, nctu6, greedy, random
    #[arg(long, value_name = "STYLE", default_value_t = Style::default())]
    pub(crate) style: Style,

    /// How strong the style sixproof plays: 1 is for beginners, 10 is all it can
    #[arg(long, value_name = "1-10", default_value = "10", value_parser = level)]
    pub(crate) level: Level,

    /// Time for a move, unless the protocol tells one: 0.3s, 500ms, 1m [default: 5s]
    #[arg(short, long, value_name = "TIME", value_parser = short_time)]
    #[arg(conflicts_with = "game_time", help_heading = "Limits")]
    pub(crate) time: Option<Duration>,

    /// Time for all moves of a game instead: 30m
    #[arg(long, value_name = "TIME", value_parser = short_time, help_heading = "Limits")]
    pub(crate) game_time: Option<Duration>,

    /// Time added after each move: 5s
    #[arg(long, value_name = "TIME", value_parser = short_time, requires = "game_time")]
    #[arg(help_heading = "Limits")]
    pub(crate) increment: Option<Duration>,

    /// Nodes searched for a move at most: 100k, 5M
    #[arg(long, value_name = "N", value_parser = quantity::count, help_heading = "Limits")]
    pub(crate) nodes: Option<u64>,

    /// Moves looked ahead at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=99))]
    #[arg(help_heading = "Limits")]
    pub(crate) depth: Option<u32>,

    /// Threads; with 1 and a limit of nodes or depth, the same game gives the same moves
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) threads: NonZero<u16>,

    /// Decides between equals
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,

    /// Do without the book of openings
    #[arg(long)]
    pub(crate) no_book: bool,

    /// Think on while the other side thinks
    #[arg(long)]
    pub(crate) ponder: bool,

    /// botzone: ask the judge to keep the program running
    #[arg(long)]
    pub(crate) keep_running: bool,
}

impl Engine {
    /// How the time is given where the protocol says nothing.
    pub(crate) fn control(&self) -> Control {
        const USUAL: Duration = Duration::from_secs(5);
        match self.game_time {
            Some(total) => {
                Control::Game { total, increment: self.increment.unwrap_or(Duration::ZERO) }
            }
            None => Control::Move(self.time.unwrap_or(USUAL)),
        }
    }
}

/// The protocols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProtocolArg {
    /// Gomocup's brains and the manager Piskvork
    Gomocup,
    /// Cloudict and most public engines for Connect6
    C6,
    /// The platform of the Chinese Computer Games Contest
    Ccgc,
    /// Botzone's ConnectSix
    Botzone,
    /// GoGui, and the tools around it
    Gtp,
}

impl ProtocolArg {
    pub(crate) fn name(self) -> ProtocolName {
        match self {
            ProtocolArg::Gomocup => ProtocolName::Gomocup,
            ProtocolArg::C6 => ProtocolName::C6,
            ProtocolArg::Ccgc => ProtocolName::Ccgc,
            ProtocolArg::Botzone => ProtocolName::Botzone,
            ProtocolArg::Gtp => ProtocolName::Gtp,
        }
    }
}

/// Reads a level.
fn level(text: &str) -> Result<Level, String> {
    let number = text.parse().ok().and_then(Level::new);
    number.ok_or_else(|| "levels are 1, for beginners, to 10".to_string())
}

/// Reads a time that may be less than a second: `0.3s`, `500ms`, `1m30s`.
fn short_time(text: &str) -> Result<Duration, String> {
    const HELP: &str = "write a number with ms, s, m or h: 500ms, 0.3s, 5m";
    /// Fractions and milliseconds are for short times: an hour at most.
    const SECONDS_MAX: f64 = 3_600.0;
    let (number, factor) = match text.strip_suffix("ms") {
        Some(number) => (number, 0.001),
        None => (text.strip_suffix('s').unwrap_or(""), 1.0),
    };
    let is_number = |b: u8| b.is_ascii_digit() || b == b'.';
    if number.is_empty() || !number.bytes().all(is_number) {
        return quantity::time(text).map_err(|_| HELP.to_string());
    }
    let seconds = number.parse::<f64>().map_err(|_| HELP)? * factor;
    match Duration::try_from_secs_f64(seconds) {
        Ok(time) if seconds <= SECONDS_MAX && time >= Duration::from_millis(1) => Ok(time),
        _ => Err("write 1ms or more, and long times with m or h".to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_may_be_short() {
        for (text, ms) in [("0.3s", 300), ("500ms", 500), ("1m30s", 90_000), ("5s", 5_000)] {
            assert_eq!(short_time(text), Ok(Duration::from_millis(ms)), "{text}");
        }
        for text in ["", "s", "ms", "0s", "0ms", "0.0001s", "1..5s", "-1s", "5", "1e9s", ".", "9x"]
        {
            assert!(short_time(text).is_err(), "{text}");
        }
    }
}
