//! From a potential winning sequence to a certificate, against every counter-attack (Allis,
//! principle 2).
//!
//! The moves are played on the board. After each of them the threats that are really there decide
//! what Defender may do, not those that the search had in mind:
//!
//! - more threats than stones: no reply is needed;
//! - as many threats as stones: all blocks at once, as one macro reply; where that gives Defender
//! - as many threats as stones: all blocks at once, as one macro reply; where that gives Defender
//!   too much, each block as a reply of its own;
//! - none, with one stone a move: a three must stand. Without a reply Attacker makes a straight
//!   four; what disturbs that is a cost square of all straight fours (they are one macro again),
//!   a square of this one only, or a four of Defender, which is blocked before the sequence goes
//!   on.
//!
//! In all other cases the sequence stays unproved. Rules and terms: `docs/certificate.md`.

use sixproof_certificate::{Claim, Step, Writer};

use super::board::{Board, Cell, Side};
use super::cover;
use super::threat::{Straight, straight_options};

/// The most moves of Attacker in one line of a certificate.
const DEPTH_MAX: u32 = 96;

/// The certificate of a sequence of Attacker's moves, if it withstands every counter-attack. It
/// takes at most `nodes` nodes with Attacker to move, which are counted down.
pub(super) fn certificate(
    board: &mut Board,
    claim: &Claim,
    moves: &[Vec<Cell>],
    nodes: &mut u32,
) -> Option<Vec<u8>> {
    if !claim.attacker_moves() {
        return None;
    }
    let mut line = Line { board, moves, steps: Vec::new(), nodes: *nodes, depth: 0 };
    let won = line.attack(0, claim.position.left());
    *nodes = line.nodes;
    if !won {
        return None;
    }
    let mut writer = Writer::new(Vec::new(), claim).ok()?;
    for step in &line.steps {
        writer.step(step).ok()?;
    }
    writer.finish().ok()
}

/// A sequence that is played out. A method that fails leaves board and steps as they were.
struct Line<'a> {
    board: &'a mut Board,
    moves: &'a [Vec<Cell>],
    steps: Vec<Step>,
    /// The nodes that may still be visited.
    nodes: u32,
    depth: u32,
}

impl Line<'_> {
    /// Attacker is to place `stones` stones; the moves from `at` on are still to come.
    fn attack(&mut self, at: usize, stones: u32) -> bool {
        if !self.may_go_on() {
            return false;
        }
        if let Some(&win) = self.board.threats().iter().find(|&&l| self.board.open(l) <= stones) {
            let squares = self.board.squares(&self.board.empties(win));
            self.steps.push(Step::Win { squares });
            return true;
        }
        let one_stone = self.board.game.p() == 1;
        let at = self.skip_played(at);
        let next = self.moves.get(at);
        if one_stone && let Some(&block) = self.blocks().first() {
            let at = if next.is_some_and(|m| m.contains(&block)) { at + 1 } else { at };
            return self.play(&[block], at);
        }
        let go_on = |line: &mut Self, next: &Vec<Cell>| {
            next.len() == stones as usize && line.play(next, at + 1)
        };
        next.is_some_and(|next| go_on(self, next)) || one_stone && self.straight_four()
    }

    /// Counts a node; false when there are too many, or Defender has won.
    fn may_go_on(&mut self) -> bool {
        let more = self.nodes > 0 && self.depth < DEPTH_MAX;
        self.nodes = self.nodes.saturating_sub(1);
        more && !self.has_lost()
    }

    /// Moves that a forced block has brought forward are left out.
    fn skip_played(&self, at: usize) -> usize {
        let played = |m: &Vec<Cell>| m.iter().all(|&c| self.board.at(c) == Some(Side::Attacker));
        at + self.moves[at..].iter().take_while(|m| played(m)).count()
    }

    /// Whether Defender has k in a row.
    fn has_lost(&self) -> bool {
        self.board.their_lines(0).next().is_some()
    }

    /// The squares with which Defender would complete a segment by one stone.
    fn blocks(&self) -> Vec<Cell> {
        self.board.their_lines(1).map(|l| self.board.empties(l)[0]).collect()
    }

    fn play(&mut self, cells: &[Cell], at: usize) -> bool {
        if !cells.iter().all(|&c| self.board.is_empty(c)) {
            return false;
        }
        let len = self.steps.len();
        self.steps.push(Step::Attack { squares: self.board.squares(cells) });
        self.board.place_all(cells, Side::Attacker);
        self.depth += 1;
        let won = self.defend(at);
        self.depth -= 1;
        self.board.remove_all(cells);
        if !won {
            self.steps.truncate(len);
        }
        won
    }

    /// Defender is to move; every reply must lose.
    fn defend(&mut self, at: usize) -> bool {
        let p = self.board.game.p();
        let threats = self.board.threats();
        if self.is_in_danger(&threats, p) {
            return false;
        }
        match cover::number(self.board, &threats, p) {
            n if n > p => {
                self.steps.push(Step::Defence { relies_on: None, replies: 0 });
                true
            }
            n if n == p => {
                let blocks = cover::sets(self.board, &threats, p);
                self.macro_or_each(&blocks, at)
            }
            _ => threats.is_empty() && p == 1 && self.three(at),
        }
    }

    /// Whether Defender could complete a segment with `stones` stones and leave one of the threats
    /// open, or had nothing to block.
    fn is_in_danger(&self, threats: &[usize], stones: u32) -> bool {
        let board = &self.board;
        board.their_lines(stones).any(|l| {
            let misses = |&t: &usize| !meet(&board.lines[l].cells, &board.empties(t));
            threats.is_empty() || threats.iter().any(misses)
        })
    }

    /// A Defender node whose replies are these sets: all at once, or one after the other.
    fn macro_or_each(&mut self, sets: &[Vec<Cell>], at: usize) -> bool {
        let len = self.steps.len();
        self.steps.push(Step::Defence { relies_on: None, replies: 1 });
        if self.reply(&cover::union(sets), at) {
            return true;
        }
        self.steps.truncate(len);
        if sets.len() < 2 {
            return false;
        }
        self.steps.push(Step::Defence { relies_on: None, replies: sets.len() as u64 });
        let won = sets.iter().all(|set| self.reply(set, at));
        if !won {
            self.steps.truncate(len);
        }
        won
    }

    /// One reply, after which the sequence goes on.
    fn reply(&mut self, cells: &[Cell], at: usize) -> bool {
        let p = self.board.game.p();
        self.after(cells, |line| line.attack(at, p))
    }

    /// One reply, and Attacker's answer to it.
    fn after(&mut self, cells: &[Cell], attack: impl FnOnce(&mut Self) -> bool) -> bool {
        let len = self.steps.len();
        self.steps.push(Step::Reply { squares: self.board.squares(cells), slack: None });
        self.board.place_all(cells, Side::Defender);
        let won = attack(self);
        self.board.remove_all(cells);
        if !won {
            self.steps.truncate(len);
        }
        won
    }

    /// Defender is to move against a three (one stone a move, no four on the board).
    fn three(&mut self, at: usize) -> bool {
        let options = straight_options(self.board);
        let Some(&first) = options.first() else { return false };
        let shared = |c: &Cell| options.iter().all(|o| o.cells().contains(c));
        let mut costs: Vec<Cell> = first.cells().into_iter().filter(shared).collect();
        costs.sort_unstable();
        let len = self.steps.len();
        let won = options.iter().any(|&option| self.three_by(option, &costs, at));
        if !won {
            self.steps.truncate(len);
        }
        won
    }

    /// The same, when a null move is answered by this straight four.
    fn three_by(&mut self, option: Straight, costs: &[Cell], at: usize) -> bool {
        let len = self.steps.len();
        self.steps.push(Step::Defence { relies_on: None, replies: 0 });
        let mut replies = 0;
        let mut won = self.after(&[], |line| line.straight_four_by(option));
        replies += 1;
        for cell in self.disturbing(option).into_iter().filter(|c| !costs.contains(c)) {
            won = won && self.after(&[cell], |line| line.answer_disturbance(at));
            replies += 1;
        }
        if won && !costs.is_empty() {
            replies += 1;
            if !self.reply(costs, at) {
                won = costs.len() > 1 && costs.iter().all(|&c| self.reply(&[c], at));
                replies += costs.len() as u64 - 1;
            }
        }
        if won {
            self.steps[len] = Step::Defence { relies_on: None, replies };
        } else {
            self.steps.truncate(len);
        }
        won
    }

    /// Defender's stones that a straight four to come depends on: its own squares, and the segments
    /// in which one more stone makes a four.
    fn disturbing(&self, option: Straight) -> Vec<Cell> {
        let board = &self.board;
        let mut cells = option.cells().to_vec();
        for line in board.their_lines(2) {
            let own = &board.lines[line].cells;
            let dangerous =
                !own.contains(&option.gain) && !option.ends.iter().all(|c| own.contains(c));
            if dangerous {
                cells.extend(board.empties(line));
            }
        }
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// Defender has spent his stone elsewhere than against the three: his four is blocked and the
    /// three still stands, or Attacker makes another straight four.
    fn answer_disturbance(&mut self, at: usize) -> bool {
        if !self.may_go_on() {
            return false;
        }
        match self.blocks().first() {
            Some(&block) => self.play(&[block], at),
            None => self.straight_four(),
        }
    }

    /// Attacker makes any straight four.
    fn straight_four(&mut self) -> bool {
        straight_options(self.board).into_iter().any(|option| self.straight_four_by(option))
    }

    fn straight_four_by(&mut self, option: Straight) -> bool {
        self.board.place(option.gain, Side::Attacker);
        let danger = self.is_in_danger(&option.lines, 1);
        self.board.remove(option.gain);
        if danger {
            return false;
        }
        let ends = option.lines.map(|line| {
            let cells = &self.board.lines[line].cells;
            [cells[0], cells[cells.len() - 1]].map(|c| self.board.square(c))
        });
        self.steps.push(Step::Attack { squares: self.board.squares(&[option.gain]) });
        self.steps.push(Step::Defence { relies_on: Some(ends.to_vec()), replies: 0 });
        true
    }
}

fn meet(a: &[Cell], b: &[Cell]) -> bool {
    a.iter().any(|c| b.contains(c))
}
