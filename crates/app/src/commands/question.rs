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
use crate::events::{self, Limits};
use crate::failure::{Failure, Result};
use crate::files;
use crate::hints::{self, Hint};
use crate::interrupt::Interrupt;
use crate::output::{HINT, Output, WARN, grouped};
use crate::plot::Series;
use crate::quantity;
use crate::source;
use crate::store::{self, Memory};

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

/// What a search cost.
struct Effort {
    order: u32,
    nodes: u64,
    seconds: f64,
    stopped: Option<Stop>,
}

impl Effort {
    fn of(report: &Report, watcher: &Watcher) -> Effort {
        Effort {
            order: report.order,
            nodes: report.counts.nodes,
            seconds: watcher.seconds(),
            stopped: watcher.stopped(),
        }
    }
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
        self.say_start(output);
        match foregone(self.position, self.attacker) {
            Some(Foregone::Won) => {
                let side = self.attacker.title();
                return Err(Failure::new(format!("the game is over: {side} has won"))
                    .help("nothing is left to prove; take the position before the last move"));
            }
            Some(Foregone::Lost(why)) => {
                self.say_unproved("no-win", &why, None, output);
                self.draw(&Series::default(), &why, output)?;
                return Ok(Answer::No);
            }
            None => {}
        }
        let options = prove::Options { hints: self.hints()?, ..self.options() };
        let memory = Memory::open(&self.search.memory, output)?;
        let mut watcher = self.watcher(output);
        if let Some(answer) = self.remember(&memory, &watcher, output)? {
            return Ok(answer);
        }
        if self.attack.is_some() {
            return self.verify(&options, &memory, watcher, output);
        }
        let journal = memory.journal(self.position, self.attacker);
        let report = prove::prove_on(self.position, &options, &journal, &mut |progress| {
            watcher.see(progress)
        });
        watcher.wipe();
        let verdict = course(&report, &watcher);
        let answer = self.conclude(report, &memory, &watcher, output);
        let drawn = self.draw(watcher.series(), &verdict, output);
        answer.and_then(|answer| drawn.map(|()| answer))
    }

    /// The answer of an earlier search, if the store has it. A proof is checked like any other.
    fn remember(
        &self,
        memory: &Memory,
        watcher: &Watcher,
        output: Output,
    ) -> Result<Option<Answer>> {
        let (position, attacker) = (self.position, self.attacker);
        if let Some(found) = memory.proof(position, attacker) {
            match proof::checked(&found.certificate, position, attacker) {
                Ok(verified) => {
                    let proof = proof::Proof {
                        line: store::longest_line(&found.certificate),
                        certificate: found.certificate,
                        order: found.meta.order,
                        nodes: found.meta.search_nodes,
                        seconds: watcher.seconds(),
                        from_store: true,
                    };
                    proof.say(self, &verified, &self.certificate_path(), output)?;
                    return Ok(Some(Answer::Yes));
                }
                Err(why) => {
                    output.warn(format!("the store has a proof that is none, dropped: {why}"));
                    memory.forget(position, attacker);
                }
            }
        }
        // A verification tells more than a verdict: which replies are left.
        let order = memory.refuted(position, attacker).filter(|_| self.attack.is_none());
        let Some(order) = order.filter(|&order| self.search.order <= order) else {
            return Ok(None);
        };
        let why = format!("{}, says the store (--no-store searches again)", self.no_win(order));
        self.say_unproved("no-win", &why, None, output);
        Ok(Some(Answer::No))
    }

    /// Verifies the move, telling the defences that remain as they are found.
    fn verify(
        &self,
        options: &prove::Options,
        memory: &Memory,
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
        let journal = memory.journal(self.position, self.attacker);
        let verification = prove::verify(
            self.position,
            options,
            reply_nodes,
            &journal,
            &mut |event| match event {
                prove::Event::Progress(progress) => watcher.see(&progress),
                prove::Event::Unsolved(squares) => {
                    watcher.wipe();
                    if output.json {
                        let is_complete = squares.len() >= stones;
                        let seconds = watcher.seconds();
                        output.say_json(&events::unsolved(game, &squares, is_complete, seconds));
                    } else {
                        output.say(format!("unsolved    {}", told(&squares)));
                    }
                    false
                }
            },
        );
        watcher.wipe();
        let verdict = course(&verification.report, &watcher);
        let answer = self.conclude_verification(verification, memory, &watcher, output);
        let drawn = self.draw(watcher.series(), &verdict, output);
        answer.and_then(|answer| drawn.map(|()| answer))
    }

    /// Tells what a verification came to.
    fn conclude_verification(
        &self,
        verification: prove::Verification,
        memory: &Memory,
        watcher: &Watcher,
        output: Output,
    ) -> Result<Answer> {
        let game = self.position.game();
        let prove::Verification { report, unsolved, zone } = verification;
        if matches!(report.outcome, Outcome::Proved { .. }) {
            return self.conclude(report, memory, watcher, output);
        }
        if output.json {
            let mut value = self.json("unknown");
            let names: Vec<Vec<String>> =
                unsolved.iter().map(|squares| events::names(game, squares)).collect();
            value["message"] =
                self.unknown(report.order, report.counts.nodes, watcher.stopped()).into();
            value["unsolved"] = json!(names);
            value["zone"] = events::names(game, &zone).into();
            self.add_effort(&mut value, &Effort::of(&report, watcher));
            output.say_json(&value);
            return Ok(Answer::No);
        }
        let answer = self.conclude(report, memory, watcher, output)?;
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
    fn conclude(
        &self,
        report: Report,
        memory: &Memory,
        watcher: &Watcher,
        output: Output,
    ) -> Result<Answer> {
        let effort = Effort::of(&report, watcher);
        let Report { outcome, order, counts, .. } = report;
        let seconds = effort.seconds;
        let (verdict, why) = match outcome {
            Outcome::Proved { certificate, line, .. } => {
                let (order, nodes, from_store) = (Some(order), counts.nodes, false);
                let proof = proof::Proof { certificate, line, order, nodes, seconds, from_store };
                proof.tell(self, memory, output)?;
                return Ok(Answer::Yes);
            }
            Outcome::NoWin => {
                // With another rule it speaks of that method only.
                if self.search.zones == ZonesName::Segment {
                    memory.keep_refuted((self.position, self.attacker), order, counts.nodes);
                }
                ("no-win", self.no_win(order))
            }
            Outcome::Unknown => ("unknown", self.unknown(order, counts.nodes, watcher.stopped())),
        };
        self.say_unproved(verdict, &why, Some(effort), output);
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
    fn say_unproved(&self, verdict: &str, why: &str, effort: Option<Effort>, output: Output) {
        if output.json {
            let mut value = self.json(verdict);
            value["message"] = why.into();
            if let Some(effort) = &effort {
                self.add_effort(&mut value, effort);
            }
            output.say_json(&value);
            return;
        }
        output.say(format!("{WARN}not proved:{WARN:#} {why}"));
        if let (Some(Effort { seconds, .. }), false) = (effort, self.search.quiet) {
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
            "event": verdict,
            "verdict": verdict,
            "game": game.to_string(),
            "attacker": self.attacker.to_string(),
            "to_move": self.position.to_move().to_string(),
        });
        if let Some(squares) = self.attack {
            value["move"] = events::names(game, squares).into();
        }
        if let Some(plot) = &self.search.svg {
            value["plot"] = plot.display().to_string().into();
        }
        value
    }

    /// Tells programs that a search begins.
    pub(super) fn say_start(&self, output: Output) {
        if output.json {
            let command = if self.attack.is_some() { "verify" } else { "prove" };
            let limits = self.limits();
            output.say_json(&events::start(command, self.position, self.attacker, limits));
        }
    }

    /// What a search cost, and what ended it if it was not the verdict.
    fn add_effort(&self, value: &mut Value, effort: &Effort) {
        value["order"] = effort.order.into();
        value["nodes"] = effort.nodes.into();
        value["seconds"] = effort.seconds.into();
        if value["verdict"] == "unknown" {
            value["stopped_by"] = match effort.stopped {
                Some(Stop::Interrupted) => "interrupt".into(),
                Some(Stop::Time(_)) => "time".into(),
                None if effort.nodes >= self.search.nodes => "nodes".into(),
                None => Value::Null,
            };
            if effort.stopped == Some(Stop::Interrupted) {
                value["event"] = "stopped".into();
            }
        }
    }

    /// Draws the course of the search, if that is asked for.
    pub(super) fn draw(&self, series: &Series, verdict: &str, output: Output) -> Result<()> {
        let Some(path) = &self.search.svg else { return Ok(()) };
        let after = match self.attack {
            Some(_) => format!("{} after {}", self.attacker.title(), self.subject()),
            None => self.subject(),
        };
        let svg = series.svg(&format!("does {after} win?"), verdict);
        show::write_drawing(path, &svg)?;
        if !output.json && !self.search.quiet {
            output.written(path, svg.len());
        }
        Ok(())
    }

    fn limits(&self) -> Limits {
        let SearchArgs { order, nodes, time, .. } = *self.search;
        let (threads, memory) = (self.search.machine.threads(), self.search.machine.memory());
        Limits { order, nodes, time, threads, memory }
    }

    pub(super) fn options(&self) -> prove::Options {
        let is_ours = self.search.zones == ZonesName::Segment;
        prove::Options {
            order_max: self.search.order,
            nodes_max: self.search.nodes,
            threads: self.limits().threads,
            memory_max: self.limits().memory,
            switches: self.search.without.switches(),
            zones: self.search.zones.rule(),
            mutual: is_ours,
            grouped: is_ours,
            ..prove::Options::new(self.attacker)
        }
    }

    pub(super) fn watcher(&self, output: Output) -> Watcher {
        let interrupt = Interrupt::watched();
        Watcher::new(self.position.game(), self.limits(), self.search.quiet, interrupt, output)
    }

    /// Everything that can go wrong with the files of the answer goes wrong now, not after hours.
    pub(super) fn prepare(&self) -> Result<()> {
        let SearchArgs { cert, out, svg, .. } = self.search;
        let outputs = [("--cert", cert), ("--out", out), ("--svg", svg)];
        let named = || outputs.iter().filter_map(|(name, path)| Some((*name, path.as_ref()?)));
        for (_, path) in named() {
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
        for (name, path) in named() {
            if let Some((other, _)) = named().find(|entry| entry.1 == path && entry.0 != name) {
                return Err(Failure::new(format!("{}: both {name} and {other}", path.display()))
                    .help("give each its own name"));
            }
        }
        for picture in [out, svg].into_iter().flatten() {
            picture_kind(picture)?;
            files::ensure_writable(picture)?;
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

/// How a search ended, under the plot of its course.
fn course(report: &Report, watcher: &Watcher) -> String {
    let verdict = match (&report.outcome, watcher.stopped()) {
        (Outcome::Proved { .. }, _) => "found a win",
        (Outcome::NoWin, _) => "no win",
        (Outcome::Unknown, Some(Stop::Interrupted)) => "interrupted",
        (Outcome::Unknown, _) => "not found",
    };
    format!("{verdict}, {}, {:.1} s", nodes_text(report.counts.nodes), watcher.seconds())
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
