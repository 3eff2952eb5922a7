//! The store itself: a database in a file, writes that wait in memory for the next commit, and the
//! thread that commits them.
//!
//! A write is visible at once to everybody who asks this `Store`, and on disk within a second.
//! Everything that waits is committed together, so that a crash keeps the writes up to some moment,
//! in their order, and none after it.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use redb::TableDefinition;

use crate::error::{Error, Result};
use crate::guard::guarded;
use crate::place::{self, Held, ask};

/// Writes wait for others at most so long before they are committed.
const COMMIT_EVERY: Duration = Duration::from_millis(500);
/// So many bytes do not wait at all.
const WAITING_BYTES_MAX: usize = 32 << 20;

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

    /// The tables whose records belong to claims.
    pub(crate) const OF_CLAIMS: [Table; 3] = [Table::Proofs, Table::Refutations, Table::Work];

    /// Keys are those of a claim and of a job (only work has jobs), or an owner and a name.
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

/// What a record is found by, as the database says it.
type Pair = (&'static [u8], &'static [u8]);
/// What a record is found by.
pub(crate) type Key = (Vec<u8>, Vec<u8>);
/// Writes by what they change; `None` removes a record.
type Writes = BTreeMap<(Table, Key), Option<Vec<u8>>>;

/// A store of proofs, refutations and unfinished work in one file. Threads may share it.
#[derive(Debug)]
pub struct Store {
    shared: Arc<Shared>,
    committer: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Debug)]
struct Shared {
    path: PathBuf,
    read_only: bool,
    /// Made by the first commit if there was no file.
    database: OnceLock<Held>,
    state: Mutex<State>,
    /// Tells the committer that there is something to do.
    changed: Condvar,
    /// Held by who commits.
    committing: Mutex<()>,
}

#[derive(Debug, Default)]
struct State {
    waiting: Writes,
    waiting_bytes: usize,
    /// What is being committed.
    leaving: Arc<Writes>,
    stop: bool,
    /// Why nothing can be committed any more.
    failure: Option<Error>,
}

impl Store {
    /// Opens the store in a file. Where there is none, the first write makes it, with its folder.
    pub fn open(path: impl AsRef<Path>) -> Result<Store> {
        let path = path.as_ref();
        Ok(Store::of(path, place::open(path)?, false))
    }

    /// Opens the store in a file that is there and that will not be changed, not even to repair
    /// what a crash left behind.
    pub fn open_read_only(path: impl AsRef<Path>) -> Result<Store> {
        let path = path.as_ref();
        Ok(Store::of(path, Some(place::open_read_only(path)?), true))
    }

    /// Where the store is when nobody says: `$SIXPROOF_STORE`, else `sixproof/store.redb` in the
    /// user's folder of data. `None` if the variable is empty, or no such folder is known.
    pub fn default_path() -> Option<PathBuf> {
        place::default_path()
    }

    fn of(path: &Path, database: Option<Held>, read_only: bool) -> Store {
        let shared = Shared {
            path: path.to_path_buf(),
            read_only,
            database: OnceLock::new(),
            state: Mutex::default(),
            changed: Condvar::new(),
            committing: Mutex::default(),
        };
        if let Some(database) = database {
            shared.database.set(database).expect("just made");
        }
        Store { shared: Arc::new(shared), committer: Mutex::default() }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.shared.path
    }

    /// The length of the file; `None` while there is none.
    pub fn file_bytes(&self) -> Option<u64> {
        place::file_bytes(self.path())
    }

    /// Commits all writes now.
    pub fn flush(&self) -> Result<()> {
        self.shared.commit()
    }

    pub(crate) fn get(&self, table: Table, key: Key) -> Result<Option<Vec<u8>>> {
        let row = (table, key);
        {
            let state = self.shared.state();
            if let Some(value) = state.waiting.get(&row).or_else(|| state.leaving.get(&row)) {
                return Ok(value.clone());
            }
        }
        // Whatever was committed since the look at the state is newer, and found now.
        self.shared.read(table, row.1)
    }

    /// Writes what `decide` makes of the present value: `Some` to write, `None` to leave it.
    /// Nobody else writes in between.
    pub(crate) fn update(
        &self,
        table: Table,
        key: Key,
        decide: impl FnOnce(Option<Vec<u8>>) -> Option<Option<Vec<u8>>>,
    ) -> Result<bool> {
        if self.shared.read_only {
            return Err(Error::ReadOnly(self.shared.path.clone()));
        }
        self.start_committer();
        let row = (table, key);
        let mut state = self.shared.state();
        if let Some(failure) = &state.failure {
            return Err(failure.clone());
        }
        let now = match state.waiting.get(&row).or_else(|| state.leaving.get(&row)) {
            Some(value) => value.clone(),
            None => self.shared.read(table, row.1.clone())?,
        };
        let Some(value) = decide(now) else { return Ok(false) };
        state.waiting_bytes += row.1.0.len() + row.1.1.len() + value.as_ref().map_or(0, Vec::len);
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
        if !self.shared.read_only {
            self.flush()?;
        }
        let mut rows = Rows { shared: &self.shared, claim: None, range: None };
        let Some(held) = self.shared.database.get() else { return Ok(rows) };
        rows.range = ask(self.path(), || {
            let transaction = held.database().begin_read()?;
            let table = match transaction.open_table(table.definition()) {
                Ok(table) => table,
                Err(redb::TableError::TableDoesNotExist(_)) => return Ok(None),
                Err(error) => return Err(error.into()),
            };
            let from: (&[u8], &[u8]) = (claim, &[]);
            Ok(Some(table.range((Bound::Included(from), Bound::Unbounded))?))
        })?;
        Ok(rows)
    }

    /// Reads every page of the file and compares it with its sum.
    pub fn check_structure(self) -> Result<Store> {
        self.flush()?;
        let Store { shared, committer } = &self;
        stop(shared, committer);
        let read_only = shared.read_only;
        let path = shared.path.clone();
        drop(self);
        let mut database = match read_only {
            true => Some(place::open_read_only(&path)?),
            false => place::open(&path)?,
        };
        if let Some(database) = &mut database
            && !ask(&path, || Ok(database.database_mut().check_integrity()?))?
        {
            let what = "pages of the file are not as they were written".to_string();
            return Err(Error::Damaged { path, what });
        }
        Ok(Store::of(&path, database, read_only))
    }

    fn start_committer(&self) {
        let mut committer = self.committer.lock().unwrap_or_else(PoisonError::into_inner);
        if committer.is_none() {
            let shared = Arc::clone(&self.shared);
            *committer = Some(std::thread::spawn(move || shared.commit_again_and_again()));
        }
    }
}

fn stop(shared: &Shared, committer: &Mutex<Option<JoinHandle<()>>>) {
    shared.state().stop = true;
    shared.changed.notify_all();
    let committer = committer.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(committer) = committer {
        // It does not panic: the database is guarded, and nothing else can.
        let _ended = committer.join();
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        stop(&self.shared, &self.committer);
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is committed.
    fn read(&self, table: Table, key: Key) -> Result<Option<Vec<u8>>> {
        let Some(held) = self.database.get() else { return Ok(None) };
        ask(&self.path, || {
            let transaction = held.database().begin_read()?;
            match transaction.open_table(table.definition()) {
                Ok(table) => {
                    Ok(table.get((&key.0[..], &key.1[..]))?.map(|value| value.value().to_vec()))
                }
                Err(redb::TableError::TableDoesNotExist(_)) => Ok(None),
                Err(error) => Err(error.into()),
            }
        })
    }

    fn commit_again_and_again(&self) {
        loop {
            let mut state = self.state();
            while state.waiting.is_empty() && !state.stop {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            let goes_on = |s: &mut State| !s.stop && s.waiting_bytes < WAITING_BYTES_MAX;
            let (state, _) = self
                .changed
                .wait_timeout_while(state, COMMIT_EVERY, goes_on)
                .unwrap_or_else(PoisonError::into_inner);
            let stop = state.stop;
            drop(state);
            // The failure is kept, and told to the next who writes or flushes.
            let failed = self.commit().is_err();
            if stop || failed {
                return;
            }
        }
    }

    /// Commits what waits.
    fn commit(&self) -> Result<()> {
        let _turn = self.committing.lock().unwrap_or_else(PoisonError::into_inner);
        let leaving = {
            let mut state = self.state();
            if let Some(failure) = &state.failure {
                return Err(failure.clone());
            }
            if state.waiting.is_empty() {
                return Ok(());
            }
            state.leaving = Arc::new(std::mem::take(&mut state.waiting));
            state.waiting_bytes = 0;
            Arc::clone(&state.leaving)
        };
        let written = self.write(&leaving);
        let mut state = self.state();
        match &written {
            Ok(()) => state.leaving = Arc::default(),
            // What could not be written stays visible to this process.
            Err(error) => state.failure = Some(error.clone()),
        }
        written
    }

    fn write(&self, writes: &Writes) -> Result<()> {
        if self.database.get().is_none() {
            let made = place::create(&self.path)?;
            assert!(self.database.set(made).is_ok(), "made by who commits alone");
        }
        let database = self.database.get().expect("just made").database();
        ask(&self.path, || {
            let mut transaction = database.begin_write()?;
            transaction.set_durability(redb::Durability::Immediate);
            // Opening a large store after a crash must not take minutes.
            transaction.set_quick_repair(true);
            for table in Table::ALL {
                let mut rows = writes.iter().filter(|((of, _), _)| *of == table).peekable();
                if rows.peek().is_none() {
                    continue;
                }
                let mut open = transaction.open_table(table.definition())?;
                for ((_, (claim, job)), value) in rows {
                    match value {
                        Some(value) => open.insert((&claim[..], &job[..]), &value[..])?,
                        None => open.remove((&claim[..], &job[..]))?,
                    };
                }
            }
            transaction.commit()?;
            Ok(())
        })
    }
}

/// The committed records of a table, in the order of their keys.
pub(crate) struct Rows<'a> {
    shared: &'a Shared,
    /// The claim whose records these are; else all.
    claim: Option<Vec<u8>>,
    range: Option<redb::Range<'static, Pair, &'static [u8]>>,
}

impl Drop for Rows<'_> {
    fn drop(&mut self) {
        let range = self.range.take();
        // Nothing depends on how reading ends.
        let _ended = guarded(|| drop(range));
    }
}

impl Iterator for Rows<'_> {
    type Item = Result<(Key, Vec<u8>)>;

    fn next(&mut self) -> Option<Self::Item> {
        let range = self.range.as_mut()?;
        let next = ask(&self.shared.path, || {
            let Some(row) = range.next() else { return Ok(None) };
            let (key, value) = row?;
            let (claim, job) = key.value();
            Ok(Some(((claim.to_vec(), job.to_vec()), value.value().to_vec())))
        });
        let within = |row: &(Key, Vec<u8>)| self.claim.as_ref().is_none_or(|c| *c == row.0.0);
        match next {
            Ok(Some(row)) if within(&row) => Some(Ok(row)),
            Ok(_) => {
                self.range = None;
                None
            }
            Err(error) => {
                self.range = None;
                Some(Err(error))
            }
        }
    }
}
