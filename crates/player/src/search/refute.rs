//! Moves tried before they are played: does the other side refute them by force?

use sixproof_prover::board::Rules;
use sixproof_prover::vcdt::Forced;

use crate::certified::certified;

use super::moves::{BoardMove, Demands, Width};
use super::root::RootMove;
use super::{LIKELY_LOSS, Searcher, Thinker};

/// The factor by which a saving move is worth more nodes than a search, where the game is about to
/// be lost.
const RESCUE_FACTOR: u64 = 20;

/// The result of trying to refute a move by force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refutation {
    /// It was not tried.
    Open,
    /// No refutation was found.
    Stands,
    /// The other side wins, in a line of this number of moves.
    Refuted(usize),
}

impl Refutation {
    fn length(self) -> usize {
        match self {
            Refutation::Refuted(length) => length,
            Refutation::Open | Refutation::Stands => usize::MAX,
        }
    }
}

impl Thinker<'_> {
    /// The best move that the other side cannot refute by force, as far as the search sees.
    pub(super) fn choose<R: Rules>(
        &self,
        searcher: &mut Searcher<R>,
        color: usize,
        list: &mut [RootMove],
    ) -> usize {
        if self.strength.noise > 0 {
            self.blur(list);
        }
        if self.strength.check == 0 {
            return 0;
        }
        for (at, candidate) in list.iter_mut().enumerate() {
            let late = self.is_late() && candidate.verdict == Refutation::Open;
            if late || self.stands(searcher, color, candidate) {
                return at;
            }
        }
        (0..list.len()).max_by_key(|&at| (list[at].verdict.length(), usize::MAX - at)).unwrap_or(0)
    }

    /// Whether no refutation of a move is found: the verdict.
    pub(super) fn stands<R: Rules>(
        &self,
        searcher: &mut Searcher<R>,
        color: usize,
        candidate: &mut RootMove,
    ) -> bool {
        if candidate.verdict == Refutation::Open && self.strength.check > 0 && !self.is_late() {
            let quick = self.refutation(searcher, color, &candidate.stones);
            let length =
                quick.map(|path| path.len()).or_else(|| self.slow_refutation(&candidate.stones));
            candidate.verdict = length.map_or(Refutation::Stands, Refutation::Refuted);
        }
        !matches!(candidate.verdict, Refutation::Refuted(_))
    }

    /// The other side's forced win after a move.
    fn refutation<R: Rules>(
        &self,
        searcher: &mut Searcher<R>,
        color: usize,
        stones: &BoardMove,
    ) -> Option<Vec<Forced>> {
        searcher.state.play(color, stones.squares());
        let mut threats = Vec::new();
        searcher.state.threats(1 - color, &mut threats);
        let path = match threats.first() {
            Some(win) => Some(vec![Forced { attack: win.empties().to_vec(), reply: Vec::new() }]),
            None => searcher.forced_win(1 - color, self.strength.check),
        };
        searcher.state.take_back(color, stones.squares());
        path
    }

    /// The length of a win of the other side after a move that is forced by single threats, too.
    fn slow_refutation(&self, stones: &BoardMove) -> Option<usize> {
        let mut after = self.position.clone();
        after.play(&self.squares(stones.squares())).ok()?;
        if after.is_over() || self.strength.prove == 0 || self.is_late() {
            return None;
        }
        let (proof, _) = certified(&after, 2, self.strength.prove, &mut || self.is_late());
        proof.map(|proof| proof.line.len())
    }

    /// Looks among all moves that could parry for one that does.
    pub(super) fn rescue<R: Rules>(
        &self,
        searcher: &mut Searcher<R>,
        color: usize,
        demands: Demands,
    ) -> Option<RootMove> {
        let all = usize::MAX;
        let width = Width { first: all, partners: all, partners_min: all, kept: all };
        let Searcher { generator, state, .. } = searcher;
        let stones = self.position.left();
        if stones > 2 || self.is_late() {
            return None;
        }
        let list = generator.generate(state, color, stones, width, demands);
        let nodes_max = self.limits.nodes.map_or(u64::MAX, |n| n.saturating_mul(RESCUE_FACTOR));
        for candidate in list {
            if self.is_late() || searcher.nodes() >= nodes_max {
                break;
            }
            if self.refutation(searcher, color, &candidate.stones).is_none() {
                let score = LIKELY_LOSS;
                let verdict = Refutation::Stands;
                return Some(RootMove { stones: candidate.stones, score, verdict });
            }
        }
        None
    }
}
