//! `sixproof completions` and `sixproof man`: made from the command line's own description.

use std::io::{self, Write as _};
use std::path::Path;

use clap::CommandFactory as _;
use serde_json::json;

use crate::Answer;
use crate::cli::{Cli, Completions, Man};
use crate::failure::{Failure, Result};
use crate::files;
use crate::output::{HINT, Output};

pub(crate) fn completions(options: &Completions) -> Result<Answer> {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut Cli::command(), "sixproof", &mut script);
    print(&script)
}

pub(crate) fn run(options: &Man, output: Output) -> Result<Answer> {
    let Some(dir) = &options.dir else {
        return print(&page(&Cli::command())?);
    };
    std::fs::create_dir_all(dir).map_err(|e| Failure::io(dir.display(), &e))?;
    let mut command = Cli::command();
    command.build();
    let mut written = vec![write_page(dir, "sixproof", &command)?];
    for sub in command.get_subcommands() {
        let name = format!("sixproof-{}", sub.get_name());
        // The page's own name is what `man` looks for.
        let sub = sub.clone().name(name.clone());
        written.push(write_page(dir, &name, &sub)?);
    }
    if output.json {
        output.say_json(&json!({ "written": written }));
    } else {
        output.say(format!("{HINT}written:{HINT:#} {}", written.join(" ")));
    }
    Ok(Answer::Yes)
}

fn write_page(dir: &Path, name: &str, command: &clap::Command) -> Result<String> {
    let path = dir.join(format!("{name}.1"));
    files::write(&path, &page(command)?)?;
    Ok(path.display().to_string())
}

fn page(command: &clap::Command) -> Result<Vec<u8>> {
    let mut page = Vec::new();
    let rendered = clap_mangen::Man::new(command.clone()).render(&mut page);
    rendered.map_err(|e| Failure::io("the manual page", &e))?;
    Ok(page)
}

/// Prints bytes as they are.
fn print(bytes: &[u8]) -> Result<Answer> {
    match io::stdout().lock().write_all(bytes) {
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => Err(Failure::io("standard output", &e)),
        _ => Ok(Answer::Yes),
    }
}
