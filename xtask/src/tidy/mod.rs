//! `cargo xtask tidy`: the rules of the project that the compiler does not know, checked.
//!
//! Every check is a pure function from a [`Repository`] (texts of files and the package graph) to
//! problems, and one row of [`CHECKS`]. To add a check, write the function, add its row, and add to
//! `every_check_can_fail` a made-up repository that breaks it. Reading files, running `git` and
//! `cargo`, and printing happen only in this module and in [`repository`].

mod crates;
mod deny;
mod documents;
mod graph;
mod layout;
mod list;
mod names;
mod phrases;
mod purity;
pub(crate) mod repository;
pub(crate) mod rust;
mod text;
mod typescript;

use std::path::Path;
use std::process::ExitCode;

use repository::Repository;

/// A problem, and its place.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Problem {
    path: String,
    /// Counted from 1; problems of a whole file stand on line 1.
    line: usize,
    message: String,
}

impl Problem {
    fn new(path: &str, line: usize, message: impl Into<String>) -> Problem {
        Problem { path: path.to_owned(), line, message: message.into() }
    }
}

/// A named rule of the project.
struct Check {
    name: &'static str,
    rule: &'static str,
    run: fn(&Repository) -> Vec<Problem>,
}

/// All checks; `cargo xtask tidy --help` shows this table.
const CHECKS: &[Check] = &[
    Check {
        name: "checker-alone",
        rule: "the checker has no dependencies and no build script",
        run: crates::checker_alone,
    },
    Check {
        name: "oracle-apart",
        rule: "the oracle uses nothing of ours, and only tests use the oracle",
        run: crates::oracle_apart,
    },
    Check {
        name: "direction",
        rule: "our crates depend on each other in the allowed direction only",
        run: crates::direction,
    },
    Check {
        name: "crate-names",
        rule: "a crate is called after its folder",
        run: crates::crate_names,
    },
    Check { name: "no-unsafe", rule: "every crate forbids unsafe code", run: crates::no_unsafe },
    Check {
        name: "dependencies",
        rule: "the direct dependencies are those of xtask/dependencies.txt",
        run: crates::dependencies,
    },
    Check {
        name: "package-sources",
        rule: "other people's packages come from the public registry",
        run: crates::package_sources,
    },
    Check {
        name: "licenses",
        rule: "licences are within those of deny.toml, and each of those is needed",
        run: deny::licenses,
    },
    Check { name: "bans", rule: "no package that deny.toml bans is in the graph", run: deny::bans },
    Check {
        name: "purity",
        rule: "only the edges touch files, network, environment, clock and processes",
        run: purity::purity,
    },
    Check {
        name: "one-judge",
        rule: "only `certify` asks the checker whether a certificate proves a claim",
        run: purity::one_judge,
    },
    Check { name: "unfinished", rule: "no marks of unfinished work", run: text::unfinished },
    Check {
        name: "white-space",
        rule: "no tabs, no white space at line ends, a line end at the end",
        run: text::white_space,
    },
    Check {
        name: "width",
        rule: "Rust has at most 100 columns, text of documents 120; literals, tables, links aside",
        run: text::width,
    },
    Check {
        name: "forbidden-text",
        rule: "nothing of xtask/forbidden-text.txt in any file",
        run: text::forbidden_text,
    },
    Check {
        name: "phrases",
        rule: "comments, messages and documents of rewritten rooms name subject and quantity",
        run: phrases::phrases,
    },
    Check {
        name: "length",
        rule: "files have at most 600 lines, or a reason in xtask/long-files.txt",
        run: layout::length,
    },
    Check {
        name: "crate-size",
        rule: "a crate has at most 15,000 lines of source",
        run: layout::crate_size,
    },
    Check {
        name: "module-docs",
        rule: "every Rust file opens with what it is for",
        run: layout::module_docs,
    },
    Check {
        name: "file-names",
        rule: "no file or folder has a name that says nothing",
        run: layout::file_names,
    },
    Check {
        name: "root",
        rule: "the root holds only the files and folders of xtask/root-files.txt",
        run: layout::root,
    },
    Check {
        name: "links",
        rule: "links in Markdown to files of the repository resolve",
        run: documents::links,
    },
    Check {
        name: "references",
        rule: "files and tests named in docs/papers.md exist, and its rows have commands and tests",
        run: documents::references,
    },
    Check {
        name: "named-files",
        rule: "files named in comments and documents exist",
        run: names::named_files,
    },
    Check {
        name: "indexes",
        rule: "every file of an indexed folder, and every page of docs, is named in its index",
        run: documents::indexes,
    },
    Check {
        name: "first-pages",
        rule: "README.md has at most 8,192 bytes, ARCHITECTURE.md 12,288",
        run: documents::first_pages,
    },
    Check {
        name: "generated",
        rule: ".gitattributes names the files that programs write, and only files that are there",
        run: layout::generated,
    },
];

/// Runs `cargo xtask tidy` on the repository that this program was built from.
pub(crate) fn main(arguments: &[String]) -> ExitCode {
    match arguments {
        [] => {}
        [only] if crate::is_help(only) => {
            print!("{}", help());
            return ExitCode::SUCCESS;
        }
        [first, ..] => {
            return crate::usage_error(&format!("tidy does not know `{first}`"), &help());
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    match Repository::read(&root) {
        Ok(repository) => report(&problems(&repository)),
        Err(error) => {
            eprintln!("xtask tidy: {error}");
            ExitCode::from(crate::UNDECIDED)
        }
    }
}

fn help() -> String {
    let mut text = String::from("Usage: cargo xtask tidy\n\nChecks:\n");
    for check in CHECKS {
        text.push_str(&format!("  {:<17}{}\n", check.name, check.rule));
    }
    text
}

/// The problems of all checks, by place, each message with the name of its check.
fn problems(repository: &Repository) -> Vec<Problem> {
    let mut all = Vec::new();
    for check in CHECKS {
        for mut problem in (check.run)(repository) {
            problem.message.push_str(&format!(" [{}]", check.name));
            all.push(problem);
        }
    }
    all.sort();
    all
}

fn report(problems: &[Problem]) -> ExitCode {
    for problem in problems {
        println!("{}:{}: {}", problem.path, problem.line, problem.message);
    }
    let (count, checks) = (problems.len(), CHECKS.len());
    let noun = if count == 1 { "problem" } else { "problems" };
    println!("tidy: {count} {noun}, {checks} checks");
    if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[cfg(test)]
mod tests;
