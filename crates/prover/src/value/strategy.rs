//! A certificate from an exhaustive search: Attacker's move in every position that he can meet, and
//! every move of Defender that blocks his threats as a reply.
//!
//! The strategy is collected first, as a graph of positions; then it is written with a mark on
//! every position that is reached more than once.

use std::collections::HashMap;

use sixproof_game::{Move, Square};

use super::search::{Search, Watch};
use super::state::BitPosition;
use crate::board::Bits;
use sixproof_certificate::{Claim, Step, Writer};

/// The most positions of a strategy.
const POSITIONS_MAX: usize = 2_000_000;
/// The nodes that are spent at first on a stone whose result was forgotten.
const AGAIN_NODES: u64 = 1000;

/// What Attacker does in a position.
#[derive(Clone, Debug)]
struct Plan {
    /// His squares; whether they complete a line.
    squares: u64,
    wins: bool,
    /// How many replies lead here, and the mark if it was written.
    reached: u32,
    mark: Option<u64>,
}

/// A strategy under construction.
struct Strategy<'a, 'w> {
    search: &'a mut Search,
    plans: HashMap<BitPosition, Plan>,
    watch: Watch<'w>,
}

/// A certificate, and what goes with it.
pub(super) struct Written {
    pub(super) certificate: Vec<u8>,
    pub(super) nodes: u64,
    /// A line of play.
    pub(super) line: Vec<Move>,
}

/// Writes the certificate of a claim that `search` has proved. `None` if `watch` stopped it, or
/// the strategy has too many positions.
pub(super) fn write(
    search: &mut Search,
    claim: &Claim,
    state: &BitPosition,
    watch: Watch<'_>,
) -> Option<Written> {
    let mut strategy = Strategy { search, plans: HashMap::new(), watch };
    if state.attacks {
        strategy.plan(state)?;
    } else {
        for reply in strategy.replies(state) {
            strategy.plan(&reply.1)?;
        }
    }
    let mut writer = Writer::new(Vec::new(), claim).ok()?;
    if state.attacks {
        strategy.write_attack(state, &mut writer)?;
    } else {
        strategy.write_defence(state, &mut writer)?;
    }
    let line = strategy.line(state);
    let nodes = writer.nodes();
    Some(Written { certificate: writer.finish().ok()?, nodes, line })
}

impl Strategy<'_, '_> {
    /// Plans Attacker's moves from a position on, which he wins.
    fn plan(&mut self, state: &BitPosition) -> Option<()> {
        if let Some(plan) = self.plans.get_mut(state) {
            plan.reached += 1;
            return Some(());
        }
        if self.plans.len() >= POSITIONS_MAX {
            return None;
        }
        let mut plan = Plan { squares: 0, wins: true, reached: 1, mark: None };
        if let Some(squares) = self.completion(state) {
            plan.squares = squares;
            self.plans.insert(*state, plan);
            return Some(());
        }
        plan.wins = false;
        let mut after = *state;
        while after.attacks && self.free(&after) != 0 {
            let square = self.winning_square(&after)?;
            plan.squares |= 1 << square;
            after = after.after(square, self.search.eye.p);
        }
        self.plans.insert(*state, plan);
        for (_, next) in self.replies(&after) {
            self.plan(&next)?;
        }
        Some(())
    }

    /// The empty squares of a line that Attacker completes now.
    fn completion(&self, state: &BitPosition) -> Option<u64> {
        let windows = self.search.eye.lines.windows.iter();
        let open = windows.filter(|window| window.squares & state.defender == 0);
        let empties = open.map(|window| window.squares & !state.attacker);
        empties.min_by_key(|e| e.count_ones()).filter(|e| e.count_ones() <= state.left.into())
    }

    fn free(&self, state: &BitPosition) -> u64 {
        self.search.eye.lines.board & !(state.attacker | state.defender)
    }

    /// A stone of Attacker after which he still wins.
    fn winning_square(&mut self, state: &BitPosition) -> Option<u32> {
        let squares: Vec<u32> = Bits(self.free(state)).collect();
        let children: Vec<BitPosition> =
            squares.iter().map(|&square| state.after(square, self.search.eye.p)).collect();
        if let Some(found) =
            children.iter().position(|child| self.search.known(child) == Some(true))
        {
            return Some(squares[found]);
        }
        let mut nodes = AGAIN_NODES;
        loop {
            for (child, &square) in children.iter().zip(&squares) {
                if self.search.known(child) == Some(false) {
                    continue;
                }
                let limit = self.search.nodes + nodes;
                match self.search.run(child, limit, self.watch) {
                    Some(true) => return Some(square),
                    None if self.search.was_stopped() => return None,
                    _ => {}
                }
            }
            nodes *= 4;
        }
    }

    /// Defender's moves that block every threat, with the positions that they lead to.
    fn replies(&self, state: &BitPosition) -> Vec<(u64, BitPosition)> {
        let eye = &self.search.eye;
        let open = eye.lines.windows.iter().filter(|w| w.squares & state.defender == 0);
        let empties = open.map(|window| window.squares & !state.attacker);
        let threats: Vec<u64> = empties.filter(|e| e.count_ones() <= eye.p).collect();
        let free: Vec<u32> = Bits(self.free(state)).collect();
        let count = usize::from(state.left).min(free.len());
        let mut moves = Vec::new();
        combinations(&free, count, 0, &mut |squares| {
            if threats.iter().all(|threat| threat & squares != 0) {
                let defender = state.defender | squares;
                let left = eye.p as u8;
                moves.push((squares, BitPosition { defender, attacks: true, left, ..*state }));
            }
        });
        moves
    }

    fn write_attack(&mut self, state: &BitPosition, writer: &mut Writer<Vec<u8>>) -> Option<()> {
        let plan = self.plans[state].clone();
        if let Some(mark) = plan.mark {
            writer.step(&Step::Reference { mark }).ok()?;
            return Some(());
        }
        if plan.reached > 1 {
            let mark = writer.step(&Step::Mark).ok()?;
            self.plans.get_mut(state).expect("it was planned").mark = mark;
        }
        let squares = self.squares(plan.squares);
        if plan.wins {
            writer.step(&Step::Win { squares }).ok()?;
            return Some(());
        }
        writer.step(&Step::Attack { squares }).ok()?;
        self.write_defence(&self.after(state, &plan), writer)
    }

    fn write_defence(&mut self, state: &BitPosition, writer: &mut Writer<Vec<u8>>) -> Option<()> {
        let replies = self.replies(state);
        writer.step(&Step::Defence { relies_on: None, replies: replies.len() as u64 }).ok()?;
        for (squares, next) in replies {
            writer.step(&Step::Reply { squares: self.squares(squares), slack: None }).ok()?;
            self.write_attack(&next, writer)?;
        }
        Some(())
    }

    /// The position after Attacker's planned move.
    fn after(&self, state: &BitPosition, plan: &Plan) -> BitPosition {
        let attacker = state.attacker | plan.squares;
        BitPosition { attacker, attacks: false, left: self.search.eye.p as u8, ..*state }
    }

    fn squares(&self, set: u64) -> Vec<Square> {
        Bits(set).map(|bit| self.search.eye.lines.square(bit)).collect()
    }

    /// A line of play: the plans, and always the first reply.
    fn line(&self, state: &BitPosition) -> Vec<Move> {
        let mut line = Vec::new();
        let mut state = *state;
        loop {
            if state.attacks {
                let plan = &self.plans[&state];
                line.push(self.squares(plan.squares).into());
                if plan.wins {
                    return line;
                }
                state = self.after(&state, plan);
            }
            match self.replies(&state).into_iter().next() {
                Some((squares, next)) => {
                    line.push(self.squares(squares).into());
                    state = next;
                }
                None => return line,
            }
        }
    }
}

/// All sets of `count` elements, none below the `set` at hand.
fn combinations(elements: &[u32], count: usize, set: u64, visit: &mut dyn FnMut(u64)) {
    if count == 0 {
        visit(set);
        return;
    }
    for (index, element) in elements.iter().enumerate() {
        combinations(&elements[index + 1..], count - 1, set | 1 << element, visit);
    }
}
