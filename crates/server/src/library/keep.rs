//! How documents are kept in the store: what they began with, every edit since, how many of these
//! are in force, and what jobs found.
//!
//! An edit is kept as it was sent. To open a document again is to make its edits again, and to take
//! back those that were undone: so undo and redo reach as far after a restart as before it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sixproof_document::{Document, NodeId};
use sixproof_game::{Game, sgf};
use sixproof_store::{Kept, Shelf, Store};

use crate::problem::{Answer, Problem, ProblemKind};
use crate::reading::{self, Sent};
use crate::wire::Edit;

/// The form of [`Meta`]: grows when an older program could not read it any more.
const VERSION: u32 = 1;
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
    version: u32,
    pub(super) title: String,
    /// What it is called where it has no title: the name of its file.
    pub(super) name: String,
    pub(super) game: String,
    pub(super) nodes: usize,
    pub(super) revision: u64,
    pub(super) created_ms: u64,
    pub(super) changed_ms: u64,
    pub(super) at: u32,
    /// The edits that are kept, and how many of them are in force.
    pub(super) edits: u64,
    pub(super) in_force: u64,
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
        }
    }

    /// What the document is called.
    pub(super) fn shown_title(&self) -> &str {
        if self.title.is_empty() { &self.name } else { &self.title }
    }
}

/// What jobs found, by node.
pub(super) type Found = Vec<(NodeId, Vec<String>)>;

/// The store, as documents use it.
pub(super) struct Keep<'a>(pub(super) &'a Store);

impl Keep<'_> {
    /// The number of a new document.
    pub(super) fn new_id(&self) -> Answer<String> {
        let shelf = self.0.shelf(Shelf::Documents);
        let last: u64 = match whole(shelf.get(LIBRARY, NEXT)?)? {
            Some(bytes) => String::from_utf8_lossy(&bytes).parse().unwrap_or(0),
            None => 0,
        };
        shelf.put(LIBRARY, NEXT, (last + 1).to_string().as_bytes())?;
        Ok((last + 1).to_string())
    }

    /// The document that holds the puzzle of the first page, and its node.
    pub(super) fn puzzle(&self) -> Answer<Option<(String, u32)>> {
        let bytes = whole(self.0.shelf(Shelf::Documents).get(LIBRARY, PUZZLE)?)?;
        let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
        Ok(text.and_then(|text| {
            let (id, node) = text.split_once(' ')?;
            Some((id.to_string(), node.parse().ok()?))
        }))
    }

    pub(super) fn put_puzzle(&self, id: &str, node: u32) -> Answer<()> {
        let text = format!("{id} {node}");
        Ok(self.0.shelf(Shelf::Documents).put(LIBRARY, PUZZLE, text.as_bytes())?)
    }

    /// All documents, without opening them.
    pub(super) fn all(&self) -> Answer<Vec<(String, Meta)>> {
        let shelf = self.0.shelf(Shelf::Documents);
        let mut all = Vec::new();
        for owner in shelf.owners()? {
            let Some(id) = id_of(&owner) else { continue };
            if let Some(meta) = self.meta(&id)? {
                all.push((id, meta));
            }
        }
        Ok(all)
    }

    pub(super) fn meta(&self, id: &str) -> Answer<Option<Meta>> {
        let kept = self.0.shelf(Shelf::Documents).get(&owner(id), META)?;
        let Some(bytes) = whole(kept)? else { return Ok(None) };
        let meta: Meta = serde_json::from_slice(&bytes).map_err(|error| damaged(id, &error))?;
        if meta.version > VERSION {
            return Err(Problem::conflict(format!("document {id} is of a newer version"))
                .kind(ProblemKind::NewerVersion)
                .help("update sixproof"));
        }
        Ok(Some(meta))
    }

    pub(super) fn put_meta(&self, id: &str, meta: &Meta) -> Answer<()> {
        let bytes = serde_json::to_vec(meta).map_err(|error| damaged(id, &error))?;
        Ok(self.0.shelf(Shelf::Documents).put(&owner(id), META, &bytes)?)
    }

    pub(super) fn put_base(&self, id: &str, bytes: &[u8]) -> Answer<()> {
        Ok(self.0.shelf(Shelf::Documents).put(&owner(id), BASE, bytes)?)
    }

    /// Keeps the edit of a number; edits that were undone and come later are gone.
    pub(super) fn put_edit(&self, id: &str, number: u64, edits: u64, edit: &Edit) -> Answer<()> {
        let shelf = self.0.shelf(Shelf::Documents);
        for later in number + 1..edits {
            shelf.remove(&owner(id), &edit_key(later))?;
        }
        let bytes = serde_json::to_vec(edit).map_err(|error| damaged(id, &error))?;
        Ok(shelf.put(&owner(id), &edit_key(number), &bytes)?)
    }

    pub(super) fn put_results(&self, id: &str, node: NodeId, results: &[String]) -> Answer<()> {
        let bytes = serde_json::to_vec(results).map_err(|error| damaged(id, &error))?;
        Ok(self.0.shelf(Shelf::Documents).put(&owner(id), &result_key(node), &bytes)?)
    }

    /// Everything that is kept of a document is gone.
    pub(super) fn remove(&self, id: &str) -> Answer<()> {
        self.0.shelf(Shelf::Documents).clear(&owner(id))?;
        Ok(self.0.flush()?)
    }

    /// The document as it was, and what jobs found, by node.
    pub(super) fn document(&self, id: &str, meta: &Meta) -> Answer<(Document, Found)> {
        let missing = || Problem::internal(format!("the beginning of document {id} is missing"));
        let (mut base, mut edits, mut found) = (None, BTreeMap::new(), Found::new());
        for row in self.0.shelf(Shelf::Documents).iter(&owner(id))? {
            let (key, kept) = row?;
            let Some(bytes) = whole(Some(kept))? else { continue };
            match key.split_first() {
                _ if key == BASE => base = Some(bytes),
                Some((b'e', number)) => {
                    edits.insert(number.to_vec(), bytes);
                }
                Some((b'r', node)) => {
                    let Ok(node) = <[u8; 4]>::try_from(node) else { continue };
                    let texts = serde_json::from_slice(&bytes).map_err(|e| damaged(id, &e))?;
                    found.push((NodeId(u32::from_be_bytes(node)), texts));
                }
                _ => {}
            }
        }
        let game: Option<Game> = meta.game.parse().ok();
        let Sent::Tree(record, _) = reading::file(&base.ok_or_else(missing)?, &meta.name, game)?
        else {
            return Err(missing());
        };
        let mut document = Document::from_record(&record).document;
        let game = document.game();
        for number in 0..meta.edits {
            let lost = || Problem::internal(format!("edit {number} of document {id} is missing"));
            let bytes = edits.get(&number.to_be_bytes()[..]).ok_or_else(lost)?;
            let edit: Edit = serde_json::from_slice(bytes).map_err(|e| damaged(id, &e))?;
            document.apply(edit.meant(game)?)?;
        }
        for _ in meta.in_force..meta.edits {
            document.undo();
        }
        Ok((document, found))
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

fn edit_key(number: u64) -> Vec<u8> {
    [&b"e"[..], &number.to_be_bytes()].concat()
}

fn result_key(node: NodeId) -> Vec<u8> {
    [&b"r"[..], &node.0.to_be_bytes()].concat()
}

/// The bytes of a record of a shelf; that it is damaged is told, and never passed over.
pub(crate) fn whole(kept: Option<Kept>) -> Answer<Option<Vec<u8>>> {
    match kept {
        None => Ok(None),
        Some(Kept::Whole(bytes)) => Ok(Some(bytes)),
        Some(Kept::Damaged(damage)) => {
            Err(Problem::internal(format!("the store has a damaged record: {}", damage.what))
                .help("`sixproof store verify` tells what is wrong with the store"))
        }
    }
}

fn damaged(id: &str, error: &serde_json::Error) -> Problem {
    Problem::internal(format!("document {id} is damaged: {error}"))
        .help("`sixproof store verify` tells what is wrong with the store")
}
