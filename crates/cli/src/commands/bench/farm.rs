//! `sixproof bench farm`: empty jobs through a real NATS server, to see what the farm itself costs.
//!
//! One manager and some workers, each with a connection of its own, in this process; the jobs do
//! nothing, but everything around them is real: queues, journal with its syncs, judges.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use sixproof_farm::manager::{Answered, Job};
use sixproof_farm::wire::{Body, Priority};
use sixproof_farm::worker::Settings;
use sixproof_farm::{JobId, ManagerId, WorkerId};
use sixproof_farm_nats::connection::Connection;
use sixproof_farm_nats::jobs::{Done, Found, HandlerFactory, JobHandler};
use sixproof_farm_nats::manager::{Farm, FarmEvent, Setup};
use sixproof_farm_nats::worker::{self, Control};
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::output::{HINT, Output, grouped};
use sixproof_solve::store;

use crate::Exit;
use crate::interrupt::Interrupt;
use crate::options::{self, share_text};

/// The signature of the workers of this bench, which are threads of this process.
const SIGNATURE: &str = "bench";
/// The longest time without an answer, after which the bench gives up.
const SILENCE_MAX: Duration = Duration::from_secs(60);
/// The longest time of a job.
const LIMIT_MS: u64 = 60_000;
/// Jobs before the measurement, while connections and queues are new.
const WARM_UP: u64 = 200;

pub(crate) fn run(options: &options::BenchFarm, output: Output) -> Result<Exit> {
    let connection = options.connection.connection(options.url.as_ref())?;
    let interrupt = Interrupt::watched();
    let mut drawn = [0; 16];
    getrandom::fill(&mut drawn)
        .map_err(|error| Failure::new(format!("there is no randomness: {error}")))?;
    let folder = std::env::temp_dir().join(format!("sixproof-bench-{}", std::process::id()));
    let manager = ManagerId(drawn);
    let farm = Farm::start(Setup {
        connection: connection.clone(),
        id: manager,
        title: "empty jobs".to_string(),
        signature: SIGNATURE.to_string(),
        version: store::version(),
        journal: folder.join("bench.journal"),
        listen: ([127, 0, 0, 1], 0).into(),
        public_url: None,
        judge: Arc::new(|_, _| Ok(Vec::new())),
        lease: None,
        handlers: Arc::new(|| Box::new(EmptyJobs)),
        audit: options.audit,
        is_proof: |_| false,
    });
    let measured = farm.and_then(|farm| {
        let stop = Arc::new(AtomicBool::new(false));
        let workers = start_workers(options, &connection, &stop);
        let measured = measure(&farm, manager, options, &interrupt);
        stop.store(true, Ordering::Relaxed);
        for worker in workers {
            // The other workers do the work of one that failed.
            let _ended = worker.join();
        }
        farm.stop();
        measured
    });
    // The files of a bench are useless after it.
    let _gone = std::fs::remove_dir_all(&folder);
    let Measured { jobs, seconds, mut latencies } = measured?;
    latencies.sort_unstable();
    let rate = jobs as f64 / seconds;
    let quantile = |percent: usize| {
        let index = (latencies.len() * percent / 100).min(latencies.len().saturating_sub(1));
        latencies.get(index).map_or(0.0, |time| time.as_secs_f64() * 1e3)
    };
    let (p50, p90, p99, most) = (quantile(50), quantile(90), quantile(99), quantile(100));
    if output.json {
        output.say_json(&json!({
            "jobs": jobs, "workers": options.workers, "cores": options.cores, "seconds": seconds,
            "jobs_per_second": rate,
            "audit_percent": f64::from(options.audit) / 100.0,
            "latency_ms": { "p50": p50, "p90": p90, "p99": p99, "max": most },
        }));
    } else {
        output.say(format!("jobs        {} in {seconds:.2} s", grouped(jobs)));
        output.say(format!("speed       {} jobs/s", grouped(rate as u64)));
        output.say(format!(
            "latency     {p50:.1} ms median, {p90:.1} ms 90 %, {p99:.1} ms 99 %, {most:.1} ms max"
        ));
        output.note(format!(
            "{HINT}{} workers with {} cores each, --audit {}{HINT:#}",
            options.workers,
            options.cores,
            share_text(options.audit)
        ));
    }
    Ok(Exit::Yes)
}

/// Does jobs that are empty.
struct EmptyJobs;

impl JobHandler for EmptyJobs {
    fn perform(
        &mut self,
        _body: &[u8],
        _watch: &mut dyn FnMut(u64, Option<Vec<u8>>) -> ControlFlow<()>,
    ) -> std::result::Result<Option<Done>, String> {
        Ok(Some(Done { nodes: 0, found: Found::Uncertified(Vec::new()) }))
    }
}

fn start_workers(
    options: &options::BenchFarm,
    connection: &Connection,
    stop: &Arc<AtomicBool>,
) -> Vec<thread::JoinHandle<Result<()>>> {
    let start = |number: u16| {
        let mut id = [0; 16];
        id[..2].copy_from_slice(&number.to_le_bytes());
        let name = format!("bench {number}");
        let cores = options.cores.get();
        let settings = Settings::new(WorkerId(id), &name, &store::version(), SIGNATURE, cores);
        let handlers: HandlerFactory = Arc::new(|| Box::new(EmptyJobs));
        let setup = worker::Setup { connection: connection.clone(), settings, handlers };
        let stop = Arc::clone(stop);
        thread::spawn(move || {
            let control =
                || if stop.load(Ordering::Relaxed) { Control::Leave } else { Control::Run };
            worker::run(setup, &control, &mut |_| {})
        })
    };
    (1..=options.workers.get()).map(start).collect()
}

struct Measured {
    jobs: u64,
    seconds: f64,
    latencies: Vec<Duration>,
}

/// Keeps as many jobs open as the farm wants, until all are answered.
fn measure(
    farm: &Farm,
    manager: ManagerId,
    options: &options::BenchFarm,
    interrupt: &Interrupt,
) -> Result<Measured> {
    let total = options.jobs.saturating_add(WARM_UP);
    let mut open: BTreeMap<JobId, Instant> = BTreeMap::new();
    let (mut submitted, mut answered) = (0, 0);
    let mut latencies = Vec::new();
    let mut start = Instant::now();
    let mut answered_at = Instant::now();
    while answered < total {
        while submitted < total && open.len() < farm.capacity() {
            let key = submitted.to_le_bytes().to_vec();
            let id = JobId::of(manager, &key);
            let body = Body::Inline(key.clone());
            open.insert(id, Instant::now());
            let (priority, limit_ms) = (Priority::Auto, LIMIT_MS);
            farm.submit(Job { id, key, priority, body, limit_ms });
            submitted += 1;
        }
        if interrupt.is_asked_for() {
            return Err(Failure::new("stopped"));
        }
        match farm.wait(Duration::from_millis(100)) {
            Some(FarmEvent::Answer { job, answer: Answered::Good { .. }, .. }) => {
                answered_at = Instant::now();
                answered += 1;
                if let Some(asked) = open.remove(&job)
                    && answered > WARM_UP
                {
                    latencies.push(asked.elapsed());
                }
                if answered == WARM_UP {
                    start = Instant::now();
                }
            }
            Some(FarmEvent::Answer { answer: Answered::GivenUp { why }, .. }) => {
                return Err(Failure::new(format!("a job was given up: {why}")));
            }
            Some(FarmEvent::Problem(problem)) => return Err(Failure::new(problem)),
            Some(_) => {}
            None if answered_at.elapsed() > SILENCE_MAX => {
                return Err(Failure::new("no job was answered for a minute")
                    .help("see what the NATS server says"));
            }
            None => {}
        }
    }
    Ok(Measured { jobs: options.jobs, seconds: start.elapsed().as_secs_f64(), latencies })
}
