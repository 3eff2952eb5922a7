//! `cargo xtask lines`: counts lines of code, so that "fewer lines for the same behaviour" is a
//! figure that can be measured again, of the working tree or of any commit.
//!
//! A line counts when something stands on it besides comments. Tests do not count: files of tests,
//! benchmarks and examples, and items under `#[cfg(test)]`. Nor does what a program writes.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use crate::tidy::repository::{File, GENERATED};
use crate::tidy::rust::{Layers, without_test_items};

const HELP: &str = "\
Usage: cargo xtask lines [--at REV]

Counts lines of code without tests, comments and blanks: Rust by crate, and the TypeScript of the
page. `the system` is every crate that a user runs or builds on: all but oracle, laws, fuzz and xtask.

  --at REV   of a commit, such as HEAD~10, instead of the working tree
";

/// Crates that test the others or automate work.
const TOOLS: &[&str] = &["fuzz", "laws", "oracle", "xtask"];

/// The sources of the page.
const PAGE: &str = "web/src/";

pub(crate) fn run(arguments: &[String]) -> ExitCode {
    let rev = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => None,
        ["--at", rev] => Some(rev),
        [word] if crate::is_help(word) => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        _ => return crate::usage_error("lines does not know these words", HELP),
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    match rev.map_or_else(|| working_tree(&root), |rev| commit(&root, rev)) {
        Ok(files) => {
            print!("{}", table(&count(&files)));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("xtask lines: {error}");
            ExitCode::from(crate::UNDECIDED)
        }
    }
}

/// What counts as one: a crate by the name of its folder, or the page.
fn part(path: &str) -> Option<&str> {
    if let Some(rest) = path.strip_prefix(PAGE) {
        let is_code = rest.ends_with(".ts") || rest.ends_with(".tsx");
        return (is_code && !rest.contains(".test.")).then_some("web");
    }
    let (folder, rest) = path.split_once('/').filter(|_| path.ends_with(".rs"))?;
    match folder {
        "crates" => rest.split_once('/').map(|(name, _)| name),
        "fuzz" if rest.starts_with("laws/") => Some("laws"),
        "fuzz" | "xtask" => Some(folder),
        _ => None,
    }
}

/// The lines of each part.
fn count(files: &[File]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for file in files.iter().filter(|file| !file.is_test()) {
        let (Some(part), Some(text)) = (part(&file.path), &file.text) else { continue };
        let is_generated = text.lines().next().is_some_and(|line| line.contains(GENERATED));
        let lines = match file.extension() {
            _ if is_generated => 0,
            "rs" => rust_lines(text),
            _ => script_lines(text),
        };
        *counts.entry(part).or_default() += lines;
    }
    counts
}

fn rust_lines(text: &str) -> usize {
    let code = without_test_items(&Layers::of(text).statements());
    code.lines().filter(|line| !line.trim().is_empty()).count()
}

/// Of TypeScript, in which a comment stands on lines of its own or after code.
fn script_lines(text: &str) -> usize {
    let mut count = 0;
    let mut in_comment = false;
    for line in text.lines().map(str::trim) {
        in_comment |= line.starts_with("/*") || line.starts_with("{/*");
        count += usize::from(!in_comment && !line.is_empty() && !line.starts_with("//"));
        in_comment &= !line.contains("*/");
    }
    count
}

fn table(counts: &BTreeMap<&str, usize>) -> String {
    let is_rust = |part: &str| part != "web";
    let sum = |is_in: &dyn Fn(&str) -> bool| -> usize {
        counts.iter().filter(|(part, _)| is_in(part)).map(|(_, lines)| lines).sum()
    };
    let row = |part: &str, lines: usize| format!("{part:<18}{lines:>7}\n");
    let mut text: String = counts
        .iter()
        .filter(|(part, _)| is_rust(part))
        .map(|(part, &lines)| row(part, lines))
        .collect();
    text += &row("Rust", sum(&is_rust));
    text += &row("  of the system", sum(&|part| is_rust(part) && !TOOLS.contains(&part)));
    text + &row("TypeScript", sum(&|part| !is_rust(part)))
}

/// The files that `git` tracks or would track.
fn working_tree(root: &Path) -> Result<Vec<File>, String> {
    let listing = git(root, &["ls-files", "-z", "-co", "--exclude-standard"], Stdio::null())?;
    let listing = String::from_utf8_lossy(&listing);
    let wanted = listing.split_terminator('\0').filter(|path| part(path).is_some());
    // A file that is deleted and still tracked has no text.
    let read =
        |path: &str| File { path: path.to_owned(), text: fs::read_to_string(root.join(path)).ok() };
    Ok(wanted.map(read).collect())
}

/// The files of a commit.
fn commit(root: &Path, rev: &str) -> Result<Vec<File>, String> {
    let listing = git(root, &["ls-tree", "-r", "-z", "--name-only", rev, "--"], Stdio::null())?;
    let listing = String::from_utf8_lossy(&listing);
    let paths: Vec<&str> = listing.split_terminator('\0').filter(|p| part(p).is_some()).collect();
    let mut wanted = tempfile::tempfile().map_err(|error| error.to_string())?;
    for path in &paths {
        writeln!(wanted, "{rev}:{path}").map_err(|error| error.to_string())?;
    }
    std::io::Seek::rewind(&mut wanted).map_err(|error| error.to_string())?;
    let batch = git(root, &["cat-file", "--batch"], Stdio::from(wanted))?;
    let mut rest = &batch[..];
    let mut next = |path: &str| -> Option<File> {
        // `HASH blob BYTES`, the bytes, and a line end.
        let end = rest.iter().position(|&byte| byte == b'\n')?;
        let bytes: usize =
            std::str::from_utf8(&rest[..end]).ok()?.split(' ').nth(2)?.parse().ok()?;
        let text = String::from_utf8(rest.get(end + 1..end + 1 + bytes)?.to_vec()).ok();
        rest = rest.get(end + 2 + bytes..)?;
        Some(File { path: path.to_owned(), text })
    };
    let file = |path: &&str| next(path).ok_or_else(|| format!("git does not show {rev}:{path}"));
    paths.iter().map(file).collect()
}

fn git(root: &Path, arguments: &[&str], input: Stdio) -> Result<Vec<u8>, String> {
    let mut command = Command::new("git");
    let output = command.args(arguments).current_dir(root).stdin(input).output();
    let output = output.map_err(|error| format!("cannot run git: {error}"))?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(String::from_utf8_lossy(&output.stderr).trim_end().to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(files: &[(&str, &str)]) -> Vec<(String, usize)> {
        let file = |&(path, text): &(&str, &str)| File {
            path: path.to_owned(),
            text: Some(text.to_owned()),
        };
        let files: Vec<File> = files.iter().map(file).collect();
        count(&files).into_iter().map(|(part, lines)| (part.to_owned(), lines)).collect()
    }

    #[test]
    fn tests_comments_blanks_and_generated_files_are_no_lines() {
        let rust =
            "//! A.\n\nfn a() { // b\n    /* c */ \"d\n\n// e\";\n}\n\n#[cfg(test)]\nmod f {\n}\n";
        let page = "// A.\n\n/**\n * B.\n */\nconst c = 1; // d\n\treturn (\n{/* e */}\n)\n";
        let files = [
            ("crates/game/src/a.rs", rust),
            ("crates/game/src/b/tests.rs", rust),
            ("crates/game/tests/c.rs", rust),
            ("crates/game/README.md", "text\n"),
            ("fuzz/laws/src/lib.rs", "fn a() {}\n"),
            ("fuzz/fuzz_targets/a.rs", "fn a() {}\n"),
            ("web/src/a.tsx", page),
            ("web/src/api/types.ts", "// Made by a program. Do not edit.\nconst a = 1;\n"),
            ("web/dist/a.js", page),
        ];
        let expected = [("fuzz", 1), ("game", 4), ("laws", 1), ("web", 3)];
        assert_eq!(counted(&files), expected.map(|(part, lines)| (part.to_owned(), lines)));
    }

    #[test]
    fn sums_leave_out_what_only_tests_and_automates() {
        let counts = BTreeMap::from([("game", 30), ("oracle", 7), ("web", 5), ("xtask", 2)]);
        let text = table(&counts);
        let last: Vec<&str> = text.lines().skip(3).collect();
        let row = |part: &str, lines: usize| format!("{part:<18}{lines:>7}");
        assert_eq!(last, [row("Rust", 39), row("  of the system", 30), row("TypeScript", 5)]);
    }
}
