//! A proof as a game tree, for any viewer of games: Attacker's moves, and Defender's replies with a
//! comment on what each of them stands for.

use std::io::BufRead;

use sixproof_certificate::{Certified, Claim, Reader, Step};
use sixproof_game::{Color, Game, Node, NodeId, Record, Square};

use crate::failure::{Failure, Result};
use crate::output::grouped;

/// The largest tree: viewers hold the whole file.
const NODES_MAX: usize = 2_000_000;

/// The tree of a certificate that the checker has accepted; `name` is that of its file.
pub fn record(name: &str, certificate: impl BufRead, certified: &Certified) -> Result<Record> {
    let failed = |error| Failure::new(format!("{name}: {error}"));
    let mut reader = Reader::new(certificate).map_err(failed)?;
    let claim = reader.claim().clone();
    let mut tree = Tree::new(certified);
    while let Some((depth, step)) = reader.next_step().map_err(failed)? {
        tree.take(&claim, depth, &step)?;
    }
    Ok(tree.record)
}

/// The tree as far as the certificate has been read.
struct Tree {
    record: Record,
    /// The node of the record above each depth.
    above: Vec<NodeId>,
    /// The marks in front of the next node, and the nodes of those that were seen.
    pending_marks: usize,
    marks: Vec<NodeId>,
}

impl Tree {
    fn new(certified: &Certified) -> Tree {
        let (Claim { position, attacker }, counts) = (certified.claim(), certified.counts());
        let mut record = Record::new(position.game());
        let root = record.node_mut(0);
        root.setup = position.stones().map(|(square, color)| (square, Some(color))).collect();
        root.player = Some(position.to_move());
        root.comment = format!(
            "{} wins. Verified by sixproof {}: {} nodes, {} moves deep.\n{} has {} to place.",
            attacker.title(),
            env!("CARGO_PKG_VERSION"),
            grouped(counts.nodes),
            counts.depth,
            position.to_move().title(),
            position.left()
        );
        Tree { record, above: vec![0], pending_marks: 0, marks: Vec::new() }
    }

    fn take(&mut self, claim: &Claim, depth: usize, step: &Step) -> Result<()> {
        let (attacker, defender) = (claim.attacker, !claim.attacker);
        match step {
            Step::Win { squares } => {
                let wins = format!("{} completes a line.", attacker.title());
                self.add(depth, attacker, squares, wins)?;
            }
            Step::Attack { squares } => {
                self.add(depth, attacker, squares, String::new())?;
            }
            Step::Reply { squares, .. } => {
                let comment = reply_comment(defender, claim.position.game(), squares.len());
                self.add(depth, defender, squares, comment)?;
            }
            Step::Defence { replies: 0, .. } => {
                self.remark(depth, "No move answers all threats.");
            }
            Step::Defence { .. } => {}
            Step::Mark => self.pending_marks += 1,
            Step::Reference { mark } => {
                let path = self.marks.get(*mark as usize).map(|&id| self.record.path_of(id));
                let place = path.map_or(String::new(), |path| format!(" ({path})"));
                self.remark(depth, &format!("The same position as elsewhere{place}."));
            }
        }
        if !matches!(step, Step::Mark) {
            let node = self.above[(depth + 1).min(self.above.len() - 1)];
            self.marks.extend(std::iter::repeat_n(node, std::mem::take(&mut self.pending_marks)));
        }
        Ok(())
    }

    fn add(
        &mut self,
        depth: usize,
        color: Color,
        squares: &[Square],
        comment: String,
    ) -> Result<()> {
        if self.record.nodes().len() >= NODES_MAX {
            let limit = grouped(NODES_MAX as u64);
            return Err(Failure::new(format!("the strategy has more than {limit} moves"))
                .help("print a part of it with --tree --depth N"));
        }
        let parent = self.above[depth.min(self.above.len() - 1)];
        let stones = squares.iter().map(|&s| (color, s)).collect();
        let mut node = Node::default();
        (node.stones, node.comment) = (stones, comment);
        let node = self.record.add(parent, node);
        self.above.truncate(depth + 1);
        self.above.push(node);
        Ok(())
    }

    /// Adds to the comment of the move above.
    fn remark(&mut self, depth: usize, text: &str) {
        let above = self.above[depth.min(self.above.len() - 1)];
        let comment = &mut self.record.node_mut(above).comment;
        if !comment.is_empty() {
            comment.push('\n');
        }
        comment.push_str(text);
    }
}

fn reply_comment(defender: Color, game: Game, stones: usize) -> String {
    let defender = defender.title();
    match stones {
        0 => format!(
            "{defender} plays elsewhere: what follows answers every move that stays clear of it."
        ),
        n if n < game.p() as usize => format!(
            "{defender}'s other stones are elsewhere: what follows answers all of those that stay \
             clear of it."
        ),
        n if n == game.p() as usize => String::new(),
        _ => format!(
            "{defender} is given all of these stones at once: what follows answers every move \
             among them."
        ),
    }
}
