//! Provers that write certificates of tiny games.
//!
//! The minimax knows which moves win; the prover writes them down, in one of many styles drawn at
//! random: all replies enumerated or those left out that zones cover; null moves, semi-nulls and
//! macros first; stated slack; some, all or none of the threats relied on; equal positions marked
//! and cited; everything in random order. A prover is as honest as the solver it asks:
//! [`crate::liars`] gives it false ones.

use std::collections::HashMap;
use std::rc::Rc;

use crate::certificate::{Certificate, Node, Reply, Square};
use crate::literal::{Board, Proved, Role, State, Zone};
use crate::random::Random;
use crate::rules::{Color, Game, Position, squares, subsets};
use crate::solve::Solver;

/// The number of nodes beyond which a certificate is shared wherever possible.
const NODES_MAX: usize = 400;

/// The habits of a prover, in percent.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Tries the null move first.
    pub null: usize,
    /// Tries a few semi-null moves.
    pub semi_null: usize,
    /// Tries macros: all the blocks at once, or a move and something more.
    pub macros: usize,
    /// States a slack that may be anything.
    pub slack: usize,
    /// Relies on a random choice of threats only.
    pub rely: usize,
    /// Leaves out replies that are covered (at every node, or at none).
    pub guided: bool,
    /// Plays on although there is a row to complete.
    pub dawdle: usize,
    /// Marks and cites positions that recur.
    pub share: usize,
}

impl Style {
    /// Enumerates every reply and does nothing else.
    pub const PLAIN: Style = Style {
        null: 0,
        semi_null: 0,
        macros: 0,
        slack: 0,
        rely: 0,
        guided: false,
        dawdle: 0,
        share: 0,
    };

    /// Any style.
    pub fn random(random: &mut Random) -> Style {
        let mut percent = || *random.pick(&[0, 0, 30, 70, 100]);
        Style {
            null: percent(),
            semi_null: percent(),
            macros: percent(),
            slack: percent(),
            rely: percent(),
            guided: percent() > 0,
            dawdle: percent() / 4,
            share: percent(),
        }
    }
}

/// A prover at work on one certificate.
#[derive(Debug)]
pub struct Prover<'a> {
    solver: &'a mut Solver,
    random: &'a mut Random,
    attacker: Color,
    style: Style,
    board: Board,
    done: HashMap<Position, (Rc<Node>, Zone)>,
}

/// Proves that `attacker` wins the position, if `solver` says so. If it does not, the certificate
/// leaves out what cannot be proved, and is false.
pub fn prove(
    solver: &mut Solver,
    attacker: Color,
    position: &Position,
    style: Style,
    random: &mut Random,
) -> Certificate {
    let game = solver.rules.game;
    let board = Board::new(game, game.p, &[]).expect("tiny boards are not too large");
    let mut prover = Prover { solver, random, attacker, style, board, done: HashMap::new() };
    let (root, _) = prover.node(position);
    let certificate = certificate(game, attacker, position, root);
    share(&certificate, style.share, random)
}

/// A certificate of the claim that `attacker` wins `position`.
pub fn certificate(
    game: Game,
    attacker: Color,
    position: &Position,
    root: Rc<Node>,
) -> Certificate {
    Certificate {
        game,
        attacker,
        black: names(game, position.black),
        white: names(game, position.white),
        to_move: position.to_move,
        count: position.left,
        root,
    }
}

/// The squares of a mask.
pub fn names(game: Game, mask: u64) -> Vec<Square> {
    let (x, y) = (|s: u32| s as usize % game.cols, |s: u32| s as usize / game.cols);
    squares(mask).into_iter().map(|s| Square { x: x(s) as i64, y: y(s) as i64 }).collect()
}

fn indices(mask: u64) -> Vec<usize> {
    squares(mask).into_iter().map(|s| s as usize).collect()
}

fn mask(indices: &[usize]) -> u64 {
    indices.iter().fold(0, |m, s| m | 1 << s)
}

impl Prover<'_> {
    fn node(&mut self, position: &Position) -> (Rc<Node>, Zone) {
        if let Some(done) = self.done.get(position) {
            return done.clone();
        }
        let (node, zone) = match position.to_move == self.attacker {
            true => self.attack(position),
            false => self.defend(position),
        };
        self.done.insert(*position, (Rc::new(node), zone));
        self.done[position].clone()
    }

    /// The squares of a mask, in any order.
    fn shuffled(&mut self, mask: u64) -> Vec<Square> {
        let mut list = names(self.solver.rules.game, mask);
        self.random.shuffle(&mut list);
        list
    }

    /// The position as the reference checker sees it.
    fn state(&self, position: &Position) -> State {
        let attacks = position.to_move == self.attacker;
        let role = if attacks { Role::Attacker } else { Role::Defender };
        let mut state = self.board.empty(role, position.left);
        for square in squares(position.stones(self.attacker)) {
            state.stones[square as usize] = Some(Role::Attacker);
        }
        for square in squares(position.stones(self.attacker.other())) {
            state.stones[square as usize] = Some(Role::Defender);
        }
        state
    }

    /// The position after a whole move, real or imagined.
    fn after(&self, position: &Position, stones: u64) -> Position {
        let mut next = position.with(position.to_move, stones);
        next.to_move = position.to_move.other();
        next.left = self.solver.rules.game.p;
        next
    }

    fn attack(&mut self, position: &Position) -> (Node, Zone) {
        let state = self.state(position);
        let attacker = self.attacker;
        let rows = self.solver.rules.completions(attacker, position, position.left);
        let dawdles = self.random.chance(self.style.dawdle);
        if !rows.is_empty() && !dawdles {
            return self.win(&state, &rows);
        }
        let empties = self.solver.rules.empties(position);
        let size = position.left.min(empties.count_ones() as usize);
        let mut moves = subsets(empties, size);
        self.random.shuffle(&mut moves);
        let good = moves.iter().copied().find(|&stones| {
            let next = self.after(position, stones);
            !self.solver.rules.has_line(attacker, next.stones(attacker))
                && self.solver.wins(attacker, &next)
        });
        if good.is_none() && !rows.is_empty() {
            return self.win(&state, &rows);
        }
        let stones = good.unwrap_or(moves[0]);
        let (child, zone) = self.node(&self.after(position, stones));
        let zone = self.board.attack(&indices(stones), zone);
        (Node::Attack(self.shuffled(stones), child), zone)
    }

    fn win(&mut self, state: &State, rows: &[u64]) -> (Node, Zone) {
        let row = *self.random.pick(rows);
        let zone = self.board.win(state, &indices(row)).unwrap_or_default();
        (Node::Win(self.shuffled(row)), zone)
    }

    fn defend(&mut self, position: &Position) -> (Node, Zone) {
        let state = self.state(position);
        let mut relied = self.board.threats(&state);
        let chooses = self.random.chance(self.style.rely);
        if chooses {
            let percent = *self.random.pick(&[0, 50, 80]);
            relied.retain(|_| self.random.chance(percent));
        }
        let mut moves: Vec<u64> = self
            .board
            .blocking_moves(&state, &relied)
            .expect("tiny boards have few moves")
            .iter()
            .map(|defence| mask(defence))
            .collect();
        self.random.shuffle(&mut moves);
        let mut replies = Vec::new();
        let mut proved = Vec::new();
        for first in self.first_replies(position, &relied, &state) {
            self.reply(position, first, &mut replies, &mut proved);
        }
        for defence in moves {
            let indices = indices(defence);
            if self.style.guided && proved.iter().any(|r| r.covers(&self.board, &indices)) {
                continue;
            }
            let more = self.solver.rules.empties(position) & !defence;
            let extra = self.random.subset(more, 30);
            if !self.random.chance(self.style.macros / 2)
                || !self.reply(position, defence | extra, &mut replies, &mut proved)
            {
                self.reply(position, defence, &mut replies, &mut proved);
            }
        }
        let zone = self.board.defend(&state, &relied, &proved).unwrap_or_default();
        self.random.shuffle(&mut replies);
        let named = chooses.then(|| self.threat_names(&relied));
        (Node::Defend(named, replies), zone)
    }

    /// Nulls, semi-nulls and macros to try before the real moves.
    fn first_replies(&mut self, position: &Position, relied: &[usize], state: &State) -> Vec<u64> {
        let empties = self.solver.rules.empties(position);
        let mut list = Vec::new();
        if self.random.chance(self.style.null) {
            list.push(0);
        }
        if self.random.chance(self.style.semi_null) {
            for _ in 0..3 {
                let some = self.random.subset(empties, 20);
                if (some.count_ones() as usize) < position.left {
                    list.push(some);
                }
            }
        }
        if self.random.chance(self.style.macros) {
            let blocks = relied.iter().filter_map(|&h| self.board.attacker_empties(state, h));
            list.push(mask(&blocks.flatten().collect::<Vec<usize>>()));
            list.push(self.random.subset(empties, 60));
        }
        list
    }

    /// Adds a reply if Attacker wins after it.
    fn reply(
        &mut self,
        position: &Position,
        stones: u64,
        replies: &mut Vec<Reply>,
        proved: &mut Vec<Proved>,
    ) -> bool {
        let next = self.after(position, stones);
        if !self.solver.wins(self.attacker, &next) {
            return false;
        }
        let (child, zone) = self.node(&next);
        let left_open = position.left.saturating_sub(stones.count_ones() as usize);
        let stated = self.random.chance(self.style.slack);
        let slack = stated.then(|| self.random.below(position.left + 2));
        let slack = slack.filter(|&u| u != left_open);
        let squares = self.shuffled(stones);
        proved.push(Proved { squares: indices(stones), slack: slack.unwrap_or(left_open), zone });
        replies.push(Reply { squares, slack, child });
        true
    }

    /// The end squares of threats, in any order.
    fn threat_names(&mut self, relied: &[usize]) -> Vec<(Square, Square)> {
        let game = self.solver.rules.game;
        let name = |s: usize| names(game, 1 << s)[0];
        let mut list = Vec::new();
        for &h in relied {
            let row = &self.board.segments[h].squares;
            let (a, b) = (name(row[0]), name(row[row.len() - 1]));
            list.push(if self.random.chance(50) { (a, b) } else { (b, a) });
        }
        self.random.shuffle(&mut list);
        list
    }
}

/// Marks and cites nodes whose position recurs: with the given chance, or always if the certificate
/// would otherwise be too large.
pub fn share(certificate: &Certificate, percent: usize, random: &mut Random) -> Certificate {
    let large = size(&certificate.root, &mut HashMap::new()) > NODES_MAX;
    let percent = if large { 100 } else { percent };
    let root = Place {
        stones: [certificate.black.clone(), certificate.white.clone()],
        to_move: certificate.to_move,
        count: certificate.count,
    };
    let mut counts = HashMap::new();
    count_places(&certificate.root, &root, certificate.game.p, &mut counts);
    let p = certificate.game.p;
    let mut sharing = Sharing { p, percent, random, counts, marks: 0, finished: HashMap::new() };
    let shared = sharing.node(&certificate.root, root);
    Certificate { root: shared, ..certificate.clone() }
}

/// The number of nodes when nothing is shared.
fn size(node: &Rc<Node>, known: &mut HashMap<*const Node, usize>) -> usize {
    if let Some(&size) = known.get(&Rc::as_ptr(node)) {
        return size;
    }
    let below = node.children().iter().fold(1usize, |n, c| n.saturating_add(size(c, known)));
    known.insert(Rc::as_ptr(node), below);
    below
}

/// A position in a file: stones in ascending order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Place {
    stones: [Vec<Square>; 2],
    to_move: Color,
    count: usize,
}

impl Place {
    fn after(&self, squares: &[Square], p: usize) -> Place {
        let mut next = self.clone();
        let own = &mut next.stones[self.to_move as usize];
        own.extend(squares);
        own.sort();
        next.to_move = self.to_move.other();
        next.count = p;
        next
    }
}

/// The number of times that each position is reached, looking only once below each.
fn count_places(node: &Node, place: &Place, p: usize, counts: &mut HashMap<Place, usize>) {
    let count = counts.entry(place.clone()).or_insert(0);
    *count += 1;
    if *count > 1 {
        return;
    }
    match node {
        Node::Attack(squares, child) => count_places(child, &place.after(squares, p), p, counts),
        Node::Defend(_, replies) => {
            for reply in replies {
                count_places(&reply.child, &place.after(&reply.squares, p), p, counts);
            }
        }
        Node::Win(_) | Node::Keep(_) | Node::Again(_) => {}
    }
}

struct Sharing<'a> {
    p: usize,
    percent: usize,
    random: &'a mut Random,
    counts: HashMap<Place, usize>,
    marks: usize,
    finished: HashMap<Place, usize>,
}

impl Sharing<'_> {
    fn node(&mut self, node: &Node, place: Place) -> Rc<Node> {
        if let Some(&number) = self.finished.get(&place) {
            return Rc::new(Node::Again(number));
        }
        let recurs = self.counts.get(&place).is_some_and(|&count| count > 1);
        let mark = (recurs && self.random.chance(self.percent)).then_some(self.marks);
        if mark.is_some() {
            self.marks += 1;
        }
        let p = self.p;
        let copy = Rc::new(match node {
            Node::Attack(squares, child) => {
                Node::Attack(squares.clone(), self.node(child, place.after(squares, p)))
            }
            Node::Defend(named, replies) => {
                let mut shared = Vec::new();
                for reply in replies {
                    let child = self.node(&reply.child, place.after(&reply.squares, p));
                    shared.push(Reply { child, ..reply.clone() });
                }
                Node::Defend(named.clone(), shared)
            }
            other => other.clone(),
        });
        match mark {
            None => copy,
            Some(number) => {
                self.finished.insert(place, number);
                Rc::new(Node::Keep(copy))
            }
        }
    }
}
