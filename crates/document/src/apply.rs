//! Makes edits: each becomes a list of changes that can be unmade.

use sixproof_game::sgf::{INFO_KEYS, line_feeds, one_line};
use sixproof_game::{Color, Node, Record, Square};

use crate::deed::{Deed, DeedKind};
use crate::document::{Document, NODES_MAX, TITLE};
use crate::edit::{Applied, Edit, EditError, Promotion};
use crate::history::{Change, Step};
use crate::import::Import;
use crate::note::{Note, Notes};
use crate::tree::NodeId;
use crate::walk::{Walk, on_board, whole_position};

/// The fact whose text may have more than one line.
const GAME_COMMENT: &str = "GC";

impl Document {
    /// Makes an edit. When it is refused nothing has changed.
    pub fn apply(&mut self, edit: Edit) -> Result<Applied, EditError> {
        let numbers = self.tree.numbers();
        let applied = self.make(edit)?;
        if applied.changed {
            self.began_with(numbers);
        }
        Ok(applied)
    }

    fn make(&mut self, edit: Edit) -> Result<Applied, EditError> {
        match edit {
            Edit::Move { node, squares } => self.play(node, &squares),
            Edit::Pass { node } => self.pass(node),
            Edit::Delete { node } => self.delete(node),
            Edit::Promote { node, how } => self.promote(node, how),
            Edit::Name { node, text } => {
                self.content(node, Deed::new(DeedKind::Name), |now| now.name = one_line(&text))
            }
            Edit::Comment { node, text } => {
                self.content(node, Deed::new(DeedKind::Comment), |now| {
                    now.comment = line_feeds(&text)
                })
            }
            Edit::Label { node, square, text } => {
                let deed = Deed::new(DeedKind::Label).on([self.on_board(square)?]);
                self.content(node, deed, |now| {
                    now.labels.retain(|label| label.0 != square);
                    if !text.is_empty() {
                        now.labels.push((square, one_line(&text)));
                    }
                })
            }
            Edit::Mark { node, square, kind } => {
                let deed = Deed::new(DeedKind::Mark).on([self.on_board(square)?]);
                self.content(node, deed, |now| {
                    now.marks.retain(|mark| mark.0 != square);
                    now.marks.extend(kind.map(|kind| (square, kind)));
                    now.marks.sort_by_key(|&(_, kind)| kind);
                })
            }
            Edit::Arrow { node, from, to } => {
                let ends = [self.on_board(from)?, self.on_board(to)?];
                let deed = Deed::new(DeedKind::Arrow).on(ends);
                self.content(node, deed, |now| {
                    let count = now.arrows.len();
                    now.arrows.retain(|&arrow| arrow != (from, to));
                    if now.arrows.len() == count {
                        now.arrows.push((from, to));
                    }
                })
            }
            Edit::Dim { node, mut squares } => {
                for &square in &squares {
                    self.on_board(square)?;
                }
                squares.sort();
                squares.dedup();
                self.content(node, Deed::new(DeedKind::Dim), |now| now.dimmed = squares)
            }
            Edit::Setup { node, black, white, to_move, left } => {
                self.set_up(node, &black, &white, (to_move, left))
            }
            Edit::Info { key, value } => self.fact(&key, &value),
            Edit::Title { text } => self.fact(TITLE, &text),
            Edit::Paste { node, record } => self.paste(node, &record),
        }
    }

    /// The name of a square of the board.
    fn on_board(&self, square: Square) -> Result<String, EditError> {
        let name = self.game.square_name(square);
        if on_board(self.game, square) { Ok(name) } else { Err(EditError::OffBoard(name)) }
    }

    fn check(&self, node: NodeId) -> Result<(), EditError> {
        if self.contains(node) { Ok(()) } else { Err(EditError::NoNode(node)) }
    }

    fn unchanged(&self, node: NodeId) -> Applied {
        let (revision, touched, notes) = (self.revision, Vec::new(), Vec::new());
        Applied { node, changed: false, revision, touched, notes }
    }

    fn room_for(&self, more: usize) -> Result<(), EditError> {
        let enough = self.tree.numbers().saturating_add(more) <= NODES_MAX;
        if enough { Ok(()) } else { Err(EditError::TooLarge) }
    }

    fn play(&mut self, node: NodeId, squares: &[Square]) -> Result<Applied, EditError> {
        self.check(node)?;
        if squares.is_empty() {
            return Err(EditError::NoStones);
        }
        let mut walk = self.walk_to(node);
        let state = walk.state();
        if let Some(winner) = state.winner {
            return Err(EditError::GameOver(winner));
        }
        if squares.len() > state.left as usize {
            return Err(EditError::TooManyStones { left: state.left });
        }
        let color = state.to_move;
        let depth = walk.depth();
        let mut place = |squares: &[Square]| {
            walk.back_to(depth);
            walk.step();
            for &square in squares {
                walk.stone(color, square).map_err(|reason| (square, reason))?;
            }
            Ok(())
        };
        let reversed: Vec<Square> = squares.iter().rev().copied().collect();
        match place(squares) {
            Ok(()) => self.play_legal(node, color, squares),
            // The stones of a move have no order. Under the exact rule one that makes a line too
            // long has to come before the one that completes it.
            Err(_) if place(&reversed).is_ok() => self.play_legal(node, color, &reversed),
            Err((square, reason)) => {
                let square = self.game.square_name(square);
                Err(EditError::Stone { square, reason })
            }
        }
    }

    fn play_legal(
        &mut self,
        node: NodeId,
        color: Color,
        squares: &[Square],
    ) -> Result<Applied, EditError> {
        let here = self.tree.slot(node);
        // Sides take turns, so that a last stone of the mover's own is of a move under way.
        let begun: Vec<(Color, Square)> = match here.node.stones.last() {
            Some(&(last, _)) if last == color => here.node.stones.clone(),
            _ => Vec::new(),
        };
        let completes = !begun.is_empty();
        let parent = if completes { here.parent.unwrap_or(node) } else { node };
        let mut stones = begun;
        stones.extend(squares.iter().map(|&square| (color, square)));
        let mut wanted = stones.clone();
        wanted.sort_by_key(|stone| stone.1);
        let same = |&child: &NodeId| {
            let mut stones = self.tree.node(child).stones.clone();
            stones.len() == wanted.len() && {
                stones.sort_by_key(|stone| stone.1);
                stones == wanted
            }
        };
        if let Some(&child) = self.tree.slot(parent).children.iter().find(|&child| same(child)) {
            return Ok(self.unchanged(child));
        }
        let names = squares.iter().map(|&square| self.game.square_name(square));
        let deed = Deed::new(DeedKind::Move).on(names);
        if completes && here.children.is_empty() {
            let mut content = here.node.clone();
            content.stones = stones;
            let changes = vec![Change::Content(node, Box::new(content))];
            return Ok(self.perform_all(changes, deed, node, node, vec![node, parent]));
        }
        let mut content = Node::default();
        content.stones = stones;
        self.add(parent, content, deed, node)
    }

    /// Adds a node as the last child of `parent`.
    fn add(
        &mut self,
        parent: NodeId,
        content: Node,
        deed: Deed,
        before: NodeId,
    ) -> Result<Applied, EditError> {
        self.room_for(1)?;
        let index = self.tree.slot(parent).children.len();
        let id = self.tree.add(parent, content);
        self.shape_changed();
        let changes = vec![Change::Attach(id, index)];
        let touched = vec![id, parent];
        Ok(self.remember(Step { changes, deed, before, after: id, touched }))
    }

    fn perform_all(
        &mut self,
        mut changes: Vec<Change>,
        deed: Deed,
        before: NodeId,
        after: NodeId,
        touched: Vec<NodeId>,
    ) -> Applied {
        for change in &mut changes {
            self.perform(change, true);
        }
        self.remember(Step { changes, deed, before, after, touched })
    }

    fn pass(&mut self, node: NodeId) -> Result<Applied, EditError> {
        self.check(node)?;
        let state = self.walk_to(node).state();
        if let Some(winner) = state.winner {
            return Err(EditError::GameOver(winner));
        }
        let mut content = Node::default();
        content.player = Some(!state.to_move);
        self.add_or_find(node, content, Deed::new(DeedKind::Pass))
    }

    /// Adds a child with this set-up, or finds the one that has it.
    fn add_or_find(
        &mut self,
        node: NodeId,
        content: Node,
        deed: Deed,
    ) -> Result<Applied, EditError> {
        let is_same = |&&id: &&NodeId| says_the_same(self.tree.node(id), &content);
        if let Some(&id) = self.tree.slot(node).children.iter().find(is_same) {
            return Ok(self.unchanged(id));
        }
        self.add(node, content, deed, node)
    }

    fn delete(&mut self, node: NodeId) -> Result<Applied, EditError> {
        self.check(node)?;
        let Some(parent) = self.parent(node) else { return Err(EditError::Root) };
        let deed = Deed::new(DeedKind::Delete).of_nodes(self.tree.below(node).count());
        let index = self.sibling(node).map_or(0, |sibling| sibling.index);
        let changes = vec![Change::Detach(node, index)];
        // Undo leads to the node, which is back then.
        Ok(self.perform_all(changes, deed, node, parent, vec![node, parent]))
    }

    fn promote(&mut self, node: NodeId, how: Promotion) -> Result<Applied, EditError> {
        self.check(node)?;
        let (Some(parent), Some(sibling)) = (self.parent(node), self.sibling(node)) else {
            return Err(EditError::Root);
        };
        let from = sibling.index;
        let to = match how {
            Promotion::Up => from.saturating_sub(1),
            Promotion::Down => (from + 1).min(sibling.count - 1),
            Promotion::First => 0,
            Promotion::Main => return Ok(self.promote_path(node)),
        };
        if from == to {
            return Ok(self.unchanged(node));
        }
        let deed = Deed::new(DeedKind::Order).at(self.turn(parent));
        let changes = vec![Change::Reorder { parent, from, to }];
        Ok(self.perform_all(changes, deed, node, node, vec![parent, node]))
    }

    fn promote_path(&mut self, node: NodeId) -> Applied {
        let mut changes = Vec::new();
        let mut touched = Vec::new();
        for pair in self.tree.path(node).windows(2) {
            let (parent, child) = (pair[0], pair[1]);
            let siblings = &self.tree.slot(parent).children;
            let from = siblings.iter().position(|&sibling| sibling == child).unwrap_or(0);
            if from > 0 {
                changes.push(Change::Reorder { parent, from, to: 0 });
                touched.extend([parent, child]);
            }
        }
        if changes.is_empty() {
            return self.unchanged(node);
        }
        self.perform_all(changes, Deed::new(DeedKind::MainLine), node, node, touched)
    }

    /// Changes the words and drawings of a node, not its stones.
    fn content(
        &mut self,
        node: NodeId,
        deed: Deed,
        change: impl FnOnce(&mut Node),
    ) -> Result<Applied, EditError> {
        self.check(node)?;
        let mut content = self.tree.node(node).clone();
        change(&mut content);
        if content == *self.tree.node(node) {
            return Ok(self.unchanged(node));
        }
        let deed = deed.at(self.turn(node));
        let changes = vec![Change::Content(node, Box::new(content))];
        Ok(self.perform_all(changes, deed, node, node, vec![node]))
    }

    fn set_up(
        &mut self,
        node: NodeId,
        black: &[Square],
        white: &[Square],
        turn: (Color, u32),
    ) -> Result<Applied, EditError> {
        self.check(node)?;
        for &square in black.iter().chain(white) {
            self.on_board(square)?;
        }
        let here = self.tree.slot(node);
        let passes = here.node.player.is_some()
            && here.node.setup.is_empty()
            && here.node.left.is_none()
            && node != NodeId::ROOT;
        let below = passes || !here.node.stones.is_empty() || !here.children.is_empty();
        let base = if below { Some(node) } else { here.parent };
        let (mut walk, stones) = match base {
            Some(id) => (self.walk_to(id), self.stones_at(id)),
            None => (Walk::new(self.game), Vec::new()),
        };
        let stones = stones.iter().map(|stone| stone.0);
        let content = whole_position(&mut walk, black, white, turn, stones);
        let content = content.map_err(EditError::Setup)?;
        let deed = Deed::new(DeedKind::Setup);
        if below {
            return self.add_or_find(node, content, deed);
        }
        let mut new = here.node.clone();
        (new.setup, new.player, new.left) = (content.setup, content.player, content.left);
        if new == here.node {
            return Ok(self.unchanged(node));
        }
        let changes = vec![Change::Content(node, Box::new(new))];
        Ok(self.perform_all(changes, deed, node, node, vec![node]))
    }

    fn fact(&mut self, key: &str, value: &str) -> Result<Applied, EditError> {
        if !INFO_KEYS.contains(&key) {
            return Err(EditError::Fact(key.chars().take(40).collect()));
        }
        let value = if key == GAME_COMMENT { line_feeds(value) } else { one_line(value) };
        let mut info = self.info.clone();
        let place = info.iter().position(|fact| fact.0 == key);
        info.retain(|fact| fact.0 != key);
        if !value.is_empty() {
            let place = place.unwrap_or(info.len()).min(info.len());
            info.insert(place, (key.to_string(), value));
        }
        if info == self.info {
            return Ok(self.unchanged(NodeId::ROOT));
        }
        let deed = match key {
            TITLE => Deed::new(DeedKind::Title),
            key => Deed { key: Some(key.to_string()), ..Deed::new(DeedKind::Fact) },
        };
        let changes = vec![Change::Info(info)];
        Ok(self.perform_all(changes, deed, NodeId::ROOT, NodeId::ROOT, vec![NodeId::ROOT]))
    }

    fn paste(&mut self, node: NodeId, record: &Record) -> Result<Applied, EditError> {
        self.check(node)?;
        if record.game != self.game {
            return Err(EditError::OtherGame { theirs: record.game, ours: self.game });
        }
        let walk = self.walk_to(node);
        if self.tree.node(node).stones.last().is_some_and(|stone| walk.goes_on(stone.0)) {
            return Err(EditError::Incomplete);
        }
        // Stones out of turn bring passes, moves that share stones come apart.
        let most: usize = record.nodes().iter().map(|n| 3 + 2 * n.stones.len()).sum();
        self.room_for(most)?;
        let first = self.tree.slot(node).children.len();
        let before = self.tree.numbers();
        let stones = self.stones_at(node);
        let mut import = Import { record, walk, tree: &mut self.tree, notes: Notes::default() };
        import.rules();
        import.below(node, stones.iter().map(|stone| stone.0));
        if !record.info.is_empty() {
            let keys = record.info.iter().map(|(key, _)| key.clone()).collect();
            import.notes.add(|| Note::FactsLeftOut(keys));
        }
        let notes = import.notes.finish();
        let new: Vec<NodeId> = self.tree.slot(node).children[first..].to_vec();
        let Some(&top) = new.first() else {
            return Ok(Applied { notes, ..self.unchanged(node) });
        };
        self.shape_changed();
        let attach = |(i, &id): (usize, &NodeId)| Change::Attach(id, first + i);
        let changes = new.iter().enumerate().map(attach).collect();
        let deed = Deed::new(DeedKind::Paste).of_nodes(self.tree.numbers() - before);
        let mut touched = new;
        touched.push(node);
        let applied = self.remember(Step { changes, deed, before: node, after: top, touched });
        Ok(Applied { notes, ..applied })
    }
}

fn says_the_same(one: &Node, other: &Node) -> bool {
    (&one.setup, one.player, one.left, &one.stones)
        == (&other.setup, other.player, other.left, &other.stones)
        && one.sets_up()
}
