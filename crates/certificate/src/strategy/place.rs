//! Where a node is: the way to it, and the position at it.

use std::collections::BTreeSet;

use sixproof_game::{Position, Segment, Square};

use crate::Side;
use crate::zone::segment;

use super::{NodeId, NodeKind, Strategy};

/// The place of a node: where it stands in the file. Where references lead to it, the line is one
/// of several to the same position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodePlace {
    /// From the root to the node, both included.
    pub path: Vec<NodeId>,
    /// The moves on the way.
    pub line: Vec<Turn>,
    /// The position, as the proof has it: with all stones of Defender's macros, and none for his
    /// null moves.
    pub position: Position,
}

/// One step of the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The side that moved.
    pub by: Side,
    /// The stones: empty in a null move, more than a move has in a macro.
    pub squares: Vec<Square>,
}

impl Strategy {
    /// The place of a node; `None` if there is no such node, or if its stones do not fit on the
    /// board (which no verified certificate has).
    pub fn place(&self, node: NodeId) -> Option<NodePlace> {
        if !self.has(node) {
            return None;
        }
        let path = self.path(node);
        let mut line = Vec::new();
        for pair in path.windows(2) {
            line.push(match self.kind(pair[0]) {
                NodeKind::Defence => {
                    let reply = self.replies(pair[0]).find(|reply| reply.node == pair[1])?;
                    Turn { by: Side::Defender, squares: reply.squares.to_vec() }
                }
                _ => Turn { by: Side::Attacker, squares: self.attack(pair[0]).to_vec() },
            });
        }
        let position = self.position_after(node, &line)?;
        Some(NodePlace { path, line, position })
    }

    /// The nodes from the root to a node, both included.
    pub(super) fn path(&self, node: NodeId) -> Vec<NodeId> {
        let mut path: Vec<NodeId> =
            std::iter::successors(Some(node), |&node| self.parent(node)).collect();
        path.reverse();
        path
    }

    fn position_after(&self, node: NodeId, line: &[Turn]) -> Option<Position> {
        let start = &self.claim.position;
        if line.is_empty() {
            return Some(start.clone());
        }
        let attacker = self.claim.attacker;
        let mut stones =
            [attacker, !attacker].map(|color| start.squares_of(color).collect::<Vec<Square>>());
        for turn in line {
            stones[usize::from(turn.by == Side::Defender)].extend(&turn.squares);
        }
        let [own, other] = stones;
        let (black, white) = match attacker {
            sixproof_game::Color::Black => (own, other),
            sixproof_game::Color::White => (other, own),
        };
        let to_move = if self.kind(node) == NodeKind::Defence { !attacker } else { attacker };
        Position::set_up(start.game(), &black, &white, to_move, self.stones(node)).ok()
    }

    /// The threats of Attacker that a defence has to block: those that it names, or all. Each with
    /// its empty squares. `position` is that of its place.
    pub fn threats(&self, node: NodeId, position: &Position) -> Vec<(Segment, Vec<Square>)> {
        let game = position.game();
        let segments: BTreeSet<Segment> = match (self.kind(node), self.relies_on(node)) {
            (NodeKind::Attack | NodeKind::Win, _) => BTreeSet::new(),
            (NodeKind::Defence, Some(named)) => {
                named.iter().filter_map(|&[a, b]| segment(game.k(), a, b)).collect()
            }
            (NodeKind::Defence, None) if game.k() > game.p() => {
                position.threats(self.claim.attacker)
            }
            (NodeKind::Defence, None) => all_threats(position, self.claim.attacker),
        };
        let empties = |segment: &Segment| {
            segment.squares(game).filter(|&square| position.at(square).is_none()).collect()
        };
        segments.into_iter().map(|segment| (segment, empties(&segment))).collect()
    }
}

/// The threats where a move fills a whole segment, so that one without a stone is a threat, too. On
/// an unbounded board their number is infinite: those near the stones are more than a move can
/// block.
fn all_threats(position: &Position, attacker: sixproof_game::Color) -> BTreeSet<Segment> {
    let game = position.game();
    let squares: Vec<Square> = match game.is_unbounded() {
        false => game.squares().collect(),
        true => {
            let reach = (game.k() * (game.p() + 2)) as i32;
            let centre = position.stones().next().map_or(Square::new(0, 0), |(square, _)| square);
            let rows = -reach..=reach;
            let offsets = rows.clone().flat_map(|y| rows.clone().map(move |x| (x, y)));
            offsets.map(|(x, y)| Square::new(centre.x + x, centre.y + y)).collect()
        }
    };
    let own = |square: Square| position.at(square) == Some(attacker);
    squares
        .into_iter()
        .flat_map(|square| Segment::through(game, square))
        .filter(|g| g.squares(game).all(|s| position.at(s) != Some(!attacker)))
        .filter(|g| !game.exact() || !g.beyond(game).into_iter().any(own))
        .filter(|g| {
            g.squares(game).filter(|&s| position.at(s).is_none()).count() as u32 <= game.p()
        })
        .collect()
}
