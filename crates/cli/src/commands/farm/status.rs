//! `sixproof farm status`: the searches of a farm, and their workers.

use std::time::{Duration, Instant};

use serde_json::json;
use sixproof_farm::{ManagerView, WorkerState, WorkerView};
use sixproof_farm_nats::status::{StatusAnswers, StatusClient};
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::output::{BAD, GOOD, HINT, Output, STRONG, WARN, grouped};
use sixproof_solve::quantity;
use tokio::runtime;

use crate::Exit;
use crate::interrupt::Interrupt;
use crate::options::FarmStatus;

/// The refresh interval of `--watch`.
const WATCH_EVERY: Duration = Duration::from_secs(2);

pub(super) fn run(options: &FarmStatus, output: Output) -> Result<Exit> {
    let connection = options.connection.connection(options.url.as_ref())?;
    let interrupt = Interrupt::watched();
    let runtime = runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .build()
        .map_err(|error| Failure::io("the status", &error))?;
    let mut client = StatusClient::new(connection);
    let clears = options.watch && !output.json && output.has_colors();
    loop {
        let found = runtime.block_on(client.managers());
        let answer = match found {
            Ok(seen) => {
                if clears {
                    // Home, and nothing below.
                    output.say("\x1b[H\x1b[2J");
                }
                say(client.server(), &seen, output)
            }
            Err(failure) if options.watch => {
                output.warn(failure.message());
                Exit::Undecided
            }
            Err(failure) => return Err(failure),
        };
        if !options.watch {
            return Ok(answer);
        }
        let until = Instant::now() + WATCH_EVERY;
        while Instant::now() < until {
            if interrupt.is_asked_for() {
                return Ok(answer);
            }
            // The connection lives on meanwhile.
            runtime.block_on(tokio::time::sleep(Duration::from_millis(100)));
        }
    }
}

fn say(server: &str, seen: &StatusAnswers, output: Output) -> Exit {
    let StatusAnswers { managers, problem, warnings } = seen;
    let has_worker = managers.iter().flat_map(|manager| &manager.workers).any(is_there);
    if output.json {
        output.say_json(&json!({
            "server": server,
            "problem": problem,
            "warnings": serde_json::to_value(warnings).unwrap_or_default(),
            "managers": serde_json::to_value(managers).unwrap_or_default(),
        }));
    } else {
        output.say(format!("server      {server}"));
        if let Some(problem) = problem {
            output.warn(problem);
        }
        for warning in warnings {
            output.warn(&warning.text);
        }
        for manager in managers {
            say_manager(server, manager, output);
        }
        if managers.is_empty() {
            output.say(format!("{WARN}no search{WARN:#} uses this farm at the moment"));
            output.note(format!("{HINT}help:{HINT:#} sixproof prove POSITION --farm {server}"));
        }
    }
    if has_worker { Exit::Yes } else { Exit::No }
}

fn is_there(worker: &WorkerView) -> bool {
    matches!(worker.state, WorkerState::Working | WorkerState::Idle)
}

fn time(seconds: f64) -> String {
    quantity::time_text(Duration::from_secs_f64(seconds.max(0.0).round()))
}

fn say_manager(server: &str, manager: &ManagerView, output: Output) {
    let ManagerView { id, title, queued, running, judging, done, given_up, .. } = manager;
    let title = if title.is_empty() { "a search" } else { title };
    output.say(format!(
        "\n{STRONG}{title}{STRONG:#}, for {} {HINT}({id}){HINT:#}",
        time(manager.for_seconds)
    ));
    let given_up = match given_up {
        0 => String::new(),
        count => format!(", {BAD}{} given up{BAD:#}", grouped(*count)),
    };
    output.say(format!(
        "jobs        {} queued, {} running, {} being checked, {} done{given_up}",
        grouped(*queued),
        grouped(*running),
        grouped(*judging),
        grouped(*done)
    ));
    if manager.uncertified > 0 {
        output.say(format!(
            "answers     {} without a certificate, {} of them done again",
            grouped(manager.uncertified),
            grouped(manager.done_again)
        ));
    }
    if queued + running + judging > 0 {
        output.say(format!("oldest      {}", time(manager.oldest_seconds)));
    }
    output.say(format!(
        "speed       {:.1} jobs/s, {} nodes/s",
        manager.jobs_per_second,
        grouped(manager.nodes_per_second as u64)
    ));
    if manager.workers.is_empty() {
        output.say(format!("workers     {WARN}none{WARN:#}"));
        output.note(format!("{HINT}help:{HINT:#} sixproof worker {server}"));
        return;
    }
    output.say(format!(
        "{STRONG}{:<24} {:>5}  {:<8} {:>7} {:>9} {:>12} {:>6}{STRONG:#}",
        "worker", "cores", "state", "running", "done", "nodes/s", "seen"
    ));
    for worker in &manager.workers {
        let style = match worker.state {
            WorkerState::Working => GOOD,
            WorkerState::Idle => HINT,
            WorkerState::Lost => WARN,
            WorkerState::Dropped => BAD,
        };
        let state = format!("{style}{:<8}{style:#}", worker.state.word());
        let name: String = worker.name.chars().filter(|c| !c.is_control()).take(24).collect();
        let why = worker.why.as_ref().map(|why| format!(" {why}")).unwrap_or_default();
        output.say(format!(
            "{name:<24} {:>5}  {state} {:>7} {:>9} {:>12} {:>6}{why}",
            worker.cores,
            worker.running,
            grouped(worker.done),
            grouped(worker.nodes_per_second as u64),
            time(worker.seen_seconds)
        ));
    }
}
