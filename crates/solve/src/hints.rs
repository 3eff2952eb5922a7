//! Winning moves that the user suggests: every Attacker move in a game tree becomes a pair of a
//! position and the move to try there first. A hint may be wrong; it costs time, not truth.

use std::collections::HashSet;

use sixproof_game::{Color, IllegalRecord, Position, Record, Square};

/// A position with Attacker to move, and the move that is suggested there.
pub type Hint = (Position, Vec<Square>);

/// The complete moves of `attacker` in a tree, in the order of the file, each once. Moves that win
/// at once are left out: no search needs them.
pub fn of_record(record: &Record, attacker: Color) -> Result<Vec<Hint>, Box<IllegalRecord>> {
    let mut hints = Vec::new();
    let mut seen = HashSet::new();
    for (id, node) in record.nodes().iter().enumerate() {
        if !node.stones.iter().any(|&(color, _)| color == attacker) {
            continue;
        }
        let reached = record.reach(id).map_err(Box::new)?;
        let (position, played) = (&reached.position, &reached.played);
        let here = &played[played.len() - node.stones.len().min(played.len())..];
        let mut numbers: Vec<u32> = here.iter().map(|&(_, _, number)| number).collect();
        numbers.dedup();
        let last = played.last().map(|&(_, _, number)| number);
        for number in numbers {
            // A move that other nodes go on with is found there.
            let goes_on = Some(number) == last && position.to_move() == attacker;
            let stones = played.iter().filter(|&&(_, _, n)| n == number);
            let squares: Vec<Square> = stones.clone().map(|&(square, _, _)| square).collect();
            let is_attack = stones.clone().all(|&(_, color, _)| color == attacker);
            let wins = Some(number) == last && position.winner().is_some();
            if goes_on || wins || !is_attack {
                continue;
            }
            let later: Vec<Square> =
                played.iter().filter(|&&(_, _, n)| n >= number).map(|&(s, _, _)| s).collect();
            let Some(before) = without(position, &later, attacker, squares.len()) else { continue };
            let hint = (before, squares);
            if seen.insert(hint.clone()) {
                hints.push(hint);
            }
        }
    }
    Ok(hints)
}

/// The position without some stones, with `attacker` to place `left` stones; `None` if the rules
/// allow no such position.
fn without(position: &Position, gone: &[Square], attacker: Color, left: usize) -> Option<Position> {
    let stones = |side: Color| -> Vec<Square> {
        position.squares_of(side).filter(|square| !gone.contains(square)).collect()
    };
    let (black, white) = (stones(Color::Black), stones(Color::White));
    Position::set_up(position.game(), &black, &white, attacker, left as u32).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sixproof_game::{Game, moves, sgf};

    /// The hints of an SGF file as `moves before: move`.
    fn hints(file: &str, attacker: Color) -> Vec<String> {
        let record = sgf::read(file.as_bytes(), &sgf::Options::default()).unwrap();
        let text = |(position, squares): Hint| {
            let names = |color| {
                let list: Vec<Square> = position.squares_of(color).collect();
                position.game().square_names(&list)
            };
            assert_eq!((position.to_move(), position.left()), (attacker, squares.len() as u32));
            let (black, white) = (names(Color::Black), names(Color::White));
            format!("{black} | {white}: {}", position.game().square_names(&squares))
        };
        of_record(&record, attacker).unwrap().into_iter().map(text).collect()
    }

    const TREE: &str = "(;GM[511]SZ[19];B[j10];W[i8h9](;B[k11l10];W[a1a2];B[k9k10])(;B[j8k8]))";

    #[test]
    fn every_attacker_move_of_the_tree_is_a_hint() {
        assert_eq!(
            hints(TREE, Color::Black),
            [
                " | : J10",
                "J10 | I8 H9: K11 L10",
                "J10 L10 K11 | A1 A2 I8 H9: K9 K10",
                "J10 | I8 H9: J8 K8",
            ]
        );
        assert_eq!(hints(TREE, Color::White), ["J10 | : I8 H9", "J10 L10 K11 | I8 H9: A1 A2"]);
    }

    #[test]
    fn moves_may_be_spread_over_nodes_and_repeated() {
        let spread = "(;GM[511]SZ[19];B[j10];W[i8];W[h9](;B[k11];B[l10])(;B[k11];B[l10])(;B[a1]))";
        assert_eq!(hints(spread, Color::Black), [" | : J10", "J10 | I8 H9: K11 L10"]);
    }

    #[test]
    fn hints_lead_to_the_positions_of_the_line() {
        let text = "J10 / I8 H9 / K11 L10 / H10 H11 / K9 M11";
        let record = moves::read(Game::CONNECT6, text).unwrap();
        let all = of_record(&record, Color::Black).unwrap();
        assert_eq!(all.len(), 3);
        for (position, squares) in all {
            let (played, after) =
                moves::read_move(&position, &Game::CONNECT6.square_names(&squares)).unwrap();
            assert_eq!(played, squares);
            assert_eq!(position.irregularity(), None);
            assert_eq!(after.to_move(), Color::White);
        }
    }

    #[test]
    fn a_move_that_wins_at_once_is_no_hint() {
        let record = moves::read("3,3,3,1,1".parse().unwrap(), "A1 / A2 / B1 / B2 / C1").unwrap();
        assert_eq!(of_record(&record, Color::Black).unwrap().len(), 2);
    }
}
