//! The normal form of a record: one form for each content of a canonical file.

use std::collections::BTreeMap;

use super::dialect::{GAME_COMMENT, INFO_KEYS, can_be_left};
use super::text::{line_feeds, one_line};
use crate::record::Node;
use crate::{Color, Game, NodeId, Record, Square, rules};

/// The normal form of a record: the same game tree, with
///
/// - at most one stone per node, and no stone in the root or in a node with set-up or a player
///   (what a node says beside its stones goes to the node of its last stone, which completes the
///   move);
/// - variations that branch where a move starts: two moves that share their first stone each have a
///   node for it (what is said at a shared stone stays with the first of them);
/// - nodes in the order of the file, set-up in the order black, white, empty, marks by kind;
/// - `\n` for line breaks, none of them in names, labels and facts about the game, and only facts
///   that SGF has a property for ([`INFO_KEYS`]), after the rules of another game, if there are any
///   ([`Record::other_rules`]).
///
/// Law: `read(&from_record(r).write())` is `normal_form(r)` for every record with its stones on the
/// board and none on another.
pub fn normal_form(record: &Record) -> Record {
    let mut normal = Record::new(record.game);
    let rules = record
        .info
        .iter()
        .find(|(key, text)| key == rules::RULES && rules::are_kept(record.game, &one_line(text)));
    let facts = record
        .info
        .iter()
        .filter(|(key, text)| INFO_KEYS.contains(&key.as_str()) && !text.is_empty());
    normal.info = rules
        .into_iter()
        .chain(facts)
        .map(|(key, text)| {
            let text = if key == GAME_COMMENT { line_feeds(text) } else { one_line(text) };
            (key.clone(), text)
        })
        .collect();
    let root = Item { id: 0, parent: None, begun: Vec::new(), first: true };
    let mut todo = vec![root];
    while let Some(item) = todo.pop() {
        let children = record.node(item.id).children();
        let mut builder = Builder { normal: &mut normal, game: record.game, at: item };
        for piece in pieces(record.game, record.node(builder.at.id), builder.at.id == 0) {
            builder.piece(piece);
        }
        // A move that is under way is held back while a child may go on with it: each such child
        // gets the begun move for itself.
        let goes_on = |&id: &NodeId| builder.goes_on(record.node(id));
        if !children.iter().any(goes_on) {
            builder.flush();
        }
        let Item { parent, begun, first, .. } = builder.at;
        for (i, &id) in children.iter().enumerate().rev() {
            let mut begun = begun.clone();
            if i > 0 {
                begun.iter_mut().for_each(strip);
            }
            todo.push(Item { id, parent, begun, first });
        }
    }
    normal
}

/// A node to be done.
struct Item {
    /// The node in the old record.
    id: NodeId,
    /// The node in the new record that the next one follows.
    parent: Option<NodeId>,
    /// The nodes of a move that is under way, not yet in the new record.
    begun: Vec<Node>,
    /// Whether no move has ended and nothing was set up so far: this move has q stones, not p.
    first: bool,
}

struct Builder<'a> {
    normal: &'a mut Record,
    game: Game,
    at: Item,
}

impl Builder<'_> {
    fn piece(&mut self, piece: Node) {
        if !self.goes_on(&piece) {
            self.flush();
        }
        if piece.sets_up() {
            self.at.first = false;
        }
        if piece.stones.is_empty() {
            self.emit(piece);
            return;
        }
        self.at.begun.push(piece);
        let full = if self.at.first { self.game.q() } else { self.game.p() };
        if self.at.begun.len() == full as usize {
            self.flush();
        }
    }

    /// Whether the stones of a node belong to the move that is under way.
    fn goes_on(&self, node: &Node) -> bool {
        let color = |node: &Node| node.stones.first().map(|&(color, _)| color);
        let begun = self.at.begun.last().and_then(color);
        begun.is_some() && begun == color(node) && !node.sets_up()
    }

    /// Ends the move that is under way.
    fn flush(&mut self) {
        self.at.first &= self.at.begun.is_empty();
        for node in std::mem::take(&mut self.at.begun) {
            self.emit(node);
        }
    }

    fn emit(&mut self, node: Node) {
        self.at.parent = Some(match self.at.parent {
            Some(parent) => self.normal.add(parent, node),
            None => {
                self.normal.set(0, node);
                0
            }
        });
    }
}

/// The nodes that one node becomes: set-up first, then a node for each stone.
fn pieces(game: Game, node: &Node, is_root: bool) -> Vec<Node> {
    let mut pieces = Vec::with_capacity(1 + node.stones.len());
    if is_root || node.stones.is_empty() || node.sets_up() {
        let mut piece = Node::default();
        piece.setup = ordered(node);
        piece.player = node.player;
        piece.left = node.left.filter(|&left| can_be_left(game, left));
        pieces.push(piece);
    }
    pieces.extend(node.stones.iter().map(|&stone| bare(vec![stone])));
    if let Some(last) = pieces.last_mut() {
        last.comment = line_feeds(&node.comment);
        last.name = one_line(&node.name);
        last.labels = node.labels.iter().map(|(s, text)| (*s, one_line(text))).collect();
        last.marks.clone_from(&node.marks);
        last.marks.sort_by_key(|&(_, kind)| kind);
        last.arrows.clone_from(&node.arrows);
        last.dimmed.clone_from(&node.dimmed);
        let results = node.results.iter().filter(|text| !text.is_empty());
        last.results = results.map(|text| line_feeds(text)).collect();
        last.other.clone_from(&node.other);
    }
    pieces
}

/// The set-up of a node in the order black, white, empty; of two that name one square, the later.
fn ordered(node: &Node) -> Vec<(Square, Option<Color>)> {
    let last: BTreeMap<_, _> = node.setup.iter().enumerate().map(|(i, s)| (s.0, i)).collect();
    let of = |content: Option<Color>| {
        let last = &last;
        node.setup
            .iter()
            .enumerate()
            .filter(move |(i, s)| s.1 == content && last[&s.0] == *i)
            .map(|(_, &s)| s)
    };
    of(Some(Color::Black)).chain(of(Some(Color::White))).chain(of(None)).collect()
}

/// Leaves the stone only.
fn strip(node: &mut Node) {
    *node = bare(std::mem::take(&mut node.stones));
}

/// A node with stones only.
fn bare(stones: Vec<(Color, Square)>) -> Node {
    let mut node = Node::default();
    node.stones = stones;
    node
}
