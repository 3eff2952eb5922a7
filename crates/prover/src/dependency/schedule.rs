//! From elements to moves with p stones a move (Wu's report, corollaries 3 and 4).
//!
//! A threat dependency sequence wins by itself (WT0) when it splits into moves of at most p
//! stones, each adding p threats, the last one more. Where a move adds fewer, it is a WTi
//! sequence: it takes i single threats that are independent of the sequence and of each other to
//! fill up its moves.
//!
//! Elements are not tied to the order in which they were found, only to their dependencies, so
//! single threats are put together with any others that can be played by then.

use super::board::{Board, Cell, Side};
use super::cover;

/// An element to be played.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) cells: Vec<Cell>,
    pub(super) threats: u32,
    /// The parts that it depends on, by their place in the list: always before its own.
    pub(super) after: Vec<usize>,
}

/// A move in the making.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Group {
    /// The parts that it is made of; the last move has no parts.
    pub(super) parts: Vec<usize>,
    pub(super) cells: Vec<Cell>,
    /// The number of threats that it lacks.
    pub(super) lacking: u32,
    /// The number of stones that it has left.
    pub(super) spare: u32,
}

/// Splits the parts into moves in front of the last move; the first move has `first` stones.
/// `None` when the stones do not fit.
pub(super) fn schedule(parts: &[Part], last: &[Cell], first: u32, p: u32) -> Option<Vec<Group>> {
    let mut done = vec![false; parts.len()];
    let mut groups: Vec<Group> = Vec::new();
    while done.contains(&false) {
        let stones = if groups.is_empty() { first } else { p };
        let mut group = Group { lacking: p, spare: stones, ..Group::default() };
        while let Some(next) = choose(parts, &done, &group) {
            let part = &parts[next];
            done[next] = true;
            group.parts.push(next);
            group.cells.extend(&part.cells);
            group.lacking -= part.threats;
            group.spare -= part.cells.len() as u32;
        }
        if group.parts.is_empty() || group.spare < group.lacking {
            return None;
        }
        groups.push(group);
    }
    let stones = if groups.is_empty() { first } else { p };
    let spare = stones.checked_sub(last.len() as u32)?;
    groups.push(Group { cells: last.to_vec(), spare, ..Group::default() });
    Some(groups)
}

/// The next part for a move: one with as many threats as possible, so that single threats wait for
/// each other.
fn choose(parts: &[Part], done: &[bool], group: &Group) -> Option<usize> {
    (0..parts.len())
        .filter(|&i| !done[i] && parts[i].after.iter().all(|&a| done[a]))
        .filter(|&i| parts[i].threats <= group.lacking)
        .filter(|&i| parts[i].cells.len() as u32 <= group.spare)
        .min_by_key(|&i| (u32::MAX - parts[i].threats, i))
}

/// Fills the moves up: first with single threats independent of everything in the sequence, then,
/// where stones are left, with stones where they disturb Defender most. All stones of the
/// sequence are on the board. Returns the threats that are still lacking.
pub(super) fn fill(board: &mut Board, groups: &mut [Group]) -> u32 {
    let sequence: Vec<Cell> = groups.iter().flat_map(|g| g.cells.clone()).collect();
    let last = groups.last().map(|g| g.cells.clone()).unwrap_or_default();
    let mut placed: Vec<Cell> = Vec::new();
    let mut lacking = 0;
    for group in groups.iter_mut() {
        while group.lacking > 0 {
            let foreign: Vec<Cell> = [sequence.as_slice(), &placed].concat();
            let Some((cell, cost)) = independent_single(board, &foreign, &last) else { break };
            board.place(cell, Side::Attacker);
            board.place_all(&cost, Side::Defender);
            placed.push(cell);
            placed.extend(cost);
            group.cells.push(cell);
            group.lacking -= 1;
            group.spare -= 1;
        }
        lacking += group.lacking;
    }
    for group in groups.iter_mut().filter(|_| lacking == 0) {
        while group.spare > 0 {
            let Some(cell) = disturbing(board) else { break };
            board.place(cell, Side::Attacker);
            placed.push(cell);
            group.cells.push(cell);
            group.spare -= 1;
        }
    }
    board.remove_all(&placed);
    lacking
}

/// A square that makes one threat with none of the `foreign` stones, and the reply set, which
/// must leave the threats of the last move too many.
fn independent_single(
    board: &mut Board,
    foreign: &[Cell],
    last: &[Cell],
) -> Option<(Cell, Vec<Cell>)> {
    let p = board.game.p();
    let cells: Vec<Cell> = board.cells().filter(|&c| board.is_empty(c)).collect();
    cells.into_iter().find_map(|cell| {
        let promising = board.through(cell).any(|l| board.is_active(l) && board.open(l) == p + 1);
        if !promising {
            return None;
        }
        board.place(cell, Side::Attacker);
        let lines = board.threats_through(&[cell]);
        let own = |l: &usize| !board.attackers_in(*l).iter().any(|c| foreign.contains(c));
        let single = lines.iter().all(own) && cover::number(board, &lines, p) == 1;
        let cost = single.then(|| cover::union(&cover::sets(board, &lines, 1)));
        let cost = cost.filter(|cost| {
            board.place_all(cost, Side::Defender);
            let wins = cover::number(board, &board.threats_through(last), p) > p;
            board.remove_all(cost);
            wins
        });
        board.remove(cell);
        cost.map(|cost| (cell, cost))
    })
}

/// The empty square on the segments where Defender has most.
fn disturbing(board: &Board) -> Option<Cell> {
    let worth = |cell: Cell| -> u32 {
        let theirs = board.through(cell).filter(|&l| board.is_active_for_defender(l));
        theirs.map(|l| board.game.k() - board.open(l)).map(|n| n * n).sum()
    };
    board.cells().filter(|&c| board.is_empty(c)).max_by_key(|&c| (worth(c), Cell::MAX - c))
}

#[cfg(test)]
mod tests {
    use sixproof_certificate::Claim;
    use sixproof_game::{Color, Game, Position, Square};

    use super::super::prove;
    use super::*;

    /// A part with these stones, threats and dependencies.
    fn part(cells: &[Cell], threats: u32, after: &[usize]) -> Part {
        Part { cells: cells.to_vec(), threats, after: after.to_vec() }
    }

    /// The moves of Connect6, and what each lacks.
    fn moves(parts: &[Part], last: &[Cell]) -> Option<Vec<(Vec<Cell>, u32)>> {
        let groups = schedule(parts, last, 2, 2)?;
        Some(groups.into_iter().map(|g| (g.cells, g.lacking)).collect())
    }

    #[test]
    fn wt0_sequences_of_the_report_split_into_full_moves() {
        // {(X&Y, 2, ⊥), (Z, 1, γ), (W, 2, γ)}
        let pair = [part(&[1, 2], 2, &[])];
        assert_eq!(moves(&pair, &[3, 4]), Some(vec![(vec![1, 2], 0), (vec![3, 4], 0)]));
        // {(X, 1, ⊥), (Y, 1, ⊥), (Z, 3, ⊥)}
        let singles = [part(&[1], 1, &[]), part(&[2], 1, &[])];
        assert_eq!(moves(&singles, &[3]), Some(vec![(vec![1, 2], 0), (vec![3], 0)]));
    }

    #[test]
    fn single_threats_wait_for_each_other() {
        let parts = [part(&[1], 1, &[]), part(&[2, 3], 2, &[]), part(&[4], 1, &[1])];
        let expected = vec![(vec![2, 3], 0), (vec![1, 4], 0), (vec![5], 0)];
        assert_eq!(moves(&parts, &[5]), Some(expected));
    }

    #[test]
    fn wti_sequences_say_what_they_lack() {
        let parts = [part(&[1], 1, &[]), part(&[2, 3], 2, &[0]), part(&[4], 1, &[1])];
        let expected = vec![(vec![1], 1), (vec![2, 3], 0), (vec![4], 1), (vec![5, 6], 0)];
        assert_eq!(moves(&parts, &[5, 6]), Some(expected));
    }

    #[test]
    fn moves_have_no_more_stones_than_are_left() {
        assert!(schedule(&[part(&[1, 2], 2, &[])], &[3], 1, 2).is_none());
        assert!(schedule(&[], &[3, 4], 1, 2).is_none());
        assert!(schedule(&[part(&[1], 1, &[])], &[3, 4], 1, 2).is_none(), "no stone to fill up");
        assert!(schedule(&[part(&[1], 2, &[])], &[3, 4], 1, 2).is_some());
    }

    /// Corollary 4: J10 adds a single threat, J13 and M13 three; E2 fills up the first move.
    #[test]
    fn a_single_threat_elsewhere_fills_up_a_wt1_sequence() {
        let squares = |text: &str| -> Vec<Square> {
            text.split(' ').map(|name| Game::CONNECT6.parse_square(name).unwrap()).collect()
        };
        let black = squares("G10 H10 I10 J8 J9 N14 O15 K13 L13 B2 C2 D2");
        let white = squares("F10 J7 J14 I9 P16 H11 K8 I11 K12 G13 N13 A2");
        let position = Position::set_up(Game::CONNECT6, &black, &white, Color::Black, 2).unwrap();
        let claim = Claim { position, attacker: Color::Black };
        let mut board = Board::new(&claim).unwrap();
        let cells = |text: &str| -> Vec<Cell> {
            squares(text).iter().map(|s| (s.y * 19 + s.x) as Cell).collect()
        };
        let (first, last, cost) = (cells("J10"), cells("J13 M13"), cells("K10 L10"));
        let single = Part { cells: first.clone(), threats: 1, after: Vec::new() };
        let mut groups = schedule(&[single], &last, 2, 2).unwrap();

        board.place_all(&[first.as_slice(), &last].concat(), Side::Attacker);
        board.place_all(&cost, Side::Defender);
        assert_eq!(fill(&mut board, &mut groups), 0);
        board.remove_all(&[first, last, cost].concat());

        let moves: Vec<Vec<Cell>> = groups.into_iter().map(|g| g.cells).collect();
        assert_eq!(moves, [cells("J10 E2"), cells("J13 M13")]);
        let bytes = prove::certificate(&mut board, &claim, &moves, &mut 10);
        assert!(sixproof_check::check_bytes(&bytes.unwrap()).is_ok());
    }
}
