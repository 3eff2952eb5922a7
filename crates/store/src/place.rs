//! Where a store is, and how its file is opened and made: all of this crate that uses the system,
//! besides `file`.

use std::env;
use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use redb::{Database, TableDefinition};

use crate::error::{Error, Result};
use crate::file::{Lock, SharedFile};
use crate::guard::guarded;
use crate::read_only::ReadOnlyFile;

/// The version of the tables and records. A reader refuses later ones.
pub(crate) const SCHEMA: u64 = 1;
const META: TableDefinition<'_, &str, u64> = TableDefinition::new("sixproof");
const SCHEMA_KEY: &str = "schema";
/// Memory for pages of the file.
const CACHE_BYTES: usize = 64 << 20;

/// The default path: `$SIXPROOF_STORE`, else in the user's data folder. `None` if the variable is
/// empty, or if no data folder is known.
pub(crate) fn default_path() -> Option<PathBuf> {
    path_from(&|name| env::var_os(name))
}

fn path_from(variable: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    if let Some(path) = variable("SIXPROOF_STORE") {
        return (!path.is_empty()).then(|| PathBuf::from(path));
    }
    // A relative path would mean another file in each working folder.
    let folder = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = folder("XDG_DATA_HOME").or_else(|| {
        if cfg!(windows) {
            folder("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            folder("HOME").map(|home| home.join("Library/Application Support"))
        } else {
            folder("HOME").map(|home| home.join(".local/share"))
        }
    });
    data.map(|data| data.join("sixproof").join("store.redb"))
}

/// A database and its file. Even closing it can report a damaged file.
#[derive(Debug)]
pub(crate) struct OpenDatabase {
    file: SharedFile,
    database: Option<Database>,
}

impl OpenDatabase {
    pub(crate) fn file(&self) -> &SharedFile {
        &self.file
    }

    pub(crate) fn database(&self) -> &Database {
        self.database.as_ref().expect("taken at the end only")
    }

    pub(crate) fn database_mut(&mut self) -> &mut Database {
        self.database.as_mut().expect("taken at the end only")
    }

    /// Closes the database, which writes to the file. The caller holds the lock.
    pub(crate) fn close(mut self) {
        let database = self.database.take();
        // What was committed is on disk; nothing else depends on how it is closed.
        let _closed = guarded(|| drop(database));
    }
}

impl Drop for OpenDatabase {
    /// Leaves the file as it is, since another process may have changed it.
    fn drop(&mut self) {
        self.file.leave();
        let database = self.database.take();
        let _closed = guarded(|| drop(database));
    }
}

/// Opens a store, with its lock; `None` if there is no file.
pub(crate) fn open(path: &Path) -> Result<Option<OpenDatabase>> {
    let failed = |error: io::Error| Error::io(path, &error);
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        found => ensure_store(path, &found.map_err(failed)?)?,
    }
    let file = File::options().read(true).write(true).open(path).map_err(failed)?;
    let file = SharedFile::locked(path, file, Lock::Exclusive)?;
    with_schema(path, opened(path, &file, file.clone())?).map(Some)
}

/// Opens a store, with its lock, without ever changing it, not even to repair it.
pub(crate) fn open_read_only(path: &Path) -> Result<OpenDatabase> {
    let failed = |error: io::Error| match Error::io(path, &error) {
        Error::NotWritable { path, why } => Error::Io { path, why },
        error => error,
    };
    ensure_store(path, &fs::metadata(path).map_err(failed)?)?;
    let file = SharedFile::locked(path, File::open(path).map_err(failed)?, Lock::Shared)?;
    let read_only = ReadOnlyFile::new(file.clone()).map_err(failed)?;
    with_schema(path, opened(path, &file, read_only)?)
}

/// Refuses what is not a file, and an empty file.
fn ensure_store(path: &Path, found: &fs::Metadata) -> Result<()> {
    match found.is_file() && found.len() > 0 {
        true => Ok(()),
        false => Err(Error::NotAStore(path.to_path_buf())),
    }
}

fn opened(
    path: &Path,
    file: &SharedFile,
    backend: impl redb::StorageBackend,
) -> Result<OpenDatabase> {
    let database = ask(path, || Ok(builder().create_with_backend(backend)?))?;
    Ok(OpenDatabase { file: file.clone(), database: Some(database) })
}

/// Opens a store, with its lock, or makes it, and the folder for it. The file appears under its
/// name when it is complete, so that a crash leaves none that cannot be opened.
pub(crate) fn create(path: &Path) -> Result<OpenDatabase> {
    if let Some(held) = open(path)? {
        return Ok(held);
    }
    let failed = |error: io::Error| match error.kind() {
        // The folder is missing, not the store.
        io::ErrorKind::NotFound => {
            Error::NotWritable { path: path.to_path_buf(), why: error.to_string() }
        }
        _ => Error::io(path, &error),
    };
    let folder = folder_of(path);
    fs::create_dir_all(folder).map_err(failed)?;
    let new = beside(path, ".new")?;
    let file = File::options().read(true).write(true).create(true).truncate(false).open(&new);
    let file = SharedFile::locked(path, file.map_err(failed)?, Lock::Exclusive)?;
    // Only the process with the lock of the new file makes a store, and only if no other process
    // has made one since: then the file may be that one, under its new name.
    if path.exists() {
        drop(file);
        let _removed = fs::remove_file(&new);
        return open(path)?.ok_or_else(|| Error::Missing(path.to_path_buf()));
    }
    redb::StorageBackend::set_len(&file, 0).map_err(failed)?;
    let held = opened(path, &file, file.clone())?;
    write_schema(path, &held)?;
    fs::rename(&new, path).map_err(failed)?;
    // The folder is synced so that the name is on disk; some systems cannot open a folder.
    let _synced = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(held)
}

/// The lock of the editor that edits the documents of a store. Its file beside the store stays:
/// while it is being removed, two editors could hold the lock.
#[derive(Debug)]
pub(crate) struct DocumentsLock(#[expect(dead_code, reason = "held until it is dropped")] File);

/// Takes the lock that only one editor of documents can hold.
pub(crate) fn lock_documents(path: &Path) -> Result<DocumentsLock> {
    let failed = |error: io::Error| Error::io(path, &error);
    fs::create_dir_all(folder_of(path)).map_err(failed)?;
    let beside = beside(path, ".editor")?;
    let file = File::options().write(true).create(true).truncate(false).open(&beside);
    let file = file.map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(DocumentsLock(file)),
        Err(TryLockError::WouldBlock) => Err(Error::BeingEdited(path.to_path_buf())),
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}

/// The path of a file beside the store, which has its name and an ending.
fn beside(path: &Path, ending: &str) -> Result<PathBuf> {
    let Some(name) = path.file_name() else { return Err(Error::NotAStore(path.to_path_buf())) };
    let mut name = name.to_os_string();
    name.push(ending);
    Ok(path.with_file_name(name))
}

/// The length of the file.
pub(crate) fn file_bytes(path: &Path) -> Option<u64> {
    fs::metadata(path).ok().map(|found| found.len())
}

/// Writes the version of the schema.
fn write_schema(path: &Path, held: &OpenDatabase) -> Result<()> {
    ask(path, || {
        let mut transaction = held.database().begin_write()?;
        // Every commit leaves a file that opens at once, as after a crash.
        transaction.set_quick_repair(true);
        transaction.open_table(META)?.insert(SCHEMA_KEY, SCHEMA)?;
        transaction.commit()?;
        Ok(())
    })
}

/// The database, if it is a store of a version that is known.
fn with_schema(path: &Path, held: OpenDatabase) -> Result<OpenDatabase> {
    let schema = ask(path, || {
        let transaction = held.database().begin_read()?;
        match transaction.open_table(META) {
            Ok(table) => Ok(table.get(SCHEMA_KEY)?.map(|schema| schema.value())),
            Err(
                redb::TableError::TableDoesNotExist(_) | redb::TableError::TableTypeMismatch { .. },
            ) => Ok(None),
            Err(error) => Err(error.into()),
        }
    })?;
    match schema {
        Some(schema) if schema > SCHEMA => Err(Error::Newer { path: path.to_path_buf(), schema }),
        Some(SCHEMA) => Ok(held),
        _ => Err(Error::NotAStore(path.to_path_buf())),
    }
}

/// Any error of the database, in a box, since it is large.
pub(crate) struct DatabaseError(Box<redb::Error>);

impl<E: Into<redb::Error>> From<E> for DatabaseError {
    fn from(error: E) -> DatabaseError {
        DatabaseError(Box::new(error.into()))
    }
}

/// The answer of the database.
pub(crate) type DatabaseResult<T> = std::result::Result<T, DatabaseError>;

/// Asks the database. An error or a panic of it becomes an [`Error`].
pub(crate) fn ask<T>(path: &Path, question: impl FnOnce() -> DatabaseResult<T>) -> Result<T> {
    match guarded(question) {
        Ok(answer) => answer.map_err(|fault| Error::database(path, *fault.0)),
        Err(what) => Err(Error::Damaged { path: path.to_path_buf(), what }),
    }
}

fn builder() -> redb::Builder {
    let mut builder = Database::builder();
    builder.set_cache_size(CACHE_BYTES).create_with_file_format_v3(true);
    builder
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Checks whether a file could be made, with its folders, without making them.
pub(crate) fn ensure_creatable(path: &Path) -> Result<()> {
    let probe = beside(path, ".probe")?;
    let folder = folder_of(path).ancestors().find(|folder| folder.exists());
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let probe = folder.join(probe.file_name().unwrap_or_default());
    match File::options().write(true).create_new(true).open(&probe) {
        Ok(_) => {
            // An empty file that stays does no harm.
            let _removed = fs::remove_file(&probe);
            Ok(())
        }
        // Another process is checking at this moment.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => match Error::io(path, &error) {
            error @ Error::Full(_) => Err(error),
            _ => Err(Error::NotWritable { path: path.to_path_buf(), why: error.to_string() }),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(all(unix, not(target_os = "macos")))]
    fn the_store_is_where_the_environment_says() {
        let path = |variables: &[(&str, &str)]| {
            let find = |name: &str| variables.iter().find(|(key, _)| *key == name);
            path_from(&|name| find(name).map(|(_, value)| value.into()))
        };
        let home = ("HOME", "/h");
        let expected = |text: &str| Some(PathBuf::from(text));
        assert_eq!(path(&[home]), expected("/h/.local/share/sixproof/store.redb"));
        assert_eq!(path(&[home, ("XDG_DATA_HOME", "/d")]), expected("/d/sixproof/store.redb"));
        let relative = [home, ("XDG_DATA_HOME", "d")];
        assert_eq!(path(&relative), expected("/h/.local/share/sixproof/store.redb"));
        assert_eq!(path(&[home, ("SIXPROOF_STORE", "s.redb")]), expected("s.redb"));
        assert_eq!(path(&[home, ("SIXPROOF_STORE", "")]), None);
        assert_eq!(path(&[]), None);
    }
}
