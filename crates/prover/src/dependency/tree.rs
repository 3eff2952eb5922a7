//! The two stages of the search, and what it makes of the nodes that win.

use std::collections::{BTreeMap, BTreeSet};

use sixproof_certificate::Claim;

use super::board::{Board, Cell, Side};
use super::element::{self, Element};
use super::listing::{ThreatKind, ThreatNode, ThreatTree};
use super::schedule::{self, Part};
use super::threat;
use super::{Found, Limits, SEQUENCES_MAX, Sequence, prove};

/// The nodes that one certificate may take: at most, and at least when earlier ones took many.
const PROOF_NODES: (u32, u32) = (300, 30);
/// The nodes that all certificates together may take for each node of the tree.
const PROOF_NODES_PER_NODE: u64 = 3;

/// A node: a threat, an element or a combination.
struct Item {
    kind: ThreatKind,
    depth: u32,
    parents: Vec<usize>,
    gain: Vec<Cell>,
    cost: Vec<Cell>,
    /// What depends on this node needs a square of each of these groups.
    groups: Vec<Vec<Cell>>,
    /// Every threat that is played on the way to this node, itself included, in ascending order; a
    /// combination is not a threat.
    played: Vec<usize>,
}

/// A search under way.
pub(super) struct Search<'a> {
    claim: &'a Claim,
    limits: Limits,
    board: Board,
    items: Vec<Item>,
    /// The pairs that are combined already, by threats played and groups.
    seen: BTreeSet<(Vec<usize>, Vec<Vec<Cell>>)>,
    /// With several stones a move: the sets of stones reached by dependency.
    reached: BTreeSet<Vec<Cell>>,
    sequences: Vec<Sequence>,
    /// The sequences that were tried already.
    tried: BTreeSet<Vec<Vec<Cell>>>,
    proof_nodes: u64,
    proved: bool,
    complete: bool,
}

impl<'a> Search<'a> {
    pub(super) fn new(claim: &'a Claim, limits: Limits, board: Board) -> Search<'a> {
        Search {
            claim,
            limits,
            board,
            items: Vec::new(),
            seen: BTreeSet::new(),
            reached: BTreeSet::new(),
            sequences: Vec::new(),
            tried: BTreeSet::new(),
            proof_nodes: limits.nodes_max.saturating_mul(PROOF_NODES_PER_NODE),
            proved: false,
            complete: true,
        }
    }

    /// Stage after stage, until a win is proved or nothing new appears.
    pub(super) fn run(mut self) -> Found {
        if self.wins_at_once() {
            return self.found();
        }
        self.expand(None);
        let (mut expanded, mut combined) = (0, 0);
        while expanded < self.items.len() {
            expanded = self.depend(expanded);
            if self.proved || !self.complete {
                break;
            }
            let first_new = combined;
            combined = self.items.len();
            self.combine(first_new);
        }
        self.found()
    }

    fn found(self) -> Found {
        let board = &self.board;
        let node = |item: &Item| ThreatNode {
            kind: item.kind,
            depth: item.depth,
            parent: item.parents.first().copied(),
            partner: item.parents.get(1).copied(),
            gain: board.squares(&item.gain),
            cost: board.squares(&item.cost),
        };
        let nodes: Vec<ThreatNode> = self.items.iter().map(node).collect();
        Found {
            nodes: nodes.len() as u64,
            complete: self.complete,
            tree: ThreatTree { nodes },
            sequences: self.sequences,
        }
    }

    fn has_one_stone(&self) -> bool {
        self.board.game.p() == 1
    }

    /// The stones that Attacker places first.
    fn stones(&self) -> u32 {
        match self.claim.attacker_moves() {
            true => self.claim.position.left(),
            false => self.board.game.p(),
        }
    }

    /// With several stones a move: a segment that the move at hand completes.
    fn wins_at_once(&mut self) -> bool {
        let stones = self.stones();
        let fits = |&&l: &&usize| self.board.open(l) <= stones;
        let Some(line) = self.board.threats().iter().find(fits).copied() else { return false };
        if self.has_one_stone() {
            return false;
        }
        let gain = self.board.empties(line);
        self.push(ThreatKind::Five, Vec::new(), gain.clone(), Vec::new(), Vec::new());
        self.report(vec![0], vec![gain], 0);
        self.proved
    }

    /// Adds a node, unless there are too many.
    fn push(
        &mut self,
        kind: ThreatKind,
        parents: Vec<usize>,
        gain: Vec<Cell>,
        cost: Vec<Cell>,
        groups: Vec<Vec<Cell>>,
    ) -> Option<usize> {
        if self.items.len() as u64 >= self.limits.nodes_max {
            self.complete = false;
            return None;
        }
        let index = self.items.len();
        let mut played: Vec<usize> =
            parents.iter().flat_map(|&i| self.items[i].played.clone()).collect();
        if kind != ThreatKind::Combination {
            played.push(index);
        }
        played.sort_unstable();
        played.dedup();
        let depth = parents.first().map_or(1, |&i| self.items[i].depth + 1);
        self.items.push(Item { kind, depth, parents, gain, cost, groups, played });
        Some(index)
    }

    /// Dependency stage: the nodes from `first` on and all that follow from them, generation by
    /// generation. With one stone a move the generation of the first proof is finished, so that the
    /// tree is the one of the paper's table. With several stones the threats are too many to wait
    /// for: combinations get their turn after every generation. Returns the first node not looked
    /// at.
    fn depend(&mut self, first: usize) -> usize {
        let mut generation = first..self.items.len();
        while !generation.is_empty() && !self.proved {
            for index in generation.clone() {
                let enough = self.proved && !self.has_one_stone();
                if self.complete && !enough && !self.items[index].kind.is_winning() {
                    self.expand(Some(index));
                }
            }
            generation = generation.end..self.items.len();
            if !self.has_one_stone() {
                break;
            }
        }
        generation.start
    }

    /// Plays all stones on the way to a node.
    fn set(&mut self, played: &[usize]) {
        for &i in played {
            self.board.place_all(&self.items[i].gain, Side::Attacker);
            self.board.place_all(&self.items[i].cost, Side::Defender);
        }
    }

    fn reset(&mut self, played: &[usize]) {
        for &i in played {
            self.board.remove_all(&self.items[i].gain);
            self.board.remove_all(&self.items[i].cost);
        }
    }

    /// The threats that depend on a node, or those of the position.
    fn expand(&mut self, parent: Option<usize>) {
        let (played, groups) = match parent {
            Some(i) => (self.items[i].played.clone(), self.items[i].groups.clone()),
            None => Default::default(),
        };
        let parents: Vec<usize> = parent.into_iter().collect();
        self.set(&played);
        if self.has_one_stone() {
            let threats = threat::threats(&self.board, &groups.concat(), self.limits.threes);
            self.reset(&played);
            for t in threats {
                let groups = vec![vec![t.gain]];
                let new = self.push(t.kind, parents.clone(), vec![t.gain], t.cost, groups);
                new.into_iter().for_each(|i| self.judge_threats(i));
            }
        } else {
            let elements = element::elements(&mut self.board, &groups);
            let overloads = self.overloads(&elements);
            self.reset(&played);
            for cells in overloads {
                let kind = ThreatKind::Overload(self.board.game.p() + 1);
                let new = self.push(kind, parents.clone(), cells, Vec::new(), Vec::new());
                new.into_iter().for_each(|i| self.judge_elements(i));
            }
            for e in elements {
                self.push_element(&parents, &played, e);
            }
        }
    }

    /// The moves, each with one of these elements, that leave more threats than Defender has
    /// stones; a move that holds another one is left out.
    fn overloads(&mut self, elements: &[Element]) -> Vec<Vec<Cell>> {
        let mut singles = element::elements(&mut self.board, &[]);
        singles.retain(|e| e.cells.len() == 1);
        let board = &mut self.board;
        let moves = elements.iter().filter_map(|e| element::overload(board, e, &singles));
        let mut moves: Vec<Vec<Cell>> = moves.collect();
        moves.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
        let mut smallest: Vec<Vec<Cell>> = Vec::new();
        for cells in moves {
            if !smallest.iter().any(|s| s.iter().all(|c| cells.contains(c))) {
                smallest.push(cells);
            }
        }
        smallest
    }

    /// Adds an element, unless its stones were reached before in another order.
    fn push_element(&mut self, parents: &[usize], played: &[usize], e: Element) {
        if e.cost.is_empty() {
            return;
        }
        let mut stones: Vec<Cell> = e.cells.clone();
        stones.extend(played.iter().flat_map(|&i| &self.items[i].gain));
        stones.sort_unstable();
        if self.reached.insert(stones) {
            let groups = vec![e.cells.clone()];
            self.push(ThreatKind::Threats(e.threats), parents.to_vec(), e.cells, e.cost, groups);
        }
    }

    /// Combination stage: pairs of independent nodes of which at least one is not older than
    /// `first_new`.
    fn combine(&mut self, first_new: usize) {
        let mut pairs = BTreeSet::new();
        for nodes in self.nodes_by_line().values() {
            for (n, &a) in nodes.iter().enumerate() {
                let simple = |i: usize| self.items[i].kind != ThreatKind::Combination;
                let new = |&&b: &&usize| a.max(b) >= first_new && (simple(a) || simple(b));
                pairs.extend(nodes[n + 1..].iter().filter(new).map(|&b| (a, b)));
            }
            if pairs.len() as u64 > self.limits.nodes_max.saturating_mul(16) {
                self.complete = false;
                return;
            }
        }
        for (a, b) in pairs {
            if self.complete {
                self.link(a, b);
            }
        }
    }

    /// The nodes that can still be combined on each segment, in ascending order.
    fn nodes_by_line(&self) -> BTreeMap<usize, Vec<usize>> {
        let mut nodes: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (index, item) in self.items.iter().enumerate().filter(|(_, i)| !i.kind.is_winning()) {
            for line in element::lines_with(&self.board, &item.groups) {
                if self.board.is_active(line) {
                    nodes.entry(line).or_default().push(index);
                }
            }
        }
        nodes
    }

    /// Links two nodes, if they are independent and not in conflict, and their gain squares can
    /// still be part of one segment.
    fn link(&mut self, a: usize, b: usize) {
        let (x, y) = (&self.items[a], &self.items[b]);
        let within = |p: &[usize], q: &[usize]| p.iter().all(|i| q.contains(i));
        if within(&x.played, &y.played) || within(&y.played, &x.played) {
            return;
        }
        let mut played = [x.played.as_slice(), &y.played].concat();
        played.sort_unstable();
        played.dedup();
        let mut groups = [x.groups.as_slice(), &y.groups].concat();
        groups.sort_unstable();
        if self.seen.contains(&(played.clone(), groups.clone())) || self.conflict(&played) {
            return;
        }
        self.set(&played);
        let useful = match self.has_one_stone() {
            true => {
                let lines = element::lines_with(&self.board, &groups);
                lines.into_iter().any(|l| self.board.is_active(l))
            }
            false => !element::elements(&mut self.board, &groups).is_empty(),
        };
        self.reset(&played);
        if useful {
            self.seen.insert((played, groups.clone()));
            let (gain, cost) = (self.items[b].gain.clone(), self.items[b].cost.clone());
            self.push(ThreatKind::Combination, vec![a, b], gain, cost, groups);
        }
    }

    /// Whether a square is needed twice: gain and cost, or cost and cost (Allis, definition 6), or
    /// gain and gain, which would be one threat too few.
    fn conflict(&self, played: &[usize]) -> bool {
        let cells = |&i: &usize| self.items[i].gain.iter().chain(&self.items[i].cost);
        let mut seen = BTreeSet::new();
        !played.iter().flat_map(cells).all(|c| seen.insert(c))
    }

    /// With one stone a move: a five or a straight four ends a potential winning sequence.
    fn judge_threats(&mut self, index: usize) {
        if self.items[index].kind.is_winning() {
            let played = self.items[index].played.clone();
            let moves = played.iter().map(|&i| self.items[i].gain.clone()).collect();
            self.report(played, moves, 0);
        }
    }

    /// With several stones a move: puts the elements together into moves.
    fn judge_elements(&mut self, index: usize) {
        let played = self.items[index].played.clone();
        let Some((_, elements)) = played.split_last() else { return };
        let parts: Vec<Part> = elements.iter().map(|&i| self.part(i, elements)).collect();
        let last = self.items[index].gain.clone();
        let (first, p) = (self.stones(), self.board.game.p());
        let Some(mut groups) = schedule::schedule(&parts, &last, first, p) else { return };
        let wanted = groups.iter().map(|g| g.lacking).sum();
        self.set(&played);
        let lacking = schedule::fill(&mut self.board, &mut groups);
        self.reset(&played);
        let mut nodes: Vec<usize> =
            groups.iter().flat_map(|g| &g.parts).map(|&n| elements[n]).collect();
        nodes.push(index);
        let moves: Vec<Vec<Cell>> = groups.into_iter().map(|g| g.cells).collect();
        match lacking {
            0 => self.report(nodes, moves, wanted),
            _ => self.keep(nodes, moves, wanted, None),
        }
    }

    /// An element in the form that the schedule takes.
    fn part(&self, index: usize, elements: &[usize]) -> Part {
        let item = &self.items[index];
        let threats = match item.kind {
            ThreatKind::Threats(n) => n,
            _ => 0,
        };
        let ancestors = item.parents.iter().flat_map(|&i| &self.items[i].played);
        let after = ancestors.filter_map(|i| elements.iter().position(|e| e == i)).collect();
        Part { cells: item.gain.clone(), threats, after }
    }

    /// Adds a potential winning sequence, proved if it withstands every counter-attack.
    fn report(&mut self, nodes: Vec<usize>, moves: Vec<Vec<Cell>>, fillers: u32) {
        if !self.tried.insert(moves.clone()) {
            return;
        }
        let (most, least) = PROOF_NODES;
        let allowed = u32::try_from(self.proof_nodes).unwrap_or(most).clamp(least, most);
        let mut left = allowed;
        let certificate = prove::certificate(&mut self.board, self.claim, &moves, &mut left);
        self.proof_nodes = self.proof_nodes.saturating_sub(u64::from(allowed - left));
        self.keep(nodes, moves, fillers, certificate);
    }

    fn keep(
        &mut self,
        nodes: Vec<usize>,
        moves: Vec<Vec<Cell>>,
        fillers: u32,
        certificate: Option<Vec<u8>>,
    ) {
        // A proof is never dropped for lack of room.
        let first_proof = certificate.is_some() && !self.proved;
        self.proved |= certificate.is_some();
        if self.sequences.len() < SEQUENCES_MAX || first_proof {
            let moves = moves.iter().map(|m| self.board.squares(m).into()).collect();
            self.sequences.push(Sequence { moves, nodes, fillers, certificate });
        }
    }
}
