//! `--farm` in a program that was built without the feature `farm`.

use std::path::PathBuf;

use sixproof_certificate::Claim;
use sixproof_prover::prove::RemotePool;
use sixproof_solve::failure::Result;
use sixproof_solve::output::Output;

use super::absent;
use crate::cli::{LendArgs, PriorityName};
use crate::watcher::{RestsOn, Watcher};

/// A farm that works for a search: there is none.
pub(crate) enum Lending {}

impl Lending {
    /// Refuses `--farm`.
    pub(crate) fn ensure_usable(options: &LendArgs) -> Result<()> {
        match options.farm {
            Some(_) => Err(absent("farm")),
            None => Ok(()),
        }
    }

    pub(crate) fn open(
        _claim: &Claim,
        _title: String,
        options: &LendArgs,
        _usual: (Option<PathBuf>, PriorityName),
    ) -> Result<Option<Lending>> {
        Lending::ensure_usable(options).map(|()| None)
    }

    pub(crate) fn say_start(&self, _output: Output) {
        match *self {}
    }

    pub(crate) fn end(self, _is_proved: bool) {
        match self {}
    }

    pub(crate) fn basis(&self) -> Option<RestsOn> {
        match *self {}
    }

    pub(crate) fn pool(&self) -> Box<dyn RemotePool + '_> {
        match *self {}
    }
}

/// Shows nothing: there is no farm.
pub(crate) struct Shown;

impl Shown {
    pub(crate) fn new(_lending: Option<&Lending>, _output: Output) -> Shown {
        Shown
    }

    pub(crate) fn show(&mut self, _watcher: &mut Watcher) {}
}
