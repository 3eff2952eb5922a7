//! `sixproof survey connect623`: a class of positions searched one by one, with the proofs kept.
//!
//! The state is a file beside the certificates, written anew whenever a shape is decided, so that
//! nothing but the shape at hand is lost when the program is stopped. The state is only a memory of
//! work: that a shape is won is believed after the checker has read its certificate again.

use std::collections::BTreeMap;
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
use sixproof_experiments::shapes::{self, BOX, Shape};

/// The file in which a survey is remembered.
const STATE: &str = "survey.txt";
const STATE_HEAD: &str = "\
# What `sixproof survey connect623` has decided. A win counts only with its certificate.
# shape | board | verdict | order | highest order | nodes | budget | certificate nodes
";
const COLUMNS: usize = 8;
/// The side that is to win.
const ATTACKER: Color = Color::Black;

/// What is remembered of a shape.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    verdict: Decided,
    /// The order of the proof, or the highest order begun.
    order: u32,
    order_max: u32,
    nodes: u64,
    budget: u64,
    certificate_nodes: u64,
}

/// How a shape was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Decided {
    Win,
    NoWin,
    Unknown,
}

impl Decided {
    const ALL: [Decided; 3] = [Decided::Win, Decided::NoWin, Decided::Unknown];

    fn word(self) -> &'static str {
        match self {
            Decided::Win => "win",
            Decided::NoWin => "no win",
            Decided::Unknown => "unknown",
        }
    }
}

/// The entries by shape and board.
type State = BTreeMap<(String, String), Entry>;

pub(super) fn run(options: &options::Connect623, output: Output) -> Result<Exit> {
    let (board, size) = match options.board {
        SurveyBoard::Nineteen => ("19", 19),
        SurveyBoard::Unbounded => ("unbounded", 0),
    };
    let game = Game::new(size, size, 6, 2, 3, false).map_err(|e| Failure::new(e.to_string()))?;
    let shapes = chosen(options)?;
    fs::create_dir_all(&options.dir).map_err(|e| Failure::io(options.dir.display(), &e))?;
    let state_file = options.dir.join(STATE);
    let mut state = read_state(&state_file)?;
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
        let key = (shape.name(), board.to_string());
        let kept = state.get(&key).filter(|entry| stands(entry, options, &claim, &file, output));
        let entry = match kept.cloned() {
            Some(entry) => {
                sums.kept += 1;
                entry
            }
            None => match search.decide(*shape, &claim, &file)? {
                // What was not searched to its end says nothing.
                Some(entry) if interrupt.is_asked_for() && entry.verdict != Decided::Win => break,
                Some(entry) => {
                    state.insert(key, entry.clone());
                    files::write(&state_file, written(&state).as_bytes())?;
                    entry
                }
                None => {
                    sums.rejected += 1;
                    continue;
                }
            },
        };
        match entry.verdict {
            Decided::Win => sums.won.push(*shape),
            Decided::NoWin => {}
            Decided::Unknown => sums.unknown += 1,
        }
        sums.nodes += entry.nodes;
        say_entry(*shape, &entry, &file, output);
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
    entry: &Entry,
    options: &options::Connect623,
    claim: &Claim,
    file: &Path,
    output: Output,
) -> bool {
    if entry.verdict != Decided::Win {
        let enough = entry.verdict == Decided::NoWin || options.nodes <= entry.budget;
        return enough && options.order <= entry.order_max && !options.again;
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
    fn decide(&self, shape: Shape, claim: &Claim, file: &Path) -> Result<Option<Entry>> {
        let Search { options, prover, memory, output, .. } = self;
        let limits = Limits { order: options.order, nodes: options.nodes, time: None };
        let game = claim.position.game();
        let question = Question { claim, attack: None, options: prover, memory, resumes: true };
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
                (Decided::Win, proof.certified.counts().nodes)
            }
            Verdict::NoWin(_) => (Decided::NoWin, 0),
            Verdict::Unknown(_) => (Decided::Unknown, 0),
        };
        Ok(Some(Entry {
            verdict,
            order: answer.order.unwrap_or_default(),
            order_max: options.order,
            nodes: answer.nodes,
            budget: options.nodes,
            certificate_nodes,
        }))
    }
}

fn say_entry(shape: Shape, entry: &Entry, file: &Path, output: Output) {
    let path = (entry.verdict == Decided::Win).then(|| file.display().to_string());
    if output.json {
        output.say_json(&json!({
            "shape": shape.name(),
            "verdict": entry.verdict.word(),
            "order": entry.order,
            "nodes": entry.nodes,
            "certificate_nodes": entry.certificate_nodes,
            "certificate": path,
        }));
        return;
    }
    let style = if entry.verdict == Decided::Win { GOOD } else { HINT };
    let proof = if path.is_some() { grouped(entry.certificate_nodes) } else { String::new() };
    let row = format!(
        "{:<10}{style}{:<9}{style:#}{:>5}{:>13}{proof:>13}  {}",
        shape.name(),
        entry.verdict.word(),
        entry.order,
        grouped(entry.nodes),
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

fn written(state: &State) -> String {
    let mut text = STATE_HEAD.to_string();
    for ((shape, board), entry) in state {
        let Entry { verdict, order, order_max, nodes, budget, certificate_nodes } = entry;
        let verdict = verdict.word();
        text += &format!(
            "{shape} | {board} | {verdict} | {order} | {order_max} | {nodes} | {budget} \
             | {certificate_nodes}\n"
        );
    }
    text
}

fn read_state(file: &Path) -> Result<State> {
    if !file.exists() {
        return Ok(State::new());
    }
    let bytes = files::read(file)?;
    let text = String::from_utf8_lossy(&bytes);
    let mut state = State::new();
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let (key, entry) = read_entry(line).ok_or_else(|| {
            let (name, line_number) = (file.display().to_string(), number as u64 + 1);
            let message = format!("not {COLUMNS} columns of a survey");
            Failure::at(&name, line_number, 1, Some(line.as_bytes()), message)
                .help("mend the line, or remove it: its shape is then searched again")
        })?;
        state.insert(key, entry);
    }
    Ok(state)
}

fn read_entry(line: &str) -> Option<((String, String), Entry)> {
    let columns: Vec<&str> = line.split('|').map(str::trim).collect();
    let columns: [&str; COLUMNS] = columns.try_into().ok()?;
    let [shape, board, verdict, order, order_max, nodes, budget, certificate_nodes] = columns;
    let entry = Entry {
        verdict: Decided::ALL.into_iter().find(|decided| decided.word() == verdict)?,
        order: order.parse().ok()?,
        order_max: order_max.parse().ok()?,
        nodes: nodes.parse().ok()?,
        budget: budget.parse().ok()?,
        certificate_nodes: certificate_nodes.parse().ok()?,
    };
    Some(((shape.to_string(), board.to_string()), entry))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_survives_its_file() {
        let mut state = State::new();
        for (number, verdict) in Decided::ALL.into_iter().enumerate() {
            let entry = Entry {
                verdict,
                order: 3,
                order_max: 4,
                nodes: 17 * number as u64,
                budget: 1000,
                certificate_nodes: 5,
            };
            state.insert((format!("00-01-0{number}"), "19".to_string()), entry);
        }
        let text = written(&state);
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let again: State = lines.map(|line| read_entry(line).unwrap()).collect();
        assert_eq!(again, state);
        assert_eq!(read_entry("00-01-02 | 19 | won | 3 | 3 | 1 | 1 | 1"), None);
        assert_eq!(read_entry("00-01-02 | 19"), None);
    }
}
