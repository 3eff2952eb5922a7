//! Opens a document from its log: all entries are repeated in their order.
//!
//! An entry that cannot be repeated, because it is missing or cannot be read, is left out and
//! reported; it stays in the store. The entries after it keep their numbers of nodes, and undo
//! counts it, so that a later undo takes back the same edit as before.

use sixproof_document::Document;

use super::storage::{self, LogAction, LogEntry, Meta, StoredDocument};
use crate::wire::{Edit, Note, NoteKind};

/// The most losses that are reported one by one.
const LOSSES_MAX: usize = 20;

/// The differences between a document that was opened again and the one that was stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ReplayLosses {
    /// The entries that were left out, from 1, each with the reason.
    left_out: Vec<(u64, String)>,
    /// The count of inferred numbers of nodes.
    inferred: usize,
}

impl ReplayLosses {
    /// In sentences, and as data.
    pub(super) fn notes(&self) -> (Vec<String>, Vec<Note>) {
        let (mut texts, mut notes) = (Vec::new(), Vec::new());
        let mut add = |text: String, note: Note| {
            texts.push(text);
            notes.push(note);
        };
        if self.inferred > 0 {
            let text = format!(
                "an earlier version of sixproof kept this document without the edits that were \
                 undone: {} numbers of nodes were inferred; check comments and results",
                self.inferred
            );
            add(text, Note { more: self.inferred, ..Note::new(NoteKind::NumbersInferred) });
        }
        for (number, why) in self.left_out.iter().take(LOSSES_MAX) {
            let text = format!("edit {number} could not be made again, and was left out: {why}");
            add(text, Note { at: Some(number.to_string()), ..Note::new(NoteKind::EditLeftOut) });
        }
        let more = self.left_out.len().saturating_sub(LOSSES_MAX);
        if more > 0 {
            let text = format!("and {more} more of this kind");
            add(text, Note { more, ..Note::new(NoteKind::More) });
        }
        (texts, notes)
    }
}

/// The document of a log.
pub(super) fn document(meta: &mut Meta, records: &StoredDocument) -> (Document, ReplayLosses) {
    let document = Document::from_record(&records.base).document;
    let mut replay = Replay { document, losses: ReplayLosses::default() };
    let edits = meta.former.as_ref().map_or(0, |former| former.edits);
    if let Some(former) = &mut meta.former {
        former.replay(&mut replay, &records.log);
    }
    for number in edits..meta.edits {
        match storage::entry(&records.log, number) {
            Ok(LogEntry { next, done }) => {
                replay.skip_to(next);
                match done {
                    LogAction::Edit(edit) => replay.edit(number, &edit),
                    LogAction::Undo => drop(replay.document.undo()),
                    LogAction::Redo => drop(replay.document.redo()),
                }
            }
            Err(why) => replay.leave_out(number, why),
        }
    }
    (replay.document, replay.losses)
}

/// A document while its log is repeated.
pub(super) struct Replay {
    pub(super) document: Document,
    losses: ReplayLosses,
}

impl Replay {
    /// Leaves numbers of nodes out, up to the limit of a document.
    fn skip_to(&mut self, next: usize) {
        // An edit beyond the limit finds no node: it is refused and left out.
        let _skipped = self.document.skip_to(next);
    }

    /// Leaves numbers out that version 1 gave to nodes that it did not store.
    pub(super) fn skip(&mut self, count: usize) {
        self.losses.inferred += count;
        self.skip_to(self.document.numbers() + count);
    }

    /// Makes an edit again.
    pub(super) fn edit(&mut self, number: u64, edit: &Edit) {
        if let Err(why) = again(&mut self.document, edit) {
            self.leave_out(number, why);
        }
    }

    /// Leaves out an edit that cannot be made.
    pub(super) fn leave_out(&mut self, number: u64, why: String) {
        self.losses.left_out.push((number + 1, why));
        self.document.leave_out();
    }
}

/// Makes an edit of a log again. A log holds only edits that changed something.
pub(super) fn again(document: &mut Document, edit: &Edit) -> Result<(), String> {
    let meant = edit.meant(document.game()).map_err(|problem| problem.title)?;
    let applied = document.apply(meant).map_err(|error| error.to_string())?;
    if applied.changed { Ok(()) } else { Err("it changes nothing".to_string()) }
}
