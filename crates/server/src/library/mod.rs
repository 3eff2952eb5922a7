//! The documents of the editor: opened by the first request for them, changed by edits, stored at
//! once.
//!
//! The page shows what the store has: a change is on disk before a client sees it, and one that
//! cannot be written is revoked.
//!
//! `storage` has their form in the store, `replay` makes them of it, `former` infers what version 1
//! did not store, `facts` has the proved wins, `view` makes the answers for the page, and `jobs` is
//! the interface for jobs.

mod facts;
mod former;
mod jobs;
mod replay;
pub(crate) mod storage;
mod view;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::json;
use sixproof_document::{Applied, Document, NodeId, Note};
use sixproof_game::load::Loaded;
use sixproof_game::{Color, Game, Record};
use sixproof_store::Store;

use super::hub::Hub;
use super::jobs::wire::{JobOutcome, JobResult};
use super::problem::{ApiResult, Problem, ProblemKind};
use super::proofs::Proofs;
use super::reading::{self, FileContent};
use super::wire;
use facts::Facts;
use replay::ReplayLosses;
use sixproof_solve::store::Memory;
use storage::{DocumentStore, LogAction, LogEntry, Meta};

/// The position of the first page: White to move wins, and loses otherwise. From a game of two
/// engines; the test of its name proves both.
pub(crate) const PUZZLE: &str = "J10 / J11 M10 / I11 H12 / K9 L9 / I12 I14";
const PUZZLE_TITLE: &str = "White to move wins";
/// The most documents that are held open.
const OPEN_MAX: usize = 32;
/// The most results of jobs that a node keeps, the latest ones.
const RESULTS_MAX: usize = 20;

/// The documents.
pub(crate) struct Library {
    store: Arc<Store>,
    memory: Arc<Memory>,
    proofs: Arc<Proofs>,
    hub: Arc<Hub>,
    open: Mutex<OpenDocuments>,
    /// Locked while a new document gets its number.
    beginning: Mutex<()>,
}

/// The open documents, each with the number of its latest request.
#[derive(Default)]
struct OpenDocuments {
    slots: BTreeMap<String, (u64, OpenSlot)>,
    asked: u64,
}

/// The slot of an open document. The first request opens it, while others wait.
type OpenSlot = Arc<Mutex<Option<OpenDocument>>>;

/// A document that is open.
struct OpenDocument {
    id: String,
    document: Document,
    meta: Meta,
    /// The revision minus the document's own count, when it was opened.
    revision_before: u64,
    facts: Facts,
    /// What differs from the document that was stored.
    losses: ReplayLosses,
}

impl OpenDocument {
    fn game(&self) -> Game {
        self.document.game()
    }

    fn revision(&self) -> u64 {
        self.revision_before + self.document.revision()
    }

    /// The node of a number.
    fn node(&self, node: u32) -> ApiResult<NodeId> {
        let id = NodeId(node);
        if self.document.contains(id) {
            return Ok(id);
        }
        Err(Problem::missing(format!("document {} has no node {node}", self.id))
            .kind(ProblemKind::NodeGone)
            .help("it may have been deleted in another window"))
    }
}

/// Milliseconds since 1970.
pub(crate) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

impl Library {
    pub(crate) fn new(
        store: Arc<Store>,
        memory: Arc<Memory>,
        proofs: Arc<Proofs>,
        hub: Arc<Hub>,
    ) -> Library {
        let (open, beginning) = (Mutex::default(), Mutex::default());
        Library { store, memory, proofs, hub, open, beginning }
    }

    fn storage(&self) -> DocumentStore<'_> {
        DocumentStore(&self.store)
    }

    /// All documents, the latest changed first.
    pub(crate) fn list(&self) -> ApiResult<Vec<wire::DocumentSummary>> {
        let mut all: Vec<wire::DocumentSummary> =
            self.storage().all()?.iter().filter_map(|(id, meta)| view::summary(id, meta)).collect();
        all.sort_by(|a, b| b.changed_ms.cmp(&a.changed_ms).then(b.id.cmp(&a.id)));
        Ok(all)
    }

    /// A new document: an empty board, or a position that was typed.
    pub(crate) fn create(&self, new: &wire::NewDocument) -> ApiResult<wire::Document> {
        let text = new.position.as_deref().or(new.game.as_deref()).unwrap_or("connect6");
        let unknown = match new.position {
            Some(_) => ProblemKind::UnknownPosition,
            None => ProblemKind::UnknownGame,
        };
        let Loaded { record, node, .. } = reading::position(text, new.game.as_deref())
            .map_err(|problem| problem.kind(unknown))?;
        let title = new.title.clone().unwrap_or_else(|| {
            let shown: String = text.chars().take(60).collect();
            if new.position.is_some() { shown } else { wire::Game::from(record.game).title }
        });
        let at = record.path_to(node).len() - 1;
        let bytes = storage::base_of(&record);
        self.begin(bytes, &record, &title, at).map(|(document, _)| document)
    }

    /// The document with the puzzle of the first page, its node, and the side that wins. The node
    /// is stored: the reader may have moved elsewhere in the document.
    pub(crate) fn puzzle(&self) -> ApiResult<(String, u32, Color)> {
        if let Some((id, node)) = self.storage().puzzle()? {
            // Unless it was deleted.
            if self.document(&id).is_ok() {
                return Ok((id, node, Color::White));
            }
        }
        let document = self.create(&wire::NewDocument {
            position: Some(PUZZLE.to_string()),
            title: Some(PUZZLE_TITLE.to_string()),
            game: None,
        })?;
        let (id, node) = (document.summary.id, document.at);
        self.storage().put_puzzle(&id, node)?;
        Ok((id, node, Color::White))
    }

    /// A document out of a file.
    pub(crate) fn open_file(
        &self,
        bytes: &[u8],
        query: &wire::OpenQuery,
    ) -> ApiResult<wire::Opened> {
        let game = query.game.as_deref().map(sixproof_solve::typed::game).transpose()?;
        let name = query.name.as_deref().unwrap_or("file").trim();
        let name: String = name.chars().filter(|c| !c.is_control()).take(200).collect();
        let choice =
            reading::ReadOptions { game, number: query.number, anyway: query.anyway == Some(true) };
        let (sent, games) = reading::opened(bytes, &name, &choice)?;
        let (record, base, format, proof) = match sent {
            // Of several games one is stored, as SGF, and read as it will be read again.
            FileContent::Tree(record, format) if games > 1 => {
                let base = storage::base_of(&record);
                (reading::tree(&base, Some(record.game))?, base, format, None)
            }
            FileContent::Tree(record, format) if format == "name" => {
                let base = storage::base_of(&record);
                (*record, base, format, None)
            }
            FileContent::Tree(record, format) => (*record, bytes.to_vec(), format, None),
            FileContent::Certificate(certificate) => {
                let proof = self.proofs.take(&certificate)?;
                let position = proof.strategy.claim().position.clone();
                let record = Loaded::position(position).record;
                let base = storage::base_of(&record);
                (record, base, "certificate".to_string(), Some(proof))
            }
        };
        let (mut document, notes) = self.begin(base, &record, &name, 0)?;
        if let Some(proof) = proof {
            let result = facts::result_of(&proof, now_ms());
            self.write(&document.summary.id, NodeId::ROOT, result)?;
            document = self.document(&document.summary.id)?;
        }
        let noted = notes.iter().map(wire::Note::from).collect();
        let notes = notes.iter().map(ToString::to_string).collect();
        Ok(wire::Opened { document, format, notes, noted, games })
    }

    /// Begins a document with a record; the reader is `depth` moves down its main line.
    fn begin(
        &self,
        base: Vec<u8>,
        record: &Record,
        name: &str,
        depth: usize,
    ) -> ApiResult<(wire::Document, Vec<Note>)> {
        let imported = Document::from_record(record);
        let mut meta = Meta::new(name, record.game, now_ms());
        meta.title = imported.document.title().to_string();
        meta.nodes = imported.document.len();
        let mut at = NodeId::ROOT;
        for _ in 0..depth {
            at = imported.document.children(at).first().copied().unwrap_or(at);
        }
        meta.at = at.0;
        meta.revision = imported.document.revision();
        // Two documents that begin at the same time must not get the same number.
        let id = {
            let _alone = self.beginning.lock().unwrap_or_else(PoisonError::into_inner);
            self.storage().begin(&base, &meta)?
        };
        let open = OpenDocument {
            id: id.clone(),
            facts: Facts::of_file(&imported.document, &self.proofs),
            document: imported.document,
            revision_before: 0,
            meta,
            losses: ReplayLosses::default(),
        };
        let wire = view::document(&open);
        self.hold(&id, Some(open));
        self.changed(&id, wire.summary.revision, &[], false);
        Ok((wire, imported.notes))
    }

    pub(crate) fn document(&self, id: &str) -> ApiResult<wire::Document> {
        self.with(id, |open| Ok(view::document(open)))
    }

    /// Deletes a document for good.
    pub(crate) fn remove(&self, id: &str) -> ApiResult<()> {
        let slot = self.slot(id)?;
        // Requests before this one are done with it, and later ones find nothing.
        let mut open = slot.lock().unwrap_or_else(PoisonError::into_inner);
        self.storage().remove(id)?;
        *open = None;
        self.lock().slots.remove(id);
        self.changed(id, 0, &[], true);
        Ok(())
    }

    /// Stores where the reader is.
    pub(crate) fn set_at(&self, id: &str, node: u32) -> ApiResult<()> {
        self.with(id, |open| {
            open.node(node)?;
            let meta = Meta { at: node, ..open.meta.clone() };
            // The next flush, within a second, is soon enough.
            self.storage().put_meta(id, &meta)?;
            open.meta = meta;
            Ok(())
        })
    }

    /// Makes an edit, and stores it.
    pub(crate) fn edit(&self, id: &str, edit: &wire::Edit) -> ApiResult<wire::Edited> {
        self.with(id, |open| {
            edit.check_text(&open.document)?;
            let next = open.document.numbers();
            let applied = open.document.apply(edit.meant(open.document.game())?)?;
            let entry = LogEntry { next, done: LogAction::Edit(edit.kept()) };
            let edited = self.settle(open, applied, entry)?;
            if let wire::Edit::Paste { node, .. } = edit {
                let OpenDocument { document, facts, .. } = open;
                // The pasted trees are the last children.
                let pasted = document.children(NodeId(*node)).iter();
                for &top in pasted.skip_while(|top| top.0 != edited.node) {
                    facts.add_below(document, top, &self.proofs);
                }
            }
            Ok(edited)
        })
    }

    /// Takes the last edit back.
    pub(crate) fn undo(&self, id: &str) -> ApiResult<wire::Edited> {
        let nothing =
            || Problem::conflict("there is nothing to undo").kind(ProblemKind::NothingToUndo);
        self.retrace(id, LogAction::Undo, |document| document.undo().ok_or_else(nothing))
    }

    /// Makes the last edit that was taken back again.
    pub(crate) fn redo(&self, id: &str) -> ApiResult<wire::Edited> {
        let nothing =
            || Problem::conflict("there is nothing to redo").kind(ProblemKind::NothingToRedo);
        self.retrace(id, LogAction::Redo, |document| document.redo().ok_or_else(nothing))
    }

    fn retrace(
        &self,
        id: &str,
        done: LogAction,
        step: impl FnOnce(&mut Document) -> ApiResult<Applied>,
    ) -> ApiResult<wire::Edited> {
        self.with(id, |open| {
            let applied = step(&mut open.document)?;
            let next = open.document.numbers();
            self.settle(open, applied, LogEntry { next, done })
        })
    }

    /// Stores a change and publishes it, or revokes it.
    fn settle(
        &self,
        open: &mut OpenDocument,
        applied: Applied,
        entry: LogEntry,
    ) -> ApiResult<wire::Edited> {
        if applied.changed {
            let mut meta = open.meta.clone();
            meta.title = open.document.title().to_string();
            meta.nodes = open.document.len();
            meta.revision = open.revision();
            meta.changed_ms = now_ms();
            meta.edits += 1;
            if !open.document.contains(NodeId(meta.at)) {
                meta.at = applied.node.0;
            }
            if let Err(problem) = self.storage().append(&open.id, &entry, &meta) {
                open.document.revoke();
                return Err(problem);
            }
            open.meta = meta;
            open.facts.revise(&open.document, &applied.touched);
            self.changed(&open.id, open.revision(), &applied.touched, false);
        }
        Ok(wire::Edited { revision: open.revision(), ..applied.into() })
    }

    /// Stores a result with a node; its certificate has been accepted before.
    fn write(&self, id: &str, node: NodeId, result: JobResult) -> ApiResult<()> {
        self.with(id, |open| {
            open.node(node.0)?;
            let mut results = open.document.node(node).map_or(Vec::new(), |n| n.results.clone());
            // A report of the same job on the same question replaces the earlier one.
            let question =
                |result: &JobResult| (result.job, result.outcome == JobOutcome::ThrownAway);
            results.retain(|text| {
                let old = facts::parsed(text).filter(|_| result.job != 0);
                old.is_none_or(|old| question(&old) != question(&result))
            });
            results.push(serde_json::to_string(&result).unwrap_or_default());
            let surplus = results.len().saturating_sub(RESULTS_MAX);
            results.drain(..surplus);
            let meta = Meta { revision: open.revision() + 1, ..open.meta.clone() };
            self.storage().put_results(id, node, &results, &meta)?;
            open.meta = meta;
            open.facts.add(&open.document, node, &result, &self.proofs);
            open.document.set_results(node, results);
            self.hub.publish(json!({ "event": "result", "document": id, "node": node.0 }));
            Ok(())
        })
    }

    fn changed(&self, id: &str, revision: u64, nodes: &[NodeId], removed: bool) {
        let nodes: Vec<u32> = nodes.iter().map(|node| node.0).collect();
        self.hub.publish(json!({
            "event": "document", "document": id, "revision": revision, "nodes": nodes,
            "removed": removed,
        }));
    }

    /// Runs `work` on a document while no other request uses it.
    fn with<T>(
        &self,
        id: &str,
        work: impl FnOnce(&mut OpenDocument) -> ApiResult<T>,
    ) -> ApiResult<T> {
        let slot = self.slot(id)?;
        let mut open = slot.lock().unwrap_or_else(|poisoned| {
            // A panic may have left the document half changed: it is opened again from the store.
            slot.clear_poison();
            let mut open = poisoned.into_inner();
            *open = None;
            open
        });
        let open = match &mut *open {
            Some(open) => open,
            closed => closed.insert(self.load(id)?),
        };
        work(open)
    }

    /// The slot of a document.
    fn slot(&self, id: &str) -> ApiResult<OpenSlot> {
        {
            let mut documents = self.lock();
            documents.asked += 1;
            let asked = documents.asked;
            if let Some((last, slot)) = documents.slots.get_mut(id) {
                *last = asked;
                return Ok(Arc::clone(slot));
            }
        }
        self.storage().meta(id)?.ok_or_else(|| no_document(id))?;
        Ok(self.hold(id, None))
    }

    /// Opens a document.
    fn load(&self, id: &str) -> ApiResult<OpenDocument> {
        let mut meta = self.storage().meta(id)?.ok_or_else(|| no_document(id))?;
        let records = self.storage().records(id, &meta)?;
        let (document, losses) = replay::document(&mut meta, &records);
        let revision_before = (meta.revision + 1).saturating_sub(document.revision());
        if !document.contains(NodeId(meta.at)) {
            meta.at = NodeId::ROOT.0;
        }
        let mut open = OpenDocument {
            id: id.to_string(),
            facts: Facts::of_file(&document, &self.proofs),
            document,
            meta,
            revision_before,
            losses,
        };
        for (node, results) in records.results {
            for result in results.iter().filter_map(|text| facts::parsed(text)) {
                open.facts.add(&open.document, node, &result, &self.proofs);
            }
            open.document.set_results(node, results);
        }
        Ok(open)
    }

    /// Holds a document open; two requests at the same time get the same one.
    fn hold(&self, id: &str, open: Option<OpenDocument>) -> OpenSlot {
        let mut documents = self.lock();
        documents.asked += 1;
        let asked = documents.asked;
        let entry = documents.slots.entry(id.to_string());
        let (_, held) = entry.or_insert_with(|| (asked, Arc::new(Mutex::new(open))));
        let held = Arc::clone(held);
        while documents.slots.len() > OPEN_MAX {
            let is_idle = |entry: &OpenSlot| Arc::strong_count(entry) == 1;
            let idle = documents.slots.iter().filter(|(_, (_, open))| is_idle(open));
            let Some(id) = idle.min_by_key(|(_, (last, _))| *last).map(|(id, _)| id.clone()) else {
                break;
            };
            documents.slots.remove(&id);
        }
        held
    }

    fn lock(&self) -> MutexGuard<'_, OpenDocuments> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn node_gone() -> Problem {
    Problem::missing("the node is gone").kind(ProblemKind::NodeGone)
}

fn no_document(id: &str) -> Problem {
    let shown: String = id.chars().take(40).collect();
    Problem::missing(format!("there is no document {shown}"))
        .kind(ProblemKind::DocumentGone)
        .help("it may have been deleted")
}
