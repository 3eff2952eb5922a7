//! `sixproof store verify`: every proof goes through the checker.

use serde_json::json;
use sixproof_certificate::certify_watched;
use sixproof_solve::failure::Result;
use sixproof_solve::output::{Output, grouped};
use sixproof_solve::store::{self, failure};
use sixproof_store::{ProofEntry, RecordKind, Store};

use super::{Stopping, count_text, say_bad};
use crate::Exit;
use crate::counter::Counter;
use crate::interrupt::Interrupt;
use crate::options;

/// The counts of a verification.
#[derive(Default)]
struct VerifyCounts {
    verified: u64,
    rejected: u64,
    damaged: u64,
    removed: u64,
}

pub(super) fn run(store: Store, options: &options::StoreVerify, output: Output) -> Result<Exit> {
    let failed = |error| failure(&error);
    let interrupt = Interrupt::watched();
    let path = store.path().display().to_string();
    let store = store.check_structure().map_err(failed)?;
    let mut counter = Counter::new(output);
    let mut found = VerifyCounts::default();
    for entry in store.iter_proofs().map_err(failed)? {
        if interrupt.is_asked_for() {
            break;
        }
        match entry.map_err(failed)? {
            ProofEntry::Proof(proof) => {
                let (claim, proof) = *proof;
                match certify_watched(&claim, &proof.certificate, &mut Stopping(&interrupt)) {
                    Ok(_) => found.verified += 1,
                    Err(refused) if refused.is_stopped() => break,
                    Err(why) => {
                        found.rejected += 1;
                        counter.wipe();
                        say_bad(
                            "proof",
                            &store::name(&claim),
                            "rejected",
                            &why.to_string(),
                            output,
                        );
                        if options.remove {
                            found.removed += u64::from(store.remove_proof(&claim).map_err(failed)?);
                        }
                    }
                }
            }
            ProofEntry::Damaged(damage) => {
                counter.wipe();
                bad_record(&store, &damage, options.remove, &mut found, output)?;
            }
        }
        counter.show(&format!("{} proofs verified", grouped(found.verified)));
    }
    counter.wipe();
    if !interrupt.is_asked_for() {
        for damage in store.damaged_others().map_err(failed)? {
            bad_record(&store, &damage, options.remove, &mut found, output)?;
        }
    }
    store.flush().map_err(failed)?;
    let VerifyCounts { verified, rejected, damaged, removed } = found;
    let stopped = interrupt.is_asked_for();
    if output.json {
        output.say_json(&json!({
            "store": path,
            "verified": verified,
            "rejected": rejected,
            "damaged": damaged,
            "removed": removed,
            "complete": !stopped,
        }));
    } else {
        if stopped {
            output.warn("stopped: not all proofs were checked");
        }
        let removed = if options.remove { format!(", {removed} removed") } else { String::new() };
        output.say(format!(
            "{} verified, {} rejected, {} damaged{removed}",
            count_text(verified, "proof"),
            grouped(rejected),
            count_text(damaged, "record"),
        ));
    }
    Ok(match (stopped, rejected + damaged) {
        (true, _) => Exit::Undecided,
        (false, 0) => Exit::Yes,
        (false, _) => Exit::No,
    })
}

/// Reports a record that cannot be read, and removes it if that is wanted.
fn bad_record(
    store: &Store,
    damage: &sixproof_store::Damage,
    remove: bool,
    found: &mut VerifyCounts,
    output: Output,
) -> Result<()> {
    found.damaged += 1;
    let kind = match damage.kind() {
        RecordKind::Proof => "a proof",
        RecordKind::Refutation => "a refutation",
        RecordKind::Work => "a result of work",
        RecordKind::Document => "a part of a document",
        RecordKind::Job => "a part of a job",
    };
    let owner = damage.bucket_key().map(|(owner, _)| String::from_utf8_lossy(owner).into_owned());
    let name = damage.claim.as_ref().map(store::name).or(owner);
    let name = name.unwrap_or_else(|| "a record".to_string());
    say_bad("proof", &name, "damaged", &format!("{kind}: {}", damage.what), output);
    if remove {
        store.remove_damaged(damage).map_err(|error| failure(&error))?;
        found.removed += 1;
    }
    Ok(())
}
