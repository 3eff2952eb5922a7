//! Access to the database: all threads of this process together, and one process at a time.
//!
//! A process holds the lock of the file only while it answers questions. In between, the database
//! stays open in memory. When the process takes the lock again, it compares the file with the stamp
//! of its last use. If another process has committed since, or an error has made the database
//! unusable, it opens the database anew. A file that was left like this looks as after a crash,
//! which costs the next process nothing: every commit keeps what a repair needs.
//!
//! A commit that fails is undone: the header and the length of the file are restored. Sound because
//! the database never overwrites committed pages before the next commit.

use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use redb::Database;

use crate::error::{Error, Result};
use crate::file::{BusyPeriod, Lock, Stamp};
use crate::place::{self, DatabaseResult, OpenDatabase, ask};

/// The database in a file that other processes use, too.
#[derive(Debug)]
pub(crate) struct Access {
    pub(crate) path: PathBuf,
    pub(crate) read_only: bool,
    users: Mutex<Users>,
    /// Signalled when the last of the questions under way has been answered.
    idle: Condvar,
}

#[derive(Debug)]
struct Users {
    /// Questions that are being answered.
    count: usize,
    busy: BusyPeriod,
    opened: Option<Opened>,
    /// Whether an error has ended all use of the database.
    is_broken: bool,
    /// Whether the error came from a commit.
    has_failed_commit: bool,
}

#[derive(Debug)]
struct Opened {
    held: Arc<OpenDatabase>,
    /// The file as it was left.
    stamp: Stamp,
}

/// Whether a question changes the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Read,
    Write,
}

impl Access {
    pub(crate) fn new(path: PathBuf, read_only: bool) -> Access {
        let users = Users {
            count: 0,
            busy: BusyPeriod::new(),
            opened: None,
            is_broken: false,
            has_failed_commit: false,
        };
        Access { path, read_only, users: Mutex::new(users), idle: Condvar::new() }
    }

    /// Asks the database something; `None` if there is no file.
    pub(crate) fn read<T>(
        &self,
        question: impl Fn(&Database) -> DatabaseResult<T>,
    ) -> Result<Option<T>> {
        let answer = || {
            let Some(held) = self.enter(Purpose::Read)? else { return Ok(None) };
            let answer = ask(&self.path, || question(held.database()));
            self.leave(held, Purpose::Read, answer).map(Some)
        };
        match answer() {
            // A commit that failed meanwhile has ended all use of the database.
            Err(Error::Io { .. }) => answer(),
            answer => answer,
        }
    }

    /// Changes the database; makes the file if it is missing.
    pub(crate) fn write<T>(
        &self,
        change: impl FnOnce(&Database) -> DatabaseResult<T>,
    ) -> Result<T> {
        let held = self.enter(Purpose::Write)?;
        let held = held.ok_or_else(|| Error::Missing(self.path.clone()))?;
        let answer = ask(&self.path, || change(held.database()));
        self.leave(held, Purpose::Write, answer)
    }

    /// Whether every page of the file is as it was written; `None` if there is no file. The caller
    /// must be the only user of the store in this process.
    pub(crate) fn check_integrity(&self) -> Result<Option<bool>> {
        // Check the file, not the copy in memory.
        self.users().opened = None;
        let Some(held) = self.enter(Purpose::Read)? else { return Ok(None) };
        self.users().opened = None;
        let mut held = Arc::into_inner(held).expect("the caller is the only user");
        let answer = ask(&self.path, || Ok(held.database_mut().check_integrity()?));
        self.leave(Arc::new(held), Purpose::Read, answer).map(Some)
    }

    fn users(&self) -> MutexGuard<'_, Users> {
        self.users.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> Lock {
        if self.read_only { Lock::Shared } else { Lock::Exclusive }
    }

    /// Takes the lock of the file, if this process does not have it, and the database as it is now.
    fn enter(&self, purpose: Purpose) -> Result<Option<Arc<OpenDatabase>>> {
        let mut users = self.users();
        while users.count > 0 && (users.is_broken || users.busy.is_long()) {
            users = self.idle.wait(users).unwrap_or_else(PoisonError::into_inner);
        }
        if users.count == 0 {
            users.busy.go_on();
            self.take(&mut users, purpose)?;
        }
        let Some(opened) = &users.opened else { return Ok(None) };
        let held = Arc::clone(&opened.held);
        users.count += 1;
        Ok(Some(held))
    }

    fn take(&self, users: &mut Users, purpose: Purpose) -> Result<()> {
        if let Some(opened) = &users.opened {
            let file = opened.held.file();
            file.lock(&self.path, self.lock())?;
            if file.stamp().is_ok_and(|stamp| stamp == opened.stamp) {
                return Ok(());
            }
            users.opened = None;
        }
        let held = match (self.read_only, purpose) {
            (true, _) => Some(place::open_read_only(&self.path)?),
            (false, Purpose::Read) => place::open(&self.path)?,
            (false, Purpose::Write) => Some(place::create(&self.path)?),
        };
        if let Some(held) = held {
            let stamp = held.file().stamp().map_err(|error| Error::io(&self.path, &error))?;
            users.opened = Some(Opened { held: Arc::new(held), stamp });
        }
        Ok(())
    }

    /// Ends a question; the last one under way releases the lock for other processes.
    fn leave<T>(&self, held: Arc<OpenDatabase>, purpose: Purpose, answer: Result<T>) -> Result<T> {
        let mut users = self.users();
        users.count -= 1;
        users.is_broken |= answer.is_err();
        users.has_failed_commit |= answer.is_err() && purpose == Purpose::Write;
        if let (Purpose::Write, Ok(_), Some(opened)) = (purpose, &answer, &mut users.opened) {
            match held.file().stamp() {
                Ok(stamp) => opened.stamp = stamp,
                Err(_) => users.is_broken = true,
            }
        }
        if users.count == 0 {
            if users.is_broken {
                held.file().leave();
                let opened = users.opened.take();
                if let Some(opened) = opened.filter(|_| users.has_failed_commit) {
                    // If this fails, too, the next process finds the commit, or finds it missing.
                    let _restored = held.file().restore(&opened.stamp);
                }
                (users.is_broken, users.has_failed_commit) = (false, false);
            }
            held.file().unlock();
            users.busy.pause();
            self.idle.notify_all();
        }
        answer
    }
}

impl Drop for Access {
    /// Closes the database cleanly, unless another process has changed the file since.
    fn drop(&mut self) {
        let lock = self.lock();
        let Some(Opened { held, stamp }) = self.users().opened.take() else { return };
        let Some(held) = Arc::into_inner(held) else { return };
        let file = held.file();
        if file.lock(&self.path, lock).is_ok() && file.stamp().is_ok_and(|now| now == stamp) {
            held.close();
        }
    }
}
