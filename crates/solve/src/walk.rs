//! A walk through a proof, move by move, in pictures and sentences.
//!
//! A proof is a tree, and a walk is one way through it: Defender always takes the reply that holds
//! out longest. Each step shows the board, what Attacker threatens, and why the replies that the
//! proof answers are all that it has to answer. A walk does not check a certificate.

use sixproof_certificate::strategy::{NodeId, NodeKind, ROOT, Reply, ReplyKind, Strategy};
use sixproof_game::picture::{Picture, ZoneLayers};
use sixproof_game::{Color, Position, Square};

use crate::failure::{Failure, Result};
use crate::notation;

/// The most ways to complete a row that are named.
const WAYS_MAX: usize = 4;

/// The steps through the longest line of a certificate.
pub fn steps(certificate: &[u8]) -> Result<Vec<WalkStep>> {
    let strategy = Strategy::read(certificate)
        .map_err(|error| Failure::new(format!("the proof cannot be read: {error}")))?;
    let mut walk = Walk::new(&strategy);
    walk.go().ok_or_else(|| Failure::new("the proof leads to no position"))?;
    Ok(walk.steps)
}

/// One step: a board, and what is to be known about it.
#[derive(Debug)]
pub struct WalkStep {
    /// The move that led to the board.
    pub title: String,
    /// The board.
    pub picture: Picture,
    /// What is threatened, and what the proof answers.
    pub sentences: Vec<String>,
}

/// A way through a proof.
struct Walk<'a> {
    strategy: &'a Strategy,
    attacker: Color,
    /// The stones that were played, with the numbers of their moves.
    played: Vec<(Square, u32)>,
    steps: Vec<WalkStep>,
}

impl<'a> Walk<'a> {
    fn new(strategy: &'a Strategy) -> Walk<'a> {
        let attacker = strategy.claim().attacker;
        Walk { strategy, attacker, played: Vec::new(), steps: Vec::new() }
    }

    /// Walks from the root to the win; `None` if the proof leads to no position.
    fn go(&mut self) -> Option<()> {
        let mut node = ROOT;
        let position = self.strategy.claim().position.clone();
        let title = format!("the position, {} to move", position.to_move().title());
        if self.strategy.kind(ROOT) != NodeKind::Defence {
            let sentence = format!("{} wins by force. The proof begins.", self.attacker.title());
            self.add(title, &position, None, vec![sentence]);
        } else {
            match self.defend(title, ROOT)? {
                Some(next) => node = next,
                None => return self.break_through(ROOT),
            }
        }
        loop {
            let squares = self.strategy.attack(node);
            let number = self.play(squares);
            let (side, names) = (self.attacker.title(), self.names(squares));
            let title = format!("{side} plays {names}, stone {number}");
            let Some(defence) = self.strategy.defence(node) else {
                let position = self.strategy.place(node)?.position;
                let position = completed(position, self.attacker, &[], squares)?;
                let sentence = format!("{side} has {} in a row, and has won.", position.game().k());
                self.add(title, &position, None, vec![sentence]);
                return Some(());
            };
            match self.defend(title, defence)? {
                Some(next) => node = next,
                None => return self.break_through(defence),
            }
        }
    }

    /// The step at which Defender is to move, and where the proof goes on after the reply; nowhere
    /// without a reply.
    fn defend(&mut self, title: String, node: NodeId) -> Option<Option<NodeId>> {
        let strategy = self.strategy;
        let position = strategy.place(node)?.position;
        let ways = self.ways(node, &position);
        let mut sentences = vec![self.threat_sentence(&ways)];
        sentences.extend(self.reply_sentences(node, !ways.is_empty()));
        let outside = strategy.replies(node).find(|reply| reply.squares.len() < left(&position));
        let zone = outside.and_then(|reply| strategy.zone(reply.node)).map(|zone| zone.layers());
        // The first of the highest, so that the walk does not depend on later ones.
        let longest = strategy.replies(node).reduce(|best, reply| {
            let is_longer = strategy.height(best.node) < strategy.height(reply.node);
            if is_longer { reply } else { best }
        });
        if let Some(reply) = longest.filter(|_| strategy.replies(node).len() > 1) {
            sentences.push(self.choice_sentence(&reply));
        }
        self.add(title, &position, zone, sentences);
        Some(longest.map(|reply| {
            self.play(reply.squares);
            reply.node
        }))
    }

    /// The last step where no reply blocks all threats: Defender blocks the most, and Attacker
    /// completes a row that is left.
    fn break_through(&mut self, node: NodeId) -> Option<()> {
        let position = self.strategy.place(node)?.position;
        let ways = self.ways(node, &position);
        let (blocks, completes) = blocked(ways, left(&position))?;
        self.play(&blocks);
        let number = self.play(&completes);
        let [one, other] = self.sides();
        let title = format!("{one} plays {}, stone {number}", self.names(&completes));
        let sentence = format!(
            "Say that {other} blocks with {}: {one} has {} in a row, and has won.",
            self.names(&blocks),
            position.game().k()
        );
        let position = completed(position, self.attacker, &blocks, &completes)?;
        self.add(title, &position, None, vec![sentence]);
        Some(())
    }

    fn add(
        &mut self,
        title: String,
        position: &Position,
        zone: Option<ZoneLayers>,
        sentences: Vec<String>,
    ) {
        let mut picture = Picture::new(position)
            .numbers(self.played.iter().copied())
            .last_move(notation::last_move(&self.played));
        if let Some(zone) = zone {
            picture = picture.zone(zone);
        }
        self.steps.push(WalkStep { title, picture, sentences });
    }

    /// Notes the stones of a move, and returns its number.
    fn play(&mut self, squares: &[Square]) -> u32 {
        let number = self.played.last().map_or(1, |&(_, number)| number + 1);
        self.played.extend(squares.iter().map(|&square| (square, number)));
        number
    }

    /// The sets of squares with which Attacker would complete a row.
    fn ways(&self, node: NodeId, position: &Position) -> Vec<Vec<Square>> {
        let threats = self.strategy.threats(node, position).into_iter();
        let mut ways: Vec<Vec<Square>> = threats.map(|(_, empties)| empties).collect();
        ways.sort();
        ways.dedup();
        ways
    }

    fn threat_sentence(&self, ways: &[Vec<Square>]) -> String {
        let [one, other] = self.sides();
        if ways.is_empty() {
            return format!("{one} threatens nothing at once, so that {other} may play anywhere.");
        }
        let named: Vec<String> = ways.iter().take(WAYS_MAX).map(|way| self.names(way)).collect();
        let more = match ways.len().saturating_sub(WAYS_MAX) {
            0 => String::new(),
            count => format!(", and in {count} more ways"),
        };
        let k = self.strategy.claim().position.game().k();
        format!("{one} threatens to complete {k} in a row with {}{more}.", named.join(", or with "))
    }

    /// Which replies the proof answers, and why the others need no answer.
    fn reply_sentences(&self, node: NodeId, is_threatened: bool) -> Vec<String> {
        let [one, other] = self.sides();
        let of_kind = |kind: ReplyKind| -> Vec<String> {
            let replies = self.strategy.replies(node).filter(|reply| reply.kind == kind);
            replies.map(|reply| self.names(reply.squares)).collect()
        };
        let mut sentences = Vec::new();
        if !of_kind(ReplyKind::Null).is_empty() {
            sentences.push(format!(
                "A move outside of the zone, the marked squares, changes nothing: {one} goes on \
                 as if {other} had not moved, and wins."
            ));
        }
        for names in of_kind(ReplyKind::SemiNull) {
            sentences.push(format!(
                "{names}, with the rest of the move outside of the zone, has an answer, too."
            ));
        }
        for names in of_kind(ReplyKind::Macro) {
            sentences.push(format!(
                "The proof gives {other} {names} at once, more stones than a move has: every move \
                 among them loses if all of them together do."
            ));
        }
        let full = of_kind(ReplyKind::Full);
        sentences.extend(match (&full[..], is_threatened) {
            ([], _) => None,
            ([only], true) => Some(format!("{other} has one defence, {only}, and plays it.")),
            (several, true) => Some(format!(
                "The proof answers {} defences: {}.",
                several.len(),
                several.join(", ")
            )),
            (several, false) => {
                let inside = several.join(", ");
                Some(format!("Each move inside of the zone has an answer of its own: {inside}."))
            }
        });
        sentences.extend(match (self.strategy.replies(node).len(), is_threatened) {
            (0, true) => Some(format!("No move of {other} blocks all of this.")),
            (_, true) => Some(format!("After any other move, {one} completes the row.")),
            (_, false) => None,
        });
        sentences
    }

    fn choice_sentence(&self, reply: &Reply<'_>) -> String {
        let other = (!self.attacker).title();
        match reply.squares.len() {
            0 => format!("{other} holds out longest outside of the zone."),
            _ => format!("{other} holds out longest with {}.", self.names(reply.squares)),
        }
    }

    /// Attacker and Defender.
    fn sides(&self) -> [&'static str; 2] {
        [self.attacker, !self.attacker].map(Color::title)
    }

    fn names(&self, squares: &[Square]) -> String {
        self.strategy.claim().position.game().square_names(squares)
    }
}

fn left(position: &Position) -> usize {
    position.left() as usize
}

/// The stones with which Defender blocks the most, and what Attacker completes then; `None` if
/// nothing is left to complete.
fn blocked(mut ways: Vec<Vec<Square>>, stones: usize) -> Option<(Vec<Square>, Vec<Square>)> {
    let mut blocks = Vec::new();
    while blocks.len() < stones && ways.len() > 1 {
        let hits = |square: &Square| ways.iter().filter(|way| way.contains(square)).count();
        // The last of the best is as good as any.
        let best = ways.iter().flatten().copied().max_by_key(|square| hits(square))?;
        ways.retain(|way| !way.contains(&best));
        blocks.push(best);
    }
    Some((blocks, ways.into_iter().next()?))
}

/// The position after Defender's blocks and Attacker's last move.
fn completed(
    mut position: Position,
    attacker: Color,
    blocks: &[Square],
    completes: &[Square],
) -> Option<Position> {
    for &square in blocks {
        position.place(square).ok()?;
    }
    if position.to_move() != attacker {
        position.pass();
    }
    for &square in completes {
        position.place(square).ok()?;
    }
    Some(position)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_proof_of_the_suite_is_walked_to_its_win() {
        for folder in ["good", "oracle"] {
            let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite").join(folder);
            for entry in std::fs::read_dir(suite).unwrap() {
                let path = entry.unwrap().path();
                if path.extension().is_none_or(|extension| extension != "cert") {
                    continue;
                }
                let steps = steps(&std::fs::read(&path).unwrap()).expect("a proof");
                let last = steps.last().unwrap().sentences.last().unwrap();
                assert!(last.ends_with("has won."), "{}: {last}", path.display());
            }
        }
    }

    #[test]
    fn defender_blocks_the_most_and_attacker_completes_the_rest() {
        let square = |x| Square::new(x, 0);
        let ways = vec![vec![square(1)], vec![square(2), square(3)], vec![square(3), square(4)]];
        let (blocks, completes) = blocked(ways, 1).unwrap();
        assert_eq!((blocks, completes), (vec![square(3)], vec![square(1)]));
        assert_eq!(blocked(Vec::new(), 1), None);
    }
}
