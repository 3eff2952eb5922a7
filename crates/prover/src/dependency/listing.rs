//! The search tree as the papers print it: one line a node, with its depth, the type of threat, the
//! gain squares and the cost squares (Allis, tables 1 to 3).

use std::fmt;

use sixproof_game::{Game, Square};

/// What a node of the search tree is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ThreatKind {
    /// One stone completes a segment (p = 1).
    Five,
    /// k - 1 stones in a row with both ends open (p = 1).
    StraightFour,
    /// One stone short of a segment (p = 1).
    Four,
    /// One stone short of a straight four (p = 1).
    Three,
    /// Two independent nodes whose gain squares lie on one segment; no stone is played here.
    Combination,
    /// Stones that add this number of threats (p of 2 or more): an element of a threat dependency
    /// sequence.
    Threats(u32),
    /// A move that leaves more threats than Defender has stones (p of 2 or more).
    Overload(u32),
}

impl ThreatKind {
    /// Whether a sequence that ends here wins, unless Defender has a counter-attack.
    pub fn is_winning(self) -> bool {
        matches!(self, ThreatKind::Five | ThreatKind::StraightFour | ThreatKind::Overload(_))
    }
}

impl fmt::Display for ThreatKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ThreatKind::Five => f.write_str("Five"),
            ThreatKind::StraightFour => f.write_str("Straight Four"),
            ThreatKind::Four => f.write_str("Four"),
            ThreatKind::Three => f.write_str("Three"),
            ThreatKind::Combination => f.write_str("Combination"),
            ThreatKind::Threats(1) => f.write_str("1 threat"),
            ThreatKind::Threats(n) | ThreatKind::Overload(n) => write!(f, "{n} threats"),
        }
    }
}

/// A node of the search tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreatNode {
    /// What it is.
    pub kind: ThreatKind,
    /// Its depth in the tree, from 1.
    pub depth: u32,
    /// The node above it; in a combination the earlier one of the two.
    pub parent: Option<usize>,
    /// In a combination, the other node.
    pub partner: Option<usize>,
    /// The squares that Attacker plays; in a combination those of the other node.
    pub gain: Vec<Square>,
    /// The squares that Defender plays, all at once; in a combination those of the other node.
    pub cost: Vec<Square>,
}

/// The search tree: nodes in the order in which they were found, parents before children.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreatTree {
    /// The nodes.
    pub nodes: Vec<ThreatNode>,
}

impl ThreatTree {
    /// The children of a node, or the independent threats that begin the tree.
    pub fn children(&self, parent: Option<usize>) -> impl Iterator<Item = usize> + '_ {
        (0..self.nodes.len()).filter(move |&i| self.nodes[i].parent == parent)
    }

    /// The nodes, children directly behind their parent.
    pub fn preorder(&self) -> Vec<usize> {
        let mut children = vec![Vec::new(); self.nodes.len()];
        let mut stack = Vec::new();
        for (index, node) in self.nodes.iter().enumerate().rev() {
            match node.parent {
                Some(parent) => children[parent].push(index),
                None => stack.push(index),
            }
        }
        let mut order = Vec::with_capacity(self.nodes.len());
        while let Some(index) = stack.pop() {
            order.push(index);
            stack.append(&mut children[index]);
        }
        order
    }

    /// The tree as a table of depth, type of threat, gain squares and cost squares.
    pub fn table(&self, game: Game) -> String {
        let mut table = format!("{:<7}{:<16}{:<10}{}", "Depth", "Type", "Gain", "Cost");
        let names = |squares: &[Square]| {
            let names: Vec<String> = squares.iter().map(|&s| game.square_name(s)).collect();
            names.join(",")
        };
        for node in self.preorder().into_iter().map(|i| &self.nodes[i]) {
            let depth = format!("{:>width$}", node.depth, width = node.depth.min(6) as usize);
            let (kind, gain) = (node.kind.to_string(), names(&node.gain));
            let line = format!("\n{depth:<7}{kind:<16}{gain:<10}{}", names(&node.cost));
            table.push_str(line.trim_end_matches(' '));
        }
        table.push('\n');
        table
    }
}
