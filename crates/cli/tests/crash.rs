//! Searches that die: killed again and again, they go on where they were, and what is proved in the
//! end is proved.
#![cfg(unix)]

mod scratch;

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use scratch::folder;
use sixproof_oracle::effort;

/// A claim of a second or two: what is written waits half a second to be committed.
const CLAIM: &str = "J10 / F10 N10";
/// One that takes for ever.
const ENDLESS: &str = "connect6";
/// Searches that are killed, in the usual run and in the long one.
const KILLS: [u32; 2] = [16, 200];
/// Most die young: while they start, or early in the search. Some live until there is a store, and
/// a while longer.
const SHORT_MS: u64 = 150;
const LONG_MS: u64 = 1_500;
const LONG_EVERY: u32 = 8;

/// A call that depends on nothing but its arguments.
fn call(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sixproof"));
    command.env_clear().env("SIXPROOF_STORE", "").env("SIXPROOF_THREADS", "1");
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command
}

/// A search that goes on with what a store remembers.
fn search(folder: &Path, claim: &str, store: &str, more: &[&str]) -> Command {
    let arguments = ["prove", claim, "--quiet", "--store", store, "--cert", "claim.cert"];
    call(folder, &[&arguments, more].concat())
}

fn spawn(mut command: Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits for the store of a search, unless it ends before: the first commit makes the file.
fn wait_for(store: &Path, search: &mut Child) {
    let start = Instant::now();
    while !store.exists() && search.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < Duration::from_secs(60), "nothing is ever committed");
        sleep(Duration::from_millis(5));
    }
}

/// The checker accepts the certificate, and nothing in the store is damaged.
fn assert_proved(folder: &Path, store: &str, answer: &Output) {
    let said = String::from_utf8_lossy(&answer.stdout);
    assert!(answer.status.success(), "{answer:?}");
    assert!(said.contains("Black wins by force"), "{said}");
    let certificate = fs::read(folder.join("claim.cert")).unwrap();
    let checked = sixproof_check::check_bytes(&certificate);
    assert!(checked.is_ok(), "{checked:?}");
    fs::remove_file(folder.join("claim.cert")).unwrap();
    let verified = call(folder, &["store", "verify", "--store", store]).output().unwrap();
    let said = String::from_utf8_lossy(&verified.stdout);
    assert!(verified.status.success(), "{verified:?}");
    assert!(said.ends_with("1 proof verified, 0 rejected, 0 records damaged\n"), "{said}");
}

/// The number that `--json` tells of the search.
fn nodes(answer: &Output) -> u64 {
    let last = answer.stdout.split(|&byte| byte == b'\n').rfind(|line| !line.is_empty());
    let value: serde_json::Value = serde_json::from_slice(last.unwrap()).unwrap();
    value["nodes"].as_u64().unwrap_or_else(|| panic!("{value}"))
}

#[test]
fn a_search_that_is_killed_again_and_again_ends_with_its_proof() {
    let folder = folder("crash-loop");
    let kills = effort(KILLS[0], KILLS[1]);
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let (mut killed, mut finished, mut stores, mut remembered) = (0, 0, 0, 0);
    while killed < kills {
        stores += 1;
        let store = format!("store-{stores}.redb");
        let mut lives = 0;
        while killed < kills {
            let mut victim = spawn(search(&folder, CLAIM, &store, &[]));
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            lives += 1;
            let life_max = if lives % LONG_EVERY == 0 {
                wait_for(&folder.join(&store), &mut victim);
                LONG_MS
            } else {
                SHORT_MS
            };
            let life = Duration::from_millis((random >> 33) % life_max);
            let born = Instant::now();
            while born.elapsed() < life && victim.try_wait().unwrap().is_none() {
                sleep(Duration::from_millis(1));
            }
            if victim.try_wait().unwrap().is_some() {
                // It has ended by itself; the next one begins anew.
                finished += 1;
                assert_proved(&folder, &store, &victim.wait_with_output().unwrap());
                break;
            }
            victim.kill().unwrap();
            victim.wait().unwrap();
            killed += 1;
            // A certificate that was being written is not taken for one.
            let _ = fs::remove_file(folder.join("claim.cert"));
            remembered += u32::from(folder.join(&store).exists());
        }
        if killed == kills {
            let last = search(&folder, CLAIM, &store, &[]).output().unwrap();
            assert_proved(&folder, &store, &last);
        }
    }
    println!("{killed} killed, {finished} finished, {remembered} left something behind");
    assert!(remembered > 0, "no search lived long enough to write");
}

/// Presses Ctrl-C when a search has something to keep.
#[test]
fn a_search_that_is_interrupted_goes_on() {
    let folder = folder("crash-interrupted");
    let whole = search(&folder, CLAIM, "whole.redb", &["--json"]).output().unwrap();
    fs::remove_file(folder.join("claim.cert")).unwrap();
    let mut victim = spawn(search(&folder, CLAIM, "part.redb", &["--json"]));
    wait_for(&folder.join("part.redb"), &mut victim);
    let sent = Command::new("kill").args(["-INT", &victim.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let interrupted = victim.wait_with_output().unwrap();
    assert_eq!(interrupted.status.code(), Some(2), "{interrupted:?}");
    assert!(!folder.join("claim.cert").exists());
    let rest = search(&folder, CLAIM, "part.redb", &["--json"]).output().unwrap();
    assert!(nodes(&rest) < nodes(&whole), "{} of {}", nodes(&rest), nodes(&whole));
    let again = search(&folder, CLAIM, "part.redb", &[]).output().unwrap();
    assert_proved(&folder, "part.redb", &again);
}

#[test]
fn searches_share_a_store() {
    let folder = folder("crash-two");
    let mut first = spawn(search(&folder, ENDLESS, "store.redb", &["--nodes", "1G"]));
    wait_for(&folder.join("store.redb"), &mut first);
    let second = search(&folder, CLAIM, "store.redb", &[]).output().unwrap();
    assert_proved(&folder, "store.redb", &second);
    assert_eq!(second.stderr, b"");
    assert!(first.try_wait().unwrap().is_none(), "the first search still runs");
    let third = search(&folder, CLAIM, "store.redb", &["--json"]).output().unwrap();
    let said = String::from_utf8_lossy(&third.stdout);
    assert!(said.contains("\"from_store\":true"), "{said}");
    first.kill().unwrap();
    first.wait().unwrap();
    let fourth = search(&folder, CLAIM, "store.redb", &[]).output().unwrap();
    assert_proved(&folder, "store.redb", &fourth);
}
