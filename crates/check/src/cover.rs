//! Coverage (docs/certificate.md, Rules): every Defender move M that blocks every threat relied on
//! must be covered by some reply R: |M \ R| <= u, and M \ R clear of the zone of R's child.
//!
//! What a reply covers is closed under subsets (subsets of clear sets are clear), and so a partial
//! move that no reply covers already shows an uncovered move. Moves of one and two stones are
//! handled as bit sets of squares; longer ones by a search that adds one stone at a time and only
//! where a reply that covers the stones so far could cease to do so. The test
//! `fast_paths_agree_with_the_search` compares the ways.

use crate::board::{Board, Seg, contains, insert, members, remove};
use crate::grid::Sq;
use crate::limits::{COVER_STEPS_MAX, Q_MAX, ROWS_BYTES_MAX};
use crate::zone::{Threats, Zone};

/// The replies of a Defender node, reduced to what coverage needs.
#[derive(Default)]
pub(crate) struct Replies {
    /// The squares of all replies, one reply after the other.
    squares: Vec<Sq>,
    replies: Vec<Reply>,
    zones: Vec<ReplyZone>,
}

struct Reply {
    end: usize,
    /// At most the number of stones of the move: more slack makes no difference.
    slack: usize,
    /// The place in `zones`; a reply without slack needs no zone, since M \ R is empty.
    zone: Option<usize>,
}

/// The part of the child's zone that matters to at most `slack` stones.
struct ReplyZone {
    /// The squares on which a single stone is not clear.
    first_layer: Vec<u64>,
    /// The segments of level 2 to `slack`.
    segments: Vec<(Seg, u8)>,
}

impl Replies {
    pub(crate) fn clear(&mut self) {
        self.squares.clear();
        self.replies.clear();
        self.zones.clear();
    }

    /// Adds a reply; `zone` is the zone of its child. Returns the number of bytes that are kept for
    /// it.
    pub(crate) fn add(
        &mut self,
        board: &Board,
        squares: &[Sq],
        slack: usize,
        zone: &Zone,
    ) -> usize {
        self.squares.extend_from_slice(squares);
        let mut bytes = size_of::<Reply>() + size_of_val(squares);
        let kept = (slack > 0).then(|| {
            let mut first_layer = Vec::new();
            zone.first_layer(board, &mut first_layer);
            let near = |&(_, level): &(Seg, u8)| 2 <= level && usize::from(level) <= slack;
            let segments: Vec<_> =
                if slack > 1 { zone.segments().filter(near).collect() } else { Vec::new() };
            bytes += size_of_val(&first_layer[..]) + size_of_val(&segments[..]);
            self.zones.push(ReplyZone { first_layer, segments });
            self.zones.len() - 1
        });
        self.replies.push(Reply { end: self.squares.len(), slack, zone: kept });
        bytes
    }

    fn squares_of(&self, i: usize) -> &[Sq] {
        let start = if i == 0 { 0 } else { self.replies[i - 1].end };
        &self.squares[start..self.replies[i].end]
    }

    /// The replies: squares, slack, and the zone where there is slack.
    fn iter(&self) -> impl Iterator<Item = (&[Sq], usize, Option<&ReplyZone>)> {
        self.replies
            .iter()
            .enumerate()
            .map(|(i, reply)| (self.squares_of(i), reply.slack, reply.zone.map(|z| &self.zones[z])))
    }

    fn covers(&self, board: &Board, i: usize, chosen: &[Sq]) -> bool {
        let (reply, squares) = (&self.replies[i], self.squares_of(i));
        let mut rest = [0; Q_MAX as usize];
        let mut len = 0;
        for &square in chosen.iter().filter(|s| !squares.contains(s)) {
            if len == reply.slack {
                return false;
            }
            rest[len] = square;
            len += 1;
        }
        let Some(zone) = reply.zone.map(|z| &self.zones[z]) else { return true };
        let rest = &rest[..len];
        rest.iter().all(|&s| !contains(&zone.first_layer, s))
            && (len < 2
                || zone.segments.iter().all(|&(seg, level)| {
                    let within = board.squares(seg).filter(|s| rest.contains(s)).count();
                    within < usize::from(level)
                }))
    }

    fn any_covers(&self, board: &Board, chosen: &[Sq]) -> bool {
        (0..self.replies.len()).any(|i| self.covers(board, i, chosen))
    }
}

/// Too many steps: the search for an uncovered move was given up.
#[derive(Debug)]
pub(crate) struct TooComplex;

/// Memory for the search, kept from node to node.
#[derive(Default)]
pub(crate) struct Scratch {
    rows: Vec<u64>,
    firsts: Vec<Sq>,
    /// The place of a square in `firsts`.
    row_of: Vec<u32>,
    in_pair: Vec<bool>,
}

const NO_ROW: u32 = u32::MAX;

/// A Defender move of t stones (or of all empty squares, if there are fewer) that blocks all
/// threats and is covered by no reply.
pub(crate) fn uncovered(
    board: &Board,
    t: usize,
    threats: &Threats,
    replies: &Replies,
    scratch: &mut Scratch,
) -> Result<Option<Vec<Sq>>, TooComplex> {
    if threats.iter().any(|empties| empties.is_empty()) {
        return Ok(None); // No move blocks a line that is complete.
    }
    match t.min(board.empty_count) {
        0 => Ok((threats.is_empty() && !replies.any_covers(board, &[])).then(Vec::new)),
        1 => Ok(uncovered_stone(board, threats, replies)),
        2 => Ok(uncovered_pair(board, threats, replies, scratch)),
        t => uncovered_by_search(board, t, threats, replies),
    }
}

fn uncovered_stone(board: &Board, threats: &Threats, replies: &Replies) -> Option<Vec<Sq>> {
    let mut open = board.empties.clone();
    for empties in threats.iter() {
        keep_only(&mut open, empties);
    }
    for (squares, _, zone) in replies.iter() {
        squares.iter().for_each(|&s| remove(&mut open, s));
        if let Some(zone) = zone {
            intersect(&mut open, &zone.first_layer);
        }
    }
    members(&open).next().map(|s| vec![s])
}

fn uncovered_pair(
    board: &Board,
    threats: &Threats,
    replies: &Replies,
    scratch: &mut Scratch,
) -> Option<Vec<Sq>> {
    if let Some(first) = threats.iter().min_by_key(|empties| empties.len()) {
        scratch.firsts.clear();
        for &a in first {
            // With a threat left that `a` does not block, its partner must: few pairs to test.
            match threats.iter().find(|empties| !empties.contains(&a)) {
                None => scratch.firsts.push(a),
                Some(second) => {
                    let blocks = |b: &&Sq| threats.iter().all(|e| e.contains(&a) || e.contains(b));
                    let mut partners = second.iter().filter(blocks);
                    if let Some(&b) = partners.find(|&&b| !replies.any_covers(board, &[a, b])) {
                        return Some(vec![a, b]);
                    }
                }
            }
        }
    } else {
        choose_firsts(board, replies, &mut scratch.firsts);
    }
    // The rows of all squares of a huge board would not fit into memory at once.
    let firsts = std::mem::take(&mut scratch.firsts);
    let rows_max = (ROWS_BYTES_MAX as usize / size_of_val(&board.empties[..])).max(1);
    let found =
        firsts.chunks(rows_max).find_map(|part| uncovered_row(board, replies, part, scratch));
    scratch.firsts = firsts;
    found
}

/// Squares of which every uncovered pair has at least one: those where a reply with slack for both
/// stones could cease to cover a pair. Without such a reply, all empty squares.
fn choose_firsts(board: &Board, replies: &Replies, firsts: &mut Vec<Sq>) {
    let candidates = replies.iter().filter(|&(_, slack, _)| slack >= 2).filter_map(|(.., z)| z);
    let best = candidates
        .map(|zone| {
            let mut area = zone.first_layer.clone();
            for &(seg, _) in zone.segments.iter().filter(|&&(_, level)| level == 2) {
                board.squares(seg).for_each(|s| insert(&mut area, s));
            }
            intersect(&mut area, &board.empties);
            area
        })
        .min_by_key(|area| area.iter().map(|w| w.count_ones()).sum::<u32>());
    firsts.clear();
    firsts.extend(members(best.as_ref().unwrap_or(&board.empties)));
}

/// Looks for an uncovered pair with a first square in `firsts` and any empty square as its partner:
/// one bit set of open partners for each first square.
fn uncovered_row(
    board: &Board,
    replies: &Replies,
    firsts: &[Sq],
    scratch: &mut Scratch,
) -> Option<Vec<Sq>> {
    let Scratch { rows, row_of, in_pair, .. } = scratch;
    let words = board.empties.len();
    row_of.resize(words * 64, NO_ROW);
    in_pair.resize(board.segment_count(), false);
    rows.clear();
    for (i, &a) in firsts.iter().enumerate() {
        rows.extend_from_slice(&board.empties);
        remove(&mut rows[i * words..], a);
        row_of[a as usize] = i as u32;
    }
    for (squares, slack, zone) in replies.iter() {
        for &a in squares {
            let row = row_of[a as usize];
            if row != NO_ROW {
                let row = &mut rows[row as usize * words..][..words];
                squares.iter().for_each(|&b| remove(row, b));
                if let Some(zone) = zone {
                    intersect(row, &zone.first_layer);
                }
            }
        }
        let Some(zone) = zone else { continue };
        let pairs = || zone.segments.iter().filter(|&&(_, level)| level == 2);
        if slack >= 2 {
            pairs().for_each(|&(seg, _)| in_pair[seg as usize] = true);
        }
        let mut not_clear = Vec::new();
        for (i, &a) in firsts.iter().enumerate() {
            if contains(&zone.first_layer, a) || squares.contains(&a) {
                continue;
            }
            let row = &mut rows[i * words..][..words];
            squares.iter().for_each(|&b| remove(row, b));
            if slack >= 2 {
                not_clear.clone_from(&zone.first_layer);
                for &seg in board.through(a).iter().filter(|&&seg| in_pair[seg as usize]) {
                    board.squares(seg).for_each(|s| insert(&mut not_clear, s));
                }
                intersect(row, &not_clear);
            }
        }
        if slack >= 2 {
            pairs().for_each(|&(seg, _)| in_pair[seg as usize] = false);
        }
    }
    firsts.iter().for_each(|&a| row_of[a as usize] = NO_ROW);
    let rows = rows.chunks_exact(words).zip(firsts.iter());
    rows.filter_map(|(row, &a)| members(row).next().map(|b| vec![a, b])).next()
}

fn intersect(set: &mut [u64], other: &[u64]) {
    set.iter_mut().zip(other).for_each(|(a, b)| *a &= b);
}

fn keep_only(set: &mut [u64], squares: &[Sq]) {
    let kept: Vec<Sq> = squares.iter().copied().filter(|&s| contains(set, s)).collect();
    set.fill(0);
    kept.into_iter().for_each(|s| insert(set, s));
}

/// The general way, for any number of stones.
pub(crate) fn uncovered_by_search(
    board: &Board,
    t: usize,
    threats: &Threats,
    replies: &Replies,
) -> Result<Option<Vec<Sq>>, TooComplex> {
    let available = board.empties.clone();
    let mut search = Search { board, threats, replies, available, chosen: Vec::new(), steps: 0 };
    search.extend(t)
}

struct Search<'a> {
    board: &'a Board,
    threats: &'a Threats,
    replies: &'a Replies,
    /// The empty squares without those whose every move is already known to be covered.
    available: Vec<u64>,
    /// The stones of the move so far.
    chosen: Vec<Sq>,
    steps: u64,
}

impl Search<'_> {
    /// Looks for an uncovered move that consists of the chosen stones and `left` available ones.
    /// The depth of the recursion is the number of stones in a move.
    fn extend(&mut self, left: usize) -> Result<Option<Vec<Sq>>, TooComplex> {
        self.steps += 1 + self.replies.replies.len() as u64;
        if self.steps > COVER_STEPS_MAX {
            return Err(TooComplex);
        }
        let open = self.threats.iter().find(|e| !e.iter().any(|s| self.chosen.contains(s)));
        let next = match open {
            Some(_) if left == 0 => return Ok(None), // The move does not block all threats.
            Some(empties) => empties.to_vec(),
            None => {
                let covering: Vec<usize> = (0..self.replies.replies.len())
                    .filter(|&i| self.replies.covers(self.board, i, &self.chosen))
                    .collect();
                if covering.is_empty() {
                    return Ok(Some(self.completed(left)));
                }
                if left == 0 {
                    return Ok(None);
                }
                self.branches(&covering, left)
            }
        };
        let mut tried = Vec::new();
        for square in next {
            if !contains(&self.available, square) {
                continue;
            }
            remove(&mut self.available, square);
            tried.push(square);
            self.chosen.push(square);
            let found = self.extend(left - 1)?;
            self.chosen.pop();
            if found.is_some() {
                return Ok(found);
            }
        }
        tried.into_iter().for_each(|s| insert(&mut self.available, s));
        Ok(None)
    }

    /// Squares of which at least one is in every move that a certain reply, one of those that cover
    /// the chosen stones, does not cover. The reply with the fewest such squares is taken.
    fn branches(&self, covering: &[usize], left: usize) -> Vec<Sq> {
        let outside = |i: usize| {
            let squares = self.replies.squares_of(i);
            self.chosen.iter().copied().filter(|s| !squares.contains(s)).collect::<Vec<Sq>>()
        };
        let ample = |&i: &usize| self.replies.replies[i].slack >= outside(i).len() + left;
        let areas = covering.iter().copied().filter(ample).map(|i| {
            let Some(zone) = self.replies.replies[i].zone.map(|z| &self.replies.zones[z]) else {
                return Vec::new();
            };
            // One stone that is not clear, or several that share a segment which they can fill up
            // to its level, together with those of the chosen stones that are outside R.
            let mut area = zone.first_layer.clone();
            let rest = outside(i);
            for &(seg, level) in &zone.segments {
                let within = self.board.squares(seg).filter(|s| rest.contains(s)).count();
                if within + left >= usize::from(level) {
                    self.board.squares(seg).for_each(|s| insert(&mut area, s));
                }
            }
            self.available_outside(area, i)
        });
        areas.min_by_key(Vec::len).unwrap_or_else(|| {
            // More stones than there is slack for: at least one of them is outside R.
            let largest = covering.iter().max_by_key(|&&i| self.replies.squares_of(i).len());
            let largest = *largest.expect("a reply that covers the chosen stones");
            self.available_outside(self.available.clone(), largest)
        })
    }

    fn available_outside(&self, mut area: Vec<u64>, reply: usize) -> Vec<Sq> {
        self.replies.squares_of(reply).iter().for_each(|&s| remove(&mut area, s));
        intersect(&mut area, &self.available);
        members(&area).collect()
    }

    /// The chosen stones with any others: a set that no reply covers stays so with more stones.
    fn completed(&self, left: usize) -> Vec<Sq> {
        let others = members(&self.board.empties).filter(|s| !self.chosen.contains(s));
        self.chosen.iter().copied().chain(others.take(left)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Role;
    use crate::claim::Game;
    use crate::grid::Grid;
    use arbtest::arbitrary::{Result, Unstructured};
    use arbtest::arbtest;

    /// A small board with random stones.
    fn board(u: &mut Unstructured<'_>) -> Result<Board> {
        let (cols, rows) = (u.int_in_range(2..=5)?, u.int_in_range(1..=4)?);
        let k = u.int_in_range(2..=cols.max(rows).min(4))?;
        let game = Game { cols, rows, k, p: u.int_in_range(1..=4)?, q: 1, exact: false };
        let mut board = Board::new(game, &Grid::bounded(game));
        for square in 0..cols * rows {
            match u.int_in_range(0..=9)? {
                0 => board.place(square, Role::Attacker),
                1 => board.place(square, Role::Defender),
                _ => {}
            }
        }
        Ok(board)
    }

    /// Replies with random squares, slack and zones, the null move often among them.
    fn replies(u: &mut Unstructured<'_>, board: &Board, t: usize) -> Result<Replies> {
        let mut replies = Replies::default();
        let empties: Vec<Sq> = members(&board.empties).collect();
        for i in 0..u.int_in_range(0..=12)? {
            let mut squares: Vec<Sq> = Vec::new();
            for &square in &empties {
                if i > 0 && u.int_in_range(0..=3)? == 0 {
                    squares.push(square);
                }
            }
            let slack = match u.arbitrary()? {
                true => t.saturating_sub(squares.len()),
                false => u.int_in_range(0..=t)?,
            };
            let mut zone = Zone::new(board);
            for &square in &empties {
                if !squares.contains(&square) && u.int_in_range(0..=5)? == 0 {
                    insert(&mut zone.squares, square);
                }
            }
            for seg in 0..board.segment_count() as Seg {
                if u.int_in_range(0..=2)? == 0 {
                    zone.set_level(seg, u.int_in_range(1..=4)?);
                }
            }
            replies.add(board, &squares, slack, &zone);
        }
        Ok(replies)
    }

    fn blocks_all(threats: &Threats, chosen: &[Sq]) -> bool {
        threats.iter().all(|empties| empties.iter().any(|s| chosen.contains(s)))
    }

    /// All moves of t stones, one by one.
    fn uncovered_by_enumeration(
        board: &Board,
        t: usize,
        threats: &Threats,
        replies: &Replies,
    ) -> bool {
        let empties: Vec<Sq> = members(&board.empties).collect();
        let mut moves: Vec<Vec<Sq>> = vec![Vec::new()];
        for _ in 0..t.min(empties.len()) {
            let longer = |m: &Vec<Sq>| {
                let (m, last) = (m.clone(), m.last().copied());
                let above = empties.iter().filter(move |&&s| last.is_none_or(|l| s > l));
                above.map(move |&s| m.iter().copied().chain([s]).collect()).collect::<Vec<_>>()
            };
            moves = moves.iter().flat_map(longer).collect();
        }
        moves.iter().any(|m| blocks_all(threats, m) && !replies.any_covers(board, m))
    }

    #[test]
    fn fast_paths_agree_with_the_search() {
        let (mut cases, mut open) = ([0; 5], [0; 5]);
        let mut scratch = Scratch::default();
        // Until covered and uncovered moves of every length came up, however slow the machine is.
        while !(1..5).all(|t| 20 < open[t] && open[t] + 20 < cases[t]) {
            arbtest(|u| {
                let board = board(u)?;
                let t = u.int_in_range(0..=4)?;
                let mut threats = Threats::default();
                let mut segments = Vec::new();
                board.threats(&mut segments);
                for &seg in segments.iter().take(u.int_in_range(0..=3)?) {
                    threats.add(&board, seg);
                }
                let replies = replies(u, &board, t)?;
                let fast = uncovered(&board, t, &threats, &replies, &mut scratch).unwrap();
                let stones = t.min(board.empty_count);
                if threats.iter().all(|empties| !empties.is_empty()) {
                    let slow = uncovered_by_search(&board, stones, &threats, &replies).unwrap();
                    assert_eq!(fast.is_some(), slow.is_some(), "t = {t}");
                }
                let truth = uncovered_by_enumeration(&board, t, &threats, &replies);
                assert_eq!(fast.is_some(), truth, "t = {t}");
                if let Some(chosen) = &fast {
                    assert_eq!(chosen.len(), stones);
                    assert!(blocks_all(&threats, chosen) && !replies.any_covers(&board, chosen));
                }
                cases[stones] += 1;
                open[stones] += usize::from(fast.is_some());
                Ok(())
            })
            .budget_ms(sixproof_oracle::effort(500, 1_500))
            .run();
        }
    }
}
