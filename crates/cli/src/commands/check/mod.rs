//! `sixproof check`: runs the trusted checker over files and reports what it found.

mod demo;
mod tree;

use std::io::{self, BufRead as _, Read as _, Write as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sixproof_certificate::checked::color;
use sixproof_certificate::{Certified, Refused};
use sixproof_check::{CheckWatch, Claim, Refusal, Rejection, RootZone, Verified};
use sixproof_game::picture::{Picture, TerminalStyle};
use sixproof_game::{Game, Move, Square, sgf};
use sixproof_solve::checked::certify_path;

use crate::Exit;
use crate::layout;
use crate::options;
use crate::try_next;
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files;
use sixproof_solve::output::{BAD, GOOD, HINT, Output, STRONG, grouped};
use sixproof_solve::store;
use sixproof_solve::words::{line_text, nodes_text};

/// The time until progress appears, and between two updates of it.
const PROGRESS_EVERY: Duration = Duration::from_millis(500);

/// How much is said about each file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    /// The verdict.
    Verdict,
    /// The verdict and the winning line.
    Line,
    /// The board, the winning line and all counts.
    All,
}

pub(crate) fn run(options: &options::Check, output: Output) -> Result<Exit> {
    let is_shown_otherwise = options.tree || options.sgf.is_some() || options.svg.is_some();
    if options.demo && !options.quiet && !output.json && !is_shown_otherwise {
        return demo::run(output);
    }
    let demo = [PathBuf::from(files::DEMO)];
    let all = if options.demo { &demo } else { &options.files[..] };
    refuse_impossible(all, options)?;
    let detail = match all.len() {
        _ if options.quiet => Detail::Verdict,
        2.. if !options.verbose => Detail::Line,
        _ => Detail::All,
    };
    let mut tally = Tally::default();
    for file in all {
        match check_file(file, options, detail, output) {
            Ok(Exit::Yes) => tally.verified.push(file),
            Ok(_) => tally.rejected.push(file),
            Err(failure) if all.len() == 1 => return Err(failure),
            Err(failure) => {
                // The other files are checked all the same.
                let text =
                    if output.json { failure.to_json().to_string() } else { failure.to_string() };
                output.note(text);
                tally.unreadable.push(file);
            }
        }
    }
    if detail != Detail::Verdict && !output.json {
        if all.len() > 1 {
            output.say(tally.sentence());
        }
        tally.say_next(options.tree, output);
    }
    Ok(tally.answer())
}

/// Refuses options that cannot be obeyed, before any file is read.
fn refuse_impossible(all: &[PathBuf], options: &options::Check) -> Result<()> {
    if all.len() > 1 && (options.sgf.is_some() || options.svg.is_some()) {
        return Err(Failure::new("--sgf and --svg need a single certificate")
            .help("check the files one by one, or leave these options out"));
    }
    let reads_pipe = all.iter().any(|file| file == Path::new("-"));
    if reads_pipe && (options.tree || options.sgf.is_some()) {
        return Err(Failure::new("--tree and --sgf need a file, not standard input")
            .help("write the certificate to a file first: it is read twice"));
    }
    for out in [&options.sgf, &options.svg].into_iter().flatten() {
        if all.iter().any(|file| files::is_same(file, out)) {
            return Err(Failure::new(format!("{}: would replace the certificate", out.display()))
                .help("give the new file another name"));
        }
    }
    Ok(())
}

/// What the checker said of all files.
#[derive(Default)]
struct Tally<'a> {
    verified: Vec<&'a Path>,
    rejected: Vec<&'a Path>,
    unreadable: Vec<&'a Path>,
}

impl Tally<'_> {
    /// The worst answer of all.
    fn answer(&self) -> Exit {
        match (self.rejected.is_empty(), self.unreadable.is_empty()) {
            (_, false) => Exit::Undecided,
            (false, _) => Exit::No,
            _ => Exit::Yes,
        }
    }

    /// `4 of 6 proofs verified, 1 rejected (a.cert), 1 unreadable (b.cert)`.
    fn sentence(&self) -> String {
        let verified = self.verified.len();
        let all = verified + self.rejected.len() + self.unreadable.len();
        let style = if verified == all { GOOD } else { BAD };
        let mut text = format!("{style}{verified} of {all} proofs verified{style:#}");
        for (files, verdict) in [(&self.rejected, "rejected"), (&self.unreadable, "unreadable")] {
            if !files.is_empty() {
                text += &format!(", {} {verdict} ({})", files.len(), names(files));
            }
        }
        text
    }

    /// What can be done with a proof that is verified.
    fn say_next(&self, has_tree: bool, output: Output) {
        let has_no_name = [Path::new("-"), Path::new(files::DEMO)];
        let Some(file) = self.verified.iter().find(|file| !has_no_name.contains(file)) else {
            return;
        };
        let file = try_next::quoted(file);
        let tree = (format!("check {file} --tree --depth 4"), "the proof as a tree");
        let others = [
            (format!("show {file} --zone"), "the squares that it depends on"),
            (format!("serve {file}"), "the proof in the browser"),
        ];
        let tree = if has_tree { None } else { Some(tree) };
        try_next::say(&tree.into_iter().chain(others).collect::<Vec<_>>(), output);
    }
}

/// The names of the first files, and how many more there are.
fn names(files: &[&Path]) -> String {
    const NAMES_MAX: usize = 5;
    let mut names: Vec<String> = files.iter().take(NAMES_MAX).map(|f| files::name(f)).collect();
    if files.len() > NAMES_MAX {
        names.push(format!("and {} more", files.len() - NAMES_MAX));
    }
    names.join(", ")
}

fn check_file(
    file: &Path,
    options: &options::Check,
    detail: Detail,
    output: Output,
) -> Result<Exit> {
    let name = files::name(file);
    let start = Instant::now();
    let shows_claim = detail == Detail::All && !output.json;
    let mut watch = Progress { output, name: &name, shows_claim, start, shown: start };
    let outcome = certify_path(file, &mut watch);
    watch.end();
    let seconds = start.elapsed().as_secs_f64();
    if let Err(Refused::Checker(Refusal::Unreadable(unreadable))) = &outcome {
        let message = unreadable.what.to_string();
        return Err(match unreadable.place {
            Some(place) => {
                let line = line_of(file, place.line, place.column);
                Failure::at(&name, place.line, place.column, line.as_deref(), message)
            }
            None if file.is_dir() => {
                Failure::new(format!("{name}: {message}")).help("name the files in it")
            }
            None => Failure::new(format!("{name}: {message}")),
        });
    }
    if options.tree {
        tree::print(file, options.depth, output)?;
    }
    match outcome {
        Ok(certified) => {
            let verified = certified.verified();
            let has_line = output.json || detail != Detail::Verdict;
            let line = if has_line { winning_line(file) } else { Vec::new() };
            // A full disk must not hide the verdict.
            match output.json {
                true => output.say_json(&verified_json(&name, verified, &line, seconds)),
                false => say_verified(&name, &certified, &line, (detail, seconds), output),
            }
            if let Some(path) = &options.sgf {
                let input = files::open(file).map_err(|e| Failure::io(&name, &e))?;
                let record = sixproof_solve::tree::record(&name, input, &certified)?;
                files::write(path, &sgf::from_record(&record).write())?;
            }
            if let Some(path) = &options.svg {
                files::write(path, zone_picture(&certified).svg().as_bytes())?;
            }
            if !output.json {
                for path in [&options.sgf, &options.svg].into_iter().flatten() {
                    output.note(format!("{HINT}written:{HINT:#} {}", path.display()));
                }
            }
            Ok(Exit::Yes)
        }
        Err(Refused::Checker(Refusal::Rejected(rejection))) => {
            say_rejected(&name, &rejection, detail, output);
            Ok(Exit::No)
        }
        Err(refused) => Err(Failure::new(format!("{name}: {refused}"))),
    }
}

/// The longest line of a proof. Standard input cannot be read a second time: it has none.
fn winning_line(file: &Path) -> Vec<Move> {
    if file == Path::new("-") {
        return Vec::new();
    }
    files::open(file).map(store::longest_line_of).unwrap_or_default()
}

/// The line of a file that an error is in, or its start; `None` where it cannot be read again, or
/// the place is far into the line.
fn line_of(file: &Path, line: u64, column: u64) -> Option<Vec<u8>> {
    const BYTES_MAX: u64 = 1 << 16;
    if file == Path::new("-") || BYTES_MAX / 2 < column {
        return None;
    }
    let mut input = files::open(file).ok()?;
    for _ in 1..line {
        input.skip_until(b'\n').ok()?;
    }
    let mut text = Vec::new();
    input.take(BYTES_MAX).read_until(b'\n', &mut text).ok()?;
    Some(text.trim_ascii_end().to_vec())
}

fn zone_picture(certified: &Certified) -> Picture {
    let winner = certified.claim().attacker.title();
    let nodes = grouped(certified.counts().nodes);
    Picture::new(&certified.claim().position)
        .zone(certified.layers())
        .caption(format!("{winner} wins, {nodes} nodes verified"))
}

/// Prints the claim as soon as it is known, and how far the check is.
struct Progress<'a> {
    output: Output,
    name: &'a str,
    shows_claim: bool,
    start: Instant,
    shown: Instant,
}

impl CheckWatch for Progress<'_> {
    fn claim(&mut self, claim: &Claim) {
        if !self.shows_claim {
            return;
        }
        self.output.say(format!("{STRONG}{}{STRONG:#}", self.name));
        match sixproof_certificate::Claim::try_from(claim) {
            Ok(ours) => {
                let style = TerminalStyle { color: self.output.has_colors(), ..Default::default() };
                self.output.say(Picture::new(&ours.position).terminal(style).trim_end());
                self.output.say(format!("Claim: {} wins.", claim.attacker.title()));
            }
            // The checker decides what can be claimed; its own drawing always works.
            Err(_) => self.output.say(claim.to_string()),
        }
    }

    fn progress(&mut self, nodes: u64) -> ControlFlow<()> {
        if self.output.shows_progress() && self.shown.elapsed() >= PROGRESS_EVERY {
            self.shown = Instant::now();
            let rate = nodes as f64 / self.start.elapsed().as_secs_f64();
            eprint!("\r{} nodes, {} nodes/s ", grouped(nodes), grouped(rate as u64));
            let _flushed = io::stderr().flush();
        }
        ControlFlow::Continue(())
    }
}

impl Progress<'_> {
    /// Wipes the progress line.
    fn end(&self) {
        if self.shown != self.start {
            eprint!("\r{:60}\r", "");
        }
    }
}

fn verified_json(name: &str, verified: &Verified, line: &[Move], seconds: f64) -> Value {
    let Verified { claim, counts, zone } = verified;
    let sides = [color(claim.to_move), !color(claim.to_move)];
    let square_name =
        |s: &Square| claim.game.square_name(sixproof_check::Square { x: s.x, y: s.y });
    let names = |squares: &[Square]| squares.iter().map(square_name).collect::<Vec<_>>();
    let turns = line.iter().zip(sides.iter().cycle());
    let line: Vec<Value> = turns
        .map(|(squares, side)| json!({ "side": side.to_string(), "squares": names(squares) }))
        .collect();
    json!({
        "file": name,
        "verdict": "verified",
        "claim": claim_json(claim),
        "line": line,
        "nodes": counts.nodes,
        "wins": counts.wins,
        "attacks": counts.attacks,
        "defences": counts.defences,
        "replies": {
            "null": counts.null_replies,
            "semi_null": counts.semi_null_replies,
            "full": counts.full_replies,
            "macro": counts.macro_replies,
        },
        "marks": counts.marks,
        "references": counts.references,
        "depth": counts.depth,
        "zone": zone_json(claim, zone),
        "seconds": seconds,
    })
}

fn say_verified(
    name: &str,
    certified: &Certified,
    line: &[Move],
    (detail, seconds): (Detail, f64),
    output: Output,
) {
    let Verified { claim, counts, zone } = certified.verified();
    let winner = claim.attacker.title();
    let position = &certified.claim().position;
    let line = line_text(position.game(), line, position);
    if detail != Detail::All {
        let nodes = nodes_text(counts.nodes);
        output.say(format!("{name}: {GOOD}verified{GOOD:#}, {winner} wins ({nodes})"));
        if let Some(line) = line {
            output.say(layout::labelled_row("line", &line));
        }
        return;
    }
    if let Some(line) = line {
        output.say(layout::labelled("line", &line));
    }
    output.say(format!("{counts}\n{zone}\ntime        {seconds:.3} s"));
    output.say(format!("{GOOD}verified:{GOOD:#} {winner} wins"));
}

fn rejected_json(name: &str, rejection: &Rejection) -> Value {
    let names = |squares: &[sixproof_check::Square]| -> Vec<String> {
        squares.iter().map(|&s| rejection.claim.game.square_name(s)).collect()
    };
    let line: Vec<Value> = rejection
        .line
        .iter()
        .map(|turn| {
            json!({ "side": color(turn.color).to_string(), "squares": names(&turn.squares) })
        })
        .collect();
    let place = rejection.place;
    let mut answer = json!({
        "file": name,
        "verdict": "rejected",
        "claim": claim_json(&rejection.claim),
        "reason": rejection.reason.name(),
        "message": rejection.explain(),
        "node": rejection.node,
        "at": { "line": place.line, "column": place.column },
        "line": line,
    });
    if let sixproof_check::Reason::Uncovered(squares) = &rejection.reason {
        answer["uncovered"] = names(squares).into();
    }
    answer
}

fn say_rejected(name: &str, rejection: &Rejection, detail: Detail, output: Output) {
    if output.json {
        return output.say_json(&rejected_json(name, rejection));
    }
    let (place, line) = (rejection.place, rejection.line_text());
    let explained = rejection.explain();
    if detail != Detail::All {
        output.say(format!("{name}: {BAD}rejected{BAD:#}: {explained}"));
        if detail == Detail::Line {
            output.say(layout::labelled_row("line", &line));
        }
        return;
    }
    output.say(format!("node        {}, {name}:{}:{}", rejection.node, place.line, place.column));
    output.say(layout::labelled("line", &line));
    output.say(format!("{BAD}rejected:{BAD:#} {explained}"));
}

fn claim_json(claim: &Claim) -> Value {
    let names = |squares: &[sixproof_check::Square]| -> Vec<String> {
        squares.iter().map(|&s| claim.game.square_name(s)).collect()
    };
    let game = claim.game;
    let named = Game::new(game.cols, game.rows, game.k, game.p, game.q, game.exact);
    json!({
        "game": named.map(|g| g.to_string()).unwrap_or_default(),
        "attacker": color(claim.attacker).to_string(),
        "black": names(&claim.black),
        "white": names(&claim.white),
        "to_move": color(claim.to_move).to_string(),
        "stones": claim.stones,
    })
}

fn zone_json(claim: &Claim, zone: &RootZone) -> Value {
    let name = |s: sixproof_check::Square| claim.game.square_name(s);
    let segments: Vec<Value> = zone
        .segments
        .iter()
        .map(|s| json!({ "ends": s.ends.map(name), "level": s.level }))
        .collect();
    let squares: Vec<String> = zone.squares.iter().map(|&s| name(s)).collect();
    json!({ "squares": squares, "segments": segments })
}
