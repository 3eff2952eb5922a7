//! Every law holds for the files of the suite and a few thousand mutants of them.
//!
//! The mutants are the same every time. `cargo xtask fuzz` looks further.

use std::collections::BTreeSet;
use std::path::Path;

use sixproof_laws::explore::{explore, shrink};
use sixproof_laws::{CANARY, LAWS, Law, seeds};

/// The number of mutants of each law that are tried.
const MUTANTS: u64 = 1_500;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn seeds_of(law: &Law) -> Vec<Vec<u8>> {
    let seeds = seeds::read(&root().join("suite"), law).unwrap();
    assert!(law.seeds.is_empty() || !seeds.is_empty(), "{}: no file to start from", law.name);
    seeds.into_iter().map(|seed| seed.bytes).collect()
}

fn holds(name: &str) {
    let law = sixproof_laws::find(name).unwrap();
    let seeds = seeds_of(law);
    let cases = seeds.len() as u64 + MUTANTS;
    if let Err(failure) = explore(law, &seeds, |case| case < cases) {
        panic!(
            "the law `{name}` is broken by case {}: {}\n\"{}\"",
            failure.case,
            failure.message,
            failure.input.escape_ascii()
        );
    }
}

/// A test for each law, so that they run beside each other, and a list of them.
macro_rules! tests {
    ($($law:ident)*) => {
        const TESTED: &[&str] = &[$(stringify!($law)),*];
        $(#[test]
        fn $law() {
            holds(stringify!($law));
        })*
    };
}

tests! {
    certificate certificate_structure sgf document notation moves diagram psq renlib ccgc connectk
    load picture protocol farm_message farm_journal
}

/// Findings of the fuzzer.
#[test]
fn a_document_may_have_two_branches_that_say_the_same() {
    let law = sixproof_laws::find("document").unwrap();
    (law.run)(b"(;B[jj]W[kk])\0hank),\nsomeb");
}

#[test]
fn every_law_has_a_test_and_a_fuzz_target() {
    let names: Vec<&str> = LAWS.iter().map(|law| law.name).collect();
    assert_eq!(names, TESTED);
    let folder = root().join("fuzz/fuzz_targets");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let targets: BTreeSet<String> =
        files.map(|name| name.to_string_lossy().trim_end_matches(".rs").to_string()).collect();
    let laws = LAWS.iter().chain([&CANARY]).map(|law| law.name.to_string()).collect();
    assert_eq!(targets, laws);
    let manifest = std::fs::read_to_string(root().join("fuzz/Cargo.toml")).unwrap();
    for name in targets {
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name}");
    }
}

#[test]
fn a_broken_law_is_noticed_and_its_input_made_small() {
    let failure = explore(&CANARY, &[], |case| case < 100_000).unwrap_err();
    assert_eq!(failure.message, "the canary sings");
    assert_eq!(shrink(&CANARY, &failure.input), b"bug");
}
