//! How much of the machine a search may take.

use std::num::NonZero;

use clap::Args;

use sixproof_solve::defaults::{memory_usual, threads};
use sixproof_solve::quantity;

/// How much of the machine a search may take.
#[derive(Args, Clone, Debug)]
pub(crate) struct MachineArgs {
    /// Threads of the search; else $SIXPROOF_THREADS, else one for each core. With 1 a search can
    /// be repeated node for node
    #[arg(long, value_name = "N", help_heading = "Search")]
    #[arg(value_parser = quantity::at_least_one::<{ u16::MAX }>)]
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
