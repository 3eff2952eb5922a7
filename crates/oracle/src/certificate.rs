//! The certificate in memory, and its text.
//!
//! A certificate is a claim (a game, a position, who wins) and a tree of nodes that proves it. The
//! text is the one of the specification; this module writes it and [`crate::parse`] reads it.
//! Nothing here knows which certificates are right.

use std::fmt;
use std::rc::Rc;

use crate::rules::{Color, Game};

/// A square, counted from 0 on a bounded board (`A1` is column 0, row 0), anywhere on an unbounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square {
    /// The column.
    pub x: i64,
    /// The row.
    pub y: i64,
}

/// A claim and its proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The rules.
    pub game: Game,
    /// The side that is claimed to win.
    pub attacker: Color,
    /// Black's stones.
    pub black: Vec<Square>,
    /// White's stones.
    pub white: Vec<Square>,
    /// The side to move.
    pub to_move: Color,
    /// The stones to place in this move.
    pub count: usize,
    /// The proof.
    pub root: Rc<Node>,
}

/// A step of a proof. Subtrees are shared in memory where that is convenient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// `W`: Attacker completes a segment.
    Win(Vec<Square>),
    /// `A`: Attacker plays these squares.
    Attack(Vec<Square>, Rc<Node>),
    /// `D` (relying on all threats) and `D!` (relying on those with these end squares).
    Defend(Option<Vec<(Square, Square)>>, Vec<Reply>),
    /// `@`: a node that is kept.
    Keep(Rc<Node>),
    /// `=`: a kept node again.
    Again(usize),
}

/// One reply of a Defender node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The squares of the reply, possibly fewer or more than a move has.
    pub squares: Vec<Square>,
    /// The slack, where it is stated.
    pub slack: Option<usize>,
    /// The proof of the position with these Defender stones.
    pub child: Rc<Node>,
}

impl Certificate {
    /// Whether squares are written as `x,y`.
    pub fn is_unbounded(&self) -> bool {
        self.game.cols == 0
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.to_string().into_bytes()
    }

    /// Every square that the file names.
    pub fn named_squares(&self) -> Vec<Square> {
        let mut named = [self.black.as_slice(), self.white.as_slice()].concat();
        self.root.name_squares(&mut named);
        named
    }
}

impl Node {
    fn name_squares(&self, named: &mut Vec<Square>) {
        match self {
            Node::Win(squares) => named.extend(squares),
            Node::Attack(squares, child) => {
                named.extend(squares);
                child.name_squares(named);
            }
            Node::Defend(threats, replies) => {
                named.extend(threats.iter().flatten().flat_map(|&(a, b)| [a, b]));
                for reply in replies {
                    named.extend(&reply.squares);
                    reply.child.name_squares(named);
                }
            }
            Node::Keep(node) => node.name_squares(named),
            Node::Again(_) => {}
        }
    }

    /// The direct subtrees, in the order in which they are written.
    pub fn children(&self) -> Vec<Rc<Node>> {
        match self {
            Node::Attack(_, child) | Node::Keep(child) => vec![child.clone()],
            Node::Defend(_, replies) => replies.iter().map(|r| r.child.clone()).collect(),
            Node::Win(_) | Node::Again(_) => Vec::new(),
        }
    }

    /// The number of nodes as written, marks included.
    pub fn node_count(&self) -> usize {
        1 + self.children().iter().map(|c| c.node_count()).sum::<usize>()
    }
}

/// The letters of a column: A to Z, AA to AZ, BA and so on.
pub fn column_name(x: i64) -> String {
    let letter = char::from(b'A' + (x % 26) as u8);
    if x < 26 { letter.to_string() } else { column_name(x / 26 - 1) + &letter.to_string() }
}

/// The name of a square in a file.
fn square_name(unbounded: bool, square: Square) -> String {
    if unbounded {
        format!("{},{}", square.x, square.y)
    } else {
        format!("{}{}", column_name(square.x), square.y + 1)
    }
}

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Game { cols, rows, k, p, q, exact } = self.game;
        let list = |squares: &[Square]| names(self.is_unbounded(), squares);
        writeln!(f, "sixproof-certificate 1")?;
        writeln!(f, "game {cols} {rows} {k} {p} {q}{}", if exact { " exact" } else { "" })?;
        writeln!(f, "attacker {}", self.attacker.name())?;
        writeln!(f, "black{}", list(&self.black))?;
        writeln!(f, "white{}", list(&self.white))?;
        writeln!(f, "to-move {} {}", self.to_move.name(), self.count)?;
        let mut text = String::new();
        write_node(self.is_unbounded(), &self.root, 0, &mut text);
        writeln!(f, "{}", text.trim_end())
    }
}

/// Square names, each after a space.
fn names(unbounded: bool, squares: &[Square]) -> String {
    squares.iter().map(|&s| format!(" {}", square_name(unbounded, s))).collect()
}

/// Writes a node; replies start new lines, indented by their depth.
fn write_node(unbounded: bool, node: &Node, depth: usize, text: &mut String) {
    match node {
        Node::Win(squares) => *text += &format!("W{}", names(unbounded, squares)),
        Node::Attack(squares, child) => {
            *text += &format!("A{} ", names(unbounded, squares));
            write_node(unbounded, child, depth, text);
        }
        Node::Defend(threats, replies) => {
            *text += "D";
            if let Some(threats) = threats {
                *text += &format!("! {}", threats.len());
                for &(a, b) in threats {
                    let (a, b) = (square_name(unbounded, a), square_name(unbounded, b));
                    *text += &format!(" {a}-{b}");
                }
            }
            *text += &format!(" {}", replies.len());
            for reply in replies {
                *text +=
                    &format!("\n{}R{}", " ".repeat(depth + 1), names(unbounded, &reply.squares));
                if let Some(slack) = reply.slack {
                    *text += &format!(" ~{slack}");
                }
                *text += " ";
                write_node(unbounded, &reply.child, depth + 1, text);
            }
        }
        Node::Keep(node) => {
            *text += "@ ";
            write_node(unbounded, node, depth, text);
        }
        Node::Again(number) => *text += &format!("= {number}"),
    }
}

#[cfg(test)]
mod tests {
    use super::column_name;

    #[test]
    fn columns_skip_no_letter() {
        let names: Vec<String> = [0, 8, 25, 26, 51, 52, 701, 702].map(column_name).to_vec();
        assert_eq!(names, ["A", "I", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]);
    }
}
