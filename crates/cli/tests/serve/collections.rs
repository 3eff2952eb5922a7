//! Files with several games, and games with rules that we do not know.

use serde_json::{Value, json};

use crate::scratch::folder;
use crate::server::{Answer, Server};

const THREE: &str = "(;GM[511]SZ[19]GN[First]PB[a]PW[b]RE[B+];B[jj];W[ii];W[kk])\n\
    (;GM[4]SZ[15]EV[Cup]RO[2];B[hh];W[hg];B[ii])\n\
    (;GM[511]SZ[19]CA[UTF-8]PB[黑]C[third];B[jj](;W[ij];W[kj])(;W[aa];W[bb]))\n";
const RENJU: &[u8] = include_bytes!("../../../../suite/sgf/renju.sgf");

fn open(server: &Server, query: &str, bytes: &[u8]) -> Answer {
    server.ask("POST", &format!("/api/documents/open?name=file{query}"), &[], bytes)
}

fn list(server: &Server, bytes: &[u8]) -> Answer {
    server.ask("POST", "/api/collection", &[], bytes)
}

#[test]
fn every_game_of_a_collection_is_listed_and_opens() {
    let server = Server::start(&folder("serve-collection"), &[]);
    let listed = list(&server, THREE.as_bytes());
    assert_eq!(listed.status, 200, "{}", listed.text());
    let shown = |game: &Value| {
        ["number", "title", "black", "white", "result", "moves"]
            .map(|key| game[key].to_string().replace('"', ""))
            .join("|")
    };
    let games: Vec<String> = listed.json().as_array().unwrap().iter().map(shown).collect();
    assert_eq!(games, ["1|First|a|b|B+|2", "2|Cup, 2||||3", "3||黑|||2"]);
    assert_eq!(listed.json()[1]["game"]["name"], "gomoku");
    let mut exports = Vec::new();
    for (query, nodes) in [("", 3), ("&number=1", 3), ("&number=2", 4), ("&number=3", 4)] {
        let opened = open(&server, query, THREE.as_bytes());
        assert_eq!(opened.status, 201, "{query}: {}", opened.text());
        let opened = opened.json();
        assert_eq!((&opened["games"], &opened["document"]["nodes"]), (&json!(3), &json!(nodes)));
        let id = opened["document"]["id"].as_str().unwrap().to_string();
        let export = server.get(&format!("/api/documents/{id}/export?format=sgf")).text();
        exports.push((id, export));
    }
    assert!(exports[3].1.contains("PB[黑]") && exports[3].1.contains("C[third]"));
    for query in ["&number=0", "&number=4"] {
        let answer = open(&server, query, THREE.as_bytes());
        assert_eq!(answer.status, 422, "{query}: {}", answer.text());
        assert!(answer.json()["help"].as_str().unwrap().contains("3 games"), "{}", answer.text());
    }
    // What was chosen is what is kept.
    let server = server.crash_and_restart();
    for (id, before) in exports {
        let after = server.get(&format!("/api/documents/{id}/export?format=sgf")).text();
        assert_eq!(after, before);
    }
}

#[test]
fn other_files_are_lists_of_one_and_bad_ones_are_refused_as_when_they_are_opened() {
    let server = Server::start(&folder("serve-collection-one"), &[]);
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suite");
    for name in ["good/go-moku.cert", "formats/gomocup.psq", "formats/renlib.lib", "sgf/renju.sgf"]
    {
        let listed = list(&server, &std::fs::read(format!("{suite}/{name}")).unwrap());
        assert_eq!(
            (listed.status, listed.json().as_array().map(Vec::len)),
            (200, Some(1)),
            "{name}"
        );
    }
    assert_eq!(list(&server, b"tx-h9").json()[0]["moves"], 2);
    for bytes in [&b""[..], b"hello", b"(;GM[511]SZ[19];B[zz", &[0xff; 100]] {
        let (listed, opened) = (list(&server, bytes), open(&server, "", bytes));
        assert_eq!((listed.status, &listed.json()["kind"]), (422, &opened.json()["kind"]));
    }
}

#[test]
fn ten_thousand_games_are_listed() {
    let server = Server::start(&folder("serve-collection-many"), &[]);
    let game = "(;GM[511]SZ[19]PB[a]PW[b];B[jj];W[ii];W[kk];B[hh];B[ll])\n";
    let listed = list(&server, game.repeat(10_000).as_bytes()).json();
    assert_eq!(listed.as_array().map(Vec::len), Some(10_000));
    assert_eq!((&listed[9_999]["number"], &listed[9_999]["moves"]), (&json!(10_000), &json!(3)));
    let many = list(&server, "(;)".repeat(100_001).as_bytes());
    assert_eq!((many.status, &many.json()["kind"]), (422, &json!("too-large")));
}

#[test]
fn a_text_with_several_games_is_not_pasted() {
    let server = Server::start(&folder("serve-collection-paste"), &[]);
    let id = server.document(&json!({}));
    let path = format!("/api/documents/{id}/edits");
    let answer = server.post(&path, &json!({ "edit": "paste", "node": 0, "text": THREE }));
    assert_eq!(answer.status, 422, "{}", answer.text());
    assert_eq!(answer.json()["title"], "the text has 3 games");
    assert_eq!(server.get_json(&format!("/api/documents/{id}"))["nodes"], 1);
}

#[test]
fn other_rules_are_refused_or_opened_with_a_note_by_choice() {
    let server = Server::start(&folder("serve-renju"), &[]);
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suite");
    let library = std::fs::read(format!("{suite}/formats/renlib.lib")).unwrap();
    for bytes in [RENJU, &library] {
        let refused = open(&server, "", bytes);
        assert_eq!((refused.status, &refused.json()["kind"]), (409, &json!("other-rules")));
        for query in ["&anyway=true", "&game=gomoku"] {
            let opened = open(&server, query, bytes);
            assert_eq!(opened.status, 201, "{query}: {}", opened.text());
            let opened = opened.json();
            let note = &opened["noted"][0];
            assert_eq!((&note["kind"], &note["rules"]), (&json!("rules-differ"), &json!("renju")));
            let said = opened["notes"][0].as_str().unwrap();
            assert!(said.contains("Connect(15,15,5,1,1)"), "{said}");
            let id = opened["document"]["id"].as_str().unwrap();
            let rules = json!({ "key": "RU", "value": "renju" });
            let facts = server.get_json(&format!("/api/documents/{id}"))["info"].clone();
            assert!(facts.as_array().unwrap().contains(&rules), "{facts}");
            let export = server.get(&format!("/api/documents/{id}/export?format=sgf")).text();
            assert!(export.contains("RU[renju]SXG[connect(15,15,5,1,1)]"), "{export}");
            assert_eq!(open(&server, "", export.as_bytes()).status, 409);
        }
    }
    // Rules of ours, and rules that say nothing, are no reason to ask.
    for rules in ["connect(15,15,5,1,1)", "Gomoku", "Standard", "Japanese"] {
        let file = format!("(;GM[4]SZ[15]RU[{rules}];B[hh])");
        let opened = open(&server, "", file.as_bytes());
        assert_eq!((opened.status, &opened.json()["noted"]), (201, &json!([])), "{rules}");
        let exact = rules == "Standard";
        assert_eq!(opened.json()["document"]["game"]["exact"], exact, "{rules}");
    }
}
