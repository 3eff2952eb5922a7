//! Shelves: bytes that only the editor understands, kept by owner and key.
//!
//! An owner is a document or a queue of jobs, a key is one of its records. The store knows their
//! order, their sums and nothing else. Unlike proofs, which can be found again, they are the work
//! of people: what is damaged is told to whoever asks for it, and never passed over.

use crate::error::Result;
use crate::record::{summed, unsummed};
use crate::store::{Key, Store, Table};
use crate::survey::Damage;

/// The shelves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shelf {
    /// Documents of the editor.
    Documents,
    /// Jobs of the editor.
    Jobs,
}

impl Shelf {
    /// All shelves.
    pub const ALL: [Shelf; 2] = [Shelf::Documents, Shelf::Jobs];

    pub(crate) fn table(self) -> Table {
        match self {
            Shelf::Documents => Table::Documents,
            Shelf::Jobs => Table::Jobs,
        }
    }
}

/// What is found on a shelf.
#[derive(Clone, Debug)]
pub enum Kept {
    /// The bytes as they were put there.
    Whole(Vec<u8>),
    /// A record that cannot be read.
    Damaged(Damage),
}

impl Kept {
    /// The bytes, unless they are damaged.
    pub fn whole(self) -> Option<Vec<u8>> {
        match self {
            Kept::Whole(bytes) => Some(bytes),
            Kept::Damaged(_) => None,
        }
    }

    fn of(shelf: Shelf, key: Key, value: &[u8]) -> Kept {
        match unsummed(value) {
            Ok(bytes) => Kept::Whole(bytes.to_vec()),
            Err(what) => Kept::Damaged(Damage::new(shelf.table(), key, None, what)),
        }
    }
}

/// How much a shelf holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShelfStats {
    /// Owners with a record that can be read.
    pub owners: u64,
    /// Records that can be read.
    pub records: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// A change of one record: its owner, its key, and its new bytes; `None` removes it.
pub type Change<'a> = (&'a [u8], &'a [u8], Option<&'a [u8]>);

/// A shelf of a store ([`Store::shelf`]).
#[derive(Clone, Copy, Debug)]
pub struct Shelved<'a> {
    store: &'a Store,
    shelf: Shelf,
}

impl Store {
    /// A shelf.
    pub fn shelf(&self, shelf: Shelf) -> Shelved<'_> {
        Shelved { store: self, shelf }
    }
}

impl<'a> Shelved<'a> {
    /// Keeps bytes, in place of earlier ones. They are visible at once, and on disk within a second
    /// or after [`Store::flush`].
    pub fn put(self, owner: &[u8], key: &[u8], bytes: &[u8]) -> Result<()> {
        let key = (owner.to_vec(), key.to_vec());
        self.store.update(self.shelf.table(), key, |_| Some(Some(summed(bytes)))).map(|_| ())
    }

    /// Keeps bytes, and returns when they are on disk; as [`Shelved::write_all`] of one record.
    pub fn put_now(self, owner: &[u8], key: &[u8], bytes: &[u8]) -> Result<()> {
        self.write_all(&[(owner, key, Some(bytes))])
    }

    /// Makes all changes or none, the later one where two are about the same record. They are on
    /// disk when this returns. A refused batch is withdrawn: none of it is visible, now or later.
    pub fn write_all(self, changes: &[Change<'_>]) -> Result<()> {
        let changes = changes
            .iter()
            .map(|&(owner, key, bytes)| ((owner.to_vec(), key.to_vec()), bytes.map(summed)));
        self.store.write_all(self.shelf.table(), changes)
    }

    /// The bytes of one record.
    pub fn get(self, owner: &[u8], key: &[u8]) -> Result<Option<Kept>> {
        let key = (owner.to_vec(), key.to_vec());
        let value = self.store.get(self.shelf.table(), key.clone())?;
        Ok(value.map(|value| Kept::of(self.shelf, key, &value)))
    }

    /// Drops a record, damaged or not. Whether there was one.
    pub fn remove(self, owner: &[u8], key: &[u8]) -> Result<bool> {
        let key = (owner.to_vec(), key.to_vec());
        self.store.update(self.shelf.table(), key, |kept| kept.map(|_| None))
    }

    /// The records of an owner in the order of their keys, damaged ones among them, and those that
    /// wait to be committed.
    pub fn iter(
        self,
        owner: &[u8],
    ) -> Result<impl Iterator<Item = Result<(Vec<u8>, Kept)>> + use<'a>> {
        let rows = self.store.rows(self.shelf.table(), Some(owner))?;
        Ok(rows.map(move |row| {
            let (key, value) = row?;
            let name = key.1.clone();
            Ok((name, Kept::of(self.shelf, key, &value)))
        }))
    }

    /// All owners, in their order.
    pub fn owners(self) -> Result<Vec<Vec<u8>>> {
        let mut owners: Vec<Vec<u8>> = Vec::new();
        loop {
            // Nothing stands between an owner and itself with a zero behind it.
            let from = owners.last().map_or_else(Vec::new, |last| [&last[..], &[0]].concat());
            match self.store.rows_from(self.shelf.table(), &from)?.next() {
                Some(row) => owners.push(row?.0.0),
                None => return Ok(owners),
            }
        }
    }

    /// Drops all records of an owner. How many there were.
    pub fn clear(self, owner: &[u8]) -> Result<u64> {
        let rows = self.store.rows(self.shelf.table(), Some(owner))?;
        let keys = rows.map(|row| row.map(|(key, _)| key)).collect::<Result<Vec<_>>>()?;
        let count = keys.len() as u64;
        for key in keys {
            self.store.update(self.shelf.table(), key, |kept| kept.map(|_| None))?;
        }
        Ok(count)
    }

    /// Counts; and how many records are damaged.
    pub(crate) fn count(self) -> Result<(ShelfStats, u64)> {
        let (mut stats, mut damaged) = (ShelfStats::default(), 0);
        let mut last: Option<Vec<u8>> = None;
        for row in self.store.rows(self.shelf.table(), None)? {
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

    /// Adds the owners of another store that are not here, with all their records that can be read:
    /// how many were added, and how many are here already. Two histories of one document make no
    /// third one, so nothing is added to an owner that is here.
    pub(crate) fn add_from(self, other: &Store) -> Result<(u64, u64)> {
        let theirs = other.shelf(self.shelf);
        let (mut added, mut known) = (0, 0);
        for owner in theirs.owners()? {
            if self.store.rows(self.shelf.table(), Some(&owner))?.next().is_some() {
                known += 1;
                continue;
            }
            let mut count = 0;
            for row in theirs.iter(&owner)? {
                let (key, kept) = row?;
                if let Kept::Whole(bytes) = kept {
                    self.put(&owner, &key, &bytes)?;
                    count += 1;
                }
            }
            added += u64::from(count > 0);
        }
        Ok((added, known))
    }
}
