//! The architecture as rules: which crate may depend on which, and on which packages of others.

use std::collections::BTreeSet;

use super::Problem;
use super::graph::{Dependency, Package, Use};
use super::list;
use super::repository::Repository;

/// Which of our crates a crate of ours may use outside its tests. The order is that of the
/// workspace: a crate stands below everything it uses.
const ALLOWED: &[(&str, &[&str])] = &[
    ("check", &[]),
    ("oracle", &[]),
    ("game", &[]),
    ("certificate", &["check", "game"]),
    ("document", &["game"]),
    ("prover", &["certificate", "game"]),
    ("store", &["certificate", "game"]),
    ("player", &["certificate", "game", "prover"]),
    ("farm", &[]),
    ("picture", &[]),
    ("solve", &["certificate", "check", "game", "prover", "store", "player"]),
    ("experiments", &["certificate", "game", "picture", "player", "prover", "solve"]),
    ("farm-nats", &["certificate", "farm", "prover", "solve"]),
    (
        "server",
        &[
            "certificate",
            "check",
            "document",
            "farm",
            "game",
            "picture",
            "player",
            "prover",
            "solve",
            "store",
        ],
    ),
    (
        "cli",
        &[
            "certificate",
            "check",
            "experiments",
            "farm",
            "farm-nats",
            "game",
            "picture",
            "player",
            "prover",
            "server",
            "solve",
            "store",
        ],
    ),
    ("regex", &[]),
    (
        "laws",
        &[
            "certificate",
            "check",
            "oracle",
            "game",
            "document",
            "prover",
            "store",
            "player",
            "farm",
        ],
    ),
    (
        "xtask",
        &[
            "certificate",
            "check",
            "game",
            "document",
            "prover",
            "store",
            "player",
            "farm",
            "cli",
            "laws",
        ],
    ),
];

const CHECKER: &str = "check";
const ORACLE: &str = "oracle";
/// The crate that is only tests, and so may use the oracle.
const LAWS: &str = "laws";

/// The packages of others that ours name in a manifest, with the reasons.
const DEPENDENCIES: &str = "xtask/dependencies.txt";

/// The source of the packages of others: the index of the public registry.
const REGISTRY: &str = "registry+https://github.com/rust-lang/";

/// The name of a crate in the architecture: that of its folder.
fn short(name: &str) -> &str {
    name.strip_prefix("sixproof-").unwrap_or(name)
}

fn shipped(package: &Package) -> impl Iterator<Item = &Dependency> {
    package.dependencies.iter().filter(|dependency| dependency.used != Use::Dev)
}

/// The checker has no dependencies and no build script: the trusted code is the code that one
/// reads.
pub(crate) fn checker_alone(repository: &Repository) -> Vec<Problem> {
    let mut problems = Vec::new();
    for package in repository.graph.ours().filter(|package| short(&package.name) == CHECKER) {
        for dependency in shipped(package) {
            let message = format!("the checker must not depend on `{}`", dependency.name);
            problems.push(Problem::new(&package.manifest, 1, message));
        }
        if package.has_build_script {
            let message = "the checker must not have a build script";
            problems.push(Problem::new(&package.manifest, 1, message));
        }
    }
    problems
}

/// The oracle uses nothing of ours, not even in tests, and only tests use the oracle.
pub(crate) fn oracle_apart(repository: &Repository) -> Vec<Problem> {
    let mut problems = Vec::new();
    for package in repository.graph.ours() {
        let is_oracle = short(&package.name) == ORACLE;
        let is_test = |used: Use| used == Use::Dev || short(&package.name) == LAWS;
        for dependency in package.dependencies.iter().filter(|dependency| dependency.ours) {
            let message = if is_oracle {
                format!("the oracle must not depend on our `{}`", dependency.name)
            } else if short(&dependency.name) == ORACLE && !is_test(dependency.used) {
                "the oracle may only be a dev-dependency".to_owned()
            } else {
                continue;
            };
            problems.push(Problem::new(&package.manifest, 1, message));
        }
    }
    problems
}

/// Our crates use each other as [`ALLOWED`] says; their tests may use more.
pub(crate) fn direction(repository: &Repository) -> Vec<Problem> {
    let mut problems = Vec::new();
    for package in repository.graph.ours() {
        let name = short(&package.name);
        let Some((_, allowed)) = ALLOWED.iter().find(|(user, _)| *user == name) else {
            let message = format!("crate `{name}` has no row in the table of allowed dependencies");
            problems.push(Problem::new(&package.manifest, 1, message));
            continue;
        };
        for dependency in shipped(package).filter(|dependency| dependency.ours) {
            let used = short(&dependency.name);
            if !allowed.contains(&used) {
                let message = format!("`{name}` must not depend on `{used}`");
                problems.push(Problem::new(&package.manifest, 1, message));
            }
        }
    }
    problems
}

/// The crate in the folder `x` of `crates` is called `sixproof-x`; the laws, xtask and the
/// stand-ins for packages of others are outside.
pub(crate) fn crate_names(repository: &Repository) -> Vec<Problem> {
    let expected = |package: &&Package| {
        let outside = [
            ("xtask/Cargo.toml", "xtask"),
            ("fuzz/laws/Cargo.toml", "sixproof-laws"),
            ("patches/regex/Cargo.toml", "regex"),
        ];
        outside.contains(&(&package.manifest, &package.name))
            || package.name.starts_with("sixproof-")
                && package.manifest == format!("crates/{}/Cargo.toml", short(&package.name))
    };
    let misnamed = repository.graph.ours().filter(|package| !expected(package));
    let problem = |package: &Package| {
        let message = format!("`{}` is not called after its folder under crates/", package.name);
        Problem::new(&package.manifest, 1, message)
    };
    misnamed.map(problem).collect()
}

/// Every crate forbids unsafe code: by the lints of the workspace, or in each of its roots.
pub(crate) fn no_unsafe(repository: &Repository) -> Vec<Problem> {
    const ATTRIBUTE: &str = "#![forbid(unsafe_code)]";
    let workspace_forbids =
        section(repository.text("Cargo.toml"), "workspace.lints.rust", "unsafe_code = \"forbid\"");
    let mut problems = Vec::new();
    for file in &repository.files {
        let Some(folder) = file.path.strip_suffix("/Cargo.toml") else { continue };
        if !(folder.starts_with("crates/")
            || ["xtask", "fuzz/laws", "patches/regex"].contains(&folder))
        {
            continue;
        }
        let text = file.text.as_deref().unwrap_or("");
        if workspace_forbids && section(text, "lints", "workspace = true") {
            continue;
        }
        for root in [format!("{folder}/src/lib.rs"), format!("{folder}/src/main.rs")] {
            if repository.has(&root) && !repository.text(&root).contains(ATTRIBUTE) {
                let message = format!("neither `{ATTRIBUTE}` nor the lints of the workspace");
                problems.push(Problem::new(&root, 1, message));
            }
        }
    }
    problems
}

/// Whether a manifest has exactly this line in this section.
fn section(manifest: &str, name: &str, wanted: &str) -> bool {
    let header = format!("[{name}]");
    let lines = manifest.lines().skip_while(|line| line.trim() != header).skip(1);
    lines.take_while(|line| !line.starts_with('[')).any(|line| line.trim() == wanted)
}

/// The packages of others in our manifests are exactly those of [`DEPENDENCIES`].
pub(crate) fn dependencies(repository: &Repository) -> Vec<Problem> {
    let (entries, mut problems) = list::parse(DEPENDENCIES, repository.text(DEPENDENCIES));
    let listed: BTreeSet<&str> = entries.iter().map(|entry| entry.name).collect();
    let mut named = BTreeSet::new();
    for package in repository.graph.ours() {
        for dependency in package.dependencies.iter().filter(|dependency| !dependency.ours) {
            named.insert(dependency.name.as_str());
            if !listed.contains(dependency.name.as_str()) {
                let message = format!("`{}` is not in {DEPENDENCIES}", dependency.name);
                problems.push(Problem::new(&package.manifest, 1, message));
            }
        }
    }
    for entry in entries.iter().filter(|entry| !named.contains(entry.name)) {
        let message = format!("no crate of ours depends on `{}`", entry.name);
        problems.push(Problem::new(DEPENDENCIES, entry.line, message));
    }
    problems
}

/// The packages of others come from the public registry: no mirrors, no git, no vendored copies.
pub(crate) fn package_sources(repository: &Repository) -> Vec<Problem> {
    let mut problems = Vec::new();
    for package in repository.graph.theirs() {
        let source = package.source.as_deref().unwrap_or("");
        if !source.starts_with(REGISTRY) {
            let message = format!("`{}` comes from {source}", package.name);
            problems.push(Problem::new("Cargo.lock", 1, message));
        }
    }
    problems
}
