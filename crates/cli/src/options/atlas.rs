//! The options of `sixproof atlas`.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use sixproof_solve::quantity;

use super::{LocalArgs, ResourceArgs};
use sixproof_experiments::atlas::openings::RADIUS_MAX;

const ATLAS_EXAMPLES: &str = "\
Examples:
  sixproof atlas
  sixproof atlas --only 2-3 --time 5m
  sixproof atlas --nodes 1M --report docs/atlas.md
  sixproof atlas --sample 60 --only 3-4 --seed 7 --time 2m

Distances are Chebyshev distances from J10, the steps of a king: 3 is the edge of the box of 7 x 7.
The distance of a second move is that of White's nearer stone; the other stone is at least as far,
and within the box. The farthest second moves are searched first.

Each result is saved when it is found: Ctrl-C loses only the search at hand. The next run skips
what is proved, and searches again what is open only with a higher limit. A win counts only once
the checker has verified its certificate. What the store or a folder of --proofs proves, turned or
reflected, is taken from there, and its certificate is put into the folder.

Exit codes: 0 all are proved, 1 a certificate was rejected, 2 some are open; with --no-search 0 what
is known was shown.";

/// Which second moves of White lose? Connect6 after J10, one search for each
#[derive(Args, Debug)]
#[command(after_help = ATLAS_EXAMPLES)]
pub(crate) struct Atlas {
    /// Both stones of White are within a box of N x N around J10, N odd; 13 with --sample
    #[arg(long = "box", value_name = "N", default_value_t = 7, value_parser = odd)]
    #[arg(default_value_if("sample", clap::builder::ArgPredicate::IsPresent, "13"))]
    #[arg(help_heading = "Second moves")]
    pub(crate) side: i32,

    /// Only with White's nearer stone at this distance: 3, or 2-3
    #[arg(long, value_name = "DISTANCE", value_parser = distances)]
    #[arg(help_heading = "Second moves")]
    pub(crate) only: Option<RangeInclusive<i32>>,

    /// Only N of them at random: every pair of squares is equally likely, no two are images of each
    /// other
    #[arg(long, value_name = "N", value_parser = quantity::count, help_heading = "Second moves")]
    pub(crate) sample: Option<u64>,

    /// Which sample
    #[arg(long, value_name = "S", default_value_t = 1, requires = "sample")]
    #[arg(value_parser = quantity::seed, help_heading = "Second moves")]
    pub(crate) seed: u64,

    /// Time spent at most, for each: 30s, 5m, 2h; else 60s, or no limit with --nodes
    #[arg(long, value_name = "TIME", value_parser = quantity::time, help_heading = "Search")]
    pub(crate) time: Option<Duration>,

    /// Nodes searched at most, for each: 100k, 5M; else 1G. With nodes alone and --threads 1 a run
    /// can be repeated node for node
    #[arg(long, value_name = "N", value_parser = quantity::count, help_heading = "Search")]
    pub(crate) nodes: Option<u64>,

    /// The highest order tried; lower ones are tried first
    #[arg(long, value_name = "N", default_value_t = 5, help_heading = "Search")]
    #[arg(value_parser = quantity::up_to::<9>)]
    pub(crate) order: u32,

    #[command(flatten)]
    pub(crate) local: LocalArgs,

    /// Search nothing: report what the folder and the store hold
    #[arg(long, help_heading = "Search")]
    pub(crate) no_search: bool,

    /// The folder of the certificates and of results.txt [default: docs/atlas in a clone, or atlas]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,

    /// A folder of certificates that count, too, turned or reflected [default: docs/openings in a
    /// clone]
    #[arg(long, value_name = "DIR")]
    proofs: Vec<PathBuf>,

    /// Write a page on all of it, .md, and a map of it beside the page, .svg
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,

    /// Print only the sums
    #[arg(short, long)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) resources: ResourceArgs,
}

/// Folders of a clone, which are used where the user names no others.
const CLONE_DIR: &str = "docs/atlas";
const CLONE_PROOFS: &str = "docs/openings";

impl Atlas {
    /// The folder of the atlas.
    pub(crate) fn dir(&self) -> PathBuf {
        let usual = if Path::new(CLONE_DIR).is_dir() { CLONE_DIR } else { "atlas" };
        self.dir.clone().unwrap_or_else(|| PathBuf::from(usual))
    }

    /// The folders of certificates that count, too.
    pub(crate) fn proofs(&self) -> Vec<PathBuf> {
        match self.proofs.is_empty() && Path::new(CLONE_PROOFS).is_dir() {
            true => vec![PathBuf::from(CLONE_PROOFS)],
            false => self.proofs.clone(),
        }
    }
}

/// Reads the side of a box.
fn odd(text: &str) -> Result<i32, String> {
    match text.parse::<i32>() {
        Ok(side) if side % 2 == 1 && (3..=2 * RADIUS_MAX + 1).contains(&side) => Ok(side),
        _ => Err(format!("write an odd number from 3 to {}", 2 * RADIUS_MAX + 1)),
    }
}

/// Reads a distance, or the least and the greatest.
fn distances(text: &str) -> Result<RangeInclusive<i32>, String> {
    let help = || format!("write a distance from 1 to {RADIUS_MAX}, or two as in 2-3");
    let (low, high) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| {
        let is_plain = text.bytes().all(|b| b.is_ascii_digit());
        text.parse().ok().filter(|n| is_plain && (1..=RADIUS_MAX).contains(n)).ok_or_else(help)
    };
    let (low, high) = (number(low)?, number(high)?);
    if low > high {
        return Err(format!("{low} is more than {high}; {}", help()));
    }
    Ok(low..=high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_odd_and_on_the_board() {
        assert_eq!(odd("7"), Ok(7));
        assert_eq!(odd("19"), Ok(19));
        for text in ["", "1", "4", "21", "-7", "x"] {
            assert!(odd(text).is_err(), "{text}");
        }
    }

    #[test]
    fn distances_are_one_or_two_numbers() {
        assert_eq!(distances("3"), Ok(3..=3));
        assert_eq!(distances("2-4"), Ok(2..=4));
        for text in ["", "0", "10", "3-2", "-3", "3-", "2-3-4", "+3"] {
            assert!(distances(text).is_err(), "{text}");
        }
    }
}
