//! `sixproof store export`: certificates out of the store into files.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use serde_json::json;
use sixproof_certificate::{Claim, certify_watched};
use sixproof_game::{Color, Position};
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files;
use sixproof_solve::output::{GOOD, Output};
use sixproof_solve::store::{self, failure};
use sixproof_store::{ProofEntry, Store, StoredProof};

use super::{Stopping, count_text, say_bad, tolerated};
use crate::Exit;
use crate::input;
use crate::interrupt::Interrupt;
use crate::options::{self, PositionArgs, SideName};

/// What every export uses.
struct Export<'a> {
    store: &'a Store,
    options: &'a options::StoreExport,
    interrupt: Interrupt,
    output: Output,
    written: u64,
}

pub(super) fn run(store: &Store, options: &options::StoreExport, output: Output) -> Result<Exit> {
    let folder = &options.to;
    fs::create_dir_all(folder).map_err(|e| Failure::io(folder.display(), &e))?;
    let mut export = Export { store, options, interrupt: Interrupt::watched(), output, written: 0 };
    let (names, positions): (BTreeSet<&str>, Vec<&str>) = {
        let all = options.positions.iter().map(String::as_str);
        let (names, positions): (Vec<&str>, Vec<&str>) = all.partition(|text| is_name(text));
        (names.into_iter().collect(), positions)
    };
    let mut worst = Exit::Yes;
    for text in positions {
        let answer = export.position(text).or_else(|failure| tolerated(&failure, output));
        worst = worst.max(answer?);
    }
    if options.positions.is_empty() || !names.is_empty() {
        worst = worst.max(export.listed(&names)?);
    }
    if export.interrupt.is_asked_for() {
        output.warn("stopped");
        worst = Exit::Undecided;
    }
    let Export { written, .. } = export;
    if output.json {
        output.say_json(&json!({ "exported": written }));
    } else {
        let written = count_text(written, "certificate");
        output.say(format!("{written} written to {}", folder.display()));
    }
    Ok(worst)
}

/// Whether a text looks like the name of a proof: `connect6-3-stones-black-0123456789ab`.
fn is_name(text: &str) -> bool {
    let number = text.rsplit_once('-').map(|(_, number)| number).unwrap_or_default();
    (text.contains("-stones-") || text.contains("-stone-"))
        && number.len() == 12
        && number.bytes().all(|b| b.is_ascii_hexdigit())
}

impl Export<'_> {
    /// The proofs of one position, in its orientation.
    fn position(&mut self, text: &str) -> Result<Exit> {
        let given =
            PositionArgs { position: text.to_string(), reading: self.options.reading.clone() };
        let position: Position = input::position(&given, self.output)?.loaded.position;
        let sides = match self.options.attacker.map(SideName::color) {
            Some(color) => vec![color],
            None => vec![position.to_move(), !position.to_move()],
        };
        let mut worst = None;
        for attacker in sides {
            let claim = Claim::new(&position, attacker);
            let found = self.store.lookup(&claim).map_err(|error| failure(&error))?;
            let Some(proof) = found else { continue };
            let stem = match input::stem(text).as_str() {
                // The position has no name.
                "proof" => store::name(&claim),
                stem if attacker == position.to_move() => stem.to_string(),
                stem => format!("{stem}-{attacker}"),
            };
            worst = worst.max(Some(self.write(&claim, &proof, &stem)?));
        }
        if worst.is_none() {
            say_bad("position", text, "not found", "the store has no proof of it", self.output);
        }
        Ok(worst.unwrap_or(Exit::No))
    }

    /// The proofs with these names, or all, in the orientation in which they are kept.
    fn listed(&mut self, names: &BTreeSet<&str>) -> Result<Exit> {
        let failed = |error| failure(&error);
        let mut missing = names.clone();
        let mut worst = Exit::Yes;
        for entry in self.store.iter_proofs().map_err(failed)? {
            if self.interrupt.is_asked_for() {
                return Ok(worst);
            }
            let (claim, proof) = match entry.map_err(failed)? {
                ProofEntry::Proof(found) => *found,
                ProofEntry::Damaged(damage) if names.is_empty() => {
                    let name = damage.claim.as_ref().map_or("a record".to_string(), store::name);
                    say_bad("proof", &name, "damaged", &damage.what, self.output);
                    worst = worst.max(Exit::No);
                    continue;
                }
                ProofEntry::Damaged(_) => continue,
            };
            let name = store::name(&claim);
            if names.is_empty() || missing.remove(name.as_str()) {
                let answer = self.write(&claim, &proof, &name);
                worst = worst.max(answer.or_else(|f| tolerated(&f, self.output))?);
            }
        }
        for name in missing {
            say_bad("proof", name, "not found", "the store has no proof of it", self.output);
            worst = worst.max(Exit::No);
        }
        Ok(worst)
    }

    /// Checks a proof and writes it.
    fn write(&mut self, claim: &Claim, proof: &StoredProof, stem: &str) -> Result<Exit> {
        let path: PathBuf = self.options.to.join(format!("{stem}.cert.zst"));
        let mut stopping = Stopping(&self.interrupt);
        match certify_watched(claim, &proof.certificate, &mut stopping) {
            Ok(_) => {}
            Err(refused) if refused.is_stopped() => return Ok(Exit::Undecided),
            Err(refused) => {
                let (name, why) = (store::name(claim), refused.to_string());
                say_bad("proof", &name, "rejected", &why, self.output);
                return Ok(Exit::No);
            }
        }
        let name = path.display().to_string();
        if path.exists() {
            if files::read(&path).is_ok_and(|bytes| bytes == proof.certificate) {
                self.say(&name, claim.attacker, proof, "there already");
                return Ok(Exit::Yes);
            }
            return Err(Failure::new(format!("{name}: exists already, with other contents"))
                .help("name another folder with --to, or move the file away"));
        }
        files::write_certificate(&path, &proof.certificate)?;
        self.written += 1;
        self.say(&name, claim.attacker, proof, "written");
        Ok(Exit::Yes)
    }

    fn say(&self, name: &str, attacker: Color, proof: &StoredProof, what: &str) {
        let nodes = proof.certificate_nodes;
        if self.output.json {
            self.output.say_json(&json!({
                "file": name,
                "verdict": "verified",
                "attacker": attacker.to_string(),
                "nodes": nodes,
                "written": what == "written",
            }));
            return;
        }
        let there = if what == "written" { "" } else { ", there already" };
        self.output.say(format!(
            "{name}: {GOOD}verified{GOOD:#}, {} wins ({}){there}",
            attacker.title(),
            count_text(nodes, "node")
        ));
    }
}
