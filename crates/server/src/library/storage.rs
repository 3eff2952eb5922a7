//! How documents are kept in the store: what they began with, a log of all that was done since, and
//! what jobs found.
//!
//! The log is only appended to. An edit is in it as it was sent, and undo and redo are entries like
//! edits: to open a document again is to do the same again (`replay`), so that nodes have their
//! numbers and undo reaches as far as before. An entry and what is known of the document without
//! opening it ([`Meta`]) are one write, of which a crash or a full disk leaves all or nothing.
//!
//! Version 1 had no entries for undo: an edit that was undone was deleted with the next one, and so
//! the nodes of later edits had other numbers when they were made again. `former` infers what is
//! missing.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sixproof_document::NodeId;
use sixproof_game::{Game, sgf};
use sixproof_store::{Bucket, BucketRecord, Store};

use super::former::Former;
use crate::problem::{Answer, Problem, ProblemKind};
use crate::reading::{self, FileContent};
use crate::wire::Edit;

/// The form of [`Meta`] and of the log: grows when an older program could not read them any more.
const VERSION: u32 = 2;
const META: &[u8] = b"meta";
const BASE: &[u8] = b"base";
/// Where the number of the next document is.
const LIBRARY: &[u8] = b"library";
const NEXT: &[u8] = b"next";
const PUZZLE: &[u8] = b"puzzle";

/// What is known of a document without opening it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Meta {
    pub(super) version: u32,
    pub(super) title: String,
    /// What it is called where it has no title: the name of its file.
    pub(super) name: String,
    pub(super) game: String,
    pub(super) nodes: usize,
    pub(super) revision: u64,
    pub(super) created_ms: u64,
    pub(super) changed_ms: u64,
    pub(super) at: u32,
    /// The entries of the log.
    pub(super) edits: u64,
    /// In version 1, how many of the edits are not undone. Written so that a program of that
    /// version reads far enough to see that this one is newer.
    pub(super) in_force: u64,
    /// The entries that were written by version 1, and what was inferred of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) former: Option<Former>,
}

/// The version alone: what a later one has beside it is not known.
#[derive(Deserialize)]
struct Versioned {
    version: u32,
}

/// An entry of the log.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct LogEntry {
    /// The number of the next new node before it was done.
    pub(super) next: usize,
    pub(super) done: LogAction,
}

/// What was done to a document.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum LogAction {
    Edit(Edit),
    Undo,
    Redo,
}

impl Meta {
    pub(super) fn new(name: &str, game: Game, now_ms: u64) -> Meta {
        Meta {
            version: VERSION,
            title: String::new(),
            name: name.to_string(),
            game: game.to_string(),
            nodes: 1,
            revision: 0,
            created_ms: now_ms,
            changed_ms: now_ms,
            at: 0,
            edits: 0,
            in_force: 0,
            former: None,
        }
    }

    /// What the document is called.
    pub(super) fn shown_title(&self) -> &str {
        if self.title.is_empty() { &self.name } else { &self.title }
    }
}

/// What jobs found, by node.
pub(super) type NodeResults = Vec<(NodeId, Vec<String>)>;

/// The entries of a log by their number: their bytes, or what is wrong with them.
pub(super) type Log = BTreeMap<u64, Result<Vec<u8>, String>>;

/// Reads an entry of a log.
pub(super) fn entry<T: DeserializeOwned>(log: &Log, number: u64) -> Result<T, String> {
    match log.get(&number) {
        Some(Ok(bytes)) => serde_json::from_slice(bytes).map_err(|error| error.to_string()),
        Some(Err(why)) => Err(why.clone()),
        None => Err("it is missing".to_string()),
    }
}

/// A document as it is kept.
pub(super) struct StoredDocument {
    /// What it began with.
    pub(super) base: Box<sixproof_game::Record>,
    pub(super) log: Log,
    pub(super) found: NodeResults,
}

/// The store, as documents use it.
pub(super) struct DocumentStore<'a>(pub(super) &'a Store);

impl DocumentStore<'_> {
    /// Begins a document; its number.
    pub(super) fn begin(&self, base: &[u8], meta: &Meta) -> Answer<String> {
        let bucket = self.0.bucket(Bucket::Documents);
        let last: u64 = match whole(bucket.get(LIBRARY, NEXT)?)? {
            Some(bytes) => String::from_utf8_lossy(&bytes).parse().unwrap_or(0),
            None => 0,
        };
        let mut number = last + 1;
        // Documents that came from another store have numbers of their own.
        while bucket.get(&owner(&number.to_string()), META)?.is_some() {
            number += 1;
        }
        let id = number.to_string();
        let (of, meta) = (owner(&id), bytes(&id, meta)?);
        bucket.write_all(&[
            (LIBRARY, NEXT, Some(id.as_bytes())),
            (&of, BASE, Some(base)),
            (&of, META, Some(&meta)),
        ])?;
        Ok(id)
    }

    /// The document that holds the puzzle of the first page, and its node.
    pub(super) fn puzzle(&self) -> Answer<Option<(String, u32)>> {
        let bytes = whole(self.0.bucket(Bucket::Documents).get(LIBRARY, PUZZLE)?)?;
        let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
        Ok(text.and_then(|text| {
            let (id, node) = text.split_once(' ')?;
            Some((id.to_string(), node.parse().ok()?))
        }))
    }

    pub(super) fn put_puzzle(&self, id: &str, node: u32) -> Answer<()> {
        let text = format!("{id} {node}");
        Ok(self.0.bucket(Bucket::Documents).put_now(LIBRARY, PUZZLE, text.as_bytes())?)
    }

    /// All documents, without opening them.
    pub(super) fn all(&self) -> Answer<Vec<(String, Meta)>> {
        let bucket = self.0.bucket(Bucket::Documents);
        let mut all = Vec::new();
        for owner in bucket.owners()? {
            let Some(id) = id_of(&owner) else { continue };
            match self.meta(&id) {
                Ok(meta) => all.extend(meta.map(|meta| (id, meta))),
                // It says so when it is opened; the others are listed.
                Err(problem) if problem.kind == Some(ProblemKind::NewerVersion) => {}
                Err(problem) => return Err(problem),
            }
        }
        Ok(all)
    }

    pub(super) fn meta(&self, id: &str) -> Answer<Option<Meta>> {
        let kept = self.0.bucket(Bucket::Documents).get(&owner(id), META)?;
        let Some(bytes) = whole(kept)? else { return Ok(None) };
        let Versioned { version } = read(id, &bytes)?;
        if version > VERSION {
            return Err(Problem::conflict(format!("document {id} is of a newer version"))
                .kind(ProblemKind::NewerVersion)
                .help("update sixproof"));
        }
        let mut meta: Meta = read(id, &bytes)?;
        if version < VERSION {
            meta.former = Some(Former::new(meta.edits, meta.in_force));
            meta.version = VERSION;
        }
        Ok(Some(meta))
    }

    pub(super) fn put_meta(&self, id: &str, meta: &Meta) -> Answer<()> {
        Ok(self.0.bucket(Bucket::Documents).put(&owner(id), META, &bytes(id, meta)?)?)
    }

    /// Appends an entry to the log, which has this many in `meta` with it. On disk, or refused.
    pub(super) fn append(&self, id: &str, entry: &LogEntry, meta: &Meta) -> Answer<()> {
        let key = entry_key(meta.edits.saturating_sub(1));
        self.write(id, (&key, &bytes(id, entry)?), meta)
    }

    /// Keeps what jobs found at a node. On disk, or refused.
    pub(super) fn put_results(
        &self,
        id: &str,
        node: NodeId,
        results: &[String],
        meta: &Meta,
    ) -> Answer<()> {
        self.write(id, (&result_key(node), &bytes(id, &results)?), meta)
    }

    fn write(&self, id: &str, (key, record): (&[u8], &[u8]), meta: &Meta) -> Answer<()> {
        let (of, meta) = (owner(id), bytes(id, meta)?);
        let changes = [(&of[..], key, Some(record)), (&of[..], META, Some(&meta[..]))];
        Ok(self.0.bucket(Bucket::Documents).write_all(&changes)?)
    }

    /// Everything that is kept of a document is gone.
    pub(super) fn remove(&self, id: &str) -> Answer<()> {
        let (bucket, of) = (self.0.bucket(Bucket::Documents), owner(id));
        let keys: Vec<Vec<u8>> =
            bucket.iter(&of)?.map(|row| Ok(row?.0)).collect::<sixproof_store::Result<_>>()?;
        let changes: Vec<_> = keys.iter().map(|key| (&of[..], &key[..], None)).collect();
        Ok(bucket.write_all(&changes)?)
    }

    /// All that is kept of a document.
    pub(super) fn records(&self, id: &str, meta: &Meta) -> Answer<StoredDocument> {
        let missing = || Problem::internal(format!("the beginning of document {id} is missing"));
        let (mut base, mut log, mut found) = (None, Log::new(), NodeResults::new());
        for row in self.0.bucket(Bucket::Documents).iter(&owner(id))? {
            let (key, kept) = row?;
            match key.split_first() {
                _ if key == BASE => base = whole(Some(kept))?,
                Some((b'e', number)) => {
                    let Ok(number) = <[u8; 8]>::try_from(number) else { continue };
                    let bytes = whole(Some(kept)).map(Option::unwrap_or_default);
                    log.insert(u64::from_be_bytes(number), bytes.map_err(|problem| problem.title));
                }
                Some((b'r', node)) => {
                    let Ok(node) = <[u8; 4]>::try_from(node) else { continue };
                    let bytes = whole(Some(kept))?.unwrap_or_default();
                    found.push((NodeId(u32::from_be_bytes(node)), read(id, &bytes)?));
                }
                _ => {}
            }
        }
        let game: Option<Game> = meta.game.parse().ok();
        match reading::file(&base.ok_or_else(missing)?, &meta.name, game)? {
            FileContent::Tree(base, _) => Ok(StoredDocument { base, log, found }),
            FileContent::Certificate(_) => Err(missing()),
        }
    }
}

/// A record as the beginning of a document.
pub(super) fn base_of(record: &sixproof_game::Record) -> Vec<u8> {
    sgf::from_record(record).write()
}

fn owner(id: &str) -> Vec<u8> {
    [b"document ", id.as_bytes()].concat()
}

fn id_of(owner: &[u8]) -> Option<String> {
    String::from_utf8(owner.strip_prefix(b"document ")?.to_vec()).ok()
}

fn entry_key(number: u64) -> Vec<u8> {
    [&b"e"[..], &number.to_be_bytes()].concat()
}

fn result_key(node: NodeId) -> Vec<u8> {
    [&b"r"[..], &node.0.to_be_bytes()].concat()
}

/// The bytes of a record of a shelf; that it is damaged is told, and never passed over.
pub(crate) fn whole(kept: Option<BucketRecord>) -> Answer<Option<Vec<u8>>> {
    match kept {
        None => Ok(None),
        Some(BucketRecord::Whole(bytes)) => Ok(Some(bytes)),
        Some(BucketRecord::Damaged(damage)) => {
            Err(Problem::internal(format!("the store has a damaged record: {}", damage.what))
                .help("`sixproof store verify` tells what is wrong with the store"))
        }
    }
}

fn bytes(id: &str, value: &impl Serialize) -> Answer<Vec<u8>> {
    serde_json::to_vec(value).map_err(|error| damaged(id, &error))
}

fn read<T: DeserializeOwned>(id: &str, bytes: &[u8]) -> Answer<T> {
    serde_json::from_slice(bytes).map_err(|error| damaged(id, &error))
}

fn damaged(id: &str, error: &serde_json::Error) -> Problem {
    Problem::internal(format!("document {id} is damaged: {error}"))
        .help("`sixproof store verify` tells what is wrong with the store")
}
