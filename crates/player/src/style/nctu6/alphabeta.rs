//! Alpha-beta over the best moves.

use sixproof_prover::board::{Rules, Side, Sq};
use sixproof_prover::cover::{Defences, Threat, defences};

use super::super::allowance::Allowance;
use super::super::values::Values;
use super::generate::{MoveGenerator, place_all, remove_all};

/// The score of k in a row at the root: more than any difference of values.
pub(super) const WON: i32 = 1_000_000;
/// The number of first stones of a move within the tree, and of moves kept.
const WIDTH: usize = 7;
const KEPT: usize = 7;

/// The search of one position.
pub(super) struct AlphaBeta<'a, 'w> {
    pub(super) values: Values,
    pub(super) generator: MoveGenerator<'a>,
    pub(super) allowance: Allowance<'w>,
    /// The number of positions of the game tree.
    pub(super) nodes: u64,
    /// Whether the answer was due before the end.
    pub(super) aborted: bool,
}

/// The worth of a position, and the moves expected.
pub(super) type Line = (i32, Vec<Vec<Sq>>);

impl AlphaBeta<'_, '_> {
    /// The worth of the position to `side`, who moves p stones, between `alpha` and `beta`.
    pub(super) fn search(
        &mut self,
        side: Side,
        depth: u32,
        ply: i32,
        (mut alpha, beta): (i32, i32),
    ) -> Line {
        self.nodes += 1;
        self.allowance.nodes += 1;
        if self.allowance.is_over() {
            self.aborted = true;
            return (0, Vec::new());
        }
        let p = self.values.board.rules.p();
        if self.values.board.empty_count() == 0 {
            return (0, Vec::new());
        }
        let mut threats: Vec<Threat> = Vec::new();
        self.values.board.threats(side, &mut threats);
        if let Some(threat) = threats.first() {
            return (WON - ply, vec![threat.empties().to_vec()]);
        }
        self.values.board.threats(side.other(), &mut threats);
        if !threats.is_empty() && defences(&threats, p, &mut Vec::new()) == Defences::None {
            return (-WON + ply + 1, Vec::new());
        }
        if depth == 0 {
            return (self.values.balance(side), Vec::new());
        }
        let moves = self.generator.moves(&mut self.values, side, p, WIDTH, &threats, &[]);
        let mut best: Line = (-WON, Vec::new());
        for candidate in moves.into_iter().take(KEPT) {
            place_all(&mut self.values, side, &candidate.squares);
            let (value, line) = self.search(side.other(), depth - 1, ply + 1, (-beta, -alpha));
            remove_all(&mut self.values, side, &candidate.squares);
            if self.aborted {
                break;
            }
            if -value > best.0 || best.1.is_empty() {
                best = (-value, [vec![candidate.squares], line].concat());
                alpha = alpha.max(-value);
                if alpha >= beta {
                    break;
                }
            }
        }
        best
    }
}
