//! A certificate printed as a tree.

use std::io::BufRead;
use std::path::Path;

use serde_json::json;
use sixproof_certificate::{Claim, Reader, Step};
use sixproof_game::{Game, Square};

use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files;
use sixproof_solve::output::{Output, grouped};

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
        // The replies stand on the line of the move that they answer.
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
