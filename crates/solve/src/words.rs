//! The words for what a search found, for commands and for jobs of the server alike. Pure.

use sixproof_game::{Game, Move, Position};

use crate::output::grouped;
use crate::quantity;
use crate::question::{Answer, Ended, NoWin, Question, Source, Stop, Verdict};

/// The share of the budget, and the nodes, after which a verification gives a reply up.
const REPLY_SHARE: u64 = 50;
const REPLY_NODES_MAX: u64 = 100_000;

/// Nodes after which a verification gives a reply up, of all its nodes.
pub fn reply_nodes(nodes: u64) -> u64 {
    nodes.div_ceil(REPLY_SHARE).min(REPLY_NODES_MAX)
}

impl Question<'_> {
    /// The answer in a sentence.
    pub fn sentence(&self, answer: &Answer) -> String {
        let (subject, is_move) = (self.subject(), self.attack.is_some());
        match &answer.verdict {
            Verdict::Proved(proof) => {
                let order = answer.order.map(|order| format!("order {order}, "));
                let nodes = nodes_text(proof.certified.counts().nodes);
                let from = if answer.source == Source::Store { ", from the store" } else { "" };
                format!(
                    "{subject} wins by force: {}certificate of {nodes} verified{from}",
                    order.unwrap_or_default()
                )
            }
            Verdict::NoWin(NoWin::Rules(why)) => why.clone(),
            Verdict::NoWin(NoWin::OtherWins(nodes)) => {
                let other = (!self.claim.attacker).title();
                let so = match is_move {
                    true => format!(" after {subject}"),
                    false => format!(", so {subject} does not"),
                };
                let nodes = nodes_text(*nodes);
                format!("{other} wins by force{so} (a proof from the store, {nodes}, checked)")
            }
            Verdict::NoWin(NoWin::Order(order)) => {
                let whom = if is_move { "after" } else { "for" };
                let from = if answer.source == Source::Store { ", says the store" } else { "" };
                format!("no win of order <= {order} exists {whom} {subject}{from}")
            }
            Verdict::Unknown(ended) => {
                unknown(*ended, answer.nodes, answer.order.unwrap_or_default())
            }
        }
    }
}

/// That a search found nothing, and why it ended.
fn unknown(ended: Ended, nodes: u64, order: u32) -> String {
    let effort = format!("({}, order <= {order})", nodes_text(nodes));
    match ended {
        Ended::Stopped(Stop::Interrupted) => format!("interrupted, not found so far {effort}"),
        Ended::Stopped(Stop::Time(time)) => {
            format!("not found within {} {effort}", quantity::time_text(time))
        }
        Ended::Memory => format!("not found within the memory {effort}"),
        Ended::Nodes => format!("not found within the budget {effort}"),
        Ended::Tried => format!("what was tried does not win, more could be tried {effort}"),
    }
}

/// The line in move notation. Replies that stand for several moves are in brackets: all blocks at
/// once; a reply that does not matter is left out as `(any)`.
pub fn line_text(game: Game, line: &[Move], position: &Position) -> Option<String> {
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
    use std::time::Duration;

    #[test]
    fn the_sentence_says_what_ended_a_search() {
        for (ended, start) in [
            (Ended::Stopped(Stop::Interrupted), "interrupted, not found so far (5 nodes, order"),
            (Ended::Stopped(Stop::Time(Duration::from_secs(60))), "not found within 1m (5"),
            (Ended::Memory, "not found within the memory (5 nodes"),
            (Ended::Nodes, "not found within the budget (5 nodes, order <= 3)"),
            (Ended::Tried, "what was tried does not win, more could be tried (5 "),
        ] {
            let text = unknown(ended, 5, 3);
            assert!(text.starts_with(start), "{text}");
        }
    }

    #[test]
    fn a_line_shows_macros_in_brackets() {
        let position = Position::new(Game::CONNECT6);
        let square = |name: &str| Game::CONNECT6.parse_square(name).unwrap();
        let line = [
            vec![square("J10")],
            vec![square("A1"), square("B1"), square("C1")],
            vec![square("K11"), square("L12")],
            vec![],
        ]
        .map(Move::from);
        let text = line_text(Game::CONNECT6, &line, &position).unwrap();
        assert_eq!(text, "J10 / (A1 B1 C1) / K11 L12 / (any)");
    }
}
