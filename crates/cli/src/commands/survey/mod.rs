//! `sixproof survey`.

mod connect623;

use sixproof_solve::failure::Result;
use sixproof_solve::output::Output;

use crate::Exit;
use crate::options::{self, SurveyCommand};

pub(crate) fn run(options: &options::Survey, output: Output) -> Result<Exit> {
    match &options.command {
        SurveyCommand::Connect623(options) => connect623::run(options, output),
    }
}
