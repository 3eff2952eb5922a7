//! `sixproof farm`.

mod status;

use sixproof_solve::failure::Result;
use sixproof_solve::output::Output;

use crate::Exit;
use crate::options::{self, FarmCommand};

pub(crate) fn run(options: &options::Farm, output: Output) -> Result<Exit> {
    match &options.command {
        FarmCommand::Status(options) => status::run(options, output),
    }
}
