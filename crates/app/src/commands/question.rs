//! The question that `prove` and `verify` ask: does Attacker win this position? Here are the
//! answers that need no search, the preparation of one, and the words for one that found nothing.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sixproof_game::{Color, Position, Square};
use sixproof_prover::prove::{self, Outcome, Report};
use sixproof_prover::threats;

use super::proof;
use super::search::{Stop, Watcher};
use super::show;
use crate::Answer;
use crate::cli::{PictureArgs, PositionArgs, SearchArgs, ZonesName};
use crate::failure::{Failure, Result};
use crate::files;
use crate::hints::{self, Hint};
use crate::output::{HINT, Output, WARN, grouped};
use crate::quantity;
use crate::source;

/// A verification gives a reply up after this share of the budget, and after so many nodes.
const REPLY_SHARE: u64 = 50;
const REPLY_NODES_MAX: u64 = 100_000;
/// Numbers of files that are tried when nobody names the certificate.
const NAMES_MAX: u32 = 10_000;

/// Does Attacker win this position?
pub(super) struct Question<'a> {
    pub(super) position: &'a Position,
    /// The stones that led to it, with the numbers of their moves.
    pub(super) played: &'a [(Square, u32)],
    pub(super) attacker: Color,
    /// Attacker's last move, when it is this move that is asked about.
    pub(super) attack: Option<&'a [Square]>,
    pub(super) given: &'a PositionArgs,
    pub(super) search: &'a SearchArgs,
    pub(super) picture: &'a PictureArgs,
}

/// An answer that needs no search.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Foregone {
    /// Attacker has his line: nothing is left to prove.
    Won,
    /// Attacker cannot win, and why.
    Lost(String),
}

/// The answers that need no search.
pub(super) fn foregone(position: &Position, attacker: Color) -> Option<Foregone> {
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
            return Some(Foregone::Lost("the board is full, and nobody has won".to_string()));
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

impl Question<'_> {
    /// Who or what is asked about: `Black`, or the move `K11 L10`.
    pub(super) fn subject(&self) -> String {
        match self.attack {
            Some(squares) => self.position.game().square_names(squares),
            None => self.attacker.title().to_string(),
        }
    }

    /// Searches, and tells what was found.
    pub(super) fn answer(&self, output: Output) -> Result<Answer> {
        self.prepare()?;
        match foregone(self.position, self.attacker) {
            Some(Foregone::Won) => {
                let side = self.attacker.title();
                return Err(Failure::new(format!("the game is over: {side} has won"))
                    .help("nothing is left to prove; take the position before the last move"));
            }
            Some(Foregone::Lost(why)) => {
                self.say_unproved("no-win", &why, None, output);
                return Ok(Answer::No);
            }
            None => {}
        }
        let options = prove::Options { hints: self.hints()?, ..self.options() };
        let mut watcher = self.watcher(output);
        if self.attack.is_some() {
            return self.verify(&options, watcher, output);
        }
        let report = prove::prove(self.position, &options, &mut |progress| watcher.see(progress));
        watcher.wipe();
        self.conclude(report, &watcher, output)
    }

    /// Verifies the move, telling the defences that remain as they are found.
    fn verify(
        &self,
        options: &prove::Options,
        mut watcher: Watcher,
        output: Output,
    ) -> Result<Answer> {
        let game = self.position.game();
        let stones = self.position.left() as usize;
        let told = |squares: &[Square]| match squares.len() {
            0 => "any move: a null move is not answered".to_string(),
            count if count < stones => {
                format!("{} with any other stone", game.square_names(squares))
            }
            _ => game.square_names(squares),
        };
        let reply_nodes = self.search.nodes.div_ceil(REPLY_SHARE).min(REPLY_NODES_MAX);
        let verification =
            prove::verify(self.position, options, reply_nodes, &mut |event| match event {
                prove::Event::Progress(progress) => watcher.see(&progress),
                prove::Event::Unsolved(squares) => {
                    watcher.wipe();
                    if !output.json {
                        output.say(format!("unsolved    {}", told(&squares)));
                    }
                    false
                }
            });
        watcher.wipe();
        let prove::Verification { report, unsolved, zone } = verification;
        if matches!(report.outcome, Outcome::Proved { .. }) {
            return self.conclude(report, &watcher, output);
        }
        if output.json {
            let mut value = self.json("unknown");
            let names: Vec<Vec<String>> = unsolved
                .iter()
                .map(|squares| squares.iter().map(|&s| game.square_name(s)).collect())
                .collect();
            value["message"] =
                self.unknown(report.order, report.counts.nodes, watcher.stopped()).into();
            value["unsolved"] = json!(names);
            value["zone"] = json!(zone.iter().map(|&s| game.square_name(s)).collect::<Vec<_>>());
            value["order"] = report.order.into();
            value["nodes"] = report.counts.nodes.into();
            value["seconds"] = watcher.seconds().into();
            output.say_json(&value);
            return Ok(Answer::No);
        }
        let answer = self.conclude(report, &watcher, output)?;
        if unsolved.len() > 1 {
            output.say(format!("unsolved    {} replies in all", unsolved.len()));
        }
        if !zone.is_empty() {
            output.say(format!("zone        {} squares: elsewhere the proof stands", zone.len()));
            output.say(format!("            {}", game.square_names(&zone)));
        }
        Ok(answer)
    }

    /// Tells what a search came to.
    fn conclude(&self, report: Report, watcher: &Watcher, output: Output) -> Result<Answer> {
        let Report { outcome, order, counts } = report;
        let seconds = watcher.seconds();
        let (verdict, why) = match outcome {
            Outcome::Proved { certificate, line, .. } => {
                let proof = proof::Proof { certificate, line, order, nodes: counts.nodes, seconds };
                proof.tell(self, output)?;
                return Ok(Answer::Yes);
            }
            Outcome::NoWin => ("no-win", self.no_win(order)),
            Outcome::Unknown => ("unknown", self.unknown(order, counts.nodes, watcher.stopped())),
        };
        self.say_unproved(verdict, &why, Some((order, counts.nodes, seconds)), output);
        Ok(Answer::No)
    }

    fn no_win(&self, order: u32) -> String {
        let after = match self.attack {
            Some(_) => format!("after {}", self.subject()),
            None => format!("for {}", self.subject()),
        };
        format!("no win of order <= {order} exists {after}")
    }

    fn unknown(&self, order: u32, nodes: u64, stopped: Option<Stop>) -> String {
        let effort = format!("({}, order <= {order})", nodes_text(nodes));
        match stopped {
            Some(Stop::Interrupted) => format!("interrupted, not found so far {effort}"),
            Some(Stop::Time(time)) => {
                format!("not found within {} {effort}", quantity::time_text(time))
            }
            None if nodes >= self.search.nodes => format!("not found within the budget {effort}"),
            None => format!("what was tried does not win, more could be tried {effort}"),
        }
    }

    /// The verdict that there is no proof.
    fn say_unproved(
        &self,
        verdict: &str,
        why: &str,
        effort: Option<(u32, u64, f64)>,
        output: Output,
    ) {
        if output.json {
            let mut value = self.json(verdict);
            value["message"] = why.into();
            if let Some((order, nodes, seconds)) = effort {
                value["order"] = order.into();
                value["nodes"] = nodes.into();
                value["seconds"] = seconds.into();
            }
            output.say_json(&value);
            return;
        }
        output.say(format!("{WARN}not proved:{WARN:#} {why}"));
        if let (Some((_, _, seconds)), false) = (effort, self.search.quiet) {
            output.say(format!("time        {seconds:.3} s"));
            if verdict == "unknown" {
                output.note(format!("{HINT}help:{HINT:#} more --nodes, --time or --order may do"));
            }
        }
    }

    /// What every JSON answer has.
    pub(super) fn json(&self, verdict: &str) -> Value {
        let game = self.position.game();
        let mut value = json!({
            "verdict": verdict,
            "game": game.to_string(),
            "attacker": self.attacker.to_string(),
            "to_move": self.position.to_move().to_string(),
        });
        if let Some(squares) = self.attack {
            let names: Vec<String> = squares.iter().map(|&s| game.square_name(s)).collect();
            value["move"] = names.into();
        }
        value
    }

    pub(super) fn options(&self) -> prove::Options {
        let is_ours = self.search.zones == ZonesName::Segment;
        prove::Options {
            order_max: self.search.order,
            nodes_max: self.search.nodes,
            zones: self.search.zones.rule(),
            mutual: is_ours,
            grouped: is_ours,
            ..prove::Options::new(self.attacker)
        }
    }

    pub(super) fn watcher(&self, output: Output) -> Watcher {
        Watcher::new(self.position.game(), self.search.time, self.search.quiet, output)
    }

    /// Everything that can go wrong with the files of the answer goes wrong now, not after hours.
    pub(super) fn prepare(&self) -> Result<()> {
        let outputs = [&self.search.cert, &self.search.out];
        for path in outputs.into_iter().flatten() {
            if path == Path::new("-") {
                return Err(Failure::new("the answer needs a file, not standard output")
                    .help("name a file, such as proof.cert"));
            }
            let given = source::file_of(&self.given.position);
            let inputs = [given, self.search.hints.as_deref()];
            if inputs.into_iter().flatten().any(|input| files::is_same(input, path)) {
                return Err(Failure::new(format!("{}: would replace the input", path.display()))
                    .help("give the new file another name"));
            }
        }
        if let [Some(cert), Some(out)] = outputs
            && cert == out
        {
            return Err(Failure::new(format!("{}: both --cert and --out", cert.display()))
                .help("give each its own name"));
        }
        if let Some(out) = &self.search.out {
            picture_kind(out)?;
            files::ensure_writable(out)?;
        }
        // What is wrong with the picture's options shows without a zone, too.
        show::dressed(self.picture, self.position, self.played, None)?;
        let default = self.search.cert.is_none();
        let writable = files::ensure_writable(&self.certificate_path());
        let help = "name another place with --cert FILE";
        writable.map_err(|failure| if default { failure.help(help) } else { failure })
    }

    /// Where the certificate goes. A name that nobody gave never replaces a file.
    pub(super) fn certificate_path(&self) -> PathBuf {
        if let Some(path) = &self.search.cert {
            return path.clone();
        }
        let mut stem = source::stem(&self.given.position);
        if self.attack.is_some() {
            stem += &format!("-{}", self.subject().replace(' ', "").to_lowercase());
        }
        free_path(&stem)
    }

    /// The moves that a human suggests.
    pub(super) fn hints(&self) -> Result<Vec<Hint>> {
        let Some(path) = &self.search.hints else { return Ok(Vec::new()) };
        let game = self.position.game();
        let record = source::record(path, &self.given.reading, game)?;
        let name = path.display();
        if record.game != game {
            let (one, other) = (record.game.title(), game.title());
            return Err(Failure::new(format!("{name}: hints for {one}, but the game is {other}")));
        }
        let hints = hints::of_record(&record, self.attacker)
            .map_err(|illegal| Failure::new(format!("{name}: {illegal}")))?;
        if hints.is_empty() {
            let side = self.attacker.title();
            return Err(Failure::new(format!("{name}: no move of {side} in it"))
                .help("hints are moves of the side that is to win"));
        }
        Ok(hints)
    }
}

/// A certificate that does not exist yet.
pub(super) fn free_path(stem: &str) -> PathBuf {
    let names = (2..NAMES_MAX).map(|number| format!("{stem}-{number}.cert"));
    std::iter::once(format!("{stem}.cert"))
        .chain(names)
        .map(PathBuf::from)
        .find(|path| !path.exists())
        .unwrap_or_else(|| PathBuf::from(format!("{stem}.cert")))
}

/// What a picture in a file is: `svg` or `png`.
pub(super) fn picture_kind(path: &Path) -> Result<String> {
    match show::extension(path) {
        kind if kind == "svg" || kind == "png" => Ok(kind),
        _ => Err(Failure::new(format!("{}: which kind of picture is this?", path.display()))
            .help("name the file .svg or .png")),
    }
}

/// `1 node`, `1,234 nodes`.
pub(super) fn nodes_text(nodes: u64) -> String {
    format!("{} {}", grouped(nodes), if nodes == 1 { "node" } else { "nodes" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use sixproof_game::moves;

    fn after(game: &str, text: &str) -> Position {
        let record = moves::read(game.parse().unwrap(), text).unwrap();
        record.reach(record.main_line_end(0)).unwrap().position
    }

    #[test]
    fn what_needs_no_search_is_known() {
        let black = |game: &str, text: &str| foregone(&after(game, text), Color::Black);
        let lost = |text: &str| Some(Foregone::Lost(text.to_string()));
        assert_eq!(black("3,3,3,1,1", "A1 / A2"), None);
        assert_eq!(black("3,3,3,1,1", "A1 / A2 / B1 / B2 / C1"), Some(Foregone::Won));
        assert_eq!(
            black("3,3,3,1,1", "A1 / A2 / B1 / B2 / A3 / C2"),
            lost("the game is over, White has won")
        );
        assert_eq!(
            black("3,3,3,1,1", "A1 / B1 / C1 / A2 / B2 / C3 / C2 / A3 / B3"),
            lost("the board is full, and nobody has won")
        );
        assert_eq!(
            black("4,3,3,1,1", "A1 / B2 / D1 / C2 / D3"),
            lost("White is to move and wins at once with A2")
        );
        assert_eq!(
            black("4,3,3,1,1", "A1 / B2 / D1 / C2"),
            lost("White threatens more than Black can block, and wins next")
        );
        // With a line of his own to complete, Attacker does not mind.
        assert_eq!(black("4,3,3,1,1", "A1 / B2 / B1 / C2"), None);
    }
}
