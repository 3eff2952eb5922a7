//! What jobs see of the documents.

use sixproof_document::NodeId;
use sixproof_game::{Color, Square};

use super::Library;
use crate::serve::jobs::desk::{Desk, Reached, Refused, RefusedKind};
use crate::serve::jobs::wire::{JobResult, JobScope};
use crate::serve::problem::Problem;
use crate::serve::wire::{self, names};

impl From<Problem> for Refused {
    fn from(problem: Problem) -> Refused {
        let kind = match problem.status {
            404 => RefusedKind::Missing,
            409 => RefusedKind::NotNow,
            _ => RefusedKind::Wrong,
        };
        Refused { kind, title: problem.title, help: problem.help }
    }
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Problem {
        let status = refused.kind.status();
        Problem { status, title: refused.title, help: refused.help, place: None }
    }
}

impl Desk for Library {
    fn title(&self, document: &str) -> Result<String, Refused> {
        Ok(Library::title(self, document)?)
    }

    fn position(&self, document: &str, node: u32) -> Result<Reached, Refused> {
        Ok(self.with(document, |open| {
            let id = open.node(node)?;
            let gone = || Problem::missing("the node is gone");
            let position = open.document.reach(id).ok_or_else(gone)?.position;
            let content = open.document.node(id).ok_or_else(gone)?;
            let squares: Vec<Square> = content.stones.iter().map(|stone| stone.1).collect();
            Ok(Reached {
                position,
                parent: open.document.parent(id).map(|parent| parent.0),
                last: content.stones.first().map(|stone| (stone.0, squares)),
            })
        })?)
    }

    fn nodes_of(&self, document: &str, node: u32, scope: JobScope) -> Result<Vec<u32>, Refused> {
        Ok(self.with(document, |open| {
            let id = open.node(node)?;
            let tree = &open.document;
            let nodes: Vec<NodeId> = match scope {
                JobScope::Node => vec![id],
                JobScope::Line => tree.path(tree.main_line_end(id)),
                JobScope::Subtree => tree.below(id).collect(),
                JobScope::Document => tree.below(NodeId::ROOT).collect(),
            };
            Ok(nodes.into_iter().map(|node| node.0).collect())
        })?)
    }

    fn write_result(
        &self,
        document: &str,
        node: u32,
        result: &JobResult,
        certificate: Option<&[u8]>,
    ) -> Result<(), Refused> {
        if let Some(certificate) = certificate {
            // Checked once more on the way in: nothing is shown as proved that was not.
            self.proofs.take(certificate)?;
        }
        Ok(self.write(document, NodeId(node), result.clone())?)
    }

    fn play(&self, document: &str, node: u32, squares: &[Square]) -> Result<u32, Refused> {
        let game = self.with(document, |open| Ok(open.game()))?;
        let edit = wire::Edit::Move { node, squares: names(game, squares.iter().copied()) };
        Ok(self.edit(document, &edit)?.node)
    }

    fn certificate(&self, document: &str, node: u32) -> Result<Option<(Color, Vec<u8>)>, Refused> {
        let own = self.with(document, |open| {
            let id = open.node(node)?;
            Ok(open.facts.proof_of(id).cloned())
        })?;
        let Some((winner, hash)) = own else { return Ok(None) };
        Ok(Some((winner, self.proofs.certificate(&hash)?)))
    }
}
