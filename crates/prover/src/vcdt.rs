//! Order 1, conservatively: victory by continuous double threats, all blocks at once.
//!
//! After a move that leaves Defender only forced replies, let him play *all* of them (Allis,
//! section 4; Wu's report, section 3): what is left is a game for one player, a search for a path.
//! It is searched best-first, by the worth of the windows that are left to Attacker
//! (a third of the time and a sixth of the nodes of iterative deepening). A path that is
//! found is a proof; that none is found proves nothing, because real defences are weaker than all
//! of them together.

use crate::board::{Board, Rules, Side, Sq};
use crate::cover::{Defences, Threat, defences};
use crate::moves::{Generator, WINNING};

/// The number of buckets, to which priorities are clipped: the bits of two levels of words.
const BUCKETS: usize = 64 * 64;

/// One move of a forced win, and the blocks that answer it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forced {
    /// Attacker's stones.
    pub attack: Vec<Sq>,
    /// All of Defender's blocks; none after the last move.
    pub reply: Vec<Sq>,
}

/// How a search for a path ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Path {
    /// The forced win.
    Found(Vec<Forced>),
    /// Every path was tried.
    None,
    /// The budget is used up.
    Unknown,
}

/// A position of the game for one player, as the way to it.
struct Node {
    parent: u32,
    /// Where its stones are in the pool: Attacker's, then Defender's.
    stones: u32,
    attack_count: u8,
    reply_count: u8,
    depth: u16,
}

/// The search for forced wins; one lives as long as a proof.
pub struct Vcdt {
    generator: Generator,
    nodes: Vec<Node>,
    pool: Vec<Sq>,
    queue: Queue,
    candidates: Vec<(i32, u32)>,
    steps: Vec<u32>,
    /// The positions already reached in this search.
    seen: Vec<(u64, u32)>,
    generation: u32,
    threats: Vec<Threat>,
    reply: Vec<Sq>,
    /// The number of positions for which moves were generated, in all searches.
    pub node_count: u64,
}

impl Default for Vcdt {
    fn default() -> Vcdt {
        Vcdt {
            generator: Generator::default(),
            nodes: Vec::new(),
            pool: Vec::new(),
            queue: Queue::default(),
            candidates: Vec::new(),
            steps: Vec::new(),
            seen: vec![(0, 0); 1 << 14],
            generation: 0,
            threats: Vec::new(),
            reply: Vec::new(),
            node_count: 0,
        }
    }
}

impl Vcdt {
    /// Searches a forced win of the side to move, Attacker, who cannot win at once and has p stones
    /// to place. Leaves the board as it was.
    pub fn search<R: Rules>(&mut self, board: &mut Board<R>, nodes_max: u64) -> Path {
        let mut first = None;
        let unknown = self.search_all(board, nodes_max, &mut |_, path| {
            first = Some(path);
            Some(0)
        });
        match (first, unknown) {
            (Some(path), _) => Path::Found(path),
            (None, true) => Path::Unknown,
            (None, false) => Path::None,
        }
    }

    /// Searches forced wins. `found` receives each, and returns how many nodes may be spent on
    /// another. Returns true if the budget ended the search.
    pub fn search_all<R: Rules>(
        &mut self,
        board: &mut Board<R>,
        nodes_max: u64,
        found: &mut impl FnMut(&mut Board<R>, Vec<Forced>) -> Option<u64>,
    ) -> bool {
        self.nodes.clear();
        self.pool.clear();
        self.queue.clear();
        self.generation += 1;
        self.nodes.push(Node { parent: 0, stones: 0, attack_count: 0, reply_count: 0, depth: 0 });
        let mut until = self.node_count + nodes_max;
        self.expand(board, 0);
        let mut here = 0;
        let unknown = loop {
            let Some((parent, stones)) = self.queue.pop() else { break false };
            if self.node_count >= until {
                break true;
            }
            self.go(board, here, parent);
            here = parent;
            match self.play(board, parent, stones) {
                Played::Won => {
                    let last = &self.pool[stones as usize..][..board.rules.p() as usize];
                    let path = self.path(parent, last);
                    self.go(board, here, 0);
                    here = 0;
                    match found(board, path) {
                        Some(more) if more > 0 => until = self.node_count + more,
                        _ => break false,
                    }
                }
                Played::Refuted => {}
                Played::Forced(node) => {
                    here = node;
                    self.expand(board, node);
                }
            }
        };
        self.go(board, here, 0);
        unknown
    }

    /// Plays the attacks of a forced win known from another position, with the replies that are
    /// forced here. Leaves the board as it was.
    pub fn replay<'a, R: Rules>(
        &mut self,
        board: &mut Board<R>,
        attacks: impl Iterator<Item = &'a [Sq]>,
    ) -> Option<Vec<Forced>> {
        let p = board.rules.p();
        let mut path: Vec<Forced> = Vec::new();
        let mut won = false;
        for attack in attacks {
            if attack.iter().any(|&square| !board.is_empty(square)) {
                break;
            }
            board.place_all(Side::Attacker, attack);
            board.threats(Side::Defender, &mut self.threats);
            let mut defences_left = Defences::Free(0);
            if self.threats.is_empty() {
                board.threats_through(Side::Attacker, attack, &mut self.threats);
                defences_left = defences(&self.threats, p, &mut self.reply);
            }
            if !matches!(defences_left, Defences::Forced) {
                won = defences_left == Defences::None;
                board.remove_all(Side::Attacker, attack);
                if won {
                    path.push(Forced { attack: attack.to_vec(), reply: Vec::new() });
                }
                break;
            }
            board.place_all(Side::Defender, &self.reply);
            path.push(Forced { attack: attack.to_vec(), reply: self.reply.clone() });
            if self.reply.iter().any(|&square| board.wins_through(Side::Defender, square)) {
                break;
            }
        }
        for forced in path.iter().rev().skip(usize::from(won)) {
            board.remove_all(Side::Defender, &forced.reply);
            board.remove_all(Side::Attacker, &forced.attack);
        }
        won.then_some(path)
    }

    /// Generates the moves of a position that stands on the board.
    fn expand<R: Rules>(&mut self, board: &Board<R>, node: u32) {
        self.node_count += 1;
        let depth = i32::from(self.nodes[node as usize].depth);
        let Vcdt { generator, pool, queue, candidates, .. } = self;
        candidates.clear();
        generator.forcing(board, |squares, score| {
            candidates.push((score, pool.len() as u32));
            pool.extend_from_slice(squares);
        });
        let base = 4 * generator.worth + 30 * depth + 128;
        for &(score, stones) in candidates.iter() {
            let bucket = match score {
                WINNING.. => BUCKETS - 1,
                _ => (4 * score + base).clamp(0, BUCKETS as i32 - 2) as usize,
            };
            queue.push(bucket, (node, stones));
        }
    }

    /// Plays a candidate and all blocks. The stones stay on the board if the reply is forced.
    fn play<R: Rules>(&mut self, board: &mut Board<R>, parent: u32, stones: u32) -> Played {
        let p = board.rules.p();
        let attack = stones as usize..stones as usize + p as usize;
        board.place_all(Side::Attacker, &self.pool[attack.clone()]);
        board.threats_through(Side::Attacker, &self.pool[attack.clone()], &mut self.threats);
        let forced = match defences(&self.threats, p, &mut self.reply) {
            Defences::None => {
                board.remove_all(Side::Attacker, &self.pool[attack]);
                return Played::Won;
            }
            Defences::Free(_) => false,
            Defences::Forced => true,
        };
        if forced {
            board.place_all(Side::Defender, &self.reply);
            let lost = self.reply.iter().any(|&square| board.wins_through(Side::Defender, square));
            if !lost && self.is_new(board.key()) {
                let node = self.nodes.len() as u32;
                let stones = self.pool.len() as u32;
                self.pool.extend_from_within(attack);
                self.pool.extend_from_slice(&self.reply);
                self.nodes.push(Node {
                    parent,
                    stones,
                    attack_count: p as u8,
                    reply_count: self.reply.len() as u8,
                    depth: self.nodes[parent as usize].depth + 1,
                });
                return Played::Forced(node);
            }
            board.remove_all(Side::Defender, &self.reply);
        }
        board.remove_all(Side::Attacker, &self.pool[attack]);
        Played::Refuted
    }

    /// Whether a position comes up for the first time. A few may be forgotten without harm.
    fn is_new(&mut self, key: u64) -> bool {
        let slot = key as usize & (self.seen.len() - 1);
        let entry = &mut self.seen[slot];
        if *entry == (key, self.generation) {
            return false;
        }
        *entry = (key, self.generation);
        true
    }

    /// Changes the board from one position of the search to another.
    fn go<R: Rules>(&mut self, board: &mut Board<R>, mut from: u32, to: u32) {
        if from == to {
            return;
        }
        let mut steps = std::mem::take(&mut self.steps);
        steps.clear();
        let mut target = to;
        while from != target {
            let (below, above) = (&self.nodes[from as usize], &self.nodes[target as usize]);
            if below.depth >= above.depth {
                let (attack, reply) = self.stones(from);
                board.remove_all(Side::Defender, reply);
                board.remove_all(Side::Attacker, attack);
                from = below.parent;
            } else {
                steps.push(target);
                target = above.parent;
            }
        }
        for &step in steps.iter().rev() {
            let (attack, reply) = self.stones(step);
            board.place_all(Side::Attacker, attack);
            board.place_all(Side::Defender, reply);
        }
        self.steps = steps;
    }

    fn stones(&self, node: u32) -> (&[Sq], &[Sq]) {
        let node = &self.nodes[node as usize];
        let attack = &self.pool[node.stones as usize..][..usize::from(node.attack_count)];
        let reply = &self.pool[node.stones as usize + attack.len()..];
        (attack, &reply[..usize::from(node.reply_count)])
    }

    /// The way to a position, and a last move.
    fn path(&self, mut node: u32, last: &[Sq]) -> Vec<Forced> {
        let mut path = vec![Forced { attack: last.to_vec(), reply: Vec::new() }];
        while node != 0 {
            let (attack, reply) = self.stones(node);
            path.push(Forced { attack: attack.to_vec(), reply: reply.to_vec() });
            node = self.nodes[node as usize].parent;
        }
        path.reverse();
        path
    }
}

/// Candidates by priority, the latest of a priority first: the position they are played in, and
/// where their stones are. Most searches are short, so it must cost nothing to begin one: a bit for
/// each bucket, and one for each word of these, say which buckets are not empty.
struct Queue {
    buckets: Vec<Vec<(u32, u32)>>,
    filled: [u64; 64],
    words: u64,
}

impl Default for Queue {
    fn default() -> Queue {
        Queue { buckets: vec![Vec::new(); BUCKETS], filled: [0; 64], words: 0 }
    }
}

impl Queue {
    fn push(&mut self, bucket: usize, candidate: (u32, u32)) {
        self.buckets[bucket].push(candidate);
        self.filled[bucket / 64] |= 1 << (bucket % 64);
        self.words |= 1 << (bucket / 64);
    }

    /// The highest bucket that is not empty.
    fn top(&self) -> Option<usize> {
        let word = 63usize.checked_sub(self.words.leading_zeros() as usize)?;
        Some(64 * word + 63 - self.filled[word].leading_zeros() as usize)
    }

    fn pop(&mut self) -> Option<(u32, u32)> {
        let bucket = self.top()?;
        let candidate = self.buckets[bucket].pop();
        if self.buckets[bucket].is_empty() {
            self.empty(bucket);
        }
        candidate
    }

    fn clear(&mut self) {
        while let Some(bucket) = self.top() {
            self.buckets[bucket].clear();
            self.empty(bucket);
        }
    }

    fn empty(&mut self, bucket: usize) {
        self.filled[bucket / 64] &= !(1 << (bucket % 64));
        if self.filled[bucket / 64] == 0 {
            self.words &= !(1 << (bucket / 64));
        }
    }
}

/// The result of playing a candidate.
enum Played {
    /// Nothing blocks it.
    Won,
    /// All blocks are on the board, in a position of the search.
    Forced(u32),
    /// It leaves Defender free, loses to him, or leads to a known position.
    Refuted,
}
