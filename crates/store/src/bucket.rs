//! Buckets: bytes that only the editor understands, kept by owner and key.
//!
//! An owner is a document or a queue of jobs, a key is one of its records. The store knows their
//! order, their sums and nothing else. Unlike proofs, which can be found again, they are the work
//! of people: a damaged record is reported as such, never passed over.

use crate::error::Result;
use crate::record::{summed, unsummed};
use crate::store::{Key, Store, Table};
use crate::survey::Damage;

/// A table of the store for the editor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bucket {
    /// Documents of the editor.
    Documents,
    /// Jobs of the editor.
    Jobs,
}

impl Bucket {
    /// All buckets.
    pub const ALL: [Bucket; 2] = [Bucket::Documents, Bucket::Jobs];

    pub(crate) fn table(self) -> Table {
        match self {
            Bucket::Documents => Table::Documents,
            Bucket::Jobs => Table::Jobs,
        }
    }
}

/// A record of a bucket.
#[derive(Clone, Debug)]
pub enum BucketRecord {
    /// Its bytes, as they were written.
    Whole(Vec<u8>),
    /// A record that cannot be read.
    Damaged(Damage),
}

impl BucketRecord {
    /// The bytes, unless they are damaged.
    pub fn whole(self) -> Option<Vec<u8>> {
        match self {
            BucketRecord::Whole(bytes) => Some(bytes),
            BucketRecord::Damaged(_) => None,
        }
    }

    fn of(bucket: Bucket, key: Key, value: &[u8]) -> BucketRecord {
        match unsummed(value) {
            Ok(bytes) => BucketRecord::Whole(bytes.to_vec()),
            Err(what) => BucketRecord::Damaged(Damage::new(bucket.table(), key, None, what)),
        }
    }
}

/// How much a bucket holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BucketStats {
    /// Owners with a record that can be read.
    pub owners: u64,
    /// Records that can be read.
    pub records: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// A change of one record: its owner, its key, and its new bytes; `None` removes it.
pub type Change<'a> = (&'a [u8], &'a [u8], Option<&'a [u8]>);

/// A bucket of a store ([`Store::bucket`]).
#[derive(Clone, Copy, Debug)]
pub struct BucketHandle<'a> {
    store: &'a Store,
    bucket: Bucket,
}

impl Store {
    /// A bucket.
    pub fn bucket(&self, bucket: Bucket) -> BucketHandle<'_> {
        BucketHandle { store: self, bucket }
    }
}

impl<'a> BucketHandle<'a> {
    /// Writes a record, in place of an earlier one. It is visible at once, and on disk within a
    /// second or after [`Store::flush`].
    pub fn put(self, owner: &[u8], key: &[u8], bytes: &[u8]) -> Result<()> {
        let key = (owner.to_vec(), key.to_vec());
        self.store.update(self.bucket.table(), key, |_| Some(Some(summed(bytes)))).map(|_| ())
    }

    /// Writes a record, and returns when it is on disk, as [`BucketHandle::write_all`] does.
    pub fn put_now(self, owner: &[u8], key: &[u8], bytes: &[u8]) -> Result<()> {
        self.write_all(&[(owner, key, Some(bytes))])
    }

    /// Makes all changes or none; of two changes of one record the later one counts. They are on
    /// disk when this returns. A refused batch is withdrawn: none of it is visible, now or later.
    pub fn write_all(self, changes: &[Change<'_>]) -> Result<()> {
        let changes = changes
            .iter()
            .map(|&(owner, key, bytes)| ((owner.to_vec(), key.to_vec()), bytes.map(summed)));
        self.store.write_all(self.bucket.table(), changes)
    }

    /// One record.
    pub fn get(self, owner: &[u8], key: &[u8]) -> Result<Option<BucketRecord>> {
        let key = (owner.to_vec(), key.to_vec());
        let value = self.store.get(self.bucket.table(), key.clone())?;
        Ok(value.map(|value| BucketRecord::of(self.bucket, key, &value)))
    }

    /// Drops a record, damaged or not; false if there was none.
    pub fn remove(self, owner: &[u8], key: &[u8]) -> Result<bool> {
        let key = (owner.to_vec(), key.to_vec());
        self.store.update(self.bucket.table(), key, |kept| kept.map(|_| None))
    }

    /// The records of an owner in the order of their keys, damaged ones among them, and those that
    /// wait to be committed.
    pub fn iter(
        self,
        owner: &[u8],
    ) -> Result<impl Iterator<Item = Result<(Vec<u8>, BucketRecord)>> + use<'a>> {
        let rows = self.store.rows(self.bucket.table(), Some(owner))?;
        Ok(rows.map(move |row| {
            let (key, value) = row?;
            let name = key.1.clone();
            Ok((name, BucketRecord::of(self.bucket, key, &value)))
        }))
    }

    /// All owners, in their order.
    pub fn owners(self) -> Result<Vec<Vec<u8>>> {
        let mut owners: Vec<Vec<u8>> = Vec::new();
        loop {
            // The next key after an owner is the owner with a zero byte behind it.
            let from = owners.last().map_or_else(Vec::new, |last| [&last[..], &[0]].concat());
            match self.store.rows_from(self.bucket.table(), &from)?.next() {
                Some(row) => owners.push(row?.0.0),
                None => return Ok(owners),
            }
        }
    }

    /// Drops all records of an owner. Returns their number.
    pub fn clear(self, owner: &[u8]) -> Result<u64> {
        self.store.clear(self.bucket.table(), owner)
    }

    /// The counts of the bucket, and the number of damaged records.
    pub(crate) fn count(self) -> Result<(BucketStats, u64)> {
        let (mut stats, mut damaged) = (BucketStats::default(), 0);
        let mut last: Option<Vec<u8>> = None;
        for row in self.store.rows(self.bucket.table(), None)? {
            let ((owner, _), value) = row?;
            match unsummed(&value) {
                Ok(bytes) => {
                    stats.records += 1;
                    stats.bytes = stats.bytes.saturating_add(bytes.len() as u64);
                    if last.as_ref() != Some(&owner) {
                        stats.owners += 1;
                        last = Some(owner);
                    }
                }
                Err(_) => damaged += 1,
            }
        }
        Ok((stats, damaged))
    }

    /// Adds the owners of another store that are not here, with all their readable records. Returns
    /// the number of owners that were added, and of those that are here already. Two histories of
    /// one document cannot be merged, so an owner that is here stays as it is.
    pub(crate) fn add_from(self, other: &Store) -> Result<(u64, u64)> {
        let theirs = other.bucket(self.bucket);
        let (mut added, mut known) = (0, 0);
        for owner in theirs.owners()? {
            if self.store.rows(self.bucket.table(), Some(&owner))?.next().is_some() {
                known += 1;
                continue;
            }
            let mut count = 0;
            for row in theirs.iter(&owner)? {
                let (key, kept) = row?;
                if let BucketRecord::Whole(bytes) = kept {
                    self.put(&owner, &key, &bytes)?;
                    count += 1;
                }
            }
            added += u64::from(count > 0);
        }
        Ok((added, known))
    }
}
