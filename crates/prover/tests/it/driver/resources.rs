//! Threads, memory, and watchers.

use sixproof_certificate::Claim;
use sixproof_game::{Color, Game, Position};
use sixproof_prover::prove::{Options, Outcome, prove};
use sixproof_prover::stop::break_if;

use super::claims::{LONGER, QUICK, certificate, options};

const NODES_MAX: u64 = 1_000_000;

#[test]
fn the_number_of_threads_changes_no_verdict() {
    for claim in QUICK {
        for threads in [2, 3] {
            let report = claim.prove(&Options { threads, ..options(NODES_MAX) });
            assert!(certificate(&report).is_some(), "{threads} threads: {claim:?}");
        }
    }
}

#[test]
fn one_thread_does_the_same_every_time() {
    for claim in QUICK {
        let [first, again] = [(); 2].map(|()| claim.prove(&options(NODES_MAX)));
        assert_eq!(format!("{first:?}"), format!("{again:?}"), "{claim:?}");
    }
}

/// The tree of this claim takes 45,000 bytes. With less room the search takes longer, or reports
/// that it has no room.
#[test]
fn little_memory_is_enough_or_is_reported() {
    let mut out_of_memory = 0;
    for (memory_max, threads) in [(40_000, 1), (30_000, 2), (20_000, 1), (10_000, 1), (0, 3)] {
        let options = Options { memory_max, threads, ..options(200_000) };
        let report = LONGER.prove(&options);
        let proved = certificate(&report).is_some();
        println!("{memory_max}: {proved} {} {}", report.out_of_memory, report.counts.nodes);
        assert!(proved || report.out_of_memory || report.counts.nodes >= 200_000);
        assert!(!(proved && report.out_of_memory));
        out_of_memory += u32::from(report.out_of_memory);
    }
    assert!(out_of_memory > 0);
}

#[test]
fn who_watches_can_end_it() {
    for threads in [1, 2, 3] {
        let options = Options { threads, nodes_max: u64::MAX / 2, ..Options::default() };
        let mut last = 0;
        let report = prove(
            &Claim::new(&Position::new(Game::CONNECT6), Color::Black),
            &options,
            &mut |progress| {
                last = progress.order;
                break_if(progress.order == 3 && progress.nodes > 5_000)
            },
        );
        assert_eq!(last, 3);
        assert!(matches!(report.outcome, Outcome::Unknown));
        assert!(!report.out_of_memory);
    }
}
