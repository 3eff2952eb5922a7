//! Finding nodes: by words, by the number of the move, by a square, by the position.

use sixproof_game::Square;

use crate::document::Document;
use crate::links::LinkKind;
use crate::tree::NodeId;

/// The conditions for nodes to find; a node fits if all that are given hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FindQuery {
    /// Words in the name, the comment or a label; large and small letters are the same.
    pub text: Option<String>,
    /// The number of the move: nodes that have the stones of that move.
    pub turn: Option<u32>,
    /// A square that the move of the node has a stone on.
    pub square: Option<Square>,
    /// The same position as at this node, which is found, too.
    pub position: Option<NodeId>,
}

impl Document {
    /// The nodes that fit, parents first, the main line before the others; at most `max`, and
    /// whether there are more. `fits` is called for those that fit otherwise.
    pub fn find(
        &mut self,
        query: &FindQuery,
        max: usize,
        mut fits: impl FnMut(NodeId) -> bool,
    ) -> (Vec<NodeId>, bool) {
        let words = query.text.as_deref().map(str::to_lowercase);
        let alike: Option<Vec<NodeId>> = query.position.map(|id| {
            let (links, _) = self.links(id, usize::MAX);
            let same = links.into_iter().filter(|link| link.kind == LinkKind::Same);
            let mut alike: Vec<NodeId> = same.map(|link| link.node).collect();
            alike.extend(self.contains(id).then_some(id));
            alike.sort();
            alike
        });
        self.survey();
        let mut found = Vec::new();
        let Some(survey) = &self.survey else { return (found, false) };
        for &id in survey.order() {
            let node = self.tree.node(id);
            let is_move = !node.stones.is_empty();
            let here = alike.as_ref().is_none_or(|alike| alike.binary_search(&id).is_ok())
                && query.turn.is_none_or(|turn| is_move && survey.turn(id) == turn)
                && query.square.is_none_or(|square| node.stones.iter().any(|s| s.1 == square))
                && words.as_ref().is_none_or(|words| {
                    let has = |text: &str| text.to_lowercase().contains(words.as_str());
                    has(&node.name)
                        || has(&node.comment)
                        || node.labels.iter().any(|(_, text)| has(text))
                })
                && fits(id);
            if here {
                if found.len() == max {
                    return (found, true);
                }
                found.push(id);
            }
        }
        (found, false)
    }
}
