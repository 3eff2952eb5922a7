//! The README keeps its word: its commands can be typed as they stand, from the root of the clone,
//! and answer as shown.
//!
//! Blocks ```` ```console ```` show answers, abridged: a line `…` stands for any lines, `…` in a
//! line for any text. What is typed after a prompt becomes the input of the program. Blocks
//! ```` ```sh ```` only have commands: those that end soon are run, the others are parsed.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::{shell, transcript};

/// Commands of blocks ```` ```sh ```` that are parsed and not run, by how they begin, and why.
const ONLY_PARSED: [(&str, &str); 16] = [
    ("sixproof serve", "runs until it is stopped"),
    ("sixproof play", "waits for a person"),
    ("sixproof worker nats://127.0.0.1:4333 ", "runs until it is stopped, and needs a server"),
    ("sixproof farm", "runs until it is stopped, and needs a server"),
    ("sixproof prove xx-l8", "takes a minute"),
    ("sixproof prove tx-h9", "takes a minute"),
    ("sixproof verify tx-h9", "takes ten seconds and more"),
    ("sixproof show docs/samples/game.sgf --out", "draws twenty pictures, slowly in this build"),
    ("sixproof match sixproof kagami", "takes minutes"),
    ("sixproof match sixproof sixproof:7", "takes minutes"),
    ("sixproof atlas --time", "takes hours"),
    ("sixproof value --table", "takes minutes"),
    ("sixproof survey", "takes minutes"),
    ("sixproof bench", "takes seconds; tests/bench.rs runs it"),
    ("sixproof completions bash >", "writes into the home folder"),
    ("sixproof man --dir", "writes into the home folder"),
];

/// Commands of other programs, by how they begin.
const OTHERS: [&str; 3] = ["cargo install ", "nats-server ", "scripts/test"];

/// Options that name a file to be written, not one that has to be there.
const WRITING: [&str; 9] =
    ["--out", "--cert", "--sgf", "--svg", "--report", "--dir", "--plot", "--store", ">"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A folder that looks like the root of the clone, and may be written to.
fn clone_of_root(name: &str) -> PathBuf {
    let folder = transcript::folder(name);
    for part in ["suite", "docs"] {
        symlink(root().join(part).canonicalize().unwrap(), folder.join(part)).unwrap();
    }
    folder
}

/// The lines of all blocks of a kind.
fn blocks(kind: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    let fence = format!("```{kind}");
    let mut lines = text.lines();
    let mut blocks = Vec::new();
    while lines.by_ref().any(|line| line == fence) {
        let body = lines.by_ref().take_while(|line| *line != "```");
        blocks.push(body.map(str::to_string).collect());
    }
    blocks
}

/// The command as the mini shell runs it: programs by their names, `*` replaced by the files.
fn plain(command: &str) -> String {
    let called = [
        ("cargo run --release -p sixproof-check --", "sixproof-check"),
        ("cargo run --release --", "sixproof"),
        ("cargo run --release", "sixproof"),
    ];
    let called = called.iter().find_map(|(typed, name)| Some((command.strip_prefix(typed)?, name)));
    let command = called.map_or(command.to_string(), |(rest, name)| format!("{name}{rest}"));
    command
        .split(' ')
        .map(|word| files_of(word).unwrap_or(word.to_string()))
        .collect::<Vec<_>>()
        .join(" ")
}

/// The files that a word like `suite/good/*.cert` stands for.
fn files_of(word: &str) -> Option<String> {
    let (start, end) = word.split_once('*')?;
    let folder = start.strip_suffix('/')?;
    let entries = fs::read_dir(root().join(folder)).ok()?;
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut files: Vec<String> =
        names.filter(|name| name.ends_with(end)).map(|name| format!("{folder}/{name}")).collect();
    files.sort();
    Some(files.join(" "))
}

/// Whether a line is the one that is shown, where `…` may be any text.
fn is_line(shown: &str, line: &str) -> bool {
    let mut parts = shown.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// The first line that is shown and not said; `None` if the answer is as shown.
fn missing(shown: &[String], answer: &[String]) -> Option<String> {
    let mut answer = answer.iter();
    let mut may_skip = false;
    for line in shown {
        if line == "…" {
            may_skip = true;
            continue;
        }
        let found = match may_skip {
            true => answer.any(|said| is_line(line, said)),
            false => answer.next().is_some_and(|said| is_line(line, said)),
        };
        if !found {
            return Some(line.clone());
        }
        may_skip = false;
    }
    match answer.next() {
        Some(more) if !may_skip => Some(format!("the end, and not `{more}`")),
        _ => None,
    }
}

/// A command with the answer that is shown, and what is typed meanwhile.
fn shown_commands() -> Vec<(String, Vec<String>, String)> {
    let mut all: Vec<(String, Vec<String>, String)> = Vec::new();
    for line in blocks("console").into_iter().flatten() {
        if let Some(command) = line.strip_prefix("$ ") {
            all.push((command.to_string(), Vec::new(), String::new()));
            continue;
        }
        let (_, shown, typed) = all.last_mut().expect("a block begins with a command");
        match line.split_once("stones> ") {
            Some((prompt, words)) => {
                shown.push(format!("{prompt}stones>"));
                *typed += &format!("{words}\n");
            }
            None => shown.push(transcript::normal(&line)),
        }
    }
    all
}

#[test]
fn the_readme_shows_what_its_commands_answer() {
    let folder = clone_of_root("readme-shown");
    let commands = shown_commands();
    assert!(commands.len() > 4);
    for (command, shown, typed) in commands {
        let line = plain(&command);
        let answer = shell::run_with(&line, typed.as_bytes(), &folder)
            .unwrap_or_else(|error| panic!("`{command}`: {error}"));
        let errors = String::from_utf8_lossy(&answer.stderr);
        assert_eq!(answer.code, Some(0), "`{command}`: {errors}");
        let lines = transcript::lines(&answer.stdout);
        if let Some(line) = missing(&shown, &lines) {
            panic!("`{command}` does not answer `{line}` but\n{}", lines.join("\n"));
        }
    }
}

/// The commands of blocks without answers, without their comments.
fn typed_commands() -> Vec<String> {
    let lines = blocks("sh").into_iter().flatten();
    lines.map(|line| line.split(" # ").next().unwrap_or_default().trim_end().to_string()).collect()
}

/// The words that name files which have to be there: with an ending that only files have.
fn files_named(words: &[String]) -> Vec<PathBuf> {
    let endings = ["sgf", "cert", "zst", "lib", "psq", "txt"];
    let is_read = |index: &usize| {
        let before = index.checked_sub(1).map(|before| words[before].as_str());
        !before.is_some_and(|before| WRITING.contains(&before))
    };
    let read = (0..words.len()).filter(is_read).map(|index| words[index].as_str());
    let files = read.map(|word| word.split_once('@').map_or(word, |(file, _)| file));
    let is_file = |file: &&str| {
        Path::new(file).extension().is_some_and(|e| endings.iter().any(|ending| e == *ending))
    };
    files.filter(is_file).map(PathBuf::from).collect()
}

#[test]
fn the_commands_of_the_readme_can_be_typed_as_they_stand() {
    let folder = clone_of_root("readme-typed");
    let commands = typed_commands();
    // What shows its answer, too, is run by the test above.
    let shown = shown_commands();
    for command in &commands {
        let is_shown = shown.iter().any(|(shown, ..)| shown == command);
        if is_shown || OTHERS.iter().any(|other| command.starts_with(other)) {
            continue;
        }
        let line = plain(command);
        let words = shell::words(&line).unwrap_or_else(|error| panic!("`{command}`: {error}"));
        for file in files_named(&words) {
            assert!(folder.join(&file).exists(), "`{command}`: there is no {}", file.display());
        }
        let is_parsed = ONLY_PARSED.iter().any(|(start, _)| format!("{line} ").starts_with(start));
        // Help is printed once all that stands before it is understood.
        let asked = line.split(" > ").next().unwrap_or_default();
        let line = if is_parsed { format!("{asked} --help") } else { line };
        let answer =
            shell::run(&line, &folder).unwrap_or_else(|error| panic!("`{command}`: {error}"));
        let errors = String::from_utf8_lossy(&answer.stderr);
        assert_eq!(answer.code, Some(0), "`{command}`: {errors}");
    }
    for (start, why) in ONLY_PARSED {
        let is_there = commands.iter().any(|command| format!("{command} ").starts_with(start));
        assert!(is_there, "the README has no command `{start}`, which {why}");
    }
}

#[test]
fn an_answer_may_be_abridged_but_not_changed() {
    let lines = |text: &str| text.lines().map(str::to_string).collect::<Vec<_>>();
    let answer = lines("one\ntwo 2\nthree\nfour");
    for shown in ["one\ntwo 2\nthree\nfour", "…\nfour", "one\n…", "one\ntw…\n…\nf…r", "…"]
    {
        assert_eq!(missing(&lines(shown), &answer), None, "{shown}");
    }
    for shown in ["one", "two 2\n…", "…\nthree", "one\n…\ntwo 3\n…", "…\nfour\nthree", "o…x\n…"]
    {
        assert!(missing(&lines(shown), &answer).is_some(), "{shown}");
    }
}
