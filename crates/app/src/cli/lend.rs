//! Who does the jobs of a search: threads of this machine, or the workers of a farm.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
#[cfg(feature = "farm")]
use sixproof_farm::wire::Priority;
use sixproof_prover::prove::Policy;
use sixproof_solve::quantity;

use super::farm::{ConnectionArgs, Servers};

/// Workers are heard of about twice a second at most.
const LEASE_MIN: Duration = Duration::from_secs(5);

fn lease(text: &str) -> Result<Duration, String> {
    let time = quantity::time(text)?;
    match time < LEASE_MIN {
        true => Err("at least 5s: workers are heard of now and then only".to_string()),
        false => Ok(time),
    }
}

/// Who does the jobs of a search.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Farm")]
pub(crate) struct LendArgs {
    /// Lend the jobs of the search to the workers of a farm, over the NATS server at this address,
    /// instead of to threads of this machine: nats://HOST:4222
    #[arg(long, value_name = "URL")]
    pub(crate) farm: Option<Servers>,

    /// Who waits for the answer: jobs of users are done before automatic ones. Else `user` for
    /// verify, `auto` for prove
    #[arg(long, value_name = "WHO", requires = "farm")]
    pub(crate) priority: Option<PriorityName>,

    /// How long a worker may be silent before its jobs go to others: at least 5s
    #[arg(long, value_name = "TIME", requires = "farm", value_parser = lease)]
    #[arg(hide_short_help = true)]
    pub(crate) lease: Option<Duration>,

    /// Where the answers of workers are kept, to go on from after any stop; else beside the store
    #[arg(long, value_name = "FILE", requires = "farm", hide_short_help = true)]
    pub(crate) journal: Option<PathBuf>,

    /// Where workers fetch and leave what is too large for a message
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0", hide_short_help = true)]
    pub(crate) listen: SocketAddr,

    /// The same address as other machines see it: http://HOST:PORT
    #[arg(long, value_name = "URL", requires = "farm", hide_short_help = true)]
    pub(crate) public_url: Option<String>,

    #[command(flatten)]
    pub(crate) connection: ConnectionArgs,
}

/// Who waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PriorityName {
    /// A person, now
    User,
    /// A search that goes on by itself
    Auto,
}

#[cfg(feature = "farm")]
impl PriorityName {
    pub(crate) fn priority(self) -> Priority {
        match self {
            PriorityName::User => Priority::User,
            PriorityName::Auto => Priority::Auto,
        }
    }
}

/// How a search chooses the next job while others are under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PolicyName {
    /// A job under way counts double: others are worked on where they are nearly as good
    Doubled,
    /// A job under way counts as won (virtual win)
    Win,
    /// A job under way counts as lost (virtual loss)
    Loss,
    /// A job under way changes nothing (virtual equivalence)
    Equivalence,
}

impl PolicyName {
    pub(crate) fn policy(self) -> Policy {
        match self {
            PolicyName::Doubled => Policy::Doubled,
            PolicyName::Win => Policy::Win,
            PolicyName::Loss => Policy::Loss,
            PolicyName::Equivalence => Policy::Equivalence,
        }
    }
}
