//! `store verify` and `store merge`: every proof goes through the checker.

use std::io::{self, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;
use sixproof_certificate::certify_watched;
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files;
use sixproof_solve::output::{Output, grouped};
use sixproof_solve::store::{self, failure};
use sixproof_store::{MergeDecision, MergeOffer, Merged, ProofEntry, RecordKind, Store};

use super::{Stopping, count_text, note_failure, say_bad};
use crate::Exit;
use crate::cli;
use crate::interrupt::Interrupt;

/// Progress appears after this time, and then changes as often.
const PROGRESS_EVERY: Duration = Duration::from_millis(500);

/// A line on the terminal that counts.
struct Counter {
    shown: Option<Instant>,
    start: Instant,
    output: Output,
}

impl Counter {
    fn new(output: Output) -> Counter {
        Counter { shown: None, start: Instant::now(), output }
    }

    fn show(&mut self, text: &str) {
        let last = self.shown.unwrap_or(self.start);
        if self.output.shows_progress() && last.elapsed() >= PROGRESS_EVERY {
            self.shown = Some(Instant::now());
            eprint!("\r{text:<60}");
            let _flushed = io::stderr().flush();
        }
    }

    /// Wipes the line, so that something else can be said.
    fn wipe(&mut self) {
        if self.shown.take().is_some() {
            eprint!("\r{:60}\r", "");
        }
    }
}

/// What a verification found.
#[derive(Default)]
struct Found {
    verified: u64,
    rejected: u64,
    damaged: u64,
    removed: u64,
}

pub(super) fn verify(store: Store, options: &cli::StoreVerify, output: Output) -> Result<Exit> {
    let told = |error| failure(&error);
    let interrupt = Interrupt::watched();
    let path = store.path().display().to_string();
    let store = store.check_structure().map_err(told)?;
    let mut counter = Counter::new(output);
    let mut found = Found::default();
    for entry in store.iter_proofs().map_err(told)? {
        if interrupt.is_asked_for() {
            break;
        }
        match entry.map_err(told)? {
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
                            found.removed += u64::from(store.remove_proof(&claim).map_err(told)?);
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
        for damage in store.damaged_others().map_err(told)? {
            bad_record(&store, &damage, options.remove, &mut found, output)?;
        }
    }
    store.flush().map_err(told)?;
    let Found { verified, rejected, damaged, removed } = found;
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

/// Tells, and perhaps drops, a record that cannot be read.
fn bad_record(
    store: &Store,
    damage: &sixproof_store::Damage,
    remove: bool,
    found: &mut Found,
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

pub(super) fn merge(store: &Store, options: &cli::StoreMerge, output: Output) -> Result<Exit> {
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
