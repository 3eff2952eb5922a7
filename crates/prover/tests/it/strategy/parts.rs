//! Places, lines and parts of a strategy.

use std::collections::BTreeSet;

use arbtest::arbtest;
use sixproof_certificate::strategy::{NodeKind, RowsQuery, Strategy, Uncut};
use sixproof_check::RootZone;
use sixproof_game::{Color, Square};
use sixproof_oracle::effort;
use sixproof_oracle::random::Random;
use sixproof_prover::board::Side;

use super::samples::{of_the_oracle, of_the_prover, suite};

#[test]
fn a_strategy_has_what_the_checker_counts() {
    let mut samples = suite();
    samples.extend(of_the_oracle(100, &mut Random(5)));
    for sample in &samples {
        let counts = sixproof_check::check_bytes(&sample.bytes).expect("verified").counts;
        let own = sample.strategy.counts();
        let replies = counts.null_replies
            + counts.semi_null_replies
            + counts.full_replies
            + counts.macro_replies;
        assert_eq!(
            [own.nodes, own.attacks, own.wins, own.defences, own.references, own.replies],
            [
                counts.nodes,
                counts.attacks,
                counts.wins,
                counts.defences,
                counts.references,
                replies
            ],
            "{}",
            sample.name
        );
    }
}

/// The proof of the root is the whole, and the checker accepts every part as a proof; a move's zone
/// has its squares and all of the zone after it.
#[test]
fn the_checker_accepts_the_proof_of_every_node() {
    let mut random = Random(6);
    let mut samples = of_the_oracle(effort(20, 60), &mut random);
    samples.extend(of_the_prover(effort(4, 10), &mut random));
    samples.extend(suite());
    let (mut over, mut parts) = (0, 0);
    for sample in &samples {
        let strategy = &sample.strategy;
        let whole = sixproof_check::check_bytes(&sample.bytes).expect("verified");
        let cut = strategy.sub_certificate(0).expect("the root is not over");
        let again = sixproof_check::check_bytes(&cut.bytes).expect("verified");
        assert_eq!(whole.zone, again.zone, "{}", sample.name);
        assert_eq!(cut.nodes, again.counts.nodes);
        for node in sample.nodes().filter(|node| *node < 300 || node % 50 == 0) {
            let cut = match strategy.sub_certificate(node) {
                Ok(cut) => cut,
                Err(error) => {
                    assert_eq!(error, Uncut::Over, "{}", sample.name);
                    over += 1;
                    continue;
                }
            };
            parts += 1;
            let zone = strategy.zone(node).expect("the checker accepts the part");
            assert!(u64::from(strategy.size(node)) >= cut.nodes);
            let Some(below) = strategy.defence(node).and_then(|node| sample.zone(node)) else {
                continue;
            };
            let squares: BTreeSet<Square> = zone.squares().iter().copied().collect();
            assert!(strategy.attack(node).iter().all(|square| squares.contains(square)));
            assert!(below.squares().iter().all(|square| squares.contains(square)));
            let levels = |zone: &sixproof_certificate::Zone| zone.segments().count();
            assert_eq!(levels(&zone), levels(&below), "{}", sample.name);
        }
    }
    assert!(parts > 1_000, "{parts} parts, {over} over");
}

#[test]
fn places_are_reached_move_by_move() {
    let mut samples = suite();
    samples.extend(of_the_oracle(50, &mut Random(7)));
    for sample in &samples {
        let strategy = &sample.strategy;
        for node in sample.nodes() {
            let place = strategy.place(node).expect("a place");
            assert_eq!(place.path.last(), Some(&node));
            assert_eq!(place.path.len(), place.line.len() + 1);
            let attacker_moves = strategy.kind(node) != NodeKind::Defence;
            let attacker = strategy.claim().attacker;
            assert_eq!(place.position.to_move() == attacker, attacker_moves);
            assert_eq!(place.position.left(), strategy.stones(node));
            let Some(parent) = strategy.parent(node) else { continue };
            let above = strategy.place(parent).expect("a place");
            assert_eq!(place.path[..place.path.len() - 1], above.path);
            let turn = place.line.last().expect("a move");
            let by = if turn.by == Side::Attacker { attacker } else { !attacker };
            let stones = |color: Color| place.position.squares_of(color).collect::<BTreeSet<_>>();
            let mut expected = above.position.squares_of(by).collect::<BTreeSet<_>>();
            expected.extend(&turn.squares);
            assert_eq!(stones(by), expected, "{}", sample.name);
        }
        assert_eq!(strategy.place(strategy.counts().nodes as u32), None);
    }
}

#[test]
fn the_best_line_is_the_longest_of_all() {
    let mut samples = suite();
    samples.extend(of_the_oracle(50, &mut Random(8)));
    for sample in &samples {
        let strategy = &sample.strategy;
        // From the last node to the first; only references lead back.
        for node in sample.nodes() {
            let line = strategy.best_line(node);
            assert_eq!(line.len() as u32, strategy.height(node), "{}", sample.name);
            let below = match strategy.kind(node) {
                NodeKind::Win => 1,
                NodeKind::Attack => 1 + strategy.height(strategy.defence(node).expect("a defence")),
                NodeKind::Defence => {
                    let heights = strategy.replies(node).map(|reply| strategy.height(reply.node));
                    heights.max().map_or(0, |height| height + 1)
                }
            };
            assert_eq!(strategy.height(node), below, "{}", sample.name);
        }
    }
}

/// Unchecked bytes: the walk refuses them, or gives some answer to every question.
#[test]
fn damaged_certificates_can_be_walked_without_a_panic() {
    let samples: Vec<Vec<u8>> =
        suite().into_iter().map(|s| s.bytes).filter(|bytes| bytes.len() < 2_000).collect();
    let (mut good, mut bad) = (0, 0);
    // Until all kinds came up, however slow the machine is.
    while good <= 50 || bad <= 50 {
        arbtest(|u| {
            let mut bytes = u.choose(&samples)?.clone();
            for _ in 0..u.int_in_range(1..=3)? {
                let at = u.choose_index(bytes.len())?;
                match u.int_in_range(0..=4)? {
                    0 => bytes[at] = u.arbitrary()?,
                    1 => drop(bytes.remove(at)),
                    2 => bytes[at] = *u.choose(b"0123456789")?,
                    3 => bytes[at] = *u.choose(b"ABCDEF")?,
                    _ => bytes.insert(at, *u.choose(b" \n#ADWR@=~019,-")?),
                }
            }
            let Ok(strategy) = Strategy::read(&bytes) else {
                bad += 1;
                return Ok(());
            };
            good += 1;
            let nodes = strategy.counts().nodes as u32;
            let opened: Vec<u32> = (0..nodes).collect();
            strategy.rows(RowsQuery { from: 0, count: 50, opened: &opened, at: Some(nodes - 1) });
            for node in 0..nodes {
                strategy.place(node);
                strategy.best_line(node);
                let zone =
                    strategy.sub_certificate(node).ok().map(|cut| cut.zone(&RootZone::default()));
                let zone = zone.map(std::sync::Arc::new);
                let squares = [Square::new(0, 0), Square::new(u.int_in_range(0..=9)?, 1)];
                let _ = strategy.answer(node, &squares[..1], &squares[1..], &mut |_| zone.clone());
                let _ = strategy.answer(node, &[], &squares, &mut |_| None);
            }
            Ok(())
        })
        .budget_ms(1_000)
        .run();
    }
}

#[test]
fn what_cannot_be_a_strategy_is_refused() {
    let header = "sixproof-certificate 1 game 9 9 5 2 1 attacker black black white C3 ";
    for (body, message) in [
        ("to-move black 1 D 0", "the other side"),
        ("to-move white 1 W A1", "the other side"),
        ("to-move black 1 A A1 W A2", "the other side"),
        ("to-move white 1 D 1 R D 0", "the other side"),
        ("to-move black 1 @ A A1 D 1 R = 0", "refers to itself"),
        ("to-move black 1 @ = 0", "refers to itself"),
    ] {
        let error = Strategy::read(format!("{header}{body}").as_bytes()).expect_err(body);
        assert!(error.to_string().contains(message), "{body}: {error}");
    }
}
