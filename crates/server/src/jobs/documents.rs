//! The interfaces of jobs to the rest of the server: the documents, and the bucket of the jobs.

#[cfg(test)]
use std::collections::BTreeMap;
#[cfg(test)]
use std::sync::{Mutex, PoisonError};

use sixproof_game::{Color, Position, Square};

use super::wire::{JobId, JobResult, JobScope, NodeId};
use crate::problem::ApiResult;

/// A node as jobs see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JobNode {
    pub(crate) position: Position,
    pub(crate) parent: Option<NodeId>,
    /// The side and the stones of the node's own move; none at a root or a set-up.
    pub(crate) last: Option<(Color, Vec<Square>)>,
}

/// The documents as jobs read and write them. The threads of workers call it, and it must not call
/// [`super::Jobs`]; nor may a caller of [`super::Jobs`] hold a lock that it waits for.
pub(crate) trait JobDocuments: Send + Sync {
    /// The title of a document.
    fn title(&self, document: &str) -> ApiResult<String>;

    /// A node's position, and the move that led to it.
    fn position(&self, document: &str, node: NodeId) -> ApiResult<JobNode>;

    /// The nodes of a scope: parents before their children; a line begins at the root.
    fn nodes_of(&self, document: &str, node: NodeId, scope: JobScope) -> ApiResult<Vec<NodeId>>;

    /// Stores a result with a node, and the certificate that it names. It replaces an earlier
    /// result of the same job at the node, because an analysis reports again and again, and a job
    /// repeats its last positions after a crash. The report that the node's move threw a win away
    /// is a second result beside it.
    fn write_result(
        &self,
        document: &str,
        node: NodeId,
        result: &JobResult,
        certificate: Option<&[u8]>,
    ) -> ApiResult<()>;

    /// Adds a move below a node, or finds the child that has it.
    fn play(&self, document: &str, node: NodeId, squares: &[Square]) -> ApiResult<NodeId>;

    /// The certificate of a node's verdict, not compressed, and the side that wins by it; `None` if
    /// the node has none of its own.
    fn certificate(&self, document: &str, node: NodeId) -> ApiResult<Option<(Color, Vec<u8>)>>;
}

/// The bucket of the stored jobs. A record survives a crash once `put` has returned. Number 0 is
/// the counter of the runner, not a job.
pub(crate) trait JobBucket: Send + Sync {
    fn put(&self, id: JobId, bytes: &[u8]) -> Result<(), String>;
    fn remove(&self, id: JobId) -> Result<(), String>;
    fn all(&self) -> Result<Vec<(JobId, Vec<u8>)>, String>;
}

/// A bucket in memory, for tests.
#[cfg(test)]
#[derive(Debug, Default)]
pub(crate) struct MemoryBucket(Mutex<BTreeMap<JobId, Vec<u8>>>);

#[cfg(test)]
impl JobBucket for MemoryBucket {
    fn put(&self, id: JobId, bytes: &[u8]) -> Result<(), String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(id, bytes.to_vec());
        Ok(())
    }

    fn remove(&self, id: JobId) -> Result<(), String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
        Ok(())
    }

    fn all(&self) -> Result<Vec<(JobId, Vec<u8>)>, String> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(kept.iter().map(|(id, bytes)| (*id, bytes.clone())).collect())
    }
}
