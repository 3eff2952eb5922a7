//! The farm as real processes, with a real nats-server: who is let in and who is not, what is said
//! then, and that no secret is ever shown.
//!
//! What needs workers that lie, crash or wait at a certain moment: `crates/farm-nats/src/tests`.

mod access;
mod chaos;
mod commands;
mod cut;
mod liars;
mod nats_server;
#[path = "../scratch/mod.rs"]
mod scratch;

use std::path::Path;
use std::process::{Command, Output};

/// What came of a run of the program.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    fn new(output: &Output) -> Ran {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ran { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
    }

    /// All that was said.
    pub(crate) fn all(&self) -> String {
        format!("{}{}", self.out, self.err)
    }
}

/// The program in a folder, with an environment of its own.
pub(crate) fn program(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sixproof"));
    command.args(arguments).env_clear().env("TMPDIR", folder).current_dir(folder);
    command
}

pub(crate) fn sixproof(folder: &Path, arguments: &[&str]) -> Ran {
    Ran::new(&program(folder, arguments).output().unwrap())
}

pub(crate) fn sixproof_with(
    folder: &Path,
    environment: &[(&str, &str)],
    arguments: &[&str],
) -> Ran {
    let output = program(folder, arguments).envs(environment.iter().copied()).output();
    Ran::new(&output.unwrap())
}
