//! The words for what a search came to, for commands and for jobs of the server alike. Pure.

use std::time::Duration;

use sixproof_game::{Game, Position, Square};

use crate::output::grouped;
use crate::quantity;

/// A verification gives a reply up after this share of the budget, and after so many nodes.
const REPLY_SHARE: u64 = 50;
const REPLY_NODES_MAX: u64 = 100_000;

/// Nodes after which a verification gives a reply up, of all its nodes.
pub fn reply_nodes(nodes: u64) -> u64 {
    nodes.div_ceil(REPLY_SHARE).min(REPLY_NODES_MAX)
}

/// What a search cost, and what ended it.
pub struct Spent {
    /// The highest order that was tried.
    pub order: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// Nodes that were allowed.
    pub nodes_max: u64,
    /// Whether the memory was too small.
    pub out_of_memory: bool,
    /// What ended it.
    pub ended: Ended,
}

/// What ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Its own limits, or nothing was left to try.
    Itself,
    /// The time is over.
    Time(Duration),
    /// Somebody asked for the end.
    Interrupted,
}

/// That nothing was found, and why the search ended.
pub fn unknown(spent: &Spent) -> String {
    let effort = format!("({}, order <= {})", nodes_text(spent.nodes), spent.order);
    match spent.ended {
        Ended::Interrupted => format!("interrupted, not found so far {effort}"),
        Ended::Time(time) => format!("not found within {} {effort}", quantity::time_text(time)),
        Ended::Itself if spent.out_of_memory => format!("not found within the memory {effort}"),
        Ended::Itself if spent.nodes >= spent.nodes_max => {
            format!("not found within the budget {effort}")
        }
        Ended::Itself => format!("what was tried does not win, more could be tried {effort}"),
    }
}

/// That no strategy wins for a side, or after a move.
pub fn no_win(order: u32, subject: &str, is_move: bool) -> String {
    let whom = if is_move { "after" } else { "for" };
    format!("no win of order <= {order} exists {whom} {subject}")
}

/// The line in move notation. Replies that stand for several moves are in brackets: all blocks at
/// once; a reply that does not matter is left out as `(any)`.
pub fn line_text(game: Game, line: &[Vec<Square>], position: &Position) -> Option<String> {
    if line.is_empty() {
        return None;
    }
    let mut due = position.left() as usize;
    let mut texts = Vec::new();
    for squares in line {
        let names = game.square_names(squares);
        texts.push(match squares.len() {
            0 => "(any)".to_string(),
            len if len > due => format!("({names})"),
            _ => names,
        });
        due = game.p() as usize;
    }
    Some(texts.join(" / "))
}

/// `1 node`, `1,234 nodes`.
pub fn nodes_text(nodes: u64) -> String {
    format!("{} {}", grouped(nodes), if nodes == 1 { "node" } else { "nodes" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::defaults::NODES_USUAL;

    #[test]
    fn what_ended_a_search_is_told() {
        let spent = |nodes, out_of_memory, ended| {
            unknown(&Spent { order: 3, nodes, nodes_max: NODES_USUAL, out_of_memory, ended })
        };
        for (text, start) in [
            (spent(5, false, Ended::Interrupted), "interrupted, not found so far (5 nodes, order"),
            (spent(5, false, Ended::Time(Duration::from_secs(60))), "not found within 1m (5"),
            (spent(5, true, Ended::Itself), "not found within the memory (5 nodes"),
            (spent(NODES_USUAL, false, Ended::Itself), "not found within the budget (100,000,000"),
            (
                spent(1, false, Ended::Itself),
                "what was tried does not win, more could be tried (1 ",
            ),
        ] {
            assert!(text.starts_with(start), "{text}");
        }
    }

    #[test]
    fn a_line_shows_macros_in_brackets() {
        let position = Position::new(Game::CONNECT6);
        let square = |name: &str| Game::CONNECT6.parse_square(name).unwrap();
        let line = vec![
            vec![square("J10")],
            vec![square("A1"), square("B1"), square("C1")],
            vec![square("K11"), square("L12")],
            vec![],
        ];
        let text = line_text(Game::CONNECT6, &line, &position).unwrap();
        assert_eq!(text, "J10 / (A1 B1 C1) / K11 L12 / (any)");
    }
}
