//! `sixproof completions`: made from the command line's own description.

use clap::CommandFactory as _;
use sixproof_solve::failure::Result;

use super::man;
use crate::Exit;
use crate::options::{Cli, Completions};

pub(crate) fn run(options: &Completions) -> Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut Cli::command(), "sixproof", &mut script);
    man::print(&script)
}
