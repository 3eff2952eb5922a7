//! The options of `sixproof serve`.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args;
use sixproof_solve::quantity;

use super::{ConnectionArgs, LocalArgs, Servers, StoreArgs};

const SERVE_EXAMPLES: &str = "\
Examples:
  sixproof serve
  sixproof serve game.sgf proof.cert
  sixproof serve --port 8000 --no-open
  sixproof serve --host 0.0.0.0 --token-file token.txt
  sixproof serve --farm nats://127.0.0.1:4222

The page is a board to edit, analyse, prove and play on. What you do on it is kept in the store at
once (--store FILE, else $SIXPROOF_STORE, else the user's data folder): stop the server with Ctrl-C
whenever you like; unfinished searches go on when it runs again. It listens on this machine only,
unless --host says otherwise: then every client needs the token, which is printed with the address.
For programs, /api/openapi.json describes the REST API, and `curl URL/api/events` shows what
happens.";

/// Open the editor: a board in the browser to edit, analyse, prove and play on
#[derive(Args, Debug)]
#[command(after_help = SERVE_EXAMPLES)]
pub(crate) struct Serve {
    /// Files to open: games in any format that is read, certificates; FILE#3 is the third game of a
    /// collection
    pub(crate) files: Vec<PathBuf>,

    /// The game, where a file does not say it or has rules that are not known
    #[arg(long, value_name = "GAME")]
    pub(crate) game: Option<String>,

    /// The port; a free one is taken if the usual one, 6266, is in use
    #[arg(long, value_name = "PORT", value_parser = port)]
    pub(crate) port: Option<u16>,

    /// The address to listen on; others than this machine's own need a token
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1", value_parser = host)]
    pub(crate) host: IpAddr,

    /// A further name of the host in requests, such as board.example.org
    #[arg(long = "name", value_name = "HOST")]
    pub(crate) names: Vec<String>,

    /// A file with the token that a browser or a program needs; else $SIXPROOF_TOKEN, else a new
    /// one is made if one is needed
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,

    /// Print the address, but do not open it in the browser
    #[arg(long)]
    pub(crate) no_open: bool,

    /// Show the farm of this NATS server: its searches and workers (see `sixproof worker`)
    #[arg(long, value_name = "URL")]
    pub(crate) farm: Option<Servers>,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    #[command(flatten)]
    pub(crate) local: LocalArgs,

    #[command(flatten)]
    pub(crate) connection: ConnectionArgs,
}

fn port(text: &str) -> Result<u16, String> {
    quantity::at_most::<65_535>(text).map(|port| port as u16)
}

fn host(text: &str) -> Result<IpAddr, String> {
    text.parse().map_err(|_| "write an address such as 127.0.0.1, 0.0.0.0 or ::1".to_string())
}
