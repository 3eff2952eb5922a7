//! The limits of a search where the user names none: the same for commands and for the editor.

use std::num::NonZero;
use std::time::Duration;

/// The highest order that is tried.
pub const ORDER_USUAL: u32 = 5;
/// The highest order that can be asked for.
pub const ORDER_MAX: u32 = 9;
/// Nodes of a search.
pub const NODES_USUAL: u64 = 100_000_000;
/// Time for a move where nothing is limited, and for a hint where the engine has a clock for the
/// whole game.
pub const TIME_USUAL: Duration = Duration::from_secs(3);
/// The environment variable that sets the number of threads.
const THREADS_VARIABLE: &str = "SIXPROOF_THREADS";
/// The same on a machine whose memory is unknown.
const MEMORY_USUAL: u64 = 1 << 30;
/// A search takes the machine's memory divided by this number.
const MEMORY_SHARE: u64 = 4;

/// The memory of a search in bytes, where the user names none.
pub fn memory_usual() -> u64 {
    machine_memory().map_or(MEMORY_USUAL, |m| m / MEMORY_SHARE)
}

/// The number of threads: as asked for, else as the environment says, else one per core.
pub fn threads(asked: Option<NonZero<u16>>) -> usize {
    let named = std::env::var(THREADS_VARIABLE).ok().and_then(|text| text.parse().ok());
    match asked.or(named) {
        Some(threads) => usize::from(threads.get()),
        None => std::thread::available_parallelism().map_or(1, NonZero::get),
    }
}

/// The memory of this machine in bytes, where the system reports it.
fn machine_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}
