//! A library on a store of its own, which stops and starts again; and random edits.

use std::fs;
use std::path::PathBuf;

use sixproof_game::repeatable::mix;
use sixproof_solve::output::Output;
use tempfile::TempDir;

use super::*;
use crate::jobs::wire::{ColorName, JobKind, JobLimits, JobOutcome};
use crate::wire::{MarkKind, Promotion};

/// A generator of repeatable random numbers.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub(super) fn below(&mut self, limit: u64) -> u64 {
        mix(&mut self.0) % limit
    }

    pub(super) fn choose<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len() as u64) as usize]
    }
}

/// A library, and the folder of its store.
pub(super) struct World {
    pub(super) library: Library,
    folder: TempDir,
    /// The number of the store in use.
    stores: u64,
}

fn library(path: PathBuf) -> Library {
    let store = Arc::new(Store::open(path).unwrap());
    let memory = Arc::new(Memory::on(Some(Arc::clone(&store)), Output { json: false }));
    let proofs = Arc::new(Proofs::new(Arc::clone(&store)));
    Library::new(store, memory, proofs, Arc::new(Hub::new("test".to_string())))
}

impl World {
    pub(super) fn new() -> World {
        let folder = tempfile::tempdir().unwrap();
        World { library: library(folder.path().join("0.redb")), folder, stores: 0 }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join(format!("{}.redb", self.stores))
    }

    /// Stops the program in order, and starts it again.
    pub(super) fn stop(&mut self) {
        self.library.store.flush().unwrap();
        self.crash();
    }

    /// Ends the program at once: the next one has the bytes that are in the file at this moment.
    pub(super) fn crash(&mut self) {
        let file = self.path();
        // Not in the middle of a commit: a crash there is what the database is tested for.
        let bytes = loop {
            let bytes = fs::read(&file).unwrap();
            if fs::read(&file).unwrap() == bytes {
                break bytes;
            }
        };
        self.stores += 1;
        fs::write(self.path(), bytes).unwrap();
        self.library = library(self.path());
    }
}

/// A result of a job that needs no certificate.
pub(super) fn result(job: u64) -> JobResult {
    JobResult {
        kind: JobKind::Analyse,
        outcome: JobOutcome::Value,
        attacker: ColorName::Black,
        text: format!("found by {job}"),
        line: Vec::new(),
        moves: Vec::new(),
        unsolved: Vec::new(),
        order: None,
        nodes: job,
        seconds: 0.0,
        limits: JobLimits::default(),
        version: "test".to_string(),
        certificate: None,
        job: job + 1,
        at_ms: 0,
    }
}

/// An edit of a node that exists or existed.
pub(super) fn draw_edit(random: &mut Random, game: Game, nodes: &[NodeId]) -> Edit {
    let node = random.choose(nodes).0;
    let square = |random: &mut Random| {
        let column = *random.choose(&["A", "B", "C", "D", "E"]);
        format!("{column}{}", 1 + random.below(5))
    };
    let text = format!("text {}\nand [more]", random.below(1_000));
    let square_1 = square(random);
    let square_2 = square(random);
    match random.below(30) {
        0..=13 => {
            let mut squares = vec![square_1];
            if game.p() > 1 && random.below(4) > 0 {
                squares.push(square_2);
            }
            Edit::Move { node, squares }
        }
        14 => Edit::Pass { node },
        15..=17 => Edit::Delete { node },
        18 => {
            let all = [Promotion::Up, Promotion::Down, Promotion::First, Promotion::Main];
            Edit::Promote { node, how: *random.choose(&all) }
        }
        19 => Edit::Name { node, text, was: None },
        20..=22 => Edit::Comment { node, text, was: None },
        23 => Edit::Label { node, square: square_1, text: text[..6].to_string() },
        24 => {
            let kind = (random.below(2) == 0).then_some(MarkKind::Circle);
            Edit::Mark { node, square: square_1, kind }
        }
        25 => Edit::Arrow { node, from: square_1, to: square_2 },
        26 => Edit::Dim { node, squares: vec![square_1] },
        27 => {
            let to_move = *random.choose(&[wire::Color::Black, wire::Color::White]);
            Edit::Setup { node, black: vec![square_1], white: Vec::new(), to_move, left: 1 }
        }
        28 => Edit::Title { text },
        _ => Edit::Paste { node, text: "A1 / B2 / C3".to_string() },
    }
}
