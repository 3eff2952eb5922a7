//! Mutants: certificates and files with one thing changed at random.
//!
//! A mutant may well be right (another winning move, a reply that was not needed). Tests never ask
//! that a mutant be refused, only that every accepted claim be true.

use std::rc::Rc;

use crate::certificate::{Certificate, Node, Reply, Square};
use crate::random::Random;

/// A certificate with one node changed.
pub fn mutant(certificate: &Certificate, random: &mut Random) -> Certificate {
    let mut nodes = Vec::new();
    collect(&certificate.root, &mut nodes);
    let target = random.below(nodes.len());
    let mut mutation = Mutation { certificate, nodes: &nodes, random };
    let changed = mutation.change(&nodes[target]);
    let root = replace(&certificate.root, &mut (target as isize), &changed);
    Certificate { root, ..certificate.clone() }
}

/// All nodes in the order in which they are written.
pub fn collect(node: &Rc<Node>, nodes: &mut Vec<Rc<Node>>) {
    nodes.push(node.clone());
    for child in node.children() {
        collect(&child, nodes);
    }
}

/// The tree with the node number `target` replaced.
pub fn replace(node: &Rc<Node>, target: &mut isize, by: &Rc<Node>) -> Rc<Node> {
    if *target == 0 {
        *target = -1;
        return by.clone();
    }
    if *target < 0 {
        return node.clone();
    }
    *target -= 1;
    Rc::new(match &**node {
        Node::Attack(squares, child) => Node::Attack(squares.clone(), replace(child, target, by)),
        Node::Keep(child) => Node::Keep(replace(child, target, by)),
        Node::Defend(named, replies) => {
            let mut list = Vec::new();
            for reply in replies {
                let child = replace(&reply.child, target, by);
                list.push(Reply { child, ..reply.clone() });
            }
            Node::Defend(named.clone(), list)
        }
        Node::Win(_) | Node::Again(_) => return node.clone(),
    })
}

struct Mutation<'a> {
    certificate: &'a Certificate,
    nodes: &'a [Rc<Node>],
    random: &'a mut Random,
}

impl Mutation<'_> {
    fn change(&mut self, node: &Rc<Node>) -> Rc<Node> {
        if self.random.chance(10) {
            return self.random.pick(self.nodes).clone();
        }
        if self.random.chance(5) {
            return Rc::new(Node::Keep(node.clone()));
        }
        if self.random.chance(3) {
            return Rc::new(Node::Again(self.random.below(4)));
        }
        Rc::new(match &**node {
            Node::Win(squares) => match self.random.below(4) {
                0 => Node::Attack(squares.clone(), Rc::new(Node::Defend(None, Vec::new()))),
                _ => Node::Win(self.squares(squares)),
            },
            Node::Attack(squares, child) => match self.random.below(4) {
                0 => Node::Win(squares.clone()),
                1 => return child.clone(),
                _ => Node::Attack(self.squares(squares), child.clone()),
            },
            Node::Defend(named, replies) => self.defend(named.as_deref(), replies),
            Node::Keep(child) => return child.clone(),
            Node::Again(number) => match self.random.below(2) {
                0 => Node::Again((number + 1).saturating_sub(2 * self.random.below(2))),
                _ => return self.random.pick(self.nodes).clone(),
            },
        })
    }

    fn defend(&mut self, named: Option<&[(Square, Square)]>, replies: &[Reply]) -> Node {
        let mut replies = replies.to_vec();
        let mut named = named.map(<[_]>::to_vec);
        if replies.is_empty() || self.random.chance(20) {
            match &mut named {
                None => named = Some(self.segments()),
                Some(list) if !list.is_empty() && self.random.chance(70) => {
                    list.remove(self.random.below(list.len()));
                }
                Some(_) => named = None,
            }
            return Node::Defend(named, replies);
        }
        let (i, j) = (self.random.below(replies.len()), self.random.below(replies.len()));
        match self.random.below(7) {
            0 | 1 => drop(replies.remove(i)),
            2 => replies.push(replies[i].clone()),
            3 => {
                let child = replies[i].child.clone();
                replies[i].child = std::mem::replace(&mut replies[j].child, child);
            }
            4 => replies[i].squares = self.squares(&replies[i].squares.clone()),
            5 => replies[i].slack = Some(self.random.below(4)),
            _ => replies[i].slack = None,
        }
        Node::Defend(named, replies)
    }

    /// A square less, a square more, or another square.
    fn squares(&mut self, squares: &[Square]) -> Vec<Square> {
        let mut list = squares.to_vec();
        let change = self.random.below(5);
        if change != 1 && !list.is_empty() {
            list.remove(self.random.below(list.len()));
        }
        let new = self.square();
        if change != 0 && !list.contains(&new) {
            list.push(new);
        }
        list
    }

    fn square(&mut self) -> Square {
        let game = self.certificate.game;
        let (x, y) = (self.random.below(game.cols.max(3)), self.random.below(game.rows.max(3)));
        Square { x: x as i64, y: y as i64 }
    }

    /// One or two random segments, threats or not.
    fn segments(&mut self) -> Vec<(Square, Square)> {
        let reach = self.certificate.game.k as i64 - 1;
        (0..=self.random.below(2))
            .map(|_| {
                let a = self.square();
                let &(dx, dy) = self.random.pick(&[(1, 0), (0, 1), (1, 1), (1, -1)]);
                (a, Square { x: a.x + dx * reach, y: (a.y + dy * reach).max(0) })
            })
            .collect()
    }
}

/// The text of a certificate with a few bytes or words changed.
pub fn byte_mutant(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    const ALPHABET: &[u8] = b"ABCDRW@=~!#-,+ \n\t0123456789abcdexact\xc3\xa9\x00";
    let mut bytes = bytes.to_vec();
    for _ in 0..=random.below(2) {
        if bytes.is_empty() {
            break;
        }
        let at = random.below(bytes.len());
        match random.below(7) {
            0 => bytes[at] = *random.pick(ALPHABET),
            1 => bytes.insert(at, *random.pick(ALPHABET)),
            2 => drop(bytes.remove(at)),
            3 => bytes.truncate(at),
            4 => bytes[at] ^= 1 << random.below(4),
            _ => bytes = word_mutant(&bytes, random),
        }
    }
    bytes
}

/// Words swapped, left out or written twice.
fn word_mutant(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut words: Vec<&[u8]> = bytes.split(|&c| c == b' ' || c == b'\n').collect();
    let (i, j) = (random.below(words.len()), random.below(words.len()));
    match random.below(4) {
        0 => words.swap(i, j),
        1 => drop(words.remove(i)),
        2 => words.insert(i, words[i]),
        _ => words[i] = words[j],
    }
    words.join(&b' ')
}
