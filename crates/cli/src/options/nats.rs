//! How the NATS server of a farm is named: the same options for every command that connects to
//! one.
//!
//! No option takes a secret: every user of the machine can see command lines in the list of
//! processes. Secrets come from files or from the environment.

use std::fmt;
use std::path::PathBuf;

use clap::Args;
#[cfg(feature = "farm")]
use sixproof_farm_nats::connection::{Access, Connection};
#[cfg(feature = "farm")]
use sixproof_solve::failure::Result;

/// Addresses of NATS servers as they were typed. They may hold a password, so that they are never
/// shown as they are, and reading them never fails here, where the error would repeat them.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Servers(String);

impl From<String> for Servers {
    fn from(text: String) -> Servers {
        Servers(text)
    }
}

impl fmt::Debug for Servers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Servers(…)")
    }
}

impl Servers {
    /// The text as it was typed, with its secrets.
    #[cfg(feature = "farm")]
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

/// The connection to the NATS server.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "NATS")]
pub(crate) struct ConnectionArgs {
    /// A file with the token of the server; else $NATS_TOKEN
    #[arg(long, value_name = "FILE")]
    #[arg(conflicts_with_all = ["nats_user", "nats_nkey_file", "nats_creds"])]
    pub(crate) nats_token_file: Option<PathBuf>,

    /// The user; else $NATS_USER
    #[arg(long, value_name = "NAME", conflicts_with_all = ["nats_nkey_file", "nats_creds"])]
    pub(crate) nats_user: Option<String>,

    /// A file with the password of the user; else $NATS_PASSWORD
    #[arg(long, value_name = "FILE")]
    #[arg(conflicts_with_all = ["nats_token_file", "nats_nkey_file", "nats_creds"])]
    pub(crate) nats_password_file: Option<PathBuf>,

    /// A file with the seed of the user's nkey; else the file that $NATS_NKEY names
    #[arg(long, value_name = "FILE", conflicts_with = "nats_creds")]
    pub(crate) nats_nkey_file: Option<PathBuf>,

    /// A file with credentials (JWT and seed); else the file that $NATS_CREDS names
    #[arg(long, value_name = "FILE")]
    pub(crate) nats_creds: Option<PathBuf>,

    /// The certificate authority of the server, as PEM; else $NATS_CA, else those of the system
    #[arg(long, value_name = "FILE")]
    pub(crate) nats_ca: Option<PathBuf>,

    /// Our own certificate, as PEM, where the server asks for one; else $NATS_CERT
    #[arg(long, value_name = "FILE", requires = "nats_key")]
    pub(crate) nats_cert: Option<PathBuf>,

    /// The key of our own certificate, as PEM; else $NATS_KEY
    #[arg(long, value_name = "FILE", requires = "nats_cert")]
    pub(crate) nats_key: Option<PathBuf>,
}

#[cfg(feature = "farm")]
impl ConnectionArgs {
    /// The connection to a server, or to the one that the environment names.
    pub(crate) fn connection(&self, url: Option<&Servers>) -> Result<Connection> {
        Connection::new(url.map(Servers::reveal), &self.access())
    }

    pub(crate) fn access(&self) -> Access {
        Access {
            token_file: self.nats_token_file.clone(),
            user: self.nats_user.clone(),
            password_file: self.nats_password_file.clone(),
            nkey_file: self.nats_nkey_file.clone(),
            creds: self.nats_creds.clone(),
            ca: self.nats_ca.clone(),
            cert: self.nats_cert.clone(),
            key: self.nats_key.clone(),
        }
    }
}

/// How a server is named, for the help of every command that talks to one.
pub(crate) const SERVERS_HELP: &str = "\
The server is nats://HOST:4222, or tls://HOST:4222; several of a cluster are separated by commas.
It needs JetStream: `nats-server -js`. Secrets are read from files or the environment (NATS_TOKEN,
NATS_USER and NATS_PASSWORD, NATS_NKEY, NATS_CREDS), never from the command line, and never shown.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_not_in_debug_output() {
        let servers = Servers::from("nats://ann:hush@host".to_string());
        assert!(!format!("{servers:?}").contains("hush"));
    }
}
