//! Documents keep their word: what they link to or name exists, and indexes are complete.

use super::Problem;
use super::repository::Repository;
use super::rust::{Layers, is_word};

/// Documents in which everything between backticks that looks like a file or a function is one.
const REFERRING: &[&str] = &["docs/papers.md"];

/// The document whose first table has the concepts of the papers, each with a command and a test.
const CONCEPTS: &str = "docs/papers.md";
/// What a row says instead of a command, and instead of a test.
const NO_COMMAND: &str = "library only";
const NO_TEST: &str = "missing";

/// Folders, and the ending of the files in them that are all named in an index, once the index
/// exists. Add a row to extend this.
const INDEXED: &[(&str, &str, &str)] =
    &[("suite/bad/", "", "suite/bad/README.md"), ("docs/", ".md", "docs/README.md")];

/// The first pages of users and of developers, and the most bytes of each: what does not fit is for
/// `docs`.
const FIRST_PAGES: &[(&str, usize)] = &[("README.md", 8 << 10), ("ARCHITECTURE.md", 12 << 10)];

/// Endings by which a word between backticks is taken for a file even without a `/`.
const FILE_ENDINGS: &[&str] = &[".md", ".rs", ".toml", ".txt", ".py", ".sgf", ".cert"];

/// Links in Markdown to files of the repository, and to headings within them, resolve.
pub(crate) fn links(repository: &Repository) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (file, text) in repository.texts().filter(|(file, _)| file.extension() == "md") {
        for (line, prose) in prose_lines(text) {
            for target in link_targets(&without_code_spans(prose)) {
                if let Err(message) = resolve(repository, &file.path, target) {
                    problems.push(Problem::new(&file.path, line, message));
                }
            }
        }
    }
    problems
}

/// The lines of a Markdown text that are not inside a fenced block, counted from 1.
pub(super) fn prose_lines(text: &str) -> Vec<(usize, &str)> {
    let mut fence = "";
    let mut lines = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let start = line.trim_start();
        if !fence.is_empty() {
            if start.starts_with(fence) {
                fence = "";
            }
        } else if start.starts_with("```") {
            fence = "```";
        } else if start.starts_with("~~~") {
            fence = "~~~";
        } else {
            lines.push((index + 1, line));
        }
    }
    lines
}

fn without_code_spans(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join(" ")
}

/// The words between single backticks of a line.
pub(super) fn code_spans(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// The targets of `[text](target)`, `![text](target "title")` and `[label]: target`.
fn link_targets(line: &str) -> Vec<&str> {
    let inline = line.split("](").skip(1).filter_map(|rest| {
        let target = rest.split(')').next()?;
        target.split_whitespace().next()
    });
    let mut targets: Vec<&str> = inline.collect();
    if line.starts_with('[')
        && let Some((_, target)) = line.split_once("]: ")
    {
        targets.extend(target.split_whitespace().next());
    }
    targets.iter().map(|target| target.trim_matches(['<', '>'])).collect()
}

fn resolve(repository: &Repository, from: &str, target: &str) -> Result<(), String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return Ok(());
    }
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = match path.strip_prefix('/') {
        _ if path.is_empty() => from.to_owned(),
        Some(from_root) => from_root.to_owned(),
        None => {
            let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
            normalise(&format!("{folder}/{path}"))
                .ok_or_else(|| format!("`{target}` leaves the repository"))?
        }
    };
    if !repository.has(&path) {
        return Err(format!("`{target}` does not exist"));
    }
    if !anchor.is_empty() && path.ends_with(".md") && !has_heading(repository.text(&path), anchor) {
        return Err(format!("`{path}` has no heading `#{anchor}`"));
    }
    Ok(())
}

/// Resolves `.` and `..`; `None` when the path leaves its root.
pub(super) fn normalise(path: &str) -> Option<String> {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Whether a heading of a Markdown text has this anchor, made as the forges make it.
fn has_heading(text: &str, anchor: &str) -> bool {
    let headings = prose_lines(text).into_iter().filter(|(_, line)| line.starts_with('#'));
    let slug = |(_, line): (usize, &str)| -> String {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|&c| is_word(c) || matches!(c, ' ' | '-'));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(slug).any(|slug| slug == anchor)
}

/// Files and functions named between backticks in the [`REFERRING`] documents exist, and every row
/// of [`CONCEPTS`] has a command and a test.
///
/// A word with a `/` or a known file ending is a path, from the root or from the document. A word
/// in snake case, perhaps after a path of modules, is a function: most of all the test that guards
/// what the document claims.
pub(crate) fn references(repository: &Repository) -> Vec<Problem> {
    let mut problems = concepts(repository);
    let mut functions = None;
    for path in REFERRING {
        for (line, prose) in prose_lines(repository.text(path)) {
            for word in code_spans(prose) {
                let complaint = match reference(word) {
                    Some(Reference::File) => {
                        let from_root = resolve(repository, "README.md", word);
                        from_root.or_else(|_| resolve(repository, path, word)).err()
                    }
                    Some(Reference::Function(name)) => {
                        let functions = functions.get_or_insert_with(|| all_functions(repository));
                        let known = functions.iter().any(|function| function == name);
                        (!known).then(|| format!("there is no `fn {name}` in the sources"))
                    }
                    None => None,
                };
                problems.extend(complaint.map(|message| Problem::new(path, line, message)));
            }
        }
    }
    problems
}

/// Rows of the first table of [`CONCEPTS`] (concept, paper, code, command, test) without a command
/// or a test that do not say so. A row that says [`NO_TEST`] needs no command.
fn concepts(repository: &Repository) -> Vec<Problem> {
    let mut problems = Vec::new();
    let lines = prose_lines(repository.text(CONCEPTS)).into_iter();
    let table = lines.skip_while(|(_, line)| !line.starts_with('|'));
    let rows = table.take_while(|(_, line)| line.starts_with('|')).skip(2);
    for (number, row) in rows {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let &["", _, _, _, command, test, ""] = &cells[..] else {
            problems.push(Problem::new(CONCEPTS, number, "a row has five cells"));
            continue;
        };
        let is_missing = test.starts_with(NO_TEST);
        let has_command = code_spans(command).any(|word| word.starts_with("sixproof"));
        if !has_command && command != NO_COMMAND && !is_missing {
            let message = format!("a row names a command, or says `{NO_COMMAND}`");
            problems.push(Problem::new(CONCEPTS, number, message));
        }
        if !is_missing && !code_spans(test).any(|word| reference(word).is_some()) {
            let message = format!("a row names a test, or says `{NO_TEST}`");
            problems.push(Problem::new(CONCEPTS, number, message));
        }
    }
    problems
}

#[derive(PartialEq, Eq, Debug)]
enum Reference<'a> {
    File,
    Function(&'a str),
}

fn reference(word: &str) -> Option<Reference<'_>> {
    let is_path = word.chars().all(|c| is_word(c) || matches!(c, '/' | '.' | '-'));
    let has_letter = word.contains(|c: char| c.is_alphabetic());
    let looks_like_file =
        word.contains('/') || FILE_ENDINGS.iter().any(|ending| word.ends_with(ending));
    if is_path && has_letter && looks_like_file {
        return Some(Reference::File);
    }
    let name = word.rsplit("::").next().unwrap_or(word);
    let name = name.strip_suffix("()").unwrap_or(name);
    let is_snake = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let is_function = name.trim_matches('_').contains('_')
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(is_snake);
    is_function.then_some(Reference::Function(name))
}

/// The names of all functions of the Rust sources, and of the Python ones.
fn all_functions(repository: &Repository) -> Vec<String> {
    let mut names = Vec::new();
    for (file, text) in repository.texts() {
        let (code, keyword) = match file.extension() {
            "rs" => (Layers::of(text).code(), "fn "),
            "py" => (text.to_owned(), "def "),
            _ => continue,
        };
        for rest in code.split(keyword).skip(1) {
            names.push(rest.split(|c| !is_word(c)).next().unwrap_or("").to_owned());
        }
    }
    names
}

/// The first pages have at most the bytes of [`FIRST_PAGES`].
pub(crate) fn first_pages(repository: &Repository) -> Vec<Problem> {
    let sizes = FIRST_PAGES.iter().map(|&(page, max)| (page, repository.text(page).len(), max));
    let large = sizes.filter(|(_, bytes, max)| bytes > max);
    let message = |bytes, max| format!("{bytes} bytes: move what exceeds {max} to docs");
    large.map(|(page, bytes, max)| Problem::new(page, 1, message(bytes, max))).collect()
}

/// Every file of an [`INDEXED`] folder with the row's ending is named in the folder's index.
pub(crate) fn indexes(repository: &Repository) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (folder, ending, index) in INDEXED.iter().filter(|(.., index)| repository.has(index)) {
        let text = repository.text(index);
        for file in repository.files.iter().filter(|file| file.path != *index) {
            let name = file.path.strip_prefix(folder).filter(|name| name.ends_with(ending));
            let Some(name) = name else { continue };
            if !text
                .split(|c: char| c.is_whitespace() || "`|()[]<>,".contains(c))
                .any(|w| w == name)
            {
                problems.push(Problem::new(&file.path, 1, format!("is not named in {index}")));
            }
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(check: fn(&Repository) -> Vec<Problem>, files: &[(&str, &str)]) -> Vec<String> {
        check(&Repository::of(files)).into_iter().map(|problem| problem.message).collect()
    }

    #[test]
    fn links_are_followed_from_their_own_folder() {
        let text = "# A page\n\n[a](b.md) [b](../README.md#the-top) ![c](../pictures/c.svg \"C\")\n\
                    [d](https://example.org/d) [e](#a-page) `[f](f)` [g](../pictures) [h](/docs/b.md)\n\
                    ```\n[i](i)\n```\n[j]: b.md\n";
        let files = [("README.md", "# The top!\n"), ("docs/b.md", ""), ("pictures/c.svg", "")];
        let with = |page| [&files[..], &[("docs/a.md", page)]].concat();
        assert_eq!(messages(links, &with(text)), Vec::<String>::new());
        let broken = "[a](c.md) [b](#b)\n[c](../../x) [d](../README.md#no)\n[e]: gone.md\n";
        assert_eq!(
            messages(links, &with(broken)),
            [
                "`c.md` does not exist",
                "`docs/a.md` has no heading `#b`",
                "`../../x` leaves the repository",
                "`README.md` has no heading `#no`",
                "`gone.md` does not exist",
            ]
        );
    }

    #[test]
    fn words_between_backticks_are_files_functions_or_neither() {
        for (word, expected) in [
            ("crates/game/src/sgf", Some(Reference::File)),
            ("README.md", Some(Reference::File)),
            ("zones::a_zone_is_enough", Some(Reference::Function("a_zone_is_enough"))),
            ("play_then_undo()", Some(Reference::Function("play_then_undo"))),
            ("1/2", None),
            ("Position", None),
            ("lambda", None),
            ("Color::Black", None),
            ("scripts/test --quick", None),
            ("MAX_BYTES", None),
        ] {
            assert_eq!(reference(word), expected, "{word}");
        }
    }

    #[test]
    fn references_are_looked_up() {
        let code = ("crates/a/src/b.rs", "//! fn in_a_comment\nfn a_real_test() {}\n");
        let text = "`a_real_test` `crates/a` `papers.md` `in_a_comment` `crates/c.rs`\n";
        assert_eq!(
            messages(references, &[code, ("docs/papers.md", text)]),
            ["there is no `fn in_a_comment` in the sources", "`crates/c.rs` does not exist"]
        );
    }

    #[test]
    fn rows_of_concepts_have_a_command_and_a_test() {
        let table = "\n| a | b | c | d | e |\n| --- | --- | --- | --- | --- |\n\
                     | a | b | `c.rs` | `sixproof bench` | `in_time` |\n\
                     | a | b | `c.rs` | library only | `in_time` |\n\
                     | a | b | | | missing: all of it |\n\
                     | a | b | `c.rs` | | `in_time` |\n\
                     | a | b | `c.rs` | `sixproof bench` | `time` |\n\
                     | a | b |\n\n| idea | code | test |\n| --- | --- | --- |\n| a | b | c |\n";
        let files = [("docs/papers.md", table), ("c.rs", "fn in_time() {}\n")];
        assert_eq!(
            messages(references, &files),
            [
                "a row names a command, or says `library only`",
                "a row names a test, or says `missing`",
                "a row has five cells",
            ]
        );
    }

    #[test]
    fn indexes_name_whole_file_names() {
        let index = ("suite/bad/README.md", "| `long-a.cert` | b |\n");
        let files = [index, ("suite/bad/a.cert", ""), ("suite/bad/long-a.cert", "")];
        let problems = indexes(&Repository::of(&files));
        let paths: Vec<_> = problems.iter().map(|problem| problem.path.as_str()).collect();
        assert_eq!(paths, ["suite/bad/a.cert"]);
    }

    #[test]
    fn the_index_of_the_documents_names_pages_and_no_pictures() {
        let index = ("docs/README.md", "[a](a.md) [b](samples/README.md)\n");
        let pages = [("docs/a.md", ""), ("docs/samples/README.md", ""), ("docs/lost.md", "")];
        let files = [&[index, ("docs/a.svg", "")], &pages[..]].concat();
        let problems = indexes(&Repository::of(&files));
        let paths: Vec<_> = problems.iter().map(|problem| problem.path.as_str()).collect();
        assert_eq!(paths, ["docs/lost.md"]);
    }

    #[test]
    fn the_first_pages_fit_to_the_byte() {
        for (page, bytes) in [("README.md", 8192), ("ARCHITECTURE.md", 12288)] {
            let text = "a".repeat(bytes);
            assert_eq!(messages(first_pages, &[(page, &text)]), Vec::<String>::new());
            let problems = messages(first_pages, &[(page, &format!("{text}\n"))]);
            assert_eq!(
                problems,
                [format!("{} bytes: move what exceeds {bytes} to docs", bytes + 1)]
            );
        }
    }
}
