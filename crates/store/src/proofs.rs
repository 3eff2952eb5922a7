//! Proofs and refutations: looked up from any symmetric position, and kept if they are new.

use sixproof_certificate::{Claim, moved};
use sixproof_game::{Position, Symmetry};

use crate::error::{Error, Result};
use crate::key::{self, Canonical};
use crate::record::{self, Packed, ProofMeta, Refutation};
use crate::store::{Store, Table};

/// A proof from the store, unchecked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredProof {
    /// The certificate, for the position that was asked about.
    pub certificate: Vec<u8>,
    /// Its nodes.
    pub certificate_nodes: u64,
    /// A hash of the certificate in the canonical orientation: the same proof has the same one.
    pub hash: u64,
    /// How it was found.
    pub meta: ProofMeta,
}

/// The outcome of [`Store::insert`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inserted {
    /// It is the first one of its claim.
    New,
    /// It has fewer nodes than the one before, and replaces it.
    Shorter,
    /// The one before is as short or shorter, and stays.
    Known,
}

impl Store {
    /// The position in the orientation in which the store keeps it, and the symmetry that maps
    /// what is found there back to the claim. A search that keeps work uses this orientation.
    pub fn orient(claim: &Claim) -> Result<(Position, Symmetry)> {
        key::orient(claim)
    }

    /// A number of the claim, the same for all its symmetric positions: good for names of files.
    pub fn claim_number(claim: &Claim) -> u64 {
        key::number(claim)
    }

    /// The proof of a claim, mapped to its position. A damaged record counts as missing.
    pub fn lookup(&self, claim: &Claim) -> Result<Option<StoredProof>> {
        let canonical = Canonical::of(claim);
        let back = canonical.back();
        let Some(bytes) = self.get(Table::Proofs, (canonical.key, Vec::new()))? else {
            return Ok(None);
        };
        let Ok(proof) = unpack(&bytes) else { return Ok(None) };
        let Ok(here) = moved(&proof.certificate, &back) else { return Ok(None) };
        Ok(Some(StoredProof { certificate: here.certificate, ..proof }))
    }

    /// Keeps a proof, unless one as short is kept. The store checks that the certificate is well
    /// formed and about this claim; that it proves the claim is up to the caller.
    pub fn insert(&self, claim: &Claim, certificate: &[u8], meta: ProofMeta) -> Result<Inserted> {
        let canonical = Canonical::of(claim);
        let there = moved(certificate, &canonical.there)?;
        if there.original != *claim {
            return Err(Error::OtherClaim);
        }
        let key = (canonical.key, Vec::new());
        let is_news = |kept: Option<&[u8]>| match kept.map(Packed::from_bytes) {
            Some(Ok(kept)) if kept.certificate_nodes <= there.nodes => None,
            Some(Ok(_)) => Some(Inserted::Shorter),
            // A damaged record is replaced.
            Some(Err(_)) | None => Some(Inserted::New),
        };
        if is_news(self.get(Table::Proofs, key.clone())?.as_deref()).is_none() {
            return Ok(Inserted::Known);
        }
        let packed = Packed::new(meta, there.nodes, &there.certificate)?.to_bytes();
        let mut inserted = Inserted::Known;
        self.update(Table::Proofs, key, |kept| {
            inserted = is_news(kept.as_deref())?;
            Some(Some(packed))
        })?;
        Ok(inserted)
    }

    /// Drops the proof of a claim; false if there was none.
    pub fn remove_proof(&self, claim: &Claim) -> Result<bool> {
        let key = (Canonical::of(claim).key, Vec::new());
        let was_there = self.get(Table::Proofs, key.clone())?.is_some();
        if was_there {
            // Committed at once, so that a longer proof can take its place.
            self.write_all(Table::Proofs, [(key, None)].into_iter())?;
        }
        Ok(was_there)
    }

    /// The highest order of which no strategy wins.
    pub fn refuted(&self, claim: &Claim) -> Result<Option<u32>> {
        Ok(self.refutation(claim)?.map(|refutation| refutation.order))
    }

    /// The refutation of the highest order. A damaged record counts as missing.
    pub fn refutation(&self, claim: &Claim) -> Result<Option<Refutation>> {
        let bytes = self.get(Table::Refutations, (Canonical::of(claim).key, Vec::new()))?;
        Ok(bytes.and_then(|bytes| record::refutation_from_bytes(&bytes).ok()))
    }

    /// Keeps a refutation, unless one of this order or a higher one is kept. Returns whether it is
    /// kept now.
    pub fn insert_refuted(&self, claim: &Claim, refutation: &Refutation) -> Result<bool> {
        let key = (Canonical::of(claim).key, Vec::new());
        self.update(Table::Refutations, key, |kept| {
            match kept.as_deref().map(record::refutation_from_bytes) {
                Some(Ok(kept)) if refutation.order <= kept.order => None,
                _ => Some(Some(record::refutation_to_bytes(refutation))),
            }
        })
    }
}

/// Whether a proof or a refutation is better than the kept one: a proof has fewer nodes, a
/// refutation a higher order. Anything is better than a damaged record.
pub(crate) fn is_news(table: Table, new: &[u8], kept: &[u8]) -> bool {
    if table == Table::Proofs {
        let nodes = |bytes| Packed::from_bytes(bytes).map(|packed| packed.certificate_nodes);
        return nodes(kept).is_err() || nodes(new) < nodes(kept);
    }
    let order = |bytes| record::refutation_from_bytes(bytes).map(|refutation| refutation.order);
    order(kept).is_err() || order(new) > order(kept)
}

/// The proof in a record, in the canonical orientation.
pub(crate) fn unpack(bytes: &[u8]) -> std::result::Result<StoredProof, &'static str> {
    let packed = Packed::from_bytes(bytes)?;
    let certificate = packed.certificate()?;
    let Packed { meta, certificate_nodes, hash, .. } = packed;
    Ok(StoredProof { certificate, certificate_nodes, hash, meta })
}
