//! `--farm` in a program that was built without the feature `farm`.

use std::path::PathBuf;

use sixproof_certificate::Claim;
use sixproof_prover::prove::RemotePool;
use sixproof_solve::failure::Result;
use sixproof_solve::output::Output;

use crate::commands::absent;
use crate::options::{PriorityName, RemoteArgs};
use crate::watcher::{RestsOn, Watcher};

/// The farm of a search, which this program cannot have.
pub(crate) enum FarmSearch {}

impl FarmSearch {
    /// Refuses `--farm`.
    pub(crate) fn ensure_usable(options: &RemoteArgs) -> Result<()> {
        match options.farm {
            Some(_) => Err(absent("farm")),
            None => Ok(()),
        }
    }

    pub(crate) fn open(
        _claim: &Claim,
        _title: String,
        options: &RemoteArgs,
        _usual: (Option<PathBuf>, PriorityName),
    ) -> Result<Option<FarmSearch>> {
        FarmSearch::ensure_usable(options).map(|()| None)
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

/// Shows nothing.
pub(crate) struct FarmDisplay;

impl FarmDisplay {
    pub(crate) fn new(_farm: Option<&FarmSearch>, _output: Output) -> FarmDisplay {
        FarmDisplay
    }

    pub(crate) fn show(&mut self, _watcher: &mut Watcher) {}
}
