//! The options of `sixproof match`.

use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Arg, Args, ValueEnum};
use sixproof_player::rating::Sprt;
use sixproof_solve::quantity;

use super::LimitArgs;

const PLAYERS: &str = "\
A PLAYER is one of
  a style             sixproof, nctu6, kagami, greedy, random
  a level             sixproof:3 (1 is for beginners, sixproof is sixproof:10)
  a program           \"c6:./engine --option\": a protocol and a command line, which may quote words
                      but is not given to a shell. The protocols are c6, ccgc, gomocup, gtp, botzone
Each game has new players: programs are started for a game and ended after it (in botzone for each
move). A script around a program has to `exec` it: sixproof ends only the process that it starts. The
protocols gomocup and gtp send the time limits; in c6, ccgc and botzone a program has to know them
itself. ccgc has no command for an opening: such matches begin on the empty board.";

const RESULTS: &str = "\
Games come in pairs, the same opening with colours swapped; the error bars and the sequential test
count pairs. A player that crashes, plays an illegal move, sends an answer that cannot be read, or takes
longer than it has loses the game, and the table says how often. A game is also over when neither
side can complete a line any more, and when a player inside the program proves a win: then the
checker has verified the certificate.

Exit code 0 when A scores half of the points or more, 1 when it scores less; with --sprt 0 when the
test accepts A, 1 when it rejects A, 2 when the games ended first; 2 after Ctrl-C.";

const MATCH_EXAMPLES: &str = "\
Examples:
  sixproof match sixproof kagami --games 200 --time 0.3s
  sixproof match sixproof sixproof:7 --games 1000 --time 0.1s --sprt 0,10
  sixproof match sixproof \"c6:./cloudict\" --game-time 30m --increment 5s --sgf games.sgf
  sixproof match greedy random --game 9,9,5,2,1 --nodes 1k --out match.jsonl --svg score.svg";

/// Play a match between two players: styles, levels or other programs
#[derive(Args, Debug)]
#[command(after_help = MATCH_EXAMPLES)]
#[command(after_long_help = format!("{PLAYERS}\n\n{RESULTS}\n\n{MATCH_EXAMPLES}"))]
#[command(mut_arg("time", time_help), mut_arg("nodes", nodes_help), mut_arg("depth", depth_help))]
pub(crate) struct Match {
    /// The first player: a style, `sixproof:LEVEL`, or `PROTOCOL:COMMAND`
    pub(crate) a: String,

    /// The second player
    pub(crate) b: String,

    /// Games to be played; they come in pairs, so that an odd number gets one more
    #[arg(short, long, value_name = "N", default_value = "100", value_parser = games)]
    pub(crate) games: usize,

    /// The game: a name, m,n,k,p,q or inf,k,p,q
    #[arg(long, value_name = "GAME", default_value = "connect6")]
    pub(crate) game: String,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    /// How late an answer may be
    #[arg(long, value_name = "TIME", default_value = "50ms", value_parser = quantity::short_time)]
    #[arg(help_heading = "Limits")]
    pub(crate) tolerance: Duration,

    /// Moves of both sides after which a game is drawn; 400 on unbounded boards
    #[arg(long, value_name = "N", value_parser = quantity::up_to::<{ u32::MAX }>)]
    #[arg(help_heading = "Limits")]
    pub(crate) moves: Option<u32>,

    /// Whether a game ends with a proof that the checker accepts
    #[arg(long, value_name = "WHEN", default_value = "on", help_heading = "Limits")]
    pub(crate) adjudicate: OnOff,

    /// Openings: `even` (random ones in which neither side looks better), `random`, `none` (the
    /// empty board), or a file with a line of moves for each, or with a game of SGF for each
    #[arg(long, value_name = "WHICH", default_value = "even", help_heading = "Openings")]
    pub(crate) openings: String,

    /// Decides about openings, and between moves that are as good as each other
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Openings")]
    #[arg(value_parser = quantity::seed)]
    pub(crate) seed: u64,

    /// Play styles without the opening book
    #[arg(long, help_heading = "Openings")]
    pub(crate) no_book: bool,

    /// Number of parallel games [default: $SIXPROOF_THREADS, or one per core]
    #[arg(long, value_name = "N", value_parser = quantity::at_least_one::<{ u16::MAX }>)]
    pub(crate) threads: Option<NonZero<u16>>,

    /// Stop as soon as A is known to be better by the second of two Elo differences rather than by
    /// the first: 0,10
    #[arg(long, value_name = "ELO0,ELO1", value_parser = sprt, allow_hyphen_values = true)]
    pub(crate) sprt: Option<Sprt>,

    /// A journal, one JSON line a game: with the same file a match goes on where it ended
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Write the games: all into one file, or one file each into a folder
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) sgf: Option<PathBuf>,

    /// Plot the score over the games, with its error band, into a file: .svg or .png
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,

    /// Print only the sums
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

fn time_help(time: Arg) -> Arg {
    time.help("Time for a move: 0.3s, 500ms, 1m; 1s when nothing is limited")
}

fn nodes_help(nodes: Arg) -> Arg {
    nodes.help("Nodes searched for a move at most: 100k, 5M; not for other programs")
}

fn depth_help(depth: Arg) -> Arg {
    depth.help("Moves of either side looked ahead at most; of other programs only for those of c6")
}

/// A switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnOff {
    On,
    Off,
}

/// The most games of a match: openings and results are kept in memory.
const GAMES_MAX: u64 = 1_000_000;

/// Reads a number of games.
fn games(text: &str) -> Result<usize, String> {
    match quantity::count(text) {
        Ok(games) if games <= GAMES_MAX => Ok(games as usize),
        Ok(_) => Err(format!("write {GAMES_MAX} or less")),
        Err(_) => Err("write a whole number, 1 or more".to_string()),
    }
}

/// Reads two Elo differences.
fn sprt(text: &str) -> Result<Sprt, String> {
    const HELP: &str = "write two Elo differences, the lower one first, as in 0,10";
    /// Nothing sensible is farther away, and scores of 0 and 1 have no logarithm.
    const ELO_MAX: f64 = 1_000.0;
    let number = |text: &str| {
        let elo: f64 = text.trim().parse().map_err(|_| HELP.to_string())?;
        if elo.abs() <= ELO_MAX { Ok(elo) } else { Err(HELP.to_string()) }
    };
    let (elo0, elo1) = text.split_once(',').ok_or(HELP)?;
    let (elo0, elo1) = (number(elo0)?, number(elo1)?);
    if elo0 < elo1 { Ok(Sprt { elo0, elo1 }) } else { Err(HELP.to_string()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_games_is_at_least_one() {
        for (text, expected) in [("1", 1), ("2", 2), ("199", 199), ("1k", 1_000)] {
            assert_eq!(games(text), Ok(expected), "{text}");
        }
        for text in ["0", "-2", "many", "2M", ""] {
            assert!(games(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_test_has_two_differences_in_order() {
        assert_eq!(sprt("-3, 1.5"), Ok(Sprt { elo0: -3.0, elo1: 1.5 }));
        for text in ["", "0", "10,0", "5,5", "0,nan", "0,inf", "0,5,9", "a,b", "0,5000"] {
            assert!(sprt(text).is_err(), "{text}");
        }
    }
}
