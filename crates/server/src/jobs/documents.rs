//! What jobs need of the rest of the server: documents, and a bucket to be kept on.

#[cfg(test)]
use std::collections::BTreeMap;
#[cfg(test)]
use std::sync::{Mutex, PoisonError};

use sixproof_game::{Color, Position, Square};

use super::wire::{JobId, JobResult, JobScope, NodeId};
use crate::problem::Answer;

/// A node as jobs see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JobNode {
    pub(crate) position: Position,
    pub(crate) parent: Option<NodeId>,
    /// The stones of the node's own move and who made it; none at a root or a set-up.
    pub(crate) last: Option<(Color, Vec<Square>)>,
}

/// The documents. It is called from the threads of workers, and must not call [`super::Jobs`]; nor
/// may anybody who calls [`super::Jobs`] hold a lock that it waits for.
pub(crate) trait JobDocuments: Send + Sync {
    /// What a document is called.
    fn title(&self, document: &str) -> Answer<String>;

    /// A node's position, and the move that led to it.
    fn position(&self, document: &str, node: NodeId) -> Answer<JobNode>;

    /// The nodes of a scope: parents before their children, the line from the root on.
    fn nodes_of(&self, document: &str, node: NodeId, scope: JobScope) -> Answer<Vec<NodeId>>;

    /// Keeps a result with a node, and the certificate that it names. An analysis grows, and after
    /// a crash the last positions are done again: a result takes the place of an earlier one of
    /// the same job at the node, but for moves that threw a win away, which are a result beside it.
    fn write_result(
        &self,
        document: &str,
        node: NodeId,
        result: &JobResult,
        certificate: Option<&[u8]>,
    ) -> Answer<()>;

    /// Adds a move below a node, or finds the child that has it.
    fn play(&self, document: &str, node: NodeId, squares: &[Square]) -> Answer<NodeId>;

    /// The certificate of a node's verdict in plain form, and the side that it lets win; none if
    /// the node has none of its own.
    fn certificate(&self, document: &str, node: NodeId) -> Answer<Option<(Color, Vec<u8>)>>;
}

/// Where jobs are kept. What was put is there after a crash. Number 0 is no job.
pub(crate) trait JobBucket: Send + Sync {
    fn put(&self, id: JobId, bytes: &[u8]) -> Result<(), String>;
    fn remove(&self, id: JobId) -> Result<(), String>;
    fn all(&self) -> Result<Vec<(JobId, Vec<u8>)>, String>;
}

/// A bucket that is gone with the program, for tests.
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
