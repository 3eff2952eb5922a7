//! Moves of several stones (Wu & Huang, section 4.3, "Generating Moves").
//!
//! The squares are ordered by value; for the i-th of the best w the squares are valued again with
//! that stone on the board, and the best w - i + 1 of them are its partners; the pairs are ordered
//! by both values together. Three and more stones are found by going on in the same way from the
//! best w sets. Threats of the other side are blocked first.

use std::cmp::Reverse;

use sixproof_prover::board::{Rules, Side, Sq};
use sixproof_prover::cover::{Threat, each_block};

use super::super::field::Field;
use super::super::greedy::tie;
use super::super::values::Values;

/// The most blocking sets that are tried.
const BLOCKS_MAX: usize = 64;

/// A move and the value of its stones, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) squares: Vec<Sq>,
    pub(super) value: i32,
}

/// Makes moves for a position of a field.
pub(super) struct MoveGenerator<'a> {
    pub(super) field: &'a Field,
    pub(super) seed: u64,
    /// The number of half-moves looked at so far.
    pub(super) half_moves: u64,
}

impl MoveGenerator<'_> {
    /// Moves of `stones` stones of `side`, best first, from the best `width` first stones. All of
    /// them block `counter`, the other side's threats. `first` are squares that are tried as first
    /// stones whatever their value.
    pub(super) fn moves(
        &mut self,
        values: &mut Values,
        side: Side,
        stones: u32,
        width: usize,
        counter: &[Threat],
        first: &[Sq],
    ) -> Vec<Candidate> {
        let stones = stones.min(values.board.empty_count()) as usize;
        let mut beam = self.starts(values, side, stones, counter);
        let mut done = Vec::new();
        loop {
            let (whole, part): (Vec<_>, Vec<_>) =
                beam.into_iter().partition(|candidate| candidate.squares.len() >= stones);
            done.extend(whole);
            if part.is_empty() {
                break;
            }
            let mut next = Vec::new();
            for (rank, candidate) in part.into_iter().take(width).enumerate() {
                place_all(values, side, &candidate.squares);
                // The first stone of a move has the whole width, its partners ever less.
                let open = if candidate.squares.is_empty() { width } else { width - rank };
                let mut best = self.best(values, side, open);
                if candidate.squares.is_empty() {
                    let more = first.iter().filter(|&square| !best.contains(square));
                    best.extend(more.copied().collect::<Vec<_>>());
                }
                for square in best {
                    let mut squares = candidate.squares.clone();
                    squares.push(square);
                    squares.sort_unstable();
                    let value = candidate.value + values.of(side, square);
                    next.push(Candidate { squares, value });
                }
                remove_all(values, side, &candidate.squares);
            }
            let last = next.first().is_some_and(|candidate| candidate.squares.len() >= stones);
            settle(&mut next);
            if !last {
                next.truncate(width.max(first.len()));
            }
            beam = next;
        }
        settle(&mut done);
        done
    }

    /// Where moves begin: with nothing, or with the blocks of threats.
    fn starts(
        &mut self,
        values: &mut Values,
        side: Side,
        stones: usize,
        counter: &[Threat],
    ) -> Vec<Candidate> {
        let mut starts = vec![Candidate { squares: Vec::new(), value: 0 }];
        if counter.is_empty() {
            return starts;
        }
        starts.clear();
        let stones = stones.min(values.board.rules.p() as usize) as u32;
        each_block(counter, stones, &mut Vec::new(), &mut |block| {
            let mut squares = block.to_vec();
            squares.sort_unstable();
            if starts.len() < BLOCKS_MAX {
                starts.push(Candidate { squares, value: 0 });
            }
        });
        for start in &mut starts {
            self.half_moves += start.squares.len() as u64;
            for &square in &start.squares {
                start.value += values.of(side, square);
                values.place(side, square);
            }
            remove_all(values, side, &start.squares);
        }
        settle(&mut starts);
        starts
    }

    /// The best empty squares, best first.
    fn best(&mut self, values: &Values, side: Side, count: usize) -> Vec<Sq> {
        self.half_moves += u64::from(values.board.empty_count());
        let mut best: Vec<_> =
            values.board.empty_squares().map(|square| (-values.of(side, square), square)).collect();
        let key = |&(value, square): &(i32, Sq)| {
            let (near, chance) = tie(self.field, self.seed, square);
            (value, -near, chance, square)
        };
        if best.len() > count {
            best.select_nth_unstable_by_key(count, key);
            best.truncate(count);
        }
        best.sort_unstable_by_key(key);
        best.into_iter().map(|(_, square)| square).collect()
    }
}

/// Puts stones on the board.
pub(super) fn place_all(values: &mut Values, side: Side, squares: &[Sq]) {
    for &square in squares {
        values.place(side, square);
    }
}

/// Takes them back.
pub(super) fn remove_all(values: &mut Values, side: Side, squares: &[Sq]) {
    for &square in squares {
        values.remove(side, square);
    }
}

/// Best first, each set of squares once.
fn settle(list: &mut Vec<Candidate>) {
    list.sort_unstable_by(|a, b| a.squares.cmp(&b.squares).then(b.value.cmp(&a.value)));
    list.dedup_by(|later, earlier| later.squares == earlier.squares);
    list.sort_by_key(|candidate| Reverse(candidate.value));
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use sixproof_game::{Color, Game, Position};

    use super::*;

    /// The moves of Black in a position of Connect6, from this number of first stones.
    fn pairs(width: usize) -> Vec<Candidate> {
        let stones =
            |names: [&str; 3]| names.map(|name| Game::CONNECT6.parse_square(name).unwrap());
        let (black, white) = (stones(["J10", "K11", "H8"]), stones(["I9", "J12", "L8"]));
        let position =
            Position::set_up(Game::CONNECT6, &black, &white, Color::Black, 2).expect("stones");
        let field = Field::new(&position);
        let mut values = Values::new(field.board.clone());
        let mut generator = MoveGenerator { field: &field, seed: 1, half_moves: 0 };
        generator.moves(&mut values, Side::Attacker, 2, width, &[], &[])
    }

    /// Wu & Huang, section 4.3: w first stones, w - i + 1 partners for the i-th, each pair once.
    #[test]
    fn partners_of_the_ith_best_stone_are_fewer_by_i() {
        let sets = |width| pairs(width).into_iter().map(|pair| pair.squares).collect::<Vec<_>>();
        let (one, two, five) = (sets(1), sets(2), sets(5));
        assert_eq!(one.len(), 1);
        let firsts: BTreeSet<Sq> = two.iter().flatten().copied().collect();
        assert!(two.contains(&one[0]) && two.len() <= 3 && firsts.len() <= 4, "{two:?}");
        assert!((6..=15).contains(&five.len()), "{five:?}");
        assert!(two.iter().all(|pair| five.contains(pair)));
        assert_eq!(five.iter().collect::<BTreeSet<_>>().len(), five.len());
        let values: Vec<i32> = pairs(5).iter().map(|pair| pair.value).collect();
        assert!(values.is_sorted_by(|better, worse| better >= worse), "{values:?}");
    }
}
