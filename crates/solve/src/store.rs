//! The store of proofs as commands use it: where it is, what a search reads there and adds.

use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sixproof_certificate::{Certified, Claim, Reader, Refused, Step};
use sixproof_game::Move;
use sixproof_prover::prove::Journal;
use sixproof_store::{Error, ProofMeta, Refutation, Store, StoredProof};

use crate::failure::{Failure, Result};
use crate::output::Output;

/// Digits of the number in the name of a claim.
const NAME_DIGITS: usize = 12;

/// The failure of a command for an error of the store.
pub fn failure(error: &Error) -> Failure {
    let failure = Failure::new(error.to_string());
    match error.help() {
        Some(help) => failure.help(help),
        None => failure,
    }
}

/// The file of the store: the one that the user named, else the usual one.
pub fn path(given: Option<&Path>) -> Result<PathBuf> {
    given.map(Path::to_path_buf).or_else(Store::default_path).ok_or_else(|| {
        Failure::new("no store is named, and no folder for one is known")
            .help("name a file with --store, or set SIXPROOF_STORE")
    })
}

/// The name of a claim: `connect6-3-stones-black-0123456789ab`, the same for all its symmetric
/// positions.
pub fn name(claim: &Claim) -> String {
    let game = claim.position.game().to_string().replace(',', "-");
    let stones = claim.position.stones().count();
    let plural = if stones == 1 { "stone" } else { "stones" };
    let number = format!("{:016x}", Store::claim_number(claim));
    format!("{game}-{stones}-{plural}-{}-{}", claim.attacker, &number[..NAME_DIGITS])
}

/// Which store a search uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// None: the search finds nothing there, and keeps nothing.
    None,
    /// The one of the user's data folder, or of the environment.
    Usual,
    /// A file that the user named.
    File(PathBuf),
}

/// The store of a search, or none. An error of the store is reported, and the search goes on: its
/// proof must not be lost.
pub struct Memory {
    store: Option<Arc<Store>>,
    output: Output,
}

impl Memory {
    /// Opens the store. One that was named has to open; without the usual one the search goes on.
    pub fn open(choice: &Choice, output: Output) -> Result<Memory> {
        let opened = |store| Memory { store: Some(Arc::new(store)), output };
        let without = Memory { store: None, output };
        match choice {
            Choice::None => Ok(without),
            Choice::File(path) => Store::open(path).map(opened).map_err(|error| failure(&error)),
            Choice::Usual => {
                let Some(path) = Store::default_path() else { return Ok(without) };
                Store::open(&path).map(opened).or_else(|error| {
                    output.warn(format!("{error}; the search goes on without it"));
                    Ok(without)
                })
            }
        }
    }

    /// The memory of searches that share a store with others; perhaps none.
    pub fn on(store: Option<Arc<Store>>, output: Output) -> Memory {
        Memory { store, output }
    }

    /// Whether there is a store.
    pub fn is_there(&self) -> bool {
        self.store.is_some()
    }

    /// The proof of a claim, before the checker.
    pub fn proof(&self, claim: &Claim) -> Option<StoredProof> {
        self.ask(|store| store.lookup(claim)).flatten()
    }

    /// The highest order without a win, which no checker can verify.
    pub fn refuted(&self, claim: &Claim) -> Option<u32> {
        self.ask(|store| store.refuted(claim)).flatten()
    }

    /// Keeps the certificate of a claim that holds.
    pub fn keep(
        &self,
        certified: &Certified,
        certificate: &[u8],
        order: Option<u32>,
        search_nodes: u64,
    ) {
        let meta = ProofMeta { order, search_nodes, version: version() };
        let claim = certified.claim();
        self.ask(|store| {
            store.insert(claim, certificate, meta)?;
            // A proof replaces the unfinished search.
            store.work_clear(claim)?;
            store.flush()
        });
    }

    /// Keeps that no strategy up to this order wins.
    pub fn keep_refuted(&self, claim: &Claim, order: u32, search_nodes: u64) {
        let refutation = Refutation { order, search_nodes, version: version() };
        self.ask(|store| {
            store.insert_refuted(claim, &refutation)?;
            store.flush()
        });
    }

    /// The journal of an unfinished search of a claim.
    pub fn journal<'a>(&'a self, claim: &'a Claim) -> SearchJournal<'a> {
        // Jobs name squares, so they belong to one orientation of the claim.
        let mut orientation = Vec::new();
        for (square, color) in claim.position.stones() {
            orientation.extend(square.x.to_le_bytes());
            orientation.extend(square.y.to_le_bytes());
            orientation.push(u8::from(color == claim.attacker));
        }
        orientation.push(u8::MAX);
        SearchJournal { memory: self, claim, orientation }
    }

    /// Commits all that was recorded; whether there is a store, and it has everything now.
    pub fn flush(&self) -> bool {
        self.ask(Store::flush).is_some()
    }

    /// Drops a proof that the checker refuses, and says so.
    pub fn drop_invalid(&self, claim: &Claim, why: &Refused) {
        self.output.warn(format!("dropped an invalid proof from the store: {why}"));
        self.ask(|store| store.remove_proof(claim));
    }

    /// Calls the store, if there is one; reports errors.
    fn ask<T>(&self, question: impl FnOnce(&Store) -> sixproof_store::Result<T>) -> Option<T> {
        let answer = question(self.store.as_deref()?);
        answer.map_err(|error| self.output.warn(error.to_string())).ok()
    }
}

/// The unfinished search of a claim, as the prover keeps it.
pub struct SearchJournal<'a> {
    memory: &'a Memory,
    claim: &'a Claim,
    orientation: Vec<u8>,
}

impl Journal for SearchJournal<'_> {
    fn recall(&self, job: &[u8]) -> Option<Vec<u8>> {
        let key = [&self.orientation[..], job].concat();
        self.memory.ask(|store| store.work_get(self.claim, &key)).flatten()
    }

    fn record(&self, job: &[u8], answer: &[u8]) {
        let key = [&self.orientation[..], job].concat();
        self.memory.ask(|store| store.work_put(self.claim, &key, answer));
    }
}

/// The version that records are kept with.
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_string()
}

/// The longest line of a certificate, the first of several; none if it cannot be read.
pub fn longest_line(certificate: &[u8]) -> Vec<Move> {
    longest_line_of(certificate)
}

/// As [`longest_line`], of a certificate that need not fit into memory.
pub fn longest_line_of(certificate: impl BufRead) -> Vec<Move> {
    let (mut longest, mut line) = (Vec::new(), Vec::new());
    let Ok(mut reader) = Reader::new(certificate) else { return longest };
    while let Ok(Some((depth, step))) = reader.next_step() {
        let (Step::Win { squares } | Step::Attack { squares } | Step::Reply { squares, .. }) = step
        else {
            continue;
        };
        line.truncate(depth);
        line.push(Move::from(squares));
        if line.len() > longest.len() {
            longest.clone_from(&line);
        }
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;
    use sixproof_game::{Color, Game, Position, Square};

    #[test]
    fn a_claim_has_one_name_in_all_orientations() {
        let named = |game: Game, square: Square| {
            let position = Position::set_up(game, &[square], &[], Color::White, 1).unwrap();
            name(&Claim::new(&position, Color::Black))
        };
        let game = Game::new(9, 7, 4, 2, 1, false).unwrap();
        let first = named(game, Square::new(0, 0));
        assert!(first.starts_with("9-7-4-2-1-1-stone-black-"), "{first}");
        assert_eq!(named(game, Square::new(8, 6)), first);
        assert_ne!(named(game, Square::new(1, 0)), first);
    }

    #[test]
    fn the_longest_line_is_that_of_the_longest_defence() {
        let certificate = b"sixproof-certificate 1 game 4 3 3 1 1 attacker black
            black B2 white A1 to-move black 1
            A C2 D 2 R A2 W D2 R D2 A B3 D 1 R A3 W B1";
        let line: Vec<usize> =
            longest_line(certificate).iter().map(|stones| stones.len()).collect();
        assert_eq!(line, [1, 1, 1, 1, 1]);
        assert!(longest_line(b"").is_empty());
    }
}
