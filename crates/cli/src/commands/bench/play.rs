//! `sixproof bench play`: what the moves of the player take, and its signature.
//!
//! The player chooses a move in a fixed set of positions, with a budget of nodes, one thread, no
//! book and no clock. Moves and counts go into a hash, which changes only when the player decides
//! differently. The speed is printed, but is not part of the answer.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::json;
use sixproof_certificate::{Claim, certify};
use sixproof_game::repeatable::{FNV_START, fnv};
use sixproof_player::{Counts, Engine, Limits, Settings, ThinkWatch, Thought};
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::output::{HINT, Output, STRONG, grouped};

use super::suite::{self, PlayPosition};
use crate::Exit;
use crate::options;

/// Remembers the counts when the greatest depth was first completed; has no clock.
#[derive(Default)]
struct Deepest(Mutex<Counts>);

impl ThinkWatch for Deepest {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    fn is_stopped(&self) -> bool {
        false
    }

    fn report(&self, thought: &Thought) {
        if let Ok(mut deepest) = self.0.lock()
            && thought.counts.depth > deepest.depth
        {
            *deepest = thought.counts;
        }
    }
}

/// What one move took.
struct Measured {
    name: &'static str,
    squares: String,
    counts: Counts,
    /// The effective branching factor, where a depth was completed.
    branching: Option<f64>,
}

impl Measured {
    /// All that the signature depends on.
    fn line(&self) -> String {
        let Counts { nodes, threat_nodes, half_moves, depth, probes, hits } = self.counts;
        let (name, squares) = (self.name, &self.squares);
        format!("{name} {squares} {nodes} {threat_nodes} {half_moves} {depth} {probes} {hits}")
    }
}

pub(crate) fn run(options: &options::BenchPlay, output: Output) -> Result<Exit> {
    let questions = suite::questions();
    if !output.json {
        output.say(format!(
            "{STRONG}{:<16}{:>9}{:>14}{:>12}{:>7}{:>11}{:>7}  move{STRONG:#}",
            "position", "nodes", "threat nodes", "half-moves", "depth", "branching", "hits"
        ));
    }
    let mut all = Vec::new();
    let mut time = Duration::ZERO;
    for question in &questions {
        let start = Instant::now();
        let measured = measure(question, options.nodes)?;
        time += start.elapsed();
        say(&measured, output);
        all.push(measured);
    }
    let sums = sums(&all);
    let hash = all
        .iter()
        .fold(FNV_START, |hash, measured| fnv(hash, format!("{}\n", measured.line()).as_bytes()));
    let Counts { nodes, threat_nodes, half_moves, .. } = sums.counts;
    let per_second = |count: u64| (count as f64 / time.as_secs_f64().max(1e-9)) as u64;
    if output.json {
        let mut line = as_json(&sums);
        line["event"] = "sums".into();
        line["positions"] = all.len().into();
        line["hash"] = format!("{hash:016x}").into();
        line["seconds"] = time.as_secs_f64().into();
        output.say_json(&line);
    } else {
        output.say(row(&sums));
        output.say(format!("hash            {hash:016x}"));
        output.note(format!(
            "{HINT}{} half-moves/s, {} nodes/s{HINT:#}",
            grouped(per_second(half_moves)),
            grouped(per_second(nodes + threat_nodes)),
        ));
    }
    Ok(Exit::Yes)
}

fn measure(question: &PlayPosition, nodes: u64) -> Result<Measured> {
    let position = &question.position;
    let mut engine = Engine::new(Settings { book: false, ..Settings::default() });
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let deepest = Deepest::default();
    let thought = engine.think(position, &limits, &deepest);
    if let Some(proof) = &thought.proof {
        certify(&Claim::new(position, position.to_move()), &proof.certificate).map_err(|why| {
            Failure::new(format!("{}: the checker rejected a certificate: {why}", question.name))
                .help("this is a bug of the player: please report it")
        })?;
    }
    let deepest = deepest.0.into_inner().unwrap_or_default();
    let branching = (deepest.depth > 0)
        .then(|| (deepest.nodes.max(1) as f64).powf(1.0 / f64::from(deepest.depth)));
    Ok(Measured {
        name: question.name,
        squares: position.game().square_names(&thought.squares),
        counts: thought.counts,
        branching,
    })
}

/// The sums; of depths and branching factors, the mean and the geometric mean of positions in
/// which a depth was completed.
fn sums(all: &[Measured]) -> Measured {
    let mut counts = Counts::default();
    for Measured { counts: more, .. } in all {
        counts.nodes += more.nodes;
        counts.threat_nodes += more.threat_nodes;
        counts.half_moves += more.half_moves;
        counts.probes += more.probes;
        counts.hits += more.hits;
    }
    let searched: Vec<&Measured> = all.iter().filter(|one| one.branching.is_some()).collect();
    let depths: u32 = searched.iter().map(|one| one.counts.depth).sum();
    counts.depth = depths.checked_div(searched.len() as u32).unwrap_or(0);
    let logs: f64 = searched.iter().filter_map(|one| one.branching).map(f64::ln).sum();
    let branching = (!searched.is_empty()).then(|| (logs / searched.len() as f64).exp());
    Measured { name: "all", squares: String::new(), counts, branching }
}

/// Positions found in the table, in percent of those looked up.
fn hit_rate(counts: &Counts) -> Option<f64> {
    (counts.probes > 0).then(|| 100.0 * counts.hits as f64 / counts.probes as f64)
}

fn as_json(measured: &Measured) -> serde_json::Value {
    let counts = measured.counts;
    json!({
        "nodes": counts.nodes,
        "threat_nodes": counts.threat_nodes,
        "half_moves": counts.half_moves,
        "depth": counts.depth,
        "branching": measured.branching,
        "probes": counts.probes,
        "hits": counts.hits,
    })
}

fn say(measured: &Measured, output: Output) {
    if output.json {
        let mut line = as_json(measured);
        line["event"] = "move".into();
        line["position"] = measured.name.into();
        line["move"] = measured.squares.as_str().into();
        output.say_json(&line);
        return;
    }
    output.say(row(measured));
}

/// A line of the table.
fn row(measured: &Measured) -> String {
    let Measured { name, squares, counts, branching } = measured;
    let none = || "-".to_string();
    let line = format!(
        "{name:<16}{:>9}{:>14}{:>12}{:>7}{:>11}{:>7}  {squares}",
        grouped(counts.nodes),
        grouped(counts.threat_nodes),
        grouped(counts.half_moves),
        counts.depth,
        branching.map_or_else(none, |factor| format!("{factor:.1}")),
        hit_rate(counts).map_or_else(none, |rate| format!("{rate:.0} %")),
    );
    line.trim_end().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(nodes: u64, depth: u32, branching: Option<f64>) -> Measured {
        let counts = Counts { nodes, depth, probes: nodes, hits: nodes / 4, ..Counts::default() };
        Measured { name: "one", squares: "J10".to_string(), counts, branching }
    }

    #[test]
    fn sums_leave_out_where_nothing_was_searched() {
        let all = [measured(100, 2, Some(4.0)), measured(300, 4, Some(9.0)), measured(4, 0, None)];
        let sums = sums(&all);
        assert_eq!((sums.counts.nodes, sums.counts.depth), (404, 3));
        assert!((sums.branching.unwrap() - 6.0).abs() < 1e-9);
        assert!((hit_rate(&sums.counts).unwrap() - 25.0).abs() < 0.1);
        assert_eq!(hit_rate(&Counts::default()), None);
    }

    #[test]
    fn a_move_is_measured_the_same_twice() {
        let questions = suite::questions();
        let lines = || measure(&questions[0], 500).unwrap().line();
        assert_eq!(lines(), lines());
    }
}
