//! The positions of a record: set-up and stones, replayed from the root.

use std::collections::BTreeMap;
use std::fmt;

use super::{Node, NodeId, Record};
use crate::{Color, Game, IllegalStone, Position, SetupError, Square};

impl Record {
    /// The position at a node: set-up and stones from the root on.
    ///
    /// Records hold more than the rules allow, so:
    ///
    /// - A set-up changes stones. The side to move then is that of the node ([`Node::player`]),
    ///   else that of the stone counts ([`Game::turn_after`]). The stones left in the move are
    ///   those of the node ([`Node::left`]), if that number is possible, else those of the counts.
    /// - A stone of the side that is not to move ends the move of the other side
    ///   ([`Position::pass`]); passes have no number.
    /// - When a stone has won, the stones that were left in that move may follow: files list the
    ///   stones of a move in any order.
    pub fn reach(&self, id: NodeId) -> Result<Reached, IllegalRecord> {
        let mut replay = Replay::new(self.game);
        for node in self.path_to(id) {
            let game = self.game;
            replay.node(self.node(node)).map_err(|(square, reason)| IllegalRecord {
                game,
                node,
                square,
                reason,
            })?;
        }
        Ok(replay.finish())
    }
}

/// A position reached in a record, with the stones placed on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The position.
    pub position: Position,
    /// The stones placed since the last set-up, each with the number of its move, from 1.
    pub played: Vec<(Square, Color, u32)>,
}

/// A stone of a record that the rules do not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalRecord {
    /// The game of the record.
    pub game: Game,
    /// The node that has the stone.
    pub node: NodeId,
    /// The square.
    pub square: Square,
    /// Why not.
    pub reason: IllegalStone,
}

impl fmt::Display for IllegalRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.game.square_name(self.square);
        write!(f, "node {}: no stone on {name}: {}", self.node, self.reason)
    }
}

impl std::error::Error for IllegalRecord {}

/// The way from the root of a record to a position, for callers that have its nodes elsewhere:
/// [`Record::reach`] has the rules.
#[derive(Clone, Debug)]
pub struct Replay {
    position: Position,
    /// A set-up that `position` does not have yet. A chain of set-up nodes makes one position, not
    /// one each.
    setup: Option<Setup>,
    played: Vec<(Square, Color, u32)>,
    /// The number of the last move.
    number: u32,
    /// Whether the last move can go on.
    under_way: bool,
    /// Stones that were left in the move that won.
    spare: u32,
}

/// The contents of a set-up.
#[derive(Clone, Debug)]
struct Setup {
    stones: BTreeMap<Square, Color>,
    player: Option<Color>,
    left: Option<u32>,
}

impl Replay {
    /// At the empty board.
    pub fn new(game: Game) -> Replay {
        Replay {
            position: Position::new(game),
            setup: None,
            played: Vec::new(),
            number: 0,
            under_way: false,
            spare: 0,
        }
    }

    /// Adds a node; the error is about its first stone that cannot be placed.
    pub fn node(&mut self, node: &Node) -> Result<(), (Square, IllegalStone)> {
        if !node.setup.is_empty() || node.left.is_some() {
            self.set_up(node)?;
        } else if let Some(player) = node.player {
            self.set_player(player);
        }
        for &(color, square) in &node.stones {
            self.settle();
            self.stone(color, square).map_err(|reason| (square, reason))?;
        }
        Ok(())
    }

    /// The position that was reached.
    pub fn finish(mut self) -> Reached {
        self.settle();
        Reached { position: self.position, played: self.played }
    }

    fn set_up(&mut self, node: &Node) -> Result<(), (Square, IllegalStone)> {
        let before = self.setup.take();
        let mut stones =
            before.map_or_else(|| self.position.stones().collect(), |setup| setup.stones);
        for &(square, content) in &node.setup {
            if !self.position.game().contains(square) {
                return Err((square, IllegalStone::OffBoard(square)));
            }
            match content {
                Some(color) => stones.insert(square, color),
                None => stones.remove(&square),
            };
        }
        self.setup = Some(Setup { stones, player: node.player, left: node.left });
        Ok(())
    }

    fn set_player(&mut self, player: Color) {
        // The move that won is over, even with stones left.
        self.spare = 0;
        match &mut self.setup {
            Some(setup) => (setup.player, setup.left) = (Some(player), None),
            None if self.position.to_move() == player => {}
            None => {
                self.position.pass();
                self.under_way = false;
            }
        }
    }

    /// Makes the position of a set-up.
    fn settle(&mut self) {
        let Some(Setup { stones, player, left: said }) = self.setup.take() else { return };
        let game = self.position.game();
        let white = stones.values().filter(|&&color| color == Color::White).count();
        let (to_move, left) = game.turn_after(stones.len() - white, white, player);
        let as_said = said.and_then(|left| assemble(game, &stones, to_move, left).ok());
        self.position = as_said.unwrap_or_else(|| {
            assemble(game, &stones, to_move, left)
                .expect("the squares differ and are on the board, and the turn is of the game")
        });
        self.played.clear();
        (self.number, self.under_way, self.spare) = (0, false, 0);
    }

    fn stone(&mut self, color: Color, square: Square) -> Result<(), IllegalStone> {
        if self.position.winner().is_some() {
            return self.stone_after_the_win(color, square);
        }
        if self.position.to_move() != color {
            self.position.pass();
            self.under_way = false;
        }
        let left = self.position.left();
        self.position.place(square)?;
        self.number += u32::from(!self.under_way);
        self.under_way = left > 1;
        self.played.push((square, color, self.number));
        if self.position.winner().is_some() {
            self.spare = left - 1;
        }
        Ok(())
    }

    /// Another stone of the move that won, if the win stands with it. (Under the exact rule it may
    /// make a line too long.)
    fn stone_after_the_win(&mut self, color: Color, square: Square) -> Result<(), IllegalStone> {
        let position = &self.position;
        let winner = position.winner();
        if winner == Some(color) && self.spare > 0 {
            if !position.game().contains(square) {
                return Err(IllegalStone::OffBoard(square));
            }
            if let Some(taken) = position.at(square) {
                return Err(IllegalStone::Occupied(square, taken));
            }
            let mut stones: BTreeMap<_, _> = position.stones().collect();
            stones.insert(square, color);
            let (to_move, left) = (position.to_move(), position.left());
            let with_it = assemble(position.game(), &stones, to_move, left)
                .expect("the square was free and on the board");
            if with_it.winner() == winner {
                self.position = with_it;
                self.spare -= 1;
                self.played.push((square, color, self.number));
                return Ok(());
            }
        }
        Err(IllegalStone::GameOver(winner.unwrap_or(color)))
    }
}

fn assemble(
    game: Game,
    stones: &BTreeMap<Square, Color>,
    to_move: Color,
    left: u32,
) -> Result<Position, SetupError> {
    let of = |color: Color| -> Vec<Square> {
        stones.iter().filter(|&(_, &c)| c == color).map(|(&s, _)| s).collect()
    };
    Position::set_up(game, &of(Color::Black), &of(Color::White), to_move, left)
}

#[cfg(test)]
mod tests {
    use super::*;

    const B: Color = Color::Black;
    const W: Color = Color::White;

    /// A chain of nodes, the first being the root: `stones`, set-up and player as text, as in
    /// `b J10 w J11`, `+b J10 +w J11 -J12`, `=w`, `~1` (stones left).
    fn chain(game: &str, nodes: &[&str]) -> Record {
        let mut record = Record::new(game.parse().unwrap());
        for (i, text) in nodes.iter().enumerate() {
            let mut node = Node::default();
            let mut color = B;
            let mut set_up = false;
            for word in text.split_whitespace() {
                match word {
                    "b" | "w" | "+b" | "+w" => {
                        color = if word.ends_with('b') { B } else { W };
                        set_up = word.starts_with('+');
                    }
                    "=b" => node.player = Some(B),
                    "=w" => node.player = Some(W),
                    _ if word.starts_with('~') => node.left = word[1..].parse().ok(),
                    name => {
                        let square = record.game.parse_square(name.trim_start_matches('-'));
                        let square = square.unwrap();
                        if name.starts_with('-') {
                            node.setup.push((square, None));
                        } else if set_up {
                            node.setup.push((square, Some(color)));
                        } else {
                            node.stones.push((color, square));
                        }
                    }
                }
            }
            if i == 0 {
                record.set(0, node);
            } else {
                record.add(i - 1, node);
            }
        }
        record
    }

    /// The side to move, its stones left, and the move numbers of the stones.
    fn end(game: &str, nodes: &[&str]) -> (Color, u32, Vec<u32>) {
        let record = chain(game, nodes);
        let reached = record.reach(record.nodes().len() - 1).unwrap();
        let numbers = reached.played.iter().map(|stone| stone.2).collect();
        (reached.position.to_move(), reached.position.left(), numbers)
    }

    #[test]
    fn moves_are_numbered_however_their_stones_are_spread_over_nodes() {
        let one = end("connect6", &["", "b J10", "w J11", "w J12", "b J9"]);
        let two = end("connect6", &["b J10", "w J11 J12", "b J9"]);
        assert_eq!(one, (B, 1, vec![1, 2, 2, 3]));
        assert_eq!(two, one);
    }

    #[test]
    fn a_stone_of_the_other_side_ends_the_move() {
        assert_eq!(end("connect6", &["b J10", "w J11", "b J9"]), (B, 1, vec![1, 2, 3]));
        assert_eq!(end("connect6", &["w J11 J12 J13"]), (W, 1, vec![1, 1, 2]));
        assert_eq!(end("gomoku", &["b H8", "b H9"]), (W, 1, vec![1, 2]));
    }

    #[test]
    fn set_ups_say_who_moves_or_the_counts_do() {
        let connect6 = |nodes: &[&str]| end("connect6", nodes);
        assert_eq!(connect6(&["+b J10 +w J11 J12"]), (B, 2, vec![]));
        assert_eq!(connect6(&["+b J10 +w J11"]), (W, 1, vec![]));
        assert_eq!(connect6(&["+b J10 +w J11 =b"]), (B, 2, vec![]), "not what the counts say");
        assert_eq!(connect6(&["+b J10 J11 J12 +w J13"]), (W, 2, vec![]), "irregular");
        assert_eq!(connect6(&["+b J10 +w J11 J12 J13"]), (B, 2, vec![]), "irregular");
        assert_eq!(connect6(&["=w"]), (W, 2, vec![]));
        assert_eq!(connect6(&["=b"]), (B, 1, vec![]));
        assert_eq!(connect6(&["b J10", "w J11 J12", "+b J9 -J10"]), (B, 2, vec![]));
        assert_eq!(connect6(&["b J10", "-J10"]), (B, 1, vec![]), "all empty again");
        assert_eq!(connect6(&["+b J10", "w J11", "+w J12", "b J9"]), (B, 1, vec![1]));
        assert_eq!(end("gomoku", &["+b H8 +w H9"]), (B, 1, vec![]));
        assert_eq!(end("9,9,4,2,3", &["+b A1 A2"]), (B, 1, vec![]));
    }

    #[test]
    fn set_ups_may_say_how_many_stones_are_left() {
        let connect6 = |nodes: &[&str]| end("connect6", nodes);
        assert_eq!(connect6(&["+b J10 +w J11 J12 ~1"]), (B, 1, vec![]));
        assert_eq!(connect6(&["+b J10 =w ~1", "w J11"]), (B, 2, vec![1]));
        assert_eq!(connect6(&["+b J10 +w J11 J12", "~1"]), (B, 1, vec![]), "in a node of its own");
        assert_eq!(connect6(&["+b J10 ~1", "=w"]), (W, 2, vec![]), "what is said later counts");
        for impossible in ["~0", "~3", "~4000000000"] {
            let set_up = format!("+b J10 +w J11 J12 {impossible}");
            assert_eq!(connect6(&[&set_up]), (B, 2, vec![]), "{impossible}");
        }
        assert_eq!(end("9,9,4,2,5", &["=b ~3"]), (B, 3, vec![]), "an empty board");
    }

    #[test]
    fn the_winning_move_may_have_its_other_stone_after_the_win() {
        let game = "9,9,3,2,1";
        let reached = |nodes: &[&str]| {
            let record = chain(game, nodes);
            record.reach(record.nodes().len() - 1)
        };
        let played = ["b A1", "w A9 B9", "b B1 D4"];
        assert!(reached(&played).unwrap().position.winner().is_none());
        let win = reached(&["b A1", "w A9 B9", "b H1 D4", "w C9 E5"]).unwrap();
        assert_eq!(win.position.winner(), Some(W));
        assert_eq!(win.position.at(Square::new(4, 4)), Some(W));
        assert_eq!(win.played.last(), Some(&(Square::new(4, 4), W, 4)));
        for (last, reason) in [
            ("w C9 E5 E6", IllegalStone::GameOver(W)),
            ("w C9 b E5", IllegalStone::GameOver(W)),
            ("w E5 C9 E6", IllegalStone::GameOver(W)),
            ("w C9 A1", IllegalStone::Occupied(Square::new(0, 0), B)),
        ] {
            let error = reached(&["b A1", "w A9 B9", "b H1 D4", last]).unwrap_err();
            assert_eq!((error.node, error.reason), (3, reason), "{last}");
        }
        let exact = chain("9,9,3,2,1,exact", &["b A1", "w A9 B9", "b H1 D4", "w C9 D9"]);
        assert!(exact.reach(3).is_err(), "four in a row");
    }

    #[test]
    fn illegal_stones_are_named_with_their_node() {
        let record = chain("connect6", &["b J10", "w J10"]);
        let error = record.reach(1).unwrap_err();
        assert_eq!(
            error.to_string(),
            "node 1: no stone on J10: the square is taken by a black stone"
        );
        assert!(record.reach(0).is_ok());
        let mut record = Record::new(Game::CONNECT6);
        record.node_mut(0).setup.push((Square::new(19, 0), Some(B)));
        assert_eq!(record.reach(0).unwrap_err().reason, IllegalStone::OffBoard(Square::new(19, 0)));
    }

    #[test]
    fn long_chains_are_reached() {
        const COUNT: usize = 200_000;
        let mut stones = Record::new("inf,6,2,1".parse().unwrap());
        let mut setups = Record::new(Game::CONNECT6);
        for i in 0..COUNT {
            // Stones far from each other, so that no side wins.
            let square = Square::new(2 * (i % 500) as i32, 2 * (i / 500) as i32);
            stones.add_stone(i, stones.game.turn(i).0, square);
            let square = Square::new(i as i32 % 19, 0);
            let content = (i % 3 == 0).then_some(B);
            setups.add(i, Node { setup: vec![(square, content)], ..Node::default() });
        }
        assert_eq!(stones.reach(COUNT).unwrap().played.len(), COUNT);
        assert!(setups.reach(COUNT).is_ok());
    }
}
