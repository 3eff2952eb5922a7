//! Adds what another store holds.

use std::ops::ControlFlow;

use sixproof_certificate::Claim;

use crate::bucket::Bucket;
use crate::error::{Error, Result};
use crate::key;
use crate::proofs::{Inserted, StoredProof};
use crate::record::{Refutation, unsummed};
use crate::store::{Store, Table};
use crate::survey::ProofEntry;

/// Something of the other store, in the canonical orientation.
#[derive(Clone, Copy, Debug)]
pub enum MergeOffer<'a> {
    /// A proof that is not known here, or shorter than the one that is.
    Proof(&'a Claim, &'a StoredProof),
    /// A refutation.
    Refutation(&'a Claim, &'a Refutation),
}

/// What to do with an offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MergeDecision {
    /// Add it to this store.
    Take,
    /// Leave it out.
    Leave,
    /// End the merge.
    Stop,
}

/// What came of a merge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Proofs of claims that had none.
    pub proofs: u64,
    /// Proofs that are shorter than those before.
    pub shorter: u64,
    /// Proofs that add nothing: this store has one that is as short or shorter.
    pub known: u64,
    /// Refutations of claims that had none, or one of a lower order.
    pub refutations: u64,
    /// Results of jobs that had none.
    pub work: u64,
    /// Documents of the editor that were not here, each with all its records.
    pub documents: u64,
    /// Owners of jobs of the editor that were not here.
    pub jobs: u64,
    /// Documents and owners of jobs that are here already, which stay as they are.
    pub kept: u64,
    /// Offers that the judge left out.
    pub left_out: u64,
    /// Records of the other store that cannot be read.
    pub damaged: u64,
}

impl Store {
    /// Adds everything that another store holds, without a judge.
    pub fn merge_from(&self, other: &Store) -> Result<Merged> {
        self.merge_judged(other, &mut |_| MergeDecision::Take)
    }

    /// Adds what another store holds. `judge` decides on proofs and refutations that this store
    /// does not have. Results of jobs are opaque: they are added where this store has no result.
    /// So are the documents and jobs of the editor; if there are any, no editor may have this store
    /// open.
    pub fn merge_judged(
        &self,
        other: &Store,
        judge: &mut dyn FnMut(MergeOffer<'_>) -> MergeDecision,
    ) -> Result<Merged> {
        let has_documents = |bucket: Bucket| Ok(other.rows(bucket.table(), None)?.next().is_some());
        if Bucket::ALL.into_iter().map(has_documents).collect::<Result<Vec<_>>>()?.contains(&true) {
            self.edit_documents()?;
        }
        let mut merged = Merged::default();
        // A judge that stops the merge is no error: what was merged stays.
        let _stopped = self.merge_all(other, judge, &mut merged)?;
        self.flush()?;
        Ok(merged)
    }

    fn merge_all(
        &self,
        other: &Store,
        judge: &mut dyn FnMut(MergeOffer<'_>) -> MergeDecision,
        merged: &mut Merged,
    ) -> Result<ControlFlow<()>> {
        for entry in other.iter_proofs()? {
            let (claim, proof) = match entry? {
                ProofEntry::Proof(found) => *found,
                ProofEntry::Damaged(_) => {
                    merged.damaged += 1;
                    continue;
                }
            };
            let here = self.lookup(&claim)?;
            if here.is_some_and(|here| here.certificate_nodes <= proof.certificate_nodes) {
                merged.known += 1;
                continue;
            }
            match judge(MergeOffer::Proof(&claim, &proof)) {
                MergeDecision::Stop => return Ok(ControlFlow::Break(())),
                MergeDecision::Leave => merged.left_out += 1,
                MergeDecision::Take => match self.insert(&claim, &proof.certificate, proof.meta) {
                    Ok(Inserted::New) => merged.proofs += 1,
                    Ok(Inserted::Shorter) => merged.shorter += 1,
                    Ok(Inserted::Known) => merged.known += 1,
                    Err(Error::Certificate(_) | Error::OtherClaim) => merged.damaged += 1,
                    Err(error) => return Err(error),
                },
            }
        }
        for entry in other.iter_refutations()? {
            let (claim, refutation) = entry?;
            if self.refuted(&claim)?.is_some_and(|order| refutation.order <= order) {
                continue;
            }
            match judge(MergeOffer::Refutation(&claim, &refutation)) {
                MergeDecision::Stop => return Ok(ControlFlow::Break(())),
                MergeDecision::Leave => merged.left_out += 1,
                MergeDecision::Take => {
                    merged.refutations += u64::from(self.insert_refuted(&claim, &refutation)?);
                }
            }
        }
        for row in other.rows(Table::Work, None)? {
            let (key, value) = row?;
            // Counted with the damaged records below.
            if key::decode(&key.0).is_none() || unsummed(&value).is_err() {
                continue;
            }
            let added = self.update(Table::Work, key, |kept| match kept {
                Some(kept) if unsummed(&kept).is_ok() => None,
                _ => Some(Some(value)),
            })?;
            merged.work += u64::from(added);
        }
        for bucket in Bucket::ALL {
            let (added, known) = self.bucket(bucket).add_from(other)?;
            merged.kept += known;
            match bucket {
                Bucket::Documents => merged.documents += added,
                Bucket::Jobs => merged.jobs += added,
            }
        }
        merged.damaged += other.damaged_others()?.len() as u64;
        Ok(ControlFlow::Continue(()))
    }
}
