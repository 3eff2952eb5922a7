//! The report of an answer without a proof: that there is no win, or that nothing was found.

use serde_json::{Value, json};
use sixproof_game::Move;

use super::request::Request;
use crate::Exit;
use crate::layout;
use crate::watcher::Watcher;
use sixproof_solve::notation;
use sixproof_solve::output::{HINT, Output, WARN};
use sixproof_solve::question::{Answer, Ended, NoWin, Question, Source, Stop, Verdict};
use sixproof_solve::words::{line_text, nodes_text};

/// The most unsolved replies that are named.
const UNSOLVED_MAX: usize = 8;

/// The report of an answer without a proof.
struct Report<'a> {
    request: &'a Request<'a>,
    found: &'a Answer,
    watcher: &'a Watcher,
    /// The answer in a sentence.
    why: String,
}

/// Reports an answer without a proof.
pub(super) fn report(
    request: &Request<'_>,
    question: &Question<'_>,
    found: &Answer,
    watcher: &Watcher,
    output: Output,
) -> Exit {
    let mut why = question.sentence(found);
    if found.source == Source::Store && matches!(found.verdict, Verdict::NoWin(NoWin::Order(_))) {
        why += " (--no-store searches again)";
    }
    let report = Report { request, found, watcher, why };
    match output.json {
        true => output.say_json(&report.json()),
        false => report.say(output),
    }
    match found.verdict {
        Verdict::NoWin(_) => Exit::No,
        _ => Exit::Undecided,
    }
}

impl Report<'_> {
    /// What ended the search, where it has no verdict.
    fn ended(&self) -> Option<Ended> {
        match self.found.verdict {
            Verdict::Unknown(ended) => Some(ended),
            _ => None,
        }
    }

    fn say(&self, output: Output) {
        let Report { request, found, watcher, why } = self;
        let game = request.game();
        output.say(format!("{WARN}not proved:{WARN:#} {why}"));
        if let Some(rests_on) = watcher.rests_on() {
            output.say(layout::labelled("rests on", &rests_on.text()));
        }
        if found.source == Source::Search && !request.search.quiet {
            let line = line_text(game, watcher.best(), request.position());
            if let (Some(line), Some(_)) = (line, watcher.stopped()) {
                output.say(layout::labelled("best so far", &line));
            }
            output.say(format!("time        {:.3} s", watcher.seconds()));
            if let Some(ended) = self.ended() {
                output.note(format!("{HINT}help:{HINT:#} {}", help(ended, found.is_kept)));
            }
        }
        if !found.unsolved.is_empty() {
            output.say(layout::labelled("unsolved", &self.unsolved()));
        }
        if !found.zone.is_empty() {
            let (count, other) = (found.zone.len(), (!request.claim.attacker).title());
            let text = format!(
                "the replies of {other} that avoid a zone of {count} squares, which --json names"
            );
            output.say(layout::labelled("answered", &text));
        }
    }

    /// The replies that a verification leaves open: how many, and the first of them.
    fn unsolved(&self) -> String {
        let Report { request, found, .. } = self;
        let (game, stones) = (request.game(), request.position().left() as usize);
        let text = |squares: &Move| match squares.len() {
            0 => "any move: a null move is not answered".to_string(),
            count if count < stones => {
                format!("{} with any other stone", game.square_names(squares))
            }
            _ => game.square_names(squares),
        };
        let named: Vec<String> = found.unsolved.iter().take(UNSOLVED_MAX).map(text).collect();
        let named = named.join(" / ");
        match found.unsolved.len() {
            1 => named,
            count if count <= UNSOLVED_MAX => format!("{count} replies: {named}"),
            count => format!(
                "{count} replies: {named} / and {} more, which --json names",
                count - UNSOLVED_MAX
            ),
        }
    }

    fn json(&self) -> Value {
        let Report { request, found, watcher, why } = self;
        let game = request.game();
        let mut value = request.json(if self.ended().is_some() { "unknown" } else { "no-win" });
        value["message"] = why.as_str().into();
        if found.source != Source::Search {
            return value;
        }
        if request.attack.is_some() {
            let names = found.unsolved.iter().map(|squares| notation::names(game, squares));
            value["unsolved"] = json!(names.collect::<Vec<_>>());
            value["zone"] = notation::names(game, &found.zone).into();
        }
        value["order"] = found.order.into();
        value["nodes"] = found.nodes.into();
        value["seconds"] = watcher.seconds().into();
        if let Some(rests_on) = watcher.rests_on() {
            value["rests_on"] = rests_on.json();
        }
        if let Some(ended) = self.ended() {
            value["stopped_by"] = match ended {
                Ended::Stopped(Stop::Interrupted) => "interrupt".into(),
                Ended::Stopped(Stop::Time(_)) => "time".into(),
                Ended::Memory => "memory".into(),
                Ended::Nodes => "nodes".into(),
                Ended::Tried => Value::Null,
            };
            if ended == Ended::Stopped(Stop::Interrupted) {
                value["event"] = "stopped".into();
            }
        }
        value
    }
}

/// What to do where nothing was found.
fn help(ended: Ended, is_kept: bool) -> &'static str {
    match ended {
        Ended::Stopped(Stop::Interrupted) if is_kept => "the same command goes on from here",
        Ended::Stopped(Stop::Interrupted) => {
            "the same command starts anew; with a store it would go on"
        }
        Ended::Memory => "more --memory may do",
        _ => "more --nodes, --time or --order may do",
    }
}

/// How a search ended, under the plot of its course.
pub(super) fn course(found: &Answer, watcher: &Watcher) -> String {
    let verdict = match found.verdict {
        Verdict::Proved(_) => "found a win",
        Verdict::NoWin(_) => "no win",
        Verdict::Unknown(Ended::Stopped(Stop::Interrupted)) => "interrupted",
        Verdict::Unknown(_) => "not found",
    };
    match found.source {
        Source::Search => {
            format!("{verdict}, {}, {:.1} s", nodes_text(found.nodes), watcher.seconds())
        }
        Source::Store => format!("{verdict}, from the store"),
        Source::Rules => format!("{verdict}, by the rules"),
    }
}
