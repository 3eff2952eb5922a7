//! What does the jobs of a search: threads of this machine, or the workers of a farm.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
#[cfg(feature = "farm")]
use sixproof_farm::wire::Priority;
use sixproof_solve::quantity;

use super::{ConnectionArgs, Servers};

/// The shortest lease: workers report at most about twice a second.
const LEASE_MIN: Duration = Duration::from_secs(5);

fn lease(text: &str) -> Result<Duration, String> {
    let time = quantity::time(text)?;
    match time < LEASE_MIN {
        true => Err("at least 5s: workers report only now and then".to_string()),
        false => Ok(time),
    }
}

fn listen(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "write an address and a port: 0.0.0.0:7000".to_string())
}

/// Hundredths of a percent in all.
const ALL: u32 = 10_000;

/// A share as people write it, `2%` or `0.5`, in hundredths of a percent.
pub(crate) fn share(text: &str) -> Result<u32, String> {
    let bad = || format!("`{text}` is not a share: 2%, 0.5% or 0 for none, at most 100%");
    let number = text.strip_suffix('%').unwrap_or(text).trim();
    let percent: f64 = number.parse().map_err(|_| bad())?;
    let share = (percent * 100.0).round();
    match (0.0..=f64::from(ALL)).contains(&share) && (percent == 0.0 || share >= 1.0) {
        true => Ok(share as u32),
        false => Err(bad()),
    }
}

/// A share in hundredths of a percent, as people write it.
#[cfg(feature = "farm")]
pub(crate) fn share_text(share: u32) -> String {
    format!("{} %", f64::from(share) / 100.0)
}

/// What does the jobs of a search.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Farm")]
pub(crate) struct RemoteArgs {
    /// Let the workers of a farm do the jobs of the search, over the NATS server at this address,
    /// instead of threads of this machine: nats://HOST:4222
    #[arg(long, value_name = "URL")]
    pub(crate) farm: Option<Servers>,

    /// Priority of the search: jobs of `user` are done before those of `auto` [default: `user` for
    /// verify, `auto` for prove]
    #[arg(long, value_name = "WHO", requires = "farm")]
    pub(crate) priority: Option<PriorityName>,

    /// The share of the workers' answers without a certificate that this machine repeats, to find
    /// wrong workers; more of a worker's first answers. At most a tenth of the time. 0 for none
    #[arg(long, value_name = "SHARE", requires = "farm", default_value = "2%")]
    #[arg(value_parser = share, hide_short_help = true)]
    pub(crate) audit: u32,

    /// Silence of a worker after which its jobs go to others: at least 5s
    #[arg(long, value_name = "TIME", requires = "farm", value_parser = lease)]
    #[arg(hide_short_help = true)]
    pub(crate) lease: Option<Duration>,

    /// File of the answers of workers, from which a stopped search goes on [default: beside the
    /// store]
    #[arg(long, value_name = "FILE", requires = "farm", hide_short_help = true)]
    pub(crate) journal: Option<PathBuf>,

    /// Where workers fetch and leave what is too large for a message
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0", hide_short_help = true)]
    #[arg(value_parser = listen)]
    pub(crate) listen: SocketAddr,

    /// The same address as other machines see it: http://HOST:PORT
    #[arg(long, value_name = "URL", requires = "farm", hide_short_help = true)]
    pub(crate) public_url: Option<String>,

    #[command(flatten)]
    pub(crate) connection: ConnectionArgs,
}

/// What waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PriorityName {
    /// A user, now
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_read_as_people_write_it() {
        for (text, share_of) in [("2%", 200), ("2 %", 200), ("0.5", 50), ("0", 0), ("100%", ALL)] {
            assert_eq!(share(text), Ok(share_of), "{text}");
        }
        for text in ["", "%", "-1", "101%", "NaN", "inf", "0.001%", "two"] {
            assert!(share(text).is_err(), "{text}");
        }
    }
}
