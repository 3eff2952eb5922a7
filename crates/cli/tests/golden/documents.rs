//! The documents keep their word: the commands of the README and of all pages in `docs` can be
//! typed as they stand, from the root of the clone, answer as shown, and draw the pictures that
//! the pages show.
//!
//! Blocks ```` ```console ```` show answers, abridged: a line `…` stands for any lines, `…` in a
//! line for any text, and `? N` is the exit code where it is not 0. What is typed after a prompt
//! becomes the input of the program. Blocks ```` ```sh ```` only have commands: those that end soon
//! are run, the others are parsed, as are commands between backticks.
//!
//! `UPDATE_EXPECT=1 cargo test -p sixproof-cli --test golden documents` draws the pictures anew;
//! look at each before you commit it.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::{shell, transcript};

/// Commands of blocks ```` ```sh ```` that are parsed and not run, by how they begin, and why.
const ONLY_PARSED: [(&str, &str); 17] = [
    ("sixproof serve", "runs until it is stopped"),
    ("sixproof play", "waits for a person"),
    ("sixproof worker nats://127.0.0.1:4333 ", "runs until it is stopped, and needs a server"),
    ("sixproof farm", "runs until it is stopped, and needs a server"),
    ("sixproof prove xx-l8", "takes a minute"),
    ("sixproof prove tx-h9", "takes a minute"),
    ("sixproof verify tx-h9", "takes ten seconds and more"),
    ("sixproof show docs/samples/game.sgf --out", "draws twenty pictures, slowly in this build"),
    ("sixproof store", "works with the proofs of the user"),
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
const OTHERS: [&str; 9] = [
    "cargo install ",
    "cargo build ",
    "cargo xtask ",
    "nats-server ",
    "scripts/",
    "head ",
    "curl ",
    "caddy ",
    "URL=",
];

/// Options that name a file to be written, not one that has to be there.
const WRITING: [&str; 10] =
    ["--out", "--cert", "--sgf", "--svg", "--report", "--dir", "--plot", "--store", "--to", ">"];

/// The folder of the pictures that the pages show and their commands draw.
const PICTURES: &str = "docs/images";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A folder that looks like the root of the clone, and may be written to: its pictures are missing.
fn clone_of_root(name: &str) -> PathBuf {
    let folder = transcript::folder(name);
    let root = root().canonicalize().unwrap();
    symlink(root.join("suite"), folder.join("suite")).unwrap();
    fs::create_dir(folder.join("docs")).unwrap();
    for entry in fs::read_dir(root.join("docs")).unwrap() {
        let entry = entry.unwrap();
        let to = folder.join("docs").join(entry.file_name());
        match entry.file_name() == "images" {
            true => fs::create_dir_all(to.join("theory")).unwrap(),
            false => symlink(entry.path(), to).unwrap(),
        }
    }
    folder
}

/// A document with commands.
struct Page {
    /// Its path from the root of the clone.
    path: String,
    text: String,
}

/// The README, and all pages in `docs`.
fn pages() -> Vec<Page> {
    let mut paths = vec!["README.md".to_string(), "docs/samples/README.md".to_string()];
    for entry in fs::read_dir(root().join("docs")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name.ends_with(".md") {
            paths.push(format!("docs/{name}"));
        }
    }
    paths.sort();
    let page = |path: String| Page { text: fs::read_to_string(root().join(&path)).unwrap(), path };
    paths.into_iter().map(page).collect()
}

/// What a page shows of the answer to a command.
#[derive(Default)]
struct Shown {
    lines: Vec<String>,
    /// What is typed while the command runs.
    typed: String,
    code: i32,
}

impl Page {
    /// The lines of all blocks of a kind.
    fn blocks(&self, kind: &str) -> Vec<String> {
        let fence = format!("```{kind}");
        let mut lines = self.text.lines();
        let mut all = Vec::new();
        while lines.by_ref().any(|line| line == fence) {
            all.extend(lines.by_ref().take_while(|line| *line != "```").map(str::to_string));
        }
        all
    }

    /// The commands with answers.
    fn shown(&self) -> Vec<(String, Shown)> {
        let mut all: Vec<(String, Shown)> = Vec::new();
        for line in self.blocks("console") {
            if let Some(command) = line.strip_prefix("$ ") {
                all.push((command.to_string(), Shown::default()));
                continue;
            }
            let (_, shown) = all.last_mut().expect("a block begins with a command");
            if let Some(code) = line.strip_prefix("? ") {
                shown.code = code.parse().expect("an exit code");
            } else if let Some((prompt, words)) = line.split_once("stones> ") {
                shown.lines.push(format!("{prompt}stones>"));
                shown.typed += &format!("{words}\n");
            } else {
                shown.lines.push(transcript::normal(&line));
            }
        }
        all
    }

    /// The commands of blocks without answers, without their comments. One that ends with `\` goes
    /// on in the next line.
    fn typed(&self) -> Vec<String> {
        let text = self.blocks("sh").join("\n").replace("\\\n", "");
        let lines =
            text.lines().map(|line| line.split(" # ").next().unwrap_or_default().trim_end());
        let commands = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        commands.map(str::to_string).collect()
    }

    /// The commands of the program between backticks, and those whose answers take long to find.
    fn named(&self) -> Vec<String> {
        let mut prose = String::new();
        let mut is_prose = true;
        for line in self.text.lines() {
            match line.starts_with("```") {
                true => is_prose = !is_prose,
                false if is_prose => prose += &format!("{line}\n"),
                false => {}
            }
        }
        let spans = prose.split('`').skip(1).step_by(2).map(|span| span.replace('\n', " "));
        let answered = self.blocks("text").into_iter();
        let answered = answered.filter_map(|line| line.strip_prefix("$ ").map(str::to_string));
        spans.chain(answered).filter(|command| command.starts_with("sixproof ")).collect()
    }
}

/// The command as the mini shell runs it: programs by their names, `*` replaced by the files.
fn plain(command: &str) -> String {
    let called = [
        ("cargo run --release -p sixproof-check --", "sixproof-check"),
        ("cargo run --release --", "sixproof"),
        ("cargo run --release", "sixproof"),
        ("exec sixproof", "sixproof"),
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

#[test]
fn the_pages_show_what_their_commands_answer() {
    let mut count = 0;
    for (index, page) in pages().iter().enumerate() {
        let folder = clone_of_root(&format!("documents-shown-{index}"));
        for (command, shown) in page.shown() {
            count += 1;
            let line = plain(&command);
            let answer = shell::run_with(&line, shown.typed.as_bytes(), &folder)
                .unwrap_or_else(|error| panic!("{}: `{command}`: {error}", page.path));
            let errors = String::from_utf8_lossy(&answer.stderr);
            assert_eq!(answer.code, Some(shown.code), "{}: `{command}`: {errors}", page.path);
            let lines = transcript::lines(&answer.stdout);
            if let Some(line) = missing(&shown.lines, &lines) {
                let (path, lines) = (&page.path, lines.join("\n"));
                panic!("{path}: `{command}` does not answer `{line}` but\n{lines}");
            }
        }
    }
    assert!(count > 10, "{count} commands with answers");
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

/// The file that a command writes, as far as its words say.
fn file_written(command: &str) -> Option<&str> {
    let words: Vec<&str> = command.split_whitespace().collect();
    words.windows(2).find(|pair| WRITING.contains(&pair[0])).map(|pair| pair[1])
}

/// Runs a command of a page, or has the program read it where running takes long.
fn try_command(page: &Page, command: &str, is_parsed: bool, folder: &Path) {
    let path = &page.path;
    let line = plain(command);
    let words = shell::words(&line).unwrap_or_else(|error| panic!("{path}: `{command}`: {error}"));
    for file in files_named(&words) {
        let is_written = || page.typed().iter().any(|other| file_written(other) == file.to_str());
        let is_there = folder.join(&file).exists() || is_written();
        assert!(is_there, "{path}: `{command}`: no {}", file.display());
    }
    // Help is printed once all that stands before it is understood.
    let asked = line.split(" > ").next().unwrap_or_default();
    let line = if is_parsed { format!("{asked} --help") } else { line };
    let answer =
        shell::run(&line, folder).unwrap_or_else(|error| panic!("{path}: `{command}`: {error}"));
    let errors = String::from_utf8_lossy(&answer.stderr);
    assert_eq!(answer.code, Some(0), "{path}: `{command}`: {errors}");
}

#[test]
fn the_commands_of_the_pages_can_be_typed_as_they_stand() {
    let pages = pages();
    let shown: BTreeSet<String> =
        pages.iter().flat_map(Page::shown).map(|(command, _)| command).collect();
    let mut tried = BTreeSet::new();
    for (index, page) in pages.iter().enumerate() {
        let folder = clone_of_root(&format!("documents-typed-{index}"));
        for command in page.typed() {
            // The tests below and above run what draws a picture or shows its answer.
            let is_run_there = shown.contains(&command) || command.contains(PICTURES);
            if is_run_there || OTHERS.iter().any(|other| command.starts_with(other)) {
                continue;
            }
            let line = plain(&command);
            let is_parsed =
                ONLY_PARSED.iter().any(|(start, _)| format!("{line} ").starts_with(start));
            // A command on several pages does the same on each.
            if tried.insert(command.clone()) {
                try_command(page, &command, is_parsed, &folder);
            }
        }
    }
    for (start, why) in ONLY_PARSED {
        let is_there = tried.iter().any(|command| format!("{command} ").starts_with(start));
        assert!(is_there, "no page has a command `{start}`, which {why}");
    }
}

/// Whether a command stands for many: `sixproof check FILE`, `sixproof prove … --farm URL`.
fn is_pattern(command: &str) -> bool {
    let words = command.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let is_name = |word: &str| word.chars().all(|c| c.is_uppercase());
    command.contains('…') || words.into_iter().any(is_name)
}

#[test]
fn commands_named_in_the_text_are_understood() {
    let folder = clone_of_root("documents-named");
    let mut tried = BTreeSet::new();
    for page in pages() {
        for command in page.named() {
            if !is_pattern(&command) && tried.insert(command.clone()) {
                try_command(&page, &command, true, &folder);
            }
        }
    }
    assert!(tried.len() > 20, "{} commands", tried.len());
}

/// The pictures in a folder, by their paths from there.
fn pictures_in(folder: &Path) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for below in ["", "theory/"] {
        for entry in fs::read_dir(folder.join(below)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name.ends_with(".svg") {
                names.insert(format!("{below}{name}"));
            }
        }
    }
    names
}

#[test]
fn the_commands_of_the_pages_draw_their_pictures() {
    let folder = clone_of_root("documents-drawn");
    let pages = pages();
    let kept = root().join(PICTURES);
    for page in &pages {
        let commands = page.typed();
        for command in commands.iter().filter(|command| command.contains(PICTURES)) {
            try_command(page, command, false, &folder);
        }
    }
    let drawn = pictures_in(&folder.join(PICTURES));
    for name in &drawn {
        let svg = fs::read_to_string(folder.join(PICTURES).join(name)).unwrap();
        expect_test::expect_file![kept.join(name)].assert_eq(&svg);
        let is_shown = |page: &Page| page.text.contains(&format!("images/{name})"));
        assert!(pages.iter().any(is_shown), "no page shows {name}");
    }
    assert_eq!(drawn, pictures_in(&kept), "pictures that commands draw, and those that are there");
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
