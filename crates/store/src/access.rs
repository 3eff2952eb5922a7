//! Who may ask the database now: the threads of this process together, and one process at a time.
//!
//! The lock of the file is held while a question is answered, and no longer. In between the
//! database stays open in memory. Who takes the lock again compares the file with the stamp that
//! was left: where another process has committed something since, or an error has ended all use of
//! the database, it is opened anew. A file that is left in this way looks as after a crash, which
//! costs the next process nothing: every commit keeps what a repair needs.
//!
//! A commit that fails is undone: header and length of the file are put back. Sound because pages
//! of what was committed are never overwritten before the next commit.

use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use redb::Database;

use crate::error::{Error, Result};
use crate::file::{Lock, Spell, Stamp};
use crate::place::{self, Answer, Held, ask};

/// The database in a file that other processes use, too.
#[derive(Debug)]
pub(crate) struct Access {
    pub(crate) path: PathBuf,
    pub(crate) read_only: bool,
    users: Mutex<Users>,
    /// Signalled when the last question of a spell has been answered.
    idle: Condvar,
}

#[derive(Debug)]
struct Users {
    /// Questions that are being answered.
    count: usize,
    spell: Spell,
    opened: Option<Opened>,
    /// Whether an error has ended all use of the database.
    is_broken: bool,
    /// Whether the error came from a commit.
    has_failed_commit: bool,
}

#[derive(Debug)]
struct Opened {
    held: Arc<Held>,
    /// The file as it was left.
    stamp: Stamp,
}

/// What a question does to the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Read,
    Write,
}

impl Access {
    pub(crate) fn new(path: PathBuf, read_only: bool) -> Access {
        let users = Users {
            count: 0,
            spell: Spell::new(),
            opened: None,
            is_broken: false,
            has_failed_commit: false,
        };
        Access { path, read_only, users: Mutex::new(users), idle: Condvar::new() }
    }

    /// Asks the database something; `None` if there is no file.
    pub(crate) fn read<T>(&self, question: impl Fn(&Database) -> Answer<T>) -> Result<Option<T>> {
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

    /// Changes the database; makes the file if there is none.
    pub(crate) fn write<T>(&self, change: impl FnOnce(&Database) -> Answer<T>) -> Result<T> {
        let held = self.enter(Purpose::Write)?;
        let held = held.ok_or_else(|| Error::Missing(self.path.clone()))?;
        let answer = ask(&self.path, || change(held.database()));
        self.leave(held, Purpose::Write, answer)
    }

    /// Whether every page of the file is as it was written; `None` if there is no file. For who
    /// is alone with the store in this process.
    pub(crate) fn check_integrity(&self) -> Result<Option<bool>> {
        // Nothing that is in memory counts.
        self.users().opened = None;
        let Some(held) = self.enter(Purpose::Read)? else { return Ok(None) };
        self.users().opened = None;
        let mut held = Arc::into_inner(held).expect("nobody else asks");
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
    fn enter(&self, purpose: Purpose) -> Result<Option<Arc<Held>>> {
        let mut users = self.users();
        while users.count > 0 && (users.is_broken || users.spell.is_long()) {
            users = self.idle.wait(users).unwrap_or_else(PoisonError::into_inner);
        }
        if users.count == 0 {
            users.spell.go_on();
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

    /// A question was answered; who is the last lets other processes use the file.
    fn leave<T>(&self, held: Arc<Held>, purpose: Purpose, answer: Result<T>) -> Result<T> {
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
                    // Where even this fails, the next who opens the file finds the commit or not.
                    let _restored = held.file().restore(&opened.stamp);
                }
                (users.is_broken, users.has_failed_commit) = (false, false);
            }
            held.file().unlock();
            users.spell.pause();
            self.idle.notify_all();
        }
        answer
    }
}

impl Drop for Access {
    /// Closes the file as the next process likes it best, if nobody has changed it since.
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
