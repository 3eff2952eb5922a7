//! The file of a database that several processes use, and the lock that each of them holds while it
//! reads or writes: nobody keeps it for longer than a few questions to the database take.

use std::fs::{File, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use redb::StorageBackend;

use crate::error::{Error, Result};

/// The longest wait for the lock while other processes hold it.
pub(crate) const LOCK_WAIT_MAX: Duration = Duration::from_secs(10);
/// The pause before the second attempt to take the lock; it doubles with every further one.
const LOCK_PAUSE_MIN: Duration = Duration::from_micros(50);
/// The longest pause between two attempts: who leaves the lock alone for longer lets others in.
const LOCK_PAUSE_MAX: Duration = Duration::from_millis(1);
/// Bytes at the start of the file that change with every commit.
const HEADER_BYTES: u64 = 512;

/// The longest time of questions in a row without a pause in which other processes get the lock.
const SPELL_MAX: Duration = Duration::from_millis(50);

/// A row of questions without a pause between them.
#[derive(Debug)]
pub(crate) struct Spell {
    start: Instant,
    /// When the last question ended.
    end: Instant,
}

impl Spell {
    pub(crate) fn new() -> Spell {
        Spell { start: Instant::now(), end: Instant::now() }
    }

    /// Whether others should have a chance now.
    pub(crate) fn is_long(&self) -> bool {
        self.start.elapsed() >= SPELL_MAX
    }

    /// The file is wanted: at once, or, after a long spell without a pause, after one.
    pub(crate) fn go_on(&mut self) {
        if self.end.elapsed() < LOCK_PAUSE_MAX {
            if !self.is_long() {
                return;
            }
            sleep(LOCK_PAUSE_MAX);
        }
        self.start = Instant::now();
    }

    pub(crate) fn pause(&mut self) {
        self.end = Instant::now();
    }
}

/// How a process holds the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lock {
    /// With others that read.
    Shared,
    /// Alone.
    Exclusive,
}

/// The length of the file, and its header: what was committed has changed if these have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stamp(u64, Vec<u8>);

/// A file that is open, for a database and for who locks it.
#[derive(Clone, Debug)]
pub(crate) struct Shared(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    file: File,
    /// Held by who moves to a place of the file to read or write there.
    turn: Mutex<()>,
    /// Whether the database may neither read nor write any more.
    is_left: AtomicBool,
}

impl Shared {
    /// Takes the lock of a file.
    pub(crate) fn locked(path: &Path, file: File, lock: Lock) -> Result<Shared> {
        let shared =
            Shared(Arc::new(Inner { file, turn: Mutex::default(), is_left: false.into() }));
        shared.lock(path, lock)?;
        Ok(shared)
    }

    /// Takes the lock again, waiting for other processes.
    pub(crate) fn lock(&self, path: &Path, lock: Lock) -> Result<()> {
        let (start, mut pause) = (Instant::now(), LOCK_PAUSE_MIN);
        loop {
            let taken = match lock {
                Lock::Shared => self.0.file.try_lock_shared(),
                Lock::Exclusive => self.0.file.try_lock(),
            };
            match taken {
                Ok(()) => return Ok(()),
                Err(TryLockError::Error(error)) => return Err(Error::io(path, &error)),
                Err(TryLockError::WouldBlock) if start.elapsed() >= LOCK_WAIT_MAX => {
                    return Err(Error::InUse(path.to_path_buf()));
                }
                Err(TryLockError::WouldBlock) => sleep(pause),
            }
            pause = (pause * 2).min(LOCK_PAUSE_MAX);
        }
    }

    /// Lets other processes use the file.
    pub(crate) fn unlock(&self) {
        // A lock that cannot be released goes with the file.
        let _released = self.0.file.unlock();
    }

    /// From now on the database behind this changes nothing, whatever it does when it is closed.
    pub(crate) fn leave(&self) {
        self.0.is_left.store(true, Ordering::Release);
    }

    /// What the file looks like. Asked by who has the lock.
    pub(crate) fn stamp(&self) -> io::Result<Stamp> {
        let len = self.0.file.metadata()?.len();
        let mut header = Vec::new();
        let (_turn, file) = self.at(0)?;
        file.take(HEADER_BYTES).read_to_end(&mut header)?;
        Ok(Stamp(len, header))
    }

    /// Makes the file look as it did, for who has had the lock since.
    pub(crate) fn restore(&self, Stamp(len, header): &Stamp) -> io::Result<()> {
        {
            let (_turn, mut file) = self.at(0)?;
            file.write_all(header)?;
        }
        self.0.file.set_len(*len)?;
        self.0.file.sync_data()
    }

    /// The file at an offset, for who has the turn.
    fn at(&self, offset: u64) -> io::Result<(MutexGuard<'_, ()>, &File)> {
        let turn = self.0.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let mut file = &self.0.file;
        file.seek(SeekFrom::Start(offset))?;
        Ok((turn, file))
    }

    fn ensure_held(&self) -> io::Result<()> {
        match self.0.is_left.load(Ordering::Acquire) {
            true => Err(io::Error::other("the file was given up")),
            false => Ok(()),
        }
    }
}

impl StorageBackend for Shared {
    fn len(&self) -> io::Result<u64> {
        self.ensure_held()?;
        Ok(self.0.file.metadata()?.len())
    }

    fn read(&self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        self.ensure_held()?;
        let mut bytes = vec![0; len];
        let (_turn, mut file) = self.at(offset)?;
        file.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.ensure_held()?;
        self.0.file.set_len(len)
    }

    fn sync_data(&self, _: bool) -> io::Result<()> {
        self.ensure_held()?;
        self.0.file.sync_data()
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.ensure_held()?;
        let (_turn, mut file) = self.at(offset)?;
        file.write_all(data)
    }
}
