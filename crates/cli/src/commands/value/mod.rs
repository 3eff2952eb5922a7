//! `sixproof value`: who wins a small game from the empty board, with the evidence.

mod table;

use std::path::{Path, PathBuf};

use serde_json::json;
use sixproof_certificate::{Certified, Claim};
use sixproof_game::{Color, Game, Position, Square};
use sixproof_prover::prove;
use sixproof_prover::value::{self, Finding, Method, Options, Pairing, Progress, Report, Win};

use crate::Exit;
use crate::interrupt::Interrupt;
use crate::layout;
use crate::options;
use crate::refused;
use crate::search;
use crate::try_next;
use crate::watcher::Watcher;
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files;
use sixproof_solve::limits::Limits;
use sixproof_solve::output::{GOOD, HINT, Output, WARN, grouped};
use sixproof_solve::quantity;
use sixproof_solve::question::{self, Question, Stop, Unanswered};
use sixproof_solve::store::Memory;
use sixproof_solve::words::{line_text, nodes_text};

pub(crate) fn run(options: &options::Value, output: Output) -> Result<Exit> {
    let Some(text) = &options.game else { return table::run(options, output) };
    let game: Game = text.parse().map_err(|error| {
        Failure::new(format!("{text}: {error}"))
            .help("a game is m,n,k,p,q, or a name that `sixproof list` shows")
    })?;
    let path = match &options.cert {
        Some(path) if path == Path::new("-") => {
            return Err(Failure::new("the answer needs a file, not standard output")
                .help("name a file, such as proof.cert"));
        }
        Some(path) => path.clone(),
        None => files::free(&stem(text), "cert"),
    };
    let memory = match options.without.is_empty() {
        true => Memory::open(&options.resources.store.choice(), output)?,
        // The same value in another way: not in the way that the store has.
        false => Memory::on(None, output),
    };
    files::ensure_writable(&path)?;
    let mut watcher = watcher(game, options, output);
    let known = known(game, &memory);
    let is_from_store = known.is_some();
    let found = match known {
        Some(report) => Some(report),
        None => win_of_black(game, options, &memory, &mut watcher, output)?,
    };
    let report = found.map_or_else(|| exhaust(game, options, &mut watcher), Ok)?;
    watcher.wipe();
    let answer = Answer {
        game,
        text,
        options,
        report: &report,
        watcher: &watcher,
        memory: &memory,
        is_from_store,
    };
    match report.value {
        Some(found) => answer.say(found, path, output),
        None => {
            answer.say_unknown(output);
            Ok(Exit::Undecided)
        }
    }
}

/// The value of a game that the store has a proof of, which the checker has accepted.
fn known(game: Game, memory: &Memory) -> Option<Report> {
    [Color::Black, Color::White].into_iter().find_map(|attacker| {
        let claim = Claim::new(&Position::new(game), attacker);
        let options = prove::Options::default();
        won_by(&Question::new(&claim, &options, memory).known().ok()??, attacker)
    })
}

/// A win of Black that the prover finds with hints or on a farm, if the user wants either.
fn win_of_black(
    game: Game,
    options: &options::Value,
    memory: &Memory,
    watcher: &mut Watcher,
    output: Output,
) -> Result<Option<Report>> {
    let (resources, attacker) = (&options.resources, Color::Black);
    let is_wanted = resources.hints.is_some() || resources.remote.farm.is_some();
    // Larger boards are refused by the search for the value.
    let is_small = game.area().is_some_and(|squares| squares <= u64::BITS as usize);
    if !is_wanted || !is_small {
        return Ok(None);
    }
    let claim = Claim::new(&Position::new(game), attacker);
    let prover = prove::Options {
        nodes_max: options.nodes,
        hints: search::hints(resources, false, (game, attacker))?,
        ..prove::Options::default()
    };
    let question = Question { resumes: true, ..Question::new(&claim, &prover, memory) };
    match search::answer(&question, resources, watcher, &mut |_, _| {}, output)? {
        Ok(answer) => Ok(won_by(&answer, attacker)),
        Err(Unanswered::Over(_)) => Ok(None),
        Err(Unanswered::Refused { why, certificate }) => {
            Err(refused::failure(&why, &certificate, Path::new("value.cert")))
        }
    }
}

/// The value of a game that a proof decides.
fn won_by(answer: &question::Answer, attacker: Color) -> Option<Report> {
    let proof = answer.proof()?;
    let win = Finding::Wins(Win {
        certificate: proof.certificate.clone(),
        nodes: proof.certified.counts().nodes,
        order: answer.order,
        line: proof.line.clone(),
        search_nodes: answer.nodes,
    });
    let (value, findings) = match attacker {
        Color::Black => (value::Value::Black, [win, Finding::Loses]),
        Color::White => (value::Value::White, [Finding::Loses, win]),
    };
    Some(Report { value: Some(value), findings, nodes: answer.nodes })
}

/// A file name from what was typed.
fn stem(text: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() { c } else { '-' };
    format!("value-{}", text.trim().chars().map(plain).collect::<String>())
}

/// Starts the clock.
fn watcher(game: Game, options: &options::Value, output: Output) -> Watcher {
    let (nodes, time) = (options.nodes, options.time);
    let limits = Limits { order: 0, nodes, time };
    Watcher::new(game, limits, options.quiet, Interrupt::watched(), output)
}

/// Finds the value, and shows the progress.
fn exhaust(game: Game, options: &options::Value, watcher: &mut Watcher) -> Result<Report> {
    let limits = Options {
        nodes_max: options.nodes,
        improvements: options.improvements(),
        ..Options::new()
    };
    let report = value::value(game, &limits, &mut |progress| {
        watcher.see_line(progress.nodes, &|rate| line(game, progress, rate)).map_break(|_| ())
    });
    report.map_err(|unfit| {
        Failure::new(unfit.to_string())
            .help("`sixproof prove` looks for wins on boards of any size")
    })
}

/// One line on how far the work is.
fn line(game: Game, progress: &Progress, rate: u64) -> String {
    let Progress { side, method, nodes } = progress;
    let what = match method {
        Method::Prover => "strategies",
        Method::MakerBreaker => "exhaustive, only its rows count",
        Method::Game => "exhaustive",
        Method::Certificate => "writing the certificate",
    };
    let (title, nodes, rate) = (game.title(), grouped(*nodes), grouped(rate));
    format!("{title}  {nodes} nodes  {rate}/s  does {} win? {what}", side.title())
}

/// The value in words.
fn sentence(game: Game, value: value::Value) -> String {
    match value.winner() {
        Some(side) => format!("{}: {} wins", game.title(), side.title()),
        None => format!("{}: a draw", game.title()),
    }
}

/// Why a side cannot win, or how it does; in a few words.
fn reason(finding: &Finding) -> String {
    match finding {
        Finding::Wins(Win { order: Some(order), .. }) => format!("wins by force: order {order}"),
        Finding::Wins(_) => "wins by force: exhaustive search".to_string(),
        Finding::Loses => "loses".to_string(),
        Finding::Stealing => "cannot win: strategy stealing, q >= p".to_string(),
        Finding::Pairing(pairing) => {
            format!("cannot win: a pairing strategy, {} pairs", pairing.pairs.len())
        }
        Finding::Potential => "cannot win: the potential of its lines is too small".to_string(),
        Finding::MakerBreaker(nodes) => {
            format!("cannot win, even if only its rows count: exhaustive, {}", nodes_text(*nodes))
        }
        Finding::Game(nodes) => format!("cannot win: exhaustive, {}", nodes_text(*nodes)),
        Finding::Unproved => "wins, but no certificate was made".to_string(),
        Finding::Unknown => "unknown".to_string(),
    }
}

/// The name of a reason for programs.
fn word(finding: &Finding) -> &'static str {
    match finding {
        Finding::Wins(_) => "certificate",
        Finding::Loses => "loses",
        Finding::Stealing => "strategy-stealing",
        Finding::Pairing(_) => "pairing",
        Finding::Potential => "potential",
        Finding::MakerBreaker(_) => "maker-breaker-search",
        Finding::Game(_) => "search",
        Finding::Unproved => "no-certificate",
        Finding::Unknown => "unknown",
    }
}

/// Has the checker accept a win, before it is reported.
fn verified(game: Game, win: &Win, color: Color, path: &Path) -> Result<Certified> {
    let claim = Claim::new(&Position::new(game), color);
    refused::certified(&claim, &win.certificate, path)
}

/// Refuses a pairing that does not hold: that is a bug, and proves nothing.
fn ensure_pairing(game: Game, pairing: &Pairing) -> Result<()> {
    pairing.verify(game).map_err(|flaw| {
        Failure::new(format!("nothing is proved: the pairing does not hold: {flaw}"))
            .help("this is a bug in the search, please report it with the command")
    })
}

/// Everything that an answer is made of.
struct Answer<'a> {
    game: Game,
    text: &'a str,
    options: &'a options::Value,
    report: &'a Report,
    watcher: &'a Watcher,
    memory: &'a Memory,
    is_from_store: bool,
}

impl Answer<'_> {
    fn say(&self, value: value::Value, mut path: PathBuf, output: Output) -> Result<Exit> {
        let mut proof = None;
        for (finding, color) in self.report.findings.iter().zip([Color::Black, Color::White]) {
            match finding {
                Finding::Wins(win) => {
                    let certified = verified(self.game, win, color, &path)?;
                    let bytes = match self.options.cert {
                        Some(_) => files::write_certificate(&path, &win.certificate)?,
                        None => {
                            let place =
                                files::place_for(&stem(self.text), "cert", &win.certificate);
                            path = place.path;
                            match place.is_there {
                                true => win.certificate.len(),
                                false => files::write_certificate(&path, &win.certificate)?,
                            }
                        }
                    };
                    if !self.is_from_store {
                        let (order, nodes) = (win.order, win.search_nodes);
                        self.memory.keep(&certified, &win.certificate, order, nodes);
                    }
                    proof = Some((win, certified.counts().nodes, bytes));
                }
                Finding::Pairing(pairing) => ensure_pairing(self.game, pairing)?,
                _ => {}
            }
        }
        if output.json {
            let mut answer = self.json(value.winner().map_or("draw".into(), |c| c.to_string()));
            if let Some((win, nodes, bytes)) = proof {
                answer["certificate"] = json!({
                    "file": path.display().to_string(),
                    "bytes": bytes,
                    "nodes": nodes,
                    "order": win.order,
                });
            }
            output.say_json(&answer);
            return Ok(Exit::Yes);
        }
        let sentence = format!("{GOOD}{}{GOOD:#}", sentence(self.game, value));
        if self.options.quiet {
            output.say(match proof {
                Some(_) => format!("{sentence} ({})", path.display()),
                None => sentence,
            });
            return Ok(Exit::Yes);
        }
        output.say(sentence);
        if self.is_from_store {
            let text = "an earlier search found this proof; --no-store searches again";
            output.say(layout::labelled("remembered", text));
        }
        self.say_findings(output);
        if let Some((win, nodes, _)) = proof {
            if let Some(line) = line_text(self.game, &win.line, &Position::new(self.game)) {
                output.say(layout::labelled("line", &line));
            }
            let (name, nodes) = (path.display(), nodes_text(nodes));
            output.say(format!("certificate {name}, {nodes}, verified"));
            let again = try_next::command(&format!("check {}", try_next::quoted(&path)));
            output.say(format!("check it    {HINT}{again}{HINT:#}"));
        } else if self.options.without.is_empty() {
            // The same in another way: without what the refutations rest on.
            let rests_on = |finding: &Finding| match finding {
                Finding::Pairing(_) => Some("pairing"),
                Finding::MakerBreaker(_) => Some("maker-breaker"),
                Finding::Potential => Some("potential"),
                Finding::Game(_) => Some("pairing,potential"),
                _ => None,
            };
            if let Some(what) = self.report.findings.iter().find_map(rests_on) {
                let again = try_next::command(&format!("value {} --without {what}", self.text));
                output.say(format!("check it    {HINT}{again}{HINT:#}"));
            }
        }
        self.say_effort(output);
        Ok(Exit::Yes)
    }

    fn say_findings(&self, output: Output) {
        for (finding, color) in self.report.findings.iter().zip(["Black", "White"]) {
            output.say(format!("{color:<11} {}", reason(finding)));
            if let Finding::Pairing(pairing) = finding {
                let names: Vec<String> = (0..self.game.cols() as i32)
                    .map(|x| self.game.square_name(Square::new(x, 0)))
                    .map(|name| name.trim_end_matches('1').to_string())
                    .collect();
                output.say(format!("{}    {}", pairing.drawn(self.game), names.join(" ")));
                output.say(format!("pairs       {}", self.pairs(pairing).join(" ")));
            }
        }
    }

    fn pairs(&self, pairing: &Pairing) -> Vec<String> {
        let pair = |pair: &[Square; 2]| pair.map(|square| self.game.square_name(square)).join("-");
        pairing.pairs.iter().map(pair).collect()
    }

    fn say_effort(&self, output: Output) {
        let earlier = if self.is_from_store { ", when it was found" } else { "" };
        output.say(format!("search      {}{earlier}", nodes_text(self.report.nodes)));
        output.say(format!("time        {:.3} s", self.watcher.seconds()));
    }

    fn say_unknown(&self, output: Output) {
        let effort = nodes_text(self.report.nodes);
        let why = match self.watcher.stopped() {
            Some(Stop::Interrupted) => format!("interrupted after {effort}"),
            Some(Stop::Time(time)) => {
                format!("not found within {} ({effort})", quantity::time_text(time))
            }
            None => format!("not found within the budget ({effort})"),
        };
        if output.json {
            let mut answer = self.json("unknown".into());
            answer["message"] = why.into();
            output.say_json(&answer);
            return;
        }
        output.say(format!("{WARN}{}: value unknown:{WARN:#} {why}", self.game.title()));
        if !self.options.quiet {
            self.say_findings(output);
            output.say(format!("time        {:.3} s", self.watcher.seconds()));
            output.note(format!("{HINT}help:{HINT:#} more --nodes or --time may do"));
        }
    }

    fn json(&self, value: String) -> serde_json::Value {
        let side = |finding: &Finding| {
            let mut side = json!({ "wins": match finding {
                Finding::Wins(_) => Some(true),
                Finding::Unproved | Finding::Unknown => None,
                _ => Some(false),
            }, "by": word(finding) });
            match finding {
                Finding::MakerBreaker(nodes) | Finding::Game(nodes) => {
                    side["nodes"] = (*nodes).into();
                }
                Finding::Wins(win) => side["nodes"] = win.search_nodes.into(),
                Finding::Pairing(pairing) => side["pairs"] = self.pairs(pairing).into(),
                _ => {}
            }
            side
        };
        let [black, white] = &self.report.findings;
        json!({
            "game": self.game.to_string(),
            "value": value,
            "black": side(black),
            "white": side(white),
            "nodes": self.report.nodes,
            "from_store": self.is_from_store,
            "seconds": self.watcher.seconds(),
        })
    }
}
