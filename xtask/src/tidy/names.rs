//! Comments and documents name only files that exist.
//!
//! A word is the name of a file when it ends like a source or a document of ours, or when its first
//! part is a folder at the root. Endings of users' files do not count: `game.sgf` and
//! `board.svg` are good examples although no such file is in the repository.

use std::collections::HashSet;

use super::Problem;
use super::documents::{code_spans, normalise, prose_lines};
use super::repository::{File, Repository};
use super::rust::{Layers, is_word};
use super::text::is_written_by_hand;

/// Endings of our sources and documents.
const ENDINGS: &[&str] =
    &[".css", ".html", ".md", ".mjs", ".py", ".rs", ".sh", ".toml", ".ts", ".tsx", ".txt", ".v"];

/// This document may name files that a later version no longer has.
const HISTORY: &str = "CHANGELOG.md";

/// Tidy refuses the name of a file that does not exist, in comments and between backticks in
/// documents. Names in fenced blocks do not count.
pub(crate) fn named_files(repository: &Repository) -> Vec<Problem> {
    let known = known_names(repository);
    let mut problems = Vec::new();
    for (file, text) in repository.texts().filter(|(file, _)| file.path != HISTORY) {
        for (line, prose) in prose_lines(&prose(file, text)) {
            for name in words(prose).filter(|word| is_file_name(word, repository)) {
                if !exists(name, &file.path, &known) {
                    let message = format!(
                        "`{name}` names no file of the repository; \
                         put examples of users' files into fenced blocks"
                    );
                    problems.push(Problem::new(&file.path, line, message));
                }
            }
        }
    }
    problems
}

/// All paths of files and folders, from the root and from every folder on the way: this file is
/// also known as `tidy/names.rs` and as `names.rs`.
fn known_names(repository: &Repository) -> HashSet<&str> {
    let mut known = HashSet::new();
    for File { path, .. } in &repository.files {
        let slashes = || path.match_indices('/').map(|(index, _)| index);
        for start in slashes().map(|slash| slash + 1).chain([0]) {
            let ends = slashes().filter(|&slash| slash > start).chain([path.len()]);
            known.extend(ends.map(|end| &path[start..end]));
        }
    }
    known
}

/// The part of a text that may name files, with the lines and the fences of the text: comments, and
/// in Markdown the text between backticks.
fn prose(file: &File, text: &str) -> String {
    let lines = |part: fn(&str) -> String| text.lines().map(part).collect::<Vec<_>>().join("\n");
    match file.extension() {
        "md" => lines(|line| {
            let is_fence = ["```", "~~~"].iter().any(|mark| line.trim_start().starts_with(mark));
            if is_fence { line.to_owned() } else { code_spans(line).collect::<Vec<_>>().join(" ") }
        }),
        _ if !is_written_by_hand(file) => String::new(),
        "rs" => {
            let comments = Layers::of(text).comments();
            let undecorated =
                comments.lines().map(|line| line.trim_start().trim_start_matches(['/', '!']));
            undecorated.collect::<Vec<_>>().join("\n")
        }
        "css" | "js" | "mjs" | "ts" | "tsx" => {
            lines(|line| comment(line, &["//", "/*", "*"], " // "))
        }
        "html" => String::new(),
        _ => lines(|line| comment(line, &["#"], " # ")),
    }
}

/// The comment of a line: all of it when it starts with one of the marks, else what follows
/// `trailing`.
fn comment(line: &str, marks: &[&str], trailing: &str) -> String {
    let start = line.trim_start();
    match marks.iter().find_map(|mark| start.strip_prefix(mark)) {
        Some(comment) => comment.to_owned(),
        None => line.split_once(trailing).map_or("", |(_, comment)| comment).to_owned(),
    }
}

/// The words of a text, without the punctuation around them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || "`'\"()[],;:|!".contains(c))
        .map(|word| word.trim_end_matches(['.', '/']))
}

/// Whether a word is the name of a file or folder, as opposed to an address, a pattern (`*.rs`), an
/// ending (`.rs`) or anything else.
fn is_file_name(word: &str, repository: &Repository) -> bool {
    let is_path = word.chars().all(|c| is_word(c) || matches!(c, '/' | '.' | '-'));
    if !is_path || word.starts_with('/') {
        return false;
    }
    let last = word.rsplit('/').next().unwrap_or(word);
    let has_ending = |ending| last.strip_suffix(ending).is_some_and(|stem| !stem.is_empty());
    let below_root = |(folder, _): (&str, &str)| repository.has(folder);
    ENDINGS.iter().copied().any(has_ending) || word.split_once('/').is_some_and(below_root)
}

/// Whether a name is known, or leads to a known one from the folder of the file that names it.
fn exists(name: &str, from: &str, known: &HashSet<&str>) -> bool {
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let relative = || normalise(&format!("{folder}/{name}"));
    known.contains(name) || relative().is_some_and(|path| known.contains(path.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names that tidy refuses in a file of a small repository.
    fn refused(path: &str, text: &str) -> Vec<String> {
        let others = [
            ("README.md", ""),
            ("docs/proofs.md", ""),
            ("crates/game/src/board/line.rs", ""),
            ("suite/good/a.cert", ""),
        ];
        let repository = Repository::of(&[&others[..], &[(path, text)]].concat());
        let problems = named_files(&repository).into_iter();
        problems.map(|problem| problem.message.split('`').nth(1).unwrap().to_owned()).collect()
    }

    #[test]
    fn names_are_found_from_the_root_from_their_folder_and_by_their_end() {
        let text = "//! docs/proofs.md, `board/line.rs`, (line.rs); crates/game. suite/good/:\n\
                    //! ../../../README.md and ../../README.md\n";
        assert_eq!(refused("crates/game/src/a.rs", text), ["../../README.md"]);
        assert_eq!(refused("docs/a.md", "`proofs.md` `./proofs.md` `../suite`\n"), [""; 0]);
        assert_eq!(
            refused("docs/a.md", "`suite/bad` `docs/a.md`, `roofs.md`\n"),
            ["suite/bad", "roofs.md"]
        );
    }

    #[test]
    fn users_files_addresses_patterns_and_endings_are_no_names() {
        let text = "//! game.sgf, board.svg, *.md, crates/*/a.rs, `.toml`, <NAME>.txt, and/or,\n\
                    //! https://example.org/docs/a.md, /api/a.html, docs.\n";
        assert_eq!(refused("crates/game/src/a.rs", text), [""; 0]);
    }

    #[test]
    fn only_comments_and_words_between_backticks_count() {
        let code = "fn a() { b(\"gone.md\") } // see gone.rs\n/// ```\n/// gone.py\n/// ```\n";
        assert_eq!(refused("crates/game/src/a.rs", code), ["gone.rs"]);
        let page = "import \"./gone.ts\"; // gone.tsx\n/**\n * gone.css\n */\nx * y.v;\n";
        assert_eq!(refused("web/src/a.ts", page), ["gone.tsx", "gone.css"]);
        let script = "gone.sh # gone.py\n# gone.txt\n";
        assert_eq!(refused("scripts/a", script), ["gone.py", "gone.txt"]);
        let document = "gone.md `gone.rs`\n```sh\n`gone.py`\n```\n    gone.sh\n";
        assert_eq!(refused("docs/a.md", document), ["gone.rs"]);
        assert_eq!(refused("CHANGELOG.md", "`gone.md`\n"), [""; 0]);
        assert_eq!(refused("suite/a.txt", "# gone.md\n"), [""; 0]);
    }
}
