//! The file of a database that several processes use, and the lock that each of them holds while it
//! reads or writes. A process releases it after a few questions to the database.

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
/// The longest pause between two attempts. A process that leaves the lock free for longer lets
/// others in.
const LOCK_PAUSE_MAX: Duration = Duration::from_millis(1);
/// Bytes at the start of the file that change with every commit.
const HEADER_BYTES: u64 = 512;

/// How long a process answers questions without a pause in which other processes get the lock.
const BUSY_MAX: Duration = Duration::from_millis(50);

/// A time in which questions follow each other without a pause.
#[derive(Debug)]
pub(crate) struct BusyPeriod {
    start: Instant,
    /// When the last question ended.
    end: Instant,
}

impl BusyPeriod {
    pub(crate) fn new() -> BusyPeriod {
        BusyPeriod { start: Instant::now(), end: Instant::now() }
    }

    /// Whether it is time to let other processes take the lock.
    pub(crate) fn is_long(&self) -> bool {
        self.start.elapsed() >= BUSY_MAX
    }

    /// Before the next question: pauses if questions have followed each other for too long.
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
    /// Together with other readers.
    Shared,
    /// Alone.
    Exclusive,
}

/// The length and the header of the file, which change with every commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stamp(u64, Vec<u8>);

/// An open file, shared by the database and the code that locks it.
#[derive(Clone, Debug)]
pub(crate) struct SharedFile(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    file: File,
    /// Held from a seek to the read or write that follows it.
    turn: Mutex<()>,
    /// Whether the database may no longer read or write.
    is_left: AtomicBool,
}

impl SharedFile {
    /// Takes the lock of a file.
    pub(crate) fn locked(path: &Path, file: File, lock: Lock) -> Result<SharedFile> {
        let shared =
            SharedFile(Arc::new(Inner { file, turn: Mutex::default(), is_left: false.into() }));
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
        // A lock that cannot be released ends when the file is closed.
        let _released = self.0.file.unlock();
    }

    /// Keeps the database from changing the file from now on, also while it is being closed.
    pub(crate) fn leave(&self) {
        self.0.is_left.store(true, Ordering::Release);
    }

    /// The stamp of the file now. The caller holds the lock.
    pub(crate) fn stamp(&self) -> io::Result<Stamp> {
        let len = self.0.file.metadata()?.len();
        let mut header = Vec::new();
        let (_turn, file) = self.at(0)?;
        file.take(HEADER_BYTES).read_to_end(&mut header)?;
        Ok(Stamp(len, header))
    }

    /// Restores the file to a stamp. The caller has held the lock since.
    pub(crate) fn restore(&self, Stamp(len, header): &Stamp) -> io::Result<()> {
        {
            let (_turn, mut file) = self.at(0)?;
            file.write_all(header)?;
        }
        self.0.file.set_len(*len)?;
        self.0.file.sync_data()
    }

    /// The file at an offset, with the guard that keeps it there.
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

impl StorageBackend for SharedFile {
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
