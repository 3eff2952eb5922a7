//! `sixproof bench scale`: what many workers bring, by simulation.

use std::path::Path;

use serde_json::json;
use sixproof_experiments::scale::{self, ScalePoint, Settings, name};
use sixproof_prover::driver::Policy;

use crate::Exit;
use crate::drawing;
use crate::options;
use sixproof_solve::failure::Result;
use sixproof_solve::files;
use sixproof_solve::output::{HINT, Output, STRONG, grouped};

pub(crate) fn run(options: &options::BenchScale, output: Output) -> Result<Exit> {
    if let Some(path) = &options.measure {
        return measured(path, output);
    }
    if options.memory {
        return memory(output);
    }
    if !output.json {
        output.say(heading());
    }
    let settings = Settings {
        games: options.seeds as usize,
        policies: options.policy.map_or(Policy::ALL.to_vec(), |name| vec![name.policy()]),
        workers: options.workers.iter().map(|&workers| workers as usize).collect(),
        latency_ms: options.latency,
    };
    let points = scale::points(&settings, &mut |point| say(point, output))?;
    if let Some(path) = &options.svg {
        let svg = scale::svg(&points, options.latency, settings.games);
        drawing::write(path, &svg)?;
        output.written(path, svg.len());
    }
    Ok(Exit::Yes)
}

fn heading() -> String {
    format!(
        "{STRONG}{:<12}{:>8}{:>12}{:>10}{:>8}{:>12}{:>10}{:>11}{:>10}{:>12}{STRONG:#}",
        "policy",
        "workers",
        "makespan",
        "speed-up",
        "idle",
        "jobs",
        "overhead",
        "cancelled",
        "jobs/s",
        "possible"
    )
}

fn say(point: &ScalePoint, output: Output) {
    let ScalePoint { policy, workers, speedup, idle, overhead, sums } = point;
    if output.json {
        output.say_json(&json!({
            "policy": name(*policy),
            "workers": workers,
            "makespan_seconds": sums.makespan_us as f64 / 1e6,
            "speedup": speedup,
            "idle": idle,
            "jobs": sums.jobs,
            "overhead": overhead,
            "cancelled": sums.cancelled,
            "jobs_per_second": point.wanted(),
            "jobs_per_second_possible": point.possible(),
            "tree_nodes": sums.tree_nodes,
        }));
        return;
    }
    output.say(format!(
        "{:<12}{workers:>8}{:>10.2} s{speedup:>10.2}{:>6.1} %{:>12}{overhead:>10.2}{:>11}{:>10}{:>12}",
        name(*policy),
        sums.makespan_us as f64 / 1e6,
        100.0 * idle,
        grouped(sums.jobs),
        grouped(sums.cancelled),
        grouped(point.wanted()),
        grouped(point.possible()),
    ));
}

/// Does real jobs, and writes down what they took.
fn measured(path: &Path, output: Output) -> Result<Exit> {
    files::ensure_writable(path)?;
    let text = scale::measured(&mut |line| output.note(line))?;
    files::write(path, text.as_bytes())?;
    output.written(path, text.len());
    Ok(Exit::Yes)
}

/// Reports what a large tree takes.
fn memory(output: Output) -> Result<Exit> {
    let scale::TreeMemory { nodes, bytes, bytes_estimated } = scale::memory()?;
    let each = |bytes: u64| grouped(bytes / nodes.max(1));
    if output.json {
        output.say_json(&json!({
            "tree_nodes": nodes,
            "bytes": bytes,
            "bytes_estimated": bytes_estimated,
        }));
    } else {
        output.say(format!("nodes        {}", grouped(nodes)));
        output.say(format!("memory       {} bytes a node", each(bytes)));
        output.say(format!("estimate     {} bytes a node", each(bytes_estimated)));
        output.note(format!("{HINT}{} bytes in all{HINT:#}", grouped(bytes)));
    }
    Ok(Exit::Yes)
}
