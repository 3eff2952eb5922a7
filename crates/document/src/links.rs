//! Links: other nodes with the same position, or one that is the same up to symmetry. Links are
//! only listed; nodes are never merged.

use std::collections::BTreeMap;

use sixproof_game::{Color, Game, Square, Symmetry};

use crate::document::Document;
use crate::tree::NodeId;

/// The most candidates that one query compares: a list of thousands of nodes with the same position
/// is of no use to a reader.
const COMPARED_MAX: usize = 1_000;

/// The kinds of equality of two positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LinkKind {
    /// The same stones, side to move and stones left.
    Same,
    /// The same when turned or mirrored; on an unbounded board also when shifted.
    Symmetric,
}

/// Another node with the same position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The node.
    pub node: NodeId,
    /// The kind of equality.
    pub kind: LinkKind,
}

type Stones = Vec<(Square, Color)>;

impl Document {
    /// Other nodes with the position of a node: the same ones first, then the symmetric ones, each
    /// by their numbers; at most `max`, and whether there are more (or too many to look at).
    pub fn links(&mut self, id: NodeId, max: usize) -> (Vec<Link>, bool) {
        if !self.contains(id) {
            return (Vec::new(), false);
        }
        let candidates: Vec<NodeId> = {
            let rows = self.survey().candidates(id).iter().map(|row| row.1);
            rows.filter(|&other| other != id).take(COMPARED_MAX + 1).collect()
        };
        let mut more = candidates.len() > COMPARED_MAX;
        let mut links = Vec::new();
        if !candidates.is_empty() {
            let stones = self.stones_at(id);
            for &node in candidates.iter().take(COMPARED_MAX) {
                links.extend(self.compare(id, &stones, node).map(|kind| Link { node, kind }));
            }
        }
        links.sort_by_key(|link| (link.kind, link.node));
        more |= links.len() > max;
        links.truncate(max);
        (links, more)
    }

    /// Whether another node has the position of this one, up to symmetry.
    pub fn is_linked(&mut self, id: NodeId) -> bool {
        if !self.contains(id) {
            return false;
        }
        let survey = self.survey();
        if let Some(known) = survey.linked[id.index()] {
            return known;
        }
        let others = survey.candidates(id).iter().map(|row| row.1).filter(|&other| other != id);
        let candidates: Vec<NodeId> = others.take(COMPARED_MAX).collect();
        let linked = !candidates.is_empty() && {
            let stones = self.stones_at(id);
            candidates.into_iter().any(|other| self.compare(id, &stones, other).is_some())
        };
        if let Some(survey) = &mut self.survey {
            survey.linked[id.index()] = Some(linked);
        }
        linked
    }

    /// The equality of another node's position and that of `id`, which has these stones.
    fn compare(&mut self, id: NodeId, stones: &Stones, other: NodeId) -> Option<LinkKind> {
        let survey = self.survey();
        if survey.to_place(id) != survey.to_place(other) {
            return None;
        }
        alike(self.game, stones, &self.stones_at(other))
    }

    /// The stones at a node, row by row.
    pub(crate) fn stones_at(&self, id: NodeId) -> Stones {
        let mut stones = BTreeMap::new();
        for id in self.tree.path(id) {
            let node = self.tree.node(id);
            for &(square, content) in &node.setup {
                match content {
                    Some(color) => stones.insert(square, color),
                    None => stones.remove(&square),
                };
            }
            stones.extend(node.stones.iter().map(|&(color, square)| (square, color)));
        }
        stones.into_iter().collect()
    }
}

/// The equality of two lists of stones, both in order.
pub(crate) fn alike(game: Game, one: &Stones, other: &Stones) -> Option<LinkKind> {
    if one.len() != other.len() {
        return None;
    }
    if one == other {
        return Some(LinkKind::Same);
    }
    let other = anchored(game, other.clone());
    let image = |symmetry: &Symmetry| {
        let map = |&(square, color): &(Square, Color)| (symmetry.apply(square), color);
        let mut stones: Stones = one.iter().map(map).collect();
        stones.sort_by_key(|stone| stone.0);
        anchored(game, stones)
    };
    Symmetry::all(game).iter().any(|s| image(s) == other).then_some(LinkKind::Symmetric)
}

/// On an unbounded board, the stones shifted so that the box around them begins at (0, 0).
fn anchored(game: Game, mut stones: Stones) -> Stones {
    if game.is_unbounded() {
        let x = stones.iter().map(|stone| stone.0.x).min().unwrap_or(0);
        let y = stones.iter().map(|stone| stone.0.y).min().unwrap_or(0);
        for (square, _) in &mut stones {
            // Saturated squares are further apart than any that a document has.
            *square = Square::new(square.x.saturating_sub(x), square.y.saturating_sub(y));
        }
    }
    stones
}
