//! Lying provers.
//!
//! Each has one way to claim an untruth, and is convincing in everything else. Random damage rarely
//! finds such files: a checker that forgets one rule passes every byte mutant, and falls to the
//! liar that counts on it. Now and then a liar is right by accident, so tests ask only that every
//! accepted claim be true.

use std::rc::Rc;

use crate::certificate::{Certificate, Node};
use crate::mutants::{collect, replace};
use crate::provers::{Style, prove};
use crate::random::Random;
use crate::rules::{Color, Game, Position};
use crate::solve::Solvers;

/// Ways to lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lie {
    /// No row of Defender ever counts.
    IgnoresDefenderRows,
    /// Replies after which Attacker does not win are left out.
    OmitsReplies,
    /// Attacker plays on a stone.
    PlaysOnStone,
    /// The proof is of a position with another Attacker stone.
    PretendsAttackerStone,
    /// The proof is of a position without one of the Defender stones.
    HidesDefenderStone,
    /// The header names the other side as Attacker.
    SwapsRoles,
    /// A node is cited that proves something else.
    CitesForeignNode,
    /// A node is cited that is not finished.
    CitesAncestor,
    /// The proof is of a game with another k, p, board or rule of overlines.
    WrongRules,
    /// Replies claim slack, and what it covers is left out.
    ClaimsSlack,
    /// A Defender node relies on a segment that is no threat, and has no replies.
    FalseThreat,
    /// The move at hand has another number of stones.
    WrongCount,
}

impl Lie {
    /// All of them.
    pub const ALL: [Lie; 12] = [
        Lie::IgnoresDefenderRows,
        Lie::OmitsReplies,
        Lie::PlaysOnStone,
        Lie::PretendsAttackerStone,
        Lie::HidesDefenderStone,
        Lie::SwapsRoles,
        Lie::CitesForeignNode,
        Lie::CitesAncestor,
        Lie::WrongRules,
        Lie::ClaimsSlack,
        Lie::FalseThreat,
        Lie::WrongCount,
    ];
}

/// A certificate of the claim that `attacker` wins `position`, with a lie in it.
pub fn lie(
    kind: Lie,
    solvers: &mut Solvers,
    game: Game,
    attacker: Color,
    position: &Position,
    random: &mut Random,
) -> Certificate {
    let defender = attacker.other();
    let style = Style::random(random);
    let mut tell = |game: Game, position: &Position, style: Style, random: &mut Random| {
        prove(solvers.granting(game, defender), attacker, position, style, random)
    };
    let mut claim = match kind {
        Lie::IgnoresDefenderRows => {
            let solver = solvers.powerless(game, defender);
            prove(solver, attacker, position, style, random)
        }
        Lie::PretendsAttackerStone => {
            let free = !(position.black | position.white);
            let stones = extra_stone(game, free, random);
            tell(game, &position.with(attacker, stones), style, random)
        }
        Lie::HidesDefenderStone => {
            let stone = extra_stone(game, position.stones(defender), random);
            let mut less = *position;
            less.black &= !stone;
            less.white &= !stone;
            tell(game, &less, style, random)
        }
        Lie::WrongRules => tell(other_rules(game, random), position, style, random),
        Lie::ClaimsSlack => tell(game, position, Style { slack: 100, null: 100, ..style }, random),
        Lie::WrongCount => {
            let other = Position { left: 1 + random.below(game.p + 1), ..*position };
            tell(game, &other, style, random)
        }
        _ => tell(game, position, style, random),
    };
    match kind {
        Lie::PlaysOnStone => {
            claim = damage(&claim, random, |node, random| plays_on(node, position, game, random))
        }
        Lie::SwapsRoles => claim.attacker = defender,
        Lie::CitesForeignNode | Lie::CitesAncestor => claim = cites(&claim, kind, random),
        Lie::ClaimsSlack => claim = damage(&claim, random, omits_covered),
        Lie::FalseThreat => {
            claim = damage(&claim, random, |node, random| false_threat(node, game, random))
        }
        _ => {}
    }
    // Whatever the nodes prove, the header states the claim.
    let honest = crate::provers::certificate(game, attacker, position, claim.root.clone());
    Certificate { attacker: claim.attacker, ..honest }
}

/// One random square of a set, or `None` if the set is empty.
fn extra_stone(game: Game, among: u64, random: &mut Random) -> u64 {
    let board = u64::MAX >> (64 - game.cols * game.rows);
    match crate::rules::squares(among & board).as_slice() {
        [] => 0,
        list => 1 << *random.pick(list),
    }
}

/// A game of the same board with another k, p or rule of overlines.
fn other_rules(game: Game, random: &mut Random) -> Game {
    match random.below(4) {
        0 => Game { k: game.k - 1, ..game },
        1 => Game { p: game.p + 1, ..game },
        2 => Game { p: (game.p - 1).max(1), ..game },
        _ => Game { exact: !game.exact, ..game },
    }
}

/// The certificate with a few nodes passed through `change`.
fn damage(
    claim: &Certificate,
    random: &mut Random,
    change: impl Fn(&Node, &mut Random) -> Option<Node>,
) -> Certificate {
    let mut claim = claim.clone();
    for _ in 0..6 {
        let mut nodes = Vec::new();
        collect(&claim.root, &mut nodes);
        let target = random.below(nodes.len());
        if let Some(changed) = change(&nodes[target], random) {
            claim.root = replace(&claim.root, &mut (target as isize), &Rc::new(changed));
            break;
        }
    }
    claim
}

/// Attacker takes a square that has a stone in the root position.
fn plays_on(node: &Node, position: &Position, game: Game, random: &mut Random) -> Option<Node> {
    let taken = crate::provers::names(game, position.black | position.white);
    if taken.is_empty() {
        return None;
    }
    let mut squares = match node {
        Node::Win(squares) | Node::Attack(squares, _) if !squares.is_empty() => squares.clone(),
        _ => return None,
    };
    let i = random.below(squares.len());
    squares[i] = *random.pick(&taken);
    Some(match node {
        Node::Attack(_, child) => Node::Attack(squares, child.clone()),
        _ => Node::Win(squares),
    })
}

/// Keeps one reply and pretends that it has slack enough for everything.
fn omits_covered(node: &Node, random: &mut Random) -> Option<Node> {
    match node {
        Node::Defend(named, replies) if !replies.is_empty() => {
            let mut reply = random.pick(replies).clone();
            reply.slack = Some(1 + random.below(4));
            Some(Node::Defend(named.clone(), vec![reply]))
        }
        _ => None,
    }
}

/// A Defender node that needs no replies because of a threat that does not exist.
fn false_threat(node: &Node, game: Game, random: &mut Random) -> Option<Node> {
    let Node::Defend(_, replies) = node else { return None };
    let (cols, rows) = (game.cols, game.rows);
    let a = crate::provers::names(game, 1 << random.below(cols * rows))[0];
    let &(dx, dy) = random.pick(&[(1, 0), (0, 1), (1, 1)]);
    let reach = game.k as i64 - 1;
    let b = crate::certificate::Square {
        x: (a.x + dx * reach).min(cols as i64 - 1),
        y: (a.y + dy * reach).min(rows as i64 - 1),
    };
    let kept = replies.iter().take(random.below(2)).cloned().collect();
    Some(Node::Defend(Some(vec![(a, b)]), kept))
}

/// Marks a node and cites it where it does not fit: elsewhere, or below itself.
fn cites(claim: &Certificate, kind: Lie, random: &mut Random) -> Certificate {
    let mut nodes = Vec::new();
    collect(&claim.root, &mut nodes);
    let marked = random.below(nodes.len());
    let number = nodes[..marked].iter().filter(|n| matches!(***n, Node::Keep(_))).count();
    let below = nodes[marked].node_count();
    let again = Rc::new(Node::Again(number));
    let target = match kind {
        Lie::CitesAncestor if below > 1 => marked + 1 + random.below(below - 1),
        _ if marked + below < nodes.len() => {
            marked + below + random.below(nodes.len() - marked - below)
        }
        _ => return claim.clone(),
    };
    // The later node first, so that the number of the earlier one stays what it is.
    let root = replace(&claim.root, &mut (target as isize), &again);
    let mut after = Vec::new();
    collect(&root, &mut after);
    let mark = Rc::new(Node::Keep(after[marked].clone()));
    let root = replace(&root, &mut (marked as isize), &mark);
    Certificate { root, ..claim.clone() }
}
