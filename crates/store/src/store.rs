//! The store itself: writes that wait in memory for the next commit, the thread that commits them,
//! and batches that are committed at once.
//!
//! A write is visible at once in this `Store`, and on disk within a second. All waiting writes are
//! committed together, so a crash keeps the writes up to some moment, in their order, and none
//! after it.
//!
//! Writes that cannot be committed, because the disk is full or another process holds the file, go
//! on waiting: they are visible in this process, and committed when that is possible again. A batch
//! is different: it is committed before its caller goes on, or withdrawn as a whole.

use std::collections::{BTreeMap, BTreeSet, btree_map};
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use redb::{ReadableTable as _, TableDefinition};

use crate::access::Access;
use crate::error::{Error, Result};
use crate::place::{self, DocumentsLock};
use crate::proofs;

/// How long a write waits for others before all are committed.
const COMMIT_EVERY: Duration = Duration::from_millis(500);
/// The bytes of waiting writes that are committed without further waiting.
const WAITING_BYTES_MAX: usize = 32 << 20;
/// How long after a failed commit the next attempt is made.
const RETRY_EVERY: Duration = Duration::from_secs(3);
/// The bytes of waiting writes above which, while commits fail, a further write is refused.
const REFUSED_BYTES: usize = 256 << 20;
/// The bytes of the first part of records that an iterator reads; each further part has eight times
/// as many.
const PART_BYTES_MIN: usize = 4 << 10;
/// The most bytes of a part, unless a single record has more.
const PART_BYTES_MAX: usize = 4 << 20;

/// The kinds of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Table {
    Proofs,
    Refutations,
    Work,
    Documents,
    Jobs,
}

impl Table {
    const ALL: [Table; 5] =
        [Table::Proofs, Table::Refutations, Table::Work, Table::Documents, Table::Jobs];

    /// The tables with claims as keys.
    pub(crate) const OF_CLAIMS: [Table; 3] = [Table::Proofs, Table::Refutations, Table::Work];

    /// A key is a pair: a claim and a job (empty but for work), or an owner and a name.
    fn definition(self) -> TableDefinition<'static, Pair, &'static [u8]> {
        TableDefinition::new(match self {
            Table::Proofs => "proofs",
            Table::Refutations => "refutations",
            Table::Work => "work",
            Table::Documents => "documents",
            Table::Jobs => "jobs",
        })
    }
}

/// The key of a record, in the database's type.
type Pair = (&'static [u8], &'static [u8]);
/// The key of a record.
pub(crate) type Key = (Vec<u8>, Vec<u8>);
/// Writes by the record that they change; `None` removes it.
type Writes = BTreeMap<(Table, Key), Option<Vec<u8>>>;

/// A store of proofs, refutations and unfinished work in one file. Threads and processes may share
/// it: what one has committed, the others find.
#[derive(Debug)]
pub struct Store {
    shared: Arc<StoreCore>,
    committer: Mutex<Option<JoinHandle<()>>>,
    /// The lock for editing documents, if this store holds it.
    editor: Mutex<Option<DocumentsLock>>,
}

#[derive(Debug)]
struct StoreCore {
    access: Access,
    state: Mutex<PendingWrites>,
    /// Signalled when the committer has something to do.
    changed: Condvar,
    /// Held during a commit.
    committing: Mutex<()>,
}

#[derive(Debug, Default)]
struct PendingWrites {
    waiting: Writes,
    waiting_bytes: usize,
    /// The writes that are being committed.
    leaving: Arc<Writes>,
    stop: bool,
    /// Why the last commit failed.
    failure: Option<Error>,
}

impl PendingWrites {
    /// A record as the writes that are not yet committed leave it.
    fn pending(&self, row: &(Table, Key)) -> Option<&Option<Vec<u8>>> {
        self.waiting.get(row).or_else(|| self.leaving.get(row))
    }
}

impl Store {
    /// Opens the store in a file. If there is no file, the first write makes it, with its folder.
    pub fn open(path: impl AsRef<Path>) -> Result<Store> {
        let store = Store::of(path.as_ref(), false);
        if store.shared.access.read(|_| Ok(()))?.is_none() {
            place::ensure_creatable(store.path())?;
        }
        Ok(store)
    }

    /// Opens the store in an existing file without ever changing it, not even to repair what a
    /// crash left behind.
    pub fn open_read_only(path: impl AsRef<Path>) -> Result<Store> {
        let store = Store::of(path.as_ref(), true);
        store.shared.access.read(|_| Ok(()))?;
        Ok(store)
    }

    /// The default path: `$SIXPROOF_STORE`, else `sixproof/store.redb` in the user's data folder.
    /// `None` if the variable is empty, or no data folder is known.
    pub fn default_path() -> Option<PathBuf> {
        place::default_path()
    }

    fn of(path: &Path, read_only: bool) -> Store {
        let shared = StoreCore {
            access: Access::new(path.to_path_buf(), read_only),
            state: Mutex::default(),
            changed: Condvar::new(),
            committing: Mutex::default(),
        };
        Store { shared: Arc::new(shared), committer: Mutex::default(), editor: Mutex::default() }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.shared.access.path
    }

    /// The length of the file; `None` while there is no file.
    pub fn file_bytes(&self) -> Option<u64> {
        place::file_bytes(self.path())
    }

    /// Reserves the documents and jobs of the file for this process, until this store is dropped:
    /// another process that wants to edit them is refused.
    pub fn edit_documents(&self) -> Result<()> {
        let mut editor = self.editor.lock().unwrap_or_else(PoisonError::into_inner);
        if editor.is_none() {
            *editor = Some(place::lock_documents(self.path())?);
        }
        Ok(())
    }

    /// Commits all writes now. Those that cannot be committed go on waiting.
    pub fn flush(&self) -> Result<()> {
        self.shared.commit(Writes::new())
    }

    fn ensure_writable(&self) -> Result<()> {
        match self.shared.access.read_only {
            true => Err(Error::ReadOnly(self.path().to_path_buf())),
            false => Ok(()),
        }
    }

    /// Commits changes of a table as a whole, with all waiting writes. They are on disk when this
    /// returns, or refused: then none of them is visible, now or later.
    pub(crate) fn write_all(
        &self,
        table: Table,
        changes: impl Iterator<Item = (Key, Option<Vec<u8>>)>,
    ) -> Result<()> {
        self.ensure_writable()?;
        self.shared.commit(changes.map(|(key, value)| ((table, key), value)).collect())
    }

    pub(crate) fn get(&self, table: Table, key: Key) -> Result<Option<Vec<u8>>> {
        let row = (table, key);
        if let Some(value) = self.shared.state().pending(&row) {
            return Ok(value.clone());
        }
        // A write that was committed since the look at the state is newer, and found here.
        self.shared.read(table, &row.1)
    }

    /// Writes what `decide` makes of the present value: `Some` to write, `None` to leave it. No
    /// other thread of this process writes in between.
    pub(crate) fn update(
        &self,
        table: Table,
        key: Key,
        decide: impl FnOnce(Option<Vec<u8>>) -> Option<Option<Vec<u8>>>,
    ) -> Result<bool> {
        self.ensure_writable()?;
        self.start_committer();
        let row = (table, key);
        let mut state = self.shared.state();
        if let Some(failure) =
            state.failure.as_ref().filter(|_| state.waiting_bytes > REFUSED_BYTES)
        {
            return Err(failure.clone());
        }
        let now = match state.pending(&row) {
            Some(value) => value.clone(),
            None => self.shared.read(table, &row.1)?,
        };
        let Some(value) = decide(now) else { return Ok(false) };
        state.waiting_bytes += bytes_of((&row, &value));
        state.waiting.insert(row, value);
        drop(state);
        self.shared.changed.notify_all();
        Ok(true)
    }

    /// The records of a table, or those with one claim's key.
    pub(crate) fn rows(&self, table: Table, claim: Option<&[u8]>) -> Result<Rows<'_>> {
        let mut rows = self.rows_from(table, claim.unwrap_or(&[]))?;
        rows.claim = claim.map(<[u8]>::to_vec);
        Ok(rows)
    }

    /// The records of a table from a claim's key on.
    pub(crate) fn rows_from(&self, table: Table, claim: &[u8]) -> Result<Rows<'_>> {
        let from = Bound::Included((claim.to_vec(), Vec::new()));
        let (part, rest) = self.shared.part(table, &from, PART_BYTES_MIN)?;
        let (part, part_bytes) = (part.into_iter(), PART_BYTES_MIN);
        Ok(Rows { shared: &self.shared, table, claim: None, part, rest, part_bytes })
    }

    /// Drops the records with one claim's key. Returns their number.
    pub(crate) fn clear(&self, table: Table, claim: &[u8]) -> Result<u64> {
        let rows = self.rows(table, Some(claim))?;
        let keys = rows.map(|row| row.map(|(key, _)| key)).collect::<Result<Vec<_>>>()?;
        let count = keys.len() as u64;
        for key in keys {
            self.update(table, key, |kept| kept.map(|_| None))?;
        }
        Ok(count)
    }

    /// Reads every page of the file and compares it with its sum.
    pub fn check_structure(self) -> Result<Store> {
        self.flush()?;
        stop(&self.shared, &self.committer);
        if self.shared.access.check_integrity()? == Some(false) {
            let what = "pages of the file are not as they were written".to_string();
            return Err(Error::Damaged { path: self.path().to_path_buf(), what });
        }
        self.shared.state().stop = false;
        Ok(self)
    }

    fn start_committer(&self) {
        let mut committer = self.committer.lock().unwrap_or_else(PoisonError::into_inner);
        if committer.is_none() {
            let shared = Arc::clone(&self.shared);
            *committer = Some(std::thread::spawn(move || shared.commit_again_and_again()));
        }
    }
}

fn stop(shared: &StoreCore, committer: &Mutex<Option<JoinHandle<()>>>) {
    shared.state().stop = true;
    shared.changed.notify_all();
    let committer = committer.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(committer) = committer {
        // It does not panic: panics of the database are caught.
        let _ended = committer.join();
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        stop(&self.shared, &self.committer);
    }
}

/// The bytes of memory that a waiting write takes.
fn bytes_of(((_, key), value): (&(Table, Key), &Option<Vec<u8>>)) -> usize {
    key.0.len() + key.1.len() + value.as_ref().map_or(0, Vec::len)
}

impl StoreCore {
    fn state(&self) -> MutexGuard<'_, PendingWrites> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A record as it is committed.
    fn read(&self, table: Table, key: &Key) -> Result<Option<Vec<u8>>> {
        let found = self.access.read(|database| {
            match database.begin_read()?.open_table(table.definition()) {
                Ok(table) => {
                    Ok(table.get((&key.0[..], &key.1[..]))?.map(|value| value.value().to_vec()))
                }
                Err(redb::TableError::TableDoesNotExist(_)) => Ok(None),
                Err(error) => Err(error.into()),
            }
        })?;
        Ok(found.flatten())
    }

    fn commit_again_and_again(&self) {
        let mut pause = COMMIT_EVERY;
        loop {
            let mut state = self.state();
            while state.waiting.is_empty() && !state.stop {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            let goes_on = |s: &mut PendingWrites| {
                !s.stop && (s.failure.is_some() || s.waiting_bytes < WAITING_BYTES_MAX)
            };
            let (state, _) = self
                .changed
                .wait_timeout_while(state, pause, goes_on)
                .unwrap_or_else(PoisonError::into_inner);
            let stop = state.stop;
            drop(state);
            pause = if self.commit(Writes::new()).is_ok() { COMMIT_EVERY } else { RETRY_EVERY };
            if stop {
                return;
            }
        }
    }

    /// Commits all waiting writes, and a batch, which is newer than they are. If that fails, the
    /// batch is tried alone: a large proof that does not fit must not keep an edit from being
    /// saved.
    fn commit(&self, batch: Writes) -> Result<()> {
        let _turn = self.committing.lock().unwrap_or_else(PoisonError::into_inner);
        let leaving = {
            let mut state = self.state();
            if state.waiting.is_empty() && batch.is_empty() {
                return Ok(());
            }
            state.leaving = Arc::new(std::mem::take(&mut state.waiting));
            state.waiting_bytes = 0;
            Arc::clone(&state.leaving)
        };
        let written = match batch.is_empty() {
            true => self.write(&leaving),
            false => {
                let all =
                    leaving.iter().chain(&batch).map(|(row, value)| (row.clone(), value.clone()));
                self.write(&all.collect())
            }
        };
        let mut state = self.state();
        state.leaving = Arc::default();
        state.failure = written.as_ref().err().cloned();
        let Err(error) = written else { return Ok(()) };
        let owner = |row: &(Table, Key)| (row.0, row.1.0.clone());
        let owners: BTreeSet<_> = batch.keys().map(owner).collect();
        let is_apart = !leaving.keys().any(|row| owners.contains(&owner(row)));
        let is_alone = leaving.is_empty();
        let newer = std::mem::take(&mut state.waiting);
        state.waiting = Arc::unwrap_or_clone(leaving);
        state.waiting.extend(newer);
        state.waiting_bytes = state.waiting.iter().map(bytes_of).sum();
        drop(state);
        match batch.is_empty() || is_alone || !is_apart || matches!(error, Error::InUse(_)) {
            true => Err(error),
            false => self.write(&batch),
        }
    }

    /// Commits writes, together.
    fn write(&self, writes: &Writes) -> Result<()> {
        self.access.write(|database| {
            let mut transaction = database.begin_write()?;
            transaction.set_durability(redb::Durability::Immediate);
            // Opening a large store after a crash, or after another process, must not take long.
            transaction.set_quick_repair(true);
            for table in Table::ALL {
                let mut rows = writes.iter().filter(|((of, _), _)| *of == table).peekable();
                if rows.peek().is_none() {
                    continue;
                }
                let mut open = transaction.open_table(table.definition())?;
                for ((_, (claim, job)), value) in rows {
                    let key = (&claim[..], &job[..]);
                    let Some(value) = value else {
                        open.remove(key)?;
                        continue;
                    };
                    // Another process may have found more since this write was decided on.
                    let is_news = match table {
                        Table::Proofs | Table::Refutations => {
                            let kept = open.get(key)?;
                            kept.is_none_or(|kept| proofs::is_news(table, value, kept.value()))
                        }
                        Table::Work | Table::Documents | Table::Jobs => true,
                    };
                    if is_news {
                        open.insert(key, &value[..])?;
                    }
                }
            }
            transaction.commit()?;
            Ok(())
        })
    }

    /// The next part of the records of a table, waiting ones among them, and where the rest begins.
    fn part(&self, table: Table, from: &Bound<Key>, bytes_max: usize) -> Result<(Part, Rest)> {
        // The guard keeps waiting writes from being committed between the two looks.
        let state = self.state();
        let start = from.as_ref().map(|(claim, job)| (&claim[..], &job[..]));
        let found = self.access.read(|database| {
            let (mut part, mut bytes) = (Part::new(), 0);
            let open = match database.begin_read()?.open_table(table.definition()) {
                Ok(open) => open,
                Err(redb::TableError::TableDoesNotExist(_)) => return Ok((part, None)),
                Err(error) => return Err(error.into()),
            };
            for row in open.range::<(&[u8], &[u8])>((start, Bound::Unbounded))? {
                if bytes >= bytes_max {
                    let end = part.last_key_value().map(|(key, _)| key.clone());
                    return Ok((part, end));
                }
                let (key, value) = row?;
                let (claim, job) = key.value();
                bytes += claim.len() + job.len() + value.value().len();
                part.insert((claim.to_vec(), job.to_vec()), value.value().to_vec());
            }
            Ok((part, None))
        })?;
        let (mut part, end) = found.unwrap_or_default();
        for writes in [&*state.leaving, &state.waiting] {
            let start = from.as_ref().map(|key| (table, key.clone()));
            let rows = writes.range((start, Bound::Unbounded));
            let within =
                |row: &(Table, Key)| row.0 == table && end.as_ref().is_none_or(|end| row.1 <= *end);
            for ((_, key), value) in rows.take_while(|(row, _)| within(row)) {
                match value {
                    Some(value) => part.insert(key.clone(), value.clone()),
                    None => part.remove(key),
                };
            }
        }
        Ok((part, end.map(Bound::Excluded)))
    }
}

/// Some records of a table, in the order of their keys.
type Part = BTreeMap<Key, Vec<u8>>;
/// Where further records begin, if there are any.
type Rest = Option<Bound<Key>>;

/// The records of a table, in the order of their keys. They are read in parts, so that an iterator
/// over a large store does not block other threads: a record that changes meanwhile is found as it
/// was or as it is.
pub(crate) struct Rows<'a> {
    shared: &'a StoreCore,
    table: Table,
    /// The claim whose records these are; else all.
    claim: Option<Vec<u8>>,
    part: btree_map::IntoIter<Key, Vec<u8>>,
    rest: Rest,
    /// The bytes of the last part.
    part_bytes: usize,
}

impl Iterator for Rows<'_> {
    type Item = Result<(Key, Vec<u8>)>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(row) = self.part.next() {
                if self.claim.as_ref().is_none_or(|claim| *claim == row.0.0) {
                    return Some(Ok(row));
                }
                self.part = Part::new().into_iter();
                self.rest = None;
            }
            let from = self.rest.take()?;
            self.part_bytes = (self.part_bytes * 8).min(PART_BYTES_MAX);
            match self.shared.part(self.table, &from, self.part_bytes) {
                Ok((part, rest)) => (self.part, self.rest) = (part.into_iter(), rest),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}
