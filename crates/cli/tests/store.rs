//! The store as the program uses it: where it is, what happens when it cannot be used, and what
//! becomes of an invalid proof in it.

mod scratch;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use sixproof_certificate::{Claim, Reader};
use sixproof_store::{ProofMeta, Store};

use scratch::folder;

const WIN: &str = "A1 / A2 / B1 / B2";
/// Well formed, about the position of [`WIN`], and wrong.
const WRONG: &[u8] = b"sixproof-certificate 1 game 3 3 3 1 1 attacker black
    black A1 B1 white A2 B2 to-move black 1 W C3 ";

/// Runs the program in a folder that is also the user's folder of data.
fn sixproof(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sixproof"));
    command.args(arguments).env_clear().env("XDG_DATA_HOME", folder).current_dir(folder);
    command.output().expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn prove<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["prove", WIN, "--game", "tic-tac-toe", "--quiet"], more].concat()
}

/// A store with a proof that proves nothing.
fn forged(path: &Path) -> Claim {
    let claim = Reader::new(WRONG).unwrap().claim().clone();
    let meta = ProofMeta { order: Some(1), search_nodes: 1, version: String::new() };
    Store::open(path).unwrap().insert(&claim, WRONG, meta).unwrap();
    claim
}

#[test]
fn the_usual_store_is_in_the_folder_of_data() {
    let folder = folder("store-usual");
    let store = folder.join("sixproof/store.redb");
    let none = sixproof(&folder, &prove(&["--no-store"]));
    assert!(!text(&none.stdout).contains("from the store"));
    assert!(!store.exists());
    let first = sixproof(&folder, &prove(&[]));
    assert!(!text(&first.stdout).contains("from the store"), "{}", text(&first.stdout));
    assert!(store.exists());
    let second = sixproof(&folder, &prove(&[]));
    assert!(text(&second.stdout).contains("from the store"), "{}", text(&second.stdout));
    assert_eq!(second.stderr, b"");
    let stats = sixproof(&folder, &["store", "stats", "--json"]);
    let stats: serde_json::Value = serde_json::from_slice(&stats.stdout).unwrap();
    assert_eq!(stats["proofs"], 1);
}

#[test]
fn a_store_that_is_never_released_is_done_without_unless_it_was_named() {
    let folder = folder("store-in-use");
    let path = folder.join("sixproof/store.redb");
    let claim = forged(&path);
    let lock = fs::File::open(&path).unwrap();
    lock.lock().unwrap();
    let named = path.display().to_string();
    let (usual, named) = (prove(&[]), prove(&["--store", &named]));
    let stats = ["store", "stats"];
    // Each of them waits; they do so together.
    let [usual, named, stats] = std::thread::scope(|scope| {
        let folder = &folder;
        let run = |arguments| scope.spawn(move || sixproof(folder, arguments));
        [&usual[..], &named, &stats].map(run).map(|answer| answer.join().unwrap())
    });
    assert_eq!(usual.status.code(), Some(0));
    let warning = text(&usual.stderr);
    assert!(warning.starts_with("warning: the store "), "{warning}");
    assert!(warning.contains("is in use by another sixproof; the search goes on"), "{warning}");
    for refused in [named, stats] {
        assert_eq!(refused.status.code(), Some(2), "{refused:?}");
        let error = text(&refused.stderr);
        assert!(error.starts_with("error: the store "), "{error}");
        assert!(error.contains("is in use by another sixproof\n"), "{error}");
        let help = "help: stop it, wait, or name another file with --store";
        assert!(error.contains(help), "{error}");
    }
    lock.unlock().unwrap();
    assert!(Store::open(&path).unwrap().lookup(&claim).unwrap().is_some());
}

#[test]
fn a_proof_for_one_side_answers_the_question_about_the_other() {
    let folder = folder("store-other-side");
    // Black, to move, wins in some moves; so White does not.
    let black = ["prove", "J10 / A1 S19 / K11 L12 / A3 S17", "--quiet", "--store", "mine.redb"];
    assert_eq!(sixproof(&folder, &black).status.code(), Some(0));
    let white = [&black[..], &["--attacker", "white", "--nodes", "1"]].concat();
    let answer = sixproof(&folder, &white);
    assert_eq!(answer.status.code(), Some(1), "{answer:?}");
    let said = text(&answer.stdout);
    let expected = "not proved: Black wins by force, so White does not (a proof from the store, ";
    assert!(said.contains(expected), "{said}");
    let events = sixproof(&folder, &[&white[..], &["--json"]].concat());
    assert_eq!(events.status.code(), Some(1));
    let last: serde_json::Value =
        serde_json::from_str(text(&events.stdout).lines().last().unwrap()).unwrap();
    assert_eq!((&last["verdict"], &last["attacker"]), (&"no-win".into(), &"white".into()));
}

#[test]
fn a_store_that_cannot_be_made_is_done_without_unless_it_was_named() {
    let folder = folder("store-unmade");
    // A file stands where the folder would be.
    fs::write(folder.join("sixproof"), "").unwrap();
    let usual = sixproof(&folder, &prove(&[]));
    assert_eq!(usual.status.code(), Some(0));
    assert!(text(&usual.stderr).starts_with("warning: the store "), "{}", text(&usual.stderr));
    let named = sixproof(&folder, &prove(&["--store", "sixproof/store.redb"]));
    assert_eq!(named.status.code(), Some(2));
    assert!(text(&named.stderr).starts_with("error: the store "), "{}", text(&named.stderr));
}

#[test]
fn a_proof_that_the_checker_refuses_is_never_told() {
    let folder = folder("store-forged");
    let claim = forged(&folder.join("forged.redb"));
    let found = sixproof(&folder, &prove(&["--store", "forged.redb"]));
    assert_eq!(found.status.code(), Some(0));
    assert!(!text(&found.stdout).contains("from the store"), "{}", text(&found.stdout));
    assert!(text(&found.stderr).contains("an invalid proof"), "{}", text(&found.stderr));
    // The search has found a true one, which took its place.
    let again = sixproof(&folder, &prove(&["--store", "forged.redb"]));
    assert!(text(&again.stdout).contains("from the store"), "{}", text(&again.stdout));
    let store = Store::open(folder.join("forged.redb")).unwrap();
    let kept = store.lookup(&claim).unwrap().unwrap();
    assert!(sixproof_check::check_bytes(&kept.certificate).is_ok());
}

#[test]
fn a_bad_proof_is_reported_neither_exported_nor_merged_and_can_be_removed() {
    let folder = folder("store-bad");
    forged(&folder.join("bad.redb"));
    let before = fs::read(folder.join("bad.redb")).unwrap();
    for arguments in [
        &["store", "verify", "--store", "bad.redb"][..],
        &["store", "export", "--store", "bad.redb", "--to", "out"],
        &["store", "merge", "bad.redb", "--store", "other.redb"],
    ] {
        let answer = sixproof(&folder, arguments);
        assert_eq!(answer.status.code(), Some(1), "{arguments:?}");
        let said = text(&answer.stdout);
        assert!(said.contains(": rejected: these squares are not exactly"), "{said}");
    }
    assert_eq!(fs::read(folder.join("bad.redb")).unwrap(), before, "nobody changed it");
    assert_eq!(fs::read_dir(folder.join("out")).unwrap().count(), 0);
    let removed = sixproof(&folder, &["store", "verify", "--store", "bad.redb", "--remove"]);
    assert_eq!(removed.status.code(), Some(1));
    let said = text(&removed.stdout);
    assert!(
        said.ends_with("0 proofs verified, 1 rejected, 0 records damaged, 1 removed\n"),
        "{said}"
    );
    let clean = sixproof(&folder, &["store", "verify", "--store", "bad.redb"]);
    assert_eq!(clean.status.code(), Some(0));
}

#[test]
fn an_export_overwrites_nothing() {
    let folder = folder("store-export");
    sixproof(&folder, &prove(&["--store", "mine.redb"]));
    fs::create_dir(folder.join("out")).unwrap();
    let export = ["store", "export", "--store", "mine.redb", "--to", "out"];
    assert_eq!(sixproof(&folder, &export).status.code(), Some(0));
    let file = fs::read_dir(folder.join("out")).unwrap().next().unwrap().unwrap().path();
    fs::write(&file, "precious").unwrap();
    let refused = sixproof(&folder, &export);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("exists already"), "{}", text(&refused.stderr));
    assert_eq!(fs::read_to_string(&file).unwrap(), "precious");
}
