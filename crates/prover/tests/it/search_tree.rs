//! Looks at the tree of a search: they obey the rules of proof numbers, and change nothing.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use sixproof_certificate::Claim;
use sixproof_game::{Color, Game, Position, Square};
use sixproof_oracle::effort;
use sixproof_prover::board::Side;
use sixproof_prover::prove::{
    NodeState, Options, Outcome, Report, SearchNode, SearchTree, ZoneRule, prove,
};
use sixproof_prover::search_tree::SEARCH_NODES_MAX;

/// Connect6 positions: one that a quiet move wins, one in which White moves, and one without a win;
/// and a small board on which much is refuted.
fn starts() -> Vec<Position> {
    let set_up = |black: &[(i32, i32)], white: &[(i32, i32)], to_move| {
        let list = |squares: &[(i32, i32)]| -> Vec<Square> {
            squares.iter().map(|&(x, y)| Square::new(x, y)).collect()
        };
        Position::set_up(Game::CONNECT6, &list(black), &list(white), to_move, 2).expect("possible")
    };
    vec![
        set_up(&[(9, 9), (9, 11), (10, 10)], &[(2, 2), (16, 3)], Color::Black),
        set_up(&[(9, 9), (9, 11), (10, 10)], &[], Color::White),
        set_up(&[(9, 9)], &[(5, 9), (13, 9)], Color::Black),
        Position::new("5,5,4,1,1".parse().expect("a game")),
    ]
}

fn options(zones: ZoneRule, snapshot_every: u64) -> Options {
    let options = Options { nodes_max: 60_000, zones, ..Options::default() };
    Options { first_look: 10_000, snapshot_every, ..options }
}

fn looks(start: &Position, options: &Options) -> (Report, Vec<Arc<SearchTree>>) {
    let mut looks = Vec::new();
    let report = prove(&Claim::new(start, Color::Black), options, &mut |progress| {
        looks.extend(progress.tree.clone());
        ControlFlow::Continue(())
    });
    (report, looks)
}

#[test]
fn a_search_that_is_looked_at_finds_the_same() {
    let mut proved = 0;
    for start in starts().into_iter().step_by(effort(2, 1)) {
        for zones in [ZoneRule::Segment, ZoneRule::O2] {
            let (unseen, none) = looks(&start, &options(zones, 0));
            let (seen, some) = looks(&start, &options(zones, 100));
            assert!(none.is_empty() && !some.is_empty());
            assert_eq!(unseen.counts, seen.counts);
            assert_eq!(unseen.unsolved, seen.unsolved);
            match (unseen.outcome, seen.outcome) {
                (
                    Outcome::Proved { certificate: a, .. },
                    Outcome::Proved { certificate: b, .. },
                ) => {
                    proved += 1;
                    assert!(a == b);
                }
                (a, b) => assert_eq!(std::mem::discriminant(&a), std::mem::discriminant(&b)),
            }
        }
    }
    assert!(proved > 0);
}

fn children(tree: &SearchTree, parent: usize) -> impl Iterator<Item = &SearchNode> {
    tree.nodes.iter().filter(move |node| node.parent == Some(parent))
}

#[test]
fn looks_are_trees_that_obey_the_rules_of_proof_numbers() {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for start in starts() {
        for zones in [ZoneRule::Segment, ZoneRule::O2] {
            let (_, looks) = looks(&start, &options(zones, 2_000));
            for tree in &looks {
                check_shape(tree, &start, &mut seen);
                for (index, node) in tree.nodes.iter().enumerate() {
                    check_numbers(tree, index, node, &mut seen);
                }
            }
        }
    }
    for what in ["open", "proved", "refuted", "hidden", "full", "attacker", "defender"] {
        assert!(seen.get(what).is_some_and(|&n| n > 10), "{what}: {seen:?}");
    }
}

fn check_shape(tree: &SearchTree, start: &Position, seen: &mut BTreeMap<&str, usize>) {
    assert!(!tree.nodes.is_empty() && tree.nodes.len() <= SEARCH_NODES_MAX);
    assert!(tree.nodes.len() as u64 <= tree.size);
    *seen.entry("full").or_default() += usize::from(tree.nodes.len() == SEARCH_NODES_MAX);
    for (index, node) in tree.nodes.iter().enumerate() {
        assert_eq!(node.parent.is_none(), index == 0);
        if let Some(parent) = node.parent {
            assert!(parent < index);
            assert_ne!(tree.nodes[parent].by, node.by);
            assert!(!node.critical || tree.nodes[parent].critical);
        }
    }
    // The critical line is one line from the root on.
    let critical: Vec<usize> =
        (0..tree.nodes.len()).filter(|&index| tree.nodes[index].critical).collect();
    assert_eq!(critical.first(), Some(&0));
    for pair in critical.windows(2) {
        assert_eq!(tree.nodes[pair[1]].parent, Some(pair[0]));
    }
    // The moves of a line are on different squares that were empty.
    let last = critical.last().copied();
    let line = std::iter::successors(last, |&index| tree.nodes[index].parent);
    let mut squares: Vec<Square> = line.flat_map(|i| tree.nodes[i].squares.clone()).collect();
    assert!(squares.iter().all(|&square| start.at(square).is_none()));
    let count = squares.len();
    squares.sort();
    squares.dedup();
    assert_eq!(squares.len(), count);
}

fn check_numbers(
    tree: &SearchTree,
    index: usize,
    node: &SearchNode,
    seen: &mut BTreeMap<&str, usize>,
) {
    let (state, expected) = match node.state {
        NodeState::Proved => ("proved", (Some(0), None)),
        NodeState::Refuted => ("refuted", (None, Some(0))),
        NodeState::Open | NodeState::Running => {
            assert!(node.proof.is_some_and(|n| n > 0) && node.disproof.is_some_and(|n| n > 0));
            ("open", (node.proof, node.disproof))
        }
    };
    *seen.entry(state).or_default() += 1;
    assert_eq!((node.proof, node.disproof), expected, "{node:?}");
    let below: Vec<&SearchNode> = children(tree, index).collect();
    if node.hidden > 0 || below.is_empty() {
        *seen.entry("hidden").or_default() += usize::from(node.hidden > 0);
        return;
    }
    let proofs = || below.iter().map(|child| child.proof.unwrap_or(u32::MAX));
    let disproofs = || below.iter().map(|child| child.disproof.unwrap_or(u32::MAX));
    match (node.by, node.state) {
        // After Defender's move Attacker chooses; one move that wins is enough.
        (Side::Defender, NodeState::Proved) => assert!(proofs().any(|n| n == 0)),
        (Side::Defender, NodeState::Refuted) => assert!(proofs().all(|n| n == u32::MAX)),
        (Side::Defender, _) => {
            assert!(proofs().all(|n| n > 0), "{node:?}");
            *seen.entry("defender").or_default() += 1;
        }
        // After Attacker's move every reply must be won.
        (Side::Attacker, NodeState::Proved) => assert!(proofs().all(|n| n == 0), "{node:?}"),
        (Side::Attacker, NodeState::Refuted) => assert!(proofs().any(|n| n == u32::MAX)),
        (Side::Attacker, _) => {
            assert!(proofs().all(|n| n < u32::MAX), "{node:?}");
            // Numbers of the search over quiet moves are quarters, rounded up.
            let sum: u64 = proofs().map(u64::from).sum();
            assert!(u64::from(node.proof.unwrap_or(0)) + below.len() as u64 >= sum, "{node:?}");
            let least = disproofs().filter(|&n| n < u32::MAX).min();
            assert!(least.is_none_or(|least| node.disproof == Some(least)), "{node:?}");
            *seen.entry("attacker").or_default() += 1;
        }
    }
    // Better children stand before others.
    if node.by == Side::Defender {
        assert!(proofs().collect::<Vec<_>>().is_sorted(), "{node:?}");
    }
}
