//! `sixproof check`: runs the trusted checker over files and tells what it found.

use std::io::{self, BufRead as _, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sixproof_check::{Claim, Refusal, Rejection, RootZone, Verified, Watch};
use sixproof_game::Game;
use sixproof_game::picture::{Picture, TerminalStyle};
use sixproof_solve::checked::{check_with, color, layers, position_of};
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files;
use sixproof_solve::output::{BAD, GOOD, HINT, Output, STRONG, grouped};

use super::tree;
use crate::Answer;
use crate::cli;

/// Progress appears after this time, and then changes as often.
const PROGRESS_EVERY: Duration = Duration::from_millis(500);

pub(crate) fn run(options: &cli::Check, output: Output) -> Result<Answer> {
    let demo = [PathBuf::from(files::DEMO)];
    let all = if options.demo { &demo } else { &options.files[..] };
    let one_file = all.len() == 1;
    if !one_file && (options.sgf.is_some() || options.svg.is_some()) {
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
    let mut worst = Answer::Yes;
    for file in all {
        let answer = match check_file(file, options, output) {
            Ok(answer) => answer,
            Err(failure) if one_file => return Err(failure),
            Err(failure) => {
                // The other files are still worth an answer.
                let text =
                    if output.json { failure.to_json().to_string() } else { failure.to_string() };
                output.note(text);
                Answer::Undecided
            }
        };
        worst = worst.max(answer);
    }
    Ok(worst)
}

fn check_file(file: &Path, options: &cli::Check, output: Output) -> Result<Answer> {
    let name = files::name(file);
    let start = Instant::now();
    let mut watch = Progress {
        output,
        name: &name,
        shows_claim: !options.quiet && !output.json,
        start,
        shown: start,
    };
    let outcome = check_with(file, &mut watch);
    watch.end();
    let seconds = start.elapsed().as_secs_f64();
    if let Err(Refusal::Unreadable(unreadable)) = &outcome {
        let message = unreadable.what.to_string();
        return Err(match unreadable.place {
            Some(place) => {
                let line = line_of(file, place.line, place.column);
                Failure::at(&name, place.line, place.column, line.as_deref(), message)
            }
            None => Failure::new(format!("{name}: {message}")),
        });
    }
    if options.tree {
        tree::print(file, options.depth, output)?;
    }
    match outcome {
        Ok(verified) => {
            // A disk that is full must not cost the answer.
            say_verified(&name, &verified, seconds, options.quiet, output);
            if let Some(path) = &options.sgf {
                tree::write_sgf(file, &verified, path)?;
            }
            if let Some(path) = &options.svg {
                files::write(path, zone_picture(&verified)?.svg().as_bytes())?;
            }
            if !output.json {
                for path in [&options.sgf, &options.svg].into_iter().flatten() {
                    output.note(format!("{HINT}written:{HINT:#} {}", path.display()));
                }
            }
            Ok(Answer::Yes)
        }
        Err(Refusal::Rejected(rejection)) => {
            say_rejected(&name, &rejection, options.quiet, output);
            Ok(Answer::No)
        }
        Err(Refusal::Unreadable(_)) => unreachable!("answered above"),
    }
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

fn zone_picture(verified: &Verified) -> Result<Picture> {
    let position = position_of(&verified.claim)?;
    let winner = verified.claim.attacker.title();
    Ok(Picture::new(&position)
        .zone(layers(&verified.zone))
        .caption(format!("{winner} wins, {} nodes verified", grouped(verified.counts.nodes))))
}

/// Prints the claim as soon as it is known, and how far the check is.
struct Progress<'a> {
    output: Output,
    name: &'a str,
    shows_claim: bool,
    start: Instant,
    shown: Instant,
}

impl Watch for Progress<'_> {
    fn claim(&mut self, claim: &Claim) {
        if !self.shows_claim {
            return;
        }
        self.output.say(format!("{STRONG}{}{STRONG:#}", self.name));
        match position_of(claim) {
            Ok(position) => {
                let style = TerminalStyle { color: self.output.has_colors(), ..Default::default() };
                self.output.say(Picture::new(&position).terminal(style).trim_end());
                self.output.say(format!("Claim: {} wins.", claim.attacker.title()));
            }
            // The checker decides what can be claimed; its own drawing always works.
            Err(_) => self.output.say(claim.to_string()),
        }
    }

    fn progress(&mut self, nodes: u64) -> bool {
        if self.output.shows_progress() && self.shown.elapsed() >= PROGRESS_EVERY {
            self.shown = Instant::now();
            let rate = nodes as f64 / self.start.elapsed().as_secs_f64();
            eprint!("\r{} nodes, {} nodes/s ", grouped(nodes), grouped(rate as u64));
            let _flushed = io::stderr().flush();
        }
        true
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

fn say_verified(name: &str, verified: &Verified, seconds: f64, quiet: bool, output: Output) {
    let Verified { claim, counts, zone } = verified;
    let winner = claim.attacker.title();
    if output.json {
        output.say_json(&json!({
            "file": name,
            "verdict": "verified",
            "claim": claim_json(claim),
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
        }));
        return;
    }
    if quiet {
        let nodes = grouped(counts.nodes);
        let plural = if counts.nodes == 1 { "node" } else { "nodes" };
        output.say(format!("{name}: {GOOD}verified{GOOD:#}, {winner} wins ({nodes} {plural})"));
        return;
    }
    output.say(format!("{counts}\n{zone}\ntime        {seconds:.3} s"));
    output.say(format!("{GOOD}verified:{GOOD:#} {winner} wins"));
}

fn say_rejected(name: &str, rejection: &Rejection, quiet: bool, output: Output) {
    let place = rejection.place;
    if output.json {
        let names = |squares: &[sixproof_check::Square]| -> Vec<String> {
            squares.iter().map(|&s| rejection.claim.game.square_name(s)).collect()
        };
        let line: Vec<Value> = rejection
            .line
            .iter()
            .map(|turn| json!({ "side": color(turn.color).to_string(), "squares": names(&turn.squares) }))
            .collect();
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
        output.say_json(&answer);
        return;
    }
    let explained = rejection.explain();
    if !quiet {
        let line = rejection.line_text();
        output
            .say(format!("node        {}, {name}:{}:{}", rejection.node, place.line, place.column));
        output.say(format!("line        {line}"));
        output.say(format!("{BAD}rejected:{BAD:#} {explained}"));
    } else {
        output.say(format!("{name}: {BAD}rejected{BAD:#}: {explained}"));
    }
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
