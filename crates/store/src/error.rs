//! What can go wrong with a store, each kind with what to do about it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use sixproof_certificate::MoveError;

/// The answer of the store, or what went wrong.
pub type Result<T> = std::result::Result<T, Error>;

/// What went wrong. [`Error::help`] says what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// Another process has held the lock of the file for too long.
    InUse(PathBuf),
    /// An editor has the documents of the store open.
    BeingEdited(PathBuf),
    /// There is no such file, and nothing may be created.
    Missing(PathBuf),
    /// The file is something else.
    NotAStore(PathBuf),
    /// A later version of the program made it.
    Newer {
        /// The file.
        path: PathBuf,
        /// The version of its schema.
        schema: u64,
    },
    /// The file or its folder cannot be written.
    NotWritable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        why: String,
    },
    /// The disk is full, or the user's share of it.
    Full(PathBuf),
    /// Another error of the system.
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        why: String,
    },
    /// The file is a store, but its structure is damaged.
    Damaged {
        /// The file.
        path: PathBuf,
        /// What was found.
        what: String,
    },
    /// The store was opened for reading only.
    ReadOnly(PathBuf),
    /// The claim has no position that can be kept.
    Claim(String),
    /// The bytes are not a certificate.
    Certificate(String),
    /// The certificate is about another claim than the one it was given for.
    OtherClaim,
    /// The stones or squares are farther apart than coordinates reach.
    TooFar,
    /// The certificate is longer than [`CERTIFICATE_BYTES_MAX`](crate::CERTIFICATE_BYTES_MAX).
    TooLong,
    /// The certificate could not be packed.
    Packing(String),
}

impl From<MoveError> for Error {
    fn from(error: MoveError) -> Error {
        match error {
            MoveError::TooFar => Error::TooFar,
            MoveError::Unreadable(error) => Error::Certificate(error.to_string()),
            MoveError::Unwritable(error) => Error::Packing(error.to_string()),
        }
    }
}

impl Error {
    /// What can be done about it.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            Error::InUse(_) => Some("stop it, wait, or name another file with --store"),
            Error::BeingEdited(_) => {
                Some("use the page of that editor, stop it, or name another file with --store")
            }
            Error::Missing(_) => {
                Some("check the path; the first proof that is found makes a store")
            }
            Error::NotAStore(_) => Some("name another file with --store"),
            Error::Newer { .. } => Some("use the newer program, or name another file with --store"),
            Error::NotWritable { .. } => {
                Some("check the permissions, or name another file with --store")
            }
            Error::Full(_) => Some("make room, or name a file on another disk with --store"),
            Error::Damaged { .. } => {
                Some("keep a copy, and start with another file, named with --store")
            }
            Error::TooLong => Some("keep the certificate as a file"),
            _ => None,
        }
    }

    /// An error of the system about a file.
    pub(crate) fn io(path: &Path, error: &io::Error) -> Error {
        let path = path.to_path_buf();
        match error.kind() {
            io::ErrorKind::NotFound => Error::Missing(path),
            io::ErrorKind::InvalidData | io::ErrorKind::IsADirectory => Error::NotAStore(path),
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                Error::NotWritable { path, why: error.to_string() }
            }
            io::ErrorKind::StorageFull
            | io::ErrorKind::QuotaExceeded
            | io::ErrorKind::FileTooLarge => Error::Full(path),
            // A file that ends before its structure does.
            io::ErrorKind::UnexpectedEof => Error::Damaged { path, what: error.to_string() },
            _ => Error::Io { path, why: error.to_string() },
        }
    }

    /// An error of the database in a file.
    pub(crate) fn database(path: &Path, error: impl Into<redb::Error>) -> Error {
        match error.into() {
            redb::Error::DatabaseAlreadyOpen => Error::InUse(path.to_path_buf()),
            redb::Error::Io(error) => Error::io(path, &error),
            redb::Error::PreviousIo => Error::Io {
                path: path.to_path_buf(),
                why: "an earlier error has ended all use of the file".to_string(),
            },
            error => Error::Damaged { path: path.to_path_buf(), what: error.to_string() },
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::InUse(path) => {
                write!(f, "the store {} is in use by another sixproof", path.display())
            }
            Error::BeingEdited(path) => {
                write!(f, "the store {} is open in another `sixproof serve`", path.display())
            }
            Error::Missing(path) => write!(f, "there is no store {}", path.display()),
            Error::NotAStore(path) => write!(f, "{}: not a store of sixproof", path.display()),
            Error::Newer { path, schema } => write!(
                f,
                "{}: a store of version {schema}, made by a newer sixproof",
                path.display()
            ),
            Error::NotWritable { path, why } => {
                write!(f, "the store {} cannot be written: {why}", path.display())
            }
            Error::Full(path) => {
                write!(f, "the store {} cannot grow: the disk is full", path.display())
            }
            Error::Io { path, why } => write!(f, "the store {}: {why}", path.display()),
            Error::Damaged { path, what } => {
                write!(f, "the store {} is damaged: {what}", path.display())
            }
            Error::ReadOnly(path) => {
                write!(f, "the store {} was opened for reading only", path.display())
            }
            Error::Claim(why) => write!(f, "not a position that can be kept: {why}"),
            Error::Certificate(why) => write!(f, "not a certificate: {why}"),
            Error::OtherClaim => f.write_str("the certificate is about another position"),
            Error::TooFar => f.write_str("squares too far apart to be kept"),
            Error::TooLong => write!(
                f,
                "certificates of more than {} MiB are not kept",
                crate::CERTIFICATE_BYTES_MAX >> 20
            ),
            Error::Packing(why) => write!(f, "the certificate could not be packed: {why}"),
        }
    }
}

impl std::error::Error for Error {}

/// Writing into memory does not fail; packing may.
impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        Error::Packing(error.to_string())
    }
}
