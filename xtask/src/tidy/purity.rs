//! Only the edges of the system touch the world.
//!
//! Search, checking and job management take data in and give data out. So outside the program, the
//! files of [`EDGES`] and tests, no source may name the parts of `std` that reach files, sockets,
//! the environment, the clock or other processes. Names are found in paths and in `use` trees of
//! any shape; comments and literals do not count.

use super::Problem;
use super::repository::{File, Repository};
use super::rust::{Layers, is_word, without_test_items};

/// The parts of `std` that reach the world; a path below one of them counts too.
const IMPURE: &[&str] = &[
    "std::fs",
    "std::net",
    "std::env",
    "std::os",
    "std::process",
    "std::time::Instant",
    "std::time::SystemTime",
];

/// The crates and files that reach the world: the program, the editor's server and the farm's
/// sockets; the main file of the checker; the effort of tests; the finding, locking, opening and
/// making of the store's file; and the code that program and server share to read files, to print,
/// and to see how large the machine is.
const EDGES: &[&str] = &[
    "crates/cli/",
    "crates/check/src/main.rs",
    "crates/experiments/",
    "crates/farm-nats/",
    "crates/oracle/src/effort.rs",
    "crates/server/",
    "crates/solve/src/defaults.rs",
    "crates/solve/src/files.rs",
    "crates/solve/src/output.rs",
    "crates/solve/src/stopwatch.rs",
    "crates/store/src/file.rs",
    "crates/store/src/place.rs",
];

/// Imports that bring such a part in under another path.
const LOOPHOLES: &[&str] = &["std::*", "std::time", "std::time::*"];

/// No source in the pure part of the system names an impure part of `std`.
pub(crate) fn purity(repository: &Repository) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (file, text) in repository.rust().filter(|(file, _)| must_be_pure(file)) {
        let code = without_test_items(&Layers::of(text).code());
        for (line, path) in paths(&code, "std") {
            if is_impure(&path) {
                let message = format!("`{path}` belongs to the program, not to a pure crate");
                problems.push(Problem::new(&file.path, line, message));
            }
        }
    }
    problems
}

fn must_be_pure(file: &File) -> bool {
    file.path.starts_with("crates/")
        && !EDGES.iter().any(|edge| file.path.starts_with(edge))
        && !file.is_test()
}

fn is_impure(path: &str) -> bool {
    let below = |part: &str| path.strip_prefix(part).is_some_and(|rest| rest.starts_with("::"));
    LOOPHOLES.contains(&path) || IMPURE.iter().any(|part| path == *part || below(part))
}

/// The functions of the checker.
const CHECKS: &[&str] = &["check", "check_bytes", "check_pipe"];
/// Where the checker may be called: in itself, and by the one judge.
const JUDGES: &[&str] = &["crates/check/", "crates/certificate/src/certify.rs"];

/// Only the one judge asks the checker: every claim that is called proved comes from `certify`.
pub(crate) fn one_judge(repository: &Repository) -> Vec<Problem> {
    let is_bound = |file: &File| {
        file.path.starts_with("crates/")
            && !file.is_test()
            && !JUDGES.iter().any(|judge| file.path.starts_with(judge))
    };
    let mut problems = Vec::new();
    for (file, text) in repository.rust().filter(|(file, _)| is_bound(file)) {
        let code = without_test_items(&Layers::of(text).code());
        for (line, path) in paths(&code, "sixproof_check") {
            let name = path.rsplit("::").next().unwrap_or_default();
            if CHECKS.contains(&name) || name == "*" {
                let message = format!("`{path}`: ask `sixproof_certificate::certify`");
                problems.push(Problem::new(&file.path, line, message));
            }
        }
    }
    problems
}

/// Every path below a root such as `std` that a text of code names, with `use` trees written out,
/// and its line.
fn paths(code: &str, root: &str) -> Vec<(usize, String)> {
    let tokens = tokens(code);
    let mut paths = Vec::new();
    for start in 0..tokens.len() {
        if tokens[start].1 == root && tokens.get(start + 1).is_some_and(|next| next.1 == "::") {
            write_out(&tokens[start..], &mut paths);
        }
    }
    paths
}

/// Writes out the path or `use` tree at the beginning of the tokens, whose first is the root.
fn write_out(tokens: &[(usize, &str)], paths: &mut Vec<(usize, String)>) {
    let mut open: Vec<String> = Vec::new();
    let mut current = Some((tokens[0].0, tokens[0].1.to_owned()));
    let mut rest = tokens[1..].iter();
    while let Some(&(line, token)) = rest.next() {
        match (token, current.take(), open.last()) {
            ("::", Some((line, path)), _) => match rest.next() {
                Some((_, "{")) => open.push(path),
                Some((_, next)) if *next == "*" || next.starts_with(is_word) => {
                    current = Some((line, format!("{path}::{next}")));
                }
                _ => {
                    current = Some((line, path));
                    break;
                }
            },
            (",", ended, Some(_)) => paths.extend(ended),
            ("}", ended, Some(_)) => {
                paths.extend(ended);
                open.pop();
                if open.is_empty() {
                    return;
                }
            }
            ("self", None, Some(prefix)) => current = Some((line, prefix.clone())),
            ("as", renamed, Some(_)) => {
                rest.next();
                current = renamed;
            }
            (next, None, Some(prefix)) => current = Some((line, format!("{prefix}::{next}"))),
            (_, ended, _) => {
                current = ended;
                break;
            }
        }
    }
    paths.extend(current);
}

/// Words, `::` and single characters, with their lines.
fn tokens(code: &str) -> Vec<(usize, &str)> {
    let mut tokens = Vec::new();
    for (index, mut line) in code.lines().enumerate() {
        loop {
            line = line.trim_start();
            let Some(first) = line.chars().next() else { break };
            let len = if is_word(first) {
                line.find(|c| !is_word(c)).unwrap_or(line.len())
            } else if line.starts_with("::") {
                2
            } else {
                first.len_utf8()
            };
            let (token, after) = line.split_at(len);
            tokens.push((index + 1, token));
            line = after;
        }
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn use_trees_are_written_out() {
        let written = |code: &str| -> Vec<String> {
            paths(code, "std").into_iter().map(|(_, path)| path).collect()
        };
        assert_eq!(
            written(
                "use std::{fmt, time::{self, Duration as D, Instant}, io::*};\nstd::fs::read(x)"
            ),
            [
                "std::fmt",
                "std::time",
                "std::time::Duration",
                "std::time::Instant",
                "std::io::*",
                "std::fs::read"
            ]
        );
        assert_eq!(written("std::mem::size_of::<T>() + mystd::fs"), ["std::mem::size_of"]);
        assert_eq!(written("use std::fs as f;"), ["std::fs"]);
        assert_eq!(written("use std::{fs"), ["std::fs"]);
    }

    #[test]
    fn the_edges_and_tests_may_touch_the_world() {
        let text = "use std::{fs, env};\n";
        let count = |path| purity(&Repository::of(&[(path, text)])).len();
        assert_eq!(count("crates/game/src/a.rs"), 2);
        assert_eq!(count("crates/check/src/lib.rs"), 2);
        for path in [
            "crates/cli/src/a.rs",
            "crates/check/src/main.rs",
            "crates/experiments/",
            "crates/store/src/place.rs",
            "crates/game/tests/a.rs",
            "crates/game/src/a/tests.rs",
            "xtask/src/a.rs",
        ] {
            assert_eq!(count(path), 0, "{path}");
        }
    }

    #[test]
    fn comments_durations_and_test_modules_are_no_impurity() {
        let text = "// std::fs\nuse std::time::Duration;\nconst A: &str = \"std::env\";\n\
                    #[cfg(test)]\nmod tests { use std::fs; }\n";
        assert_eq!(purity(&Repository::of(&[("crates/game/src/a.rs", text)])), []);
    }
}
