//! The rules of certificates, word by word.
//!
//! The rules of docs/certificate.md with explicit sets and no cleverness: a zone is a set of
//! squares and, for every segment in it, the least level at which it occurs; threats are found by
//! looking at all segments; every move of Defender is written down and looked at. The trusted
//! checker must give the same verdict on every well-formed file.
//!
//! An unbounded board is cut to a finite one first, as the section on unbounded boards allows:
//! empty stretches of columns and rows, the outer margins among them, keep a width of (t + 2) k.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::certificate::{Certificate, Node, Square};
use crate::parse::parse;
use crate::rules::Game;

/// Boards with more squares are left to other checkers.
const SQUARES_MAX: usize = 4_096;

/// Nodes with more Defender moves are left to other checkers.
const MOVES_MAX: usize = 3_000_000;

/// The side that is to move, as a proof sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The side that is claimed to win.
    Attacker,
    /// The other one.
    Defender,
}

/// Why a file was not verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Not a certificate.
    Unreadable(String),
    /// A certificate that proves nothing.
    Rejected(String),
    /// Too large for a checker that tries everything: no verdict.
    TooLarge,
}

/// k squares in a row, by their indices.
#[derive(Clone, Debug)]
pub struct Segment {
    /// The squares from one end to the other.
    pub squares: Vec<usize>,
    /// The squares just beyond the two ends, as far as they are on the board.
    pub beyond: Vec<usize>,
}

/// The board: squares have indices, row by row.
#[derive(Clone, Debug)]
pub struct Board {
    /// The rules.
    pub game: Game,
    /// All segments.
    pub segments: Vec<Segment>,
    columns: Axis,
    rows: Axis,
}

/// A node's position: the stones and the move at hand.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The stone on every square.
    pub stones: Vec<Option<Role>>,
    /// The side whose move it is.
    pub to_move: Role,
    /// t, the stones to place in this move.
    pub count: usize,
}

/// The zone of a node: what its proof depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Zone {
    /// A: no extra Defender stone may be here.
    pub squares: BTreeSet<usize>,
    /// For each segment of some Si the least such i, always at least 1.
    pub levels: BTreeMap<usize, usize>,
}

/// A node of a verified certificate.
#[derive(Clone, Debug)]
pub struct Visited {
    /// Its position.
    pub state: State,
    /// Its zone.
    pub zone: Zone,
}

/// A verified certificate, with all its nodes in the order in which they were finished.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The certificate.
    pub certificate: Certificate,
    /// The board on which it was checked.
    pub board: Board,
    /// Its nodes; the root is the last.
    pub visited: Vec<Visited>,
}

/// Reads and checks a file.
pub fn check_bytes(bytes: &[u8]) -> Result<Checked, Refusal> {
    check(&parse(bytes).map_err(Refusal::Unreadable)?)
}

/// Checks a certificate that was read.
pub fn check(certificate: &Certificate) -> Result<Checked, Refusal> {
    let t_max = certificate.game.p.max(certificate.count);
    let board = Board::new(certificate.game, t_max, &certificate.named_squares())?;
    let to_move = match certificate.to_move == certificate.attacker {
        true => Role::Attacker,
        false => Role::Defender,
    };
    let mut state = board.empty(to_move, certificate.count);
    let black = match certificate.attacker {
        crate::rules::Color::Black => Role::Attacker,
        crate::rules::Color::White => Role::Defender,
    };
    let white = if black == Role::Attacker { Role::Defender } else { Role::Attacker };
    for (role, squares) in [(black, &certificate.black), (white, &certificate.white)] {
        state = state.with(role, &board.indices(squares)?)?;
    }
    for (index, _) in board.segments.iter().enumerate() {
        let attacker = board.attacker_empties(&state, index);
        let defender = board.defender_empties(&state, index);
        if [attacker, defender].into_iter().flatten().any(|empties| empties.is_empty()) {
            return rejected("the game is over at the root");
        }
    }
    let mut walk = Walk { board: &board, kept: Vec::new(), visited: Vec::new() };
    walk.node(&certificate.root, &state)?;
    let visited = walk.visited;
    Ok(Checked { certificate: certificate.clone(), board, visited })
}

fn rejected<T>(reason: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::Rejected(reason.into()))
}

/// Follows the tree of nodes.
struct Walk<'a> {
    board: &'a Board,
    /// The marked nodes: their positions, and their zones once they are finished.
    kept: Vec<(State, Option<Zone>)>,
    visited: Vec<Visited>,
}

impl Walk<'_> {
    fn node(&mut self, node: &Node, state: &State) -> Result<Zone, Refusal> {
        let board = self.board;
        let zone = match node {
            Node::Win(squares) => board.win(state, &board.indices(squares)?)?,
            Node::Attack(squares, child) => {
                let squares = board.indices(squares)?;
                let next = board.after_attack(state, &squares)?;
                let zone = self.node(child, &next)?;
                board.attack(&squares, zone)
            }
            Node::Defend(named, replies) => {
                let relied = match named {
                    None => board.threats(state),
                    Some(named) => board.named_threats(state, named)?,
                };
                let mut proved = Vec::new();
                for reply in replies {
                    let squares = board.indices(&reply.squares)?;
                    let next = board.after_reply(state, &squares)?;
                    let slack = reply.slack.unwrap_or(state.count.saturating_sub(squares.len()));
                    let zone = self.node(&reply.child, &next)?;
                    proved.push(Proved { squares, slack, zone });
                }
                board.defend(state, &relied, &proved)?
            }
            Node::Keep(node) => {
                let number = self.kept.len();
                self.kept.push((state.clone(), None));
                let zone = self.node(node, state)?;
                self.kept[number].1 = Some(zone.clone());
                zone
            }
            Node::Again(number) => match self.kept.get(*number) {
                Some((kept, Some(zone))) if kept == state => zone.clone(),
                Some((_, Some(_))) => return rejected("another position is cited"),
                Some((_, None)) => return rejected("an unfinished node is cited"),
                None => return rejected("no such mark"),
            },
        };
        self.visited.push(Visited { state: state.clone(), zone: zone.clone() });
        Ok(zone)
    }
}

/// A reply whose child has been checked.
#[derive(Clone, Debug)]
pub struct Proved {
    /// R.
    pub squares: Vec<usize>,
    /// u.
    pub slack: usize,
    /// Σ(child).
    pub zone: Zone,
}

impl Proved {
    /// Whether this reply covers the move: at most u of its stones are not in R, and those are
    /// clear of the zone of the child.
    pub fn covers(&self, board: &Board, defence: &[usize]) -> bool {
        let rest: Vec<usize> =
            defence.iter().copied().filter(|s| !self.squares.contains(s)).collect();
        rest.len() <= self.slack && self.zone.is_clear(board, &rest)
    }
}

impl Zone {
    /// Whether the set E of empty squares is clear of the zone.
    pub fn is_clear(&self, board: &Board, extra: &[usize]) -> bool {
        let shared = |segment: usize| {
            let squares = &board.segments[segment].squares;
            extra.iter().filter(|s| squares.contains(s)).count()
        };
        extra.iter().all(|s| !self.squares.contains(s))
            && self.levels.iter().all(|(&g, &level)| extra.len() < level || shared(g) < level)
    }

    /// Union.
    fn unite(&mut self, other: &Zone) {
        self.squares.extend(&other.squares);
        for (&segment, &level) in &other.levels {
            self.put(segment, level);
        }
    }

    /// Puts a segment into `S(level)` and all sets above.
    fn put(&mut self, segment: usize, level: usize) {
        assert!(level >= 1);
        let least = self.levels.entry(segment).or_insert(level);
        *least = (*least).min(level);
    }

    /// Shift by u stones: S(i + u) becomes Si.
    fn shifted(&self, u: usize) -> Zone {
        let lower = |(&g, &level): (&usize, &usize)| (g, level.saturating_sub(u).max(1));
        Zone { squares: self.squares.clone(), levels: self.levels.iter().map(lower).collect() }
    }
}

impl State {
    /// The squares without a stone.
    pub fn empties(&self) -> Vec<usize> {
        (0..self.stones.len()).filter(|&s| self.stones[s].is_none()).collect()
    }

    /// More stones of one side, on empty squares.
    fn with(&self, role: Role, squares: &[usize]) -> Result<State, Refusal> {
        let mut next = self.clone();
        for &square in squares {
            if next.stones[square].replace(role).is_some() {
                return rejected("a stone on a stone");
            }
        }
        Ok(next)
    }
}

impl Board {
    /// The empty board with the side to move.
    pub fn empty(&self, to_move: Role, count: usize) -> State {
        let squares = self.columns.len * self.rows.len;
        State { stones: vec![None; squares], to_move, count }
    }

    /// empties(G) if the segment is active for the side: the other one has no stone in it.
    fn active(&self, state: &State, side: Role, segment: usize) -> Option<Vec<usize>> {
        let squares = &self.segments[segment].squares;
        if squares.iter().any(|&s| state.stones[s].is_some_and(|stone| stone != side)) {
            return None;
        }
        Some(squares.iter().copied().filter(|&s| state.stones[s].is_none()).collect())
    }

    /// empties(H) if Attacker may win with this segment; under the exact rule no stone of his is
    /// just beyond an end.
    pub fn attacker_empties(&self, state: &State, segment: usize) -> Option<Vec<usize>> {
        let beyond = &self.segments[segment].beyond;
        let longer = beyond.iter().any(|&s| state.stones[s] == Some(Role::Attacker));
        if self.game.exact && longer {
            return None;
        }
        self.active(state, Role::Attacker, segment)
    }

    /// empties(G) if Defender might win with this segment; his overlines always count.
    pub fn defender_empties(&self, state: &State, segment: usize) -> Option<Vec<usize>> {
        self.active(state, Role::Defender, segment)
    }

    /// The threats of Attacker in a position with Defender to move.
    pub fn threats(&self, state: &State) -> Vec<usize> {
        (0..self.segments.len()).filter(|&h| self.is_threat(state, h)).collect()
    }

    fn is_threat(&self, state: &State, segment: usize) -> bool {
        self.attacker_empties(state, segment).is_some_and(|e| e.len() <= self.game.p)
    }

    /// The threats with these end squares.
    fn named_threats(
        &self,
        state: &State,
        named: &[(Square, Square)],
    ) -> Result<Vec<usize>, Refusal> {
        let mut relied = Vec::new();
        for &(a, b) in named {
            let ends = self.indices(&[a, b])?;
            let is_named = |&h: &usize| {
                let squares = &self.segments[h].squares;
                let (first, last) = (squares[0], squares[squares.len() - 1]);
                ends == [first, last] || ends == [last, first]
            };
            let segments = 0..self.segments.len();
            match segments.filter(is_named).find(|&h| self.is_threat(state, h)) {
                Some(threat) => relied.push(threat),
                None => return rejected("the segment that is named is not a threat"),
            }
        }
        Ok(relied)
    }

    /// Attacker to move, winning now.
    pub fn win(&self, state: &State, squares: &[usize]) -> Result<Zone, Refusal> {
        if state.to_move != Role::Attacker {
            return rejected("W, but Defender is to move");
        }
        let played: BTreeSet<usize> = squares.iter().copied().collect();
        let completes = |h: usize| {
            self.attacker_empties(state, h).is_some_and(|e| played == e.into_iter().collect())
        };
        if squares.len() > state.count || !(0..self.segments.len()).any(completes) {
            return rejected("the move does not complete a segment");
        }
        let mut zone = Zone { squares: played, levels: BTreeMap::new() };
        for g in 0..self.segments.len() {
            if let Some(empties) = self.defender_empties(state, g) {
                if empties.is_empty() {
                    return rejected("Defender has a row already");
                }
                if empties.iter().all(|s| !zone.squares.contains(s)) {
                    zone.put(g, empties.len());
                }
            }
        }
        Ok(zone)
    }

    /// The position after a move of Attacker.
    pub fn after_attack(&self, state: &State, squares: &[usize]) -> Result<State, Refusal> {
        if state.to_move != Role::Attacker {
            return rejected("A, but Defender is to move");
        }
        let mut next = state.with(Role::Attacker, squares)?;
        if squares.len() != state.count.min(state.empties().len()) {
            return rejected("a move has all its stones");
        }
        next.to_move = Role::Defender;
        next.count = self.game.p;
        Ok(next)
    }

    /// Attacker to move: the zone of the child with the move added to its squares.
    pub fn attack(&self, squares: &[usize], mut child: Zone) -> Zone {
        child.squares.extend(squares);
        child
    }

    /// The position after a reply of Defender.
    pub fn after_reply(&self, state: &State, squares: &[usize]) -> Result<State, Refusal> {
        if state.to_move != Role::Defender {
            return rejected("D, but Attacker is to move");
        }
        let mut next = state.with(Role::Defender, squares)?;
        next.to_move = Role::Attacker;
        next.count = self.game.p;
        Ok(next)
    }

    /// The moves of Defender that block all of these threats.
    pub fn blocking_moves(
        &self,
        state: &State,
        relied: &[usize],
    ) -> Result<Vec<Vec<usize>>, Refusal> {
        let open: Vec<Vec<usize>> = relied
            .iter()
            .map(|&h| self.attacker_empties(state, h).expect("threats are active"))
            .collect();
        let empties = state.empties();
        let size = state.count.min(empties.len());
        if binomial(empties.len(), size) > MOVES_MAX {
            return Err(Refusal::TooLarge);
        }
        let mut moves = Vec::new();
        each_subset(&empties, size, &mut Vec::new(), &mut |defence| {
            if open.iter().all(|h| h.iter().any(|s| defence.contains(s))) {
                moves.push(defence.to_vec());
            }
        });
        Ok(moves)
    }

    /// Defender to move, relying on these threats and answering with these replies.
    pub fn defend(
        &self,
        state: &State,
        relied: &[usize],
        replies: &[Proved],
    ) -> Result<Zone, Refusal> {
        if state.to_move != Role::Defender {
            return rejected("D, but Attacker is to move");
        }
        for defence in self.blocking_moves(state, relied)? {
            if !replies.iter().any(|reply| reply.covers(self, &defence)) {
                return rejected(format!("the move {defence:?} is not covered"));
            }
        }
        let mut zone = Zone::default();
        for reply in replies {
            zone.unite(&reply.zone.shifted(reply.slack));
        }
        let open = relied.iter().map(|&h| self.attacker_empties(state, h).expect("active"));
        let open: Vec<Vec<usize>> = open.collect();
        zone.squares.extend(open.iter().flatten());
        for g in 0..self.segments.len() {
            let Some(empties) = self.defender_empties(state, g) else { continue };
            let misses = |h: &Vec<usize>| h.iter().all(|s| !empties.contains(s));
            if open.iter().any(misses) {
                if empties.len() <= state.count {
                    return rejected("Defender completes a row");
                }
                zone.put(g, empties.len() - state.count);
            }
        }
        Ok(zone)
    }
}

/// The columns or the rows of a board: where a coordinate of the file is found.
#[derive(Clone, Debug)]
struct Axis {
    len: usize,
    /// On an unbounded board, the place of every named coordinate.
    places: Option<HashMap<i64, usize>>,
}

impl Axis {
    fn bounded(len: usize) -> Axis {
        Axis { len, places: None }
    }

    /// An axis on which empty stretches are at most `width` wide.
    fn shortened(mut named: Vec<i64>, width: usize) -> Axis {
        named.sort();
        named.dedup();
        let mut places = HashMap::new();
        let mut place = width;
        for (i, &coordinate) in named.iter().enumerate() {
            if i > 0 {
                place += ((coordinate - named[i - 1]) as usize).min(width + 1);
            }
            places.insert(coordinate, place);
        }
        Axis { len: place + width + 1, places: Some(places) }
    }

    fn place(&self, coordinate: i64) -> Option<usize> {
        match &self.places {
            Some(places) => places.get(&coordinate).copied(),
            None => usize::try_from(coordinate).ok().filter(|&place| place < self.len),
        }
    }
}

impl Board {
    /// The board of a game; `t_max` and the named squares matter if it is unbounded.
    pub fn new(game: Game, t_max: usize, named: &[Square]) -> Result<Board, Refusal> {
        let (columns, rows) = if game.cols == 0 {
            let width = (t_max + 2).checked_mul(game.k).ok_or(Refusal::TooLarge)?;
            (
                Axis::shortened(named.iter().map(|s| s.x).collect(), width),
                Axis::shortened(named.iter().map(|s| s.y).collect(), width),
            )
        } else {
            (Axis::bounded(game.cols), Axis::bounded(game.rows))
        };
        if columns.len.saturating_mul(rows.len) > SQUARES_MAX || game.k > SQUARES_MAX {
            return Err(Refusal::TooLarge);
        }
        let mut board = Board { game, segments: Vec::new(), columns, rows };
        let (cols, rows) = (board.columns.len as i64, board.rows.len as i64);
        for (y, x) in (0..rows).flat_map(|y| (0..cols).map(move |x| (y, x))) {
            for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let at = |i: i64| {
                    let (x, y) = (x + i * dx, y + i * dy);
                    let inside = (0..cols).contains(&x) && (0..rows).contains(&y);
                    inside.then_some((y * cols + x) as usize)
                };
                let k = game.k as i64;
                if let Some(squares) = (0..k).map(at).collect() {
                    let beyond = [at(-1), at(k)].into_iter().flatten().collect();
                    board.segments.push(Segment { squares, beyond });
                }
            }
        }
        Ok(board)
    }

    /// The indices of squares of the file; they are distinct.
    pub fn indices(&self, squares: &[Square]) -> Result<Vec<usize>, Refusal> {
        let mut list = Vec::new();
        for square in squares {
            let (x, y) = (self.columns.place(square.x), self.rows.place(square.y));
            match x.zip(y).map(|(x, y)| y * self.columns.len + x) {
                None => return rejected("off the board"),
                Some(index) => list.push(index),
            }
        }
        Ok(list)
    }
}

/// Calls `visit` with every subset of `items` that has `size` of them.
fn each_subset(
    items: &[usize],
    size: usize,
    chosen: &mut Vec<usize>,
    visit: &mut impl FnMut(&[usize]),
) {
    if size == 0 {
        return visit(chosen);
    }
    for (i, &item) in items.iter().enumerate() {
        chosen.push(item);
        each_subset(&items[i + 1..], size - 1, chosen, visit);
        chosen.pop();
    }
}

/// n over k, or a very large number.
fn binomial(n: usize, k: usize) -> usize {
    let mut value: usize = 1;
    for i in 0..k.min(n - k) {
        value = match value.checked_mul(n - i) {
            Some(product) => product / (i + 1),
            None => return usize::MAX,
        };
    }
    value
}
