//! `sixproof worker`: does jobs of searches on other machines.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sixproof_farm::WorkerId;
use sixproof_farm::worker::{Notice, Settings};
use sixproof_farm_nats::worker::{self, Control, Counts, Setup, WorkerEvent};
use sixproof_farm_nats::{jobs, search, unit};
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::output::{BAD, GOOD, HINT, Output, STRONG, WARN, grouped};
use sixproof_solve::{defaults, store};

use super::bench;
use crate::Exit;
use crate::interrupt::Interrupt;
use crate::live::Live;
use crate::options;

/// The time between two lines, or two events, where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(60);
/// The most parallel jobs of a worker, as messages count them.
const CORES_MAX: usize = sixproof_farm::wire::RUNNING_MAX;

pub(crate) fn run(options: &options::Worker, output: Output) -> Result<Exit> {
    let connection = options.connection.connection(options.url.as_ref())?;
    if options.systemd {
        let program = std::env::current_exe().map_err(|e| Failure::io("the program", &e))?;
        let access = options.connection.access();
        let name = options.name.as_deref();
        output.say(unit::unit(&program, &connection, &access, options.cores, name)?);
        return Ok(Exit::Yes);
    }
    let interrupt = Interrupt::watched();
    let cores = defaults::threads(options.cores).min(CORES_MAX);
    let name = options.name.clone().unwrap_or_else(machine_name);
    let mut drawn = [0; 16];
    getrandom::fill(&mut drawn)
        .map_err(|error| Failure::new(format!("there is no randomness: {error}")))?;
    let signature = bench::signature();
    let settings = Settings::new(
        WorkerId(drawn),
        &jobs::shortened(&name),
        &store::version(),
        &signature,
        u16::try_from(cores).unwrap_or(u16::MAX),
    );
    let mut report = WorkerReport::new(options.quiet, output);
    report.start(&name, cores, &signature, connection.shown());
    let setup = Setup { connection, settings, handlers: search::handlers() };
    let control = || if interrupt.is_asked_for() { Control::Leave } else { Control::Run };
    worker::run(setup, &control, &mut |event| report.event_of(event))?;
    report.end();
    Ok(Exit::Yes)
}

/// The name of this machine.
fn machine_name() -> String {
    let file = std::fs::read_to_string("/etc/hostname").ok();
    let name = file.or_else(|| std::env::var("HOSTNAME").ok());
    let name = name.or_else(|| std::env::var("COMPUTERNAME").ok());
    let name = name.map(|name| name.trim().to_string()).filter(|name| !name.is_empty());
    name.unwrap_or_else(|| "worker".to_string())
}

/// Reports what the worker does: lines that are drawn over on a terminal, else lines, or events.
struct WorkerReport {
    output: Output,
    quiet: bool,
    live: Option<Live>,
    start: Instant,
    due: Instant,
    counts: Counts,
    is_waiting: bool,
}

impl WorkerReport {
    fn new(quiet: bool, output: Output) -> WorkerReport {
        let live = if quiet || output.json { None } else { Live::on_terminal() };
        let now = Instant::now();
        let due = now + LINE_EVERY;
        let counts = Counts::default();
        WorkerReport { output, quiet, live, start: now, due, counts, is_waiting: false }
    }

    fn event(&self, event: &str, mut value: Value) {
        value["event"] = event.into();
        self.output.say_json(&value);
    }

    fn line(&mut self, text: &str) {
        if let Some(live) = &mut self.live {
            live.wipe();
        }
        if !self.quiet {
            self.output.note(text);
        }
    }

    fn start(&mut self, name: &str, cores: usize, signature: &str, server: &str) {
        if self.output.json {
            let version = store::version();
            self.event(
                "start",
                json!({ "name": name, "cores": cores, "signature": signature, "server": server,
                        "version": version }),
            );
        } else {
            self.line(&format!(
                "{STRONG}{name}{STRONG:#} works for {server} with {cores} {}; \
                 {HINT}Ctrl-C{HINT:#} returns its jobs",
                if cores == 1 { "core" } else { "cores" }
            ));
        }
    }

    fn event_of(&mut self, event: WorkerEvent) {
        match event {
            WorkerEvent::Waiting(failure) => {
                if !self.is_waiting && self.output.json {
                    self.event("waiting", failure.to_json());
                } else if !self.is_waiting {
                    let help = failure.advice().unwrap_or_default().to_string();
                    let why = failure.message().to_string();
                    self.line(&format!("{WARN}waiting:{WARN:#} {why} ({help})"));
                }
                self.is_waiting = true;
            }
            WorkerEvent::Connected => {
                self.is_waiting = false;
                if self.output.json {
                    self.event("connected", json!({}));
                } else {
                    self.line("connected");
                }
            }
            WorkerEvent::Open if self.output.json => self.event("open-server", json!({})),
            WorkerEvent::Open => {
                self.line(&format!(
                    "{WARN}the server lets a worker do everything{WARN:#}, and every other client, too; \
                      docs/protocol.md says which permissions are enough"
                ));
            }
            WorkerEvent::Disconnected if self.output.json => self.event("disconnected", json!({})),
            WorkerEvent::Disconnected => {
                self.line(&format!(
                    "{WARN}the connection is lost{WARN:#}: it comes back by itself"
                ));
            }
            WorkerEvent::Notice(notice) => self.notice(&notice),
            WorkerEvent::Counts(counts) => self.count(counts),
        }
    }

    fn notice(&mut self, notice: &Notice) {
        let (event, value, text) = match notice {
            Notice::Welcomed { manager } => {
                let text = format!("{GOOD}welcomed{GOOD:#} by the search {manager}");
                ("welcomed", json!({ "manager": manager.to_string() }), text)
            }
            Notice::Refused { manager, why } => {
                let value = json!({ "manager": manager.to_string(), "why": why });
                let text = format!("{BAD}refused{BAD:#} by the search {manager}: {why}");
                ("refused", value, text)
            }
            Notice::Dismissed { manager, why } => {
                let value = json!({ "manager": manager.to_string(), "why": why });
                let text = format!("{BAD}dropped{BAD:#} by the search {manager}: {why}");
                ("dropped", value, text)
            }
            Notice::Silent { manager } => {
                let text = format!("the search {manager} does not answer");
                ("silent", json!({ "manager": manager.to_string() }), text)
            }
            Notice::OtherVersion { theirs, ours } => {
                let text = format!(
                    "{WARN}a search speaks version {theirs} of the protocol{WARN:#}, this \
                     program version {ours}: use the same version of sixproof on all machines"
                );
                ("other-version", json!({ "theirs": theirs, "ours": ours }), text)
            }
            Notice::Cancelled { job } => {
                let text = format!("the job {job} is cancelled");
                ("cancelled", json!({ "job": job.to_string() }), text)
            }
        };
        match notice {
            _ if self.output.json => self.event(event, value),
            // A line for every job would be too many.
            Notice::Cancelled { .. } => {}
            // --quiet prints errors, and nothing else.
            Notice::Refused { .. } | Notice::Dismissed { .. } | Notice::OtherVersion { .. }
                if self.quiet =>
            {
                self.output.note(text);
            }
            _ => self.line(&text),
        }
    }

    fn count(&mut self, counts: Counts) {
        self.counts = counts;
        let now = Instant::now();
        if let Some(live) = &mut self.live {
            if live.is_due(now) {
                let text = summary(&counts, self.start.elapsed());
                live.draw(&[("worker", text)]);
            }
        } else if self.due <= now && !self.quiet {
            self.due = now + LINE_EVERY;
            self.say_counts();
        }
    }

    fn say_counts(&mut self) {
        let Counts { connected, running, done, nodes, managers } = self.counts;
        if self.output.json {
            self.event(
                "progress",
                json!({ "connected": connected, "running": running, "done": done, "nodes": nodes,
                        "searches": managers, "seconds": self.start.elapsed().as_secs_f64() }),
            );
        } else {
            let text = summary(&self.counts, self.start.elapsed());
            self.line(&text);
        }
    }

    fn end(&mut self) {
        if let Some(live) = &mut self.live {
            live.leave();
        }
        if self.output.json {
            let Counts { done, nodes, .. } = self.counts;
            self.event("left", json!({ "done": done, "nodes": nodes }));
        } else {
            let done = grouped(self.counts.done);
            self.line(&format!("left; {done} jobs were done; unfinished jobs were returned"));
        }
    }
}

/// The counts in a line.
fn summary(counts: &Counts, time: Duration) -> String {
    let Counts { connected, running, done, nodes, managers } = *counts;
    let rate = (nodes as f64 / time.as_secs_f64().max(1.0)) as u64;
    let state = match () {
        () if !connected => "waiting for the server",
        () if managers == 0 => "waiting for a search",
        () if running == 0 => "waiting for a job",
        () => "working",
    };
    let (done, nodes, rate) = (grouped(done), grouped(nodes), grouped(rate));
    format!("{state}; {running} running, {done} done, {nodes} nodes, {rate} nodes/s")
}
