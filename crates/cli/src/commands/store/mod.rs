//! `sixproof store`: manages the store of proofs.

use std::ops::ControlFlow;

use serde_json::json;
use sixproof_check::CheckWatch;
use sixproof_prover::stop::break_if;
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::output::{BAD, Output, grouped};
use sixproof_solve::store::{self, failure};
use sixproof_store::Store;

use crate::Exit;
use crate::interrupt::Interrupt;
use crate::options::{self, StoreCommand};

mod export;
mod import;
mod merge;
mod stats;
mod verify;

pub(crate) fn run(options: &options::Store, output: Output) -> Result<Exit> {
    let path = store::path(options.store.as_deref())?;
    let read_only = || Store::open_read_only(&path).map_err(|error| failure(&error));
    let writable = || Store::open(&path).map_err(|error| failure(&error));
    match &options.command {
        StoreCommand::Stats(options) => stats::run(&read_only()?, options, output),
        StoreCommand::Export(options) => export::run(&read_only()?, options, output),
        StoreCommand::Import(options) => import::run(&writable()?, options, output),
        StoreCommand::Verify(options) if options.remove => {
            // A file that is not there is not made to be verified.
            drop(read_only()?);
            verify::run(writable()?, options, output)
        }
        StoreCommand::Verify(options) => verify::run(read_only()?, options, output),
        StoreCommand::Merge(options) => merge::run(&writable()?, options, output),
    }
}

/// Ctrl-C stops the checker.
struct Stopping<'a>(&'a Interrupt);

impl CheckWatch for Stopping<'_> {
    fn progress(&mut self, _nodes: u64) -> ControlFlow<()> {
        break_if(self.0.is_asked_for())
    }
}

/// `1 proof`, `1,234 proofs`.
fn count_text(count: u64, thing: &str) -> String {
    format!("{} {thing}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// Reports that something is bad: a `file`, a `proof`, a `position`.
fn say_bad(kind: &str, name: &str, verdict: &str, why: &str, output: Output) {
    if output.json {
        output.say_json(&json!({ kind: name, "verdict": verdict, "message": why }));
    } else {
        output.say(format!("{name}: {BAD}{verdict}{BAD:#}: {why}"));
    }
}

/// Reports a failure after which the command goes on.
fn note_failure(failure: &Failure, output: Output) {
    output.note(if output.json { failure.to_json().to_string() } else { failure.to_string() });
}

/// A failure after which the command goes on with the other files.
fn tolerated(failure: &Failure, output: Output) -> Result<Exit> {
    note_failure(failure, output);
    Ok(Exit::Undecided)
}
