//! The cost of the checker: processor time and memory in a process of its own, and instructions.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use sixproof_check::check;

/// The cost of checking one file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cost {
    /// The number of nodes of the certificate.
    pub(super) nodes: u64,
    /// The processor time, or time by the wall clock where the system does not report it.
    pub(super) seconds: f64,
    /// The largest memory of the process at any time.
    pub(super) peak_kib: u64,
}

impl Cost {
    /// The number of nodes in a second.
    pub(super) fn speed(self) -> f64 {
        self.nodes as f64 / self.seconds
    }
}

/// The option by which this program calls itself to measure one file.
pub(super) const MEASURE: &str = "--measure";

/// Checks a file in a process of its own; of several runs the fastest counts, because other work of
/// the machine only makes a run slower.
pub(super) fn check_apart(file: &Path, runs: usize) -> Result<Cost, String> {
    let mut best: Option<Cost> = None;
    for _ in 0..runs {
        let cost = run_apart(file)?;
        if best.is_none_or(|b| cost.seconds < b.seconds) {
            best = Some(cost);
        }
    }
    best.ok_or_else(|| "no run was asked for".to_string())
}

fn run_apart(file: &Path) -> Result<Cost, String> {
    let this = std::env::current_exe().map_err(|e| e.to_string())?;
    let output = Command::new(this).args(["bench", "check", MEASURE]).arg(file).output();
    let output = output.map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let fields: Vec<&str> = text.split_whitespace().collect();
    let cost = match fields[..] {
        [nodes, seconds, peak] if output.status.success() => nodes
            .parse()
            .ok()
            .zip(seconds.parse().ok())
            .zip(peak.parse().ok())
            .map(|((nodes, seconds), peak_kib)| Cost { nodes, seconds, peak_kib }),
        _ => None,
    };
    cost.ok_or_else(|| String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The other end of [`check_apart`]: checks the file and prints the cost.
pub(super) fn measure(file: &Path) -> Result<(), String> {
    let start = Instant::now();
    let before = processor_seconds();
    let verified = check(|| File::open(file).map(BufReader::new), &mut ())
        .map_err(|refusal| format!("{refusal:?}"))?;
    let seconds = match before.zip(processor_seconds()) {
        Some((before, after)) => after - before,
        None => start.elapsed().as_secs_f64(),
    };
    println!("{} {seconds} {}", verified.counts.nodes, peak_kib());
    Ok(())
}

/// The processor time of this process, from its only thread.
fn processor_seconds() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}

/// The high-water mark of this process's memory; 0 where the system does not report it.
fn peak_kib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|l| l.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// The function of the checker that reads the whole proof. Counting starts and ends with it: the
/// program around it prints a time, whose length changes the number of instructions.
const COUNTED: &str = "sixproof_check::proof::Proof<*>::check";

/// The number of instructions that `sixproof-check` takes for the proof in a file, counted by
/// callgrind. They do not depend on the other work of the machine.
pub(super) fn instructions(file: &Path) -> Result<u64, String> {
    let checker = build_checker()?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(format!("--toggle-collect={COUNTED}"))
        .args([&checker, file])
        .output()
        .map_err(|e| format!("valgrind could not be started: {e}"))?;
    let report = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(report.into_owned());
    }
    let count = report.lines().find_map(|line| line.split("Collected :").nth(1));
    count
        .and_then(|n| n.trim().parse().ok())
        .filter(|&n| n > 0)
        .ok_or_else(|| format!("valgrind did not see {COUNTED}:\n{report}"))
}

/// Builds the checker's own program; it lies beside this one.
fn build_checker() -> Result<PathBuf, String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_string());
    let status = Command::new(cargo)
        .args(["build", "--quiet", "--release", "--package", "sixproof-check"])
        .status()
        .map_err(|e| format!("cargo could not be started: {e}"))?;
    let this = std::env::current_exe().map_err(|e| e.to_string())?;
    let checker = this.with_file_name("sixproof-check");
    if status.success() && checker.exists() {
        Ok(checker)
    } else {
        Err(format!("{} was not built", checker.display()))
    }
}
