//! Moves of p stones, stone by stone (Wu and Huang, section 4.3).
//!
//! The best first stones are taken by what they gain, and for each the best partners *given that
//! stone*: stones that work together find each other, and no list of all pairs is made. Where the
//! other side threatens, moves begin with a block; where it would win by force after a null move,
//! only moves that touch the zone of that win are of any use.

use sixproof_game::P_MAX;
use sixproof_prover::board::{Rules, Sq};
use sixproof_prover::cover::{Threat, each_block};
use sixproof_prover::zone::Zone;

use super::state::SearchState;

/// The stones of one move, as squares of the search board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BoardMove {
    count: u8,
    squares: [Sq; P_MAX as usize],
}

impl BoardMove {
    pub(crate) fn new(squares: &[Sq]) -> BoardMove {
        let mut stones = BoardMove::default();
        for &square in squares.iter().take(P_MAX as usize) {
            stones.squares[usize::from(stones.count)] = square;
            stones.count += 1;
        }
        stones.squares[..usize::from(stones.count)].sort_unstable();
        stones
    }

    pub(crate) fn squares(&self) -> &[Sq] {
        &self.squares[..usize::from(self.count)]
    }

    fn with(&self, square: Sq) -> BoardMove {
        let mut squares = [0; P_MAX as usize];
        let count = usize::from(self.count);
        squares[..count].copy_from_slice(self.squares());
        squares[count] = square;
        BoardMove::new(&squares[..=count])
    }
}

/// A move and what it gains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub(crate) stones: BoardMove,
    pub(crate) gain: i32,
}

/// The number of moves that are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Width {
    /// The number of first stones.
    pub(crate) first: usize,
    /// The number of partners of the best first stone; each further one has one fewer, down to
    /// `partners_min`.
    pub(crate) partners: usize,
    pub(crate) partners_min: usize,
    /// The number of moves kept.
    pub(crate) kept: usize,
}

/// What a move must do.
#[derive(Clone, Copy, Default)]
pub(crate) struct Demands<'a> {
    /// Threats of the other side, all of which it must block.
    pub(crate) block: &'a [Threat],
    /// The zone of the other side's forced win, which it must touch.
    pub(crate) touch: Option<&'a Zone>,
}

/// Generates moves; one lives as long as a search.
#[derive(Default)]
pub(crate) struct Generator {
    /// The number of half-moves looked at.
    pub(crate) half_moves: u64,
    best: Vec<(i32, Sq)>,
    next: Vec<Candidate>,
}

impl Generator {
    /// The moves of a colour with `stones` to place, best first; empty if no move does what is
    /// demanded.
    pub(crate) fn generate<R: Rules>(
        &mut self,
        state: &mut SearchState<R>,
        color: usize,
        stones: u32,
        width: Width,
        demands: Demands,
    ) -> Vec<Candidate> {
        let stones = stones.min(state.boards[color].empty_count()) as usize;
        let mut beam = self.begin(state, color, stones, demands.block);
        let relevant = demands.touch.map(|zone| zone.shadow(&state.boards[1 - color], stones));
        for placed in 0..stones {
            self.next.clear();
            for (rank, &candidate) in beam.iter().enumerate() {
                if candidate.stones.squares().len() > placed {
                    self.next.push(candidate);
                    continue;
                }
                let count = match candidate.stones.squares().len() {
                    0 => width.first,
                    _ => width.partners.saturating_sub(rank).max(width.partners_min),
                };
                let first_of_many = placed == 0 && stones > 1;
                let rows = relevant.as_ref().filter(|_| first_of_many || stones == 1);
                state.play(color, candidate.stones.squares());
                self.select(state, color, count, rows);
                state.take_back(color, candidate.stones.squares());
                let Generator { best, next, .. } = self;
                next.extend(best.iter().map(|&(gain, square)| Candidate {
                    stones: candidate.stones.with(square),
                    gain: candidate.gain + gain,
                }));
            }
            settle(&mut self.next);
            // A beam of first stones is never cut; of longer parts only the best go on.
            if placed > 0 && placed + 1 < stones {
                self.next.truncate(width.first);
            }
            std::mem::swap(&mut beam, &mut self.next);
        }
        if let Some(zone) = demands.touch {
            let board = &state.boards[1 - color];
            beam.retain(|candidate| !zone.is_set_clear(board, candidate.stones.squares()));
        }
        beam.truncate(width.kept);
        beam
    }

    /// The parts that moves begin with: nothing, or blocks.
    fn begin<R: Rules>(
        &mut self,
        state: &mut SearchState<R>,
        color: usize,
        stones: usize,
        block: &[Threat],
    ) -> Vec<Candidate> {
        let mut beam = Vec::new();
        each_block(block, stones as u32, &mut Vec::new(), &mut |squares| {
            beam.push(Candidate { stones: BoardMove::new(squares), gain: 0 });
        });
        beam.sort_unstable_by_key(|candidate| candidate.stones);
        beam.dedup();
        for candidate in &mut beam {
            for (index, &square) in candidate.stones.squares().iter().enumerate() {
                candidate.gain += state.evaluation.gain(color, square);
                state.place(color, square);
                debug_assert!(index < stones);
            }
            state.take_back(color, candidate.stones.squares());
        }
        settle(&mut beam);
        beam
    }

    /// Collects the best empty squares, of those in `rows`, with what they gain.
    fn select<R: Rules>(
        &mut self,
        state: &SearchState<R>,
        color: usize,
        count: usize,
        rows: Option<&Vec<u64>>,
    ) {
        let board = &state.boards[0];
        self.best.clear();
        let mut least = i32::MIN;
        for (y, line) in board.geometry.lines[..board.geometry.rows as usize].iter().enumerate() {
            let mut empty = line.squares & !board.line(y).taken();
            if let Some(rows) = rows {
                empty &= rows[y];
            }
            self.half_moves += u64::from(empty.count_ones());
            for square in line.squares_at(empty) {
                let gain = state.evaluation.gain(color, square);
                if self.best.len() == count && gain <= least {
                    continue;
                }
                let at = self.best.partition_point(|&(known, _)| known >= gain);
                self.best.insert(at, (gain, square));
                self.best.truncate(count);
                least = self.best.last().map_or(i32::MIN, |&(gain, _)| gain);
            }
        }
    }
}

/// Best first, each move once.
fn settle(list: &mut Vec<Candidate>) {
    list.sort_unstable_by(|a, b| a.stones.cmp(&b.stones).then(b.gain.cmp(&a.gain)));
    list.dedup_by(|later, earlier| later.stones == earlier.stones);
    list.sort_unstable_by(|a, b| b.gain.cmp(&a.gain).then(a.stones.cmp(&b.stones)));
}
