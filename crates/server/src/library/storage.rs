//! The form of documents in the store: the record that they began with, a log of the edits since,
//! and the results of jobs.
//!
//! The log is only appended to. An edit is in it as the client sent it, and undo and redo are
//! entries like edits. To open a document again, `replay` repeats them all, so that nodes have
//! their numbers and undo reaches as far as before. An entry is written together with the summary
//! ([`Meta`]), and a crash or a full disk leaves both or neither.
//!
//! Version 1 had no entries for undo: an edit that was undone was deleted with the next one, and so
//! the nodes of later edits got other numbers when the log was repeated. `former` infers the
//! missing ones.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sixproof_document::NodeId;
use sixproof_game::{Game, sgf};
use sixproof_store::{Bucket, BucketRecord, Store};

use super::former::Former;
use crate::problem::{ApiResult, Problem, ProblemKind};
use crate::reading::{self, FileContent};
use crate::wire::Edit;

/// The version of [`Meta`] and of the log. It grows when older programs cannot read the new form.
const VERSION: u32 = 2;
const META: &[u8] = b"meta";
const BASE: &[u8] = b"base";
/// The owner of the records about all documents.
const LIBRARY: &[u8] = b"library";
const NEXT: &[u8] = b"next";
const PUZZLE: &[u8] = b"puzzle";

/// The summary of a document, which is read without opening it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Meta {
    pub(super) version: u32,
    pub(super) title: String,
    /// The title of a document without one: the name of its file.
    pub(super) name: String,
    pub(super) game: String,
    pub(super) nodes: usize,
    pub(super) revision: u64,
    pub(super) created_ms: u64,
    pub(super) changed_ms: u64,
    pub(super) at: u32,
    /// The number of entries in the log.
    pub(super) edits: u64,
    /// In version 1, the number of edits that are not undone. It is still written, so that a
    /// program of version 1 reads far enough to see that the document is of a newer one.
    pub(super) in_force: u64,
    /// The entries that version 1 wrote, and what was inferred about them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) former: Option<Former>,
}

/// The version alone, which every version can read.
#[derive(Deserialize)]
struct Versioned {
    version: u32,
}

/// An entry of the log.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct LogEntry {
    /// The number of the next new node, before the action.
    pub(super) next: usize,
    pub(super) done: LogAction,
}

/// An action on a document.
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

    /// The title as the page shows it.
    pub(super) fn shown_title(&self) -> &str {
        if self.title.is_empty() { &self.name } else { &self.title }
    }
}

/// The results of jobs, by node.
pub(super) type NodeResults = Vec<(NodeId, Vec<String>)>;

/// The entries of a log by their number: their bytes, or why they cannot be read.
pub(super) type Log = BTreeMap<u64, Result<Vec<u8>, String>>;

/// Reads an entry of a log.
pub(super) fn entry<T: DeserializeOwned>(log: &Log, number: u64) -> Result<T, String> {
    match log.get(&number) {
        Some(Ok(bytes)) => serde_json::from_slice(bytes).map_err(|error| error.to_string()),
        Some(Err(why)) => Err(why.clone()),
        None => Err("it is missing".to_string()),
    }
}

/// A document as it is stored.
pub(super) struct StoredDocument {
    /// The record that it began with.
    pub(super) base: Box<sixproof_game::Record>,
    pub(super) log: Log,
    pub(super) results: NodeResults,
}

/// The documents in the store.
pub(super) struct DocumentStore<'a>(pub(super) &'a Store);

impl DocumentStore<'_> {
    /// Begins a document; its number.
    pub(super) fn begin(&self, base: &[u8], meta: &Meta) -> ApiResult<String> {
        let bucket = self.0.bucket(Bucket::Documents);
        let last: u64 = match whole(bucket.get(LIBRARY, NEXT)?)? {
            Some(bytes) => String::from_utf8_lossy(&bytes).parse().unwrap_or(0),
            None => 0,
        };
        let mut number = last + 1;
        // Documents from another store keep their numbers.
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
    pub(super) fn puzzle(&self) -> ApiResult<Option<(String, u32)>> {
        let bytes = whole(self.0.bucket(Bucket::Documents).get(LIBRARY, PUZZLE)?)?;
        let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
        Ok(text.and_then(|text| {
            let (id, node) = text.split_once(' ')?;
            Some((id.to_string(), node.parse().ok()?))
        }))
    }

    pub(super) fn put_puzzle(&self, id: &str, node: u32) -> ApiResult<()> {
        let text = format!("{id} {node}");
        Ok(self.0.bucket(Bucket::Documents).put_now(LIBRARY, PUZZLE, text.as_bytes())?)
    }

    /// All documents, without opening them.
    pub(super) fn all(&self) -> ApiResult<Vec<(String, Meta)>> {
        let bucket = self.0.bucket(Bucket::Documents);
        let mut all = Vec::new();
        for owner in bucket.owners()? {
            let Some(id) = id_of(&owner) else { continue };
            match self.meta(&id) {
                Ok(meta) => all.extend(meta.map(|meta| (id, meta))),
                // Its problem is reported when it is opened; the list has the others.
                Err(problem) if problem.kind == Some(ProblemKind::NewerVersion) => {}
                Err(problem) => return Err(problem),
            }
        }
        Ok(all)
    }

    pub(super) fn meta(&self, id: &str) -> ApiResult<Option<Meta>> {
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

    pub(super) fn put_meta(&self, id: &str, meta: &Meta) -> ApiResult<()> {
        Ok(self.0.bucket(Bucket::Documents).put(&owner(id), META, &bytes(id, meta)?)?)
    }

    /// Appends an entry to the log; `meta` counts it already. It is on disk, or the call fails.
    pub(super) fn append(&self, id: &str, entry: &LogEntry, meta: &Meta) -> ApiResult<()> {
        let key = entry_key(meta.edits.saturating_sub(1));
        self.write(id, (&key, &bytes(id, entry)?), meta)
    }

    /// Stores the results at a node. They are on disk, or the call fails.
    pub(super) fn put_results(
        &self,
        id: &str,
        node: NodeId,
        results: &[String],
        meta: &Meta,
    ) -> ApiResult<()> {
        self.write(id, (&result_key(node), &bytes(id, &results)?), meta)
    }

    fn write(&self, id: &str, (key, record): (&[u8], &[u8]), meta: &Meta) -> ApiResult<()> {
        let (of, meta) = (owner(id), bytes(id, meta)?);
        let changes = [(&of[..], key, Some(record)), (&of[..], META, Some(&meta[..]))];
        Ok(self.0.bucket(Bucket::Documents).write_all(&changes)?)
    }

    /// Removes all records of a document.
    pub(super) fn remove(&self, id: &str) -> ApiResult<()> {
        let (bucket, of) = (self.0.bucket(Bucket::Documents), owner(id));
        let keys: Vec<Vec<u8>> =
            bucket.iter(&of)?.map(|row| Ok(row?.0)).collect::<sixproof_store::Result<_>>()?;
        let changes: Vec<_> = keys.iter().map(|key| (&of[..], &key[..], None)).collect();
        Ok(bucket.write_all(&changes)?)
    }

    /// All records of a document.
    pub(super) fn records(&self, id: &str, meta: &Meta) -> ApiResult<StoredDocument> {
        let missing = || Problem::internal(format!("the beginning of document {id} is missing"));
        let (mut base, mut log, mut results) = (None, Log::new(), NodeResults::new());
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
                    results.push((NodeId(u32::from_be_bytes(node)), read(id, &bytes)?));
                }
                _ => {}
            }
        }
        let game: Option<Game> = meta.game.parse().ok();
        match reading::file(&base.ok_or_else(missing)?, &meta.name, game)? {
            FileContent::Tree(base, _) => Ok(StoredDocument { base, log, results }),
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

/// The bytes of a record; an error if it is damaged.
pub(crate) fn whole(kept: Option<BucketRecord>) -> ApiResult<Option<Vec<u8>>> {
    match kept {
        None => Ok(None),
        Some(BucketRecord::Whole(bytes)) => Ok(Some(bytes)),
        Some(BucketRecord::Damaged(damage)) => {
            Err(Problem::internal(format!("the store has a damaged record: {}", damage.what))
                .help("`sixproof store verify` shows what is wrong with the store"))
        }
    }
}

fn bytes(id: &str, value: &impl Serialize) -> ApiResult<Vec<u8>> {
    serde_json::to_vec(value).map_err(|error| damaged(id, &error))
}

fn read<T: DeserializeOwned>(id: &str, bytes: &[u8]) -> ApiResult<T> {
    serde_json::from_slice(bytes).map_err(|error| damaged(id, &error))
}

fn damaged(id: &str, error: &serde_json::Error) -> Problem {
    Problem::internal(format!("document {id} is damaged: {error}"))
        .help("`sixproof store verify` shows what is wrong with the store")
}
