//! The manager's journal as a file: locked, read once, then only appended to.
//!
//! One thread writes the records: all that are queued in one write and one sync, so that answers
//! share the wait for the disk. A record counts once it is synced.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use sixproof_farm::journal::{self, HEADER, JournalRecord};

use sixproof_solve::failure::{Failure, Result};

/// Size at which a group of records is written.
const GROUP_BYTES_MAX: usize = 64 << 20;
/// Interval of the attempts to write after an error of the disk.
const RETRY_INTERVAL: Duration = Duration::from_secs(2);
/// Bytes of the secret of the tokens.
const SECRET_BYTES: usize = 32;

/// Opens or creates a journal, locks it, and cuts off an incomplete record at its end.
pub(crate) fn open(path: &Path) -> Result<(Vec<JournalRecord>, File)> {
    let failed = |error: &io::Error| Failure::io(path.display(), error);
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(|error| Failure::io(folder.display(), &error))?;
    }
    let mut file = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(|error| failed(&error))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            return Err(Failure::new(format!(
                "{}: another search uses this journal",
                path.display()
            ))
            .help("wait for it, or stop it"));
        }
        Err(TryLockError::Error(error)) => return Err(failed(&error)),
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(|error| failed(&error))?;
    let contents = journal::read(&bytes).map_err(|error| {
        Failure::new(format!("{}: {error}", path.display())).help("or name another file")
    })?;
    let good_len = contents.good_len as u64;
    let settled = (|| {
        file.set_len(good_len)?;
        file.seek(SeekFrom::Start(good_len))?;
        if good_len == 0 {
            file.write_all(HEADER)?;
        }
        file.sync_all()?;
        // A new file needs its folder synced, too.
        if good_len == 0
            && let Some(folder) = path.parent()
        {
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            File::open(folder).and_then(|folder| folder.sync_all())?;
        }
        Ok(())
    })();
    settled.map_err(|error| failed(&error))?;
    Ok((contents.records, file))
}

/// The secret of the tokens: random, in a file beside the journal.
pub fn secret(journal: &Path) -> Result<[u8; SECRET_BYTES]> {
    let path = beside(journal, "secret");
    let failed = |error: &io::Error| Failure::io(path.display(), error);
    if let Ok(bytes) = fs::read(&path)
        && let Ok(secret) = <[u8; SECRET_BYTES]>::try_from(bytes)
    {
        return Ok(secret);
    }
    let mut secret = [0; SECRET_BYTES];
    getrandom::fill(&mut secret)
        .map_err(|error| Failure::new(format!("cannot get random bytes: {error}")))?;
    let mut options = File::options();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(&path).and_then(|mut file| {
        file.write_all(&secret)?;
        file.sync_all()
    });
    written.map_err(|error| failed(&error))?;
    Ok(secret)
}

/// The path of a file beside the journal: `search.journal` and `secret` give
/// `search.journal.secret`.
pub(crate) fn beside(journal: &Path, ending: &str) -> PathBuf {
    let mut name = journal.file_name().unwrap_or_default().to_os_string();
    name.push(".");
    name.push(ending);
    journal.with_file_name(name)
}

/// Deletes a journal, and the files beside it.
pub fn remove(journal: &Path) {
    // A file that stays does no harm.
    for ending in ["secret", "port"] {
        let _left = fs::remove_file(beside(journal, ending));
    }
    let _left = fs::remove_dir_all(beside(journal, "bodies"));
    let _left = fs::remove_file(journal);
}

/// What the writer reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    /// All records up to this number are on disk.
    Synced { upto: u64 },
    /// A write failed; the writer tries again.
    Problem(String),
}

/// The thread that writes records.
pub(crate) struct Writer {
    records: Option<Sender<(u64, JournalRecord)>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    pub(crate) fn start(
        file: File,
        path: &Path,
        report: impl Fn(Written) + Send + 'static,
    ) -> Result<Writer> {
        let (records, queue) = mpsc::channel();
        let name = path.display().to_string();
        let thread = thread::Builder::new()
            .name("journal".to_string())
            .spawn(move || write(file, &name, &queue, &report))
            .map_err(|error| Failure::io("a thread for the journal", &error))?;
        Ok(Writer { records: Some(records), thread: Some(thread) })
    }

    pub(crate) fn append(&self, number: u64, record: JournalRecord) {
        if let Some(records) = &self.records {
            // A writer that has ended has reported why.
            let _queued = records.send((number, record));
        }
    }
}

impl Drop for Writer {
    /// Writes all queued records first.
    fn drop(&mut self) {
        self.records = None;
        if let Some(thread) = self.thread.take() {
            let _ended = thread.join();
        }
    }
}

fn write(
    mut file: File,
    name: &str,
    queue: &Receiver<(u64, JournalRecord)>,
    report: &(impl Fn(Written) + Send),
) {
    let Ok(mut good_len) = file.stream_position() else { return };
    while let Ok((number, record)) = queue.recv() {
        let (mut upto, mut group) = (number, record.to_frame());
        while group.len() < GROUP_BYTES_MAX
            && let Ok((number, record)) = queue.try_recv()
        {
            upto = number;
            group.extend(record.to_frame());
        }
        loop {
            match append(&mut file, good_len, &group) {
                Ok(()) => break,
                Err(error) => report(Written::Problem(format!(
                    "{name}: {error}: answers wait until the journal can be written"
                ))),
            }
            // A manager that has ended waits for no record.
            match queue.recv_timeout(RETRY_INTERVAL) {
                Ok((number, record)) => {
                    upto = number;
                    group.extend(record.to_frame());
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
        good_len += group.len() as u64;
        report(Written::Synced { upto });
    }
}

/// Writes behind the good records, over the rest of a failed attempt.
fn append(file: &mut File, good_len: u64, group: &[u8]) -> io::Result<()> {
    file.set_len(good_len)?;
    file.seek(SeekFrom::Start(good_len))?;
    file.write_all(group)?;
    file.sync_data()
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    /// An empty folder, and the path of a journal in it.
    fn journal() -> (TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("search.journal");
        (folder, path)
    }

    fn record(number: u64) -> JournalRecord {
        JournalRecord::Answer { key: vec![1, 2], nodes: number, record: vec![7; 30] }
    }

    fn wrote(path: &Path, numbers: std::ops::Range<u64>) -> Vec<Written> {
        let (_, file) = open(path).unwrap();
        let (sender, events) = mpsc::channel();
        let report = move |written| sender.send(written).unwrap();
        let writer = Writer::start(file, path, report).unwrap();
        for number in numbers {
            writer.append(number, record(number));
        }
        drop(writer);
        events.iter().collect()
    }

    #[test]
    fn what_was_synced_is_there_after_a_torn_write() {
        let (_folder, path) = journal();
        let events = wrote(&path, 0..3);
        assert_eq!(events.last(), Some(&Written::Synced { upto: 2 }));
        let whole = fs::metadata(&path).unwrap().len();
        let mut file = File::options().append(true).open(&path).unwrap();
        let frame = record(3).to_frame();
        file.write_all(&frame[..frame.len() - 1]).unwrap();
        drop(file);
        let (records, file) = open(&path).unwrap();
        assert_eq!(records, [0, 1, 2].map(record));
        assert_eq!(file.metadata().unwrap().len(), whole);
        drop(file);
        wrote(&path, 3..5);
        assert_eq!(open(&path).unwrap().0, [0, 1, 2, 3, 4].map(record));
    }

    #[test]
    fn two_managers_cannot_use_one_journal() {
        let (_folder, path) = journal();
        let first = open(&path).unwrap();
        let failure = open(&path).unwrap_err();
        assert!(failure.message().contains("another search uses this journal"), "{failure}");
        drop(first);
        assert!(open(&path).is_ok());
    }

    #[test]
    fn a_foreign_file_stays_as_it_is() {
        let (_folder, path) = journal();
        fs::write(&path, "a letter").unwrap();
        assert!(open(&path).is_err());
        assert_eq!(fs::read(&path).unwrap(), b"a letter");
    }

    #[test]
    fn the_secret_is_drawn_once_and_readable_by_us_alone() {
        let (_folder, path) = journal();
        let drawn = secret(&path).unwrap();
        assert_eq!(secret(&path).unwrap(), drawn);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = fs::metadata(beside(&path, "secret")).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }
}
