//! Links, rows and finding, against naive ones.

use arbtest::arbtest;
use sixproof_game::Position;

use super::*;
use crate::{FindQuery, Link, LinkKind, Row, Rows, RowsQuery};

/// The images of a position as lists of stones; the first is itself.
fn images(position: &Position) -> Vec<Vec<(Square, Color)>> {
    let game = position.game();
    let (cols, rows) = (game.cols() as i32, game.rows() as i32);
    let turn = |s: Square| {
        if cols == 0 { Square::new(-s.y, s.x) } else { Square::new(rows - 1 - s.y, s.x) }
    };
    let flip = |s: Square| {
        if cols == 0 { Square::new(-s.x, s.y) } else { Square::new(cols - 1 - s.x, s.y) }
    };
    let mut images = Vec::new();
    for flipped in [false, true] {
        for turns in 0..4 {
            // A board that is not square can only be turned by half.
            if cols != rows && turns % 2 == 1 {
                continue;
            }
            let map = |square: Square| {
                let mut square = if flipped { flip(square) } else { square };
                for _ in 0..turns / if cols == rows { 1 } else { 2 } {
                    square = match cols == rows {
                        true => turn(square),
                        false => Square::new(cols - 1 - square.x, rows - 1 - square.y),
                    };
                }
                square
            };
            let mut stones: Vec<_> = position.stones().map(|(s, c)| (map(s), c)).collect();
            stones.sort_by_key(|stone| stone.0);
            images.push(stones);
        }
    }
    images
}

fn shifted(stones: &[(Square, Color)]) -> Vec<(Square, Color)> {
    let x = stones.iter().map(|stone| stone.0.x).min().unwrap_or(0);
    let y = stones.iter().map(|stone| stone.0.y).min().unwrap_or(0);
    stones.iter().map(|(s, c)| (Square::new(s.x - x, s.y - y), *c)).collect()
}

fn naive_link(one: &Position, other: &Position) -> Option<LinkKind> {
    if one == other {
        return Some(LinkKind::Same);
    }
    if (one.to_move(), one.left()) != (other.to_move(), other.left()) {
        return None;
    }
    let (all, first) = (images(one), &images(other)[0]);
    let unbounded = one.game().is_unbounded();
    let same = all.iter().any(|image| match unbounded {
        true => shifted(image) == shifted(first),
        false => image == first,
    });
    same.then_some(LinkKind::Symmetric)
}

/// Adds the mirror image of the whole tree.
fn paste_mirrored(document: &mut Document) {
    let mut record = document.to_record();
    let last = document.game().cols() as i32 - 1;
    for id in 0..record.nodes().len() {
        let node = record.node_mut(id);
        for (square, _) in &mut node.setup {
            square.x = last - square.x;
        }
        for (_, square) in &mut node.stones {
            square.x = last - square.x;
        }
    }
    let _refused = document.apply(Edit::Paste { node: NodeId::ROOT, record: Box::new(record) });
}

#[test]
fn links_are_those_of_comparing_all_positions() {
    let mut found = [0; 2];
    arbtest(|u| {
        let mut document = draw_document(u)?;
        paste_mirrored(&mut document);
        let nodes = all_nodes(&document);
        let positions: Vec<Position> =
            nodes.iter().map(|&id| document.reach(id).unwrap().position).collect();
        for (i, &id) in nodes.iter().enumerate() {
            let mut expected: Vec<Link> = Vec::new();
            for (j, &node) in nodes.iter().enumerate().filter(|&(j, _)| j != i) {
                let kind = naive_link(&positions[i], &positions[j]);
                expected.extend(kind.map(|kind| Link { node, kind }));
            }
            expected.sort_by_key(|link| (link.kind, link.node));
            for link in &expected {
                found[usize::from(link.kind == LinkKind::Symmetric)] += 1;
            }
            assert_eq!(document.is_linked(id), !expected.is_empty());
            assert_eq!(document.links(id, usize::MAX), (expected, false));
        }
        Ok(())
    });
    assert!(found[0] > 0 && found[1] > 0, "{found:?}");
}

#[test]
fn other_orders_and_mirrored_moves_are_linked() {
    let mut document = Document::new(Game::CONNECT6);
    let line = |document: &mut Document, moves: &[&str]| {
        moves.iter().fold(NodeId::ROOT, |node, names| play(document, node, names))
    };
    let one = line(&mut document, &["J10", "I8 H9", "K11 L12", "A1 B1"]);
    let other = line(&mut document, &["J10", "A1 B1", "L12 K11", "H9 I8"]);
    let mirrored = line(&mut document, &["J10", "K8 L9", "I11 H12", "S1 R1"]);
    let (links, more) = document.links(one, 9);
    let expected = [(other, LinkKind::Same), (mirrored, LinkKind::Symmetric)];
    assert_eq!(links, expected.map(|(node, kind)| Link { node, kind }));
    assert!(!more && document.links(one, 1).1);
    document.apply(Edit::Delete { node: other }).unwrap();
    assert_eq!(document.links(one, 9).0.len(), 1, "deleted nodes are not there");
}

/// Rows by recursion, as the module's description has them.
fn naive_rows(
    document: &Document,
    toggled: &[NodeId],
    at: Option<NodeId>,
) -> Vec<(NodeId, u32, bool)> {
    struct Pane<'a> {
        document: &'a Document,
        toggled: &'a [NodeId],
        above: Vec<NodeId>,
        rows: Vec<(NodeId, u32, bool)>,
    }
    impl Pane<'_> {
        fn node(&mut self, id: NodeId, indent: u32) {
            let children = self.document.children(id);
            let side = &children[1.min(children.len())..];
            let inside = side.iter().any(|child| self.above.contains(child));
            let nodes: usize = side.iter().map(|&id| self.document.below(id).count()).sum();
            let usual = indent >= 3 || nodes > 500;
            let folded = !side.is_empty() && usual != self.toggled.contains(&id) && !inside;
            self.rows.push((id, indent, folded));
            if !folded {
                for &child in side {
                    self.node(child, indent + 1);
                }
            }
            if let Some(&main) = children.first() {
                self.node(main, indent);
            }
        }
    }
    let above = at.map_or_else(Vec::new, |at| document.path(at));
    let mut pane = Pane { document, toggled, above, rows: Vec::new() };
    pane.node(NodeId::ROOT, 0);
    pane.rows
}

#[test]
fn rows_are_those_of_a_naive_renderer() {
    arbtest(|u| {
        let mut document = draw_document(u)?;
        for _ in 0..3 {
            let nodes = all_nodes(&document);
            let mut toggled = Vec::new();
            for _ in 0..u.int_in_range(0..=3)? {
                toggled.push(*u.choose(&nodes)?);
            }
            let at = if u.arbitrary()? { Some(*u.choose(&nodes)?) } else { None };
            let expected = naive_rows(&document, &toggled, at);
            let (from, count) = (u.int_in_range(0..=8)?, u.int_in_range(0..=40)?);
            let query = RowsQuery { from, count, toggled, at };
            let Rows { revision, total, at: row, rows } = document.rows(&query);
            assert_eq!((revision, total), (document.revision(), expected.len()));
            let got: Vec<_> = rows.iter().map(|r| (r.node, r.indent, r.folded)).collect();
            let window: Vec<_> = expected.iter().skip(from).take(count).copied().collect();
            assert_eq!(got, window);
            assert_eq!(row, at.and_then(|at| expected.iter().position(|r| r.0 == at)));
            assert_eq!(row.is_some(), at.is_some(), "what is asked for is visible");
            for Row { node, turn, branches, linked, stones, .. } in rows {
                assert_eq!(turn, document.turn(node));
                assert_eq!(branches, document.children(node).len().saturating_sub(1));
                assert_eq!(linked, document.is_linked(node));
                assert_eq!(stones.len(), document.node(node).unwrap().stones.len());
            }
            let edit = draw_edit(u, &document)?;
            let _refused = document.apply(edit);
        }
        Ok(())
    });
}

#[test]
fn nodes_are_found_by_words_turn_square_and_position() {
    let mut document = Document::new(Game::CONNECT6);
    let first = play(&mut document, NodeId::ROOT, "J10");
    let a = play(&mut document, first, "I8 H9");
    let b = play(&mut document, first, "K8 L9");
    document.apply(Edit::Comment { node: a, text: "A GOOD Ärgernis".into() }).unwrap();
    document
        .apply(Edit::Label { node: b, square: Square::new(0, 0), text: "good".into() })
        .unwrap();
    document.apply(Edit::Name { node: first, text: "Goodness".into() }).unwrap();
    let mut find = |query: FindQuery, max: usize| document.find(&query, max, |_| true);
    let text = |text: &str| FindQuery { text: Some(text.to_string()), ..FindQuery::default() };
    assert_eq!(find(text("good"), 9), (vec![first, a, b], false));
    assert_eq!(find(text("good"), 2), (vec![first, a], true));
    assert_eq!(find(text("ÄRGER"), 9), (vec![a], false));
    let turn = FindQuery { turn: Some(2), ..FindQuery::default() };
    assert_eq!(find(turn.clone(), 9), (vec![a, b], false));
    let square = FindQuery { square: Some(Square::new(8, 7)), ..turn };
    assert_eq!(find(square, 9), (vec![a], false));
    let position = FindQuery { position: Some(b), ..FindQuery::default() };
    assert_eq!(find(position, 9), (vec![b], false), "mirrored ones are not the same");
    assert_eq!(document.find(&text("good"), 9, |id| id == b).0, [b]);
}

#[test]
fn children_have_sizes_and_labels() {
    let mut document = Document::new(Game::CONNECT6);
    let first = play(&mut document, NodeId::ROOT, "J10");
    let a = play(&mut document, first, "I8 H9");
    play(&mut document, a, "A1 A2");
    let b = play(&mut document, first, "K8 L9");
    let label =
        Edit::Label { node: first, square: squares(&document, "L9")[0], text: "best".into() };
    document.apply(label).unwrap();
    let children = document.child_list(first);
    let listed: Vec<_> = children.iter().map(|c| (c.id, c.size, c.label.as_str())).collect();
    assert_eq!(listed, [(a, 2, "a"), (b, 1, "be")]);
    assert_eq!(document.sibling(b), Some(crate::Sibling { index: 1, count: 2 }));
}
