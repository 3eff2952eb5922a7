//! `sixproof store import`: certificates from files into the store.

use std::io::{self, BufReader, Read as _};
use std::path::Path;

use serde_json::json;
use sixproof_certificate::certify_file;
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files;
use sixproof_solve::output::{GOOD, Output, WARN};
use sixproof_solve::store::{self, failure};
use sixproof_store::{CERTIFICATE_BYTES_MAX, Inserted, ProofMeta, Store};

use super::{Stopping, count_text, say_bad, tolerated};
use crate::Exit;
use crate::interrupt::Interrupt;
use crate::options::StoreImport;

pub(super) fn run(store: &Store, options: &StoreImport, output: Output) -> Result<Exit> {
    let interrupt = Interrupt::watched();
    let mut worst = Exit::Yes;
    for file in &options.files {
        if interrupt.is_asked_for() {
            output.warn("stopped");
            worst = Exit::Undecided;
            break;
        }
        let answer = match import_file(store, file, &interrupt, output) {
            Err(failure) if options.files.len() > 1 => tolerated(&failure, output)?,
            answer => answer?,
        };
        worst = worst.max(answer);
    }
    store.flush().map_err(|error| failure(&error))?;
    Ok(worst)
}

fn import_file(store: &Store, file: &Path, interrupt: &Interrupt, output: Output) -> Result<Exit> {
    let name = files::name(file);
    let certificate = read(file, &name)?;
    let certified = match certify_file(|| Ok(&certificate[..]), &mut Stopping(interrupt)) {
        Ok(certified) => certified,
        Err(refused) if refused.is_stopped() => return Ok(Exit::Undecided),
        Err(refused) if refused.is_unreadable() => {
            return Err(Failure::new(format!("{name}: {refused}")));
        }
        Err(refused) => {
            say_bad("file", &name, "rejected", &refused.to_string(), output);
            return Ok(Exit::No);
        }
    };
    let (claim, nodes) = (certified.claim(), certified.counts().nodes);
    // How it was found, a certificate does not say.
    let meta = ProofMeta { order: None, search_nodes: 0, version: store::version() };
    let inserted = store.insert(claim, &certificate, meta).map_err(|error| failure(&error))?;
    let (word, text) = match inserted {
        Inserted::New => ("new", format!("{GOOD}kept{GOOD:#}")),
        Inserted::Shorter => ("shorter", format!("{GOOD}kept{GOOD:#}, shorter than before")),
        Inserted::Known => ("known", format!("{WARN}known{WARN:#}, a proof as short is kept")),
    };
    let winner = claim.attacker.title();
    if output.json {
        output.say_json(&json!({
            "file": name,
            "verdict": "verified",
            "inserted": word,
            "proof": store::name(claim),
            "nodes": nodes,
        }));
    } else {
        let nodes = count_text(nodes, "node");
        output.say(format!("{name}: {text}: {winner} wins ({nodes})"));
    }
    Ok(Exit::Yes)
}

/// A certificate whole: what was checked is what is kept.
fn read(file: &Path, name: &str) -> Result<Vec<u8>> {
    let input = match file == Path::new("-") {
        true => files::unpacked(BufReader::new(io::stdin())),
        false => files::open(file),
    };
    let mut bytes = Vec::new();
    let limit = CERTIFICATE_BYTES_MAX as u64 + 1;
    input
        .and_then(|input| input.take(limit).read_to_end(&mut bytes))
        .map_err(|error| Failure::io(name, &error))?;
    if bytes.len() > CERTIFICATE_BYTES_MAX {
        let limit = CERTIFICATE_BYTES_MAX >> 20;
        return Err(Failure::new(format!("{name}: longer than {limit} MiB, too long to be kept")));
    }
    Ok(bytes)
}
