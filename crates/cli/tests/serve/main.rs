//! The editor's server, as programs and browsers meet it.
#![cfg(unix)]

mod attack;
mod collections;
mod documents;
mod numbers;
#[path = "../scratch/mod.rs"]
mod scratch;
mod server;

use std::process::Command;

use scratch::folder;
use serde_json::{Value, json};
use server::Server;

const ATTACK: &str = "J10 / A1 S19 / K11 L12 / A3 S17";

fn names(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect()
}

// --- The page and who may ask -------------------------------------------------------------------

#[test]
fn the_page_comes_with_a_strict_policy_and_everything_it_needs_is_here() {
    let server = Server::start(&folder("serve-page"), &[]);
    let page = server.get("/");
    assert_eq!(page.status, 200);
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && policy.contains("script-src 'self'"));
    assert!(!policy.contains("unsafe"), "{policy}");
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    let html = page.text();
    assert!(!html.contains("http://") && !html.contains("https://"), "no request to elsewhere");
    assert!(!html.contains("<script>") && !html.contains("<style>"), "nothing inline");
    for part in html.split(['"', '\'']).filter(|part| part.starts_with("./")) {
        let file = server.get(&part[1..]);
        assert_eq!(file.status, 200, "{part}");
    }
    assert_eq!(server.get("/no-such-file").status, 404);
    assert_eq!(server.get("/../Cargo.toml").status, 404);
}

#[test]
fn no_other_web_site_may_ask() {
    let server = Server::start(&folder("serve-guard"), &[]);
    let port = server.address.rsplit_once(':').unwrap().1;
    let rebound = format!("evil.example:{port}");
    let status = |headers: &[(&str, &str)]| server.ask("GET", "/api/status", headers, b"").status;
    assert_eq!(status(&[]), 200);
    assert_eq!(status(&[("Host", &rebound)]), 421);
    assert_eq!(status(&[("Origin", "http://evil.example")]), 403);
    assert_eq!(status(&[("Origin", "null")]), 403);
    assert_eq!(status(&[("Sec-Fetch-Site", "cross-site")]), 403);
    let ours = format!("http://{}", server.address);
    assert_eq!(status(&[("Origin", &ours)]), 200);
    let upgrade = [
        ("Origin", "http://evil.example"),
        ("Connection", "Upgrade"),
        ("Upgrade", "websocket"),
        ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ];
    assert_eq!(server.ask("GET", "/api/live", &upgrade, b"").status, 403);
    let evil = server.ask("POST", "/api/documents", &[("Origin", "http://evil.example")], b"{}");
    assert_eq!(evil.status, 403);
    assert_eq!(server.get_json("/api/documents"), json!([]));
}

#[test]
fn documents_that_are_begun_at_once_have_numbers_of_their_own() {
    let server = Server::start(&folder("serve-numbers"), &[]);
    let begun: Vec<String> = std::thread::scope(|scope| {
        let begin = || (0..8).map(|_| server.document(&json!({}))).collect::<Vec<_>>();
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(begin)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let distinct: std::collections::BTreeSet<&String> = begun.iter().collect();
    assert_eq!(distinct.len(), 32);
    assert_eq!(server.get_json("/api/documents").as_array().unwrap().len(), 32);
}

#[test]
fn with_a_token_nothing_goes_without_it() {
    let folder = folder("serve-token");
    std::fs::write(folder.join("token"), "correct-horse-battery\n").unwrap();
    let server = Server::start(&folder, &["--token-file", "token"]);
    assert_eq!(server.get("/").status, 401);
    assert_eq!(server.get("/api/status").status, 401);
    let bearer = [("Authorization", "Bearer correct-horse-battery")];
    assert_eq!(server.ask("GET", "/api/status", &bearer, b"").status, 200);
    assert_eq!(server.get("/?token=wrong-horse-battery").status, 401);
    let admitted = server.get("/?token=correct-horse-battery");
    assert_eq!(admitted.status, 303);
    assert_eq!(admitted.header("location"), Some("/"));
    let cookie = admitted.header("set-cookie").unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap().to_string();
    assert_eq!(server.ask("GET", "/", &[("Cookie", &cookie)], b"").status, 200);
}

#[test]
fn wrong_options_are_refused_with_advice() {
    let folder = folder("serve-wrong");
    std::fs::write(folder.join("short"), "abc").unwrap();
    for (arguments, expected) in [
        (&["--token-file", "short"][..], "too short"),
        (&["--token-file", "missing"], "missing"),
        (&["--host", "nowhere"], "invalid value"),
        (&["--host", "192.0.2.1"], "--host takes an address of this machine"),
        (&["no-such-file.sgf"], "no-such-file.sgf"),
    ] {
        let answer = Command::new(env!("CARGO_BIN_EXE_sixproof"))
            .args(["serve", "--no-open", "--port", "0", "--store", "wrong.redb"])
            .args(arguments)
            .env_clear()
            .current_dir(&folder)
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&answer.stderr);
        assert_eq!(answer.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(errors.contains(expected), "{arguments:?}: {errors}");
    }
    let server = Server::start(&folder, &[]);
    let second = Command::new(env!("CARGO_BIN_EXE_sixproof"))
        .args(["serve", "--no-open", "--port", "0", "--store", "store.redb"])
        .env_clear()
        .current_dir(&server.folder)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&second.stderr);
    assert!(errors.contains("another `sixproof serve`"), "{errors}");
}

// --- Documents ----------------------------------------------------------------------------------

#[test]
fn every_edit_is_there_after_a_crash_and_can_still_be_undone() {
    let server = Server::start(&folder("serve-crash"), &[]);
    let id = server.document(&json!({}));
    let first = server.edit(&id, &json!({ "edit": "move", "node": 0, "squares": ["J10"] }));
    let squares = ["I8", "H9"];
    let second = server.edit(&id, &json!({ "edit": "move", "node": first, "squares": squares }));
    server.edit(&id, &json!({ "edit": "comment", "node": second, "text": "so far" }));
    let turned = json!({ "edit": "move", "node": first, "squares": ["H9", "I8"] });
    assert_eq!(server.edit(&id, &turned), second, "the order of the stones does not matter");
    let before = server.node(&id, second);

    let server = server.crash_and_restart();
    assert_eq!(server.node(&id, second), before);
    let path = format!("/api/documents/{id}");
    assert_eq!(
        server.get_json(&path)["undoes"].as_str().map(|t| t.contains("comment")),
        Some(true)
    );
    server.post_json(&format!("{path}/undo"), &json!({}));
    assert_eq!(server.node(&id, second)["comment"], "");
    server.post_json(&format!("{path}/undo"), &json!({}));
    assert_eq!(server.get(&format!("{path}/nodes/{second}")).status, 404);

    let server = server.crash_and_restart();
    server.post_json(&format!("{path}/redo"), &json!({}));
    server.post_json(&format!("{path}/redo"), &json!({}));
    assert_eq!(server.node(&id, second)["comment"], "so far");
    assert_eq!(server.post(&format!("{path}/redo"), &json!({})).status, 409);
}

#[test]
fn revisions_grow_across_restarts() {
    let server = Server::start(&folder("serve-revision"), &[]);
    let id = server.document(&json!({ "game": "9,9,4,1,1" }));
    let path = format!("/api/documents/{id}");
    server.edit(&id, &json!({ "edit": "move", "node": 0, "squares": ["E5"] }));
    let before = server.get_json(&path)["revision"].as_u64().unwrap();
    let server = server.crash_and_restart();
    server.edit(&id, &json!({ "edit": "comment", "node": 0, "text": "x" }));
    assert!(server.get_json(&path)["revision"].as_u64().unwrap() > before);
}

#[test]
fn impossible_edits_change_nothing_and_say_why() {
    let server = Server::start(&folder("serve-impossible"), &[]);
    let id = server.document(&json!({ "position": "J10" }));
    let path = format!("/api/documents/{id}");
    let before = server.get_json(&path);
    let node = before["at"].clone();
    for (edit, status, expected) in [
        (json!({ "edit": "move", "node": node, "squares": ["J10", "K10"] }), 400, "J10"),
        (json!({ "edit": "move", "node": node, "squares": ["Z99"] }), 400, "Z99"),
        (json!({ "edit": "move", "node": node, "squares": ["A1", "A2", "A3"] }), 400, "2 stones"),
        (json!({ "edit": "move", "node": 99, "squares": ["A1"] }), 404, "no node"),
        (json!({ "edit": "paste", "node": node, "text": "(;B[jj" }), 422, ""),
        (json!({ "edit": "nonsense", "node": node }), 400, "nonsense"),
        (json!({ "edit": "name", "node": node, "text": "x", "more": 1 }), 400, "more"),
        (json!({ "edit": "delete", "node": 0 }), 400, "root"),
        (json!([]), 400, ""),
    ] {
        let answer = server.post(&format!("{path}/edits"), &edit);
        assert_eq!(answer.status, status, "{edit}: {}", answer.text());
        assert_eq!(answer.header("content-type"), Some("application/problem+json"));
        let title = answer.json()["title"].as_str().unwrap().to_string();
        assert!(title.contains(expected), "{edit}: {title}");
    }
    assert_eq!(server.get_json(&path), before);
    let broken = server.ask("POST", &format!("{path}/edits"), &[], b"{\"edit\": ");
    assert_eq!(broken.status, 400);
    assert!(broken.json()["where"].as_str().unwrap().contains('^'));
}

#[test]
fn all_kinds_of_files_open_and_bad_ones_are_told() {
    let server = Server::start(&folder("serve-files"), &[]);
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suite");
    let open = |name: &str, bytes: &[u8]| {
        server.ask("POST", &format!("/api/documents/open?name={name}"), &[], bytes)
    };
    for folder in ["formats", "sgf"] {
        for entry in std::fs::read_dir(format!("{suite}/{folder}")).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() && !path.to_string_lossy().contains("bad") {
                let answer = open("file", &std::fs::read(&path).unwrap());
                assert!([201, 409, 422].contains(&answer.status), "{path:?}: {}", answer.text());
            }
        }
    }
    let certificate = std::fs::read(format!("{suite}/good/go-moku.cert")).unwrap();
    let opened = open("go-moku.cert", &certificate);
    assert_eq!(opened.status, 201, "{}", opened.text());
    let document = opened.json()["document"]["id"].as_str().unwrap().to_string();
    assert_eq!(server.node(&document, 0)["verdict"]["because"], "certificate");
    let cut = open("cut.cert", &certificate[..certificate.len() / 2]);
    assert_eq!(cut.status, 422, "{}", cut.text());
    let moves = open("moves.txt", b"J10 / I8 H9 / K11 L12");
    assert_eq!(moves.json()["document"]["nodes"], 4, "{}", moves.text());
    for bytes in [&b""[..], b"hello", b"(;GM[511]SZ[19];B[zz", &[0xff; 100]] {
        let answer = open("bad", bytes);
        assert_eq!(answer.status, 422, "{bytes:?}: {}", answer.text());
        assert!(!answer.json()["title"].as_str().unwrap().is_empty());
    }
    let answer = open("large", &vec![b'x'; 65 << 20]);
    assert_eq!(answer.status, 413);
    assert_eq!(server.get("/api/status").status, 200, "the server goes on");
}

#[test]
fn what_a_hostile_file_says_is_only_text() {
    let server = Server::start(&folder("serve-hostile"), &[]);
    let script = "<script>alert(1)</script>";
    let sgf = format!("(;GM[511]SZ[19]GN[{script}]C[{script}];B[jj]N[{script}]LB[jj:<b>])");
    let answer = server.ask("POST", "/api/documents/open?name=x", &[], sgf.as_bytes());
    assert_eq!(answer.header("content-type"), Some("application/json"));
    let id = answer.json()["document"]["id"].as_str().unwrap().to_string();
    assert_eq!(server.node(&id, 0)["comment"], script);
    for format in ["sgf", "diagram", "moves"] {
        let file = server.get(&format!("/api/documents/{id}/export?format={format}"));
        assert_eq!(file.status, 200, "{}", file.text());
        assert!(file.header("content-type").unwrap().starts_with("text/plain"));
        let disposition = file.header("content-disposition").unwrap();
        assert!(disposition.starts_with("attachment") && !disposition.contains('<'));
    }
    let picture = server.get(&format!("/api/documents/{id}/nodes/1/picture?format=svg"));
    assert_eq!(picture.header("content-type"), Some("image/svg+xml"));
    assert!(!picture.text().contains("<b>") && !picture.text().contains("<script"));
}

#[test]
fn unknown_properties_and_results_survive_opening_and_export() {
    let server = Server::start(&folder("serve-export"), &[]);
    let sgf = "(;GM[511]SZ[19]XX[keep\\]me][two];B[jj]YY[1];W[ii][hh])";
    let answer = server.ask("POST", "/api/documents/open?name=a.sgf", &[], sgf.as_bytes());
    let id = answer.json()["document"]["id"].as_str().unwrap().to_string();
    let export = server.get(&format!("/api/documents/{id}/export?format=sgf")).text();
    assert!(export.contains("XX[keep\\]me][two]") && export.contains("YY[1]"), "{export}");
    for (format, start) in [("png", &b"\x89PNG"[..]), ("gif", b"GIF89a"), ("svg", b"<svg")] {
        let path = format!("/api/documents/{id}/nodes/1/picture?format={format}&width=200");
        let picture = server.get(&path);
        assert!(picture.body.starts_with(start), "{format}: {}", picture.text());
    }
    let copied = server.get(&format!("/api/documents/{id}/nodes/1/sgf")).text();
    let other = server.document(&json!({}));
    server.edit(&other, &json!({ "edit": "paste", "node": 0, "text": copied }));
    let nodes = server.get_json(&format!("/api/documents/{other}"))["nodes"].clone();
    assert_eq!(nodes, server.get_json(&format!("/api/documents/{id}"))["nodes"]);
}

#[test]
fn the_same_position_is_linked_and_never_merged() {
    let server = Server::start(&folder("serve-links"), &[]);
    let id = server.document(&json!({}));
    let mut ends = Vec::new();
    for line in [
        [vec!["J10"], vec!["A1", "A2"], vec!["K10", "K11"]],
        [vec!["K10"], vec!["A1", "A2"], vec!["J10", "K11"]],
    ] {
        let mut node = 0;
        for squares in line {
            node = server.edit(&id, &json!({ "edit": "move", "node": node, "squares": squares }));
        }
        ends.push(node);
    }
    assert_ne!(ends[0], ends[1]);
    let links = server.node(&id, ends[1])["links"].clone();
    assert_eq!(links[0]["node"], ends[0]);
    assert_eq!(links[0]["kind"], "same");
    let found = server.get_json(&format!("/api/documents/{id}/find?position={}", ends[0]));
    assert_eq!(found["nodes"].as_array().unwrap().len(), 2);
    let rows = server.post_json(
        &format!("/api/documents/{id}/rows"),
        &json!({ "from": 0, "count": 50, "at": ends[1] }),
    );
    assert_eq!(rows["total"], 7);
    let row = &rows["rows"][rows["at"].as_u64().unwrap() as usize];
    assert_eq!((&row["node"], &row["linked"]), (&json!(ends[1]), &json!(true)));
}

// --- Jobs and proofs ----------------------------------------------------------------------------

#[test]
fn the_puzzle_of_the_first_page_is_won_by_white_and_lost_by_passing() {
    let server = Server::start(&folder("serve-puzzle"), &[]);
    let puzzle = server.get_json("/api/puzzle");
    assert_eq!(server.get_json("/api/puzzle"), puzzle, "one document holds it");
    let (document, node) = (&puzzle["document"], &puzzle["node"]);
    let job = server.job(&json!({ "kind": "solve", "document": document, "node": node }));
    assert_eq!(job["result"]["outcome"], "proved", "{job}");
    assert_eq!(job["result"]["attacker"], "white");
    let id = document.as_str().unwrap();
    let far = json!({ "edit": "move", "node": node, "squares": ["A1", "S19"] });
    let passed = server.edit(id, &far);
    let job = server.job(&json!({ "kind": "solve", "document": document, "node": passed }));
    assert_eq!(job["result"]["outcome"], "proved", "{job}");
    assert_eq!(job["result"]["attacker"], "black");
}

#[test]
fn a_proof_is_kept_with_its_provenance_and_walked_from_the_document() {
    let folder = folder("serve-proof");
    let server = Server::start(&folder, &[]);
    let id = server.document(&json!({ "position": ATTACK }));
    let node = server.get_json(&format!("/api/documents/{id}"))["at"].as_u64().unwrap();
    let job = server.job(&json!({ "kind": "solve", "document": id, "node": node }));
    let result = &job["result"];
    assert_eq!(result["outcome"], "proved", "{job}");
    assert_eq!(result["version"], env!("CARGO_PKG_VERSION"));
    let hash = result["certificate"].as_str().unwrap();

    // The certificate is one that the program itself accepts.
    let certificate = server.get(&format!("/api/proofs/{hash}/certificate")).body;
    std::fs::write(folder.join("proof.cert"), certificate).unwrap();
    let check = Command::new(env!("CARGO_BIN_EXE_sixproof"))
        .args(["check", "proof.cert"])
        .env_clear()
        .current_dir(&folder)
        .output()
        .unwrap();
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stderr));
    let checked = server.post_json(&format!("/api/proofs/{hash}/check"), &json!({}));
    assert_eq!(checked["verified"], true);

    // It is there after a crash, and follows the moves that are played.
    let server = server.crash_and_restart();
    let shown = server.node(&id, node);
    assert_eq!(shown["verdict"]["because"], "certificate");
    assert_eq!(shown["results"][0]["certificate"], hash);
    let place = server.get_json(&format!("/api/proofs/{hash}/places/0"));
    let attack = names(&place["attack"]);
    let attacked = server.edit(&id, &json!({ "edit": "move", "node": node, "squares": attack }));
    let verdict = server.node(&id, attacked)["verdict"].clone();
    assert_eq!((&verdict["winner"], &verdict["because"]), (&json!("black"), &json!("inherited")));
    let at = verdict["at"]["node"].as_u64().unwrap();
    let zone = &server.get_json(&format!("/api/proofs/{hash}/places/{at}"))["zone"];
    let zone = [names(&zone["solid"]), names(&zone["hatched"])].concat();
    assert!(!zone.contains(&"S1") && !zone.contains(&"S2"));
    let far =
        server.edit(&id, &json!({ "edit": "move", "node": attacked, "squares": ["S1", "S2"] }));
    assert_eq!(server.node(&id, far)["verdict"]["winner"], "black");
    // Another move of Attacker is not what was proved.
    let other = json!({ "edit": "move", "node": node, "squares": ["B1", "B2"] });
    let other = server.edit(&id, &other);
    assert_eq!(server.node(&id, other)["verdict"], Value::Null);
}

#[test]
fn a_proof_goes_on_after_a_crash_and_stops_when_it_is_told() {
    let server = Server::start(&folder("serve-restart"), &[]);
    let id = server.document(&json!({ "position": "tx-h8" }));
    let node = server.get_json(&format!("/api/documents/{id}"))["at"].clone();
    let order = json!({ "kind": "prove", "document": id, "node": node, "attacker": "black" });
    let job = server.post_json("/api/jobs", &order);
    server.wait(&job, |job| job["progress"]["nodes"].as_u64() > Some(1_000));
    let server = server.crash_and_restart();
    server.wait(&job, |job| job["state"] == "running");
    let path = format!("/api/jobs/{}", job["id"]);
    let paused = server.post_json(&format!("{path}/pause"), &json!({}));
    assert_eq!(paused["state"], "paused");
    let server = server.crash_and_restart();
    assert_eq!(server.get_json(&path)["state"], "paused");
    server.post_json(&format!("{path}/resume"), &json!({}));
    server.wait(&job, |job| job["state"] == "running");
    let urgent = server.ask("PUT", &format!("{path}/priority"), &[], b"{\"priority\": 5}");
    assert_eq!(urgent.json()["priority"], 5);
    let cancelled = server.post_json(&format!("{path}/cancel"), &json!({}));
    assert_eq!(cancelled["state"], "cancelled");
    assert_eq!(server.post(&format!("{path}/resume"), &json!({})).status, 409);
    assert_eq!(server.ask("DELETE", &path, &[], b"").status, 204);
    assert_eq!(server.get(&path).status, 404);
    assert_eq!(server.stop(), Some(0), "Ctrl-C ends the server politely");
}

#[test]
fn the_engine_plays_into_the_tree_and_wrong_orders_are_refused() {
    let server = Server::start(&folder("serve-play"), &[]);
    let id = server.document(&json!({ "game": "gomoku" }));
    let order = json!({ "kind": "play", "document": id, "node": 0, "style": "greedy",
        "limits": { "nodes": 100 } });
    let job = server.job(&order);
    assert_eq!(job["state"], "done", "{job}");
    assert_eq!(server.get_json(&format!("/api/documents/{id}"))["nodes"], 2);
    for order in [
        json!({ "kind": "solve", "document": "none", "node": 0 }),
        json!({ "kind": "solve", "document": id, "node": 77 }),
        json!({ "kind": "dance", "document": id, "node": 0 }),
        json!({ "kind": "play", "document": id, "node": 0, "style": "nobody" }),
        json!({ "kind": "play", "document": id, "node": 0, "level": 11 }),
        json!({ "kind": "solve", "document": id, "node": 0, "priority": 99 }),
        json!({ "kind": "verify", "document": id, "node": 0, "squares": ["Q99"] }),
        json!({ "kind": "check", "document": id, "node": 0 }),
    ] {
        let answer = server.post("/api/jobs", &order);
        assert!((400..500).contains(&answer.status), "{order}: {}", answer.text());
        assert!(!answer.json()["title"].as_str().unwrap().is_empty());
    }
}

// --- Live messages ------------------------------------------------------------------------------

#[test]
fn who_was_away_gets_what_it_missed_and_is_told_when_that_is_gone() {
    use tungstenite::Message;
    let server = Server::start(&folder("serve-live"), &[]);
    let connect = |hello: Value| {
        let url = format!("ws://{}/api/live", server.address);
        let (mut socket, _) = tungstenite::connect(url).unwrap();
        socket.send(Message::text(hello.to_string())).unwrap();
        socket
    };
    let mut first = connect(json!({ "after": 0, "epoch": "" }));
    let mut next = || -> Value {
        loop {
            if let Message::Text(text) = first.read().unwrap() {
                return serde_json::from_str(&text).unwrap();
            }
        }
    };
    let hello = next();
    assert_eq!(hello["event"], "hello");
    let id = server.document(&json!({}));
    let made = next();
    assert_eq!((&made["event"], &made["document"]), (&json!("document"), &json!(id)));
    let seen = made["seq"].as_u64().unwrap();
    drop(first);
    server.edit(&id, &json!({ "edit": "move", "node": 0, "squares": ["J10"] }));
    server.edit(&id, &json!({ "edit": "comment", "node": 0, "text": "x" }));
    let mut again = connect(json!({ "after": seen, "epoch": hello["epoch"] }));
    let texts: Vec<Value> = (0..3)
        .map(|_| serde_json::from_str(again.read().unwrap().to_text().unwrap()).unwrap())
        .collect();
    assert_eq!(texts[0]["event"], "hello");
    assert_eq!((&texts[1]["seq"], &texts[2]["seq"]), (&json!(seen + 1), &json!(seen + 2)));
    let mut other = connect(json!({ "after": seen, "epoch": "of another server" }));
    let reset: Value = serde_json::from_str(other.read().unwrap().to_text().unwrap()).unwrap();
    assert_eq!(reset["event"], "reset");
}

// --- The description ----------------------------------------------------------------------------

#[test]
fn the_description_is_served_and_other_names_are_not() {
    let server = Server::start(&folder("serve-openapi"), &[]);
    let description = server.get_json("/api/openapi.json");
    assert!(description["paths"].as_object().unwrap().len() >= 25);
    assert_eq!(server.get("/api/nothing").json()["status"], 404);
    assert_eq!(server.ask("PATCH", "/api/status", &[], b"").status, 405);
}

/// What the page has words for in its languages. After a new style, game, position or puzzle, the
/// test of the page that reads this file (web/test/server-words.test.ts) says which words are
/// missing.
#[test]
fn the_page_is_told_every_name_that_needs_words() {
    let server = Server::start(&folder("serve-names"), &[]);
    let puzzle = server.get_json("/api/puzzle")["document"].as_str().unwrap().to_string();
    let told = json!({
        "players": server.get_json("/api/players"),
        "names": server.get_json("/api/names"),
        "puzzleTitle": server.get_json(&format!("/api/documents/{puzzle}"))["title"],
    });
    let text = serde_json::to_string_pretty(&told).unwrap() + "\n";
    expect_test::expect_file!["../../../../web/test/server-names.json"].assert_eq(&text);
}
