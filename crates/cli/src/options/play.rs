//! The options of `sixproof play`.

use std::path::PathBuf;

use clap::{Arg, Args, ValueEnum};
use sixproof_game::Color;

use super::{EngineArgs, LimitArgs, POSITIONS, PositionArgs, StoreArgs};

const PLAY_EXAMPLES: &str = "\
Examples:
  sixproof play
  sixproof play --as white --level 8 --sgf game.sgf
  sixproof play gomoku --time 500ms
  sixproof play game.sgf@12 --as both
  sixproof play 9,9,5,1,1 --style kagami --game-time 5m --increment 3s
  sixproof play \"J10 / I8 H9\" --as none --plain

Arrow keys (or hjkl) move the cursor, Space or Enter places a stone, Backspace takes it back; or
type a move, as in `k11 l10`. `help` shows the other commands: undo, hint, why, threats, resign,
save, level, swap, new, quit. While the engine thinks, Esc or Ctrl-C makes it move at once; Ctrl-C
once more quits. A win that the engine can prove is announced when its certificate was checked; the
certificate is written to a file, and kept in the store. `hint` and `now` know the proofs of the
store.";

/// Play against the engine on the terminal
#[derive(Args, Debug)]
#[command(after_help = PLAY_EXAMPLES, after_long_help = format!("{POSITIONS}\n\n{PLAY_EXAMPLES}"))]
#[command(mut_arg("level", level_help), mut_arg("time", time_help), mut_arg("seed", seed_help))]
pub(crate) struct Play {
    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// The side that you play; with `none` the engine plays against itself [default: the side to
    /// move]
    #[arg(long = "as", value_name = "SIDE")]
    pub(crate) user: Option<UserSide>,

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

    #[command(flatten)]
    pub(crate) player: EngineArgs,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// The level of an opponent whom people beat now and then.
pub(crate) const LEVEL_USUAL: u8 = 5;

fn level_help(level: Arg) -> Arg {
    level.help(format!(
        "How strong the style sixproof plays: 1 is for beginners, 10 is all it can \
         [default: {LEVEL_USUAL}]"
    ))
}

fn seed_help(seed: Arg) -> Arg {
    seed.help(
        "Decides between moves that are as good as each other [default: another one for each game]",
    )
}

fn time_help(time: Arg) -> Arg {
    time.help("Time for a move of the engine: 0.3s, 500ms, 1m; 3s when nothing is limited")
}

/// The sides of the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum UserSide {
    Black,
    White,
    Both,
    None,
}

impl UserSide {
    /// One side.
    pub(crate) fn of(color: Color) -> UserSide {
        match color {
            Color::Black => UserSide::Black,
            Color::White => UserSide::White,
        }
    }

    /// Whether the user plays this side.
    pub(crate) fn has(self, color: Color) -> bool {
        self == UserSide::Both || self == UserSide::of(color)
    }
}
