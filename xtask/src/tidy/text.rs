//! Texts that no file may have: unfinished marks, stray white space, long lines, forbidden words.

use super::Problem;
use super::documents::prose_lines;
use super::list;
use super::repository::{File, Repository};
use super::rust::{Layers, is_word};

/// The widest line of Rust, in characters; rustfmt knows the same number.
const WIDTH_MAX: usize = 100;

/// The widest line of text in Markdown, in characters.
const TEXT_WIDTH_MAX: usize = 120;

/// Texts that stand in no committed file, with the reasons.
const FORBIDDEN: &str = "xtask/forbidden-text.txt";

/// Macros that mean "not written yet" or "not cleaned up yet".
const UNFINISHED_MACROS: &[&str] = &["todo!", "unimplemented!", "dbg!"];

/// Words in comments and documents that mean the same.
const UNFINISHED_WORDS: &[&str] = &["FIXME", "XXX"];

/// Whether people write this file by hand, as opposed to data, and to output of programs.
pub(crate) fn is_written_by_hand(file: &File) -> bool {
    let language = match file.extension() {
        "" => file.path.starts_with("scripts/") || file.path.starts_with(".ci/"),
        "rs" | "md" | "toml" | "sh" | "py" | "yml" | "yaml" => true,
        "js" | "mjs" | "ts" | "tsx" | "css" | "html" => true,
        _ => false,
    };
    // The built page is the output of a program, too.
    language && !["suite/", "web/dist/"].iter().any(|folder| file.path.starts_with(folder))
}

/// Whether `needle` stands in `line` as a word, or as a path that starts there.
fn stands_in(line: &str, needle: &str) -> bool {
    let joins_before = |c: char| is_word(c) || matches!(c, '-' | '.');
    let ends_in_word = needle.ends_with(is_word);
    line.match_indices(needle).any(|(start, _)| {
        let after = line[start + needle.len()..].chars().next();
        let goes_on = ends_in_word && after.is_some_and(is_word);
        !goes_on && !line[..start].ends_with(joins_before)
    })
}

/// No unfinished macros in code, no unfinished marks in comments and documents.
pub(crate) fn unfinished(repository: &Repository) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut search = |file: &File, text: &str, marks: &[&str]| {
        for (index, line) in text.lines().enumerate() {
            for mark in marks.iter().filter(|mark| stands_in(line, mark)) {
                let message = format!("`{mark}` marks unfinished work");
                problems.push(Problem::new(&file.path, index + 1, message));
            }
        }
    };
    for (file, text) in repository.texts().filter(|(file, _)| is_written_by_hand(file)) {
        if file.extension() == "rs" {
            let layers = Layers::of(text);
            search(file, &layers.code(), UNFINISHED_MACROS);
            search(file, &layers.comments(), UNFINISHED_WORDS);
        } else {
            search(file, text, UNFINISHED_WORDS);
        }
    }
    problems
}

/// No tabs, no white space at line ends, and a line end at the end; Rust literals may hold any.
pub(crate) fn white_space(repository: &Repository) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (file, text) in repository.texts().filter(|(file, _)| is_written_by_hand(file)) {
        let masked;
        let text = if file.extension() == "rs" {
            masked = Layers::of(text).masked();
            masked.as_str()
        } else {
            text
        };
        // Not `lines`, which would hide the carriage returns.
        for (index, line) in text.split('\n').enumerate() {
            if line.contains('\t') {
                problems.push(Problem::new(&file.path, index + 1, "a tab"));
            }
            if line.ends_with(char::is_whitespace) {
                problems.push(Problem::new(&file.path, index + 1, "white space at the line end"));
            }
        }
        if !text.is_empty() && !text.ends_with('\n') {
            let message = "no line end at the end of the file";
            problems.push(Problem::new(&file.path, text.lines().count(), message));
        }
    }
    problems
}

/// Rust lines have at most [`WIDTH_MAX`] columns; literals and lines with an address may be wider.
/// Lines of text in Markdown have at most [`TEXT_WIDTH_MAX`].
pub(crate) fn width(repository: &Repository) -> Vec<Problem> {
    let mut problems = text_width(repository);
    for (file, text) in repository.rust() {
        let stripped = Layers::of(text).without_literals();
        for (index, (line, stripped)) in text.lines().zip(stripped.lines()).enumerate() {
            if stripped.chars().count() > WIDTH_MAX && !line.contains("://") {
                let message = format!("more than {WIDTH_MAX} columns");
                problems.push(Problem::new(&file.path, index + 1, message));
            }
        }
    }
    problems
}

/// Tables, code blocks and the targets of links do not count.
fn text_width(repository: &Repository) -> Vec<Problem> {
    let mut problems = Vec::new();
    let is_checked = |file: &File| file.extension() == "md" && is_written_by_hand(file);
    for (file, text) in repository.texts().filter(|(file, _)| is_checked(file)) {
        for (line, prose) in prose_lines(text) {
            let is_table = prose.trim_start().starts_with('|');
            let width = without_targets(prose).chars().count();
            if width > TEXT_WIDTH_MAX && !is_table && !prose.contains("://") {
                let message = format!("more than {TEXT_WIDTH_MAX} columns of text");
                problems.push(Problem::new(&file.path, line, message));
            }
        }
    }
    problems
}

/// A line of Markdown without the targets of its links.
fn without_targets(line: &str) -> String {
    let mut parts = line.split("](");
    let mut text = parts.next().unwrap_or("").to_owned();
    for part in parts {
        text.push_str(part.split_once(')').map_or(part, |(_, rest)| rest));
    }
    text
}

/// Nothing of [`FORBIDDEN`] stands in any text, in upper or lower case.
pub(crate) fn forbidden_text(repository: &Repository) -> Vec<Problem> {
    let (entries, mut problems) = list::parse(FORBIDDEN, repository.text(FORBIDDEN));
    let entries: Vec<String> = entries.iter().map(|entry| entry.name.to_lowercase()).collect();
    for (file, text) in repository.texts().filter(|(file, _)| file.path != FORBIDDEN) {
        for (index, line) in text.lines().enumerate() {
            let line = line.to_lowercase();
            for entry in entries.iter().filter(|entry| stands_in(&line, entry)) {
                let message = format!("`{entry}` is forbidden text: see {FORBIDDEN}");
                problems.push(Problem::new(&file.path, index + 1, message));
            }
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines on which a check complains about a file.
    fn lines(check: fn(&Repository) -> Vec<Problem>, path: &str, text: &str) -> Vec<usize> {
        check(&Repository::of(&[(path, text)])).iter().map(|problem| problem.line).collect()
    }

    #[test]
    fn marks_count_in_their_own_layer_only() {
        let source =
            "// todo!(\nlet a = \"FIXME dbg!\";\ntodo!();\nx(); // FIXME: why\nmytodo!();\n";
        assert_eq!(lines(unfinished, "crates/a/src/a.rs", source), [3, 4]);
        assert_eq!(lines(unfinished, "a.md", "todo!\n..XXX..\nXXX\nXXXX\n"), [3]);
        assert!(lines(unfinished, "suite/a.md", "XXX\n").is_empty());
    }

    #[test]
    fn white_space_is_free_inside_literals() {
        let source = "a\tb\nc \n\"d \n\te\"\n";
        assert_eq!(lines(white_space, "a.rs", source), [1, 2]);
        assert_eq!(lines(white_space, "a.md", "a\r\nb"), [1, 2]);
        assert!(lines(white_space, "a.bin", "a \t").is_empty());
    }

    #[test]
    fn width_is_free_inside_literals_and_for_addresses() {
        let wide = "w".repeat(WIDTH_MAX);
        let text = format!("{wide}\n{wide}w\n\"{wide}\"\n// https://{wide}\n// ü{wide}\n");
        assert_eq!(lines(width, "a.rs", &text), [2, 5]);
    }

    #[test]
    fn text_is_narrow_and_tables_code_and_links_are_free() {
        let wide = "ü".repeat(TEXT_WIDTH_MAX);
        let text = format!(
            "{wide}\n{wide}w\n| {wide} |\n```\n{wide}w\n```\n[{}]({wide})\nhttps://{wide}\n",
            &wide[2 * 2..]
        );
        assert_eq!(lines(width, "docs/a.md", &text), [2]);
        assert!(lines(width, "suite/a.md", &text).is_empty());
    }

    #[test]
    fn forbidden_text_is_found_as_words_and_paths() {
        let list = ("xtask/forbidden-text.txt", "/place/: a machine\nshiny: says nothing\n");
        let text = "see /place/a\nand docs/place/a\nand ../place/a\nSHINY, or\nshinyness\n";
        let problems = forbidden_text(&Repository::of(&[list, ("a.txt", text)]));
        assert_eq!(problems.iter().map(|p| p.line).collect::<Vec<_>>(), [1, 4]);
    }
}
