//! `sixproof store stats`: what the store holds.

use serde_json::{Value, json};
use sixproof_solve::failure::Result;
use sixproof_solve::output::{BAD, Output, STRONG, grouped};
use sixproof_solve::store::{self, failure};
use sixproof_store::{BucketStats, ProofEntry, Stats, Store};

use super::count_text;
use crate::Exit;
use crate::options::StoreStats;

pub(super) fn run(store: &Store, options: &StoreStats, output: Output) -> Result<Exit> {
    let failed = |error| failure(&error);
    let stats = store.stats().map_err(failed)?;
    let mut proofs = Vec::new();
    if options.list {
        for entry in store.iter_proofs().map_err(failed)? {
            if let ProofEntry::Proof(found) = entry.map_err(failed)? {
                let (claim, proof) = *found;
                proofs.push((store::name(&claim), proof));
            }
        }
    }
    let path = store.path().display().to_string();
    if output.json {
        let mut value = stats_json(&path, &stats);
        if options.list {
            let proofs = proofs.iter().map(|(name, proof)| {
                json!({
                    "proof": name,
                    "order": proof.meta.order,
                    "search_nodes": proof.meta.search_nodes,
                    "certificate_nodes": proof.certificate_nodes,
                    "hash": format!("{:016x}", proof.hash),
                    "version": proof.meta.version,
                })
            });
            value["list"] = proofs.collect();
        }
        output.say_json(&value);
        return Ok(Exit::Yes);
    }
    say_stats(&path, &stats, output);
    if options.list && !proofs.is_empty() {
        output.say(format!(
            "\n{STRONG}{:<44} {:>5} {:>14} {:>14}{STRONG:#}",
            "proof", "order", "search nodes", "proof nodes"
        ));
        for (name, proof) in &proofs {
            let order = proof.meta.order.map_or("-".to_string(), |order| order.to_string());
            let [search, nodes] = [proof.meta.search_nodes, proof.certificate_nodes].map(grouped);
            output.say(format!("{name:<44} {order:>5} {search:>14} {nodes:>14}"));
        }
    }
    Ok(Exit::Yes)
}

/// The sums of a store: proofs, their nodes, refutations, results of jobs.
fn sums(stats: &Stats) -> [u64; 4] {
    let add = |sum: [u64; 4], row: &sixproof_store::StatsRow| {
        let of = [row.proofs, row.certificate_nodes, row.refutations, row.work];
        [0, 1, 2, 3].map(|i| sum[i].saturating_add(of[i]))
    };
    stats.rows.iter().fold([0; 4], add)
}

fn say_stats(path: &str, stats: &Stats, output: Output) {
    let [proofs, nodes, refutations, work] = sums(stats);
    output.say(format!("store       {path}, {}", size_text(stats.file_bytes)));
    output.say(format!("proofs      {}, {}", grouped(proofs), count_text(nodes, "node")));
    output.say(format!("refutations {}", grouped(refutations)));
    output.say(format!("work        {} of unfinished searches", count_text(work, "result")));
    for (name, bucket) in [("documents", stats.documents), ("jobs", stats.jobs)] {
        if bucket.records > 0 {
            let (owners, records) = (grouped(bucket.owners), count_text(bucket.records, "record"));
            output.say(format!("{name:<11} {owners}, {records}, {}", size_text(bucket.bytes)));
        }
    }
    if stats.damaged > 0 {
        let damaged = count_text(stats.damaged, "record");
        output.say(format!("{BAD}damaged     {damaged}{BAD:#}: see `store verify`"));
    }
    if stats.rows.is_empty() {
        return;
    }
    output.say(format!(
        "\n{STRONG}{:<20} {:>6} {:>9} {:>14} {:>11} {:>9}{STRONG:#}",
        "game", "stones", "proofs", "proof nodes", "refutations", "work"
    ));
    for row in &stats.rows {
        let of = [row.proofs, row.certificate_nodes, row.refutations, row.work].map(grouped);
        let [proofs, nodes, refutations, work] = of;
        output.say(format!(
            "{:<20} {:>6} {proofs:>9} {nodes:>14} {refutations:>11} {work:>9}",
            row.game.to_string(),
            row.stones
        ));
    }
}

fn stats_json(path: &str, stats: &Stats) -> Value {
    let [proofs, nodes, refutations, work] = sums(stats);
    let rows = stats.rows.iter().map(|row| {
        json!({
            "game": row.game.to_string(),
            "stones": row.stones,
            "proofs": row.proofs,
            "certificate_nodes": row.certificate_nodes,
            "refutations": row.refutations,
            "work": row.work,
        })
    });
    json!({
        "store": path,
        "proofs": proofs,
        "certificate_nodes": nodes,
        "refutations": refutations,
        "work": work,
        "documents": bucket_json(stats.documents),
        "jobs": bucket_json(stats.jobs),
        "damaged": stats.damaged,
        "games": rows.collect::<Vec<_>>(),
        "file_bytes": stats.file_bytes,
    })
}

fn bucket_json(bucket: BucketStats) -> Value {
    json!({ "owners": bucket.owners, "records": bucket.records, "bytes": bucket.bytes })
}

/// A length of a file for people: `1.5 MiB`.
fn size_text(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    let mut tenths = bytes.saturating_mul(10) / 1024;
    let mut unit = 0;
    while tenths >= 10_240 && unit + 1 < UNITS.len() {
        tenths /= 1024;
        unit += 1;
    }
    format!("{}.{} {}", tenths / 10, tenths % 10, UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_a_unit() {
        for (bytes, expected) in [
            (0, "0.0 KiB"),
            (512, "0.5 KiB"),
            (1_572_864, "1.5 MiB"),
            (5 << 30, "5.0 GiB"),
            (u64::MAX, "1677721.5 TiB"),
        ] {
            assert_eq!(size_text(bytes), expected);
        }
    }
}
