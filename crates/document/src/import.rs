//! From records to documents: the stones of a move come together in one node.
//!
//! Records have nodes as files have them: one stone each, or several, or several moves. In a
//! document
//!
//! - a node is a move, complete or not, or a set-up, or a pass (a node that only says who is to
//!   move), or nothing but words; the root has no stones;
//! - moves that share their first stones are siblings, each with all its stones (what is said at a
//!   shared stone stays with the first of them);
//! - sides take turns: where a file lets one side move twice, there is a pass between;
//! - all stones are legal: a stone that is not, such as one after the end of the game, is kept as a
//!   stone set up.
//!
//! What was changed is told. Nothing is lost but stones off the board, and that is told, too.

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

/// What is to be done: a node of the record, or several below a move that they do not go on with.
enum What {
    Node(usize),
    Below(Vec<usize>),
}

struct Item {
    what: What,
    /// The node of the document to hang it on.
    parent: NodeId,
    /// A move that is under way, not yet in the document; its stones are on the board.
    begun: Option<Box<Node>>,
    /// How many steps of the walk lead there.
    depth: usize,
}

/// Adds the tree of a record to a document.
pub(crate) struct Import<'a> {
    pub(crate) record: &'a Record,
    pub(crate) tree: &'a mut Tree,
    /// At the node to hang the tree on.
    pub(crate) walk: Walk,
    pub(crate) notes: Notes,
}

/// Where one node of the record goes.
struct Place {
    at: NodeId,
    begun: Option<Box<Node>>,
    /// The last node of the document that has something of it.
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
        let place = Place { at: NodeId::ROOT, begun: None, last: Some(NodeId::ROOT) };
        self.run(root, place);
    }

    /// The whole record below a node, whose stones are given. The set-up of its root is left out if
    /// it is what is there already.
    pub(crate) fn below(&mut self, parent: NodeId, stones: impl Iterator<Item = Square>) {
        let root = self.record.node(0);
        let mut place = Place { at: parent, begun: None, last: None };
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
                    self.emit(&mut place, node);
                }
                Err(error) => self.notes.add(|| Note::SetupLeftOut(error)),
            }
        } else if let Some(player) = root.player
            && player != self.walk.state().to_move
        {
            self.pass(&mut place, player);
        }
        if root.stones.is_empty() && !speaks(root) {
            let (at, depth) = (place.at, self.walk.depth());
            let items = root.children().iter().rev();
            let todo =
                items.map(|&id| Item { what: What::Node(id), parent: at, begun: None, depth });
            let todo = todo.collect();
            self.work(todo);
        } else {
            self.run(root, place);
        }
    }

    /// The rest of the root behind its set-up, and all below.
    fn run(&mut self, root: &Node, mut place: Place) {
        let mut todo = Vec::new();
        self.moves(0, root, &mut place);
        self.children(root, place, &mut todo);
        self.work(todo);
    }

    fn work(&mut self, mut todo: Vec<Item>) {
        while let Some(Item { what, parent, begun, depth }) = todo.pop() {
            self.walk.back_to(depth);
            let mut place = Place { at: parent, begun, last: None };
            match what {
                What::Node(id) => {
                    let node = self.record.node(id);
                    self.node(id, node, &mut place);
                    self.children(node, place, &mut todo);
                }
                What::Below(ids) => {
                    self.flush(&mut place);
                    let parent = place.at;
                    let item = |id| Item { what: What::Node(id), parent, begun: None, depth };
                    todo.extend(ids.into_iter().rev().map(item));
                }
            }
        }
    }

    fn node(&mut self, id: usize, node: &Node, place: &mut Place) {
        let piece = self.set_up_of(id);
        if piece.sets_up() {
            self.flush(place);
            self.walk.node(&piece);
            self.emit(place, piece);
        }
        self.moves(id, node, place);
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
    fn moves(&mut self, id: usize, node: &Node, place: &mut Place) {
        for &(color, square) in &node.stones {
            self.stone(id, color, square, place);
        }
        match (&mut place.begun, place.last) {
            (Some(begun), _) => absorb(begun, node),
            (None, Some(last)) => absorb(self.tree.node_mut(last), node),
            (None, None) => {
                let mut silent = Node::default();
                absorb(&mut silent, node);
                self.walk.step();
                self.emit(place, silent);
            }
        }
    }

    fn stone(&mut self, id: usize, color: Color, square: Square, place: &mut Place) {
        let game = self.record.game;
        let name = || game.square_name(square);
        if !on_board(game, square) {
            self.note(id, |at| Note::OffBoard { at, squares: vec![name()] });
            return;
        }
        let depth = self.walk.depth();
        if let Some(begun) = &mut place.begun
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
        self.flush(place);
        let state = self.walk.state();
        if state.winner.is_none() && state.to_move != color && self.walk.at(square).is_none() {
            self.note(id, |at| Note::OutOfTurn { at, color, square: name() });
            self.pass(place, color);
        }
        let depth = self.walk.depth();
        self.walk.step();
        match self.walk.stone(color, square) {
            Ok(()) => {
                let mut begun = Node::default();
                begun.stones.push((color, square));
                place.begun = Some(Box::new(begun));
            }
            Err(reason) => {
                self.walk.back_to(depth);
                self.note(id, |at| Note::SetUp { at, square: name(), reason });
                let mut piece = Node::default();
                piece.setup.push((square, Some(color)));
                self.walk.node(&piece);
                self.emit(place, piece);
            }
        }
    }

    /// A pass, after which `player` is to move.
    fn pass(&mut self, place: &mut Place, player: Color) {
        let mut piece = Node::default();
        piece.player = Some(player);
        if self.walk.is_set_up() {
            // After a set-up the stone counts would say how many stones are left.
            piece.left = Some(self.walk.left_after_pass(player));
        }
        self.walk.node(&piece);
        self.emit(place, piece);
    }

    fn children(&mut self, node: &Node, mut place: Place, todo: &mut Vec<Item>) {
        let mover = place.begun.as_ref().and_then(|begun| Some(begun.stones.first()?.0));
        let mover = mover.filter(|&color| self.walk.goes_on(color));
        let record = self.record;
        let goes_on = |&id: &usize| {
            let child = record.node(id);
            let color = child.stones.first().map(|stone| stone.0);
            mover.is_some() && !sets_up(record.game, child) && (color.is_none() || color == mover)
        };
        let children = node.children();
        if !children.iter().any(goes_on) {
            self.flush(&mut place);
        }
        let (parent, depth) = (place.at, self.walk.depth());
        let Some(mut begun) = place.begun else {
            let item = |&id| Item { what: What::Node(id), parent, begun: None, depth };
            todo.extend(children.iter().rev().map(item));
            return;
        };
        // Each child that goes on with the move gets it for itself; all others share it.
        let first = todo.len();
        let mut others: Option<usize> = None;
        for &id in children {
            let what = match others {
                _ if goes_on(&id) => What::Node(id),
                None => {
                    others = Some(todo.len());
                    What::Below(vec![id])
                }
                Some(at) => {
                    if let What::Below(ids) = &mut todo[at].what {
                        ids.push(id);
                    }
                    continue;
                }
            };
            let mut bare = Node::default();
            bare.stones.clone_from(&begun.stones);
            let own = std::mem::replace(&mut begun, Box::new(bare));
            todo.push(Item { what, parent, begun: Some(own), depth });
        }
        todo[first..].reverse();
    }

    /// Ends the move that is under way.
    fn flush(&mut self, place: &mut Place) {
        if let Some(begun) = place.begun.take() {
            self.emit(place, *begun);
        }
    }

    fn emit(&mut self, place: &mut Place, node: Node) {
        place.at = self.tree.add(place.at, node);
        place.last = Some(place.at);
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

/// Whether some move of the game may have so many stones left.
fn can_be_left(game: Game, left: u32) -> bool {
    (1..=game.p().max(game.q())).contains(&left)
}

fn has_doubles(setup: &[(Square, Option<Color>)]) -> bool {
    let mut squares: Vec<Square> = setup.iter().map(|s| s.0).collect();
    squares.sort();
    squares.windows(2).any(|two| two[0] == two[1])
}
