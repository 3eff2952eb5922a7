//! A small, honest threat search: Attacker wins by moves each of which needs all p stones of
//! Defender (Connect6: continuous double threats; Go-Moku: continuous fours).
//!
//! It is conservative: Defender gets all the useful blocks at once, as one macro reply, which makes
//! it a search for a path. Paths are taken best first, by the worth of Attacker's segments.

use std::collections::{BTreeSet, BinaryHeap};

use super::board::{Board, Role, Seg, Sq};
use super::split_mix::split_mix;

/// How the last move of a win is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// `D 0`: no move blocks all threats.
    Unblocked,
    /// `D!` with just enough threats for p stones, their blocks, and `W` with yet another one.
    Named,
}

/// The limit of a search, and which of the many wins it finds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// The most positions to expand.
    pub(super) nodes_max: usize,
    /// Changes the order of paths that look alike.
    pub(super) salt: u64,
    /// How the end is written.
    pub(super) ending: Ending,
}

/// An Attacker move, and all the blocks as Defender's answer.
#[derive(Clone, Debug)]
struct Exchange {
    attack: Vec<Sq>,
    blocks: Vec<Sq>,
}

struct Node {
    parent: Option<usize>,
    exchange: Exchange,
}

/// Searches a win of Attacker, who is to move with p stones, and writes it as a node.
pub(super) fn win(board: &mut Board, effort: Effort) -> Option<String> {
    if board.defender_lines > 0 {
        return None;
    }
    let now = board.attacks(board.k() - board.p()).next();
    if let Some(seg) = now {
        let mut text = String::from("W");
        board.write_names(&mut text, &board.open(seg));
        return Some(text);
    }
    let path = search(board, effort)?;
    Some(write(board, &path, effort.ending))
}

fn search(board: &mut Board, effort: Effort) -> Option<Vec<Exchange>> {
    let mut nodes: Vec<Node> = Vec::new();
    let mut queue = BinaryHeap::from([(0i64, 0u64, None)]);
    let mut seen = BTreeSet::from([board.hash]);
    for _ in 0..effort.nodes_max {
        let (_, _, at) = queue.pop()?;
        let path = path_to(&nodes, at);
        path.iter().for_each(|exchange| play(board, exchange));
        let mut won = None;
        for attack in moves(board) {
            attack.iter().for_each(|&s| board.place(s, Role::Attacker));
            match answer(board, &attack) {
                Some(blocks) if blocks.is_empty() => won = Some(attack.clone()),
                Some(blocks) => {
                    blocks.iter().for_each(|&s| board.place(s, Role::Defender));
                    if board.defender_lines == 0 && seen.insert(board.hash) {
                        let noise = split_mix(board.hash ^ effort.salt);
                        let worth = board.worth - 8 * path.len() as i64 + (noise % 24) as i64;
                        queue.push((worth, noise, Some(nodes.len())));
                        let exchange = Exchange { attack: attack.clone(), blocks: blocks.clone() };
                        nodes.push(Node { parent: at, exchange });
                    }
                    blocks.iter().for_each(|&s| board.take_back(s));
                }
                None => {}
            }
            attack.iter().for_each(|&s| board.take_back(s));
            if won.is_some() {
                break;
            }
        }
        path.iter().for_each(|exchange| take_back(board, exchange));
        if let Some(attack) = won {
            let last = Exchange { attack, blocks: Vec::new() };
            return Some(path.into_iter().chain([last]).collect());
        }
    }
    None
}

fn path_to(nodes: &[Node], mut at: Option<usize>) -> Vec<Exchange> {
    let mut path = Vec::new();
    while let Some(i) = at {
        path.push(nodes[i].exchange.clone());
        at = nodes[i].parent;
    }
    path.reverse();
    path
}

fn play(board: &mut Board, exchange: &Exchange) {
    exchange.attack.iter().for_each(|&s| board.place(s, Role::Attacker));
    exchange.blocks.iter().for_each(|&s| board.place(s, Role::Defender));
}

fn take_back(board: &mut Board, exchange: &Exchange) {
    exchange.blocks.iter().for_each(|&s| board.take_back(s));
    exchange.attack.iter().for_each(|&s| board.take_back(s));
}

/// Moves of p stones (one or two) that could make threats enough, in a fixed order.
fn moves(board: &Board) -> BTreeSet<Vec<Sq>> {
    let threat = board.k() - board.p();
    // Squares on which a single stone makes a threat.
    let hot: BTreeSet<Sq> = board.attacks(threat - 1).flat_map(|g| board.open(g)).collect();
    if board.p() == 1 {
        return hot.into_iter().map(|s| vec![s]).collect();
    }
    assert_eq!(board.p(), 2, "the generator knows moves of one and two stones");
    let pairs_of = |squares: Vec<Sq>| -> Vec<Vec<Sq>> {
        let pairs = squares.iter().enumerate();
        pairs.flat_map(|(i, &a)| squares[..i].iter().map(move |&b| vec![b, a])).collect()
    };
    let mut moves: BTreeSet<Vec<Sq>> = pairs_of(hot.into_iter().collect()).into_iter().collect();
    for g in board.attacks(threat - 2) {
        moves.extend(pairs_of(board.open(g)));
    }
    moves
}

/// Defender's answer to the move just played: all the blocks, or nothing when no move blocks all
/// threats. `None` when the move does not force him.
fn answer(board: &Board, attack: &[Sq]) -> Option<Vec<Sq>> {
    let threats = threats(board, attack);
    let empties: Vec<Vec<Sq>> = threats.iter().map(|&g| board.open(g)).collect();
    let open: Vec<&[Sq]> = empties.iter().map(|e| &e[..]).collect();
    if is_blocked_by(&open, board.p() - 1) || board.is_dangerous(&empties) {
        return None;
    }
    if !is_blocked_by(&open, board.p()) {
        return Some(Vec::new());
    }
    let blocks: BTreeSet<Sq> = empties.into_iter().flatten().collect();
    Some(blocks.into_iter().collect())
}

/// The threats that the stones of a move take part in: all there are, as older ones were blocked.
fn threats(board: &Board, attack: &[Sq]) -> Vec<Seg> {
    let least = board.k() - board.p();
    let through: BTreeSet<Seg> = attack.iter().flat_map(|&s| board.through(s)).copied().collect();
    through.into_iter().filter(|&g| board.attack(g).is_some_and(|n| n >= least)).collect()
}

/// Whether this number of stones can block all threats, given by their empty squares.
fn is_blocked_by(threats: &[&[Sq]], stones: usize) -> bool {
    let Some((first, rest)) = threats.split_first() else { return true };
    stones > 0
        && first.iter().any(|s| {
            let left: Vec<&[Sq]> = rest.iter().copied().filter(|e| !e.contains(s)).collect();
            is_blocked_by(&left, stones - 1)
        })
}

fn write(board: &mut Board, path: &[Exchange], ending: Ending) -> String {
    let mut text = String::new();
    for exchange in path {
        text.push('A');
        board.write_names(&mut text, &exchange.attack);
        exchange.attack.iter().for_each(|&s| board.place(s, Role::Attacker));
        if exchange.blocks.is_empty() {
            let named = (ending == Ending::Named).then(|| named_end(board, &exchange.attack));
            text.push_str(&named.flatten().unwrap_or_else(|| " D 0".to_string()));
        } else {
            text.push_str(" D 1 R");
            board.write_names(&mut text, &exchange.blocks);
            text.push(' ');
            exchange.blocks.iter().for_each(|&s| board.place(s, Role::Defender));
        }
    }
    path.iter().rev().for_each(|exchange| take_back(board, exchange));
    text
}

/// The end with named threats, if p of them without a common block leave another one alone.
fn named_end(board: &mut Board, attack: &[Sq]) -> Option<String> {
    let threats = threats(board, attack);
    let empties: Vec<Vec<Sq>> = threats.iter().map(|&g| board.open(g)).collect();
    let apart = |a: &[Sq], b: &[Sq]| !a.iter().any(|s| b.contains(s));
    let all = 0..threats.len();
    let choices = all.clone().flat_map(|i| all.clone().map(move |j| (i, j)));
    // The node relies on two threats when a move has two stones, and on one when it has one.
    let p = board.p();
    let mut choices = choices.filter(|&(i, j)| match p {
        1 => i == j,
        _ => i < j && apart(&empties[i], &empties[j]),
    });
    choices.find_map(|(i, j)| {
        let relied_on: BTreeSet<usize> = [i, j].into();
        let blocks: Vec<Sq> = relied_on.iter().flat_map(|&h| empties[h].clone()).collect();
        let last = empties.iter().find(|e| apart(e, &blocks))?;
        blocks.iter().for_each(|&s| board.place(s, Role::Defender));
        let is_sound = board.defender_lines == 0;
        blocks.iter().for_each(|&s| board.take_back(s));
        let mut text = format!(" D! {}", relied_on.len());
        for h in relied_on {
            text.push(' ');
            text.push_str(&board.ends(threats[h]));
        }
        text.push_str(" 1 R");
        board.write_names(&mut text, &blocks);
        text.push_str(" W");
        board.write_names(&mut text, last);
        is_sound.then_some(text)
    })
}
