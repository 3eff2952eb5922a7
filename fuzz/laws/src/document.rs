//! The law of documents: every file that can be read becomes a document that comes back from its
//! own file; edits are made whole or refused; undo and redo lead to every state again.

use sixproof_document::{Document, Edit, NodeId, Note, Promotion, RowsQuery};
use sixproof_game::picture::Mark;
use sixproof_game::sgf::{self, Options};
use sixproof_game::{Color, Game, Record, Square};

use crate::draw::Draw;

/// What separates a file from the edits.
const SEPARATOR: u8 = 0;

/// Pieces of SGF, and edits behind a zero.
pub const WORDS: &[&str] = &[
    "(;",
    ")",
    ";B[jj]",
    ";W[ii];W[kk]",
    ";W[iikk]",
    "AB[aa:cc]",
    "AE[bb]",
    "PL[W]",
    "SXL[1]",
    "SXR[x]",
    "C[text]",
    "TR[aa]MA[bb]",
    "AR[aa:bb]",
    "DD[]",
    "ZZ[x]",
    "SZ[5]",
    "RU[connect(5,5,3,2,1)]",
    "RU[connect(inf,inf,4,2,1)]",
    "\0",
    "\0\x01\x0d\x02\x03\x03\x04\x04",
    "\x02\x0d\x02\x01\x02\x03\x04",
    "\x00\x08\x02\x01\x02\x02\x02\x01\x03\x03\x01\x02",
    "\x03\x0b",
    "\x01\x01",
    "\x02\x00",
    "\x02\x02\x03",
];

/// The law. A file, a zero, and choices of edits.
pub fn law(bytes: &[u8]) {
    let (file, choices) = match bytes.iter().position(|&byte| byte == SEPARATOR) {
        Some(at) => (&bytes[..at], &bytes[at + 1..]),
        None => (bytes, &[][..]),
    };
    let Ok(record) = sgf::read(file, &Options::default()) else { return };
    let mut document = Document::from_record(&record).document;
    assert_comes_back(&document);
    let mut states = vec![document.to_record()];
    let mut draw = Draw::new(choices);
    while !draw.is_empty() && states.len() < 64 {
        let edit = draw_edit(&mut draw, &document, &record);
        let (before, order) = (document.to_record(), numbers(&document));
        match document.apply(edit) {
            Ok(applied) => {
                assert!(document.contains(applied.node), "it leads to a node that is there");
                let now = document.to_record();
                // Two equal branches may change places.
                let has_changed = now != before || numbers(&document) != order;
                assert_eq!(has_changed, applied.changed, "what it says about the change");
                if applied.changed {
                    states.push(now);
                }
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                assert_eq!(document.to_record(), before, "a refused edit changes nothing");
            }
        }
    }
    assert_comes_back(&document);
    let rows = document.rows(&RowsQuery { count: 20, ..RowsQuery::default() });
    assert!(rows.total <= document.len() && rows.rows[0].node == NodeId::ROOT);
    for state in states.iter().rev().skip(1) {
        document.undo().expect("every edit can be undone");
        assert_eq!(document.to_record(), *state);
    }
    assert_eq!(document.undo(), None);
    for state in &states[1..] {
        document.redo().expect("every edit can be made again");
        assert_eq!(document.to_record(), *state);
    }
}

/// The nodes in their order.
fn numbers(document: &Document) -> Vec<NodeId> {
    document.below(NodeId::ROOT).collect()
}

fn assert_comes_back(document: &Document) {
    for id in document.below(NodeId::ROOT) {
        let reached = document.reach(id).expect("it is there");
        assert_eq!(document.turn(id), reached.played.last().map_or(0, |stone| stone.2));
    }
    let record = document.to_record();
    let file = sgf::from_record(&record).write();
    let read = sgf::read(&file, &Options::default()).expect("our own file can be read");
    let again = Document::from_record(&read);
    let is_about_rules = |note: &Note| matches!(note, Note::RulesDiffer { .. });
    assert!(again.notes.iter().all(is_about_rules), "{:?}", again.notes);
    assert_eq!(again.document.to_record(), record, "{}", file.escape_ascii());
}

fn draw_square(draw: &mut Draw<'_>, game: Game) -> Square {
    let last = |size: u32| if size == 0 { 9 } else { size as i32 - 1 };
    Square::new(draw.between(0, last(game.cols())), draw.between(0, last(game.rows())))
}

fn draw_squares(draw: &mut Draw<'_>, game: Game) -> Vec<Square> {
    (0..draw.below(4)).map(|_| draw_square(draw, game)).collect()
}

fn draw_edit(draw: &mut Draw<'_>, document: &Document, record: &Record) -> Edit {
    let game = document.game();
    let node = NodeId(draw.below(256) as u32 % (document.len() as u32 + 2));
    match draw.below(16) {
        0 => Edit::Pass { node },
        1 => Edit::Delete { node },
        2 => {
            let all = [Promotion::Up, Promotion::Down, Promotion::First, Promotion::Main];
            Edit::Promote { node, how: draw.pick(&all) }
        }
        3 => Edit::Comment { node, text: draw.text(8) },
        4 => Edit::Label { node, square: draw_square(draw, game), text: draw.text(4) },
        5 => {
            let all = [Mark::Triangle, Mark::Square, Mark::Circle, Mark::Cross].map(Some);
            let kind = if draw.once_in(4) { None } else { draw.pick(&all) };
            Edit::Mark { node, square: draw_square(draw, game), kind }
        }
        6 => {
            let (from, to) = (draw_square(draw, game), draw_square(draw, game));
            Edit::Arrow { node, from, to }
        }
        7 => Edit::Dim { node, squares: draw_squares(draw, game) },
        8 => Edit::Setup {
            node,
            black: draw_squares(draw, game),
            white: draw_squares(draw, game),
            to_move: if draw.flag() { Color::White } else { Color::Black },
            left: draw.below(4) as u32,
        },
        9 => Edit::Info { key: draw.pick(&["PB", "GC", "XX"]).to_string(), value: draw.text(6) },
        10 => Edit::Title { text: draw.text(6) },
        11 if document.len() < 200 => Edit::Paste { node, record: Box::new(record.clone()) },
        12 => Edit::Name { node, text: draw.text(6) },
        _ => Edit::Move { node, squares: draw_squares(draw, game) },
    }
}
