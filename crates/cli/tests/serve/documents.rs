//! Documents and the end of the program: killed, stopped, or without room on the disk. What was
//! acknowledged is there afterwards, and what was refused is not.

use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sixproof_document::{Document, Edit, NodeId, Promotion};
use sixproof_game::{Game, Square, sgf};

use crate::scratch::folder;
use crate::server::{Answer, Server};

/// How long is waited for what must come.
const PATIENCE: Duration = Duration::from_secs(300);
/// The clients that send edits at the same time.
const CLIENTS: u64 = 2;

/// Numbers that look random and are the same every time.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        let Random(state) = self;
        *state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) % limit
    }
}

/// What a client does: an edit for the server and for the model, undo or redo.
enum Step {
    Edit(Value, Edit),
    Undo,
    Redo,
}

impl Step {
    /// A step at a node that is there, or was.
    fn draw(random: &mut Random, model: &Document) -> Step {
        let game = model.game();
        let node = NodeId(random.below(model.numbers() as u64) as u32);
        let mut square = || Square::new(random.below(6) as i32, random.below(6) as i32);
        let squares = vec![square(), square()];
        let text = format!("text {}", random.below(1_000));
        match random.below(16) {
            0..=2 => Step::Undo,
            3 => Step::Redo,
            4 => {
                let edit = json!({ "edit": "delete", "node": node.0 });
                Step::Edit(edit, Edit::Delete { node })
            }
            5 => {
                let edit = json!({ "edit": "promote", "node": node.0, "how": "first" });
                Step::Edit(edit, Edit::Promote { node, how: Promotion::First })
            }
            6..=8 => {
                let edit = json!({ "edit": "comment", "node": node.0, "text": text });
                Step::Edit(edit, Edit::Comment { node, text })
            }
            _ => {
                let names: Vec<String> = squares.iter().map(|&s| game.square_name(s)).collect();
                let edit = json!({ "edit": "move", "node": node.0, "squares": names });
                Step::Edit(edit, Edit::Move { node, squares })
            }
        }
    }

    /// Sends it; an error if the server is gone.
    fn send(&self, server: &Server, id: &str) -> std::io::Result<Answer> {
        let (what, body) = match self {
            Step::Edit(edit, _) => ("edits", edit.to_string()),
            Step::Undo => ("undo", String::new()),
            Step::Redo => ("redo", String::new()),
        };
        server.try_ask("POST", &format!("/api/documents/{id}/{what}"), &[], body.as_bytes())
    }

    /// Does it to a model: the node where it leads, unless it is refused.
    fn make(&self, model: &mut Document) -> Option<u32> {
        let applied = match self {
            Step::Edit(_, edit) => model.apply(edit.clone()).ok(),
            Step::Undo => model.undo(),
            Step::Redo => model.redo(),
        };
        applied.map(|applied| applied.node.0)
    }
}

/// A document, as it has to be.
struct Kept {
    id: String,
    model: Document,
    /// A step that was sent and not acknowledged: it may be there.
    sent: Option<Step>,
    /// Whether anything was sent since it was looked at.
    is_touched: bool,
    /// Steps that were acknowledged or refused.
    steps: u64,
}

impl Kept {
    fn new(server: &Server, game: Game) -> Kept {
        let id = server.document(&json!({ "game": game.to_string() }));
        let begun = server.get(&format!("/api/documents/{id}/export?format=sgf")).body;
        let model = Document::from_record(&sgf::read(&begun, &sgf::Options::default()).unwrap());
        Kept { id, model: model.document, sent: None, is_touched: true, steps: 0 }
    }

    fn expected(&self) -> String {
        String::from_utf8(sgf::from_record(&self.model.to_record()).write()).unwrap()
    }

    fn exported(&self, server: &Server) -> String {
        let answer = server.get(&format!("/api/documents/{}/export?format=sgf", self.id));
        assert_eq!(answer.status, 200, "document {}: {}", self.id, answer.text());
        answer.text()
    }

    /// One step; false if the server has gone away.
    fn step(&mut self, server: &Server, random: &mut Random) -> bool {
        // Another client has seen the server go: what it sent is the only step in doubt.
        if self.sent.is_some() {
            return false;
        }
        let step = Step::draw(random, &self.model);
        self.is_touched = true;
        let Ok(answer) = step.send(server, &self.id) else {
            self.sent = Some(step);
            return false;
        };
        let node = (answer.status == 200).then(|| answer.json()["node"].as_u64().unwrap() as u32);
        assert!(answer.status < 500, "{}", answer.text());
        assert_eq!(node, step.make(&mut self.model), "document {}: {}", self.id, answer.text());
        self.steps += 1;
        true
    }

    /// It is as it was acknowledged; a step that was not may have been made.
    fn check(&mut self, server: &Server) {
        self.is_touched = false;
        let exported = self.exported(server);
        if exported != self.expected()
            && let Some(step) = self.sent.take()
        {
            step.make(&mut self.model);
        }
        self.sent = None;
        assert_eq!(exported, self.expected(), "document {}", self.id);
        let shown = server.get_json(&format!("/api/documents/{}", self.id));
        let said = |deed: Option<&sixproof_document::Deed>| json!(deed.map(ToString::to_string));
        assert_eq!(shown["undoes"], said(self.model.undoes()), "document {}", self.id);
        assert_eq!(shown["redoes"], said(self.model.redoes()), "document {}", self.id);
        assert_eq!(shown["notes"], json!([]), "document {}", self.id);
    }

    /// Undo reaches the beginning in as many steps as it has to.
    fn check_undo(&mut self, server: &Server) {
        let path = format!("/api/documents/{}/undo", self.id);
        loop {
            let status = server.post(&path, &json!({})).status;
            let undone = self.model.undo();
            assert_eq!(status, if undone.is_some() { 200 } else { 409 }, "document {}", self.id);
            if undone.is_none() {
                break;
            }
        }
        assert_eq!(self.exported(server), self.expected(), "document {}", self.id);
    }
}

/// Edits documents from several clients while the server is killed and stopped again and again.
fn restart_again_and_again(name: &str, documents: usize, edits: u64, restarts: u64) {
    let folder = folder(name);
    let mut server = Server::start(&folder, &[]);
    let games = ["6,6,4,2,1", "connect6", "inf,6,2,1"].map(|game| game.parse().unwrap());
    let kept: Vec<Mutex<Kept>> = (0..documents)
        .map(|number| Mutex::new(Kept::new(&server, games[number % games.len()])))
        .collect();
    let total = documents as u64 * edits;
    let acknowledged = AtomicU64::new(0);
    let (mut kills, mut stops, mut unacknowledged) = (0, 0, 0);
    for restart in 1..=restarts {
        // The last round goes on to the end.
        let due = if restart == restarts { total } else { total * restart / restarts };
        std::thread::scope(|scope| {
            for client in 0..CLIENTS {
                let (server, kept, acknowledged) = (&server, &kept, &acknowledged);
                scope.spawn(move || {
                    let mut random = Random(restart * 1_000 + client);
                    loop {
                        let number = random.below(kept.len() as u64) as usize;
                        let Ok(mut document) = kept[number].lock() else { return };
                        if !document.step(server, &mut random) {
                            return;
                        }
                        acknowledged.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
            let start = Instant::now();
            while acknowledged.load(Ordering::Relaxed) < due {
                assert!(start.elapsed() < PATIENCE, "the clients are stuck");
                std::thread::sleep(Duration::from_millis(1));
            }
            // In the midst of their requests.
            if restart % 3 == 0 {
                stops += 1;
                server.signal("TERM");
            } else {
                kills += 1;
                server.signal("KILL");
            }
        });
        server = server.restart_when_ended();
        for document in &kept {
            let mut document = document.lock().unwrap();
            unacknowledged += u64::from(document.sent.is_some());
            if document.is_touched || restart == restarts {
                document.check(&server);
            }
        }
    }
    for document in kept.iter().step_by(5) {
        document.lock().unwrap().check_undo(&server);
    }
    let steps: u64 = kept.iter().map(|document| document.lock().unwrap().steps).sum();
    println!(
        "{documents} documents, {steps} edits, {kills} kills, {stops} stops, \
         {unacknowledged} edits under way then: 0 differences"
    );
    assert!(steps >= total && kills > stops && stops > 0);
}

#[test]
fn what_was_acknowledged_is_there_after_every_kill_and_stop() {
    restart_again_and_again("serve-restarts", 12, 25, 6);
}

#[test]
#[ignore = "takes minutes: 200 documents of 50 edits, 100 restarts"]
fn what_was_acknowledged_is_there_after_a_hundred_kills_and_stops() {
    restart_again_and_again("serve-restarts-long", 200, 50, 100);
}

/// The length of a comment that fills the disk after some others.
const LONG: usize = 1_000_000;

#[test]
fn on_a_full_disk_what_is_shown_is_what_is_kept_and_with_room_it_goes_on() {
    if Command::new("prlimit").arg("--version").output().is_err() {
        println!("skipped: there is no prlimit here");
        return;
    }
    let folder = folder("serve-full");
    // A store that is large enough to be opened, and hardly larger.
    let server = Server::start(&folder, &[]);
    let mut kept = Kept::new(&server, Game::CONNECT6);
    let mut random = Random(1);
    for _ in 0..10 {
        assert!(kept.step(&server, &mut random));
    }
    drop(server);
    let kib = std::fs::metadata(folder.join("store.redb")).unwrap().len() / 1024 + 64;
    let server = Server::start_limited(&folder, kib);
    kept.check(&server);
    let path = format!("/api/documents/{}", kept.id);
    let long = |text: &str| json!({ "edit": "comment", "node": 0, "text": text.repeat(LONG) });
    let mut refused = None;
    for text in ["a", "b", "c", "d", "e", "f", "g", "h"] {
        let answer = server.post(&format!("{path}/edits"), &long(text));
        if answer.status != 200 {
            refused = Some(answer);
            break;
        }
        let edit = Edit::Comment { node: NodeId::ROOT, text: text.repeat(LONG) };
        kept.model.apply(edit).unwrap();
    }
    let refused = refused.expect("the disk is full some time");
    assert_eq!(refused.status, 500);
    assert!(refused.text().contains("the disk is full"), "{}", refused.text());
    // Nothing of it is to be seen, and nothing else is lost or ends.
    kept.check(&server);
    for what in ["undo", "redo"] {
        let answer = server.post(&format!("{path}/{what}"), &json!({}));
        if answer.status == 200 {
            let undone = if what == "undo" { kept.model.undo() } else { kept.model.redo() };
            assert!(undone.is_some());
        }
        kept.check(&server);
    }
    // With room it goes on, without a restart.
    let process = server.id().to_string();
    let freed = Command::new("prlimit").args(["--fsize=unlimited", "--pid", &process]).status();
    assert!(freed.unwrap().success());
    let text = "room".repeat(LONG / 4);
    let edit = json!({ "edit": "comment", "node": 0, "text": text });
    server.post_json(&format!("{path}/edits"), &edit);
    kept.model.apply(Edit::Comment { node: NodeId::ROOT, text }).unwrap();
    kept.check(&server);
    let server = server.crash_and_restart();
    kept.check(&server);
    kept.check_undo(&server);
}
