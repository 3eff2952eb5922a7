//! `cargo xtask bugs`: puts the bugs of `suite/bugs.txt`, one after the other, into a copy of the
//! checker, of the farm or of documents, and expects the test that each of them names to fail.
//!
//! First every named test must pass on the unchanged copy. A text that is not there exactly once
//! means that the table is out of date; a bug that does not compile is not caught; a bug whose test
//! passes lives, and is a hole in the tests.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

const HELP: &str = "\
Usage: cargo xtask bugs [--only NAME] [--quick]

Seeds the bugs of suite/bugs.txt into a copy of their package under target/bugs and expects the test
that each of them names to fail.

  --only NAME   this bug only (or all whose names contain NAME)
  --quick       every tenth bug
";

/// The table.
const TABLE: &str = "suite/bugs.txt";
/// The package of a bug that does not name one.
const PACKAGE: &str = "sixproof-check";
/// The packages that bugs are put into, with their tests, and the packages and manifest that these
/// need.
const MEMBERS: &[&str] = &[
    "crates/check",
    "crates/oracle",
    "crates/farm",
    "crates/game",
    "crates/certificate",
    "crates/document",
    "crates/prover",
    "patches/regex",
];
/// The other files that these read.
const COPIED: &[&str] = &["docs", "suite", "Cargo.lock"];
/// A test that runs longer than this hangs, which counts as a failure of the test.
const TEST_SECONDS_MAX: u64 = 120;

/// The options for compiling a bug, for one run of a test each: compiling is most of the work.
const PROFILE: &str = r#"
[profile.dev]
debug = false
opt-level = 1

[profile.dev.package."*"]
opt-level = 0

[profile.dev.package.blake3]
opt-level = 1
"#;

/// A row of the table.
#[derive(Debug, PartialEq, Eq)]
struct Bug {
    name: String,
    what: String,
    test: Test,
    edits: Vec<Edit>,
}

/// Some tests: those of a test binary of a package whose names contain a text.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Test {
    package: String,
    binary: String,
    filter: String,
}

/// A text of a file and what replaces it.
#[derive(Debug, PartialEq, Eq)]
struct Edit {
    file: String,
    find: String,
    replace: String,
}

pub(crate) fn main(arguments: &[String]) -> ExitCode {
    let mut only = None;
    let mut quick = false;
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match (argument.as_str(), rest.len()) {
            ("--only", 1..) => only = rest.next(),
            ("--quick", _) => quick = true,
            ("--help" | "-h", _) => {
                print!("{HELP}");
                return ExitCode::SUCCESS;
            }
            _ => {
                eprint!("xtask bugs: `{argument}` is not understood\n\n{HELP}");
                return ExitCode::from(2);
            }
        }
    }
    let wanted = |index: usize, bug: &Bug| match only {
        Some(name) => bug.name == **name || !name.is_empty() && bug.name.contains(name.as_str()),
        None => !quick || index.is_multiple_of(10),
    };
    match run(&wanted) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask bugs: {error}");
            ExitCode::from(2)
        }
    }
}

/// Seeds the wanted bugs and prints the table; returns the number of bugs that were not caught.
fn run(wanted: &dyn Fn(usize, &Bug) -> bool) -> Result<usize, String> {
    let manifest = std::env::var("CARGO_MANIFEST_DIR");
    let manifest = manifest.as_deref().unwrap_or(env!("CARGO_MANIFEST_DIR"));
    let root = Path::new(manifest).parent().ok_or("xtask has no parent folder")?;
    let bugs: Vec<Bug> = parse(&read(&root.join(TABLE))?)?
        .into_iter()
        .enumerate()
        .filter_map(|(index, bug)| wanted(index, &bug).then_some(bug))
        .collect();
    if bugs.is_empty() {
        return Err("there is no such bug".to_string());
    }
    for bug in &bugs {
        seeded(root, bug)?; // All texts are looked for before the first compilation.
    }
    let copy = Copy::new(root)?;
    let mut tests: Vec<&Test> = Vec::new();
    for bug in &bugs {
        if !tests.contains(&&bug.test) {
            tests.push(&bug.test);
        }
    }
    for test in tests {
        match copy.outcome(test)? {
            Outcome::Passed(0) => return Err(format!("no test is called {}", test.shown())),
            Outcome::Passed(_) => {}
            _ => return Err(format!("{} fails without any bug", test.shown())),
        }
    }
    let width = bugs.iter().map(|bug| bug.name.len()).max().unwrap_or(0);
    let mut alive = 0;
    for bug in &bugs {
        let start = Instant::now();
        let files = seeded(root, bug)?;
        for (file, text) in &files {
            copy.write(file, text)?;
        }
        let outcome = copy.outcome(&bug.test)?;
        for (file, _) in &files {
            copy.write(file, &read(&root.join(file))?)?;
        }
        let verdict = match outcome {
            Outcome::Failed => format!("caught by {}", bug.test.shown()),
            Outcome::Hung => format!("caught by {}, which does not end", bug.test.shown()),
            Outcome::Passed(_) => format!("LIVES: {} passes; {}", bug.test.shown(), bug.what),
            Outcome::NotCompiled(error) => format!("DOES NOT COMPILE\n{error}"),
        };
        alive += usize::from(!verdict.starts_with("caught"));
        let seconds = start.elapsed().as_secs_f64();
        say(&format!("{:width$}  {seconds:4.1} s  {verdict}\n", bug.name));
    }
    say(&format!("{} of {} bugs caught\n", bugs.len() - alive, bugs.len()));
    Ok(alive)
}

/// The files that a bug changes, with their new texts.
fn seeded(root: &Path, bug: &Bug) -> Result<Vec<(String, String)>, String> {
    let mut files: Vec<(String, String)> = Vec::new();
    for Edit { file, find, replace } in &bug.edits {
        if !files.iter().any(|(name, _)| name == file) {
            files.push((file.clone(), read(&root.join(file))?));
        }
        for (_, text) in files.iter_mut().filter(|(name, _)| name == file) {
            let count = text.matches(find.as_str()).count();
            if count != 1 {
                let name = &bug.name;
                return Err(format!("{name}: this text is {count} times in {file}:\n{find}"));
            }
            *text = text.replace(find.as_str(), replace);
        }
    }
    Ok(files)
}

/// Reads the table; see its head for the format.
fn parse(text: &str) -> Result<Vec<Bug>, String> {
    let mut bugs: Vec<Bug> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let wrong = |why: &str| format!("{TABLE}, line {}: {why}", number + 1);
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        if word == "bug" {
            let (name, what) = rest.split_once(": ").ok_or_else(|| wrong("`bug NAME: what`"))?;
            if bugs.iter().any(|bug| bug.name == name) {
                return Err(wrong("this name stands twice"));
            }
            let package = PACKAGE.to_string();
            let test = Test { package, binary: String::new(), filter: String::new() };
            let (name, what) = (name.to_string(), what.to_string());
            bugs.push(Bug { name, what, test, edits: Vec::new() });
            continue;
        }
        let bug = bugs.last_mut().ok_or_else(|| wrong("a bug starts with `bug NAME: what`"))?;
        match (word, bug.edits.last_mut()) {
            ("package", _) => {
                if !MEMBERS.contains(&folder(rest).as_str()) {
                    return Err(wrong("this package is not copied"));
                }
                bug.test.package = rest.to_string();
            }
            ("test", _) => {
                let (binary, filter) =
                    rest.split_once(' ').ok_or_else(|| wrong("`test BINARY FILTER`"))?;
                (bug.test.binary, bug.test.filter) = (binary.to_string(), filter.to_string());
            }
            ("file", _) => {
                let (find, replace) = (String::new(), String::new());
                bug.edits.push(Edit { file: rest.to_string(), find, replace });
            }
            ("-", Some(edit)) => edit.find.push_str(&format!("{rest}\n")),
            ("+", Some(edit)) => edit.replace.push_str(&format!("{rest}\n")),
            _ => return Err(wrong("expected `bug`, `package`, `test`, `file`, `- ` or `+ `")),
        }
    }
    for bug in &mut bugs {
        for edit in &mut bug.edits {
            // Lines are joined by line ends; the last line is without.
            edit.find.pop();
            edit.replace.pop();
        }
        let complete = !bug.test.binary.is_empty()
            && !bug.edits.is_empty()
            && bug.edits.iter().all(|edit| !edit.find.is_empty() && edit.find != edit.replace);
        if !complete {
            return Err(format!("{TABLE}: {} needs a test, a file and a change", bug.name));
        }
    }
    Ok(bugs)
}

/// The folder of a package of ours.
fn folder(package: &str) -> String {
    format!("crates/{}", package.strip_prefix("sixproof-").unwrap_or(package))
}

impl Test {
    fn shown(&self) -> String {
        format!("{} {}", self.binary, self.filter)
    }
}

/// The result of a test.
enum Outcome {
    /// This number of tests passed, and no test failed.
    Passed(usize),
    Failed,
    Hung,
    NotCompiled(String),
}

/// The copy of the packages.
struct Copy {
    folder: PathBuf,
}

impl Copy {
    /// A fresh copy; the compiled files of an older one are kept.
    fn new(root: &Path) -> Result<Copy, String> {
        let folder = root.join("target/bugs/copy");
        match fs::remove_dir_all(&folder) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(at(&folder, e)),
            _ => {}
        }
        for part in MEMBERS.iter().chain(COPIED) {
            copy(&root.join(part), &folder.join(part))?;
        }
        let manifest = with_members(&read(&root.join("Cargo.toml"))?, MEMBERS)?;
        let copy = Copy { folder };
        copy.write("Cargo.toml", &manifest)?;
        Ok(copy)
    }

    fn write(&self, file: &str, text: &str) -> Result<(), String> {
        let path = self.folder.join(file);
        fs::write(&path, text).map_err(|e| at(&path, e))
    }

    /// Compiles and runs a test.
    fn outcome(&self, test: &Test) -> Result<Outcome, String> {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        cargo.args(["test", "--quiet", "--offline", "--no-run", "--message-format=json"]);
        cargo.args(["--package", &test.package]);
        match test.binary.as_str() {
            "lib" => cargo.arg("--lib"),
            binary => cargo.args(["--test", binary]),
        };
        cargo.env("CARGO_INCREMENTAL", "1").env("RUST_BACKTRACE", "0");
        cargo.env("CARGO_TARGET_DIR", self.folder.with_file_name("target"));
        let built = cargo.current_dir(&self.folder).output().map_err(|e| at(&self.folder, e))?;
        let messages = String::from_utf8_lossy(&built.stdout);
        if !built.status.success() {
            return Ok(Outcome::NotCompiled(compile_errors(&messages)));
        }
        let program = executable(&messages).ok_or("cargo names no test binary")?;
        let output = self.folder.with_file_name("output.txt");
        let to = File::create(&output).map_err(|e| at(&output, e))?;
        let mut running = Command::new(&program)
            .arg(&test.filter)
            .current_dir(self.folder.join(folder(&test.package)))
            .env("RUST_BACKTRACE", "0")
            // A bug may show in a few of many repetitions only.
            .env("SIXPROOF_LONG", "1")
            .stdin(Stdio::null())
            .stderr(to.try_clone().map_err(|e| at(&output, e))?)
            .stdout(to)
            .spawn()
            .map_err(|e| at(Path::new(&program), e))?;
        let end = Instant::now() + Duration::from_secs(TEST_SECONDS_MAX);
        let status = loop {
            match running.try_wait().map_err(|e| at(Path::new(&program), e))? {
                Some(status) => break status,
                None if Instant::now() < end => thread::sleep(Duration::from_millis(10)),
                None => {
                    running.kill().and_then(|()| running.wait()).map_err(|e| at(&output, e))?;
                    return Ok(Outcome::Hung);
                }
            }
        };
        if !status.success() {
            return Ok(Outcome::Failed);
        }
        let bytes = fs::read(&output).map_err(|e| at(&output, e))?;
        Ok(Outcome::Passed(passed(&String::from_utf8_lossy(&bytes))))
    }
}

/// The manifest of a workspace with these members only, and with a profile for one run of a test.
fn with_members(manifest: &str, members: &[&str]) -> Result<String, String> {
    let missing = || "Cargo.toml has no list of members".to_string();
    let (before, rest) = manifest.split_once("\nmembers = [").ok_or_else(missing)?;
    let (_, after) = rest.split_once(']').ok_or_else(missing)?;
    let (after, _) = after.split_once("\n[profile.").unwrap_or((after, ""));
    let after: Vec<&str> =
        after.lines().filter(|line| !line.starts_with("default-members")).collect();
    let list: Vec<String> = members.iter().map(|member| format!("{member:?}")).collect();
    Ok(format!("{before}\nmembers = [{}]{}\n{PROFILE}", list.join(", "), after.join("\n")))
}

fn lines_of_json(messages: &str) -> impl Iterator<Item = Value> {
    messages.lines().filter_map(|line| serde_json::from_str(line).ok())
}

/// The test binary that cargo reports.
fn executable(messages: &str) -> Option<String> {
    lines_of_json(messages)
        .filter(|message| message["profile"]["test"] == true)
        .filter_map(|message| message["executable"].as_str().map(String::from))
        .last()
}

fn compile_errors(messages: &str) -> String {
    let rendered = lines_of_json(messages)
        .filter(|message| message["message"]["level"] == "error")
        .filter_map(|message| message["message"]["rendered"].as_str().map(String::from));
    rendered.collect()
}

/// The number of tests in `test result: ok. 3 passed; …`.
fn passed(output: &str) -> usize {
    let line = output.lines().find_map(|line| line.strip_prefix("test result: ok. "));
    line.and_then(|line| line.split(' ').next()?.parse().ok()).unwrap_or(0)
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    if from.is_dir() {
        fs::create_dir_all(to).map_err(|e| at(to, e))?;
        for entry in fs::read_dir(from).map_err(|e| at(from, e))? {
            let name = entry.map_err(|e| at(from, e))?.file_name();
            if name != "target" {
                copy(&from.join(&name), &to.join(&name))?;
            }
        }
        return Ok(());
    }
    fs::copy(from, to).map(|_| ()).map_err(|e| at(from, e))
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|e| at(path, e))
}

fn at(path: &Path, error: io::Error) -> String {
    format!("{}: {error}", path.display())
}

/// Prints at once: each line may take seconds. A reader that has gone away still gets the exit
/// code.
fn say(text: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_in_the_repository_fits_the_sources() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let bugs = parse(&read(&root.join(TABLE)).unwrap()).unwrap();
        assert!(bugs.len() >= 24);
        let outdated: Vec<_> = bugs.iter().filter_map(|bug| seeded(root, bug).err()).collect();
        assert!(outdated.is_empty(), "{}", outdated.join("\n"));
    }

    #[test]
    fn rows_are_read_with_their_indentation_and_line_ends() {
        let table = "# head\n\nbug a: b c\ntest lib x y\nfile f\n-   one\n-\n+ two\n";
        let edit = Edit { file: "f".into(), find: "  one\n".into(), replace: "two".into() };
        let test = Test { package: PACKAGE.into(), binary: "lib".into(), filter: "x y".into() };
        let bug = Bug { name: "a".into(), what: "b c".into(), test, edits: vec![edit] };
        assert_eq!(parse(table), Ok(vec![bug]));
        for bad in [
            "file f",
            "bug a",
            "bug a: b",
            "bug a: b\ntest x y\nfile f\n- a\n+ a",
            "what",
            "bug a: b\npackage c",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn members_and_profiles_are_replaced_and_the_rest_is_kept() {
        let manifest = "# a\nmembers = [\n  \"x\",\n  \"y\",\n]\ndefault-members = [\"y\"]\n[b]\n\
                        \n[profile.dev]\nopt-level = 2\n";
        let expected = format!("# a\nmembers = [\"x\"]\n[b]\n{PROFILE}");
        assert_eq!(with_members(manifest, &["x"]), Ok(expected));
    }
}
