//! From records and back.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use arbtest::arbtest;
use sixproof_game::{Position, sgf};

use super::*;
use crate::Note;
use crate::walk::Walk;

/// Whether sides take turns, stones are legal, and no move goes on in a child.
fn is_sound(document: &Document) {
    for id in document.below(NodeId::ROOT) {
        let node = document.node(id).unwrap();
        assert!(node.stones.is_empty() || !node.sets_up(), "{id}: set-up and stones");
        assert!(node.stones.iter().all(|stone| stone.0 == node.stones[0].0), "{id}: two sides");
        let Some(parent) = document.parent(id) else {
            assert!(node.stones.is_empty(), "stones in the root");
            continue;
        };
        if let Some(&(color, _)) = node.stones.first() {
            let before = document.reach(parent).unwrap().position;
            assert_eq!(before.to_move(), color, "{id}: out of turn");
            assert!(node.stones.len() <= before.left() as usize, "{id}: too many stones");
            let above = document.node(parent).unwrap().stones.first();
            assert_ne!(above.map(|stone| stone.0), Some(color), "{id}: goes on with a move");
        }
    }
}

#[test]
fn the_walk_says_what_replaying_says() {
    arbtest(|u| {
        let document = draw_document(u)?;
        for id in document.below(NodeId::ROOT) {
            let reached = document.reach(id).unwrap();
            let position = &reached.position;
            let walk: Walk = document.walk_to(id);
            let state = walk.state();
            assert_eq!(
                (state.to_move, state.left, state.winner),
                (position.to_move(), position.left(), position.winner())
            );
            assert_eq!(state.turn, reached.played.last().map_or(0, |stone| stone.2));
            let stones: Vec<_> = position.stones().collect();
            assert!(stones.iter().all(|&(square, color)| walk.at(square) == Some(color)));
            assert_eq!(document.stones_at(id), stones);
        }
        Ok(())
    });
}

#[test]
fn documents_are_sound_whatever_they_are_made_of() {
    arbtest(|u| {
        is_sound(&draw_document(u)?);
        Ok(())
    });
}

/// The positions at the ends of a tree, as far as the rules allow it.
fn ends(record: &Record) -> BTreeSet<String> {
    let is_end = |id: &usize| record.node(*id).children().is_empty();
    let reached = (0..record.nodes().len()).filter(is_end).filter_map(|id| record.reach(id).ok());
    reached.map(|reached| described(&reached.position)).collect()
}

fn described(position: &Position) -> String {
    let stones: Vec<_> = position.stones().collect();
    format!("{:?} {} {stones:?}", position.to_move(), position.left())
}

#[test]
fn every_end_of_a_record_is_in_the_document() {
    arbtest(|u| {
        let game = draw_game(u)?;
        let record = draw_record(u, game)?;
        let document = Document::from_record(&record).document;
        let there: BTreeSet<String> = document
            .below(NodeId::ROOT)
            .map(|id| described(&document.reach(id).unwrap().position))
            .collect();
        let missing: Vec<_> = ends(&record).difference(&there).cloned().collect();
        assert!(missing.is_empty(), "{record:?} {missing:#?}\n{there:#?}");
        Ok(())
    });
}

#[test]
fn no_word_of_a_record_is_lost() {
    arbtest(|u| {
        let game = draw_game(u)?;
        let mut record = draw_record(u, game)?;
        let count = record.nodes().len();
        for id in 0..count {
            record.node_mut(id).comment = format!("<{id}>");
            record.node_mut(id).labels = vec![(Square::new(0, 0), format!("({id})"))];
        }
        let document = Document::from_record(&record).document;
        let mut words = String::new();
        let mut labels = Vec::new();
        for id in document.below(NodeId::ROOT) {
            let node = document.node(id).unwrap();
            words += &node.comment;
            labels.extend(node.labels.iter().map(|label| label.1.clone()));
        }
        for id in 0..count {
            assert_eq!(words.matches(&format!("<{id}>")).count(), 1, "{words}");
        }
        assert_eq!(labels.len(), count);
        Ok(())
    });
}

fn round_trip(document: &Document) {
    let record = document.to_record();
    // Unknown rules stay unknown; there is no other note.
    let mut rules = Vec::new();
    rules.extend(
        record
            .other_rules()
            .map(|rules| Note::RulesDiffer { rules: rules.to_string(), game: record.game }),
    );
    let again = Document::from_record(&record);
    assert_eq!(again.notes, rules);
    assert_eq!(again.document.to_record(), record);
    let file = sgf::from_record(&record).write();
    let read = sgf::read(&file, &sgf::Options::default()).unwrap();
    let again = Document::from_record(&read);
    assert_eq!(again.notes, rules);
    assert_eq!(again.document.to_record(), record, "{}", String::from_utf8_lossy(&file));
}

#[test]
fn a_document_comes_back_from_its_record_and_from_its_file() {
    arbtest(|u| {
        round_trip(&draw_document(u)?);
        Ok(())
    });
}

#[test]
fn every_file_of_the_suite_becomes_a_document_and_comes_back() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/sgf");
    let mut count = 0;
    for file in fs::read_dir(folder).unwrap() {
        let bytes = fs::read(file.unwrap().path()).unwrap();
        if let Ok(record) = sgf::read(&bytes, &sgf::Options::default()) {
            let document = Document::from_record(&record).document;
            is_sound(&document);
            round_trip(&document);
            count += 1;
        }
    }
    assert!(count >= 10, "{count} files");
}

fn read(text: &str) -> (Document, Vec<String>) {
    let record = sgf::read(text.as_bytes(), &sgf::Options::default()).unwrap();
    let imported = Document::from_record(&record);
    (imported.document, imported.notes.iter().map(Note::to_string).collect())
}

/// The tree in one line: children in parentheses.
fn shape(document: &Document) -> String {
    fn write(document: &Document, id: NodeId, out: &mut String) {
        let node = document.node(id).unwrap();
        let stones: Vec<Square> = node.stones.iter().map(|stone| stone.1).collect();
        *out += &document.game().square_names(&stones);
        if node.player.is_some() {
            *out += "=";
        }
        for (square, _) in &node.setup {
            *out += &format!("+{}", document.game().square_name(*square));
        }
        if !node.comment.is_empty() {
            *out += &format!("{{{}}}", node.comment);
        }
        for &child in document.children(id) {
            *out += "(";
            write(document, child, out);
            *out += ")";
        }
    }
    let mut out = String::new();
    write(document, NodeId::ROOT, &mut out);
    out
}

#[test]
fn the_stones_of_a_move_come_together() {
    let chain = "(;C[root];B[jj];W[ii]C[one];W[kk]C[two];B[ij];B[ik])";
    let (document, notes) = read(chain);
    assert_eq!(shape(&document), "{root}(J10(I11 K9{one\ntwo}(I10 I9)))");
    assert_eq!(notes, [""; 0]);
    let (document, _) = read("(;B[jj];W[ii]C[shared](;W[kk](;B[aa])(;B[bb]))(;W[kj])(;C[word]))");
    assert_eq!(
        shape(&document),
        "(J10(I11 K9{shared}(A19)(B18))(I11 K10)(I11{word}))",
        "a shared first stone"
    );
    let (document, notes) = read("(;B[jj];W[ii](;W[kk])(;B[aa])(;B[bb]))");
    assert_eq!(shape(&document), "(J10(I11 K9)(I11(=(A19))(=(B18))))");
    assert_eq!(notes.len(), 2);
    let root = read("(;B[jj]W[ii]W[kk]C[all in one])").0;
    assert_eq!(shape(&root), "(J10(I11 K9{all in one}))");
}

#[test]
fn stones_out_of_turn_and_after_the_end_are_kept_and_noted() {
    let (document, notes) = read("(;B[jj];B[ii])");
    assert_eq!(shape(&document), "(J10(=(I11)))");
    assert_eq!(notes, ["at 1: black moves out of turn: a pass was put before I11"]);
    let won = "(;GM[4]SZ[15];B[aa];W[ab];B[ba];W[bb];B[ca];W[cb];B[da];W[db];B[ea];W[eb]C[late])";
    let (document, notes) = read(won);
    assert!(shape(&document).ends_with("(E15(+E14{late}))))))))))"), "{}", shape(&document));
    let note = "at 10: E14 cannot be played (the game is over: black has won): \
                kept as a stone set up";
    assert_eq!(notes, [note]);
    round_trip(&document);
}

#[test]
fn long_chains_and_wide_trees_need_no_stack() {
    const COUNT: usize = 200_000;
    let game: Game = "inf,6,2,1".parse().unwrap();
    let mut chain = Record::new(game);
    let mut wide = Record::new(game);
    for i in 0..COUNT {
        // Far from each other, so that no side wins.
        let square = Square::new(2 * (i % 500) as i32, 2 * (i / 500) as i32);
        chain.add_stone(i, game.turn(i).0, square);
        wide.add_stone(0, Color::Black, square);
    }
    for (record, len) in [(chain, COUNT / 2 + 2), (wide, COUNT + 1)] {
        let mut document = Document::from_record(&record).document;
        assert_eq!(document.len(), len);
        let end = document.main_line_end(NodeId::ROOT);
        assert_eq!(document.size(NodeId::ROOT), len);
        assert_eq!(
            document.rows(&crate::RowsQuery { count: 9, ..Default::default() }).rows[0].turn,
            0
        );
        document.apply(Edit::Delete { node: document.children(NodeId::ROOT)[0] }).unwrap();
        document.undo();
        assert_eq!(document.path(end).len(), document.turn(end) as usize + 1);
        assert_eq!(document.to_record().nodes().len(), len);
    }
}
