//! The words of `sixproof play`.

use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use sixproof_game::Color;
use sixproof_player::{Control, Level, Style};

use super::{POSITIONS, PositionArgs};
use crate::quantity;

const PLAY_EXAMPLES: &str = "\
Examples:
  sixproof play
  sixproof play --as white --level 8 --sgf game.sgf
  sixproof play gomoku --time 500ms
  sixproof play game.sgf@12 --as both
  sixproof play 9,9,5,1,1 --style kagami --game-time 5m+3s
  sixproof play \"J10 / I8 H9\" --as none --plain

Arrow keys (or hjkl) move the cursor, Space or Enter places a stone, Backspace takes it back; or
type a move, as in `k11 l10`. `help` shows the other commands: undo, hint, why, threats, resign,
save, level, swap, new, quit. While the engine thinks, Esc or Ctrl-C makes it move at once; Ctrl-C
once more quits. A win that the engine can prove is announced when its certificate was checked, and
the certificate is written to a file.";

/// Play against the engine on the terminal
#[derive(Args, Debug)]
#[command(after_help = PLAY_EXAMPLES, after_long_help = format!("{POSITIONS}\n\n{PLAY_EXAMPLES}"))]
pub(crate) struct Play {
    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// The side that you play; with `none` the engine plays against itself [default: the side to
    /// move]
    #[arg(long = "as", value_name = "SIDE")]
    pub(crate) seat: Option<Seat>,

    /// Save the game as SGF after each move; no other file is replaced
    #[arg(long, value_name = "FILE")]
    pub(crate) sgf: Option<PathBuf>,

    /// Lines of text instead of a screen with a cursor, as without a terminal: for screen readers
    /// and scripts
    #[arg(long)]
    pub(crate) plain: bool,

    /// Plain ASCII on the terminal
    #[arg(long)]
    pub(crate) ascii: bool,

    /// How the engine plays: sixproof, kagami, nctu6, greedy, random
    #[arg(long, default_value = "sixproof", help_heading = "Engine")]
    pub(crate) style: Style,

    /// How strong the style sixproof plays: 1 is for beginners, 10 is all it can
    #[arg(long, value_name = "1-10", default_value = "5", value_parser = level)]
    #[arg(help_heading = "Engine")]
    pub(crate) level: Level,

    /// Time for each move of the engine: 500ms, 3s, 1m
    #[arg(long, value_name = "TIME", default_value = "3s", value_parser = move_time)]
    #[arg(help_heading = "Engine")]
    pub(crate) time: Duration,

    /// Time for all moves of the engine instead, and perhaps more with each move: 30m, 5m+3s
    #[arg(long, value_name = "TIME", value_parser = game_time, conflicts_with = "time")]
    #[arg(help_heading = "Engine")]
    pub(crate) game_time: Option<Control>,

    /// Nodes for each move of the engine instead of time: with one thread, the same game again
    #[arg(long, value_name = "N", value_parser = quantity::count)]
    #[arg(conflicts_with_all = ["time", "game_time"], help_heading = "Engine")]
    pub(crate) nodes: Option<u64>,

    /// Threads of the engine
    #[arg(long, value_name = "N", default_value = "1", help_heading = "Engine")]
    pub(crate) threads: NonZero<u16>,

    /// Decides between moves that are as good as each other; another number, another game
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Engine")]
    pub(crate) seed: u64,

    /// Do without the opening book
    #[arg(long, help_heading = "Engine")]
    pub(crate) no_book: bool,
}

/// Whom the person plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Seat {
    Black,
    White,
    Both,
    None,
}

impl Seat {
    /// The seat of one side.
    pub(crate) fn of(color: Color) -> Seat {
        match color {
            Color::Black => Seat::Black,
            Color::White => Seat::White,
        }
    }

    /// Whether the person plays this side.
    pub(crate) fn has(self, color: Color) -> bool {
        self == Seat::Both || self == Seat::of(color)
    }
}

/// Reads a level.
fn level(text: &str) -> Result<Level, String> {
    let number = text.parse().ok().and_then(Level::new);
    number.ok_or_else(|| "levels are 1, for beginners, to 10".to_string())
}

/// Reads a time of a move, which may be less than a second: `500ms`, `3s`.
fn move_time(text: &str) -> Result<Duration, String> {
    const HELP: &str = "write a number with ms, s, m or h: 500ms, 3s, 1m";
    let Some(digits) = text.strip_suffix("ms") else {
        return quantity::time(text).map_err(|why| match why.starts_with("write") {
            true => HELP.to_string(),
            false => why,
        });
    };
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    match digits.parse::<u32>() {
        Ok(0) => Err("no move is found in no time; write 1ms or more".to_string()),
        Ok(ms) if is_number => Ok(Duration::from_millis(ms.into())),
        _ => Err(HELP.to_string()),
    }
}

/// Reads the time of a game: `30m`, or `5m+3s` where three seconds are added with each move.
fn game_time(text: &str) -> Result<Control, String> {
    let (total, increment) = match text.split_once('+') {
        Some((total, increment)) => (total, Some(increment)),
        None => (text, None),
    };
    let total = move_time(total)?;
    let increment = increment.map(move_time).transpose()?.unwrap_or_default();
    Ok(Control::Game { total, increment })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_may_be_short_and_may_grow() {
        assert_eq!(move_time("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(move_time("1m30s"), Ok(Duration::from_secs(90)));
        for text in ["", "ms", "0ms", "-1ms", "+1ms", "0.5s", "3", "0s", "99999999999ms"] {
            assert!(move_time(text).is_err(), "{text}");
        }
        let (total, increment) = (Duration::from_secs(300), Duration::from_secs(3));
        assert_eq!(game_time("5m+3s"), Ok(Control::Game { total, increment }));
        let increment = Duration::ZERO;
        assert_eq!(game_time("5m"), Ok(Control::Game { total, increment }));
        for text in ["5m+", "+3s", "5m+3", "5m+3s+1s", ""] {
            assert!(game_time(text).is_err(), "{text}");
        }
    }

    #[test]
    fn levels_go_from_1_to_10() {
        assert_eq!(level("10"), Ok(Level::MAX));
        for text in ["0", "11", "", "five", "256"] {
            assert!(level(text).is_err(), "{text}");
        }
    }
}
