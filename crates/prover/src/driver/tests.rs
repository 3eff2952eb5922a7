//! Tests of the tree of jobs, which do the jobs themselves and shrink the tree in between.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use sixproof_game::{Color, Game, Position, Square};

use super::numbers::INFINITE;
use super::*;
use crate::board::General;
use sixproof_certificate::{Claim, Writer};

/// Settings that leave almost all work to the driver, so that its tree becomes large.
fn settings() -> Settings {
    let least = Budget { reply_nodes: 3, forced: [3, 3], answer_order: 1 };
    Settings {
        solve_nodes: 100,
        screening: Some(least),
        verification: least,
        ..Settings::new(3, Switches::ALL)
    }
}

/// An empty board of six by six squares, on which four in a row is a win for Black.
fn start() -> (Driver<General>, Worker<General>, Game) {
    let game: Game = "6,6,4,1,1".parse().unwrap();
    let driver = Driver::new(Board::new(General::new(game), 6, 6), settings(), true, 1);
    let worker = driver.worker(Limits::new(3, u64::MAX));
    (driver, worker, game)
}

/// Does some jobs; whether more are left.
fn work(driver: &mut Driver<General>, worker: &mut Worker<General>, jobs: usize) -> bool {
    for _ in 0..jobs {
        let Some(ticket) = driver.next_job() else { return false };
        let answer = worker.perform(&ticket.job, &mut |_| ControlFlow::Continue(()));
        let nodes = std::mem::take(&mut worker.counts).nodes;
        driver.finish(&ticket, answer, nodes);
    }
    true
}

/// Asserts that parents and children name each other, and that every node has one parent.
fn assert_whole(driver: &Driver<General>) {
    let (mut ors, mut ands) = (BTreeSet::from([0]), BTreeSet::new());
    let mut stack = vec![0u32];
    while let Some(or) = stack.pop() {
        for &and in &driver.ors[or as usize].children {
            assert_eq!(driver.ands[and as usize].parent, or);
            assert!(ands.insert(and), "two parents");
            for &child in &driver.ands[and as usize].children {
                assert_eq!(driver.ors[child as usize].parent, Some(and));
                assert!(ors.insert(child), "two parents");
                stack.push(child);
            }
        }
    }
    assert_eq!((ors.len(), ands.len()), (driver.ors.len(), driver.ands.len()), "lost nodes");
    assert_eq!(driver.ors[0].parent, None);
}

/// All numbers, by the moves that lead to the nodes.
fn numbers_of(driver: &Driver<General>) -> BTreeMap<Vec<Vec<Sq>>, Numbers> {
    let mut numbers = BTreeMap::new();
    let mut stack = vec![(0u32, Vec::new())];
    while let Some((or, line)) = stack.pop() {
        numbers.insert(line.clone(), driver.ors[or as usize].numbers);
        for &and in &driver.ors[or as usize].children {
            let and = &driver.ands[and as usize];
            let line = [&line[..], std::slice::from_ref(&and.attack)].concat();
            numbers.insert(line.clone(), and.numbers);
            for &child in &and.children {
                let reply = driver.ors[child as usize].reply.clone();
                stack.push((child, [&line[..], &[reply]].concat()));
            }
        }
    }
    numbers
}

/// Asserts that the checker accepts the proof.
fn assert_proved(driver: &Driver<General>, game: Game) {
    let claim = Claim { position: Position::new(game), attacker: Color::Black };
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, &claim).unwrap();
    let name = |square: Sq| Square::new(i32::from(square) % 6, i32::from(square) / 6);
    driver.won().expect("a proof").proof.write(&mut writer, &name).unwrap();
    writer.finish().unwrap();
    let checked = sixproof_check::check_bytes(&bytes);
    assert!(checked.is_ok(), "{checked:?}");
}

#[test]
fn what_cannot_be_reached_goes_first_and_changes_nothing() {
    let (mut driver, mut worker, game) = start();
    let (mut other, mut other_worker, _) = start();
    let mut dropped = 0;
    while work(&mut driver, &mut worker, 20) {
        let (before, bytes, nodes) = (numbers_of(&driver), driver.bytes(), driver.ors.len());
        driver.collect(u64::MAX);
        assert_whole(&driver);
        assert!(numbers_of(&driver) == before);
        assert!(driver.bytes() <= bytes);
        dropped += nodes - driver.ors.len();
        work(&mut other, &mut other_worker, 20);
        assert_eq!(driver.numbers(), other.numbers());
    }
    assert!(dropped > 0);
    assert_proved(&driver, game);
    work(&mut other, &mut other_worker, 20);
    assert_eq!(driver.won().unwrap().proof, other.won().expect("a proof, too").proof);
}

#[test]
fn subtrees_are_dropped_but_numbers_and_proofs_stay() {
    let (mut driver, mut worker, game) = start();
    let mut collections = 0;
    while work(&mut driver, &mut worker, 60) {
        assert!(collections < 100, "the search gets nowhere");
        let before = numbers_of(&driver);
        let (won, proof_bytes) = (driver.won.len(), driver.proof_bytes);
        let bytes_max = proof_bytes + (driver.bytes() - proof_bytes) / 2;
        driver.collect(bytes_max);
        collections += 1;
        assert_whole(&driver);
        assert!(driver.bytes() <= bytes_max);
        let after = numbers_of(&driver);
        assert!(after.len() < before.len());
        assert!(after.iter().all(|(line, numbers)| before[line] == *numbers));
        assert_eq!((driver.won.len(), driver.proof_bytes), (won, proof_bytes));
        // A move without its replies nearly keeps its proof number when that is recomputed.
        for and in 0..driver.ands.len() as u32 {
            let before = driver.ands[and as usize].numbers.proof;
            driver.update_and(and);
            let after = driver.ands[and as usize].numbers.proof;
            assert!(
                after == before || before != INFINITE && (before..=before + 1).contains(&after)
            );
        }
    }
    assert!(collections > 2, "{collections}");
    assert_proved(&driver, game);
}

#[test]
fn everything_can_be_dropped_but_the_root() {
    let (mut driver, mut worker, game) = start();
    work(&mut driver, &mut worker, 300);
    let won = driver.won.len();
    driver.collect(0);
    assert_whole(&driver);
    assert_eq!(driver.ors.len(), 1);
    assert!(won > 0 && driver.won.len() == won);
    // The driver knows a won position when it comes up again.
    let before = driver.counts()[0];
    while work(&mut driver, &mut worker, 100) {}
    assert_proved(&driver, game);
    let (mut fresh, mut worker, _) = start();
    while work(&mut fresh, &mut worker, 100) {}
    assert!(driver.counts()[0] - before < fresh.counts()[0]);
}

/// Bytes with a valid checksum that are not an answer: taken squares, other kinds of work.
#[test]
fn answers_that_cannot_be_are_not_recalled() {
    let (_, worker, _) = start();
    let verify = Task::Verify {
        order: 3,
        budget: settings().verification,
        given: Vec::new(),
        hopeless: Vec::new(),
        unsolved_max: 8,
    };
    let jobs = [
        Job { path: vec![vec![14]], work: verify },
        Job { path: vec![], work: Task::Solve { order: 2, nodes: 100 } },
    ];
    let unsolved = |replies: &[&[Sq]]| JobAnswer::Unsolved {
        replies: replies.iter().map(|reply| reply.to_vec()).collect(),
        complete: true,
        forcing: false,
    };
    let answers = [
        (unsolved(&[&[15], &[]]), [true, false]),
        (unsolved(&[&[15], &[14]]), [false; 2]),
        (unsolved(&[&[15, 15]]), [false; 2]),
        (unsolved(&[]), [false; 2]),
        (JobAnswer::Unknown, [false, true]),
        (JobAnswer::Refuted, [true; 2]),
    ];
    for (answer, expected) in answers {
        let recalled = jobs.each_ref().map(|job| {
            let key = worker.key(job).expect("worth remembering");
            let bytes = codec::encode(&key, &answer, 1);
            worker.recall(job, &key, &bytes).is_some()
        });
        assert_eq!(recalled, expected, "{answer:?}");
    }
}

/// Several jobs at once, answered in any order: each begins once, the flag at the root says whether
/// a job can begin, and a job that is called pointless changes nothing.
#[test]
fn flags_keep_workers_apart_and_never_hide_work() {
    for (seed, policy) in (1..).zip(Policy::ALL) {
        let (driver, mut worker, game) = start();
        let settings = Settings { policy, ..settings() };
        let mut driver = Driver { settings, ..driver };
        let (mut seed, mut open, mut dropped): (u64, Vec<Ticket>, usize) = (seed, Vec::new(), 0);
        while driver.won().is_none() {
            let wanted = 1 + mix_below(&mut seed, 30);
            while open.len() < wanted {
                let is_busy = driver.ors[0].busy;
                let Some(ticket) = driver.next_job() else {
                    assert!(is_busy || driver.is_exhausted());
                    break;
                };
                assert!(!is_busy, "the flag hides a job");
                assert!(open.iter().all(|other| other.node != ticket.node), "begun twice");
                assert!(!driver.is_pointless(&ticket));
                open.push(ticket);
            }
            assert!(!open.is_empty(), "{policy:?}: nothing is left to do");
            let ticket = open.swap_remove(mix_below(&mut seed, open.len()));
            let mut left = Vec::new();
            let answer = worker.perform(&ticket.job, &mut |progress| {
                if let JobProgress::Unsolved(reply) = progress {
                    left.push(reply.to_vec());
                }
                ControlFlow::Continue(())
            });
            // Partial results may arrive before other jobs begin, or be lost.
            if mix_below(&mut seed, 2) == 0 {
                left.into_iter().for_each(|reply| driver.found(&ticket, reply));
                open.extend(driver.next_job());
            }
            let nodes = std::mem::take(&mut worker.counts).nodes;
            driver.finish(&ticket, answer, nodes);
            let may_be_pointless = driver.has_pointless();
            let (pointless, rest): (Vec<Ticket>, _) =
                open.into_iter().partition(|job| driver.is_pointless(job));
            assert!(may_be_pointless || pointless.is_empty(), "a pointless job goes on");
            open = rest;
            for ticket in &pointless {
                let before = driver.numbers();
                driver.finish(ticket, None, 0);
                assert_eq!(driver.numbers(), before, "it did not matter");
            }
            dropped += pointless.len();
            assert_consistent(&driver);
            assert_eq!(driver.ors[0].under_way as usize, open.len());
        }
        assert!(dropped > 0, "{policy:?}: nothing became pointless");
        assert_proved(&driver, game);
    }
}

fn mix_below(seed: &mut u64, below: usize) -> usize {
    (sixproof_game::repeatable::mix(seed) >> 33) as usize % below
}

/// Asserts that the flags of all reachable nodes are those that a recomputation gives.
fn assert_consistent(driver: &Driver<General>) {
    let mut stack = vec![0u32];
    while let Some(or) = stack.pop() {
        assert_eq!(driver.ors[or as usize].busy, driver.is_or_busy(or));
        for &and in &driver.ors[or as usize].children {
            assert_eq!(driver.ands[and as usize].busy, driver.is_and_busy(and));
            stack.extend(&driver.ands[and as usize].children);
        }
    }
}
