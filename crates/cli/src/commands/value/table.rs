//! `sixproof value --table`: the values of many games in one run, beside those that were published.

use std::path::Path;

use serde_json::json;
use sixproof_game::{Color, Game};
use sixproof_prover::value::{Finding, Report, Value};
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::output::{BAD, GOOD, HINT, Output, STRONG, grouped};

use super::{ensure_pairing, exhaust, verified, watcher, word};
use crate::Exit;
use crate::options;
use sixproof_solve::question::Stop;

/// A game of the table, and the value that was published for it, if one was.
type Row = (&'static str, Option<Value>);

const BLACK: Option<Value> = Some(Value::Black);
const DRAW: Option<Value> = Some(Value::Draw);

/// The games that are quick: seconds each. Published values are those of m,n,k-games; for more than
/// one stone a move we know of none.
const ROWS: &[Row] = &[
    ("3,3,3,1,1", DRAW),
    ("4,3,3,1,1", BLACK),
    ("4,4,3,1,1", BLACK),
    ("4,4,4,1,1", DRAW),
    ("5,4,4,1,1", DRAW),
    ("6,4,4,1,1", DRAW),
    ("7,4,4,1,1", DRAW),
    ("5,5,4,1,1", DRAW),
    ("6,5,4,1,1", BLACK),
    ("5,5,5,1,1", DRAW),
    ("6,5,5,1,1", DRAW),
    ("6,6,5,1,1", DRAW),
    ("7,7,5,1,1", DRAW),
    ("4,4,4,2,1", None),
    ("5,4,4,2,1", None),
    ("5,5,4,2,1", None),
    ("6,4,4,2,1", None),
    ("7,4,4,2,1", None),
    ("8,4,4,2,1", None),
    ("6,5,4,2,1", None),
    ("7,5,4,2,1", None),
    ("6,6,4,2,1", None),
    ("7,7,4,2,1", None),
    ("4,4,4,2,2", None),
    ("5,4,4,2,2", None),
    ("6,4,4,2,2", None),
    ("7,4,4,2,2", None),
    ("5,5,4,2,2", None),
    ("6,6,4,2,2", None),
    ("4,4,4,2,3", None),
    ("5,5,4,2,3", None),
    ("5,5,5,2,1", None),
    ("6,5,5,2,1", None),
    ("5,5,5,2,2", None),
    ("6,6,6,2,1", None),
    ("6,6,6,2,2", None),
    ("7,6,6,2,1", None),
    ("4,4,4,3,1", None),
    ("4,4,4,3,2", None),
    ("4,4,4,3,3", None),
    ("5,4,4,3,1", None),
    ("5,4,4,3,2", None),
    ("5,5,4,3,1", None),
    ("5,5,5,3,1", None),
    ("5,5,5,3,2", None),
    ("5,5,5,3,3", None),
];

pub(super) fn run(options: &options::Value, output: Output) -> Result<Exit> {
    if !output.json {
        output.say(format!(
            "{STRONG}{:<12}{:<9}{:<11}{:<22}{:<22}{:>9}{:>13}{STRONG:#}",
            "game", "value", "published", "Black", "White", "nodes", "proof nodes"
        ));
    }
    let [mut decided, mut wrong] = [0; 2];
    for &(text, published) in ROWS {
        let game: Game = text.parse().map_err(|error| Failure::new(format!("{text}: {error}")))?;
        let mut watcher = watcher(game, options, output);
        let report = exhaust(game, options, &mut watcher)?;
        watcher.wipe();
        let proof = proof_nodes(game, &report)?;
        let differs = report.value.is_some() && published.is_some() && report.value != published;
        decided += usize::from(report.value.is_some());
        wrong += usize::from(differs);
        say_row(text, published, &report, proof, watcher.seconds(), output);
        if watcher.stopped() == Some(Stop::Interrupted) {
            break;
        }
    }
    let games = ROWS.len();
    if output.json {
        output.say_json(&json!({ "games": games, "decided": decided, "wrong": wrong }));
    } else if wrong > 0 {
        output.say(format!("{BAD}{wrong}{BAD:#} values differ from the published ones"));
    } else {
        output.say(format!(
            "{GOOD}{decided}{GOOD:#} of {games} values found, all certificates verified; in full: \
             {HINT}sixproof value GAME{HINT:#}"
        ));
    }
    Ok(match wrong {
        0 if decided == games => Exit::Yes,
        0 => Exit::Undecided,
        _ => Exit::No,
    })
}

/// Checks the evidence; the nodes of the certificate, if there is one.
fn proof_nodes(game: Game, report: &Report) -> Result<Option<u64>> {
    let mut nodes = None;
    for (finding, color) in report.findings.iter().zip([Color::Black, Color::White]) {
        match finding {
            Finding::Wins(win) => {
                let path = Path::new("value.cert");
                nodes = Some(verified(game, win, color, path)?.counts().nodes);
            }
            Finding::Pairing(pairing) => ensure_pairing(game, pairing)?,
            _ => {}
        }
    }
    Ok(nodes)
}

fn name(value: Option<Value>) -> &'static str {
    match value {
        Some(Value::Black) => "Black",
        Some(Value::White) => "White",
        Some(Value::Draw) => "draw",
        None => "",
    }
}

fn say_row(
    text: &str,
    published: Option<Value>,
    report: &Report,
    proof: Option<u64>,
    seconds: f64,
    output: Output,
) {
    let [black, white] = report.findings.each_ref().map(word);
    if output.json {
        output.say_json(&json!({
            "game": text,
            "value": report.value.map(|value| name(Some(value)).to_lowercase()),
            "published": published.map(|value| name(Some(value)).to_lowercase()),
            "black": black,
            "white": white,
            "nodes": report.nodes,
            "certificate_nodes": proof,
            "seconds": seconds,
        }));
        return;
    }
    let value = report.value.map_or("unknown", |value| name(Some(value)));
    let row = format!(
        "{text:<12}{value:<9}{:<11}{black:<22}{white:<22}{:>9}{:>13}",
        name(published),
        grouped(report.nodes),
        proof.map(grouped).unwrap_or_default(),
    );
    output.say(row.trim_end());
}
