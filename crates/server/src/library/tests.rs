//! Documents against a model: after any edits, undo and redo, and whenever the program ends, the
//! store has what the page has shown.

mod former;
mod world;

use std::collections::BTreeMap;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use sixproof_document::{Document, NodeId};
use sixproof_game::{Node, sgf};

use super::*;
use crate::jobs::wire::{Candidate, ColorName, JobOutcome, ScoreName};
use crate::wire::Edit;
use world::{Random, World, draw_edit, result};

/// Random histories in the usual run; `DOCUMENT_SEEDS` asks for more, `DOCUMENT_SEED` for one.
const SEEDS: u64 = 12;
/// The steps of one history.
const STEPS: u64 = 60;

/// A node with its number, its parent and its children.
type Seen = (NodeId, Option<NodeId>, Vec<NodeId>, Node);

/// The visible state of a document: its nodes and its facts.
type State = (Vec<Seen>, Vec<(String, String)>);

fn seen(document: &Document) -> State {
    let node = |id: NodeId| {
        let node = document.node(id).unwrap().clone();
        (id, document.parent(id), document.children(id).to_vec(), node)
    };
    (document.below(NodeId::ROOT).map(node).collect(), document.info().to_vec())
}

/// All states that undo and redo reach, from the first to the last, and the index of the present
/// one.
fn states(document: &Document) -> (usize, Vec<State>) {
    let mut document = document.clone();
    let depth = (0..).take_while(|_| document.undo().is_some()).count();
    let mut states = vec![seen(&document)];
    while document.redo().is_some() {
        states.push(seen(&document));
    }
    (depth, states)
}

/// The library's document is that of the model.
fn assert_same(library: &Library, id: &str, model: &Document, what: &str) {
    let exported = sgf::from_record(&library.record(id).unwrap()).write();
    let expected = sgf::from_record(&model.to_record()).write();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert_eq!(text(&exported), text(&expected), "{what}");
    let kept = library.with(id, |open| Ok(open.document.clone())).unwrap();
    assert_eq!(seen(&kept), seen(model), "{what}");
    assert_eq!(states(&kept), states(model), "{what}");
}

/// One of two clients that edit a document and read it now and then.
struct Client {
    /// The nodes that existed when it read the document last.
    nodes: Vec<NodeId>,
}

#[test]
fn any_edits_by_two_clients_survive_crashes_with_their_numbers_results_and_undo() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seeds = match number("DOCUMENT_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("DOCUMENT_SEEDS").unwrap_or(SEEDS),
    };
    let (mut edits, mut crashes) = (0, 0);
    for seed in seeds {
        let mut random = Random::new(seed);
        let mut world = World::new();
        let game = ["6,6,4,2,1", "connect6", "inf,4,2,1", "5,5,3,1,1"][random.below(4) as usize];
        let new = wire::NewDocument { game: Some(game.to_string()), ..Default::default() };
        let id = world.library.create(&new).unwrap().summary.id;
        let mut model = Document::from_record(&world.library.record(&id).unwrap()).document;
        let mut clients = [Client { nodes: Vec::new() }, Client { nodes: Vec::new() }];
        let mut written = BTreeMap::<NodeId, Vec<String>>::new();
        for step in 0..STEPS {
            let what = format!("DOCUMENT_SEED={seed}, step {step}");
            let client = &mut clients[random.below(2) as usize];
            if client.nodes.is_empty() || random.below(3) == 0 {
                client.nodes = model.below(NodeId::ROOT).collect();
            }
            match random.below(20) {
                0..=3 => {
                    let (done, expected) = (world.library.undo(&id), model.undo());
                    assert_eq!(done.ok().map(|e| e.node), expected.map(|a| a.node.0), "{what}");
                }
                4 | 5 => {
                    let (done, expected) = (world.library.redo(&id), model.redo());
                    assert_eq!(done.ok().map(|e| e.node), expected.map(|a| a.node.0), "{what}");
                }
                6 | 7 => {
                    let node = *random.choose(&client.nodes);
                    let found = result(step);
                    let done = world.library.write(&id, node, found.clone());
                    assert_eq!(done.is_ok(), model.contains(node), "{what}");
                    if done.is_ok() {
                        let results = written.entry(node).or_default();
                        results.push(serde_json::to_string(&found).unwrap());
                        model.set_results(node, results.clone());
                    }
                }
                8 => {
                    let node = *random.choose(&client.nodes);
                    let done = world.library.set_at(&id, node.0);
                    assert_eq!(done.is_ok(), model.contains(node), "{what}");
                }
                9 => {
                    if random.below(2) == 0 {
                        world.stop()
                    } else {
                        world.crash()
                    }
                    crashes += 1;
                    assert_same(&world.library, &id, &model, &what);
                }
                _ => {
                    let edit: Edit = draw_edit(&mut random, model.game(), &client.nodes);
                    let expected = edit.meant(model.game()).and_then(|e| Ok(model.apply(e)?));
                    let done = world.library.edit(&id, &edit).map(|e| (e.node, e.changed));
                    assert_eq!(
                        done.map_err(|problem| problem.title),
                        expected.map(|a| (a.node.0, a.changed)).map_err(|problem| problem.title),
                        "{what}: {edit:?}"
                    );
                    edits += 1;
                }
            }
        }
        world.crash();
        assert_same(&world.library, &id, &model, &format!("DOCUMENT_SEED={seed}, at the end"));
    }
    println!("{edits} edits, {crashes} stops and crashes, no difference");
}

#[test]
fn a_text_that_was_changed_meanwhile_is_not_replaced_unless_the_writer_saw_it() {
    let world = World::new();
    let id = world.library.create(&wire::NewDocument::default()).unwrap().summary.id;
    let comment = |text: &str, was: Option<&str>| {
        let edit = Edit::Comment { node: 0, text: text.to_string(), was: was.map(str::to_string) };
        world.library.edit(&id, &edit).map(|edited| edited.changed)
    };
    assert!(comment("one", Some("")).unwrap());
    let refused = comment("two", Some("")).unwrap_err();
    assert_eq!((refused.status, refused.kind), (409, Some(ProblemKind::TextChanged)));
    assert_eq!(refused.present.as_deref(), Some("one"));
    assert_eq!(world.library.node(&id, 0).unwrap().comment, "one", "nothing has changed");
    assert!(!comment("one", Some("")).unwrap(), "both wrote the same");
    assert!(comment("one\r\nand two", Some("one")).unwrap());
    assert!(comment("three", Some("one\nand two")).unwrap(), "as the server shows it");
    assert!(comment("four", None).unwrap(), "as ever");
    let name = |text: &str, was: &str| {
        let (text, was) = (text.to_string(), Some(was.to_string()));
        world.library.edit(&id, &Edit::Name { node: 0, text, was }).map(|edited| edited.changed)
    };
    assert!(name("a", "").unwrap());
    assert_eq!(name("b", "").unwrap_err().present.as_deref(), Some("a"));
    // The log does not keep the text that the writer saw.
    let gone = Edit::Comment { node: 9, text: String::new(), was: Some("x".to_string()) };
    assert_eq!(world.library.edit(&id, &gone).unwrap_err().kind, Some(ProblemKind::NodeGone));
}

#[test]
fn edits_go_on_while_the_proof_of_a_node_is_checked() {
    let world = World::new();
    let certificate = include_bytes!("../../../../suite/good/go-moku.cert");
    let query = wire::OpenQuery { name: None, game: None, number: None, anyway: None };
    let id = world.library.open_file(certificate, &query).unwrap().document.summary.id;
    let verdict = || world.library.node(&id, 0).unwrap().verdict.unwrap();
    assert_eq!(verdict().because, wire::Because::Certificate);
    let hash = verdict().certificate.unwrap();
    // From now on the checker takes until this test releases it.
    let being_read = world.library.proofs.being_read(&hash);
    let (release, released) = mpsc::channel::<()>();
    let (edited, was_edited) = mpsc::channel();
    std::thread::scope(|scope| {
        let begun = Arc::new(std::sync::Barrier::new(2));
        let checks = Arc::clone(&begun);
        scope.spawn(move || {
            being_read.get_or_init(|| {
                checks.wait();
                released.recv().unwrap();
                Err(Problem::internal("the test is over"))
            });
        });
        begun.wait();
        let viewed = scope.spawn(|| world.library.node(&id, 0));
        scope.spawn(|| {
            let edit = Edit::Comment { node: 0, text: "meanwhile".to_string(), was: None };
            edited.send(world.library.edit(&id, &edit).map(|edited| edited.changed)).unwrap();
        });
        let answer = was_edited.recv_timeout(Duration::from_secs(60));
        // Before any assertion, after whose failure the threads would wait for ever.
        release.send(()).unwrap();
        assert_eq!(answer.expect("the edit waits for the checker"), Ok(true));
        viewed.join().unwrap().unwrap();
    });
    assert_eq!(verdict().because, wire::Because::Certificate, "read again when it is asked for");
}

/// A proof is of a position, not of a node: no answer says "proved" of a node whose position has
/// changed, and every answer says it again when the old position is back.
#[test]
fn a_proof_goes_with_its_position_and_comes_back_with_it() {
    let mut world = World::new();
    let certificate = include_bytes!("../../../../suite/good/go-moku.cert");
    let query = wire::OpenQuery { name: None, game: None, number: None, anyway: None };
    let id = world.library.open_file(certificate, &query).unwrap().document.summary.id;
    fn shown(library: &Library, id: &str) -> [bool; 3] {
        let query = wire::RowsQuery { from: 0, count: 9, toggled: Vec::new(), at: None };
        let rows = library.rows(id, &query).unwrap();
        let find = wire::FindQuery { verdict: Some("proved".to_string()), ..Default::default() };
        let found = library.find(id, &find).unwrap().nodes;
        let here = library.node(id, 0).unwrap().verdict;
        [rows.rows[0].verdict.is_some(), !found.is_empty(), here.is_some()]
    }
    assert_eq!(shown(&world.library, &id), [true; 3]);
    let board = world.library.node(&id, 0).unwrap().position;
    let (mut black, white, to_move, left) = (board.black, board.white, board.to_move, board.left);
    black.pop();
    let edit = Edit::Setup { node: 0, black, white, to_move, left };
    world.library.edit(&id, &edit).unwrap();
    assert_eq!(shown(&world.library, &id), [false; 3]);
    world.stop();
    assert_eq!(shown(&world.library, &id), [false; 3], "after a restart");
    world.library.undo(&id).unwrap();
    assert_eq!(shown(&world.library, &id), [true; 3]);
    world.library.redo(&id).unwrap();
    assert_eq!(shown(&world.library, &id), [false; 3]);
}

/// Results in a file are claims of any program: a win is shown only with a certificate here.
#[test]
fn the_results_of_a_file_prove_nothing_without_their_certificates() {
    let world = World::new();
    let certificate = b"sixproof-certificate 1 game 3 3 3 1 1 attacker black \
        black A1 B1 white A2 B2 to-move black 1 W C1";
    let query = wire::OpenQuery::default();
    let id = world.library.open_file(certificate, &query).unwrap().document.summary.id;
    let shown = world.library.node(&id, 0).unwrap();
    let proved = shown.results[0].clone();
    let mover = Color::from(shown.position.to_move);
    assert_eq!(Color::from(proved.attacker), mover);
    let game = world.library.with(&id, |open| Ok(open.game())).unwrap();
    let candidate = |square: &str| Candidate {
        squares: vec![square.to_string()],
        score: ScoreName::Win,
        value: 0,
        line: Vec::new(),
        reason: "a file says so".to_string(),
        why: None,
    };
    // C1 completes a row; C3 wins nothing, even where the position is proved.
    let moves = vec![candidate("C1"), candidate("C3")];
    let analysed = JobResult { moves, ..result(1) };
    let lost =
        JobResult { outcome: JobOutcome::ThrownAway, attacker: proved.attacker, ..result(2) };
    // What is shown of a file: the outcomes and the score at the root, what is lost below it.
    let open = |proved: &JobResult| {
        let json = |result: &JobResult| serde_json::to_string(result).unwrap();
        let mut record = world.library.record(&id).unwrap();
        record.node_mut(0).results = vec![json(proved), json(&analysed)];
        let mut child = Node::default();
        child.stones = vec![(mover, game.parse_square("C3").unwrap())];
        child.results = vec![json(&lost)];
        record.add(0, child);
        let file = sgf::from_record(&record).write();
        let id = world.library.open_file(&file, &query).unwrap().document.summary.id;
        let root = world.library.node(&id, 0).unwrap();
        let rows = wire::RowsQuery { from: 0, count: 9, toggled: Vec::new(), at: None };
        let rows = world.library.rows(&id, &rows).unwrap().rows;
        let below = world.library.node(&id, root.children[0].id).unwrap();
        let kept = world.library.record(&id).unwrap();
        assert_eq!(kept.node(0).results.len(), 2, "nothing of the file is lost");
        (
            root.results.iter().map(|result| result.outcome).collect::<Vec<_>>(),
            root.results.last().unwrap().moves.iter().map(|found| found.score).collect::<Vec<_>>(),
            (below.results.len(), rows[1].thrown_away),
        )
    };
    let scores = vec![ScoreName::Win, ScoreName::Value];
    let outcomes = vec![JobOutcome::Proved, JobOutcome::Value];
    let with_certificate = (outcomes, scores.clone(), (1, true));
    assert_eq!(open(&proved), with_certificate);
    let without = (vec![JobOutcome::Value], scores, (0, false));
    let other = if mover == Color::Black { ColorName::White } else { ColorName::Black };
    let unknown = Some("0".repeat(64));
    assert_eq!(open(&JobResult { certificate: None, ..proved.clone() }), without);
    assert_eq!(open(&JobResult { certificate: unknown, ..proved.clone() }), without);
    // A pasted tree is like a file.
    let text = sgf::from_record(&world.library.record(&id).unwrap()).write();
    let paste = Edit::Paste { node: 0, text: String::from_utf8(text).unwrap() };
    let new = wire::NewDocument { game: Some("tic-tac-toe".to_string()), ..Default::default() };
    let empty = world.library.create(&new).unwrap().summary.id;
    let pasted = world.library.edit(&empty, &paste).unwrap().node;
    let results = world.library.node(&empty, pasted).unwrap().results;
    assert_eq!(results.iter().map(|r| r.outcome).collect::<Vec<_>>(), [JobOutcome::Proved]);
    // The certificate proves the win of one side, whatever the file says.
    let (outcomes, ..) = open(&JobResult { attacker: other, ..proved });
    assert_eq!(outcomes, [JobOutcome::Value]);
}

/// A job reports on a node again and again; that a move lost a win is another question.
#[test]
fn a_result_replaces_an_earlier_one_of_its_job_on_the_same_question() {
    let world = World::new();
    let id = world.library.create(&wire::NewDocument::default()).unwrap().summary.id;
    let value = |job: u64, nodes: u64| JobResult { nodes, ..result(job) };
    let lost = JobResult { outcome: JobOutcome::ThrownAway, ..value(1, 3) };
    for result in [value(1, 1), value(2, 2), lost, value(1, 4)] {
        world.library.write(&id, NodeId::ROOT, result).unwrap();
    }
    let record = world.library.record(&id).unwrap();
    let results = record.node(0).results.iter().filter_map(|text| facts::parsed(text));
    assert_eq!(results.map(|result| result.nodes).collect::<Vec<_>>(), [2, 3, 4]);
}

/// A log as long as years of work: it opens, and the time is printed.
#[test]
#[ignore = "takes a minute: a log of 100,000 entries is written first"]
fn a_log_of_a_hundred_thousand_entries_opens() {
    let mut world = World::new();
    let new = wire::NewDocument { game: Some("connect6".to_string()), ..Default::default() };
    let id = world.library.create(&new).unwrap().summary.id;
    let mut model = Document::from_record(&world.library.record(&id).unwrap()).document;
    let mut random = Random::new(1);
    let (mut entries, mut at) = (Vec::new(), NodeId::ROOT);
    while entries.len() < 100_000 {
        let next = model.numbers();
        let done = match random.below(20) {
            0 | 1 if model.undo().is_some() => LogAction::Undo,
            2 if model.redo().is_some() => LogAction::Redo,
            _ => {
                let mut square = || {
                    let column = random.below(19) as i32;
                    let square = sixproof_game::Square::new(column, random.below(19) as i32);
                    model.game().square_name(square)
                };
                let squares = vec![square(), square()];
                let edit = match random.below(4) {
                    0 => Edit::Comment { node: at.0, text: squares.join(" and "), was: None },
                    _ => Edit::Move { node: at.0, squares },
                };
                match model.apply(edit.meant(model.game()).unwrap()) {
                    Ok(applied) if applied.changed => at = applied.node,
                    _ => {
                        at = NodeId(random.below(model.numbers() as u64) as u32);
                        continue;
                    }
                }
                LogAction::Edit(edit)
            }
        };
        entries.push(serde_json::to_vec(&LogEntry { next, done }).unwrap());
    }
    let bucket = world.library.store.bucket(sixproof_store::Bucket::Documents);
    for (number, entry) in (0_u64..).zip(&entries) {
        let key = [&b"e"[..], &number.to_be_bytes()].concat();
        bucket.put(format!("document {id}").as_bytes(), &key, entry).unwrap();
    }
    let meta = world.library.storage().meta(&id).unwrap().unwrap();
    let meta = Meta { edits: entries.len() as u64, ..meta };
    world.library.storage().put_meta(&id, &meta).unwrap();
    world.stop();
    let start = Instant::now();
    let document = world.library.document(&id).unwrap();
    println!(
        "{} entries, {} nodes: opened in {:?}",
        entries.len(),
        document.summary.nodes,
        start.elapsed()
    );
    assert_eq!(document.summary.nodes, model.len());
    let exported = sgf::from_record(&world.library.record(&id).unwrap()).write();
    assert!(exported == sgf::from_record(&model.to_record()).write());
}
