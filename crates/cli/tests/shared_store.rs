//! One store, an open editor and commands: what either finds is remembered for both.
#![cfg(unix)]

mod scratch;
#[path = "serve/server.rs"]
#[expect(dead_code, reason = "other tests use more of it")]
mod server;

use std::path::Path;
use std::process::{Command, Output};

use scratch::folder;
use serde_json::json;
use server::Server;

/// Positions that Black wins, of different games, so that neither is the other's.
const BY_COMMAND: &str = "J10 / A1 S19 / K11 L12 / A3 S17";
const BY_EDITOR: &str = "H8 / A1 / I8 / A2 / J8 / A15";

fn sixproof(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sixproof"));
    command.args(arguments).args(["--store", "store.redb"]).env_clear().current_dir(folder);
    command.output().unwrap()
}

fn prove(folder: &Path, game: &str, moves: &str) -> String {
    let answer = sixproof(folder, &["prove", moves, "--game", game, "--json"]);
    assert_eq!(answer.status.code(), Some(0), "{answer:?}");
    assert_eq!(answer.stderr, b"");
    let said = String::from_utf8(answer.stdout).unwrap();
    said.lines().last().unwrap().to_string()
}

/// The last node of a document with these moves.
fn document(server: &Server, game: &str, moves: &str) -> (String, u64) {
    let document = server.document(&json!({ "game": game }));
    let mut node = 0;
    for stones in moves.split(" / ") {
        let squares: Vec<&str> = stones.split(' ').collect();
        node = server.edit(&document, &json!({ "edit": "move", "node": node, "squares": squares }));
    }
    (document, node)
}

#[test]
fn a_command_and_an_open_editor_remember_what_either_finds() {
    let folder = folder("shared-store");
    let server = Server::start(&folder, &[]);
    let (known, at) = document(&server, "connect6", BY_COMMAND);
    assert!(server.node(&known, at)["verdict"].is_null());
    assert!(prove(&folder, "connect6", BY_COMMAND).contains("\"from_store\":false"));
    assert!(prove(&folder, "connect6", BY_COMMAND).contains("\"from_store\":true"));
    assert_eq!(server.node(&known, at)["verdict"]["winner"], "black");
    let (found, at) = document(&server, "gomoku", BY_EDITOR);
    let job = json!({ "kind": "solve", "document": found, "node": at, "attacker": "black" });
    let job = server.job(&job);
    assert_eq!(job["result"]["outcome"], "proved", "{job}");
    assert!(prove(&folder, "gomoku", BY_EDITOR).contains("\"from_store\":true"));
    // After all that both have done, the file is as it should be.
    let verified = sixproof(&folder, &["store", "verify"]);
    assert_eq!(verified.status.code(), Some(0), "{verified:?}");
    let server = server.crash_and_restart();
    assert_eq!(server.node(&found, at)["verdict"]["winner"], "black");
}

#[test]
fn a_second_editor_of_a_store_is_refused_at_once() {
    let folder = folder("shared-store-editors");
    let _server = Server::start(&folder, &[]);
    let second = sixproof(&folder, &["serve", "--port", "0"]);
    assert_eq!(second.status.code(), Some(2));
    let error = String::from_utf8(second.stderr).unwrap();
    assert!(error.contains("is open in another `sixproof serve`"), "{error}");
}
