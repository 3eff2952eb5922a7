//! The atlas of Connect6: which second moves of White lose?
//!
//! The folder of an atlas holds certificates and results ([`Results`]). [`report`] makes a page of
//! what is known, [`map`] a picture.

pub mod elsewhere;
pub mod map;
pub mod openings;
pub mod report;
mod results;

use std::collections::BTreeMap;
use std::io::Read as _;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use sixproof_certificate::{Reader, Step};
use sixproof_game::{Color, Position};
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files;

use openings::{GAME, Opening};
pub use results::{Results, SearchRecord, limits_text};

/// The side that is to win.
pub const ATTACKER: Color = Color::Black;

/// Which second moves an atlas has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The side of the box around J10, an odd number.
    pub side: i32,
    /// The distances of White's nearer stone, where not all count.
    pub only: Option<RangeInclusive<i32>>,
    /// How many of them at random, where not all count.
    pub sample: Option<u64>,
    /// Which sample.
    pub seed: u64,
}

/// What is known of a second move.
#[derive(Clone, Debug)]
pub enum OpeningStatus {
    /// It loses: the checker has verified the certificate.
    Proved {
        /// The search that found the proof.
        entry: SearchRecord,
        /// Black's winning move.
        squares: String,
        /// Nodes of the certificate.
        nodes: u64,
        /// Bytes of its file.
        bytes: u64,
    },
    /// Searched in vain.
    Open(SearchRecord),
    /// Not searched.
    Untried,
}

/// What is known of the second moves that were asked for, farthest first.
pub struct Atlas {
    selection: Selection,
    radius: i32,
    openings: Vec<Opening>,
    known: BTreeMap<Opening, OpeningStatus>,
}

impl Atlas {
    /// An atlas of the selected second moves, of which nothing is known yet.
    pub fn new(selection: Selection) -> Result<Atlas> {
        let radius = selection.side / 2;
        let near: RangeInclusive<i32> = selection.only.clone().unwrap_or(1..=radius);
        if *near.end() > radius {
            let (side, only) = (selection.side, near.end());
            return Err(Failure::new(format!(
                "no stone in the box of {side} x {side} is {only} away"
            ))
            .help(format!("choose a larger box, such as --box {}", 2 * only + 1)));
        }
        let openings = match selection.sample {
            Some(count) => {
                let count = usize::try_from(count).unwrap_or(usize::MAX);
                openings::sample(radius, &near, count, selection.seed)
            }
            None => openings::all(radius, &near),
        };
        let known = openings.iter().map(|&opening| (opening, OpeningStatus::Untried)).collect();
        Ok(Atlas { selection, radius, openings, known })
    }

    /// Which second moves it has.
    pub fn selection(&self) -> &Selection {
        &self.selection
    }

    /// The second moves, farthest first.
    pub fn openings(&self) -> &[Opening] {
        &self.openings
    }

    /// Notes what is known of a second move.
    pub fn set(&mut self, opening: Opening, status: OpeningStatus) {
        self.known.insert(opening, status);
    }

    /// What is known of a second move.
    pub fn status(&self, opening: Opening) -> &OpeningStatus {
        self.known.get(&opening).unwrap_or(&OpeningStatus::Untried)
    }

    /// How many are proved, open and not tried, of those that `which` selects.
    pub fn counts(&self, which: impl Fn(Opening) -> bool) -> [usize; 3] {
        let mut counts = [0; 3];
        for &opening in self.openings.iter().filter(|&&opening| which(opening)) {
            counts[match self.status(opening) {
                OpeningStatus::Proved { .. } => 0,
                OpeningStatus::Open(_) => 1,
                OpeningStatus::Untried => 2,
            }] += 1;
        }
        counts
    }

    /// The distances of the nearer stone that there are, from near to far.
    pub fn distances(&self) -> Vec<i32> {
        let mut distances: Vec<i32> = self.openings.iter().map(|o| o.distance()).collect();
        distances.sort_unstable();
        distances.dedup();
        distances
    }
}

/// The position after a second move, Black to move.
pub fn position(opening: Opening) -> Result<Position> {
    opening.position().map_err(|error| Failure::new(error.to_string()))
}

/// `atlas/F10-N10.cert.zst`.
pub fn certificate_file(dir: &Path, opening: Opening) -> PathBuf {
    dir.join(format!("{}.cert.zst", opening.name().replace(' ', "-")))
}

/// The move with which a certificate begins.
pub fn first_move(certificate: &[u8]) -> std::result::Result<String, String> {
    let mut reader = Reader::new(certificate).map_err(|error| error.to_string())?;
    while let Some((_, step)) = reader.next_step().map_err(|error| error.to_string())? {
        match step {
            Step::Attack { squares } | Step::Win { squares } => {
                return Ok(GAME.square_names(&squares));
            }
            Step::Mark => {}
            _ => break,
        }
    }
    Err("it does not begin with a move of Attacker".to_string())
}

/// The bytes of a certificate, plain or compressed.
pub fn read_certificate(path: &Path) -> std::result::Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut input = files::open(path).map_err(|error| error.to_string())?;
    input.read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes)
}
