//! Pages of commands: Markdown whose fenced blocks are run.
//!
//! A block ```` ```console ```` holds commands (`$ sixproof …`), each followed by what it answers:
//! standard output as it is, standard error with `! ` in front, and `? N` when the exit code is not
//! 0. A block ```` ```file NAME ```` is a file that the commands below it find. All commands of a
//! page run in one folder of their own, which also holds `suite/sgf` and `suite/formats`.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::shell::{self, Answer};
use crate::suite;

/// Runs a page and returns it with the answers of today.
pub(crate) fn run(name: &str, page: &str) -> String {
    let folder = folder(name);
    let mut out = String::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        out += line;
        out.push('\n');
        let Some(block) = line.strip_prefix("```").filter(|info| !info.is_empty()) else {
            continue;
        };
        let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        if let Some(file) = block.strip_prefix("file ") {
            let text: String = body.iter().map(|line| format!("{line}\n")).collect();
            fs::write(folder.join(file), &text).unwrap();
            out += &text;
        } else if block == "console" {
            for command in body.iter().filter_map(|line| line.strip_prefix("$ ")) {
                let answer = shell::run(command, &folder)
                    .unwrap_or_else(|error| panic!("{name}: `{command}`: {error}"));
                assert_json(command, &answer);
                writeln!(out, "$ {command}\n{}", written(&answer).trim_end_matches('\n')).unwrap();
                if out.ends_with("\n\n") {
                    out.pop();
                }
            }
        } else {
            panic!("{name}: a block is ```console or ```file NAME, not ```{block}");
        }
        out += "```\n";
    }
    out
}

/// With --json a program speaks JSON alone, one value on a line.
fn assert_json(command: &str, answer: &Answer) {
    let alone = command.starts_with("sixproof ") && !command.contains(" | ");
    if alone && command.contains(" --json") {
        for line in [&answer.stdout, &answer.stderr].into_iter().flat_map(|out| lines_of(out)) {
            let value = serde_json::from_slice::<serde_json::Value>(line);
            assert!(value.is_ok(), "`{command}` prints {}", String::from_utf8_lossy(line));
        }
    }
}

fn lines_of(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split(|&b| b == b'\n').filter(|line| !line.is_empty())
}

/// An empty folder with the files that every page may use.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    for part in ["sgf", "formats"] {
        let to = folder.join(part);
        fs::create_dir_all(&to).unwrap();
        for entry in fs::read_dir(suite().join(part)).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
    folder
}

/// An answer as it stands on a page.
fn written(answer: &Answer) -> String {
    let mut out = String::new();
    for line in lines(&answer.stdout) {
        // What would be taken for something else is escaped.
        let special = ["$ ", "! ", "? ", "```", "\\"].iter().any(|start| line.starts_with(start));
        writeln!(out, "{}{line}", if special { "\\" } else { "" }).unwrap();
    }
    for line in lines(&answer.stderr) {
        writeln!(out, "{}", format!("! {line}").trim_end()).unwrap();
    }
    if answer.code != Some(0) {
        let code = answer.code.map_or("killed".to_string(), |code| code.to_string());
        writeln!(out, "? {code}").unwrap();
    }
    out
}

/// The lines of an output, without what differs from run to run or does not show on a page.
pub(crate) fn lines(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let is_progress =
        |line: &&str| line.starts_with("progress: ") || line.contains(r#""event":"progress""#);
    let lasting = text.lines().filter(|line| !is_progress(line));
    lasting.map(|line| normal(line).trim_end().to_string()).collect()
}

pub(crate) fn normal(line: &str) -> String {
    let line = line.replace('\u{1b}', "␛").replace(env!("CARGO_PKG_VERSION"), "VERSION");
    let line =
        [" s", " KiB", " MiB"].iter().fold(line, |line, unit| without_number_before(&line, unit));
    let names = ["\"seconds\":", "\"file_bytes\":"];
    names.iter().fold(line, |line, name| match line.split_once(name) {
        Some((before, after)) => {
            let end = after.find([',', '}']).unwrap_or(after.len());
            format!("{before}{name}…{}", &after[end..])
        }
        None => line,
    })
}

/// `0.003 s` becomes `… s` at the end of a line, and so do the lengths of stores.
fn without_number_before(line: &str, unit: &str) -> String {
    let Some(before) = line.strip_suffix(unit) else { return line.to_string() };
    let number = before.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    if number.len() == before.len() { line.to_string() } else { format!("{number}…{unit}") }
}
