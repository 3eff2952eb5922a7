//! The documents as jobs read and write them.

use sixproof_document::NodeId;
use sixproof_game::{Color, Square};

use super::facts::NodeProof;
use super::{Library, node_gone};
use crate::jobs::documents::{JobDocuments, JobNode};
use crate::jobs::wire::{JobResult, JobScope};
use crate::problem::ApiResult;
use crate::wire::{self, names};

impl JobDocuments for Library {
    fn title(&self, document: &str) -> ApiResult<String> {
        Library::title(self, document)
    }

    fn position(&self, document: &str, node: u32) -> ApiResult<JobNode> {
        self.with(document, |open| {
            let id = open.node(node)?;
            let position = open.document.reach(id).ok_or_else(node_gone)?.position;
            let content = open.document.node(id).ok_or_else(node_gone)?;
            let squares: Vec<Square> = content.stones.iter().map(|stone| stone.1).collect();
            Ok(JobNode {
                position,
                parent: open.document.parent(id).map(|parent| parent.0),
                last: content.stones.first().map(|stone| (stone.0, squares)),
            })
        })
    }

    fn nodes_of(&self, document: &str, node: u32, scope: JobScope) -> ApiResult<Vec<u32>> {
        self.with(document, |open| {
            let id = open.node(node)?;
            let tree = &open.document;
            let nodes: Vec<NodeId> = match scope {
                JobScope::Node => vec![id],
                JobScope::Line => tree.path(tree.main_line_end(id)),
                JobScope::Subtree => tree.below(id).collect(),
                JobScope::Document => tree.below(NodeId::ROOT).collect(),
            };
            Ok(nodes.into_iter().map(|node| node.0).collect())
        })
    }

    fn write_result(
        &self,
        document: &str,
        node: u32,
        result: &JobResult,
        certificate: Option<&[u8]>,
    ) -> ApiResult<()> {
        if let Some(certificate) = certificate {
            // Nothing is shown as proved that the checker has not verified here.
            self.proofs.take(certificate)?;
        }
        self.write(document, NodeId(node), result.clone())
    }

    fn play(&self, document: &str, node: u32, squares: &[Square]) -> ApiResult<u32> {
        let game = self.with(document, |open| Ok(open.game()))?;
        let edit = wire::Edit::Move { node, squares: names(game, squares) };
        Ok(self.edit(document, &edit)?.node)
    }

    fn certificate(&self, document: &str, node: u32) -> ApiResult<Option<(Color, Vec<u8>)>> {
        let own = self.with(document, |open| {
            let id = open.node(node)?;
            Ok(open.facts.proof_of(id).cloned())
        })?;
        let Some(NodeProof { winner, hash }) = own else { return Ok(None) };
        Ok(Some((winner, self.proofs.certificate(&hash)?)))
    }
}
