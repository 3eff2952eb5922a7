//! The document: a tree of moves with its facts, its edits and what is derived from them.

use sixproof_game::{Color, Game, Node, Reached, Record, Replay, Square, moves};

use crate::edit::EditError;
use crate::history::History;
use crate::import::Import;
use crate::note::{Note, Notes};
use crate::rows::Layout;
use crate::survey::Survey;
use crate::tree::{NodeId, Tree};
use crate::walk::Walk;

/// The most numbers that the nodes of a document may have, those of deleted nodes included.
pub const NODES_MAX: usize = 8_000_000;

/// The key of the fact that is the title: SGF's name of the game.
pub(crate) const TITLE: &str = "GN";

/// A game tree that is edited.
///
/// A node is a whole move, a set-up, a pass, or a node with words only; see
/// [`from_record`](Document::from_record). Every change is an [`Edit`](crate::Edit), except for the
/// results of programs.
#[derive(Clone, Debug)]
pub struct Document {
    pub(crate) game: Game,
    pub(crate) info: Vec<(String, String)>,
    pub(crate) tree: Tree,
    pub(crate) revision: u64,
    pub(crate) history: History,
    /// Derived from the shape of the tree and its stones, when it is first needed.
    pub(crate) survey: Option<Box<Survey>>,
    pub(crate) layout: Option<Layout>,
}

/// A document made from a record.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The document.
    pub document: Document,
    /// The differences from the record.
    pub notes: Vec<Note>,
}

/// One of the next moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Child {
    /// The node.
    pub id: NodeId,
    /// Its stones; none for a pass or a set-up.
    pub stones: Vec<Square>,
    /// The side of the stones.
    pub color: Option<Color>,
    /// Nodes below it, itself included.
    pub size: usize,
    /// One or two characters for the board: the label that stands on its square, or a, b, c ...
    pub label: String,
}

/// The place of a node among its siblings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sibling {
    /// Its index, from 0.
    pub index: usize,
    /// The number of siblings, itself included.
    pub count: usize,
}

impl Document {
    /// An empty document: the empty board.
    pub fn new(game: Game) -> Document {
        Document {
            game,
            info: Vec::new(),
            tree: Tree::new(),
            revision: 0,
            history: History::default(),
            survey: None,
            layout: None,
        }
    }

    /// The document of a record. The stones of a move come together in one node, moves that share a
    /// stone become siblings, passes become nodes, and stones that the rules do not allow are kept
    /// as set up; the notes list the changes. Nodes are numbered from 0 in an order that depends on
    /// the record alone.
    pub fn from_record(record: &Record) -> Imported {
        let mut document = Document::new(record.game);
        document.info.clone_from(&record.info);
        let mut import = Import {
            record,
            tree: &mut document.tree,
            walk: Walk::new(record.game),
            notes: Notes::default(),
        };
        import.rules();
        import.document();
        let notes = import.notes.finish();
        Imported { document, notes }
    }

    /// The record of the whole document. Law: made into a document again, it is the same but for
    /// the numbers of its nodes.
    pub fn to_record(&self) -> Record {
        let mut record = Record::new(self.game);
        record.info.clone_from(&self.info);
        record.set(0, self.tree.node(NodeId::ROOT).clone());
        self.copy_below(NodeId::ROOT, &mut record);
        record
    }

    /// The record of a node and all below it as moves, to paste it elsewhere: the root has the side
    /// to move, and no position.
    pub fn subtree_record(&self, id: NodeId) -> Option<Record> {
        if !self.contains(id) {
            return None;
        }
        let mut record = Record::new(self.game);
        let Some(parent) = self.parent(id) else {
            record.set(0, self.tree.node(id).clone());
            self.copy_below(id, &mut record);
            return Some(record);
        };
        record.node_mut(0).player = Some(self.walk_to(parent).state().to_move);
        let top = record.add(0, self.tree.node(id).clone());
        self.copy_onto(id, top, &mut record);
        Some(record)
    }

    fn copy_below(&self, id: NodeId, record: &mut Record) {
        self.copy_onto(id, 0, record);
    }

    /// Adds all below a node to a node of a record.
    fn copy_onto(&self, id: NodeId, top: sixproof_game::NodeId, record: &mut Record) {
        let children = |id: NodeId| self.tree.slot(id).children.iter().rev();
        let mut todo: Vec<(NodeId, usize)> = children(id).map(|&child| (child, top)).collect();
        while let Some((id, parent)) = todo.pop() {
            let new = record.add(parent, self.tree.node(id).clone());
            todo.extend(children(id).map(|&child| (child, new)));
        }
    }

    /// The game.
    pub fn game(&self) -> Game {
        self.game
    }

    /// The title, empty if it has none: the fact `GN`.
    pub fn title(&self) -> &str {
        self.info.iter().find(|(key, _)| key == TITLE).map_or("", |(_, text)| text)
    }

    /// Facts about the game, by SGF's keys, in their order.
    pub fn info(&self) -> &[(String, String)] {
        &self.info
    }

    /// Grows with every change, undo and redo included.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The number of nodes of the tree. It always has a root.
    #[expect(clippy::len_without_is_empty, reason = "it is never empty")]
    pub fn len(&self) -> usize {
        self.tree.count()
    }

    /// The count of numbers given so far, which is the number of the next node.
    pub fn numbers(&self) -> usize {
        self.tree.numbers()
    }

    /// Leaves numbers out: the next node has this one, unless it was given already. So the nodes of
    /// a log keep their numbers when some edits of the log can no longer be made.
    pub fn skip_to(&mut self, number: usize) -> Result<(), EditError> {
        if number > NODES_MAX {
            return Err(EditError::TooLarge);
        }
        self.tree.skip_to(number);
        Ok(())
    }

    /// Whether the tree has this node; a deleted node is not in it.
    pub fn contains(&self, id: NodeId) -> bool {
        self.tree.contains(id)
    }

    /// The content of a node. The document, not the content, knows its place in the tree.
    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.contains(id).then(|| self.tree.node(id))
    }

    /// The parent; `None` for the root, and for nodes that are not in the tree.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        if self.contains(id) { self.tree.slot(id).parent } else { None }
    }

    /// The children, the main line first.
    pub fn children(&self, id: NodeId) -> &[NodeId] {
        if self.contains(id) { &self.tree.slot(id).children } else { &[] }
    }

    /// The next moves with their sizes and their labels on the board.
    pub fn child_list(&mut self, id: NodeId) -> Vec<Child> {
        if !self.contains(id) {
            return Vec::new();
        }
        self.survey();
        let (Some(survey), slot) = (&self.survey, self.tree.slot(id)) else { return Vec::new() };
        let child = |(index, &id): (usize, &NodeId)| {
            let node = self.tree.node(id);
            let stones: Vec<Square> = node.stones.iter().map(|stone| stone.1).collect();
            let label = slot.node.labels.iter().find(|(square, _)| stones.contains(square));
            let short = label.map(|(_, text)| text.chars().take(2).collect::<String>());
            Child {
                id,
                color: node.stones.first().map(|stone| stone.0),
                size: survey.size(id),
                label: short.unwrap_or_else(|| letters(index)),
                stones,
            }
        };
        slot.children.iter().enumerate().map(child).collect()
    }

    /// The place of a node among its siblings.
    pub fn sibling(&self, id: NodeId) -> Option<Sibling> {
        if !self.contains(id) {
            return None;
        }
        let Some(parent) = self.parent(id) else { return Some(Sibling { index: 0, count: 1 }) };
        let siblings = self.children(parent);
        let index = siblings.iter().position(|&sibling| sibling == id)?;
        Some(Sibling { index, count: siblings.len() })
    }

    /// From the root to a node, both included; empty if it is not in the tree.
    pub fn path(&self, id: NodeId) -> Vec<NodeId> {
        if self.contains(id) { self.tree.path(id) } else { Vec::new() }
    }

    /// The last node of the main line below a node.
    pub fn main_line_end(&self, mut id: NodeId) -> NodeId {
        while let Some(&child) = self.children(id).first() {
            id = child;
        }
        id
    }

    /// A node and all below it, parents first, the main line before the others.
    pub fn below(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let there = self.contains(id);
        there.then(|| self.tree.below(id)).into_iter().flatten()
    }

    /// The number of nodes below a node, itself included.
    pub fn size(&mut self, id: NodeId) -> usize {
        if self.contains(id) { self.survey().size(id) } else { 0 }
    }

    /// The number of a node's move, 0 at the root; passes and words have that of the move before.
    pub fn turn(&self, id: NodeId) -> u32 {
        if self.contains(id) { self.walk_to(id).state().turn } else { 0 }
    }

    /// The position at a node, with the stones that were played and the numbers of their moves.
    /// The cost is that of the path to it.
    pub fn reach(&self, id: NodeId) -> Option<Reached> {
        if !self.contains(id) {
            return None;
        }
        let mut replay = Replay::new(self.game);
        for id in self.tree.path(id) {
            let legal = replay.node(self.tree.node(id));
            debug_assert!(legal.is_ok(), "documents have legal stones only: {legal:?}");
        }
        Some(replay.finish())
    }

    /// The moves from the root to a node: `J10 / I8 H9`. Passes are `pass`, and a set-up begins
    /// anew with `set-up`.
    pub fn moves_text(&self, id: NodeId) -> String {
        if !self.contains(id) {
            return String::new();
        }
        let mut parts: Vec<String> = Vec::new();
        for id in self.tree.path(id) {
            let node = self.tree.node(id);
            if !node.setup.is_empty() || node.left.is_some() {
                parts.clear();
                parts.push("set-up".to_string());
            } else if node.player.is_some() {
                parts.push("pass".to_string());
            }
            if !node.stones.is_empty() {
                let squares: Vec<Square> = node.stones.iter().map(|stone| stone.1).collect();
                parts.push(self.game.square_names(&squares));
            }
        }
        parts.join(" / ")
    }

    /// Reads the squares of a move such as `J10 K11`, for the side to move at a node. The stones
    /// are not played.
    pub fn read_move(
        &self,
        id: NodeId,
        text: &str,
    ) -> Option<Result<Vec<Square>, sixproof_game::InputError>> {
        let position = self.reach(id)?.position;
        Some(moves::read_stones(&position, text).map(|(squares, _)| squares))
    }

    /// Replaces the results of programs about the position of a node. This is not an edit: undo
    /// does not change them, and a deleted node comes back with them. Returns whether they differ
    /// from before.
    pub fn set_results(&mut self, id: NodeId, results: Vec<String>) -> bool {
        let is_known = id.index() < self.tree.numbers();
        if !is_known || self.tree.node(id).results == results {
            return false;
        }
        self.tree.node_mut(id).results = results;
        self.revision += 1;
        true
    }

    /// The rules at a node.
    pub(crate) fn walk_to(&self, id: NodeId) -> Walk {
        let mut walk = Walk::new(self.game);
        for id in self.tree.path(id) {
            walk.node(self.tree.node(id));
        }
        walk
    }

    /// Drops the survey and the layout, which follow from the shape of the tree and its stones.
    pub(crate) fn shape_changed(&mut self) {
        self.survey = None;
        self.layout = None;
    }

    pub(crate) fn survey(&mut self) -> &Survey {
        let (game, tree) = (self.game, &self.tree);
        self.survey.get_or_insert_with(|| Box::new(Survey::of(game, tree)))
    }
}

/// `a` … `z`, `aa` … for 0, 1, …
fn letters(index: usize) -> String {
    let mut letters = Vec::new();
    let mut rest = index + 1;
    while rest > 0 {
        letters.push(char::from(b'a' + ((rest - 1) % 26) as u8));
        rest = (rest - 1) / 26;
    }
    letters.iter().rev().collect()
}
