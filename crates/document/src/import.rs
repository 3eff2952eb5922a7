//! From records to documents: the stones of a move come together in one node.
//!
//! Records have nodes as files have them: one stone each, or several, or several moves. In a
//! document
//!
//! - a node is a move, complete or not, or a set-up, or a pass (a node with the side to move only),
//!   or has words only; the root has no stones;
//! - moves that share their first stones are siblings, each with all its stones (the words at a
//!   shared stone stay with the first of them);
//! - sides take turns: where a file lets one side move twice, there is a pass between;
//! - all stones are legal: a stone that is not, such as one after the end of the game, is kept as a
//!   stone set up.
//!
//! Notes list the changes. Only stones off the board are lost, and a note names them.

use sixproof_game::sgf::{line_feeds, one_line};
use sixproof_game::{Color, Game, Node, Record, Square};

use crate::note::{Note, Notes};
use crate::tree::{NodeId, Tree};
use crate::walk::{Walk, on_board, whole_position};

/// Adds the words and drawings of one node to another.
pub(crate) fn absorb(into: &mut Node, from: &Node) {
    let join = |text: &mut String, more: &str, between: &str| {
        if !text.is_empty() && !more.is_empty() {
            text.push_str(between);
        }
        text.push_str(more);
    };
    join(&mut into.name, &one_line(&from.name), " ");
    join(&mut into.comment, &line_feeds(&from.comment), "\n");
    into.labels.extend(from.labels.iter().map(|(square, text)| (*square, one_line(text))));
    into.marks.extend_from_slice(&from.marks);
    into.marks.sort_by_key(|&(_, kind)| kind);
    into.arrows.extend_from_slice(&from.arrows);
    into.dimmed.extend_from_slice(&from.dimmed);
    let results = from.results.iter().filter(|text| !text.is_empty());
    into.results.extend(results.map(|text| line_feeds(text)));
    into.add_unknown(from);
}

/// Whether a node has words or drawings.
fn speaks(node: &Node) -> bool {
    !(node.name.is_empty()
        && node.comment.is_empty()
        && node.labels.is_empty()
        && node.marks.is_empty()
        && node.arrows.is_empty()
        && node.dimmed.is_empty()
        && node.results.is_empty()
        && node.unknown().is_empty())
}

/// The kinds of tasks: a node of the record, or several below a move that they do not continue.
enum TaskKind {
    Node(usize),
    Below(Vec<usize>),
}

struct Task {
    kind: TaskKind,
    /// The node of the document to add it to.
    parent: NodeId,
    /// A move that is under way, not yet in the document; its stones are on the board.
    begun: Option<Box<Node>>,
    /// The number of steps of the walk that lead there.
    depth: usize,
}

/// Adds the tree of a record to a document.
pub(crate) struct Import<'a> {
    pub(crate) record: &'a Record,
    pub(crate) tree: &'a mut Tree,
    /// At the node to add the tree to.
    pub(crate) walk: Walk,
    pub(crate) notes: Notes,
}

/// The place in the document for a node of the record.
struct Cursor {
    at: NodeId,
    begun: Option<Box<Node>>,
    /// The last node of the document that has a part of it.
    last: Option<NodeId>,
}

impl Import<'_> {
    /// Notes that the record has other rules than its game.
    pub(crate) fn rules(&mut self) {
        let game = self.record.game;
        if let Some(rules) = self.record.other_rules() {
            self.notes.add(|| Note::RulesDiffer { rules: rules.to_string(), game });
        }
    }

    /// The whole record, its root being the root of the document.
    pub(crate) fn document(&mut self) {
        let root = self.record.node(0);
        let piece = self.set_up_of(0);
        self.walk.node(&piece);
        *self.tree.node_mut(NodeId::ROOT) = piece;
        let cursor = Cursor { at: NodeId::ROOT, begun: None, last: Some(NodeId::ROOT) };
        self.run(root, cursor);
    }

    /// The whole record below a node, whose stones are given. The set-up of its root is left out if
    /// it is what is there already.
    pub(crate) fn below(&mut self, parent: NodeId, stones: impl Iterator<Item = Square>) {
        let root = self.record.node(0);
        let mut cursor = Cursor { at: parent, begun: None, last: None };
        if !root.setup.is_empty() || root.left.is_some() {
            let mut alone = Walk::new(self.record.game);
            alone.set_up(&root.setup, root.player, root.left);
            let of = |color: Color| -> Vec<Square> {
                let mut squares: Vec<Square> = root.setup.iter().map(|s| s.0).collect();
                squares.retain(|&square| alone.at(square) == Some(color));
                squares.sort();
                squares.dedup();
                squares
            };
            let turn = (alone.state().to_move, alone.state().left);
            let (black, white) = (of(Color::Black), of(Color::White));
            let here = (self.walk.state().to_move, self.walk.state().left);
            match whole_position(&mut self.walk, &black, &white, turn, stones) {
                Ok(node) if node.setup.is_empty() && turn == here => {}
                Ok(node) => {
                    self.walk.node(&node);
                    self.emit(&mut cursor, node);
                }
                Err(error) => self.notes.add(|| Note::SetupLeftOut(error)),
            }
        } else if let Some(player) = root.player
            && player != self.walk.state().to_move
        {
            self.pass(&mut cursor, player);
        }
        if root.stones.is_empty() && !speaks(root) {
            let (at, depth) = (cursor.at, self.walk.depth());
            let items = root.children().iter().rev();
            let todo =
                items.map(|&id| Task { kind: TaskKind::Node(id), parent: at, begun: None, depth });
            let todo = todo.collect();
            self.work(todo);
        } else {
            self.run(root, cursor);
        }
    }

    /// The rest of the root behind its set-up, and all below.
    fn run(&mut self, root: &Node, mut cursor: Cursor) {
        let mut todo = Vec::new();
        self.moves(0, root, &mut cursor);
        self.children(root, cursor, &mut todo);
        self.work(todo);
    }

    fn work(&mut self, mut todo: Vec<Task>) {
        while let Some(Task { kind, parent, begun, depth }) = todo.pop() {
            self.walk.back_to(depth);
            let mut cursor = Cursor { at: parent, begun, last: None };
            match kind {
                TaskKind::Node(id) => {
                    let node = self.record.node(id);
                    self.node(id, node, &mut cursor);
                    self.children(node, cursor, &mut todo);
                }
                TaskKind::Below(ids) => {
                    self.flush(&mut cursor);
                    let parent = cursor.at;
                    let item = |id| Task { kind: TaskKind::Node(id), parent, begun: None, depth };
                    todo.extend(ids.into_iter().rev().map(item));
                }
            }
        }
    }

    fn node(&mut self, id: usize, node: &Node, cursor: &mut Cursor) {
        let piece = self.set_up_of(id);
        if piece.sets_up() {
            self.flush(cursor);
            self.walk.node(&piece);
            self.emit(cursor, piece);
        }
        self.moves(id, node, cursor);
    }

    /// The set-up of a node, as far as it makes sense.
    fn set_up_of(&mut self, id: usize) -> Node {
        let (node, game) = (self.record.node(id), self.record.game);
        let mut piece = Node::default();
        if !node.sets_up() {
            return piece;
        }
        piece.player = node.player;
        piece.left = node.left.filter(|&left| can_be_left(game, left));
        let (on, off): (Vec<_>, Vec<_>) =
            node.setup.iter().partition(|(square, _)| on_board(game, *square));
        if !off.is_empty() {
            let squares = off.iter().map(|(square, _)| game.square_name(*square)).collect();
            self.note(id, |at| Note::OffBoard { at, squares });
        }
        // In the order of files; of two that name one square, the later counts.
        for content in [Some(Color::Black), Some(Color::White), None] {
            piece.setup.extend(on.iter().filter(|(_, c)| *c == content).copied());
        }
        if has_doubles(&piece.setup) {
            let mut last: std::collections::HashMap<Square, Option<Color>> =
                on.iter().copied().collect();
            piece.setup.retain(|(square, content)| {
                let wanted = last.get(square) == Some(content);
                if wanted {
                    last.remove(square);
                }
                wanted
            });
        }
        piece
    }

    /// The stones and the words of a node.
    fn moves(&mut self, id: usize, node: &Node, cursor: &mut Cursor) {
        for &(color, square) in &node.stones {
            self.stone(id, color, square, cursor);
        }
        match (&mut cursor.begun, cursor.last) {
            (Some(begun), _) => absorb(begun, node),
            (None, Some(last)) => absorb(self.tree.node_mut(last), node),
            (None, None) => {
                let mut silent = Node::default();
                absorb(&mut silent, node);
                self.walk.step();
                self.emit(cursor, silent);
            }
        }
    }

    fn stone(&mut self, id: usize, color: Color, square: Square, cursor: &mut Cursor) {
        let game = self.record.game;
        let name = || game.square_name(square);
        if !on_board(game, square) {
            self.note(id, |at| Note::OffBoard { at, squares: vec![name()] });
            return;
        }
        let depth = self.walk.depth();
        if let Some(begun) = &mut cursor.begun
            && begun.stones.first().is_some_and(|stone| stone.0 == color)
            && self.walk.goes_on(color)
        {
            self.walk.step();
            if self.walk.stone(color, square).is_ok() {
                begun.stones.push((color, square));
                return;
            }
            self.walk.back_to(depth);
        }
        self.flush(cursor);
        let state = self.walk.state();
        if state.winner.is_none() && state.to_move != color && self.walk.at(square).is_none() {
            self.note(id, |at| Note::OutOfTurn { at, color, square: name() });
            self.pass(cursor, color);
        }
        let depth = self.walk.depth();
        self.walk.step();
        match self.walk.stone(color, square) {
            Ok(()) => {
                let mut begun = Node::default();
                begun.stones.push((color, square));
                cursor.begun = Some(Box::new(begun));
            }
            Err(reason) => {
                self.walk.back_to(depth);
                self.note(id, |at| Note::SetUp { at, square: name(), reason });
                let mut piece = Node::default();
                piece.setup.push((square, Some(color)));
                self.walk.node(&piece);
                self.emit(cursor, piece);
            }
        }
    }

    /// A pass, after which `player` is to move.
    fn pass(&mut self, cursor: &mut Cursor, player: Color) {
        let mut piece = Node::default();
        piece.player = Some(player);
        if self.walk.is_set_up() {
            // After a set-up the stone counts would say how many stones are left.
            piece.left = Some(self.walk.left_after_pass(player));
        }
        self.walk.node(&piece);
        self.emit(cursor, piece);
    }

    fn children(&mut self, node: &Node, mut cursor: Cursor, todo: &mut Vec<Task>) {
        let mover = cursor.begun.as_ref().and_then(|begun| Some(begun.stones.first()?.0));
        let mover = mover.filter(|&color| self.walk.goes_on(color));
        let record = self.record;
        let goes_on = |&id: &usize| {
            let child = record.node(id);
            let color = child.stones.first().map(|stone| stone.0);
            mover.is_some() && !sets_up(record.game, child) && (color.is_none() || color == mover)
        };
        let children = node.children();
        if !children.iter().any(goes_on) {
            self.flush(&mut cursor);
        }
        let (parent, depth) = (cursor.at, self.walk.depth());
        let Some(mut begun) = cursor.begun else {
            let item = |&id| Task { kind: TaskKind::Node(id), parent, begun: None, depth };
            todo.extend(children.iter().rev().map(item));
            return;
        };
        // Each child that goes on with the move gets it for itself; all others share it.
        let first = todo.len();
        let mut others: Option<usize> = None;
        for &id in children {
            let kind = match others {
                _ if goes_on(&id) => TaskKind::Node(id),
                None => {
                    others = Some(todo.len());
                    TaskKind::Below(vec![id])
                }
                Some(at) => {
                    if let TaskKind::Below(ids) = &mut todo[at].kind {
                        ids.push(id);
                    }
                    continue;
                }
            };
            let mut bare = Node::default();
            bare.stones.clone_from(&begun.stones);
            let own = std::mem::replace(&mut begun, Box::new(bare));
            todo.push(Task { kind, parent, begun: Some(own), depth });
        }
        todo[first..].reverse();
    }

    /// Ends the move that is under way.
    fn flush(&mut self, cursor: &mut Cursor) {
        if let Some(begun) = cursor.begun.take() {
            self.emit(cursor, *begun);
        }
    }

    fn emit(&mut self, cursor: &mut Cursor, node: Node) {
        cursor.at = self.tree.add(cursor.at, node);
        cursor.last = Some(cursor.at);
    }

    fn note(&mut self, id: usize, note: impl FnOnce(String) -> Note) {
        let record = self.record;
        self.notes.add(|| note(record.path_of(id)));
    }
}

/// Whether a node has a set-up that makes sense.
fn sets_up(game: Game, node: &Node) -> bool {
    node.player.is_some()
        || node.left.is_some_and(|left| can_be_left(game, left))
        || node.setup.iter().any(|&(square, _)| on_board(game, square))
}

/// Whether a move of the game may have this number of stones left.
fn can_be_left(game: Game, left: u32) -> bool {
    (1..=game.p().max(game.q())).contains(&left)
}

fn has_doubles(setup: &[(Square, Option<Color>)]) -> bool {
    let mut squares: Vec<Square> = setup.iter().map(|s| s.0).collect();
    squares.sort();
    squares.windows(2).any(|two| two[0] == two[1])
}
