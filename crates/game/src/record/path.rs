//! Paths: how people point to a node of a record.

use super::{Node, NodeId, Record};
use crate::InputError;

impl Record {
    /// The node that a path points to.
    ///
    /// A path is a list of steps with dots between them, walked from the root:
    ///
    /// | step | goes |
    /// | --- | --- |
    /// | `12` | 12 moves forward along the main line (first children) |
    /// | `b` | into the second variation, to the end of the move that it starts with |
    /// | `+3` | 3 nodes forward along the main line |
    /// | `+b` | into the second variation by one node |
    ///
    /// The first variation is `a`, and `aa` follows `z`. Steps by nodes lead to a stone within a
    /// move, or to a comment without a stone.
    ///
    /// `0` is the root, `4` the position after four moves, `4.b` the second alternative for the
    /// fifth move, `4.b.3` three moves later, and `4.+1.b` the second alternative for the second
    /// stone of the fifth move, if the record branches there.
    ///
    /// A move ends with the node that has its last stone: the one that fills it (q stones in the
    /// first move of a record, else p), or the last one before a stone of the other side, a set-up,
    /// or the end.
    pub fn find(&self, path: &str) -> Result<NodeId, InputError> {
        let mut cursor = Cursor::new();
        let mut offset = 0;
        for step in path.split('.') {
            let error = |message: String| InputError::new(offset, step.len(), message);
            let (by_node, word) = match step.strip_prefix('+') {
                Some(word) => (true, word),
                None => (false, step),
            };
            if !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit()) {
                let count: usize =
                    word.parse().map_err(|_| error(format!("`{step}` is too large")))?;
                for done in 0..count {
                    let next = if by_node { cursor.node(self) } else { cursor.next_move(self) };
                    cursor = next.ok_or_else(|| {
                        error(format!("`{step}` goes too far: the main line has only {done} more"))
                            .help("a path follows the main line; write a letter for a variation")
                    })?;
                }
            } else if let Some(index) = letters_index(word) {
                let next = cursor.child(self, index).ok_or_else(|| {
                    let message = match self.nodes[cursor.at].children.len() {
                        0 => format!("there is no variation `{word}`: nothing follows here"),
                        1 => format!("there is no variation `{word}`: only `a` follows here"),
                        n => format!(
                            "there is no variation `{word}`: the last is `{}`",
                            letters(n - 1)
                        ),
                    };
                    error(message)
                })?;
                cursor = if by_node { next } else { next.end_of_move(self) };
            } else {
                let shown: String = step.chars().take(20).collect();
                return Err(error(format!("`{shown}` is not a step of a path")).help(
                    "write a number of moves or the letter of a variation, as in `4.b.3`; \
                     `0` is the root",
                ));
            }
            offset += step.len() + 1;
        }
        Ok(cursor.at)
    }

    /// A short way to say where a node is. Law: `find(&path_of(id)) == Ok(id)`.
    pub fn path_of(&self, id: NodeId) -> String {
        let path = self.path_to(id);
        let mut steps = Steps::default();
        let mut cursor = Cursor::new();
        let mut depth = 0;
        while depth + 1 < path.len() {
            let next = path[depth + 1];
            let index = self.nodes[path[depth]].children.iter().position(|&c| c == next);
            let index = index.expect("a node is a child of its parent");
            if index > 0 {
                cursor = cursor.child(self, index).expect("the child was found");
                let whole = cursor.end_of_move(self);
                let end = depth + 1 + (whole.depth - cursor.depth);
                let by_node = path.get(end) != Some(&whole.at);
                steps.variation(index, by_node);
                depth = if by_node { depth + 1 } else { end };
                cursor = if by_node { cursor } else { whole };
                continue;
            }
            let moved = cursor.next_move(self);
            let end = moved.as_ref().map(|moved| depth + (moved.depth - cursor.depth));
            match (moved, end) {
                (Some(moved), Some(end)) if path.get(end) == Some(&moved.at) => {
                    steps.forward(1, false);
                    (cursor, depth) = (moved, end);
                }
                // The move ends behind the node, or on another branch: there is no end of a move up
                // to where the path leaves the main line, so it is counted in nodes.
                _ => {
                    let first = |d: &usize| {
                        let children = &self.nodes[path[*d]].children;
                        path.get(d + 1).is_some_and(|next| children.first() == Some(next))
                    };
                    let count = (depth..path.len()).take_while(first).count();
                    for _ in 0..count {
                        cursor = cursor.node(self).expect("the path has the node");
                    }
                    steps.forward(count, true);
                    depth += count;
                }
            }
        }
        steps.finish()
    }
}

/// A place in a record during a walk from the root.
#[derive(Clone)]
struct Cursor {
    at: NodeId,
    depth: usize,
    /// Whether no node before this one has stones, set-up or a player.
    fresh: bool,
}

impl Cursor {
    /// At the root.
    fn new() -> Cursor {
        Cursor { at: 0, depth: 0, fresh: true }
    }

    fn child(&self, record: &Record, index: usize) -> Option<Cursor> {
        let here = record.node(self.at);
        let fresh = self.fresh && is_silent(here);
        Some(Cursor { at: *here.children.get(index)?, depth: self.depth + 1, fresh })
    }

    /// The next node of the main line.
    fn node(&self, record: &Record) -> Option<Cursor> {
        self.child(record, 0)
    }

    /// The end of the next move of the main line.
    fn next_move(&self, record: &Record) -> Option<Cursor> {
        let mut next = self.node(record)?;
        while record.node(next.at).stones.is_empty() {
            next = next.node(record)?;
        }
        Some(next.end_of_move(record))
    }

    /// The end of the move that the stones of this node belong to; this node, if it has none.
    fn end_of_move(&self, record: &Record) -> Cursor {
        let game = record.game;
        let here = record.node(self.at);
        let mut end = self.clone();
        let Some(&(color, _)) = here.stones.last() else { return end };
        let first = self.fresh && !here.sets_up();
        let whole = if first { game.q() } else { game.p() };
        let mut count = here.stones.iter().rev().take_while(|stone| stone.0 == color).count();
        let mut look = self.clone();
        while count < whole as usize
            && let Some(next) = look.node(record)
        {
            let node = record.node(next.at);
            let other = node.stones.iter().any(|stone| stone.0 != color);
            if other || node.sets_up() {
                break;
            }
            count += node.stones.len();
            look = next;
            if !node.stones.is_empty() {
                end = look.clone();
            }
        }
        end
    }
}

/// Whether a node leaves the board as it is.
fn is_silent(node: &Node) -> bool {
    node.stones.is_empty() && !node.sets_up()
}

/// The steps of a path, written as they come; steps of one kind are added up.
#[derive(Default)]
struct Steps {
    text: Vec<String>,
    /// Steps forward that are not written yet, and whether they count nodes.
    count: usize,
    by_node: bool,
}

impl Steps {
    fn forward(&mut self, count: usize, by_node: bool) {
        if self.by_node != by_node {
            self.flush();
        }
        self.by_node = by_node;
        self.count += count;
    }

    fn variation(&mut self, index: usize, by_node: bool) {
        self.flush();
        self.text.push(format!("{}{}", if by_node { "+" } else { "" }, letters(index)));
    }

    fn flush(&mut self) {
        if self.count > 0 {
            self.text.push(format!("{}{}", if self.by_node { "+" } else { "" }, self.count));
        }
        self.count = 0;
    }

    fn finish(mut self) -> String {
        self.flush();
        if self.text.is_empty() { "0".to_string() } else { self.text.join(".") }
    }
}

/// `a` … `z`, `aa` … for 0, 1, …
fn letters(index: usize) -> String {
    let mut letters = Vec::new();
    let mut rest = index + 1;
    while rest > 0 {
        letters.push(b'a' + ((rest - 1) % 26) as u8);
        rest = (rest - 1) / 26;
    }
    letters.iter().rev().map(|&b| char::from(b)).collect()
}

/// The number that [`letters`] writes so.
fn letters_index(text: &str) -> Option<usize> {
    let mut number: usize = 0;
    for byte in text.bytes() {
        let digit = byte.is_ascii_alphabetic().then(|| byte.to_ascii_lowercase() - b'a' + 1)?;
        number = number.checked_mul(26)?.checked_add(usize::from(digit))?;
    }
    number.checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Color, Game, Square};

    const B: Color = Color::Black;
    const W: Color = Color::White;

    /// A record from lines of `parent: stones`, numbered from 1: `0: b`, `1: w`, `1: ww`, `2:`.
    fn tree(game: &str, lines: &[&str]) -> Record {
        let mut record = Record::new(game.parse().unwrap());
        for (i, line) in lines.iter().enumerate() {
            let (parent, stones) = line.split_once(':').unwrap();
            let stone = |(j, c): (usize, char)| {
                let square = Square::new(i as i32 % 19, (i / 19 * 3 + j) as i32 % 19);
                (if c == 'b' { B } else { W }, square)
            };
            let stones = stones.trim().chars().enumerate().map(stone).collect();
            record.add(parent.parse().unwrap(), Node { stones, ..Node::default() });
        }
        record
    }

    #[test]
    fn steps_go_by_moves_and_by_nodes() {
        // 1: black; 2, 3: white; 4, 5: black; 6: comment; 7: half a move.
        // The alternatives 8, 9 to the second move, with 10 for its second stone, and 11 after it.
        let record = tree(
            "connect6",
            &["0:b", "1:w", "2:w", "3:b", "4:b", "5:", "6:w", "1:w", "8:w", "8:w", "9:bb"],
        );
        for (path, node) in [
            ("0", 0),
            ("1", 1),
            ("2", 3),
            ("3", 5),
            ("3.+1", 6),
            ("4", 7),
            ("1.+1", 2),
            ("1.+1.1", 3),
            ("1.a", 3),
            ("1.b", 9),
            ("1.b.1", 11),
            ("1.+b", 8),
            ("1.+b.a", 9),
            ("1.+b.b", 10),
            ("+5", 5),
            ("a.0.B", 9),
        ] {
            assert_eq!(record.find(path), Ok(node), "{path}");
        }
        assert_eq!(record.path_of(0), "0");
        assert_eq!(record.path_of(7), "4");
        assert_eq!(record.path_of(10), "1.+b.b");
        assert_eq!(record.path_of(11), "1.b.1");
        assert_eq!(record.path_of(6), "3.+1");
    }

    #[test]
    fn wrong_steps_are_named() {
        let record = tree("connect6", &["0:b", "1:ww", "1:ww"]);
        for (path, offset, message) in [
            ("", 0, "`` is not a step of a path"),
            ("1..b", 2, "`` is not a step of a path"),
            ("1.b-", 2, "`b-` is not a step of a path"),
            ("+", 0, "`+` is not a step of a path"),
            ("3", 0, "`3` goes too far: the main line has only 2 more"),
            ("1.+2", 2, "`+2` goes too far: the main line has only 1 more"),
            ("1.c", 2, "there is no variation `c`: the last is `b`"),
            ("b", 0, "there is no variation `b`: only `a` follows here"),
            ("1.b.a", 4, "there is no variation `a`: nothing follows here"),
            ("99999999999999999999999", 0, "`99999999999999999999999` is too large"),
            ("zzzzzzzzzzzzzzzzzzzzzzzzz", 0, "`zzzzzzzzzzzzzzzzzzzz` is not a step of a path"),
        ] {
            let error = record.find(path).unwrap_err();
            assert_eq!((error.offset, error.message.as_str()), (offset, message), "{path}");
        }
    }

    #[test]
    fn letters_count_like_columns() {
        for (index, text) in
            [(0, "a"), (25, "z"), (26, "aa"), (27, "ab"), (701, "zz"), (702, "aaa")]
        {
            assert_eq!(letters(index), text);
            assert_eq!(letters_index(text), Some(index));
        }
        assert_eq!(letters_index(""), None);
    }

    #[test]
    fn every_node_of_a_random_tree_is_found_by_its_path() {
        arbtest::arbtest(|u| {
            let game = *u.choose(&["connect6", "gomoku", "9,9,4,3,2", "inf,4,1,3"])?;
            let mut record = Record::new(game.parse().unwrap());
            let count = u.int_in_range(0..=40)?;
            for i in 0..count {
                // Mostly chains, with some branches near the end.
                let back = u.int_in_range(0..=3)?;
                let parent = record.nodes().len() - 1 - back.min(i);
                let mut node = Node::default();
                for j in 0..*u.choose(&[0, 1, 1, 1, 2, 3])? {
                    let color = if u.arbitrary()? { B } else { W };
                    node.stones.push((color, Square::new(i as i32, j)));
                }
                if u.ratio(1, 10)? {
                    node.setup.push((Square::new(0, 0), None));
                }
                if u.ratio(1, 10)? {
                    node.player = Some(W);
                }
                record.add(parent, node);
            }
            for id in 0..record.nodes().len() {
                let path = record.path_of(id);
                assert_eq!(record.find(&path), Ok(id), "{path}");
            }
            Ok(())
        });
    }

    #[test]
    fn long_chains_and_many_siblings_have_paths() {
        const COUNT: usize = 200_000;
        let mut chain = Record::new(Game::CONNECT6);
        let mut silent = Record::new(Game::CONNECT6);
        let mut wide = Record::new(Game::CONNECT6);
        for i in 0..COUNT {
            chain.add_stone(
                i,
                if i.div_ceil(2).is_multiple_of(2) { B } else { W },
                Square::new(0, 0),
            );
            silent.add(i, Node::default());
            wide.add_stone(0, B, Square::new(0, 0));
        }
        assert_eq!(chain.path_of(COUNT), "100001");
        assert_eq!(chain.find("100001"), Ok(COUNT));
        assert_eq!(silent.path_of(COUNT), "+200000");
        assert_eq!(silent.find("+200000"), Ok(COUNT));
        assert_eq!(wide.path_of(COUNT), "kivh");
        assert_eq!(wide.find("kivh"), Ok(COUNT));
    }
}
