//! `sixproof store merge`: what other stores hold; every proof goes through the checker.

use std::path::Path;

use serde_json::json;
use sixproof_certificate::certify_watched;
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files;
use sixproof_solve::output::{Output, grouped};
use sixproof_solve::store::{self, failure};
use sixproof_store::{MergeDecision, MergeOffer, Merged, Store};

use super::{Stopping, count_text, note_failure, say_bad};
use crate::Exit;
use crate::counter::Counter;
use crate::interrupt::Interrupt;
use crate::options::StoreMerge;

pub(super) fn run(store: &Store, options: &StoreMerge, output: Output) -> Result<Exit> {
    let interrupt = Interrupt::watched();
    let mut worst = Exit::Yes;
    for other in &options.others {
        if interrupt.is_asked_for() {
            break;
        }
        let answer = match merge_one(store, other, options.trust, &interrupt, output) {
            Err(failure) if options.others.len() > 1 => {
                note_failure(&failure, output);
                Exit::Undecided
            }
            answer => answer?,
        };
        worst = worst.max(answer);
    }
    if interrupt.is_asked_for() {
        output.warn("stopped; what was merged stays, and the same command goes on from here");
        worst = Exit::Undecided;
    }
    Ok(worst)
}

fn merge_one(
    store: &Store,
    other: &Path,
    trust: bool,
    interrupt: &Interrupt,
    output: Output,
) -> Result<Exit> {
    let name = other.display().to_string();
    if files::is_same(other, store.path()) {
        return Err(Failure::new(format!("{name}: this is the store itself")));
    }
    let source = Store::open_read_only(other).map_err(|error| failure(&error))?;
    let (mut rejected, mut unchecked, mut seen) = (0u64, 0u64, 0u64);
    let mut counter = Counter::new(output);
    let merged = store.merge_judged(&source, &mut |offer| {
        if interrupt.is_asked_for() {
            return MergeDecision::Stop;
        }
        seen += 1;
        counter.show(&format!("{} records seen", grouped(seen)));
        match offer {
            _ if trust => MergeDecision::Take,
            MergeOffer::Refutation(..) => {
                unchecked += 1;
                MergeDecision::Leave
            }
            MergeOffer::Proof(claim, proof) => {
                match certify_watched(claim, &proof.certificate, &mut Stopping(interrupt)) {
                    Ok(_) => MergeDecision::Take,
                    Err(refused) if refused.is_stopped() => MergeDecision::Stop,
                    Err(why) => {
                        rejected += 1;
                        counter.wipe();
                        say_bad("proof", &store::name(claim), "rejected", &why.to_string(), output);
                        MergeDecision::Leave
                    }
                }
            }
        }
    });
    counter.wipe();
    let merged = merged.map_err(|error| failure(&error))?;
    let Merged { proofs, shorter, known, refutations, work, damaged, .. } = merged;
    if output.json {
        output.say_json(&json!({
            "other": name,
            "proofs": proofs,
            "shorter": shorter,
            "known": known,
            "rejected": rejected,
            "refutations": refutations,
            "refutations_left_out": unchecked,
            "work": work,
            "documents": merged.documents,
            "jobs": merged.jobs,
            "kept": merged.kept,
            "damaged": damaged,
        }));
    } else {
        let shorter = match shorter {
            0 => String::new(),
            count => format!(", {} replaced by a shorter one", count_text(count, "proof")),
        };
        output.say(format!(
            "{name}: {} added{shorter}, {} known, {}, {} of work",
            count_text(proofs, "proof"),
            grouped(known),
            count_text(refutations, "refutation"),
            count_text(work, "result"),
        ));
        if merged.documents + merged.jobs > 0 {
            let documents = count_text(merged.documents, "document");
            let jobs = count_text(merged.jobs, "list");
            output.say(format!("{name}: {documents} and {jobs} of jobs of the editor added"));
        }
        if merged.kept > 0 {
            let kept = count_text(merged.kept, "document");
            output.note(format!("left out: {kept} or lists of jobs that are here already"));
        }
        if unchecked > 0 {
            let left_out = count_text(unchecked, "refutation");
            output.note(format!(
                "left out: {left_out}, which cannot be checked (--trust takes them)"
            ));
        }
        if damaged > 0 {
            let damaged = count_text(damaged, "record");
            output.warn(format!("{name}: left out: {damaged} damaged"));
        }
    }
    Ok(if rejected + damaged == 0 { Exit::Yes } else { Exit::No })
}
