//! The shape of the tree: how long files are, how they open, what they are called.

use std::collections::BTreeMap;

use super::Problem;
use super::list;
use super::repository::{File, GENERATED, Repository};
use super::text::is_written_by_hand;

/// The longest file of code that needs no reason.
const LENGTH_MAX: usize = 600;

/// The most lines of the sources of a crate.
const CRATE_LINES_MAX: usize = 15_000;

/// Files that may be longer, with the reasons.
const LONG_FILES: &str = "xtask/long-files.txt";

/// Files and folders at the root, with their purposes.
const ROOT_FILES: &str = "xtask/root-files.txt";

/// The attributes of files, for git and for what shows diffs.
const ATTRIBUTES: &str = ".gitattributes";

/// The attribute of files that programs write, as it ends a line.
const MARK: &str = " linguist-generated";

/// Names that say where things were put and not what they are.
const EMPTY_NAMES: &[&str] = &["common", "helper", "helpers", "misc", "util", "utils"];

/// Files of code have at most [`LENGTH_MAX`] lines or an entry in [`LONG_FILES`], which has no
/// entries to spare.
pub(crate) fn length(repository: &Repository) -> Vec<Problem> {
    let (entries, mut problems) = list::parse(LONG_FILES, repository.text(LONG_FILES));
    let is_code = |extension| !matches!(extension, "md" | "toml" | "yml" | "yaml");
    let long: Vec<(&str, usize)> = repository
        .texts()
        .filter(|(file, _)| is_written_by_hand(file) && is_code(file.extension()))
        .map(|(file, text)| (file.path.as_str(), text.lines().count()))
        .filter(|(_, length)| *length > LENGTH_MAX)
        .collect();
    for (path, length) in &long {
        if !entries.iter().any(|entry| entry.name == *path) {
            let message =
                format!("{length} lines: split by idea, or give a reason in {LONG_FILES}");
            problems.push(Problem::new(path, 1, message));
        }
    }
    for entry in entries {
        if !long.iter().any(|(path, _)| *path == entry.name) {
            let message = format!("`{}` is not a long file", entry.name);
            problems.push(Problem::new(LONG_FILES, entry.line, message));
        }
    }
    problems
}

/// The Rust files in the folder `src` of a crate have at most [`CRATE_LINES_MAX`] lines in all.
pub(crate) fn crate_size(repository: &Repository) -> Vec<Problem> {
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    for (file, text) in repository.rust() {
        if let Some((folder, _)) = file.path.split_once("/src/")
            && folder.starts_with("crates/")
        {
            *sizes.entry(folder).or_default() += text.lines().count();
        }
    }
    let large = sizes.into_iter().filter(|(_, lines)| *lines > CRATE_LINES_MAX);
    let problem = |(folder, lines): (&str, usize)| {
        let message = format!("{lines} lines of source: move what others can use into a library");
        Problem::new(folder, 1, message)
    };
    large.map(problem).collect()
}

/// Every Rust file opens with `//!`: what it is for, before the code.
pub(crate) fn module_docs(repository: &Repository) -> Vec<Problem> {
    let silent = repository.rust().filter(|(_, text)| !text.starts_with("//!"));
    silent.map(|(file, _)| Problem::new(&file.path, 1, "does not open with `//!`")).collect()
}

/// No file or folder has one of the [`EMPTY_NAMES`].
pub(crate) fn file_names(repository: &Repository) -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in &repository.files {
        let stems = file.path.split('/').map(|part| part.split('.').next().unwrap_or(part));
        for stem in stems.filter(|stem| EMPTY_NAMES.contains(&stem.to_lowercase().as_str())) {
            let message = format!("`{stem}` says nothing: name it after what it holds");
            problems.push(Problem::new(&file.path, 1, message));
        }
    }
    problems
}

/// The root of the repository holds the files and folders of [`ROOT_FILES`], and no others.
pub(crate) fn root(repository: &Repository) -> Vec<Problem> {
    let (entries, mut problems) = list::parse(ROOT_FILES, repository.text(ROOT_FILES));
    let mut names: Vec<&str> = repository.files.iter().map(File::name_at_root).collect();
    names.sort_unstable();
    names.dedup();
    for name in &names {
        if !entries.iter().any(|entry| entry.name == *name) {
            let message = format!("is not in {ROOT_FILES}: remove it, or write down its purpose");
            problems.push(Problem::new(name, 1, message));
        }
    }
    for entry in entries {
        if !names.contains(&entry.name) {
            let message = format!("`{}` is not at the root", entry.name);
            problems.push(Problem::new(ROOT_FILES, entry.line, message));
        }
    }
    problems
}

/// A file whose first line says [`GENERATED`] is marked in [`ATTRIBUTES`], which marks no file that
/// is not there.
pub(crate) fn generated(repository: &Repository) -> Vec<Problem> {
    let lines = repository.text(ATTRIBUTES).lines().zip(1..);
    let marked: Vec<(&str, usize)> =
        lines.filter_map(|(line, at)| Some((line.strip_suffix(MARK)?, at))).collect();
    let is_of = |path: &str, pattern: &str| match pattern.strip_suffix("**") {
        Some(folder) => path.starts_with(folder),
        None => path == pattern,
    };
    let says_so = |text: &str| text.lines().next().is_some_and(|line| line.ends_with(GENERATED));
    let written = repository.texts().filter(|(_, text)| says_so(text)).map(|(file, _)| &file.path);
    let unmarked = written.filter(|path| !marked.iter().any(|(pattern, _)| is_of(path, pattern)));
    let unmarked =
        unmarked.map(|path| Problem::new(path, 1, format!("is not marked in {ATTRIBUTES}")));
    let is_empty = |pattern| !repository.files.iter().any(|file| is_of(&file.path, pattern));
    let empty = marked
        .iter()
        .filter(|(pattern, _)| is_empty(pattern))
        .map(|&(pattern, line)| Problem::new(ATTRIBUTES, line, format!("there is no `{pattern}`")));
    unmarked.chain(empty).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_files_need_a_reason_and_reasons_need_a_long_file() {
        let long = "a\n".repeat(LENGTH_MAX + 1);
        let list = (LONG_FILES, "a.rs: one table\nc.rs: gone\n");
        let files = [("a.rs", long.as_str()), ("b.rs", &long), ("d.md", &long), list];
        let problems = length(&Repository::of(&files));
        let places: Vec<_> = problems.iter().map(|p| (p.path.as_str(), p.line)).collect();
        assert_eq!(places, [("b.rs", 1), (LONG_FILES, 2)]);
    }

    #[test]
    fn a_crate_is_as_large_as_its_sources_together() {
        let half = "a\n".repeat(CRATE_LINES_MAX / 2);
        let more = format!("{half}a\n");
        let files = [
            ("crates/a/src/lib.rs", half.as_str()),
            ("crates/a/src/b/c.rs", &more),
            ("crates/b/src/lib.rs", &half),
            ("crates/b/src/c.rs", &half),
            ("crates/b/tests/d.rs", &half),
        ];
        let problems = crate_size(&Repository::of(&files));
        let places: Vec<_> = problems.iter().map(|p| p.path.as_str()).collect();
        assert_eq!(places, ["crates/a"]);
    }

    #[test]
    fn the_root_holds_the_listed_files_and_folders_and_no_others() {
        let list = (ROOT_FILES, "xtask: automation\ndocs: documents\nREADME.md: a start\n");
        let files =
            [list, ("docs/a.md", ""), ("err.txt", ""), ("logs/a.log", ""), ("logs/README.md", "")];
        let problems = root(&Repository::of(&files));
        let places: Vec<_> = problems.iter().map(|p| (p.path.as_str(), p.line)).collect();
        assert_eq!(places, [("err.txt", 1), ("logs", 1), (ROOT_FILES, 3)]);
    }
}
