//! The proof as a list: windows are windows of the full list.

use std::collections::BTreeSet;

use sixproof_certificate::strategy::{
    NodeId, NodeKind, ROWS_MAX, ReplyRow, RowKind, RowsQuery, Strategy,
};
use sixproof_oracle::random::Random;

use super::samples::{Sample, of_the_oracle, suite};

/// All rows, by the definition.
fn all_rows(strategy: &Strategy, opened: &BTreeSet<NodeId>) -> Vec<(NodeId, u32, RowKind)> {
    let mut rows = Vec::new();
    let mut todo = vec![(0, 0, RowKind::Root)];
    while let Some((node, indent, kind)) = todo.pop() {
        rows.push((node, indent, kind));
        if opened.contains(&node) {
            let defence = match strategy.kind(node) {
                NodeKind::Defence => Some(node),
                _ => strategy.defence(node),
            };
            let replies: Vec<_> = defence.iter().flat_map(|&d| strategy.replies(d)).collect();
            let below = replies.iter().rev();
            todo.extend(below.map(|r| (r.node, indent + 1, RowKind::Reply(r.kind))));
        }
    }
    rows
}

fn key(row: &ReplyRow) -> (NodeId, u32, RowKind) {
    (row.node, row.indent, row.kind)
}

#[test]
fn every_window_is_a_window_of_the_whole_list() {
    let mut random = Random(4);
    let mut samples = suite();
    samples.extend(of_the_oracle(60, &mut random));
    let mut longest = 0;
    for sample in &samples {
        for round in 0..20 {
            let percent = *random.pick(&[0, 10, 50, 90, 100]);
            let mut opened: BTreeSet<NodeId> =
                sample.nodes().filter(|_| random.chance(percent)).collect();
            let at = random.chance(50).then(|| random.below(sample.nodes().count()) as NodeId);
            let list: Vec<NodeId> = opened.iter().copied().collect();
            // The rows above the wanted node are opened.
            if let Some(at) = at {
                let path = sample.strategy.place(at).expect("a place").path;
                let mut rows: Vec<NodeId> = path.clone();
                rows.retain(|&n| n == 0 || sample.strategy.kind(n) != NodeKind::Defence);
                rows.pop();
                opened.extend(rows);
            }
            let all = all_rows(&sample.strategy, &opened);
            longest = longest.max(all.len());
            let from = random.below(all.len() + 3);
            let count = random.below(12) + round % 2 * ROWS_MAX;
            let query = RowsQuery { from: from as u64, count, opened: &list, at };
            let rows = sample.strategy.rows(query);
            assert_eq!(rows.total, all.len() as u64, "{}", sample.name);
            let expected: Vec<_> =
                all.iter().skip(from).take(count.min(ROWS_MAX)).copied().collect();
            let window: Vec<_> = rows.rows.iter().map(key).collect();
            assert_eq!(window, expected, "{}", sample.name);
            for row in &rows.rows {
                check_row(sample, row, &opened);
            }
            assert_eq!(rows.at.is_some(), at.is_some());
            if let (Some(at), Some(row)) = (at, rows.at) {
                let node = all[row as usize].0;
                let wanted = match sample.strategy.kind(at) {
                    NodeKind::Defence => sample.strategy.parent(at).unwrap_or(0),
                    _ => at,
                };
                assert_eq!(node, wanted, "{}", sample.name);
            }
        }
    }
    assert!(longest > 500, "{longest}");
}

fn check_row(sample: &Sample, row: &ReplyRow, opened: &BTreeSet<NodeId>) {
    let strategy = &sample.strategy;
    assert_eq!(row.answer, strategy.attack(row.node));
    assert_eq!(row.folded, row.replies > 0 && !opened.contains(&row.node));
    assert_eq!((row.size, row.depth), (strategy.size(row.node), strategy.height(row.node)));
    assert_eq!(row.kind == RowKind::Root, row.indent == 0);
}

/// Doubled at every level, a list soon has more rows than memory could hold.
#[test]
fn a_list_of_shared_nodes_without_end_has_windows() {
    let mut text = String::from(
        "sixproof-certificate 1 game 59 59 6 2 1 attacker black black white to-move black 1 ",
    );
    for _ in 0..70 {
        text.push_str("@ A A1 D 2 R B1 ");
    }
    text.push_str("@ W A1");
    for mark in (1..=70).rev() {
        text.push_str(&format!(" R C1 = {mark}"));
    }
    let strategy = Strategy::read(text.as_bytes()).expect("well formed");
    let opened: Vec<NodeId> = (0..strategy.counts().nodes as NodeId).collect();
    let query = RowsQuery { from: 1 << 60, count: 5, opened: &opened, at: Some(140) };
    let rows = strategy.rows(query);
    assert_eq!((rows.total, rows.rows.len(), rows.at), (u64::MAX, 5, Some(70)));
    assert_eq!(strategy.size(0), u32::MAX);
    let cut = strategy.sub_certificate(0).expect("it fits");
    assert_eq!(cut.nodes, strategy.counts().nodes);
}
