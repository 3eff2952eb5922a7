//! The answers that need no search.

use sixproof_certificate::Claim;
use sixproof_game::{Color, Square};
use sixproof_prover::threats;

/// An answer that needs no search.
#[derive(Debug, PartialEq, Eq)]
pub enum Foregone {
    /// Attacker has completed a line: nothing is left to prove.
    Won,
    /// Attacker cannot win, and why.
    Lost(String),
}

/// The answers that need no search.
pub fn foregone(claim: &Claim) -> Option<Foregone> {
    let (position, attacker) = (&claim.position, claim.attacker);
    let (game, defender) = (position.game(), !attacker);
    let names = |squares: &mut dyn Iterator<Item = &Square>| {
        game.square_names(&squares.copied().collect::<Vec<_>>())
    };
    match position.winner() {
        Some(winner) if winner == attacker => return Some(Foregone::Won),
        Some(winner) => {
            return Some(Foregone::Lost(format!("the game is over, {} has won", winner.title())));
        }
        None if position.is_full() => {
            return Some(Foregone::Lost("the board is full, and neither side has won".to_string()));
        }
        None => {}
    }
    let wins_now = |side: Color| {
        let threats = threats::threats(position, side);
        threats.into_iter().find(|threat| threat.empties.len() as u32 <= position.left())
    };
    if position.to_move() == defender {
        let threat = wins_now(defender)?;
        let squares = names(&mut threat.empties.iter());
        let side = defender.title();
        return Some(Foregone::Lost(format!("{side} is to move and wins at once with {squares}")));
    }
    let is_lost = threats::number(position, defender).exceeds(position.left());
    if is_lost && !threats::threats(position, defender).is_empty() && wins_now(attacker).is_none() {
        let (one, other) = (defender.title(), attacker.title());
        let text = format!("{one} threatens more than {other} can block, and wins next");
        return Some(Foregone::Lost(text));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use sixproof_game::moves;

    /// That Black wins after these moves.
    fn claim(game: &str, text: &str) -> Claim {
        let record = moves::read(game.parse().unwrap(), text).unwrap();
        let reached = record.reach(record.main_line_end(0)).unwrap();
        Claim::new(&reached.position, Color::Black)
    }

    #[test]
    fn what_needs_no_search_is_known() {
        let black = |game: &str, text: &str| foregone(&claim(game, text));
        let lost = |text: &str| Some(Foregone::Lost(text.to_string()));
        assert_eq!(black("3,3,3,1,1", "A1 / A2"), None);
        assert_eq!(black("3,3,3,1,1", "A1 / A2 / B1 / B2 / C1"), Some(Foregone::Won));
        assert_eq!(
            black("3,3,3,1,1", "A1 / A2 / B1 / B2 / A3 / C2"),
            lost("the game is over, White has won")
        );
        assert_eq!(
            black("3,3,3,1,1", "A1 / B1 / C1 / A2 / B2 / C3 / C2 / A3 / B3"),
            lost("the board is full, and neither side has won")
        );
        assert_eq!(
            black("4,3,3,1,1", "A1 / B2 / D1 / C2 / D3"),
            lost("White is to move and wins at once with A2")
        );
        assert_eq!(
            black("4,3,3,1,1", "A1 / B2 / D1 / C2"),
            lost("White threatens more than Black can block, and wins next")
        );
        // With a line of its own to complete, Attacker wins first.
        assert_eq!(black("4,3,3,1,1", "A1 / B2 / B1 / C2"), None);
    }
}
