//! A certificate for people: printed as a tree, or as an SGF file for any viewer.

use std::io::BufRead;
use std::path::Path;

use serde_json::json;
use sixproof_certificate::{Claim, Reader, Step};
use sixproof_check::Verified;
use sixproof_game::{Color, Game, Node, NodeId, Record, Square, sgf};

use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files;
use sixproof_solve::output::{Output, grouped};

/// The largest strategy that is written as SGF: viewers hold the whole file.
const SGF_NODES_MAX: usize = 2_000_000;

fn reader(file: &Path) -> Result<Reader<Box<dyn BufRead>>> {
    if file == Path::new("-") {
        return Err(Failure::new("a tree needs a file, not standard input")
            .help("write the certificate to a file first: it is read twice"));
    }
    let input = files::open(file).map_err(|e| Failure::io(file.display(), &e))?;
    Reader::new(input).map_err(|e| Failure::new(format!("{}: {e}", file.display())))
}

/// The steps of a certificate with their depth, one after the other.
fn for_each_step(
    file: &Path,
    mut take: impl FnMut(&Claim, usize, Step) -> Result<()>,
) -> Result<()> {
    let mut reader = reader(file)?;
    let claim = reader.claim().clone();
    loop {
        match reader.next_step() {
            Ok(Some((depth, step))) => take(&claim, depth, step)?,
            Ok(None) => return Ok(()),
            Err(error) => return Err(Failure::new(format!("{}: {error}", file.display()))),
        }
    }
}

/// Prints the proof, one move a line, indented by its depth.
pub(crate) fn print(file: &Path, depth_max: Option<u32>, output: Output) -> Result<()> {
    let depth_max = depth_max.map_or(usize::MAX - 1, |max| max as usize);
    let mut mark = 0;
    let mut prefix = String::new();
    let mut line: Option<String> = None;
    let mut hidden = 0u64;
    for_each_step(file, |claim, depth, step| {
        if output.json {
            if depth < depth_max {
                output.say_json(&step_json(claim.position.game(), depth, &step));
            }
            return Ok(());
        }
        if let Step::Mark = step {
            prefix = format!("@{mark} ");
            mark += 1;
            return Ok(());
        }
        // A move is as deep as the moves before it are many; its replies are counted beside it.
        let is_defence = matches!(step, Step::Defence { .. });
        if depth >= depth_max + usize::from(is_defence) {
            hidden += u64::from(!is_defence);
            prefix.clear();
            return Ok(());
        }
        let text = describe(claim, &step);
        // The replies are told on the line of the move that they answer.
        if let (Step::Defence { .. }, Some(line)) = (&step, &mut line) {
            line.push_str(&format!("  {}{text}", std::mem::take(&mut prefix)));
            return Ok(());
        }
        if let Some(line) = line.take() {
            output.say(line);
        }
        if hidden > 0 {
            output.say(format!("{:width$}… {} more", "", grouped(hidden), width = 2 * depth_max));
            hidden = 0;
        }
        let indent = "  ".repeat(depth.min(60));
        line = Some(format!("{indent}{}{text}", std::mem::take(&mut prefix)));
        Ok(())
    })?;
    if let Some(line) = line {
        output.say(line);
    }
    if hidden > 0 {
        output.say(format!("{:width$}… {} more", "", grouped(hidden), width = 2 * depth_max));
    }
    Ok(())
}

fn describe(claim: &Claim, step: &Step) -> String {
    let game = claim.position.game();
    let (attacker, defender) = (claim.attacker, !claim.attacker);
    match step {
        Step::Win { squares } if squares.is_empty() => format!("{attacker} has won"),
        Step::Win { squares } => format!("{attacker} {} wins", game.square_names(squares)),
        Step::Attack { squares } => format!("{attacker} {}", game.square_names(squares)),
        Step::Defence { replies: 0, .. } => "(no defence)".to_string(),
        Step::Defence { relies_on, replies } => {
            let plural = if *replies == 1 { "reply" } else { "replies" };
            let count = grouped(*replies);
            match relies_on {
                None => format!("({count} {plural})"),
                Some(threats) => format!("({count} {plural}, relying on {})", ends(game, threats)),
            }
        }
        Step::Reply { squares, slack } => {
            let stones = if squares.is_empty() {
                "anywhere".to_string()
            } else {
                game.square_names(squares)
            };
            let slack = slack.map_or(String::new(), |u| format!(" ~{u}"));
            format!("{defender} {stones}{slack}")
        }
        Step::Mark => String::new(),
        Step::Reference { mark } => format!("as at @{mark}"),
    }
}

fn ends(game: Game, threats: &[[Square; 2]]) -> String {
    if threats.is_empty() {
        return "no threat".to_string();
    }
    let name = |ends: &[Square; 2]| ends.map(|s| game.square_name(s)).join("-");
    threats.iter().map(name).collect::<Vec<_>>().join(" ")
}

fn step_json(game: Game, depth: usize, step: &Step) -> serde_json::Value {
    let names = |squares: &[Square]| -> Vec<String> {
        squares.iter().map(|&s| game.square_name(s)).collect()
    };
    match step {
        Step::Win { squares } => {
            json!({ "depth": depth, "step": "win", "squares": names(squares) })
        }
        Step::Attack { squares } => {
            json!({ "depth": depth, "step": "attack", "squares": names(squares) })
        }
        Step::Defence { relies_on, replies } => {
            let threats = relies_on
                .as_ref()
                .map(|list| list.iter().map(|e| names(e).join("-")).collect::<Vec<_>>());
            json!({ "depth": depth, "step": "defence", "replies": replies, "relies_on": threats })
        }
        Step::Reply { squares, slack } => {
            json!({ "depth": depth, "step": "reply", "squares": names(squares), "slack": slack })
        }
        Step::Mark => json!({ "depth": depth, "step": "mark" }),
        Step::Reference { mark } => json!({ "depth": depth, "step": "reference", "mark": mark }),
    }
}

/// Writes the strategy as SGF: Attacker's moves, and Defender's replies with a comment on what each
/// of them stands for.
pub(crate) fn write_sgf(file: &Path, verified: &Verified, out: &Path) -> Result<()> {
    let mut strategy: Option<Strategy> = None;
    for_each_step(file, |claim, depth, step| {
        strategy.get_or_insert_with(|| Strategy::new(claim, verified)).take(claim, depth, &step)
    })?;
    let record = strategy.map(|s| s.record).ok_or_else(|| Failure::new("nothing to write"))?;
    files::write(out, &sgf::from_record(&record).write())
}

/// A strategy on its way from a certificate into a record.
struct Strategy {
    record: Record,
    /// The node of the record above each depth.
    above: Vec<NodeId>,
    /// The marks in front of the next node, and the nodes of those that were seen.
    pending_marks: usize,
    marks: Vec<NodeId>,
}

impl Strategy {
    fn new(claim: &Claim, verified: &Verified) -> Strategy {
        let position = &claim.position;
        let mut record = Record::new(position.game());
        let root = record.node_mut(0);
        root.setup = position.stones().map(|(square, color)| (square, Some(color))).collect();
        root.player = Some(position.to_move());
        root.comment = format!(
            "{} wins. Verified by sixproof {}: {} nodes, {} moves deep.\n{} has {} to place.",
            claim.attacker.title(),
            env!("CARGO_PKG_VERSION"),
            grouped(verified.counts.nodes),
            verified.counts.depth,
            position.to_move().title(),
            position.left()
        );
        Strategy { record, above: vec![0], pending_marks: 0, marks: Vec::new() }
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
        if self.record.nodes().len() >= SGF_NODES_MAX {
            let limit = grouped(SGF_NODES_MAX as u64);
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
