//! `sixproof bench zones`: the table of the verifiers (Lin, chapter 4).
//!
//! The same search with other rules for the moves that need an answer of their own: how many nodes,
//! replies and certificate nodes does a proof cost? Only proofs that the checker accepts count.

use std::ops::ControlFlow;

use serde_json::json;
use sixproof_certificate::Claim;
use sixproof_prover::prove::{Counts, Options, ZoneRule};
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::output::{BAD, GOOD, Output, STRONG, grouped};

use super::suite::{self, BenchPosition, Expected};
use super::{BenchVerdict, Searched, search};
use crate::Exit;
use crate::counter::Counter;
use crate::options;

/// The factor of the budget of a slow position.
const SLOW_FACTOR: u64 = 5;
/// The verifier that the others are compared with, and the one that people get.
const BASE: &str = "vc6";
const USUAL: &str = "+ best first";

/// A way to prove Defender nodes; the last one chooses Attacker's moves in another way, too.
struct Verifier {
    name: &'static str,
    rule: ZoneRule,
    mutual: bool,
    grouped: bool,
    best_first: bool,
}

/// All verifiers, from the oldest to the one in use.
fn verifiers() -> Vec<Verifier> {
    let plain =
        |(name, rule)| Verifier { name, rule, mutual: false, grouped: false, best_first: false };
    let mut all: Vec<Verifier> = ZoneRule::ALL.into_iter().map(plain).collect();
    let steps = [("+ mutual", false, false), ("+ grouped", true, false), (USUAL, true, true)];
    for (name, grouped, best_first) in steps {
        let rule = ZoneRule::Segment;
        all.push(Verifier { name, rule, mutual: true, grouped, best_first });
    }
    all
}

/// What one verifier made of one position.
struct Cell {
    verifier: usize,
    case: usize,
    counts: Counts,
    certificate_nodes: u64,
    seconds: f64,
    solved: bool,
}

pub(crate) fn run(options: &options::BenchZones, output: Output) -> Result<Exit> {
    let cases = chosen(options)?;
    let verifiers = verifiers();
    let mut cells = Vec::new();
    let mut problems = Vec::new();
    let mut counter = Counter::new(output);
    for group in cases.chunk_by(|a, b| a.group == b.group) {
        let first = cases.iter().position(|case| case.name == group[0].name).unwrap_or(0);
        for (number, verifier) in verifiers.iter().enumerate() {
            for (index, case) in (first..).zip(group) {
                counter.show(&format!("{}: {} {}", verifier.name, case.group, case.name));
                let found = search_case(case, verifier, options.nodes);
                if options.list && !output.json {
                    counter.wipe();
                    list(case, verifier, &found, output);
                }
                let problem = problem(case, verifier, &found);
                cells.push(Cell {
                    verifier: number,
                    case: index,
                    counts: found.counts,
                    certificate_nodes: found.verdict.certificate_nodes(),
                    seconds: found.seconds,
                    solved: problem.is_none() && is_solved(case, &found),
                });
                problems.extend(problem);
            }
        }
        counter.wipe();
        let range = first..first + group.len();
        let here: Vec<&Cell> = cells.iter().filter(|cell| range.contains(&cell.case)).collect();
        table(group[0].group, group.len(), &verifiers, &here, output);
    }
    if cases.iter().any(|case| case.group != cases[0].group) {
        // What is not won costs its budget, whatever the verifier.
        let is_win = |case: &BenchPosition| matches!(case.expected, Expected::Win { .. });
        let wins: Vec<&Cell> = cells.iter().filter(|cell| is_win(&cases[cell.case])).collect();
        let count = cases.iter().filter(|case| is_win(case)).count();
        table("all wins", count, &verifiers, &wins, output);
    }
    for problem in &problems {
        output.note(match output.json {
            true => json!({ "differs": problem }).to_string(),
            false => format!("{BAD}differs:{BAD:#} {problem}"),
        });
    }
    if !output.json {
        let positions = grouped(cases.len() as u64);
        output.say(match problems.is_empty() {
            true => format!("{GOOD}as expected:{GOOD:#} {positions} positions"),
            false => format!("{BAD}not as expected{BAD:#}"),
        });
    }
    Ok(if problems.is_empty() { Exit::Yes } else { Exit::No })
}

/// The positions that are asked for.
fn chosen(options: &options::BenchZones) -> Result<Vec<BenchPosition>> {
    if let Some(group) = &options.group
        && !suite::groups().any(|name| name == group)
    {
        let names: Vec<&str> = suite::groups().collect();
        return Err(Failure::new(format!("there is no group `{group}`"))
            .help(format!("the groups are {}", names.join(", "))));
    }
    let wanted = |case: &BenchPosition| {
        (options.all || !case.slow) && options.group.as_ref().is_none_or(|g| g == case.group)
    };
    Ok(suite::cases().into_iter().filter(wanted).collect())
}

fn search_case(case: &BenchPosition, verifier: &Verifier, nodes_max: u64) -> Searched {
    let options = Options {
        nodes_max: nodes_max * if case.slow { SLOW_FACTOR } else { 1 },
        order_max: case.expected.order(),
        zones: verifier.rule,
        mutual: verifier.mutual,
        grouped: verifier.grouped,
        best_first: verifier.best_first,
        ..Options::default()
    };
    search(&Claim::new(&case.position, case.attacker), &options, &mut |_| ControlFlow::Continue(()))
}

fn is_solved(case: &BenchPosition, found: &Searched) -> bool {
    match case.expected {
        Expected::Win { .. } => matches!(found.verdict, BenchVerdict::Proved { .. }),
        Expected::NoWin { .. } => true,
    }
}

/// One line for one search.
fn list(case: &BenchPosition, verifier: &Verifier, found: &Searched, output: Output) {
    output.say(format!(
        "{:<14}{:<24}{:<8} order {}{:>12} nodes  {:.2} s",
        verifier.name,
        case.name,
        found.verdict.word(),
        found.order,
        grouped(found.counts.nodes),
        found.seconds
    ));
}

/// What is not as it should be. Another verifier than the usual one may fail to find a win, or find
/// one of another order.
fn problem(case: &BenchPosition, verifier: &Verifier, found: &Searched) -> Option<String> {
    let usual = verifier.name == USUAL;
    let (expected, order) = match case.expected {
        Expected::Win { order } => ("win of", order),
        Expected::NoWin { order } => ("no win up to", order),
    };
    let what = match (&found.verdict, case.expected) {
        (BenchVerdict::Rejected(why), _) => format!("certificate rejected: {why}"),
        (BenchVerdict::Proved { .. }, Expected::NoWin { .. }) => {
            format!("win of order {}", found.order)
        }
        (BenchVerdict::Proved { .. }, Expected::Win { order }) if usual && found.order != order => {
            format!("win of order {}", found.order)
        }
        (BenchVerdict::NoWin | BenchVerdict::Unknown, Expected::Win { .. }) if usual => {
            format!("{} after {} nodes", found.verdict.word(), grouped(found.counts.nodes))
        }
        _ => return None,
    };
    Some(format!(
        "{}, {}: expected {expected} order {order}, not: {what}",
        case.name, verifier.name
    ))
}

/// The sums of a verifier over some cells.
struct Row {
    solved: usize,
    counts: Counts,
    certificate_nodes: u64,
    seconds: f64,
    /// Nodes of the base over nodes of this verifier, in hundredths, where both solve.
    over_base: Option<u64>,
}

fn row(verifier: usize, base: usize, cells: &[&Cell]) -> Row {
    let mut row = Row {
        solved: 0,
        counts: Counts::default(),
        certificate_nodes: 0,
        seconds: 0.0,
        over_base: None,
    };
    let mut both = [0, 0];
    for cell in cells.iter().filter(|cell| cell.verifier == verifier && cell.solved) {
        row.solved += 1;
        row.counts.nodes += cell.counts.nodes;
        row.counts.semi_nulls += cell.counts.semi_nulls;
        row.counts.pairs += cell.counts.pairs;
        row.counts.macros += cell.counts.macros;
        row.certificate_nodes += cell.certificate_nodes;
        row.seconds += cell.seconds;
        let of_base = |other: &&&Cell| other.verifier == base && other.case == cell.case;
        if let Some(other) = cells.iter().find(of_base).filter(|other| other.solved) {
            both[0] += other.counts.nodes;
            both[1] += cell.counts.nodes;
        }
    }
    row.over_base = (both[0] * 100).checked_div(both[1]);
    row
}

fn table(name: &str, positions: usize, verifiers: &[Verifier], cells: &[&Cell], output: Output) {
    let base = verifiers.iter().position(|verifier| verifier.name == BASE).unwrap_or(0);
    if !output.json {
        let plural = if positions == 1 { "position" } else { "positions" };
        output.say(format!("{STRONG}{name}, {} {plural}{STRONG:#}", grouped(positions as u64)));
        output.say(format!(
            "{:<12}{:>7}{:>12}{:>12}{:>9}{:>8}{:>13}{:>10}  time",
            "verifier",
            "solved",
            "nodes",
            "semi-nulls",
            "pairs",
            "macros",
            "certificate",
            "over vc6"
        ));
    }
    for (number, verifier) in verifiers.iter().enumerate() {
        let Row { solved, counts, certificate_nodes, seconds, over_base } =
            row(number, base, cells);
        if output.json {
            output.say_json(&json!({
                "group": name,
                "verifier": verifier.name,
                "rule": rule_name(verifier.rule),
                "mutual": verifier.mutual,
                "grouped": verifier.grouped,
                "best_first": verifier.best_first,
                "positions": positions,
                "solved": solved,
                "nodes": counts.nodes,
                "semi_nulls": counts.semi_nulls,
                "pairs": counts.pairs,
                "macros": counts.macros,
                "certificate_nodes": certificate_nodes,
                "over_vc6_percent": over_base,
                "seconds": seconds,
            }));
            continue;
        }
        let over = over_base.map_or("-".to_string(), |n| format!("{}.{:02}", n / 100, n % 100));
        output.say(format!(
            "{:<12}{solved:>7}{:>12}{:>12}{:>9}{:>8}{:>13}{over:>10}  {seconds:.2} s",
            verifier.name,
            grouped(counts.nodes),
            grouped(counts.semi_nulls),
            grouped(counts.pairs),
            grouped(counts.macros),
            grouped(certificate_nodes),
        ));
    }
    if !output.json {
        output.say("");
    }
}

fn rule_name(rule: ZoneRule) -> &'static str {
    ZoneRule::ALL.into_iter().find(|(_, other)| *other == rule).map_or("", |(name, _)| name)
}
