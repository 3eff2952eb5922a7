//! `sixproof atlas`: which second moves of White lose? Each is searched with a limit of its own,
//! and every proof is kept as a certificate.
//!
//! The folder of an atlas holds the certificates and the results, so that a run goes on where
//! another one ended. A page and a map of all of it are made from what is known.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};
use sixproof_certificate::{Claim, certify};
use sixproof_experiments::atlas::elsewhere::{Elsewhere, certificate_of};
use sixproof_experiments::atlas::openings::{GAME, Opening};
use sixproof_experiments::atlas::{
    ATTACKER, Atlas, OpeningStatus, Results, SearchRecord, Selection, certificate_file, first_move,
    map, position, read_certificate, report,
};
use sixproof_prover::prove::Options;

use crate::Exit;
use crate::interrupt::Interrupt;
use crate::options;
use crate::refused;
use crate::search;
use crate::watcher::Watcher;
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files;
use sixproof_solve::limits::Limits;
use sixproof_solve::notation;
use sixproof_solve::output::{GOOD, HINT, Output, STRONG, grouped};
use sixproof_solve::quantity::bytes_text;
use sixproof_solve::question::{Answer, Ended, Proof, Question, Stop, Unanswered, Verdict};
use sixproof_solve::store::Memory;
use sixproof_solve::words::nodes_text;

/// The limits of each search where the user names none.
const TIME_DEFAULT: Duration = Duration::from_secs(60);
const NODES_DEFAULT: u64 = 1_000_000_000;

pub(crate) fn run(options: &options::Atlas, output: Output) -> Result<Exit> {
    let limits = limits(options);
    let mut atlas = chosen(options)?;
    let pages = options.report.as_deref().map(report::pages).transpose()?;
    for page in pages.iter().flatten() {
        files::ensure_writable(page)?;
    }
    let dir = options.dir();
    fs::create_dir_all(&dir).map_err(|e| Failure::io(dir.display(), &e))?;
    let results = Results::open(&dir)?;
    say_start(&atlas, limits, options, output);
    let interrupt = Interrupt::watched();
    let mut run = AtlasRun {
        options,
        limits,
        search: search_options(options, limits)?,
        memory: Memory::open(&options.resources.store.choice(), output)?,
        elsewhere: Elsewhere::read(&options.proofs())?,
        dir,
        results,
        interrupt,
        output,
        has_head: false,
        searched: 0,
        rejected: 0,
    };
    run.all(&mut atlas)?;
    let is_stopped = run.interrupt.is_asked_for();
    if let Some([page, picture]) = &pages {
        files::write(picture, map::svg(&atlas).as_bytes())?;
        files::write(page, report::markdown(&atlas, picture).as_bytes())?;
    }
    say_sums(&atlas, &run, is_stopped, output);
    for page in pages.iter().flatten().filter(|_| !output.json && !options.quiet) {
        output.written(page, 0);
    }
    let [_, open, untried] = atlas.counts(|_| true);
    Ok(match run.rejected {
        _ if is_stopped => Exit::Undecided,
        // The user wants no search.
        0 if options.no_search => Exit::Yes,
        _ if open + untried > 0 => Exit::Undecided,
        0 => Exit::Yes,
        _ => Exit::No,
    })
}

/// The limits of each search.
fn limits(options: &options::Atlas) -> Limits {
    let time = options.time.or(options.nodes.is_none().then_some(TIME_DEFAULT));
    Limits { order: options.order, nodes: options.nodes.unwrap_or(NODES_DEFAULT), time }
}

/// The options of each search.
fn search_options(options: &options::Atlas, limits: Limits) -> Result<Options> {
    Ok(Options {
        order_max: limits.order,
        nodes_max: limits.nodes,
        threads: options.local.threads(),
        memory_max: options.local.memory(),
        hints: search::hints(&options.resources, false, (GAME, ATTACKER))?,
        ..Options::default()
    })
}

/// The second moves that were asked for.
fn chosen(options: &options::Atlas) -> Result<Atlas> {
    Atlas::new(Selection {
        side: options.side,
        only: options.only.clone(),
        sample: options.sample,
        seed: options.seed,
    })
}

/// A run of the command.
struct AtlasRun<'a> {
    options: &'a options::Atlas,
    limits: Limits,
    search: Options,
    memory: Memory,
    dir: PathBuf,
    elsewhere: Elsewhere,
    results: Results,
    interrupt: Interrupt,
    output: Output,
    /// Whether the table on the terminal has its heading.
    has_head: bool,
    searched: usize,
    /// Proofs that the checker refused.
    rejected: usize,
}

impl AtlasRun<'_> {
    /// Works through all second moves, until it is asked to stop. What was known before is looked
    /// at first, so that a run that is stopped reports it too.
    fn all(&mut self, atlas: &mut Atlas) -> Result<()> {
        for opening in atlas.openings().to_vec() {
            let mut status = self.remembered(opening)?;
            if !matches!(status, OpeningStatus::Proved { .. })
                && let Some(proved) = self.elsewhere(opening)?
            {
                status = proved;
            }
            if self.output.json || self.options.no_search {
                self.say(opening, &status, true);
            }
            atlas.set(opening, status);
        }
        if self.options.no_search {
            return Ok(());
        }
        let is_due = |opening: &Opening| match atlas.status(*opening) {
            OpeningStatus::Proved { .. } => false,
            OpeningStatus::Open(_) | OpeningStatus::Untried => {
                !self.results.is_tried(*opening, self.limits)
            }
        };
        let due: Vec<Opening> = atlas.openings().iter().copied().filter(is_due).collect();
        for (index, &opening) in due.iter().enumerate() {
            if self.interrupt.is_asked_for() {
                break;
            }
            let heading = format!("{}, {} of {}", opening.name(), index + 1, due.len());
            if let Some(status) = self.decide(opening, heading)? {
                self.say(opening, &status, false);
                atlas.set(opening, status);
            }
        }
        Ok(())
    }

    /// What an earlier run found. A proof is believed when its certificate is.
    fn remembered(&mut self, opening: Opening) -> Result<OpeningStatus> {
        let Some(entry) = self.results.get(opening).cloned() else {
            return Ok(OpeningStatus::Untried);
        };
        if entry.proof.is_none() {
            return Ok(OpeningStatus::Open(entry));
        }
        let file = certificate_file(&self.dir, opening);
        let position = position(opening)?;
        // The winning move is that of the certificate, whatever the results say.
        match read_certificate(&file).and_then(|bytes| {
            let certified = certify(&Claim::new(&position, ATTACKER), &bytes);
            let nodes = certified.map_err(|refused| refused.to_string())?.counts().nodes;
            Ok((first_move(&bytes)?, nodes))
        }) {
            Ok((squares, nodes)) => {
                let bytes = fs::metadata(&file).map_or(0, |file| file.len());
                Ok(OpeningStatus::Proved { entry, squares, nodes, bytes })
            }
            Err(why) => {
                self.output.warn(format!("{}: {why}; not counted", file.display()));
                self.results.forget_proofs(opening);
                let other = self.results.get(opening).cloned();
                Ok(other.map_or(OpeningStatus::Untried, OpeningStatus::Open))
            }
        }
    }

    /// A proof of the store or of another folder, however it is turned.
    fn elsewhere(&mut self, opening: Opening) -> Result<Option<OpeningStatus>> {
        let claim = Claim::new(&position(opening)?, ATTACKER);
        if let Ok(Some(Answer { verdict: Verdict::Proved(proof), order, nodes, .. })) =
            self.question(&claim).known()
        {
            return self.keep(opening, &proof, (order, nodes, 0.0)).map(Some);
        }
        let Some(file) = self.elsewhere.file(opening) else { return Ok(None) };
        let proof = certificate_of(file, &claim)
            .and_then(|bytes| Proof::checked(&claim, bytes).map_err(|refused| refused.to_string()));
        match proof {
            Ok(proof) => self.keep(opening, &proof, (None, 0, 0.0)).map(Some),
            Err(why) => {
                self.output.warn(format!("{}: {why}; not counted", file.display()));
                Ok(None)
            }
        }
    }

    fn question<'q>(&'q self, claim: &'q Claim) -> Question<'q> {
        let AtlasRun { search: options, memory, .. } = self;
        Question { resumes: true, ..Question::new(claim, options, memory) }
    }

    /// Searches one second move, and keeps what was found. `None` if nothing was: the search was
    /// stopped, or the checker refused the proof.
    fn decide(&mut self, opening: Opening, heading: String) -> Result<Option<OpeningStatus>> {
        let claim = Claim::new(&position(opening)?, ATTACKER);
        let (limits, output) = (self.limits, self.output);
        let interrupt = self.interrupt.clone();
        let mut watcher = Watcher::new(GAME, limits, self.options.quiet, interrupt, output)
            .with_heading("opening", heading);
        let resources = &self.options.resources;
        let question = self.question(&claim);
        let answer = search::answer(&question, resources, &mut watcher, &mut |_, _| {}, output)?;
        self.searched += 1;
        let seconds = watcher.seconds();
        match answer {
            Ok(Answer { verdict: Verdict::Proved(proof), order, nodes, .. }) => {
                self.keep(opening, &proof, (order, nodes, seconds)).map(Some)
            }
            // What was not searched to its limit says nothing.
            Ok(Answer { verdict: Verdict::Unknown(Ended::Stopped(Stop::Interrupted)), .. }) => {
                self.searched -= 1;
                Ok(None)
            }
            Ok(Answer { order, nodes, .. }) => {
                let order = order.unwrap_or_default();
                let entry = SearchRecord { proof: None, order, nodes, seconds, limits };
                self.results.add(opening, entry.clone())?;
                Ok(Some(OpeningStatus::Open(entry)))
            }
            Err(Unanswered::Refused { why, certificate }) => {
                // The run goes on after a wrong proof, which is kept for a report.
                self.rejected += 1;
                let file = certificate_file(&self.dir, opening);
                let refused = refused::failure(&why, &certificate, &file);
                let json = output.json;
                output.note(if json { refused.to_json().to_string() } else { refused.to_string() });
                Ok(None)
            }
            Err(Unanswered::Over(_)) => Err(Failure::new("the game is over after two moves")),
        }
    }

    /// Keeps a proof in the folder.
    fn keep(
        &mut self,
        opening: Opening,
        proof: &Proof,
        (order, nodes, seconds): (Option<u32>, u64, f64),
    ) -> Result<OpeningStatus> {
        let file = certificate_file(&self.dir, opening);
        let bytes = files::write_certificate(&file, &proof.certificate)? as u64;
        let squares = first_move(&proof.certificate).map_err(Failure::new)?;
        let (order, limits) = (order.unwrap_or_default(), self.limits);
        let counted = proof.certified.counts().nodes;
        let entry =
            SearchRecord { proof: Some((squares.clone(), counted)), order, nodes, seconds, limits };
        self.results.add(opening, entry.clone())?;
        Ok(OpeningStatus::Proved { entry, squares, nodes: counted, bytes })
    }

    /// Reports what is known of a second move, in a line of a table or as an event.
    fn say(&mut self, opening: Opening, status: &OpeningStatus, is_kept: bool) {
        let (options, output) = (self.options, self.output);
        let (verdict, squares, entry, certificate) = match status {
            OpeningStatus::Untried => return,
            _ if output.json => {
                return output.say_json(&status_json(opening, status, &self.dir, is_kept));
            }
            _ if options.quiet => return,
            OpeningStatus::Proved { entry, squares, nodes, bytes } => {
                let certificate = format!("{}, {}", nodes_text(*nodes), bytes_text(*bytes));
                (format!("{GOOD}proved{GOOD:#}   "), &squares[..], entry, certificate)
            }
            OpeningStatus::Open(entry) => ("open     ".to_string(), "", entry, "none".to_string()),
        };
        if !self.has_head {
            self.has_head = true;
            output.say(format!(
                "{STRONG}{:<9}{:<9}{:<11}{:>5}{:>13}  certificate{STRONG:#}",
                "opening", "verdict", "wins with", "order", "nodes"
            ));
        }
        let [order, nodes] = entry.effort();
        output.say(format!(
            "{:<9}{verdict}{squares:<11}{order:>5}{nodes:>13}  {certificate}  \
             {HINT}{:.3} s{HINT:#}",
            opening.name(),
            entry.seconds,
        ));
    }
}

fn say_start(atlas: &Atlas, limits: Limits, options: &options::Atlas, output: Output) {
    if output.json {
        output.say_json(&json!({
            "event": "start",
            "version": env!("CARGO_PKG_VERSION"),
            "command": "atlas",
            "game": GAME.to_string(),
            "attacker": ATTACKER.to_string(),
            "box": options.side,
            "openings": atlas.openings().len(),
            "limits": limits.json(),
            "threads": options.local.threads(),
        }));
    }
}

fn status_json(opening: Opening, status: &OpeningStatus, dir: &Path, is_kept: bool) -> Value {
    let mut value = json!({
        "event": "opening",
        "opening": notation::names(GAME, opening.squares()),
        "distance": opening.distance(),
        "kept": is_kept,
    });
    let entry = match status {
        OpeningStatus::Proved { entry, squares, nodes, bytes } => {
            let file = certificate_file(dir, opening).display().to_string();
            value["verdict"] = "proved".into();
            value["checked"] = true.into();
            value["move"] = squares.split(' ').collect::<Vec<_>>().into();
            value["certificate"] = json!({ "file": file, "bytes": bytes, "nodes": nodes });
            entry
        }
        OpeningStatus::Open(entry) => {
            value["verdict"] = "open".into();
            entry
        }
        OpeningStatus::Untried => return value,
    };
    value["order"] = entry.order.into();
    value["nodes"] = entry.nodes.into();
    value["seconds"] = entry.seconds.into();
    value
}

fn say_sums(atlas: &Atlas, run: &AtlasRun<'_>, is_stopped: bool, output: Output) {
    let counts @ [proved, open, untried] = atlas.counts(|_| true);
    let of = atlas.openings().len();
    if output.json {
        let by_distance: Vec<Value> = atlas
            .distances()
            .into_iter()
            .map(|distance| {
                let [proved, open, untried] =
                    atlas.counts(|opening| opening.distance() == distance);
                json!({ "distance": distance, "proved": proved, "open": open, "untried": untried })
            })
            .collect();
        output.say_json(&json!({
            "event": if is_stopped { "stopped" } else { "done" },
            "openings": of,
            "proved": proved,
            "open": open,
            "untried": untried,
            "by_distance": by_distance,
            "searched": run.searched,
            "rejected": run.rejected,
        }));
        return;
    }
    if is_stopped {
        output.warn("stopped; the same command goes on from here");
    }
    let before = counts[0] + counts[1] - run.searched.min(counts[0] + counts[1]);
    output.say(format!(
        "{STRONG}{} of {} second moves are proved to lose{STRONG:#}, {} open, {} not tried",
        grouped(proved as u64),
        grouped(of as u64),
        grouped(open as u64),
        grouped(untried as u64),
    ));
    for distance in atlas.distances() {
        let [proved, open, untried] = atlas.counts(|opening| opening.distance() == distance);
        let of = proved + open + untried;
        output.say(format!("distance {distance}  {proved} of {of}"));
    }
    output.say(format!("searched    {} now, {before} known from before", run.searched));
    if run.rejected > 0 {
        output.say(format!("rejected    {} proofs that the checker refused", run.rejected));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser as _;

    fn options(words: &[&str]) -> options::Atlas {
        let words = ["sixproof", "atlas"].iter().chain(words);
        match options::Cli::try_parse_from(words).unwrap().command {
            Some(options::Command::Atlas(options)) => options,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn nodes_alone_have_no_clock() {
        let limits = |words: &[&str]| limits(&options(words));
        let [nodes, seconds] = [NODES_DEFAULT, 60];
        let of = |nodes, seconds: Option<u64>| Limits {
            order: 5,
            nodes,
            time: seconds.map(Duration::from_secs),
        };
        assert_eq!(limits(&[]), of(nodes, Some(seconds)));
        assert_eq!(limits(&["--nodes", "2k"]), of(2_000, None));
        assert_eq!(limits(&["--time", "5s"]), of(nodes, Some(5)));
        assert_eq!(limits(&["--time", "5s", "--nodes", "2k"]), of(2_000, Some(5)));
    }

    #[test]
    fn the_box_is_seven_wide_and_wider_for_samples() {
        let chosen = |words: &[&str]| {
            chosen(&options(words)).map(|a| (a.selection().side / 2, a.openings().len()))
        };
        assert_eq!(chosen(&[]).unwrap(), (3, 162));
        assert_eq!(chosen(&["--box", "5"]).unwrap(), (2, 44));
        assert_eq!(chosen(&["--sample", "10"]).unwrap(), (6, 10));
        assert_eq!(chosen(&["--sample", "10", "--box", "5", "--only", "2"]).unwrap(), (2, 10));
        assert!(chosen(&["--only", "4"]).is_err());
    }
}
