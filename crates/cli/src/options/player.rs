//! How an engine plays, and how long it may think: the same words in `play`, `engine` and `match`.

use std::num::NonZero;
use std::time::Duration;

use clap::Args;
use sixproof_player::{Control, Level, Limits, Settings, Style, UnknownLevel};

use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::quantity;

/// How an engine plays.
#[derive(Args, Clone, Debug)]
pub(crate) struct EngineArgs {
    /// The way of playing: sixproof, nctu6, kagami, greedy, random
    #[arg(long, value_name = "STYLE", default_value_t = Style::default())]
    #[arg(help_heading = "Engine")]
    pub(crate) style: Style,

    /// How strong the style sixproof plays: 1 is for beginners, 10 is all it can [default: 10]
    #[arg(long, value_name = "1-10", value_parser = level, help_heading = "Engine")]
    pub(crate) level: Option<Level>,

    /// Threads of the engine; with 1 and a limit of nodes or depth, the same game gives the same
    /// moves
    #[arg(long, value_name = "N", default_value = "1", help_heading = "Engine")]
    #[arg(value_parser = quantity::at_least_one::<{ u16::MAX }>)]
    pub(crate) threads: NonZero<u16>,

    /// Decides between moves that are as good as each other [default: 1]
    #[arg(long, value_name = "N", value_parser = quantity::seed, help_heading = "Engine")]
    pub(crate) seed: Option<u64>,

    /// Do without the opening book
    #[arg(long, help_heading = "Engine")]
    pub(crate) no_book: bool,
}

impl EngineArgs {
    /// The settings of an engine, with a level and a seed for options that were not given.
    pub(crate) fn settings(&self, level_usual: Level, seed_usual: u64) -> Result<Settings> {
        if self.level.is_some() && self.style != Style::Sixproof {
            return Err(Failure::new(format!("the style {} has no levels", self.style))
                .help("leave out --level, or --style"));
        }
        Ok(Settings {
            style: self.style,
            level: self.level.unwrap_or(level_usual),
            threads: self.threads.get().into(),
            seed: self.seed.unwrap_or(seed_usual),
            book: !self.no_book,
            ..Settings::default()
        })
    }
}

/// How long an engine may think.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct LimitArgs {
    /// Time for a move: 0.3s, 500ms, 1m
    #[arg(short, long, value_name = "TIME", value_parser = quantity::short_time)]
    #[arg(conflicts_with = "game_time", help_heading = "Limits")]
    pub(crate) time: Option<Duration>,

    /// Time for all moves of a game instead: 30m
    #[arg(long, value_name = "TIME", value_parser = quantity::short_time)]
    #[arg(help_heading = "Limits")]
    pub(crate) game_time: Option<Duration>,

    /// Time added after each move: 5s
    #[arg(long, value_name = "TIME", value_parser = quantity::short_time)]
    #[arg(requires = "game_time", help_heading = "Limits")]
    pub(crate) increment: Option<Duration>,

    /// Nodes searched for a move at most: 100k, 5M
    #[arg(long, value_name = "N", value_parser = quantity::count, help_heading = "Limits")]
    pub(crate) nodes: Option<u64>,

    /// Moves of either side looked ahead at most
    #[arg(long, value_name = "N", value_parser = quantity::up_to::<99>)]
    #[arg(help_heading = "Limits")]
    pub(crate) depth: Option<u32>,
}

impl LimitArgs {
    /// How the time is given: so much for a move, if nothing at all is limited.
    pub(crate) fn control(self, usual: Duration) -> Option<Control> {
        match (self.time, self.game_time) {
            (Some(time), _) => Some(Control::Move(time)),
            (None, Some(total)) => {
                let increment = self.increment.unwrap_or_default();
                Some(Control::Game { total, increment })
            }
            (None, None) if self.nodes.is_some() || self.depth.is_some() => None,
            (None, None) => Some(Control::Move(usual)),
        }
    }

    /// These limits besides those of time.
    pub(crate) fn beside(self, limits: Limits) -> Limits {
        let depth = [limits.depth, self.depth].into_iter().flatten().min();
        Limits { nodes: self.nodes, depth, ..limits }
    }
}

/// Reads a level.
pub(crate) fn level(text: &str) -> std::result::Result<Level, String> {
    text.parse().map_err(|unknown: UnknownLevel| unknown.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_go_from_1_to_10() {
        assert_eq!(level("10"), Ok(Level::MAX));
        for text in ["0", "11", "", "five", "256"] {
            assert!(level(text).is_err(), "{text}");
        }
    }

    #[test]
    fn time_is_limited_unless_something_else_is() {
        let (short, long) = (Duration::from_secs(1), Duration::from_secs(300));
        let none =
            LimitArgs { time: None, game_time: None, increment: None, nodes: None, depth: None };
        for (limits, control) in [
            (none, Some(Control::Move(short))),
            (LimitArgs { time: Some(long), ..none }, Some(Control::Move(long))),
            (LimitArgs { nodes: Some(1), ..none }, None),
            (LimitArgs { depth: Some(1), ..none }, None),
            (LimitArgs { time: Some(long), nodes: Some(1), ..none }, Some(Control::Move(long))),
            (
                LimitArgs { game_time: Some(long), increment: Some(short), ..none },
                Some(Control::Game { total: long, increment: short }),
            ),
        ] {
            assert_eq!(limits.control(short), control, "{limits:?}");
        }
    }

    #[test]
    fn the_smaller_depth_holds() {
        let limits =
            LimitArgs { time: None, game_time: None, increment: None, nodes: None, depth: Some(5) };
        for (other, depth) in [(None, 5), (Some(3), 3), (Some(9), 5)] {
            let both = limits.beside(Limits { depth: other, ..Limits::default() });
            assert_eq!(both.depth, Some(depth));
        }
    }
}
