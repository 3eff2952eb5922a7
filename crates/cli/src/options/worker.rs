//! The options of `sixproof worker`.

use std::num::NonZero;

use clap::Args;
use sixproof_solve::quantity;

use super::{ConnectionArgs, SERVERS_HELP, Servers};

const WORKER_EXAMPLES: &str = "\
Examples:
  sixproof worker nats://10.0.0.1:4222
  sixproof worker nats://10.0.0.1:4222 --cores 4 --name attic
  sixproof worker tls://farm.example.org --nats-ca ca.pem --nats-nkey-file worker.nk
  sixproof worker nats://10.0.0.1:4222 --systemd > /etc/systemd/system/sixproof-worker.service

A worker may join and leave at any time, before or after the searches that it works for. It runs at
low priority. Ctrl-C stops its jobs and returns them; a second one leaves at once. It must be the
same build as the search: both compute the bench signature, and must agree.";

/// Work for the searches of a farm: does jobs that come over NATS
#[derive(Args, Debug)]
#[command(after_help = format!("{WORKER_EXAMPLES}\n\n{SERVERS_HELP}"))]
pub(crate) struct Worker {
    /// The NATS server [default: $NATS_URL, or nats://127.0.0.1:4222]
    pub(crate) url: Option<Servers>,

    /// Number of parallel jobs [default: $SIXPROOF_THREADS, or one per core]
    #[arg(long, value_name = "N", value_parser = quantity::at_least_one::<{ u16::MAX }>)]
    pub(crate) cores: Option<NonZero<u16>>,

    /// Name of the worker [default: the name of this machine]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// Print nothing but errors
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Print a systemd unit that runs this worker, and end
    #[arg(long)]
    pub(crate) systemd: bool,

    #[command(flatten)]
    pub(crate) connection: ConnectionArgs,
}
