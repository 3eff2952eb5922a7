//! Canaries: a made-up repository for every check, on which the check must complain.

use super::graph::{Dependency, Graph, Package, Use};
use super::*;

/// A package of ours that uses others of ours, and of others.
fn ours(name: &str, used: &[(&str, Use, bool)]) -> Package {
    let dependency = |&(name, used, ours): &(&str, Use, bool)| Dependency {
        name: String::from(name),
        used,
        ours,
    };
    let folder = name.strip_prefix("sixproof-").unwrap_or(name);
    Package {
        name: String::from(name),
        license: String::from("MIT"),
        source: None,
        manifest: format!("crates/{folder}/Cargo.toml"),
        has_build_script: false,
        dependencies: used.iter().map(dependency).collect(),
    }
}

/// A package of others.
fn theirs(name: &str, license: &str, source: &str) -> Package {
    Package {
        license: String::from(license),
        source: Some(String::from(source)),
        ..ours(name, &[])
    }
}

fn with_packages(packages: Vec<Package>, files: &[(&str, &str)]) -> Repository {
    Repository { graph: Graph { packages }, ..Repository::of(files) }
}

fn with_build_script(package: Package) -> Package {
    Package { has_build_script: true, ..package }
}

/// For each check, repositories on which it complains exactly once.
fn broken() -> Vec<(&'static str, Repository)> {
    let long = "a\n".repeat(601);
    let wide = format!("//! {}\n", "w".repeat(100));
    let wide_text = format!("{}\n", "w".repeat(121));
    let first_page = "a\n".repeat(4097);
    let concepts = "| concept | paper | code | command | test |\n| --- | --- | --- | --- | --- |\n";
    let no_command = format!("{concepts}| a | b | `c` | by hand | `docs/papers.md` |\n");
    let no_test = format!("{concepts}| a | b | `c` | library only | by eye |\n");
    let registry = "registry+https://github.com/rust-lang/index";
    let allow = |names: &str| format!("[licenses]\nallow = [{names}]\n");
    vec![
        (
            "checker-alone",
            with_packages(vec![ours("sixproof-check", &[("serde", Use::Normal, false)])], &[]),
        ),
        (
            "checker-alone",
            with_packages(vec![ours("sixproof-check", &[("cc", Use::Build, false)])], &[]),
        ),
        ("checker-alone", with_packages(vec![with_build_script(ours("sixproof-check", &[]))], &[])),
        (
            "oracle-apart",
            with_packages(vec![ours("sixproof-oracle", &[("sixproof-game", Use::Dev, true)])], &[]),
        ),
        (
            "oracle-apart",
            with_packages(
                vec![ours("sixproof-game", &[("sixproof-oracle", Use::Normal, true)])],
                &[],
            ),
        ),
        (
            "direction",
            with_packages(
                vec![ours("sixproof-game", &[("sixproof-prover", Use::Normal, true)])],
                &[],
            ),
        ),
        (
            "direction",
            with_packages(
                vec![ours("sixproof-farm", &[("sixproof-prover", Use::Build, true)])],
                &[],
            ),
        ),
        ("direction", with_packages(vec![ours("sixproof-new", &[])], &[])),
        ("crate-names", with_packages(vec![ours("game", &[])], &[])),
        (
            "no-unsafe",
            Repository::of(&[
                ("Cargo.toml", "[workspace.lints.rust]\nunsafe_code = \"forbid\"\n"),
                ("crates/a/Cargo.toml", "[package]\n"),
                ("crates/a/src/lib.rs", "//! A.\n"),
            ]),
        ),
        (
            "no-unsafe",
            Repository::of(&[
                ("Cargo.toml", "[workspace.lints.rust]\nunsafe_code = \"warn\"\n"),
                ("crates/a/Cargo.toml", "[lints]\nworkspace = true\n"),
                ("crates/a/src/main.rs", "//! A.\n"),
            ]),
        ),
        (
            "dependencies",
            with_packages(vec![ours("sixproof-cli", &[("clap", Use::Normal, false)])], &[]),
        ),
        ("dependencies", Repository::of(&[("xtask/dependencies.txt", "clap: nobody uses it\n")])),
        ("package-sources", with_packages(vec![theirs("a", "MIT", "git+https://a.example")], &[])),
        (
            "licenses",
            with_packages(
                vec![theirs("a", "MIT", registry), theirs("b", "GPL-3.0", registry)],
                &[("deny.toml", &allow("\"MIT\""))],
            ),
        ),
        (
            "licenses",
            with_packages(
                vec![theirs("a", "MIT", registry)],
                &[("deny.toml", &allow("\"MIT\", \"Zlib\""))],
            ),
        ),
        (
            "bans",
            with_packages(
                vec![theirs("a", "MIT", registry)],
                &[("deny.toml", "[bans]\ndeny = [\"a\"]\n")],
            ),
        ),
        ("purity", Repository::of(&[("crates/game/src/a.rs", "use std::time::Instant;\n")])),
        (
            "one-judge",
            Repository::of(&[("crates/game/src/a.rs", "use sixproof_check::{Claim, check};\n")]),
        ),
        ("unfinished", Repository::of(&[("crates/game/src/a.rs", "fn a() { todo!() }\n")])),
        ("white-space", Repository::of(&[("crates/game/src/a.rs", "fn a() {} \n")])),
        ("width", Repository::of(&[("crates/game/src/a.rs", &wide)])),
        ("width", Repository::of(&[("docs/a.md", &wide_text)])),
        (
            "forbidden-text",
            Repository::of(&[("xtask/forbidden-text.txt", "bad: why\n"), ("a.sgf", "so bad\n")]),
        ),
        (
            "phrases",
            Repository::of(&[("crates/farm/src/a.rs", "/// It waits for so\n/// long.\n")]),
        ),
        ("phrases", Repository::of(&[("crates/farm/src/a.rs", "fn a() { b(\"nobody came\") }\n")])),
        ("phrases", Repository::of(&[("docs/scale.md", "A position that is none.\n")])),
        ("length", Repository::of(&[("crates/game/src/a.rs", &long)])),
        ("crate-size", Repository::of(&[("crates/game/src/a.rs", &"a\n".repeat(15_001))])),
        ("module-docs", Repository::of(&[("crates/game/src/a.rs", "/// A.\nfn a() {}\n")])),
        ("file-names", Repository::of(&[("crates/game/src/utils.rs", "")])),
        ("file-names", Repository::of(&[("crates/game/tests/common/mod.rs", "")])),
        (
            "root",
            Repository::of(&[("xtask/root-files.txt", "xtask: automation\n"), ("out.json", "")]),
        ),
        ("root", Repository::of(&[("xtask/root-files.txt", "xtask: a\nweb: nothing yet\n")])),
        ("links", Repository::of(&[("README.md", "[a](gone.md)\n")])),
        ("references", Repository::of(&[("docs/papers.md", "By `a_lost_test`.\n")])),
        ("references", Repository::of(&[("docs/papers.md", &no_command)])),
        ("references", Repository::of(&[("docs/papers.md", &no_test)])),
        ("named-files", Repository::of(&[("README.md", "See `docs/gone.md`.\n")])),
        ("named-files", Repository::of(&[("crates/game/src/a.rs", "//! As in gone.rs.\n")])),
        ("indexes", Repository::of(&[("suite/bad/README.md", ""), ("suite/bad/a.cert", "")])),
        ("indexes", Repository::of(&[("docs/README.md", ""), ("docs/a.md", "")])),
        ("first-pages", Repository::of(&[("README.md", &first_page)])),
        ("generated", Repository::of(&[("a.ts", "// Made by a program. Do not edit.\n")])),
        ("generated", Repository::of(&[(".gitattributes", "a/** linguist-generated\n")])),
    ]
}

#[test]
fn every_check_can_fail() {
    let broken = broken();
    for check in CHECKS {
        assert!(broken.iter().any(|(name, _)| *name == check.name), "{} never fails", check.name);
    }
    for (name, repository) in &broken {
        let check = CHECKS.iter().find(|check| check.name == *name).expect("a check of the table");
        let found = (check.run)(repository);
        assert_eq!(found.len(), 1, "{name}: {found:?}");
    }
}

#[test]
fn a_sound_repository_has_no_problems() {
    let registry = "registry+https://github.com/rust-lang/index";
    let repository = with_packages(
        vec![
            ours("sixproof-check", &[("sixproof-oracle", Use::Dev, true)]),
            ours("sixproof-oracle", &[]),
            ours(
                "sixproof-cli",
                &[("sixproof-check", Use::Normal, true), ("a", Use::Normal, false)],
            ),
            theirs("a", "MIT OR Apache-2.0", registry),
            theirs("b", "MIT", registry),
        ],
        &[
            ("Cargo.toml", "[workspace.lints.rust]\nunsafe_code = \"forbid\"\n"),
            ("README.md", "[the checker](crates/check/src/lib.rs)\n"),
            ("crates/check/Cargo.toml", "[lints]\nworkspace = true\n"),
            ("crates/check/src/lib.rs", "//! The checker.\n"),
            ("deny.toml", "[licenses]\nallow = [\"MIT\"]\n"),
            ("xtask/dependencies.txt", "a: an example\n"),
            (
                "xtask/root-files.txt",
                "Cargo.toml: a\nREADME.md: b\ncrates: c\ndeny.toml: d\nxtask: e\n",
            ),
        ],
    );
    assert_eq!(problems(&repository), []);
}

#[test]
fn problems_are_sorted_and_carry_the_name_of_their_check() {
    let list = ("xtask/root-files.txt", "a.rs: a\nb.md: b\nxtask: c\n");
    let repository = Repository::of(&[list, ("b.md", "x \n"), ("a.rs", "//! A.\n\n\t//\n")]);
    let found = problems(&repository);
    let places: Vec<_> = found.iter().map(|p| (p.path.as_str(), p.line)).collect();
    assert_eq!(places, [("a.rs", 3), ("b.md", 1)]);
    assert!(found.iter().all(|problem| problem.message.ends_with(" [white-space]")));
}
