//! `sixproof survey connect623`: a class of positions searched one by one, with the proofs kept.
//!
//! A stop loses nothing but the search at hand. An earlier win counts when the checker accepts its
//! certificate again.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;
use sixproof_certificate::{Claim, certify};
use sixproof_game::{Color, Game};
use sixproof_prover::prove::Options;
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files;
use sixproof_solve::limits::Limits;
use sixproof_solve::output::{BAD, GOOD, HINT, Output, STRONG, grouped};
use sixproof_solve::question::{Question, Unanswered, Verdict};
use sixproof_solve::store::Memory;

use crate::Exit;
use crate::interrupt::Interrupt;
use crate::options::{self, SurveyBoard};
use crate::refused;
use crate::search;
use crate::watcher::Watcher;
use sixproof_experiments::shapes::{self, BOX, Shape, ShapeResult, ShapeResults, ShapeVerdict};

/// The side that is to win.
const ATTACKER: Color = Color::Black;

pub(super) fn run(options: &options::Connect623, output: Output) -> Result<Exit> {
    let (board, size) = match options.board {
        SurveyBoard::Nineteen => ("19", 19),
        SurveyBoard::Unbounded => ("unbounded", 0),
    };
    let game = Game::new(size, size, 6, 2, 3, false).map_err(|e| Failure::new(e.to_string()))?;
    let shapes = chosen(options)?;
    fs::create_dir_all(&options.dir).map_err(|e| Failure::io(options.dir.display(), &e))?;
    let mut results = ShapeResults::open(&options.dir)?;
    if !output.json {
        output.say(format!(
            "{STRONG}{:<10}{:<9}{:>5}{:>13}{:>13}  certificate{STRONG:#}",
            "shape", "verdict", "order", "nodes", "proof nodes"
        ));
    }
    let interrupt = Interrupt::watched();
    let search = Search {
        options,
        prover: Options {
            nodes_max: options.nodes,
            order_max: options.order,
            hints: search::hints(&options.resources, false, (game, ATTACKER))?,
            ..Options::default()
        },
        memory: Memory::open(&options.resources.store.choice(), output)?,
        interrupt: interrupt.clone(),
        output,
    };
    let mut sums = Sums::default();
    for shape in &shapes {
        let position = shape.position(game).map_err(|e| Failure::new(e.to_string()))?;
        let claim = Claim { position, attacker: ATTACKER };
        let file = certificate_file(&options.dir, *shape, options.board);
        let kept = results
            .get(*shape, board)
            .filter(|result| stands(result, options, &claim, &file, output));
        let result = match kept.cloned() {
            Some(result) => {
                sums.kept += 1;
                result
            }
            None => match search.decide(*shape, &claim, &file)? {
                // What was not searched to its end says nothing.
                Some(result) if interrupt.is_asked_for() && result.verdict != ShapeVerdict::Win => {
                    break;
                }
                Some(result) => {
                    results.keep(*shape, board, result.clone())?;
                    result
                }
                None => {
                    sums.rejected += 1;
                    continue;
                }
            },
        };
        match result.verdict {
            ShapeVerdict::Win => sums.won.push(*shape),
            ShapeVerdict::NoWin => {}
            ShapeVerdict::Unknown => sums.unknown += 1,
        }
        sums.nodes += result.nodes;
        say_result(*shape, &result, &file, output);
        if interrupt.is_asked_for() {
            break;
        }
    }
    if interrupt.is_asked_for() {
        output.warn("stopped; the same command goes on from here");
        say_sums(&sums, shapes.len(), output);
        return Ok(Exit::Undecided);
    }
    say_sums(&sums, shapes.len(), output);
    Ok(match (sums.unknown, sums.rejected) {
        (0, 0) => Exit::Yes,
        (0, _) => Exit::No,
        _ => Exit::Undecided,
    })
}

/// What a survey adds up to.
#[derive(Default)]
struct Sums {
    won: Vec<Shape>,
    unknown: usize,
    kept: usize,
    rejected: usize,
    nodes: u64,
}

/// The shapes asked for.
fn chosen(options: &options::Connect623) -> Result<Vec<Shape>> {
    let all = shapes::all();
    if options.shapes.is_empty() {
        return Ok(all);
    }
    let find = |name: &String| {
        all.iter().copied().find(|shape| shape.name() == *name).ok_or_else(|| {
            Failure::new(format!("there is no shape `{name}`"))
                .help("a name has column and row of each stone, as in 00-02-11, the least way to write it")
        })
    };
    options.shapes.iter().map(find).collect()
}

fn certificate_file(dir: &Path, shape: Shape, board: SurveyBoard) -> PathBuf {
    let suffix = if board == SurveyBoard::Unbounded { "-unbounded" } else { "" };
    dir.join(format!("{}{suffix}.cert", shape.name()))
}

/// Whether what is remembered answers what is asked now.
fn stands(
    result: &ShapeResult,
    options: &options::Connect623,
    claim: &Claim,
    file: &Path,
    output: Output,
) -> bool {
    if result.verdict != ShapeVerdict::Win {
        let enough = result.verdict == ShapeVerdict::NoWin || options.nodes <= result.budget;
        return enough && options.order <= result.order_max && !options.again;
    }
    let checked = fs::read(file)
        .map_err(|error| error.to_string())
        .and_then(|bytes| certify(claim, &bytes).map_err(|refused| refused.to_string()));
    if let Err(why) = &checked {
        output.warn(format!("{}: {why}; searched again", file.display()));
    }
    checked.is_ok()
}

/// What every shape of a survey is searched with.
struct Search<'a> {
    options: &'a options::Connect623,
    prover: Options,
    memory: Memory,
    interrupt: Interrupt,
    output: Output,
}

impl Search<'_> {
    /// Searches a shape; `None` if the checker refused the proof.
    fn decide(&self, shape: Shape, claim: &Claim, file: &Path) -> Result<Option<ShapeResult>> {
        let Search { options, prover, memory, output, .. } = self;
        let limits = Limits { order: options.order, nodes: options.nodes, time: None };
        let game = claim.position.game();
        let question = Question { resumes: true, ..Question::new(claim, prover, memory) };
        // Programs get one event for each shape, and no progress.
        let shown = Output { json: false };
        let mut watcher = Watcher::new(game, limits, output.json, self.interrupt.clone(), shown)
            .with_heading("shape", shape.name());
        let resources = &options.resources;
        let answer = search::answer(&question, resources, &mut watcher, &mut |_, _| {}, *output)?;
        let answer = match answer {
            Ok(answer) => answer,
            Err(Unanswered::Over(_)) => return Err(Failure::new("the game is over at its start")),
            Err(Unanswered::Refused { why, certificate }) => {
                let refused = refused::failure(&why, &certificate, file);
                let text = format!("{}: {refused}", shape.name());
                output.note(match output.json {
                    true => json!({ "error": text }).to_string(),
                    false => format!("{BAD}rejected:{BAD:#} {text}"),
                });
                return Ok(None);
            }
        };
        let (verdict, certificate_nodes) = match &answer.verdict {
            Verdict::Proved(proof) => {
                files::write(file, &proof.certificate)?;
                (ShapeVerdict::Win, proof.certified.counts().nodes)
            }
            Verdict::NoWin(_) => (ShapeVerdict::NoWin, 0),
            Verdict::Unknown(_) => (ShapeVerdict::Unknown, 0),
        };
        Ok(Some(ShapeResult {
            verdict,
            order: answer.order.unwrap_or_default(),
            order_max: options.order,
            nodes: answer.nodes,
            budget: options.nodes,
            certificate_nodes,
        }))
    }
}

fn say_result(shape: Shape, result: &ShapeResult, file: &Path, output: Output) {
    let path = (result.verdict == ShapeVerdict::Win).then(|| file.display().to_string());
    if output.json {
        output.say_json(&json!({
            "shape": shape.name(),
            "verdict": result.verdict.word(),
            "order": result.order,
            "nodes": result.nodes,
            "certificate_nodes": result.certificate_nodes,
            "certificate": path,
        }));
        return;
    }
    let style = if result.verdict == ShapeVerdict::Win { GOOD } else { HINT };
    let proof = if path.is_some() { grouped(result.certificate_nodes) } else { String::new() };
    let row = format!(
        "{:<10}{style}{:<9}{style:#}{:>5}{:>13}{proof:>13}  {}",
        shape.name(),
        result.verdict.word(),
        result.order,
        grouped(result.nodes),
        path.unwrap_or_default(),
    );
    output.say(row.trim_end());
}

fn say_sums(sums: &Sums, shapes: usize, output: Output) {
    let Sums { won, unknown, kept, rejected, nodes } = sums;
    if output.json {
        output.say_json(&json!({
            "shapes": shapes,
            "won": won.len(),
            "unknown": unknown,
            "kept": kept,
            "rejected": rejected,
            "nodes": nodes,
        }));
        return;
    }
    let boards = boards(won);
    if !boards.is_empty() {
        output.say(format!("\n{}", boards.trim_end()));
    }
    let nodes = grouped(*nodes);
    let known = if *kept > 0 { format!(", {kept} of them known before") } else { String::new() };
    output.say(format!(
        "\n{GOOD}{}{GOOD:#} of {shapes} shapes proved and checked, {nodes} nodes{known}",
        won.len()
    ));
}

/// Small boards of the shapes, side by side.
fn boards(shapes: &[Shape]) -> String {
    const IN_A_ROW: usize = 7;
    const WIDTH: usize = 12;
    let mut text = String::new();
    for row in shapes.chunks(IN_A_ROW) {
        for y in (0..BOX).rev() {
            let lines = row.iter().map(|shape| {
                let cells = (0..BOX).map(|x| if shape.has(x, y) { "●" } else { "·" });
                format!("{:<WIDTH$}", cells.collect::<Vec<_>>().join(" "))
            });
            text += lines.collect::<String>().trim_end();
            text.push('\n');
        }
        let names: String = row.iter().map(|s| format!("{:<WIDTH$}", s.name())).collect();
        text += names.trim_end();
        text += "\n\n";
    }
    text
}
