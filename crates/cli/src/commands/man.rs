//! `sixproof man`: the manual, made from the command line's own description.

use std::io::{self, Write as _};

use clap::CommandFactory as _;
use serde_json::json;
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::output::{HINT, Output};

use crate::Exit;
use crate::options::{Cli, Man};

pub(crate) fn run(options: &Man, output: Output) -> Result<Exit> {
    let Some(dir) = &options.dir else {
        return print(&page(&Cli::command())?);
    };
    let failed = |e| Failure::io(dir.display(), &e);
    std::fs::create_dir_all(dir).map_err(failed)?;
    clap_mangen::generate_to(Cli::command(), dir).map_err(failed)?;
    if output.json {
        output.say_json(&json!({ "written": dir.display().to_string() }));
    } else {
        output.note(format!("{HINT}written:{HINT:#} {}", dir.join("sixproof*.1").display()));
    }
    Ok(Exit::Yes)
}

fn page(command: &clap::Command) -> Result<Vec<u8>> {
    let mut page = Vec::new();
    let rendered = clap_mangen::Man::new(command.clone()).render(&mut page);
    rendered.map_err(|e| Failure::io("the manual page", &e))?;
    Ok(page)
}

/// Prints bytes as they are.
pub(super) fn print(bytes: &[u8]) -> Result<Exit> {
    match io::stdout().lock().write_all(bytes) {
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => Err(Failure::io("standard output", &e)),
        _ => Ok(Exit::Yes),
    }
}
