//! The input of the checks: the files of the repository and the graph of packages.
//!
//! [`Repository::read`] is the only place that touches the disk; the tests build a [`Repository`]
//! from texts instead.

use std::io;
use std::path::Path;
use std::process::Command;

use super::graph::Graph;

/// The platform whose packages are looked at: one for all machines, so that tidy reports the same
/// everywhere, and packages for other systems are not downloaded for it.
const PLATFORM: &str = "x86_64-unknown-linux-gnu";

/// A file that a program writes says so in its first line, which ends with these words.
pub(crate) const GENERATED: &str = "Do not edit.";

/// A file of the repository.
pub(crate) struct File {
    /// From the root of the repository, with `/` between the parts.
    pub(crate) path: String,
    /// `None` for files that are not UTF-8 text.
    pub(crate) text: Option<String>,
}

impl File {
    /// The text after the last dot of the name, or nothing.
    pub(crate) fn extension(&self) -> &str {
        self.name().rsplit_once('.').map_or("", |(_, extension)| extension)
    }

    /// The last part of the path.
    pub(crate) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// The first part of the path: the file itself, or its folder at the root.
    pub(crate) fn name_at_root(&self) -> &str {
        self.path.split('/').next().unwrap_or(&self.path)
    }

    /// Whether the file holds only tests, benchmarks or examples, which may touch the world.
    pub(crate) fn is_test(&self) -> bool {
        let folder = |part: &str| matches!(part, "tests" | "benches" | "examples");
        self.name() == "tests.rs" || self.path.split('/').any(folder)
    }
}

/// The input of tidy.
pub(crate) struct Repository {
    pub(crate) files: Vec<File>,
    pub(crate) graph: Graph,
}

impl Repository {
    /// Reads what `git` tracks or would track, and asks `cargo` for the packages.
    pub(crate) fn read(root: &Path) -> Result<Repository, String> {
        let listing = output(
            Command::new("git")
                .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
                .current_dir(root),
        )?;
        let mut paths: Vec<&str> = listing.split_terminator('\0').collect();
        paths.sort_unstable();
        paths.dedup();
        let mut files = Vec::new();
        for path in paths {
            match std::fs::read(root.join(path)) {
                Ok(bytes) => files.push(File { path: path.to_owned(), text: text(bytes) }),
                // Tracked and deleted, but the deletion is not committed yet.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(format!("{path}: {error}")),
            }
        }
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let metadata = output(
            Command::new(cargo)
                .args(["metadata", "--format-version", "1", "--locked"])
                .args(["--filter-platform", PLATFORM])
                .current_dir(root),
        )?;
        Ok(Repository { files, graph: Graph::parse(&metadata)? })
    }

    /// The file with this path.
    pub(crate) fn file(&self, path: &str) -> Option<&File> {
        self.files.iter().find(|file| file.path == path)
    }

    /// The text of the file with this path; empty when there is no such text.
    pub(crate) fn text(&self, path: &str) -> &str {
        self.file(path).and_then(|file| file.text.as_deref()).unwrap_or("")
    }

    /// Whether a path is a file, or a folder with files.
    pub(crate) fn has(&self, path: &str) -> bool {
        let folder = format!("{path}/");
        path.is_empty()
            || self.files.iter().any(|file| file.path == path || file.path.starts_with(&folder))
    }

    /// The text files, with their texts.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&File, &str)> {
        self.files.iter().filter_map(|file| Some((file, file.text.as_deref()?)))
    }

    /// The Rust sources, with their texts.
    pub(crate) fn rust(&self) -> impl Iterator<Item = (&File, &str)> {
        self.texts().filter(|(file, _)| file.extension() == "rs")
    }

    /// A made-up repository without packages, for tests.
    #[cfg(test)]
    pub(crate) fn of(files: &[(&str, &str)]) -> Repository {
        let file = |&(path, text): &(&str, &str)| File {
            path: String::from(path),
            text: Some(String::from(text)),
        };
        Repository { files: files.iter().map(file).collect(), graph: Graph::default() }
    }
}

/// The text of a file, unless it is binary.
fn text(bytes: Vec<u8>) -> Option<String> {
    String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

/// Runs a program and returns its standard output.
fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("cannot run {name}: {error}"))?;
    if !output.status.success() {
        let complaint = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{name} failed: {}", complaint.trim_end()));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("output of {name}: {error}"))
}
