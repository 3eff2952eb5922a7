//! How many stones block a set of threats, and which: Wu's number of threats (definition 1) is the
//! size of the smallest set of squares that meets them all.

use super::board::{Board, Cell};

/// The fewest squares that meet all threats; `most + 1` when `most` are not enough.
pub(super) fn number(board: &Board, threats: &[usize], most: u32) -> u32 {
    let empties: Vec<Vec<Cell>> = threats.iter().map(|&l| board.empties(l)).collect();
    (0..=most).find(|&n| meets(&empties, n, &mut Vec::new())).unwrap_or(most + 1)
}

/// Whether `left` more squares meet all sets that `chosen` does not.
fn meets(sets: &[Vec<Cell>], left: u32, chosen: &mut Vec<Cell>) -> bool {
    let Some(open) = sets.iter().find(|set| !set.iter().any(|c| chosen.contains(c))) else {
        return true;
    };
    left > 0
        && open.iter().any(|&c| {
            chosen.push(c);
            let met = meets(sets, left - 1, chosen);
            chosen.pop();
            met
        })
}

/// All sets of at most `size` squares that meet all threats; each sorted and given once. Where
/// fewer than `size` squares are not enough, these are all the defences of `size` stones.
pub(super) fn sets(board: &Board, threats: &[usize], size: u32) -> Vec<Vec<Cell>> {
    let empties: Vec<Vec<Cell>> = threats.iter().map(|&l| board.empties(l)).collect();
    let mut found = Vec::new();
    collect(&empties, size, &mut Vec::new(), &mut found);
    found.iter_mut().for_each(|set: &mut Vec<Cell>| set.sort_unstable());
    found.sort_unstable();
    found.dedup();
    found
}

fn collect(sets: &[Vec<Cell>], left: u32, chosen: &mut Vec<Cell>, found: &mut Vec<Vec<Cell>>) {
    let Some(open) = sets.iter().find(|set| !set.iter().any(|c| chosen.contains(c))) else {
        found.push(chosen.clone());
        return;
    };
    if left == 0 {
        return;
    }
    for &c in open {
        chosen.push(c);
        collect(sets, left - 1, chosen, found);
        chosen.pop();
    }
}

/// The squares of all these sets, sorted: the reply set, all defences at once.
pub(super) fn union(sets: &[Vec<Cell>]) -> Vec<Cell> {
    let mut all: Vec<Cell> = sets.concat();
    all.sort_unstable();
    all.dedup();
    all
}
