//! Elements of threat dependency sequences with p stones a move (Wu's report, section 3.3):
//! stones of one move that add threats together, with the number of the threats and the reply
//! set.
//!
//! The report writes an element as (squares, threat number, mark), `(X&Y, 2, ⊥)` or `(Z, 1, γ)`.
//! We read the mark γ as *open*: Defender has not replied to the element when the next one is
//! played, so both belong to one move. Here elements below another one are always found behind
//! its reply set, which is the stricter reading and never a false one; only the stones of the
//! last move are open.

use std::collections::BTreeSet;

use super::board::{Board, Cell, Side};
use super::cover;

/// Stones that add threats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Element {
    /// The gain squares, sorted.
    pub(super) cells: Vec<Cell>,
    /// The number of stones that Defender needs; p + 1 when p do not suffice.
    pub(super) threats: u32,
    /// The reply set: every square of a smallest defence, if there is a defence.
    pub(super) cost: Vec<Cell>,
}

/// The elements that bring a segment down to p empty squares, the segment having a square of each
/// of `groups` (any segment if there are none). An element that adds fewer threats than it has
/// stones is left out: its move could never force a reply.
pub(super) fn elements(board: &mut Board, groups: &[Vec<Cell>]) -> Vec<Element> {
    let p = board.game.p();
    let mut sets = BTreeSet::new();
    for line in lines_with(board, groups) {
        let open = board.open(line);
        if p < open && open <= 2 * p && board.is_active(line) {
            subsets(&board.empties(line), open - p, &mut Vec::new(), &mut sets);
        }
    }
    let mut found: Vec<Element> = sets.into_iter().map(|cells| element(board, cells)).collect();
    found.retain(|e| e.threats >= e.cells.len() as u32);
    found.sort_by_key(|e| (u32::MAX - e.threats, e.cells.len()));
    found
}

/// The element that these stones are.
pub(super) fn element(board: &mut Board, cells: Vec<Cell>) -> Element {
    let p = board.game.p();
    board.place_all(&cells, Side::Attacker);
    let lines = board.threats_through(&cells);
    let threats = cover::number(board, &lines, p);
    let cost = match threats <= p {
        true => cover::union(&cover::sets(board, &lines, threats)),
        false => Vec::new(),
    };
    board.remove_all(&cells);
    Element { cells, threats, cost }
}

/// A move of at most p stones that holds an element and leaves more than p threats: the element
/// with stones that add threats by themselves, the best one first.
pub(super) fn overload(
    board: &mut Board,
    element_: &Element,
    singles: &[Element],
) -> Option<Vec<Cell>> {
    let p = board.game.p();
    let mut best = element_.clone();
    while best.threats <= p && best.cells.len() < p as usize {
        let mut better: Option<Element> = None;
        for single in singles {
            if best.cells.contains(&single.cells[0]) {
                continue;
            }
            let mut cells = best.cells.clone();
            cells.extend(&single.cells);
            cells.sort_unstable();
            let with = element(board, cells);
            if with.threats > better.as_ref().map_or(best.threats, |b| b.threats) {
                better = Some(with);
            }
        }
        best = better?;
    }
    (best.threats > p).then_some(best.cells)
}

/// The segments that have a square of each group, each once.
pub(super) fn lines_with(board: &Board, groups: &[Vec<Cell>]) -> Vec<usize> {
    let Some((first, rest)) = groups.split_first() else {
        return (0..board.lines.len()).collect();
    };
    let mut lines: Vec<usize> = first.iter().flat_map(|&c| board.through(c)).collect();
    lines.sort_unstable();
    lines.dedup();
    let has = |l: usize, group: &[Cell]| group.iter().any(|c| board.lines[l].cells.contains(c));
    lines.retain(|&l| rest.iter().all(|group| has(l, group)));
    lines
}

fn subsets(cells: &[Cell], size: u32, chosen: &mut Vec<Cell>, out: &mut BTreeSet<Vec<Cell>>) {
    if size == 0 {
        let mut set = chosen.clone();
        set.sort_unstable();
        out.insert(set);
        return;
    }
    for (index, &cell) in cells.iter().enumerate() {
        chosen.push(cell);
        subsets(&cells[index + 1..], size - 1, chosen, out);
        chosen.pop();
    }
}
