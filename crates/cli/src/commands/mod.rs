//! The commands, one module each, named as it is typed: what a command does between the parsed
//! command line and the answer.

mod atlas;
mod bench;
mod check;
mod completions;
mod convert;
mod engine;
#[cfg(feature = "farm")]
mod farm;
mod list;
mod man;
mod match_;
mod play;
mod prove;
#[cfg(feature = "server")]
mod serve;
mod show;
mod store;
mod survey;
mod threats;
mod value;
mod verify;
mod welcome;
#[cfg(feature = "farm")]
mod worker;

#[cfg(feature = "farm")]
pub(crate) use bench::signature;
#[cfg(not(all(feature = "farm", feature = "server")))]
use sixproof_solve::failure::Failure;
use sixproof_solve::failure::Result;
use sixproof_solve::output::Output;

use crate::Exit;
use crate::options::Command;

/// Runs a command.
pub(crate) fn run(command: Option<Command>, output: Output) -> Result<Exit> {
    match command {
        None => Ok(welcome::run(output)),
        Some(Command::Show(options)) => show::run(&options, output),
        Some(Command::Threats(options)) => threats::run(&options, output),
        Some(Command::Play(options)) => play::run(&options, output),
        Some(Command::Engine(options)) => engine::run(&options, output),
        Some(Command::Prove(options)) => prove::run(&options, output),
        Some(Command::Verify(options)) => verify::run(&options, output),
        Some(Command::Value(options)) => value::run(&options, output),
        #[cfg(feature = "server")]
        Some(Command::Serve(options)) => serve::run(&options, output),
        #[cfg(not(feature = "server"))]
        Some(Command::Serve(_)) => Err(absent("server")),
        Some(Command::Check(options)) => check::run(&options, output),
        Some(Command::Store(options)) => store::run(&options, output),
        #[cfg(feature = "farm")]
        Some(Command::Worker(options)) => worker::run(&options, output),
        #[cfg(not(feature = "farm"))]
        Some(Command::Worker(_)) => Err(absent("farm")),
        #[cfg(feature = "farm")]
        Some(Command::Farm(options)) => farm::run(&options, output),
        #[cfg(not(feature = "farm"))]
        Some(Command::Farm(_)) => Err(absent("farm")),
        Some(Command::Convert(options)) => convert::run(&options, output),
        Some(Command::List(options)) => list::run(&options, output),
        Some(Command::Bench(options)) => bench::run(&options, output),
        Some(Command::Survey(options)) => survey::run(&options, output),
        Some(Command::Atlas(options)) => atlas::run(&options, output),
        Some(Command::Match(options)) => match_::run(&options, output),
        Some(Command::Completions(options)) => completions::run(&options),
        Some(Command::Man(options)) => man::run(&options, output),
    }
}

/// The program was built without the part that this command needs.
#[cfg(not(all(feature = "farm", feature = "server")))]
pub(crate) fn absent(feature: &str) -> Failure {
    Failure::new(format!("this program was built without `{feature}`"))
        .help(format!("build it with `cargo build --release --features {feature}`"))
}
