//! Our own form of a record, as the module above describes it.

use super::dialect::{GAME, INFO_KEYS, MARKS, RESULT, STONES_LEFT};
use super::normal::normal_form;
use super::point::point;
use super::tree::Collection;
use crate::record::Node;
use crate::{Color, Game, NodeId, Record, Square, rules};

/// The canonical file of a record. It keeps what [`normal_form`] keeps.
pub fn from_record(record: &Record) -> Collection {
    let record = normal_form(record);
    let mut collection = Collection::new();
    let root = collection.add_tree();
    head(&mut collection, root, &record);
    for (id, node) in record.nodes().iter().enumerate() {
        // Nodes of the normal form are in the order of the file, and so get the same numbers.
        let id = node.parent().map_or(id, |parent| collection.add(parent));
        body(&mut collection, id, record.game, node);
    }
    collection
}

/// The properties that identify the file, and the facts about the game.
fn head(collection: &mut Collection, root: NodeId, record: &Record) {
    let game = record.game;
    let five = (game.k(), game.p(), game.q()) == (5, 1, 1);
    let program = concat!("sixproof:", env!("CARGO_PKG_VERSION"));
    push(collection, root, "FF", "4");
    push(collection, root, "GM", if five { "4" } else { "511" });
    push(collection, root, "CA", "UTF-8");
    push(collection, root, "AP", program);
    match (game.cols(), game.rows()) {
        (0, 0) => {}
        (cols, rows) if cols == rows => push(collection, root, "SZ", &cols.to_string()),
        (cols, rows) => push(collection, root, "SZ", &format!("{cols}:{rows}")),
    }
    let (other, facts) = match record.info.split_first() {
        Some(((key, text), facts)) if key == rules::RULES => (Some(text), facts),
        _ => (None, &record.info[..]),
    };
    // The rules of another game stay; then the game has a property of its own.
    if let Some(text) = other {
        push(collection, root, rules::RULES, text);
    }
    push(collection, root, other.map_or(rules::RULES, |_| GAME), &rules_of(game));
    for (key, text) in facts {
        debug_assert!(INFO_KEYS.contains(&key.as_str()), "the normal form has only these");
        push(collection, root, key, text);
    }
}

fn rules_of(game: Game) -> String {
    let (k, p, q) = (game.k(), game.p(), game.q());
    let exact = if game.exact() { ",exact" } else { "" };
    match game.is_unbounded() {
        true => format!("connect(inf,inf,{k},{p},{q}{exact})"),
        false => format!("connect({},{},{k},{p},{q}{exact})", game.cols(), game.rows()),
    }
}

fn body(collection: &mut Collection, id: NodeId, game: Game, node: &Node) {
    let name = |square: Square| point(game, square).into_bytes();
    for (ident, content) in [("AB", Some(Color::Black)), ("AW", Some(Color::White)), ("AE", None)] {
        let squares = node.setup.iter().filter(|s| s.1 == content).map(|s| name(s.0));
        list(collection, id, ident, squares.collect());
    }
    if let Some(player) = node.player {
        push(collection, id, "PL", letter(player));
    }
    if let Some(left) = node.left {
        push(collection, id, STONES_LEFT, &left.to_string());
    }
    for &(color, square) in &node.stones {
        list(collection, id, letter(color), vec![name(square)]);
    }
    if !node.name.is_empty() {
        push(collection, id, "N", &node.name);
    }
    if !node.comment.is_empty() {
        push(collection, id, "C", &node.comment);
    }
    let label = |(square, text): &(Square, String)| {
        let text = collection.charset().encode_second(text).expect("UTF-8 has all characters");
        [name(*square), text].join(&b':')
    };
    let labels = node.labels.iter().map(label).collect();
    list(collection, id, "LB", labels);
    for (ident, kind) in MARKS {
        let squares = node.marks.iter().filter(|mark| mark.1 == kind).map(|mark| name(mark.0));
        list(collection, id, ident, squares.collect());
    }
    let arrow = |&(from, to): &(Square, Square)| [name(from), name(to)].join(&b':');
    list(collection, id, "AR", node.arrows.iter().map(arrow).collect());
    list(collection, id, "DD", node.dimmed.iter().map(|&square| name(square)).collect());
    for result in &node.results {
        push(collection, id, RESULT, result);
    }
    for (ident, values) in &node.other {
        list(collection, id, ident, values.clone());
    }
}

fn letter(color: Color) -> &'static str {
    match color {
        Color::Black => "B",
        Color::White => "W",
    }
}

fn push(collection: &mut Collection, id: NodeId, ident: &str, text: &str) {
    collection.push(id, ident, &[text]).expect("UTF-8 has all characters");
}

fn list(collection: &mut Collection, id: NodeId, ident: &str, values: Vec<Vec<u8>>) {
    if !values.is_empty() {
        collection.push_raw(id, ident, values);
    }
}
