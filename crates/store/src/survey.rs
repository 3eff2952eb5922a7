//! Walks through a whole store: all proofs, damaged records, and statistics.

use std::collections::BTreeMap;

use sixproof_certificate::Claim;
use sixproof_game::Game;

use crate::bucket::{Bucket, BucketStats};
use crate::error::Result;
use crate::key;
use crate::proofs::{StoredProof, unpack};
use crate::record::{Packed, Refutation, refutation_from_bytes, unsummed};
use crate::store::{Key, Store, Table};

/// A record of the table of proofs.
#[derive(Clone, Debug)]
pub enum ProofEntry {
    /// A proof, in the canonical orientation, unchecked.
    Proof(Box<(Claim, StoredProof)>),
    /// A record that cannot be read.
    Damaged(Damage),
}

/// A record that cannot be read.
#[derive(Clone, Debug)]
pub struct Damage {
    row: (Table, Key),
    /// The claim, in the canonical orientation, if the key can be read.
    pub claim: Option<Claim>,
    /// What is wrong with the record.
    pub what: String,
}

impl Damage {
    pub(crate) fn new(table: Table, key: Key, claim: Option<Claim>, what: &str) -> Damage {
        Damage { row: (table, key), claim, what: what.to_string() }
    }

    /// What kind of record it is.
    pub fn kind(&self) -> RecordKind {
        match self.row.0 {
            Table::Proofs => RecordKind::Proof,
            Table::Refutations => RecordKind::Refutation,
            Table::Work => RecordKind::Work,
            Table::Documents => RecordKind::Document,
            Table::Jobs => RecordKind::Job,
        }
    }

    /// The owner and the key, if it is a record of a bucket.
    pub fn bucket_key(&self) -> Option<(&[u8], &[u8])> {
        let (table, (owner, key)) = &self.row;
        matches!(table, Table::Documents | Table::Jobs).then_some((owner, key))
    }
}

/// The kinds of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordKind {
    /// A certificate.
    Proof,
    /// An order that was searched without a win.
    Refutation,
    /// The result of a job.
    Work,
    /// A part of a document of the editor.
    Document,
    /// A part of a job of the editor.
    Job,
}

/// How much a store holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// By game, then by the number of stones on the board.
    pub rows: Vec<StatsRow>,
    /// Documents of the editor.
    pub documents: BucketStats,
    /// Jobs of the editor.
    pub jobs: BucketStats,
    /// Records that cannot be read; the rows leave them out.
    pub damaged: u64,
    /// The length of the file.
    pub file_bytes: u64,
}

/// How much a store holds of one game and number of stones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatsRow {
    /// The game.
    pub game: Game,
    /// Stones on the board.
    pub stones: usize,
    /// Claims with a proof.
    pub proofs: u64,
    /// The nodes of their certificates.
    pub certificate_nodes: u64,
    /// Claims with a refutation.
    pub refutations: u64,
    /// Results of jobs.
    pub work: u64,
}

/// Where a record is counted: its game and its number of stones.
type StatsKey = (Game, usize);

impl Store {
    /// All proofs, in the order of their keys; damaged records among them, and those that
    /// wait to be committed.
    pub fn iter_proofs(&self) -> Result<impl Iterator<Item = Result<ProofEntry>>> {
        let rows = self.rows(Table::Proofs, None)?;
        Ok(rows.map(|row| {
            let (key, value) = row?;
            let Some(claim) = key::decode(&key.0) else {
                return Ok(ProofEntry::Damaged(no_claim(Table::Proofs, key)));
            };
            Ok(match unpack(&value) {
                Ok(proof) => ProofEntry::Proof(Box::new((claim, proof))),
                Err(what) => {
                    ProofEntry::Damaged(Damage::new(Table::Proofs, key, Some(claim), what))
                }
            })
        }))
    }

    /// All refutations that can be read, in the order of their keys.
    pub fn iter_refutations(&self) -> Result<impl Iterator<Item = Result<(Claim, Refutation)>>> {
        let rows = self.rows(Table::Refutations, None)?;
        Ok(rows.filter_map(|row| match row {
            Ok((key, value)) => {
                Some(Ok((key::decode(&key.0)?, refutation_from_bytes(&value).ok()?)))
            }
            Err(error) => Some(Err(error)),
        }))
    }

    /// The records that cannot be read, other than proofs.
    pub fn damaged_others(&self) -> Result<Vec<Damage>> {
        let mut damaged = Vec::new();
        for table in [Table::Refutations, Table::Work] {
            let mut last: Option<(Vec<u8>, Option<Claim>)> = None;
            for row in self.rows(table, None)? {
                let (key, value) = row?;
                let known = last.take().filter(|(claim, _)| *claim == key.0);
                let (_, claim) =
                    &*last.insert(known.unwrap_or_else(|| (key.0.clone(), key::decode(&key.0))));
                if claim.is_none() {
                    damaged.push(no_claim(table, key));
                    continue;
                }
                let read = match table {
                    Table::Work => unsummed(&value).map(|_| ()),
                    _ => refutation_from_bytes(&value).map(|_| ()),
                };
                if let Err(what) = read {
                    damaged.push(Damage::new(table, key, claim.clone(), what));
                }
            }
        }
        for table in Bucket::ALL.map(Bucket::table) {
            for row in self.rows(table, None)? {
                let (key, value) = row?;
                if let Err(what) = unsummed(&value) {
                    damaged.push(Damage::new(table, key, None, what));
                }
            }
        }
        Ok(damaged)
    }

    /// Drops a damaged record. For one of a bucket, no other process may edit the documents.
    pub fn remove_damaged(&self, damage: &Damage) -> Result<()> {
        if damage.bucket_key().is_some() {
            self.edit_documents()?;
        }
        let (table, key) = damage.row.clone();
        self.update(table, key, |kept| kept.map(|_| None)).map(|_| ())
    }

    /// Counts everything in the store.
    pub fn stats(&self) -> Result<Stats> {
        let mut rows: BTreeMap<StatsKey, StatsRow> = BTreeMap::new();
        let mut damaged = 0;
        for table in Table::OF_CLAIMS {
            let mut last: Option<(Vec<u8>, Option<StatsKey>)> = None;
            for row in self.rows(table, None)? {
                let (key, value) = row?;
                let known = last.take().filter(|(claim, _)| *claim == key.0);
                let (_, of) = *last.insert(known.unwrap_or_else(|| {
                    let of = key::decode(&key.0)
                        .map(|claim| (claim.position.game(), claim.position.stones().count()));
                    (key.0, of)
                }));
                let nodes = match table {
                    Table::Proofs => {
                        Packed::from_bytes(&value).map(|proof| proof.certificate_nodes)
                    }
                    Table::Refutations => refutation_from_bytes(&value).map(|_| 0),
                    _ => unsummed(&value).map(|_| 0),
                };
                let (Some((game, stones)), Ok(nodes)) = (of, nodes) else {
                    damaged += 1;
                    continue;
                };
                let row = rows.entry((game, stones)).or_insert(StatsRow {
                    game,
                    stones,
                    proofs: 0,
                    certificate_nodes: 0,
                    refutations: 0,
                    work: 0,
                });
                row.certificate_nodes = row.certificate_nodes.saturating_add(nodes);
                match table {
                    Table::Proofs => row.proofs += 1,
                    Table::Refutations => row.refutations += 1,
                    _ => row.work += 1,
                }
            }
        }
        let rows = rows.into_values().collect();
        let (documents, damaged_documents) = self.bucket(Bucket::Documents).count()?;
        let (jobs, damaged_jobs) = self.bucket(Bucket::Jobs).count()?;
        damaged += damaged_documents + damaged_jobs;
        Ok(Stats { rows, documents, jobs, damaged, file_bytes: self.file_bytes().unwrap_or(0) })
    }
}

fn no_claim(table: Table, key: Key) -> Damage {
    Damage::new(table, key, None, "its key names no position")
}
