//! Edits that version 1 stored. It stored nothing of edits that were undone, so that the nodes of
//! later edits had higher numbers than the same edits give them when they are repeated.
//!
//! A missing edit shows when an edit refers to a node that does not exist, or cannot be made there.
//! Then numbers are left out before one of the latest edits that made a node, so that the reference
//! is to a node made since, and all edits in between can still be made. The gaps are inferred once
//! and stored with the document; an edit for which no gap fits is left out.
//!
//! Version 1 could not open a document again that needs inference. So all numbers of such a
//! document from the first gap on are of one run of the program, and only grow.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sixproof_document::Document;

use super::replay::{Replay, again};
use super::storage::{self, Log};
use crate::wire::Edit;

/// The number of edits between two saved states of the document.
const STRIDE: usize = 128;
/// The most numbers that are left out at one place.
const GAP_MAX: usize = 10_000;
/// The most attempts for one edit, and for a document.
const TRIES_MAX: usize = 100;
const TRIES_IN_ALL_MAX: usize = 2_000;

/// The entries of a log that version 1 wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Former {
    /// The number of entries.
    pub(super) edits: u64,
    /// The number of entries that were not undone.
    pub(super) in_force: u64,
    /// `None` until it is inferred.
    inferred: Option<Inferred>,
}

/// The gaps that were inferred.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Inferred {
    /// The count of numbers left out before an edit.
    gaps: BTreeMap<u64, usize>,
    /// The edits that cannot be made, each with the reason.
    left_out: BTreeMap<u64, String>,
}

/// An edit, or why it cannot be read.
type ReadEdit = Result<Edit, String>;

impl Former {
    pub(super) fn new(edits: u64, in_force: u64) -> Former {
        Former { edits, in_force, inferred: None }
    }

    /// Repeats the edits with the inferred gaps; infers these the first time.
    pub(super) fn replay(&mut self, replay: &mut Replay, log: &Log) {
        let edits: Vec<ReadEdit> =
            (0..self.edits).map(|number| storage::entry(log, number)).collect();
        let inferred = self.inferred.get_or_insert_with(|| infer(&replay.document, &edits));
        for (number, edit) in (0..).zip(&edits) {
            replay.skip(inferred.gaps.get(&number).copied().unwrap_or(0));
            match (inferred.left_out.get(&number), edit) {
                (None, Ok(edit)) => replay.edit(number, edit),
                (Some(why), _) | (None, Err(why)) => replay.leave_out(number, why.clone()),
            }
        }
        for _ in self.in_force..self.edits {
            replay.document.undo();
        }
    }
}

/// Infers the missing numbers.
fn infer(start: &Document, edits: &[ReadEdit]) -> Inferred {
    let states = [(0, start.clone()), (0, start.clone())];
    let inferred = Inferred::default();
    let mut inference = Inference { edits, inferred, made: Vec::new(), states, tries: 0 };
    inference.run(start.clone());
    inference.inferred
}

/// An edit that was made: its index, and the count of numbers given before and after it.
#[derive(Clone, Copy)]
struct MadeEdit {
    index: usize,
    before: usize,
    after: usize,
}

struct Inference<'a> {
    edits: &'a [ReadEdit],
    inferred: Inferred,
    /// The edits that were made, in their order.
    made: Vec<MadeEdit>,
    /// The document before two edits, the earlier one first.
    states: [(usize, Document); 2],
    tries: usize,
}

impl Inference<'_> {
    fn run(&mut self, mut document: Document) {
        for (index, edit) in self.edits.iter().enumerate() {
            if index >= self.states[1].0 + STRIDE {
                self.states.swap(0, 1);
                self.states[1] = (index, document.clone());
            }
            let Ok(edit) = edit else { continue };
            let before = document.numbers();
            match again(&mut document, edit) {
                Ok(()) => self.made.push(MadeEdit { index, before, after: document.numbers() }),
                Err(why) => match self.fit(index, edit) {
                    Some(fitting) => document = fitting,
                    None => {
                        self.inferred.left_out.insert(index as u64, why);
                    }
                },
            }
        }
    }

    /// Leaves numbers out so that an edit can be made: the document after it.
    fn fit(&mut self, index: usize, edit: &Edit) -> Option<Document> {
        let referred = edit.node()? as usize;
        let (from, _) = self.states[0];
        let recent = self.made.iter().rev().take_while(|made| made.index >= from);
        let makers: Vec<MadeEdit> =
            recent.filter(|made| made.after > made.before).copied().collect();
        let last = makers.first()?.after;
        let mut tries = 0;
        for maker in &makers {
            // The node was made by this edit or a later one: the latest is tried first.
            for node in (maker.before..last.min(referred)).rev() {
                let gap = referred - node;
                if gap > GAP_MAX {
                    break;
                }
                tries += 1;
                self.tries += 1;
                if tries > TRIES_MAX || self.tries > TRIES_IN_ALL_MAX {
                    return None;
                }
                if let Some((document, made)) = self.attempt(maker.index, gap, index) {
                    *self.inferred.gaps.entry(maker.index as u64).or_default() += gap;
                    self.made.retain(|made| made.index < from);
                    self.made.extend(made);
                    if self.states[1].0 > maker.index {
                        self.states[1] = self.states[0].clone();
                    }
                    return Some(document);
                }
            }
        }
        None
    }

    /// Makes the edits up to `last` again with a further gap; all that were made must be made.
    fn attempt(&self, at: usize, gap: usize, last: usize) -> Option<(Document, Vec<MadeEdit>)> {
        let (from, start) = &self.states[0];
        let (mut document, mut made) = (start.clone(), Vec::new());
        let recent = self.made.iter().filter(|made| made.index >= *from).map(|made| made.index);
        for index in recent.chain([last]) {
            let known = self.inferred.gaps.get(&(index as u64)).copied().unwrap_or(0);
            let gap = known + if index == at { gap } else { 0 };
            document.skip_to(document.numbers() + gap).ok()?;
            let before = document.numbers();
            again(&mut document, self.edits[index].as_ref().ok()?).ok()?;
            made.push(MadeEdit { index, before, after: document.numbers() });
        }
        Some((document, made))
    }
}
