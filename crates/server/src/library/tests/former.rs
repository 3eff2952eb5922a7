//! Documents of version 1: the tests write their records as that version wrote them.

use serde_json::json;
use sixproof_store::Bucket;

use super::*;

/// A document as version 1 had it in memory, and as it stored it.
struct Version1 {
    live: Document,
    /// The stored edits, and the number of them that are not undone.
    edits: Vec<Edit>,
    in_force: usize,
    /// Whether an edit was undone and then dropped, so that its nodes have no edit.
    has_dropped: bool,
}

impl Version1 {
    fn new(game: &str) -> Version1 {
        let live = Document::new(game.parse().unwrap());
        Version1 { live, edits: Vec::new(), in_force: 0, has_dropped: false }
    }

    fn edit(&mut self, edit: Edit) -> Option<NodeId> {
        let numbers = self.live.numbers();
        let applied = self.live.apply(edit.meant(self.live.game()).ok()?).ok()?;
        if applied.changed {
            self.has_dropped |= self.edits.len() > self.in_force;
            self.edits.truncate(self.in_force);
            self.edits.push(edit);
            self.in_force += 1;
        }
        assert!(self.live.numbers() >= numbers);
        Some(applied.node)
    }

    fn play(&mut self, node: NodeId, squares: &str) -> NodeId {
        let squares = squares.split(' ').map(str::to_string).collect();
        self.edit(Edit::Move { node: node.0, squares }).unwrap()
    }

    fn comment(&mut self, node: NodeId, text: &str) {
        let text = text.to_string();
        self.edit(Edit::Comment { node: node.0, text, was: None }).unwrap();
    }

    fn undo(&mut self) {
        if self.live.undo().is_some() {
            self.in_force -= 1;
        }
    }

    fn redo(&mut self) {
        if self.live.redo().is_some() {
            self.in_force += 1;
        }
    }

    /// Writes its records; the document's number.
    fn keep(&self, world: &World) -> &'static str {
        let bucket = world.library.store.bucket(Bucket::Documents);
        let base = storage::base_of(&Document::new(self.live.game()).to_record());
        bucket.put(b"document 1", b"base", &base).unwrap();
        for (number, edit) in (0_u64..).zip(&self.edits) {
            let key = [&b"e"[..], &number.to_be_bytes()].concat();
            bucket.put(b"document 1", &key, &serde_json::to_vec(edit).unwrap()).unwrap();
        }
        let meta = json!({
            "version": 1, "title": "", "name": "old", "game": self.live.game().to_string(),
            "nodes": self.live.len(), "revision": self.live.revision(), "createdMs": 1,
            "changedMs": 2, "at": 0, "edits": self.edits.len(), "inForce": self.in_force,
        });
        bucket.put(b"document 1", b"meta", meta.to_string().as_bytes()).unwrap();
        bucket.put(b"library", b"next", b"1").unwrap();
        "1"
    }
}

fn kinds(world: &World, id: &str) -> Vec<wire::NoteKind> {
    world.library.document(id).unwrap().noted.iter().map(|note| note.kind).collect()
}

#[test]
fn a_document_of_version_1_without_dropped_edits_is_the_same_and_goes_on() {
    let mut world = World::new();
    let mut old = Version1::new("connect6");
    let first = old.play(NodeId::ROOT, "J10");
    let second = old.play(first, "I8 H9");
    old.comment(second, "second");
    old.undo();
    old.undo();
    old.redo();
    let id = old.keep(&world);
    assert_same(&world.library, id, &old.live, "as it was");
    assert_eq!(kinds(&world, id), []);
    // It continues in the present form, which an older program refuses by its version.
    let edit = Edit::Comment { node: second.0, text: "now".to_string(), was: None };
    old.live.apply(edit.meant(old.live.game()).unwrap()).unwrap();
    world.library.edit(id, &edit).unwrap();
    world.crash();
    assert_same(&world.library, id, &old.live, "with an edit of this version");
    old.live.undo();
    world.library.undo(id).unwrap();
    world.crash();
    assert_same(&world.library, id, &old.live, "with an undo of this version");
    let meta = world.library.store.bucket(Bucket::Documents).get(b"document 1", b"meta").unwrap();
    let meta: serde_json::Value = serde_json::from_slice(&meta.unwrap().whole().unwrap()).unwrap();
    assert_eq!(meta["version"], 2);
    assert!(meta["inForce"].is_u64(), "what version 1 reads before it looks at the version");
}

#[test]
fn an_undone_edit_that_version_1_dropped_is_inferred_from_what_refers_beyond_it() {
    let mut world = World::new();
    let mut old = Version1::new("connect6");
    let first = old.play(NodeId::ROOT, "J10");
    old.play(first, "A1 A2");
    old.undo();
    let second = old.play(first, "B1 B2");
    let third = old.play(second, "C1 C2");
    old.comment(second, "here");
    // And once more, further down.
    old.play(third, "D1 D2");
    old.play(third, "D3 D4");
    old.undo();
    old.undo();
    let fourth = old.play(third, "E1 E2");
    old.comment(fourth, "there");
    let id = old.keep(&world);
    assert_same(&world.library, id, &old.live, "inferred");
    assert_eq!(kinds(&world, id), [wire::NoteKind::NumbersInferred]);
    let notes = world.library.document(id).unwrap();
    assert_eq!((notes.noted[0].more, notes.notes.len()), (3, 1));
    // The inferred gaps stay, and the log goes on behind them.
    let edit = Edit::Name { node: fourth.0, text: "new".to_string(), was: None };
    old.live.apply(edit.meant(old.live.game()).unwrap()).unwrap();
    world.library.edit(id, &edit).unwrap();
    world.library.write(id, third, result(1)).unwrap();
    old.live.set_results(third, vec![serde_json::to_string(&result(1)).unwrap()]);
    world.crash();
    assert_same(&world.library, id, &old.live, "after a restart");
}

#[test]
fn what_cannot_be_inferred_is_left_out_and_reported_and_stays_in_the_store() {
    let mut world = World::new();
    let mut old = Version1::new("connect6");
    let first = old.play(NodeId::ROOT, "J10");
    old.comment(first, "one");
    let lost = Edit::Comment { node: 4_000_000, text: "lost".to_string(), was: None };
    old.edits.push(lost);
    old.in_force += 1;
    old.live.leave_out();
    let kept = old.play(first, "A1 A2");
    old.comment(kept, "two");
    let id = old.keep(&world);
    assert_same(&world.library, id, &old.live, "all but one");
    assert_eq!(kinds(&world, id), [wire::NoteKind::EditLeftOut]);
    let document = world.library.document(id).unwrap();
    assert_eq!(document.noted[0].at.as_deref(), Some("3"));
    assert!(document.notes[0].contains("4000000"), "{}", document.notes[0]);
    // A missing entry is no reason to refuse the rest either.
    let bucket = world.library.store.bucket(Bucket::Documents);
    let key = |number: u64| [&b"e"[..], &number.to_be_bytes()].concat();
    bucket.remove(b"document 1", &key(4)).unwrap();
    world.stop();
    assert_eq!(kinds(&world, id), [wire::NoteKind::EditLeftOut; 2]);
    let bucket = world.library.store.bucket(Bucket::Documents);
    let bytes = bucket.get(b"document 1", &key(2)).unwrap().unwrap().whole().unwrap();
    assert!(String::from_utf8(bytes).unwrap().contains("lost"));
    // Undo takes back the same edits before a restart and after it.
    world.library.undo(id).unwrap();
    world.library.undo(id).unwrap();
    world.crash();
    let document = world.library.document(id).unwrap();
    assert_eq!((document.summary.nodes, document.redoes.as_deref()), (2, Some("move A1 A2")));
}

#[test]
fn every_document_of_version_1_opens_and_most_are_as_they_were() {
    let (mut same, mut dropped) = (0, 0);
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let mut world = World::new();
        let mut old = Version1::new("connect6");
        for _ in 0..30 {
            match random.below(10) {
                0 | 1 => old.undo(),
                2 => old.redo(),
                _ => {
                    let nodes: Vec<NodeId> = old.live.below(NodeId::ROOT).collect();
                    let edit = draw_edit(&mut random, old.live.game(), &nodes);
                    let _refused_or_made = old.edit(edit);
                }
            }
        }
        let id = old.keep(&world);
        let exported = |world: &World| sgf::from_record(&world.library.record(id).unwrap()).write();
        let first = exported(&world);
        let is_same = first == sgf::from_record(&old.live.to_record()).write();
        assert!(is_same || old.has_dropped, "seed {seed}");
        dropped += u32::from(old.has_dropped);
        same += u32::from(is_same && old.has_dropped);
        // All inferred gaps stay.
        world.stop();
        assert_eq!(exported(&world), first, "seed {seed}");
    }
    println!("{same} of {dropped} documents with dropped edits are as they were");
    assert!(dropped > 20 && same > 0, "{same} of {dropped}");
}
