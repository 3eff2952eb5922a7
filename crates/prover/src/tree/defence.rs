//! Defender nodes: replies that appear only where zones require them.
//!
//! The node starts with the least sets of stones that block Attacker's threats, the other stones
//! left out (a null move if there are no threats). Each such reply is to be won with Defender's
//! left-out stones as slack. A proof of it has a zone, and every move that completes the reply is
//! answered by the same proof as long as the stones added are clear of that zone. What is not clear
//! becomes a reply with one more stone (or with the stones that are together in a segment), and so
//! on until nothing is left open: Lin's verifiers differ only in what they notice to be clear
//! ([`ZoneRule`]).

use sixproof_game::Q_MAX;

use crate::board::{Board, Rules, Side, Sq};
use crate::candidates::Worth;
use crate::cover::each_block;
use crate::zone::Zone;

use super::{INFINITE, LARGE, Limits, Or, Reply, Stage, Tree, empty_zone};

/// The number of replies that refuted other moves and are tried first at a new node.
const KILLERS_TRIED: usize = 2;
const KILLERS_KEPT: usize = 8;
/// The number of replies, looked at and not won, at which the others wait.
const OPEN_MAX: usize = 2;
/// The number of replies not yet looked at that count as one in the proof number.
const FRESH_SHARE: u32 = 8;
/// The number of moves without a reply that count as one.
const PENDING_SHARE: u32 = 1000;
/// The most stones that a group adds to a move.
const GROUP_EXTRA: usize = 3;

/// The most stones of a move.
const MOVE_MAX: usize = Q_MAX as usize;

/// Which moves need an answer of their own, once a reply with stones left out is won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZoneRule {
    /// The method of 2005 (VWu): as VC6, and every reply has to lose to a forced win.
    Wu,
    /// RZOP: any square of Z_u needs a reply with it, where u is the slack.
    Vc6,
    /// SRZOP, irrelevant sequences in any order: only Z_1 does; pairs within Z_2.
    O1,
    /// SRZOP with counter-threats: such pairs share a segment in which Defender can still win.
    O2,
    /// Segment zones: such pairs share a segment of S_2.
    Segment,
}

impl ZoneRule {
    /// All rules with their names, from the oldest to ours.
    pub const ALL: [(&'static str, ZoneRule); 5] = [
        ("wu", ZoneRule::Wu),
        ("vc6", ZoneRule::Vc6),
        ("o1", ZoneRule::O1),
        ("o2", ZoneRule::O2),
        ("segment", ZoneRule::Segment),
    ];
}

impl<R: Rules> Tree<R> {
    /// Finds the first replies of a Defender node; the board stands at it.
    pub(super) fn open(&mut self, and: u32) {
        self.board.threats(Side::Defender, &mut self.threats);
        let stones = match self.ands[and as usize].stones {
            0 => self.board.rules.p(),
            root => u32::from(root),
        };
        let stones = stones.min(self.board.empty_count());
        if self.threats.iter().any(|threat| threat.empties().len() <= stones as usize) {
            self.ands[and as usize].opened = true;
            return self.refute_and(and, true);
        }
        let mut threats = Vec::new();
        self.board.threats(Side::Attacker, &mut threats);
        let mut blocks: Vec<Vec<Sq>> = Vec::new();
        each_block(&threats, stones, &mut Vec::new(), &mut |block| {
            let mut block = block.to_vec();
            block.sort_unstable();
            blocks.push(block);
        });
        blocks.sort_by(|a, b| a.len().cmp(&b.len()).then(a.cmp(b)));
        blocks.dedup();
        let least = blocks.clone();
        blocks.retain(|block| {
            !least.iter().any(|other| {
                other.len() < block.len() && other.iter().all(|square| block.contains(square))
            })
        });
        let node = &mut self.ands[and as usize];
        node.opened = true;
        node.stones = stones as u8;
        node.threats = threats;
        if and == 0 {
            self.add_given();
        }
        if blocks.first().is_some_and(|block| block.len() < stones as usize) {
            let killers: Vec<Vec<Sq>> = self.killers.iter().take(KILLERS_TRIED).cloned().collect();
            for killer in killers {
                let threats = &self.ands[and as usize].threats;
                if killer.len() == stones as usize
                    && killer.iter().all(|&square| self.board.is_empty(square))
                    && threats.iter().all(|threat| threat.is_hit_by(&killer))
                {
                    self.add_reply(and, killer, Vec::new());
                }
            }
        }
        // A block that is a reply already is not added again.
        let known = self.ands[and as usize].replies.iter().map(|reply| &reply.squares);
        let known: Vec<Vec<Sq>> = known.cloned().collect();
        blocks.retain(|block| !known.contains(block));
        let whole = blocks.partition_point(|block| block.len() < stones as usize);
        self.ands[and as usize].pending = blocks.split_off(whole);
        self.drop_covered(and);
        self.ands[and as usize].compared = 0;
        blocks.append(&mut self.ands[and as usize].pending);
        for block in blocks {
            self.add_reply(and, block, Vec::new());
        }
        self.look_at_replies(and);
        self.update_and(and);
    }

    /// Looks at replies that are new, and finds more of them as long as all are won. The board
    /// stands at the node.
    pub(super) fn defend(&mut self, and: u32) {
        while !matches!(self.ands[and as usize].proof_number, 0 | INFINITE) {
            self.look_at_replies(and);
            self.update_and(and);
            let fresh = |reply: &Reply| {
                self.ors[reply.child as usize].state == Stage::Fresh && !reply.set_aside
            };
            if self.stubborn(and).is_some() || !self.ands[and as usize].replies.iter().any(fresh) {
                break;
            }
        }
    }

    /// Adds a reply, not yet looked at; with the moves that it stands for if it is a macro.
    pub(super) fn add_reply(&mut self, and: u32, squares: Vec<Sq>, group: Vec<Vec<Sq>>) {
        let node = &self.ands[and as usize];
        let slack = usize::from(node.stones).saturating_sub(squares.len()) as u8;
        let order = match self.limits.zones {
            ZoneRule::Wu => 1,
            _ => node.order.saturating_sub(slack).max(1).min(self.limits.answer_order as u8),
        };
        let too_low = node.order <= slack;
        let child = self.new_or(Some(and), order, self.board.rules.p() as u8);
        if too_low {
            self.refute_or(child, true);
        }
        self.ors[child as usize].macro_only = group.len() > 1;
        let set_aside = and == 0 && self.hopeless.contains(&squares);
        match (slack, group.len() > 1) {
            (0, true) => self.counts.macros += 1,
            (0, false) => self.counts.pairs += 1,
            _ => self.counts.semi_nulls += 1,
        }
        self.ands[and as usize].replies.push(Reply {
            squares,
            slack,
            child,
            group,
            // A complete move has nothing to be extended by, whatever slack it gets later.
            extended: slack == 0,
            set_aside,
            shadow: Vec::new(),
            rows: Vec::new(),
        });
    }

    /// Recomputes a Defender node from its replies, finding more of them if all are won. The board
    /// stands at the node.
    pub(super) fn update_and(&mut self, and: u32) {
        if matches!(self.ands[and as usize].proof_number, 0 | INFINITE) {
            return;
        }
        loop {
            let (mut proof, mut disproof, mut refuted, mut fresh) = (0u32, INFINITE, None, 0);
            for reply in self.ands[and as usize].replies.iter().filter(|reply| !reply.set_aside) {
                let child = &self.ors[reply.child as usize];
                if child.proof_number == INFINITE {
                    let exact = child.exact && self.limits.zones != ZoneRule::Wu;
                    refuted = Some((exact, reply.squares.clone(), reply.slack));
                    break;
                }
                if child.state == Stage::Fresh {
                    fresh += 1;
                } else {
                    proof = proof.saturating_add(child.proof_number).min(LARGE);
                    disproof = disproof.min(child.disproof_number);
                }
            }
            let fresh: u32 = fresh;
            proof += fresh.div_ceil(FRESH_SHARE);
            if disproof == INFINITE {
                disproof = 1;
            }
            if let Some((exact, squares, slack)) = refuted {
                if slack == 0 {
                    self.remember_killer(squares);
                }
                return self.refute_and(and, exact);
            }
            if proof > 0 {
                let node = &mut self.ands[and as usize];
                node.proof_number = proof + (node.pending.len() as u32).div_ceil(PENDING_SHARE);
                node.disproof_number = disproof;
                return;
            }
            if !self.grow(and) {
                return self.prove_and(and);
            }
        }
    }

    /// Evaluates replies that are new, up to the first that is not won at once.
    fn look_at_replies(&mut self, and: u32) {
        let mut index = 0;
        let mut unproved = 0;
        while index < self.ands[and as usize].replies.len() {
            let reply = &self.ands[and as usize].replies[index];
            let child = reply.child;
            if self.ors[child as usize].state == Stage::Fresh
                && self.ors[child as usize].proof_number != INFINITE
                && !reply.set_aside
            {
                let squares = reply.squares.clone();
                self.board.place_all(Side::Defender, &squares);
                let lost =
                    squares.iter().any(|&square| self.board.wins_through(Side::Defender, square));
                if lost {
                    self.refute_or(child, true);
                } else {
                    self.evaluate(child, &squares);
                }
                self.board.remove_all(Side::Defender, &squares);
                let failed = self.ors[child as usize].proof_number == INFINITE;
                if failed && self.ors[child as usize].macro_only {
                    self.split(and, index);
                    continue;
                }
                if failed && and == 0 && self.reply_nodes_max.is_some() {
                    self.set_aside();
                } else if failed {
                    return;
                }
                if self.ors[child as usize].proof_number != 0 {
                    let reply = &self.ands[and as usize].replies[index];
                    if reply.slack == 0 {
                        let squares = reply.squares.clone();
                        self.remember_killer(squares);
                    }
                }
            }
            let reply = &self.ands[and as usize].replies[index];
            if self.ors[child as usize].proof_number != 0 && !reply.set_aside {
                unproved += 1;
                if unproved >= OPEN_MAX {
                    return;
                }
            }
            index += 1;
        }
    }

    /// Replaces a macro that was not won by two halves of its moves.
    fn split(&mut self, and: u32, index: usize) {
        let reply = self.ands[and as usize].replies.remove(index);
        let half = reply.group.len() / 2;
        for part in [&reply.group[..half], &reply.group[half..]] {
            self.add_group(and, part.to_vec());
        }
    }

    fn add_group(&mut self, and: u32, group: Vec<Vec<Sq>>) {
        let mut squares: Vec<Sq> = group.concat();
        squares.sort_unstable();
        squares.dedup();
        self.add_reply(and, squares, group);
    }

    fn remember_killer(&mut self, squares: Vec<Sq>) {
        self.killers.retain(|killer| *killer != squares);
        self.killers.insert(0, squares);
        self.killers.truncate(KILLERS_KEPT);
    }

    /// Adds the replies that the zones of the replies won so far require. False if there are none.
    fn grow(&mut self, and: u32) -> bool {
        let (zones, before) = (self.limits.zones, self.ands[and as usize].replies.len());
        let mut open: Vec<Vec<Sq>> = Vec::new();
        for reply in &mut self.ands[and as usize].replies {
            if reply.extended || reply.set_aside {
                continue;
            }
            reply.extended = true;
            let zone = self.ors[reply.child as usize].zone.as_ref().expect("won");
            each_open(
                &self.board,
                zones,
                zone,
                &reply.squares,
                usize::from(reply.slack),
                &mut open,
            );
        }
        let node = &mut self.ands[and as usize];
        if !open.is_empty() {
            let worth = Worth::new(&self.board);
            node.pending.append(&mut open);
            node.pending.sort_unstable();
            node.pending.dedup();
            node.pending.sort_by_cached_key(|set| (set.len(), -worth.of(set)));
            let known: Vec<&[Sq]> = node.replies.iter().map(|reply| &reply.squares[..]).collect();
            node.pending.retain(|set| !known.contains(&&set[..]));
            node.compared = 0;
        }
        let stones = usize::from(node.stones);
        let shorter = node.pending.partition_point(|set| set.len() < stones);
        let shorter: Vec<Vec<Sq>> = node.pending.drain(..shorter).collect();
        if !shorter.is_empty() {
            for set in shorter {
                self.add_reply(and, set, Vec::new());
            }
            return true;
        }
        self.drop_covered(and);
        let mut pending = std::mem::take(&mut self.ands[and as usize].pending);
        if and == 0 && !self.hopeless.is_empty() {
            let (hopeless, rest) = pending.into_iter().partition(|set| self.hopeless.contains(set));
            pending = rest;
            let hopeless: Vec<Vec<Sq>> = hopeless;
            hopeless.into_iter().for_each(|set| self.add_reply(and, set, Vec::new()));
        }
        while let Some(first) = pending.first().cloned() {
            let mut group = vec![pending.remove(0)];
            if self.limits.grouped {
                gather(first, &mut group, &mut pending);
            }
            self.add_group(and, group);
            if self.limits.posthoc {
                break;
            }
        }
        self.ands[and as usize].pending = pending;
        self.ands[and as usize].replies.len() > before
    }

    /// Drops the pending moves that replies won since the last time answer.
    fn drop_covered(&mut self, and: u32) {
        let Tree { board, limits, ors, ands, .. } = self;
        let node = &mut ands[and as usize];
        if !limits.mutual {
            return;
        }
        for reply in &mut node.replies[node.compared..] {
            let Some(zone) = &ors[reply.child as usize].zone else { continue };
            if reply.shadow.is_empty() {
                reply.shadow = zone.shadow(board, 1);
                reply.rows = vec![0; reply.shadow.len()];
                for &square in &reply.squares {
                    let crossing = &board.geometry.crossings[usize::from(square)];
                    reply.rows[usize::from(crossing.line[0])] |= 1 << crossing.position[0];
                }
            }
            node.pending.retain(|set| !covers(board, limits, ors, reply, set));
        }
        node.compared = node.replies.len();
    }

    /// All replies are won: the node's zone is what they depend on together.
    fn prove_and(&mut self, and: u32) {
        if self.ands[and as usize].replies.iter().any(|reply| reply.set_aside) {
            // The other replies are won; these are set aside.
            return self.finish_verification();
        }
        let mut zone = empty_zone(&self.board, &self.limits);
        let node = &self.ands[and as usize];
        zone.add_threats(&self.board, &node.threats, u32::from(node.stones));
        for reply in &node.replies {
            let child = self.ors[reply.child as usize].zone.as_ref().expect("won");
            zone.unite(child, usize::from(reply.slack));
        }
        let replies: Vec<u32> = node.replies.iter().map(|reply| reply.child).collect();
        for child in replies {
            self.ors[child as usize].zone = None;
        }
        self.counts.proved += 1;
        let node = &mut self.ands[and as usize];
        node.proof_number = 0;
        node.disproof_number = INFINITE;
        node.zone = Some(zone);
        node.pending = Vec::new();
    }
}

/// Whether a reply that is won answers a complete move: what the move adds to it is clear of its
/// zone, and no more than its slack. The proof against a complete move may be given a slack of one
/// after the fact: any slack that is stated is sound.
fn covers<R: Rules>(
    board: &Board<R>,
    limits: &Limits,
    ors: &[Or],
    reply: &mut Reply,
    set: &[Sq],
) -> bool {
    let mut rest = [0; MOVE_MAX];
    let mut count = 0;
    for &square in set {
        let crossing = &board.geometry.crossings[usize::from(square)];
        if reply.rows[usize::from(crossing.line[0])] >> crossing.position[0] & 1 == 0 {
            rest[count] = square;
            count += 1;
        }
    }
    let rest = &rest[..count];
    let slack = match reply.slack {
        0 if limits.posthoc && reply.squares.len() >= set.len() => 1,
        slack => usize::from(slack),
    };
    if rest.len() > slack {
        return false;
    }
    let Some(zone) = ors[reply.child as usize].zone.as_ref() else { return false };
    let clear = rest.iter().all(|&square| {
        let crossing = &board.geometry.crossings[usize::from(square)];
        reply.shadow[usize::from(crossing.line[0])] >> crossing.position[0] & 1 == 0
    });
    if !clear || rest.len() > 1 && !zone.is_set_clear(board, rest) {
        return false;
    }
    reply.slack = reply.slack.max(rest.len() as u8);
    true
}

/// Moves from `pending` into `group` that add one stone each to the first.
fn gather(first: Vec<Sq>, group: &mut Vec<Vec<Sq>>, pending: &mut Vec<Vec<Sq>>) {
    let (mut squares, limit) = (first.clone(), first.len() + GROUP_EXTRA);
    let mut index = 0;
    while index < pending.len() {
        let new: Vec<Sq> =
            pending[index].iter().copied().filter(|square| !squares.contains(square)).collect();
        if new.len() <= 1 && squares.len() + new.len() <= limit {
            squares.extend(new);
            group.push(pending.remove(index));
        } else {
            index += 1;
        }
    }
}

/// Collects the sets that `reply` with `slack` left-out stones does not answer: extensions of it
/// by stones that are not clear of its zone.
fn each_open<R: Rules>(
    board: &Board<R>,
    rule: ZoneRule,
    zone: &Zone,
    reply: &[Sq],
    slack: usize,
    open: &mut Vec<Vec<Sq>>,
) {
    let mut add = |more: &[Sq]| {
        let mut set = [reply, more].concat();
        set.sort_unstable();
        set.dedup();
        if set.len() == reply.len() + more.len() {
            open.push(set);
        }
    };
    let single_level = match rule {
        ZoneRule::Wu | ZoneRule::Vc6 => slack,
        _ => 1,
    };
    let singles = zone.empty_shadow(board, single_level);
    for &square in &singles {
        add(&[square]);
    }
    for level in single_level + 1..=slack {
        let outer: Vec<Sq> =
            zone.empty_shadow(board, level).into_iter().filter(|s| !singles.contains(s)).collect();
        for (index, &square) in outer.iter().enumerate() {
            let near: Vec<Sq> = match rule {
                ZoneRule::O1 => outer[index + 1..].to_vec(),
                ZoneRule::O2 => {
                    let shared = |&&other: &&Sq| shares_active(board, square, other);
                    outer[index + 1..].iter().filter(shared).copied().collect()
                }
                _ => {
                    let mut near = zone.partners(board, square, level);
                    near.sort_unstable();
                    near.dedup();
                    near.retain(|&other| other > square && !singles.contains(&other));
                    near
                }
            };
            each_subset(&near, level - 1, &mut vec![square], &mut |set| add(set));
        }
    }
}

/// Calls `visit` with `chosen` and `count` more of `squares`.
fn each_subset(squares: &[Sq], count: usize, chosen: &mut Vec<Sq>, visit: &mut impl FnMut(&[Sq])) {
    if count == 0 {
        return visit(chosen);
    }
    for (index, &square) in squares.iter().enumerate() {
        chosen.push(square);
        each_subset(&squares[index + 1..], count - 1, chosen, visit);
        chosen.pop();
    }
}

/// Whether two squares lie in a segment in which Defender can still win.
fn shares_active<R: Rules>(board: &Board<R>, a: Sq, b: Sq) -> bool {
    let (a, b) =
        (&board.geometry.crossings[usize::from(a)], &board.geometry.crossings[usize::from(b)]);
    (0..4).any(|d| {
        a.line[d] == b.line[d]
            && board.active(usize::from(a.line[d]), Side::Defender) & a.windows[d] & b.windows[d]
                != 0
    })
}
