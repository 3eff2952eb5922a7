//! The words for what came of a search: a proof goes on to its checker, and that nothing was found
//! is said plainly.

use serde_json::{Value, json};
use sixproof_game::Square;
use sixproof_prover::prove::{self, Outcome, Report};

use super::super::proof;
use super::super::search::{RestsOn, Stop, Watcher};
use super::Question;
use crate::Answer;
use crate::cli::ZonesName;
use crate::fit;
use sixproof_solve::failure::Result;
use sixproof_solve::notation;
use sixproof_solve::output::{HINT, Output, WARN};
use sixproof_solve::store::Memory;
use sixproof_solve::verdict::{self as words, Ended, Spent, nodes_text};

/// What a search cost, and what ended it.
pub(super) struct Effort {
    order: u32,
    nodes: u64,
    seconds: f64,
    stopped: Option<Stop>,
    /// The line that was best for both sides so far.
    best: Vec<Vec<Square>>,
    out_of_memory: bool,
    /// Whether the next search goes on from here.
    is_kept: bool,
    /// The answers of others that it rests on.
    rests_on: Option<RestsOn>,
}

impl Effort {
    fn of(report: &Report, memory: &Memory, watcher: &Watcher) -> Effort {
        Effort {
            order: report.order,
            nodes: report.counts.nodes,
            seconds: watcher.seconds(),
            stopped: watcher.stopped(),
            best: watcher.best().to_vec(),
            out_of_memory: report.out_of_memory,
            is_kept: memory.flush(),
            rests_on: watcher.rests_on(),
        }
    }
}

impl Question<'_> {
    /// Tells what a verification came to.
    pub(super) fn conclude_verification(
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
            let names: Vec<Vec<String>> =
                unsolved.iter().map(|squares| notation::names(game, squares)).collect();
            let effort = Effort::of(&report, memory, watcher);
            let (verdict, why, answer) = self.without_proof(&report.outcome, &effort);
            let mut value = self.json(verdict);
            value["message"] = why.into();
            value["unsolved"] = json!(names);
            value["zone"] = notation::names(game, &zone).into();
            self.add_effort(&mut value, &effort);
            output.say_json(&value);
            return Ok(answer);
        }
        let answer = self.conclude(report, memory, watcher, output)?;
        if unsolved.len() > 1 {
            output.say(format!("unsolved    {} replies in all", unsolved.len()));
        }
        if !zone.is_empty() {
            output.say(format!("zone        {} squares: elsewhere the proof stands", zone.len()));
            output.say(fit::labelled("", &game.square_names(&zone)));
        }
        Ok(answer)
    }

    /// Tells what a search came to.
    pub(super) fn conclude(
        &self,
        report: Report,
        memory: &Memory,
        watcher: &Watcher,
        output: Output,
    ) -> Result<Answer> {
        let effort = Effort::of(&report, memory, watcher);
        let Report { outcome, order, counts, .. } = report;
        let seconds = effort.seconds;
        let (verdict, why, answer) = self.without_proof(&outcome, &effort);
        match outcome {
            Outcome::Proved { certificate, .. } => {
                let (order, nodes, from_store) = (Some(order), counts.nodes, false);
                let proof = proof::Proof { certificate, order, nodes, seconds, from_store };
                proof.tell(self, memory, output)?;
                return Ok(Answer::Yes);
            }
            // With another rule it speaks of that method only.
            Outcome::NoWin if self.search.zones == ZonesName::Segment => {
                memory.keep_refuted((self.position, self.attacker), order, counts.nodes);
            }
            Outcome::NoWin | Outcome::Unknown => {}
        }
        self.say_unproved(verdict, &why, Some(effort), output);
        Ok(answer)
    }

    /// What a search without a proof says: that there is no win, or that it could not decide.
    fn without_proof(&self, outcome: &Outcome, effort: &Effort) -> (&'static str, String, Answer) {
        match outcome {
            Outcome::NoWin => ("no-win", self.no_win(effort.order), Answer::No),
            _ => ("unknown", self.unknown(effort), Answer::Undecided),
        }
    }

    /// That the other side has a proof, and so this one does not win.
    pub(super) fn other_wins(&self, nodes: u64) -> String {
        let (other, subject) = ((!self.attacker).title(), self.subject());
        let so = match self.attack {
            Some(_) => format!(" after {subject}"),
            None => format!(", so {subject} does not"),
        };
        let nodes = nodes_text(nodes);
        format!("{other} wins by force{so} (a proof from the store, {nodes}, checked)")
    }

    pub(super) fn no_win(&self, order: u32) -> String {
        words::no_win(order, &self.subject(), self.attack.is_some())
    }

    fn unknown(&self, effort: &Effort) -> String {
        words::unknown(&Spent {
            order: effort.order,
            nodes: effort.nodes,
            nodes_max: self.search.nodes,
            out_of_memory: effort.out_of_memory,
            ended: match effort.stopped {
                Some(Stop::Interrupted) => Ended::Interrupted,
                Some(Stop::Time(time)) => Ended::Time(time),
                None => Ended::Itself,
            },
        })
    }

    /// The verdict that there is no proof.
    pub(super) fn say_unproved(
        &self,
        verdict: &str,
        why: &str,
        effort: Option<Effort>,
        output: Output,
    ) {
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
        if let Some(rests_on) = effort.as_ref().and_then(|effort| effort.rests_on) {
            output.say(fit::labelled("rests on", &rests_on.text()));
        }
        if let (Some(effort), false) = (effort, self.search.quiet) {
            let line = words::line_text(self.position.game(), &effort.best, self.position);
            if let (Some(line), Some(_)) = (line, effort.stopped) {
                output.say(fit::labelled("best so far", &line));
            }
            output.say(format!("time        {:.3} s", effort.seconds));
            if verdict == "unknown" {
                output.note(format!("{HINT}help:{HINT:#} {}", help(&effort)));
            }
        }
    }

    /// What a search cost, and what ended it if it was not the verdict.
    fn add_effort(&self, value: &mut Value, effort: &Effort) {
        value["order"] = effort.order.into();
        value["nodes"] = effort.nodes.into();
        value["seconds"] = effort.seconds.into();
        if let Some(rests_on) = effort.rests_on {
            value["rests_on"] = rests_on.json();
        }
        if value["verdict"] == "unknown" {
            value["stopped_by"] = match effort.stopped {
                Some(Stop::Interrupted) => "interrupt".into(),
                Some(Stop::Time(_)) => "time".into(),
                None if effort.out_of_memory => "memory".into(),
                None if effort.nodes >= self.search.nodes => "nodes".into(),
                None => Value::Null,
            };
            if effort.stopped == Some(Stop::Interrupted) {
                value["event"] = "stopped".into();
            }
        }
    }
}

/// What to do where nothing was found.
fn help(effort: &Effort) -> &'static str {
    match effort.stopped {
        Some(Stop::Interrupted) if effort.is_kept => "the same command goes on from here",
        Some(Stop::Interrupted) => "the same command starts anew; with a store it would go on",
        _ if effort.out_of_memory => "more --memory may do",
        _ => "more --nodes, --time or --order may do",
    }
}

/// How a search ended, under the plot of its course.
pub(super) fn course(report: &Report, watcher: &Watcher) -> String {
    let verdict = match (&report.outcome, watcher.stopped()) {
        (Outcome::Proved { .. }, _) => "found a win",
        (Outcome::NoWin, _) => "no win",
        (Outcome::Unknown, Some(Stop::Interrupted)) => "interrupted",
        (Outcome::Unknown, _) => "not found",
    };
    format!("{verdict}, {}, {:.1} s", nodes_text(report.counts.nodes), watcher.seconds())
}
