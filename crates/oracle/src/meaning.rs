//! What a certificate means: a strategy that wins against every defence.
//!
//! There are no zones here. The certificate is played, by the real rules, against every move of
//! Defender. A node speaks about a *nominal* position (the one on the path to it: null moves,
//! macros and all); the *actual* one has the same Attacker stones and whatever Defender really
//! played. At a Defender node every real move M is tried: if it leaves open a threat that the node
//! relies on, Attacker completes it; otherwise some reply must continue to a win, with the stones
//! of M on the board and those of the reply only imagined.
//!
//! What the checker accepts must win here. The converse is not claimed: the reply is chosen here
//! with full foresight.

use std::collections::HashMap;
use std::rc::Rc;

use crate::certificate::{Certificate, Node, Reply, Square};
use crate::rules::{Color, Position, Rules, squares, subsets};

/// Deeper play than any game has stones: only a circular certificate gets there.
const DEPTH_MAX: usize = 200;

/// Whether the certificate, played as a strategy, wins its claim. Boards have at most 64 squares.
pub fn wins(certificate: &Certificate) -> bool {
    let mut kept = Vec::new();
    keep(&certificate.root, &mut kept);
    let rules = Rules::new(certificate.game);
    let cols = certificate.game.cols;
    let attacker = certificate.attacker;
    let (black, white) = (mask(cols, &certificate.black), mask(cols, &certificate.white));
    if rules.has_line(Color::Black, black) || rules.has_line(Color::White, white) {
        return false;
    }
    let (own, other) = match attacker {
        Color::Black => (black, white),
        Color::White => (white, black),
    };
    let mut play = Play { rules, attacker, kept, known: HashMap::new() };
    let table = Table { attacker: own, nominal: other, actual: other, count: certificate.count };
    play.node(&certificate.root, table, certificate.to_move == attacker, 0)
}

/// The marked nodes, in the order of their marks.
fn keep(node: &Node, kept: &mut Vec<Rc<Node>>) {
    if let Node::Keep(marked) = node {
        kept.push(marked.clone());
    }
    for child in node.children() {
        keep(&child, kept);
    }
}

fn mask(cols: usize, squares: &[Square]) -> u64 {
    squares.iter().fold(0, |m, s| m | 1 << (s.y as usize * cols + s.x as usize))
}

/// The stones, nominal and actual, and t.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Table {
    attacker: u64,
    nominal: u64,
    actual: u64,
    count: usize,
}

struct Play {
    rules: Rules,
    attacker: Color,
    kept: Vec<Rc<Node>>,
    known: HashMap<(*const Node, Table), bool>,
}

impl Play {
    /// Whether Attacker, following `node`, wins from the actual position.
    fn node(&mut self, node: &Node, table: Table, attacking: bool, depth: usize) -> bool {
        if depth > DEPTH_MAX {
            return false;
        }
        if let Some(&known) = self.known.get(&(std::ptr::from_ref(node), table)) {
            return known;
        }
        let wins = match node {
            Node::Keep(node) => self.node(node, table, attacking, depth + 1),
            Node::Again(number) => match self.kept.get(*number).cloned() {
                Some(node) => self.node(&node, table, attacking, depth + 1),
                None => false,
            },
            Node::Win(played) => attacking && self.place(played, table) == Placed::Won,
            Node::Attack(played, child) => match self.place(played, table) {
                _ if !attacking => false,
                Placed::Won => true,
                Placed::Impossible => false,
                Placed::Stones(attacker) => {
                    let free = squares(self.free(&table)).len();
                    let next = Table { attacker, count: self.rules.game.p, ..table };
                    played.len() == table.count.min(free)
                        && free > 0
                        && self.node(child, next, false, depth + 1)
                }
            },
            Node::Defend(named, replies) => {
                !attacking && self.defend(named.as_deref(), replies, table, depth)
            }
        };
        self.known.insert((std::ptr::from_ref(node), table), wins);
        wins
    }

    /// The squares that are really empty.
    fn free(&self, table: &Table) -> u64 {
        self.rules.board() & !table.attacker & !table.actual
    }

    /// Attacker puts stones on these squares, one after the other.
    fn place(&self, played: &[Square], table: Table) -> Placed {
        let mut stones = table.attacker;
        if played.len() > table.count {
            return Placed::Impossible;
        }
        for &square in played {
            let bit = mask(self.rules.game.cols, &[square]);
            if bit & (stones | table.actual) != 0 {
                return Placed::Impossible;
            }
            stones |= bit;
            if self.rules.has_line(self.attacker, stones) {
                return Placed::Won;
            }
        }
        Placed::Stones(stones)
    }

    fn defend(
        &mut self,
        named: Option<&[(Square, Square)]>,
        replies: &[Reply],
        table: Table,
        depth: usize,
    ) -> bool {
        let defender = self.attacker.other();
        let position = |defence: u64, left: usize| {
            let none = Position { black: 0, white: 0, to_move: defender, left };
            none.with(self.attacker, table.attacker).with(defender, defence)
        };
        let p = self.rules.game.p;
        let actual = position(table.actual, table.count);
        if !self.rules.completions(defender, &actual, table.count).is_empty() {
            return false;
        }
        let free = self.free(&table);
        if free == 0 {
            return false;
        }
        let threats: Vec<u64> = match named {
            None => self.rules.completions(self.attacker, &position(table.nominal, table.count), p),
            Some(named) => named
                .iter()
                .map(|&(a, b)| mask(self.rules.game.cols, &between(a, b)) & !table.attacker)
                .collect(),
        };
        let size = table.count.min(free.count_ones() as usize);
        subsets(free, size).into_iter().all(|defence| {
            let actual = table.actual | defence;
            // Attacker completes a threat that is open.
            threats.iter().any(|&h| {
                h & actual == 0
                    && h.count_ones() as usize <= p
                    && self.rules.has_line(self.attacker, table.attacker | h)
            }) || replies.iter().any(|reply| {
                let nominal = table.nominal | mask(self.rules.game.cols, &reply.squares);
                let next = Table { nominal, actual, count: p, ..table };
                self.node(&reply.child, next, true, depth + 1)
            })
        })
    }
}

/// The result of placing stones.
#[derive(PartialEq, Eq)]
enum Placed {
    Won,
    Stones(u64),
    Impossible,
}

/// The squares from a to b, on a line.
fn between(a: Square, b: Square) -> Vec<Square> {
    let steps = (b.x - a.x).abs().max((b.y - a.y).abs());
    let (dx, dy) = ((b.x - a.x).signum(), (b.y - a.y).signum());
    (0..=steps).map(|i| Square { x: a.x + i * dx, y: a.y + i * dy }).collect()
}
