//! `cargo xtask compare`: the same opening with threads of this machine and over a real NATS server
//! with as many workers, in one run, one after the other (A B B A).
//!
//! Times on a busy machine mean little; the ratio of two in one run means more. A search with two
//! threads finds its proof after more or fewer nodes each time, so that the table shows nodes a
//! second, too.

use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use crate::options;

const HELP: &str = "\
Usage: cargo xtask compare [OPENING] [--rounds N] [--workers N] [--audit SHARE]
                           [--program FILE]

Proves an opening (xx-l8) with threads of this machine and over NATS with as many
workers of one core, N rounds (3) of four runs, and prints the ratio of their medians.
SHARE of the workers' answers is done again (2%).
The program is target/release/sixproof; nats-server must be installed.
";

/// A process that ends with this one.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ended = self.0.kill();
        let _ended = self.0.wait();
    }
}

/// The options.
struct Options {
    opening: String,
    rounds: usize,
    workers: usize,
    /// The share of answers that is done again, as it is typed.
    audit: String,
    program: PathBuf,
}

/// One run.
#[derive(Clone, Copy)]
struct Run {
    seconds: f64,
    nodes: f64,
}

pub(crate) fn run(arguments: &[String]) -> ExitCode {
    options::run("compare", HELP, arguments, parse, |options| compare(options).map(|()| true))
}

fn parse(arguments: &[String]) -> Result<Options, String> {
    let mut options = Options {
        opening: "xx-l8".to_string(),
        rounds: 3,
        workers: 2,
        audit: "2%".to_string(),
        program: PathBuf::from("target/release/sixproof"),
    };
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        let number = |text: &String| match text.parse::<usize>() {
            Ok(number) if number > 0 => Ok(number),
            _ => Err(format!("`{text}` is not a number of at least 1")),
        };
        match word.as_str() {
            "--rounds" => options.rounds = number(value()?)?,
            "--workers" => options.workers = number(value()?)?,
            "--audit" => options.audit.clone_from(value()?),
            "--program" => options.program = PathBuf::from(value()?),
            word if word.starts_with('-') => return Err(format!("unknown option {word}")),
            word => options.opening = word.to_string(),
        }
    }
    if !options.program.is_file() {
        let name = options.program.display();
        return Err(format!("{name} is not there: cargo build --release -p sixproof-cli"));
    }
    Ok(options)
}

fn compare(options: &Options) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|e| format!("a temporary folder: {e}"))?;
    measure(options, folder.path())
}

fn measure(options: &Options, folder: &Path) -> Result<(), String> {
    let free = TcpListener::bind("127.0.0.1:0").and_then(|socket| socket.local_addr());
    let port = free.map_err(|error| error.to_string())?.port();
    let url = format!("nats://127.0.0.1:{port}");
    let mut server = Command::new("nats-server");
    server.args(["-js", "-a", "127.0.0.1", "-p", &port.to_string(), "-sd"]).arg(folder);
    // It shares the cores with the workers here, and runs best with one thread.
    server.env("GOMAXPROCS", "1");
    let _server = start(&mut server)?;
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        sleep(Duration::from_millis(50));
    }
    let mut local: Vec<Run> = Vec::new();
    let mut lent: Vec<Run> = Vec::new();
    println!("{:<8}{:>10}{:>14}{:>12}", "jobs by", "seconds", "nodes", "nodes/s");
    for _ in 0..options.rounds {
        for is_lent in [false, true, true, false] {
            let runs = if is_lent { &mut lent } else { &mut local };
            let run = one(options, is_lent.then_some(&url), folder)?;
            let rate = run.nodes / run.seconds;
            let who = if is_lent { "NATS" } else { "threads" };
            println!("{who:<8}{:>10.2}{:>14.0}{rate:>12.0}", run.seconds, run.nodes);
            std::io::stdout().flush().map_err(|error| error.to_string())?;
            runs.push(run);
        }
    }
    let ratio = |of: fn(&Run) -> f64| median(&lent, of) / median(&local, of);
    println!(
        "NATS / threads: time {:.2}, nodes {:.2}, nodes/s {:.2} \
         (medians of {} runs each, --audit {})",
        ratio(|run| run.seconds),
        ratio(|run| run.nodes),
        ratio(|run| run.nodes / run.seconds),
        local.len(),
        options.audit,
    );
    Ok(())
}

/// Proves the opening once.
fn one(options: &Options, farm: Option<&String>, folder: &Path) -> Result<Run, String> {
    let mut workers = Vec::new();
    if let Some(url) = farm {
        for _ in 0..options.workers {
            let mut worker = Command::new(&options.program);
            workers.push(start(worker.args(["worker", url, "--cores", "1", "--quiet"]))?);
        }
        // They compute their signatures first.
        sleep(Duration::from_secs(5));
    }
    let certificate = folder.join("proof.cert");
    let mut prove = Command::new(&options.program);
    prove.args(["prove", &options.opening, "--no-store", "--json", "--cert"]).arg(&certificate);
    match farm {
        Some(url) => prove.args(["--farm", url, "--audit", &options.audit]),
        None => prove.args(["--threads", &options.workers.to_string()]),
    };
    let output = prove.stderr(Stdio::inherit()).output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let last: Value = text
        .lines()
        .last()
        .and_then(|line| serde_json::from_str(line).ok())
        .ok_or("the search said nothing")?;
    if last["event"] != "proved" {
        return Err(format!("{} was not proved: {last}", options.opening));
    }
    let number = |name: &str| last[name].as_f64().ok_or(format!("no {name}: {last}"));
    Ok(Run { seconds: number("seconds")?, nodes: number("nodes")? })
}

fn start(command: &mut Command) -> Result<Running, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    child.map(Running).map_err(|error| format!("{program}: {error}"))
}

fn median(runs: &[Run], of: fn(&Run) -> f64) -> f64 {
    let mut values: Vec<f64> = runs.iter().map(of).collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() % 2 {
        0 => (values[middle - 1] + values[middle]) / 2.0,
        _ => values[middle],
    }
}
