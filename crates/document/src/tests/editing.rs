//! Edits, undo and redo.

use arbtest::arbtest;

use sixproof_game::load::Loaded;

use super::*;
use crate::{Applied, EditError, Note};

/// The edit that undo takes back, in words.
fn undone(document: &Document) -> String {
    document.undoes().map(ToString::to_string).unwrap_or_default()
}

/// The state that undo has to restore.
#[derive(Clone, Debug, PartialEq)]
struct Snapshot {
    nodes: Vec<(NodeId, Option<NodeId>, Vec<NodeId>, Node)>,
    info: Vec<(String, String)>,
    len: usize,
}

fn snapshot(document: &Document) -> Snapshot {
    let node = |id: NodeId| {
        let node = document.node(id).unwrap().clone();
        (id, document.parent(id), document.children(id).to_vec(), node)
    };
    let nodes: Vec<_> = document.below(NodeId::ROOT).map(node).collect();
    Snapshot { len: document.len(), nodes, info: document.info().to_vec() }
}

#[test]
fn undo_after_any_edits_gives_back_every_state_and_redo_the_other_way() {
    arbtest(|u| {
        let base = draw_document(u)?;
        let mut document = Document::from_record(&base.to_record()).document;
        let mut states = vec![snapshot(&document)];
        for _ in 0..u.int_in_range(0..=14)? {
            let before = (snapshot(&document), document.revision());
            let edit = draw_edit(u, &document)?;
            match document.apply(edit.clone()) {
                Ok(applied) if applied.changed => {
                    assert!(applied.revision > before.1 && document.redoes().is_none());
                    assert!(document.contains(applied.node), "{edit:?}");
                    assert_ne!(snapshot(&document), before.0, "{edit:?}");
                    states.push(snapshot(&document));
                }
                other => {
                    assert_eq!((snapshot(&document), document.revision()), before, "{other:?}");
                }
            }
        }
        let edits = states.len() - 1;
        for state in states.iter().rev().skip(1) {
            assert!(document.undoes().is_some());
            let applied = document.undo().unwrap();
            assert!(document.contains(applied.node));
            assert_eq!(&snapshot(&document), state);
        }
        assert_eq!((document.undo(), document.undoes()), (None, None));
        for state in &states[1..] {
            assert!(document.redoes().is_some());
            let applied = document.redo().unwrap();
            assert!(document.contains(applied.node));
            assert_eq!(&snapshot(&document), state);
        }
        assert_eq!(document.redo(), None);
        assert_eq!((0..).take_while(|_| document.undo().is_some()).count(), edits);
        Ok(())
    });
}

#[test]
fn the_same_edits_give_the_same_numbers() {
    enum Done {
        Edit(Edit, Result<Applied, EditError>),
        Undo(Option<Applied>),
        Redo(Option<Applied>),
    }
    arbtest(|u| {
        let game = draw_game(u)?;
        let record = draw_record(u, game)?;
        let mut document = Document::from_record(&record).document;
        let mut journal = Vec::new();
        for _ in 0..u.int_in_range(0..=14)? {
            journal.push(match u.int_in_range(0..=5)? {
                0 => Done::Undo(document.undo()),
                1 => Done::Redo(document.redo()),
                _ => {
                    let edit = draw_edit(u, &document)?;
                    Done::Edit(edit.clone(), document.apply(edit))
                }
            });
        }
        let mut again = Document::from_record(&record).document;
        for done in journal {
            match done {
                Done::Edit(edit, result) => assert_eq!(again.apply(edit), result),
                Done::Undo(result) => assert_eq!(again.undo(), result),
                Done::Redo(result) => assert_eq!(again.redo(), result),
            }
        }
        assert_eq!(snapshot(&again), snapshot(&document));
        assert_eq!(again.revision(), document.revision());
        Ok(())
    });
}

/// Every state that undo and redo reach, and the next steps.
fn all_states(document: &Document) -> (Vec<Snapshot>, usize, u64, usize) {
    let mut other = document.clone();
    let depth = (0..).take_while(|_| other.undo().is_some()).count();
    let mut states = vec![snapshot(&other)];
    while other.redo().is_some() {
        states.push(snapshot(&other));
    }
    (states, depth, document.revision(), document.numbers())
}

#[test]
fn a_change_that_is_revoked_has_never_been() {
    arbtest(|u| {
        let game = draw_game(u)?;
        let mut document = Document::from_record(&draw_record(u, game)?).document;
        assert!(!document.revoke(), "nothing was done");
        for _ in 0..u.int_in_range(0..=14)? {
            let before = all_states(&document);
            let is_done = match u.int_in_range(0..=6)? {
                0 => document.undo().is_some(),
                1 => document.redo().is_some(),
                2 => {
                    document.leave_out();
                    true
                }
                _ => {
                    let edit = draw_edit(u, &document)?;
                    document.apply(edit).is_ok_and(|applied| applied.changed)
                }
            };
            if is_done && u.arbitrary()? {
                assert!(document.revoke());
                assert_eq!(all_states(&document), before);
                assert!(!document.revoke(), "once is enough");
            }
        }
        Ok(())
    });
}

#[test]
fn numbers_that_are_left_out_are_of_no_node() {
    let mut document = Document::new(Game::CONNECT6);
    document.skip_to(5).unwrap();
    assert_eq!((document.len(), document.numbers()), (1, 5));
    assert!(!document.contains(NodeId(3)));
    let node = play(&mut document, NodeId::ROOT, "J10");
    assert_eq!(node, NodeId(5));
    document.skip_to(2).unwrap();
    assert_eq!(document.numbers(), 6);
    assert_eq!(document.skip_to(usize::MAX), Err(EditError::TooLarge));
    assert_eq!(document.rows(&crate::RowsQuery { count: 9, ..Default::default() }).total, 2);
}

#[test]
fn a_move_that_is_there_leads_there_in_whatever_order() {
    let mut document = Document::new(Game::CONNECT6);
    let first = play(&mut document, NodeId::ROOT, "J10");
    let second = play(&mut document, first, "I8 H9");
    let revision = document.revision();
    let applied = document.apply(Edit::Move { node: first, squares: squares(&document, "H9 I8") });
    assert_eq!(applied.as_ref().map(|a| (a.node, a.changed)), Ok((second, false)));
    assert_eq!(document.revision(), revision);
    assert_eq!(document.moves_text(second), "J10 / I8 H9");
}

#[test]
fn further_stones_complete_a_move_in_its_node_or_beside_it() {
    let mut document = Document::new(Game::CONNECT6);
    let first = play(&mut document, NodeId::ROOT, "J10");
    let begun = play(&mut document, first, "I8");
    assert_eq!(play(&mut document, begun, "H9"), begun, "nothing follows");
    assert_eq!(undone(&document), "move H9");
    document.undo();
    assert_eq!(document.node(begun).unwrap().stones.len(), 1);
    let pass = document.apply(Edit::Pass { node: begun }).unwrap().node;
    let whole = play(&mut document, begun, "H9");
    assert_eq!(document.children(first), [begun, whole], "something follows the begun move");
    assert_eq!(document.moves_text(whole), "J10 / I8 H9");
    assert_eq!(play(&mut document, begun, "H9"), whole, "it is there already");
    assert_eq!(document.reach(pass).unwrap().position.to_move(), Color::Black);
    assert_eq!((document.turn(begun), document.turn(pass), document.turn(whole)), (2, 2, 2));
}

#[test]
fn what_is_against_the_rules_is_refused_with_a_sentence() {
    let mut document = Document::new("5,5,3,2,1".parse().unwrap());
    let first = play(&mut document, NodeId::ROOT, "A1");
    let refused = |document: &mut Document, edit: Edit| {
        let revision = document.revision();
        let error = document.apply(edit).unwrap_err().to_string();
        assert_eq!(document.revision(), revision);
        error
    };
    let refused_move = |document: &mut Document, node: NodeId, names: &str| {
        let squares = squares(document, names);
        refused(document, Edit::Move { node, squares })
    };
    let d = &mut document;
    assert_eq!(refused_move(d, NodeId::ROOT, "A1 B1"), "only 1 stone is left in this move");
    assert_eq!(refused_move(d, first, "B2 B3 B4"), "only 2 stones are left in this move");
    let taken = "no stone on A1: the square is taken by a black stone";
    assert_eq!(refused_move(d, first, "B2 A1"), taken);
    let twice = "no stone on B2: the square is taken by a white stone";
    assert_eq!(refused_move(d, first, "B2 B2"), twice);
    assert!(refused_move(d, first, "").starts_with("a move needs a stone"));
    assert_eq!(refused_move(d, NodeId(77), "B2"), "there is no node 77");
    let off = Edit::Move { node: first, squares: vec![Square::new(5, 0)] };
    assert!(refused(d, off).contains("off the board"));
    let far = Edit::Mark { node: first, square: Square::new(5, 0), kind: Some(Mark::Circle) };
    assert_eq!(refused(d, far), "F1 is off the board");
    assert!(refused(d, Edit::Delete { node: NodeId::ROOT }).contains("root"));
    assert!(refused(d, Edit::Info { key: "XX".into(), value: "a".into() }).contains("`XX`"));
    let second = play(d, first, "A5 B5");
    let third = play(d, second, "E1 E2");
    let won = play(d, third, "C5 D1");
    assert_eq!(d.reach(won).unwrap().position.winner(), Some(Color::White));
    assert_eq!(refused_move(d, won, "D4"), "the game is over: white has won");
    assert_eq!(refused(d, Edit::Pass { node: won }), "the game is over: white has won");
    let paste = Edit::Paste { node: first, record: Box::new(Record::new(Game::CONNECT6)) };
    assert!(refused(d, paste).contains("Connect(19,19,6,2,1)"));
}

#[test]
fn promotion_changes_the_order_of_siblings() {
    let mut document = Document::new(Game::CONNECT6);
    let [a, b, c] = ["J10", "J11", "J12"].map(|name| play(&mut document, NodeId::ROOT, name));
    let [d, e] = ["A1 A2", "A3 A4"].map(|names| play(&mut document, c, names));
    let mut promote = |node, how| {
        document.apply(Edit::Promote { node, how }).unwrap();
        document.children(NodeId::ROOT).to_vec()
    };
    assert_eq!(promote(c, Promotion::Up), [a, c, b]);
    assert_eq!(promote(a, Promotion::Down), [c, a, b]);
    assert_eq!(promote(b, Promotion::First), [b, c, a]);
    assert_eq!(promote(b, Promotion::Up), [b, c, a]);
    assert_eq!(promote(e, Promotion::Main), [c, b, a]);
    assert_eq!(document.children(c), [e, d]);
    assert_eq!(undone(&document), "new main line");
}

#[test]
fn a_set_up_is_the_whole_position() {
    arbtest(|u| {
        let mut document = draw_document(u)?;
        let nodes = all_nodes(&document);
        let node = *u.choose(&nodes)?;
        let game = document.game();
        let (black, white) = (draw_squares(u, game, 4)?, draw_squares(u, game, 4)?);
        let (to_move, left) = (draw_color(u)?, u.int_in_range(1..=3)?);
        let expected = sixproof_game::Position::set_up(game, &black, &white, to_move, left);
        let edit = Edit::Setup { node, black, white, to_move, left };
        match (document.apply(edit), expected) {
            (Ok(applied), Ok(expected)) => {
                assert_eq!(document.reach(applied.node).unwrap().position, expected);
            }
            (Err(EditError::Setup(error)), Err(expected)) => assert_eq!(error, expected),
            (result, expected) => panic!("{result:?} {expected:?}"),
        }
        Ok(())
    });
}

#[test]
fn what_was_cut_can_be_pasted_elsewhere() {
    let mut document = Document::new(Game::CONNECT6);
    let first = play(&mut document, NodeId::ROOT, "J10");
    let other = play(&mut document, NodeId::ROOT, "J11");
    let cut = play(&mut document, first, "I8 H9");
    let next = play(&mut document, cut, "K11 L12");
    document.apply(Edit::Comment { node: next, text: "good".into() }).unwrap();
    let record = Box::new(document.subtree_record(cut).unwrap());
    document.apply(Edit::Delete { node: cut }).unwrap();
    assert_eq!(undone(&document), "delete 2 nodes");
    let pasted = document.apply(Edit::Paste { node: other, record }).unwrap();
    assert_eq!(undone(&document), "paste 2 nodes");
    assert!(pasted.notes.is_empty(), "{:?}", pasted.notes);
    let end = document.main_line_end(pasted.node);
    assert_eq!(document.moves_text(end), "J11 / I8 H9 / K11 L12");
    assert_eq!(document.node(end).unwrap().comment, "good");
    // A text with one stone per node, pasted where the side to move has two.
    let game = Game::CONNECT6;
    let text = b"(;PB[x];W[aa];W[ab];B[ba];B[bb])";
    let options = sixproof_game::sgf::Options { game: Some(game), ..Default::default() };
    let record = Box::new(sixproof_game::sgf::read(text, &options).unwrap());
    let pasted = document.apply(Edit::Paste { node: other, record }).unwrap();
    assert_eq!(pasted.notes, [Note::FactsLeftOut(vec!["PB".to_string()])]);
    let note = pasted.notes[0].to_string();
    assert_eq!(note, "facts about the pasted game were left out: PB");
    let end = document.main_line_end(pasted.node);
    assert_eq!(document.moves_text(end), "J11 / A19 A18 / B19 B18");
}

#[test]
fn an_edit_ends_what_could_be_redone() {
    let mut document = Document::new(Game::CONNECT6);
    play(&mut document, NodeId::ROOT, "J10");
    document.undo().unwrap();
    let other = play(&mut document, NodeId::ROOT, "J11");
    let state = snapshot(&document);
    assert_eq!((document.redo(), document.redoes()), (None, None));
    assert_eq!(snapshot(&document), state);
    assert_eq!(document.children(NodeId::ROOT), [other]);
}

#[test]
fn branches_that_were_pasted_together_are_undone_together() {
    let mut document = Document::new(Game::CONNECT6);
    for first in ["J10", "J11", "J12"] {
        play(&mut document, NodeId::ROOT, first);
    }
    let record = Box::new(document.to_record());
    let before = snapshot(&document);
    document.apply(Edit::Paste { node: NodeId::ROOT, record }).unwrap();
    let after = snapshot(&document);
    assert_eq!(document.children(NodeId::ROOT).len(), 6);
    document.undo().unwrap();
    assert_eq!(snapshot(&document), before);
    document.redo().unwrap();
    assert_eq!(snapshot(&document), after);
}

#[test]
fn a_pasted_position_is_set_up_where_another_one_stands() {
    arbtest(|u| {
        let document = draw_document(u)?;
        let source = *u.choose(&all_nodes(&document))?;
        let position = document.reach(source).unwrap().position;
        let record = Box::new(Loaded::position(position.clone()).record);
        let mut target = draw_document(u)?;
        // A record without stones is a game from its beginning, and sets nothing up.
        if target.game() != document.game() || position.stones().next().is_none() {
            return Ok(());
        }
        let node = *u.choose(&all_nodes(&target))?;
        match target.apply(Edit::Paste { node, record }) {
            Err(EditError::Incomplete) => {}
            applied => {
                assert_eq!(target.reach(applied.unwrap().node).unwrap().position, position);
            }
        }
        Ok(())
    });
}

#[test]
fn results_are_no_edits() {
    let mut document = Document::new(Game::CONNECT6);
    let first = play(&mut document, NodeId::ROOT, "J10");
    document.apply(Edit::Comment { node: first, text: "a".into() }).unwrap();
    assert!(document.set_results(first, vec!["{}".to_string()]));
    assert!(!document.set_results(first, vec!["{}".to_string()]));
    document.undo();
    assert_eq!(document.node(first).unwrap().comment, "");
    assert_eq!(document.node(first).unwrap().results, ["{}"]);
    document.undo();
    document.redo();
    document.redo();
    assert_eq!(document.node(first).unwrap().results, ["{}"]);
    assert_eq!(document.node(first).unwrap().comment, "a");
}

#[test]
fn edits_are_described_in_words() {
    let mut document = Document::new(Game::CONNECT6);
    let first = play(&mut document, NodeId::ROOT, "J10");
    let node = play(&mut document, first, "I8 H9");
    let square = Square::new(0, 0);
    for (edit, words) in [
        (Edit::Comment { node, text: "x".into() }, "comment at move 2"),
        (Edit::Name { node: NodeId::ROOT, text: "x".into() }, "name at the start"),
        (Edit::Label { node, square, text: "A".into() }, "label A1 at move 2"),
        (Edit::Mark { node, square, kind: Some(Mark::Cross) }, "mark A1 at move 2"),
        (Edit::Arrow { node, from: square, to: square }, "arrow A1 A1 at move 2"),
        (Edit::Dim { node, squares: vec![square] }, "pale squares at move 2"),
        (Edit::Info { key: "PB".into(), value: "x".into() }, "fact PB"),
        (Edit::Title { text: "x".into() }, "title"),
        (Edit::Pass { node }, "pass"),
    ] {
        document.apply(edit).unwrap();
        assert_eq!(undone(&document), words);
    }
    assert_eq!(document.title(), "x");
}
