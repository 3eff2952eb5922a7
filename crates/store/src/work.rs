//! Results of the jobs of an unfinished search: bytes that only the search understands.
//!
//! Jobs belong to the claim at the root of the search. All symmetric claims share them, and the
//! bytes are not mapped: a search that keeps squares in them works in the orientation that
//! [`Store::orient`](crate::Store::orient) gives.

use sixproof_certificate::Claim;

use crate::error::Result;
use crate::key::Canonical;
use crate::record::{summed, unsummed};
use crate::store::{Store, Table};

impl Store {
    /// The result of a job. A damaged one counts as missing.
    pub fn work_get(&self, claim: &Claim, job: &[u8]) -> Result<Option<Vec<u8>>> {
        let value = self.get(Table::Work, (Canonical::of(claim).key, job.to_vec()))?;
        Ok(value.and_then(|value| unsummed(&value).ok().map(<[u8]>::to_vec)))
    }

    /// Keeps the result of a job, in place of an earlier one.
    pub fn work_put(&self, claim: &Claim, job: &[u8], result: &[u8]) -> Result<()> {
        let key = (Canonical::of(claim).key, job.to_vec());
        self.update(Table::Work, key, |_| Some(Some(summed(result)))).map(|_| ())
    }

    /// All jobs of a search with their results, in the order of the jobs' keys. Damaged results
    /// are left out.
    pub fn work_iter(
        &self,
        claim: &Claim,
    ) -> Result<impl Iterator<Item = Result<(Vec<u8>, Vec<u8>)>>> {
        let rows = self.rows(Table::Work, Some(&Canonical::of(claim).key))?;
        Ok(rows.filter_map(|row| match row {
            Ok(((_, job), value)) => unsummed(&value).ok().map(|result| Ok((job, result.to_vec()))),
            Err(error) => Some(Err(error)),
        }))
    }

    /// Drops all jobs of a search. Returns their number.
    pub fn work_clear(&self, claim: &Claim) -> Result<u64> {
        self.clear(Table::Work, &Canonical::of(claim).key)
    }
}
