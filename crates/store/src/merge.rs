//! Adds what another store holds.

use std::ops::ControlFlow;

use sixproof_certificate::Claim;

use crate::error::{Error, Result};
use crate::key;
use crate::proofs::{Inserted, Proof, Refutation};
use crate::record::unsummed;
use crate::shelf::Shelf;
use crate::store::{Store, Table};
use crate::survey::Entry;

/// Something of the other store, in the canonical orientation.
#[derive(Clone, Copy, Debug)]
pub enum Offer<'a> {
    /// A proof that is not known here, or shorter than the one that is.
    Proof(&'a Claim, &'a Proof),
    /// A refutation.
    Refutation(&'a Claim, &'a Refutation),
}

/// What to do with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Keep it here, too.
    Take,
    /// Leave it out.
    Leave,
    /// Go no further.
    Stop,
}

/// What came of a merge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Proofs of claims that had none.
    pub proofs: u64,
    /// Proofs that are shorter than those before.
    pub shorter: u64,
    /// Proofs that were known, or had a shorter one.
    pub known: u64,
    /// Refutations of claims that had none, or one of a lower order.
    pub refutations: u64,
    /// Results of jobs that had none.
    pub work: u64,
    /// Documents of the editor that were not here, each with all its records.
    pub documents: u64,
    /// Owners of jobs of the editor that were not here.
    pub jobs: u64,
    /// Documents and owners of jobs that are here already: these stay as they are.
    pub kept: u64,
    /// What was offered and left out.
    pub left_out: u64,
    /// Records of the other store that cannot be read.
    pub damaged: u64,
}

impl Store {
    /// Adds everything that another store holds, unseen.
    pub fn merge_from(&self, other: &Store) -> Result<Merged> {
        self.merge_judged(other, &mut |_| Verdict::Take)
    }

    /// Adds what another store holds. Proofs and refutations that would be news are shown to
    /// `judge` first; results of jobs are opaque, and taken where there is none, and so are the
    /// documents and jobs of the editor: if it has any, while no editor has this store open.
    pub fn merge_judged(
        &self,
        other: &Store,
        judge: &mut dyn FnMut(Offer<'_>) -> Verdict,
    ) -> Result<Merged> {
        let has_documents = |shelf: Shelf| Ok(other.rows(shelf.table(), None)?.next().is_some());
        if Shelf::ALL.into_iter().map(has_documents).collect::<Result<Vec<_>>>()?.contains(&true) {
            self.edit_documents()?;
        }
        let mut merged = Merged::default();
        // That somebody wants to stop is no error: what was merged stays.
        let _stopped = self.merge_all(other, judge, &mut merged)?;
        self.flush()?;
        Ok(merged)
    }

    fn merge_all(
        &self,
        other: &Store,
        judge: &mut dyn FnMut(Offer<'_>) -> Verdict,
        merged: &mut Merged,
    ) -> Result<ControlFlow<()>> {
        for entry in other.iter_proofs()? {
            let (claim, proof) = match entry? {
                Entry::Proof(found) => *found,
                Entry::Damaged(_) => {
                    merged.damaged += 1;
                    continue;
                }
            };
            let here = self.lookup(&claim)?;
            if here.is_some_and(|here| here.certificate_nodes <= proof.certificate_nodes) {
                merged.known += 1;
                continue;
            }
            match judge(Offer::Proof(&claim, &proof)) {
                Verdict::Stop => return Ok(ControlFlow::Break(())),
                Verdict::Leave => merged.left_out += 1,
                Verdict::Take => match self.insert(&claim, &proof.certificate, proof.meta) {
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
            match judge(Offer::Refutation(&claim, &refutation)) {
                Verdict::Stop => return Ok(ControlFlow::Break(())),
                Verdict::Leave => merged.left_out += 1,
                Verdict::Take => {
                    merged.refutations += u64::from(self.insert_refuted(&claim, &refutation)?);
                }
            }
        }
        for row in other.rows(Table::Work, None)? {
            let (key, value) = row?;
            // Counted among the damaged below.
            if key::decode(&key.0).is_none() || unsummed(&value).is_err() {
                continue;
            }
            let added = self.update(Table::Work, key, |kept| match kept {
                Some(kept) if unsummed(&kept).is_ok() => None,
                _ => Some(Some(value)),
            })?;
            merged.work += u64::from(added);
        }
        for shelf in Shelf::ALL {
            let (added, known) = self.shelf(shelf).add_from(other)?;
            merged.kept += known;
            match shelf {
                Shelf::Documents => merged.documents += added,
                Shelf::Jobs => merged.jobs += added,
            }
        }
        merged.damaged += other.damaged_others()?.len() as u64;
        Ok(ControlFlow::Continue(()))
    }
}
