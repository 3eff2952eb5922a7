//! The tree pane: the tree as rows. The main line goes straight down; the side variations of a node
//! stand below it, each indented once more, and then the main line goes on.
//!
//! A node with side variations can be folded. By default those are shown that are not nested too
//! deeply and do not push the main line too far away; the reader toggles nodes.

use sixproof_game::{Color, Square};

use crate::document::Document;
use crate::tree::{NodeId, Tree};

/// Side variations that would be indented more than this are folded at first.
const INDENT_SHOWN: u32 = 3;
/// Side variations with more nodes than this, together, are folded at first.
const SIDE_SHOWN: usize = 500;
/// The most characters of the text of a row.
const TEXT_CHARS: usize = 80;

/// A request for rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowsQuery {
    /// The first row.
    pub from: usize,
    /// The number of rows.
    pub count: usize,
    /// Nodes that are folded otherwise than by default.
    pub toggled: Vec<NodeId>,
    /// The node that must be visible: what is folded above it is opened.
    pub at: Option<NodeId>,
}

/// Rows of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    /// The revision of the document.
    pub revision: u64,
    /// The number of all rows.
    pub total: usize,
    /// The row of the requested node.
    pub at: Option<usize>,
    /// The requested rows.
    pub rows: Vec<Row>,
}

/// One row: one node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The node.
    pub node: NodeId,
    /// The level of indentation.
    pub indent: u32,
    /// The number of its move.
    pub turn: u32,
    /// The side of its stones.
    pub color: Option<Color>,
    /// Its stones.
    pub stones: Vec<Square>,
    /// Its name, or the beginning of its comment.
    pub text: String,
    /// The number of its side variations, hidden or shown.
    pub branches: usize,
    /// Whether they are hidden.
    pub folded: bool,
    /// Whether other nodes have the same position, up to symmetry.
    pub linked: bool,
}

/// All rows for one choice of what is folded.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    toggled: Vec<NodeId>,
    /// The nodes that are open because the requested node is below them.
    opened: Vec<NodeId>,
    rows: Vec<Line>,
    /// The row of each node, by its number.
    places: Vec<Option<u32>>,
}

#[derive(Clone, Copy, Debug)]
struct Line {
    node: NodeId,
    indent: u32,
    folded: bool,
}

impl Document {
    /// A part of the rows. The first request after a change lays all rows out; later requests cost
    /// no more than the rows that they ask for.
    pub fn rows(&mut self, query: &RowsQuery) -> Rows {
        let at = query.at.filter(|&id| self.contains(id));
        let mut toggled = query.toggled.clone();
        toggled.sort();
        toggled.dedup();
        let opened = at.map_or_else(Vec::new, |at| branchings(&self.tree, at));
        let fits = |layout: &Layout| layout.toggled == toggled && layout.opened == opened;
        if !self.layout.as_ref().is_some_and(fits) {
            self.survey();
            self.layout = Some(self.lay_out(toggled, opened));
        }
        let (total, place, lines) = match &self.layout {
            Some(layout) => {
                let from = query.from.min(layout.rows.len());
                let to = from.saturating_add(query.count).min(layout.rows.len());
                let place = at.and_then(|at| layout.places[at.index()]).map(|row| row as usize);
                (layout.rows.len(), place, layout.rows[from..to].to_vec())
            }
            None => (0, None, Vec::new()),
        };
        let rows = lines.into_iter().map(|line| self.row(line)).collect();
        Rows { revision: self.revision, total, at: place, rows }
    }

    fn row(&mut self, line: Line) -> Row {
        let linked = self.is_linked(line.node);
        let turn = self.survey().turn(line.node);
        let slot = self.tree.slot(line.node);
        let node = &slot.node;
        let text = if node.name.is_empty() { &node.comment } else { &node.name };
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        Row {
            node: line.node,
            indent: line.indent,
            turn,
            color: node.stones.first().map(|stone| stone.0),
            stones: node.stones.iter().map(|stone| stone.1).collect(),
            text: lines.next().unwrap_or_default().chars().take(TEXT_CHARS).collect(),
            branches: slot.children.len().saturating_sub(1),
            folded: line.folded,
            linked,
        }
    }

    fn lay_out(&mut self, toggled: Vec<NodeId>, opened: Vec<NodeId>) -> Layout {
        let mut rows = Vec::new();
        let mut places = vec![None; self.tree.numbers()];
        let mut todo = vec![(NodeId::ROOT, 0)];
        while let Some((node, indent)) = todo.pop() {
            let children = &self.tree.slot(node).children;
            let mut folded = false;
            if let [main, side @ ..] = &children[..]
                && !side.is_empty()
            {
                let survey = self.survey.as_ref().expect("made before the layout");
                let more = survey.size(node) - 1 - survey.size(*main);
                let usual = indent + 1 > INDENT_SHOWN || more > SIDE_SHOWN;
                let toggled = toggled.binary_search(&node).is_ok();
                folded = usual != toggled && opened.binary_search(&node).is_err();
            }
            // Documents have fewer nodes than 2^32.
            places[node.index()] = Some(rows.len() as u32);
            rows.push(Line { node, indent, folded });
            todo.extend(children.first().map(|&main| (main, indent)));
            if !folded {
                let side = children.iter().skip(1).rev();
                todo.extend(side.map(|&child| (child, indent + 1)));
            }
        }
        Layout { toggled, opened, rows, places }
    }
}

/// The nodes above a node whose side variations it is in, by their numbers.
fn branchings(tree: &Tree, id: NodeId) -> Vec<NodeId> {
    let mut nodes = Vec::new();
    let mut at = id;
    while let Some(parent) = tree.slot(at).parent {
        if tree.slot(parent).children.first() != Some(&at) {
            nodes.push(parent);
        }
        at = parent;
    }
    nodes.sort();
    nodes
}
