//! How much of the machine a search may take.

use std::num::NonZero;

use clap::Args;

use crate::quantity;

/// Sets the number of threads where nobody names it.
const THREADS_VARIABLE: &str = "SIXPROOF_THREADS";
/// Bytes where the machine does not tell how many it has.
const MEMORY_USUAL: u64 = 1 << 30;
/// The share of the machine's memory that a search takes.
const MEMORY_SHARE: u64 = 4;

/// How much of the machine a search may take.
#[derive(Args, Clone, Debug)]
pub(crate) struct MachineArgs {
    /// Threads of the search; else $SIXPROOF_THREADS, else one for each core. With 1 a search can
    /// be repeated node for node
    #[arg(long, value_name = "N", help_heading = "Search")]
    threads: Option<NonZero<u16>>,

    /// Memory of the search's tree at most: 500M, 4G; else a quarter of the machine's. What is
    /// least useful is forgotten first, proofs never
    #[arg(long, value_name = "BYTES", value_parser = quantity::bytes, help_heading = "Search")]
    memory: Option<u64>,
}

impl MachineArgs {
    /// Threads to be used.
    pub(crate) fn threads(&self) -> usize {
        threads(self.threads)
    }

    /// Bytes to be used.
    pub(crate) fn memory(&self) -> u64 {
        self.memory.unwrap_or_else(memory_usual)
    }
}

/// Bytes to be used where nobody names them.
pub(crate) fn memory_usual() -> u64 {
    machine_memory().map_or(MEMORY_USUAL, |m| m / MEMORY_SHARE)
}

/// As many threads as were asked for; else as the environment says, else one for each core.
pub(crate) fn threads(asked: Option<NonZero<u16>>) -> usize {
    let named = std::env::var(THREADS_VARIABLE).ok().and_then(|text| text.parse().ok());
    match asked.or(named) {
        Some(threads) => usize::from(threads.get()),
        None => std::thread::available_parallelism().map_or(1, NonZero::get),
    }
}

/// The memory of this machine, where it tells.
fn machine_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}
