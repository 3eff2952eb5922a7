//! The options of `sixproof farm`.

use clap::{Args, Subcommand};

use super::{ConnectionArgs, SERVERS_HELP, Servers};

/// Show a farm: many machines that search together over NATS
#[derive(Args, Debug)]
#[command(after_help = STATUS_EXAMPLES)]
pub(crate) struct Farm {
    #[command(subcommand)]
    pub(crate) command: FarmCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum FarmCommand {
    Status(FarmStatus),
}

const STATUS_EXAMPLES: &str = "\
Examples:
  sixproof farm status
  sixproof farm status nats://10.0.0.1:4222 --watch
  sixproof farm status --json | jq '.managers[].workers'";

/// Show the searches of a farm: workers, queue, rates, oldest job
#[derive(Args, Debug)]
#[command(after_help = format!("{STATUS_EXAMPLES}\n\n{SERVERS_HELP}\n\n\
Exit codes: 0 a search has a worker, 1 no search has one, 2 the server does not answer."))]
pub(crate) struct FarmStatus {
    /// The NATS server [default: $NATS_URL, or nats://127.0.0.1:4222]
    pub(crate) url: Option<Servers>,

    /// Show the status again every two seconds, until Ctrl-C
    #[arg(short, long)]
    pub(crate) watch: bool,

    #[command(flatten)]
    pub(crate) connection: ConnectionArgs,
}
