//! Improvements change the effort, never the verdict.

use sixproof_game::Color;
use sixproof_oracle::effort;
use sixproof_prover::prove::{NoJournal, Options, Switches};

use super::claims::{LONGER, QUICK, certificate, options};

/// Far more than any of the quick claims takes with everything on.
const NODES_MAX: u64 = 1_000_000;

/// Everything on, and everything but one improvement.
fn variants() -> Vec<(&'static str, Options)> {
    let all = Switches::ALL;
    let switched = [
        ("all", all),
        ("no dual", Switches { dual: false, ..all }),
        ("no posthoc", Switches { posthoc: false, ..all }),
        ("no mirrored", Switches { mirrored: false, ..all }),
        ("no reuse", Switches { reuse: false, ..all }),
        ("no winners", Switches { winners: false, ..all }),
        ("no screening", Switches { screening: false, ..all }),
    ];
    let mut variants: Vec<(&str, Options)> = switched
        .into_iter()
        .map(|(name, switches)| (name, Options { switches, ..options(NODES_MAX) }))
        .collect();
    variants.push(("no mutual", Options { mutual: false, ..options(NODES_MAX) }));
    variants.push(("no grouped", Options { grouped: false, ..options(NODES_MAX) }));
    variants
}

#[test]
fn each_improvement_can_be_missed() {
    for (name, options) in variants() {
        let mut nodes = 0;
        for claim in QUICK.iter().step_by(effort(3, 1)) {
            let report = claim.prove(&options);
            assert!(certificate(&report).is_some(), "{name}: {claim:?}");
            assert_eq!(report.order, 3, "{name}: {claim:?} needs no quiet moves");
            nodes += report.counts.nodes;
        }
        println!("{name}: {nodes} nodes");
    }
}

/// Black wins, so White does not; and no order below has Black's win.
#[test]
fn what_is_false_is_never_proved() {
    for (name, options) in variants() {
        let options = Options { nodes_max: 3_000, ..options };
        for claim in QUICK {
            let report = claim.prove_for(Color::White, &options, &NoJournal);
            assert!(certificate(&report).is_none(), "{name}: {claim:?}");
        }
    }
    for claim in QUICK {
        let low = Options { order_max: 2, ..options(3_000) };
        assert!(certificate(&claim.prove(&low)).is_none(), "{claim:?}");
    }
}

/// A budget that is too small is no verdict, whatever it is.
#[test]
fn a_small_budget_ends_without_a_verdict() {
    for nodes_max in [0, 1, 2, 10, 100, 1_000, 10_000] {
        let report = LONGER.prove(&options(nodes_max));
        assert!(certificate(&report).is_none(), "{nodes_max}");
        let nodes = report.counts.nodes;
        assert!(nodes <= nodes_max + 2_000, "{nodes} of {nodes_max}");
    }
}
